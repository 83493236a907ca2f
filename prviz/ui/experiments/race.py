"""The Race page, which runs contenders on one problem from many seeds, with intervals."""

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
        "Runs per contender, with seeds 0, 1, … More seeds make the intervals narrower.",
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
        "Other methods in the race. Methods are compared by iterations if all of them count "
        "iterations in the same way, otherwise by CPU time.",
        high=200,
    ),
    Control(
        "k1b",
        "whole",
        "k₁",
        0,
        "Variables that the second setting redraws; 0 means no second setting.",
        0,
        10**6,
    ),
    Control("m1b", "whole", "M₁", 100, "Redraws per restart of the second setting.", 1, 10**6),
    Control("alphab", "real", "α", 0.0, "α of the second setting.", 0.0, 1.0),
)
CLAIM = "Many runs show which method leads, by how much, and from what budget on."

WORDS = """
## What you are seeing
**The charts.** Every contender runs from the same number of seeds. On the left is the median of the
best costs so far. The dark band is its 95 % interval, by order statistics. The light band encloses
the middle half of the runs. × marks the work from which the first contender's median stays below
the second's; the line through × is its interval. On the right is the share of runs that have
reached the target, with a 95 % band for the whole curve (Dvoretzky–Kiefer–Wolfowitz). Nothing is
smoothed and no run is left out: a run that never reaches the target counts as not solved.

**Why you can stop at any time.** All runs advance together, in waves. They are compared up to the
least work that any of them has done.

**Runs with equal seeds are not paired.** A seed gives different random numbers in another method,
so runs are compared as two independent groups.
"""


class Race(ManyRunsPage):
    """The Race page."""

    page, table = "race", TABLE
    reset_values = {"k1b": 0, "aim": 0.0, "others": ""}  # noqa: RUF012
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
        """Return partial and full reinitialisation, and a second setting if there is one."""
        n = self.benchmark.n(self.values)
        assert self.schedule is not None  # the levels are valid
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
        """Return the names of the chosen other methods that exist for this benchmark."""
        return self.chosen("others", list(self.benchmark.rivals(self.values)))


def show() -> None:
    """Run the page's script once."""
    Race().show()
