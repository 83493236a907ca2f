"""The keys of the player: its script, its help and the pages' words have them from here."""

from __future__ import annotations

from typing import NamedTuple


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


KEYS = (
    Key("space", (" ",), "play or pause", True),
    Key("← →", ("ArrowLeft", "ArrowRight"), "one frame back or on", True),
    Key("shift ← →", (), "one call back or on", True),
    Key(",  .", (",", "."), "one line of Algorithm 1 back or on", False),
    Key("N  P", tuple("NnPp"), "next or previous of the chosen kind", False),
    Key("S", tuple("Ss"), "the story of the search", False),
    Key("1 – 6", tuple("123456"), "every call at 0.25×, 0.5×, 1×, 2×, 4×, 8×", False),
    Key("L", tuple("Ll"), "live: follow the search", False),
    Key("D", tuple("Dd"), "full restarts and partial side by side", False),
    Key("+  −", ("+", "=", "-"), "zoom the timeline; so does the wheel over it", False),
    Key("Z  0", ("z", "Z", "0"), "this restart or all calls on the timeline", False),
    Key("F", tuple("Ff"), "present: the player alone, in large type; F or Esc leaves", False, True),
    Key("B", tuple("Bb"), "mark this call as a moment, or take its mark off", False),
    Key(
        "page down, up",
        ("PageDown", "PageUp"),
        "presenting: next or previous moment; if none is marked, episode of the story",
        False,
        True,
    ),
    Key("T", tuple("Tt"), "presenting, held: the pointer leaves a trail", False, True),
    Key(".", (), "presenting: black, until any key", False, True),
    Key("wheel, drag", (), "zoom and move the picture; double click resets", True),
    Key("?", ("?",), "show or hide this", True),
)


def keys_of(compact: bool) -> list[Key]:
    """Those that a player has."""
    return [key for key in KEYS if key.compact or not compact]
