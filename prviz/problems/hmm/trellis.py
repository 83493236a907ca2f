"""Baum–Welch over the few remaining paths: the last iterations of a fit.

Soon after a redraw, only two or three states per step have a posterior probability that is not
negligible. They form a trellis: a *node* is a state at a step, an *edge* joins nodes of successive
steps, and an *entry* is an entry of A, which many edges share. Nodes are numbered by step, then by
position in the sorted model. Edges are numbered by their first node, then by their second. Entries
are numbered by the first edge that needs them. Pruning keeps this order, so sums are added in the
same order.

Entries of A are stored in the trellis until :func:`write_back`. B and π are updated in place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.dispatch import borrowing
from ...engine.simd.functions import ln
from ...engine.simd.simd8 import WIDTH, less, load, mask, spread, total
from .sorted_model import DEAD, NEGLIGIBLE, unsort

#: A trellis is built when at most NODES_A_STEP nodes per step are left. It has space for
#: EDGES_A_STEP edges per step.
NODES_A_STEP = 16
EDGES_A_STEP = 64
#: A step's forward variables are rescaled if their sum is smaller than this.
SMALL = 1e-60

#: Fields of ``Trellis.amounts``.
EDGES, ENTRIES = range(2)


class Trellis(NamedTuple):
    """Working space of a fit. Between fits, ``entry_at`` is zero.

    Attributes
    ----------
    amounts : (2,) int64
        Number of edges, and of entries.
    node_first : (T + 1,) int64
        Start of each step's nodes.
    node_state, node_symbol : (16 T + 1,) uint32
        State and symbol of each node. ``node_number`` is space for renumbering nodes.
    node_ahead, node_behind, node_emission, node_visits : (16 T + 1,) float64
        Forward and backward variables of the nodes, their entries of B, posterior probabilities.
    edge_first : (T + 1,) int64
        Start of the edges from step t to t + 1; the last step has none.
    edge_from, edge_to, edge_entry : (64 T + N + 1,) uint32
    edge_weight, edge_passes : (64 T + N + 1,) float64
        A times B along an edge, and its posterior probability.
    entry_from, entry_to : (64 T + N + 1,) uint32
        Row and column of each entry in A.
    entry_value, entry_passed : (64 T + N + 1,) float64
        Values of the entries, and their expected counts.
    entry_at : (N, N) uint32
        Number of the entry at each position of A, plus one; zero if there is no entry. Used only
        while a trellis is built.
    step_factor : (T,) float64
        Factors that keep the forward variables of a step in range.
    departures : (N,) float64
        Expected departures from each state.
    opened : (N, N) float64
        Copy of A from before the first :func:`write_back` in the middle of a fit.
    emitted : (N, K) float64
        Expected emissions.
    """

    amounts: np.ndarray
    node_first: np.ndarray
    node_state: np.ndarray
    node_symbol: np.ndarray
    node_number: np.ndarray
    node_ahead: np.ndarray
    node_behind: np.ndarray
    node_emission: np.ndarray
    node_visits: np.ndarray
    edge_first: np.ndarray
    edge_from: np.ndarray
    edge_to: np.ndarray
    edge_entry: np.ndarray
    edge_weight: np.ndarray
    edge_passes: np.ndarray
    entry_from: np.ndarray
    entry_to: np.ndarray
    entry_value: np.ndarray
    entry_passed: np.ndarray
    entry_at: np.ndarray
    step_factor: np.ndarray
    departures: np.ndarray
    opened: np.ndarray
    emitted: np.ndarray


def empty_trellis(T: int, N: int, K: int) -> Trellis:
    """Return working space for a string of T symbols out of K and a model of N states."""
    nodes, edges = NODES_A_STEP * T + 1, EDGES_A_STEP * T + N + 1
    number = np.uint32  # unsigned: no check for negative indices
    return Trellis(
        amounts=np.zeros(2, np.int64),
        node_first=np.zeros(T + 1, np.int64),
        node_state=np.zeros(nodes, number),
        node_symbol=np.zeros(nodes, number),
        node_number=np.zeros(nodes, number),
        node_ahead=np.zeros(nodes),
        node_behind=np.zeros(nodes),
        node_emission=np.zeros(nodes),
        node_visits=np.zeros(nodes),
        edge_first=np.zeros(T + 1, np.int64),
        edge_from=np.zeros(edges, number),
        edge_to=np.zeros(edges, number),
        edge_entry=np.zeros(edges, number),
        edge_weight=np.zeros(edges),
        edge_passes=np.zeros(edges),
        entry_from=np.zeros(edges, number),
        entry_to=np.zeros(edges, number),
        entry_value=np.zeros(edges),
        entry_passed=np.zeros(edges),
        entry_at=np.zeros((N, N), number),
        step_factor=np.zeros(T),
        departures=np.zeros(N),
        opened=np.zeros((N, N)),
        emitted=np.zeros((N, K)),
    )


# Building and pruning


@borrowing
def open_trellis(k, sequence) -> bool:
    """Make a trellis of the paths that the last E-step over the sorted model kept.

    Return False if there are too many edges. Negligible edges are written and then overwritten,
    because a branch for each edge would be mispredicted.
    """
    T, dead = len(sequence), k.limits[DEAD]
    if k.sizes[0] == 0 and _too_many_edges(k, T):
        return False
    unsort(k)
    _list_nodes(k, sequence)
    n = 0
    for t in range(T - 1):
        k.edge_first[t] = n
        for i in range(k.node_first[t], k.node_first[t + 1]):
            if n > EDGES_A_STEP * T:
                return False
            ahead, row = k.node_ahead[i], k.transition[k.node_state[i]]
            for j in range(k.node_first[t + 1], k.node_first[t + 2]):
                value = row[k.node_state[j]]
                passes = ahead * value * k.node_behind[j]
                k.edge_from[n], k.edge_to[n] = i, j
                k.edge_weight[n], k.edge_passes[n] = value, passes
                n += passes > dead
    k.edge_first[T - 1] = k.edge_first[T] = k.amounts[EDGES] = n
    if n > EDGES_A_STEP * T:
        return False
    _list_entries(k)
    return True


@borrowing
def _too_many_edges(k, T) -> bool:
    """Return True if a dense model has too many edges for a trellis; stop at the limit."""
    W, dead = k.sizes[3], spread(k.limits[DEAD])
    n = 0.0
    for t in range(T - 1):
        counts = spread(0.0)
        for i in range(k.sizes[1]):
            if k.visits[t, i] > k.limits[DEAD]:
                ahead = spread(k.ahead[t, i])
                for q in range(0, W, WIDTH):
                    passes = ahead * load(k.rows[i], q) * load(k.behind[t], q)
                    counts = counts + less(dead, passes)
        n += total(counts)
        if n > EDGES_A_STEP * T:
            return True
    return False


@borrowing
def _list_nodes(k, sequence) -> None:
    n, dead = 0, k.limits[DEAD]
    for t in range(len(sequence)):
        k.node_first[t] = n
        for begin in range(0, k.sizes[3], WIDTH):
            if mask(spread(dead), load(k.visits[t], begin)) == 0:
                continue
            for q in range(begin, begin + WIDTH):
                k.node_state[n], k.node_symbol[n] = k.state_at[q], sequence[t]
                k.node_ahead[n], k.node_visits[n] = k.ahead[t, q], k.visits[t, q]
                k.node_behind[n] = k.behind[max(t - 1, 0), q]
                n += k.visits[t, q] > dead
    k.node_first[len(sequence)] = n


@borrowing
def _list_entries(k) -> None:
    """List and number the entries of A that edges need; ``edge_weight`` still has values of A."""
    n = 0
    for e in range(k.amounts[EDGES]):
        state, next_state = k.node_state[k.edge_from[e]], k.node_state[k.edge_to[e]]
        if k.entry_at[state, next_state] == 0:
            k.entry_from[n], k.entry_to[n] = state, next_state
            k.entry_value[n] = k.edge_weight[e]
            n += 1
            k.entry_at[state, next_state] = n
        k.edge_entry[e] = k.entry_at[state, next_state] - 1
    k.amounts[ENTRIES] = n
    for entry in range(n):
        k.entry_at[k.entry_from[entry], k.entry_to[entry]] = 0


@borrowing
def compact(k, T) -> None:
    """Drop nodes and edges that have become negligible."""
    dead = k.limits[DEAD]
    n = 0
    for t in range(T):
        begin, end = k.node_first[t], k.node_first[t + 1]
        k.node_first[t] = n
        for i in range(begin, end):
            k.node_number[i] = n
            k.node_state[n], k.node_symbol[n] = k.node_state[i], k.node_symbol[i]
            visits = k.node_visits[i]
            k.node_visits[n] = visits
            n += visits > dead
    k.node_first[T] = n
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


# The E-step


@borrowing
def forward(k, begins, weights) -> float:
    """Compute forward variables of all nodes; return the weighted log-likelihood over the trellis.

    ``begins`` (T + 1,) is nonzero at the first step of each string, and at T. ``weights`` has one
    number per string.
    """
    T, ahead = len(begins) - 1, k.node_ahead
    n_nodes = k.node_first[T]
    for i in range(n_nodes):
        k.node_emission[i] = k.emission[k.node_state[i], k.node_symbol[i]]
        ahead[i] = 0.0
    for e in range(k.amounts[EDGES]):
        k.edge_weight[e] = k.entry_value[k.edge_entry[e]] * k.node_emission[k.edge_to[e]]
    log_likelihood, weight, string = 0.0, 1.0, 0
    for t in range(T):
        if begins[t]:
            weight = weights[string]
            string += 1
            for i in range(k.node_first[t], k.node_first[t + 1]):
                ahead[i] = k.start[k.node_state[i]] * k.node_emission[i]
        else:
            for e in range(k.edge_first[t - 1], k.edge_first[t]):
                ahead[k.edge_to[e]] += ahead[k.edge_from[e]] * k.edge_weight[e]
        reached = 0.0
        for i in range(k.node_first[t], k.node_first[t + 1]):
            reached += ahead[i]
        k.step_factor[t] = 1.0
        if reached < SMALL:
            if not reached > 0.0:
                return -np.inf
            k.step_factor[t] = 1.0 / reached
            log_likelihood += weight * ln(reached)
            for i in range(k.node_first[t], k.node_first[t + 1]):
                ahead[i] *= k.step_factor[t]
            reached = 1.0
        if begins[t + 1]:
            log_likelihood += weight * ln(reached)
            for i in range(k.node_first[t], k.node_first[t + 1]):
                k.node_behind[i] = weight / reached
    return log_likelihood


@borrowing
def backward(k, begins) -> None:
    """Compute posterior probabilities of all nodes and edges."""
    T, behind = len(begins) - 1, k.node_behind
    for t in range(T - 1):
        if not begins[t + 1]:
            for i in range(k.node_first[t], k.node_first[t + 1]):
                behind[i] = 0.0
    for t in range(T - 2, -1, -1):
        factor = k.step_factor[t + 1]
        for e in range(k.edge_first[t], k.edge_first[t + 1]):
            flow = factor * k.edge_weight[e] * behind[k.edge_to[e]]
            behind[k.edge_from[e]] += flow
            k.edge_passes[e] = k.node_ahead[k.edge_from[e]] * flow
    for i in range(k.node_first[T]):
        k.node_visits[i] = k.node_ahead[i] * behind[i]


# The M-step


@borrowing
def maximise(k, begins) -> None:
    """Turn expected counts into probabilities."""
    T = len(begins) - 1
    _maximise_entries(k)
    _maximise_emission(k, T)
    negligible = k.limits[NEGLIGIBLE]
    k.start[:] = 0.0
    starts = 0.0
    for t in range(T):
        if begins[t]:
            for i in range(k.node_first[t], k.node_first[t + 1]):
                starts += k.node_visits[i] if k.node_visits[i] > negligible else 0.0
    for t in range(T):
        if begins[t]:
            for i in range(k.node_first[t], k.node_first[t + 1]):
                if k.node_visits[i] > negligible:
                    k.start[k.node_state[i]] += k.node_visits[i] / starts


@borrowing
def _maximise_entries(k) -> None:
    n_entries, negligible = k.amounts[ENTRIES], k.limits[NEGLIGIBLE]
    k.departures[:] = 0.0
    k.entry_passed[:n_entries] = 0.0
    for e in range(k.amounts[EDGES]):
        k.entry_passed[k.edge_entry[e]] += k.edge_passes[e]
    for entry in range(n_entries):
        passed = k.entry_passed[entry]
        passed = passed if passed > negligible else 0.0
        k.entry_passed[entry] = passed
        k.departures[k.entry_from[entry]] += passed
    for entry in range(n_entries):
        departures = k.departures[k.entry_from[entry]]
        if departures > 2.0 * negligible:
            k.entry_value[entry] = k.entry_passed[entry] / departures


@borrowing
def _maximise_emission(k, T) -> None:
    N, K = k.emission.shape
    negligible = k.limits[NEGLIGIBLE]
    k.emitted[:] = 0.0
    for i in range(k.node_first[T]):
        k.emitted[k.node_state[i], k.node_symbol[i]] += k.node_visits[i]
    for state in range(N):
        visits = 0.0
        for s in range(K):
            if not k.emitted[state, s] > negligible:
                k.emitted[state, s] = 0.0
            visits += k.emitted[state, s]
        if visits > 2.0 * negligible:
            for s in range(K):
                k.emission[state, s] = k.emitted[state, s] / visits


@borrowing
def write_back(k) -> None:
    """Copy A from the trellis to the matrix; rows of rarely visited states do not change."""
    visited = 2.0 * k.limits[NEGLIGIBLE]
    for state in range(len(k.departures)):
        if k.departures[state] > visited:
            k.transition[state, :] = 0.0
    for entry in range(k.amounts[ENTRIES]):
        state = k.entry_from[entry]
        if k.departures[state] > visited:
            k.transition[state, k.entry_to[entry]] = k.entry_value[entry]


@borrowing
def copy_matrix(into, matrix) -> None:
    """Copy a matrix. Unlike an assignment, this does not check for overlap."""
    for i in range(len(matrix)):
        for j in range(len(matrix)):
            into[i, j] = matrix[i, j]
