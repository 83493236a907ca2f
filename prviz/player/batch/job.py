"""Background jobs that can be stopped: a probe of ε, or a series of searches."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from threading import Event, Lock, Thread
from typing import Any, Protocol

import numpy as np

from ...engine.schedule import Level, Schedule
from ...engine.subsets import heuristic_name
from ...search.probe import Probe, probe
from ...search.traced_search import TracedSearch
from ..live import LiveRun
from ..resources import places

#: A redraw counts as an improvement if it lowers the cost by more than this share. Smaller gains
#: are ignored: Baum–Welch stops at a tolerance, so any call lowers the cost a little.
LEAST = 1e-5
PATIENCE = 0.1  # seconds between checks while waiting
STEP_SECONDS = 0.05  # seconds of a search between checks for a stop

_one = Lock()  # allows one running job at a time, so that players keep their cores


class Job:
    """A computation in its own thread; jobs run one at a time.

    Attributes
    ----------
    state : str
        "waiting", "running", "found", "stopped" or "failed".
    trouble : str
        The error message if the job failed.
    """

    what = "The job"

    def __init__(self, run: Any):
        self.state, self.trouble = "waiting", ""
        self._stop = Event()
        self._thread = Thread(target=self._work, args=(run,), name="job", daemon=True)
        self._thread.start()

    @property
    def active(self) -> bool:
        return self.state in ("waiting", "running")

    def stop(self) -> None:
        """End the job after the present step, and keep its result."""
        self._stop.set()

    def join(self) -> None:
        """Wait until the job has ended."""
        self._thread.join()

    def compute(self, run: Any) -> None:
        """Run the job until it is done or :meth:`stop` is called.

        Raises
        ------
        ValueError
            The job is impossible; the message gives the reason.
        """
        raise NotImplementedError

    def _work(self, run: Any) -> None:
        try:
            while not run.kernels_ready(PATIENCE) and not self._stop.is_set():
                pass
            while not self._stop.is_set():
                if _one.acquire(timeout=PATIENCE):
                    try:
                        self.compute(run)
                    finally:
                        _one.release()
                    break
            self.state = "stopped" if self._stop.is_set() else "found"
        except ValueError as error:
            self.state, self.trouble = "failed", str(error)
        except Exception as error:  # shown on the page
            self.state, self.trouble = "failed", f"{self.what} stopped: {error}."
            if not isinstance(error, FloatingPointError):  # raised if the optimiser diverges
                raise


class Probed(Protocol):
    """The attributes of a run that a probe needs."""

    id: str

    @property
    def problem(self) -> Any: ...
    @property
    def schedule(self) -> Schedule: ...

    def kernels_ready(self, timeout: float | None = 0.0) -> bool: ...

    def best(self) -> tuple[int, Any]: ...


class ProbeJob(Job):
    """A probe of ε in the background.

    Parameters
    ----------
    run : Probed
        Its best configuration is the starting point; α and sub-sets are taken from its first level.
    sizes, repeats, seed
        As in :func:`prviz.probe`.

    Attributes
    ----------
    found : Probe or None
        Results so far.
    calls : int
        Number of calls after which the run found the starting point.
    """

    what = "The probe"

    def __init__(self, run: Probed, sizes: Sequence[int], repeats: int, seed: int):
        self.sizes, self.repeats, self._seed = sorted(set(sizes)), repeats, seed
        self.run_id, self.problem = run.id, run.problem
        self.alpha = float(run.schedule.alphas[0])
        self.subset = heuristic_name(run.schedule.subsets[0])
        self.found: Probe | None = None
        self.calls = 0
        super().__init__(run)

    @property
    def done(self) -> float:
        """Return the completed fraction."""
        if self.found is None:
            return 0.0
        return float(self.found.repeats.sum() / (self.repeats * len(self.sizes)))

    def fits(self, run: LiveRun) -> bool:
        """Return True if a run has the problem, the α and the sub-sets of this probe."""
        return (
            self.alpha == run.schedule.alphas[0]
            and self.subset == heuristic_name(run.schedule.subsets[0])
            and _same(self.problem, run.problem)
        )

    def compute(self, run: Probed) -> None:
        """Probe from the run's best configuration, which must be a local optimum."""
        self.calls, state = run.best()
        self.state = "running"
        probe(
            self.problem,
            state,
            self.sizes,
            self.repeats,
            self._seed,
            alpha=self.alpha,
            subset=self.subset,
            least=LEAST,
            callback=self._take,
        )

    def _take(self, found: Probe) -> bool:
        self.found = copy.deepcopy(found)
        return self._stop.is_set()


class BestJob(Job):
    """Find the lowest cost of a problem at several sizes, with the same number of calls.

    Parameters
    ----------
    run : LiveRun
        A run of the same type of problem; the job waits until its kernels are ready.
    make : function of an int
        Return the problem with this number of variables.
    sizes : sequence of int
    levels : function of an int
        Return the levels of the search with this number of variables.
    calls, seed : int
        Budget and seed of each search.

    Attributes
    ----------
    found : dict of int to float
        The lowest cost of each finished search, by size.
    """

    what = "The searches"

    def __init__(
        self,
        run: LiveRun,
        make: Callable[[int], Any],
        sizes: Sequence[int],
        levels: Callable[[int], Sequence[Level]],
        calls: int,
        seed: int,
    ):
        self.sizes, self.calls, self.seed = sorted(set(sizes)), calls, seed
        self.problem = run.problem
        self.found: dict[int, float] = {}
        self.at = 0  # calls of the present search
        self._make, self._levels = make, levels
        self._search: TracedSearch | None = None
        super().__init__(run)

    @property
    def done(self) -> float:
        """Return the completed share of all calls."""
        made = len(self.found) * self.calls + self.at
        return min(1.0, made / (len(self.sizes) * self.calls))

    def stop(self) -> None:
        """End the job within the present call, and keep its results."""
        super().stop()
        if search := self._search:
            search.interrupt()

    def compute(self, run: LiveRun) -> None:
        """Search one problem after another."""
        self.state = "running"
        places.behind()
        for size in self.sizes:
            schedule = Schedule.from_levels(self._levels(size), size)
            search = self._search = TracedSearch(self._make(size), schedule, self.seed)
            while search.calls < self.calls and not search.finished and not self._stop.is_set():
                search.step(self.calls - search.calls, STEP_SECONDS)
                self.at = search.calls
            if self._stop.is_set():
                return
            if search.failure:
                raise FloatingPointError(search.failure)
            self.found = {**self.found, size: float(search.search.best_cost)}
            self.at, self._search = 0, None


def _same(one: Any, other: Any) -> bool:
    """Return True if two problems have the same data."""
    if one is other:
        return True
    return type(one) is type(other) and all(map(np.array_equal, one, other))
