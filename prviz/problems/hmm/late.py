"""Baum–Welch over the few paths that matter: the last iterations of a fit.

Soon after a redraw all but two or three states a step have negligible posterior probability. What
is left is a trellis (``trellis.py``): a *node* is a state at a step, an *edge* joins nodes of
neighbouring steps, an *entry* is an entry of A, which many edges share, and a *slot* one of B. One
iteration goes through the edges forwards and backwards, in single streams: loops over the two or
three edges of each step would be guessed wrong at nearly every step.
"""

from __future__ import annotations

from ...engine.dispatch import borrowing
from ...engine.simd.functions import ln
from .sorted_model import NEGLIGIBLE
from .trellis import ACTIVE, EDGES, ENTRIES, MEMBERS, SCALED

#: Smallest forward variable before it is rescaled.
SMALL = 1e-60


@borrowing
def forward(k, T, start) -> float:
    """Forward variables of all nodes; returns the log-likelihood over the trellis."""
    ahead, n_nodes = k.node_ahead, k.node_first[T]
    for i in range(n_nodes):
        k.node_emission[i] = k.slot_value[k.node_slot[i]]
    for i in range(k.node_first[1]):
        ahead[i] = start[k.node_state[i]] * k.node_emission[i]
    for i in range(k.node_first[1], n_nodes):
        ahead[i] = 0.0
    total = 0.0
    if k.amounts[SCALED] == 0:
        for e in range(k.amounts[EDGES]):
            weight = k.entry_value[k.edge_entry[e]] * k.node_emission[k.edge_to[e]]
            k.edge_weight[e] = weight
            ahead[k.edge_to[e]] += ahead[k.edge_from[e]] * weight
        for i in range(k.node_first[T - 1], n_nodes):
            total += ahead[i]
    if not total > 2.0 * SMALL:  # no step has more than the ones before, so none was smaller
        return _forward_scaled(k, T)
    for i in range(k.node_first[T - 1], n_nodes):
        k.node_behind[i] = 1.0 / total
    return 0.0 + ln(total)


@borrowing
def _forward_scaled(k, T) -> float:
    """The same where forward variables must be kept from becoming too small."""
    ahead = k.node_ahead
    k.amounts[SCALED] = 1
    for e in range(k.amounts[EDGES]):
        k.edge_weight[e] = k.entry_value[k.edge_entry[e]] * k.node_emission[k.edge_to[e]]
    for i in range(k.node_first[1], k.node_first[T]):
        ahead[i] = 0.0
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
                return -float("inf")
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
    if k.amounts[SCALED] == 0:
        for place in range(k.amounts[EDGES]):
            e = k.edge_back[place]
            flow = k.edge_weight[e] * behind[k.edge_to[e]]
            behind[k.edge_from[e]] += flow
            k.edge_passes[e] = k.node_ahead[k.edge_from[e]] * flow
    else:
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
def maximise(k, T, K, start) -> None:
    """Expected counts become probabilities: A's and B's in the trellis, π in place."""
    for m in range(k.amounts[ACTIVE]):
        state = k.members[m]
        k.departures[state] = 0.0
        for slot in range(state * K, state * K + K):
            k.emitted_by[slot] = 0.0
    _maximise_entries(k)
    for i in range(k.node_first[T]):
        k.emitted_by[k.node_slot[i]] += k.node_visits[i]
    _maximise_slots(k, K)

    negligible = k.limits[NEGLIGIBLE]
    start[:] = 0.0
    total = 0.0
    for i in range(k.node_first[1]):
        total += k.node_visits[i] if k.node_visits[i] > negligible else 0.0
    for i in range(k.node_first[1]):
        if k.node_visits[i] > negligible:
            start[k.node_state[i]] = k.node_visits[i] / total


@borrowing
def _maximise_entries(k) -> None:
    n_entries, negligible = k.amounts[ENTRIES], k.limits[NEGLIGIBLE]
    k.entry_passed[:n_entries] = 0.0
    for e in range(k.amounts[EDGES]):
        k.entry_passed[k.edge_entry[e]] += k.edge_passes[e]
    for entry in range(n_entries):
        passed = k.entry_passed[entry]
        passed = passed if passed > negligible else 0.0
        k.entry_passed[entry] = passed
        k.departures[k.entry_from[entry]] += passed
    for entry in range(n_entries):
        total = k.departures[k.entry_from[entry]]
        if total > 2.0 * negligible:
            k.entry_value[entry] = k.entry_passed[entry] / total


@borrowing
def _maximise_slots(k, K) -> None:
    negligible = k.limits[NEGLIGIBLE]
    for m in range(k.amounts[ACTIVE]):
        first = k.members[m] * K
        total = 0.0
        for slot in range(first, first + K):
            if not k.emitted_by[slot] > negligible:
                k.emitted_by[slot] = 0.0
            total += k.emitted_by[slot]
        if total > 2.0 * negligible:
            for slot in range(first, first + K):
                emitted = k.emitted_by[slot]
                if emitted == total or emitted == 0.0:  # nearly always, and without a division
                    k.slot_value[slot] = 1.0 if emitted > 0.0 else 0.0
                else:
                    k.slot_value[slot] = emitted / total


@borrowing
def write_back(k, transition, emission) -> None:
    """Put A and B back into the matrices; rows that are hardly visited stay as they are."""
    K = emission.shape[1]
    visited = 2.0 * k.limits[NEGLIGIBLE]
    for m in range(k.amounts[ACTIVE]):
        if k.departures[k.members[m]] > visited:
            transition[k.members[m], :] = 0.0
    for entry in range(k.amounts[ENTRIES]):
        state = k.entry_from[entry]
        if k.departures[state] > visited:
            transition[state, k.entry_to[entry]] = k.entry_value[entry]
    for m in range(k.amounts[MEMBERS]):
        state = k.members[m]
        for s in range(K):
            emission[state, s] = k.slot_value[state * K + s]
