"""k-means for the page: its data, its controls, its presets."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from operator import itemgetter
from typing import Any

import streamlit as st

import prviz
from prviz import baselines, datasets
from prviz.code.script import literal
from prviz.datasets import DataUnavailable
from prviz.scenes.kmeans import KMeansScene
from prviz.ui.benchmark import Benchmark, Card, Shot, always
from prviz.ui.levels import sliders
from prviz.ui.widgets.controls import Control, Controls

SETS = {"a3-like": datasets.a3_like, "a3": datasets.a3, "s1": datasets.s1, "s2": datasets.s2}
N_CLUSTERS = {"a3-like": 50, "a3": 50, "s1": 15, "s2": 15}

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
    *sliders.controls(
        "centres",
        most=500,
        k1=(1, 1),
        m1=(100, 100),
        fresh="How much of its old position a redrawn centre keeps: 0 draws it afresh, near 1 it "
        "hardly moves.",
        subsets={
            "neighbours": "Neighbours: a random centre and those nearest to it.",
            "tournament": "Tournament: of five random centres the one that is cheapest to merge "
            "with another goes to the worst represented of five random points.",
        },
    ),
)

DEFAULTS = {control.name: control.default for control in TABLE}
_PAPER = {
    **{"n_clusters": 50, "init": "forgy", "k1": 1, "m1": 100, "alpha": 0.0},
    **{"subset": "random", "k2": 0},
}
PRESETS = {
    "quick look": {**_PAPER, "data": "a3-like", "budget": "seconds", "seconds": 2.0},
    "paper": {**_PAPER, "data": "a3", "budget": "seconds", "seconds": 10.0},
    "where it loses": {
        **_PAPER,
        **{"data": "a3-like", "budget": "seconds", "seconds": 2.0},
        **{"init": "k-means++", "k1": 10},
    },
}
PRESETS_HELP = (
    "quick look: A3-like for 2 s. "
    "paper: its benchmark, A3 for 10 s; both with k₁ = 1, M₁ = 100, α = 0. "
    "where it loses: A3-like for 2 s, k₁ = 10, restarts from k-means++."
)


@st.cache_resource(show_spinner=False)
def data(name: str) -> datasets.Points:
    """A set by its name; `DataUnavailable` says in a sentence how to get one that is missing."""
    return SETS[name]()


def reconcile(values: dict[str, Any], before: dict[str, Any] | None, given: Collection[str]) -> str:
    """Stay with the former set where another is not to be had; a set brings its clusters."""
    trouble, former = "", (before or DEFAULTS)["data"]
    if before is None or values["data"] != former:
        try:
            with st.spinner(f"Fetching {TABLE[0].choices[values['data']]} …"):
                data(values["data"])
        except DataUnavailable as error:
            trouble, values["data"] = str(error), former
    if values["data"] != former and "n_clusters" not in given:
        values["n_clusters"] = N_CLUSTERS[values["data"]]
    return trouble


def problem(values: dict[str, Any]) -> tuple[Any, KMeansScene]:
    """The problem and its scene; ValueError or TypeError if there are none for these values."""
    dataset = data(values["data"])
    made = prviz.kmeans(dataset.points, values["n_clusters"], init=values["init"])
    return made, KMeansScene(dataset, made)


def code(values: dict[str, Any]) -> str:
    """Python that makes the same problem."""
    read = SETS[values["data"]].__name__
    return (
        f"points = prviz.datasets.{read}().points\n"
        f"problem = prviz.kmeans(points, {values['n_clusters']}, init={literal(values['init'])})"
    )


def refine(controls: Controls) -> None:
    """How many centres, where a restart begins, and which are redrawn."""
    controls.number("n_clusters")
    controls.choice("init")
    controls.choice("subset")


BENCHMARK = Benchmark(
    page="kmeans",
    label="k-means",
    short="k-means",
    title="k-means on",
    claim="Redraw one centre, let Lloyd settle, keep what is no worse: "
    "hard targets fall sooner than by restarting.",
    variables="centres",
    optimiser="Lloyd",
    table=TABLE,
    presets=always(PRESETS),
    presets_help=PRESETS_HELP,
    n=itemgetter("n_clusters"),
    counted=always("clusters"),
    work=itemgetter("data", "n_clusters", "k1", "init", "subset"),
    data=lambda values: data(values["data"]),
    problem=problem,
    code=code,
    choose=lambda controls: controls.choice("data"),
    folded="Clusters, restarts, levels",
    refine=refine,
    reconcile=reconcile,
    rivals=always(
        {
            "k-means++": baselines.KMeansPlusPlus,
            "greedy k-means++": partial(baselines.KMeansPlusPlus, greedy=True),
            "random swap": baselines.RandomSwap,
            "scikit-learn": baselines.ScikitLearnKMeans,
        }
    ),
    card=Card(
        "50 centres, one redrawn at a time, on 7500 points in the plane.",
        Shot(2, 0, 2.2, (0.5, 0.5)),
    ),
)
