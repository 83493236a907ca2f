"""FasterPAM's eager exchange of medoids (Schubert and Rousseeuw 2021).

Points are tried as medoids in turns. To make point c a medoid in place of j costs the *loss* of
j, what its points pay for going to their second nearest, less what c wins for its neighbours; c is
put in the best place at once where that is less than nothing.
"""

from __future__ import annotations

import numpy as np

from ..dispatch import vectorised
from .kmedoids_plain import ROUNDING
from .nearest import total

#: Points that are looked at together: few have the candidate nearer than their second nearest.
BLOCK = 16

# Rows of the state's working space for losses: as things are, and with a candidate.
NOW, CANDIDATE = range(2)


@vectorised
def swap(problem, state) -> bool:
    """Make the first exchange that helps; True if there is one. The state must be settled."""
    n = len(state.labels)
    _losses(state)
    cost = total(state.distances)
    for step in range(n):
        candidate = (state.cursor[0] + step) % n
        if state.medoids[state.labels[candidate]] == candidate:
            continue
        row = problem.by_medoid[candidate]
        if _best_change(row, state, cost) < -ROUNDING * cost:
            state.medoids[_least(state.losses[CANDIDATE])] = candidate
            state.cursor[0] = (candidate + 1) % n
            return True
    return False


@vectorised
def _losses(state) -> None:
    """What the points of each medoid would pay for its removal."""
    loss = state.losses[NOW]
    loss[:] = 0.0
    for i in range(len(state.labels)):
        loss[state.labels[i]] += np.float64(state.second_distances[i]) - state.distances[i]


@vectorised
def _best_change(row, state, cost) -> float:
    """Change of the cost by the best exchange for a candidate; leaves the losses it makes."""
    loss = state.losses[CANDIDATE]
    for j in range(len(loss)):
        loss[j] = state.losses[NOW, j]
    if len(loss) == 1:  # no second nearest
        return total(row) - cost
    won, whole = 0.0, len(row) - len(row) % BLOCK
    for begin in range(0, whole, BLOCK):
        block = slice(begin, begin + BLOCK)
        if _any_nearer(row[block], state.second_distances[block]):
            won += _win(row, state, begin, begin + BLOCK)
    won += _win(row, state, whole, len(row))
    least = loss[0]
    for j in range(len(loss)):
        least = min(least, loss[j])
    return least - won


@vectorised
def _any_nearer(row, second_distances) -> bool:
    """True if a block has a point to which the candidate is nearer than the second nearest."""
    nearer = 0
    for i in range(BLOCK):  # a constant, and views: that is what vector instructions like
        nearer |= row[i] < second_distances[i]
    return nearer != 0


@vectorised
def _win(row, state, begin, end) -> float:
    """What the candidate wins from the nearest; what it saves the second goes off the losses."""
    won = 0.0
    for i in range(begin, end):
        if row[i] < state.second_distances[i]:
            nearest, second = np.float64(state.distances[i]), np.float64(state.second_distances[i])
            won += max(nearest - row[i], 0.0)
            state.losses[CANDIDATE, state.labels[i]] -= second - max(nearest, np.float64(row[i]))
    return won


@vectorised
def _least(losses) -> int:
    least = 0
    for j in range(1, len(losses)):
        if losses[j] < losses[least]:
            least = j
    return least
