"""Find points that may have a nearer centre, with Hamerly's (2010) bounds for each cluster.

* A point's *slack* is a lower bound on how much farther the nearest other centre is than the
  point's own centre. Slack is capped. The stored value is slack plus the cluster's present *drift*.
* A cluster's *drift* grows at each assignment, by the move of its centre plus the longest move of
  another centre nearby. A point can change its label only if drift exceeds the stored value. So
  while drift is below the least stored value of a cluster, no point of the cluster can do so.
* In a cluster of radius R, the capped slack of points does not depend on centres farther than
  2 R + cap from the cluster's own centre (triangle inequality). So the moves of such centres do
  not count.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing
from .distances import away_from, largest, smallest, squared_distances
from .estimates import DIMENSIONS, note_centre
from .grid import put, within
from .state import STAMP

#: Relative allowance for rounding in sums and differences of distances.
ROUNDING = 1e-12


@borrowing
def list_moved(problem, state) -> int:
    """List the centres that moved since the last assignment, and how far; return their number."""
    d, columns, work = problem.points.shape[1], state.settled.columns, state.work
    n_moved, shift = 0, work.shift
    shift[:] = 0.0
    for axis in range(d):
        for j in range(len(shift)):
            way = state.centers[j, axis] - columns[axis, j]
            shift[j] += way * way
    for j in range(len(shift)):
        if shift[j] == 0.0:
            continue
        shift[j] = np.sqrt(shift[j])
        work.moved[n_moved] = j
        for axis in range(d):
            columns[axis, j] = work.moved_columns[axis, n_moved] = state.centers[j, axis]
        if problem.grid.side > 0:
            put(problem.grid, state.settled.cells, j, state.centers[j, 0], state.centers[j, 1])
        if d >= DIMENSIONS:
            note_centre(problem, state.centers, j, state.settled, j)
        n_moved += 1
    return n_moved


@borrowing
def list_loose(problem, state, n_moved) -> int:
    """Add moves to drift, and list the clusters whose bounds no longer hold."""
    _note_nearby(problem, state, n_moved)
    clusters, work, n_loose = state.clusters, state.work, 0
    for j in range(problem.k):
        moves = work.shift[j] + work.nearby[j]
        if moves == 0.0 or clusters.count[j] == 0:
            continue
        clusters.drift[j] += moves
        clusters.version[j] = state.clock[STAMP]
        if leapt(problem, state, j) or clusters.least_slack[j] <= spent(problem, state, j):
            work.loose[n_loose] = j
            n_loose += 1
    return n_loose


@borrowing
def leapt(problem, state, j) -> bool:
    """Return True if centre j moved so far that all points of its cluster must be compared."""
    return state.work.shift[j] > problem.cap


@borrowing
def spent(problem, state, j) -> float:
    """Return drift plus rounding errors. A slack is used up if it is at most this."""
    drift = state.clusters.drift[j]
    return drift + ROUNDING * (drift + state.clusters.radius[j] + state.work.shift[j] + problem.cap)


@borrowing
def _note_nearby(problem, state, n_moved) -> None:
    """For every cluster, find the longest move of another centre that is near enough to count."""
    work, farthest = state.work, 0.0
    for j in range(problem.k):
        far = 2.0 * (state.clusters.radius[j] + work.shift[j]) + problem.cap
        farthest = max(farthest, far)
        work.reach[j] = far * far
        work.nearby[j] = 0.0
    for m in range(n_moved):
        c = work.moved[m]
        if problem.grid.side > 0 and _note_near(problem, state, c, farthest):
            continue
        squared_distances(state.settled.columns, 0, problem.k, state.centers, c, work.away)
        work.away[c] = np.inf  # the cluster's own move is excluded
        for j in range(problem.k):
            length = work.shift[c] if work.away[j] <= work.reach[j] else 0.0
            work.nearby[j] = max(work.nearby[j], length)


@borrowing
def _note_near(problem, state, c, farthest) -> bool:
    """Record the move of centre c in nearby clusters; return False if there are too many cells."""
    found, nearby, columns = state.work.candidates, state.work.nearby, state.settled.columns
    x, y = state.centers[c, 0], state.centers[c, 1]
    n_found = within(problem.grid, state.settled.cells, x, y, farthest, found)
    for i in range(n_found):
        j = found[i]
        if j != c and away_from(columns, j, x, y) <= state.work.reach[j]:
            nearby[j] = max(nearby[j], state.work.shift[c])
    return n_found >= 0


@borrowing
def widen(state, n_moved) -> None:
    """Make the present centres the anchors, and enlarge each radius by the centre's move."""
    for m in range(n_moved):
        j = state.work.moved[m]
        for axis in range(state.centers.shape[1]):
            state.settled.anchors[j, axis] = state.centers[j, axis]
        state.clusters.radius[j] += state.work.shift[j]
        state.clusters.version[j] = state.clock[STAMP]
        state.clusters.priced[j] = 0


@borrowing
def tighten(problem, state, j) -> None:
    """Recompute the bounds of a cluster from its present points."""
    clusters, distances = state.clusters, state.work.distance
    begin, count = clusters.begin[j], clusters.count[j]
    if leapt(problem, state, j):
        squared_distances(state.members.columns, begin, count, state.centers, j, distances)
        clusters.radius[j] = np.sqrt(largest(distances, count))
    clusters.least_slack[j] = smallest(state.members.slack, begin, count)
    clusters.version[j] = clusters.members_version[j] = state.clock[STAMP]
