"""Many runs that are watched: they go on in a thread of their own, in turns with everybody else."""

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
from ...problems import entry_of
from ..resources import kernels, memory, places, store
from .recorded import RecordedRuns

if TYPE_CHECKING:
    from ..live import LiveRun

#: Makes a run of the name of a setting, of a seed, so many calls long, and the query of a link.
Replay = Callable[[str, int, int], tuple["LiveRun", Mapping[str, str]]]

LEARNING = 1.0  # seconds of running, after which the time left is estimated


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
        As :func:`prviz.kmeans` makes it.
    replay : Replay, optional
        What shows one of the runs.

    Attributes
    ----------
    id : str
        Cannot be guessed; it is held as runs are, see :mod:`prviz.player.resources.store`.
    state : str
        "ready", "waiting", "running", "paused", "finished", "stopped" or "failed".
    message : str
        Why it does not go on, in words.
    origin : str
        Python that makes the problem, where `prviz` is imported; empty if nobody has said.
    recorded : object or None
        A recorded result, shown until there is one of its own; None if there is no recording.
    noun : str
        What it is called: "race".
    """

    followed = False  # nobody shows one in the place of another
    noun = "computation"

    def __init__(self, problem: Any, replay: Replay | None = None):
        self.id = secrets.token_urlsafe(16)
        self.problem = problem
        self.state, self.message, self.origin = "ready", "", ""
        self.watched = time.monotonic()
        self.recorded: Any = None
        self._ended = 0.0  # when it did
        self._took = 0.0  # seconds of wall time for which it has been going on
        self._in_turn = False
        self._make_replay = replay
        self._seen: LiveRun | None = None  # the one run that is shown
        self._lock = threading.Lock()
        self._stop, self._present = threading.Event(), threading.Event()
        self._present.set()
        self._go = threading.Event()  # in its turn, and not held up
        self._thread: threading.Thread | None = None
        store.hold(self)

    # What each has of its own

    @abstractmethod
    def _steps(self) -> Generator[Any, None, None]:
        """What it does, step by step; begun and ended in its own thread."""

    @abstractmethod
    def _take(self, found: Any) -> None:
        """What a step has found."""

    @abstractmethod
    def _progress(self) -> tuple[float, float]:
        """Return the work done since the start and the work left, in the same unit."""

    @abstractmethod
    def _run_of(self, name: str, seed: int) -> int | None:
        """The calls of a run that can be shown; None if there is none."""

    @abstractmethod
    def script(self) -> Script:
        """Python that makes it again, as far as it has come; ValueError where nothing is there."""

    @abstractmethod
    def report(self, axis: str | None = None) -> str:
        """One HTML file of all that has been found; a ValueError where that is nothing."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Memory that it holds, about."""

    @abstractmethod
    def show_recorded(self, recorded: RecordedRuns) -> None:
        """Show these runs until there are own ones; KeyError if they lack one."""

    # What a tab does

    @property
    @abstractmethod
    def begun(self) -> bool:
        """Whether there is any result of its own."""

    @property
    def preview(self) -> str:
        """The sentence beside a recorded result; empty if none is shown."""
        if self.recorded is None or self.begun:
            return ""
        return f"Showing a recorded {self.noun}. Press Run to compute it here."

    def time_left(self) -> str:
        """Return how long it will still take here, in words; empty before the first second."""
        done, left = self._progress()
        if self.state != "running" or self._took < LEARNING or not done:
            return ""
        return f"about {seconds_in_words(self._took * left / done)} left here"

    @property
    def active(self) -> bool:
        """Whether it has been started and is not over."""
        return self.state in ("waiting", "running", "paused")

    def kernels_ready(self, timeout: float | None = 0.0) -> bool:
        """Whether the kernels that it needs load quickly; waits for them as it is told."""
        entry = entry_of(self.problem)
        return kernels_warm.ready(timeout, entry and entry.id)

    def opening(self) -> None:
        """There is nothing to be seen before it is started."""
        return

    def follow(self, other: Any) -> bool:
        """Another takes its place: nobody will look at this one, nor waits for that."""
        return False

    def start(self) -> None:
        """Run in a thread of its own, to the end or until :meth:`stop`."""
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
        """After it was held up in its turn, which has not ended."""
        if self.state == "paused" and self._in_turn:
            self.state = "running"
            self._go.set()

    def stop(self) -> None:
        """End it within a fraction of a second; what has been found stays."""
        self._stop.set()
        self._present.set()
        if self._thread is None:
            self.state = "stopped"

    def wait(self, seconds: float) -> None:
        """Until it has ended, or for some seconds."""
        if self._thread is not None:
            self._thread.join(seconds)

    def pause(self) -> None:
        """Hold it up until :meth:`start` or :meth:`stop`."""
        if self.active and not self._stop.is_set():
            self._present.clear()
            self._go.clear()
            with self._lock:
                if self.state == "running":
                    self.state = "paused"
        if self._seen is not None:
            self._seen.pause()

    def close(self) -> None:
        """Stop, and forget it."""
        self.stop()
        if self._seen is not None:
            self._seen.close()
        store.RUNS.pop(self.id, None)

    def drop_snapshots(self) -> None:
        """There is nothing that could be made again."""
        return

    drop_frames = drop_snapshots

    def replay(self, name: str, seed: int) -> dict[str, Any]:
        """A run, so far as it has come, in place of the one shown before.

        Returns
        -------
        dict
            Its id as ``run``, and as ``params`` the query of a link to it.

        Raises
        ------
        ValueError
            There is no such run, or nothing that shows it.
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

    # The thread

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
        except Exception as error:  # said on the page instead of lost with the thread
            self.state, self.message = "failed", f"It stopped: {error}."
            raise

    def _go_through(self, steps: Generator[Any, None, None]) -> None:
        """Step by step, in its turn."""
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
        """How many are before it in the queue; None when its turn has come."""
        self.state, self.message = places.standing(before)
