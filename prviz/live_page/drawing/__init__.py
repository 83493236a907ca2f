"""Compiled functions that fill the channels of a frame: the ``draw`` of the scenes.

One file per problem: the data of its picture in addition to the problem, and its ``draw``. A
problem's ``Entry`` names it.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

from ...problems import entry_of


def picture_of(scene: Any, problem: Any) -> Any:
    """Return the data that ``draw`` needs of a scene; None if a page cannot draw it yet."""
    entry = entry_of(problem)
    if entry is None or entry.type is not type(problem) or not entry.live:
        return None
    return resolve_name(entry.live)(scene, problem)
