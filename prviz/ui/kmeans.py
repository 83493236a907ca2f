"""k-means for the page: its controls, its presets, and the run that they ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

import prviz
from prviz import datasets
from prviz.player.live import LiveRun
from prviz.scenes.kmeans import KMeansScene
from prviz.schedule import Level, Schedule
from prviz.ui.controls import Control

SETS = {"a3-like": datasets.a3_like, "a3": datasets.a3, "s1": datasets.s1, "s2": datasets.s2}
N_CLUSTERS = {"a3-like": 50, "a3": 50, "s1": 15, "s2": 15}
STEPS = (
    *(1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700),
    *(1000, 1500, 2000, 3000, 5000, 7000, 10_000),
)

TABLE = (
    Control(
        "data",
        "choice",
        "Data",
        "a3-like",
        "The points to cluster. A3-like is generated and needs no file; A3 is the set of the "
        "paper's benchmark; S1 and S2 have 15 clusters.",
        choices={"a3-like": "A3-like (generated)", "a3": "A3", "s1": "S1", "s2": "S2"},
        paper="a3",
    ),
    Control(
        "n_clusters",
        "whole",
        "Clusters",
        50,
        "N, the number of centres. Each is one variable of the search.",
        low=2,
        high=500,
        paper=50,
    ),
    Control(
        "init",
        "choice",
        "Start",
        "forgy",
        "Forgy draws random data points, as in the paper. k-means++ (greedy) spreads them out: "
        "the strong control. It touches restarts only.",
        choices={"forgy": "Forgy", "k-means++": "k-means++"},
        paper="forgy",
    ),
    Control(
        "k1",
        "whole",
        "k₁",
        1,
        "How many centres a partial reinitialisation redraws. At the last stop, all of them, it "
        "is the standard method: full restarts only.",
        low=1,
        high=500,
        paper=1,
        says="centres redrawn",
    ),
    Control(
        "m1",
        "whole",
        "M₁",
        100,
        "How many partial reinitialisations there are for each full restart.",
        low=1,
        high=10_000,
        paper=100,
        steps=STEPS,
        says="redraws a restart",
    ),
    Control(
        "alpha",
        "real",
        "α",
        0.0,
        "How much of its old position a redrawn centre keeps: 0 draws it afresh, near 1 it hardly "
        "moves. Equation (1) of the paper.",
        low=0.0,
        high=1.0,
        paper=0.0,
        says="kept of the old",
    ),
    Control(
        "k2",
        "whole",
        "k₂",
        0,
        "Centres that a level between k₁ and the restart redraws; 0 leaves the level out. It must "
        "lie between k₁ and the number of clusters.",
        low=0,
        high=499,
    ),
    Control(
        "m2",
        "whole",
        "M₂",
        10,
        "How often level 2 redraws for each full restart; each time, level 1 redraws M₁ times.",
        low=1,
        high=10_000,
    ),
    Control(
        "budget",
        "choice",
        "Budget",
        "seconds",
        "Stop after so many seconds of search, or after so many calls of the local optimiser. "
        "Only calls repeat exactly.",
        choices={"seconds": "s", "calls": "calls"},
    ),
    Control(
        "seconds",
        "real",
        "Seconds",
        2.0,
        "Seconds of search.",
        low=0.1,
        high=60.0,
    ),
    Control(
        "calls",
        "whole",
        "Calls",
        2000,
        "Calls of the local optimiser.",
        low=1,
        high=1_000_000,
    ),
    Control(
        "seed",
        "whole",
        "Seed",
        0,
        "The same seed and the same number of calls give the same run.",
        low=0,
        high=2**31 - 1,
    ),
)

DEFAULTS = {control.name: control.default for control in TABLE}
_PAPER = {"n_clusters": 50, "init": "forgy", "k1": 1, "m1": 100, "alpha": 0.0, "k2": 0}
PRESETS = {
    "quick look": {**_PAPER, "data": "a3-like", "budget": "seconds", "seconds": 2.0},
    "paper": {**_PAPER, "data": "a3", "budget": "seconds", "seconds": 10.0},
}


@st.cache_resource(show_spinner=False)
def data(name: str) -> datasets.Points:
    """A set by its name; `DataUnavailable` says in a sentence how to get one that is missing."""
    return SETS[name]()


def preset_of(values: Mapping[str, Any]) -> str | None:
    """The preset that these values are, if any."""
    for name, preset in PRESETS.items():
        if all(values[key] == value for key, value in preset.items()):
            return name
    return None


def fit(values: dict[str, Any]) -> list[str]:
    """Bring k₁ and k₂ below the number of clusters; says what it changed."""
    n, said = values["n_clusters"], []
    if values["k1"] > n:
        said.append(f"k₁ = {values['k1']} exceeds the {n} clusters: it is now {n}")
        values["k1"] = n
    if values["k2"] >= n:
        said.append(f"k₂ = {values['k2']} is not below the {n} clusters: level 2 is left out")
        values["k2"] = 0
    return said


def standard(values: Mapping[str, Any]) -> bool:
    """Whether this is the standard method: full restarts only."""
    return values["k1"] == values["n_clusters"] and values["alpha"] == 0 and not values["k2"]


def levels(values: Mapping[str, Any]) -> list[Level]:
    """The hierarchy, level 1 first; a ValueError says which rule it would break."""
    n = values["n_clusters"]
    below = [] if standard(values) else [Level(values["k1"], values["m1"], values["alpha"])]
    if values["k2"]:
        below.append(Level(values["k2"], values["m2"]))
    found = [*below, Level(n)]
    Schedule.from_levels(found, n)
    return found


def relevant(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that a run depends on, the others as they are by default."""
    idle = {"calls" if values["budget"] == "seconds" else "seconds"}
    if standard(values):
        idle.add("m1")
    if not values["k2"]:
        idle.add("m2")
    return {name: DEFAULTS[name] if name in idle else value for name, value in values.items()}


def live_run(values: Mapping[str, Any]) -> LiveRun:
    """The run that these values ask for, prepared; ValueError or TypeError if they cannot be."""
    dataset = data(values["data"])
    problem = prviz.kmeans(dataset.points, values["n_clusters"], init=values["init"])
    in_calls = values["budget"] == "calls"
    return LiveRun(
        problem,
        KMeansScene(dataset, problem),
        levels(values),
        seed=values["seed"],
        seconds=None if in_calls else values["seconds"],
        calls=values["calls"] if in_calls else None,
        compare=not standard(values),
    )


def work(values: Mapping[str, Any]) -> tuple[Any, ...]:
    """What the speed of a run depends on."""
    return tuple(values[name] for name in ("data", "n_clusters", "k1", "init"))


def cost(values: Mapping[str, Any], rate: float | None) -> str:
    """What a run will cost, in one or two sentences."""
    restart = 1 if standard(values) else values["m1"] * (values["m2"] if values["k2"] else 1)
    if standard(values):
        words = "Every call is a full restart, the standard method: M₁ has no effect. "
    else:
        words = f"{_count(restart, 'call')} a restart. "
    if values["budget"] == "calls":
        total = values["calls"]
        words += f"{_count(total, 'call')} in all"
        if rate is None:
            return f"{words}; how long that takes here is unknown before a first run."
        turns = 1 if standard(values) else 2  # full restarts run beside it, for comparison
        return f"{words}, about {_digits(turns * total / rate)} s here."
    if rate is None:
        return f"{words}How many calls {values['seconds']:g} s hold is unknown before a first run."
    total = rate * values["seconds"]
    words += f"{values['seconds']:g} s hold about {_count(total, 'call')} here"
    if restart < 2:
        return f"{words}."
    part = total / restart
    return f"{words}: {_count(part, 'restart') if part >= 1 else 'less than one restart'}."


def _count(n: float, noun: str) -> str:
    words = _digits(n)
    return f"{words} {noun}" if words == "1" else f"{words} {noun}s"


def _digits(x: float) -> str:
    """Exact when whole, else two digits, thousands apart by a thin space."""
    if isinstance(x, int):
        return f"{x:,}".replace(",", "\u202f")
    rounded = float(f"{x:.2g}")
    return f"{rounded:,.0f}".replace(",", "\u202f") if rounded >= 10 else f"{rounded:g}"
