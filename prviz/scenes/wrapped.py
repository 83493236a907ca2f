"""Wrapped Python functions for the player: a generic picture of numbers.

A vector is drawn as one bar per number. Bars start at zero if zero is near the numbers. Redrawn
bars are outlined, with a dashed outline at the old position. Up to three numbers are drawn as one
point, in perspective if there are three. Rows of two numbers are points in the plane.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..player.pictures.frames import COORDINATES, encode_positions, world_of

#: Number of samples that determine the range of the picture.
DRAWS = 64
MARGIN = 0.06
#: Maximum number of bars: more would be indistinguishable. Bars are evenly spaced in x.
MOST = 200
#: Left edge of the bars, as a share of the width. The axis labels are left of this edge.
LEFT = 0.12
CORNER = (0.05, 0.06)  # where the axes meet
MIDDLE = 0.46  # height of the axis of a single number
STEPS = {  # number of axes: one vector per axis
    1: np.array([[0.9, 0.0]]),
    2: np.array([[0.9, 0.0], [0.0, 0.82]]),
    3: np.array([[0.6, 0.0], [0.0, 0.56], [0.3, 0.26]]),
}
UNIT = {"x": [0.0, 1.0], "y": [0.0, 1.0]}


class WrappedScene:
    """The picture of a search on wrapped functions.

    Parameters
    ----------
    problem : Wrapped
        A problem from :func:`prviz.wrap` whose x is an array.

    Raises
    ------
    ValueError
        The configurations cannot be drawn. The message gives the reason.
    """

    noun = ("variable", "variables")
    cost = "cost"
    optimiser = "Optimiser"
    iteration = "call"
    best_known = None
    solved_within = None
    #: A scene uses either positions in the plane or heights of bars.
    _places: Callable[[np.ndarray], np.ndarray] | None = None
    _bar_heights: Callable[[np.ndarray], np.ndarray]

    def __init__(self, problem: Any):
        model = problem.model.values
        if problem.get is not None or model.dtype.kind not in "biuf":
            raise ValueError(
                "This problem has no picture. prviz.play shows wrapped problems whose x is "
                "an array of real numbers. Use prviz.run for others."
            )
        self._N = problem.n_variables
        rng = np.random.default_rng(0)
        drawn = np.stack([problem.sample(rng) for _ in range(DRAWS)]).astype(float)
        owners = owners_of(problem)
        if model.shape[1:] == (2,):
            more = self._plane(drawn, owners if problem.groups else None)
        elif model.ndim == 1 and model.size == self._N <= len(STEPS):
            more = self._point(drawn)
        else:
            more = self._bars(drawn.reshape(DRAWS, -1), owners)
        names = f"{_name(problem.optimise)} on {_name(problem.cost)}"
        self.title = f"{names}, {self._N} variable{'s' if self._N > 1 else ''}{more}"

    def _plane(self, drawn: np.ndarray, owners: np.ndarray | None) -> str:
        """Set the layer for rows of two numbers, one mark per row; return a part of the title."""
        self.world = world_of(drawn.reshape(-1, 2))
        layer: dict[str, Any] = {"kind": "markers", "channel": "x", "trail": 6}
        if owners is not None:
            rows = owners[::2]
            layer["rows"] = [np.flatnonzero(rows == i).tolist() for i in range(self._N)]
        self.layers = [layer]
        self.channels = [("x", "u2", drawn[0].size)]
        self._places = lambda x: x
        return ""

    def _point(self, drawn: np.ndarray) -> str:
        """Add a layer that draws up to three numbers as one point; return a part of the title."""
        spans = [_span(column) for column in drawn.T]
        low, high = np.array(spans).T
        steps = STEPS[len(spans)]
        corner = np.array([CORNER[0], MIDDLE if len(spans) == 1 else CORNER[1]])
        self.world = UNIT
        self.layers = [{"kind": "place", "channel": "x", "axes": _edges(corner, steps, spans)}]
        self.channels = [("x", "u2", 2)]
        self._places = lambda x: corner + np.clip((x - low) / (high - low), 0, 1)[None] @ steps
        return ", seen at an angle" if len(spans) == 3 else ""

    def _bars(self, drawn: np.ndarray, owners: np.ndarray) -> str:
        """Set the layer of one bar per number, for larger x; return a part of the title."""
        n = drawn.shape[1]
        shown = np.unique(np.linspace(0, n - 1, min(n, MOST)).round().astype(int))
        low, high = _with_nought(*_span(drawn))
        self.world = {"x": [0.0, 1.0], "y": [low, high]}
        layer = {
            "kind": "bars",
            "channel": "x",
            "room": [LEFT, 1.0],
            "base": (min(max(0.0, low), high) - low) / (high - low),
            "owners": owners[shown].tolist(),
            "variables": self._N,
            "axes": _heights(low, high),
        }
        self.layers = [layer]
        self.channels = [("x", "u2", len(shown))]
        self._bar_heights = lambda x: (x.ravel()[shown] - low) / (high - low)
        if len(shown) < n:
            return f", {len(shown)} of {n} numbers shown"
        return "" if n == self._N else f", {n} numbers"

    def asset(self, name: str) -> bytes:
        """Raise a KeyError, because there are no static parts."""
        raise KeyError(name)

    def draw(self, frame: np.void, state: Any) -> None:
        """Fill the channels of a frame from a state. Values outside the range are clipped."""
        if self._places is None:
            heights = np.clip(self._bar_heights(state.values), 0.0, 1.0)
            frame["x"] = np.rint(heights * COORDINATES)
        else:
            frame["x"] = encode_positions(self._places(state.values), self.world).ravel()


def owners_of(problem: Any) -> np.ndarray:
    """Return the variable of each number of x, in the order of x."""
    model = problem.model.values
    owners = np.arange(len(model))
    for i, rows in enumerate(problem.groups or ()):
        owners[rows] = i
    return np.repeat(owners, model.size // len(model))


def _span(values: np.ndarray) -> tuple[float, float]:
    """Return the range of the samples, with a margin."""
    low, high = float(values.min()), float(values.max())
    room = MARGIN * (high - low or 1.0)
    return low - room, high + room


def _with_nought(low: float, high: float) -> tuple[float, float]:
    """Extend a range to zero if zero is no farther away than the length of the range."""
    far = high - low
    return (0.0 if 0.0 < low < far else low), (0.0 if -far < high < 0.0 else high)


def _heights(low: float, high: float) -> list[dict[str, Any]]:
    """Return two to six horizontal lines at round values."""
    tenth = 10.0 ** np.floor(np.log10(high - low))
    step = tenth * next(times for times in (5, 2, 1, 0.5, 0.2) if high - low >= 2.5 * times * tenth)
    marks = step * np.arange(np.ceil(low / step), np.floor(high / step) + 1)
    return [
        {"from": [1.0, y], "to": [0.0, y], "word": _number(mark)}
        for mark in marks
        if (y := (mark - low) / (high - low)) < 1.0 - MARGIN
    ]


def _edges(
    corner: np.ndarray, steps: np.ndarray, spans: list[tuple[float, float]]
) -> list[dict[str, Any]]:
    """Return up to three axes, labelled with the ranges of their numbers."""
    return [
        {
            "from": corner.tolist(),
            "to": (corner + step).tolist(),
            "word": f"x[{i}], {_number(low)} to {_number(high)}",
            "align": "right" if i == 0 else "left",
        }
        for i, (step, (low, high)) in enumerate(zip(steps, spans, strict=True))
    ]


def _number(value: float) -> str:
    return f"{value:.2g}".replace("-", "−") if value else "0"


def _name(function: Any) -> str:
    return getattr(function, "__name__", type(function).__name__)
