"""Store the medoids of each point, and a linked list of the members of each cluster.

A search writes the numbers of changed points to its *journal*. When a checkpoint is taken, it
stores the length of the journal. So updating the checkpoint, or reverting to it, copies only points
with later entries. If there are more such entries than points, all points are copied.

``problem.py`` describes the arrays of the state.
"""

from __future__ import annotations

from ...engine.dispatch import borrowing, inlined

#: Marks the end of a list, and a missing medoid.
NONE = -1

# Rows of ``state.point_numbers``.
SECOND, PLACE, NEXT, PREVIOUS, TOUCHED = range(5)
# Rows of ``state.cluster_numbers``.
FIRST, STALE = range(2)


@inlined
def write_down(state, i) -> None:
    """Add point i to the journal, because it changed. The last element counts the entries."""
    n = len(state.labels)
    state.journal[state.journal[n] % n] = i
    state.journal[n] += 1


@inlined
def relabel(state, i, j) -> None:
    """Move point i from its cluster's list to that of cluster j."""
    following, previous = state.point_numbers[NEXT, i], state.point_numbers[PREVIOUS, i]
    if previous != NONE:
        state.point_numbers[NEXT, previous] = following
    else:
        state.cluster_numbers[FIRST, state.labels[i]] = following
    if following != NONE:
        state.point_numbers[PREVIOUS, following] = previous
    state.labels[i] = j
    _enlist(state, i)


@inlined
def _enlist(state, i) -> None:
    """Put point i at the front of its cluster's list."""
    first = state.cluster_numbers[FIRST, state.labels[i]]
    state.point_numbers[PREVIOUS, i] = NONE
    state.point_numbers[NEXT, i] = first
    if first != NONE:
        state.point_numbers[PREVIOUS, first] = i
    state.cluster_numbers[FIRST, state.labels[i]] = i


@borrowing
def enlist_all(state) -> None:
    """Rebuild all lists from the labels. All points count as changed."""
    for j in range(len(state.medoids)):
        state.cluster_numbers[FIRST, j] = NONE
    for i in range(len(state.labels)):
        _enlist(state, i)
    n = len(state.labels)
    state.journal[n] += n + 1


@borrowing
def copy_changed(target, source) -> None:
    """Make ``target`` equal to ``source``: take a checkpoint of a search, or revert to it.

    A revert changes points, too. So it writes their numbers to the journal, because the checkpoints
    of other levels must copy these points later.
    """
    n = len(source.labels)
    back = target.journal[n] > source.journal[n]
    journal = target.journal if back else source.journal
    since, now = min(target.journal[n], source.journal[n]), journal[n]
    if since == 0 or now - since > n:
        _copy_all(target, source)
        journal[n] += n + 1
    else:
        for t in range(since, now):
            _copy_point(target, source, journal[t % n])
            if back:
                write_down(target, journal[t % n])
    _copy(target.medoids, source.medoids)
    _copy(target.anchors, source.anchors)
    _copy(target.cursor, source.cursor)
    _copy(target.total, source.total)
    _copy(target.cluster_numbers[STALE], source.cluster_numbers[STALE])
    for values in range(len(source.gains)):
        _copy(target.gains[values], source.gains[values])
    for values in range(len(source.losses)):
        _copy(target.losses[values], source.losses[values])
    target.journal[n] = source.journal[n] = journal[n]  # the states are equal until the next entry


@inlined
def _copy_point(target, source, i) -> None:
    if target.labels[i] != source.labels[i]:
        relabel(target, i, source.labels[i])
    target.distances[i] = source.distances[i]
    if len(source.second_distances) > 0:
        target.second_distances[i] = source.second_distances[i]
        target.point_numbers[SECOND, i] = source.point_numbers[SECOND, i]
    target.point_numbers[PLACE, i] = source.point_numbers[PLACE, i]


@borrowing
def _copy_all(target, source) -> None:
    """Copy the fields of all points, and the lists."""
    _copy(target.labels, source.labels)
    _copy(target.distances, source.distances)
    _copy(target.second_distances, source.second_distances)
    for numbers in range(len(source.point_numbers)):
        _copy(target.point_numbers[numbers], source.point_numbers[numbers])
    _copy(target.cluster_numbers[FIRST], source.cluster_numbers[FIRST])
    _copy(target.destinations, source.destinations)  # all destinations are −1 in a checkpoint


@borrowing
def _copy(target, source) -> None:
    for i in range(len(source)):
        target[i] = source[i]
