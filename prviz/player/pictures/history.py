"""What is kept of a search to look back: frames to scrub through, and snapshots to film from.

Both are bounded: where there are too many, every second one goes. They may also be let go, as the
search can be run again from its seed.
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
LARGE_SNAPSHOT, FEWEST_LARGE = 20_000_000, 2  # of such there are but the start and the latest


class History:
    """Closing frames and snapshots of one search, from its start on.

    Parameters
    ----------
    film : Film
        Of the same search.
    search : TracedSearch
        Before its first call.
    generation : int
        Counts how often frames that a browser may have were taken back.

    Attributes
    ----------
    calls : int
        How far it goes: 0 again where it was let go.
    whole : bool
        Whether nothing was let go.
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
        self._ended = False  # and so the last snapshot is that of the end
        self._filmed: Snapshot | None = None
        self._lock = threading.Condition()  # held for a moment, never while anything is computed

    def follow(self, search: TracedSearch, rows: Rows) -> None:
        """Take in the step that a search has just made, with the rows that this added."""
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
        """Keep the snapshot at which a search has ended."""
        with self._lock:
            if self._snapshots[-1].calls < search.calls:
                self._snapshots.append(search.snapshot())
                self._ended = True

    def go_on(self) -> Snapshot | Beginning:
        """The search is taken up again: the latest snapshot from which it can be."""
        with self._lock:
            if self._ended:
                self._snapshots.pop()
                self._ended = False
            return self._snapshots[-1]

    @property
    def last(self) -> Snapshot | Beginning | None:
        """The latest snapshot, unless it was let go."""
        with self._lock:
            return self._snapshots[-1] if self._snapshots else None

    @property
    def nbytes(self) -> int:
        """Memory that it takes."""
        with self._lock:
            snapshots = [*self._snapshots, *filter(None, [self._filmed])]
            return sum(map(len, self._keyframes)) + sum(snapshot.nbytes for snapshot in snapshots)

    def drop_snapshots(self) -> None:
        """Let go of the snapshots, but for the last one: it has the best configuration."""
        with self._lock:
            self.calls, self.whole = 0, False
            del self._snapshots[:-1]
            self._filmed = None

    def drop_frames(self) -> None:
        """Let go of everything."""
        self.drop_snapshots()
        with self._lock:
            self._snapshots.clear()
            if self._keyframes:
                self._keyframes.clear()
                self.generation += 1

    def wait(self, call: int, seconds: float) -> None:
        """Wait until it goes as far as a call, at most so long."""
        with self._lock:
            self._lock.wait_for(lambda: self.calls >= call, seconds)

    def keyframes(self, since: int) -> tuple[int, bytes]:
        """Closing frames from number ``since`` on; a new generation means: start again at 0."""
        with self._lock:
            return self.generation, b"".join(self._keyframes[since:])

    def frames(self, trace: Trace, first: int, last: int) -> bytes:
        """All frames of calls ``first`` … ``last``, led by the closing one of the call before."""
        with self._lock:
            kept = [*self._snapshots, *([self._filmed] if self._filmed else [])]
        before = [snapshot for snapshot in kept if snapshot.calls < first]
        if not before:  # they have just been let go
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
            del self._snapshots[1::2]  # the first stays: it is the start
            self._snapshot_spacing *= 2


def affordable(nbytes: int) -> int:
    """How many snapshots of so many bytes are kept."""
    fewest = FEWEST_LARGE if nbytes > LARGE_SNAPSHOT else FEWEST_SNAPSHOTS
    return max(fewest, min(MOST_SNAPSHOTS, MOST_SNAPSHOT_BYTES // max(1, nbytes)))
