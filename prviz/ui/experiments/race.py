"""The Race page: contenders on one problem from many seeds, live, with every uncertainty drawn."""

from __future__ import annotations

import streamlit as st

from prviz.engine.schedule import Level, Schedule
from prviz.experiments.runs.contender import Contender, Reinitialisation
from prviz.experiments.runs.runner import Budget
from prviz.player.batch.contest import Contest, Words
from prviz.tune import name_of
from prviz.ui.experiments.page import TARGETS, ManyRunsPage, page_control
from prviz.ui.widgets.controls import Control, Controls

TABLE = (
    page_control("Race on"),
    Control(
        "runs",
        "choice",
        "Seeds",
        "20",
        "How many runs each contender makes, from seeds 0, 1, … Medians have an interval from six "
        "on; the more seeds, the narrower.",
        choices={"20": "20", "100": "100", "1000": "1000"},
    ),
    Control(
        "each",
        "real",
        "CPU seconds each",
        0.5,
        "CPU time of each run. All runs advance together, so you can stop the race at any time.",
        low=0.05,
        high=60.0,
    ),
    *TARGETS,
    Control(
        "others",
        "text",
        "Other methods",
        "",
        "Race other methods as well. Iterations are compared where they mean the same, else CPU "
        "time alone.",
        high=200,
    ),
    Control("k1b", "whole", "k₁", 0, "Variables that it redraws; 0: there is none.", 0, 10**6),
    Control("m1b", "whole", "M₁", 100, "Its redraws a restart.", 1, 10**6),
    Control("alphab", "real", "α", 0.0, "How much of the old it keeps.", 0.0, 1.0),
)
CLAIM = "One run is an anecdote: who is ahead, by how much, from when on, and how sure is that?"

WORDS = """
## What you are seeing
**The charts.** Every contender runs from the same number of seeds. On the left, the median of the
best costs so far: half of the runs are lower. The dark band is the 95 % interval of that median,
by order statistics; the light one holds the middle half of the runs. × marks the work from which
the first contender's median stays below the second's, with the interval of that. On the right, the
share of runs that have come to the target, in a band that holds the whole curve with 95 %
(Dvoretzky–Kiefer–Wolfowitz). Nothing is smoothed, and no run is left out: one that never solves
the problem counts as not solved.

**Why it may be stopped at any time.** All runs advance together, in waves, and are compared up to
the least work that any of them has done. Had some run ahead, only those that lasted would be seen.

**Equal seeds are no pairs.** A seed draws other numbers in another method, so runs are compared as
two independent groups.
"""


class Race(ManyRunsPage):
    """The page."""

    page, table = "race", TABLE
    afresh = {"k1b": 0, "aim": 0.0, "others": ""}  # noqa: RUF012
    title, claim, words = "Race:", CLAIM, WORDS

    def fit(self) -> None:
        values = self.values
        values["others"] = ",".join(self._others())
        values["k1b"] = min(values["k1b"], self.benchmark.n(values))

    def controls(self, own: Controls, controls: Controls) -> None:
        shown, values = self.benchmark, self.values
        n = shown.n(values)
        st.markdown("**partial**")
        shown.hierarchy.draw(controls, n, shown.without_effect(values))
        with st.expander("Another setting", icon=":material/add:", key="race-another"):
            own.number("k1b", high=n)
            own.number("m1b")
            if shown.partial:
                own.number("alphab")
        if rivals := shown.rivals(values):
            self.several("others", list(rivals), {})
        elif shown.absent:
            st.caption(shown.absent)
        own.choice("runs")
        own.number("each")
        own.number("aim" if self.known is None else "target")

    def made(self) -> Contest:
        values = self.values
        problem, scene = self.benchmark.problem(values)
        known = scene.best_known
        words = Words(
            f"{self.benchmark.title} {self.benchmark.data(values).name}",
            scene.cost,
            getattr(scene, "iteration", None) or "iteration",
        )
        seeds = range(int(values["runs"]))
        contenders = self._contenders()
        schedules = {
            name: contender.schedule
            for name, contender in contenders.items()
            if isinstance(contender, Reinitialisation)
        }
        budget, replay = self._budget(known), self.shows(schedules)
        return Contest(problem, contenders, seeds, budget, words, known, replay=replay)

    def _budget(self, known: float | None) -> Budget:
        return Budget("seconds", self.values["each"], self.goal(known))

    def _contenders(self) -> dict[str, Contender]:
        """Partial and full reinitialisation, and a second setting where there is one."""
        n = self.benchmark.n(self.values)
        assert self.schedule is not None  # as no rule is broken
        found: dict[str, Contender] = {
            "partial": Reinitialisation(self.schedule),
            "full": Reinitialisation(Schedule.from_levels([Level(n)], n)),
        }
        k, m, alpha = (self.values[name] for name in ("k1b", "m1b", "alphab"))
        if k:
            alpha = alpha if self.benchmark.partial else 0.0
            levels = [Level(k, m, alpha), Level(n)] if k < n or alpha else [Level(n)]
            name = name_of({"k1": k, "m1": m, "alpha": alpha})
            found[name] = Reinitialisation(Schedule.from_levels(levels, n))
        for name in self._others():
            found[name] = self.benchmark.rivals(self.values)[name]()
        return found

    def _others(self) -> list[str]:
        """The other methods that are raced, of those that there are for this benchmark."""
        return self.chosen("others", list(self.benchmark.rivals(self.values)))


def show() -> None:
    """One script run of the page."""
    Race().show()
