"""Store the points of each cluster in a block of ``Members`` that has room to grow.

So scanning a cluster reads contiguous memory. Every change of a cluster changes its stamps, so
copying a state can skip clusters with equal stamps.
"""

from __future__ import annotations

from ...engine.dispatch import borrowing
from .grid import put
from .state import FREE, STAMP


@borrowing
def _copy_point(target, into, source, place) -> None:
    """Copy the point at one position of ``source`` to a position of ``target``."""
    target.point[into], target.slack[into] = source.point[place], source.slack[place]
    d = len(source.columns)
    for axis in range(d):
        target.columns[axis, into] = source.columns[axis, place]
    if len(source.norms) > 0:
        target.norms[into] = source.norms[place]
        for axis in range(d):
            target.rows[into * d + axis] = source.rows[place * d + axis]


@borrowing
def move_points(state, j, first, end) -> None:
    """Move points out of cluster j: the entries ``first`` to ``end`` − 1 of ``leaving``.

    The last point moves first, so that each gap is filled by a point that stays.
    """
    clusters, members, leaving = state.clusters, state.members, state.work.leaving
    for i in range(end - 1, first - 1, -1):
        to, place = leaving.to[i], clusters.begin[j] + leaving.position[i]
        into = clusters.begin[to] + clusters.count[to]
        _copy_point(members, into, members, place)
        members.slack[into] = leaving.slack[i]
        state.labels[members.point[into]] = to
        clusters.count[to] += 1
        clusters.count[j] -= 1
        _copy_point(members, place, members, clusters.begin[j] + clusters.count[j])
        clusters.radius[to] = max(clusters.radius[to], leaving.distance[i])
        clusters.least_slack[to] = min(clusters.least_slack[to], leaving.slack[i])
        for changed in (j, to):
            clusters.stale[changed] = 1
            clusters.priced[changed] = 0
            clusters.version[changed] = state.clock[STAMP]
            clusters.members_version[changed] = state.clock[STAMP]


@borrowing
def make_room(problem, state) -> None:
    """Give each block j at least ``work.needs[j]`` places.

    A block that is too small moves behind all others. If there is too little space behind them,
    all blocks are laid out again.
    """
    clusters, members, needs = state.clusters, state.members, state.work.needs
    for j in range(problem.k):
        if clusters.room[j] >= needs[j]:
            continue
        room, begin, free = needs[j] + needs[j] // 2 + 16, clusters.begin[j], state.clock[FREE]
        if free + room > len(members.point):
            _lay_out(problem, state)
            return
        for i in range(clusters.count[j]):
            _copy_point(members, free + i, members, begin + i)
        clusters.begin[j], clusters.room[j] = free, room
        state.clock[FREE] += room


@borrowing
def _lay_out(problem, state) -> None:
    """Lay out all blocks again; give each block an equal share of half of the unused places."""
    clusters, members, needs = state.clusters, state.members, state.work.needs
    spare, needed, at = state.work.spare, 0, 0
    for j in range(problem.k):
        for place in range(clusters.begin[j], clusters.begin[j] + clusters.count[j]):
            _copy_point(spare, at, members, place)
            at += 1
        needed += max(clusters.count[j], needs[j])
    share = (len(members.point) - needed) // (2 * problem.k)
    at = free = 0
    for j in range(problem.k):
        for i in range(clusters.count[j]):
            _copy_point(members, free + i, spare, at)
            at += 1
        clusters.begin[j] = free
        clusters.room[j] = max(clusters.count[j], needs[j]) + share
        free += clusters.room[j]
    state.clock[FREE] = free


@borrowing
def copy_changed(problem, target, source) -> None:
    """Make ``target`` equal to ``source``: copy the clusters whose stamps differ."""
    target.clock[STAMP] = max(target.clock[STAMP], source.clock[STAMP])  # keeps new stamps unique
    old, new, needs = target.clusters, source.clusters, target.work.needs
    for j in range(problem.k):
        needs[j] = new.count[j]
    make_room(problem, target)
    for j in range(problem.k):
        target.destinations[j] = source.destinations[j]
        if old.members_version[j] != new.members_version[j]:
            _copy_members(target, source, j)
        if old.version[j] != new.version[j]:
            _copy_cluster(problem, target, source, j)


@borrowing
def _copy_members(target, source, j) -> None:
    """Copy the few points of cluster j that differ from ``target``."""
    into, begin = target.clusters.begin[j], source.clusters.begin[j]
    ours, theirs = target.members, source.members
    for i in range(source.clusters.count[j]):
        point = theirs.point[begin + i]
        if i >= target.clusters.count[j] or ours.point[into + i] != point:
            _copy_point(ours, into + i, theirs, begin + i)
            target.labels[point] = j
        ours.slack[into + i] = theirs.slack[begin + i]
    target.clusters.count[j] = source.clusters.count[j]
    target.clusters.members_version[j] = source.clusters.members_version[j]


@borrowing
def _copy_cluster(problem, target, source, j) -> None:
    """Copy the centre of a cluster, and all its fields except the points."""
    ours, theirs = target.settled, source.settled
    for axis in range(source.centers.shape[1]):
        target.centers[j, axis] = source.centers[j, axis]
        ours.anchors[j, axis] = theirs.anchors[j, axis]
        ours.columns[axis, j] = theirs.columns[axis, j]
    if problem.grid.side > 0:
        put(problem.grid, ours.cells, j, theirs.anchors[j, 0], theirs.anchors[j, 1])
    for axis in range(theirs.directions.shape[1]):
        ours.directions[j, axis] = theirs.directions[j, axis]
        ours.lengths[j] = theirs.lengths[j]
    old, new = target.clusters, source.clusters
    old.radius[j] = new.radius[j]
    old.drift[j] = new.drift[j]
    old.least_slack[j] = new.least_slack[j]
    old.inertia[j] = new.inertia[j]
    old.priced[j] = new.priced[j]
    old.stale[j] = new.stale[j]
    old.version[j] = new.version[j]
