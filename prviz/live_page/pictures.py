"""Make the records that a page needs to make frames."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..engine.kernels import n_variables
from ..engine.schedule import Level
from ..player.pictures.film import layout_of
from .drawing import picture_of
from .film import MOST_FRAMES, Known, Reel

#: Maximum number of levels that the controls of a page can set.
MOST_LEVELS = 3


class Pictures(NamedTuple):
    """Arguments of :func:`.film.film` that do not describe the search.

    Attributes
    ----------
    picture : NamedTuple
        Data that drawing needs in addition to the problem.
    reel : Reel
    known : Known
    layouts : list of dict
        Layouts of frames, for 1 level, 2 levels and so on.
    """

    picture: Any
    reel: Reel
    known: Known
    layouts: list[dict[str, Any]]


#: Shapes of the reel's arrays.
REEL: dict[str, list[int | str]] = {
    "frames": [MOST_FRAMES, "frame_bytes"],
    "offsets": ["fields"],
}


def pictures_of(problem: Any, scene: Any) -> Pictures | None:
    """Return the records for a scene, or None if a page cannot draw the problem."""
    picture = picture_of(scene, problem)
    if picture is None:
        return None
    top = Level(n_variables(problem))
    layouts = [layout_of(scene, [top] * n) for n in range(1, MOST_LEVELS + 1)]
    offsets = np.array([field["offset"] for field in layouts[1]["fields"]])
    reel = Reel(np.zeros((MOST_FRAMES, layouts[1]["frame_bytes"]), np.uint8), offsets)
    return Pictures(picture, reel, Known(np.zeros(2), np.zeros(2), np.zeros(1, np.uint8)), layouts)
