"""The descriptor of the page of k-medoids."""

from __future__ import annotations

from collections.abc import Collection
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

import prviz
from prviz import baselines, datasets
from prviz.code.files import file_code
from prviz.code.script import literal
from prviz.datasets import DataUnavailable, Dissimilarities, Pictures
from prviz.datasets.readers.matrices import matrix_or_table
from prviz.datasets.readers.pictures import read_pictures
from prviz.datasets.readers.tables import Table
from prviz.datasets.types.matrices import METRICS
from prviz.figures.curve import KnownCost
from prviz.scenes.kmedoids import Backdrop, KMedoidsScene, backdrop
from prviz.ui.benchmark import Benchmark, Card, Shot, always, of_the_search, peer, refusal
from prviz.ui.levels import sliders
from prviz.ui.own_data import columns, samples
from prviz.ui.own_data.data_input import OWN, DataInput, mark_control, show_notice
from prviz.ui.sections import affinity
from prviz.ui.widgets.controls import Control, Controls
from prviz.ui.widgets.formatting import counted

PAGE = "kmedoids"
SETS = {"digits": datasets.digits900, "faces": datasets.faces900}
FEWEST, MOST_POINTS = 3, 2000  # limits for the user's own data; the API has no such limits
BYTES = 24  # memory per pair of points: their dissimilarity and its copies
ZIP = b"PK\x03\x04"
MOST_CLUSTERS = 500
MOST_PROBLEMS = 4  # cached problems per data set
LONGEST = 500_000  # redraws per restart in the paper
NAMED = {
    "sqeuclidean": "Squared Euclidean",
    "cityblock": "City block",
    "seuclidean": "Standardised Euclidean",
    "braycurtis": "Bray–Curtis",
    "jensenshannon": "Jensen–Shannon",
    "rogerstanimoto": "Rogers–Tanimoto",
    "russellrao": "Russell–Rao",
    "sokalsneath": "Sokal–Sneath",
}


def metric_name(metric: str) -> str:
    """Return the name of one of SciPy's metrics."""
    return NAMED.get(metric, metric.capitalize())


TABLE = (
    Control(
        "data",
        "choice",
        "Data",
        "digits",
        "The pictures or points to cluster. The digits come with scikit-learn. They replace the "
        "paper's 900 faces, for which the Olivetti set must be downloaded. Or use your own "
        "points or matrix.",
        choices={
            "digits": "900 digits (stand-in)",
            "faces": "900 faces",
            OWN: "Paste or upload",
        },
        paper="faces",
    ),
    mark_control("matrix"),
    Control(
        "metric",
        "choice",
        "Metric",
        "sqeuclidean",
        "The distance between two of your points, from SciPy. Minkowski uses p = 2. Dice, "
        "Rogers–Tanimoto, Russell–Rao, Sokal–Sneath and Yule compare zeros and ones.",
        choices={name: metric_name(name) for name in METRICS},
        later=True,
    ),
    *columns.CONTROLS,
    Control(
        "n_clusters",
        "whole",
        "Medoids",
        121,
        "N, the number of medoids. Each medoid is one variable of the search.",
        low=2,
        high=MOST_CLUSTERS,
        paper=121,
    ),
    Control(
        "optimiser",
        "choice",
        "Optimiser",
        "alternate",
        "Alternation repeats two steps: assign all points, then take the best medoid of each "
        "cluster. The paper calls this PAM. Swap search (FasterPAM) exchanges a medoid for another "
        "point whenever this lowers the cost: a strong baseline.",
        choices={"alternate": "Alternation", "swap": "Swap search"},
        paper="alternate",
    ),
    *sliders.controls(
        "medoids",
        most=MOST_CLUSTERS,
        k1=(1, 1),
        m1=(50_000, LONGEST),
        fresh=None,
        whole="A medoid is one of the points, so α does not apply.",
        subsets={
            "local": "Local: a redrawn medoid moves to a point near itself, or near another "
            "medoid, because exchanges among neighbours gain most."
        },
        calls=5000,
    ),
)

DEFAULTS = {control.name: control.default for control in TABLE}
_ALIKE = {
    **{"n_clusters": 121, "optimiser": "alternate", "k1": 1, "subset": "random", "k2": 0},
}
PRESETS = {
    "quick look": {**_ALIKE, "data": "digits", "m1": 50_000, "budget": "calls", "calls": 5000},
    "paper": {**_ALIKE, "data": "faces", "m1": LONGEST, "budget": "seconds", "seconds": 10.0},
}
PRESETS_HELP = (
    "**quick look**: 900 digits, 5000 calls. **paper**: 900 faces and 121 medoids with "
    "k₁ = 1, M₁ = 0.5·10⁶."
)


class PreparedData(NamedTuple):
    """A prepared data set; all runs on it share the arrays."""

    dataset: Pictures | Dissimilarities
    matrix: np.ndarray
    backdrop: Backdrop
    problems: dict[tuple[int, str], Any]  # the latest problems, by number of medoids and optimiser


def prepared(dataset: Pictures | Dissimilarities, matrix: np.ndarray) -> PreparedData:
    """Prepare a data set: add the static parts of its picture, and a cache of problems."""
    return PreparedData(dataset, matrix, backdrop(dataset, matrix), {})


@st.cache_resource(show_spinner=False)
def pictures(name: str) -> PreparedData:
    """Return a set by name; `DataUnavailable` explains how to get a missing one."""
    dataset = SETS[name]()
    return prepared(dataset, prviz.dissimilarity(dataset.points, "sqeuclidean"))


# Your own data


def _read(name: str, content: bytes) -> Table | Pictures | Dissimilarities:
    """Read a file's content as pictures, as a matrix, or as points."""
    if content.startswith(ZIP):
        read: Any = read_pictures(content, name)
        n = len(read.points)
    else:
        read = matrix_or_table(content, name, MOST_POINTS)
        n = len(read[0])
    if not FEWEST <= n <= MOST_POINTS:
        given = counted(n, "point")
        raise ValueError(f"it has {given}; this page accepts {FEWEST} to {MOST_POINTS}.")
    return read


DATA_INPUT = DataInput(
    page=PAGE,
    control="matrix",
    asks="Points, a matrix, or pictures",
    help="CSV, text, npy or parquet, also gzipped. Points: one per row. A matrix of "
    "dissimilarities: the entry in row i and column m is the cost of representing point i by "
    "point m. Names in a header row are shown. Pictures: a zip file. "
    f"{FEWEST} to {MOST_POINTS} points, whose distances take {BYTES * MOST_POINTS**2 // 10**6} MB "
    "at most (prviz.kmedoids in Python has no limit).",
    endings=("csv", "txt", "tsv", "data", "npy", "parquet", "gz", "zip", "phy", "dist"),
    read=_read,
    sample=samples.MATRIX,
    where="points, a matrix or pictures",
)
CHOSEN = ("metric", *columns.NAMES)


def _prepared(own: Any, metric: str, *wanted: str) -> PreparedData:
    """Return the user's data, ready to search."""
    if isinstance(own, Dissimilarities):
        return prepared(own, own.matrix)
    if isinstance(own, Pictures):
        return prepared(own, prviz.dissimilarity(own.points, metric))
    points = columns.points(own, *wanted)
    matrix = prviz.dissimilarity(points.points, metric)
    return prepared(
        Dissimilarities(matrix, points.name, points.source, notice=points.notice), matrix
    )


def prepared_data(values: dict[str, Any]) -> PreparedData:
    """Return the data that these values select; raise a ValueError or DataUnavailable if none."""
    if values["data"] != OWN:
        return pictures(values["data"])
    return DATA_INPUT.made(values, CHOSEN, _prepared)


def data(values: dict[str, Any]) -> Pictures | Dissimilarities:
    """Return the data set of these values."""
    return prepared_data(values).dataset


def metric_of(values: dict[str, Any]) -> str:
    """Return the metric of computed distances; empty if a matrix was given."""
    if values["data"] != OWN:
        return "sqeuclidean"
    given = DATA_INPUT.given(values).data
    return "" if isinstance(given, Dissimilarities) else values["metric"]


_refusal = refusal(prepared_data)


def wrong(values: dict[str, Any]) -> str:
    """Return an error if the user's own data are invalid or missing, else ""."""
    return _refusal(values) if values["data"] == OWN else ""


def problem(values: dict[str, Any]) -> tuple[Any, KMedoidsScene]:
    """Return the problem and its scene, or raise a ValueError."""
    on, wanted = prepared_data(values), (values["n_clusters"], values["optimiser"])
    made = on.problems.get(wanted) or prviz.kmedoids(on.matrix, *wanted)
    on.problems[wanted] = made
    for earlier in list(on.problems)[:-MOST_PROBLEMS]:
        on.problems.pop(earlier, None)
    return made, KMedoidsScene(on.backdrop, made)


def code(values: dict[str, Any]) -> str:
    """Return Python code that makes the same problem, from the user's file if it is chosen."""
    if values["data"] == OWN:
        read = _code_of_own(values)
    else:
        made = f"prviz.datasets.{SETS[values['data']].__name__}()"
        read = f"matrix = prviz.dissimilarity({made}.points, {literal('sqeuclidean')})"
    wanted = f"{values['n_clusters']}, {literal(values['optimiser'])}"
    return f"{read}\nproblem = prviz.kmedoids(matrix, {wanted})"


def _code_of_own(values: dict[str, Any]) -> str:
    own = DATA_INPUT.given(values)
    file = file_code(own.name, values[DATA_INPUT.control])
    if isinstance(own.data, Dissimilarities):
        return f"{file}matrix = prviz.datasets.read_dissimilarity(file).matrix"
    if isinstance(own.data, Pictures):
        points = "points = prviz.datasets.read_pictures(file).points"
    else:
        points = columns.code(own.data, values)
    return f"{file}{points}\nmatrix = prviz.dissimilarity(points, {literal(values['metric'])})"


def reconcile(values: dict[str, Any], before: dict[str, Any] | None, given: Collection[str]) -> str:
    """Keep the former data set if the new one is unavailable; new data reset k."""
    trouble, former = DATA_INPUT.arrive(values, before, DEFAULTS["data"]), before or DEFAULTS
    if before is None or values["data"] != former["data"]:
        try:
            with st.spinner(f"Preparing {TABLE[0].choices[values['data']]} …"):
                prepared_data(values)
        except DataUnavailable as error:
            trouble, values["data"] = str(error), former["data"]
        except (ValueError, TypeError, MemoryError):
            pass  # the data are missing or invalid; the uploader shows a message
    if values["matrix"] != former["matrix"]:
        values.update({name: DEFAULTS[name] for name in CHOSEN if name not in given})
    if (
        any(values[name] != former[name] for name in ("data", "matrix"))
        and "n_clusters" not in given
    ):
        values["n_clusters"] = _n_clusters(values)
    return trouble


def _n_clusters(values: dict[str, Any]) -> int:
    """Return the default number of medoids of a set, or √n for the user's n points."""
    try:
        on = prepared_data(values)
    except (ValueError, TypeError, MemoryError):
        return values["n_clusters"]
    if isinstance(on.dataset, Pictures) and values["data"] != OWN:
        return on.dataset.n_clusters
    return max(2, round(len(on.matrix) ** 0.5))


def choose(controls: Controls) -> None:
    """Draw the choices of data and of the optimiser, and the input of the user's own data."""
    controls.choice("data")
    if controls.values["data"] == OWN and (own := DATA_INPUT.draw(controls)):
        with st.container(key="own-chosen"):
            _chosen_of(controls, own.data)
    controls.choice("optimiser")


def _chosen_of(controls: Controls, own: Any) -> None:
    """Draw the choice of columns and metric for the user's own data."""
    if isinstance(own, Table):
        columns.choose(controls, own)
    else:
        st.caption(f"**{own.name}**: {counted(len(own[0]), 'point')}.")
    if not isinstance(own, Dissimilarities):
        controls.choice("metric")
    show_notice(wrong(controls.values), lambda: data(controls.values).notice)


def presets(values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the presets; for the user's own data, without data and number of medoids."""
    if values["data"] != OWN:
        return PRESETS
    return of_the_search(PRESETS, {"data", "n_clusters"})


def refine(controls: Controls) -> None:
    """Draw the controls of the number of medoids and of the sub-sets."""
    controls.number("n_clusters")
    controls.choice("subset")


def idle(values: dict[str, Any]) -> set[str]:
    """Return the names of values without effect: those for own data, if other data are chosen."""
    return set() if values["data"] == OWN else {"matrix", *CHOSEN}


# Affinity propagation on demand


def _key(values: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(values[name] for name in ("data", "matrix", *CHOSEN, "n_clusters"))


def references(values: dict[str, Any]) -> list[KnownCost]:
    """Return the result of affinity propagation, if there is one."""
    job = affinity.job(_key(values))
    if job is None or job.state != "found" or job.found is None:
        return []
    return [KnownCost("affinity propagation", job.found.cost, job.found.seconds)]


def compare(values: dict[str, Any]) -> None:
    """Draw the button for affinity propagation, its progress and its result."""
    key = _key(values)
    job = affinity.job(key)
    if job is not None and job.active:
        _wait_for(job)
        return
    if job is not None and job.state != "stopped":
        st.caption(job.words)
    if job is None or job.state != "found":
        st.button(
            "Compare with affinity propagation",
            icon=":material/compare_arrows:",
            help=(
                "Searches in the background for the preference at which affinity propagation "
                "finds the chosen number of clusters. 900 points take between a few seconds and "
                "one minute."
            ),
            width="stretch",
            on_click=lambda: affinity.start(
                key, prepared_data(values).matrix, values["n_clusters"]
            ),
        )


@st.fragment(run_every=1.0)
def _wait_for(job: affinity.Job) -> None:
    """Draw the progress of a comparison; when it ends, run the page's script again."""
    if not job.active:
        st.rerun()
    with st.container(key=f"{PAGE}-comparing-row", horizontal=True, wrap=False):
        st.caption(job.words)
        key = f"{PAGE}-comparing-icon"
        st.button("Stop comparing", icon=":material/stop:", key=key, on_click=job.stop)


BENCHMARK = Benchmark(
    page="kmedoids",
    label="k-medoids",
    short="k-medoids",
    title="k-medoids on",
    claim="Redraw one medoid, run the optimiser, keep what is no worse.",
    variables="medoids",
    optimiser="alternation",
    table=TABLE,
    presets=presets,
    presets_help=PRESETS_HELP,
    n=itemgetter("n_clusters"),
    counted=always("medoids"),
    work=itemgetter("data", "matrix", *CHOSEN, "n_clusters", "k1", "optimiser", "subset"),
    data=data,
    problem=problem,
    code=code,
    own=lambda values: values["data"] == OWN,
    wrong=wrong,
    choose=choose,
    folded="Medoids, sub-sets, levels",
    refine=refine,
    reconcile=reconcile,
    idle=idle,
    references=references,
    compare=compare,
    **peer("FasterPAM", "kmedoids", baselines.FasterPAM),
    card=Card(
        "121 pictures that best represent 900 digits or faces.",
        Shot(100, 0),
        "121 of 900 pictures represent all others and are redrawn one at a time.",
    ),
)
