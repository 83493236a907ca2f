"""The history of a search: snapshots, and last frames of calls for dragging the timeline.

If there are too many frames or snapshots, every second one is dropped. All of them can be dropped,
because the search can be repeated from its seed.
"""

from __future__ import annotations

import math
import threading

from ...engine.trace import Rows, Trace, improves
from ...search.traced_search import Beginning, Snapshot, TracedSearch
from .film import Film

MOST_KEYFRAMES = 2048
MOST_KEYFRAME_BYTES = 4_000_000
MOST_SNAPSHOTS, FEWEST_SNAPSHOTS = 32, 4
MOST_SNAPSHOT_BYTES = 14_000_000
LARGE_SNAPSHOT, FEWEST_LARGE = 20_000_000, 2  # bytes above which only two snapshots are kept


class History:
    """Snapshots of one search, and last frames of its calls ("closing frames").

    Parameters
    ----------
    film : Film
        Film of the same search.
    search : TracedSearch
        The search, before its first call.
    generation : int
        A counter that grows when frames are dropped; it tells a browser that its frames are out of
        date.

    Attributes
    ----------
    calls : int
        Number of calls whose frames can be made; 0 after the snapshots were dropped.
    whole : bool
        True if nothing was dropped.
    """

    def __init__(self, film: Film, search: TracedSearch, generation: int = 0):
        self.calls = 0
        self.whole = True
        self._film = film
        self._best = math.inf
        self._first: float | None = None
        self._steps = 0
        self.generation = generation
        self._keyframes: list[bytes] = []
        self._keyframe_spacing = 1
        self._frame_bytes = film.layout["frame_bytes"]
        self._most_keyframes = min(MOST_KEYFRAMES, MOST_KEYFRAME_BYTES // self._frame_bytes)
        self._snapshots: list[Snapshot | Beginning] = [search.beginning()]
        self._most_snapshots = affordable(search.snapshot_bytes)
        self._snapshot_spacing = 1
        self._ended = False  # True after the search, when the last snapshot is the final state
        self._filmed: Snapshot | None = None
        self._lock = threading.Condition()  # held briefly, never during a computation

    def follow(self, search: TracedSearch, rows: Rows) -> None:
        """Add the last step of a search, with its new rows."""
        snapshot = keyframe = None
        self._steps += 1
        if self._first is None:
            self._first = float(rows.best[0])
        if self._steps % self._snapshot_spacing == 0 and not search.cut:
            snapshot = search.snapshot()
        if self._steps % self._keyframe_spacing == 0:
            trace = Trace(rows, self._film.n_variables)
            before = trace.best[-2] if len(trace) > 1 else self._best
            new_best = bool(improves(trace.best[-1], before, self._first))
            keyframe = self._film.closing(search.search, trace, len(trace) - 1, new_best)
        self._best = float(rows.best[-1])
        with self._lock:
            if snapshot is not None:
                self._add_snapshot(snapshot)
            if keyframe is not None:
                self._add_keyframe(keyframe.tobytes())
            self.calls = search.calls
            self._lock.notify_all()

    def end(self, search: TracedSearch) -> None:
        """Store the final snapshot of a search."""
        with self._lock:
            if self._snapshots[-1].calls < search.calls:
                self._snapshots.append(search.snapshot())
                self._ended = True

    def go_on(self) -> Snapshot | Beginning:
        """Return the latest snapshot from which the search can continue."""
        with self._lock:
            if self._ended:
                self._snapshots.pop()
                self._ended = False
            return self._snapshots[-1]

    @property
    def last(self) -> Snapshot | Beginning | None:
        """Return the latest snapshot, unless it was dropped."""
        with self._lock:
            return self._snapshots[-1] if self._snapshots else None

    @property
    def nbytes(self) -> int:
        """Return the size in memory."""
        with self._lock:
            snapshots = [*self._snapshots, *filter(None, [self._filmed])]
            return sum(map(len, self._keyframes)) + sum(snapshot.nbytes for snapshot in snapshots)

    def drop_snapshots(self) -> None:
        """Drop all snapshots except the last, which contains the best configuration."""
        with self._lock:
            self.calls, self.whole = 0, False
            del self._snapshots[:-1]
            self._filmed = None

    def drop_frames(self) -> None:
        """Drop everything."""
        self.drop_snapshots()
        with self._lock:
            self._snapshots.clear()
            if self._keyframes:
                self._keyframes.clear()
                self.generation += 1

    def wait(self, call: int, seconds: float) -> None:
        """Wait until the history has the call ``call``, at most ``seconds``."""
        with self._lock:
            self._lock.wait_for(lambda: self.calls >= call, seconds)

    def keyframes(self, since: int) -> tuple[int, bytes]:
        """Return the generation of the closing frames, and the frames from index ``since`` on."""
        with self._lock:
            return self.generation, b"".join(self._keyframes[since:])

    def frames(self, trace: Trace, first: int, last: int) -> bytes:
        """Return the closing frame of call ``first`` − 1, then all frames up to call ``last``."""
        with self._lock:
            kept = [*self._snapshots, *([self._filmed] if self._filmed else [])]
        before = [snapshot for snapshot in kept if snapshot.calls < first]
        if not before:  # the snapshots have just been dropped
            return b""
        snapshot = max(before, key=lambda snapshot: snapshot.calls)
        frames, self._filmed = self._film.frames(snapshot, trace, first, last)
        return frames

    def _add_keyframe(self, frame: bytes) -> None:
        self._keyframes.append(frame)
        if len(self._keyframes) > self._most_keyframes:
            del self._keyframes[::2]
            self._keyframe_spacing *= 2
            self.generation += 1

    def _add_snapshot(self, snapshot: Snapshot) -> None:
        self._snapshots.append(snapshot)
        if len(self._snapshots) > self._most_snapshots:
            del self._snapshots[1::2]  # the first snapshot, the start, is always kept
            self._snapshot_spacing *= 2


def affordable(nbytes: int) -> int:
    """Return the number of snapshots of ``nbytes`` bytes that are kept."""
    fewest = FEWEST_LARGE if nbytes > LARGE_SNAPSHOT else FEWEST_SNAPSHOTS
    return max(fewest, min(MOST_SNAPSHOTS, MOST_SNAPSHOT_BYTES // max(1, nbytes)))
