"""Landscapes for a page: their controls and their problem."""

from __future__ import annotations

from typing import Any, NamedTuple

import prviz
from prviz.problems.landscape import MAX_DIMENSIONS
from prviz.scenes.landscape import LandscapeScene
from prviz.ui.levels import sliders
from prviz.ui.widgets.controls import Control, Controls
from prviz.ui.widgets.formatting import counted

CONTROLS = (
    Control(
        "dimensions",
        "whole",
        "Dimensions",
        10,
        "N, the number of coordinates. Each coordinate is one variable of the search. One or two "
        "coordinates are drawn as a landscape; with more, each coordinate has a profile.",
        low=1,
        high=MAX_DIMENSIONS,
    ),
    Control(
        "ripple",
        "real",
        "Ripple",
        10.0,
        "A, half the height of the ripples. With A = 0 the landscape is a smooth bowl.",
        low=0.0,
        high=100.0,
    ),
    Control(
        "rotated",
        "choice",
        "Rotated",
        "no",
        "No: the ripples follow the axes, so each coordinate can be optimised separately. Yes: the "
        "coordinates depend on each other.",
        choices={"no": "No", "yes": "Yes"},
    ),
)

TABLE = (
    *CONTROLS,
    *sliders.controls(
        "coordinates",
        most=MAX_DIMENSIONS,
        k1=1,
        m1=20,
        fresh="Share of its old value that a redrawn coordinate keeps: with α = 0 the value is "
        "new, with α near 1 it hardly changes.",
    ),
)


class Named(NamedTuple):
    """The data of a landscape: only a name."""

    name: str


def data(values: dict[str, Any]) -> Named:
    """Return the name of the landscape."""
    return Named(f"a landscape of {counted(values['dimensions'], 'dimension')}")


def problem(values: dict[str, Any]) -> tuple[Any, LandscapeScene]:
    """Return the problem and its scene."""
    made = prviz.landscape(values["dimensions"], values["ripple"], values["rotated"] == "yes")
    return made, LandscapeScene(made)


def code(values: dict[str, Any]) -> str:
    """Return Python code that makes the same problem."""
    numbers = f"{values['dimensions']}, {values['ripple']!r}, {values['rotated'] == 'yes'}"
    return f"problem = prviz.landscape({numbers})"


def refine(controls: Controls) -> None:
    """Draw the controls of the ripples."""
    controls.number("ripple")
    controls.choice("rotated")
