"""Cores for searches: a queue that tells each waiting search its position."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Generator

NICE = 5  # priority of searches: they get a third of the CPU share of other threads
TURN_SECONDS = 5.0  # computing time after which a search queues again if others wait
PATIENCE = 0.1  # seconds between checks while waiting


class Places:
    """A limited number of searches compute at once; the others wait in a queue.

    Parameters
    ----------
    n : int
        Number of places.
    """

    def __init__(self, n: int):
        self._free = n
        self._queue: list[threading.Event] = []  # each event is set when its search may compute
        self._lock = threading.Lock()

    def turns(
        self, stop: threading.Event, tell: Callable[[int | None], None]
    ) -> Generator[None, None, None]:
        """Yield whenever another step may run, until stopped.

        Parameters
        ----------
        stop : threading.Event
            Stops the loop, also while it waits.
        tell : function of int or None
            Called with the number of searches ahead while waiting, and with None when the search
            may compute.
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
        """Return the number of waiting searches; None if a place is free."""
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
        """Leave the queue, or free the core."""
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
    """Lower the priority of this thread, on systems with thread priorities (Linux)."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


def waiting(before: int) -> str:
    """Return the message of a search that waits for its turn."""
    if before == 0:
        return "Waiting for a core: this run is next."
    return f"Waiting for a core: {before} run{'s are' if before > 1 else ' is'} ahead of this one."


def standing(before: int | None) -> tuple[str, str]:
    """Return state and message of a search; ``before`` is None when the search may compute."""
    return ("running", "") if before is None else ("waiting", waiting(before))


PLACES = Places(max(1, os.cpu_count() or 1))
STARTS = Places(max(1, os.cpu_count() or 1))  # for the short first turn of every search
