"""A run that is watched: computed at full speed in a thread, shown at a person's pace.

The thread keeps one trace row a call, a closing frame every few milliseconds for scrubbing, and
now and then the whole search, from which the pictures of any stretch are made on request.
"""

from __future__ import annotations

import json
import math
import os
import secrets
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import warm as kernels_warm
from ..algorithm import best_state
from ..figures.curve import Reference, curve_info, plot_curve, switchable
from ..kernels import n_variables
from ..recorded import Moment, RecordedSearch
from ..run import budget
from ..schedule import Level, Schedule
from ..trace import KEPT, UNDECIDED, Rows, Trace
from .film import Film
from .frames import all_assets, encode_outcomes
from .store import RUNS

STEP_SECONDS = 0.005
CURVE_AXES = ("seconds", "iterations")  # equal time first, equal work beside it
MOST_KEYFRAMES = 2048
MOST_KEYFRAME_BYTES = 16_000_000
MOST_MOMENTS, FEWEST_MOMENTS = 32, 4
MOST_MOMENT_BYTES = 48_000_000
MOST_TRACE_BYTES = 100_000_000
MOST_CALLS_A_REQUEST = 1000
PACE_SECONDS = 0.02

_places = threading.BoundedSemaphore(max(1, os.cpu_count() or 1))


def warm() -> None:
    """Make the kernels ready in the background; runs wait for them and say so."""
    kernels_warm.warm_in_background()


class LiveRun:
    """One search for one viewer.

    Parameters
    ----------
    problem
        As :func:`prviz.kmeans` makes it.
    scene
        Its picture, such as :class:`prviz.scenes.kmeans.KMeansScene`.
    levels : sequence of Level
    seed : int
    seconds, calls
        The budget: CPU seconds of the search, or optimiser calls.
    compare : bool
        Also run full reinitialisation from the same seed, in turns of equal CPU time.

    Attributes
    ----------
    id : str
        Cannot be guessed; ``RUNS`` has the run under it, while somebody holds it, until
        :meth:`close`.
    state : str
        "ready", "waiting", "running", "finished", "stopped" or "failed".
    references : sequence of Reference
        What other methods came to, drawn beside the curve.
    """

    def __init__(
        self,
        problem: Any,
        scene: Any,
        levels: Sequence[Level],
        seed: int = 0,
        seconds: float | None = 2.0,
        calls: int | None = None,
        compare: bool = True,
    ):
        N = n_variables(problem)
        schedule = Schedule.from_levels(levels, N)
        self._calls_left, self._seconds_left = budget(seconds, calls, endless=True)
        self.id = secrets.token_urlsafe(16)
        self.state = "ready"
        self.message = ""
        self.references: Sequence[Reference] = ()
        self._scene = scene
        self._film = Film(problem, schedule, scene)
        self._search = RecordedSearch(problem, schedule, seed)
        self._full = None
        if compare and schedule.n_levels > 1:
            self._full = RecordedSearch(problem, Schedule.from_levels([Level(N)], N), seed)
        self._outcomes = bytearray()
        self._kept = 0
        self._best = math.inf
        self._keyframes: list[bytes] = []
        self._keyframe_spacing = 1
        frame_bytes = self._film.layout["frame_bytes"]
        self._most_keyframes = min(MOST_KEYFRAMES, MOST_KEYFRAME_BYTES // frame_bytes)
        self._generation = 0
        self._steps = 0
        self._moments = [self._search.moment()]
        affordable = MOST_MOMENT_BYTES // max(1, self._moments[0].nbytes)
        self._most_moments = max(FEWEST_MOMENTS, min(MOST_MOMENTS, affordable))
        self._moment_spacing = 1
        self._filmed: Moment | None = None
        self._opening = b""
        self._opening_lock = threading.Lock()
        self._lock = threading.Lock()  # held for a moment, never while anything is computed
        self._first_step = threading.Lock()
        self._film_lock = threading.Lock()
        self._stop = threading.Event()
        self._follower: LiveRun | None = None
        self._followed = threading.Event()
        self._thread: threading.Thread | None = None
        RUNS[self.id] = self

    # What the player asks for

    def layout(self) -> dict:
        """What the frames hold and how to draw them."""
        return {**self._film.layout, "curve_axis": CURVE_AXES[0]}

    def asset(self, name: str) -> bytes:
        """A static part of the picture."""
        return self._scene.asset(name)

    def frames(self, call: int, count: int) -> bytes:
        """The closing frame of the call before, then all frames of ``count`` calls."""
        self._prepare()
        trace = self._search.trace()
        last = min(call + min(count, MOST_CALLS_A_REQUEST) - 1, len(trace))
        if call < 1 or last < call:
            return b""
        with self._film_lock:
            moment = self._nearest_moment(call)
            frames, self._filmed = self._film.frames(moment, trace, call, last)
        return frames

    def opening(self) -> bytes:
        """All frames of the first call, with which every viewer begins."""
        with self._opening_lock:  # several may ask before it is made
            self._opening = self._opening or self.frames(1, 1)
        return self._opening

    def keyframes(self, since: int) -> tuple[int, bytes]:
        """Closing frames from number ``since`` on; a new generation means: start again at 0."""
        with self._lock:
            return self._generation, b"".join(self._keyframes[since:])

    @property
    def problem(self) -> Any:
        """What is searched."""
        return self._search.problem

    @property
    def schedule(self) -> Schedule:
        """How it is searched."""
        return self._search.schedule

    @property
    def stochastic(self) -> bool:
        """Whether the optimiser draws at random itself, as its scene says."""
        return getattr(self._scene, "stochastic", False)

    def best(self) -> tuple[int, Any]:
        """The best configuration so far, and after how many calls that was.

        While the search runs, this is what its latest moment has: it is not held up.
        """
        self._prepare()
        ended = self._thread is not None and not self._thread.is_alive()
        with self._lock:
            search = self._search.search if ended else self._moments[-1].search
        if search.calls == 0:
            raise ValueError("No call of this run has come to an end: change what it searches.")
        return search.calls, best_state(search)

    def progress(self, since: int) -> tuple[dict, bytes]:
        """How far the search is, and one byte for every call after the first ``since``."""
        head = self.head()
        return head, bytes(self._outcomes[since : head["calls"]])

    def head(self) -> dict:
        """How far the search is."""
        calls = len(self._outcomes)
        return {
            "state": self.state,
            "calls": calls,
            "best": self._best if calls else None,
            "iterations": int(self._search.search.totals[0]),
            "seconds": self._search.seconds,
            "kept": self._kept,
            "reverted": calls - self._kept,
            "generation": self._generation,
            "message": self.message,
        }

    def curve(self) -> dict:
        """Best cost so far of this run, and of full reinitialisation from the same seed."""
        searches = {"full": self._search}
        if self._full:
            searches = {"partial": self._search, "full": self._full}
        traces = {name: search.trace() for name, search in searches.items()}
        figures = {
            work: plot_curve(
                [curve_info(name, t, work) for name, t in traces.items() if len(t)],
                work,
                self._scene.cost,
                self._scene.best_known,
                self.references,
                self._film.layout.get("iteration", "iteration"),
            )
            for work in CURVE_AXES
        }
        return json.loads(switchable(figures).to_json())

    def follower(self, seconds: float) -> LiveRun | None:
        """The run that takes the place of this one, if it does so within some seconds."""
        self._followed.wait(seconds)
        return self._follower

    def kernels_ready(self, timeout: float | None = 0.0) -> bool:
        """Whether the kernels that it needs load quickly; waits for them as it is told."""
        return kernels_warm.ready(timeout, self.problem_type)

    @property
    def problem_type(self) -> type:
        return type(self._search.problem)

    def pace(self) -> float | None:
        """Calls a second of search, timed for a moment on another search of the same kind.

        None if there were none. The first call starts from nothing and counts only if it is alone.
        """
        search = RecordedSearch(self._search.problem, self._search.schedule, self._search.seed)
        search.step(1)
        first = search.seconds
        search.step(seconds=PACE_SECONDS)
        calls, seconds = search.calls, search.seconds
        if calls > 1:
            calls, seconds = calls - 1, seconds - first
        return calls / seconds if seconds > 0 else None

    # What a person does

    def follow(self, run: LiveRun) -> None:
        """Another run takes the place of this one."""
        self._follower = run
        self._followed.set()

    def start(self) -> None:
        """Run in a thread of its own, until the budget is used up or :meth:`stop`."""
        with self._lock:
            if self._thread is not None or self.state != "ready":
                return
            self.state = "waiting"
            self._thread = threading.Thread(target=self._work, name=f"run-{self.id}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the search after the step under way; what was found stays."""
        self._stop.set()
        if self._thread is None and self.state == "ready":
            self.state = "stopped"

    def close(self) -> None:
        """Stop, and forget the run."""
        self.stop()
        RUNS.pop(self.id, None)

    def trace_csv(self) -> str:
        """The trace as CSV, one row a call."""
        return self._trace().to_frame().to_csv()

    def trace_json(self) -> str:
        """The trace and what made it, as JSON."""
        trace = self._trace()
        return json.dumps(
            {
                "title": self._scene.title,
                "seed": self._search.seed,
                "calls": len(trace),
                "hash": trace.hash(),
                "levels": [level._asdict() for level in self._search.schedule.levels()],
                "trace": trace.to_frame().reset_index().to_dict(orient="list"),
            }
        )

    def replay(self, call: int, count: int) -> str:
        """A stand-alone HTML page that plays ``count`` calls from ``call`` on, offline."""
        from .html import replay_html

        layout = self.layout()
        assets = {name: self.asset(name) for name in all_assets(layout)}
        frames = self.frames(call, count)
        head, outcomes = self.progress(0)
        return replay_html(layout, assets, frames, head, outcomes, self.curve())

    # The thread

    def _work(self) -> None:
        try:
            if not self.kernels_ready():
                self.message = "Compiling the kernels: once per version, for a minute or two."
                while not self.kernels_ready(0.1):
                    if self._stop.is_set():
                        self.state, self.message = "stopped", ""
                        return
            while not _places.acquire(timeout=0.1):
                self.message = "Waiting: other viewers' runs keep every core busy."
                if self._stop.is_set():
                    self.state, self.message = "stopped", ""
                    return
            try:
                self.state, self.message = "running", ""
                self._compute()
            finally:
                _places.release()
        except Exception as error:  # said on the page instead of lost with the thread
            self._fail(error)
            raise

    def _compute(self) -> None:
        search, full = self._search, self._full
        self._prepare()
        while not self._stop.is_set():
            if search.finished or search.calls >= self._calls_left:
                break
            if search.seconds >= self._seconds_left:
                break
            if search.calls * self._bytes_a_call() > MOST_TRACE_BYTES:
                self.message = (
                    f"Ended after {search.calls} calls: a page keeps {MOST_TRACE_BYTES // 10**6} "
                    "MB of trace. prviz.run in Python has no such limit."
                )
                break
            self._step(self._calls_left - search.calls)
            if full is not None and full.seconds < search.seconds and not full.finished:
                full.step(seconds=STEP_SECONDS)
        if search.failure:
            self._fail(search.failure)
        else:
            self.state = "stopped" if self._stop.is_set() else "finished"

    def _bytes_a_call(self) -> float:
        return 50.0 + 4.0 * float(self._search.schedule.sizes[:-1].sum())

    def _prepare(self) -> None:
        """Make the first call, so that there is something true to see before Run is pressed."""
        self.kernels_ready(None)
        with self._first_step:
            if self._search.calls == 0 and not self._search.failure:
                self._step(1)
                if self._full is not None:
                    self._full.step(calls=1)
                if self._search.failure:
                    self._fail(self._search.failure)

    def _fail(self, why: object) -> None:
        self.state, self.message = "failed", f"The search stopped: {why}."

    def _step(self, calls: float) -> None:
        rows = self._search.step(calls, min(STEP_SECONDS, self._seconds_left))
        if not len(rows.cost):  # the optimiser diverged
            return
        moment = keyframe = None
        self._steps += 1
        if self._steps % self._moment_spacing == 0:
            moment = self._search.moment()
        if self._steps % self._keyframe_spacing == 0:
            trace = Trace(rows, self._film.n_variables)
            new_best = bool(trace.best[-1] < (trace.best[-2] if len(trace) > 1 else self._best))
            keyframe = self._film.closing(self._search.search, trace, len(trace) - 1, new_best)
        with self._lock:
            self._note(rows)
            if moment is not None:
                self._add_moment(moment)
            if keyframe is not None:
                self._add_keyframe(keyframe.tobytes())

    def _note(self, rows: Rows) -> None:
        kept = rows.kept[:, 0] == KEPT
        decided = (rows.kept != UNDECIDED).sum(axis=1)
        kept_outermost = rows.kept[np.arange(len(decided)), decided - 1] == KEPT
        new_best = np.diff(rows.best, prepend=self._best) < 0
        self._outcomes += encode_outcomes(rows.level, kept, new_best, kept_outermost).tobytes()
        self._kept += int(kept.sum())
        self._best = float(rows.best[-1])

    def _add_keyframe(self, frame: bytes) -> None:
        self._keyframes.append(frame)
        if len(self._keyframes) > self._most_keyframes:
            del self._keyframes[::2]
            self._keyframe_spacing *= 2
            self._generation += 1

    def _add_moment(self, moment: Moment) -> None:
        self._moments.append(moment)
        if len(self._moments) > self._most_moments:
            del self._moments[1::2]  # the first stays: it is the start
            self._moment_spacing *= 2

    def _nearest_moment(self, call: int) -> Moment:
        """The latest kept moment before a call."""
        with self._lock:
            kept = [*self._moments, *([self._filmed] if self._filmed else [])]
        return max((m for m in kept if m.calls < call), key=lambda moment: moment.calls)

    def _trace(self):
        return self._search.trace()
