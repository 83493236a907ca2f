"""The queue of problems whose kernels are being compiled, with time estimates.

Each problem is compiled by its own process. There is one process per core, and one extra process
for requested problems, which do not wait for a core. While the extra process is busy, a requested
problem goes to the front of the queue.
"""

from __future__ import annotations

import heapq
import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

#: Nice values of processes that compile requested and other problems; the server's is 0.
SOON, LATER = 10, 19
#: Limit of `Stage.share`, and of elapsed / expected time, while a problem is being compiled.
NEARLY = 0.95
#: Until the first problem is done, expected compile times are multiplied by this, because
#: processes, server and browser share the cores. It is high: estimates may fall but must not rise.
FIRST_SLOWNESS = 3.0
#: The seconds left fall by at least this much per second, so that a viewer sees progress.
SLOWEST = 0.5


class Stage(NamedTuple):
    """The progress of a problem.

    Attributes
    ----------
    share : float
        Part of the waiting time that has passed; 1 only when the kernels are compiled.
    seconds : float
        Approximate seconds left, including the problems before this one; 0 if compiling takes
        longer than expected.
    """

    share: float
    seconds: float


def cores() -> int:
    """Return the number of processes that can compile at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Queue:
    """The queue, and the problems being compiled.

    Parameters
    ----------
    work : mapping
        The problems by name, in order, with their compile times on a reference machine, in s.
    run : callable
        ``run(name, priority)`` compiles a problem, and returns when it is done.
    jobs : int
        Number of parallel processes.
    """

    def __init__(self, work: Mapping[str, float], run: Callable[[str, int], object], jobs: int):
        self._work, self._run = dict(work), run
        self._waiting = list(work)
        self._began: dict[str, float] = {}
        self._took: dict[str, float] = {}
        self._told: dict[str, float] = {}  # estimated seconds left at the time `_told_at`
        self._started = self._told_at = time.monotonic()
        self._lock = threading.Lock()
        self._extra: threading.Thread | None = None
        self._workers = [
            threading.Thread(target=self._serve, name=f"prviz-compile-{i}", daemon=True)
            for i in range(min(jobs, len(work)))
        ]

    def start(self) -> None:
        for worker in self._workers:
            worker.start()

    def join(self) -> None:
        """Wait until all problems are compiled."""
        for worker in self._workers:
            worker.join()
        if self._extra is not None:
            self._extra.join()

    def want(self, name: str) -> None:
        """Start a requested problem at once, or put it first in the queue."""
        with self._lock:
            if name not in self._waiting:
                return
            self._waiting.remove(name)
            if self._extra is not None and self._extra.is_alive():
                self._waiting.insert(0, name)
                return
            self._began[name] = time.monotonic()
            self._extra = threading.Thread(
                target=self._compile, args=(name, SOON), name="prviz-compile-soon", daemon=True
            )
            self._extra.start()

    def _serve(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    return
                name = self._waiting.pop(0)
                self._began[name] = time.monotonic()
            self._compile(name, LATER)

    def _compile(self, name: str, priority: int) -> None:
        try:
            self._run(name, priority)
        finally:
            with self._lock:
                self._took[name] = time.monotonic() - self._began.pop(name)

    def stages(self) -> dict[str, Stage]:
        """Return the progress of each problem, in order.

        From call to call, a share never falls, and the seconds left fall by at least `SLOWEST` per
        second.
        """
        estimates, now = self._estimates(), time.monotonic()
        with self._lock:
            fallen = SLOWEST * (now - self._told_at)
            for name, left in estimates.items():
                told = self._told.get(name, left + fallen)
                self._told[name] = max(0.0, min(told - fallen, left))
            self._told_at = now
            return {name: self._stage(name, now - self._started) for name in self._work}

    def _stage(self, name: str, passed: float) -> Stage:
        left = self._told[name]
        if name in self._took:
            return Stage(1.0, 0.0)
        return Stage(min(NEARLY, passed / (passed + left)) if passed else 0.0, left)

    def _estimates(self) -> dict[str, float]:
        """Estimate the seconds left of each problem from the problems done so far."""
        now = time.monotonic()
        with self._lock:
            elapsed = {name: now - began for name, began in self._began.items()}
            took, waiting = dict(self._took), list(self._waiting)
        done = sum(self._work[name] for name in took)
        slowness = [sum(took.values()) / done if done else FIRST_SLOWNESS]
        slowness += [seconds / (NEARLY * self._work[name]) for name, seconds in elapsed.items()]
        expected = {name: max(slowness) * work for name, work in self._work.items()}

        left = dict.fromkeys(took, 0.0)
        left |= {name: expected[name] - seconds for name, seconds in elapsed.items()}
        free = [left[name] for name in elapsed] or [0.0]
        heapq.heapify(free)
        for name in waiting:
            left[name] = heapq.heappop(free) + expected[name]
            heapq.heappush(free, left[name])
        return left
