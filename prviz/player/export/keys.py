"""The keys of the player: its script, its help and the pages' words have them from here."""

from __future__ import annotations

import json
from typing import NamedTuple

from .bundle import STATIC


class Key(NamedTuple):
    """Some keys, and what they do.

    Attributes
    ----------
    shown : str
        As they stand in words.
    pressed : tuple of str
        As a browser names them in its events; none where a pointer does it.
    does : str
    compact : bool
        Whether a player without the story, the timeline and Algorithm 1 has them as well.
    presents : bool
        Whether they are for who presents, which a player in a notebook cannot.
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
    """Those that a player has."""
    return [key for key in KEYS if key.compact or not compact]
