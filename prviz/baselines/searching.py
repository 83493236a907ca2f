"""Use the engine's compiled steps for methods that combine them differently from Algorithm 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.algorithm import Search, close_level, iterate_on, redraw_level, start
from ..engine.kernels import MOST_ITERATIONS
from ..engine.schedule import Schedule
from ..search.traced_search import Snapshot, generator
from .calls import Caller

_loaded: set[type] = set()


class SearchCaller(Caller):
    """A method whose configuration x is stored in a :class:`~prviz.engine.algorithm.Search`.

    The state includes caches, because rounding depends on them. For example, sums run in the order
    of a cluster's points, which depends on earlier calls.
    """

    def __init__(self, problem: Any, schedule: Schedule, rng: np.random.Generator, held: Any):
        self.problem, self.schedule, self.rng = problem, schedule, rng
        _load(problem, schedule)
        self.search: Search = held.resume()[0] if held else start(problem, schedule, rng)

    @property
    def held(self) -> Snapshot | None:
        return Snapshot.of(self.search, self.rng)

    @property
    def x(self) -> Any:
        """Return the state of the problem."""
        return self.search.state

    @property
    def costs(self) -> np.ndarray:
        """Return the costs of x and of the checkpoints."""
        return self.search.costs

    def redraw(self, level: int) -> None:
        """Make x the checkpoint of a level, and redraw variables of that level."""
        redraw_level(self.problem, self.schedule, self.search, self.rng, level)

    def iterate(self, most: int = MOST_ITERATIONS) -> int:
        """Run the local optimiser for at most ``most`` iterations; return their number.

        With 0 iterations, only the cost is evaluated.
        """
        return iterate_on(self.problem, self.search, self.rng, most)[0]

    def keep_or_revert(self, level: int) -> None:
        close_level(self.problem, self.schedule, self.search, level)


def _load(problem: Any, schedule: Schedule) -> None:
    """Load or compile the kernels before calls are timed."""
    if type(problem) not in _loaded:
        rng = generator(0)
        search = start(problem, schedule, rng)
        redraw_level(problem, schedule, search, rng, 1)
        iterate_on(problem, search, rng, 0)
        close_level(problem, schedule, search, 1)
        _loaded.add(type(problem))
