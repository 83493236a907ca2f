"""A line on the terminal that says now and then how far it is; where there is none, nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 0.2  # seconds between two looks
WIDE = 24  # characters of a bar


class Progress:
    """A callback of :func:`prviz.run`, :func:`prviz.compare` and :func:`prviz.tune`.

    Parameters
    ----------
    words : function of what is found so far
        How far that is.
    share : function of what is found so far, optional
        How much of all that is, from 0 to 1.
    """

    def __init__(self, words: Callable[[Any], str], share: Callable[[Any], float] | None = None):
        self._words, self._share = words, share
        self._shown = sys.stderr.isatty()
        self._told = self._began = time.monotonic()

    def __call__(self, found: Any) -> None:
        now = time.monotonic()
        if self._shown and now - self._told > PATIENCE:
            self._told = now
            drawn = bar(self._share(found)) if self._share else ""
            self.say(f"  {drawn}{self._words(found)}, {now - self._began:.0f} s")

    def say(self, words: str) -> None:
        """Put other words in its place."""
        if self._shown:
            print(f"\r\x1b[K{words}", end="", file=sys.stderr, flush=True)

    def done(self) -> None:
        """Leave the line to whatever is said next."""
        self.say("")


def bar(share: float) -> str:
    """``[######      ] ``"""
    full = round(WIDE * min(1.0, max(0.0, share)))
    return f"[{'#' * full}{' ' * (WIDE - full)}] "
