"""``scipy.optimize.minimize`` as the local optimiser: SciPy's way in, and SciPy's result."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from .checks import real_number
from .engine.schedule import Level
from .run import Run, run
from .wrap import wrap

INSTALL = "prviz.minimize needs SciPy: pip install scipy."


def minimize(
    fun: Callable[..., float],
    x0: Any = None,
    bounds: Any = None,
    *,
    method: str = "L-BFGS-B",
    k1: int | Literal["all"] | None = None,
    m1: int | None = None,
    alpha: float = 0.0,
    levels: Sequence[Level] | None = None,
    seed: int = 0,
    seconds: float | None = None,
    calls: int | None = None,
    spread: float = 1.0,
    groups: Sequence[Sequence[int]] | None = None,
    **settings: Any,
) -> Any:
    """Minimise a function of several real numbers by partial reinitialisation around SciPy.

    >>> import numpy as np
    >>> import prviz
    >>> def rastrigin(x):
    ...     return float(np.sum(x**2 + 10 * (1 - np.cos(2 * np.pi * x))))
    >>> found = prviz.minimize(rastrigin, bounds=[(-5, 5)] * 4, calls=300)
    >>> bool(found.fun < 1e-6), found.run.calls
    (True, 300)

    Parameters
    ----------
    fun : callable
        ``fun(x)`` of an array (N,); what SciPy's ``args`` and ``jac`` say holds here too.
    x0 : (N,) array_like
        About where to look: variables are drawn from normal distributions around these, within the
        bounds if there are any.
    bounds : sequence of (low, high), or scipy.optimize.Bounds
        They hold for the local optimiser. Without ``x0`` they must be finite: variables are drawn
        from all of them, evenly. Give one of the two at least.
    method : str
        As ``scipy.optimize.minimize`` has it.
    k1, m1, alpha, levels, seed, seconds, calls
        As :func:`prviz.run` has them. α of equation (1) keeps a part of what was there.
    spread : float
        Standard deviation of draws around ``x0``.
    groups : sequence of sequences of int
        Numbers that belong together, such as the three of an atom, and are redrawn as one variable.
    **settings
        Passed to ``scipy.optimize.minimize``: ``args``, ``jac``, ``tol``, ``options``, …

    Returns
    -------
    scipy.optimize.OptimizeResult
        ``x``, ``fun``, ``nfev`` and ``nit`` of all calls together, ``success`` (something was
        found, and nothing failed), ``message``, and ``run``, the :class:`prviz.Run`.

    Raises
    ------
    TypeError, ValueError
        One sentence that says what is wrong and what to do.
    ImportError
        There is no SciPy.
    """
    try:
        from scipy import optimize
    except ImportError:
        raise ImportError(INSTALL) from None
    if not callable(fun):
        raise TypeError(f"fun must be a function, not {fun!r}.")
    draw = _draw(x0, bounds, spread)
    settings = {**settings, "method": method, "bounds": bounds}
    true, local = _Cost(fun, settings), _Local(optimize.minimize, fun, settings)
    problem = wrap(true, draw, local, groups=groups)
    searched = {"alpha": alpha, "levels": levels, "seconds": seconds, "calls": calls}
    found = run(problem, k1, m1, seed=seed, **searched)
    return optimize.OptimizeResult(
        x=found.best_state.x.copy()
        if found.calls
        else np.full_like(problem.model.values, math.nan),
        fun=found.best_cost,
        nfev=true.nfev + local.nfev,
        nit=local.nit,
        success=bool(found.calls) and not found.failure,
        message=_message(found),
        run=found,
    )


class _Cost:
    """The cost of a configuration, which counts how often it is asked for.

    ``__wrapped__`` is the function in which errors are looked for.
    """

    def __init__(self, fun: Callable, settings: dict[str, Any]):
        self.__wrapped__ = fun
        arguments = settings.get("args", ())
        self._arguments = arguments if isinstance(arguments, tuple) else (arguments,)
        self._with_slope = settings.get("jac") is True  # then fun returns (cost, gradient)
        self.__name__ = getattr(fun, "__name__", "fun")
        self.nfev = 0

    def __call__(self, x: np.ndarray) -> float:
        self.nfev += 1
        value = self.__wrapped__(x, *self._arguments)
        return value[0] if self._with_slope else value


class _Local:
    """The local optimiser, which counts what it takes."""

    def __init__(self, minimise: Callable, fun: Callable, settings: dict[str, Any]):
        self._minimise, self.__wrapped__, self._settings = minimise, fun, settings
        self.__name__ = str(settings["method"])
        self.nfev = self.nit = 0

    def __call__(self, x: np.ndarray) -> np.ndarray:
        found = self._minimise(self.__wrapped__, x, **self._settings)
        self.nfev += found.nfev
        self.nit += getattr(found, "nit", 0)  # which some methods don't count
        return found.x


def _message(found: Run) -> str:
    if found.failure:
        return f"The search stopped: {found.failure}."
    if found.interrupted:
        return "Interrupted: the best so far."
    return f"The best of {found.calls} calls of the local optimiser."


def _draw(x0: Any, bounds: Any, spread: Any) -> Callable[[np.random.Generator], np.ndarray]:
    """Fresh variables: normal around x0, or even within the bounds."""
    if x0 is None and bounds is None:
        raise ValueError("Give x0, about where to look, or bounds, within which, or both.")
    low, high = _ends(bounds)
    if x0 is None:
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            raise ValueError("bounds must be finite without an x0: variables are drawn from them.")
        return lambda rng: rng.uniform(low, high)
    centre = _numbers(x0, "x0")
    if low.size and len(low) != len(centre):
        raise ValueError(f"x0 has {len(centre)} numbers, but bounds {len(low)}: one each.")
    if not 0 < (spread := real_number(spread, "spread")) < math.inf:
        raise ValueError(f"spread must be positive and finite, not {spread}.")

    def around(rng: np.random.Generator) -> np.ndarray:
        drawn = rng.normal(centre, spread)
        return np.clip(drawn, low, high) if low.size else drawn

    return around


def _ends(bounds: Any) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper bounds, (N,) each, infinite where there are none; of length 0 without."""
    if bounds is None:
        return np.zeros(0), np.zeros(0)
    if hasattr(bounds, "lb"):
        ends = np.broadcast_arrays(np.atleast_1d(bounds.lb), np.atleast_1d(bounds.ub))
        low, high = (np.array(end, float) for end in ends)
    else:
        try:
            pairs = [(-np.inf if a is None else a, np.inf if b is None else b) for a, b in bounds]
            low, high = np.array(pairs, float).reshape(-1, 2).T
        except (TypeError, ValueError):
            raise TypeError("bounds must be pairs (low, high), one a variable.") from None
    if not len(low) or not (low <= high).all():
        raise ValueError("bounds must be pairs (low, high) with low no more than high.")
    return low, high


def _numbers(x0: Any, name: str) -> np.ndarray:
    try:
        found = np.array(x0, float)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be an array of numbers.") from None
    if found.ndim != 1 or not len(found) or not np.isfinite(found).all():
        raise ValueError(f"{name} must be one array of finite numbers, at least one.")
    return found
