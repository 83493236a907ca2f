"""The descriptor of the page of k-means."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np
import streamlit as st

import prviz
from prviz import baselines, datasets
from prviz.code.files import LONGEST_TYPED, array_code, file_code
from prviz.code.script import call, literal
from prviz.datasets import DataUnavailable
from prviz.datasets.readers.tables import Table, read_table
from prviz.datasets.sets import drawn
from prviz.scenes.kmeans import DOT, SQUARE, KMeansScene
from prviz.ui.benchmark import Benchmark, Card, Shot, always, of_the_search, refusal
from prviz.ui.levels import sliders
from prviz.ui.own_data import columns, samples
from prviz.ui.own_data.data_input import OWN, DataInput, mark_control, show_notice
from prviz.ui.sections import view
from prviz.ui.sections.criteria import criteria
from prviz.ui.sections.elbow import elbow
from prviz.ui.widgets.controls import Control, Controls
from prviz.ui.widgets.formatting import counted, digits

SETS: dict[str, Callable[[], datasets.Points]] = {
    "a3-like": datasets.a3_like,
    "a3": datasets.a3,
    "s1": datasets.s1,
    "s2": datasets.s2,
}
N_CLUSTERS = {"a3-like": 50, "a3": 50, "s1": 15, "s2": 15, drawn.DRAW: drawn.FEW}
DRAW = drawn.DRAW
FEW = 2000
FILE = "prviz-drawing.csv"  # the name under which the player saves a drawing
STAYS = "The points stay in this tab, are never written to disk, and are deleted with the tab."
LONG = (
    f"With more than {drawn.MOST_LINKED} points, a link contains only a short hash, and the page "
    "asks for the file. Save the points as a file."
)
_WORK = itemgetter("data", "file", "columns", "n_clusters", "k1", "init", "subset")
FIRST_CLUSTERS, MOST_CLUSTERS = 20, 500
MOST_NUMBERS = 4_000_000  # limit of points times columns on the page


def _read(name: str, content: bytes) -> Table:
    table = read_table(content, name)
    n, d = table.values.shape
    if n * d > MOST_NUMBERS:
        raise ValueError(
            f"{digits(n)} rows of {counted(d, 'column')} exceed the {digits(MOST_NUMBERS)} "
            "numbers that this page accepts: use a sample, or call prviz.kmeans in Python."
        )
    return table


DATA_INPUT = DataInput(
    page="kmeans",
    control="file",
    asks="Points, one per row",
    help="CSV, TSV, text with spaces between numbers, npy or parquet, also gzipped. A header row "
    "is optional.",
    endings=("csv", "txt", "tsv", "data", "npy", "parquet", "gz"),
    read=_read,
    sample=samples.POINTS,
    where="points",
)

TABLE = (
    Control(
        "data",
        "choice",
        "Data",
        "a3-like",
        "The points to cluster. A3-like is generated and needs no file; A3 is the set of the "
        "paper's benchmark; S1 and S2 have 15 clusters. Or draw points in the picture, or "
        "upload a table.",
        choices={
            **{"a3-like": "A3-like (generated)", "a3": "A3", "s1": "S1", "s2": "S2"},
            DRAW: drawn.LABEL,
            OWN: "Paste or upload",
        },
        paper="a3",
    ),
    mark_control("file"),
    Control(
        "drawn",
        "text",
        "",
        "",
        "The drawn points, 10 bits per axis.",
        high=drawn.LONGEST,
        later=True,
        check=drawn.decode,
        linked=drawn.linked,
    ),
    Control(
        "n_clusters",
        "whole",
        "Clusters",
        50,
        "N, the number of centres. Each centre is one variable of the search.",
        low=2,
        high=MOST_CLUSTERS,
        paper=50,
    ),
    view.CONTROL,
    Control(
        "init",
        "choice",
        "Start",
        "forgy",
        "Forgy draws random data points, as in the paper. Greedy k-means++ spreads the centres "
        "out: a strong baseline. This choice affects only restarts.",
        choices={"forgy": "Forgy", "k-means++": "k-means++"},
        paper="forgy",
    ),
    *columns.CONTROLS,
    *sliders.controls(
        "centres",
        most=MOST_CLUSTERS,
        k1=(1, 1),
        m1=(100, 100),
        fresh="Share of its old position that a redrawn centre keeps: with α = 0 the position is "
        "new, with α near 1 the centre hardly moves.",
        subsets={
            "neighbours": "Neighbours: a random centre and the centres nearest to it.",
            "tournament": "Tournament: of five random centres, the one that is cheapest to merge "
            "with another moves to the worst represented of five random points.",
        },
        calls=1000,
    ),
)

DEFAULTS = {control.name: control.default for control in TABLE}
_PAPER = {
    **{"n_clusters": 50, "init": "forgy", "k1": 1, "m1": 100, "alpha": 0.0},
    **{"subset": "random", "k2": 0},
}
PRESETS = {
    "quick look": {**_PAPER, "data": "a3-like", "budget": "calls", "calls": 1000},
    "paper": {**_PAPER, "data": "a3", "budget": "seconds", "seconds": 10.0},
    "where it loses": {
        **_PAPER,
        **{"data": "a3-like", "budget": "seconds", "seconds": 2.0},
        **{"init": "k-means++", "k1": 10},
    },
}
PRESETS_HELP = (
    "**quick look**: A3-like, 1000 calls. **paper**: the paper's benchmark, A3 for 10 s. "
    "Both have k₁ = 1, M₁ = 100, α = 0. "
    "**where it loses**: A3-like for 2 s, k₁ = 10, restarts from k-means++."
)


@st.cache_resource(show_spinner=False)
def named(name: str) -> datasets.Points:
    """Return a set by name; `DataUnavailable` explains how to get a missing one."""
    return SETS[name]()


def data(values: dict[str, Any]) -> datasets.Points:
    """Return the points that these values select; raise a ValueError or DataUnavailable if none."""
    if values["data"] == OWN:
        return DATA_INPUT.made(values, columns.NAMES, columns.points)
    if values["data"] == DRAW:
        return datasets.read_drawing(values["drawn"] or drawn.STARTER)
    return named(values["data"])


_refusal = refusal(data)


def wrong(values: dict[str, Any]) -> str:
    """Return an error if the user's own points are invalid or missing, else ""."""
    return "" if values["data"] in SETS else _refusal(values)


def reconcile(values: dict[str, Any], before: dict[str, Any] | None, given: Collection[str]) -> str:
    """Keep the former set if the new one is unavailable; a new set resets N."""
    trouble, former = DATA_INPUT.arrive(values, before, DEFAULTS["data"]), before or DEFAULTS
    if values["data"] in SETS and (before is None or values["data"] != former["data"]):
        try:
            with st.spinner(f"Fetching {TABLE[0].choices[values['data']]} …"):
                data(values)
        except DataUnavailable as error:
            trouble, values["data"] = str(error), former["data"]
    if values["file"] != former["file"]:
        values.update(
            {name: DEFAULTS[name] for name in (*columns.NAMES, "view") if name not in given}
        )
    if any(values[name] != former[name] for name in ("data", "file")) and "n_clusters" not in given:
        values["n_clusters"] = _n_clusters(values)
    fits = values["data"] != OWN or wrong(values)
    # The data may have fewer points now, because rows with missing values are left out.
    if not fits and values["n_clusters"] > len(data(values).points):
        values["n_clusters"] = _n_clusters(values)
    said = "" if wrong(values) else view.fit_view(values, data(values))
    return trouble or _fit_drawing(values) or ("" if before else said)


def _fit_drawing(values: dict[str, Any]) -> str:
    """Ensure that a drawing has enough points; return a message if a value changed."""
    if values["data"] != DRAW:
        return ""
    n = n_different(data(values))
    if n < 2:
        values["drawn"] = ""
        return "A drawing needs at least two points. Three blobs are used instead."
    if values["n_clusters"] > n:
        said = f"The drawing has {n} different points, so the number of clusters is now {n}."
        values["n_clusters"] = n
        return said
    return ""


def n_different(dataset: datasets.Points) -> int:
    """Return the number of different drawn points."""
    return len(np.unique(dataset.points @ (drawn.SIDE, 1)))


def drawing(values: dict[str, Any]) -> tuple[str, str] | None:
    """Return the drawing as text, and a description; None for other data."""
    if values["data"] != DRAW:
        return None
    return values["drawn"] or drawn.STARTER, data(values).notice


def _n_clusters(values: dict[str, Any]) -> int:
    """Return the default number of clusters of a set, or √(n / 2) for the user's n points."""
    if values["data"] != OWN:
        return N_CLUSTERS[values["data"]]
    if wrong(values):
        return values["n_clusters"]
    n = len(data(values).points)
    return min(max(2, round((n / 2) ** 0.5)), FIRST_CLUSTERS)


def problem(values: dict[str, Any]) -> tuple[Any, KMeansScene]:
    """Return the problem and its scene; raise a ValueError or TypeError for invalid values."""
    dataset, k = data(values), values["n_clusters"]
    by_hand = values["data"] == DRAW
    if by_hand and (n := n_different(dataset)) < k:
        raise ValueError(f"{k} centres need {k} different points, got {n}: spray more.")
    made = prviz.kmeans(dataset.points, k, init=values["init"])
    few: dict[str, Any] = (
        {"dot": DOT} if values["data"] not in SETS and len(dataset.points) <= FEW else {}
    )
    seen: dict[str, Any] = {"world": SQUARE} if by_hand else {"view": view.view_of(values, dataset)}
    return made, KMeansScene(dataset, made, **seen, **few)


def code(values: dict[str, Any]) -> str:
    """Return Python code that makes the same problem, from the user's file if it is chosen."""
    if values["data"] == OWN:
        own = DATA_INPUT.given(values)
        read = f"{file_code(own.name, values['file'])}{columns.code(own.data, values)}"
    elif values["data"] != DRAW:
        read = f"points = prviz.datasets.{SETS[values['data']].__name__}().points"
    elif len(text := values["drawn"] or drawn.STARTER) <= LONGEST_TYPED:
        read = f"points = {call('prviz.datasets.read_drawing', literal(text))}.points"
    else:
        array = data(values).points
        read = array_code(FILE, "points", "prviz.datasets.read_points(file).points", array)
    made = f"prviz.kmeans(points, {values['n_clusters']}, init={literal(values['init'])})"
    return f"{read.rstrip()}\nproblem = {made}"


def choose(controls: Controls) -> None:
    """Draw the choice of data, and the input of own data or a note about the drawing."""
    controls.choice("data")
    if controls.values["data"] == DRAW:
        text = controls.values["drawn"] or drawn.STARTER
        short = drawn.linked(text) == text
        link = "A link contains the points." if short else LONG
        st.caption(f"Draw into the picture. {link} {STAYS}")
    elif controls.values["data"] == OWN and (own := DATA_INPUT.draw(controls)):
        with st.container(key="own-chosen"):
            columns.choose(controls, own.data)
            if not wrong(controls.values):
                view.choose_view(controls, data(controls.values))
            show_notice(wrong(controls.values), lambda: data(controls.values).notice)


def idle(values: dict[str, Any]) -> set[str]:
    """Return the names of table and drawing values that have no effect on the chosen data."""
    of_tables = set() if values["data"] == OWN else {"file", *columns.NAMES}
    return of_tables if values["data"] == DRAW else {"drawn", *of_tables}


def presets(values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the presets; for the user's points, without the data and the number of clusters."""
    if values["data"] in SETS:
        return PRESETS
    return of_the_search(PRESETS, {"data", "n_clusters"}, left={"where it loses"})


def refine(controls: Controls) -> None:
    """Draw the controls of the number of centres, their initialisation, and the sub-sets."""
    controls.number("n_clusters")
    controls.choice("init")
    controls.choice("subset")


def sections(adopt: Callable[[dict[str, Any], str], str]) -> None:
    """Draw the sections that help to choose the number of clusters."""

    def use(k: int) -> str:
        return adopt({"n_clusters": k}, f"k is now {k}.")

    elbow("kmeans", use)
    criteria("kmeans", use)


BENCHMARK = Benchmark(
    page="kmeans",
    label="k-means",
    short="k-means",
    title="k-means on",
    claim="Redraw one centre, run Lloyd, keep what is no worse: it reaches hard targets sooner.",
    variables="centres",
    optimiser="Lloyd",
    table=TABLE,
    presets=presets,
    presets_help=PRESETS_HELP,
    n=itemgetter("n_clusters"),
    counted=always("clusters"),
    work=lambda values: (*_WORK(values), len(values["drawn"]) // 500),
    data=data,
    problem=problem,
    code=code,
    own=lambda values: values["data"] in (DRAW, OWN),
    wrong=wrong,
    choose=choose,
    folded="Clusters, restarts, levels",
    refine=refine,
    reconcile=reconcile,
    sections=sections,
    idle=idle,
    drawn=drawing,
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
        "One of 50 centres is redrawn, Lloyd runs, and a worse clustering is reverted.",
    ),
)
