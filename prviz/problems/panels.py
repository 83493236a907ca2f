"""Baum–Welch over a model of which most is zero: the first iterations after a redraw.

A trained state emits one symbol and is followed by a few states. So states are put in order: first
the *singles*, which emit one symbol, by that symbol; then the *plurals*, which emit several, as
redrawn states do, or are followed by many. At step t only the singles of symbol x_t and the plurals
are possible: two ranges of positions. The transition matrix falls into three parts:

``rows``     from each plural to all states, dense
``columns``  to each plural from the singles, dense
``links``    from single to single: few, so a list, sorted by the symbols that the two emit

When every state is plural, as after a restart, ``rows`` is the whole matrix and all is dense.

Notation as in ``baum_welch_plain.py``: ``ahead[t]`` is α̂_t and ``behind[t]`` the vector
B(x_{t+1}) β̂_{t+1} / c_{t+1}, so that ξ_t(i, j) = ahead[t, i] A[i, j] behind[t, j]; ``visits[t]``
is γ_t. Expected counts are kept without their factor A until the M-step.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from ..dispatch import OPTIONS

#: Sums may be taken in any order, which lets the compiler use vector instructions.
vectorised = numba.njit(_nrt=False, fastmath={"reassoc", "contract"}, **OPTIONS)

#: Plurals are taken four at a time, the last few with rows of zeros.
BLOCK = 4
#: Expected counts up to this become zero, and rows visited less than twice as often stay as they
#: are. Leaving out paths of posterior probability m costs at most −ln(1 − m) of log-likelihood.
NEGLIGIBLE = 1e-12
#: A state is left out at a step, for the rest of the fit, once its posterior there is this small.
DEAD = 1e-14
#: A single with links to more than this share of all states counts as a plural,
CROWDED = 0.125
#: and with more than this share of plurals, all are: then dense is quicker.
DENSE = 0.25


class Panels(NamedTuple):
    """Working space of a fit; what it holds between fits means nothing.

    Attributes
    ----------
    sizes : (3,) int64
        Number of singles S, of plurals P, of links.
    position, state_at : (N,) int64
        Where each state stands, and the inverse.
    symbol : (N,) int64
        What each state emits, −1 for plurals; ``tally`` (K + 1,) is room for counting.
    symbol_first : (K + 1,) int64
        Where the singles of each symbol begin; the last one is S, where the plurals do.
    link_first, link_last : (T,) int64
        The links that can be taken from step t to t + 1.
    link_from, link_to : (N N,) int64
        Positions.
    alive : (T, N + 3) int64
        Plurals that are possible at each step, filled up with P to whole blocks;
        ``n_alive`` (T,) says how many.
    panel_start : (N,) float64
        π by position.
    panel_emission, panel_emitted : (K, N) float64
        What plurals emit, and its expected counts.
    rows, row_counts : (N + 3, N) float64
    columns, column_counts : (N + 3, N) float64
    link_value, link_count : (N N,) float64
    ahead, behind, visits : (T, N + 3) float64
    scale : (T,) float64
        c_t.
    totals : (N,) float64
        Expected departures from each single.
    """

    sizes: np.ndarray
    position: np.ndarray
    state_at: np.ndarray
    symbol: np.ndarray
    tally: np.ndarray
    symbol_first: np.ndarray
    link_first: np.ndarray
    link_last: np.ndarray
    link_from: np.ndarray
    link_to: np.ndarray
    alive: np.ndarray
    n_alive: np.ndarray
    panel_start: np.ndarray
    panel_emission: np.ndarray
    panel_emitted: np.ndarray
    rows: np.ndarray
    row_counts: np.ndarray
    columns: np.ndarray
    column_counts: np.ndarray
    link_value: np.ndarray
    link_count: np.ndarray
    ahead: np.ndarray
    behind: np.ndarray
    visits: np.ndarray
    scale: np.ndarray
    totals: np.ndarray


def empty_panels(T: int, N: int, K: int) -> Panels:
    """Room for a string of T symbols out of K and a model of N states."""
    padded = N + BLOCK - 1

    def whole(*shape: int) -> np.ndarray:
        return np.zeros(shape, np.int64)

    return Panels(
        sizes=whole(3),
        position=whole(N),
        state_at=whole(N),
        symbol=whole(N),
        tally=whole(K + 1),
        symbol_first=whole(K + 1),
        link_first=whole(T),
        link_last=whole(T),
        link_from=whole(N * N),
        link_to=whole(N * N),
        alive=whole(T, padded),
        n_alive=whole(T),
        panel_start=np.zeros(N),
        panel_emission=np.zeros((K, N)),
        panel_emitted=np.zeros((K, N)),
        rows=np.zeros((padded, N)),
        row_counts=np.zeros((padded, N)),
        columns=np.zeros((padded, N)),
        column_counts=np.zeros((padded, N)),
        link_value=np.zeros(N * N),
        link_count=np.zeros(N * N),
        ahead=np.zeros((T, padded)),
        behind=np.zeros((T, padded)),
        visits=np.zeros((T, padded)),
        scale=np.zeros(T),
        totals=np.zeros(max(N, BLOCK)),
    )


# Opening and closing a fit


@vectorised
def open_panels(p, occurrences, occurrence_first, sequence, transition, emission, start) -> None:
    """Sort the states into singles and plurals and lay out the model."""
    N, K = emission.shape
    _classify(p, transition, emission)
    S, P = p.sizes[0], p.sizes[1]
    for q in range(N):
        p.panel_start[q] = start[p.state_at[q]]
    for i in range(P):
        state = p.state_at[S + i]
        for q in range(N):
            p.rows[i, q] = transition[state, p.state_at[q]]
        for q in range(S):
            p.columns[i, q] = transition[p.state_at[q], state]
        for s in range(K):
            p.panel_emission[s, i] = emission[state, s]
    for i in range(P, _blocks(P)):
        p.rows[i, :] = 0.0
        p.columns[i, :] = 0.0
    p.ahead[:, N:] = 0.0
    p.behind[:, N:] = 0.0
    p.visits[:, :] = 1.0
    _collect_links(p, occurrences, occurrence_first, sequence, transition)


@vectorised
def _blocks(n) -> int:
    """``n`` rounded up to whole blocks."""
    return (n + BLOCK - 1) // BLOCK * BLOCK


@vectorised
def _classify(p, transition, emission) -> None:
    """Give every state its position: singles by their symbol, then plurals."""
    N, K = emission.shape
    P = 0
    for i in range(N):
        p.symbol[i] = -1
        n_symbols = 0
        for s in range(K):
            if emission[i, s] > 0.0:
                p.symbol[i] = s
                n_symbols += 1
        if n_symbols > 1:
            p.symbol[i] = -1
            P += 1
    room = P + CROWDED * N
    for i in range(N):
        if p.symbol[i] >= 0 and _n_positive(transition[i]) > room:
            p.symbol[i] = -1
            P += 1
    if P > DENSE * N:
        p.symbol[:] = -1
        P = N

    first = p.symbol_first
    first[:] = 0
    for i in range(N):
        if p.symbol[i] >= 0:
            first[p.symbol[i] + 1] += 1
    for s in range(K):
        first[s + 1] += first[s]
    copy(p.tally[:K], first[:K])
    plural = N - P
    for i in range(N):
        if p.symbol[i] >= 0:
            p.position[i] = p.tally[p.symbol[i]]
            p.tally[p.symbol[i]] += 1
        else:
            p.position[i] = plural
            plural += 1
        p.state_at[p.position[i]] = i
    p.sizes[0], p.sizes[1] = N - P, P


@vectorised
def copy(out, source) -> None:
    for i in range(len(out)):
        out[i] = source[i]


@vectorised
def _n_positive(row) -> int:
    n = 0
    for value in row:
        n += value > 0.0
    return n


@vectorised
def _collect_links(p, occurrences, occurrence_first, sequence, transition) -> None:
    """List the links between singles, sorted by the symbols of the two."""
    N, T, K = len(p.symbol), len(sequence), len(p.symbol_first) - 1
    S, first = p.sizes[0], p.symbol_first
    begin = 0
    for a in range(K):
        tally = p.tally[: K + 1]
        tally[:] = 0
        end = begin
        if first[a + 1] > first[a]:
            for q in range(first[a], first[a + 1]):
                row = transition[p.state_at[q]]
                for j in range(N):
                    if row[j] > 0.0 and p.position[j] < S:
                        tally[p.symbol[j] + 1] += 1
                        end += 1
            for b in range(K):
                tally[b + 1] += tally[b]
            for k in range(occurrence_first[a], occurrence_first[a + 1]):
                t = occurrences[k]
                if t + 1 < T:
                    p.link_first[t] = begin + tally[sequence[t + 1]]
                    p.link_last[t] = begin + tally[sequence[t + 1] + 1]
            for q in range(first[a], first[a + 1]):
                row = transition[p.state_at[q]]
                for j in range(N):
                    if row[j] > 0.0 and p.position[j] < S:
                        e = begin + tally[p.symbol[j]]
                        tally[p.symbol[j]] += 1
                        p.link_from[e] = q
                        p.link_to[e] = p.position[j]
                        p.link_value[e] = row[j]
        else:
            for k in range(occurrence_first[a], occurrence_first[a + 1]):
                t = occurrences[k]
                p.link_first[t] = p.link_last[t] = begin
        begin = end
    p.sizes[2] = begin


@vectorised
def write_back(p, transition, emission, start) -> None:
    """Put the model back into the matrices, by state."""
    N, K = emission.shape
    S, P = p.sizes[0], p.sizes[1]
    for q in range(N):
        start[p.state_at[q]] = p.panel_start[q]
    for i in range(P):
        state = p.state_at[S + i]
        for q in range(N):
            transition[state, p.state_at[q]] = p.rows[i, q]
        for q in range(S):
            transition[p.state_at[q], state] = p.columns[i, q]
        for s in range(K):
            emission[state, s] = p.panel_emission[s, i]
    for e in range(p.sizes[2]):
        transition[p.state_at[p.link_from[e]], p.state_at[p.link_to[e]]] = p.link_value[e]


# The E-step


@vectorised
def _add_four(out, a, first, b, second, c, third, d, fourth) -> None:
    for q in range(len(out)):
        out[q] += a * first[q] + b * second[q] + c * third[q] + d * fourth[q]


@vectorised
def _dot(one, other) -> float:
    total = 0.0
    for q in range(len(one)):
        total += one[q] * other[q]
    return total


@vectorised
def _four_dots(out, low, v, first, second, third, fourth) -> None:
    """Add the products of four rows with ``v`` to four entries of ``out``."""
    a = b = c = d = 0.0
    for q in range(len(v)):
        a += first[q] * v[q]
        b += second[q] * v[q]
        c += third[q] * v[q]
        d += fourth[q] * v[q]
    out[low] += a
    out[low + 1] += b
    out[low + 2] += c
    out[low + 3] += d


@vectorised
def forward(p, sequence) -> float:
    """α̂ and c of every step; returns the log-likelihood."""
    S, P = p.sizes[0], p.sizes[1]
    N = S + P
    log_likelihood, product = 0.0, 1.0
    for t in range(len(sequence)):
        low, high = p.symbol_first[sequence[t]], p.symbol_first[sequence[t] + 1]
        now = p.ahead[t]
        if t == 0:
            copy(now[:N], p.panel_start)
        else:
            now[:N] = 0.0
            _arrive(p, t, now, low, high, sequence[t - 1])
        total = _possible(now[low:high], p.visits[t, low:high])
        total += _emit(now[S:N], p.panel_emission[sequence[t]], p.visits[t, S:N])
        p.scale[t] = total
        if not total > 0.0:
            return -np.inf
        now[:low] = 0.0
        now[high:S] = 0.0
        factor = 1.0 / total
        for q in range(N):
            now[q] *= factor
        product *= total
        if product < 1e-200:  # a logarithm now and then
            log_likelihood += np.log(product)
            product = 1.0

        n = 0
        for i in range(P):
            p.alive[t, n] = i
            n += now[S + i] > 0.0
        p.n_alive[t] = n
        for k in range(n, _blocks(n)):
            p.alive[t, k] = P
    return log_likelihood + np.log(product)


@vectorised
def _arrive(p, t, now, low, high, symbol_before) -> None:
    """Everything that reaches step t."""
    S, P = p.sizes[0], p.sizes[1]
    before, alive, rows = p.ahead[t - 1], p.alive[t - 1], p.rows
    for k in range(0, p.n_alive[t - 1], BLOCK):
        h, i, j, m = alive[k], alive[k + 1], alive[k + 2], alive[k + 3]
        a, b, c, d = before[S + h], before[S + i], before[S + j], before[S + m]
        _add_four(
            now[low:high],
            a,
            rows[h, low:high],
            b,
            rows[i, low:high],
            c,
            rows[j, low:high],
            d,
            rows[m, low:high],
        )
        n = S + P
        _add_four(now[S:n], a, rows[h, S:n], b, rows[i, S:n], c, rows[j, S:n], d, rows[m, S:n])
    left, right = p.symbol_first[symbol_before], p.symbol_first[symbol_before + 1]
    if right > left:
        for i in range(P):
            now[S + i] += _dot(p.columns[i, left:right], before[left:right])
        for e in range(p.link_first[t - 1], p.link_last[t - 1]):
            now[p.link_to[e]] += before[p.link_from[e]] * p.link_value[e]


@vectorised
def _possible(now, visits) -> float:
    """Leave out what is dead; returns the sum of the rest."""
    total = 0.0
    for q in range(len(now)):
        now[q] = now[q] if visits[q] > DEAD else 0.0
        total += now[q]
    return total


@vectorised
def _emit(now, emission, visits) -> float:
    total = 0.0
    for q in range(len(now)):
        now[q] = now[q] * emission[q] if visits[q] > DEAD else 0.0
        total += now[q]
    return total


@vectorised
def backward(p, sequence) -> None:
    """β̂, γ, and all expected counts but those of the panels."""
    T, S, P = len(sequence), p.sizes[0], p.sizes[1]
    N = S + P
    p.panel_emitted[:, :P] = 0.0
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
                before[S + i] *= p.panel_emission[sequence[t], i]
        for q in range(N):
            beta[q] *= p.ahead[t, q]
        for i in range(P):
            p.panel_emitted[sequence[t], i] += beta[S + i]


@vectorised
def _depart(p, t, beta, low, high, symbol_after) -> None:
    """β̂ at step t of all that is possible there."""
    S, P = p.sizes[0], p.sizes[1]
    now, after, columns, rows = p.ahead[t], p.behind[t], p.columns, p.rows
    if high > low:
        alive = p.alive[t + 1]
        for k in range(0, p.n_alive[t + 1], BLOCK):
            h, i, j, m = alive[k], alive[k + 1], alive[k + 2], alive[k + 3]
            _add_four(
                beta[low:high],
                after[S + h],
                columns[h, low:high],
                after[S + i],
                columns[i, low:high],
                after[S + j],
                columns[j, low:high],
                after[S + m],
                columns[m, low:high],
            )
        for e in range(p.link_first[t], p.link_last[t]):
            q, r = p.link_from[e], p.link_to[e]
            beta[q] += p.link_value[e] * after[r]
            p.link_count[e] += now[q] * after[r]
    left, right = p.symbol_first[symbol_after], p.symbol_first[symbol_after + 1]
    alive, four = p.alive[t], p.totals[:BLOCK]
    for k in range(0, p.n_alive[t], BLOCK):
        h, i, j, m = alive[k], alive[k + 1], alive[k + 2], alive[k + 3]
        four[:] = 0.0
        n = S + P
        _four_dots(
            four,
            0,
            after[left:right],
            rows[h, left:right],
            rows[i, left:right],
            rows[j, left:right],
            rows[m, left:right],
        )
        _four_dots(four, 0, after[S:n], rows[h, S:n], rows[i, S:n], rows[j, S:n], rows[m, S:n])
        for place in range(BLOCK):
            beta[S + alive[k + place]] = four[place]


@vectorised
def _behind(out, beta, ahead, factor) -> None:
    for q in range(len(out)):
        out[q] = beta[q] * factor if ahead[q] > 0.0 else 0.0


@vectorised
def count(p, sequence, occurrences, occurrence_first) -> None:
    """Expected counts of the panels: sums over steps of products ahead × behind.

    Steps at which a plural is left out contribute nothing and are passed over; the others are
    taken four at a time.
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
            _count_one(counts[low:high], counts[S:N], p.ahead, p.behind, S + i, steps, -1, low, S)
            if high > low:
                counts = p.column_counts[i]
                _count_one(counts[low:high], counts[:0], p.behind, p.ahead, S + i, steps, 0, low, 0)


@vectorised
def _count_one(out, out_plural, ones, others, i, steps, shift, low, S) -> None:
    """Add ones[t, i] × others[t] over the steps t, each shifted, to two stretches of counts.

    The first stretch of ``others`` begins at ``low``, the second at ``S``.
    """
    T, n, n_plural = len(ones), len(out), len(out_plural)
    a = b = c = 0.0
    t0 = t1 = t2 = found = 0
    for k in range(len(steps) + BLOCK - 1):
        flush = k >= len(steps)
        t = t0 if flush else steps[k] + shift
        if t < 0 or t >= T - 1:
            continue
        factor = 0.0 if flush else ones[t, i]
        if flush:
            if found == 0:
                return
        elif factor == 0.0:
            continue
        found += 1
        if found == 1:
            a, t0 = factor, t
        elif found == 2:
            b, t1 = factor, t
        elif found == 3:
            c, t2 = factor, t
        else:
            found = 0
            first, second, third, fourth = others[t0], others[t1], others[t2], others[t]
            _add_four(
                out,
                a,
                first[low : low + n],
                b,
                second[low : low + n],
                c,
                third[low : low + n],
                factor,
                fourth[low : low + n],
            )
            end = S + n_plural
            _add_four(
                out_plural,
                a,
                first[S:end],
                b,
                second[S:end],
                c,
                third[S:end],
                factor,
                fourth[S:end],
            )


# The M-step


@vectorised
def _prune(values, counts) -> float:
    """counts ← values × counts, the negligible ones zero; returns their sum."""
    total = 0.0
    for q in range(len(values)):
        expected = values[q] * counts[q]
        counts[q] = expected if expected > NEGLIGIBLE else 0.0
        total += counts[q]
    return total


@vectorised
def normalise(counts, total, row) -> None:
    """row ← counts / total; a row that is hardly visited stays as it is."""
    if total > 2.0 * NEGLIGIBLE:
        for q in range(len(row)):
            row[q] = counts[q] / total


@vectorised
def maximise(p) -> None:
    """Expected counts become probabilities."""
    S, P, n_links, K = p.sizes[0], p.sizes[1], p.sizes[2], len(p.symbol_first) - 1
    N = S + P
    totals = p.totals[:S]
    totals[:] = 0.0
    for i in range(P):
        rows, counts = p.rows[i, :N], p.row_counts[i, :N]
        normalise(counts, _prune(rows, counts), rows)
        columns, counts = p.columns[i, :S], p.column_counts[i, :S]
        _prune(columns, counts)
        for q in range(S):
            totals[q] += counts[q]
    links, link_counts = p.link_value[:n_links], p.link_count[:n_links]
    _prune(links, link_counts)
    for e in range(n_links):
        totals[p.link_from[e]] += link_counts[e]
    for i in range(P):
        columns, counts = p.columns[i, :S], p.column_counts[i, :S]
        for q in range(S):
            columns[q] = counts[q] / totals[q] if totals[q] > 2.0 * NEGLIGIBLE else columns[q]
    for e in range(n_links):
        total = totals[p.link_from[e]]
        if total > 2.0 * NEGLIGIBLE:
            links[e] = link_counts[e] / total

    for i in range(P):
        total = 0.0
        for s in range(K):
            total += p.panel_emitted[s, i] if p.panel_emitted[s, i] > NEGLIGIBLE else 0.0
        if total > 2.0 * NEGLIGIBLE:
            for s in range(K):
                p.panel_emission[s, i] = p.panel_emitted[s, i] / total if p.panel_emitted[s, i] > NEGLIGIBLE else 0.0
    total = 0.0
    for q in range(N):
        total += p.visits[0, q] if p.visits[0, q] > NEGLIGIBLE else 0.0
    for q in range(N):
        p.panel_start[q] = p.visits[0, q] / total if p.visits[0, q] > NEGLIGIBLE else 0.0


@vectorised
def n_visited(p, T) -> int:
    """Number of states that are not left out, summed over the steps."""
    N = p.sizes[0] + p.sizes[1]
    n = 0
    for t in range(T):
        visits = p.visits[t, :N]
        for q in range(len(visits)):
            n += visits[q] > DEAD
    return n
