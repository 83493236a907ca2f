"""Wrap any Python optimiser as a problem: cost, sample and optimise are plain functions.

Nothing here is compiled: the search of :mod:`prviz.engine.algorithm` runs as plain Python.
Schedules, seeds, traces and resumed searches are as for every other problem.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
import math
import pickle
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..checks import whole_number
from ..engine import kernels
from ..engine.subsets import Redraw, random_subset, restore_order
from .callables import (
    Failed,
    JudgedState,
    WrappedState,
    call,
    check_array,
    checked_cost,
    kind_of,
    model_of_array,
)
from .compiled import Jitted, jitted

#: Up to this many variables are chosen in Python, as compiled code needs 10 µs to get the
#: generator.
FEW = 3
_few = getattr(random_subset, "py_func", random_subset)


@dataclasses.dataclass(frozen=True, eq=False)
class Wrapped:
    """A problem made of plain Python functions by :func:`wrap`.

    Attributes
    ----------
    cost, sample, optimise, get, set : callable
        See :func:`wrap`.
    n_variables : int
        Number of variables, N.
    groups : tuple of int64 arrays, or None
        For each variable, its rows of x; None if each variable is one row.
    model : WrappedState
        A configuration with the right shape and arbitrary values.
    draws : bool
        True if the optimiser has a parameter ``rng``.
    results : bool
        True if ``optimise`` returns an object with ``x`` and ``success``.
    """

    cost: Callable
    sample: Callable
    optimise: Callable
    n_variables: int
    groups: tuple[np.ndarray, ...] | None
    get: Callable | None
    set: Callable | None
    model: WrappedState
    draws: bool
    results: bool
    of_functions = True  # see prviz.custom.callables

    @property
    def _fields(self) -> tuple[str, ...]:
        """Return the names of the fields, as for a NamedTuple."""
        return tuple(field.name for field in dataclasses.fields(self))


def wrap(
    cost: Callable[[Any], float],
    sample: Callable[[np.random.Generator], Any],
    optimise: Callable[..., Any],
    n_variables: int | None = None,
    groups: Sequence[Sequence[int]] | None = None,
    *,
    get: Callable[[Any, int], Any] | None = None,
    set: Callable[[Any, int, Any], Any] | None = None,
    jit: bool = False,
    results: bool = False,
) -> Wrapped | Jitted:
    """Make a problem from plain Python functions.

    >>> import numpy as np
    >>> import prviz
    >>> def cost(x):
    ...     return float(np.sum((x - 3) ** 2))
    >>> def sample(rng):
    ...     return rng.integers(0, 10, size=4)
    >>> def optimise(x):  # a weak optimiser
    ...     x[0] = 3
    >>> problem = prviz.wrap(cost, sample, optimise)
    >>> prviz.run(problem, k1=1, m1=300, calls=300).best_state.x
    array([3, 3, 3, 3])

    Parameters
    ----------
    cost : callable
        ``cost(x)`` returns a finite number, which is minimised. It must not change x.
    sample : callable
        ``sample(rng)`` returns a random configuration. Take all randomness from ``rng``, a
        ``numpy.random.Generator``. A redraw uses the chosen variables of such a configuration as ξ
        in equation (1), x ← α x + (1 − α) ξ.
    optimise : callable
        ``optimise(x)``, or ``optimise(x, rng)`` if it has a parameter ``rng``, runs the local
        optimiser from x. It returns the result, or None if it changed x in place. A result with a
        higher cost is reverted. A call counts as one iteration.
    n_variables : int
        Number of variables, N. Leave it out if x is an array: each row, or each number of a
        vector, is a variable.
    groups : sequence of sequences of int
        The rows of x that belong to each variable and are redrawn together. Each row must occur
        once.
    get, set : callable
        For an x that is not an array: ``get(x, i)`` returns variable i, and ``set(x, i, value)``
        sets it in place or returns a changed x. x must support ``copy.deepcopy`` and pickle. α must
        be 0.
    jit : bool
        Compile all three functions with Numba and run them inside the compiled search. x must be an
        array. Compiling takes some seconds in every process and saves microseconds per call. The
        trace is the same as without ``jit``.
    results : bool
        True if ``optimise`` returns a ``scipy.optimize.OptimizeResult``, or another object with
        ``x`` and ``success``. If ``success`` is False, the call has cost +∞ and its x is never the
        best. A redrawn x is never the best before the optimiser has run. If all calls fail,
        ``run.best_cost`` is +∞.

    Returns
    -------
    Wrapped or Jitted
        The problem. After a run, the best configuration is ``run.best_state.x``.
        :func:`prviz.compare` and :func:`prviz.tune` accept the problem, but not together with a
        store. With processes of ``joblib.parallel_config``, pickle must support the functions.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid. If one of the functions raises an exception during a search, the
        search ends and keeps the result so far. ``run.failure`` is the message.
    """
    for name, function in {"cost": cost, "sample": sample, "optimise": optimise}.items():
        if not callable(function):
            raise TypeError(f"{name} must be a function, got {function!r}.")
    if jit:
        if get is not None or set is not None:
            raise TypeError("jit=True needs x to be an array: leave out get and set.")
        if results:
            raise TypeError("jit=True can't be combined with results=True: leave out jit.")
        return jitted(cost, sample, optimise, groups, n_variables)
    drawn = sample(np.random.default_rng(0))
    if get is None and set is None:
        model, size, rows = model_of_array(drawn, n_variables, groups)
    else:
        model, rows = _model_of_object(n_variables, groups, get, set), None
        size = whole_number(n_variables, "n_variables")
    named = _parameters(optimise)
    draws = "rng" in named
    return Wrapped(cost, sample, optimise, size, rows, get, set, model, draws, bool(results))


def _parameters(function: Callable) -> Sequence[str]:
    function = getattr(function, "py_func", function)  # Numba's attribute
    try:
        return list(inspect.signature(function, follow_wrapped=False).parameters)
    except (TypeError, ValueError):  # some functions in C have no signature
        return []


def _model_of_object(n_variables: Any, groups: Any, get: Any, set: Any) -> WrappedState:
    if not (callable(get) and callable(set)):
        raise TypeError("Pass both get and set: functions that read and write a variable of x.")
    if groups is not None or n_variables is None:
        raise TypeError("With get and set, pass n_variables and no groups.")
    if whole_number(n_variables, "n_variables") < 1:
        raise ValueError(f"n_variables must be at least 1, got {n_variables}.")
    return WrappedState(np.empty(1, object))


@kernels.allocate.register
def _allocate(problem: Wrapped) -> JudgedState:
    _load()
    return JudgedState._make([np.zeros_like(problem.model.values), np.zeros(1, bool)])


@functools.cache
def _load() -> None:
    """Compile kernels before a search begins, so that its CPU seconds do not include compiling."""
    order = np.arange(2)
    random_subset(Redraw(1, math.nan, 0), np.random.default_rng(0), order)
    restore_order(order)


@kernels.n_variables.register
def _n_variables(problem: Wrapped) -> int:
    return problem.n_variables


@kernels.stochastic.register
def _stochastic(problem: Wrapped) -> bool:
    return True  # a user's optimiser may raise the cost


@kernels.blends.register
def _blends(problem: Wrapped) -> bool:
    return np.issubdtype(problem.model.values.dtype, np.inexact)


@kernels.variables.register
def _variables(problem: Wrapped, state: JudgedState) -> list[bytes]:
    N = range(problem.n_variables)
    if problem.get is not None:
        return [pickle.dumps(problem.get(state.x, i)) for i in N]
    return [state.values[i if problem.groups is None else problem.groups[i]].tobytes() for i in N]


@kernels.cost.register_python(Wrapped)
def _cost(problem, state):
    if state.rejected[0]:
        return math.inf
    return checked_cost(problem.cost, state.x)


@kernels.select.register_python(Wrapped)
def _select(problem, state, redraw, rng, order):
    """Choose a random sub-set. For a few variables, Python is faster than compiled code."""
    return (_few if redraw.size <= FEW else random_subset)(redraw, rng, order)


@kernels.reinitialise.register_python(Wrapped)
def _reinitialise(problem, state, chosen, alpha, rng):
    """Apply equation (1). ξ comes from a new random configuration."""
    if not len(chosen):
        return
    state.rejected[0] = problem.results  # x cannot be the best until the optimiser succeeds
    fresh = call("sample", problem.sample, rng)
    if problem.get is not None:
        state.values[0] = _with_variables(problem, state.x, fresh, chosen)
        return
    check_array("sample", problem.sample, problem.model.values, fresh)
    rows = chosen if problem.groups is None else np.concatenate([problem.groups[i] for i in chosen])
    x = state.values
    x[rows] = fresh[rows] if alpha == 0.0 else alpha * x[rows] + (1.0 - alpha) * fresh[rows]


def _with_variables(problem: Any, x: Any, fresh: Any, chosen: np.ndarray) -> Any:
    """Return a copy of x in which the chosen variables come from ``fresh``."""
    if len(chosen) == problem.n_variables:
        return copy.deepcopy(fresh)
    x = copy.deepcopy(x)
    for i in chosen.tolist():
        value = call("get", problem.get, fresh, i)
        put = call("set", problem.set, x, i, value)
        x = x if put is None else put
    return x


@kernels.optimise.register_python(Wrapped)
def _optimise(problem, state, rng, stop=None):
    if stop is not None and over(problem):
        stop[0] = 1
        return math.inf, 1
    x = copy.deepcopy(state.x) if problem.get is not None else state.values.copy()
    found = call("optimise", problem.optimise, x, *([rng] if problem.draws else []))
    if problem.results:
        found, success = _verdict(found)
        state.rejected[0] = not success
        if not success:  # keep the drawn x: the result may be NaN or far away
            return math.inf, 1
    elif found is None:
        found = x
    if problem.get is not None:
        state.values[0] = found
    else:
        check_array("optimise", problem.optimise, problem.model.values, found)
        state.values[...] = found
    return checked_cost(problem.cost, state.x), 1


def over(problem: Wrapped) -> bool:
    """Return True if the optimiser has ended the search."""
    watch = getattr(problem.optimise, "watch", None)
    return watch is not None and watch.over


def _verdict(found: Any) -> tuple[Any, bool]:
    """Return the fields x and success of the optimiser's result."""
    try:
        return found.x, bool(found.success)
    except AttributeError:
        raise Failed(
            f"optimise returned {kind_of(found)}, but with results=True it must return an object "
            "with x and success, such as SciPy's OptimizeResult"
        ) from None


@kernels.iterate.register_python(Wrapped)
def _iterate(problem, state, rng):
    _optimise(problem, state, rng)
    return True  # one call is one iteration, because the optimiser's steps are unknown


@kernels.copy_state.register_python(Wrapped)
def _copy_state(problem, target, source):
    target.values[...] = source.values
    target.rejected[...] = source.rejected
