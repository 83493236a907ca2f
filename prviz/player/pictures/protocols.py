"""The faces that the player's parts show each other: a scene, and a run that is watched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from ...code.script import Script
from ...engine.protocols import State


@runtime_checkable
class Scene(Protocol):
    """The picture of a problem: its words, what is drawn, and how a state fills a frame.

    ``prviz/scenes`` has one a problem. ``iteration`` may name an iteration otherwise ("epoch"),
    ``shown`` say what the picture has of the data and what it leaves out, ``chance_of`` what has
    the probability e^−cost.
    ``tables`` may name what a configuration can be taken away as, ``table(name, state)`` then has
    it, column by column.
    """

    title: str
    noun: tuple[str, str]
    cost: str
    optimiser: str
    layers: list[dict[str, Any]]
    channels: list[tuple[str, str, int]]

    @property
    def best_known(self) -> float | None:
        """The lowest known cost."""

    @property
    def solved_within(self) -> float | None:
        """The relative gap to ``best_known`` that counts as solved."""

    @property
    def world(self) -> Mapping[str, Sequence[float]]:
        """The range of each axis."""

    def asset(self, name: str) -> bytes:
        """A part of the picture that stands still; KeyError if there is none of this name."""

    def draw(self, frame: np.void, state: State) -> None:
        """Fill the channels of a frame from a state."""


class Drawing(NamedTuple):
    """What a run has been drawn as, and how a run of another drawing takes its place.

    Attributes
    ----------
    text, told : str
        The points, as ``prviz/datasets/sets/drawn.py`` encodes them, and a sentence on them.
    redraw : function of a text
        Give the run's place to one of what is drawn now, which is started and returned. ValueError
        says why there is none, :class:`Superseded` that something later has been drawn.
    """

    text: str
    told: str
    redraw: Callable[[str], Any]


class Superseded(Exception):
    """Somebody has drawn on: what was asked for is not wanted any more."""


@runtime_checkable
class WatchedRun(Protocol):
    """What a player needs from a run, live or recorded."""

    id: str
    state: str
    watched: float

    def layout(self) -> dict[str, Any]:
        """What the frames hold and how to draw them."""

    def asset(self, name: str) -> bytes:
        """A static part of the picture."""

    def frames(self, call: int, count: int) -> bytes:
        """The closing frame of the call before, then all frames of ``count`` calls."""

    def opening(self) -> bytes:
        """All frames of the first call, with which every viewer begins."""

    def keyframes(self, since: int) -> tuple[int, bytes]:
        """Closing frames from number ``since`` on; a new generation means: start again at 0."""

    def progress(self, since: int) -> tuple[dict[str, Any], bytes]:
        """How far the search is, and one byte for every call after the first ``since``."""

    def curve(self) -> dict[str, Any]:
        """The cost so far, as a Plotly figure."""

    def full(self) -> tuple[dict[str, Any], bytes]:
        """How far full restarts beside it are, and a frame of each best; ValueError without any."""

    def successor(self, seconds: float) -> WatchedRun | None:
        """The run that takes the place of this one, if it does so within some seconds."""

    def start(self) -> None:
        """Let the search begin, or go on."""

    def stop(self) -> None:
        """End the search; what was found stays."""

    def trace_hash(self) -> str:
        """A hash of the trace so far; ValueError where there is none."""

    def trace_csv(self) -> str:
        """The trace as CSV; ValueError where there is none."""

    def best_csv(self, name: str) -> str:
        """A table of the best configuration as CSV; ValueError where there is none."""

    def trace_json(self) -> str:
        """The trace and what made it; ValueError where there is none."""

    def script(self) -> Script:
        """Python that makes the run again; ValueError where there is none."""

    def live_page(self) -> str:
        """A stand-alone page that searches on its own; ValueError where there is none."""

    def replay(self, calls: Sequence[int]) -> str:
        """A stand-alone page that plays these calls; ValueError where there is none."""
