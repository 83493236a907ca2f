"""Find the nearest centre of each point whose slack is used up.

In one or two dimensions, exact distances to nearby centres are compared. In more dimensions, most
centres are nearby, so a point passes three filters, each more precise and more expensive:

* *Duel*: only centres that moved can use up a point's slack. The remaining slack follows from the
  old and new distances to the point's own centre, and from the distance to the nearest centre that
  moved. Most points have slack left.
* *Estimate*: scores (``estimates.py``) give the nearest two centres.
* *Exact*: exact squared distances decide between centres that scores cannot separate.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing
from .bounds import ROUNDING, leapt, spent
from .distances import WIDTH, away_from, nearest_two, smallest, squared_distances
from .estimates import (
    DIMENSIONS,
    bounds,
    gather,
    least_scores,
    note_centre,
    two_least_scores,
)
from .grid import sort, within

#: After a duel, a point stays in its cluster if its slack exceeds LITTLE times the cap, or KEEP
#: times the sum of its centre's move and the longest move nearby. Other points go to the next
#: filter.
KEEP = 0.5
LITTLE = 0.1


@borrowing
def list_leaving(problem, state, j, error, n_moved, n_leaving) -> int:
    """List points of cluster j with a nearer centre; only points without slack are checked.

    ``error`` is the error of scores, ``n_moved`` the number of moved centres, and ``n_leaving`` the
    number of points listed so far. Return the new number of listed points.
    """
    size = _without_slack(problem, state, j)
    if problem.points.shape[1] < DIMENSIONS or error == np.inf:
        doubtful = state.work.doubtful
        for i in range(size):
            doubtful[i] = i
        _exact(problem, state, j, size, _candidates(problem, state, j))
    else:
        size = _duel(problem, state, j, error, n_moved, size)
        if size > 0:
            _estimate(problem, state, j, error, size)
    return _list(state, j, size, n_leaving)


@borrowing
def _without_slack(problem, state, j) -> int:
    """List the points in block j whose slack is used up; return their number."""
    begin, position = state.clusters.begin[j], state.work.position
    limit = np.inf if leapt(problem, state, j) else spent(problem, state, j)
    size = 0
    for i in range(state.clusters.count[j]):  # branchless: a branch would be mispredicted
        position[size] = i
        size += state.members.slack[begin + i] <= limit
    return size


@borrowing
def _list(state, j, size, n_leaving) -> int:
    """Store the new slack of compared points that stay, and list points that leave."""
    work, leaving = state.work, state.work.leaving
    for i in range(size):
        to = np.int64(work.label[i])
        slack = work.slack[i] + state.clusters.drift[to]
        if to == j:
            state.members.slack[state.clusters.begin[j] + work.position[i]] = slack
            continue
        leaving.position[n_leaving], leaving.to[n_leaving] = work.position[i], to
        leaving.slack[n_leaving], leaving.distance[n_leaving] = slack, work.distance[i]
        n_leaving += 1
    return n_leaving


@borrowing
def _candidates(problem, state, j) -> int:
    """List the possible nearest and second nearest centres of points; return their number.

    Second nearest centres count only if they are at most ``cap`` farther than the nearest.
    """
    if problem.grid.side > 0:
        n_candidates = _candidates_of_grid(problem, state, j)
        if n_candidates >= 0:
            return n_candidates
    distances, candidates = state.work.away, state.work.candidates
    squared_distances(state.settled.columns, 0, problem.k, state.settled.anchors, j, distances)
    reach = _reach(problem, state, j, smallest(distances, 0, problem.k))
    n_candidates = 0
    for c in range(problem.k):  # n_candidates ≤ c < k, so there is space
        candidates[n_candidates] = c
        n_candidates += distances[c] <= reach
    return n_candidates


@borrowing
def _reach(problem, state, j, nearest) -> float:
    """Return the squared distance from the anchor within which centres are candidates."""
    reach = np.sqrt(nearest) + 2.0 * state.clusters.radius[j] + problem.cap
    return (reach * (1.0 + ROUNDING)) ** 2


@borrowing
def _candidates_of_grid(problem, state, j) -> int:
    """List candidates from nearby cells only; return −1 if there are too many cells."""
    x, y = state.settled.anchors[j, 0], state.settled.anchors[j, 1]
    found, columns = state.work.candidates, state.settled.columns
    # the nearest centre is not farther than centre j
    reach = _reach(problem, state, j, away_from(columns, j, x, y))
    n_found = within(problem.grid, state.settled.cells, x, y, np.sqrt(reach), found)
    n_candidates = 0
    for i in range(n_found):
        c = found[i]
        found[n_candidates] = c
        n_candidates += away_from(columns, c, x, y) <= reach
    sort(found, n_candidates)
    return n_candidates if n_found >= 0 else -1


@borrowing
def _exact(problem, state, j, size, n_candidates) -> None:
    """Find the nearest centre, distance and slack of the first ``size`` doubtful points."""
    work, begin = state.work, state.clusters.begin[j]
    for axis in range(problem.points.shape[1]):
        for i in range(size):
            place = begin + work.position[work.doubtful[i]]
            work.batch[axis, i] = state.members.columns[axis, place]
    padded = (size + WIDTH - 1) & -WIDTH  # round up to whole vectors
    found = work.distance, work.slack, work.label
    nearest_two(work.batch, padded, state.centers, work.candidates, n_candidates, *found)
    for i in range(padded):
        work.distance[i] = np.sqrt(work.distance[i])
        work.slack[i] = min(np.sqrt(work.slack[i]) - work.distance[i], problem.cap)


@borrowing
def _rivals(problem, state, j, n_moved) -> int:
    """List the moved centres that are near enough to win points of cluster j; return how many."""
    work, n_rivals = state.work, 0
    squared_distances(work.moved_columns, 0, n_moved, state.centers, j, work.away)
    for m in range(n_moved):
        c = work.moved[m]
        work.candidates[n_rivals] = c
        n_rivals += c != j and work.away[m] <= work.reach[j]
    return n_rivals


@borrowing
def _duel(problem, state, j, error, n_moved, size) -> int:
    """Update the slack of points after moves; return the number of points still to compare.

    Towards centres that did not move, the slack grows by the decrease of the point's distance to
    centre j. Towards centres that moved, the slack is at most the margin: a lower bound of the
    difference between the distances to the nearest moved centre and to centre j.
    """
    work, scores, settled, unit = state.work, state.work.scores, state.settled, problem.unit
    now, change, margin, begin = work.upper, work.values, work.margin, state.clusters.begin[j]
    gather(problem.points.shape[1], state.members, begin, work.position, size, scores)
    work.candidates[0] = j
    least_scores(scores.batch, size, settled, work.candidates, 1, scores.own)
    n_rivals = _rivals(problem, state, j, n_moved)
    least_scores(scores.batch, size, settled, work.candidates, n_rivals, scores.least)
    bounds(scores.length, scores.own, scores.least, size, error, unit, now, margin)
    change[:size] = 0.0
    own, nearby = work.shift[j], work.nearby[j]
    if own > 0.0:
        work.candidates[0] = old = problem.k
        note_centre(problem, settled.anchors, j, settled, old)
        least_scores(scores.batch, size, settled, work.candidates, 1, scores.next)
        bounds(scores.length, scores.own, scores.next, size, error, unit, now, change)
    drift = state.clusters.drift[j]
    nothing = spent(problem, state, j) - drift
    little = nothing + min(KEEP * (own + nearby), LITTLE * problem.cap)
    left = 0
    for i in range(size):
        place = begin + work.position[i]
        slack = state.members.slack[place]
        rest = slack - (drift - own - nearby) + max(change[i], -own)
        enough = rest > min(little, margin[i])  # comparing cannot raise the slack above the margin
        rest = min(rest, margin[i], problem.cap)
        enough &= rest > nothing
        state.members.slack[place] = rest + drift if enough else slack
        work.position[left] = work.position[i]
        left += not enough
    return left


@borrowing
def _estimate(problem, state, j, error, size) -> None:
    """Find the nearest centres by scores, and by distances if in doubt."""
    work, scores, unit = state.work, state.work.scores, problem.unit
    doubtful, n_doubtful = work.doubtful, 0
    begin = state.clusters.begin[j]
    gather(problem.points.shape[1], state.members, begin, work.position, size, scores)
    n_candidates = _candidates(problem, state, j)
    two_least_scores(scores, size, state.settled, work.candidates, n_candidates)
    bounds(scores.length, scores.least, scores.next, size, error, unit, work.upper, work.margin)
    for i in range(size):
        doubtful[n_doubtful] = i
        n_doubtful += scores.next[i] - scores.least[i] <= 2.0 * error
    _exact(problem, state, j, n_doubtful, n_candidates)
    for i in range(size - 1, -1, -1):  # backwards, to read exact results before overwriting them
        if n_doubtful > 0 and doubtful[n_doubtful - 1] == i:
            n_doubtful -= 1
            work.label[i] = work.label[n_doubtful]
            work.distance[i] = work.distance[n_doubtful]
            work.slack[i] = work.slack[n_doubtful]
            continue
        work.label[i], work.distance[i] = scores.nearest[i], work.upper[i]
        work.slack[i] = min(work.margin[i], problem.cap)
