"""The interface of a problem: its kernels, dispatched by the problem's type.

A problem is a NamedTuple of immutable data. Its state is a NamedTuple of arrays or of nested
NamedTuples. It contains the configuration x, and the caches that a revert must restore with x.
``CONTRIBUTING.md`` shows a whole problem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import singledispatch
from typing import Protocol, get_type_hints

import numpy as np
from numba.core import types
from numba.extending import overload

from .dispatch import OPTIONS, copy_arrays, kernel
from .references import by_reference
from .subsets import random_subset

#: Limit of iterations, because rounding errors could make an optimiser cycle.
MOST_ITERATIONS = 100_000


class Problem(Protocol):
    """Immutable data whose type has registered kernels: a NamedTuple."""

    @property
    def _fields(self) -> tuple[str, ...]: ...


class State(Protocol):
    """A configuration x, and caches that a revert restores with x: a NamedTuple of arrays.

    A field may also be a NamedTuple of arrays.
    """

    @property
    def _fields(self) -> tuple[str, ...]: ...

    def __iter__(self) -> Iterator[np.ndarray | tuple]: ...


@singledispatch
def allocate(problem: Problem) -> State:
    """Return a state of ``problem`` without a configuration (plain Python, not compiled)."""
    raise TypeError(f"{type(problem).__name__} is not a prviz problem.")


_register = allocate.register


def _register_allocate(function: Callable) -> Callable:
    state_type = get_type_hints(function).get("return")
    if state_type is None:
        raise TypeError("Annotate the return type of an allocate function: -> MyState.")
    by_reference(state_type)
    return _register(function)


allocate.register = _register_allocate  # type: ignore


@singledispatch
def n_variables(problem) -> int:
    """Return N, the number of variables of ``problem`` (plain Python, not compiled)."""
    raise TypeError(f"{type(problem).__name__} is not a prviz problem.")


@singledispatch
def subsets(problem) -> tuple[str, ...]:
    """Return the names of the problem's sub-set heuristics (plain Python, not compiled)."""
    return ("random",)


@singledispatch
def stochastic(problem) -> bool:
    """Return True if a random optimiser may raise the cost (plain Python, not compiled)."""
    return False


@singledispatch
def blends(problem) -> bool:
    """Return True if α of equation (1) may differ from 0 (plain Python, not compiled)."""
    return True


@singledispatch
def variables(problem, state) -> list[bytes] | None:
    """Return each variable as bytes; None if each variable is a row of the state's fields.

    Only :mod:`prviz.testing` calls this (plain Python, not compiled).
    """
    return None


def check_alphas(problem, alphas: np.ndarray) -> None:
    """Raise a ValueError if ``problem`` does not support a level's α."""
    if np.any(alphas) and not blends(problem):
        raise ValueError(
            "alpha must be 0 for this problem: equation (1) can mix an old and a new value only "
            "if both are real numbers."
        )


def check_subset(problem, name: str) -> None:
    """Raise a ValueError if ``problem`` does not know the sub-set heuristic ``name``."""
    if name not in subsets(problem):
        raise ValueError(
            f"This problem has no sub-sets {name!r}; it has: {', '.join(subsets(problem))}."
        )


def asked_to(stop) -> bool:
    """Return True if a call has been asked to stop."""
    return stop is not None and stop[0] != 0


@overload(asked_to, jit_options=OPTIONS)  # type: ignore[arg-type]
def _asked_to(stop):
    if isinstance(stop, types.Array):
        return lambda stop: stop[0] != 0
    return lambda stop: False


@kernel
def cost(problem, state) -> float:
    """Return the exact cost of the configuration in ``state``; may update its caches."""
    raise TypeError("This problem has no cost kernel.")


@kernel
def reinitialise(problem, state, chosen, alpha, rng) -> None:
    """Redraw exactly the variables ``chosen`` (int64): x ← α x + (1 − α) ξ, equation (1)."""
    raise TypeError("This problem has no reinitialise kernel.")


@kernel
def iterate(problem, state, rng) -> bool:
    """Run one iteration of the local optimiser; return True at a local optimum."""
    raise TypeError("This problem has no iterate kernel.")


@kernel
def optimise(problem, state, rng, stop=None):
    """Run the local optimiser to a local optimum; return ``(cost, iterations)``.

    An optimiser that diverges raises a FloatingPointError, which ends the search and keeps the
    result so far. A slow optimiser checks ``stop`` (1,) every few milliseconds. If ``stop`` is set,
    the call ends at once with cost +∞, which means unknown.
    """
    iterations = 1
    while not iterate(problem, state, rng) and iterations < MOST_ITERATIONS:
        iterations += 1
        if asked_to(stop):
            return np.inf, iterations
    return cost(problem, state), iterations


@kernel
def select(problem, state, redraw, rng, order) -> int:
    """Move the variables to redraw to the front of ``order`` and return their number.

    ``order`` contains 0 … N−1 in order. The default is :func:`prviz.engine.subsets.random_subset`.
    """
    return random_subset(redraw, rng, order)


@kernel
def copy_state(problem, target, source) -> None:
    """Copy the configuration in ``source`` to ``target``; a problem may copy only differences.

    By default all arrays except the state's working space are copied.
    """
    copy_arrays(target, source)
