"""k-medoids for the page: pictures or an own matrix, the controls, the presets."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from importlib.util import find_spec
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

import prviz
from prviz import baselines, datasets
from prviz.code.files import file_code
from prviz.code.script import literal
from prviz.datasets import DataUnavailable, Dissimilarities, Pictures
from prviz.datasets.upload import AS_POINTS
from prviz.figures.curve import KnownCost
from prviz.scenes.kmedoids import Backdrop, KMedoidsScene, backdrop
from prviz.ui.benchmark import Benchmark, Card, Shot, always
from prviz.ui.levels import sliders
from prviz.ui.sections import affinity
from prviz.ui.widgets.controls import Control, Controls

PAGE = "kmedoids"
SETS = {"digits": datasets.digits900, "faces": datasets.faces900}
FEWEST, MOST_POINTS = 3, 2000  # of an own matrix on the page; the API has no such limit
LARGEST_UPLOAD = 50  # MB
LONGEST_NAME = 40  # characters of a file's name that are shown
MOST_CLUSTERS = 500
MOST_PROBLEMS = 4  # kept ready in a data set
LONGEST = 500_000  # redraws a restart: the paper's
OWN = "own"
NONE_YET = "No data yet: upload points or a matrix, or choose another set."

TABLE = (
    Control(
        "data",
        "choice",
        "Data",
        "digits",
        "What to represent by a few of its own. The digits come with scikit-learn and stand in for "
        "the 900 faces of the paper, which need the Olivetti set. Or points or a matrix "
        "of your own.",
        choices={
            "digits": "900 digits (stand-in)",
            "faces": "900 faces",
            OWN: "Own data",
        },
        paper="faces",
    ),
    Control("matrix", "text", "", "", "Fingerprint of the file uploaded.", low=0, high=64),
    Control(
        "n_clusters",
        "whole",
        "Medoids",
        121,
        "N, the number of medoids. Each is one variable of the search.",
        low=2,
        high=MOST_CLUSTERS,
        paper=121,
    ),
    Control(
        "optimiser",
        "choice",
        "Optimiser",
        "alternate",
        "Alternation assigns all points, then takes the best medoid of each cluster, in turns: "
        "what the paper calls PAM. Swap search makes every exchange of a medoid for another point "
        "that helps (FasterPAM): the strong control.",
        choices={"alternate": "Alternation", "swap": "Swap search"},
        paper="alternate",
    ),
    *sliders.controls(
        "medoids",
        most=MOST_CLUSTERS,
        k1=(1, 1),
        m1=(50_000, LONGEST),
        fresh=None,
        whole="A medoid is one point or another, with nothing between: it is always drawn afresh.",
        subsets={
            "local": "Local: a redrawn medoid goes to a point near itself, or near another medoid, "
            "as an exchange among neighbours gains most."
        },
    ),
)

DEFAULTS = {control.name: control.default for control in TABLE}
_ALIKE = {
    **{"n_clusters": 121, "optimiser": "alternate", "k1": 1, "subset": "random", "k2": 0},
    "budget": "seconds",
}
PRESETS = {
    "quick look": {**_ALIKE, "data": "digits", "m1": 50_000, "seconds": 2.0},
    "paper": {**_ALIKE, "data": "faces", "m1": LONGEST, "seconds": 10.0},
}
PRESETS_HELP = (
    "quick look: 900 digits for 2 s. paper: its benchmark, 900 faces and 121 medoids with k₁ = 1, "
    "M₁ = 0.5·10⁶."
)


class PreparedData(NamedTuple):
    """A data set, ready to be searched; all runs in it share the arrays."""

    dataset: Pictures | Dissimilarities
    matrix: np.ndarray
    backdrop: Backdrop
    problems: dict[tuple[int, str], Any]  # the latest, by number of medoids and optimiser


def prepared(dataset: Pictures | Dissimilarities, matrix: np.ndarray) -> PreparedData:
    """A data set with all that stands still behind its searches."""
    return PreparedData(dataset, matrix, backdrop(dataset, matrix), {})


@st.cache_resource(show_spinner=False)
def pictures(name: str) -> PreparedData:
    """A set by its name; `DataUnavailable` says in a sentence how to get one that is missing."""
    dataset = SETS[name]()
    return prepared(dataset, prviz.dissimilarity(dataset.points))


# Own matrices stay in their tab: none are kept on the server, and links can't carry them


class Upload(NamedTuple):
    """What a tab has uploaded."""

    held: dict[str, PreparedData]  # by fingerprint: that of the run shown, and the newest
    trouble: str


def _upload() -> Upload:
    return st.session_state.setdefault(f"{PAGE}-own", Upload({}, NONE_YET))


def take(name: str, content: bytes) -> str:
    """Read and keep what somebody uploaded; returns its fingerprint, empty if there is none."""
    held = dict(list(_upload().held.items())[-1:])
    try:
        ground, trouble = _read(name, content), ""
    except (ValueError, TypeError) as error:
        ground, trouble = None, f"{name}: {error}"
    mark = hashlib.sha256(content).hexdigest()[:12] if ground else ""
    if ground:
        held[mark] = ground
    st.session_state[f"{PAGE}-own"] = Upload(held, trouble or NONE_YET)
    return mark


def _read(name: str, content: bytes) -> PreparedData:
    shown = re.sub(r"[^\w .()+-]", " ", name).strip("_ ")[-LONGEST_NAME:] or "your matrix"
    dataset = datasets.read_matrix_or_points(content, shown, MOST_POINTS)
    n = len(dataset.matrix)
    if n < FEWEST:
        raise ValueError(f"the matrix has {n} points; this page takes {FEWEST} or more.")
    return prepared(dataset, dataset.matrix)


def prepared_data(values: dict[str, Any]) -> PreparedData:
    """The data that these values ask for; ValueError or DataUnavailable say why there is none."""
    if values["data"] != OWN:
        return pictures(values["data"])
    upload = _upload()
    if values["matrix"] not in upload.held:
        raise ValueError(upload.trouble)
    return upload.held[values["matrix"]]


def data(values: dict[str, Any]) -> Pictures | Dissimilarities:
    """The data set that these values ask for."""
    return prepared_data(values).dataset


def wrong(values: dict[str, Any]) -> str:
    """Why there is no own matrix to be searched, a sentence."""
    if values["data"] == OWN and values["matrix"] not in _upload().held:
        return _upload().trouble
    return ""


def problem(values: dict[str, Any]) -> tuple[Any, KMedoidsScene]:
    """The problem and its scene, or a ValueError."""
    on, wanted = prepared_data(values), (values["n_clusters"], values["optimiser"])
    made = on.problems.get(wanted) or prviz.kmedoids(on.matrix, *wanted)
    on.problems[wanted] = made
    for earlier in list(on.problems)[:-MOST_PROBLEMS]:
        on.problems.pop(earlier, None)
    return made, KMedoidsScene(on.backdrop, made)


def code(values: dict[str, Any]) -> str:
    """Python that makes the same problem; an own matrix is to be read from its file."""
    if values["data"] == OWN:
        own = data(values)
        made = "prviz.datasets.read_dissimilarity(file).matrix"
        if own.notice.startswith(AS_POINTS):
            made = "prviz.dissimilarity(prviz.datasets.read_points(file).points)"
        read = f"{file_code(own.name, values['matrix'])}matrix = {made}"
    else:
        made = f"prviz.datasets.{SETS[values['data']].__name__}()"
        read = f"matrix = prviz.dissimilarity({made}.points)"
    wanted = f"{values['n_clusters']}, {literal(values['optimiser'])}"
    return f"{read}\nproblem = prviz.kmedoids(matrix, {wanted})"


def reconcile(values: dict[str, Any], before: dict[str, Any] | None, given: Collection[str]) -> str:
    """Stay with the former set where another is not to be had; a set brings its medoids."""
    trouble, former = "", before or DEFAULTS
    if before is None and values["data"] == OWN and values["matrix"] not in _upload().held:
        values.update(data=DEFAULTS["data"], matrix="")
        trouble = "This link is to a matrix that was uploaded elsewhere: upload it here again."
    if before is None or values["data"] != former["data"]:
        try:
            with st.spinner(f"Preparing {TABLE[0].choices[values['data']]} …"):
                prepared_data(values)
        except DataUnavailable as error:
            trouble, values["data"] = str(error), former["data"]
        except ValueError:
            pass  # nothing is uploaded yet, which is said below the uploader
    if (
        any(values[name] != former[name] for name in ("data", "matrix"))
        and "n_clusters" not in given
    ):
        values["n_clusters"] = _n_clusters(values)
    return trouble


def _n_clusters(values: dict[str, Any]) -> int:
    """As the set has it; of an own matrix, the square root of its points."""
    try:
        on = prepared_data(values)
    except ValueError:
        return values["n_clusters"]
    if isinstance(on.dataset, Pictures):
        return on.dataset.n_clusters
    return max(2, round(len(on.matrix) ** 0.5))


def choose(controls: Controls) -> None:
    """The data, where an own matrix is uploaded, and the optimiser."""
    controls.choice("data")
    if controls.values["data"] == OWN:
        with st.container(key="own"):
            _uploader(controls)
    controls.choice("optimiser")


def _uploader(controls: Controls) -> None:
    key = f"{PAGE}-upload"

    def put() -> None:
        file = st.session_state[key]
        if file is not None:
            controls.values["matrix"] = take(file.name, file.getvalue())

    st.file_uploader(
        "Points, or a matrix of dissimilarities",
        type=["npy", "csv", "txt", "tsv", "gz"],
        key=key,
        on_change=put,
        max_upload_size=LARGEST_UPLOAD,
        help="npy or CSV. Points: a row each, of which squared distances are taken. A matrix: a "
        "row and a column for each point; at row i and column m, how badly point m represents "
        "point i. "
        f"{FEWEST} to {MOST_POINTS} points (prviz.kmedoids in Python "
        "has no limit); names in a header line are shown. It stays in this tab.",
    )
    if trouble := wrong(controls.values):
        st.error(trouble, icon=":material/error:")
        return
    dataset = data(controls.values)
    st.caption(f"{dataset.name}: {len(dataset.matrix)} points. Links can't carry it.")
    if dataset.notice:
        st.info(dataset.notice)


def refine(controls: Controls) -> None:
    """How many medoids, and which are redrawn."""
    controls.number("n_clusters")
    controls.choice("subset")


def idle(values: dict[str, Any]) -> set[str]:
    """α never applies; a fingerprint only to an own matrix."""
    return {"alpha"} if values["data"] == OWN else {"alpha", "matrix"}


# Affinity propagation, on demand


def _key(values: dict[str, Any]) -> tuple[Any, ...]:
    return values["data"], values["matrix"], values["n_clusters"]


def references(values: dict[str, Any]) -> list[KnownCost]:
    """What affinity propagation came to, once it has been asked."""
    job = affinity.job(_key(values))
    if job is None or job.state != "found":
        return []
    return [KnownCost("affinity propagation", job.found.cost, job.found.seconds)]


def compare(values: dict[str, Any]) -> None:
    """The button that asks affinity propagation, how it gets on, and what it came to."""
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
            help="Finds, behind everything else, the preference at which affinity propagation "
            "makes as many clusters. 900 points take some seconds to a minute.",
            width="stretch",
            on_click=lambda: affinity.start(
                key, prepared_data(values).matrix, values["n_clusters"]
            ),
        )


@st.fragment(run_every=1.0)
def _wait_for(job: affinity.Job) -> None:
    """How a comparison gets on; the page is told when it has ended."""
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
    claim="Redraw one medoid, let the optimiser settle, keep what is no worse.",
    variables="medoids",
    optimiser="alternation",
    table=TABLE,
    presets=always(PRESETS),
    presets_help=PRESETS_HELP,
    n=itemgetter("n_clusters"),
    counted=always("medoids"),
    work=itemgetter("data", "matrix", "n_clusters", "k1", "optimiser", "subset"),
    data=data,
    problem=problem,
    code=code,
    wrong=wrong,
    choose=choose,
    folded="Medoids, sub-sets, levels",
    refine=refine,
    reconcile=reconcile,
    idle=idle,
    references=references,
    compare=compare,
    rivals=always({"FasterPAM": baselines.FasterPAM} if find_spec("kmedoids") else {}),
    card=Card("121 pictures that stand best for 900 digits or faces.", Shot(100, 0)),
)
