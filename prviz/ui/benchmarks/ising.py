"""The descriptor of the page of spin glasses."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import streamlit as st

import prviz
from prviz import baselines, datasets
from prviz.code.files import file_code
from prviz.code.script import literal
from prviz.datasets import Couplings, DataUnavailable
from prviz.datasets.sets.glasses import KINDS, KNOWN, read_glass
from prviz.datasets.sets.ground_states import ground_energy, provable
from prviz.scenes.ising import IsingScene
from prviz.ui.benchmark import Benchmark, Card, Shot, always, of_the_search, peer, refusal
from prviz.ui.levels import sliders
from prviz.ui.own_data import samples
from prviz.ui.own_data.data_input import OWN, DataInput, mark_control, show_notice
from prviz.ui.widgets.controls import Control, Controls
from prviz.ui.widgets.formatting import counted

PAGE = "ising"
MOST_SPINS, MOST_COUPLINGS = (
    4000,
    100_000,
)  # limits for files on the page; the API has no such limits
LARGEST_SIDE = 60

#: Generated glasses: name, largest side, and the call with side and seed.
MADE = {
    "signs2": ("2-D torus, ±1", LARGEST_SIDE, "torus(({side}, {side}), 'signs', seed={draw})"),
    "gauss2": (
        "2-D torus, Gaussian",
        LARGEST_SIDE,
        "torus(({side}, {side}), 'gaussian', seed={draw})",
    ),
    "signs3": ("3-D torus, ±1", 15, "torus(({side}, {side}, {side}), 'signs', seed={draw})"),
    "gauss3": (
        "3-D torus, Gaussian",
        15,
        "torus(({side}, {side}, {side}), 'gaussian', seed={draw})",
    ),
    "chimera": ("Chimera, ±1", 16, "chimera({side}, 'signs', seed={draw})"),
}
WHAT = {
    "t3g5": "t3g5: 5³, Gaussian",
    "t3g6": "t3g6: 6³, Gaussian",
    "t3g7": "t3g7: 7³, Gaussian",
    "G11": "G11: Max-Cut, a torus",
    "G14": "G14: Max-Cut, planar",
    "G1": "G1: Max-Cut, random",
    "bqp50-1": "bqp50-1: QUBO",
    "bqp250-1": "bqp250-1: QUBO",
}

TABLE = (
    Control(
        "data",
        "choice",
        "Data",
        "signs2",
        "A generated lattice with random couplings; a benchmark with a known best energy, which "
        "is downloaded on demand; or your own couplings.",
        choices={**{name: made[0] for name, made in MADE.items()}, **WHAT, OWN: "Paste or upload"},
    ),
    mark_control("file"),
    Control(
        "kind",
        "choice",
        "Weights are",
        "maxcut",
        "w: weights of a graph whose cut is maximised (J = −w), as in the G-set and the "
        "Biq Mac library. J: couplings. Q: xᵀQx is minimised, and each entry counts for both "
        "(i, j) and (j, i), as in Beasley's files.",
        choices={"maxcut": "w (Max-Cut)", "couplings": "J", "qubo": "Q"},
    ),
    Control("side", "whole", "Side", 10, "Spins (Chimera: cells) per side.", low=3, high=60),
    Control("draw", "whole", "Draw", 0, "Seed of the random couplings.", low=0, high=10_000),
    Control(
        "optimiser",
        "choice",
        "Optimiser",
        "descent",
        "Descent flips spins while a flip lowers the energy. Tabu search also crosses ridges, "
        "until N steps (at least 50) have found nothing lower. Annealing also flips spins uphill, "
        "less often from sweep to sweep: its calls take longer than those of descent, but end "
        "lower.",
        choices={"descent": "Descent", "tabu": "Tabu search", "annealing": "Annealing"},
    ),
    *sliders.controls(
        "spins",
        most=MOST_SPINS,
        k1=10,
        m1=100_000,
        fresh=None,
        whole="A spin is up or down, so α does not apply.",
        subsets={
            "patch": "Patch: a random spin and the spins around it.",
            "weak": "Weak: each spin is the most weakly bound of four random spins.",
        },
        calls=1000,
    ),
)
_ALIKE = {
    **{"subset": "patch", "optimiser": "descent", "k1": 20, "m1": 100_000, "k2": 0, "k3": 0},
    **{"draw": 0, "budget": "seconds"},
}
_QUICK = {"k1": 10, "budget": "calls", "calls": 1000}
_LEVELS = {"k1": 10, "m1": 100, "k2": 60, "m2": 20}
PRESETS = {
    "quick look": {**_ALIKE, **_QUICK, "data": "signs2", "side": 10},
    "three levels": {**_ALIKE, **_LEVELS, "data": "gauss3", "side": 7, "seconds": 0.5},
    "where it loses": {**_ALIKE, "data": "G1", "seconds": 4.0},
}
#: Annealing ends lowest on most couplings (benchmarks/ising_optimisers.py).
_FOR_OWN = {"optimiser": "annealing", "how": "auto"}
PRESETS_HELP = (
    "**quick look**: patches on a torus of 100 spins, whose lowest energy is proven. "
    "**three levels**: patches on a cube. Without level 2 the search stays about one percent or "
    "more above the energy that three levels reach. Two levels with other settings can reach it, "
    "too. "
    "**where it loses**: G1, a dense random graph without geometry. Patches stay one to four "
    "percent above the energy of its best cut, whose weight is 11624; annealing finds that cut in "
    "a fraction of a second."
)
TABLE = tuple(
    control._replace(default="patch") if control.name == "subset" else control for control in TABLE
)
DEFAULTS = {control.name: control.default for control in TABLE}


def made_of(values: dict[str, Any]) -> str:
    """Return Python code that makes or downloads the data."""
    if values["data"] in MADE:
        return MADE[values["data"]][2].format(**values)
    return f"glass({literal(values['data'])})"


#: Lowest energies found by 300 searches of 80,000 calls each, by data, side and seed. They are not
#: proven to be minimal.
LOWEST_FOUND = {("gauss3", 7, 4): -594.8868713378906}


@st.cache_resource(show_spinner=False, max_entries=20)
def _lattice(name: str, side: int, draw: int) -> Couplings:
    kind = "signs" if name != "gauss2" and name != "gauss3" else "gaussian"
    if name == "chimera":
        return datasets.chimera(side, kind, draw)
    made = datasets.torus((side,) * int(name[-1]), kind, draw)
    lowest = ground_energy(made) if provable(made) else LOWEST_FOUND.get((name, side, draw))
    return made._replace(best_known=lowest)


@st.cache_resource(show_spinner=False)
def _fetched(name: str) -> Couplings:
    """Return a benchmark by name; `DataUnavailable` explains how to get a missing one."""
    return datasets.glass(name)


# Your own files


def _read(name: str, content: bytes) -> tuple[str, bytes]:
    """Accept a file that is valid for one of ``KINDS``; the user then chooses the kind."""
    troubles = []
    for kind in KINDS:
        try:
            _couplings((name, content), kind)
            return name, content
        except (ValueError, TypeError) as error:
            troubles.append(error)
    raise troubles[0]


def _couplings(own: tuple[str, bytes], kind: str) -> Couplings:
    name, content = own
    found = read_glass(content, name, kind)
    n, edges = len(found.fields), len(found.pairs)
    if not (2 <= n <= MOST_SPINS and 1 <= edges <= MOST_COUPLINGS):
        raise ValueError(
            f"it has {n} spins and {edges} couplings; this page accepts 2 to {MOST_SPINS} spins "
            f"and 1 to {MOST_COUPLINGS} couplings. Use prviz.ising in Python."
        )
    return found


DATA_INPUT = DataInput(
    page=PAGE,
    control="file",
    asks="Couplings, a graph or a QUBO",
    help="Text, also gzipped. The first line has the number of spins and the number of pairs. "
    "Each further line has a pair of spins, numbered from 1, and a weight, as in G-set, Biq Mac "
    "and Beasley's files. DIMACS, MatrixMarket and qbsolv files also work. Up to "
    f"{MOST_SPINS} spins (prviz.ising in Python has no limit).",
    endings=("txt", "sparse", "mc", "gz", "dat", "csv", "mtx", "col", "qubo"),
    read=_read,
    sample=samples.GLASS,
    where="couplings, a graph or a QUBO",
)


def data(values: dict[str, Any]) -> Couplings:
    """Return the couplings of these values; raise a ValueError or DataUnavailable without them."""
    if values["data"] in MADE:
        side = min(values["side"], MADE[values["data"]][1])
        return _lattice(values["data"], side, values["draw"])
    if values["data"] in KNOWN:
        return _fetched(values["data"])
    return DATA_INPUT.made(values, ("kind",), _couplings)


_refusal = refusal(data)


def wrong(values: dict[str, Any]) -> str:
    """Return what is wrong with the user's file, or that it is missing; "" if it is valid."""
    return _refusal(values) if values["data"] == OWN else ""


def problem(values: dict[str, Any]) -> tuple[Any, IsingScene]:
    """Return the problem and its scene, or raise a ValueError."""
    found = data(values)
    made = prviz.ising(found, optimiser=values["optimiser"])
    return made, IsingScene(found, made)


def code(values: dict[str, Any]) -> str:
    """Return Python code that makes the same problem, from the user's file if it is chosen."""
    if values["data"] == OWN:
        read = file_code(DATA_INPUT.given(values).name, values[DATA_INPUT.control])
        read += f"couplings = prviz.datasets.read_glass(file, kind={literal(values['kind'])})"
    else:
        read = f"couplings = prviz.datasets.{made_of(values)}"
    return f"{read}\nproblem = prviz.ising(couplings, optimiser={values['optimiser']!r})"


def n_spins(values: dict[str, Any]) -> int:
    """Return N, or the page's largest N if the data are unavailable."""
    try:
        return len(data(values).fields)
    except (ValueError, DataUnavailable):
        return MOST_SPINS


def reconcile(values: dict[str, Any], before: dict[str, Any] | None, given: Collection[str]) -> str:
    """Keep the former couplings if the chosen ones are unavailable; limit the side.

    The user's own couplings are annealed, and the search chooses the redraws.
    """
    trouble, former = DATA_INPUT.arrive(values, before, DEFAULTS["data"]), before or DEFAULTS
    if before is not None and (values["data"] == OWN) != (former["data"] == OWN):
        best = _FOR_OWN if values["data"] == OWN else {name: DEFAULTS[name] for name in _FOR_OWN}
        values.update({name: value for name, value in best.items() if name not in given})
    if values["data"] in KNOWN:
        try:
            with st.spinner(f"Preparing {WHAT[values['data']]} …"):
                _fetched(values["data"])
        except DataUnavailable as error:
            trouble, values["data"] = str(error), former["data"]
    if values["data"] in MADE:
        largest = MADE[values["data"]][1]
        if before is not None and values["data"] != former["data"] and "side" not in given:
            values["side"] = 20 if largest == LARGEST_SIDE else 7 if largest == 15 else 5
        if values["side"] > largest:
            trouble = trouble or f"The side of this lattice must be at most {largest}."
            values["side"] = largest
    return trouble


def choose(controls: Controls) -> None:
    """Draw the choice of couplings, the input of a file, and the optimiser."""
    controls.choice("data")
    values = controls.values
    if values["data"] == OWN:
        if DATA_INPUT.draw(controls):
            with st.container(key="own-chosen"):
                controls.choice("kind")
                _show_data(values)
    elif values["data"] in MADE:
        controls.number("side", high=MADE[values["data"]][1])
    controls.choice("optimiser")


def _show_data(values: dict[str, Any]) -> None:
    """Show the size of the user's own file and a notice, or an error."""
    show_notice(wrong(values), lambda: data(values).notice)
    if not wrong(values):
        found = data(values)
        st.caption(
            f"**{found.name}**: {counted(len(found.fields), 'spin')}, "
            f"{counted(len(found.pairs), 'coupling')}."
        )


def presets(values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the presets; for the user's own couplings, without the choice of couplings."""
    if values["data"] != OWN:
        return PRESETS
    return of_the_search(PRESETS, {"data", "side", "draw"}, left={"where it loses"})


def refine(controls: Controls) -> None:
    """Draw the controls of the couplings' seed and of the sub-sets."""
    if controls.values["data"] in MADE:
        controls.number("draw")
    controls.choice("subset")


def idle(values: dict[str, Any]) -> set[str]:
    """Return names of values that do not apply to the chosen couplings."""
    without = set()
    if values["data"] != OWN:
        without |= {"file", "kind"}
    if values["data"] not in MADE:
        without |= {"side", "draw"}
    return without


BENCHMARK = Benchmark(
    page=PAGE,
    label="Spin glasses",
    short="Spin glasses",
    title="Spin glass:",
    claim="Redraw a patch of spins, run the optimiser, keep what is no worse.",
    variables="spins",
    optimiser="single-spin descent",
    table=TABLE,
    presets=presets,
    presets_help=PRESETS_HELP,
    n=n_spins,
    counted=always("spins"),
    work=lambda values: (
        *(values[name] for name in ("data", "file", "kind", "side", "k1", "optimiser", "subset")),
    ),
    data=data,
    problem=problem,
    code=code,
    own=lambda values: values["data"] == OWN,
    wrong=wrong,
    choose=choose,
    folded="Couplings, sub-sets, levels",
    refine=refine,
    reconcile=reconcile,
    idle=idle,
    **peer("annealing", "dwave-samplers", baselines.DWaveAnnealing, "dwave.samplers"),
    card=Card(
        "A lattice of frustrated magnets, patch by patch.",
        Shot(100, 0, 0.9, (0.5, 0.54)),
        "A patch of spins is redrawn and optimised; highlighted frustrated bonds become fewer.",
    ),
)
