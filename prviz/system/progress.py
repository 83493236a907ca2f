"""Progress of long computations: bars on a terminal or in a notebook, and lines in the log."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from typing import Any

INTERVAL = 0.2  # seconds between two updates
LOG_INTERVAL = 10.0  # seconds between two lines in the log
LOG = logging.getLogger("prviz")
BAR = "{desc}{percentage:3.0f}%|{bar}| [{elapsed}<{remaining}{postfix}]"
SIZE = 80, 24  # columns and rows of a terminal
NO_BAR = "{desc}[{elapsed}{postfix}]"  # used if the total is unknown


class ProgressBar:
    """A tqdm progress bar that is called with the state of a computation.

    The bar also logs the progress, at level INFO of the logger "prviz".

    Parameters
    ----------
    words : function
        Takes the state and returns the text after the bar.
    share : function, optional
        Takes the state and returns the completed share, from 0 to 1.
    title : str
        The text before the bar.
    shown : bool, optional
        By default, the bar is shown if standard error is a terminal, and in a notebook.
    """

    def __init__(
        self,
        words: Callable[..., str],
        share: Callable[..., float] | None = None,
        *,
        title: str = "",
        shown: bool | None = None,
    ):
        self._words, self._share, self._title = words, share, title
        self._updated = self._logged = time.monotonic()
        self._bar: Any = None if shown is False or sys.stderr is None else _bar(title, share, shown)

    @property
    def shown(self) -> bool:
        return self._bar is not None and not self._bar.disable

    def __call__(self, *state: Any) -> None:
        """Show the present state, at most once in ``INTERVAL`` seconds."""
        now = time.monotonic()
        if now - self._logged >= LOG_INTERVAL and LOG.isEnabledFor(logging.INFO):
            self._logged = now
            LOG.info("%s%s", self._title, self._words(*state))
        if not self.shown or now - self._updated < INTERVAL:
            return
        self._updated = now
        if self._share:
            self._bar.n = max(self._bar.n, min(1.0, self._share(*state)))
        self.say(self._words(*state))

    def say(self, words: str) -> None:
        """Show a text after the bar."""
        if self.shown:
            self._bar.set_postfix_str(words)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()


def check_progress(progress: Any) -> bool | None:
    """Return ``progress``, or raise a TypeError if it is not None, True or False."""
    if progress not in (None, True, False):
        raise TypeError(f"progress must be None, True or False, got {progress!r}.")
    return progress


def _bar(title: str, share: Any, shown: bool | None) -> Any:
    from tqdm.auto import tqdm

    class Bar(tqdm):  # type: ignore[misc]
        monitor_interval = 0  # no monitor thread

    bar = Bar(
        desc=title,
        total=1.0 if share else None,
        bar_format=BAR if share else NO_BAR,
        disable=None if shown is None else False,  # None: shown at a terminal or in a notebook
        leave=False,
    )
    if not bar.disable and bar.ncols is not None and bar.ncols < 1:
        bar.ncols, bar.nrows = SIZE  # the terminal does not report its size
    return bar
