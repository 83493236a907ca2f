"""Cores for searches: first come, first served, and everybody knows how many are before."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Generator

NICE = 5  # searches give way to whoever answers: a third of what these get of a core
TURN_SECONDS = 5.0  # at a core, after which a search stands in the queue again, if anybody does
PATIENCE = 0.1  # seconds between two looks at whether to go on waiting


class Places:
    """So many searches compute at once; the others stand in a queue.

    Parameters
    ----------
    n : int
        How many.
    """

    def __init__(self, n: int):
        self._free = n
        self._queue: list[threading.Event] = []  # set when it is one's turn
        self._lock = threading.Lock()

    def turns(
        self, stop: threading.Event, tell: Callable[[int | None], None]
    ) -> Generator[None, None, None]:
        """Yields whenever another step may be made, until it is to stop.

        Parameters
        ----------
        stop : threading.Event
            Ends it, also while it waits.
        tell : function of int or None
            Called, while it waits, with how many are before, and with None when its turn comes.
        """
        while not stop.is_set():
            served = self._enter()
            try:
                while not served.wait(PATIENCE) and not stop.is_set():
                    tell(self._before(served))
                if served.is_set():
                    tell(None)
                    ends = time.monotonic() + TURN_SECONDS
                    while not stop.is_set() and not (self._queue and time.monotonic() > ends):
                        yield
            finally:
                self._leave(served)

    def standing(self) -> int | None:
        """How many are before whoever comes now; None where a place is free."""
        with self._lock:
            return None if self._free else len(self._queue)

    def _enter(self) -> threading.Event:
        served = threading.Event()
        with self._lock:
            self._queue.append(served)
            self._serve()
        return served

    def _before(self, served: threading.Event) -> int:
        with self._lock:
            return self._queue.index(served) if served in self._queue else 0

    def _leave(self, served: threading.Event) -> None:
        """Give up a place, in the queue or at a core."""
        with self._lock:
            if served in self._queue:
                self._queue.remove(served)
            else:
                self._free += 1
                self._serve()

    def _serve(self) -> None:
        while self._free and self._queue:
            self._free -= 1
            self._queue.pop(0).set()


def behind() -> None:
    """Let this thread give way to others, where threads have priorities of their own: on Linux."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


def waiting(before: int) -> str:
    """Says that a search waits for its turn."""
    if before == 0:
        return "Waiting for a core: this run is next."
    return f"Waiting for a core: {before} run{'s are' if before > 1 else ' is'} ahead of this one."


def standing(before: int | None) -> tuple[str, str]:
    """The state of a search with so many before it, none if its turn has come; and what it says."""
    return ("running", "") if before is None else ("waiting", waiting(before))


PLACES = Places(max(1, os.cpu_count() or 1))
STARTS = Places(max(1, os.cpu_count() or 1))  # a moment for everybody, before the queue
