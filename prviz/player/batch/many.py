"""Many live runs, in a thread that takes turns with other searches."""

from __future__ import annotations

import math
import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

from ... import warm as kernels_warm
from ...code.script import Script
from ..resources import kernels, memory, places, store
from .recorded import RecordedRuns

if TYPE_CHECKING:
    from ..live import LiveRun

#: Takes a setting, a seed and a number of calls; returns a live run, and the query of a link to it.
Replay = Callable[[str, int, int], tuple["LiveRun", Mapping[str, str]]]

LEARNING = 1.0  # seconds of running before the time left is estimated


def seconds_in_words(seconds: float) -> str:
    """Return a rounded time: "12 s", "3 min"."""
    if seconds < 10:
        return f"{max(1, math.ceil(seconds))} s"
    return f"{5 * round(seconds / 5)} s" if seconds < 120 else f"{round(seconds / 60)} min"


class Many(ABC):
    """Many runs on one problem, for one viewer.

    Parameters
    ----------
    problem
        A problem, such as the result of :func:`prviz.kmeans`.
    replay : Replay, optional
        A function that makes one of the runs again, to play it.

    Attributes
    ----------
    id : str
        An unguessable id, the key in ``RUNS`` of :mod:`prviz.player.resources.store`.
    state : str
        "ready", "waiting", "running", "paused", "finished", "stopped" or "failed".
    message : str
        The reason why the runs wait or have ended.
    origin : str
        Python code that makes the problem, without ``import prviz``; empty if unknown.
    restores : object
        Values with which a page shows the runs again after a reload; None without a page.
    recorded : object or None
        A recorded result, which is shown until there are new results; None without a recording.
    noun : str
        The name for users, such as "race".
    """

    followed = False  # unlike a single search, these runs are never replaced
    noun = "computation"

    def __init__(self, problem: Any, replay: Replay | None = None):
        self.id = secrets.token_urlsafe(16)
        self.problem = problem
        self.state, self.message, self.origin = "ready", "", ""
        self.watched = time.monotonic()
        self.restores: Any = None
        self.recorded: Any = None
        self._ended = 0.0  # when the runs ended
        self._took = 0.0  # seconds of wall time so far
        self._in_turn = False
        self._make_replay = replay
        self._seen: LiveRun | None = None  # the run being shown
        self._lock = threading.Lock()
        self._stop, self._present = threading.Event(), threading.Event()
        self._present.set()
        self._go = threading.Event()  # set while these runs may compute and are not paused
        self._thread: threading.Thread | None = None
        store.hold(self)

    # Implemented by subclasses

    @abstractmethod
    def _steps(self) -> Generator[Any, None, None]:
        """Yield the result of each step, in the thread of these runs."""

    @abstractmethod
    def _take(self, found: Any) -> None:
        """Add the results of a step."""

    @abstractmethod
    def _progress(self) -> tuple[float, float]:
        """Return the work done since the start and the work left, in the same unit."""

    @abstractmethod
    def _run_of(self, name: str, seed: int) -> int | None:
        """Return the number of calls of a run; None if the run cannot be played."""

    @abstractmethod
    def script(self) -> Script:
        """Return Python code that repeats the runs so far; raise a ValueError without results."""

    @abstractmethod
    def report(self, axis: str | None = None) -> str:
        """Return an HTML report of all results; raise a ValueError without results."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Return the approximate size in memory."""

    @abstractmethod
    def show_recorded(self, recorded: RecordedRuns) -> None:
        """Show recorded runs until there are new runs; raise a KeyError if a run is missing."""

    # Called by a tab

    @property
    @abstractmethod
    def begun(self) -> bool:
        """Return True if this object has computed a result."""

    @property
    def preview(self) -> str:
        """Return a sentence about the recorded result; empty if no recording is shown."""
        if self.recorded is None or self.begun:
            return ""
        return f"Showing a recorded {self.noun}. Press Run to compute it here."

    def time_left(self) -> str:
        """Return the time left as text; empty in the first second."""
        done, left = self._progress()
        if self.state != "running" or self._took < LEARNING or not done:
            return ""
        return f"about {seconds_in_words(self._took * left / done)} left here"

    @property
    def active(self) -> bool:
        """Return True between start and end."""
        return self.state in ("waiting", "running", "paused")

    def kernels_ready(self, timeout: float | None = 0.0) -> bool:
        """Wait up to ``timeout`` seconds; return True if the kernels are not being compiled."""
        return kernels_warm.ready(timeout, kernels_warm.name_of(self.problem))

    def opening(self) -> None:
        """Do nothing, because there is no picture before the start."""
        return

    def follow(self, other: Any) -> bool:
        """Return False, because no player waits for new runs."""
        return False

    def start(self) -> None:
        """Run in a thread, to the end or until :meth:`stop`."""
        self._present.set()
        with self._lock:
            if self._thread is not None:
                self._resume()
                return
            self.state = "waiting"
            name = f"many-{self.id}"
            self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def _resume(self) -> None:
        """Resume at once if the present step did not end during the pause."""
        if self.state == "paused" and self._in_turn:
            self.state = "running"
            self._go.set()

    def stop(self) -> None:
        """Stop the runs within a fraction of a second, and keep their results."""
        self._stop.set()
        self._present.set()
        if self._thread is None:
            self.state = "stopped"

    def wait(self, seconds: float) -> None:
        """Wait until the runs have ended, at most this many seconds."""
        if self._thread is not None:
            self._thread.join(seconds)

    def pause(self) -> None:
        """Pause until :meth:`start` or :meth:`stop`."""
        if self.active and not self._stop.is_set():
            self._present.clear()
            self._go.clear()
            with self._lock:
                if self.state == "running":
                    self.state = "paused"
        if self._seen is not None:
            self._seen.pause()

    def close(self) -> None:
        """Stop, and drop all results."""
        self.stop()
        if self._seen is not None:
            self._seen.close()
        store.RUNS.pop(self.id, None)

    def drop_snapshots(self) -> None:
        """Do nothing, because these results cannot be recomputed quickly."""
        return

    drop_frames = drop_snapshots

    def replay(self, name: str, seed: int) -> dict[str, Any]:
        """Compute a run again, up to its present call, and replace the run shown last.

        Returns
        -------
        dict
            The id of the new run as ``run``, and the query of its link as ``params``.

        Raises
        ------
        ValueError
            The run does not exist, or cannot be shown.
        """
        calls = self._run_of(name, seed)
        if calls is None or self._make_replay is None:
            raise ValueError("Unknown run.")
        run, params = self._make_replay(name, seed, calls)
        with self._lock:
            former, self._seen = self._seen, run
        if former is not None:
            former.close()
        run.start()
        return {"run": run.id, "params": dict(params)}

    # Thread

    def _work(self) -> None:
        places.behind()
        try:
            if not kernels.waited_for(self, self._stop):
                self.state = "stopped"
                return
            self.state, self.message = "running", ""
            with closing(self._steps()) as steps:
                self._go_through(steps)
            with self._lock:
                self._ended = time.monotonic()
                self.state, self.message = "stopped" if self._stop.is_set() else "finished", ""
            memory.give_back()
        except Exception as error:  # shown on the page
            self.state, self.message = "failed", f"The {self.noun} stopped: {error}."
            raise

    def _go_through(self, steps: Generator[Any, None, None]) -> None:
        """Compute step by step, in turns with other searches."""
        last = time.monotonic()
        while not self._stop.is_set():
            with closing(places.PLACES.turns(self._stop, self._show_queue)) as turns:
                for _ in turns:
                    if not self._present.is_set():
                        break
                    self._in_turn = True
                    self._go.set()
                    try:
                        found = next(steps)
                    except StopIteration:
                        return
                    self._take(found)
                    now = time.monotonic()
                    self._took, last = self._took + now - last, now
            self._in_turn = False
            self._go.clear()
            if not self._present.is_set():
                self.state = "paused"
                self._present.wait()
                last = time.monotonic()

    def _show_queue(self, before: int | None) -> None:
        """Set state and message; ``before`` is None when the runs may compute."""
        self.state, self.message = places.standing(before)
