"""The hierarchy on sliders: k₁, M₁ and α, and up to two levels in between.

N, the number of variables, is computed from the page's values and passed as ``n``. ``editor.py``
has rows for up to eight levels.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from prviz.engine.schedule import BY_SEARCH, Level, Schedule
from prviz.ui.levels.budget import budgets, idle_budget
from prviz.ui.widgets.controls import Control, Controls
from prviz.ui.widgets.formatting import about, counted, digits, sub

STEPS = (
    *(1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700),
    *(1000, 1500, 2000, 3000, 5000, 7000, 8000, 10_000),
    *(20_000, 50_000, 100_000, 200_000, 500_000),
)
SLOW_RATE = 4  # calls per second; below this rate the page shows the time per call
STILL = ":material/info: With α = 1 nothing changes: a redrawn variable keeps its old value."
AUTO = ":material/info: The search chooses k₁, M₁ and α while it runs."
LONGEST = 10_000  # largest M₁ of the slider, unless the default or the paper has a larger M₁
#: Names of the hierarchy's values.
LEVELS = ("how", "by", "p", "k1", "m1", "alpha", "subset", "k2", "m2", "k3", "m3")
#: Names of k and M of the levels between level 1 and the restart.
MIDDLE = (("k2", "m2"), ("k3", "m3"))


def controls(
    many: str,
    most: int,
    k1: int | tuple[int, int],
    m1: int | tuple[int, int],
    fresh: str | None,
    whole: str = "",
    p: tuple[float, float] | None = None,
    subsets: Mapping[str, str] | None = None,
    calls: int = 2000,
) -> tuple[Control, ...]:
    """Return the controls of a search.

    Parameters
    ----------
    many : str
        Name of the variables.
    most : int
        Largest N.
    k1, m1 : int, or (int, int)
        Default value, and the paper's value if the problem is in the paper.
    fresh : str or None
        A sentence about the meaning of α for a redrawn variable; None if α does not apply.
    whole : str
        A sentence that explains why α does not apply.
    p : (float, float), optional
        Default probability and the paper's probability, for problems that can redraw each variable
        independently. The control ``by`` selects p or k₁.
    subsets : dict of str to str, optional
        Heuristics besides random sub-sets: name → description.
    calls : int
        Default budget.
    """
    # Long on purpose: it is a table of controls.
    (k1, paper_k1), (m1, paper_m1) = _pair(k1), _pair(m1)
    longest = max(LONGEST, m1, paper_m1 or 0)
    published = paper_k1 is not None
    return (
        _HOW,
        *(() if p is None else _chances(many, p)),
        Control(
            "k1",
            "whole",
            "k₁",
            k1,
            f"How many {many} a partial reinitialisation redraws. At the maximum, every redraw "
            "is a full restart: the standard method.",
            low=1,
            high=most,
            paper=paper_k1 if p is None else None,
            says=f"{many} redrawn" if p is None else "redrawn",
        ),
        Control(
            "m1",
            "whole",
            "M₁",
            m1,
            "Number of partial redraws per full restart.",
            low=1,
            high=longest,
            paper=paper_m1,
            steps=[step for step in STEPS if step <= longest],
            says="redraws per restart",
        ),
        Control(
            "alpha",
            "real",
            "α",
            0.0,
            f"{fresh or whole} Equation (1) of the paper.",
            low=0.0,
            high=1.0,
            paper=0.0 if fresh and published else None,
            says="of the old value kept" if fresh else "does not apply",
        ),
        *(() if subsets is None else (_heuristic(many, subsets, published),)),
        *_level_between(2, many, most, ""),
        *_level_between(3, many, most, " Level 3 needs a level 2."),
        *budgets(calls),
    )


_HOW = Control(
    "how",
    "choice",
    "Redraws",
    "set",
    "Set k₁, M₁ and α yourself, or let the search choose while it runs. It then learns which "
    "number of variables (1, 4, 16, … N) improves most, and decides when to restart.",
    choices={"set": "Set k₁, M₁, α", "auto": "Chosen by the search"},
    later=True,
)


class Usual(NamedTuple):
    """The baseline setting: k, the default M, and the source of k."""

    k: int
    m: int
    whose: str


def usual(table: Sequence[Control], n: int) -> Usual:
    """Return the paper's k, or else the page's default k, and the default M."""
    at = {control.name: control for control in table}
    k, m = at["k1"], at["m1"].default
    if "p" in at:
        return Usual(max(1, round(at["p"].paper * n)), m, "the paper's")
    if k.paper is None:
        return Usual(min(k.default, n), m, "the page's first")
    return Usual(min(k.paper, n), m, "the paper's")


def _level_between(level: int, many: str, most: int, needs: str) -> tuple[Control, Control]:
    """Return the controls k and M of a middle level; ``needs`` ends the help text of k."""
    below = sub(level - 1)
    return (
        Control(
            f"k{level}",
            "whole",
            f"k{sub(level)}",
            0,
            f"Number of {many} that a level between k{below} and the restart redraws; 0 removes "
            f"the level. It must lie between k{below} and the number of {many}.{needs}",
            low=0,
            high=most - 1,
        ),
        Control(
            f"m{level}",
            "whole",
            f"M{sub(level)}",
            10,
            f"Redraws on level {level} per redraw on the level above. For each of them, level "
            f"{level - 1} redraws M{below} times.",
            low=1,
            high=10_000,
        ),
    )


def _chances(many: str, p: tuple[float, float]) -> tuple[Control, ...]:
    """Return the choice between p and k₁, and the control of p."""
    return (
        Control(
            "by",
            "choice",
            "Redraw by",
            "p",
            f"p: redraw each of the {many} independently with probability p, as in the paper. "
            f"k₁: redraw k₁ of the {many}.",
            choices={"p": "p", "k1": "k₁"},
            paper="p",
        ),
        Control(
            "p",
            "real",
            "p",
            p[0],
            f"Probability that a partial redraw changes each of the {many}. At 1, every redraw "
            f"is a full restart: the standard method.",
            low=0.0,
            high=1.0,
            paper=p[1],
            says="redrawn",
        ),
    )


def _each_takes(rate: float) -> str:
    """Return the time per call as text, if calls are slow; otherwise ""."""
    return f", as a call takes {about(1 / rate)}" if rate < SLOW_RATE else ""


def _pair(value: int | tuple[int, int]) -> tuple[int, int | None]:
    return value if isinstance(value, tuple) else (value, None)


def _heuristic(many: str, subsets: Mapping[str, str], published: bool) -> Control:
    """Return the control of sub-sets."""
    return Control(
        "subset",
        "choice",
        "Sub-sets",
        "random",
        " ".join([f"Random: any {many}, redrawn anywhere, as in the paper.", *subsets.values()]),
        choices={"random": "Random", **{name: name.capitalize() for name in subsets}},
        paper="random" if published else None,
    )


def by_chance(values: Mapping[str, Any]) -> bool:
    """Return True if each variable is redrawn independently, with probability p."""
    return values.get("by") == "p"


def chosen(values: Mapping[str, Any]) -> bool:
    """Return True if the search chooses k₁, M₁ and α."""
    return values.get("how") == "auto"


def between(values: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Return k and M of the levels between level 1 and the top, up to the first missing one."""
    there = itertools.takewhile(lambda names: values[names[0]], MIDDLE)
    return [(values[k], values[m]) for k, m in there]


class Sliders:
    """The hierarchy as sliders: level 1, the levels in between, and the restart.

    See :class:`~prviz.ui.levels.hierarchy.Hierarchy` for the methods.
    """

    def fit(self, values: dict[str, Any], n: int, many: str) -> list[str]:
        """Limit every k to N; return messages, in which ``many`` names the variables."""
        sentences = []
        if values["k1"] > n:
            sentences.append(f"k₁ = {values['k1']} exceeds the {n} {many}, so it is now {n}")
            values["k1"] = n
        for level, (k, _) in enumerate(MIDDLE, start=2):
            if values[k] >= n:
                name = f"k{sub(level)} = {values[k]}"
                sentences.append(f"{name} is not below the {n} {many}: level {level} is removed")
                values[k] = 0
        return sentences

    def levels(self, values: Mapping[str, Any], n: int) -> list[Level]:
        """Return the hierarchy, level 1 first."""
        subset = values.get("subset", "random")
        if chosen(values):
            return [Level(BY_SEARCH, subset=subset)]
        size, p = (None, values["p"]) if by_chance(values) else (values["k1"], None)
        first = Level(size, values["m1"], values["alpha"], subset, p)
        below = [] if self.standard(values, n) else [first]
        middle = [Level(k, m, subset=subset) for k, m in between(values)]
        return [*below, *middle, Level(n)]

    def schedule(self, values: Mapping[str, Any], n: int) -> Schedule:
        """Return the schedule; raise a ValueError if the levels break a rule."""
        return Schedule.from_levels(self.levels(values, n), n)

    def too_long(self, schedule: Schedule, rate: float | None) -> str:
        """Return "", because the budget ends every run."""
        return ""

    def standard(self, values: Mapping[str, Any], n: int) -> bool:
        """Return True for the standard method: full restarts only."""
        if chosen(values):
            return False
        everything = values["p"] == 1 if by_chance(values) else values["k1"] == n
        return everything and values["alpha"] == 0 and not between(values)

    def adopt(
        self, values: dict[str, Any], n: int, k: int, m: int, table: Sequence[Control]
    ) -> str:
        """Set the sliders of level 1 to k and M of a probe; return a message."""
        (longest,) = (control.high for control in table if control.name == "m1")
        taken = int(min(m, longest))
        values["how"] = "set"
        sentences = [f"k₁ is now {k} and M₁ {digits(taken)}."]
        if taken < m:
            sentences.append(f"M₁ = {digits(m)} is above this page's limit.")
        if by_chance(values):
            values["by"] = "k1"
            sentences.append("Redraws now use k₁ instead of p.")
        middle = between(values)
        above = [level for level in middle if level[0] > k]
        if less := len(middle) - len(above):
            sentences.append(f"{counted(less, 'level')} of size {k} or less removed.")
            for (size, often), level in itertools.zip_longest(MIDDLE, above):
                values[size], values[often] = level or (0, values[often])
        values.update(k1=k, m1=taken)
        if self.standard(values, n):
            sentences.append(
                "Every redraw is now a full restart (the standard method), so M₁ has no effect."
            )
        return " ".join(sentences)

    def take(
        self, values: dict[str, Any], n: int, levels: Sequence[Level], table: Sequence[Control]
    ) -> str:
        """Set these levels; return a message about values that the controls cannot represent."""
        if levels[0].size == BY_SEARCH:
            values["how"] = "auto"
            return ""
        first, *middle = [*levels[:-1]] or [Level(n)]
        taken: dict[str, Any] = {"how": "set", "alpha": first.alpha, "k2": 0, "k3": 0}
        if first.probability is not None:
            taken |= {"by": "p", "p": first.probability}
        else:
            taken |= {"by": "k1", "k1": first.size}
        if len(levels) > 1:
            taken |= {"m1": first.repeats, "subset": first.subset}
        for (k, m), level in zip(MIDDLE, middle, strict=False):
            taken |= {k: level.size, m: level.repeats}
        sentences = []
        for control in table:
            if (value := taken.get(control.name)) is None:
                continue
            values[control.name] = value
            if control.name in ("m1", "m2", "m3") and value > control.high:
                values[control.name] = int(control.high)
                sentences.append(f"{control.label} = {digits(value)} is above this page's limit.")
        return " ".join(sentences)

    def reset(self, values: dict[str, Any], n: int, defaults: Mapping[str, Any]) -> None:
        """Set the default levels."""
        values.update({name: defaults[name] for name in LEVELS if name in values})

    def idle(self, values: Mapping[str, Any], n: int) -> set[str]:
        """Return the names of values that have no effect."""
        without = {idle_budget(values)}
        if chosen(values):
            return without | ({*LEVELS} - {"how", "subset"}) & values.keys()
        if self.standard(values, n):
            without |= {"m1", "subset"}
        for place, (k, m) in enumerate(MIDDLE):
            if place >= len(between(values)):
                without |= {m} if place == len(between(values)) else {k, m}
        if "by" in values:
            without.add("k1" if by_chance(values) else "p")
        return without

    def cost(self, values: Mapping[str, Any], n: int, rate: float | None) -> str:
        """Return the expected time of a run, in one or two sentences."""
        alone, auto = self.standard(values, n), chosen(values)
        restart = 1 if alone else values["m1"] * math.prod(m for _, m in between(values))
        if alone:
            words = "Every call is a full restart (the standard method), so M₁ has no effect. "
        elif auto:
            words = "The search chooses when to restart. "
        else:
            words = f"{counted(restart, 'call')} per restart. "
        if values["budget"] == "calls":
            total = values["calls"]
            words += f"{counted(total, 'call')} in all"
            if rate is None:
                return f"{words}; the time is unknown before a first run."
            turns = 1 if alone else 2  # the baseline of full restarts runs at the same time
            return f"{words}, {about(turns * total / rate)} here{_each_takes(rate)}."
        if rate is None:
            return (
                f"{words}The number of calls in {values['seconds']:g} s is unknown before a "
                "first run."
            )
        total = rate * values["seconds"]
        words += f"{values['seconds']:g} s allow about {counted(total, 'call')} here"
        words += _each_takes(rate)
        if restart < 2 or auto:
            return f"{words}."
        part = total / restart
        return f"{words}: {counted(part, 'restart') if part >= 1 else 'less than one restart'}."

    def draw(self, controls: Controls, n: int, idle: set[str]) -> None:
        """Draw the sliders; ``idle`` has the names of values without effect."""
        values = controls.values
        auto = chosen(values)
        if "by" in values:
            name = values["by"]
            controls.slider(name, high=n if name == "k1" else None, unit="by", disabled=auto)
        else:
            controls.slider("k1", high=n, disabled=auto)
        controls.slider("m1", disabled=auto or self.standard(values, n))
        controls.slider("alpha", disabled=auto or "alpha" in idle)
        if auto:
            st.caption(AUTO)
        elif values["alpha"] == 1 and "alpha" not in idle:
            st.caption(STILL)

    def more(self, controls: Controls, n: int) -> None:
        """Draw the levels in between, in the expander."""
        controls.choice("how")
        for k, m in MIDDLE:
            controls.number(k, high=n - 1, disabled=chosen(controls.values))
            controls.number(m, disabled=chosen(controls.values))


SLIDERS = Sliders()
