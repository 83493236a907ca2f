"""Successive halving over seeds: settings that are significantly worse are dropped.

Bad settings get fewer seeds, but never shorter runs, because short runs misrank settings: full
restarts lead early. This is the idea of Jamieson and Talwalkar (2016, Non-stochastic best arm
identification and hyperparameter optimization), with a test instead of a fixed share, as in racing
(Birattari et al. 2002, A racing algorithm for configuring metaheuristics).
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence

import numpy as np

from .ranking import holm, mean_ranks, p_worse, places

RUNGS = (5, 10, 20, 40)
ERROR = 0.05  # probability that the best cell is dropped, over all rungs
AHEAD = 2  # the leader runs this many rungs ahead of the others


class Halving:
    """Chooses the next runs of a tuning, and drops cells. A cell is one of the settings.

    Parameters
    ----------
    cells : int
        Number of cells.
    stay : collection of int
        Cells that are never dropped.
    rungs : sequence of int
        Number of seeds after each rung, ascending.

    Attributes
    ----------
    leader : int or None
        The cell with the lowest rank after the last completed rung.
    dropped : dict of int to int
        For each dropped cell, the rung after which it was dropped, from 0.
    rung : int
        The present rung, from 0.
    scored : list of dict of int to (float, float)
        Scores of each cell by seed; see :func:`ranking.scores`.
    alike : float
        Tolerance for ties of costs.
    """

    def __init__(self, cells: int, stay: Collection[int], rungs: Sequence[int] = RUNGS):
        self.cells, self.stay, self.rungs = cells, frozenset(stay), tuple(rungs)
        self.leader: int | None = None
        self.dropped: dict[int, int] = {}
        self.rung = 0
        self.scored: list[dict[int, tuple[float, float]]] = [{} for _ in range(cells)]
        self.alike = 0.0

    @property
    def living(self) -> list[int]:
        """Return the remaining cells."""
        return [cell for cell in range(self.cells) if cell not in self.dropped]

    def take(self, cell: int, seed: int, score: tuple[float, float]) -> None:
        """Add the score of a completed run."""
        self.scored[cell][seed] = score

    def asks(self) -> Generator[list[tuple[int, int]], None, None]:
        """Yield the next runs, by cell and seed; add all their scores before you continue.

        After each rung, the cell with the lowest rank runs ahead, so that the others are compared
        with runs that were not used to choose it. Cells that are significantly worse are dropped.
        The test is corrected for the numbers of cells (Holm) and of rungs (Bonferroni).
        """
        before = 0
        for rung, n in enumerate(self.rungs):
            self.rung = rung
            yield self._ask(self.living, range(before, n))
            self.leader = leader = self.first(n)
            if rung == len(self.rungs) - 1:
                return
            ahead = self.rungs[min(rung + AHEAD, len(self.rungs) - 1)]
            if leader is None:
                return
            yield self._ask([leader], range(n, ahead))
            for cell in self._worse(leader, n, ahead):
                self.dropped[cell] = rung
            before = n

    def _ask(self, cells: Sequence[int], seeds: range) -> list[tuple[int, int]]:
        """Return the missing runs, sorted by seed, so that all cells advance evenly."""
        return [(cell, seed) for seed in seeds for cell in cells if seed not in self.scored[cell]]

    def first(self, n: int | None = None) -> int | None:
        """Return the remaining cell with the lowest mean rank, over the first n or all seeds."""
        cells = [cell for cell in self.living if self.scored[cell]]
        if not cells:
            return None
        ranks = mean_ranks(
            [self._of(cell, range(n or max(self.rungs))) for cell in cells], self.alike
        )
        return cells[int(np.argmin(ranks))]

    def _of(self, cell: int, seeds: range) -> np.ndarray:
        found = [self.scored[cell][seed] for seed in seeds if seed in self.scored[cell]]
        return np.array(found, dtype=float).reshape(-1, 2)

    def _worse(self, leader: int, n: int, ahead: int) -> list[int]:
        others = [cell for cell in self.living if cell != leader]
        fresh = self._of(leader, range(n, ahead))
        values: list[float] = []
        for cell in others:
            both = places(np.concatenate([fresh, self._of(cell, range(n))]), self.alike)
            values.append(p_worse(both[: len(fresh)], both[len(fresh) :]))
        level = ERROR / len(self.rungs)
        corrected = holm(values)
        return [
            cell
            for cell, value in zip(others, corrected, strict=True)
            if value <= level and cell not in self.stay
        ]
