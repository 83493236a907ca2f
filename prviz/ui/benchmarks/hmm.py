"""Hidden Markov models for the page: the string, the controls, the presets."""

from __future__ import annotations

from collections.abc import Collection
from importlib.util import find_spec
from operator import itemgetter
from typing import Any

import streamlit as st

import prviz
from prviz import baselines, datasets
from prviz.code.script import literal
from prviz.problems.hmm.problem import MAX_ITERATIONS, TOLERANCE
from prviz.scenes.hmm import HMMScene
from prviz.ui.benchmark import Benchmark, Card, Shot, always, refusal
from prviz.ui.levels import sliders
from prviz.ui.links import LONGEST_TEXT
from prviz.ui.widgets.controls import Control, Controls

SHORTEST, LONGEST = 8, 2000  # symbols that the page takes; the API has no such limits
MOST_SYMBOLS = 100  # and so many different ones
KEPT = 10_000  # characters of a text that is far too long

TABLE = (
    Control(
        "data",
        "choice",
        "String",
        "bits",
        "What the model is trained on: fair random bits, as in the paper, or a text of your own.",
        choices={"bits": "Random bits", "text": "Own text or bits"},
        paper="bits",
    ),
    Control(
        "text",
        "text",
        "Text",
        "The rain in Spain stays mainly in the plain.",
        f"Bits or any text of {SHORTEST} to {LONGEST} symbols, one a character, of which "
        f"{MOST_SYMBOLS} may differ. Ends of lines are left out, and blanks between bits.",
        low=1,
        high=KEPT,
    ),
    Control(
        "length",
        "whole",
        "Bits",
        48,
        "T, the length of the random string.",
        low=SHORTEST,
        high=LONGEST,
        paper=128,
    ),
    Control(
        "string",
        "whole",
        "Bits' seed",
        0,
        "Which random string: the same seed gives the same bits.",
        low=0,
        high=2**31 - 1,
    ),
    Control(
        "n_states",
        "whole",
        "States",
        48,
        "N, the number of hidden states. Each is one variable of the search: its row and column "
        "of A, its row of B, its entry of π.",
        low=2,
        high=256,
        paper=128,
    ),
    Control(
        "tolerance",
        "real",
        "Tolerance",
        TOLERANCE,
        "Baum–Welch ends with the first iteration that raises the log-likelihood by less.",
        low=0.0,
        high=1.0,
    ),
    Control(
        "cap",
        "whole",
        "Iterations",
        MAX_ITERATIONS,
        "Baum–Welch ends at the latest after so many iterations.",
        low=1,
        high=10_000,
    ),
    *sliders.controls(
        "states",
        most=256,
        k1=(3, 8),
        m1=(500, 8000),
        fresh="How much of its old rows a redrawn state keeps: 0 draws them afresh, near 1 they "
        "hardly change.",
        subsets={
            "together": "Together: a random state, and one after another the states with the "
            "strongest transitions to or from those chosen."
        },
    ),
)

_ALIKE = {
    **{"data": "bits", "string": 0, "alpha": 0.0, "subset": "random", "k2": 0},
    "budget": "seconds",
}
PRESETS = {
    "quick look": {**_ALIKE, "length": 48, "n_states": 48, "k1": 3, "m1": 500, "seconds": 2.0},
    "paper": {**_ALIKE, "length": 128, "n_states": 128, "k1": 8, "m1": 8000, "seconds": 10.0},
}
PRESETS_HELP = (
    "quick look: 48 bits, 48 states, 2 s. paper: its benchmark, 128 bits and 128 states with "
    "k₁ = 8, M₁ = 8000, α = 0."
)


def string(values: dict[str, Any]) -> datasets.Symbols:
    """The string that these values ask for; a ValueError says why the page can't take it."""
    if values["data"] == "bits":
        return datasets.bits(values["length"], values["string"])
    symbols = datasets.read_text(values["text"])
    length, different = len(symbols.sequence), len(symbols.alphabet)
    if length < SHORTEST:
        raise ValueError(
            f"The text has {length} symbol{'s' if length > 1 else ''}; this page takes {SHORTEST} "
            f"to {LONGEST}: type more."
        )
    if length > LONGEST:
        raise ValueError(
            f"The text is too long: this page takes {SHORTEST} to {LONGEST} symbols. Shorten it, "
            "or call prviz.hmm in Python, which has no limit."
        )
    if different > MOST_SYMBOLS:
        raise ValueError(
            f"The text has {different} different characters; this page takes up to "
            f"{MOST_SYMBOLS}: call prviz.hmm in Python, which has no limit."
        )
    return symbols


wrong = refusal(string)


def reconcile(values: dict[str, Any], before: dict[str, Any] | None, given: Collection[str]) -> str:
    """A link to a text that the page can't take opens on random bits, and says why."""
    if before is None and (trouble := wrong(values)):
        values["data"] = "bits"
        return trouble
    return ""


def problem(values: dict[str, Any]) -> tuple[Any, HMMScene]:
    """The problem and its scene, or a ValueError."""
    data = string(values)
    made = prviz.hmm(
        data, values["n_states"], tolerance=values["tolerance"], max_iterations=values["cap"]
    )
    return made, HMMScene(data, made)


def code(values: dict[str, Any]) -> str:
    """Python that makes the same problem."""
    if values["data"] == "bits":
        read = f"prviz.datasets.bits({values['length']}, {values['string']})"
    else:
        read = f"prviz.datasets.read_text({literal(values['text'])})"
    ends = f"tolerance={values['tolerance']!r}, max_iterations={values['cap']}"
    return f"string = {read}\nproblem = prviz.hmm(string, {values['n_states']}, {ends})"


def choose(controls: Controls) -> None:
    """The string, and where it is typed."""
    controls.choice("data")
    if controls.values["data"] != "text":
        return
    controls.text("text")
    if trouble := wrong(controls.values):
        st.error(trouble, icon=":material/error:")
        return
    if notice := string(controls.values).notice:
        st.info(notice)
    if len(controls.values["text"]) > LONGEST_TEXT:
        st.caption(f"Links carry texts of up to {LONGEST_TEXT} characters: pass this one along.")


def refine(controls: Controls) -> None:
    """What is random about the string, the size of the model, when Baum–Welch ends; sub-sets."""
    if controls.values["data"] == "bits":
        controls.number("length")
        controls.number("string")
    controls.number("n_states")
    controls.number("tolerance")
    controls.number("cap")
    controls.choice("subset")


def idle(values: dict[str, Any]) -> set[str]:
    """The values of the other kind of string."""
    return {"text"} if values["data"] == "bits" else {"length", "string"}


BENCHMARK = Benchmark(
    page="hmm",
    label="Hidden Markov models",
    short="Hidden Markov",
    title="Hidden Markov model of",
    claim="Redraw a few states, let Baum–Welch settle, keep what is no worse.",
    variables="states",
    optimiser="Baum–Welch",
    table=TABLE,
    presets=always(PRESETS),
    presets_help=PRESETS_HELP,
    n=itemgetter("n_states"),
    counted=always("states"),
    work=itemgetter("data", "length", "n_states", "k1", "tolerance", "cap", "subset"),
    data=string,
    problem=problem,
    code=code,
    wrong=wrong,
    choose=choose,
    folded="String, states, levels",
    refine=refine,
    reconcile=reconcile,
    idle=idle,
    rivals=always({"hmmlearn": baselines.HMMLearn} if find_spec("hmmlearn") else {}),
    card=Card("A model learns a string of bits by heart.", Shot(60, 0, 2.1, (0.5, 0.64))),
)
