"""A live run, which is computed at full speed in a thread and shown at reading speed.

The thread stores one trace row per call. For dragging the timeline, it also stores a closing frame
(the last frame of a call) every few milliseconds. It takes snapshots of the search, from which the
frames of any call are made on request.
"""

from __future__ import annotations

import json
import math
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any

import numpy as np

from .. import display
from .. import warm as kernels_warm
from ..code.runs import run_script
from ..code.script import Script
from ..engine.algorithm import best_state
from ..engine.kernels import Problem, n_variables, stochastic
from ..engine.schedule import Level, Schedule
from ..engine.trace import Trace
from ..figures.curve import CurveInfo, KnownCost, curve_info, on_log_axes, plot_curve, switchable
from ..problems import entry_of
from ..search.settings import budget
from ..search.traced_search import Snapshot, TracedSearch
from .beside import Beside, made_by
from .pictures.film import Film
from .pictures.frame_store import FrameStore
from .pictures.protocols import Drawing, Scene
from .resources import kernels, memory, places, store
from .tally import Tally

STEP_SECONDS = 0.005
START_SECONDS = 0.05  # computing time of a search before it queues, so that it has frames to play
CURVE_AXES = ("seconds", "iterations")  # in menu order
MOST_TRACE_BYTES = 100_000_000
PACE_SECONDS = 0.02
BESIDE_SECONDS = 0.1  # if call 1 takes longer, full restarts begin only when Run is pressed
REMADE_SECONDS = 0.5  # longest time that a request waits while its frames are recomputed


def warm() -> None:
    """Prepare the kernels in the background; runs wait for them and show a message."""
    kernels_warm.warm_in_background()


class LiveRun:
    """A search for one viewer.

    Parameters
    ----------
    problem
        A problem, such as the result of :func:`prviz.kmeans`.
    scene : Scene
        The problem's scene, such as :class:`prviz.scenes.kmeans.KMeansScene`.
    levels : sequence of Level, or Schedule
    seed : int
    seconds, calls
        The budget: CPU seconds of the search, or optimiser calls.
    compare : bool or sequence of Level
        If True, also run full restarts; if levels, also run a search with these levels. Both
        searches have the same seed and equal work: equal iterations if the budget is in calls,
        otherwise equal CPU time.

    Attributes
    ----------
    id : str
        An unguessable id, the key of the run in ``RUNS``. The entry is removed by :meth:`close`,
        or when nothing references the run.
    state : str
        "ready", "waiting", "running", "paused", "finished", "stopped" or "failed".
    origin : str
        Python code that makes the problem, without ``import prviz``; empty if unknown.
    drawing : Drawing or None
        The user's drawing, which can be edited; None for other data.
    restores : object
        Values with which a page shows the run again after a reload; None without a page.
    references : sequence of KnownCost
        Results of other methods, which the curve shows too.
    watched : float
        Time of the last request, from ``time.monotonic``.
    """

    def __init__(
        self,
        problem: Problem,
        scene: Scene,
        levels: Sequence[Level] | Schedule,
        seed: int = 0,
        seconds: float | None = 2.0,
        calls: int | None = None,
        compare: bool | Sequence[Level] = True,
    ):
        # Long on purpose: this method sets all fields of a run.
        N = n_variables(problem)
        schedule = levels if isinstance(levels, Schedule) else Schedule.from_levels(levels, N)
        self._calls_left, self._seconds_left = budget(seconds, calls, endless=True)
        self.work = "iterations" if calls is not None and seconds is None else "seconds"
        self.id = secrets.token_urlsafe(16)
        self.state = "ready"
        self.message = ""
        self.origin = ""
        self.drawing: Drawing | None = None
        self.restores: Any = None
        self.references: Sequence[KnownCost] = ()
        self.scene = self._scene = scene
        self._film = Film(problem, schedule, scene)
        self._search = TracedSearch(problem, schedule, seed)
        self._full: Beside | None = None
        self._names: dict[str, str] = {}  # names of both searches, unless one makes full restarts
        if compare and schedule.n_levels > 1:
            beside = Schedule.from_levels([Level(N)] if compare is True else compare, N)
            self._full = Beside(problem, beside, seed, self._film, self.work == "iterations")
            if beside.n_levels > 1:
                names = {"partial": schedule.n_levels, "full": beside.n_levels}
                self._names = {name: _levels(n) for name, n in names.items()}
        self._tally = Tally()
        self._hash = ""  # hash of the trace, when the trace is complete
        self._lock = threading.Lock()  # held briefly, never during a computation
        self._first_step = threading.Lock()
        self._stop, self._closed = threading.Event(), threading.Event()
        self._present = threading.Event()  # set while somebody watches
        self._present.set()
        self._successor: LiveRun | None = None
        self._followed = threading.Event()
        self._awaiting = 0  # number of players that wait for ``_successor``
        self._thread: threading.Thread | None = None
        self._resting = False
        self._curves: dict[str, list[CurveInfo]] = {}  # curves of a finished run
        self.pictures = FrameStore(self._film, self._search, self._closed, self._followed.is_set)
        self.watched = time.monotonic()
        store.hold(self)

    # Requests of the player

    def layout(self) -> dict[str, Any]:
        """Return the layout of the frames, and the names of tables of the best configuration."""
        tables = dict(getattr(self._scene, "tables", {}))
        layout = {**self._film.layout, "curve_axis": self.work, "tables": tables}
        layout["live_page"] = self._live_page() is not None
        if self._names:
            layout["names"] = self._names
        if self.drawing is not None:
            layout |= {"drawn": self.drawing.text, "told": self.drawing.told}
        return layout

    def asset(self, name: str) -> bytes:
        """Return a static part of the picture."""
        return self._scene.asset(name)

    def frames(self, call: int, count: int, patience: float = REMADE_SECONDS) -> bytes:
        """Return the closing frame of the previous call, then all frames of ``count`` calls."""
        self._prepare()
        return self.pictures.frames(call, count, patience)

    def opening(self, patience: float = -1) -> bytes:
        """Return all frames of the first call, which every viewer needs first.

        Return no frames if another thread makes them and needs more than ``patience`` seconds.
        """
        return self.pictures.opening(lambda: self.frames(1, 1), patience)

    def keyframes(self, since: int) -> tuple[int, bytes]:
        """Return the generation of the closing frames, and the frames from index ``since`` on."""
        return self.pictures.keyframes(since)

    def full(self) -> tuple[dict[str, Any], bytes]:
        """Return the work of full restarts, and a frame of each new best.

        Raises
        ------
        ValueError
            The run is not compared with full restarts.
        """
        if self._full is None:
            raise ValueError("This run is not compared with full restarts.")
        self._prepare(beside=True)
        return self._full.bests.encoded()

    @property
    def problem(self) -> Any:
        """Return the problem of the search."""
        return self._search.problem

    @property
    def schedule(self) -> Schedule:
        """Return the schedule of the search."""
        return self._search.schedule

    @property
    def seed(self) -> int:
        return self._search.seed

    @property
    def stochastic(self) -> bool:
        """Return True if the optimiser is random."""
        return stochastic(self.problem)

    def best(self) -> tuple[int, Any]:
        """Return the number of calls so far, and the best configuration.

        While the search runs, both come from the latest snapshot.
        """
        self._prepare()
        snapshot = self.pictures.last()
        if not isinstance(snapshot, Snapshot) or snapshot.calls == 0:
            raise ValueError("No call of this run has finished. Use a smaller problem.")
        return snapshot.calls, best_state(snapshot.search)

    def progress(self, since: int) -> tuple[dict[str, Any], bytes]:
        """Return the progress, and one byte for each call after call number ``since``.

        The progress includes the new bests of these calls: call number and cost.
        """
        head = self.head()
        calls, tally = head["calls"], self._tally
        return {**head, "bests": tally.bests(since, calls)}, bytes(tally.outcomes[since:calls])

    def head(self) -> dict[str, Any]:
        """Return the progress of the search."""
        tally, remaking = self._tally, self.pictures.remaking
        calls, kept = len(tally.outcomes), tally.kept
        return {
            "state": self.state,
            "calls": calls,
            "best": tally.best if math.isfinite(tally.best) else None,
            "full": self._full.best if self._full else None,
            "iterations": int(self._search.search.totals[0]),
            "seconds": self._search.seconds,
            "kept": kept,
            "reverted": calls - kept,
            "generation": self.pictures.generation,
            "message": REMADE if remaking else self.message,
            "remaking": remaking,
            "hash": self._hash,
            "resumable": self.resumable,
        }

    def curve(self) -> dict[str, Any]:
        """Return a figure of the best cost so far of this run and its comparison search."""
        curves = self._curves or self._curves_by_axis()
        known = self._scene.best_known
        iteration = self._film.layout.get("iteration", "iteration")

        def figure(work: str) -> Any:
            costs = (self._scene.cost, known, self.references, iteration, self._names)
            curve = plot_curve(curves[work], work, *costs)
            return on_log_axes(curve, known, self._scene.solved_within, self._scene.cost)

        figures = {work: figure(work) for work in CURVE_AXES}
        return json.loads(switchable(figures).to_json())

    def _curves_by_axis(self) -> dict[str, list[CurveInfo]]:
        """Return the curves by unit of work."""
        name = "partial" if self.schedule.n_levels > 1 else "full"
        searches = {name: self._search}
        if self._full and (full := self._full.search):
            searches["full"] = full
        traces = {name: search.trace() for name, search in searches.items()}
        return {
            work: [curve_info(name, trace, work) for name, trace in traces.items() if len(trace)]
            for work in CURVE_AXES
        }

    def successor(self, seconds: float) -> LiveRun | None:
        """Wait up to ``seconds`` for the run that replaces this one; return it, or None."""
        with self._lock:
            self._awaiting += 1
        self._followed.wait(seconds)
        with self._lock:
            self._awaiting -= 1
        return self._successor

    def kernels_ready(self, timeout: float | None = 0.0) -> bool:
        """Return True if the problem's kernels are not being compiled; wait up to ``timeout`` s."""
        return kernels_warm.ready(timeout, kernels_warm.name_of(self.problem))

    @property
    def problem_id(self) -> str | None:
        """Return the name of the registered problem, if any."""
        entry = entry_of(self.problem)
        return entry and entry.id

    def pace(self) -> float | None:
        """Measure calls per second on a separate search with the same settings.

        Return None if the time is too short to measure. The first call is atypical, so it counts
        only if there is no other.
        """
        search = TracedSearch(self._search.problem, self._search.schedule, self._search.seed)
        search.step(1)
        first = search.seconds
        search.step(seconds=PACE_SECONDS)
        calls, seconds = search.calls, search.seconds
        if calls > 1:
            calls, seconds = calls - 1, seconds - first
        return calls / seconds if seconds > 0 else None

    @property
    def active(self) -> bool:
        """Return True between start and end."""
        return self.state in ("waiting", "running", "paused")

    @property
    def resumable(self) -> bool:
        """Return True if the run was stopped and :meth:`start` can continue it."""
        return self.state == "stopped" and bool(self._tally.outcomes) and not self._resting

    @property
    def followed(self) -> bool:
        """Return True if another run has replaced this run."""
        return self._successor is not None

    # Actions of the user

    def follow(self, run: LiveRun) -> bool:
        """Set the run that replaces this one; return True if a player waits for it."""
        with self._lock:
            awaited = self._awaiting > 0
        self._successor = run
        self._followed.set()
        if self.resumable:
            self._let_go()
        return awaited

    def start(self) -> None:
        """Run in its own thread until the budget is used up or :meth:`stop`.

        A paused or stopped search continues as if it had not been interrupted.
        """
        self._present.set()
        with self._lock:
            if not ((self.state == "ready" and self._thread is None) or self.resumable):
                return
            self._stop.clear()
            self._hash = ""
            before = places.STARTS.standing()
            self.state = "waiting"
            self.message = "" if before is None else places.waiting(before)
            self._thread = threading.Thread(target=self._work, name=f"run-{self.id}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the search within the present call, and keep earlier results."""
        self._stop.set()
        self._present.set()
        for search in self._searches():
            search.interrupt()
        if self._thread is None and self.state == "ready":
            self.state = "stopped"
            self._let_go()

    def _let_go(self) -> None:
        """Keep only the results so far; do nothing while a step is running."""
        if self._first_step.acquire(blocking=False):
            self._rest()
            self._first_step.release()

    def pause(self) -> None:
        """Pause the search after the present call, until :meth:`start` or :meth:`stop`."""
        if self.active:
            self._present.clear()
            if self._stop.is_set():  # the run ends, so it must not wait for a viewer
                self._present.set()

    def close(self) -> None:
        """Stop, and drop the run."""
        self.stop()
        self._closed.set()
        store.RUNS.pop(self.id, None)

    def trace_hash(self) -> str:
        """Return a hash of the trace so far."""
        return self._hash or self._search.trace().hash()

    def trace(self) -> Trace:
        """Return the trace so far."""
        return self._search.trace()

    def trace_csv(self) -> str:
        """Return the trace as CSV, one row per call."""
        return self._search.trace().to_frame().to_csv()

    def best_csv(self, name: str) -> str:
        """Return one of the scene's tables of the best configuration so far, as CSV."""
        if name not in self.layout()["tables"]:
            raise ValueError("Unknown table of this run.")
        import pandas as pd

        _, state = self.best()
        table: Any = self._scene  # a scene with `tables` also has the method `table`
        return pd.DataFrame(table.table(name, state)).to_csv(index=False)

    def trace_json(self) -> str:
        """Return the trace and the settings as JSON."""
        trace = self._search.trace()
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

    def script(self) -> Script:
        """Return Python code that repeats this run so far and its comparison search, if any."""
        beside = self._full.made if self._full else None
        return run_script(self._scene.title, self.origin, made_by(self._search), beside)

    def live_page(self) -> str:
        """Return a stand-alone HTML page that searches; raise a ValueError if there is none."""
        if (make := self._live_page()) is None:
            raise ValueError("This run has no live page.")
        return make()

    def _live_page(self) -> Callable[[], str] | None:
        return display.show("live_page", self, self._scene)

    def replay(self, calls: Sequence[int], limit: int | None = None) -> str:
        """Return a stand-alone HTML page that plays these calls, in ascending order, offline.

        Calls between the first and the last are dropped until the compressed frames take at most
        ``limit`` bytes.
        """
        from .export.replay import replay_of

        return replay_of(self, calls, limit)

    # Memory

    @property
    def nbytes(self) -> int:
        """Return the run's approximate size in memory."""
        searches = self._searches()
        traces = sum(search.calls for search in searches) * self._bytes_a_call()
        beside = self._full.bests.nbytes if self._full else 0
        return self.pictures.nbytes + beside + int(traces) + sum(each.nbytes for each in searches)

    def _searches(self) -> list[TracedSearch]:
        full = self._full.search if self._full else None
        return [self._search] if full is None else [self._search, full]

    def drop_snapshots(self) -> None:
        """Drop the snapshots; they are recomputed on request."""
        if self.resumable:
            self._let_go()
        if self._resting:
            self.pictures.drop_snapshots()

    def drop_frames(self) -> None:
        """Drop all frames; they are recomputed on request."""
        if self._resting:
            self.pictures.drop_frames()

    # Thread

    def _work(self) -> None:
        places.behind()
        try:
            if not kernels.waited_for(self, self._stop):
                self.state = "stopped"
                return
            if not self.message:  # a message means that the run waits for a core
                self.state = "running"
            self._prepare()
            self._take_up()
            if self._compute(places.STARTS, START_SECONDS):
                self._compute(places.PLACES)
            self._end()
            memory.give_back()
        except Exception as error:  # shown on the page
            self._fail(error)
            raise

    def _compute(self, queue: places.Places, seconds: float = math.inf) -> bool:
        """Search in turns with other runs; return True after ``seconds``, and False at the end."""
        while not self._stop.is_set():
            with closing(queue.turns(self._stop, self._show_standing)) as turns:
                for _ in turns:
                    if self._search.seconds >= seconds:
                        return True
                    if not self._present.is_set():
                        break
                    if not self._go_on():
                        return False
            if not self._present.is_set():
                self.state, self.message = "paused", AWAY
                self._present.wait()
        return False

    def _take_up(self) -> None:
        """Continue where the search was stopped, which may be within a call."""
        self._search.take_up(self.pictures.go_on())
        if self._full and (full := self._full.search):
            full.take_up()

    def _show_standing(self, before: int | None) -> None:
        """Set state and message: ``before`` searches wait ahead of this one; None means running."""
        self.state, self.message = places.standing(before)

    def _go_on(self) -> bool:
        """Run one step of the search and of its comparison search; return False at the end."""
        search = self._search
        if search.finished or search.calls >= self._calls_left:
            return False
        if search.seconds >= self._seconds_left:
            return False
        if search.calls * self._bytes_a_call() > MOST_TRACE_BYTES:
            self.message = (
                f"Ended after {search.calls} calls: a page stores at most "
                f"{MOST_TRACE_BYTES // 10**6} "
                "MB of trace. prviz.run in Python has no such limit."
            )
            return False
        self._step(self._calls_left - search.calls)
        if self._full is not None:
            self._full.catch_up(search, STEP_SECONDS, self._stop.is_set)
        return True

    def _end(self) -> None:
        """Free memory that only a running search needs, and set the final state."""
        ended = not self._stop.is_set() or self.followed or self._closed.is_set()
        with self._first_step:
            if ended:
                self._rest()
            elif self._search.calls:  # stopped, but the user may continue
                self.pictures.end()
                self._hash = self._search.trace().hash()
        if self._search.failure:
            self._fail(self._search.failure)
        else:
            if self.state in ("waiting", "paused"):
                self.message = ""
            self.state = "stopped" if self._stop.is_set() else "finished"

    def _rest(self) -> None:
        if self._search.calls and not self._search.failure:
            self.pictures.end()
            self._hash = self._search.trace().hash()
            self._curves = self._curves_by_axis()
            if self._full is not None:
                self._full.rest()
            self._search.rest()
            self._resting = True

    def _bytes_a_call(self) -> float:
        """Return bytes per call of the trace: a row, and the listed variables of each level."""
        schedule = self._search.schedule
        calls = np.cumprod(np.append(1.0, schedule.repeats[:-2]))
        return 30.0 + 5.0 * schedule.n_levels + 4.0 * float((schedule.sizes[:-1] / calls).sum())

    def _prepare(self, beside: bool = False) -> None:
        """Make the first call, so that there is a picture before Run is pressed.

        If this call is quick or ``beside`` is True, full restarts also make their first call.
        """
        self.kernels_ready(None)
        with self._first_step:
            stays = self._search.failure or self._stop.is_set()
            if self._search.calls == 0 and not stays:
                self._step(1)
                beside = beside or self._search.seconds < BESIDE_SECONDS
                if self._search.failure:
                    self._fail(self._search.failure)
            if self._full and beside and not stays and not self._thread:
                self._full.begin()

    def _fail(self, why: object) -> None:
        self.state, self.message = "failed", f"The search stopped: {why}."

    def _step(self, calls: float) -> None:
        seconds = min(STEP_SECONDS, self._seconds_left)
        rows = self._search.step(calls, seconds)
        if not len(rows.cost):  # the optimiser diverged
            return
        with self._lock:
            self._tally.add(rows)
        self.pictures.follow(rows)


def _levels(n: int) -> str:
    """Name a search by its number of levels: "Three levels"."""
    words = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight")
    return f"{words[n - 1]} level{'s' if n > 1 else ''}"


AWAY = "Paused because the page lost its connection."
REMADE = (
    "The frames of this run were dropped to free memory. They are computed again from the seed."
)
