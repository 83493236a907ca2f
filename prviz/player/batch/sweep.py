"""A live tuning: a map of settings, and a summary so far."""

from __future__ import annotations

import contextlib
import json
import math
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

from ...code.many import tuning_script
from ...code.script import Script
from ...engine.kernels import stochastic
from ...engine.schedule import Schedule
from ...experiments.runs.as_completed import Signals
from ...experiments.runs.contender import Reinitialisation
from ...experiments.runs.runner import Budget
from ...experiments.runs.store import Shelf, Store
from ...experiments.runs.workers import workers_of
from ...experiments.statistics.fixed_target import ERT
from ...experiments.statistics.wording import amount
from ...experiments.tuning.halving import RUNGS
from ...experiments.tuning.tuner import CHECKED, Cell, planned
from ...figures.comparison.tuning_verdict import cell_info
from ...search.probe import Probe, probe
from ...search.run import run as run_again
from ...tune import Tuning, work_within
from .job import LEAST
from .many import Many, Replay
from .recorded import RecordedRuns

DELTA = 0.01  # probability of missing all improvements, for the M₁ on the map
REDRAWS = 500  # redraws per size for the estimate of ε
PROBE_SHARE = 0.1  # CPU time of the probe, as a share of the time of the tuning
BYTES = 4000  # approximate size of a finished run
LARGEST = 500_000_000  # bytes of the file of stored runs, above which the file is not used


class Sweep(Many):
    """A tuning for one viewer.

    Parameters
    ----------
    problem
    cells : sequence of Cell
    usual, full : int
        As in :class:`~prviz.experiments.tuning.tuner.Tuner`.
    axes : mapping of str to sequence of str
        The grid of the map; see :class:`prviz.tune.Grid`.
    target : float
        Target cost; −∞ for none.
    seconds : float
        Approximate time limit.
    whose : str
        Name of the usual setting.
    work : float, optional
        Iterations of each run; by default chosen so that the tuning takes ``seconds``.
    store : Path, optional
        File that stores runs.
    rungs : sequence of int
    check : int
    workers : int, optional
    known : float, optional
        Lowest known cost.
    replay : Replay, optional
    title, cost : str
        Names of the problem and of its cost.
    given : mapping of str to sequence, optional
        Grid values that do not depend on N, as in :func:`prviz.tune`.
    """

    noun = "tuning"

    def __init__(
        self,
        problem: Any,
        cells: Sequence[Cell],
        usual: int,
        full: int,
        axes: Mapping[str, Sequence[str]],
        target: float,
        seconds: float,
        whose: str,
        work: float | None = None,
        store: Path | None = None,
        rungs: Sequence[int] = RUNGS,
        check: int = CHECKED,
        workers: int | None = None,
        known: float | None = None,
        replay: Replay | None = None,
        title: str = "",
        given: Mapping[str, Sequence[Any]] | None = None,
        cost: str = "cost",
    ):
        self.known, self.axes, self.seconds = known, axes, seconds
        self.title, self.cost, self.given = title, cost, dict(given or {})
        self._pool = workers_of(workers)
        self._store = store
        budget = Budget("iterations", work or math.nan, target)
        self._found = Tuning(problem, cells, usual, full, budget, rungs, check, whose)
        self._found.axes = axes
        self._known: dict[tuple[bool, int, int], ERT] = {}
        self._needed: dict[int, float | None] = {}  # M₁ that δ requires, by k₁
        self._needed_before: dict[int, float | None] = {}  # `_needed` of a recorded tuning
        super().__init__(problem, replay)

    @property
    def nbytes(self) -> int:
        return BYTES * sum(len(runs) for runs in self._found.runs)

    @property
    def best(self) -> Mapping[str, Any] | None:
        """Return the settings of the leader, or None."""
        with self._lock:
            return self._displayed().best

    @property
    def schedule_of_leader(self) -> Schedule:
        """Return the leader's levels."""
        with self._lock:
            return self._schedule(self._displayed().leader)

    def _schedule(self, cell: int | None) -> Schedule:
        assert cell is not None  # callers make sure that there is a run
        contender = self._found.cells[cell].contender
        assert isinstance(contender, Reinitialisation)
        return contender.schedule

    @property
    def work(self) -> float | None:
        """Return the iterations of each run; None if they are not known yet."""
        total = self._found.budget.total
        return None if math.isnan(total) else total

    # Results

    @property
    def begun(self) -> bool:
        return any(self._found.runs)

    def show_recorded(self, recorded: RecordedRuns) -> None:
        own = self._found
        budget = own.budget._replace(total=recorded.facts["work"])
        found = Tuning(
            self.problem, own.cells, own.usual, own.full, budget, own.rungs, own.check, own.whose
        )
        found.axes = own.axes
        for _ in found.steps(1, recorded):
            pass
        self._needed_before = {int(k): m for k, m in recorded.facts["needed"].items()}
        self.recorded = found

    @property
    def result(self) -> Tuning:
        """Return the tuning computed here so far."""
        return self._found

    @property
    def needed(self) -> dict[int, float | None]:
        """Return the M₁ that δ requires for each probed k₁; None if it is infinite."""
        return dict(self._needed)

    def _displayed(self) -> Tuning:
        return self.recorded if self.preview else self._found

    def shown(self, axis: str | None = None, since: int = -1) -> bytes:
        """Return the state as JSON, without the cells if ``since`` is the present version."""
        with self._lock:
            found = self._displayed()
            made = sum(len(runs) for runs in self._found.runs)
            version = made + self._found.checking + self._found.done + bool(self._needed)
            head = {
                **{"state": self.state, "message": self.message, "version": version},
                **{"axes": {name: list(values) for name, values in self.axes.items()}},
                **{"usual": found.usual, "full": found.full, "whose": found.whose},
                **{"target": math.isfinite(found.budget.target), "work": self.work},
                "kept": not found.made,
                "recorded": self.preview,
                "title": f"Tuning {self.title}".strip(),
                **{"rungs": found.rungs, "rung": found.rung, "watched": bool(self._make_replay)},
                **{"checking": found.checking, "check": found.check, "done": self._share(found)},
            }
            if self.state == "ready":
                head["plan"] = self._plan()
            head["left"] = self.time_left()
            if since != version:
                head |= self._results(found)
        return json.dumps(head, allow_nan=False).encode()

    def _plan(self) -> str:
        """Describe the planned runs and their approximate duration."""
        found = self._found
        words = f"{len(found.cells)} settings, {found.rungs[0]} to {found.rungs[-1]} seeds each"
        if found.check:
            words += f", then the best on {found.check} fresh seeds"
        if self.work is None:
            return f"{words}: about {amount(self.seconds)} s here."
        return f"{words}, {amount(self.work)} iterations per run."

    def _progress(self) -> tuple[float, float]:
        found = self._found
        made = sum(map(len, found.runs)) + sum(map(len, found.fresh.values()))
        planned_runs = planned(len(found.cells), found.rungs, found.check)
        return found.made, max(planned_runs - made, 2.0 * (found.check - found.checking), 0.0)

    def _share(self, found: Tuning) -> float:
        """Return the approximate progress from 0 to 1, of which the check is a third."""
        if found.done:
            return 1.0
        rungs, living = found.rungs, found.living
        there = sum(min(1.0, len(found.runs[cell]) / rungs[-1]) for cell in living) / len(living)
        return 0.67 * there + 0.33 * found.checking / max(1, found.check)

    def _results(self, found: Tuning) -> dict[str, Any]:
        before = found is self.recorded
        best = {"leader": found.leader, "words": found.words, "better": found.better}
        cells = [self._cell(found, number) for number in range(len(found.cells))]
        known = self._needed_before if before else self._needed
        needed = [known.get(int(k)) for k in self.axes["k1"]]
        return {**best, "cells": cells, "ranking": found.ranking(), "needed": needed}

    def _cell(self, found: Tuning, number: int) -> dict[str, Any]:
        cell = found.cells[number]
        facts = {"name": cell.name, "place": cell.place, "m": cell.settings.get("m1")}
        info = cell_info(found, number, partial(self._ert, found))
        same = found.merged(number)
        facts |= {"n": info.n, "dropped": info.dropped, "same": None if same == number else same}
        if info.n:
            facts |= {"seed": found.median_seed(number), "score": info.score, "says": info.says}
        if info.hits is not None:
            facts["hits"] = info.hits
        return facts

    def _ert(self, found: Tuning, number: int) -> ERT:
        """Return the expected work of a cell; resample only if the cell has new runs."""
        at = found is self.recorded, number, len(found.runs[number])
        if at not in self._known:
            self._known[at] = found.ert(number)
        return self._known[at]

    def table(self) -> str:
        """Return one row per run, as CSV."""
        with self._lock:
            return self._found.to_frame().to_csv(index=False)

    def script(self) -> Script:
        """Return Python code that repeats the tuning, or its first seeds if it ran out of time."""
        with self._lock:
            return tuning_script(self.title, self.origin, self._found, self.given, self.seconds)

    def report(self, axis: str | None = None) -> str:
        """Return an HTML report of the results so far; raise a ValueError if there are none."""
        with self._lock:
            return self._found.report(title=f"Tuning {self.title}".strip(), cost=self.cost)

    def _run_of(self, name: str, seed: int) -> int | None:
        with self._lock:
            found = self._displayed()
            for cell, runs in zip(found.cells, found.runs, strict=True):
                if cell.name == name and seed in runs:
                    return runs[seed].end_calls
        return None

    # Thread

    def _steps(self) -> Generator[None, None, None]:
        """Run the tuning; if the work is unknown, first measure the speed."""
        found, pool = self._found, self._pool
        with ExitStack() as stack:
            store = self._open_store()
            if store:
                stack.enter_context(closing(store))
            if self.work is None:
                work = work_within(found, self.seconds, pool.number, store)
                found.budget = found.budget._replace(total=work)
            contenders = {cell.name: cell.contender for cell in found.cells}
            signals = Signals(self._stop, self._go)
            shelf = Shelf(store, self.problem, contenders, found.budget, pool) if store else None
            taking = found.steps(pool.number, shelf, signals, self.seconds, self._lock)
            yield from stack.enter_context(closing(taking))
        self._probe()

    def _probe(self) -> None:
        """Compute M₁ by the formula of section 2.1 for each k₁.

        ε is measured at the local optimum before the last improvement of the leader's median run.
        With a stochastic optimiser there is no local optimum, so there is no ε.
        """
        found = self._found
        cell, sizes = found.leader, [int(k) for k in self.axes["k1"]]
        seed = None if cell is None else found.median_seed(cell)
        if cell is None or seed is None or stochastic(self.problem):
            return
        run = found.runs[cell][seed]
        if len(run.calls) < 2:
            return
        began = time.thread_time()

        def enough(_: Probe) -> bool:
            return self._stop.is_set() or time.thread_time() - began > PROBE_SHARE * self.seconds

        with contextlib.suppress(ValueError):  # Baum–Welch may have stopped before the optimum
            levels, before = self._schedule(cell).levels(), int(run.calls[-1]) - 1
            state = run_again(self.problem, levels=levels, seed=seed, calls=before).best_state
            probed = probe(self.problem, state, sizes, REDRAWS, least=LEAST, callback=enough)
            needed = [None if math.isinf(m) else m for m in probed.calls_needed(DELTA)]
            with self._lock:
                self._needed = dict(zip(probed.sizes.tolist(), needed, strict=True))

    def _open_store(self) -> Store | None:
        """Open the file of runs; None if it is unavailable or too large."""
        try:
            if self._store is None or _bytes(self._store) > LARGEST:
                return None
            return Store(self._store)
        except (ValueError, OSError):
            return None

    def _take(self, found: None) -> None:
        """Do nothing, because the tuning already has the result."""


def _bytes(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
