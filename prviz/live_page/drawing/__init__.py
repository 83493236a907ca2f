"""Compiled functions that fill the channels of a frame: the ``draw`` of the scenes.

One file per problem: the data of its picture in addition to the problem, and its ``draw``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...problems import PROBLEMS
from . import hmm, ising, kmeans, kmedoids, landscape, rbm

_MODULES = {
    "landscape": landscape,
    "kmeans": kmeans,
    "ising": ising,
    "rbm": rbm,
    "hmm": hmm,
    "kmedoids": kmedoids,
}
#: Functions of a scene and a problem, by the type of the problem.
PICTURES: dict[type, Callable[[Any, Any], Any]] = {
    PROBLEMS[name].type: module.picture for name, module in _MODULES.items()
}


def picture_of(scene: Any, problem: Any) -> Any:
    """Return the data that ``draw`` needs of a scene; None if a page cannot draw it yet."""
    make = PICTURES.get(type(problem))
    return None if make is None else make(scene, problem)
