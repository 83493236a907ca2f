"""A probe that first finds its starting point, a state slightly above the best known cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from prviz.engine.trace import gap_to
from prviz.player.batch.job import LEAST, ProbeJob
from prviz.player.live import LiveRun
from prviz.search.checkpoint import NEAR, NEAREST, Checkpoint, checkpoint
from prviz.ui.widgets.formatting import counted, six_digits


class Start:
    """The arguments of a probe for a run; the probe's thread finds the starting point.

    Attributes
    ----------
    gap : float
        Gap between the costs of the starting point and the best known; set by the thread.
    words : str
        Description of the starting point, in a sentence.
    """

    def __init__(self, run: LiveRun):
        self._run, self._layout = run, run.layout()
        self.id, self.problem, self.schedule = run.id, run.problem, run.schedule
        self.gap, self.words = math.inf, ""

    def kernels_ready(self, timeout: float | None = 0.0) -> bool:
        return self._run.kernels_ready(timeout)

    def best(self) -> tuple[int, Any]:
        """Return the run's best state if it is near the best known cost; else search for one."""
        found = self._own() or self._searched()
        self.gap = found.gap
        return found.calls, found.state

    def _own(self) -> Checkpoint | None:
        best_known = self._layout["best_known"]
        if not best_known or (gap := self._gap(best_known)) is None or not NEAREST <= gap <= NEAR:
            return None
        return self._as_it_is(best_known, gap)

    def _gap(self, best: float) -> float | None:
        cost = self._run.head()["best"]
        return None if cost is None else gap_to(best, cost, cost)

    def _as_it_is(self, best: float, gap: float) -> Checkpoint:
        calls, state = self._run.best()
        cost = best * (1 + gap)
        self._tell(cost, gap, f"the run above reached it after {counted(calls, 'call')}")
        return Checkpoint(state, cost, calls, gap)

    def _searched(self) -> Checkpoint:
        best_known, lowest = self._layout["best_known"], self._run.head()["best"]
        found = checkpoint(
            self.problem,
            self.schedule,
            self._run.seed,
            best_known,
            math.inf if lowest is None else lowest,
        )
        calls = counted(found.calls, "call")
        self._tell(found.cost, found.gap, f"a search with the same values reached it after {calls}")
        return found

    def _tell(self, cost: float, gap: float, whose: str) -> None:
        shown = six_digits(cost) if abs(cost) >= LEAST else "0"
        best = "best known" if self._layout["best_known"] is not None else "best cost found"
        above = f"{100 * gap:.2g} % above the {best}" if gap > LEAST else f"the {best}"
        self.words = f"The probe starts from {self._layout['cost']} {shown}, {above}: {whose}."


class Probing(ProbeJob):
    """A probe that has a starting point; see :class:`~prviz.player.batch.job.ProbeJob`.

    Attributes
    ----------
    start : Start
    """

    def __init__(self, run: LiveRun, sizes: Sequence[int], repeats: int, seed: int):
        self.start = Start(run)
        super().__init__(self.start, sizes, repeats, seed)
