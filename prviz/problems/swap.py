"""FasterPAM's eager exchange of medoids (Schubert and Rousseeuw 2021).

Points are tried as medoids in turns. To make point c a medoid in place of j costs the *loss* of
j, what its points pay for going to their second nearest, plus what c wins for its neighbours; c is
put in the best place at once where that is less than nothing. A bound leaves most points out: c
wins no more than if it took every point from its second nearest.
"""

from __future__ import annotations

import numpy as np

from .kmedoids_plain import ROUNDING
from .likelihood import vectorised
from .nearest import total

#: Allowance for rounding in the bound, as a share of its parts.
DOUBT = 1e-9


@vectorised
def swap(problem, state) -> bool:
    """Make the first exchange that helps; True if there is one. The state must be settled."""
    n = len(state.labels)
    least_loss = _losses(state)
    cost = total(state.distances)
    for step in range(n):
        candidate = (state.cursor[0] + step) % n
        if state.medoids[state.labels[candidate]] == candidate:
            continue
        row = problem.by_medoid[candidate]
        if _hopeless(row, state.second_distances, least_loss):
            continue
        change, j = _best_exchange(row, state, cost)
        if change < -ROUNDING * cost:
            state.medoids[j] = candidate
            state.cursor[0] = (candidate + 1) % n
            return True
    return False


@vectorised
def _losses(state) -> float:
    """What the points of each medoid would pay for its removal; returns the least."""
    loss = state.losses[0]
    loss[:] = 0.0
    for i in range(len(state.labels)):
        loss[state.labels[i]] += np.float64(state.second_distances[i]) - state.distances[i]
    least = np.inf
    for j in range(len(loss)):
        least = min(least, loss[j])
    return least


@vectorised
def _hopeless(row, second_distances, least_loss) -> bool:
    """True if no exchange for this candidate can help; with one medoid, false: it has no second."""
    wins = 0.0
    for i in range(len(row)):
        wins += max(np.float64(second_distances[i]) - row[i], 0.0)
    return least_loss - wins > DOUBT * (least_loss + wins)


@vectorised
def _best_exchange(row, state, cost):
    """Change of the cost by the best exchange for a candidate, and the medoid that goes."""
    if len(state.medoids) == 1:
        return total(row) - cost, 0
    loss = state.losses[1]
    for j in range(len(loss)):
        loss[j] = state.losses[0, j]
    won = 0.0
    for i in range(len(row)):
        if row[i] < state.second_distances[i]:
            nearest, second = np.float64(state.distances[i]), np.float64(state.second_distances[i])
            if row[i] < nearest:
                won += nearest - row[i]
                loss[state.labels[i]] -= second - nearest
            else:
                loss[state.labels[i]] -= second - row[i]
    best = 0
    for j in range(1, len(loss)):
        if loss[j] < loss[best]:
            best = j
    return loss[best] - won, best
