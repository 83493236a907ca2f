"""The descriptor of the page of restricted Boltzmann machines."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from operator import itemgetter
from typing import Any

import streamlit as st

import prviz
from prviz import datasets
from prviz.code.files import LONGEST_TYPED, array_code, file_code
from prviz.code.script import literal
from prviz.datasets.readers.content import unpack
from prviz.datasets.readers.examples import read_examples
from prviz.datasets.sets.patterns import N_VISIBLE
from prviz.problems.rbm.common import n_parameters as n_numbers
from prviz.scenes.rbm import RBMScene
from prviz.ui.benchmark import Benchmark, Card, Shot, always, of_the_search, refusal
from prviz.ui.levels import sliders
from prviz.ui.own_data import samples
from prviz.ui.own_data.data_input import OWN, DataInput, mark_control, show_notice
from prviz.ui.state.links import LONGEST_TEXT
from prviz.ui.widgets.controls import Control, Controls
from prviz.ui.widgets.formatting import counted, digits

MOST_SMALL, MOST_VISIBLE, MOST_HIDDEN = 12, 64, 64  # units on the page; the API allows more
MOST_EXAMPLES = 2000
LARGEST_FILE = 2_000_000  # bytes, unpacked
EXAMPLES = "examples.txt"  # a script reads long examples from this file
KEPT = 150_000  # stored characters; longer texts are truncated

TABLE = (
    Control(
        "data",
        "choice",
        "Examples",
        "patterns",
        "The training examples: the paper's four patterns of eight bits, with 10 % of the bits "
        "flipped, or your own examples.",
        choices={"patterns": "Four patterns", "text": "Type or paste", OWN: "Upload a file"},
        paper="patterns",
    ),
    mark_control("file"),
    Control(
        "threshold",
        "text",
        "Threshold",
        "",
        "Grey values above the threshold become 1, the others 0. If the data are zeros and ones, "
        "leave the threshold empty.",
        high=24,
        later=True,
    ),
    Control(
        "text",
        "text",
        "Own examples",
        "111000\n110000\n111000\n000111\n000011\n000111",
        f"One example per line, as zeros and ones, also with commas or spaces. Up to "
        f"{MOST_EXAMPLES} examples of up to {MOST_VISIBLE} bits.",
        low=1,
        high=KEPT,
    ),
    Control(
        "draw",
        "whole",
        "Examples' seed",
        0,
        "Seed of the flipped bits. The same seed gives the same 100 examples.",
        low=0,
        high=2**31 - 1,
    ),
    Control(
        "n_hidden",
        "whole",
        "Hidden units",
        10,
        f"The smaller of the two layers may have up to {MOST_SMALL} units, because its states are "
        "enumerated for the exact cost.",
        low=1,
        high=MOST_HIDDEN,
        paper=10,
    ),
    Control(
        "optimiser",
        "choice",
        "Optimiser",
        "cd1",
        "Contrastive divergence (CD-1) is stochastic and may end a call with a higher cost. Ascent "
        "along the exact gradient never does; the paper does not use it.",
        choices={"cd1": "CD-1", "exact": "Exact ascent"},
        paper="cd1",
    ),
    Control(
        "rate",
        "real",
        "Learning rate",
        0.1,
        "Size of the update step after each batch. The paper uses 0.01.",
        low=0.0001,
        high=100.0,
        paper=0.01,
    ),
    Control(
        "epochs",
        "whole",
        "Epochs",
        1000,
        "Passes over all examples per call. The paper uses 100 000.",
        low=1,
        high=1_000_000,
        paper=100_000,
    ),
    Control(
        "decay",
        "real",
        "λ",
        0.0,
        "Weight decay adds λ ΣW²/2 to the cost, so weights stay small. The paper uses 0 and 0.01.",
        low=0.0,
        high=10.0,
        paper=0.0,
    ),
    Control(
        "batch",
        "whole",
        "Batch",
        10,
        "Examples per update of the parameters. The paper does not give this number.",
        low=1,
        high=MOST_EXAMPLES,
    ),
    Control(
        "sigma",
        "real",
        "σ",
        0.1,
        "Standard deviation of new parameters. The paper does not give this number.",
        low=0.0,
        high=10.0,
    ),
    *sliders.controls(
        "parameters",
        most=(MOST_SMALL + 1) * (MOST_VISIBLE + 1) - 1,
        k1=(10, 10),
        m1=(100, 10_000),
        fresh="Share of its old value that a redrawn parameter keeps: with α = 0 the value is new, "
        "with α near 1 it hardly changes.",
        p=(0.1, 0.1),
        subsets={
            "unit": (
                "Unit: all parameters of a hidden unit together. If you redraw by p, each unit and "
                "each visible bias is redrawn with probability p."
            )
        },
        calls=50,
    ),
)

_ALIKE = {
    **{"data": "patterns", "draw": 0, "n_hidden": 10, "optimiser": "cd1", "batch": 10},
    **{"sigma": 0.1, "by": "p", "p": 0.1, "alpha": 0.0, "subset": "random", "k2": 0},
}
_PAPER = {
    **{**_ALIKE, "rate": 0.01, "epochs": 100_000, "m1": 10_000},
    **{"budget": "seconds", "seconds": 60.0},
}
PRESETS = {
    "quick look": {
        **{**_ALIKE, "rate": 0.1, "epochs": 1000, "decay": 0.0, "m1": 100},
        **{"budget": "calls", "calls": 50},
    },
    "paper": {**_PAPER, "decay": 0.0},
    "paper, weight decay": {**_PAPER, "decay": 0.01},
    "where it gains nothing": {
        **{**_ALIKE, "rate": 0.1, "epochs": 10_000, "decay": 0.0, "m1": 100},
        **{"budget": "calls", "calls": 50},
    },
}
OF_PATTERNS = ("data", "draw")  # values of presets that do not apply to the user's own examples
PRESETS_HELP = (
    "Presets keep your own examples. **quick look**: 50 calls of 1000 epochs at a learning rate of "
    "0.1. **paper**: 100 000 epochs at 0.01, p = 0.1, without and with weight decay; a call takes "
    "about half a second. **where it gains nothing**: calls of 10 000 epochs train long enough to "
    "need no redraw."
)


def _read(name: str, content: bytes) -> bytes:
    unpack(content, LARGEST_FILE)  # raises an error if the file is too large
    return content


DATA_INPUT = DataInput(
    page="rbm",
    control="file",
    asks="Examples, one per row",
    help=f"CSV, text or npy, also gzipped: up to {MOST_EXAMPLES} rows of up to {MOST_VISIBLE} "
    "zeros and ones, or grey values with a threshold.",
    endings=("csv", "txt", "tsv", "npy", "gz"),
    read=_read,
    sample=samples.EXAMPLES,
    where="examples",
)


def _of_file(name: str, content: bytes, threshold: str) -> datasets.Examples:
    above = threshold_of(threshold)
    return _sized(read_examples(content, name, LARGEST_FILE, above))


def threshold_of(text: str) -> float | None:
    """Return the typed threshold, or None if it is empty; raise a ValueError if it is invalid."""
    try:
        return float(text) if text.strip() else None
    except ValueError:
        raise ValueError(
            f"the threshold {text!r} is not a number. Type a number such as 0.5."
        ) from None


def examples(values: dict[str, Any]) -> datasets.Examples:
    """Return the examples of these values; raise a ValueError if the page does not accept them."""
    if values["data"] == "patterns":
        return datasets.patterns(seed=values["draw"])
    if values["data"] == OWN:
        own = DATA_INPUT.given(values)
        return DATA_INPUT.made(values, ("threshold",), partial(_of_file, own.name))
    if len(values["text"]) >= KEPT:  # the text may have been truncated
        raise ValueError(
            f"The text is too long: this page reads up to {digits(KEPT)} characters. Remove "
            "characters between the bits, shorten the text, or call prviz.rbm in Python."
        )
    return _sized(read_examples(values["text"]))


def _sized(read: datasets.Examples) -> datasets.Examples:
    """Return the examples; raise a ValueError if they exceed the page's limits."""
    n, n_visible = read.examples.shape
    if n > MOST_EXAMPLES or n_visible > MOST_VISIBLE:
        raise ValueError(
            f"Got {digits(n)} examples of {counted(n_visible, 'bit')}; this page accepts up to "
            f"{MOST_EXAMPLES} examples of {MOST_VISIBLE} bits. Use fewer, or prviz.rbm in Python."
        )
    return read


wrong = refusal(examples)


def _n_visible(values: dict[str, Any]) -> int:
    try:
        return examples(values).examples.shape[1]
    except (ValueError, TypeError):
        return N_VISIBLE


def n_parameters(values: dict[str, Any]) -> int:
    """Return N, the number of weights and biases."""
    return n_numbers(_n_visible(values), values["n_hidden"])


def presets(values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the presets; for the user's own examples, without settings of data."""
    if values["data"] == "patterns":
        return PRESETS
    return of_the_search(PRESETS, OF_PATTERNS)


def reconcile(values: dict[str, Any], before: dict[str, Any] | None, given: Collection[str]) -> str:
    """Limit the hidden units so that the exact cost can be computed; return a link's errors."""
    if trouble := DATA_INPUT.arrive(values, before, "patterns"):
        return trouble
    if before is None and (trouble := wrong(values)):
        values["data"] = "patterns"
        return trouble
    if before and values["file"] != before["file"]:
        values["threshold"] = ""
    if _n_visible(values) > MOST_SMALL < values["n_hidden"]:
        values["n_hidden"] = MOST_SMALL
    return ""


def problem(values: dict[str, Any]) -> tuple[Any, RBMScene]:
    """Return the problem and its scene, or raise a ValueError."""
    data = examples(values)
    made = prviz.rbm(
        data,
        values["n_hidden"],
        values["rate"],
        values["epochs"],
        values["decay"],
        values["optimiser"],
        batch=values["batch"],
        sigma=values["sigma"],
    )
    return made, RBMScene(data, made)


def code(values: dict[str, Any]) -> str:
    """Return Python code that makes the same problem, with long examples in a file."""
    numbers = ", ".join(repr(values[name]) for name in ("n_hidden", "rate", "epochs", "decay"))
    more = f"{literal(values['optimiser'])}, batch={values['batch']}, sigma={values['sigma']!r}"
    made = f"problem = prviz.rbm(examples, {numbers}, {more})"
    if values["data"] == "patterns":
        read = f"prviz.datasets.patterns(seed={values['draw']})"
    elif values["data"] == OWN:
        own, above = DATA_INPUT.given(values), threshold_of(values["threshold"])
        read = f"prviz.datasets.read_examples(file, threshold={above!r}).examples"
        return f"{file_code(own.name, values['file'])}examples = {read}\n{made}"
    elif len(values["text"]) > LONGEST_TYPED:
        typed = examples(values).examples
        read = "prviz.datasets.read_examples(file).examples"
        return array_code(EXAMPLES, "examples", read, typed) + made
    else:
        read = f"prviz.datasets.read_examples({literal(values['text'])})"
    return f"examples = {read}\n{made}"


def data(values: dict[str, Any]) -> datasets.Examples:
    """Return the examples of these values; if they are invalid, return the paper's."""
    try:
        return examples(values)
    except (ValueError, TypeError):
        return datasets.patterns(seed=values["draw"])


def choose(controls: Controls) -> None:
    """Draw the choice of examples, and their input."""
    controls.choice("data")
    values = controls.values
    if values["data"] == OWN and (own := DATA_INPUT.draw(controls)):
        with st.container(key="own-chosen"):
            st.caption(f"**{own.name}**{_counted(values)}")
            _threshold(controls)
            show_notice(wrong(values), lambda: examples(values).notice)
    if values["data"] != "text":
        return
    controls.text("text")
    if "text" in controls.held.hidden | controls.held.locked:
        return
    if trouble := wrong(values):
        st.error(trouble, icon=":material/error:")
    if len(values["text"]) > LONGEST_TEXT:
        st.caption(
            f"A link can contain at most {LONGEST_TEXT} characters. Send this text separately."
        )


def _counted(values: dict[str, Any]) -> str:
    if wrong(values):
        return ""
    n, n_visible = examples(values).examples.shape
    return f": {counted(n, 'example')} of {counted(n_visible, 'bit')}."


def _threshold(controls: Controls) -> None:
    if not controls.shows("threshold"):
        return
    control, key = controls.table["threshold"], f"{controls.page}-threshold-typed"
    if st.session_state.get(key) != controls.values["threshold"]:
        st.session_state[key] = controls.values["threshold"]
    st.text_input(
        control.label,
        key=key,
        help=control.help,
        max_chars=int(control.high),
        placeholder="none: zeros and ones",
        disabled=controls.locks("threshold"),
        on_change=lambda: controls.values.update(threshold=st.session_state[key]),
    )


def refine(controls: Controls) -> None:
    """Draw the controls of the machine, of its training, and of the sub-sets."""
    if controls.values["data"] == "patterns":
        controls.number("draw")
    controls.number("n_hidden")
    controls.choice("optimiser")
    for name in ("rate", "epochs", "decay"):
        controls.number(name)
    if controls.values["optimiser"] == "cd1":
        controls.number("batch")
    controls.number("sigma")
    controls.choice("subset")


def idle(values: dict[str, Any]) -> set[str]:
    """Return the names of the values that only other examples or the other optimiser use."""
    of = {"patterns": {"draw"}, "text": {"text"}, OWN: {DATA_INPUT.control, "threshold"}}
    others = [names for kind, names in of.items() if kind != values["data"]]
    return set().union(*others, {"batch"} if values["optimiser"] == "exact" else ())


BENCHMARK = Benchmark(
    page="rbm",
    label="Boltzmann machines",
    short="Boltzmann",
    title="Boltzmann machine of",
    claim="Redraw a few parameters, train again, keep what is no worse.",
    variables="parameters",
    optimiser="CD-1",
    table=TABLE,
    presets=presets,
    presets_help=PRESETS_HELP,
    n=n_parameters,
    counted=always("parameters"),
    work=itemgetter(
        "data", "text", "file", "threshold", "n_hidden", "optimiser", "epochs", "batch", "subset"
    ),
    data=data,
    problem=problem,
    code=code,
    own=lambda values: values["data"] != "patterns",
    wrong=wrong,
    choose=choose,
    folded="Machine, training, levels",
    refine=refine,
    reconcile=reconcile,
    idle=idle,
    card=Card(
        "Each weight is redrawn with a small probability.",
        Shot(20, 0),
        "Each weight is redrawn with a small probability, then the machine is trained again.",
    ),
)
