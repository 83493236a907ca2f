"""Which picture a problem has."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

from ..custom.callables import of_functions
from ..engine.protocols import Problem
from ..player.pictures.protocols import Scene
from ..problems import PROBLEMS, entry_of


def scene_of(problem: Problem, data: Any = None) -> Scene:
    """The picture of a problem.

    Parameters
    ----------
    problem
        As :func:`prviz.kmeans` makes it.
    data : optional
        The data set that it was made of, which has a name and perhaps the truth.

    Raises
    ------
    ValueError, TypeError
        It has no picture, or the data are not those of the problem: a sentence.
    """
    if of_functions(problem):
        from ..scenes.wrapped import WrappedScene

        return WrappedScene(problem)
    entry = entry_of(problem)
    if entry is None:
        known = ", ".join(f"prviz.{name}" for name in PROBLEMS)
        raise TypeError(
            f"There is no picture of a {type(problem).__name__}: prviz.play shows what {known}, "
            "prviz.wrap make. prviz.run works with any problem."
        )
    return resolve_name(entry.scene)(problem, data)
