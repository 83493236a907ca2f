"""The outcomes of a live run's calls, and its new bests."""

from __future__ import annotations

import math
from bisect import bisect_right

import numpy as np

from ..engine.trace import KEPT, UNDECIDED, Rows, improves
from .pictures.frames import encode_outcomes


class Tally:
    """The calls of a run so far.

    Attributes
    ----------
    outcomes : bytearray
        One byte per call.
    kept : int
        Number of calls that level 1 has kept.
    best : float
        The lowest cost; infinite before the first call.
    """

    def __init__(self) -> None:
        self.outcomes = bytearray()
        self.kept = 0
        self.best = math.inf
        self._bests: list[list[float]] = []

    def add(self, rows: Rows) -> None:
        """Add the rows of more calls."""
        kept = rows.kept[:, 0] == KEPT
        decided = (rows.kept != UNDECIDED).sum(axis=1)
        kept_outermost = rows.kept[np.arange(len(decided)), decided - 1] == KEPT
        scale = self._bests[0][1] if self._bests else float(rows.best[0])
        new_best = improves(rows.best, np.concatenate([[self.best], rows.best[:-1]]), scale)
        first = len(self.outcomes) + 1
        self._bests += [[first + int(i), float(rows.best[i])] for i in np.flatnonzero(new_best)]
        self.outcomes += encode_outcomes(rows.level, kept, new_best, kept_outermost).tobytes()
        self.kept += int(kept.sum())
        self.best = float(rows.best[-1])

    def bests(self, since: int, calls: int) -> list[list[float]]:
        """Return call and cost of each new best, for calls after ``since`` up to ``calls``."""
        new = bisect_right(self._bests, [since, math.inf])
        return [best for best in self._bests[new:] if best[0] <= calls]
