"""A model with many zeros, whose states are sorted so that the zeros form blocks.

Most trained states emit one symbol and have few successors. So states are sorted. First come the
*singles*, which emit one symbol, in the order of these symbols. Then come the *plurals*: redrawn
states, and others that emit several symbols or have many successors. At step t only the singles of
symbol x_t and the plurals are possible: two ranges of positions. The transition matrix has three
parts:

``rows``     from each plural to all states, dense
``columns``  to each plural from the singles, dense
``links``    from single to single: a list, sorted by the two emitted symbols

When every state is plural, as after a restart, ``rows`` is the whole dense matrix.

The singles of each symbol, and the plurals, begin at a position that is a multiple of eight, so
that vectors are aligned with cache lines. Unused positions are zero.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.dispatch import borrowing
from ...engine.simd.simd8 import WIDTH, padded
from .likelihood import list_successors

#: Plurals are processed in blocks of this size. Rows of zeros pad the last block.
BLOCK = 8
#: Limits for dropping entries and states in a fit. Expected counts up to the first limit become
#: zero. The row of a state with fewer expected visits than twice the first limit does not change.
#: A state whose posterior probability at a step is at most the second limit is dropped at that step
#: for the rest of the fit.
NEGLIGIBLE, DEAD = range(2)
LIMITS = (1e-12, 1e-14)
#: Limits if all states are plurals, as after a restart. Such a fit begins near saddle points, which
#: it leaves along unlikely paths.
STRICT_LIMITS = (1e-40, 1e-42)
#: A single with links to more than this share of all states counts as a plural.
CROWDED = 0.125
#: With more than this share of plurals, all states count as plurals: a dense matrix is faster.
DENSE = 0.25


class SortedModel(NamedTuple):
    """Working space of a fit. It has no meaning between fits.

    The functions take a state ``p``, which has these fields and those of :class:`ForwardPass`.

    Attributes
    ----------
    sizes : (4,) int64
        Numbers of positions of singles (S) and plurals (P), of links, and of all positions (W).
    limits : (2,) float64
        Limits for dropping states in this fit.
    position : (N,) int64
        Position of each state; ``state_at`` (N',), the inverse, is −1 for unused positions. N' is
        large enough for all positions and one more vector.
    symbol : (N,) int64
        Symbol that each state emits, K for plurals.
    symbol_first, symbol_end : (K + 1,) int64
        Ranges of the singles of each symbol; the last range has the plurals.
    link_first, link_end : (K, K) uint32
        The links from singles of one symbol to singles of another.
    link_from, link_to : (N N,) uint32
        Positions. Unsigned, so that Numba does not check for negative indices.
    alive : (T, N + 8) int64
        Plurals that are possible at each step; ``n_alive`` (T,) is their number.
    sorted_start : (N',) float64
        π by position.
    sorted_emission, sorted_emitted : (K, N') float64
        Emissions of plurals and their expected counts.
    rows, row_counts : (N + 7, N') float64
    columns, column_counts : (N + 7, N') float64
    link_value, link_count : (N N,) float64
    ahead, behind, visits : (T, N') float64
    scale : (T,) float64
        c_t.
    totals : (N',) float64
        Expected departures from each single. ``packed`` (N + 1,) is space for a row without gaps.
    in_order : (N + 7,) int64
        0, 1, 2, …
    eight : (8,) float64
        Products of a block of rows.
    steps : (T + 8,) int64
        Numbers of the rows to add.
    share : (max(T, N) + 8,) float64
        Factors of these rows.
    """

    sizes: np.ndarray
    limits: np.ndarray
    position: np.ndarray
    state_at: np.ndarray
    symbol: np.ndarray
    symbol_first: np.ndarray
    symbol_end: np.ndarray
    link_first: np.ndarray
    link_end: np.ndarray
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
    """Return the number of positions; an odd number of cache lines avoids conflicts."""
    return (padded(N) // WIDTH + K + 2 | 1) * WIDTH


def room_needed(T: int, N: int, K: int) -> int:
    """Return the approximate size of :func:`empty_model`, as a count of numbers."""
    return (2 * K + 3 * T + 4 * (N + BLOCK)) * positions(N, K)


def empty_model(T: int, N: int, K: int) -> SortedModel:
    """Return working space for a string of T symbols out of K and a model of N states."""
    wide, high = positions(N, K), N + BLOCK - 1

    def whole(*shape: int) -> np.ndarray:
        return np.zeros(shape, np.int64)

    return SortedModel(
        sizes=whole(4),
        limits=np.zeros(2),
        position=whole(N),
        state_at=whole(wide),
        symbol=whole(N),
        symbol_first=whole(K + 1),
        symbol_end=whole(K + 1),
        link_first=np.zeros((K, K), np.uint32),
        link_end=np.zeros((K, K), np.uint32),
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
        packed=np.zeros(N + 1),
        in_order=whole(high),
        eight=np.zeros(BLOCK),
        steps=whole(T + BLOCK),
        share=np.zeros(max(T, N) + BLOCK),
    )


# Opening and closing a fit


@borrowing
def open_model(p) -> None:
    """Sort the states of the model into singles and plurals, and fill the sorted arrays."""
    N, K = p.emission.shape
    list_successors(p)
    _classify(p)
    S, P, W = p.sizes[0], p.sizes[1], p.sizes[3]
    p.sorted_start[:W] = 0.0
    for state in range(N):
        p.sorted_start[p.position[state]] = p.start[state]
    p.rows[: P + BLOCK - 1, :W] = 0.0
    p.columns[: P + BLOCK - 1, :S] = 0.0
    p.sorted_emission[:, :W] = 0.0
    for i in range(P):
        state = p.state_at[S + i]
        for other in range(N):
            p.rows[i, p.position[other]] = p.transition[state, other]
            if p.symbol[other] < K:
                p.columns[i, p.position[other]] = p.transition[other, state]
        for s in range(K):
            p.sorted_emission[s, i] = p.emission[state, s]
    for i in range(len(p.in_order)):
        p.in_order[i] = i
    p.visits[:, :W] = 1.0
    _list_links(p)


@borrowing
def _classify(p) -> None:
    """Separate singles from plurals, and give every state its position."""
    N, K = p.emission.shape
    P = 0
    for i in range(N):
        n_symbols = 0
        for s in range(K):
            if p.emission[i, s] > 0.0:
                p.symbol[i] = s
                n_symbols += 1
        if n_symbols != 1:
            p.symbol[i] = K
            P += 1
    room = P + CROWDED * N
    for i in range(N):
        if p.symbol[i] < K and p.row_first[i + 1] - p.row_first[i] > room:
            p.symbol[i] = K
            P += 1
    if P > DENSE * N:
        p.symbol[:] = K
        P = N
    for limit in (NEGLIGIBLE, DEAD):
        p.limits[limit] = STRICT_LIMITS[limit] if P == N else LIMITS[limit]
    p.state_at[:] = -1
    place = 0
    for s in range(K + 1):
        p.symbol_first[s] = place
        for i in range(N):
            if p.symbol[i] == s:
                p.position[i], p.state_at[place] = place, i
                place += 1
        p.symbol_end[s] = place
        place += -place % BLOCK
    p.sizes[0], p.sizes[1], p.sizes[3] = p.symbol_first[K], P, place


@borrowing
def _list_links(p) -> None:
    """List the links between singles, sorted by the symbols of both singles."""
    K = len(p.sorted_emission)
    n = 0
    for a in range(K):
        for b in range(K):
            p.link_first[a, b] = n
            for q in range(p.symbol_first[a], p.symbol_end[a]):
                state = p.state_at[q]
                for k in range(p.row_first[state], p.row_first[state + 1]):
                    if p.symbol[p.successor[k]] == b:
                        p.link_from[n], p.link_to[n] = q, p.position[p.successor[k]]
                        p.link_value[n] = p.probability[k]
                        n += 1
            p.link_end[a, b] = n
    p.sizes[2] = n


@borrowing
def unsort(p) -> None:
    """Write the model back to the matrices, by state."""
    N, K = p.emission.shape
    S = p.sizes[0]
    for state in range(N):
        p.start[state] = p.sorted_start[p.position[state]]
    for i in range(p.sizes[1]):
        state = p.state_at[S + i]
        for other in range(N):
            if p.symbol[other] < K:
                p.transition[other, state] = p.columns[i, p.position[other]]
            p.transition[state, other] = p.rows[i, p.position[other]]
        for s in range(K):
            p.emission[state, s] = p.sorted_emission[s, i]
    for e in range(p.sizes[2]):
        p.transition[p.state_at[p.link_from[e]], p.state_at[p.link_to[e]]] = p.link_value[e]
