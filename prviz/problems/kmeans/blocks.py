"""Points in blocks, one contiguous block a cluster, in a pool with room to grow.

Scanning a cluster then streams through memory, and a block can be copied, or put back, as a whole.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing

#: Places of ``state.clock``: the last stamp given, the first free place of the pool, and whether
#: labels have been given yet.
TICK, TOP, SETTLED = 0, 1, 2

#: The row of ``state.cluster_numbers`` to sort clusters in.
ORDER = 5

#: Rows of ``state.stamps``: renewed with a cluster's centre or a bound, with the points of its
#: block, and with their slack.
HEAD, BODY, SLACK = range(3)

#: A cluster's block, and what its points are bound by (``lloyd.py``). What is looked through for
#: all clusters, again and again, is not here but in arrays of its own.
CLUSTER = np.dtype(
    [
        ("begin", np.int64),  # where its block begins in the pool
        ("room", np.int64),  # how many points fit into the block
        ("count", np.int64),  # how many it has
        ("drift", np.float64),  # how far the centres have moved since slack was counted from 0
        ("least_slack", np.float64),  # least of its points' slack
    ],
    align=True,
)


def pool_size(n: int) -> int:
    """Places a pool needs for n points: any block fits behind a compacted pool."""
    return 2 * n + 64


@borrowing
def copy_block(target, into, source, start, count) -> None:
    """Copy ``count`` points of ``source`` from place ``start`` to place ``into`` of ``target``."""
    for axis in range(source.pool.shape[0]):
        for i in range(count):  # upwards: a block may move left onto itself
            target.pool[axis, into + i] = source.pool[axis, start + i]
    for i in range(count):
        target.slack[into + i] = source.slack[start + i]
        target.member[into + i] = source.member[start + i]
    d = source.directions.shape[1]
    if d > 0:
        for i in range(count):
            target.norms[into + i] = source.norms[start + i]
        for i in range(count * d):
            target.rows[into * d + i] = source.rows[start * d + i]


@borrowing
def copy_point(target, into, source, place) -> None:
    """As :func:`copy_block` of one point, whose coordinates lie far apart."""
    d, depth = source.pool.shape[0], source.directions.shape[1]
    for axis in range(d):
        target.pool[axis, into] = source.pool[axis, place]
    target.slack[into] = source.slack[place]
    target.member[into] = source.member[place]
    if depth > 0:
        target.norms[into] = source.norms[place]
        for axis in range(depth):
            target.rows[into * depth + axis] = source.rows[place * depth + axis]


@borrowing
def _list_in_order(state) -> None:
    """List the clusters in the order of their blocks (numpy's sort takes seconds to compile)."""
    order = state.cluster_numbers[ORDER]
    for j in range(len(order)):
        i = j
        while i > 0 and state.clusters[order[i - 1]]["begin"] > state.clusters[j]["begin"]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = j


@borrowing
def make_rooms(state, needs) -> None:
    """Give each block j at least ``needs[j]`` places, which fit into the pool together.

    Those that lack some get them behind all others, or all blocks are laid out anew where that
    takes too much of the pool.
    """
    end = state.clock[TOP]
    for j in range(len(needs)):
        if state.clusters[j]["room"] < needs[j]:
            end += _wish(needs[j])
    if end > state.pool.shape[1]:
        _lay_out(state, needs)
        return
    for j in range(len(needs)):
        block = state.clusters[j]
        if block["room"] < needs[j]:
            top = state.clock[TOP]
            copy_block(state, top, state, block["begin"], block["count"])
            block["begin"] = top
            block["room"] = _wish(needs[j])
            state.clock[TOP] += block["room"]


@borrowing
def _wish(need) -> int:
    return need + need // 2 + 16


@borrowing
def _lay_out(state, needs) -> None:
    """Close the gaps between blocks, then share half of the places that nobody needs."""
    _list_in_order(state)
    top = needed = 0
    for j in state.cluster_numbers[ORDER]:  # to the left: nothing is overwritten unmoved
        block = state.clusters[j]
        copy_block(state, top, state, block["begin"], block["count"])
        block["begin"] = top
        block["room"] = max(block["count"], needs[j])
        top += block["count"]
        needed += block["room"]
    spare = (state.pool.shape[1] - needed) // (2 * len(needs))
    top = needed + spare * len(needs)
    state.clock[TOP] = top
    for j in state.cluster_numbers[ORDER][::-1]:  # the last block first
        block = state.clusters[j]
        block["room"] += spare
        top -= block["room"]
        _move_right(state, top, block["begin"], block["count"])
        block["begin"] = top


@borrowing
def _move_right(state, into, start, count) -> None:
    depth = state.directions.shape[1]
    for axis in range(state.pool.shape[0]):
        for i in range(count - 1, -1, -1):
            state.pool[axis, into + i] = state.pool[axis, start + i]
    for i in range(count - 1, -1, -1):
        state.slack[into + i] = state.slack[start + i]
        state.member[into + i] = state.member[start + i]
        if depth > 0:
            state.norms[into + i] = state.norms[start + i]
    for i in range(count * depth - 1, -1, -1):
        state.rows[into * depth + i] = state.rows[start * depth + i]
