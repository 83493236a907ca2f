"""Draw frames of a k-medoids search."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...engine.references import by_reference
from ...problems.kmedoids.problem import KMedoids
from ..film import draw, put_whole


@by_reference
class Wall(NamedTuple):
    """No data: ``draw`` needs only the problem."""

    nothing: int


@draw.register(KMedoids)
def _draw_medoids(problem, state, picture, frame, at):
    medoids = state.medoids
    sizes = np.zeros(len(medoids), np.int64)
    looked = True  # whether the labels belong to these medoids
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


def picture(scene: Any, problem: Any) -> Wall:
    """Return the data that ``draw`` needs in addition to the problem."""
    return Wall(0)
