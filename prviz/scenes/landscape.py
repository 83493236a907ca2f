"""A rugged landscape for the player: its heights, and a ball that rolls into its hollows.

One dimension is drawn as a profile, and two dimensions as a relief seen from above. With more
dimensions, every coordinate has its own profile. If the ripples are parallel to the axes, the
profiles add up to the height. If not, each profile varies one coordinate of the shown position.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..player.pictures.frames import COORDINATES
from ..problems.landscape import REACH, heights

SAMPLES = {1: 513}  # samples of a profile, by number of dimensions
FEWER_SAMPLES = 129
RELIEF = 256  # cells of the relief per side
MARGIN, GAP, TITLE = 0.03, 0.03, 0.07  # shares of the picture


class LandscapeScene:
    """The picture of a landscape's search.

    Parameters
    ----------
    problem : Landscape
        A problem from :func:`prviz.landscape`.
    """

    noun = ("coordinate", "coordinates")
    cost = "height"
    optimiser = "Descent"
    best_known = 0.0
    solved_within = None
    tables = {"position": "Position"}  # noqa: RUF012

    def __init__(self, problem: Any):
        self._problem = problem
        d = len(problem.optimum)
        turned = not np.array_equal(problem.rotation, np.eye(d))
        self.title = f"Landscape of {d} dimension{'s' if d > 1 else ''}"
        self.edge = edge(d, turned)
        self._assets: dict[str, bytes] = {}
        self.channels = [("position", "u2", d)]
        self.turned = d > 2 and turned
        if d == 2:
            self.world = {axis: [-self.edge, self.edge] for axis in ("x", "y")}
            self.layers = [self._relief()]
        else:
            self.world = {"x": [0.0, 1.5], "y": [0.0, 1.0]}
            self.layers = [self._profiles(d)]

    def _relief(self) -> dict[str, Any]:
        across = (2 * (np.arange(RELIEF) + 0.5) / RELIEF - 1) * self.edge
        x, y = np.meshgrid(across, across)
        ceiling = self._keep(heights(self._problem, np.stack([x, y], axis=-1)))
        return {
            "kind": "relief",
            "asset": "heights",
            "channel": "position",
            "samples": RELIEF,
            "ceiling": ceiling,
        }

    def _profiles(self, d: int) -> dict[str, Any]:
        self.samples = SAMPLES.get(d, FEWER_SAMPLES)
        boxes = grid(d)
        panels = [{"box": box, "title": f"coordinate {i}"} for i, box in enumerate(boxes)]
        layer: dict[str, Any] = {
            "kind": "profiles",
            "channel": "position",
            "samples": self.samples,
            "panels": panels,
            "line": TITLE,
        }
        if d == 1:
            panels[0]["title"] = ""
        elif self.turned:
            layer["title"] = "Height along each coordinate, with the others fixed"
        else:
            layer["title"] = "Height along each coordinate; the profiles add up"
        if self.turned:
            self.channels.append(("heights", "u2", d * self.samples))
            return {**layer, "heights": "heights"}
        ceiling = self._keep(self._slices(self._problem.optimum))
        # The height of a profile is the cost only if d = 1.
        return {**layer, "asset": "heights", **({"ceiling": ceiling} if d == 1 else {})}

    def _keep(self, found: np.ndarray) -> float:
        """Store heights as the asset; return the largest height, which is encoded as 65535."""
        ceiling = float(found.max())
        self._assets["heights"] = _encoded(found, ceiling).tobytes()
        return ceiling

    def _slices(self, through: np.ndarray) -> np.ndarray:
        """Return heights along each coordinate, through a point: (d, samples)."""
        d = len(through)
        points = np.tile(through, (d, self.samples, 1))
        across = np.linspace(-self.edge, self.edge, self.samples)
        points[np.arange(d), :, np.arange(d)] = across
        return heights(self._problem, points)

    def asset(self, name: str) -> bytes:
        """Return heights as u16 with maximum 65535: one profile per coordinate, or the relief.

        The relief is stored row by row. The first coordinate grows along a row, and the second from
        row to row.
        """
        return self._assets[name]

    def table(self, name: str, state: Any) -> dict[str, np.ndarray]:
        """Return the values, one row per coordinate."""
        return {"coordinate": np.arange(len(state.position)), "value": state.position}

    def draw(self, frame: np.void, state: Any) -> None:
        """Fill the channels of a frame from a state."""
        frame["position"] = np.rint(
            np.clip(0.5 + 0.5 * state.position / self.edge, 0.0, 1.0) * COORDINATES
        )
        if self.turned:
            slices = self._slices(state.position)
            slices -= slices.min(axis=1, keepdims=True)
            frame["heights"] = _encoded(slices, float(slices.max())).ravel()


def scene(problem: Any, data: None = None) -> LandscapeScene:
    """Return the scene of a problem."""
    return LandscapeScene(problem)


def _encoded(found: np.ndarray, ceiling: float) -> np.ndarray:
    return np.rint(found * (COORDINATES / ceiling)).astype("<u2")


def edge(d: int, turned: bool) -> float:
    """Return the half-width of the picture: ``REACH``, plus half a ripple.

    Restarts begin within ``REACH``, and a descent moves at most half a ripple.
    Moves of half a ripple along d rotated axes can add up to √d half ripples along a coordinate.
    """
    return REACH + 0.5 * (math.sqrt(d) if turned else 1.0)


def grid(d: int) -> list[list[float]]:
    """Return boxes of d profiles, [left, bottom, right, top] in the unit square, row by row."""
    if d == 1:
        return [[MARGIN / 2, MARGIN, 1 - MARGIN / 2, 1 - MARGIN]]
    columns = math.ceil(math.sqrt(d / 2.5))
    rows = math.ceil(d / columns)
    width, height = 1 / columns, (1 - TITLE) / rows
    boxes = []
    for i in range(d):
        row, column = divmod(i, columns)
        left, top = column * width, (rows - row) * height
        boxes.append([left + GAP / 4, top - height + GAP / 4, left + width - GAP / 4, top - TITLE])
    return boxes
