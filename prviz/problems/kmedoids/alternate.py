"""Alternating k-medoids, in which only changed clusters search for a new medoid."""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing, inlined
from .members import FIRST, NEXT, NONE, STALE

# Row of ``state.room`` for the members of a cluster.
MEMBERS = 0
# Rows of ``problem.marks``.
AS_MEMBER, AS_MEDOID = range(2)
# Columns of ``state.known``, the table of known clusters.
MARK, BEST = range(2)

#: Entries per point in the table of known clusters.
KNOWN = 16


def new_marks(n: int) -> np.ndarray:
    """Return random numbers that identify clusters, (2, n) int64.

    A cluster's mark is the XOR of the marks of its members and its medoid (Zobrist 1970).
    Two different clusters have the same mark with probability 2^−63.
    """
    return np.random.default_rng(n).integers(-(2**63), 2**63, (2, n))


def room_for_known(n: int) -> tuple[int, int]:
    """Return the shape of the table of known clusters; its length is a power of two."""
    return 1 << (KNOWN * n - 1).bit_length(), 2


@borrowing
def alternate(problem, state) -> bool:
    """Move the medoids of stale clusters to their best members; return True if any moved.

    Call :func:`.nearest.settle` first.
    """
    stale = state.cluster_numbers[STALE]
    moved = False
    for j in range(problem.k):
        if stale[j]:
            stale[j] = 0
            best = _best_known(problem, state, j)
            moved |= best != state.medoids[j]
            state.medoids[j] = best
    return moved


@borrowing
def _best_known(problem, state, j) -> int:
    """Return the best member of cluster j, from the table if the table has this cluster."""
    medoid = state.medoids[j]
    mark = problem.marks[AS_MEDOID, medoid]
    i = state.cluster_numbers[FIRST, j]
    while i != NONE:
        mark ^= problem.marks[AS_MEMBER, i]
        i = state.point_numbers[NEXT, i]
    mark |= 1  # so it differs from 0, the mark of an empty slot
    place = (mark >> 1) & (len(state.known) - 1)
    if state.known[place, MARK] != mark:
        members = state.room[MEMBERS]
        n_members = _list_members(state, members, j)
        state.known[place, MARK] = mark
        state.known[place, BEST] = _best(problem.by_medoid, members, n_members, medoid)
    return state.known[place, BEST]


@borrowing
def _list_members(state, members, j) -> int:
    """List the members of cluster j in ascending order; return their number."""
    n_members = 0
    i = np.int64(state.cluster_numbers[FIRST, j])
    while i != NONE:
        place = n_members
        while place > 0 and members[place - 1] > i:
            members[place] = members[place - 1]
            place -= 1
        members[place] = i
        n_members += 1
        i = np.int64(state.point_numbers[NEXT, i])
    return n_members


@borrowing
def _best(by_medoid, members, n_members, medoid) -> int:
    """Return the member with the least sum of distances; the medoid wins a tie."""
    best = medoid
    least = _sum_from(by_medoid[medoid], members, n_members, np.inf)
    for m in range(n_members):
        if members[m] != medoid:
            total = _sum_from(by_medoid[members[m]], members, n_members, least)
            if total < least:
                best, least = members[m], total
    return best


@inlined
def _sum_from(row, members, n_members, enough) -> float:
    """Return the sum of distances of the members, or a partial sum that reaches ``enough``."""
    total = 0.0
    for m in range(n_members):  # added in order, so that ties are resolved as in the plain search
        total += np.float64(row[members[m]])
        if total >= enough:
            break
    return total
