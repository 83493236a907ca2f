"""Storage of runs: find a run by id while a tab uses it, and for a set time after that.

``RUNS`` has only weak references, so a run that no tab uses is freed. When a tab closes,
:func:`leave` keeps its runs for a given number of seconds. If the process exceeds its memory limit,
the runs that were watched longest ago lose their snapshots, then their frames. Both are recomputed
from the seed on request.
"""

from __future__ import annotations

import threading
import time
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from . import memory

RUNS: WeakValueDictionary[str, Any] = WeakValueDictionary()

ROUND_SECONDS = 1.0  # seconds between checks of abandoned runs and of memory
WATCHED_SECONDS = 30.0  # a run counts as watched for this time after its last request
CALL_SECONDS = 8.0  # time from closing a tab until its unfinished call is aborted
AWAY_SECONDS = 60.0  # time from closing a tab until its paused search ends


class _Left(NamedTuple):
    """An abandoned run, the time of its abandonment, and how long the run is kept."""

    since: float
    seconds: float
    run: Any

    def absent(self, now: float) -> float:
        """Return the seconds since the run was abandoned, or since a later request for it."""
        return now - max(self.since, self.run.watched)


_left: dict[str, _Left] = {}  # abandoned runs by id
_lock = threading.Lock()
_keeper: threading.Thread | None = None


def hold(run: Any) -> None:
    """Make a run available by its id, until nothing references it."""
    RUNS[run.id] = run
    _wake()


def find(run_id: str) -> Any | None:
    """Return a run by its id, or None; record that it is watched now."""
    run = RUNS.get(run_id)
    if run is not None:
        run.watched = time.monotonic()
    return run


def held() -> list[Any]:
    """Return all runs."""
    return [run for known in RUNS.valuerefs() if (run := known()) is not None]


def leave(run: Any, seconds: float) -> None:
    """Pause a run now, and drop it after ``seconds``, unless a page returns to it."""
    run.pause()
    with _lock:
        _left[run.id] = _Left(time.monotonic(), seconds, run)
    _wake()


def stay(run_id: str) -> Any | None:
    """Keep and return the run of a page that has come back; None if the run is gone."""
    return _take_left(run_id) or RUNS.get(run_id)


def drop(run_id: str) -> None:
    """Drop an abandoned run before the end of its retention time."""
    if run := _take_left(run_id):
        run.close()


def _take_left(run_id: str) -> Any | None:
    with _lock:
        left = _left.pop(run_id, None)
    return left and left.run


def _wake() -> None:
    """Start the thread that checks stored runs."""
    global _keeper
    with _lock:
        if _keeper is None or not _keeper.is_alive():
            _keeper = threading.Thread(target=_keep, name="prviz-keeper", daemon=True)
            _keeper.start()


def _keep() -> None:
    """Check stored runs repeatedly, until nothing is stored."""
    global _keeper
    before = 0
    while True:
        time.sleep(ROUND_SECONDS)
        forget(time.monotonic())
        now = within(memory.bound())
        if now < before:
            memory.give_back()
        before = now
        with _lock:
            if not _left and not RUNS:
                _keeper = None
                return


def forget(now: float) -> None:
    """Close abandoned runs at the end of their retention time.

    Before that, they are stopped after ``CALL_SECONDS``, or after ``AWAY_SECONDS`` if paused, and
    lose their snapshots if they were replaced.
    """
    with _lock:
        over = [left for left in _left.values() if left.absent(now) >= left.seconds]
        for left in over:
            del _left[left.run.id]
        kept = [*_left.values()]
    for left in over:
        left.run.close()
    for left in kept:
        limit = AWAY_SECONDS if left.run.state == "paused" else CALL_SECONDS
        if left.run.active and left.absent(now) >= limit:
            left.run.stop()
        if left.run.followed:
            left.run.drop_snapshots()


def within(bound: int) -> int:
    """Drop recomputable data of unwatched runs until all runs fit in a limit.

    Returns
    -------
    int
        Bytes that runs still use.
    """
    runs = sorted(held(), key=lambda run: run.watched)
    bytes_held = sum(run.nbytes for run in runs)
    room = memory.room(bound, bytes_held)
    watched_since = time.monotonic() - WATCHED_SECONDS
    for lose in ("drop_snapshots", "drop_frames"):
        for run in runs:
            if bytes_held <= room:
                return bytes_held
            if run.watched < watched_since:
                before = run.nbytes
                getattr(run, lose)()
                bytes_held -= before - run.nbytes
    return bytes_held
