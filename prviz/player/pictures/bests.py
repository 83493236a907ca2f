"""Frames of the best configurations of full restarts, for the picture beside a partial search.

The search pauses at each new best to draw its frame, because a pause is shorter than a repetition
of the search. Only some frames are kept, evenly spread over the logarithm of the work, because
improvements become rare.
"""

from __future__ import annotations

import math
from typing import Any

from ...engine.trace import ROUNDING
from ...search.traced_search import TracedSearch
from .film import Film

MOST_BESTS, FEWEST_BESTS = 160, 4  # frames of new bests per search
MOST_BYTES = 1_000_000


class Bests:
    """The bests of one search in order of discovery.

    Parameters
    ----------
    film : Film
        A film that draws configurations of the same problem.
    """

    def __init__(self, film: Film):
        self.calls, self.iterations, self.seconds = 0, 0, 0.0  # progress of the search
        self._film = film
        self._first = math.nan  # cost of the first call, to which the tolerance is relative
        self._target = math.inf
        self._frames: list[bytes] = []
        self._work: list[int] = []  # iterations until each best
        affordable = MOST_BYTES // film.layout["frame_bytes"]
        self._most = max(FEWEST_BESTS, min(MOST_BESTS, affordable))

    def step(
        self,
        search: TracedSearch,
        calls: float = math.inf,
        seconds: float = math.inf,
        iterations: float = math.inf,
    ) -> None:
        """Run a step of the search. The step ends early if a call finds a new best."""
        rows = search.step(calls, seconds, iterations, self._target)
        if len(rows.best) and math.isfinite(rows.best[-1]) and rows.best[-1] <= self._target:
            self._add(search, float(rows.best[-1]))
        self.calls, self.iterations, self.seconds = search.calls, search.iterations, search.seconds

    def encoded(self) -> tuple[dict[str, Any], bytes]:
        """Return the progress, the number of bests, and a frame of each best."""
        about = {"calls": self.calls, "iterations": self.iterations, "seconds": self.seconds}
        frames = [*self._frames]
        return {**about, "bests": len(frames)}, b"".join(frames)

    @property
    def nbytes(self) -> int:
        """Return the size of all frames in memory."""
        return len(self._frames) * self._film.layout["frame_bytes"]

    def _add(self, search: TracedSearch, best: float) -> None:
        if not self._frames:
            self._first = best
        self._target = best - ROUNDING * max(abs(best), abs(self._first))
        if not self._target < best:  # nothing was subtracted, for example at cost 0
            self._target = math.nextafter(best, -math.inf)
        self._frames.append(self._film.best(search.search).tobytes())
        self._work.append(max(1, search.iterations))
        if len(self._frames) > self._most:
            self._thin()

    def _thin(self) -> None:
        """Drop the best replaced soonest relative to its work, but never the first or last."""
        work = self._work
        lasted = [work[i + 1] / work[i] for i in range(1, len(work) - 1)]
        least = 1 + lasted.index(min(lasted))
        del self._frames[least], self._work[least]
