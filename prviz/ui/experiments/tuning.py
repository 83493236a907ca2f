"""The Tuning page, which tries settings, drops the worse ones, and checks the best one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from prviz.engine.schedule import Level, Schedule
from prviz.experiments.runs.contender import Reinitialisation
from prviz.experiments.runs.default_store import default_store
from prviz.player.batch.sweep import Sweep
from prviz.shipped import shipped
from prviz.tune import cells_of, grid
from prviz.ui.experiments.page import TARGETS, ManyRunsPage, page_control
from prviz.ui.state.page_state import send
from prviz.ui.widgets.controls import Control, Controls

#: Parameters that can be varied, with their labels.
VARIED = {"k1": "k₁", "m1": "M₁", "alpha": "α", "subset": "sub-sets"}
ALPHAS = (0.0, 0.5, 0.9)

TABLE = (
    page_control("Tune"),
    Control(
        "vary",
        "text",
        "Vary",
        "k1,m1",
        "Parameters to try. k₁: five sizes up to N/2. M₁: each variable is redrawn once, ten or "
        "a hundred times per restart, or there is no restart. α: 0, 0.5 and 0.9. Sub-sets: all. "
        "Other parameters keep the page's values.",
        high=40,
    ),
    Control(
        "total",
        "real",
        "Seconds",
        30.0,
        "Approximate time of the whole tuning on this machine. It determines the iterations per "
        "run.",
        low=2.0,
        high=3600.0,
    ),
    Control(
        "work",
        "whole",
        "Iterations per run",
        0,
        "Iterations of the local optimiser per run. With 0, each run gets as many as fit in the "
        "time limit.",
        low=0,
        high=10**12,
    ),
    *TARGETS,
)
CLAIM = "Which k₁, M₁ and α suit this problem, and are they better than the usual ones?"
WORDS = """
## What you are seeing
**The map.** Every square is a setting of partial reinitialisation. All settings run from the same
seeds with equal work. After 5, 10 and 20 seeds, settings that are significantly worse than the
leader are dropped (×). The test is Brunner and Munzel's, with Holm's correction; it uses runs of
the leader that were not used to choose it. The best setting is dropped in at most one of twenty
tunings. All runs of a setting have the full length, because restarts lead in short runs.

**Expected work** is the total work of a setting's runs divided by the number of runs that reached
the target, so failures count. The interval is a bootstrap interval.

**The check.** The leader of many settings is partly lucky. So it runs once more against the usual
setting, both from 100 fresh seeds. The leader counts as better only if the interval of the ratio
excludes 1. Often the interval includes 1; then the page reports that no setting is significantly
better.

**Runs are stored** on the server: repeating a tuning reuses them.
"""


class Tuning(ManyRunsPage):
    """The Tuning page."""

    page, table = "tuning", TABLE
    reset_values = {"aim": 0.0, "work": 0}  # noqa: RUF012
    title, claim, words = "Tuning:", CLAIM, WORDS
    leveled = False
    begins = True  # start without a press of Run: stored runs give the result almost at once

    def fit(self) -> None:
        chosen = self.chosen("vary", self._varied())
        self.values["vary"] = ",".join(chosen or ["k1"])

    def _varied(self) -> list[str]:
        """Return the parameters that can be varied for this benchmark."""
        can = {"alpha": self.benchmark.partial, "subset": len(self._subsets()) > 1}
        return [name for name in VARIED if can.get(name, True)]

    def _subsets(self) -> list[str]:
        control = next((each for each in self.benchmark.table if each.name == "subset"), None)
        return list(control.choices) if control else ["random"]

    def controls(self, own: Controls, controls: Controls) -> None:
        self.several("vary", self._varied(), VARIED)
        own.number("total")
        own.number("work")
        own.number("aim" if self.known is None else "target")

    def made(self) -> Sweep:
        shown, values = self.benchmark, self.values
        problem, scene = shown.problem(values)
        given, usual = self._given(), shown.paper(values)
        tried = grid(problem, given)
        cells, at, full = cells_of(problem, tried, usual)
        schedules = {
            cell.name: cell.contender.schedule
            for cell in cells
            if isinstance(cell.contender, Reinitialisation)
        }
        return Sweep(
            problem,
            cells,
            at,
            full,
            tried.axes,
            self.goal(scene.best_known),
            values["total"],
            f"{shown.usual(values).whose} setting",
            values["work"] or None,
            _store(),
            known=scene.best_known,
            replay=self.shows(schedules),
            title=f"{shown.title} {shown.data(values).name}",
            given=given,
            cost=scene.cost,
        )

    def _given(self) -> dict[str, list[Any]]:
        """Return the arguments of ``grid`` that are not its defaults."""
        shown, values = self.benchmark, self.values
        varied, n = self.chosen("vary", self._varied()), shown.n(values)
        first = self._first(n)
        given: dict[str, list[Any]] = {}
        if "k1" not in varied:
            given["k1"] = [first.size or max(1, round((first.probability or 0.0) * n))]
        if "m1" not in varied:
            given["m1"] = [first.repeats]
        given["alpha"] = list(ALPHAS) if "alpha" in varied else [first.alpha]
        given["subset"] = self._subsets() if "subset" in varied else [first.subset]
        return given

    def _first(self, n: int) -> Level:
        """Return the page's level 1; if it is missing or invalid, the usual level 1."""
        levels = self.schedule.levels() if self.schedule else []
        usual = self.benchmark.usual(self.values)
        return levels[0] if len(levels) > 1 else Level(min(usual.k, n), usual.m)

    def heard(self, name: str) -> None:
        if name == "use" and self.many and self.many.best:
            self._use()

    def _use(self) -> None:
        """Go to the benchmark's page with the leader's settings."""
        shown = self.benchmark
        values = {name: self.values[name] for name in shown.defaults}
        schedule: Schedule = self.many.schedule_of_leader
        message = shown.hierarchy.take(values, shown.n(values), schedule.levels(), shown.table)
        if message:
            message = (
                f"{message} A larger M₁ would not change the result, because no run is that long."
            )
        send(shown.page, shown.page, values, message)
        st.session_state[GO] = shown.page


GO = "tuning-go"  # key of the page to open next, because a callback cannot change pages


@st.cache_resource(show_spinner=False)
def _store() -> Path | None:
    """Return the store of runs, or None if it is not writable."""
    return default_store()


def show() -> None:
    """Run the page's script once."""
    if page := st.session_state.pop(GO, None):
        st.switch_page(shipped("pages", f"{page}.py"))
    Tuning().show()
