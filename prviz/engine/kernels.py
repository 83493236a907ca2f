"""What the search needs to know of a problem: its kernels, dispatched by the problem's type.

A problem is a NamedTuple of immutable data. Its state is a NamedTuple of arrays, or of NamedTuples
of these: the configuration x and the caches that must revert with it. ``CONTRIBUTING.md`` shows a
whole problem.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import get_type_hints

import numpy as np
from numba.core import types
from numba.extending import overload

from .dispatch import OPTIONS, copy_arrays, kernel
from .protocols import Problem, State
from .references import by_reference
from .subsets import random_subset

#: Where rounding would let an optimiser go round in circles, it ends here.
MOST_ITERATIONS = 100_000


@singledispatch
def allocate(problem: Problem) -> State:
    """A state of ``problem`` that holds no configuration yet (plain Python, not compiled)."""
    raise TypeError(f"{type(problem).__name__} is not a prviz problem.")


_register = allocate.register


def _register_allocate(function: Callable) -> Callable:
    state_type = get_type_hints(function).get("return")
    if state_type is None:
        raise TypeError("An allocate function must say the type of its states: -> MyState.")
    by_reference(state_type)
    return _register(function)


allocate.register = _register_allocate  # type: ignore


@singledispatch
def n_variables(problem) -> int:
    """N, the number of variables of ``problem`` (plain Python, not compiled)."""
    raise TypeError(f"{type(problem).__name__} is not a prviz problem.")


@singledispatch
def subsets(problem) -> tuple[str, ...]:
    """Names of the sub-set heuristics that ``problem`` knows (plain Python, not compiled)."""
    return ("random",)


@singledispatch
def stochastic(problem) -> bool:
    """Whether the optimiser draws at random and may raise the cost (plain Python, not compiled)."""
    return False


@singledispatch
def blends(problem) -> bool:
    """Whether α of equation (1) may be other than 0 (plain Python, not compiled)."""
    return True


@singledispatch
def variables(problem, state) -> list[bytes] | None:
    """What each variable holds, as bytes; None where rows of the fields of the state say it.

    Only :mod:`prviz.testing` asks (plain Python, not compiled).
    """
    return None


def check_alphas(problem, alphas: np.ndarray) -> None:
    """Raise a ValueError if a level has an α that means nothing to ``problem``."""
    if np.any(alphas) and not blends(problem):
        raise ValueError(
            "alpha must be 0 for this problem: only real numbers can lie between an old value and "
            "a fresh one, as equation (1) has it."
        )


def check_subset(problem, name: str) -> None:
    """Raise a ValueError if ``problem`` doesn't know the sub-set heuristic ``name``."""
    if name not in subsets(problem):
        raise ValueError(
            f"This problem has no sub-sets {name!r}; it has: {', '.join(subsets(problem))}."
        )


def asked_to(stop) -> bool:
    """Whether somebody has asked a call to end where it is."""
    return stop is not None and stop[0] != 0


@overload(asked_to, jit_options=OPTIONS)  # type: ignore[arg-type]
def _asked_to(stop):
    if isinstance(stop, types.Array):
        return lambda stop: stop[0] != 0
    return lambda stop: False


@kernel
def cost(problem, state) -> float:
    """True cost of the configuration in ``state``; may bring its caches up to date."""
    raise TypeError("This problem has no cost kernel.")


@kernel
def reinitialise(problem, state, chosen, alpha, rng) -> None:
    """Redraw exactly the variables ``chosen`` (int64): x ← α x + (1 − α) ξ, equation (1)."""
    raise TypeError("This problem has no reinitialise kernel.")


@kernel
def iterate(problem, state, rng) -> bool:
    """One iteration of the local optimiser; True when it has reached a local optimum."""
    raise TypeError("This problem has no iterate kernel.")


@kernel
def optimise(problem, state, rng, stop=None):
    """Run the local optimiser to a local optimum: ``(cost, iterations)``.

    One that diverges raises a FloatingPointError, which ends the search with what was found. One
    that may take long looks at ``stop`` (1,), where there is one, every few milliseconds: if it is
    set, the call ends where it is, its cost unknown, +∞.
    """
    iterations = 1
    while not iterate(problem, state, rng) and iterations < MOST_ITERATIONS:
        iterations += 1
        if asked_to(stop):
            return np.inf, iterations
    return cost(problem, state), iterations


@kernel
def select(problem, state, redraw, rng, order) -> int:
    """Put the variables to redraw at the front of ``order`` and return how many they are.

    ``order`` holds 0 … N−1 in order; the default is :func:`prviz.engine.subsets.random_subset`.
    """
    return random_subset(redraw, rng, order)


@kernel
def copy_state(problem, target, source) -> None:
    """Make ``target`` the configuration in ``source``; a problem may copy only what differs.

    By default all arrays are copied but the state's working space.
    """
    copy_arrays(target, source)
