"""Which hidden states to redraw.

``"together"``
    A random state, and one after another those with the strongest bonds to the chosen ones, where
    the bond of two is the larger of A_ij and A_ji. Source: Shaw, Using constraint programming and
    local search methods to solve vehicle routing problems (1998), who takes related customers out
    together.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import helper
from ...engine.subsets import exchange, heuristic, random_subset

SUBSETS = ("random", "together")
TOGETHER = heuristic("together")

#: A bond as weak as this is none: what is left of a path that Baum–Welch has given up.
NO_BOND = 1e-6


@helper
def choose(transition, redraw, rng, order) -> int:
    """Choose the states to redraw; with "together", a random one and those bound to it.

    The bond between two states is the larger of A_ij and A_ji. One state after the other is
    chosen, each time that with the strongest bond to any of those chosen before; where there is no
    bond, a random one.

    Parameters
    ----------
    transition : (N, N)
    redraw, rng, order
        See :func:`prviz.engine.subsets.random_subset`.
    """
    size = random_subset(redraw, rng, order)
    if redraw.subset == TOGETHER and 0 < size < len(order):
        bonds = np.zeros(len(order))  # of each state, the strongest to any of those chosen
        exchange(order, 0, rng.integers(0, len(order)))
        for i in range(1, size):
            latest, bound, most = order[i - 1], i, NO_BOND
            for other in range(i, len(order)):
                j = order[other]
                bonds[j] = max(bonds[j], transition[latest, j], transition[j, latest])
                if bonds[j] > most:
                    bound, most = other, bonds[j]
            if most == NO_BOND:
                bound = rng.integers(i, len(order))
            exchange(order, i, bound)
    return size
