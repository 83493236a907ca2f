"""The descriptor of the page of hidden Markov models."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

import prviz
from prviz import baselines, datasets
from prviz.code.files import file_code
from prviz.code.script import literal
from prviz.datasets.readers.content import path_or_text
from prviz.datasets.readers.corpora import columns_of_text, read_corpus
from prviz.datasets.types.strings import read_text
from prviz.problems.hmm.problem import MAX_ITERATIONS, TOLERANCE
from prviz.scenes.hmm import HMMScene
from prviz.scenes.series import SeriesScene
from prviz.ui.benchmark import Benchmark, Card, Shot, always, of_the_search, peer, refusal
from prviz.ui.benchmarks import hmm_series
from prviz.ui.benchmarks.hmm_series import is_mixture, is_series
from prviz.ui.levels import sliders
from prviz.ui.own_data import columns, samples
from prviz.ui.own_data.data_input import OWN, DataInput, mark_control, show_notice
from prviz.ui.state.links import LONGEST_TEXT
from prviz.ui.widgets.controls import Control, Controls
from prviz.ui.widgets.formatting import counted, digits

SHORTEST, LONGEST = 8, 2000  # length of a string on the page; the API has no such limits
MOST_SYMBOLS = 100  # distinct symbols
MOST_COLUMNS = 1000
FIRST_STATES = 24  # largest default number of states for strings from a file
KEPT = 10_000  # stored characters; longer texts are truncated

TABLE = (
    Control(
        "data",
        "choice",
        "Data",
        "bits",
        "Training data: fair random bits, as in the paper; your own text; a random series of "
        "numbers that switches between three regimes; or your own file of strings or numbers.",
        choices={
            "bits": "Random bits",
            "text": "Type or paste",
            hmm_series.RANDOM: "Random series",
            OWN: "Upload a file",
        },
        paper="bits",
    ),
    mark_control("file"),
    Control(
        "column",
        "whole",
        "Column",
        0,
        "The column of symbols or numbers, one per row. Without a column, each line of the file "
        "is a string and each character a symbol. For numbers, all columns are used.",
        high=MOST_COLUMNS,
        later=True,
        told=lambda number: f"column {number}" if number else "none",
    ),
    Control(
        "group",
        "whole",
        "Groups",
        0,
        "The column that groups rows into strings or series. Without this column, all rows form "
        "one string or series.",
        high=MOST_COLUMNS,
        later=True,
        told=lambda number: f"by column {number}" if number else "all rows together",
    ),
    Control(
        "text",
        "text",
        "Text",
        "The rain in Spain stays mainly in the plain.",
        f"Bits or any text of {SHORTEST} to {LONGEST} characters, with at most {MOST_SYMBOLS} "
        "different characters. Each character is a symbol. Line breaks, and spaces between bits, "
        "are ignored.",
        low=1,
        high=KEPT,
    ),
    Control(
        "length",
        "whole",
        "Bits",
        64,
        "T, the length of the random string.",
        low=SHORTEST,
        high=LONGEST,
        paper=128,
    ),
    Control(
        "string",
        "whole",
        "Data seed",
        1,
        "Seed of the random string or series. The same seed gives the same data.",
        low=0,
        high=2**31 - 1,
    ),
    Control(
        "n_states",
        "whole",
        "States",
        64,
        "N, the number of hidden states. Each state is one variable of the search: its row and "
        "column of A, its entry of π, and its row of B (or its mean and covariance).",
        low=2,
        high=256,
        paper=128,
    ),
    Control(
        "tolerance",
        "real",
        "Tolerance",
        TOLERANCE,
        "Baum–Welch ends at the first iteration that raises the log-likelihood by less than this.",
        low=0.0,
        high=1.0,
    ),
    Control(
        "cap",
        "whole",
        "Iterations",
        MAX_ITERATIONS,
        "Largest number of Baum–Welch iterations per call.",
        low=1,
        high=10_000,
    ),
    *hmm_series.CONTROLS,
    *sliders.controls(
        "states",
        most=256,
        k1=(8, 8),
        m1=(500, 8000),
        fresh="Share of the old rows that a redrawn state keeps: with α = 0 the rows are new, with "
        "α near 1 they hardly change.",
        subsets={
            "together": "Together: a random state, then one after another the states with the "
            "strongest transitions to or from the chosen states."
        },
        calls=500,
    ),
)

_ALIKE = {"data": "bits", "k1": 8, "alpha": 0.0, "subset": "random", "k2": 0}
_SMALL = {"string": 1, "length": 64, "n_states": 64, "m1": 500}
_PAPER = {"string": 0, "length": 128, "n_states": 128, "m1": 8000}
PRESETS = {
    "quick look": {**_ALIKE, **_SMALL, "budget": "calls", "calls": 500},
    "paper": {**_ALIKE, **_PAPER, "budget": "seconds", "seconds": 10.0},
}
DEFAULTS = {control.name: control.default for control in TABLE}
PRESETS_HELP = (
    "**quick look**: 64 bits, 64 states, 500 calls. **paper**: 128 bits and 128 states with "
    "M₁ = 8000, for 10 s. Both have k₁ = 8, α = 0."
)


class Strings(NamedTuple):
    """A file: its content, and the names of its columns."""

    content: bytes
    columns: tuple[str, ...]


def _read(name: str, content: bytes) -> Strings:
    return Strings(content, columns_of_text(content))


DATA_INPUT = DataInput(
    page="hmm",
    control="file",
    asks="Strings (lines or a column), or a series of numbers",
    help="Text with one string per line, or CSV, from which you choose the column of symbols or "
    "numbers. One model is trained on all sequences; their costs are added.",
    endings=("txt", "csv", "tsv", "fasta", "fa", "gz"),
    read=_read,
    sample=samples.STRINGS,
    where="strings or a series",
)
CHOSEN = ("column", "group", "emissions")


def _sequences(
    name: str, strings: Strings, column: int, by: int, emissions: str
) -> datasets.Corpus | datasets.Series:
    if emissions == "gaussian":
        return hmm_series.read(name, strings.content, **_named(strings, column, by))
    found = read_corpus(strings.content, name, **_named(strings, column, by if column else 0))
    return _sized(found, "file")


def _named(strings: Strings, column: int, by: int) -> dict[str, str | None]:
    """Return the names of the columns with these numbers, from 1; 0 stands for no column."""
    for number in (column, by):
        if number > len(strings.columns):
            raise ValueError(f"there is no column {number}: choose another.")
    column_name, by_name = (strings.columns[i - 1] if i else None for i in (column, by))
    return {"column": column_name, "by": by_name}


def string(values: dict[str, Any]) -> datasets.Symbols | datasets.Corpus | datasets.Series:
    """Return the data that these values select; raise a ValueError if the data are unsuitable."""
    if values["data"] == hmm_series.RANDOM:
        return hmm_series.random_series(values)
    if values["data"] == "bits":
        return datasets.bits(values["length"], values["string"])
    if values["data"] == OWN:
        own = DATA_INPUT.given(values)
        return DATA_INPUT.made(values, CHOSEN, partial(_sequences, own.name))
    return _sized(read_text(values["text"]), "text")


def _sized(symbols: Any, what: str) -> Any:
    """Return the string; raise a ValueError if its length or alphabet is out of range."""
    length, different = len(symbols.sequence), len(symbols.alphabet)
    kind = "characters" if what == "text" else "symbols"
    if length < SHORTEST:
        raise ValueError(
            f"The {what} has {counted(length, 'symbol')}; this page needs {SHORTEST} to {LONGEST}. "
            f"Use a longer {what}."
        )
    if length > LONGEST:
        raise ValueError(
            f"The {what} is too long: this page accepts {SHORTEST} to {LONGEST} symbols. Shorten "
            f"the {what}, or call prviz.hmm in Python, which has no limit."
        )
    if different > MOST_SYMBOLS:
        raise ValueError(
            f"The {what} has {different} different {kind}; this page accepts up to "
            f"{MOST_SYMBOLS}. Call prviz.hmm in Python, which has no limit."
        )
    return symbols


wrong = refusal(string)


def reconcile(values: dict[str, Any], before: dict[str, Any] | None, given: Collection[str]) -> str:
    """Adjust the format of a file and the number of states to the data.

    If a link has invalid data, use random bits and return the reason.
    """
    if trouble := DATA_INPUT.arrive(values, before, "bits"):
        return trouble
    if before is None and (trouble := wrong(values)):
        values["data"] = "bits"
        return trouble
    fresh = values["data"] == OWN and (before is None or values["file"] != before["file"])
    fresh = fresh and DATA_INPUT.has(values) and not {*CHOSEN} & {*given}
    if fresh:
        _choose_reading(values)
    former = is_series(before) if before else False
    if is_series(values) != former:
        first = hmm_series.FIRST if is_series(values) else DEFAULTS
        values.update({name: first[name] for name in hmm_series.FIRST if name not in given})
    if fresh and not is_series(values) and "n_states" not in given and not wrong(values):
        values["n_states"] = min(FIRST_STATES, 2 * len(_alphabet(values)))
    return ""


def _choose_reading(values: dict[str, Any]) -> None:
    """Choose the last column as symbols (the first may count rows), or all columns as numbers."""
    names = DATA_INPUT.given(values).data.columns
    values.update({"column": len(names), "group": 0, "emissions": "categorical"})
    numbers = {**values, "column": 0, "emissions": "gaussian"}
    symbolic = not wrong(values) and not hmm_series.are_measured(_alphabet(values))
    if not symbolic and not wrong(numbers):
        values.update(numbers)


def _alphabet(values: dict[str, Any]) -> tuple[str, ...]:
    data = string(values)
    return () if isinstance(data, datasets.Series) else data.alphabet


def problem(values: dict[str, Any]) -> tuple[Any, HMMScene | SeriesScene]:
    """Return the problem and its scene, or raise a ValueError."""
    data = string(values)
    ends = {"tolerance": values["tolerance"], "max_iterations": values["cap"]}
    if isinstance(data, datasets.Series):
        model = {"covariance_type": values["covariance"], "n_mix": values["n_mix"]}
        made = prviz.hmm(data, values["n_states"], **model, **ends)
        return made, SeriesScene(data, made)
    made = prviz.hmm(data, values["n_states"], **ends)
    return made, HMMScene(data, made)


def code(values: dict[str, Any]) -> str:
    """Return Python code that makes the same problem."""
    file = ""
    if values["data"] == "bits":
        read = f"prviz.datasets.bits({values['length']}, {values['string']})"
    elif values["data"] == OWN:
        own = DATA_INPUT.given(values)
        file = file_code(own.name, values["file"])
        read = _reading_code(own.data, values)
    elif values["data"] == hmm_series.RANDOM:
        read = f"prviz.datasets.regimes({values['steps']}, {values['string']})"
    else:
        text = values["text"]
        is_path = isinstance(path_or_text(text, "text", separators=""), Path)
        read = f"prviz.datasets.read_text({literal(text)}{'.encode()' if is_path else ''})"
    ends = f"tolerance={values['tolerance']!r}, max_iterations={values['cap']}"
    name = "string"
    if is_series(values):
        mixture = f"n_mix={values['n_mix']}, " if is_mixture(values) else ""
        name, ends = "series", f"{mixture}covariance_type={values['covariance']!r}, {ends}"
    return f"{file}{name} = {read}\nproblem = prviz.hmm({name}, {values['n_states']}, {ends})"


def _reading_code(strings: Strings, values: dict[str, Any]) -> str:
    column, by = values["column"], values["group"]
    if is_series(values):
        named = _named(strings, column, by)
        columns = [named["column"]] if named["column"] else None
        return f"prviz.datasets.read_series(file, columns={columns!r}, by={named['by']!r})"
    named = _named(strings, column, by if column else 0)
    return f"prviz.datasets.read_corpus(file, column={named['column']!r}, by={named['by']!r})"


def choose(controls: Controls) -> None:
    """Draw the choice of data, and their input."""
    controls.choice("data")
    if controls.values["data"] == OWN:
        _choose_of_file(controls)
    if controls.values["data"] != "text":
        return
    controls.text("text")
    show_notice(wrong(controls.values), lambda: string(controls.values).notice)
    if not wrong(controls.values) and len(controls.values["text"]) > LONGEST_TEXT:
        st.caption(
            f"A link can contain at most {LONGEST_TEXT} characters. Send this text separately."
        )


def _choose_of_file(controls: Controls) -> None:
    """Draw the input of a file, and the choice of its columns."""
    own = DATA_INPUT.draw(controls)
    if own is None:
        return
    with st.container(key="own-chosen"):
        st.caption(f"**{own.name}**: {_counted(controls.values)}")
        names, numbers = own.data.columns, is_series(controls.values)
        controls.choice("emissions")
        if names:
            none = "all columns of numbers" if numbers else "characters of lines"
            columns.choose_one(controls, "column", names, none)
        if names and (controls.values["column"] or numbers):
            columns.choose_one(controls, "group", names, "all rows together")
        show_notice(wrong(controls.values), lambda: string(controls.values).notice)


def _counted(values: dict[str, Any]) -> str:
    if wrong(values):
        return "not read yet."
    read = string(values)
    if isinstance(read, datasets.Series):
        steps, d = read.values.shape
        return f"{len(read.lengths)} series, {counted(steps, 'step')} of {counted(d, 'column')}."
    symbols = counted(len(read.sequence), "symbol")
    n_strings = len(read.lengths) if isinstance(read, datasets.Corpus) else 1
    return f"{counted(n_strings, 'string')}, {symbols}, {digits(len(read.alphabet))} different."


def refine(controls: Controls) -> None:
    """Draw the controls of random strings, model size, stopping and sub-sets."""
    if controls.values["data"] == "bits":
        controls.number("length")
        controls.number("string")
    if controls.values["data"] == hmm_series.RANDOM:
        controls.number("steps")
        controls.number("string")
    if is_series(controls.values):
        controls.choice("covariance")
        controls.number("n_mix")
    controls.number("n_states")
    controls.number("tolerance")
    controls.number("cap")
    controls.choice("subset")


def idle(values: dict[str, Any]) -> set[str]:
    """Return the names of the values that only other kinds of data use."""
    of = {
        "bits": {"length", "string"},
        "text": {"text"},
        hmm_series.RANDOM: {"steps", "string", *hmm_series.MODEL},
        OWN: {DATA_INPUT.control, *CHOSEN},
    }
    used = of[values["data"]] | ({*hmm_series.MODEL} if is_series(values) else set())
    return set().union(*of.values()) - used


def presets(values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the presets: without data and model if the data are not bits, none for series."""
    if values["data"] == "bits":
        return PRESETS
    if is_series(values):
        return {}
    return of_the_search(PRESETS, {"data", "string", "length", "n_states"})


BENCHMARK = Benchmark(
    page="hmm",
    label="Hidden Markov models",
    short="Hidden Markov",
    title="Hidden Markov model of",
    claim="Redraw a few states, run Baum–Welch, keep what is no worse.",
    variables="states",
    optimiser="Baum–Welch",
    table=TABLE,
    presets=presets,
    presets_help=PRESETS_HELP,
    n=itemgetter("n_states"),
    counted=always("states"),
    work=itemgetter(
        "data",
        "file",
        *CHOSEN,
        "length",
        "steps",
        *hmm_series.MODEL,
        "n_states",
        "k1",
        "tolerance",
        "cap",
        "subset",
    ),
    data=string,
    problem=problem,
    code=code,
    own=lambda values: values["data"] in ("text", OWN),
    wrong=wrong,
    choose=choose,
    origin=lambda values: hmm_series.unpublished(TABLE) if is_series(values) else TABLE,
    folded="Data, states, levels",
    refine=refine,
    reconcile=reconcile,
    idle=idle,
    **peer("hmmlearn", "hmmlearn", baselines.HMMLearn, fits=lambda values: not is_mixture(values)),
    card=Card(
        "A model learns a string of bits by heart.",
        Shot(60, 0),
        "A few states are redrawn at a time, until the model nearly reproduces a string of bits.",
    ),
)
