"""A live race: many runs in parallel threads, and their results so far."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Generator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...code.many import race_script
from ...code.script import Script
from ...compare import Comparison
from ...engine.trace import gap_to
from ...experiments.runs.contender import Contender, Reinitialisation
from ...experiments.runs.runner import Budget, Wave, held_by, waves
from ...experiments.runs.workers import workers_of
from ...experiments.statistics.intervals import share_of
from ...experiments.statistics.wording import amount, between, signed, span
from ...figures.comparison.race import RaceInfo, race_figure, race_info, styles
from ...figures.comparison.verdict import verdict
from ..resources import memory
from .many import LEARNING, Many, Replay, seconds_in_words
from .recorded import RecordedRuns

SHARE = 4  # a race gets a quarter of the server's memory limit
SURE = 20.0  # pause between resamplings, as a multiple of their duration
SOON = 0.2  # seconds after the end of a race until the last resampling
RECORDED = 0  # version of a recorded result; new results have the versions 1, 2, …

#: CPU seconds per second of wall time, from the latest race of this process.
_pace: list[float] = []


class Words(NamedTuple):
    """Names of a problem, its cost and its iterations.

    Attributes
    ----------
    title : str
        Name of the problem and its data.
    cost, iteration : str
    """

    title: str
    cost: str
    iteration: str = "iteration"


class Contest(Many):
    """A race of contenders on one problem, for one viewer.

    Parameters
    ----------
    problem
        A problem, such as the result of :func:`prviz.kmeans`.
    contenders : mapping of str to Contender
    seeds : sequence of int
    budget : Budget
        Budget of each run.
    words : Words
    known : float, optional
        Lowest known cost, the reference of gaps.
    workers : int, optional
        Number of parallel runs; by default one per core.
    replay : Replay, optional
        A function that makes one of the runs again, to play it.
    """

    noun = "race"

    def __init__(
        self,
        problem: Any,
        contenders: Mapping[str, Contender],
        seeds: Sequence[int],
        budget: Budget,
        words: Words,
        known: float | None = None,
        workers: int | None = None,
        replay: Replay | None = None,
    ):
        pool = workers_of(workers)
        self.words, self.known = words, known
        self._seeds, self._budget = list(seeds), budget
        self._workers = pool.number
        target = budget.target if np.isfinite(budget.target) else None
        self._found = Comparison(dict(contenders), budget.axis, target, problem)
        self._found.timed = pool.timed
        self._version = 0  # increases when the charts change
        self._reached = 0, 0.0
        self._sure: dict[tuple[str, bool], tuple[int, RaceInfo, float, float]] = {}
        self._held = 0
        super().__init__(problem, replay)

    @property
    def nbytes(self) -> int:
        return self._held if self.active else 0

    # Results

    def shown(self, axis: str | None = None, since: int = -1) -> bytes:
        """Return the state as JSON: every run, the charts, and a summary sentence.

        The charts are omitted if ``since`` is the present version.
        """
        found, version = self._displayed()
        axis = axis or (found.axis if found.axis in found.axes else found.axes[0])
        head = {
            **{"state": self.state, "message": self.message, "version": version, "axis": axis},
            **{"n": len(found.seeds), "seeds": len(self._seeds), "axes": found.axes},
            **{"title": self.words.title, "target": found.target is not None},
            "recorded": self.preview,
            "gaps": bool(self.known),
            "zero": self.known == 0,
            "cost": self.words.cost,
        }
        if self.state == "ready":
            head["plan"] = self._plan()
        head["left"] = self.time_left()
        if found.seeds:
            head["lanes"] = self._lanes(found)
        if found.seeds and (since != version or not self.active):
            head |= self._results(found, version, axis)
        return json.dumps(head, allow_nan=False).encode()

    def _plan(self) -> str:
        """Describe the planned runs, with their duration if an earlier race was measured."""
        axis, total = self._budget.axis, self._budget.total
        n, methods = len(self._seeds), len(self._found.contenders)
        words = f"{n} seeds of each of {methods} methods, {amount(total)} "
        if axis != "seconds":
            return f"{words}{axis} per run."
        words = f"{words}CPU seconds per run: {amount(n * methods * total)} CPU seconds in all"
        if not _pace:
            return f"{words}."
        return f"{words}, about {seconds_in_words(n * methods * total / _pace[-1])} here."

    def _progress(self) -> tuple[float, float]:
        budget, found = self._budget, self._snapshot()[0]
        runs = [run for name in found.runs for run in found.runs[name]]
        ends = [run.end(budget.axis) for run in runs]
        over = [run.over or run.best.min(initial=np.inf) <= budget.target for run in runs]
        left = sum(max(0.0, budget.total - end) for end, o in zip(ends, over, strict=True) if not o)
        others = len(self._seeds) * len(found.contenders) - len(runs)
        done = sum(ends)
        if budget.axis == "seconds" and self._took > LEARNING:
            _pace[:] = [done / self._took]
        return done, left + others * budget.total

    def table(self) -> str:
        """Return every improvement of every run as CSV."""
        found, _ = self._snapshot()
        return found.to_frame().to_csv(index=False)

    def script(self) -> Script:
        """Return Python code that repeats the race, up to the point where it was stopped."""
        found, _ = self._snapshot()
        budget = self._budget
        if found.seeds and self.state != "finished":
            budget = budget._replace(total=found.frontier(budget.axis))
        return race_script(self.words.title, self.origin, found, budget, self.known)

    def report(self, axis: str | None = None) -> str:
        """Return an HTML report of the results so far; raise a ValueError if there are none."""
        found, _ = self._snapshot()
        words = self.words
        return found.report(
            title=words.title,
            best_known=self.known,
            axis=axis if axis in found.axes else None,
            cost=words.cost,
            iteration=words.iteration,
        )

    def show_recorded(self, recorded: RecordedRuns) -> None:
        found = copy.copy(self._found)
        found.timed = True  # CPU seconds of the machine that recorded the runs
        found.runs = {name: [] for name in found.contenders}
        runs = {n: [recorded.runs[n, seed] for seed in self._seeds] for n in found.contenders}
        found.take(Wave(self._seeds, runs, True))
        self.recorded = found

    @property
    def begun(self) -> bool:
        return bool(self._found.seeds)

    @property
    def result(self) -> Comparison:
        """Return the runs computed here so far."""
        return self._snapshot()[0]

    def _displayed(self) -> tuple[Comparison, int]:
        return (self.recorded, RECORDED) if self.preview else self._snapshot()

    def _run_of(self, name: str, seed: int) -> int | None:
        found, _ = self._displayed()
        if not self._shows(found, name) or seed not in found.seeds:
            return None
        return found.runs[name][found.seeds.index(seed)].end_calls

    def _shows(self, found: Comparison, name: str) -> bool:
        """Return True if a contender's runs can be played: only searches can be played."""
        contender = found.contenders.get(name)
        return self._make_replay is not None and isinstance(contender, Reinitialisation)

    def _snapshot(self) -> tuple[Comparison, int]:
        with self._lock:
            found = copy.copy(self._found)
            found.runs = dict(self._found.runs)
            return found, self._version

    def _results(self, found: Comparison, version: int, axis: str) -> dict[str, Any]:
        """Return the current charts, and the summary and the table of the last resampling.

        The summary and the table count the same runs at the same work.
        """
        info = race_info(found, self.known, axis, sure=False)
        sure = self._resampled(found, version, axis)
        info = info._replace(crossover=sure.crossover, ratio=sure.ratio)
        done = min(1.0, found.frontier(self._budget.axis) / self._budget.total)
        return {
            "figure": race_figure(info, self.words.cost, self.words.iteration),
            "words": verdict(sure, self.words.iteration),
            "reached": amount(info.frontier),
            "done": done * len(found.seeds) / len(self._seeds),
            "until": amount(sure.frontier),
            "rows": _rows(sure),
        }

    def _resampled(self, found: Comparison, version: int, axis: str) -> RaceInfo:
        """Return the charts with intervals; resample again if the results have changed."""
        at = axis, version == RECORDED
        last, info, took, when = self._sure.get(at, (-1, None, 0.0, 0.0))
        if self.active:
            due = time.monotonic() - when > SURE * took
        else:
            due = time.monotonic() - self._ended > SOON
        if info is None or (last != version and due):
            began = time.monotonic()
            info = race_info(found, self.known, axis)
            now = time.monotonic()
            self._sure[at] = version, info, now - began, now
        return info

    def _lanes(self, found: Comparison) -> list[dict[str, Any]]:
        """Return each run's gap to the best known cost, or else to the best cost of this race.

        If this reference is 0, return the costs instead of the gaps.
        """
        costs = {
            name: np.array([run.best.min(initial=np.inf) for run in runs])
            for name, runs in found.runs.items()
        }
        base = self.known
        if base is None:
            base = min(float(each.min()) for each in costs.values())
        how = styles(list(costs))
        return [
            {
                **{"name": name, "colour": how[name].colour, "seeds": found.seeds},
                "watched": self._shows(found, name),
                "gaps": [_short(gap_to(base, cost)) for cost in each],
                "hit": "".join("01"[int(cost <= self._budget.target)] for cost in each),
            }
            for name, each in costs.items()
        ]

    # Thread

    def _steps(self) -> Generator[Wave | None, None, None]:
        problem, contenders, room = self.problem, self._found.contenders, memory.bound() // SHARE
        self._held = min(room, len(self._seeds) * held_by(problem, contenders))
        return waves(problem, contenders, self._seeds, self._budget, self._workers, held_bytes=room)

    def _take(self, wave: Wave | None) -> None:
        if wave is None:
            return
        with self._lock:
            self._found.take(wave)
            reached = len(self._found.seeds), self._found.frontier(self._budget.axis)
            self._version += reached != self._reached
            self._reached = reached


def _short(value: float) -> float | None:
    return float(f"{value:.4g}") if np.isfinite(value) else None


def _rows(info: RaceInfo) -> list[list[str]]:
    """Return the values at the end of the charts, one row per contender."""
    rows = []
    for lane in info.lanes:
        curve = lane.curve
        cells = [lane.name, str(curve.n), _with_interval(curve, info.known)]
        if lane.solved is not None:
            share = share_of(int(lane.hit.sum()), len(lane.hit))
            cells.append(f"{lane.hit.sum()}: {share.share:.0%} [{share.low:.0%}–{share.high:.0%}]")
        rows.append(cells)
    return rows


def _with_interval(curve: Any, known: float | None) -> str:
    """Return the final median and its interval as text."""
    values = np.array([curve.median[-1], curve.low[-1], curve.high[-1]])
    if not np.isfinite(values).all():
        return "–"
    if not known:
        return f"{signed(values[0])} [{span(signed(values[1]), signed(values[2]))}]"
    middle, low, high = (100 * gap_to(known, value) for value in values)
    return f"{amount(middle)} % {between(low, high)}"
