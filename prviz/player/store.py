"""Where runs are held: found by id while a tab has them, and a while after it has left.

``RUNS`` holds nothing alive by itself, so that a run which no tab has any more is gone, whatever
became of the tab. Runs that were left are kept here, each until its time is over.
"""

from __future__ import annotations

import threading
import time
from typing import Any
from weakref import WeakValueDictionary

RUNS: WeakValueDictionary[str, Any] = WeakValueDictionary()

ROUND_SECONDS = 1.0  # between two looks at who has not come back

_left: dict[str, tuple[float, Any]] = {}  # id → until when it is kept, and the run
_lock = threading.Lock()
_keeper: threading.Thread | None = None


def held() -> list[Any]:
    """All runs that there are."""
    return [run for known in RUNS.valuerefs() if (run := known()) is not None]


def leave(run: Any, seconds: float) -> None:
    """Stop a run now, and forget it later: until then somebody may come back for it."""
    run.stop()
    with _lock:
        _left[run.id] = time.monotonic() + seconds, run
    _wake()


def stay(run_id: str) -> Any | None:
    """A run for which somebody has come back, if it is still there."""
    with _lock:
        _, run = _left.pop(run_id, (0.0, None))
    return run or RUNS.get(run_id)


def _wake() -> None:
    """See that somebody looks after what is kept."""
    global _keeper
    with _lock:
        if _keeper is None:
            _keeper = threading.Thread(target=_keep, name="prviz-keeper", daemon=True)
            _keeper.start()


def _keep() -> None:
    """Forget what nobody came back for, until nothing is left to be kept."""
    global _keeper
    while True:
        time.sleep(ROUND_SECONDS)
        _forget(time.monotonic())
        with _lock:
            if not _left:
                _keeper = None
                return


def _forget(now: float) -> None:
    """Let go of the runs whose time is over."""
    with _lock:
        over = [_left.pop(run_id)[1] for run_id, (until, _) in [*_left.items()] if until <= now]
    for run in over:
        run.close()
