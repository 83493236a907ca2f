"""Lloyd's algorithm, incremental: a redraw of a few centres touches only what it can change.

The result equals textbook Lloyd's, label for label. The saving comes from bounds
in the manner of Hamerly (2010), kept a cluster at a time:

* A point's *slack* is a lower bound on how much nearer its own centre is than any other. It is
  capped, and stored as slack + the *drift* of its cluster at the time.
* A cluster's drift adds up, settling after settling, how far its own centre and the farthest
  moving centre nearby have moved. A point can change its label only when drift has used up its
  slack, and no point of a cluster can while the least slack in the cluster holds.
* A centre farther than 2 R + cap from a cluster of radius R can't come closer to any of its points
  than slack allows (triangle inequality), so far centres count for nothing, however they move.
* Points of a cluster lie together in a block (``blocks.py``). A cluster carries stamps, renewed
  when its head (centre, bounds), the points of its block or their slack change; a checkpoint copies
  what has another stamp.

The states' arrays are described in ``problem.py``.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing
from ...engine.simd.sums import sum_of
from .blocks import BODY, HEAD, SETTLED, SLACK, TICK, copy_block, copy_point, make_rooms
from .distances import away_from, squared_distances
from .estimates import DIMENSIONS, error_of_scores, note_centre
from .grid import put, within
from .scan import (
    AWAY,
    BEST,
    CANDIDATES,
    DISTANCE,
    END_MOVE,
    FIRST_MOVE,
    MOVE_DISTANCE,
    MOVE_FROM,
    MOVE_SLACK,
    MOVE_TO,
    MOVED,
    NEARBY,
    NEEDS,
    REACH,
    ROUNDING,
    SCANNED,
    SHIFT,
    jumped,
    largest,
    scan,
    smallest,
)


@borrowing
def settle(problem, state) -> None:
    """Bring labels, blocks and bounds up to date with the centres, wherever these have moved to."""
    error = _error(problem, state) if state.clock[SETTLED] else 0.0
    n_moved = _shifts(problem, state)
    if n_moved == 0 and state.clock[SETTLED]:
        return
    state.clock[TICK] += 1
    error = max(error, _error(problem, state))  # centres are compared with where they were
    n_scanned = _scan_loosened(problem, state, error, n_moved)
    _make_rooms(state, n_scanned)
    for s in range(n_scanned):
        _move_points(state, s)
    _finish(state, problem.cap, n_scanned, n_moved)


@borrowing
def _error(problem, state) -> float:
    d = state.centers.shape[1]
    return np.inf if d < DIMENSIONS else error_of_scores(problem.longest, state.lengths, d)


@borrowing
def _shifts(problem, state) -> int:
    """Note how far each centre has moved since the last settling; returns how many have."""
    shift = state.cluster_values[SHIFT]
    n_moved = 0
    shift[:] = 0.0
    for axis in range(state.centers.shape[1]):
        for j in range(len(shift)):
            way = state.centers[j, axis] - state.columns[axis, j]
            shift[j] += way * way
    for j in range(len(shift)):
        if shift[j] > 0.0:
            shift[j] = np.sqrt(shift[j])
            state.cluster_numbers[MOVED, n_moved] = j
            for axis in range(state.centers.shape[1]):
                state.columns[axis, j] = state.moved[axis, n_moved] = state.centers[j, axis]
            if problem.grid.side > 0:
                x, y = state.centers[j, 0], state.centers[j, 1]
                put(problem.grid, state.heads, state.links, j, x, y)
            if state.centers.shape[1] >= DIMENSIONS:
                note_centre(
                    state.centers,
                    j,
                    problem.origin,
                    problem.unit,
                    state.directions,
                    state.lengths,
                    j,
                )
            n_moved += 1
    return n_moved


@borrowing
def _scan_loosened(problem, state, error, n_moved) -> int:
    """Scan every cluster whose bounds no longer hold; returns how many those are."""
    _note_nearby(problem, state, n_moved)
    shift, nearby = state.cluster_values[SHIFT], state.cluster_values[NEARBY]
    n_scanned = 0
    for j in range(len(state.clusters)):
        if shift[j] == 0.0 and nearby[j] == 0.0 and state.clock[SETTLED]:
            continue  # its record need not come from memory
        if state.clusters[j]["count"] > 0 and _loosen(state, j, problem.cap):
            state.cluster_numbers[SCANNED, n_scanned] = j
            n_scanned += 1
    n_moves = np.int64(0)  # not a literal: numba would compile what takes it once for that too
    for s in range(n_scanned):
        state.cluster_numbers[FIRST_MOVE, s] = n_moves
        n_moves = scan(problem, state, state.cluster_numbers[SCANNED, s], error, n_moved, n_moves)
        state.cluster_numbers[END_MOVE, s] = n_moves
    return n_scanned


@borrowing
def _finish(state, cap, n_scanned, n_moved) -> None:
    for s in range(n_scanned):
        _tighten(state, state.cluster_numbers[SCANNED, s], cap)
    for m in range(n_moved):
        j = state.cluster_numbers[MOVED, m]
        for axis in range(state.centers.shape[1]):
            state.anchors[j, axis] = state.centers[j, axis]
        state.stamps[HEAD, j] = state.clock[TICK]
        state.priced[j] = 0
    state.clock[SETTLED] = 1


@borrowing
def _note_nearby(problem, state, n_moved) -> None:
    """For every cluster, the longest move of another centre that is now near enough to count."""
    shift, away = state.cluster_values[SHIFT], state.cluster_values[AWAY]
    reach, nearby = state.cluster_values[REACH], state.cluster_values[NEARBY]
    farthest = 0.0
    for j in range(len(shift)):
        far = 2.0 * (state.radius[j] + shift[j]) + problem.cap
        farthest = max(farthest, far)
        reach[j] = far * far
        nearby[j] = 0.0
    for m in range(n_moved):
        c = state.cluster_numbers[MOVED, m]
        length = shift[c]
        if problem.grid.side > 0 and _note_near(problem, state, c, farthest):
            continue
        squared_distances(state.columns, 0, len(shift), state.centers, c, away)
        away[c] = np.inf  # its own move is not another's
        for j in range(len(shift)):
            nearby[j] = max(nearby[j], length if away[j] <= reach[j] else 0.0)


@borrowing
def _note_near(problem, state, c, farthest) -> bool:
    """The same of one centre that has moved, from the cells nearby; False if these are too many."""
    found = state.cluster_numbers[CANDIDATES]
    reach, nearby = state.cluster_values[REACH], state.cluster_values[NEARBY]
    x, y, length = state.centers[c, 0], state.centers[c, 1], state.cluster_values[SHIFT, c]
    n_found = within(problem.grid, state.heads, state.links, x, y, farthest, found)
    for i in range(n_found):
        j = found[i]
        if j != c and away_from(state.columns, j, x, y) <= reach[j]:
            nearby[j] = max(nearby[j], length)
    return n_found >= 0


@borrowing
def _loosen(state, j, cap) -> bool:
    """Let the bounds of cluster j give way to the centres' moves; True if it must be scanned."""
    leapt = jumped(state, j, cap)
    if leapt and (state.centers.shape[1] < DIMENSIONS or not state.clock[SETTLED]):
        return True
    own, nearby = state.cluster_values[SHIFT, j], state.cluster_values[NEARBY, j]
    if own == 0.0 and nearby == 0.0:
        return False
    radius = state.radius[j] + own
    state.radius[j] = radius
    state.clusters[j]["drift"] += own + nearby
    state.stamps[HEAD, j] = state.clock[TICK]
    allowance = ROUNDING * (state.clusters[j]["drift"] + radius + cap)
    return leapt or state.clusters[j]["least_slack"] <= state.clusters[j]["drift"] + allowance


@borrowing
def _make_rooms(state, n_scanned) -> None:
    """Have room in every block for the points that are noted to come: n at most, in a pool for 2 n
    and more."""
    needs, to = state.cluster_numbers[NEEDS], state.point_numbers[MOVE_TO]
    n_moves = state.cluster_numbers[END_MOVE, n_scanned - 1] if n_scanned > 0 else 0
    for move in range(n_moves):  # few blocks get points: the others need not be looked at
        needs[to[move]] = state.clusters[to[move]]["count"]
    lacking = False
    for move in range(n_moves):
        needs[to[move]] += 1
        lacking |= state.clusters[to[move]]["room"] < needs[to[move]]
    if not lacking:
        return
    for j in range(len(needs)):
        needs[j] = state.clusters[j]["count"]
    for move in range(n_moves):
        needs[to[move]] += 1
    make_rooms(state, needs)


@borrowing
def _move_points(state, s) -> None:
    """Carry out the moves noted for the s-th scanned cluster, the last one first.

    Taken from the end, a gap is filled by a point that stays.
    """
    j = state.cluster_numbers[SCANNED, s]
    tick = state.clock[TICK]
    old = state.clusters[j]
    first, end = state.cluster_numbers[FIRST_MOVE, s], state.cluster_numbers[END_MOVE, s]
    for move in range(end - 1, first - 1, -1):
        to = state.point_numbers[MOVE_TO, move]
        new = state.clusters[to]
        place = old["begin"] + state.point_numbers[MOVE_FROM, move]
        into = new["begin"] + new["count"]
        copy_point(state, into, state, place)
        slack = state.point_values[MOVE_SLACK, move]
        state.slack[into] = slack
        state.labels[state.member[into]] = to
        new["count"] += 1
        state.radius[to] = max(state.radius[to], state.point_values[MOVE_DISTANCE, move])
        new["least_slack"] = min(new["least_slack"], slack)
        old["count"] -= 1
        copy_point(state, place, state, old["begin"] + old["count"])
        for cluster in (j, to):
            state.stale[cluster] = 1
            state.priced[cluster] = 0
            state.stamps[HEAD, cluster] = tick
            state.stamps[BODY, cluster] = tick
            state.stamps[SLACK, cluster] = tick


@borrowing
def _tighten(state, j, cap) -> None:
    """Renew the bounds of a scanned cluster from the points that it has now."""
    start, count = state.clusters[j]["begin"], state.clusters[j]["count"]
    if jumped(state, j, cap):
        squared_distances(state.pool, start, count, state.centers, j, state.point_values[DISTANCE])
        state.radius[j] = np.sqrt(largest(state.point_values[DISTANCE], count))
    state.clusters[j]["least_slack"] = smallest(state.slack, start, count)
    state.stamps[HEAD, j] = state.clock[TICK]
    state.stamps[SLACK, j] = state.clock[TICK]


@borrowing
def _block_sum(state, j, values, start, weights) -> float:
    """Sum over the points of cluster j of ``values[start …]``, each times the point's weight."""
    count = state.clusters[j]["count"]
    if len(weights) == 0:
        return sum_of(values, start, count)
    begin, products = state.clusters[j]["begin"], state.point_values[BEST]
    for i in range(count):
        products[i] = weights[state.member[begin + i]] * values[start + i]
    return sum_of(products, 0, count)


@borrowing
def _mass(state, j, weights) -> float:
    """What the points of cluster j weigh."""
    count = state.clusters[j]["count"]
    if len(weights) == 0:
        return float(count)
    begin, own = state.clusters[j]["begin"], state.point_values[BEST]
    for i in range(count):
        own[i] = weights[state.member[begin + i]]
    return sum_of(own, 0, count)


@borrowing
def update(state, weights) -> bool:
    """Move every centre whose points have changed to their mean; True if any moved.

    A centre without points stays where it is.
    """
    state.clock[TICK] += 1
    moved = False
    for j in range(len(state.clusters)):
        if not state.stale[j]:
            continue
        state.stale[j] = 0
        state.stamps[HEAD, j] = state.clock[TICK]
        if state.clusters[j]["count"] == 0:
            continue
        mass = _mass(state, j, weights)
        for axis in range(state.centers.shape[1]):
            begin = state.clusters[j]["begin"]
            mean = _block_sum(state, j, state.pool[axis], begin, weights) / mass
            if mean != state.centers[j, axis]:
                state.centers[j, axis] = mean
                moved = True
    return moved


@borrowing
def inertia(state, weights) -> float:
    """Sum of weighted squared distances of all points from their centres; the state must be
    settled."""
    total = 0.0
    for j in range(len(state.clusters)):
        if not state.priced[j]:
            distances = state.point_values[DISTANCE]
            count = state.clusters[j]["count"]
            squared_distances(
                state.pool, state.clusters[j]["begin"], count, state.centers, j, distances
            )
            state.inertias[j] = _block_sum(state, j, distances, 0, weights)
            state.radius[j] = np.sqrt(largest(distances, count))
            state.priced[j] = 1
        total += state.inertias[j]
    return total


@borrowing
def copy_changed(problem, target, source) -> None:
    """Make ``target`` the state in ``source``, cluster by cluster where the stamps differ."""
    _forget_changed(target, source)
    _copy_blocks(target, source)
    _copy_heads(problem, target, source)


@borrowing
def _forget_changed(target, source) -> None:
    """Empty the blocks to be replaced, and have room in each.

    In many dimensions they are not emptied if they have room: most points are the old ones.
    """
    target.clock[TICK] = max(target.clock[TICK], source.clock[TICK])  # no stamp is used twice
    target.clock[SETTLED] = source.clock[SETTLED]
    fits, few = True, len(target.norms) == 0
    for j in range(len(source.clusters)):
        if target.stamps[BODY, j] != source.stamps[BODY, j]:
            fits &= target.clusters[j]["room"] >= source.clusters[j]["count"]
    for j in range(len(source.clusters)):
        if (few or not fits) and target.stamps[BODY, j] != source.stamps[BODY, j]:
            target.clusters[j]["count"] = 0
    if fits:
        return
    needs = target.cluster_numbers[NEEDS]
    for j in range(len(needs)):
        needs[j] = source.clusters[j]["count"]
    make_rooms(target, needs)


@borrowing
def _copy_blocks(target, source) -> None:
    """Copy the changed blocks."""
    for j in range(len(source.clusters)):
        same = target.stamps[BODY, j] == source.stamps[BODY, j]
        if same and target.stamps[SLACK, j] == source.stamps[SLACK, j]:
            continue
        count = source.clusters[j]["count"]
        start, origin = target.clusters[j]["begin"], source.clusters[j]["begin"]
        target.stamps[SLACK, j] = source.stamps[SLACK, j]
        if same:  # the points, and in the same order
            for i in range(count):
                target.slack[start + i] = source.slack[origin + i]
            continue
        kept = min(target.clusters[j]["count"], count)
        _copy_others(target, j, start, source, origin, kept)
        copy_block(target, start + kept, source, origin + kept, count - kept)
        for i in range(start + kept, start + count):
            target.labels[target.member[i]] = j
        target.clusters[j]["count"] = count
        target.stamps[BODY, j] = source.stamps[BODY, j]


@borrowing
def _copy_others(target, j, into, source, start, count) -> None:
    """Make points of block j those of ``source``; many are, at the same place."""
    for i in range(count):
        if target.member[into + i] != source.member[start + i]:
            copy_point(target, into + i, source, start + i)
            target.labels[target.member[into + i]] = j
        target.slack[into + i] = source.slack[start + i]


@borrowing
def _copy_heads(problem, target, source) -> None:
    for j in range(len(source.clusters)):
        target.destinations[j] = source.destinations[j]  # none, whenever a checkpoint is taken
        if target.stamps[HEAD, j] == source.stamps[HEAD, j]:
            continue
        for axis in range(source.centers.shape[1]):
            target.centers[j, axis] = source.centers[j, axis]
            target.anchors[j, axis] = source.anchors[j, axis]
            target.columns[axis, j] = source.columns[axis, j]
        if problem.grid.side > 0:
            x, y = target.columns[0, j], target.columns[1, j]
            put(problem.grid, target.heads, target.links, j, x, y)
        for axis in range(source.directions.shape[1]):
            target.directions[j, axis] = source.directions[j, axis]
            target.lengths[j] = source.lengths[j]
        target.clusters[j]["drift"] = source.clusters[j]["drift"]
        target.clusters[j]["least_slack"] = source.clusters[j]["least_slack"]
        target.radius[j] = source.radius[j]
        target.inertias[j] = source.inertias[j]
        target.priced[j] = source.priced[j]
        target.stale[j] = source.stale[j]
        target.stamps[HEAD, j] = source.stamps[HEAD, j]
