"""Lloyd's algorithm: the assignment step, the update step, and the cost.

An iteration gives the same labels as scikit-learn's ``_kmeans_single_lloyd``. But after a redraw of
a few centres, most labels and means do not change. So each step visits only clusters that can have
changed:

* ``assign`` uses bounds to find the points that may have a nearer centre (``bounds.py``), and
  searches for the nearest centres of these points (``nearest.py``).
* ``update`` moves the centres whose points have changed.

Each cluster has a block of points. A revert copies only changed clusters (``blocks.py``).
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing
from ...engine.simd.sums import sum_of
from .blocks import make_room, move_points
from .bounds import list_loose, list_moved, tighten, widen
from .distances import largest, squared_distances
from .estimates import error_of_scores
from .nearest import list_leaving
from .state import STAMP


@borrowing
def assign(problem, state) -> None:
    """Assignment step: give every point the label of its nearest centre."""
    error = error_of_scores(problem, state.settled)
    n_moved = list_moved(problem, state)
    if n_moved == 0:
        return
    error = max(error, error_of_scores(problem, state.settled))  # valid for old and new centres
    state.clock[STAMP] += 1
    n_loose = list_loose(problem, state, n_moved)
    loose, leaving = state.work.loose, state.work.leaving
    n_leaving = np.int64(0)  # for a literal 0, Numba would compile the callees again
    for i in range(n_loose):
        leaving.first[i] = n_leaving
        n_leaving = list_leaving(problem, state, loose[i], error, n_moved, n_leaving)
    leaving.first[n_loose] = n_leaving
    widen(state, n_moved)
    _make_room(problem, state, n_leaving)
    for i in range(n_loose):
        move_points(state, loose[i], leaving.first[i], leaving.first[i + 1])
    for i in range(n_loose):
        tighten(problem, state, loose[i])


@borrowing
def _make_room(problem, state, n_leaving) -> None:
    """Make space in every block for the points that move there."""
    needs = state.work.needs
    if n_leaving == 0:
        return
    for j in range(len(needs)):
        needs[j] = state.clusters.count[j]
    for i in range(n_leaving):
        needs[state.work.leaving.to[i]] += 1
    make_room(problem, state)


@borrowing
def update(problem, state) -> bool:
    """Update step: move every centre to the mean of its points; return True if any moved.

    A centre without points stays where it is.
    """
    state.clock[STAMP] += 1
    clusters, columns, moved = state.clusters, state.members.columns, False
    for j in range(problem.k):
        if not clusters.stale[j]:  # no point joined or left, so the centre is still the mean
            continue
        clusters.stale[j] = 0
        clusters.version[j] = state.clock[STAMP]
        if clusters.count[j] == 0:
            continue
        mass = _mass(problem.weights, state, j)
        for axis in range(len(columns)):
            begin = clusters.begin[j]
            mean = _weighted_sum(problem.weights, state, j, columns[axis], begin) / mass
            if mean != state.centers[j, axis]:
                state.centers[j, axis] = mean
                moved = True
    return moved


@borrowing
def inertia(problem, state) -> float:
    """Return the sum of weighted squared distances of all points from their centres."""
    distances, clusters, total = state.work.distance, state.clusters, 0.0
    for j in range(problem.k):
        if not clusters.priced[j]:
            begin, count = clusters.begin[j], clusters.count[j]
            squared_distances(state.members.columns, begin, count, state.centers, j, distances)
            clusters.inertia[j] = _weighted_sum(problem.weights, state, j, distances, 0)
            clusters.radius[j] = np.sqrt(largest(distances, count))
            clusters.priced[j] = 1
        total += clusters.inertia[j]
    return total


@borrowing
def _weighted_sum(weights, state, j, values, start) -> float:
    """Sum ``values[start …]`` over the points of cluster j, each times the point's weight."""
    begin, count = state.clusters.begin[j], state.clusters.count[j]
    if len(weights) == 0:
        return sum_of(values, start, count)
    for i in range(count):
        state.work.values[i] = weights[state.members.point[begin + i]] * values[start + i]
    return sum_of(state.work.values, 0, count)


@borrowing
def _mass(weights, state, j) -> float:
    """Return the total weight of the points of cluster j."""
    begin, count = state.clusters.begin[j], state.clusters.count[j]
    if len(weights) == 0:
        return float(count)
    for i in range(count):
        state.work.values[i] = weights[state.members.point[begin + i]]
    return sum_of(state.work.values, 0, count)
