"""Find the scene that draws a problem."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

from ..custom.callables import of_functions
from ..engine.kernels import Problem
from ..player.pictures.protocols import Scene
from ..problems import PROBLEMS, entry_of


def scene_of(problem: Problem, data: Any = None) -> Scene:
    """Return the scene that draws a problem.

    Parameters
    ----------
    problem
        A problem, for example from :func:`prviz.kmeans`.
    data : optional
        The data set of the problem, with its name and perhaps its ground truth.

    Raises
    ------
    ValueError, TypeError
        The problem has no scene, or the data do not belong to it.
    """
    if of_functions(problem):
        from ..scenes.wrapped import WrappedScene

        return WrappedScene(problem)
    entry = entry_of(problem)
    if entry is None:
        known = ", ".join(f"prviz.{name}" for name in PROBLEMS)
        raise TypeError(
            f"prviz.play cannot show a {type(problem).__name__}, only problems of {known} and "
            "prviz.wrap. Use prviz.run for any problem."
        )
    return resolve_name(entry.scene_for(problem))(problem, data)
