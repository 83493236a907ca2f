"""Where runs are held: found by id while a tab has them, and a while after it has left.

``RUNS`` holds nothing alive by itself, so that a run which no tab has any more is gone, whatever
became of the tab. Runs that were left are kept here, each until its time is over. And the process
stays within one bound of memory: past it, the runs that nobody has watched for longest lose their
snapshots, then their frames, which are made again from the seed when somebody comes back.
"""

from __future__ import annotations

import threading
import time
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from . import memory

RUNS: WeakValueDictionary[str, Any] = WeakValueDictionary()

ROUND_SECONDS = 1.0  # between two looks at who has not come back, and at the memory
WATCHED_SECONDS = 30.0  # since the last request: a run is watched
CALL_SECONDS = 8.0  # since its tab went: a call that is still under way is given up
AWAY_SECONDS = 60.0  # and a search that was held up is over


class _Left(NamedTuple):
    """A run whose tab has gone, when that was, and how long the run is kept for it."""

    since: float
    seconds: float
    run: Any

    def absent(self, now: float) -> float:
        """Seconds for which nobody has been there: a page may still ask, without its tab."""
        return now - max(self.since, self.run.watched)


_left: dict[str, _Left] = {}  # by the run's id
_lock = threading.Lock()
_keeper: threading.Thread | None = None


def hold(run: Any) -> None:
    """Let a run be found by its id, as long as somebody has it."""
    RUNS[run.id] = run
    _wake()


def find(run_id: str) -> Any | None:
    """The run that somebody asks for, who watches it from now on."""
    run = RUNS.get(run_id)
    if run is not None:
        run.watched = time.monotonic()
    return run


def held() -> list[Any]:
    """All runs that there are."""
    return [run for known in RUNS.valuerefs() if (run := known()) is not None]


def leave(run: Any, seconds: float) -> None:
    """Hold a search up now, and forget it later: until then somebody may come back for it."""
    run.pause()
    with _lock:
        _left[run.id] = _Left(time.monotonic(), seconds, run)
    _wake()


def stay(run_id: str) -> Any | None:
    """A run for which somebody has come back, if it is still there."""
    return _take_left(run_id) or RUNS.get(run_id)


def drop(run_id: str) -> None:
    """Let go of a run that was left, before its time is over."""
    if run := _take_left(run_id):
        run.close()


def _take_left(run_id: str) -> Any | None:
    with _lock:
        left = _left.pop(run_id, None)
    return left and left.run


def _wake() -> None:
    """See that somebody looks after what is held."""
    global _keeper
    with _lock:
        if _keeper is None or not _keeper.is_alive():
            _keeper = threading.Thread(target=_keep, name="prviz-keeper", daemon=True)
            _keeper.start()


def _keep() -> None:
    """Go round until nothing is held."""
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
    """Let go of the runs whose time is over, and of what nobody will ask of those replaced."""
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
    """Let runs that nobody watches lose what can be made again, until all is within a bound.

    Returns
    -------
    int
        Bytes that runs still hold.
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
