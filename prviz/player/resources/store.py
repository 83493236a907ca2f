"""Storage of runs: they can be found by id while a tab uses them, and for a while after.

``RUNS`` has only weak references: a run that no tab uses is freed, no matter how the tab ended.
Abandoned runs are kept here until their time is over. The process stays within one memory limit:
above it, the runs that were watched longest ago lose their snapshots, then their frames, which are
recomputed from the seed on request.
"""

from __future__ import annotations

import threading
import time
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from . import memory

RUNS: WeakValueDictionary[str, Any] = WeakValueDictionary()

ROUND_SECONDS = 1.0  # seconds between checks of abandoned runs and of memory
WATCHED_SECONDS = 30.0  # a run counts as watched for this time after the last request
CALL_SECONDS = 8.0  # an unfinished call is aborted this long after its tab closed
AWAY_SECONDS = 60.0  # a paused search ends this long after its tab closed


class _Left(NamedTuple):
    """An abandoned run, the time of its abandonment, and how long the run is kept."""

    since: float
    seconds: float
    run: Any

    def absent(self, now: float) -> float:
        """Return the seconds since the last sign of life: a page may still send requests."""
        return now - max(self.since, self.run.watched)


_left: dict[str, _Left] = {}  # by the run's id
_lock = threading.Lock()
_keeper: threading.Thread | None = None


def hold(run: Any) -> None:
    """Let a run be found by its id, as long as it is referenced."""
    RUNS[run.id] = run
    _wake()


def find(run_id: str) -> Any | None:
    """Return a requested run, which counts as watched from now on."""
    run = RUNS.get(run_id)
    if run is not None:
        run.watched = time.monotonic()
    return run


def held() -> list[Any]:
    """Return all runs."""
    return [run for known in RUNS.valuerefs() if (run := known()) is not None]


def leave(run: Any, seconds: float) -> None:
    """Pause a search now, and drop it later; until then a page may return to it."""
    run.pause()
    with _lock:
        _left[run.id] = _Left(time.monotonic(), seconds, run)
    _wake()


def stay(run_id: str) -> Any | None:
    """Return an abandoned run to a page that comes back, if it still exists."""
    return _take_left(run_id) or RUNS.get(run_id)


def drop(run_id: str) -> None:
    """Drop an abandoned run before its time is over."""
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
    """Check until nothing is stored."""
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
    """Drop runs whose time is over, and replaced runs that no request can reach."""
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
