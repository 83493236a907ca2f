"""The nearest and second nearest medoid of every point, kept up to date as medoids move.

A medoid that moves touches the points for which it was nearest or second, and those to which it
comes nearer than their second: the first look at all medoids, the others at this one. Of medoids
at equal distance the lowest number is nearer; a medoid is nearest to itself.

The states' arrays are described in ``kmedoids.py``.
"""

from __future__ import annotations

import numpy as np

from ..dispatch import vectorised

#: Where more than one medoid in so many has moved, all points look at all medoids.
FEW = 4

# Rows of the state's working space for numbers of points.
TOUCHED, NEXT, MEMBERS = range(3)
# Rows of its working space for numbers of clusters.
CHANGED, FIRST = range(2)


@vectorised
def settle(problem, state) -> None:
    """Bring the caches up to date with the medoids, wherever these have moved to."""
    n_changed = _list_changed(state)
    if n_changed == 0:
        return
    if FEW * n_changed > problem.k:
        _look_at_all(problem, state)
    else:
        n_touched = _list_touched(state, n_changed)
        for c in range(n_changed):
            _offer(problem, state, state.cluster_numbers[CHANGED, c])
        for t in range(n_touched):
            _look(problem, state, state.point_numbers[TOUCHED, t])
    for j in range(problem.k):
        state.anchors[j] = state.medoids[j]


@vectorised
def _list_changed(state) -> int:
    """List the medoids that have moved since the last settling; returns how many."""
    n_changed = 0
    for j in range(len(state.medoids)):
        state.cluster_numbers[CHANGED, n_changed] = j
        n_changed += state.medoids[j] != state.anchors[j]
    return n_changed


@vectorised
def _list_touched(state, n_changed) -> int:
    """List the points that must look at all medoids, and offer them none; returns how many."""
    touched, moved = state.point_numbers[TOUCHED], state.moved
    for c in range(n_changed):
        moved[state.cluster_numbers[CHANGED, c]] = 1
    n_touched = 0
    for i in range(len(state.labels)):  # without a branch: it would be guessed wrong
        touched[n_touched] = i
        n_touched += moved[state.labels[i]] | moved[state.second[i]]
    for c in range(n_changed):
        j = state.cluster_numbers[CHANGED, c]
        moved[j] = 0
        touched[n_touched] = state.medoids[j]
        n_touched += 1
    for t in range(n_touched):
        state.second_distances[touched[t]] = -1.0
    return n_touched


@vectorised
def _offer(problem, state, j) -> None:
    """Let medoid j be nearest or second wherever it comes near enough."""
    row = problem.by_medoid[state.medoids[j]]
    for i in range(len(row)):
        if row[i] <= state.second_distances[i]:
            _take(state, i, j, row[i])


@vectorised
def _take(state, i, j, distance) -> None:
    """Point i takes medoid j as its nearest or second, if it is nearer than those."""
    nearest = state.labels[i]
    tied = distance == state.distances[i] and j < nearest and state.medoids[nearest] != i
    if distance < state.distances[i] or tied:
        state.second[i] = nearest
        state.second_distances[i] = state.distances[i]
        state.distances[i] = distance
        _label(state, i, j)
    elif distance < state.second_distances[i] or j < state.second[i]:
        state.second[i] = j
        state.second_distances[i] = distance


@vectorised
def _label(state, i, j) -> None:
    """Point i leaves its cluster for cluster j; both will look for a new medoid."""
    if state.labels[i] != j:
        state.stale[state.labels[i]] = 1
        state.stale[j] = 1
        state.labels[i] = j


@vectorised
def _look(problem, state, i) -> None:
    """Point i finds its nearest and second nearest among all medoids."""
    row, medoids = problem.by_point[i], state.medoids
    least, second_least = np.inf, np.inf
    nearest, second, own = 0, 0, -1
    for j in range(len(medoids)):
        distance = row[medoids[j]]
        if distance < least:
            second, second_least = nearest, least
            nearest, least = j, distance
        elif distance < second_least:
            second, second_least = j, distance
        if medoids[j] == i:
            own = j
    if own >= 0 and own != nearest:
        second, second_least = nearest, least
        nearest, least = own, row[i]
    _label(state, i, nearest)
    state.distances[i] = least
    state.second[i] = second
    state.second_distances[i] = second_least


@vectorised
def _look_at_all(problem, state) -> None:
    """All points find their nearest and second nearest, a medoid at a time."""
    labels, distances = state.labels, state.distances
    second, second_distances = state.second, state.second_distances
    state.stale[:] = 1
    labels[:] = 0
    second[:] = 0
    distances[:] = np.inf
    second_distances[:] = np.inf
    for j in range(len(state.medoids)):
        row = problem.by_medoid[state.medoids[j]]
        for i in range(len(row)):  # without branches, for vector instructions
            distance = row[i]
            nearer = distance < distances[i]
            nearly = distance < second_distances[i]
            second[i] = labels[i] if nearer else (j if nearly else second[i])
            second_distances[i] = min(second_distances[i], max(distance, distances[i]))
            labels[i] = j if nearer else labels[i]
            distances[i] = min(distance, distances[i])
    for j in range(len(state.medoids)):
        _look(problem, state, state.medoids[j])


@vectorised
def total(distances) -> float:
    """Sum of the distances of all points from their medoids."""
    cost = 0.0
    for i in range(len(distances)):
        cost += np.float64(distances[i])
    return cost
