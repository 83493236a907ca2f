"""Series of numbers on the page of hidden Markov models: controls, limits, and reading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from prviz import datasets
from prviz.datasets import Series
from prviz.datasets.readers.series import read_series
from prviz.problems.hmm.gaussian.problem import COVARIANCES
from prviz.ui.own_data.data_input import OWN
from prviz.ui.widgets.controls import Control

SHORTEST, LONGEST = 8, 5000  # length of a series on the page; the API has no such limits
MOST_COMPONENTS = 8
RANDOM = "regimes"
#: Initial values for a series. A coarse tolerance leaves time for more redraws.
FIRST = {"n_states": 3, "k1": 1, "m1": 50, "tolerance": 1e-3}

CONTROLS = (
    Control(
        "emissions",
        "choice",
        "Read as",
        "categorical",
        "Symbols: each row of a column, or each character, is one symbol. Numbers: each row is a "
        "step of a series, and each state emits numbers from a normal distribution.",
        choices={"categorical": "Symbols", "gaussian": "Numbers"},
        later=True,
    ),
    Control(
        "steps",
        "whole",
        "Steps",
        300,
        "T, the length of the random series.",
        low=SHORTEST,
        high=LONGEST,
        later=True,
    ),
    Control(
        "covariance",
        "choice",
        "Covariances",
        "diag",
        "Diagonal: each state has a variance per column. Full: each state has a covariance matrix.",
        choices=dict(zip(COVARIANCES, ("Diagonal", "Full"), strict=True)),
        later=True,
    ),
    Control(
        "n_mix",
        "whole",
        "Components per state",
        1,
        "M, the number of normal distributions in the mixture of each state. With M = 1, each "
        "state has a single normal distribution. A redraw of a state redraws all its components.",
        low=1,
        high=MOST_COMPONENTS,
        later=True,
    ),
)
MODEL = ("covariance", "n_mix")  # controls of the model of a series


def unpublished(table: Sequence[Control]) -> tuple[Control, ...]:
    """Return the controls for a series, which is not in the paper."""
    return tuple(
        control._replace(default=FIRST.get(control.name, control.default), paper=None)
        for control in table
    )


def is_series(values: dict[str, Any]) -> bool:
    """Return True if these values are for a series of numbers."""
    return values["data"] == RANDOM or (values["data"] == OWN and values["emissions"] == "gaussian")


def is_mixture(values: dict[str, Any]) -> bool:
    """Return True if each state of a series has several components."""
    return is_series(values) and values["n_mix"] > 1


def random_series(values: dict[str, Any]) -> Series:
    return datasets.regimes(values["steps"], values["string"])


def read(name: str, content: bytes, column: str | None, by: str | None) -> Series:
    """Read a series from a file; raise a ValueError if its length is out of range."""
    series = read_series(content, name, columns=None if column is None else [column], by=by)
    steps = len(series.values)
    if not SHORTEST <= steps <= LONGEST:
        raise ValueError(
            f"The file has {steps} rows; this page accepts {SHORTEST} to {LONGEST}. Use another "
            "part of the file, or call prviz.hmm in Python, which has no limit."
        )
    return series


def are_measured(symbols: tuple[str, ...]) -> bool:
    """Return True if all symbols are numbers and some are not whole: probably measurements."""
    try:
        numbers = [float(symbol) for symbol in symbols]
    except ValueError:
        return False
    return not all(number.is_integer() for number in numbers)
