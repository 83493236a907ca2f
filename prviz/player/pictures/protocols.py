"""Interfaces between the player's parts: a scene, and a run that can be watched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from ...code.script import Script
from ...engine.kernels import State


@runtime_checkable
class Scene(Protocol):
    """The picture of a problem: its texts, its layers, and the drawing of a state in a frame.

    ``prviz/scenes`` has one scene per problem. Some attributes are optional: ``iteration`` is a
    special name of an iteration ("epoch"); ``shown`` describes the part of the data that is drawn;
    ``chance_of`` names the object whose probability is e^−cost ("string"); ``tables`` lists the
    tables of a configuration, and ``table(name, state)`` returns the columns of a table.
    """

    title: str
    noun: tuple[str, str]
    cost: str
    optimiser: str
    layers: list[dict[str, Any]]
    channels: list[tuple[str, str, int]]

    @property
    def best_known(self) -> float | None:
        """Lowest known cost."""

    @property
    def solved_within(self) -> float | None:
        """Relative gap to ``best_known`` that counts as solved."""

    @property
    def world(self) -> Mapping[str, Sequence[float]]:
        """Range of each axis."""

    def asset(self, name: str) -> bytes:
        """Return a static part of the picture; raise a KeyError for an unknown name."""

    def draw(self, frame: np.void, state: State) -> None:
        """Fill the channels of a frame from a state."""


class Drawing(NamedTuple):
    """Points that the user drew, and a function that starts a run on other points.

    Attributes
    ----------
    text, told : str
        The points as text (see ``prviz/datasets/sets/drawn.py``), and a description.
    redraw : function of a text
        Replace the run by a run on a new drawing; start and return the new run. Raise a ValueError
        with the reason of a failure, or :class:`Superseded` if there is a newer drawing.
    """

    text: str
    told: str
    redraw: Callable[[str], Any]


class Superseded(Exception):
    """A newer drawing exists, so this request is obsolete."""


@runtime_checkable
class WatchedRun(Protocol):
    """The player's view of a run, live or recorded."""

    id: str
    state: str
    watched: float

    def layout(self) -> dict[str, Any]:
        """Return the layout of the frames, and the names of the best configuration's tables."""

    def asset(self, name: str) -> bytes:
        """Return a static part of the picture."""

    def frames(self, call: int, count: int) -> bytes:
        """Return the closing frame of the previous call, then all frames of ``count`` calls."""

    def opening(self) -> bytes:
        """Return all frames of the first call, which every viewer needs first."""

    def keyframes(self, since: int) -> tuple[int, bytes]:
        """Return the generation of the closing frames, and the frames from index ``since`` on.

        If the generation has changed, request the frames again from index 0.
        """

    def progress(self, since: int) -> tuple[dict[str, Any], bytes]:
        """Return the progress, and one byte for each call after call number ``since``."""

    def curve(self) -> dict[str, Any]:
        """Return the cost so far, as a Plotly figure."""

    def full(self) -> tuple[dict[str, Any], bytes]:
        """Return the work of full restarts, and a frame of each new best, or raise a ValueError."""

    def successor(self, seconds: float) -> WatchedRun | None:
        """Wait up to ``seconds`` for the run that replaces this one; return it, or None."""

    def start(self) -> None:
        """Start or continue the search."""

    def stop(self) -> None:
        """End the search, and keep its results."""

    def trace_hash(self) -> str:
        """Return a hash of the trace so far; raise a ValueError if there is none."""

    def trace_csv(self) -> str:
        """Return the trace as CSV; raise a ValueError if there is none."""

    def best_csv(self, name: str) -> str:
        """Return a table of the best configuration as CSV; raise a ValueError if there is none."""

    def trace_json(self) -> str:
        """Return the trace and the settings; raise a ValueError if there is no trace."""

    def script(self) -> Script:
        """Return Python code that repeats the run; raise a ValueError if there is none."""

    def live_page(self) -> str:
        """Return a stand-alone page that searches; raise a ValueError if there is none."""

    def replay(self, calls: Sequence[int]) -> str:
        """Return a stand-alone page that plays these calls; raise a ValueError if there is none."""
