"""A second search beside a live run, usually full restarts, with the same seed and equal work."""

from __future__ import annotations

import math
from collections.abc import Callable

from ..code.runs import Made
from ..engine.kernels import Problem
from ..engine.schedule import Schedule
from ..search.traced_search import TracedSearch
from .pictures.bests import Bests
from .pictures.film import Film

MOST_FULL = 20.0  # limit of the second search's CPU time, as a multiple of the live run's


class Beside:
    """The comparison search of a live run, with a frame of each new best.

    Parameters
    ----------
    problem, seed
        Problem and seed of the run.
    levels : Schedule
        Levels of this search; a single level makes full restarts.
    film : Film
        Film of the run, which also draws this search.
    by_work : bool
        Whether equal work means equal iterations; otherwise it means equal CPU time.

    Attributes
    ----------
    search : TracedSearch or None
        None after :meth:`rest`.
    bests : Bests
    """

    def __init__(self, problem: Problem, levels: Schedule, seed: int, film: Film, by_work: bool):
        self.search: TracedSearch | None = TracedSearch(problem, levels, seed)
        self.bests = Bests(film)
        self._by_work = by_work
        self._best: float | None = None  # the results that `rest` keeps
        self._made: Made | None = None

    @property
    def best(self) -> float | None:
        """Return the lowest cost; None if no call has succeeded."""
        search = self.search  # another thread may set self.search to None
        if search is None or not search.calls:
            return self._best
        best = search.search.best_cost
        return best if math.isfinite(best) else None

    @property
    def made(self) -> Made | None:
        """Return the settings that repeat the search so far."""
        search = self.search
        return made_by(search) if search else self._made

    def begin(self) -> None:
        """Make the first call, if there is none."""
        if self.search is not None and not self.search.calls:
            self.bests.step(self.search, calls=1)

    def catch_up(
        self, search: TracedSearch, step_seconds: float, stopped: Callable[[], bool]
    ) -> None:
        """Run until this search has done as much work as ``search``, or reached a limit."""
        full = self.search
        if full is None:
            return
        most = MOST_FULL * search.seconds if self._by_work else search.seconds
        while full.seconds < most and not full.finished and not stopped():
            left = search.iterations - full.iterations if self._by_work else math.inf
            if left <= 0:
                return
            self.bests.step(full, seconds=step_seconds, iterations=left)

    def rest(self) -> None:
        """Keep only the results."""
        self._best, self._made = self.best, self.made
        self.search = None


def made_by(search: TracedSearch) -> Made:
    """Return the settings that repeat a search so far."""
    trace = search.trace()
    return Made(search.schedule, search.seed, len(trace), trace.hash())
