"""Exchange medoids eagerly, as FasterPAM does (Schubert and Rousseeuw 2021).

Points are tried as medoids in order, starting at a random point after a redraw. Moving a medoid
from j to c adds the *loss* of j to the cost, because the points of j go to their second nearest
medoids. The move also subtracts the *win* of c, because points near c go to c. If the best exchange
for c lowers the cost, it is made at once. Points that ``gains.py`` excludes by bounds are skipped.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing, inlined
from ...engine.simd.sieve import BLOCK, lowest, near
from .gains import BOUND, CANDIDATE, NOW, WIN, price_stale
from .members import NONE, PLACE
from .nearest import running_sum, total

#: An exchange must lower the cost by more than this share, to exceed rounding errors.
ROUNDING = 1e-12
#: Bounds have rounding errors too, so a candidate is skipped only if the bound of its gain is at
#: most this share of the required gain.
SURE = 0.5


@borrowing
def swap(problem, state) -> bool:
    """Make the first exchange that lowers the cost; return False if none does."""
    n, cursor = len(state.labels), state.cursor[0]
    enough = -ROUNDING * total(problem, state)
    least = price_stale(problem, state) if problem.k > 1 else 0.0
    candidate = _first_that_helps(problem, state, cursor, n, least, enough)
    if candidate == n:
        candidate = _first_that_helps(problem, state, 0, cursor, least, enough)
        if candidate == cursor:
            return False
    state.medoids[_least(state.losses[CANDIDATE])] = candidate
    state.cursor[0] = (candidate + 1) % n
    return True


@borrowing
def _first_that_helps(problem, state, begin, end, least, enough) -> int:
    """Return the first candidate in a range that lowers the cost enough, or the range's end."""
    bounds, wins = state.gains[BOUND], state.gains[WIN]
    for first in range(begin, end, BLOCK):
        last = min(first + BLOCK, end)
        if last == first + BLOCK and not _any_promising(
            bounds[first:last], wins[first:last], least, SURE * enough
        ):
            continue
        for candidate in range(first, last):
            promising = min(bounds[candidate], least) - wins[candidate] < SURE * enough
            free = state.point_numbers[PLACE, candidate] == NONE
            if promising and free and _change(problem, state, candidate) < enough:
                return candidate
    return end


@inlined
def _any_promising(bounds, wins, least, enough) -> bool:
    """Return True if, by the bounds, a candidate of a block might lower the cost enough."""
    promising = False
    for c in range(BLOCK):  # BLOCK is constant, so that the compiler uses vector instructions
        promising |= min(bounds[c], least) - wins[c] < enough
    return promising


@borrowing
def _change(problem, state, candidate) -> float:
    """Return the change of cost by a candidate's best exchange; store the resulting losses."""
    row, losses, won = problem.by_medoid[candidate], state.losses[CANDIDATE], 0.0
    if problem.k == 1:  # there is no second nearest medoid
        return running_sum(row) - total(problem, state)
    for j in range(len(losses)):
        losses[j] = state.losses[NOW, j]
    seconds, distances, labels = state.second_distances, state.distances, state.labels
    for begin in range(0, len(row), BLOCK):
        word = near(row, seconds, begin)
        while word != 0:
            i = begin + lowest(word)
            word &= word - 1
            distance, second = np.float64(row[i]), np.float64(seconds[i])
            nearest = np.float64(distances[i])
            won += max(nearest - distance, 0.0)
            losses[labels[i]] -= second - max(nearest, distance)
    nearby, least = np.inf, np.inf
    for j in range(len(losses)):
        least = min(least, losses[j])
        nearby = min(nearby, losses[j] if losses[j] < state.losses[NOW, j] else np.inf)
    state.gains[BOUND, candidate] = nearby
    return least - won


@borrowing
def _least(losses) -> int:
    least = 0
    for j in range(1, len(losses)):
        if losses[j] < losses[least]:
            least = j
    return least
