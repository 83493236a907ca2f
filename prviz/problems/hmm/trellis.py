"""The trellis of the paths that matter: made of a sorted model, and thinned out since.

Nodes are numbered by step and position, edges by the node that they come from and then by that
which they lead to, entries as the edges first need them. Leaving some out keeps the order of the
others, and so every sum over them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.dispatch import borrowing
from ...engine.simd.simd8 import WIDTH, kept, less, load, mask, spread, store, total
from .sorted_model import DEAD, positions

#: A trellis is made once no more nodes than this are left for each step, and has room for so many
#: edges a step.
NODES_A_STEP = 16
EDGES_A_STEP = 64

#: Fields of ``Trellis.amounts``.
EDGES, ENTRIES, ACTIVE, MEMBERS, SCALED = range(5)


class Trellis(NamedTuple):
    """Working space of a fit; what it holds between fits means nothing, save for zeros.

    Attributes
    ----------
    amounts : (5,) int64
        Number of edges, of entries, of members that still occur, of all members; and whether the
        forward variables have become so small that they are rescaled.
    node_first : (T + 1,) int64
        Where the nodes of each step begin; ``node_plural`` (T,) where those of plurals do.
    node_state, node_position, node_slot : (16 T + 1,) uint32
        The state, its place in the sorted model, and the entry of B that its symbol takes;
        ``node_number`` is room for numbering the nodes anew.
    edge_first : (T + 1,) int64
        Where the edges from step t to t + 1 begin; from the last step there are none.
    edge_from, edge_to, edge_entry : (64 T + N + 1,) uint32
    edge_back : (64 T + N + 1,) uint32
        The edges, those of the last step first, of each step in their order.
    entry_from, entry_to : (64 T + N + 1,) uint32
        States; ``entry_number`` is room for numbering the entries anew.
    entry_at : (N N,) uint32
        One more than the number of the entry from state i to j, at i N + j; zero for none, and
        everywhere when no trellis is being made.
    members : (N,) int64
        States that occur in the trellis; those that still do are the first.
    node_at : (N',) uint32, after : (N',) float64
        While edges to a step are looked for: the node at each position, and the backward variables
        of the nodes; zero elsewhere, and everywhere between.
    node_ahead, node_behind, node_emission, node_visits : (16 T + 1,) float64
        Forward and backward variables of the nodes, B of their symbol, posterior probabilities.
    edge_weight, edge_passes : (64 T + N + 1,) float64
        A times B along an edge, and its posterior probability.
    entry_value, entry_passed : (64 T + N + 1,) float64
        A's entries and their expected counts.
    step_factor : (T,) float64
        By which the forward variables of a step were multiplied, to stay in range.
    departures : (N,) float64
        Expected departures from each state.
    slot_value, emitted_by : (N K,) float64
        B, and expected emissions, at i K + s.
    """

    amounts: np.ndarray
    node_first: np.ndarray
    node_plural: np.ndarray
    node_state: np.ndarray
    node_position: np.ndarray
    node_slot: np.ndarray
    node_number: np.ndarray
    edge_first: np.ndarray
    edge_from: np.ndarray
    edge_to: np.ndarray
    edge_entry: np.ndarray
    edge_back: np.ndarray
    entry_from: np.ndarray
    entry_to: np.ndarray
    entry_number: np.ndarray
    entry_at: np.ndarray
    members: np.ndarray
    node_at: np.ndarray
    after: np.ndarray
    node_ahead: np.ndarray
    node_behind: np.ndarray
    node_emission: np.ndarray
    node_visits: np.ndarray
    edge_weight: np.ndarray
    edge_passes: np.ndarray
    entry_value: np.ndarray
    entry_passed: np.ndarray
    step_factor: np.ndarray
    departures: np.ndarray
    slot_value: np.ndarray
    emitted_by: np.ndarray


def empty_trellis(T: int, N: int, K: int) -> Trellis:
    """Room for a string of T symbols out of K and a model of N states."""
    nodes, edges = NODES_A_STEP * T + 1, EDGES_A_STEP * T + N + 1

    def whole(size: int) -> np.ndarray:
        return np.zeros(size, np.int64)

    def numbers(size: int) -> np.ndarray:  # without a sign: negative indices would be looked for
        return np.zeros(size, np.uint32)

    return Trellis(
        amounts=whole(5),
        node_first=whole(T + 1),
        node_plural=whole(T),
        node_state=numbers(nodes),
        node_position=numbers(nodes),
        node_slot=numbers(nodes),
        node_number=numbers(nodes),
        edge_first=whole(T + 1),
        edge_from=numbers(edges),
        edge_to=numbers(edges),
        edge_entry=numbers(edges),
        edge_back=numbers(edges),
        entry_from=numbers(edges),
        entry_to=numbers(edges),
        entry_number=numbers(edges),
        entry_at=numbers(N * N),
        members=whole(N),
        node_at=numbers(positions(N, K)),
        after=np.zeros(positions(N, K)),
        node_ahead=np.zeros(nodes),
        node_behind=np.zeros(nodes),
        node_emission=np.zeros(nodes),
        node_visits=np.zeros(nodes),
        edge_weight=np.zeros(edges),
        edge_passes=np.zeros(edges),
        entry_value=np.zeros(edges),
        entry_passed=np.zeros(edges),
        step_factor=np.zeros(T),
        departures=np.zeros(N),
        slot_value=np.zeros(N * K),
        emitted_by=np.zeros(N * K),
    )


# Making it


@borrowing
def open_trellis(k, sequence) -> bool:
    """Make the trellis of what the last E-step over the sorted model has left.

    False if there is too much of it; ``k`` is a state, which has the fields of both.
    """
    T, K = len(sequence), len(k.symbol_end)
    if k.sizes[0] == 0 and _too_many_edges(k, T):
        return False
    _list_nodes(k, sequence, K)
    n, room = 0, EDGES_A_STEP * T
    for t in range(T - 1):
        k.edge_first[t] = n
        if n <= room:
            n = _list_edges(k, t, n, room)
    k.edge_first[T - 1] = k.edge_first[T] = n
    if n > room:
        return False
    k.amounts[EDGES], k.amounts[SCALED] = n, 0
    _list_entries(k)
    _order_back(k, T)
    _list_members(k, T)
    return True


@borrowing
def read_slots(k, emission) -> None:
    """Take over B, as far as the trellis needs it."""
    K = emission.shape[1]
    for m in range(k.amounts[MEMBERS]):
        state = k.members[m]
        for s in range(K):
            k.slot_value[state * K + s] = emission[state, s]


@borrowing
def _too_many_edges(k, T) -> bool:
    """Whether there are more than there is room for, where all states are plurals."""
    W, dead, room = k.sizes[3], spread(k.limits[DEAD]), float(EDGES_A_STEP * T)
    n = 0.0
    for t in range(T - 1):
        behind, visits = k.behind[t], k.visits[t + 1]
        for q in range(0, W, WIDTH):
            store(k.after, q, kept(load(behind, q), less(dead, load(visits, q))))
        counts = spread(0.0)
        for i in range(k.sizes[1]):
            if k.visits[t, i] > k.limits[DEAD]:
                ahead, row = spread(k.ahead[t, i]), k.rows[i]
                for q in range(0, W, WIDTH):
                    counts = counts + less(dead, ahead * load(row, q) * load(k.after, q))
        n += total(counts)
        if n > room:
            break
    k.after[:W] = 0.0
    return n > room


@borrowing
def _list_nodes(k, sequence, K) -> None:
    T, S, P = len(sequence), k.sizes[0], k.sizes[1]
    n = 0
    for t in range(T):
        symbol = sequence[t]
        k.node_first[t] = n
        n = _list_nodes_of(k, t, k.symbol_first[symbol], k.symbol_end[symbol], symbol, K, n)
        k.node_plural[t] = n
        n = _list_nodes_of(k, t, S, S + P, symbol, K, n)
    k.node_first[T] = n


@borrowing
def _list_nodes_of(k, t, low, high, symbol, K, n) -> int:
    visits, dead = k.visits[t], spread(k.limits[DEAD])
    for begin in range(low, high, WIDTH):
        found, q = mask(dead, load(visits, begin)), begin
        while found:
            state = k.state_at[q]
            k.node_position[n] = q
            k.node_state[n] = state
            k.node_slot[n] = state * K + symbol
            k.node_visits[n] = visits[q]
            n += found & 1
            found >>= 1
            q += 1
    return n


@borrowing
def _list_edges(k, t, n, room) -> int:
    """Append the edges from step t on; returns how many there are, or more than there is room for.

    Those that don't matter are written as well, and then written over: what matters can't be
    guessed, so a branch would cost more.
    """
    S, dead, behind = k.sizes[0], k.limits[DEAD], k.behind[t]
    begin, plural, end = k.node_first[t + 1], k.node_plural[t + 1], k.node_first[t + 2]
    for j in range(begin, end):
        q = k.node_position[j]
        k.node_at[q], k.after[q], k.node_behind[j] = j, behind[q], behind[q]
    link, last = k.link_first[t], k.link_last[t]
    for i in range(k.node_first[t], k.node_first[t + 1]):
        q = k.node_position[i]
        ahead = k.ahead[t, q]
        if n > room:
            break
        if i < k.node_plural[t]:
            while link < last and k.link_from[link] < q:
                link += 1
            while link < last and k.link_from[link] == q:
                r, value = k.link_to[link], k.link_value[link]
                passes = ahead * value * k.after[r]
                k.edge_from[n], k.edge_to[n] = i, k.node_at[r]
                k.edge_weight[n], k.edge_passes[n] = value, passes
                n += passes > dead
                link += 1
            for j in range(plural, end):
                value = k.columns[k.node_position[j] - S, q]
                passes = ahead * value * k.node_behind[j]
                k.edge_from[n], k.edge_to[n] = i, j
                k.edge_weight[n], k.edge_passes[n] = value, passes
                n += passes > dead
        else:
            row = k.rows[q - S]
            for j in range(begin, end):
                value = row[k.node_position[j]]
                passes = ahead * value * k.node_behind[j]
                k.edge_from[n], k.edge_to[n] = i, j
                k.edge_weight[n], k.edge_passes[n] = value, passes
                n += passes > dead
    for j in range(begin, end):
        k.after[k.node_position[j]] = 0.0
    return n


@borrowing
def _list_entries(k) -> None:
    """Number the entries of A that edges need; the edges' weights are still their values."""
    N, n = len(k.position), 0
    for e in range(k.amounts[EDGES]):
        state, next_state = k.node_state[k.edge_from[e]], k.node_state[k.edge_to[e]]
        entry = k.entry_at[state * N + next_state]
        if entry == 0:
            k.entry_from[n], k.entry_to[n] = state, next_state
            k.entry_value[n] = k.edge_weight[e]
            n += 1
            entry = n
            k.entry_at[state * N + next_state] = n
        k.edge_entry[e] = entry - 1
    k.amounts[ENTRIES] = n
    for entry in range(n):
        k.entry_at[k.entry_from[entry] * N + k.entry_to[entry]] = 0


@borrowing
def _order_back(k, T) -> None:
    n = 0
    for t in range(T - 2, -1, -1):
        for e in range(k.edge_first[t], k.edge_first[t + 1]):
            k.edge_back[n] = e
            n += 1


@borrowing
def _list_members(k, T) -> None:
    k.departures[:] = -1.0  # marks states that do not occur
    n = 0
    for i in range(k.node_first[T]):
        state = k.node_state[i]
        if k.departures[state] < 0.0:
            k.departures[state] = 0.0
            k.members[n] = state
            n += 1
    k.amounts[ACTIVE] = k.amounts[MEMBERS] = n


# Thinning it out


@borrowing
def compact(k, T) -> None:
    """Leave out nodes and edges that have become negligible, and what none of them needs."""
    _compact_nodes(k, T)
    _compact_edges(k, T)
    _compact_entries(k)
    _order_back(k, T)
    _leave_members(k, T)


@borrowing
def _compact_nodes(k, T) -> None:
    dead = k.limits[DEAD]
    n = 0
    for t in range(T):
        begin, end = k.node_first[t], k.node_first[t + 1]
        k.node_first[t] = n
        for i in range(begin, end):
            k.node_number[i] = n
            k.node_state[n], k.node_slot[n] = k.node_state[i], k.node_slot[i]
            visits = k.node_visits[i]
            k.node_visits[n] = visits
            n += visits > dead
    k.node_first[T] = n


@borrowing
def _compact_edges(k, T) -> None:
    dead = k.limits[DEAD]
    n = 0
    for t in range(T):
        begin, end = k.edge_first[t], k.edge_first[t + 1]
        k.edge_first[t] = n
        for e in range(begin, end):
            k.edge_from[n] = k.node_number[k.edge_from[e]]
            k.edge_to[n] = k.node_number[k.edge_to[e]]
            k.edge_entry[n] = k.edge_entry[e]
            passes = k.edge_passes[e]
            k.edge_passes[n] = passes
            n += passes > dead
    k.edge_first[T] = k.amounts[EDGES] = n


@borrowing
def _compact_entries(k) -> None:
    """Leave out entries without an edge: they are zero, or in rows that nobody visits."""
    n_entries = k.amounts[ENTRIES]
    k.entry_number[:n_entries] = 0
    for e in range(k.amounts[EDGES]):
        k.entry_number[k.edge_entry[e]] = 1
    n = 0
    for entry in range(n_entries):
        used = k.entry_number[entry]
        k.entry_number[entry] = n
        k.entry_from[n], k.entry_to[n] = k.entry_from[entry], k.entry_to[entry]
        k.entry_value[n] = k.entry_value[entry]
        n += used
    k.amounts[ENTRIES] = n
    for e in range(k.amounts[EDGES]):
        k.edge_entry[e] = k.entry_number[k.edge_entry[e]]


@borrowing
def _leave_members(k, T) -> None:
    """Put members that no longer occur behind the others."""
    for m in range(k.amounts[ACTIVE]):
        k.departures[k.members[m]] = -1.0
    for i in range(k.node_first[T]):
        k.departures[k.node_state[i]] = 0.0
    n = 0
    for m in range(k.amounts[ACTIVE]):
        state = k.members[m]
        if k.departures[state] < 0.0:
            k.departures[state] = 0.0
        else:
            k.members[m], k.members[n] = k.members[n], state
            n += 1
    k.amounts[ACTIVE] = n
