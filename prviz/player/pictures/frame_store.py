"""The pictures of one search: kept ones, any stretch on request, and what is made again."""

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
STEP_SECONDS = 0.005  # of a search that is run again


class FrameStore:
    """Frames of a search, whether it goes on or has ended.

    What was let go for want of memory is made again from the seed, when somebody asks for it.

    Parameters
    ----------
    film : Film
    search : TracedSearch
        Before its first call.
    closed : threading.Event
        Set when nobody asks for pictures any more.
    replaced : function without arguments
        Whether another run has taken the place of this one.

    Attributes
    ----------
    remaking : bool
        Whether pictures are being made again.

    Notes
    -----
    It has no reference to the run that holds it: without a reference cycle, a run's memory is free
    as soon as the run is dropped, not at the next full garbage collection.
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
        self._lock = threading.Lock()  # held for a moment, never while anything is computed
        self._film_lock = threading.Lock()
        self._remaker: threading.Thread | None = None

    def follow(self, rows: Rows) -> None:
        """Take in the step that the search has just made."""
        self._history.follow(self._search, rows)

    def end(self) -> None:
        """The search has ended."""
        self._history.end(self._search)

    def go_on(self) -> Snapshot | Beginning:
        """The search is taken up again: the latest snapshot from which it can be."""
        return self._history.go_on()

    # What is asked for

    def frames(self, call: int, count: int, patience: float) -> bytes:
        """The closing frame of the call before, then all frames of ``count`` calls.

        Nothing where they are made again and are not there within ``patience`` seconds.
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
        """The frames of the first call, made once by whoever asks first.

        Nothing where another thread makes them and is not done within so many seconds.
        """
        if self._opening_lock.acquire(timeout=patience):
            try:
                self._opening = self._opening or make()
            finally:
                self._opening_lock.release()
        return self._opening

    def keyframes(self, since: int) -> tuple[int, bytes]:
        """Closing frames from number ``since`` on; a new generation means: start again at 0."""
        return self._whole().keyframes(since)

    @property
    def generation(self) -> int:
        return self._history.generation

    def last(self) -> Snapshot | Beginning | None:
        """The latest snapshot of the search; where it was let go, it is waited for."""
        if not self._history.last:
            self._whole()
        with self._lock:
            remaker = self._remaker
        if remaker is not None:
            remaker.join()
        return self._history.last

    # What it holds

    @property
    def nbytes(self) -> int:
        """Memory that it takes."""
        return self._history.nbytes

    @property
    def whole(self) -> bool:
        """Whether nothing was let go."""
        return self._history.whole

    def drop_snapshots(self) -> None:
        """Let go of what pictures are made from."""
        if not self.remaking:
            self._history.drop_snapshots()

    def drop_frames(self) -> None:
        """Let go of all pictures."""
        if not self.remaking:
            self._history.drop_frames()
            self._opening = b""

    def _whole(self) -> History:
        """What there is to look back at: what was let go is made again meanwhile."""
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
        """Search again: the same seed takes the same path, as far as it went."""
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
