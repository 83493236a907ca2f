"""Which variables to redraw, and where to: the sub-set heuristics, by name.

The paper's conclusion expects sub-sets that know the problem to do better than random ones. Any
problem knows ``"random"``: sub-sets without replacement, redrawn from its own distribution, as in
the paper. What else it knows it declares in its own ``subsets.py``.

A heuristic chooses as many variables as the level asks for, whatever its name. Where each variable
is redrawn on its own with probability p, it chooses as many as came of that (but see "unit", of
Boltzmann machines).
"""

from __future__ import annotations

import zlib
from typing import NamedTuple

import numpy as np

from .dispatch import driver, helper

_names = {0: "random"}  # by the numbers by which compiled code knows the heuristics

#: No destination: a variable that has been chosen goes anywhere.
ANYWHERE = -1


def heuristic(name: str) -> int:
    """Declare a heuristic; returns the number by which kernels know it.

    It follows from the name alone, so that compiled code may keep it.
    """
    number = zlib.crc32(name.encode())
    _names[number] = name
    return number


def heuristics() -> tuple[str, ...]:
    """The names of all heuristics that have been declared."""
    return tuple(_names.values())


def heuristic_number(name: str) -> int:
    """The number of a heuristic; KeyError if none has this name."""
    return {known: number for number, known in _names.items()}[name]


def heuristic_name(number: int) -> str:
    """The name of a heuristic by its number."""
    return _names[int(number)]


class Redraw(NamedTuple):
    """How a level picks its variables: the part of the schedule that a heuristic sees."""

    size: int
    probability: float
    subset: int  # a heuristic's number


@driver
def random_subset(redraw: Redraw, rng: np.random.Generator, order: np.ndarray) -> int:
    """Put a random sub-set at the front of ``order`` and return its size.

    Parameters
    ----------
    redraw : Redraw
        A fixed number of variables, or each on its own with a probability that is not NaN.
    rng : numpy.random.Generator
    order : (N,) int64
        0 … N−1, in order; the caller puts it back with :func:`restore_order`.
    """
    n = len(order)
    if not np.isnan(redraw.probability):
        size = 0
        for variable in range(n):
            if rng.random() < redraw.probability:
                order[size], order[variable] = order[variable], order[size]
                size += 1
        return size
    if redraw.size < n:  # Fisher–Yates, stopped after as many as are wanted
        for i in range(redraw.size):
            j = rng.integers(i, n)
            order[i], order[j] = order[j], order[i]
    return redraw.size


@helper
def exchange(order: np.ndarray, i: int, j: int) -> None:
    order[i], order[j] = order[j], order[i]


@driver
def restore_order(order: np.ndarray) -> None:
    """Make ``order`` 0 … N−1 again, so that the next sub-set doesn't depend on the last."""
    for i in range(len(order)):
        order[i] = i
