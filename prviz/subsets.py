"""Which variables to redraw, and where to: the sub-set heuristics, by name.

``"random"``
    Random sub-sets without replacement, redrawn from the problem's own distribution: the paper's.
``"local"``
    The same sub-sets, but a variable moves only a little, or to where another one is. The paper's
    conclusion expects sub-sets that know the problem to do better; this one follows local search
    for facility location, where an exchange among neighbours gains most. For k-medoids: a medoid
    moves to a point near itself, or near another medoid (``problems/medoid_draws.py``).

A problem knows ``"random"`` and those that ``kernels.subsets`` names for it. A heuristic chooses as
many variables as the level asks for, whatever its name.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .dispatch import helper
from .schedule import SUBSETS

LOCAL = SUBSETS.index("local")


class Redraw(NamedTuple):
    """How a level picks its variables: the part of the schedule that a heuristic sees."""

    size: int
    probability: float
    subset: int


@helper
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
def restore_order(order: np.ndarray) -> None:
    """Make ``order`` 0 … N−1 again, so that the next sub-set doesn't depend on the last."""
    for i in range(len(order)):
        order[i] = i
