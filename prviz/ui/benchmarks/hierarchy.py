"""The Hierarchy page: any benchmark, up to eight levels."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple

import streamlit as st

from prviz import baselines
from prviz.engine.schedule import Level
from prviz.ui.benchmark import Benchmark, Card, Shot, always
from prviz.ui.benchmarks import landscape
from prviz.ui.catalogue import PAGES, benchmark
from prviz.ui.levels import rows
from prviz.ui.levels.budget import budgets
from prviz.ui.levels.editor import CONTROL, Editor
from prviz.ui.widgets.controls import Control, Controls

Values = dict[str, Any]
#: Presets and their numbers of levels. "paper" replaces "two levels" if the paper has the problem.
N_LEVELS = {
    "standard method": 1,
    "paper": 2,
    "two levels": 2,
    "three levels": 3,
    "four levels": 4,
}


class Case(NamedTuple):
    """A benchmark, with the size that it has on its own page.

    Attributes
    ----------
    label, variables, optimiser : str
        Names of the benchmark, of its variables, and of its local optimiser.
    page : str
        Label of the benchmark's own page; empty if there is none.
    table : tuple of Control
        Controls of the benchmark's own page. Their defaults define the problem, except for values
        that the Hierarchy page sets.
    problem, code, data, n : function of values
        The problem with its scene, the Python code, the data, and N, as on that page.
    partial : bool
        Whether α applies.
    rivals : function of values
        Other methods for the problem.
    presets : mapping of int to str
        Presets by number of levels; :func:`stated` makes those for other numbers.
    """

    label: str
    variables: str
    optimiser: str
    page: str
    table: tuple[Control, ...]
    problem: Callable[[Values], tuple[Any, Any]]
    code: Callable[[Values], str]
    data: Callable[[Values], Any]
    n: Callable[[Values], int]
    partial: bool = True
    rivals: Callable[[Values], Mapping[str, Any]] = always({})
    presets: Mapping[int, str] = MappingProxyType({})

    @classmethod
    def of(cls, page: Benchmark) -> Case:
        return cls(
            *(page.short, page.variables, page.optimiser, page.label),
            table=page.table,
            problem=page.problem,
            code=page.code,
            data=page.data,
            n=page.n,
            partial=page.partial,
            rivals=page.rivals,
        )

    def own(self, values: Values) -> Values:
        """Return the values of the benchmark's own page."""
        return {control.name: values.get(control.name, control.default) for control in self.table}

    @property
    def first(self) -> Level:
        """Return the default level 1 of the benchmark's own page."""
        own = self.own({})
        return Level(own["k1"], own["m1"], own["alpha"], own.get("subset", "random"))

    @property
    def published(self) -> bool:
        """Return True if the paper has this benchmark with a value of M₁."""
        return any(control.paper is not None for control in self.table if control.name == "m1")

    @property
    def subsets(self) -> Mapping[str, str]:
        """Return the benchmark's sub-set heuristics: name → label."""
        found = [control.choices for control in self.table if control.name == "subset"]
        return found[0] if found else {"random": "Random"}


LANDSCAPE = Case(
    "Landscape",
    "coordinates",
    "gradient descent",
    "",
    landscape.TABLE,
    landscape.problem,
    landscape.code,
    landscape.data,
    itemgetter("dimensions"),
    rivals=always(
        {"simulated annealing": baselines.Annealing, "basin hopping": baselines.BasinHopping}
    ),
)
_CUBE = {"data": "gauss3", "side": 7, "draw": 4, "k1": 10}
_GLASSES = Case.of(benchmark("ising"))
#: The page's first example. Ten instances were tried on a few seeds; this one shows the difference
#: between two and three levels most clearly.
CUBE = _GLASSES._replace(
    label="Spin glass, 7³",
    table=tuple(
        control._replace(default=_CUBE.get(control.name, control.default))
        for control in _GLASSES.table
    ),
    presets={2: "10x300000:patch,343", 3: "10x300:patch,100x1000:patch,343"},
)
CASES = {
    "cube": CUBE,
    "landscape": LANDSCAPE,
    **{page: Case.of(benchmark(page)) for page in PAGES if page != "hierarchy"},
}
FIRST = next(iter(CASES))


def case(values: Mapping[str, Any]) -> Case:
    """Return the chosen benchmark."""
    return CASES[values["benchmark"]]


def n(values: Values) -> int:
    """Return N."""
    chosen = case(values)
    return chosen.n(chosen.own(values))


def problem(values: Values) -> tuple[Any, Any]:
    """Return the problem and its scene."""
    chosen = case(values)
    return chosen.problem(chosen.own(values))


def code(values: Values) -> str:
    """Return Python code that makes the same problem."""
    chosen = case(values)
    return chosen.code(chosen.own(values))


def work(values: Values) -> tuple[Any, ...]:
    """Return the values that determine the speed: the problem, and the levels except their M."""
    redraws = [level._replace(repeats=1) for level in rows.read(values["levels"])]
    return (values["benchmark"], n(values), values["ripple"], values["rotated"], *redraws)


def data(values: Values) -> Any:
    """Return the data of the chosen benchmark."""
    chosen = case(values)
    return chosen.data(chosen.own(values))


def rivals(values: Values) -> Mapping[str, Any]:
    """Return other methods for the chosen benchmark."""
    chosen = case(values)
    return chosen.rivals(chosen.own(values))


def stated(first: Level, size: int, m: int) -> list[Level] | None:
    """Return the preset of m levels by a fixed rule, without tuning; None if N is too small.

    k grows by a constant factor from level to level, from k₁ to N. With two levels, M₁ comes from
    the benchmark's page. With more levels M₁ is 2 N / k₁, so that each variable is redrawn twice on
    average per redraw on level 2; all other M are 10. A level of size N below the top gets α = ½.
    ``benchmarks/levels.py`` uses the same rule.
    """
    k1, sizes = min(int(first.size or 1), size), [0]
    for i in range(m - 1):
        sizes.append(max(round(k1 * (size / k1) ** (i / (m - 1))), sizes[-1] + 1))
    if sizes[-1] > size:
        return None
    often = first.repeats if m == 2 else 2 * size // k1
    repeats = [often, *[rows.ADDED_REPEATS] * (m - 2)]
    below = [
        Level(k, M, first.alpha if k < size else first.alpha or rows.KEPT, first.subset)
        for k, M in zip(sizes[1:], repeats, strict=False)
    ]
    return [*below, Level(size)]


def presets(values: Values) -> dict[str, Values]:
    """Return the presets of one to four levels that fit N."""
    chosen, size = case(values), n(values)
    left_out = "two levels" if chosen.published else "paper"
    found = {name: _preset(chosen, size, m) for name, m in N_LEVELS.items() if name != left_out}
    return {name: {"levels": rows.write(made)} for name, made in found.items() if made}


def begin(values: Mapping[str, Any], size: int, m: int = 3) -> list[Level]:
    """Return the preset of m levels, or of as many as fit N."""
    return _preset(case(values), size, m) or begin(values, size, m - 1)


def _preset(chosen: Case, size: int, m: int) -> list[Level] | None:
    text = chosen.presets.get(m)
    return rows.read(text) if text else stated(chosen.first, size, m)


def without_middle(levels: list[Level]) -> bool | list[Level]:
    """Return the bottom and top level, with the same number of calls per restart.

    If there are at most two levels, return True instead, which means full restarts.
    """
    if len(levels) < 3:
        return True
    first, *middle, top = levels
    often = math.prod(level.repeats for level in (first, *middle))
    return [first._replace(repeats=min(often, rows.LARGEST)), top]


def on_landscape() -> Values:
    """Return the values that select a landscape, with its preset of three levels."""
    values: Values = {"benchmark": "landscape", "calls": 20_000}
    return {**values, "levels": rows.write(begin(values, n(values)))}


PRESETS_HELP = (
    "One level makes full restarts; the paper has two. k grows by the same factor from level to "
    "level. With two levels, M₁ comes from the benchmark's page. With more levels, M₁ is 2 N / k₁, "
    "and all other M are 10. A level of size N below the top has α = ½. On the spin glass of "
    "7 × 7 × 7, the presets with two and three levels were chosen by hand."
)

EDITOR = Editor(
    lambda values: case(values).variables,
    lambda values: case(values).subsets,
    lambda values: case(values).partial,
    begin,
)

TABLE = (
    Control(
        "benchmark",
        "choice",
        "Benchmark",
        FIRST,
        "The problem, with the size that it has on its own page.",
        choices={name: chosen.label for name, chosen in CASES.items()},
    ),
    *landscape.CONTROLS,
    CONTROL._replace(default=rows.write(begin({"benchmark": FIRST}, n({"benchmark": FIRST})))),
    *budgets(80_000),
)


def reconcile(values: Values, before: Values | None, given: Collection[str]) -> str:
    """Adjust the levels to a new benchmark or size.

    A benchmark gets the levels that it had before in this tab, or else its preset. If the size
    changes, presets adapt to it. Edited levels stay; those that do not fit show an error.
    """
    if before is None:
        if "levels" not in given:
            EDITOR.reset(values, n(values), {})
    elif values["benchmark"] != before["benchmark"]:
        typed = st.session_state.setdefault("levels-typed", {})
        typed[before["benchmark"]] = before["levels"]
        m = len(rows.read(values["levels"]))
        made = rows.write(begin(values, n(values), min(m, 4)))
        values["levels"] = typed.get(values["benchmark"], made)
    elif n(values) != n(before) and values["levels"] == before["levels"]:
        former = [
            name for name, preset in presets(before).items() if before["levels"] == preset["levels"]
        ]
        if former:
            m = N_LEVELS[former[0]]
            values["levels"] = rows.write(begin(values, n(values), m))
    return _without_alpha(values)


def _without_alpha(values: Values) -> str:
    """Set α to 0 if it does not apply; return a message if it was not 0."""
    if case(values).partial:
        return ""
    try:
        found = rows.read(values["levels"])
    except ValueError:
        return ""  # the page reports invalid levels elsewhere
    values["levels"] = rows.write([level._replace(alpha=0.0) for level in found])
    changed = any(level.alpha for level in found)
    return f"α does not apply to {case(values).variables}: it is set to 0." if changed else ""


def choose(controls: Controls) -> None:
    """Draw the controls for the benchmark and for the size of a landscape."""
    controls.choice("benchmark")
    if controls.values["benchmark"] == "landscape":
        controls.number("dimensions")


def refine(controls: Controls) -> None:
    """Draw the control of a landscape's ripples, or name the page of another benchmark."""
    chosen = case(controls.values)
    if chosen.page:
        name = data(controls.values).name
        st.caption(f"{name}. The page “{chosen.page}” has more controls.")
    else:
        landscape.refine(controls)


def idle(values: Values) -> set[str]:
    """Return the names of the values that have no effect on this benchmark."""
    others = {control.name for control in landscape.CONTROLS}
    return set() if values["benchmark"] == "landscape" else others


BENCHMARK = Benchmark(
    page="hierarchy",
    label="Hierarchy",
    short="Hierarchy",
    title="Hierarchy on",
    claim="Up to eight levels: redraw, run the levels below, keep or revert.",
    variables="variables",
    optimiser="the local optimiser",
    table=TABLE,
    presets=presets,
    presets_help=PRESETS_HELP,
    n=n,
    counted=lambda values: case(values).variables,
    work=work,
    data=data,
    problem=problem,
    code=code,
    choose=choose,
    folded="Data, sub-sets",
    refine=refine,
    reconcile=reconcile,
    idle=idle,
    origin=lambda values: case(values).table,
    hierarchy=EDITOR,
    rivals=rivals,
    timed=True,
    lines=True,
    beside=without_middle,
    lasting=("benchmark",),
    card=Card(
        "Two levels get stuck, three do not. Up to eight levels, and Algorithm 1 line by line.",
        Shot(301, 0, 0.9, (0.5, 0.54)),
        "Nested levels: low levels redraw little and often, high levels much and rarely.",
    ),
)
