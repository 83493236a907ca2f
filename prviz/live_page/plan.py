"""Describe the data that a page needs for a search: records in memory, and an empty search."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..engine.algorithm import start
from ..engine.kernels import n_variables, subsets
from ..engine.schedule import Level, Schedule
from ..engine.subsets import heuristic_number
from ..engine.trace import empty_rows
from ..search.auto import policy_of
from ..search.settings import make_schedule
from ..search.traced_search import generator
from .memory import Content, Memory, by_levels
from .pictures import REEL, pictures_of

#: Shapes of the arrays of rows: a search returns a row per call.
ROWS: dict[str, list[int | str]] = {
    **{name: ["rows"] for name in ("level", "cost", "best", "iterations", "seconds")},
    **{name: ["rows", "levels"] for name in ("kept", "counts")},
    "redrawn": ["listed"],
}
#: Parts of a frame's layout that depend on the number of levels.
FRAME = ("frame_bytes", "fields")


class Plan(NamedTuple):
    """A problem in the format of ``prviz/player/static/live/search.js``.

    Attributes
    ----------
    about : dict
        Description of the records, as JSON types.
    content : bytes
        Content of the arrays that are initially not zero.
    """

    about: dict[str, Any]
    content: bytes


def plan(problem: Any, scene: Any = None, content: Content | None = None) -> Plan:
    """Describe the memory of a problem's search, and the drawing of its scene.

    Parameters
    ----------
    problem
        A problem, for example from :func:`prviz.kmeans`.
    scene : Scene, optional
        Scene of the problem. Without a scene, or if a page cannot draw it, there are no frames.
    content : Content, optional
        Content that several plans share.
    """
    content = content or Content()
    memory, two, three = Memory(content), _schedule(problem, 2), _schedule(problem, 3)
    searches = [start(problem, schedule, generator(0)) for schedule in (two, three)]
    memory.add("problem", problem)
    memory.add("schedule", two, by_levels(two, three))
    memory.add("search", searches[0], by_levels(*searches))
    memory.add("rows", empty_rows(1, 2, 1), ROWS)
    memory.add("policy", policy_of(make_schedule(problem, k1="auto"), problem))
    numbers = {name: heuristic_number(name) for name in subsets(problem)}
    about = {"variables": n_variables(problem), "subsets": numbers, "records": memory.records}
    if scene is not None and (pictures := pictures_of(problem, scene)) is not None:
        memory.add("picture", pictures.picture)
        memory.add("reel", pictures.reel, REEL)
        memory.add("known", pictures.known)
        shared = {name: part for name, part in pictures.layouts[0].items() if name not in FRAME}
        about["layout"] = shared
        about["frames"] = [{name: layout[name] for name in FRAME} for layout in pictures.layouts]
    return Plan(about, bytes(content.bytes))


def _schedule(problem: Any, n_levels: int) -> Schedule:
    """Return a schedule with ``n_levels`` levels. A page sets their sizes and repeats."""
    N = n_variables(problem)
    one = Schedule.from_levels([Level(N)], N)
    return Schedule(*(column.repeat(n_levels) for column in one))
