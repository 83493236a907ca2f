"""A model of which most is zero, its states sorted so that the zeros lie together.

A trained state emits one symbol and is followed by a few states. So states are put in order: first
the *singles*, which emit one symbol, by that symbol; then the *plurals*, which emit several, as
redrawn states do, or are followed by many. At step t only the singles of symbol x_t and the plurals
are possible: two ranges of positions. The transition matrix falls into three parts:

``rows``     from each plural to all states, dense
``columns``  to each plural from the singles, dense
``links``    from single to single: few, so a list, sorted by the symbols that the two emit

When every state is plural, as after a restart, ``rows`` is the whole matrix and all is dense.

The singles of each symbol, and the plurals, begin at a position that is a multiple of eight, so
that vectors are whole and lie in one line of the cache. Positions between are of no state: they
are zero everywhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.dispatch import borrowing
from ...engine.simd.simd8 import WIDTH, padded
from .likelihood import list_successors

#: Plurals are taken eight at a time, the last few with rows of zeros.
BLOCK = 8
#: What a fit leaves out. Expected counts up to the first limit become zero, and rows visited less
#: than twice as often stay as they are; a state is left out at a step, for the rest of the fit,
#: once its posterior there is no more than the second. Leaving out paths of posterior probability
#: m costs at most −ln(1 − m) of log-likelihood.
NEGLIGIBLE, DEAD = range(2)
LIMITS = (1e-12, 1e-14)
#: Where all states are plural: a restart rests on saddles, from which an unlikely path leads out.
STRICT_LIMITS = (1e-40, 1e-42)
#: A single with links to more than this share of all states counts as a plural,
CROWDED = 0.125
#: and with more than this share of plurals, all are: then dense is quicker.
DENSE = 0.25


class SortedModel(NamedTuple):
    """Working space of a fit; what it holds between fits means nothing.

    The functions take a state, which has these fields and those of :class:`ForwardPass`.

    Attributes
    ----------
    sizes : (4,) int64
        Positions of singles S, the number of plurals P and of links, and all positions W.
    limits : (2,) float64
        What this fit leaves out.
    position : (N,) int64
        Where each state stands; ``state_at`` (N',), the inverse, is −1 where none does. N' leaves
        room for all positions, and for a vector more.
    symbol : (N,) int64
        What each state emits, −1 for plurals; ``tally`` (K + 1,) is room for counting.
    symbol_first : (K + 1,) int64
        Where the singles of each symbol begin; the last one is S, where the plurals do.
        ``symbol_end`` (K,) is where they end.
    link_first, link_last : (T,) uint32
        The links that can be taken from step t to t + 1.
    link_from, link_to : (N N,) uint32
        Positions; without a sign, because negative indices would be looked for.
    alive : (T, N + 8) int64
        Plurals that are possible at each step, unless all are; ``n_alive`` (T,) says how many.
    sorted_start : (N',) float64
        π by position.
    sorted_emission, sorted_emitted : (K, N') float64
        What plurals emit, and its expected counts.
    rows, row_counts : (N + 7, N') float64
    columns, column_counts : (N + 7, N') float64
    link_value, link_count : (N N,) float64
    ahead, behind, visits : (T, N') float64
    scale : (T,) float64
        c_t.
    totals : (N',) float64
        Expected departures from each single; ``packed`` (N,) is room for a row without gaps.
    in_order : (N + 7,) int64
        0, 1, 2, …
    eight : (8,) float64
        Products of a block of rows.
    steps : (T + 8,) int64
        Numbers of rows to be added; ``share`` (max(T, N) + 8,), float64, their factors.
    """

    sizes: np.ndarray
    limits: np.ndarray
    position: np.ndarray
    state_at: np.ndarray
    symbol: np.ndarray
    tally: np.ndarray
    symbol_first: np.ndarray
    symbol_end: np.ndarray
    link_first: np.ndarray
    link_last: np.ndarray
    link_from: np.ndarray
    link_to: np.ndarray
    alive: np.ndarray
    n_alive: np.ndarray
    sorted_start: np.ndarray
    sorted_emission: np.ndarray
    sorted_emitted: np.ndarray
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
    packed: np.ndarray
    in_order: np.ndarray
    eight: np.ndarray
    steps: np.ndarray
    share: np.ndarray


def positions(N: int, K: int) -> int:
    """Room for all positions: an odd number of lines, or rows would share places in the cache."""
    return (padded(N) // WIDTH + K + 2 | 1) * WIDTH


def room_needed(T: int, N: int, K: int) -> int:
    """Return about how many numbers :func:`empty_model` has room for: (2 K + 3 T) positions."""
    return (2 * K + 3 * T + 4 * (N + BLOCK)) * positions(N, K)


def empty_model(T: int, N: int, K: int) -> SortedModel:
    """Room for a string of T symbols out of K and a model of N states."""
    wide, high = positions(N, K), N + BLOCK - 1

    def whole(*shape: int) -> np.ndarray:
        return np.zeros(shape, np.int64)

    return SortedModel(
        sizes=whole(4),
        limits=np.zeros(2),
        position=whole(N),
        state_at=whole(wide),
        symbol=whole(N),
        tally=whole(K + 1),
        symbol_first=whole(K + 1),
        symbol_end=whole(K),
        link_first=np.zeros(T, np.uint32),
        link_last=np.zeros(T, np.uint32),
        link_from=np.zeros(N * N, np.uint32),
        link_to=np.zeros(N * N, np.uint32),
        alive=whole(T, N + BLOCK),
        n_alive=whole(T),
        sorted_start=np.zeros(wide),
        sorted_emission=np.zeros((K, wide)),
        sorted_emitted=np.zeros((K, wide)),
        rows=np.zeros((high, wide)),
        row_counts=np.zeros((high, wide)),
        columns=np.zeros((high, wide)),
        column_counts=np.zeros((high, wide)),
        link_value=np.zeros(N * N),
        link_count=np.zeros(N * N),
        ahead=np.zeros((T, wide)),
        behind=np.zeros((T, wide)),
        visits=np.zeros((T, wide)),
        scale=np.zeros(T),
        totals=np.zeros(wide),
        packed=np.zeros(N),
        in_order=whole(high),
        eight=np.zeros(BLOCK),
        steps=whole(T + BLOCK),
        share=np.zeros(max(T, N) + BLOCK),
    )


# Opening and closing a fit


@borrowing
def open_model(p, occurrences, occurrence_first, sequence, transition, emission, start) -> None:
    """Sort the states into singles and plurals and lay out the model."""
    N, K = emission.shape
    list_successors(p, transition)
    _classify(p, emission)
    S, P, W = p.sizes[0], p.sizes[1], p.sizes[3]
    p.sorted_start[:W] = 0.0
    for state in range(N):
        p.sorted_start[p.position[state]] = start[state]
    for i in range(whole_blocks(P)):
        p.rows[i, :W] = 0.0
        p.columns[i, :S] = 0.0
    for i in range(P):
        state = p.state_at[S + i]
        for q in range(W):
            if p.state_at[q] >= 0:
                p.rows[i, q] = transition[state, p.state_at[q]]
        for q in range(S):
            if p.state_at[q] >= 0:
                p.columns[i, q] = transition[p.state_at[q], state]
    for s in range(K):
        p.sorted_emission[s, :W] = 0.0
        for i in range(P):
            p.sorted_emission[s, i] = emission[p.state_at[S + i], s]
    for i in range(len(p.in_order)):
        p.in_order[i] = i
    p.visits[:, :W] = 1.0
    _collect_links(p, occurrences, occurrence_first, sequence)


@borrowing
def whole_blocks(n) -> int:
    """``n`` rounded up to whole blocks."""
    return (n + BLOCK - 1) // BLOCK * BLOCK


@borrowing
def _classify(p, emission) -> None:
    """Tell singles from plurals, and give every state its position."""
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
        if p.symbol[i] >= 0 and p.row_first[i + 1] - p.row_first[i] > room:
            p.symbol[i] = -1
            P += 1
    if P > DENSE * N:
        p.symbol[:] = -1
        P = N
    _place(p, P)
    for limit in (NEGLIGIBLE, DEAD):
        p.limits[limit] = STRICT_LIMITS[limit] if P == N else LIMITS[limit]


@borrowing
def _place(p, P) -> None:
    """Give every state its position."""
    N, K = len(p.position), len(p.symbol_end)
    p.tally[:] = 0
    for i in range(N):
        if p.symbol[i] >= 0:
            p.tally[p.symbol[i]] += 1
    S = 0
    for s in range(K):
        p.symbol_first[s], p.symbol_end[s] = S, S + p.tally[s]
        p.tally[s] = S
        S = whole_blocks(p.symbol_end[s])
    p.symbol_first[K] = S
    W = S + whole_blocks(P)
    p.sizes[0], p.sizes[1], p.sizes[3] = S, P, W
    p.state_at[:W] = -1
    plural = S
    for i in range(N):
        if p.symbol[i] >= 0:
            p.position[i] = p.tally[p.symbol[i]]
            p.tally[p.symbol[i]] += 1
        else:
            p.position[i] = plural
            plural += 1
        p.state_at[p.position[i]] = i


@borrowing
def copy(out, at, source, begin, n) -> None:
    for i in range(n):
        out[at + i] = source[begin + i]


@borrowing
def _collect_links(p, occurrences, occurrence_first, sequence) -> None:
    """List the links between singles, sorted by the symbols of the two."""
    T, K = len(sequence), len(p.symbol_first) - 1
    tally = p.tally
    begin = 0
    for a in range(K):
        tally[:] = 0
        for q in range(p.symbol_first[a], p.symbol_end[a]):
            state = p.state_at[q]
            for k in range(p.row_first[state], p.row_first[state + 1]):
                symbol = p.symbol[p.successor[k]]
                if symbol >= 0:
                    tally[symbol + 1] += 1
        for b in range(K):
            tally[b + 1] += tally[b]
        found = tally[K]
        for k in range(occurrence_first[a], occurrence_first[a + 1]):
            t = occurrences[k]
            if t + 1 < T:
                p.link_first[t] = begin + tally[sequence[t + 1]]
                p.link_last[t] = begin + tally[sequence[t + 1] + 1]
        for q in range(p.symbol_first[a], p.symbol_end[a]):
            state = p.state_at[q]
            for k in range(p.row_first[state], p.row_first[state + 1]):
                symbol = p.symbol[p.successor[k]]
                if symbol >= 0:
                    e = begin + tally[symbol]
                    tally[symbol] += 1
                    p.link_from[e] = q
                    p.link_to[e] = p.position[p.successor[k]]
                    p.link_value[e] = p.probability[k]
        begin += found
    p.sizes[2] = begin


@borrowing
def unsort(p, transition, emission, start) -> None:
    """Put the model back into the matrices, by state."""
    N, K = emission.shape
    S, P = p.sizes[0], p.sizes[1]
    for state in range(N):
        start[state] = p.sorted_start[p.position[state]]
    for i in range(P):
        state = p.state_at[S + i]
        for other in range(N):
            transition[state, other] = p.rows[i, p.position[other]]
        for q in range(S):
            if p.state_at[q] >= 0:
                transition[p.state_at[q], state] = p.columns[i, q]
        for s in range(K):
            emission[state, s] = p.sorted_emission[s, i]
    for e in range(p.sizes[2]):
        transition[p.state_at[p.link_from[e]], p.state_at[p.link_to[e]]] = p.link_value[e]
