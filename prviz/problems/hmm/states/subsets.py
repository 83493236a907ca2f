"""Choose the hidden states to redraw.

``"together"``
    A random state, then one by one the state with the strongest bond to the chosen states. The bond
    of two states is the larger of A_ij and A_ji. Shaw (1998, Using constraint programming and
    local search methods to solve vehicle routing problems) removes related customers in this way.
"""

from __future__ import annotations

import numpy as np

from ....engine.dispatch import helper
from ....engine.subsets import exchange, heuristic, random_subset

SUBSETS = ("random", "together")
TOGETHER = heuristic("together")

#: Weaker bonds count as zero: they are remains of pruned paths.
NO_BOND = 1e-6


@helper
def choose(transition, redraw, rng, order) -> int:
    """Choose the states to redraw; with "together", a random state and states linked to it.

    If no transition leads from or to the chosen states, a random state is added.

    Parameters
    ----------
    transition : (N, N)
    redraw, rng, order
        See :func:`prviz.engine.subsets.random_subset`.
    """
    size = random_subset(redraw, rng, order)
    if redraw.subset == TOGETHER and 0 < size < len(order):
        bonds = np.zeros(len(order))  # strongest bond of each state to the chosen ones
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
