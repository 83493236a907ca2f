"""Which variables to redraw, and where to: the sub-set heuristics, by name.

The paper's conclusion expects sub-sets that know the problem to do better than random ones. A
problem knows ``"random"`` and those that ``kernels.subsets`` names for it.

``"random"``
    Any problem: random sub-sets without replacement, redrawn from the problem's own distribution.
    Source: the paper.
``"local"``
    k-medoids: random sub-sets, but a medoid moves to a point near itself, or near another medoid
    (``kmedoids/subsets.py``). Source: local search for facility location, where an exchange
    among neighbours gains most.
``"neighbours"``
    k-means: a random centre and those nearest to it (``kmeans/subsets.py``). With k_1 = 1 it
    is "random". Source: Taillard, Heuristic methods for large centroid clustering problems, Journal
    of Heuristics 9 (2003), who optimises a random centre together with those around it.
``"tournament"``
    k-means: remove where it is cheap, put where the error is large (``kmeans/subsets.py``).
    Of five random centres the one that costs least to merge with another goes to the worst
    represented of five random points. Source: Fritzke, The LBG-U method for vector quantization,
    Neural Processing Letters 5 (1997), who moves the least useful centre to where the error is
    largest; the price of a merger is that of Ward, Journal of the American Statistical Association
    58 (1963). The tournaments, which keep it random, are ours.
``"together"``
    Hidden Markov models: a random state, and one after another those with the strongest bonds to
    the chosen ones, where the bond of two is the larger of A_ij and A_ji
    (``hmm/subsets.py``). Source: Shaw, Using constraint programming and local search
    methods to solve vehicle routing problems (1998), who takes related customers out together.
``"unit"``
    Boltzmann machines: all parameters of a hidden unit, unit after unit
    (``rbm/subsets.py``). Source: Dohare and others, Loss of plasticity in deep continual
    learning, Nature 632 (2024), who reinitialise networks a hidden unit at a time.

A heuristic chooses as many variables as the level asks for, whatever its name. Where each variable
is redrawn on its own with probability p, it chooses as many as came of that; but "unit" redraws
each unit on its own with that probability.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .dispatch import driver, helper
from .schedule import SUBSETS

RANDOM, LOCAL, NEIGHBOURS, TOURNAMENT, TOGETHER, UNIT = range(len(SUBSETS))

#: No destination: a variable that has been chosen goes anywhere.
ANYWHERE = -1


class Redraw(NamedTuple):
    """How a level picks its variables: the part of the schedule that a heuristic sees."""

    size: int
    probability: float
    subset: int


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
