"""Another search beside a live run, from the same seed and with equal work: full restarts."""

from __future__ import annotations

import math
from collections.abc import Callable

from ..code.runs import Made
from ..engine.kernels import Problem
from ..engine.schedule import Schedule
from ..search.traced_search import TracedSearch
from .pictures.bests import Bests
from .pictures.film import Film

MOST_FULL = 20.0  # limit, as a multiple of the other search's CPU time


class Beside:
    """A search beside a live run, and a frame of each best that it has found.

    Parameters
    ----------
    problem, seed
        As those of the run.
    levels : Schedule
        Its own levels; one for full restarts.
    film : Film
        The film of the run.
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
        self._best: float | None = None  # the results, after `rest`
        self._made: Made | None = None

    @property
    def best(self) -> float | None:
        """Return the lowest cost; None if no call has succeeded."""
        search = self.search  # another thread may drop it at any time
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
        """Catch up with another search in work, then begin no further call."""
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
