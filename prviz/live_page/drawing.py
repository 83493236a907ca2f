"""How states fill the channels of a frame, as compiled functions: the ``draw`` of the scenes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..engine.dispatch import helper
from ..engine.references import by_reference
from ..engine.simd.functions import turn
from ..player.pictures.frames import COORDINATES
from ..problems.kmeans.problem import KMeans
from ..problems.kmedoids.problem import KMedoids
from ..problems.landscape import Landscape
from .film import draw, put_whole


@by_reference
class Relief(NamedTuple):
    """What the picture of a landscape has beside the problem.

    Attributes
    ----------
    edge : float
        How far out the picture goes.
    samples : int
        Of a profile that changes with the position; 0 if none does.
    """

    edge: float
    samples: int


@by_reference
class Map(NamedTuple):
    """What the picture of points has beside the problem.

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


@by_reference
class Wall(NamedTuple):
    """What the picture of medoids has beside the problem: nothing."""

    nothing: int


@helper
def coordinate(unit):
    """Return a number from 0 to 1 as a whole one of 16 bits; others lie on the edge."""
    return int(np.rint(min(max(unit, 0.0), 1.0) * COORDINATES))


@draw.register(Landscape)
def _draw_landscape(problem, state, picture, frame, at):
    x, d = state.position, len(state.position)
    for i in range(d):
        put_whole(frame, at[0] + 2 * i, 2, coordinate(0.5 + 0.5 * x[i] / picture.edge))
    if picture.samples == 0:
        return
    heights = np.empty((d, picture.samples))
    highest = 0.0
    for i in range(d):
        for s in range(picture.samples):
            moved = (2.0 * s / (picture.samples - 1) - 1.0) * picture.edge - x[i]
            height = 0.0
            for row in range(d):
                z = problem.rotation[row, i] * moved
                for j in range(d):
                    z += problem.rotation[row, j] * (x[j] - problem.optimum[j])
                height += z * z + problem.ripple * (1.0 - turn(z)[0])
            heights[i, s] = height
        heights[i] -= heights[i].min()
        highest = max(highest, heights[i].max())
    for i in range(d):
        for s in range(picture.samples):
            place = at[1] + 2 * (i * picture.samples + s)
            put_whole(frame, place, 2, int(np.rint(heights[i, s] * (COORDINATES / highest))))


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


@draw.register(KMedoids)
def _draw_medoids(problem, state, picture, frame, at):
    medoids = state.medoids
    sizes = np.zeros(len(medoids), np.int64)
    looked = True  # whether labels are those of these medoids
    for c in range(len(medoids)):
        put_whole(frame, at[0] + 2 * c, 2, medoids[c])
        looked = looked and state.anchors[c] == medoids[c]
    for i in range(len(state.labels)):
        nearest = int(state.labels[i])
        if not looked:
            nearest, least = 0, problem.by_point[i, medoids[0]]
            for c in range(len(medoids)):
                if problem.by_point[i, medoids[c]] < least:
                    nearest, least = c, problem.by_point[i, medoids[c]]
                if medoids[c] == i:
                    nearest, least = c, -np.inf
        sizes[nearest] += 1
    for c in range(len(medoids)):
        put_whole(frame, at[1] + 2 * c, 2, sizes[c])


def _relief(scene: Any, problem: Any) -> Relief:
    return Relief(scene.edge, scene.samples if scene.turned else 0)


def _map(scene: Any, problem: Any) -> Map:
    d = problem.points.shape[1]
    seen, truth = scene.projection, scene.truth
    origin, axes = (np.zeros(2), np.eye(2)) if seen is None else (seen.origin, seen.axes)
    world = np.array([scene.world["x"], scene.world["y"]], float)
    marks = np.zeros((0, d)) if truth is None else np.ascontiguousarray(truth, float)
    return Map(origin, np.ascontiguousarray(axes), world, marks)


#: What pictures have beside the problem, by the type of the problem.
PICTURES: dict[type, Callable[[Any, Any], Any]] = {
    Landscape: _relief,
    KMeans: _map,
    KMedoids: lambda scene, problem: Wall(0),
}


def picture_of(scene: Any, problem: Any) -> Any:
    """Return what ``draw`` needs of a scene; None if a page cannot draw the problem yet."""
    make = PICTURES.get(type(problem))
    return None if make is None else make(scene, problem)
