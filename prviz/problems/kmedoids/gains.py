"""What exchanges of a medoid would gain, kept up to date as far as is needed to skip most of them.

To put a medoid on point c in place of medoid j changes the cost by

    Σ_{i of j} (clamp(d(i, c), d₁(i), d₂(i)) − d₁(i))  −  Σ_i max(d₁(i) − d(i, c), 0),

with d₁ and d₂ the distances of point i from its nearest and second nearest medoid: what the points
of j pay for its removal, less what c *wins*. The wins are kept for every c. Below the first sums, a
*bound* is kept for every c, and a *floor* for every j: the sum over j is the *loss* of j,
Σ (d₂ − d₁), for all c but those to which some of its points are nearer than to their second.
Whoever is priced lowers the bounds of those, and has its loss for a floor. A cluster is priced
when its sum may have fallen, as a point has left it or found a nearer second medoid, and when its
floor is below all losses. Else sums have only risen, and what was below them still is.

The states' arrays are described in ``kmedoids.py``.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing, inlined
from .members import FIRST, NEXT, NONE, STALE

#: How a cluster may be stale: its loss has changed; its sum may have fallen for some candidate.
LOSS, SUM = 1, 2

# Rows of the state's gains of a candidate. SAVED is room to work in, zero between two uses.
WIN, BOUND, SAVED = range(3)
# Rows of its losses of a cluster: as things are, with a candidate, and the floor.
NOW, CANDIDATE, FLOOR = range(3)

# Rows of the state's room for numbers of points.
CANDIDATES = 1


@inlined
def recount_wins(problem, i, wins, before, now) -> None:
    """Point i was at distance ``before`` from its medoid, and is at distance ``now``."""
    reaches, neighbours = problem.reaches[i], problem.neighbours[i]
    farther = max(before, now)
    if reaches[len(reaches) - 1] >= farther:
        place = 0
        while reaches[place] < farther:
            won, win = max(before - reaches[place], 0.0), max(now - reaches[place], 0.0)
            wins[neighbours[place]] += win - won
            place += 1
    else:  # farther than the list reaches
        row = problem.by_point[i]
        for c in range(len(row)):
            won, win = max(before - row[c], 0.0), max(now - row[c], 0.0)
            wins[c] += win - won


@borrowing
def price_stale(problem, state) -> float:
    """Bring losses, bounds and floors up to date; returns the least loss."""
    stale, losses, least = state.cluster_numbers[STALE], state.losses[NOW], np.inf
    for j in range(problem.k):
        if stale[j]:
            losses[j] = _loss(state, j)
        least = min(least, losses[j])
    for j in range(problem.k):
        if stale[j] & SUM or state.losses[FLOOR, j] < least:
            _lower_bounds(problem, state, j)
            state.losses[FLOOR, j] = losses[j]
        stale[j] = 0
    return least


@borrowing
def _loss(state, j) -> float:
    loss = 0.0
    i = state.cluster_numbers[FIRST, j]
    while i != NONE:
        loss += np.float64(state.second_distances[i]) - np.float64(state.distances[i])
        i = state.point_numbers[NEXT, i]
    return loss


@borrowing
def _lower_bounds(problem, state, j) -> None:
    """No bound of a candidate stays above its sum over cluster j."""
    saved, candidates, bounds = state.gains[SAVED], state.room[CANDIDATES], state.gains[BOUND]
    n_candidates = 0
    i = state.cluster_numbers[FIRST, j]
    while i != NONE:
        nearest, second = np.float64(state.distances[i]), np.float64(state.second_distances[i])
        if nearest < second:
            n_candidates = _save(problem, i, saved, candidates, n_candidates, nearest, second)
        i = state.point_numbers[NEXT, i]
    loss = state.losses[NOW, j]
    for place in range(n_candidates):
        c = candidates[place]
        bounds[c] = min(bounds[c], loss - saved[c])
        saved[c] = 0.0


@inlined
def _save(problem, i, saved, candidates, n_candidates, nearest, second) -> int:
    """Note by how much less than its loss point i would pay, for every candidate nearby.

    Returns how many candidates have been met, for this point and those before.
    """
    reaches, neighbours = problem.reaches[i], problem.neighbours[i]
    if reaches[len(reaches) - 1] >= second:
        place = 0
        while reaches[place] < second:
            c = neighbours[place]
            candidates[n_candidates] = c
            n_candidates += saved[c] == 0.0
            saved[c] += second - max(nearest, np.float64(reaches[place]))
            place += 1
    else:  # farther than the list reaches
        row = problem.by_point[i]
        for c in range(len(row)):
            if row[c] < second:
                candidates[n_candidates] = c
                n_candidates += saved[c] == 0.0
                saved[c] += second - max(nearest, np.float64(row[c]))
    return n_candidates
