"""The frames of one search, which are stored, made on request, or recomputed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing

from ...engine.trace import Rows
from ...search.traced_search import Beginning, Snapshot, TracedSearch
from ..resources import places
from .film import Film
from .history import History

MOST_CALLS_A_REQUEST = 1000
STEP_SECONDS = 0.005  # length of a step when frames are recomputed


class FrameStore:
    """Frames of a running or finished search.

    Frames dropped to free memory are recomputed from the seed on request.

    Parameters
    ----------
    film : Film
    search : TracedSearch
        The search, before its first call.
    closed : threading.Event
        Set when no more frames are needed.
    replaced : function without arguments
        Return True if another run has replaced this one.

    Attributes
    ----------
    remaking : bool
        Whether frames are being recomputed.

    Notes
    -----
    A store has no reference to its run. So there is no reference cycle, and the memory of a dropped
    run is freed at once, not at the next garbage collection.
    """

    def __init__(
        self,
        film: Film,
        search: TracedSearch,
        closed: threading.Event,
        replaced: Callable[[], bool],
    ):
        self.remaking = False
        self._film, self._search = film, search
        self._closed, self._replaced = closed, replaced
        self._history = History(film, search)
        self._opening = b""
        self._opening_lock = threading.Lock()
        self._lock = threading.Lock()  # held briefly, never during a computation
        self._film_lock = threading.Lock()
        self._remaker: threading.Thread | None = None

    def follow(self, rows: Rows) -> None:
        """Add the last step of the search."""
        self._history.follow(self._search, rows)

    def end(self) -> None:
        """Record that the search has ended."""
        self._history.end(self._search)

    def go_on(self) -> Snapshot | Beginning:
        """Return the latest snapshot from which the search can continue."""
        return self._history.go_on()

    # Requests

    def frames(self, call: int, count: int, patience: float) -> bytes:
        """Return the closing frame of the previous call, then all frames of ``count`` calls.

        If frames are being recomputed, wait up to ``patience`` seconds, and return those available.
        """
        trace = self._search.trace()
        last = min(call + min(count, MOST_CALLS_A_REQUEST) - 1, len(trace))
        if call < 1 or last < call:
            return b""
        history = self._whole()
        history.wait(last, patience)
        if (last := min(last, history.calls)) < call:
            return b""
        with self._film_lock:
            return history.frames(trace, call, last)

    def opening(self, make: Callable[[], bytes], patience: float) -> bytes:
        """Return the frames of the first call; the first request makes them.

        Return no frames if another thread makes them and needs more than ``patience`` seconds.
        """
        if self._opening_lock.acquire(timeout=patience):
            try:
                self._opening = self._opening or make()
            finally:
                self._opening_lock.release()
        return self._opening

    def keyframes(self, since: int) -> tuple[int, bytes]:
        """Return the generation of the closing frames, and the frames from index ``since`` on."""
        return self._whole().keyframes(since)

    @property
    def generation(self) -> int:
        return self._history.generation

    def last(self) -> Snapshot | Beginning | None:
        """Return the latest snapshot of the search; recompute it if it was dropped."""
        if not self._history.last:
            self._whole()
        with self._lock:
            remaker = self._remaker
        if remaker is not None:
            remaker.join()
        return self._history.last

    # Memory

    @property
    def nbytes(self) -> int:
        """Return the size in memory."""
        return self._history.nbytes

    @property
    def whole(self) -> bool:
        """Return True if nothing was dropped."""
        return self._history.whole

    def drop_snapshots(self) -> None:
        """Drop the snapshots, unless they are being computed again."""
        if not self.remaking:
            self._history.drop_snapshots()

    def drop_frames(self) -> None:
        """Drop all frames, unless they are being computed again."""
        if not self.remaking:
            self._history.drop_frames()
            self._opening = b""

    def _whole(self) -> History:
        """Return the history; if parts were dropped, start to recompute them in the background."""
        with self._lock:
            of_no_use = self._replaced() or self._closed.is_set()
            if self.whole or self.remaking or of_no_use:
                return self._history
            self.remaking = True
            again = TracedSearch(self._search.problem, self._search.schedule, self._search.seed)
            self._history = History(self._film, again, self._history.generation + 1)
            self._remaker = threading.Thread(target=self._remake, args=(again,), name="remake")
            self._remaker.daemon = True
            self._remaker.start()
            return self._history

    def _remake(self, again: TracedSearch) -> None:
        """Repeat the search from its seed, which gives the same calls."""
        places.behind()
        try:
            with closing(places.PLACES.turns(self._closed, lambda _: None)) as turns:
                for _ in turns:
                    rows = again.step(self._search.calls - again.calls, STEP_SECONDS)
                    if not len(rows.cost):
                        break
                    self._history.follow(again, rows)
            self._history.end(again)
        finally:
            self.remaking = False
