"""Generate graphs of the G-set again, as G. Rinaldi's program rudy made them.

Seeds and sizes are those of Helmberg and Rendl (2000). Random numbers are those of the Stanford
GraphBase (Knuth, 1993), so that the graphs are the same on every machine. The tests compare G1, G11
and G14 with the files of the G-set.
"""

from __future__ import annotations

import common  # noqa: F401  must be first: makes prviz importable
import numpy as np

from prviz.datasets import Couplings

#: Best known cuts, as listed in the literature.
BEST = {
    **{"G1": 11624, "G2": 11620, "G3": 11622, "G4": 11646, "G5": 11631},
    **{"G6": 2178, "G7": 2006, "G8": 2005, "G9": 2054, "G10": 2000},
    **{"G11": 564, "G12": 556, "G13": 582},
    **{"G14": 3064, "G15": 3050, "G16": 3052, "G17": 3047},
    **{"G22": 13359, "G32": 1410, "G43": 6660},
}
_WORD = 2**31


class Flip:
    """Draw the random numbers of the Stanford GraphBase: a lagged Fibonacci generator."""

    def __init__(self, seed: int):
        state, previous, following = [0] * 55, seed % _WORD, 1
        shifted = state[54] = previous
        place = 21
        while place:
            state[place - 1] = following
            previous, following = following, (previous - following) % _WORD
            shifted = (shifted >> 1) + (_WORD // 2 if shifted & 1 else 0)
            following = (following - shifted) % _WORD
            place = (place + 21) % 55
        self._state, self._left = state, 0
        for _ in range(5):
            self._cycle()
        self._left -= 1  # the original discards one number here

    def _cycle(self) -> None:
        state = self._state
        for i in range(55):
            state[i] = (state[i] - state[(i + 31) % 55]) % _WORD
        self._left = 55

    def next(self) -> int:
        if not self._left:
            self._cycle()
        self._left -= 1
        return self._state[self._left]

    def below(self, bound: int) -> int:
        """Return a random integer from 0 to ``bound`` − 1."""
        limit = _WORD - _WORD % bound
        while (drawn := self.next()) >= limit:
            pass
        return drawn % bound


def random_edges(n: int, percent: int, seed: int) -> list[tuple[int, int]]:
    """Return distinct random edges between ``percent`` % of all pairs of vertices."""
    flip, pairs = Flip(seed), {}
    wanted = int(n * (n - 1) * percent / 200 + 0.5)
    while len(pairs) < wanted:
        i, j = flip.below(n), flip.below(n)
        if i != j:
            pairs[min(i, j), max(i, j)] = None
    return [*pairs]


def torus_edges(rows: int, columns: int) -> list[tuple[int, int]]:
    """Return the edges of a square lattice that is periodic in both directions."""
    across = [
        (r * columns + c, r * columns + (c + 1) % columns) for r, c in np.ndindex(rows, columns)
    ]
    down = [(r * columns + c, (r + 1) % rows * columns + c) for r, c in np.ndindex(rows, columns)]
    return [*across, *down]


def planar_edges(n: int, percent: int, seed: int) -> list[tuple[int, int]]:
    """Return a planar graph: each new vertex divides a random triangle; then edges are removed."""
    flip, faces = Flip(seed), [(0, 1, 2)]
    edges = [(0, 1), (0, 2), (1, 2)]
    for new in range(3, n):
        chosen = flip.below(len(faces))
        a, b, c = faces[chosen]
        edges += [(a, new), (b, new), (c, new)]
        faces[chosen] = (a, b, new)
        faces += [(a, c, new), (b, c, new)]
    most = percent * len(edges) / 100
    while len(edges) > most:
        removed = flip.below(len(edges))
        edges[removed] = edges[-1]
        edges.pop()
    return edges


def signs(edges: list[tuple[int, int]], seed: int) -> dict[tuple[int, int], int]:
    """Return a random weight, 1 or −1, for each edge.

    Vertices are visited in order, and their edges from the last one to the first one.
    """
    at: dict[int, list] = {}
    for i, j in reversed(edges):
        at.setdefault(min(i, j), []).append((min(i, j), max(i, j)))
    flip = Flip(seed)
    return {pair: 2 * flip.below(2) - 1 for i in sorted(at) for pair in at[i]}


def weighted(name: str) -> tuple[int, dict[tuple[int, int], int]]:
    """Return the number of vertices, and the weights of the edges."""
    number = int(name[1:])
    if number <= 5:
        return 800, dict.fromkeys(random_edges(800, 6, 8000 + number), 1)
    if number <= 10:
        return 800, signs(random_edges(800, 6, 7995 + number), 7995 + number)
    if number <= 13:
        columns = 8 * 2 ** (number - 11)
        return 800, signs(torus_edges(800 // columns, columns), 7990 + number)
    if number <= 17:
        first = 8001 + 2 * (number - 14)
        both = [*planar_edges(800, 99, first), *planar_edges(800, 99, first + 1)]
        return 800, dict.fromkeys(both, 1)
    if name == "G22":
        return 2000, dict.fromkeys(random_edges(2000, 1, 20001), 1)
    if name == "G32":
        return 2000, signs(torus_edges(100, 20), 20001)
    if name == "G43":
        return 1000, dict.fromkeys(random_edges(1000, 2, 10001), 1)
    raise ValueError(f"Unknown graph {name!r}; choose one of {', '.join(BEST)}.")


def gset(name: str) -> Couplings:
    """Return a graph of the G-set with J = −w, so that E = Σ w − 2 cut."""
    n, edges = weighted(name)
    pairs = sorted(edges)
    weights = np.array([-edges[pair] for pair in pairs], float)
    best = -weights.sum() - 2.0 * BEST[name]
    made = Couplings(np.array(pairs, np.int64), weights, np.zeros(n), name, "made by gset.py")
    return made._replace(best_known=float(best))
