"""Baum–Welch over a sorted model (``sorted_model.py``): the first iterations after a redraw.

The notation is that of ``plain.py``. ``ahead[t]`` is α̂_t, ``visits[t]`` is γ_t, and ``behind[t]``
is the vector B(x_{t+1}) β̂_{t+1} / c_{t+1}, so that ξ_t(i, j) = ahead[t, i] A[i, j] behind[t, j].
Expected counts are multiplied by A only in the M-step. ``sorted_model.py`` defines *singles* and
*plurals*.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing, inlined
from ...engine.simd.functions import ln
from ...engine.simd.simd8 import WIDTH, kept, less, load, spread, store, total
from ...engine.simd.sums import sum_of
from .likelihood import SMALL
from .rows import add_rows, dots, end_list
from .sorted_model import DEAD, NEGLIGIBLE

# The E-step


@borrowing
def forward(p, sequence, begins, weights) -> float:
    """Compute α̂ and c of every step; return the weighted log-likelihood."""
    S, P, W, dead = p.sizes[0], p.sizes[1], p.sizes[3], p.limits[DEAD]
    log_likelihood, product, weight, string = 0.0, 1.0, weights[0], 0
    for t in range(len(sequence)):
        symbol = sequence[t]
        low, high = p.symbol_first[symbol], p.symbol_end[symbol]
        now, visits, emission = p.ahead[t], p.visits[t], p.sorted_emission[symbol]
        for q in range(0, W, WIDTH):
            store(now, q, spread(0.0))
        if begins[t]:
            if weights[string] != weight:
                log_likelihood += weight * ln(product)
                product, weight = 1.0, weights[string]
            string += 1
            _begin(p, now, low, high)
        else:
            _arrive(p, t, now, sequence[t - 1], symbol)
        for i in range(0, P, WIDTH):
            store(now, S + i, load(now, S + i) * load(emission, i))
        possible = _possible(now, visits, low, high - low, dead)
        possible += _possible(now, visits, S, P, dead)
        p.scale[t] = possible
        if not possible > 0.0:
            return -np.inf
        factor = 1.0 / possible
        for q in range(0, W, WIDTH):
            store(now, q, load(now, q) * factor)
        product *= possible
        if product < SMALL:  # compute a logarithm only when the product gets small
            log_likelihood += weight * ln(product)
            product = 1.0
        p.n_alive[t] = _list_alive(p, t, now)
    return log_likelihood + weight * ln(product)


@inlined
def _begin(p, now, low, high):
    """Compute the forward variables of the first step."""
    S, P = p.sizes[0], p.sizes[1]
    for q in range(low, high):
        now[q] = p.sorted_start[q]
    for q in range(S, S + P):
        now[q] = p.sorted_start[q]


@inlined
def _arrive(p, t, now, symbol_before, symbol):
    """Compute the forward variables of step t."""
    S, P = p.sizes[0], p.sizes[1]
    before, n, alive = p.ahead[t - 1], p.n_alive[t - 1], p.alive[t - 1]
    low, high = p.symbol_first[symbol], p.symbol_end[symbol]
    if high > low:
        add_rows(now, low, high - low, p.share, alive, n, p.rows)
    add_rows(now, S, P, p.share, alive, n, p.rows)
    left, right = p.symbol_first[symbol_before], p.symbol_end[symbol_before]
    if right > left:
        for i in range(0, P, WIDTH):
            arriving = dots(before, left, right - left, p.in_order, i, p.columns)
            store(now, S + i, load(now, S + i) + arriving)
        for e in range(p.link_first[symbol_before, symbol], p.link_end[symbol_before, symbol]):
            now[p.link_to[e]] += before[p.link_from[e]] * p.link_value[e]


@inlined
def _list_alive(p, t, now):
    """List the possible plurals and their forward variables; return their number."""
    S, P, alive, share = p.sizes[0], p.sizes[1], p.alive[t], p.share
    n = 0
    for i in range(P):
        alive[n], share[n] = i, now[S + i]
        n += now[S + i] > 0.0
    end_list(alive, share, n)
    return n


@inlined
def _possible(now, visits, begin, n, dead):
    """Set dead states of ``now`` to 0; return the sum of the other states."""
    result, limit = spread(0.0), spread(dead)
    whole = begin + (n & -WIDTH)
    for q in range(begin, begin + n, WIDTH):
        possible = load(now, q) * less(limit, load(visits, q))
        store(now, q, possible)
        if q < whole:
            result = result + possible
    rest = total(result)
    for q in range(whole, begin + n):
        rest += now[q]
    return rest


@borrowing
def backward(p, sequence, begins, weights) -> float:
    """Compute β̂, γ, and all expected counts except those of ``rows`` and ``columns``.

    β̂ at the last step of a string is the string's weight instead of 1. So γ and all expected counts
    are weighted.

    Return the number of remaining states, summed over the steps.
    """
    T, S, P, W = len(sequence), p.sizes[0], p.sizes[1], p.sizes[3]
    dead, visited = spread(p.limits[DEAD]), spread(0.0)
    p.sorted_emitted[:, :P] = 0.0
    p.link_count[: p.sizes[2]] = 0.0
    string = len(weights)
    for t in range(T - 1, -1, -1):
        symbol, now, beta = sequence[t], p.ahead[t], p.visits[t]
        last = 0.0
        if begins[t + 1]:
            string -= 1
            last = weights[string]
        for q in range(0, W, WIDTH):
            store(beta, q, spread(last))
        if not begins[t + 1]:
            _depart(p, t, beta, now, symbol, sequence[t + 1])
        if begins[t]:
            for q in range(0, W if t > 0 else 0, WIDTH):
                store(p.behind[t - 1], q, spread(0.0))  # no path connects two strings
        else:
            before, factor, emission = p.behind[t - 1], 1.0 / p.scale[t], p.sorted_emission[symbol]
            for q in range(0, W, WIDTH):
                store(before, q, kept(load(beta, q) * factor, load(now, q)))
            for i in range(0, P, WIDTH):
                store(before, S + i, load(before, S + i) * load(emission, i))
        for q in range(0, W, WIDTH):
            visits = load(beta, q) * load(now, q)
            store(beta, q, visits)
            visited = visited + less(dead, visits)
        emitted = p.sorted_emitted[symbol]
        for i in range(0, P, WIDTH):
            store(emitted, i, load(emitted, i) + load(beta, S + i))
    return total(visited)


@inlined
def _depart(p, t, beta, now, symbol, symbol_after):
    """Compute β̂ of all possible states at step t."""
    S, P = p.sizes[0], p.sizes[1]
    low, high = p.symbol_first[symbol], p.symbol_end[symbol]
    left, right = p.symbol_first[symbol_after], p.symbol_end[symbol_after]
    after = p.behind[t]
    if high > low:
        n, alive = p.n_alive[t + 1], p.alive[t + 1]
        for k in range(n):
            p.share[k] = after[S + alive[k]]
        store(p.share, n, spread(0.0))
        add_rows(beta, low, high - low, p.share, alive, n, p.columns)
        for e in range(p.link_first[symbol, symbol_after], p.link_end[symbol, symbol_after]):
            q, r = p.link_from[e], p.link_to[e]
            beta[q] += p.link_value[e] * after[r]
            p.link_count[e] += now[q] * after[r]
    n, alive = p.n_alive[t], p.alive[t]
    for k in range(0, n, WIDTH):
        departing = dots(after, S, P, alive, k, p.rows)
        if right > left:
            departing = departing + dots(after, left, right - left, alive, k, p.rows)
        store(p.eight, 0, departing)
        for i in range(min(n - k, WIDTH)):
            beta[S + alive[k + i]] = p.eight[i]


@borrowing
def count(p, occurrences, occurrence_first) -> None:
    """Compute expected counts of ``rows`` and ``columns``: Σ ``ahead`` × ``behind`` over steps."""
    S, P, K, W = p.sizes[0], p.sizes[1], len(p.sorted_emission), p.sizes[3]
    p.row_counts[:P, :W] = 0.0
    p.column_counts[:P, :S] = 0.0
    for s in range(K):
        low, high = p.symbol_first[s], p.symbol_end[s]
        steps = occurrences[occurrence_first[s] : occurrence_first[s + 1]]
        for i in range(P):
            n = _list_steps(p, i, p.ahead, steps, -1)
            if high > low:
                add_rows(p.row_counts[i], low, high - low, p.share, p.steps, n, p.behind)
            add_rows(p.row_counts[i], S, P, p.share, p.steps, n, p.behind)
            if high > low:
                n = _list_steps(p, i, p.behind, steps, 0)
                add_rows(p.column_counts[i], low, high - low, p.share, p.steps, n, p.ahead)


@inlined
def _list_steps(p, i, values, steps, shift):
    """List the shifted ``steps`` at which plural i is possible; return their number."""
    n, place, last = 0, p.sizes[0] + i, len(values) - 1
    for k in range(len(steps)):
        t = steps[k] + shift
        if 0 <= t < last:
            p.steps[n], p.share[n] = t, values[t, place]
            n += values[t, place] > 0.0
    end_list(p.steps, p.share, n)
    return n


# The M-step


@borrowing
def _prune(values, counts, negligible) -> None:
    """Set counts ← values × counts, and negligible counts to 0."""
    for q in range(len(values)):
        expected = values[q] * counts[q]
        counts[q] = expected if expected > negligible else 0.0


@borrowing
def _sum(p, counts) -> float:
    """Return the sum of a row, added in the same order as in a row without gaps."""
    n = 0
    for q in range(p.sizes[3]):
        p.packed[n] = counts[q]
        n += p.state_at[q] >= 0
    return sum_of(p.packed, 0, n)


@borrowing
def _normalise(counts, total, row, negligible) -> None:
    """Set row ← counts / total; a rarely visited row does not change."""
    if total > 2.0 * negligible:
        for q in range(len(row)):
            row[q] = counts[q] / total


@borrowing
def maximise(p, lengths) -> None:
    """Turn expected counts into probabilities."""
    S, P, n_links, W = p.sizes[0], p.sizes[1], p.sizes[2], p.sizes[3]
    K = len(p.sorted_emission)
    negligible = p.limits[NEGLIGIBLE]
    totals = p.totals[:S]
    totals[:] = 0.0
    for i in range(P):
        rows, counts = p.rows[i, :W], p.row_counts[i, :W]
        _prune(rows, counts, negligible)
        _normalise(counts, _sum(p, counts), rows, negligible)
        columns, counts = p.columns[i, :S], p.column_counts[i, :S]
        _prune(columns, counts, negligible)
        for q in range(S):
            totals[q] += counts[q]
    links, link_counts = p.link_value[:n_links], p.link_count[:n_links]
    _prune(links, link_counts, negligible)
    for e in range(n_links):
        totals[p.link_from[e]] += link_counts[e]
    for i in range(P):
        columns, counts = p.columns[i, :S], p.column_counts[i, :S]
        for q in range(S):
            columns[q] = counts[q] / totals[q] if totals[q] > 2.0 * negligible else columns[q]
    for e in range(n_links):
        departures = totals[p.link_from[e]]
        if departures > 2.0 * negligible:
            links[e] = link_counts[e] / departures

    for i in range(P):
        emitted = 0.0
        for s in range(K):
            emitted += p.sorted_emitted[s, i] if p.sorted_emitted[s, i] > negligible else 0.0
        if emitted > 2.0 * negligible:
            for s in range(K):
                p.sorted_emission[s, i] = (
                    p.sorted_emitted[s, i] / emitted if p.sorted_emitted[s, i] > negligible else 0.0
                )
    _maximise_start(p, lengths)


@borrowing
def _maximise_start(p, lengths) -> None:
    W, negligible = p.sizes[3], p.limits[NEGLIGIBLE]
    begin = 0
    for k in range(len(lengths)):
        for q in range(W):
            p.sorted_start[q] = p.visits[begin, q] + (p.sorted_start[q] if k > 0 else 0.0)
        begin += lengths[k]
    visits = 0.0
    for q in range(W):
        visits += p.sorted_start[q] if p.sorted_start[q] > negligible else 0.0
    for q in range(W):
        starts = p.sorted_start[q]
        p.sorted_start[q] = starts / visits if starts > negligible else 0.0
