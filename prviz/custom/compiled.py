"""Compile your own functions with Numba, and run them inside the compiled search.

The type of a problem determines its kernels, so each set of functions gets a new type. Compiled
code is not cached: every process compiles it again.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.core.errors import NumbaError
from numba.core.registry import CPUDispatcher

from ..engine import kernels
from ..engine.dispatch import helper
from ..engine.errors import explained
from .callables import WrappedState, check_array, checked_cost, model_of_array, place_of, words_of


class _Fields(NamedTuple):
    """The part of the problem that compiled code reads.

    Attributes
    ----------
    rows : int64 array
        Rows of x, sorted by variable.
    ends : (N + 1,) int64 array
        Variable i has ``rows[ends[i]:ends[i + 1]]``.
    blank : array
        A configuration with the right shape and arbitrary values.
    """

    rows: np.ndarray
    ends: np.ndarray
    blank: np.ndarray


class Jitted(_Fields):
    """A problem of compiled functions. :func:`jitted` makes a sub-class for each problem."""

    __slots__ = ()
    of_functions = True  # see prviz.custom.callables
    get = None
    made_of: tuple[Callable, Callable, Callable]  # cost, sample and optimise, before compilation

    @property
    def cost(self) -> Callable:
        return self.made_of[0]

    @property
    def sample(self) -> Callable:
        return self.made_of[1]

    @property
    def optimise(self) -> Callable:
        return self.made_of[2]

    @property
    def n_variables(self) -> int:
        return len(self.ends) - 1

    @property
    def model(self) -> WrappedState:
        return WrappedState(self.blank)

    @property
    def groups(self) -> tuple[np.ndarray, ...] | None:
        """Return the rows of each variable, or None if each variable is one row."""
        if self.n_variables == len(self.rows):
            return None
        return tuple(np.split(self.rows, self.ends[1:-1]))

    def error_message(self, error: Exception) -> str:
        """Return the message of an exception in one of these functions."""
        if isinstance(error, FloatingPointError):
            return str(error)
        return f"a compiled function raised {words_of(error)} ({place_of(error, self.optimise)})"

    def __reduce__(self) -> tuple:  # the type has no name that pickle could find
        groups = self.groups
        return jitted, (*self.made_of, groups and [rows.tolist() for rows in groups])


def jitted(
    cost: Callable,
    sample: Callable,
    optimise: Callable,
    groups: Sequence[Sequence[int]] | None = None,
    n_variables: int | None = None,
) -> Jitted:
    """Make a problem whose functions run inside the compiled search.

    Raises
    ------
    TypeError
        A function cannot be compiled. The message names the function, the place and the reason.
    Failed
        A function raises, or returns an invalid value.
    """
    given = cost, sample, optimise
    functions = tuple(_compiled(*each) for each in zip(NAMES, given, strict=True))
    drawn = _called("sample", functions[1], np.random.default_rng(0))
    model, size, rows = model_of_array(drawn, n_variables, groups)
    draws = "rng" in functions[2].py_func.__code__.co_varnames[: _arguments(functions[2])]
    x, rng = drawn.copy(), np.random.default_rng(0)
    found = _called("optimise", functions[2], x, *([rng] if draws else []))
    if found is not None:
        check_array("optimise", functions[2], drawn, found)
    _called("cost", functions[0], drawn)
    checked_cost(functions[0], x if found is None else found)
    kind = _kind_of(given, functions, draws, found is None, drawn.dtype)
    rows = rows or tuple(np.arange(size)[:, None])
    ends = np.cumsum([0, *map(len, rows)])
    return kind(np.concatenate(rows), ends, model.values)


NAMES = ("cost", "sample", "optimise")
_numbers = itertools.count(1)


@functools.lru_cache(maxsize=256)
def _compiled(name: str, function: Any) -> CPUDispatcher:
    """Return the compiled function. Each function is compiled once."""
    if isinstance(function, CPUDispatcher):
        return function
    if not hasattr(function, "__code__"):
        raise TypeError(f"{name} can't be compiled: jit=True needs functions, got {function!r}.")
    return numba.njit(nogil=True)(function)  # type: ignore[return-value]


def _arguments(function: CPUDispatcher) -> int:
    return function.py_func.__code__.co_argcount


def _called(name: str, function: CPUDispatcher, *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except NumbaError as error:
        reason = str(explained(error, [function.py_func])).splitlines()[0].rstrip(".:")
        raise TypeError(f"{name} can't be compiled: {reason}. Try it without jit=True.") from None


@functools.lru_cache(maxsize=64)
def _kind_of(
    given: tuple, functions: tuple, draws: bool, in_place: bool, dtype: np.dtype
) -> type[Jitted]:
    """Return a new problem type, whose kernels call the three functions."""
    cost, sample, optimise = functions
    # Numba distinguishes NamedTuples by name. No module with this name has a file, so Numba does
    # not cache the compiled code.
    fields = {"__slots__": (), "made_of": given, "__module__": f"{__name__}.made"}
    kind = type(f"Jitted{next(_numbers)}", (Jitted,), fields)
    true, step = helper(_cost_kernel(cost)), _step(optimise, draws, in_place)
    kernels.cost.register(kind)(_cost_kernel(cost))
    kernels.optimise.register(kind)(_optimise_kernel(true, step))
    kernels.iterate.register(kind)(_iterate_kernel(step))
    kernels.reinitialise.register(kind)(_reinitialise_kernel(sample, dtype))
    return kind


def _cost_kernel(cost: Callable) -> Callable:
    def kernel(problem, state):
        found = float(cost(state.values))
        if not math.isfinite(found):
            raise FloatingPointError("cost returned a value that is not a finite number")
        return found

    return kernel


def _step(optimise: Callable, draws: bool, in_place: bool) -> Callable:
    """Return a function that runs the optimiser. Its code depends on ``draws`` and ``in_place``."""

    def moved(problem, values, rng):
        optimise(values)

    def moved_at_random(problem, values, rng):
        optimise(values, rng)

    def returned(problem, values, rng):
        _put(problem, values, optimise(values.copy()))

    def returned_at_random(problem, values, rng):
        _put(problem, values, optimise(values.copy(), rng))

    return helper(((returned, returned_at_random), (moved, moved_at_random))[in_place][draws])


@helper
def _put(problem, values, found):
    if found.shape != values.shape:
        raise FloatingPointError("optimise returned an array of another shape")
    values[...] = found


def _optimise_kernel(cost: Callable, step: Callable) -> Callable:
    def kernel(problem, state, rng, stop=None):
        step(problem, state.values, rng)
        return cost(problem, state), 1

    return kernel


def _iterate_kernel(step: Callable) -> Callable:
    def kernel(problem, state, rng):
        step(problem, state.values, rng)
        return True  # one call is one iteration, because the optimiser's steps are unknown

    return kernel


def _reinitialise_kernel(sample: Callable, dtype: np.dtype) -> Callable:
    """Return a kernel of equation (1), with ξ from a new random configuration."""
    real = dtype.type  # factors have the array's type, as in NumPy

    def redraw(problem, state, chosen, alpha, rng):
        if len(chosen) == 0:
            return
        fresh, x = sample(rng), state.values
        if fresh.shape != x.shape:
            raise FloatingPointError("sample returned an array of another shape")
        for i in chosen:
            for row in problem.rows[problem.ends[i] : problem.ends[i + 1]]:
                x[row] = fresh[row]

    def blend(problem, state, chosen, alpha, rng):
        if len(chosen) == 0:
            return
        fresh, x = sample(rng), state.values
        if fresh.shape != x.shape:
            raise FloatingPointError("sample returned an array of another shape")
        old, new = real(alpha), real(1.0 - alpha)
        for i in chosen:
            for row in problem.rows[problem.ends[i] : problem.ends[i + 1]]:
                if alpha == 0.0:
                    x[row] = fresh[row]
                else:
                    x[row] = old * x[row] + new * fresh[row]

    return blend if np.issubdtype(dtype, np.inexact) else redraw


@kernels.allocate.register
def _allocate(problem: Jitted) -> WrappedState:
    return WrappedState(np.zeros_like(problem.blank))


@kernels.n_variables.register
def _n_variables(problem: Jitted) -> int:
    return problem.n_variables


@kernels.stochastic.register
def _stochastic(problem: Jitted) -> bool:
    return True  # a user's optimiser may raise the cost


@kernels.blends.register
def _blends(problem: Jitted) -> bool:
    return np.issubdtype(problem.blank.dtype, np.inexact)


@kernels.variables.register
def _variables(problem: Jitted, state: WrappedState) -> list[bytes]:
    return [state.values[rows].tobytes() for rows in np.split(problem.rows, problem.ends[1:-1])]
