"""Update the nearest and second nearest medoids of points after medoids moved.

If a moved medoid was the nearest or second nearest of a point, the point searches its list of
neighbours for its medoids. All other points check only whether the moved medoid is now nearer than
their second medoid. If medoids are equally near, the lowest number wins, except that every medoid
is its own nearest medoid. Only exchanges need the second nearest medoid.

``problem.py`` describes the arrays of the state.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing, inlined
from ...engine.simd.sieve import BLOCK, equal, lowest, near
from .gains import BOUND, LOSS, SUM, WIN, recount_wins
from .members import (
    FIRST,
    NEXT,
    NONE,
    PLACE,
    SECOND,
    STALE,
    TOUCHED,
    enlist_all,
    relabel,
    write_down,
)

#: If more than 1/FEW of the medoids moved, all points search for their nearest medoids again.
FEW = 4

# Rows of ``state.room``: medoids that moved, and points that search again.
MOVED, LISTED = range(2)


@borrowing
def settle(problem, state) -> None:
    """Update the caches after the medoids moved."""
    if not _any_moved(state.medoids, state.anchors):
        return
    n_moved = _list_moved(state.medoids, state.anchors, state.room[MOVED])
    if FEW * n_moved > problem.k:
        _look_all(problem, state)
    else:
        n_touched = _list_touched(problem, state, n_moved)
        _place(state, n_moved)
        for c in range(n_moved):
            _offer(problem, state, state.room[MOVED, c])
        for t in range(n_touched):
            _look(problem, state, state.room[LISTED, t])
    for c in range(n_moved):
        j = state.room[MOVED, c]
        state.anchors[j] = state.medoids[j]


@inlined
def _any_moved(medoids, anchors) -> bool:
    moved = False
    for j in range(len(medoids)):  # no early exit, so that vector instructions can be used
        moved |= medoids[j] != anchors[j]
    return moved


@inlined
def _list_moved(medoids, anchors, moved) -> int:
    """List the medoids that moved since the last call of ``settle``; return their number."""
    n_moved = 0
    for j in range(len(medoids)):  # branchless: a branch would be mispredicted
        moved[n_moved] = j
        n_moved += medoids[j] != anchors[j]
    return n_moved


@borrowing
def _list_touched(problem, state, n_moved) -> int:
    """List the points that must search for their medoids again; return their number."""
    n_touched = 0
    second, n = state.point_numbers[SECOND], len(state.labels)
    for c in range(n_moved):
        j = state.room[MOVED, c]
        n_touched = _touch(state, state.medoids[j], n_touched)
        i = state.cluster_numbers[FIRST, j]
        while i != NONE:
            n_touched = _touch(state, i, n_touched)
            i = state.point_numbers[NEXT, i]
        for begin in range(0, n if problem.swap else 0, BLOCK):
            word = equal(second, j, begin)
            while word != 0:
                n_touched = _touch(state, begin + lowest(word), n_touched)
                word &= word - 1
    return n_touched


@inlined
def _touch(state, i, n_touched) -> int:
    if not state.point_numbers[TOUCHED, i]:
        state.point_numbers[TOUCHED, i] = 1
        state.room[LISTED, n_touched] = i
        n_touched += 1
    return n_touched


@inlined
def _place(state, n_moved) -> None:
    """Mark the points that are medoids now."""
    for c in range(n_moved):
        state.point_numbers[PLACE, state.anchors[state.room[MOVED, c]]] = NONE
    for c in range(n_moved):
        state.point_numbers[PLACE, state.medoids[state.room[MOVED, c]]] = state.room[MOVED, c]


@borrowing
def _offer(problem, state, j) -> None:
    """Make medoid j the nearest or second nearest medoid of each point near enough to it."""
    row, n = problem.by_medoid[state.medoids[j]], len(state.labels)
    limits = state.second_distances if problem.swap else state.distances
    for begin in range(0, n, BLOCK):
        word = near(row, limits, begin)
        while word != 0:
            i = begin + lowest(word)
            word &= word - 1
            if not state.point_numbers[TOUCHED, i]:
                _take(problem, state, i, j, np.float64(row[i]))


@inlined
def _take(problem, state, i, j, distance) -> None:
    """Make medoid j the nearest or second nearest medoid of point i, if it is near enough."""
    nearest, least = np.int64(state.labels[i]), np.float64(state.distances[i])
    tied = distance == least and j < nearest and state.medoids[nearest] != i
    if distance < least or tied:
        _give(problem, state, i, j, distance, nearest, least)
    elif problem.swap:
        _give_second(problem, state, i, j, distance)


@inlined
def _look(problem, state, i) -> None:
    """Find the nearest and second nearest medoid of point i."""
    nearest, least, second, second_least = _two_nearest(problem, state, i)
    _give(problem, state, i, nearest, least, second, second_least)
    state.point_numbers[TOUCHED, i] = 0


@inlined
def _give(problem, state, i, nearest, distance, second, second_distance) -> None:
    """Store the two nearest medoids of point i, and update their clusters."""
    label, before = np.int64(state.labels[i]), np.float64(state.distances[i])
    if label != nearest:
        state.cluster_numbers[STALE, label] = LOSS | SUM
        state.cluster_numbers[STALE, nearest] |= LOSS
        relabel(state, i, nearest)
    if problem.swap:
        if label == nearest:
            fallen = distance != before or second_distance < state.second_distances[i]
            state.cluster_numbers[STALE, label] |= LOSS | SUM if fallen else LOSS
        if distance != before:
            recount_wins(problem, i, state.gains[WIN], before, distance)
        state.second_distances[i] = second_distance
        state.point_numbers[SECOND, i] = second
    state.distances[i] = distance
    state.total[0] += distance - before
    write_down(state, i)


@inlined
def _give_second(problem, state, i, j, distance) -> None:
    """Store medoid j for point i if it is the second nearest."""
    if distance < state.second_distances[i] or j < state.point_numbers[SECOND, i]:
        state.cluster_numbers[STALE, state.labels[i]] |= LOSS | SUM
        state.second_distances[i] = distance
        state.point_numbers[SECOND, i] = j
        write_down(state, i)


@inlined
def _two_nearest(problem, state, i):
    """Return the nearest and second nearest medoid of point i, each with its distance."""
    own, places = np.int64(state.point_numbers[PLACE, i]), state.point_numbers[PLACE]
    if own != NONE and not problem.swap:
        return own, 0.0, NONE, 0.0
    # with so many medoids, the list of nearest points is faster than a scan of all medoids
    if problem.k * problem.k > 2 * len(places):
        nearest, least, second, second_least = _listed_two(problem, i, places, own)
        if nearest != NONE:
            return nearest, least, second, second_least
    return _two_of_all(problem.by_point[i], state.medoids, own)


@inlined
def _listed_two(problem, i, places, own):
    """Find the two nearest medoids in the list of point i; NONE if the list may be too short."""
    reaches, neighbours = problem.reaches[i], problem.neighbours[i]
    nearest, second, least, second_least = NONE, NONE, np.inf, np.inf
    if own != NONE:
        nearest, least = own, 0.0
    for place in range(len(reaches)):
        distance = np.float64(reaches[place])
        if distance > (second_least if problem.swap else least):
            return nearest, least, second, second_least
        j = np.int64(places[neighbours[place]])
        if j in (NONE, own):
            continue
        if own == NONE and (distance < least or (distance == least and j < nearest)):
            second, second_least = nearest, least
            nearest, least = j, distance
        elif distance < second_least or j < second:
            second, second_least = j, distance
    return NONE, least, second, second_least


@borrowing
def _two_of_all(row, medoids, own):
    """Find the two nearest medoids of a point; ``own`` is its number as a medoid, or NONE."""
    nearest, second, least, second_least = max(own, 0), 0, np.inf, np.inf
    if own != NONE:
        least = 0.0
    for j in range(len(medoids)):
        distance = np.float64(row[medoids[j]])
        if j == own:
            continue
        if own == NONE and distance < least:
            second, second_least = nearest, least
            nearest, least = j, distance
        elif distance < second_least:
            second, second_least = j, distance
    return nearest, least, second, second_least


@borrowing
def _look_all(problem, state) -> None:
    """Find the nearest and second nearest medoid of every point."""
    n = len(state.labels)
    for i in range(n):
        state.point_numbers[PLACE, i] = NONE
    for j in range(problem.k):
        state.point_numbers[PLACE, state.medoids[j]] = j
        state.cluster_numbers[STALE, j] = LOSS | SUM
    for i in range(n):
        nearest, distance, second, second_distance = _two_nearest(problem, state, i)
        state.labels[i] = nearest
        state.distances[i] = distance
        if problem.swap:
            state.second_distances[i] = second_distance
            state.point_numbers[SECOND, i] = second
    state.total[0] = running_sum(state.distances)
    enlist_all(state)
    if problem.swap:
        wins = state.gains[WIN]
        for c in range(n):
            wins[c] = 0.0
            state.gains[BOUND, c] = np.inf
        for i in range(n):
            recount_wins(problem, i, wins, 0.0, np.float64(state.distances[i]))


@borrowing
def total(problem, state) -> float:
    """Return the sum of distances of all points from their medoids; call ``settle`` before."""
    return state.total[0] if problem.exact else running_sum(state.distances)


@borrowing
def running_sum(values) -> float:
    """Return the sum of numbers, added in order."""
    result = 0.0
    for i in range(len(values)):
        result += np.float64(values[i])
    return result


def sums_are_exact(matrix: np.ndarray) -> bool:
    """Return True if sums of one entry per row are exact, so that their order does not matter.

    This holds for whole numbers, and for most float32 matrices.
    """
    _, exponent = np.frexp(len(matrix) * float(matrix.max()))
    unit = np.ldexp(1.0, max(exponent - 53, -1074))  # sums of multiples of ``unit`` are exact
    return all(np.array_equal(counts, np.rint(counts)) for counts in (row / unit for row in matrix))
