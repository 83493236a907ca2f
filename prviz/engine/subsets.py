"""Sub-set heuristics by name: they choose the variables to redraw, and their destinations.

The paper's conclusion expects problem-specific sub-sets to do better than random sub-sets. Every
problem has ``"random"``, as in the paper: it draws variables without replacement. A problem
declares other heuristics in its ``subsets.py``.

Every heuristic chooses as many variables as the level requests. If a level has a probability, this
number is random; "unit" then redraws each hidden unit of a Boltzmann machine with this probability.
"""

from __future__ import annotations

import zlib
from typing import NamedTuple

import numpy as np

from .dispatch import driver, helper

_names = {0: "random"}  # names of heuristics by their number in compiled code

#: No destination: the variable is redrawn at random.
ANYWHERE = -1


def heuristic(name: str) -> int:
    """Declare a heuristic; return its number in kernels.

    The number depends only on the name, so compiled code may contain it.
    """
    number = zlib.crc32(name.encode())
    _names[number] = name
    return number


def heuristics() -> tuple[str, ...]:
    """Return the names of all declared heuristics."""
    return tuple(_names.values())


def heuristic_number(name: str) -> int:
    """Return the number of a heuristic; raise a KeyError for an unknown name."""
    return {known: number for number, known in _names.items()}[name]


def heuristic_name(number: int) -> str:
    """Return the name of a heuristic by its number."""
    return _names[int(number)]


class Redraw(NamedTuple):
    """The part of a schedule that a heuristic needs."""

    size: int
    probability: float
    subset: int  # a heuristic's number


@driver
def random_subset(redraw: Redraw, rng: np.random.Generator, order: np.ndarray) -> int:
    """Put a random sub-set at the front of ``order`` and return its size.

    Parameters
    ----------
    redraw : Redraw
        A fixed number of variables, or a probability for each (NaN if unused).
    rng : numpy.random.Generator
    order : (N,) int64
        0 … N−1 in order. The caller restores this order with :func:`restore_order`.
    """
    n = len(order)
    if not np.isnan(redraw.probability):
        size = 0
        for variable in range(n):
            if rng.random() < redraw.probability:
                order[size], order[variable] = order[variable], order[size]
                size += 1
        return size
    if redraw.size < n:  # Fisher–Yates, stopped after k numbers
        for i in range(redraw.size):
            j = rng.integers(i, n)
            order[i], order[j] = order[j], order[i]
    return redraw.size


@helper
def exchange(order: np.ndarray, i: int, j: int) -> None:
    order[i], order[j] = order[j], order[i]


@driver
def restore_order(order: np.ndarray) -> None:
    """Make ``order`` 0 … N−1 again, so that a sub-set does not depend on earlier ones."""
    for i in range(len(order)):
        order[i] = i
