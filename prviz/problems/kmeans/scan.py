"""Looking for the nearest centre of the points of a cluster that have lost their slack.

In a plane, exactly, among the centres near enough. In more dimensions, where all are near enough, a
point goes through three sieves, each of them narrower and dearer:

* *Duel*: whatever ends a point's slack has moved. How far its own centre is, was, and the nearest
  of those that have moved, says how much slack is left; most points keep some.
* *Estimate*: scores of all centres (``estimates.py``), which tell the nearest two.
* *Exact*: squared distances, for points between two centres that scores don't tell apart.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing, extremal
from .blocks import SETTLED
from .distances import PAIR, away_from, nearest_two, squared_distances
from .estimates import (
    DIMENSIONS,
    bounds,
    gather,
    least_scores,
    note_centre,
    two_least_scores,
)
from .grid import sort, within

#: Relative allowance for rounding in sums and differences of distances.
ROUNDING = 1e-12

# Rows of the state's working space, one column a point or a cluster. Of point_values, batch last:
DISTANCE, BEST, SECOND, LABEL, MOVE_SLACK, MOVE_DISTANCE, FAR, MARGIN, BATCH = range(9)
POSITION, MOVE_FROM, MOVE_TO, DOUBTFUL = range(4)  # point_numbers
SHIFT, AWAY, REACH, NEARBY = range(4)  # cluster_values
MOVED, SCANNED, FIRST_MOVE, END_MOVE, CANDIDATES = range(5)  # cluster_numbers, blocks.ORDER last
NEEDS = CANDIDATES  # when these are done with
LEAST, NEXT, NEAREST, OWN, LENGTH = range(5)  # scores

#: A duel pays with at most this share of the centres.
RIVALS = 1.0
#: So many times the last moves must be left of a point's slack after a duel, else it looks around.
KEEP = 0.5
LITTLE = 0.1


@extremal
def largest(values, count) -> float:
    found = 0.0
    for i in range(count):
        found = max(found, values[i])
    return found


@extremal
def smallest(values, start, count) -> float:
    found = np.inf
    for i in range(start, start + count):
        found = min(found, values[i])
    return found


@borrowing
def jumped(state, j, cap) -> bool:
    """A centre that has moved so far that all its points must look for a new one."""
    return state.cluster_values[SHIFT, j] > cap or not state.clock[SETTLED]


@borrowing
def _candidates(problem, state, reference, j, radius) -> int:
    """List the centres that may be nearest, or second nearest within the cap, to a point
    within ``radius`` of ``reference[j]``; returns how many."""
    if problem.grid.side > 0:
        n_candidates = _candidates_of_grid(problem, state, reference, j, radius)
        if n_candidates >= 0:
            return n_candidates
    distances = state.cluster_values[AWAY]
    candidates = state.cluster_numbers[CANDIDATES]
    squared_distances(state.columns, 0, len(distances), reference, j, distances)
    reach = _reach(smallest(distances, 0, len(distances)), radius, problem.cap)
    n_candidates = 0
    for c in range(len(distances)):  # n_candidates ≤ c: there is always room
        candidates[n_candidates] = c
        n_candidates += distances[c] <= reach
    return n_candidates


@borrowing
def _reach(nearest, radius, cap) -> float:
    """How far candidates may be, squared, if the nearest centre is so far, squared."""
    reach = (np.sqrt(nearest) + 2.0 * radius + cap) * (1.0 + ROUNDING)
    return reach * reach


@borrowing
def _candidates_of_grid(problem, state, reference, j, radius) -> int:
    """The same from the cells nearby; −1 if these are too many."""
    x, y = reference[j, 0], reference[j, 1]
    found = state.cluster_numbers[CANDIDATES]
    wide, nearest = 0.5 * problem.cap, np.inf
    if wide == 0.0:  # of points whose squares are too small for numbers
        return -1
    while nearest > wide * wide:  # nearer ones than the nearest may lie in a cell farther off
        wide *= 2.0
        n_found = within(problem.grid, state.heads, state.links, x, y, wide, found)
        if n_found < 0:
            return -1
        for i in range(n_found):
            nearest = min(nearest, away_from(state.columns, found[i], x, y))
    reach = _reach(nearest, radius, problem.cap)
    n_found = within(problem.grid, state.heads, state.links, x, y, np.sqrt(reach), found)
    if n_found < 0:
        return -1
    n_candidates = 0
    for i in range(n_found):
        c = found[i]
        found[n_candidates] = c
        n_candidates += away_from(state.columns, c, x, y) <= reach
    sort(found, n_candidates)
    return n_candidates


@borrowing
def scan(problem, state, j, error, n_moved, n_moves) -> int:
    """Look at the points of cluster j without slack; note those that have a nearer centre.

    ``error`` is that of scores, ``n_moved`` how many centres have moved, and ``n_moves`` how many
    points are noted; returns how many they are then.
    """
    size = _without_slack(state, j, problem.cap)
    if problem.points.shape[1] < DIMENSIONS or error == np.inf:
        return _look_exactly(problem, state, j, size, n_moves)
    _gather(problem, state, j, size)
    n_rivals = _rivals(state, j, n_moved)
    if n_rivals <= RIVALS * problem.k and state.clock[SETTLED]:
        size = _duel(problem, state, j, error, n_rivals, size)
        if size == 0:
            return n_moves
        _gather(problem, state, j, size)
    return _estimate(problem, state, j, error, size, n_moves)


@borrowing
def _gather(problem, state, j, size) -> None:
    """Put the points listed into the batch, with the scores of their own centre."""
    gather(
        state.rows,
        state.norms,
        state.directions.shape[1],
        state.clusters[j]["begin"],
        state.point_numbers[POSITION],
        size,
        state.batch,
        state.scores[LENGTH],
    )
    own = state.cluster_numbers[CANDIDATES]
    own[0] = j
    least_scores(state.batch, size, state.directions, state.lengths, own, 1, state.scores[OWN])


@borrowing
def _without_slack(state, j, cap) -> int:
    """List the places in block j of the points whose slack is used up; returns how many."""
    start, count = state.clusters[j]["begin"], state.clusters[j]["count"]
    position = state.point_numbers[POSITION]
    if jumped(state, j, cap):
        for i in range(count):
            position[i] = i
        return count
    spent = state.clusters[j]["drift"]
    spent += ROUNDING * (spent + state.radius[j] + cap)
    size = 0
    for i in range(count):  # without a branch: it would be guessed wrong
        position[size] = i
        size += state.slack[start + i] <= spent
    return size


@borrowing
def _rivals(state, j, n_moved) -> int:
    """List the centres that have moved and are near enough to cluster j; returns how many."""
    away, rivals = state.cluster_values[AWAY], state.cluster_numbers[CANDIDATES]
    squared_distances(state.moved, 0, n_moved, state.centers, j, away)
    reach, n_rivals = state.cluster_values[REACH, j], 0
    for m in range(n_moved):
        c = state.cluster_numbers[MOVED, m]
        rivals[n_rivals] = c
        n_rivals += c != j and away[m] <= reach
    return n_rivals


@borrowing
def _duel(problem, state, j, error, n_rivals, size) -> int:
    """Renew the slack of the points of a batch from what has moved, and leave the others in it.

    All but the own centre and the rivals are where they were: so far as the point has come nearer
    to its own, or farther from it, its slack grows or shrinks. Returns how many points are left.
    """
    scores, directions, lengths = state.scores, state.directions, state.lengths
    position, here = state.point_numbers[POSITION], state.cluster_numbers[CANDIDATES]
    was, is_now = state.point_values[BEST], state.point_values[DISTANCE]
    change, margin = state.point_values[SECOND], state.point_values[MARGIN]
    unit, batch = problem.unit, state.batch
    least_scores(batch, size, directions, lengths, here, n_rivals, scores[LEAST])
    start, drift = state.clusters[j]["begin"], state.clusters[j]["drift"]
    own, nearby = state.cluster_values[SHIFT, j], state.cluster_values[NEARBY, j]
    bounds(scores[LENGTH], scores[OWN], scores[LEAST], size, error, unit, is_now, margin)
    change[:size] = 0.0
    if own > 0.0:
        here[0] = old = len(lengths) - 2
        note_centre(state.anchors, j, problem.origin, unit, directions, lengths, old)
        least_scores(batch, size, directions, lengths, here, 1, scores[NEXT])
        bounds(scores[LENGTH], scores[OWN], scores[NEXT], size, error, unit, was, change)
    nothing = ROUNDING * (drift + state.radius[j] + problem.cap)
    little = nothing + min(KEEP * (own + nearby), LITTLE * problem.cap)
    left = 0
    for i in range(size):
        place = start + position[i]
        rest = state.slack[place] - (drift - own - nearby) + max(change[i], -own)
        enough = rest > min(little, margin[i])  # a look around finds no more than the margin
        rest = min(rest, margin[i], problem.cap)
        enough &= rest > nothing
        state.slack[place] = rest + drift if enough else state.slack[place]
        position[left] = position[i]
        left += not enough
    return left


@borrowing
def _estimate(problem, state, j, error, size, n_moves) -> int:
    """Scores of all centres near enough to the points of the batch, and distances if in doubt."""
    scores, directions, lengths = state.scores, state.directions, state.lengths
    candidates, far = state.cluster_numbers[CANDIDATES], state.point_values[FAR]
    margin, unit = state.point_values[MARGIN], problem.unit
    bounds(scores[LENGTH], scores[OWN], scores[OWN], size, error, unit, far, margin)
    n = _candidates(problem, state, state.centers, j, largest(far, size))
    two_least_scores(
        state.batch,
        size,
        directions,
        lengths,
        candidates,
        n,
        scores[LEAST],
        scores[NEXT],
        scores[NEAREST],
    )
    bounds(scores[LENGTH], scores[LEAST], scores[NEXT], size, error, unit, far, margin)
    doubtful, n_doubtful = state.point_numbers[DOUBTFUL], 0
    for i in range(size):
        doubtful[n_doubtful] = i
        n_doubtful += scores[NEXT, i] - scores[LEAST, i] <= 2.0 * error
    _exact(state, j, doubtful, n_doubtful, n, problem.cap)
    doubtful[n_doubtful] = size
    n_doubtful = 0
    for i in range(size):
        if doubtful[n_doubtful] == i:
            n_moves = _note(state, j, i, n_doubtful, n_moves)
            n_doubtful += 1
            continue
        to = np.int64(scores[NEAREST, i])
        slack = min(margin[i], problem.cap)
        n_moves = _settle_point(state, j, i, to, slack, far[i], n_moves)
    return n_moves


@borrowing
def _exact(state, j, listed, size, n_candidates, cap) -> None:
    """Nearest centre, its distance and the slack of some of the points of a batch."""
    start, position = state.clusters[j]["begin"], state.point_numbers[POSITION]
    batch = state.point_values[BATCH:]
    best, second = state.point_values[BEST], state.point_values[SECOND]
    padded = (size + PAIR - 1) & -PAIR  # whole vectors: what comes of the rest is not read
    for axis in range(state.pool.shape[0]):
        for i in range(size):
            batch[axis, i] = state.pool[axis, start + position[listed[i]]]
    nearest_two(
        batch,
        padded,
        state.centers,
        state.cluster_numbers[CANDIDATES],
        n_candidates,
        best,
        second,
        state.point_values[LABEL],
    )
    for i in range(padded):
        best[i] = np.sqrt(best[i])
        second[i] = min(np.sqrt(second[i]) - best[i], cap)  # the slack from now on


@borrowing
def _look_exactly(problem, state, j, size, n_moves) -> int:
    """Distances from all centres near enough to the points listed."""
    cap = problem.cap
    start, count = state.clusters[j]["begin"], state.clusters[j]["count"]
    batch, position = state.point_values[BATCH:], state.point_numbers[POSITION]
    distances = state.point_values[DISTANCE]
    padded = (size + PAIR - 1) & -PAIR
    for axis in range(state.pool.shape[0]):
        if size == count:  # in one piece
            for i in range(size):
                batch[axis, i] = state.pool[axis, start + i]
            continue
        for i in range(size):
            batch[axis, i] = state.pool[axis, start + position[i]]
    if jumped(state, j, cap):
        reference, radius = state.anchors, state.radius[j]
    else:
        squared_distances(batch, 0, padded, state.centers, j, distances)
        reference, radius = state.centers, np.sqrt(largest(distances, size))
    n_candidates = _candidates(problem, state, reference, j, radius)
    best, second = state.point_values[BEST], state.point_values[SECOND]
    candidates, label = state.cluster_numbers[CANDIDATES], state.point_values[LABEL]
    nearest_two(batch, padded, state.centers, candidates, n_candidates, best, second, label)
    for i in range(padded):
        best[i] = np.sqrt(best[i])
        second[i] = min(np.sqrt(second[i]) - best[i], cap)
    for i in range(size):
        n_moves = _note(state, j, i, i, n_moves)
    return n_moves


@borrowing
def _note(state, j, i, at, n_moves) -> int:
    """Take what was found exactly, at number ``at``, for the i-th point of the batch."""
    values = state.point_values
    to = np.int64(values[LABEL, at])
    return _settle_point(state, j, i, to, values[SECOND, at], values[BEST, at], n_moves)


@borrowing
def _settle_point(state, j, i, to, slack, distance, n_moves) -> int:
    """Give the i-th point of the batch its new slack, or note that it has to move."""
    position = state.point_numbers[POSITION, i]
    slack += state.clusters[to]["drift"]
    if to == j:
        state.slack[state.clusters[j]["begin"] + position] = slack
        return n_moves
    state.point_numbers[MOVE_FROM, n_moves] = position
    state.point_numbers[MOVE_TO, n_moves] = to
    state.point_values[MOVE_SLACK, n_moves] = slack
    state.point_values[MOVE_DISTANCE, n_moves] = distance
    return n_moves + 1
