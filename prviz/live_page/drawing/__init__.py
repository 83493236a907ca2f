"""Compiled functions that fill the channels of a frame, like ``draw`` of the scenes.

Each problem has a file with its ``draw``, and with the data that ``draw`` needs in addition to the
problem. The problem's ``Entry`` names the function that returns these data.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

from ...problems import entry_of


def picture_of(scene: Any, problem: Any) -> Any:
    """Return the data that ``draw`` needs from a scene, or None if a page cannot draw it."""
    entry = entry_of(problem)
    if entry is None or entry.type is not type(problem) or not entry.live:
        return None
    return resolve_name(entry.live)(scene, problem)
