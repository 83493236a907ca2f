"""Interfaces between the player's parts: a scene, and a run that can be watched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from ...code.script import Script
from ...engine.kernels import State


@runtime_checkable
class Scene(Protocol):
    """The picture of a problem: its texts, its layers, and how a state fills a frame.

    ``prviz/scenes`` has one per problem. Optional: ``iteration`` is a special name of an iteration
    ("epoch"); ``shown`` says which part of the data is drawn; ``chance_of`` is the noun whose
    probability is e^−cost; ``tables`` has names of exports of a configuration, and
    ``table(name, state)`` returns one, column by column.
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
    """The drawing of a run, and the function that starts a run of a new drawing.

    Attributes
    ----------
    text, told : str
        The points, as ``prviz/datasets/sets/drawn.py`` encodes them, and a description.
    redraw : function of a text
        Replace the run by one of a new drawing, which is started and returned. A ValueError
        explains a failure; :class:`Superseded` means that there is a newer drawing.
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
        """Return the layout of the frames, and the names of tables of the best configuration."""

    def asset(self, name: str) -> bytes:
        """Return a static part of the picture."""

    def frames(self, call: int, count: int) -> bytes:
        """Return the closing frame of the previous call, then all frames of ``count`` calls."""

    def opening(self) -> bytes:
        """Return all frames of the first call, which every viewer needs first."""

    def keyframes(self, since: int) -> tuple[int, bytes]:
        """Return closing frames from ``since`` on; after a new generation, start again at 0."""

    def progress(self, since: int) -> tuple[dict[str, Any], bytes]:
        """Return the progress, and one byte for every call after the first ``since``."""

    def curve(self) -> dict[str, Any]:
        """Return the cost so far, as a Plotly figure."""

    def full(self) -> tuple[dict[str, Any], bytes]:
        """Return the work of full restarts, and a frame of each new best, or raise a ValueError."""

    def successor(self, seconds: float) -> WatchedRun | None:
        """Return the run that replaces this one, if it appears within some seconds."""

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
        """Return the trace and the settings; raise a ValueError if there is none."""

    def script(self) -> Script:
        """Return Python that repeats the run; raise a ValueError if there is none."""

    def live_page(self) -> str:
        """Return a stand-alone page that searches; raise a ValueError if there is none."""

    def replay(self, calls: Sequence[int]) -> str:
        """Return a stand-alone page that plays these calls; raise a ValueError if there is none."""
