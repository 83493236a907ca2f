"""Stop a search that no longer improves."""

from __future__ import annotations

import math

import numpy as np

from ..checks import real_number
from ..engine.trace import Rows


class Patience:
    """Count the iterations since the last improvement.

    The count does not depend on how a search is divided into steps. So searches with equal seeds
    stop after the same call.

    Parameters
    ----------
    iterations : float
        A search stops after this many iterations without an improvement; infinite means never.
    tol : float
        A cost is an improvement if it is below the last improvement by more than this fraction.
    """

    def __init__(self, iterations: float = math.inf, tol: float = 0.0):
        tol = real_number(tol, "tol")
        if not 0 <= tol < 1:
            raise ValueError(f"tol must be at least 0 and below 1, got {tol}.")
        if tol and iterations == math.inf:
            raise ValueError("tol needs patience, the number of iterations without an improvement.")
        self.iterations, self.tol = iterations, tol
        self._best, self._improved_at, self._now = math.inf, 0.0, 0.0

    @property
    def left(self) -> float:
        """Return the number of iterations until the search stops; ≤ 0 if it should stop now."""
        return self._improved_at + self.iterations - self._now

    def add(self, rows: Rows) -> None:
        """Count the calls in ``rows``."""
        ends = self._now + np.cumsum(rows.iterations)
        for cost, end in zip(rows.best.tolist(), ends.tolist(), strict=True):
            if not cost >= self._best - self.tol * abs(self._best):
                self._best, self._improved_at = cost, end
            self._now = end
