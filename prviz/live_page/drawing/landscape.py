"""Draw frames of a landscape's search."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...engine.references import by_reference
from ...engine.simd.functions import turn
from ...player.pictures.frames import COORDINATES
from ...problems.landscape import Landscape
from ..film import coordinate, draw, put_whole


@by_reference
class Relief(NamedTuple):
    """Data that ``draw`` needs in addition to the problem.

    Attributes
    ----------
    edge : float
        Half-width of the picture.
    samples : int
        Heights per coordinate to draw in each frame; 0 if the search does not change them.
    """

    edge: float
    samples: int


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


def picture(scene: Any, problem: Any) -> Relief:
    """Return the data that ``draw`` needs in addition to the problem."""
    return Relief(scene.edge, scene.samples if scene.turned else 0)
