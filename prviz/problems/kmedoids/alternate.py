"""Alternating k-medoids: only clusters whose members or medoid have changed look for a new one."""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing, inlined
from .members import FIRST, NEXT, NONE, STALE

# Rows of the state's room for numbers of points.
MEMBERS = 0


@borrowing
def alternate(problem, state) -> bool:
    """Move the medoids of stale clusters to their best members; True if any moved.

    The state must be settled.
    """
    members, stale = state.room[MEMBERS], state.cluster_numbers[STALE]
    moved = False
    for j in range(problem.k):
        if stale[j]:
            stale[j] = 0
            n_members = _list_members(state, members, j)
            medoid = state.medoids[j]
            best = _best(problem.by_medoid, members, n_members, medoid)
            moved |= best != medoid
            state.medoids[j] = best
    return moved


@borrowing
def _list_members(state, members, j) -> int:
    """List the members of cluster j in ascending order; returns how many."""
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
    """The member with the least sum of distances; the medoid itself wins a tie."""
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
    """The sum of distances of the members, or as much of it as is ``enough``."""
    total = 0.0
    for m in range(n_members):  # in order, so that ties are the plain search's ties
        total += np.float64(row[members[m]])
        if total >= enough:
            break
    return total
