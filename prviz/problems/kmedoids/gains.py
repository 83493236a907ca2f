"""Compute the gains of medoid exchanges, with bounds to skip most exchanges.

Moving a medoid from point j to point c changes the cost by

    Σ_{i of j} (clamp(d(i, c), d₁(i), d₂(i)) − d₁(i))  −  Σ_i max(d₁(i) − d(i, c), 0).

Here d₁ and d₂ are the distances of point i from its nearest and second nearest medoid. The first
sum is the price of removing j. The second sum is the *win* of c, which is stored for every c. The
first sum equals the *loss* of j, Σ (d₂ − d₁), unless a point of j is nearer to c than to its second
medoid. Lower bounds of the first sum are stored: a *bound* for every c, and a *floor* for every j.

To *price* cluster j, the bound of each candidate near its points is lowered to its first sum for j,
if that sum is smaller; then the floor of j is set to the loss of j. A cluster is priced if its
floor is below all losses, or if a point left it or found a nearer second medoid. The first sums of
all other clusters can only have risen, so their bounds still hold. ``problem.py`` describes the
arrays of the state.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing, inlined
from .members import FIRST, NEXT, NONE, STALE

#: Reasons why a cluster is stale: its loss changed, or a first sum may have fallen.
LOSS, SUM = 1, 2

# Rows of ``gains``, per candidate. SAVED is working space, zero between uses.
WIN, BOUND, SAVED = range(3)
# Rows of ``losses``: now, after an exchange, and when the bounds were last lowered.
NOW, CANDIDATE, FLOOR = range(3)

# Row of ``state.room`` for the candidates.
CANDIDATES = 1


@inlined
def recount_wins(problem, i, wins, before, now) -> None:
    """Update wins after point i's distance from its medoid changed."""
    reaches, neighbours = problem.reaches[i], problem.neighbours[i]
    farther = max(before, now)
    if reaches[len(reaches) - 1] >= farther:
        place = 0
        while reaches[place] < farther:
            won, win = max(before - reaches[place], 0.0), max(now - reaches[place], 0.0)
            wins[neighbours[place]] += win - won
            place += 1
    else:  # the list of neighbours is too short: visit all points
        row = problem.by_point[i]
        for c in range(len(row)):
            won, win = max(before - row[c], 0.0), max(now - row[c], 0.0)
            wins[c] += win - won


@borrowing
def price_stale(problem, state) -> float:
    """Bring losses, bounds and floors up to date; return the least loss."""
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
    """Reduce each bound near cluster j to at most the first sum in the module docstring."""
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
    """Add to ``saved`` the part of point i's loss that each candidate near point i saves.

    Return the number of candidates found so far.
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
    else:  # the list of neighbours is too short: visit all points
        row = problem.by_point[i]
        for c in range(len(row)):
            if row[c] < second:
                candidates[n_candidates] = c
                n_candidates += saved[c] == 0.0
                saved[c] += second - max(nearest, np.float64(row[c]))
    return n_candidates
