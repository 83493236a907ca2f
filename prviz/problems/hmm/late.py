"""Baum–Welch over the few paths that matter: the last iterations of a fit.

Soon after a redraw all but two or three states a step have negligible posterior probability. What
is left is a trellis: a *node* is a state at a step, an *edge* joins nodes of neighbouring steps,
and an *entry* is an entry of A, which many edges share. One iteration goes through the edges
forwards and backwards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.dispatch import borrowing
from ...engine.simd.functions import ln
from .sorted_model import DEAD, NEGLIGIBLE

#: A trellis is made once no more nodes than this are left for each step, and has room for so many
#: edges a step.
NODES_A_STEP = 16
EDGES_A_STEP = 64
#: Smallest forward variable before it is rescaled.
SMALL = 1e-60


class Trellis(NamedTuple):
    """Working space of a fit; what it holds between fits means nothing.

    Attributes
    ----------
    amounts : (3,) int64
        Number of edges, of entries, of members.
    node_first : (T + 1,) int64
        Where the nodes of each step begin.
    node_state : (16 T,) uint32
        The state; ``node_number`` (16 T,) is room for numbering the nodes anew.
    edge_first : (T + 1,) int64
        Where the edges from step t to t + 1 begin; from the last step there are none.
    edge_from, edge_to, edge_entry : (64 T,) uint32
    entry_from, entry_to : (64 T,) uint32
        States.
    entry_at : (N N,) int64
        One more than the number of the entry from state i to j, at i N + j; zero for none.
    members : (N,) int64
        States that occur in the trellis.
    node_ahead, node_behind, node_emission, node_visits : (16 T,) float64
        Forward and backward variables of the nodes, B of their symbol, posterior probabilities.
    edge_weight, edge_passes : (64 T,) float64
        A times B along an edge, and its posterior probability.
    entry_value, entry_passed : (64 T,) float64
        A's entries and their expected counts.
    step_factor : (T,) float64
        By which the forward variables of a step were multiplied, to stay in range.
    departures : (N,) float64
        Expected departures from each state.
    emitted_by : (N K,) float64
        Expected emissions, at i K + s.
    """

    amounts: np.ndarray
    node_first: np.ndarray
    node_state: np.ndarray
    node_number: np.ndarray
    edge_first: np.ndarray
    edge_from: np.ndarray
    edge_to: np.ndarray
    edge_entry: np.ndarray
    entry_from: np.ndarray
    entry_to: np.ndarray
    entry_at: np.ndarray
    members: np.ndarray
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
    emitted_by: np.ndarray


def empty_trellis(T: int, N: int, K: int) -> Trellis:
    """Room for a string of T symbols out of K and a model of N states."""
    nodes, edges = NODES_A_STEP * T, EDGES_A_STEP * T

    def whole(size: int) -> np.ndarray:
        return np.zeros(size, np.int64)

    def numbers(size: int) -> np.ndarray:  # without a sign: negative indices would be looked for
        return np.zeros(size, np.uint32)

    return Trellis(
        amounts=whole(3),
        node_first=whole(T + 1),
        node_state=numbers(nodes),
        node_number=numbers(nodes),
        edge_first=whole(T + 1),
        edge_from=numbers(edges),
        edge_to=numbers(edges),
        edge_entry=numbers(edges),
        entry_from=numbers(edges),
        entry_to=numbers(edges),
        entry_at=whole(N * N),
        members=whole(N),
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
        emitted_by=np.zeros(N * K),
    )


@borrowing
def open_trellis(p, k, sequence, transition) -> bool:
    """Make the trellis of what the last E-step over the sorted model ``p`` has left.

    Also sums up its expected counts. False if there is too much of it; nothing is changed then.
    ``transition`` holds the same model as the sorted model.
    """
    # In one piece: one pass, whose parts share all that it counts.
    T, S = len(sequence), p.sizes[0]
    N = S + p.sizes[1]
    dead = p.limits[DEAD]
    n = 0
    for t in range(T):
        k.node_first[t] = n
        symbol = sequence[t]
        for low, high in ((p.symbol_first[symbol], p.symbol_first[symbol + 1]), (S, N)):
            for q in range(low, high):
                if p.visits[t, q] > dead:
                    k.node_state[n] = p.state_at[q]
                    k.node_visits[n] = p.visits[t, q]
                    n += 1
    k.node_first[T] = n

    n_edges, n_entries, fits = 0, 0, True
    for t in range(T - 1):
        k.edge_first[t] = n_edges
        for i in range(k.node_first[t], k.node_first[t + 1]):
            state = k.node_state[i]
            ahead = p.ahead[t, p.position[state]]
            for j in range(k.node_first[t + 1], k.node_first[t + 2]):
                next_state = k.node_state[j]
                value = transition[state, next_state]
                passes = ahead * value * p.behind[t, p.position[next_state]]
                if passes <= dead:
                    continue
                if n_edges == len(k.edge_from):
                    fits = False
                    break
                entry = k.entry_at[state * N + next_state] - 1
                if entry < 0:
                    entry = n_entries
                    n_entries += 1
                    k.entry_at[state * N + next_state] = n_entries
                    k.entry_from[entry], k.entry_to[entry] = state, next_state
                    k.entry_value[entry] = value
                k.edge_from[n_edges], k.edge_to[n_edges] = i, j
                k.edge_entry[n_edges] = entry
                k.edge_passes[n_edges] = passes
                n_edges += 1
    k.edge_first[T - 1] = k.edge_first[T] = n_edges
    for entry in range(n_entries):
        k.entry_at[k.entry_from[entry] * N + k.entry_to[entry]] = 0
    if not fits:
        return False

    k.departures[:] = -1.0  # marks states that do not occur
    n_members = 0
    for i in range(n):
        state = k.node_state[i]
        if k.departures[state] < 0.0:
            k.departures[state] = 0.0
            k.members[n_members] = state
            n_members += 1
    k.amounts[0], k.amounts[1], k.amounts[2] = n_edges, n_entries, n_members
    return True


@borrowing
def forward(k, sequence, emission, start) -> float:
    """Forward variables of all nodes; returns the log-likelihood over the trellis."""
    T = len(sequence)
    ahead = k.node_ahead
    for t in range(T):
        for i in range(k.node_first[t], k.node_first[t + 1]):
            k.node_emission[i] = emission[k.node_state[i], sequence[t]]
            ahead[i] = 0.0
    for e in range(k.amounts[0]):
        k.edge_weight[e] = k.entry_value[k.edge_entry[e]] * k.node_emission[k.edge_to[e]]
    for i in range(k.node_first[1]):
        ahead[i] = start[k.node_state[i]] * k.node_emission[i]
    log_likelihood, total = 0.0, 0.0
    for t in range(T):
        if t > 0:
            for e in range(k.edge_first[t - 1], k.edge_first[t]):
                ahead[k.edge_to[e]] += ahead[k.edge_from[e]] * k.edge_weight[e]
        total = 0.0
        for i in range(k.node_first[t], k.node_first[t + 1]):
            total += ahead[i]
        k.step_factor[t] = 1.0
        if total < SMALL:
            if not total > 0.0:
                return -np.inf
            k.step_factor[t] = 1.0 / total
            log_likelihood += ln(total)
            for i in range(k.node_first[t], k.node_first[t + 1]):
                ahead[i] *= k.step_factor[t]
            total = 1.0
    for i in range(k.node_first[T - 1], k.node_first[T]):
        k.node_behind[i] = 1.0 / total
    return log_likelihood + ln(total)


@borrowing
def backward(k, T) -> None:
    """Posterior probabilities of all nodes and edges."""
    behind = k.node_behind
    for i in range(k.node_first[T - 1]):
        behind[i] = 0.0
    for t in range(T - 2, -1, -1):
        factor = k.step_factor[t + 1]
        for e in range(k.edge_first[t], k.edge_first[t + 1]):
            flow = factor * k.edge_weight[e] * behind[k.edge_to[e]]
            behind[k.edge_from[e]] += flow
            k.edge_passes[e] = k.node_ahead[k.edge_from[e]] * flow
    for i in range(k.node_first[T]):
        k.node_visits[i] = k.node_ahead[i] * behind[i]


@borrowing
def maximise(k, sequence, emission, start) -> None:
    """Expected counts become probabilities: A's in ``entry_value``, B and π in place."""
    T, K = len(sequence), emission.shape[1]
    n_edges, n_entries, n_members = k.amounts[0], k.amounts[1], k.amounts[2]
    negligible = k.limits[NEGLIGIBLE]
    k.entry_passed[:n_entries] = 0.0
    for m in range(n_members):
        state = k.members[m]
        k.departures[state] = 0.0
        k.emitted_by[state * K : state * K + K] = 0.0
    for e in range(n_edges):
        k.entry_passed[k.edge_entry[e]] += k.edge_passes[e]
    for entry in range(n_entries):
        if k.entry_passed[entry] <= negligible:
            k.entry_passed[entry] = 0.0
        k.departures[k.entry_from[entry]] += k.entry_passed[entry]
    for entry in range(n_entries):
        total = k.departures[k.entry_from[entry]]
        if total > 2.0 * negligible:
            k.entry_value[entry] = k.entry_passed[entry] / total

    for t in range(T):
        for i in range(k.node_first[t], k.node_first[t + 1]):
            k.emitted_by[k.node_state[i] * K + sequence[t]] += k.node_visits[i]
    for m in range(n_members):
        state = k.members[m]
        total = 0.0
        for s in range(K):
            if k.emitted_by[state * K + s] <= negligible:
                k.emitted_by[state * K + s] = 0.0
            total += k.emitted_by[state * K + s]
        if total > 2.0 * negligible:
            for s in range(K):
                emission[state, s] = k.emitted_by[state * K + s] / total

    start[:] = 0.0
    total = 0.0
    for i in range(k.node_first[1]):
        if k.node_visits[i] > negligible:
            start[k.node_state[i]] = k.node_visits[i]
            total += k.node_visits[i]
    for i in range(len(start)):
        start[i] /= total


@borrowing
def compact(k, T) -> None:
    """Leave out the nodes and edges that have become negligible."""
    dead = k.limits[DEAD]
    n = 0
    for t in range(T):
        begin, end = k.node_first[t], k.node_first[t + 1]
        k.node_first[t] = n
        for i in range(begin, end):
            k.node_number[i] = n
            if k.node_visits[i] > dead:
                k.node_state[n], k.node_visits[n] = k.node_state[i], k.node_visits[i]
                n += 1
    k.node_first[T] = n
    n = 0
    for t in range(T):
        begin, end = k.edge_first[t], k.edge_first[t + 1]
        k.edge_first[t] = n
        for e in range(begin, end):
            if k.edge_passes[e] > dead:
                k.edge_from[n] = k.node_number[k.edge_from[e]]
                k.edge_to[n] = k.node_number[k.edge_to[e]]
                k.edge_entry[n], k.edge_passes[n] = k.edge_entry[e], k.edge_passes[e]
                n += 1
    k.edge_first[T] = k.amounts[0] = n


@borrowing
def write_back(k, transition) -> None:
    """Put the entries of A back into the matrix; rows that are hardly visited stay as they are."""
    visited = 2.0 * k.limits[NEGLIGIBLE]
    for m in range(k.amounts[2]):
        if k.departures[k.members[m]] > visited:
            transition[k.members[m], :] = 0.0
    for entry in range(k.amounts[1]):
        state = k.entry_from[entry]
        if k.departures[state] > visited:
            transition[state, k.entry_to[entry]] = k.entry_value[entry]
