"""Lloyd's algorithm, incremental: a redraw of a few centres touches only what it can change.

The result is plain Lloyd's (``plain.py``), label for label. The saving comes from bounds
in the manner of Hamerly (2010), kept a cluster at a time:

* A point's *slack* is a lower bound on how much nearer its own centre is than any other. It is
  capped, and stored as slack + the *drift* of its cluster at the time.
* A cluster's drift adds up, settling after settling, how far its own centre and the farthest
  moving centre nearby have moved. A point can change its label only when drift has used up its
  slack, and no point of a cluster can while the least slack in the cluster holds.
* A centre that *leaps* would make nearly all drift past their slack, and in many dimensions all
  clusters are near each other. So its leap counts for no drift; instead the distances of the points
  from where it has landed limit their slack, which takes one distance a point and not k.
* A centre farther than 2 R + cap from a cluster of radius R can't come closer to any of its points
  than slack allows (triangle inequality), so far centres count for nothing, however they move.
* Points of a cluster lie together in a block (``blocks.py``). A cluster carries stamps, renewed
  when its head (centre, bounds), the points of its block or their slack change; a checkpoint copies
  what has another stamp.

The states' arrays are described in ``kmeans.py``.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing, extremal
from ...engine.simd.sums import sum_of
from .blocks import SETTLED, TICK, copy_block, make_room
from .common import squared_distance
from .distances import PAIR, nearest_two, squared_distances

#: Relative allowance for rounding in sums and differences of distances.
ROUNDING = 1e-12

# Rows of the state's working space, one column a point or a cluster. Of point_values, batch last:
DISTANCE, BEST, SECOND, LABEL, MOVE_SLACK, MOVE_DISTANCE, BATCH = range(7)
POSITION, MOVE_FROM, MOVE_TO = range(3)  # point_numbers
SHIFT, AWAY, REACH, NEARBY, LEAPT = range(5)  # cluster_values
MOVED, SCANNED, FIRST_MOVE, END_MOVE, CANDIDATES = range(5)  # cluster_numbers, pool.ORDER last


#: A centre leaps that moves by more than this share of the cap. Many points would lose their slack
#: to its way; so one asks, point by point, how much it takes from them where it has landed.
LEAP = 0.25
#: The share of the centres that may leap at once; if more do, points had better look around.
LEAPERS = 0.125


@extremal
def _largest(values, count) -> float:
    largest = 0.0
    for i in range(count):
        largest = max(largest, values[i])
    return largest


@extremal
def _smallest(values, start, count) -> float:
    smallest = np.inf
    for i in range(start, start + count):
        smallest = min(smallest, values[i])
    return smallest


@borrowing
def _candidates(state, reference, j, radius, cap) -> int:
    """List the centres that may be nearest, or second nearest within the cap, to a point
    within ``radius`` of ``reference[j]``; returns how many."""
    distances = state.cluster_values[AWAY]
    candidates = state.cluster_numbers[CANDIDATES]
    squared_distances(state.columns, 0, len(distances), reference, j, distances)
    reach = np.sqrt(_smallest(distances, 0, len(distances))) + 2.0 * radius + cap
    reach *= 1.0 + ROUNDING
    reach *= reach
    n_candidates = 0
    for c in range(len(distances)):  # n_candidates ≤ c: there is always room
        candidates[n_candidates] = c
        n_candidates += distances[c] <= reach
    return n_candidates


@borrowing
def settle(state, cap) -> None:
    """Bring labels, blocks and bounds up to date with the centres, wherever these have moved to."""
    n_moved = _shifts(state)
    if n_moved == 0 and state.clock[SETTLED]:
        return
    state.clock[TICK] += 1
    n_scanned = _scan_loosened(state, cap, n_moved)
    for s in range(n_scanned):
        wanting = _move_points(state, s)
        while wanting >= 0:
            make_room(state, wanting, state.clusters[wanting]["count"] + 1)
            wanting = _move_points(state, s)
    _finish(state, cap, n_scanned, n_moved)


@borrowing
def _shifts(state) -> int:
    """Note how far each centre has moved since the last settling; returns how many have."""
    shift = state.cluster_values[SHIFT]
    n_moved = 0
    for j in range(len(shift)):
        shift[j] = squared_distance(state.centers, j, state.anchors, j)
        if shift[j] > 0.0:
            shift[j] = np.sqrt(shift[j])
            state.cluster_numbers[MOVED, n_moved] = j
            n_moved += 1
            for axis in range(state.centers.shape[1]):
                state.columns[axis, j] = state.centers[j, axis]
    return n_moved


@borrowing
def _scan_loosened(state, cap, n_moved) -> int:
    """Scan every cluster whose bounds no longer hold; returns how many those are."""
    leap = _leap(state, cap, n_moved)
    _note_nearby(state, cap, n_moved, leap)
    n_scanned = 0
    for j in range(len(state.clusters)):
        if state.clusters[j]["count"] > 0 and _loosen(state, j, cap, n_moved, leap):
            state.cluster_numbers[SCANNED, n_scanned] = j
            n_scanned += 1
    n_moves = np.int64(0)  # not a literal: numba would compile what takes it once for that too
    for s in range(n_scanned):
        state.cluster_numbers[FIRST_MOVE, s] = n_moves
        n_moves = _scan(state, state.cluster_numbers[SCANNED, s], cap, n_moves)
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
        state.clusters[j]["head_stamp"] = state.clock[TICK]
        state.clusters[j]["priced"] = 0
    state.clock[SETTLED] = 1


@borrowing
def _jumped(state, j, cap) -> bool:
    """A centre that has moved so far that all its points must look for a new one."""
    return state.cluster_values[SHIFT, j] > cap or not state.clock[SETTLED]


@borrowing
def _leap(state, cap, n_moved) -> float:
    """The move beyond which a centre leaps: none, if too many would, and none in a plane, where
    most clusters are too far away to feel it."""
    if state.centers.shape[1] <= 2:
        return np.inf
    leapers = 0
    for m in range(n_moved):
        leapers += state.cluster_values[SHIFT, state.cluster_numbers[MOVED, m]] > LEAP * cap
    return LEAP * cap if leapers <= max(2, int(LEAPERS * len(state.clusters))) else np.inf


@borrowing
def _note_nearby(state, cap, n_moved, leap) -> None:
    """For every cluster, the longest move of another centre that is now near enough to count."""
    shift, away = state.cluster_values[SHIFT], state.cluster_values[AWAY]
    reach, nearby = state.cluster_values[REACH], state.cluster_values[NEARBY]
    leapt = state.cluster_values[LEAPT]
    for j in range(len(shift)):
        far = 2.0 * (state.clusters[j]["radius"] + shift[j]) + cap
        reach[j] = far * far
        nearby[j] = leapt[j] = 0.0
    for m in range(n_moved):
        c = state.cluster_numbers[MOVED, m]
        squared_distances(state.columns, 0, len(shift), state.centers, c, away)
        away[c] = np.inf  # its own move is not another's
        length = shift[c]
        row = leapt if length > leap else nearby
        for j in range(len(shift)):
            row[j] = max(row[j], length if away[j] <= reach[j] else 0.0)


@borrowing
def _loosen(state, j, cap, n_moved, leap) -> bool:
    """Let the bounds of cluster j give way to the centres' moves; True if it must be scanned."""
    if _jumped(state, j, cap):
        return True
    own, nearby = state.cluster_values[SHIFT, j], state.cluster_values[NEARBY, j]
    leapt = state.cluster_values[LEAPT, j]
    if own == 0.0 and nearby == 0.0 and leapt == 0.0:
        return False
    radius = state.clusters[j]["radius"] + own
    state.clusters[j]["radius"] = radius
    state.clusters[j]["drift"] += own + nearby
    state.clusters[j]["head_stamp"] = state.clock[TICK]
    if leapt > 0.0:
        _challenge(state, j, n_moved, leap)
    allowance = ROUNDING * (state.clusters[j]["drift"] + radius + cap)
    return state.clusters[j]["least_slack"] <= state.clusters[j]["drift"] + allowance


@borrowing
def _challenge(state, j, n_moved, leap) -> None:
    """Let the centres that have leapt near cluster j use up its points' slack, one by one."""
    start, count = state.clusters[j]["begin"], state.clusters[j]["count"]
    drift, reach = state.clusters[j]["drift"], state.cluster_values[REACH, j]
    own, other = state.point_values[DISTANCE], state.point_values[BEST]
    squared_distances(state.pool, start, count, state.centers, j, own)
    for i in range(count):
        own[i] = np.sqrt(own[i]) - drift
    for m in range(n_moved):
        c = state.cluster_numbers[MOVED, m]
        if c == j or state.cluster_values[SHIFT, c] <= leap:
            continue
        if squared_distance(state.centers, c, state.centers, j) > reach:
            continue
        squared_distances(state.pool, start, count, state.centers, c, other)
        for i in range(count):
            state.slack[start + i] = min(state.slack[start + i], np.sqrt(other[i]) - own[i])
    state.clusters[j]["least_slack"] = _smallest(state.slack, start, count)
    state.clusters[j]["slack_stamp"] = state.clock[TICK]


@borrowing
def _scan(state, j, cap, n_moves) -> int:
    """Look at the points of cluster j without slack; note those that have a nearer centre."""
    # In one piece: one pass, whose parts share all that it counts.
    start, count, d = state.clusters[j]["begin"], state.clusters[j]["count"], state.pool.shape[0]
    batch, position = state.point_values[BATCH:], state.point_numbers[POSITION]
    distances = state.point_values[DISTANCE]
    jumped = _jumped(state, j, cap)
    size = 0
    if jumped:
        for i in range(count):
            position[i] = i
        size = count
    else:
        spent = state.clusters[j]["drift"]
        spent += ROUNDING * (spent + state.clusters[j]["radius"] + cap)
        for i in range(count):  # without a branch: it would be guessed wrong
            position[size] = i
            size += state.slack[start + i] <= spent
    padded = (size + PAIR - 1) & -PAIR  # whole vectors: what comes of the rest is not read
    for axis in range(d):
        if size == count:  # in one piece
            for i in range(size):
                batch[axis, i] = state.pool[axis, start + i]
            continue
        for i in range(size):
            batch[axis, i] = state.pool[axis, start + position[i]]

    if jumped:
        reference, radius = state.anchors, state.clusters[j]["radius"]
    else:
        squared_distances(batch, 0, padded, state.centers, j, distances)
        reference, radius = state.centers, np.sqrt(_largest(distances, size))
    n_candidates = _candidates(state, reference, j, radius, cap)
    best, second = state.point_values[BEST], state.point_values[SECOND]
    label = state.point_values[LABEL]
    candidates = state.cluster_numbers[CANDIDATES]
    nearest_two(batch, padded, state.centers, candidates, n_candidates, best, second, label)
    for i in range(padded):
        best[i] = np.sqrt(best[i])
        second[i] = min(np.sqrt(second[i]) - best[i], cap)  # the slack from now on
    for i in range(size):
        to = np.int64(label[i])
        slack = second[i] + state.clusters[to]["drift"]
        if to == j:
            state.slack[start + position[i]] = slack
        else:
            state.point_numbers[MOVE_FROM, n_moves] = position[i]
            state.point_numbers[MOVE_TO, n_moves] = to
            state.point_values[MOVE_SLACK, n_moves] = slack
            state.point_values[MOVE_DISTANCE, n_moves] = best[i]
            n_moves += 1
    return n_moves


@borrowing
def _move_points(state, s) -> int:
    """Carry out the moves noted for the s-th scanned cluster, the last one first.

    Stops at a full block and returns its cluster, to be called again when that has room; −1
    when all is done. Taken from the end, a gap is filled by a point that stays.
    """
    j = state.cluster_numbers[SCANNED, s]
    tick = state.clock[TICK]
    old = state.clusters[j]
    while state.cluster_numbers[END_MOVE, s] > state.cluster_numbers[FIRST_MOVE, s]:
        move = state.cluster_numbers[END_MOVE, s] - 1
        to = state.point_numbers[MOVE_TO, move]
        new = state.clusters[to]
        if new["count"] == new["room"]:
            return to
        place = old["begin"] + state.point_numbers[MOVE_FROM, move]
        into = new["begin"] + new["count"]
        copy_block(state, into, state, place, 1)
        slack = state.point_values[MOVE_SLACK, move]
        state.slack[into] = slack
        state.labels[state.member[into]] = to
        new["count"] += 1
        new["radius"] = max(new["radius"], state.point_values[MOVE_DISTANCE, move])
        new["least_slack"] = min(new["least_slack"], slack)
        old["count"] -= 1
        copy_block(state, place, state, old["begin"] + old["count"], 1)
        for cluster in (j, to):
            state.clusters[cluster]["stale"] = 1
            state.clusters[cluster]["priced"] = 0
            state.clusters[cluster]["head_stamp"] = tick
            state.clusters[cluster]["body_stamp"] = tick
            state.clusters[cluster]["slack_stamp"] = tick
        state.cluster_numbers[END_MOVE, s] = move
    return -1


@borrowing
def _tighten(state, j, cap) -> None:
    """Renew the bounds of a scanned cluster from the points that it has now."""
    start, count = state.clusters[j]["begin"], state.clusters[j]["count"]
    if _jumped(state, j, cap):
        squared_distances(state.pool, start, count, state.centers, j, state.point_values[DISTANCE])
        state.clusters[j]["radius"] = np.sqrt(_largest(state.point_values[DISTANCE], count))
    state.clusters[j]["least_slack"] = _smallest(state.slack, start, count)
    state.clusters[j]["head_stamp"] = state.clock[TICK]
    state.clusters[j]["slack_stamp"] = state.clock[TICK]


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
        if not state.clusters[j]["stale"]:
            continue
        state.clusters[j]["stale"] = 0
        state.clusters[j]["head_stamp"] = state.clock[TICK]
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
        if not state.clusters[j]["priced"]:
            distances = state.point_values[DISTANCE]
            count = state.clusters[j]["count"]
            squared_distances(
                state.pool, state.clusters[j]["begin"], count, state.centers, j, distances
            )
            state.clusters[j]["inertia"] = _block_sum(state, j, distances, 0, weights)
            state.clusters[j]["radius"] = np.sqrt(_largest(distances, count))
            state.clusters[j]["priced"] = 1
        total += state.clusters[j]["inertia"]
    return total


@borrowing
def copy_changed(target, source) -> None:
    """Make ``target`` the state in ``source``, cluster by cluster where the stamps differ."""
    _forget_changed(target, source)
    wanting = _copy_blocks(target, source)
    while wanting >= 0:
        make_room(target, wanting, source.clusters[wanting]["count"])
        wanting = _copy_blocks(target, source)
    _copy_heads(target, source)


@borrowing
def _forget_changed(target, source) -> None:
    """Empty the blocks to be replaced: then old and new ones together fit into the pool."""
    target.clock[TICK] = max(target.clock[TICK], source.clock[TICK])  # no stamp is used twice
    target.clock[SETTLED] = source.clock[SETTLED]
    for j in range(len(source.clusters)):
        if target.clusters[j]["body_stamp"] != source.clusters[j]["body_stamp"]:
            target.clusters[j]["count"] = 0


@borrowing
def _copy_blocks(target, source) -> int:
    """Copy the changed blocks; returns a cluster whose block is too small, or −1 when done."""
    for j in range(len(source.clusters)):
        same = target.clusters[j]["body_stamp"] == source.clusters[j]["body_stamp"]
        if same and target.clusters[j]["slack_stamp"] == source.clusters[j]["slack_stamp"]:
            continue
        count = source.clusters[j]["count"]
        if target.clusters[j]["room"] < count:
            return j
        start, origin = target.clusters[j]["begin"], source.clusters[j]["begin"]
        target.clusters[j]["slack_stamp"] = source.clusters[j]["slack_stamp"]
        if same:  # the points, and in the same order
            for i in range(count):
                target.slack[start + i] = source.slack[origin + i]
            continue
        copy_block(target, start, source, origin, count)
        for i in range(start, start + count):
            target.labels[target.member[i]] = j
        target.clusters[j]["count"] = count
        target.clusters[j]["body_stamp"] = source.clusters[j]["body_stamp"]
    return -1


@borrowing
def _copy_heads(target, source) -> None:
    for j in range(len(source.clusters)):
        target.destinations[j] = source.destinations[j]  # none, whenever a checkpoint is taken
        head, model = target.clusters[j], source.clusters[j]
        if head["head_stamp"] == model["head_stamp"]:
            continue
        for axis in range(source.centers.shape[1]):
            target.centers[j, axis] = source.centers[j, axis]
            target.anchors[j, axis] = source.anchors[j, axis]
            target.columns[axis, j] = source.columns[axis, j]
        head["radius"] = model["radius"]
        head["drift"] = model["drift"]
        head["least_slack"] = model["least_slack"]
        head["inertia"] = model["inertia"]
        head["priced"] = model["priced"]
        head["stale"] = model["stale"]
        head["head_stamp"] = model["head_stamp"]
