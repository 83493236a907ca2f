"""The improvements of a run's best cost, and the total work of the run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...engine.trace import ROUNDING

if TYPE_CHECKING:
    from ...engine.trace import Rows, Trace

#: Units of work.
AXES = ("iterations", "calls", "seconds")


class Improvements(NamedTuple):
    """A run as a step function: the best cost from each improvement to the next.

    Attributes
    ----------
    calls, iterations : (c,) int64
        Work from the start of the run to the end of each call that lowered the best cost. The first
        call is included.
    seconds : (c,) float64
        CPU seconds from the start to the end of each of these calls.
    best : (c,) float64
        The best cost after each of these calls, descending.
    end_calls, end_iterations : int
    end_seconds : float
        Work of the whole run.
    over : bool
        True if the run cannot continue, because it diverged or its method has ended. A run that
        ended at its budget or target could have continued.
    """

    calls: np.ndarray
    iterations: np.ndarray
    seconds: np.ndarray
    best: np.ndarray
    end_calls: int
    end_iterations: int
    end_seconds: float
    over: bool = False

    @classmethod
    def of(cls, trace: Trace, over: bool = False) -> Improvements:
        """Return the improvements of a trace; ``over`` is not recorded in the trace."""
        recorder = ImprovementRecorder()
        recorder.add(trace.rows, len(trace))
        return recorder.improvements(over)

    def work(self, axis: str = "iterations") -> np.ndarray:
        """Return the work at each improvement, in units of ``axis``, (c,) float64."""
        return getattr(self, check_axis(axis)).astype(np.float64)

    def end(self, axis: str = "iterations") -> float:
        """Return the work of the whole run, in units of ``axis``."""
        return float(getattr(self, f"end_{check_axis(axis)}"))


def nothing() -> Improvements:
    """Return the improvements of a run that has not begun."""
    whole, real = np.empty(0, np.int64), np.empty(0)
    return Improvements(whole, whole, real, real, 0, 0, 0.0)


def rounding(runs: Iterable[Improvements]) -> float:
    """Return the rounding error of costs: ``ROUNDING`` times the largest first cost of the runs."""
    firsts = (abs(float(cost)) for run in runs for cost in run.best[np.isfinite(run.best)][:1])
    return ROUNDING * max(firsts, default=0.0)


def check_axis(axis: str) -> str:
    """Return a unit of work; raise a ValueError with a list of the units if it is unknown."""
    if axis not in AXES:
        raise ValueError(f"work must be one of {', '.join(AXES)}, got {axis!r}.")
    return axis


class ImprovementRecorder:
    """Records only the improvements of a search; see :class:`.engine.trace.Recorder`.

    Pass the recorder to ``TracedSearch(problem, schedule, seed, recorder)``, which then has no
    trace, and call ``recorder.improvements(over=search.finished)`` afterwards. To continue a run,
    pass its earlier improvements as ``before``.
    """

    def __init__(self, before: Improvements | None = None):
        before = before or nothing()
        self._blocks: list[tuple[np.ndarray, ...]] = [before[:4]]
        self._best = float(before.best[-1]) if len(before.best) else np.inf
        self.n_rows, self._iterations, self._seconds = before[4:7]

    def add(self, block: Rows, n_rows: int) -> Rows:
        """Record the improvements of the first ``n_rows`` rows of ``block`` and return these rows.

        The caller may overwrite these rows afterwards.
        """
        *columns, redrawn = block
        rows = type(block)._make([*(column[:n_rows] for column in columns), redrawn])
        if n_rows:
            falls = rows.best < np.append(self._best, rows.best[:-1])
            falls[0] |= self.n_rows == 0  # the first call always counts as an improvement
            improvements = np.flatnonzero(falls)
            iterations = self._iterations + np.cumsum(rows.iterations, dtype=np.int64)
            if len(improvements):
                calls = self.n_rows + 1 + improvements
                found = (
                    iterations[improvements],
                    rows.seconds[improvements],
                    rows.best[improvements],
                )
                self._blocks.append((calls, *found))
            self._best = float(rows.best[-1])
            self._iterations = int(iterations[-1])
            self._seconds = float(rows.seconds[-1])
            self.n_rows += n_rows
        return rows

    def add_call(self, cost: float, iterations: int, seconds: float) -> None:
        """Record a single call, with its iterations and CPU seconds."""
        self.n_rows += 1
        self._iterations += int(iterations)
        self._seconds += seconds
        if cost < self._best or self.n_rows == 1:
            self._best = float(cost)
            found = self.n_rows, self._iterations, self._seconds, self._best
            self._blocks.append(tuple(np.array([each]) for each in found))

    @property
    def best(self) -> float:
        """Return the best cost so far; +∞ before the first call."""
        return self._best

    def end(self, axis: str) -> float:
        """Return the work so far."""
        ends = {"calls": self.n_rows, "iterations": self._iterations, "seconds": self._seconds}
        return ends[axis]

    def improvements(self, over: bool = False) -> Improvements:
        """Return all improvements so far."""
        columns = [np.concatenate(column) for column in zip(*self._blocks, strict=True)]
        totals = self.n_rows, self._iterations, self._seconds
        return Improvements._make([*columns, *totals, over])
