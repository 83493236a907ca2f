"""Draw frames of a k-means search."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...engine.references import by_reference
from ...problems.kmeans.problem import KMeans
from ..film import coordinate, draw, put_whole


@by_reference
class Map(NamedTuple):
    """Data that ``draw`` needs in addition to the problem.

    Attributes
    ----------
    origin, axes : (d,) and (d, 2) float64
        The projection to the plane.
    world : (2, 2) float64
        The range of each axis.
    truth : (t, d) float64
        True centres, if there are any.
    """

    origin: np.ndarray
    axes: np.ndarray
    world: np.ndarray
    truth: np.ndarray


@draw.register(KMeans)
def _draw_points(problem, state, picture, frame, at):
    centers, truth = state.centers, picture.truth
    for c in range(len(centers)):
        for axis in range(2):
            low, high = picture.world[axis, 0], picture.world[axis, 1]
            along = 0.0
            for j in range(centers.shape[1]):
                along += (centers[c, j] - picture.origin[j]) * picture.axes[j, axis]
            put_whole(
                frame, at[0] + 2 * (2 * c + axis), 2, coordinate((along - low) / (high - low))
            )
        nearest, least = 0, np.inf
        for t in range(len(truth)):
            square = 0.0
            for j in range(centers.shape[1]):
                square += (centers[c, j] - truth[t, j]) ** 2
            if square < least:
                nearest, least = t, square
        if len(truth) > 0 and frame[at[1] + nearest] < 255:
            frame[at[1] + nearest] += 1


def picture(scene: Any, problem: Any) -> Map:
    """Return the data that ``draw`` needs in addition to the problem."""
    d = problem.points.shape[1]
    seen, truth = scene.projection, scene.truth
    origin, axes = (np.zeros(2), np.eye(2)) if seen is None else (seen.origin, seen.axes)
    world = np.array([scene.world["x"], scene.world["y"]], float)
    marks = np.zeros((0, d)) if truth is None else np.ascontiguousarray(truth, float)
    return Map(origin, np.ascontiguousarray(axes), world, marks)
