"""Alternating k-medoids: only clusters whose members or medoid have changed look for a new one."""

from __future__ import annotations

from ..dispatch import borrowing, vectorised
from .nearest import FIRST, MEMBERS, NEXT

#: End of a list.
NONE = -1


@vectorised
def alternate(problem, state) -> bool:
    """Move the medoids of stale clusters to their best members; True if any moved.

    The state must be settled.
    """
    _chain_members(state)
    moved = False
    for j in range(problem.k):
        if not state.stale[j]:
            continue
        state.stale[j] = 0
        best = _best(problem, state, j, _list_members(state, j))
        moved |= best != state.medoids[j]
        state.medoids[j] = best
    return moved


@vectorised
def _chain_members(state) -> None:
    """Chain the members of every stale cluster, in ascending order."""
    first, following = state.cluster_numbers[FIRST], state.point_numbers[NEXT]
    first[:] = NONE
    for i in range(len(state.labels) - 1, -1, -1):
        j = state.labels[i]
        if state.stale[j]:
            following[i] = first[j]
            first[j] = i


@vectorised
def _list_members(state, j) -> int:
    """Write the chain of cluster j into a row; returns its length."""
    n_members = 0
    i = state.cluster_numbers[FIRST, j]
    while i != NONE:
        state.point_numbers[MEMBERS, n_members] = i
        n_members += 1
        i = state.point_numbers[NEXT, i]
    return n_members


@vectorised
def _best(problem, state, j, n_members) -> int:
    """The member with the least sum of distances; the medoid itself wins a tie."""
    members = state.point_numbers[MEMBERS]
    best = state.medoids[j]
    least = _sum_from(problem.by_medoid[best], members, n_members)
    for m in range(n_members):
        total = _sum_from(problem.by_medoid[members[m]], members, n_members)
        if total < least:
            best, least = members[m], total
    return best


@borrowing
def _sum_from(row, members, n_members) -> float:
    total = 0.0
    for m in range(n_members):  # in order, so that ties are the plain search's ties
        total += row[members[m]]
    return total
