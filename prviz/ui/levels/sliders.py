"""The hierarchy on sliders: k₁, M₁ and α, and up to two levels between.

N, the number of variables, is one of the page's own values, so it is handed in as ``n``.
``editor.py`` has the same for any number of levels, as rows.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from prviz.engine.schedule import Level, Schedule
from prviz.ui.levels.budget import budgets, idle_budget
from prviz.ui.widgets.controls import Control, Controls
from prviz.ui.widgets.formatting import about, counted, digits, sub

STEPS = (
    *(1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700),
    *(1000, 1500, 2000, 3000, 5000, 7000, 8000, 10_000),
    *(20_000, 50_000, 100_000, 200_000, 500_000),
)
SLOW_RATE = 4  # calls a second, below which each is waited for
STILL = ":material/info: With α = 1 nothing changes: a redrawn variable keeps its old value."
LONGEST = 10_000  # redraws per restart, unless a paper's benchmark has more
#: The values that make the hierarchy.
LEVELS = ("by", "p", "k1", "m1", "alpha", "subset", "k2", "m2", "k3", "m3")
#: Those of the levels between the first and the restart, as there are so many at most.
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
    """The controls of a search.

    Parameters
    ----------
    many : str
        What the variables are called.
    most : int
        The largest N.
    k1, m1 : int, or (int, int)
        The value at first, and the paper's, if the problem is one of the paper's.
    fresh : str or None
        What α = 0 and α near 1 mean for a redrawn variable, a sentence; None where α does not
        apply.
    whole : str
        Then the reason, a sentence.
    p : (float, float), optional
        Where each variable may also be redrawn on its own: its probability at first, and the
        paper's. ``by`` says which of p and k₁ holds.
    subsets : dict of str to str, optional
        The heuristics that the problem has beside random sub-sets: name → what it does, a sentence.
    calls : int
        The budget at first.
    """
    # In one piece: a table, line by line.
    (k1, paper_k1), (m1, paper_m1) = _pair(k1), _pair(m1)
    longest = max(LONGEST, m1, paper_m1 or 0)
    published = paper_k1 is not None  # else no stop of a slider is marked as the paper's
    return (
        *(() if p is None else _chances(many, p)),
        Control(
            "k1",
            "whole",
            "k₁",
            k1,
            f"How many {many} a partial reinitialisation redraws. At the maximum, all of them, "
            f"every redraw is a full restart: the standard method.",
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
        *_level_between(3, many, most, " It is there only beside a level 2."),
        *budgets(calls),
    )


class Usual(NamedTuple):
    """The setting that others are compared with: k, the M that it opens with, and whose it is."""

    k: int
    m: int
    whose: str


def usual(table: Sequence[Control], n: int) -> Usual:
    """That of the paper, which a table has beside its values at first; these, where it has none."""
    at = {control.name: control for control in table}
    k, m = at["k1"], at["m1"].default
    if "p" in at:
        return Usual(max(1, round(at["p"].paper * n)), m, "the paper's")
    if k.paper is None:
        return Usual(min(k.default, n), m, "the page's first")
    return Usual(min(k.paper, n), m, "the paper's")


def _level_between(level: int, many: str, most: int, needs: str) -> tuple[Control, Control]:
    """k and M of a level between the first and the restart; ``needs`` ends what is said of it."""
    below = sub(level - 1)
    return (
        Control(
            f"k{level}",
            "whole",
            f"k{sub(level)}",
            0,
            f"{many.capitalize()} that a level between k{below} and the restart redraws; 0 leaves "
            f"the level out. It must lie between k{below} and the number of {many}.{needs}",
            low=0,
            high=most - 1,
        ),
        Control(
            f"m{level}",
            "whole",
            f"M{sub(level)}",
            10,
            f"How often level {level} redraws for every redraw above it; each time, level "
            f"{level - 1} redraws M{below} times.",
            low=1,
            high=10_000,
        ),
    )


def _chances(many: str, p: tuple[float, float]) -> tuple[Control, ...]:
    """The switch between p and k₁, and p."""
    return (
        Control(
            "by",
            "choice",
            "Redraw by",
            "p",
            f"p: each of the {many} on its own with that probability, as in the paper. k₁: that "
            "many of them.",
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
    """How long a call takes, where that is long enough to wait for."""
    return f", as a call takes {about(1 / rate)}" if rate < SLOW_RATE else ""


def _pair(value: int | tuple[int, int]) -> tuple[int, int | None]:
    return value if isinstance(value, tuple) else (value, None)


def _heuristic(many: str, subsets: Mapping[str, str], published: bool) -> Control:
    """Which sub-sets are redrawn, and where to."""
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
    """Whether each variable is redrawn on its own, with probability p."""
    return values.get("by") == "p"


def between(values: Mapping[str, Any]) -> list[tuple[int, int]]:
    """k and M of the levels between the first and the restart; none follows one that is missing."""
    there = itertools.takewhile(lambda names: values[names[0]], MIDDLE)
    return [(values[k], values[m]) for k, m in there]


class Sliders:
    """The hierarchy as sliders: level 1, the levels between, and the restart above them.

    See :class:`~prviz.ui.levels.hierarchy.Hierarchy` for what each method is asked.
    """

    def fit(self, values: dict[str, Any], n: int, many: str) -> list[str]:
        """Bring every k below N; says what it changed. ``many``: what N counts, in the plural."""
        sentences = []
        if values["k1"] > n:
            sentences.append(f"k₁ = {values['k1']} exceeds the {n} {many}: it is now {n}")
            values["k1"] = n
        for level, (k, _) in enumerate(MIDDLE, start=2):
            if values[k] >= n:
                name = f"k{sub(level)} = {values[k]}"
                sentences.append(f"{name} is not below the {n} {many}: level {level} is left out")
                values[k] = 0
        return sentences

    def levels(self, values: Mapping[str, Any], n: int) -> list[Level]:
        """The hierarchy, level 1 first."""
        size, p = (None, values["p"]) if by_chance(values) else (values["k1"], None)
        subset = values.get("subset", "random")
        first = Level(size, values["m1"], values["alpha"], subset, p)
        below = [] if self.standard(values, n) else [first]
        middle = [Level(k, m, subset=subset) for k, m in between(values)]
        return [*below, *middle, Level(n)]

    def schedule(self, values: Mapping[str, Any], n: int) -> Schedule:
        """The same, checked; a ValueError says which rule it would break."""
        return Schedule.from_levels(self.levels(values, n), n)

    def too_long(self, schedule: Schedule, rate: float | None) -> str:
        """Nothing is: the budget ends every run."""
        return ""

    def standard(self, values: Mapping[str, Any], n: int) -> bool:
        """Whether this is the standard method: full restarts only."""
        everything = values["p"] == 1 if by_chance(values) else values["k1"] == n
        return everything and values["alpha"] == 0 and not between(values)

    def adopt(
        self, values: dict[str, Any], n: int, k: int, m: int, table: Sequence[Control]
    ) -> str:
        """Put k and M of a probe on the sliders of level 1; says what that came to."""
        (longest,) = (control.high for control in table if control.name == "m1")
        taken = int(min(m, longest))
        sentences = [f"k₁ is now {k} and M₁ {digits(taken)}."]
        if taken < m:
            sentences.append(f"M₁ = {digits(m)} is above this page's limit.")
        if by_chance(values):
            values["by"] = "k1"
            sentences.append("Redraws are by k₁ instead of p.")
        middle = between(values)
        above = [level for level in middle if level[0] > k]
        if less := len(middle) - len(above):
            sentences.append(f"{counted(less, 'level')} with no more than {k} left out.")
            for (size, often), level in itertools.zip_longest(MIDDLE, above):
                values[size], values[often] = level or (0, values[often])
        values.update(k1=k, m1=taken)
        if self.standard(values, n):
            sentences.append("That is the standard method, restarts only: M₁ has no effect.")
        return " ".join(sentences)

    def take(
        self, values: dict[str, Any], n: int, levels: Sequence[Level], table: Sequence[Control]
    ) -> str:
        """Have these levels; says in a sentence what the controls don't reach to."""
        first, *middle = [*levels[:-1]] or [Level(n)]
        taken: dict[str, Any] = {"alpha": first.alpha, "k2": 0, "k3": 0}
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
        """The levels as they were at first."""
        values.update({name: defaults[name] for name in LEVELS if name in values})

    def idle(self, values: Mapping[str, Any], n: int) -> set[str]:
        """Names of the values that have no effect beside the others."""
        without = {idle_budget(values)}
        if self.standard(values, n):
            without |= {"m1", "subset"}
        for place, (k, m) in enumerate(MIDDLE):
            if place >= len(between(values)):
                without |= {m} if place == len(between(values)) else {k, m}
        if "by" in values:
            without.add("k1" if by_chance(values) else "p")
        return without

    def cost(self, values: Mapping[str, Any], n: int, rate: float | None) -> str:
        """What a run will cost, in one or two sentences."""
        alone = self.standard(values, n)
        restart = 1 if alone else values["m1"] * math.prod(m for _, m in between(values))
        if alone:
            words = "Every call is a full restart (the standard method), so M₁ has no effect. "
        else:
            words = f"{counted(restart, 'call')} a restart. "
        if values["budget"] == "calls":
            total = values["calls"]
            words += f"{counted(total, 'call')} in all"
            if rate is None:
                return f"{words}; how long that takes here is unknown before a first run."
            turns = 1 if alone else 2  # full restarts run beside it, for comparison
            return f"{words}, about {digits(turns * total / rate)} s here{_each_takes(rate)}."
        if rate is None:
            return (
                f"{words}How many calls {values['seconds']:g} s hold is unknown before a first run."
            )
        total = rate * values["seconds"]
        words += f"{values['seconds']:g} s hold about {counted(total, 'call')} here"
        words += _each_takes(rate)
        if restart < 2:
            return f"{words}."
        part = total / restart
        return f"{words}: {counted(part, 'restart') if part >= 1 else 'less than one restart'}."

    def draw(self, controls: Controls, n: int, idle: set[str]) -> None:
        """The sliders; ``idle`` names values that have no effect."""
        values = controls.values
        if "by" in values:
            name = values["by"]
            controls.slider(name, high=n if name == "k1" else None, unit="by")
        else:
            controls.slider("k1", high=n)
        controls.slider("m1", disabled=self.standard(values, n))
        controls.slider("alpha", disabled="alpha" in idle)
        if values["alpha"] == 1 and "alpha" not in idle:
            st.caption(STILL)

    def more(self, controls: Controls, n: int) -> None:
        """The levels between, in the folded part."""
        for k, m in MIDDLE:
            controls.number(k, high=n - 1)
            controls.number(m)


SLIDERS = Sliders()
