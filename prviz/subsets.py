"""Which variables to redraw: random sub-sets without replacement, as in the paper."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .dispatch import helper


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
