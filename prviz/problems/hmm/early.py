"""Baum–Welch over a sorted model (``sorted_model.py``): the first iterations after a redraw.

Notation as in ``plain.py``: ``ahead[t]`` is α̂_t and ``behind[t]`` the vector
B(x_{t+1}) β̂_{t+1} / c_{t+1}, so that ξ_t(i, j) = ahead[t, i] A[i, j] behind[t, j]; ``visits[t]``
is γ_t. Expected counts are kept without their factor A until the M-step.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing
from ...engine.simd.functions import ln
from ...engine.simd.simd8 import WIDTH, less, load, spread, store, total, totals
from ...engine.simd.sums import sum_of
from .likelihood import SMALL
from .sorted_model import BLOCK, DEAD, NEGLIGIBLE, copy, whole_blocks

# The E-step


@borrowing
def _add_eight(out, low, factors, chosen, rows) -> None:
    """Add to ``out`` the stretch from ``low`` on of eight chosen rows, times their factors."""
    n = len(out)
    high = low + n
    a, b, c, d = factors[0], factors[1], factors[2], factors[3]
    e, f, g, h = factors[4], factors[5], factors[6], factors[7]
    ra, rb, rc, rd = (
        rows[chosen[0], low:high],
        rows[chosen[1], low:high],
        rows[chosen[2], low:high],
        rows[chosen[3], low:high],
    )
    re, rf, rg, rh = (
        rows[chosen[4], low:high],
        rows[chosen[5], low:high],
        rows[chosen[6], low:high],
        rows[chosen[7], low:high],
    )
    whole = n - n % WIDTH
    for q in range(0, whole, WIDTH):
        left = (a * load(ra, q) + b * load(rb, q)) + (c * load(rc, q) + d * load(rd, q))
        right = (e * load(re, q) + f * load(rf, q)) + (g * load(rg, q) + h * load(rh, q))
        store(out, q, load(out, q) + (left + right))
    for q in range(whole, n):
        left = (a * ra[q] + b * rb[q]) + (c * rc[q] + d * rd[q])
        right = (e * re[q] + f * rf[q]) + (g * rg[q] + h * rh[q])
        out[q] += left + right


@borrowing
def _dots(out, low, v, chosen, rows) -> None:
    """Put the products of ``v`` with a stretch of four chosen rows at the front of ``out`` (8,)."""
    n = len(v)
    high = low + n
    ra, rb = rows[chosen[0], low:high], rows[chosen[1], low:high]
    rc, rd = rows[chosen[2], low:high], rows[chosen[3], low:high]
    a = b = c = d = spread(0.0)
    whole = n - n % WIDTH
    for q in range(0, whole, WIDTH):
        factors = load(v, q)
        a = a + load(ra, q) * factors
        b = b + load(rb, q) * factors
        c = c + load(rc, q) * factors
        d = d + load(rd, q) * factors
    store(out, 0, totals(a, b, c, d, a, b, c, d))
    for q in range(whole, n):
        out[0] += ra[q] * v[q]
        out[1] += rb[q] * v[q]
        out[2] += rc[q] * v[q]
        out[3] += rd[q] * v[q]


@borrowing
def forward(p, sequence) -> float:
    """α̂ and c of every step; returns the log-likelihood."""
    S, P = p.sizes[0], p.sizes[1]
    N = S + P
    dead = p.limits[DEAD]
    log_likelihood, product = 0.0, 1.0
    for t in range(len(sequence)):
        low, high = p.symbol_first[sequence[t]], p.symbol_first[sequence[t] + 1]
        now = p.ahead[t]
        if t == 0:
            copy(now[:N], p.sorted_start)
        else:
            now[:N] = 0.0
            _arrive(p, t, now, low, high, sequence[t - 1])
        possible = _possible(now[low:high], p.visits[t, low:high], dead)
        possible += _emit(now[S:N], p.sorted_emission[sequence[t]], p.visits[t, S:N], dead)
        p.scale[t] = possible
        if not possible > 0.0:
            return -np.inf
        now[:low] = 0.0
        now[high:S] = 0.0
        factor = 1.0 / possible
        for q in range(N):
            now[q] *= factor
        product *= possible
        if product < SMALL:  # a logarithm now and then
            log_likelihood += ln(product)
            product = 1.0

        n = 0
        for i in range(P):
            p.alive[t, n] = i
            n += now[S + i] > 0.0
        p.n_alive[t] = n
        for k in range(n, whole_blocks(n)):
            p.alive[t, k] = P
    return log_likelihood + ln(product)


@borrowing
def _arrive(p, t, now, low, high, symbol_before) -> None:
    """Everything that reaches step t."""
    S, P = p.sizes[0], p.sizes[1]
    before, factors = p.ahead[t - 1], p.eight
    for k in range(0, p.n_alive[t - 1], BLOCK):
        chosen = p.alive[t - 1, k : k + BLOCK]
        for i in range(BLOCK):
            factors[i] = before[S + chosen[i]]
        if high > low:
            _add_eight(now[low:high], low, factors, chosen, p.rows)
        _add_eight(now[S : S + P], S, factors, chosen, p.rows)
    left, right = p.symbol_first[symbol_before], p.symbol_first[symbol_before + 1]
    if right > left:
        for i in range(0, P, 4):
            _dots(factors, left, before[left:right], p.in_order[i:], p.columns)
            for k in range(4):
                now[S + i + k] += factors[k]
        for e in range(p.link_first[t - 1], p.link_last[t - 1]):
            now[p.link_to[e]] += before[p.link_from[e]] * p.link_value[e]


@borrowing
def _possible(now, visits, dead) -> float:
    """Leave out what is dead; returns the sum of the rest."""
    n, result = len(now), spread(0.0)
    whole = n - n % WIDTH
    for q in range(0, whole, WIDTH):
        kept = load(now, q) * less(dead, load(visits, q))
        store(now, q, kept)
        result = result + kept
    rest = total(result)
    for q in range(whole, n):
        now[q] = now[q] if visits[q] > dead else 0.0
        rest += now[q]
    return rest


@borrowing
def _emit(now, emission, visits, dead) -> float:
    for q in range(len(now)):
        now[q] *= emission[q]
    return _possible(now, visits, dead)


@borrowing
def backward(p, sequence) -> None:
    """β̂, γ, and all expected counts but those of the sorted model."""
    T, S, P = len(sequence), p.sizes[0], p.sizes[1]
    N = S + P
    p.sorted_emitted[:, :P] = 0.0
    p.link_count[: p.sizes[2]] = 0.0
    for t in range(T - 1, -1, -1):
        low, high = p.symbol_first[sequence[t]], p.symbol_first[sequence[t] + 1]
        beta = p.visits[t]
        if t == T - 1:
            beta[:N] = 1.0
        else:
            beta[:N] = 0.0
            _depart(p, t, beta, low, high, sequence[t + 1])
        if t > 0:
            before = p.behind[t - 1]
            before[:N] = 0.0
            _behind(before[low:high], beta[low:high], p.ahead[t, low:high], 1.0 / p.scale[t])
            _behind(before[S:N], beta[S:N], p.ahead[t, S:N], 1.0 / p.scale[t])
            for i in range(P):
                before[S + i] *= p.sorted_emission[sequence[t], i]
        for q in range(N):
            beta[q] *= p.ahead[t, q]
        for i in range(P):
            p.sorted_emitted[sequence[t], i] += beta[S + i]


@borrowing
def _depart(p, t, beta, low, high, symbol_after) -> None:
    """β̂ at step t of all that is possible there."""
    S, P = p.sizes[0], p.sizes[1]
    now, after, eight = p.ahead[t], p.behind[t], p.eight
    if high > low:
        for k in range(0, p.n_alive[t + 1], BLOCK):
            chosen = p.alive[t + 1, k : k + BLOCK]
            for i in range(BLOCK):
                eight[i] = after[S + chosen[i]]
            _add_eight(beta[low:high], low, eight, chosen, p.columns)
        for e in range(p.link_first[t], p.link_last[t]):
            q, r = p.link_from[e], p.link_to[e]
            beta[q] += p.link_value[e] * after[r]
            p.link_count[e] += now[q] * after[r]
    left, right = p.symbol_first[symbol_after], p.symbol_first[symbol_after + 1]
    for k in range(0, p.n_alive[t], 4):
        chosen = p.alive[t, k : k + 4]
        _dots(eight, S, after[S : S + P], chosen, p.rows)
        for i in range(4):
            beta[S + chosen[i]] = eight[i]
        if right > left:
            _dots(eight, left, after[left:right], chosen, p.rows)
            for i in range(4):
                beta[S + chosen[i]] += eight[i]


@borrowing
def _behind(out, beta, ahead, factor) -> None:
    for q in range(len(out)):
        out[q] = beta[q] * factor if ahead[q] > 0.0 else 0.0


@borrowing
def count(p, occurrences, occurrence_first) -> None:
    """Expected counts of the sorted model: sums over steps of products ahead × behind.

    Steps at which a plural is left out contribute nothing and are passed over; the others are
    taken eight at a time.
    """
    S, P, K = p.sizes[0], p.sizes[1], len(p.symbol_first) - 1
    N = S + P
    p.row_counts[:P, :N] = 0.0
    p.column_counts[:P, :S] = 0.0
    for s in range(K):
        low, high = p.symbol_first[s], p.symbol_first[s + 1]
        steps = occurrences[occurrence_first[s] : occurrence_first[s + 1]]
        for i in range(P):
            counts = p.row_counts[i]
            begin = 0
            while begin < len(steps):
                begin = _next_eight(p, p.ahead, S + i, steps, begin, -1)
                if high > low:
                    _add_eight(counts[low:high], low, p.eight, p.eight_steps, p.behind)
                _add_eight(counts[S:N], S, p.eight, p.eight_steps, p.behind)
            if high > low:
                counts = p.column_counts[i]
                begin = 0
                while begin < len(steps):
                    begin = _next_eight(p, p.behind, S + i, steps, begin, 0)
                    _add_eight(counts[low:high], low, p.eight, p.eight_steps, p.ahead)


@borrowing
def _next_eight(p, values, i, steps, begin, shift) -> int:
    """Find the next eight shifted steps at which ``values`` of i are not zero.

    Fewer are filled up with factors of zero. Returns where to go on in ``steps``.
    """
    found, k, last = 0, begin, len(values) - 1
    while k < len(steps) and found < BLOCK:
        t = steps[k] + shift
        k += 1
        if 0 <= t < last and values[t, i] > 0.0:
            p.eight[found] = values[t, i]
            p.eight_steps[found] = t
            found += 1
    for place in range(found, BLOCK):
        p.eight[place] = 0.0
        p.eight_steps[place] = 0
    return k


# The M-step


@borrowing
def _prune(values, counts, negligible) -> float:
    """counts ← values × counts, the negligible ones zero; returns their sum."""
    for q in range(len(values)):
        expected = values[q] * counts[q]
        counts[q] = expected if expected > negligible else 0.0
    return sum_of(counts, 0, len(counts))


@borrowing
def _normalise(counts, total, row, negligible) -> None:
    """row ← counts / total; a row that is hardly visited stays as it is."""
    if total > 2.0 * negligible:
        for q in range(len(row)):
            row[q] = counts[q] / total


@borrowing
def maximise(p) -> None:
    """Expected counts become probabilities."""
    S, P, n_links, K = p.sizes[0], p.sizes[1], p.sizes[2], len(p.symbol_first) - 1
    N = S + P
    negligible = p.limits[NEGLIGIBLE]
    totals = p.totals[:S]
    totals[:] = 0.0
    for i in range(P):
        rows, counts = p.rows[i, :N], p.row_counts[i, :N]
        _normalise(counts, _prune(rows, counts, negligible), rows, negligible)
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
    visits = 0.0
    for q in range(N):
        visits += p.visits[0, q] if p.visits[0, q] > negligible else 0.0
    for q in range(N):
        p.sorted_start[q] = p.visits[0, q] / visits if p.visits[0, q] > negligible else 0.0


@borrowing
def n_visited(p, T) -> int:
    """Number of states that are not left out, summed over the steps."""
    N = p.sizes[0] + p.sizes[1]
    dead = p.limits[DEAD]
    n = 0
    for t in range(T):
        visits = p.visits[t, :N]
        for q in range(len(visits)):
            n += visits[q] > dead
    return n
