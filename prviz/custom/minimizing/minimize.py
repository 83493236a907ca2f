"""Minimise a function of real numbers with the interface of SciPy's ``minimize``."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from ...checks import real_number, seed_number
from ...engine.schedule import Level
from ...search.run import Run, run
from ...search.settings import budget, make_schedule, positive_or_infinite
from ..callables import as_number
from ..wrap import wrap
from .constraints import TOLERANCE, Limited, bounds_as_limits, constraints_as_list, limits_of
from .evaluations import Domain, Evaluations, Spent
from .problem import Adaptive, adaptive
from .solver import check_keywords, check_values, of_scipy, refusal, rehearse, try_out
from .watch import Watch

INSTALL = "prviz.minimize needs SciPy: pip install scipy."


def minimize(
    fun: Callable[..., float],
    x0: Any = None,
    bounds: Any = None,
    *,
    method: str | Callable[..., Any] | None = None,
    k1: int | Literal["all"] | None = None,
    m1: int | None = None,
    alpha: float = 0.0,
    levels: Sequence[Level] | None = None,
    seed: int = 0,
    seconds: float | None = None,
    calls: int | None = None,
    maxfev: int | None = None,
    callback: Callable[..., Any] | None = None,
    spread: float = 1.0,
    groups: Sequence[Sequence[int]] | None = None,
    **settings: Any,
) -> Any:
    """Minimise a function of several real numbers by partial reinitialisation.

    By default, the search chooses for each call how many variables to redraw, and whether to draw
    them from their whole domain or around their old values. It also chooses how to descend: along
    the redrawn variables alone, along all variables by SciPy's SLSQP, or by some generations of an
    evolution strategy (CMA-ES).

    >>> import numpy as np
    >>> import prviz
    >>> def rastrigin(x):
    ...     return float(np.sum(x**2 + 10 * (1 - np.cos(2 * np.pi * x))))
    >>> found = prviz.minimize(rastrigin, bounds=[(-5.12, 5.12)] * 2, maxfev=1000)
    >>> bool(found.fun < 1e-6), found.nfev
    (True, 1000)

    Parameters
    ----------
    fun : callable
        ``fun(x)`` takes an array (N,) and returns a number, or an array of one number. You can pass
        SciPy's ``args`` and ``jac``.
    x0 : (N,) array_like or float
        Centre of the search. Variables are drawn from normal distributions around ``x0``, within
        the bounds if given. If the search chooses its method, the first call begins at ``x0``. An
        ``x0`` outside the bounds is moved to the nearest bound.
    bounds : sequence of (low, high), or scipy.optimize.Bounds
        None or infinity means no bound. Without ``x0``, bounds must be finite, because variables
        are drawn uniformly between them. Give at least one of ``x0`` and ``bounds``. If ``method``
        cannot handle bounds or constraints, SciPy warns, and a call that violates them fails.
    method : str or callable
        See ``scipy.optimize.minimize``. Every call runs this method from the redrawn point, along
        all variables. None lets the search choose. With constraints, None means SLSQP. With k1, m1,
        alpha, levels, ``options``, ``tol``, ``hess`` or ``hessp``, None means L-BFGS-B.
    k1, m1, alpha, levels, seed, seconds, calls
        See :func:`prviz.run`.
    maxfev : int
        Budget in evaluations of ``fun``; the smallest search takes up to 3. If the search chooses
        its method, calls of a separate gradient function ``jac`` also count. If you give several
        budgets, the search ends as soon as one of them is used up.
    callback : callable
        ``callback(intermediate_result)`` or ``callback(x)``, as in SciPy. It gets the best result
        so far after every call of the local optimiser. If it raises ``StopIteration``, the search
        ends and keeps its result.
    spread : float
        Standard deviation of draws around ``x0``.
    groups : sequence of sequences of int
        Indices that are redrawn together as one variable, such as the three coordinates of an atom.
    **settings
        Passed to ``scipy.optimize.minimize``: ``args``, ``jac``, ``hess``, ``hessp``,
        ``constraints``, ``tol``, ``options``.

    Returns
    -------
    scipy.optimize.OptimizeResult
        ``x`` and ``fun`` of the best call; ``nfev``, ``njev``, ``nhev`` and ``nit``, summed over
        all calls; ``success``, ``status`` and ``message``; and ``run``, the :class:`prviz.Run`.
        With constraints also ``maxcv``, the largest violation of a bound or constraint at x.

        With ``method``, a call fails in three cases: SciPy reports ``success=False`` (also at
        ``maxiter``); ``fun`` is NaN or infinite; or x violates a bound or constraint by more than
        1e-6 (times the limit if that is above 1). Without ``method``, every evaluated x is within
        the bounds, and a call fails if none of its values is finite. A failed call has cost +∞ in
        ``run.trace``. If no call succeeds, ``x`` and ``fun`` are those of the best failed call (the
        least violation, then the lowest ``fun``), and ``success`` is False. ``status`` is 0 on
        success, 1 if no call succeeded, and 2 if an exception ended the search. An exception in a
        function ends the search with a warning and keeps the result so far. If the search chooses
        its method, ``run.trace`` counts evaluations as iterations.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid, for example an unknown keyword, method or option. This is raised
        before the search starts.
    ImportError
        SciPy is not installed.
    """
    try:
        from scipy import optimize
    except ImportError:
        raise ImportError(INSTALL) from None
    if not callable(fun):
        raise TypeError(f"fun must be a function, got {fun!r}.")
    check_keywords(settings, OWN, optimize.minimize)
    settings.setdefault("args", ())
    settings |= {"method": method, "constraints": constraints_as_list(settings.get("constraints"))}
    watch = Watch(callback, optimize.OptimizeResult)
    own = (k1, m1, levels) in ((None, None, None), ("auto", None, None)) and not alpha
    problem = _problem(optimize, fun, x0, bounds, spread, groups, settings, watch, own)
    most = positive_or_infinite(maxfev, "maxfev")
    endless = make_schedule(problem, k1, m1, alpha, levels).repeats[-1] == 0
    if maxfev is not None and seconds is None and calls is None:
        calls = maxfev  # each call takes at least one evaluation
    budget(seconds, calls, endless)
    seed_number(seed)
    first = problem.sample(np.random.default_rng(0))
    rehearse(optimize.minimize, first, settings)
    try_out(problem.cost, first, settings.get("jac"), problem.optimise.limits)
    limited = problem.evaluations if isinstance(problem, Adaptive) else problem.optimise
    limited.budget = most
    found = _search(problem, watch, k1, m1, alpha, levels, seed, seconds, calls)
    return _result(optimize.OptimizeResult, found, bool(settings["constraints"]))


def _search(
    problem: Any,
    watch: Watch,
    k1: Any,
    m1: Any,
    alpha: float,
    levels: Any,
    seed: int,
    seconds: float | None,
    calls: int | None,
) -> Run:
    """Search until a budget is used up or ``watch`` ends the search."""
    budgets: dict[str, Any] = {"seconds": seconds, "calls": calls}
    try:
        return run(
            problem,
            k1,
            m1,
            alpha,
            levels=levels,
            seed=seed,
            callback=lambda progress: watch.over,
            **budgets,
        )
    except _Refused as refused:
        error = refused.error
        raise type(error)(refusal(error)) from error


#: The parameters of ``minimize``, without ``settings``.
OWN = tuple(name for name in inspect.signature(minimize).parameters if name != "settings")


def _problem(
    optimize: Any,
    fun: Callable[..., Any],
    x0: Any,
    bounds: Any,
    spread: Any,
    groups: Any,
    settings: dict[str, Any],
    watch: Watch,
    own: bool,
) -> Any:
    """Return the problem of a call of ``minimize``, and complete the settings for SciPy.

    If ``own`` is True, the search chooses its local optimisers, unless a setting applies only to
    one of SciPy's methods.
    """
    centre = None if x0 is None else _numbers(x0, "x0")
    low, high, bounds = _bounds(bounds, 1 if centre is None else len(centre))
    draw = _draw(centre, low, high, spread)
    own = own and not any(settings.get(name) for name in SCIPYS)
    own = own and not isinstance(settings.get("jac"), str)
    if settings["method"] is None:
        settings["method"] = "SLSQP" if settings["constraints"] else "L-BFGS-B"
    settings["bounds"] = bounds
    check_values(settings)
    n = len(low) if centre is None else len(centre)
    limits = [*bounds_as_limits(low, high), *limits_of(settings["constraints"], n)]
    cost = _Cost(fun, settings["args"], settings.get("jac") is True)
    local = _Local(optimize, cost, settings, limits, watch)
    problem = wrap(cost, draw, local, groups=groups, results=True)
    if not own:
        return problem
    local.__name__ = "auto"
    if centre is not None and len(low):
        centre = np.clip(centre, low, high)
    domain = Domain(centre, low, high, spread)
    return adaptive(problem, Evaluations(cost, settings.get("jac"), domain), watch, centre)


#: Smallest number of evaluations in a call; the last one evaluates the call's result.
LEAST_CALL = 2
#: Settings that apply only to SciPy's methods.
SCIPYS = ("method", "constraints", "hess", "hessp", "options", "tol")


class _Cost:
    """The cost function, which counts its evaluations.

    ``__wrapped__`` is the user's function, for error messages.
    """

    def __init__(self, fun: Callable[..., Any], args: Any, with_slope: bool):
        self.__wrapped__ = fun
        self.args = args if isinstance(args, tuple) else (args,)
        self._with_slope = with_slope  # if True, fun returns (cost, gradient)
        self.__name__ = getattr(fun, "__name__", "fun")
        self.nfev = 0

    def __call__(self, x: np.ndarray) -> float:
        value = self.returned(x)
        return value[0] if self._with_slope else value

    def returned(self, x: np.ndarray) -> Any:
        """Evaluate the user's function; return its result unchanged."""
        self.nfev += 1
        return self.__wrapped__(x, *self.args)


class _Refused(BaseException):
    """Raised if SciPy rejects the first call. The search does not catch it."""

    def __init__(self, error: TypeError | ValueError):
        super().__init__(error)
        self.error = error


class _Rejected(NamedTuple):
    """The result of a call that failed."""

    violation: float
    fun: float
    x: np.ndarray
    reason: str

    @property
    def order(self) -> tuple[float, float]:
        """Return a key that sorts by violation, then by ``fun``, so the best result comes first."""
        violation = self.violation if self.violation > TOLERANCE else 0.0
        return violation, self.fun if math.isfinite(self.fun) else math.inf


class _Local:
    """The local optimiser. It counts evaluations and stores the best failed result."""

    def __init__(
        self,
        optimize: Any,
        cost: _Cost,
        settings: dict[str, Any],
        limits: list[Limited],
        watch: Watch,
    ):
        self.__wrapped__, self._settings, self.limits = cost.__wrapped__, settings, limits
        self._minimise, self._result = optimize.minimize, optimize.OptimizeResult
        self._cost, self.watch = cost, watch
        method = settings["method"]
        self.__name__ = getattr(method, "__name__", str(method))
        self.counts = dict.fromkeys(("njev", "nhev", "nit"), 0)
        self.budget = math.inf
        self._best, self._best_x = math.inf, np.zeros(0)  # the best evaluation of the present call
        self.n_rejected = 0
        self.best_rejected: _Rejected | None = None

    def __call__(self, x: np.ndarray) -> Any:
        self._best, self._best_x = math.inf, x.copy()
        try:
            found = self._minimise(self._counted, x, **self._settings)
        except Spent:
            found = self._result(x=self._best_x, fun=self._best)
        except (TypeError, ValueError) as error:
            if not any(self.counts.values()) and of_scipy(error):
                raise _Refused(error) from error
            raise
        if not (isinstance(found, dict) and {"x", "fun"} <= found.keys()):
            raise TypeError("method must return an OptimizeResult with x and fun")
        for name in self.counts:  # some methods do not report all counts
            self.counts[name] += found.get(name) or 0
        end = np.array(found["x"], float).reshape(x.shape)
        fun = as_number(found["fun"])
        if reason := self._fault(found, end, fun):
            self._reject(end, fun, reason)
        self.watch.report(end, math.inf if reason else fun, self._cost.nfev)
        if self._cost.nfev + 1 + LEAST_CALL > self.budget:  # + 1 to evaluate the result
            self.watch.over = True
        return self._result(x=end, success=not reason)

    def _counted(self, x: np.ndarray, *args: Any) -> Any:
        """Evaluate the user's function; end the call before the budget is used up."""
        self._cost.nfev += 1
        returned = self.__wrapped__(x, *args)
        if self.budget < math.inf:
            value = as_number(returned[0] if self._settings.get("jac") is True else returned)
            if value < self._best and all(limit.holds(x) for limit in self.limits):
                self._best, self._best_x = value, np.array(x, float)
            if self._cost.nfev + 1 >= self.budget:
                raise Spent
        return returned

    def _fault(self, found: Any, x: np.ndarray, fun: float) -> str:
        """Return the reason why a result is invalid, or an empty string."""
        if not math.isfinite(fun):
            return f"fun is {fun}"
        if not np.isfinite(x).all():
            return "x is not finite"
        if not found.get("success", True):
            return str(found.get("message", "no success")).rstrip(".")
        for limit in self.limits:
            if not limit.holds(x):
                return f"x violates {limit.name} by {limit.violation(x):.3g}"
        return ""

    def _reject(self, x: np.ndarray, fun: float, reason: str) -> None:
        self.n_rejected += 1
        end = _Rejected(self.violation(x), fun, x, reason)
        if self.best_rejected is None or end.order < self.best_rejected.order:
            self.best_rejected = end

    def violation(self, x: np.ndarray) -> float:
        """Return the largest violation of a bound or constraint at x."""
        return max((limit.violation(x) for limit in self.limits), default=0.0)


def _result(make: Callable[..., Any], found: Run, constrained: bool) -> Any:
    """Return the result of a search in SciPy's form."""
    problem = found.problem
    cost, local = problem.cost, problem.optimise
    accepted = math.isfinite(found.best_cost)
    counts = {**local.counts, "nfev": cost.nfev}
    if isinstance(problem, Adaptive):
        counts |= {"njev": problem.evaluations.njev, "nit": found.calls}
    if accepted:
        x, fun = found.best_state.x.copy(), found.best_cost
    elif isinstance(problem, Adaptive):
        x, fun = problem.evaluations.bad_x, problem.evaluations.bad
    elif local.best_rejected is not None:
        x, fun = local.best_rejected.x, local.best_rejected.fun
    else:
        x, fun = np.full_like(problem.model.values, math.nan), math.inf
    if constrained:
        counts["maxcv"] = local.violation(x) if np.isfinite(x).all() else math.inf
    return make(
        x=x,
        fun=fun,
        success=accepted and not found.failure,
        status=2 if found.failure else int(not accepted),
        message=_message(found, accepted, local),
        run=found,
        **counts,
    )


def _message(found: Run, accepted: bool, local: _Local) -> str:
    if found.failure:
        return f"The search stopped: {found.failure}."
    if found.interrupted:
        return "Interrupted. This is the best result so far."
    if isinstance(found.problem, Adaptive):
        evaluations = found.problem.evaluations
        failed, reason = evaluations.n_bad, f"fun is {evaluations.bad}"
        if not accepted:
            return f"All {failed} evaluations failed: {reason}."
        unit = " evaluations"
    else:
        reason = local.best_rejected.reason if local.best_rejected else ""
        if not accepted:
            return (
                f"All {found.calls} calls of the local optimiser failed. The best of them failed "
                f"because: {reason}."
            )
        failed, unit = local.n_rejected, ""
    message = f"This is the best of {found.calls} calls of the local optimiser."
    if local.watch.stopped:
        message = f"The callback ended the search. {message}"
    elif local.watch.over:
        message = f"maxfev is used up. {message}"
    if failed:
        message += f" {failed}{unit} failed, for example: {reason}."
    return message


def _draw(
    centre: np.ndarray | None, low: np.ndarray, high: np.ndarray, spread: Any
) -> Callable[[np.random.Generator], np.ndarray]:
    """Return a function that draws x: from a normal distribution, or uniformly within bounds."""
    if centre is None and not low.size:
        raise ValueError("Pass x0, bounds, or both.")
    if centre is None:
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            raise ValueError(
                "bounds must be finite if x0 is not given: the variables are drawn from them."
            )
        return lambda rng: rng.uniform(low, high)
    if low.size not in (0, len(centre)):
        raise ValueError(
            f"x0 has {len(centre)} numbers, but bounds has {len(low)}. Give one pair per number."
        )
    if not 0 < (spread := real_number(spread, "spread")) < math.inf:
        raise ValueError(f"spread must be positive and finite, got {spread}.")
    if low.size:
        centre = np.clip(centre, low, high)

    def around(rng: np.random.Generator) -> np.ndarray:
        drawn = rng.normal(centre, spread)
        return np.clip(drawn, low, high) if low.size else drawn

    return around


def _bounds(bounds: Any, n: int) -> tuple[np.ndarray, np.ndarray, Any]:
    """Return lower bounds, upper bounds, and bounds for SciPy.

    Arrays have length 0 if there are no bounds. Missing bounds are infinite. A ``Bounds`` object
    with one number applies to all n variables.
    """
    if bounds is None:
        return np.zeros(0), np.zeros(0), None
    try:
        if hasattr(bounds, "lb"):
            ends = np.broadcast_arrays(np.atleast_1d(bounds.lb), np.atleast_1d(bounds.ub))
            low, high = (np.array(end, float) for end in ends)
            if len(low) == 1:
                low, high = np.repeat(low, n), np.repeat(high, n)
        else:
            bounds = [tuple(pair) for pair in bounds]
            pairs = [(-np.inf if a is None else a, np.inf if b is None else b) for a, b in bounds]
            low, high = np.array(pairs, float).reshape(-1, 2).T
    except (TypeError, ValueError):
        raise TypeError("bounds must be pairs (low, high), one per variable.") from None
    if low.ndim != 1 or not len(low) or not (low <= high).all():
        raise ValueError("bounds must be pairs (low, high) with low <= high.")
    with np.errstate(over="ignore"):
        if np.isinf(high - low)[np.isfinite(low) & np.isfinite(high)].any():
            raise ValueError("bounds are too far apart: high - low is infinite.")
    return low, high, bounds


def _numbers(x0: Any, name: str) -> np.ndarray:
    try:
        found = np.atleast_1d(np.asarray(x0))
        if found.dtype.kind == "c":
            raise TypeError
        found = np.array(found, float)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be an array of numbers.") from None
    if found.ndim != 1 or not len(found) or not np.isfinite(found).all():
        raise ValueError(f"{name} must be a one-dimensional array of at least one finite number.")
    return found
