"""The player's keyboard shortcuts, for its script, its help and the pages' texts."""

from __future__ import annotations

import json
from typing import NamedTuple

from .bundle import STATIC


class Key(NamedTuple):
    """Keys and their action.

    Attributes
    ----------
    shown : str
        The keys as written in texts.
    pressed : tuple of str
        Names of the keys in browser events; none for a pointer action.
    does : str
    compact : bool
        Whether a compact player (without story, timeline and Algorithm 1) has these keys.
    presents : bool
        Whether the keys are for presentations, which a notebook does not have.
    """

    shown: str
    pressed: tuple[str, ...]
    does: str
    compact: bool
    presents: bool = False


KEYS = tuple(
    Key(**{**row, "pressed": tuple(row["pressed"])})
    for row in json.loads((STATIC / "stage" / "keys.json").read_text("utf-8"))
)


def keys_of(compact: bool) -> list[Key]:
    """Return the keys of a player."""
    return [key for key in KEYS if key.compact or not compact]
