"""Algorithm 1 as printed in the paper: recursive and slow, for tests of ``engine/algorithm.py``.

The listing and the text of the paper define M_l differently. In the listing, M_l is the number of
calls on level l − 1 in a call on level l. In the text, and in prviz, M_l is the number of sub-sets
that level l reinitialises per sub-set of the level above. So M^listing_1 = 1 and M^listing_{l+1} =
M_l.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..engine.dispatch import map_arrays
from ..engine.kernels import allocate, cost, n_variables, optimise, reinitialise, select
from ..engine.schedule import Schedule
from ..engine.subsets import Redraw

#: The lines of Algorithm 1, numbered from 1. The player highlights the current line.
LISTING = (
    "call on level l:",
    "  if l = 0: call the local optimiser on x",
    "  else: x₀ ← x",
    "    reinitialise a sub-set of kₗ variables in x",
    "    for i = 1 … M: call level l − 1",
    "    if cost(x) > cost(x₀): x ← x₀",
)


class Row(NamedTuple):
    """One optimiser call, with the fields of :class:`prviz.engine.trace.Rows`."""

    level: int
    cost: float
    iterations: int
    kept: dict[int, bool]
    redrawn: dict[int, tuple[int, ...]]


class Reference:
    """A search by the paper's recursion, with a record of its calls and lines.

    Attributes
    ----------
    rows : list of Row
        One row per optimiser call.
    lines : list of (int, int)
        The executed lines of ``LISTING``, counted from 1, each with its level.
    """

    def __init__(self, problem: Any, schedule: Schedule, rng: np.random.Generator):
        self.problem, self.schedule, self.rng = problem, schedule, rng
        self.x = allocate(problem)
        self.cost = np.inf
        self.rows: list[Row] = []
        self.lines: list[tuple[int, int]] = []
        self._redrawn: dict[int, tuple[int, ...]] = {}

    def run(self, restarts: int) -> None:
        """Call the top level ``restarts`` times."""
        for _ in range(restarts):
            self.call(self.schedule.n_levels)

    def call(self, level: int) -> None:
        """Run ``call on level l``, line by line."""

        def executed(line: int) -> None:
            self.lines.append((line, level))

        executed(1)
        if level == 0:
            executed(2)
            self.cost, iterations = optimise(self.problem, self.x, self.rng)
            self.rows.append(Row(max(self._redrawn), self.cost, iterations, {}, self._redrawn))
            self._redrawn = {}
            return
        executed(3)
        x_0, cost_0 = self._copy(), self.cost
        executed(4)
        self._reinitialise(level)
        for _ in range(1 if level == 1 else self.schedule.repeats[level - 2]):
            executed(5)
            self.call(level - 1)
        executed(6)
        kept = not self.cost > cost_0
        self.rows[-1].kept[level] = kept
        if not kept:
            self.x, self.cost = x_0, cost_0

    def _copy(self) -> Any:
        return map_arrays(np.copy, self.x)

    def _reinitialise(self, level: int) -> None:
        sizes, _, alphas, subsets, probabilities = self.schedule
        redraw = Redraw(sizes[level - 1], probabilities[level - 1], subsets[level - 1])
        order = np.arange(n_variables(self.problem))
        size = select(self.problem, self.x, redraw, self.rng, order)
        reinitialise(self.problem, self.x, order[:size], alphas[level - 1], self.rng)
        self._redrawn[level] = tuple(order[:size].tolist())
        if level > 1:
            self.cost = cost(self.problem, self.x)
