"""The Tuning page: settings tried live, dropped when shown to be worse, the best one checked."""

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

#: What can be varied: what people read, and the values that are tried, if not made from N.
VARIED = {"k1": "k₁", "m1": "M₁", "alpha": "α", "subset": "sub-sets"}
ALPHAS = (0.0, 0.5, 0.9)

TABLE = (
    page_control("Tune"),
    Control(
        "vary",
        "text",
        "Vary",
        "k1,m1",
        "What is tried: k₁ in five steps up to N/2; M₁ such that each variable is redrawn once, "
        "ten or a hundred times a restart, or without restarts; α of 0, 0.5 and 0.9; all sub-sets "
        "that there are. What is not varied stays as it is on its page.",
        high=40,
    ),
    Control(
        "total",
        "real",
        "Seconds",
        30.0,
        "Approximate time of the whole tuning on this machine. It sets the iterations of each run.",
        low=2.0,
        high=3600.0,
    ),
    Control(
        "work",
        "whole",
        "Iterations a run",
        0,
        "Iterations of the local optimiser that each run may use; 0: as many as the seconds hold.",
        low=0,
        high=10**12,
    ),
    *TARGETS,
)
CLAIM = "Which k₁, M₁ and α for this problem, and is that any better than the usual ones?"
WORDS = """
## What you are seeing
**The map.** Every square is a setting of partial reinitialisation, run from the same seeds with the
same work each. After 5, 10 and 20 seeds, those that are shown to be worse than the leader run no
more (×): Brunner and Munzel's test against runs of the leader by which it was not chosen, with
Holm's correction, so that the best setting is dropped in at most one of twenty tunings. Seeds are
halved and never work: after a short run restarts lead, which says nothing of a long one.

**Expected work** is all the work that the runs of a setting used, over the number that came to the
target: failures are charged. The interval is the bootstrap's.

**The check.** The leader of many is partly lucky. So it runs against the usual setting once more,
both from 100 fresh seeds, and is called better only if the interval of the ratio excludes 1. Often
it does not: then no setting here is shown to be better, and that is what is said.

**Runs are kept** on the server: the same tuning asked for again takes up those that there are.
"""


class Tuning(ManyRunsPage):
    """The page."""

    page, table = "tuning", TABLE
    afresh = {"aim": 0.0, "work": 0}  # noqa: RUF012
    title, claim, words = "Tuning:", CLAIM, WORDS
    leveled = False
    begins = True  # runs are kept: mostly it is there at once

    def fit(self) -> None:
        chosen = self.chosen("vary", self._varied())
        self.values["vary"] = ",".join(chosen or ["k1"])

    def _varied(self) -> list[str]:
        """What can be varied of this benchmark."""
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
        """The values of the grid that are not made from N: what is not varied is as it was."""
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
        """Level 1 as its page has it; the usual one where there is none, or a rule is broken."""
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
            message = f"{message} It is as many as it takes: restarts come later still."
        send(shown.page, shown.page, values, message)
        st.session_state[GO] = shown.page


GO = "tuning-go"  # a page to go to, as a callback can't


@st.cache_resource(show_spinner=False)
def _store() -> Path | None:
    """Return the store of runs, or None if it can't be written."""
    return default_store()


def show() -> None:
    """One script run of the page."""
    if page := st.session_state.pop(GO, None):
        st.switch_page(shipped("pages", f"{page}.py"))
    Tuning().show()
