"""Algorithm 1 as an odometer that can pause and resume.

``search/reference.py`` has the paper's recursion. Here the same process uses one counter per level,
so that a search can stop after any optimiser call, be copied, and continue.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .clock import look
from .dispatch import copy_arrays, driver, helper, map_arrays, row, stack, zeros
from .kernels import (
    allocate,
    asked_to,
    copy_state,
    cost,
    iterate,
    n_variables,
    optimise,
    reinitialise,
    select,
)
from .references import by_reference
from .schedule import NO_LIMIT, Schedule
from .subsets import Redraw, restore_order
from .trace import KEPT, REVERTED, UNDECIDED, Rows, empty_rows


class Search(NamedTuple):
    """The state of a search. To resume the search, only the generator's state is needed as well.

    Attributes
    ----------
    state
        The configuration x with its caches.
    checkpoints
        The checkpoints x_0 of levels 1 … m, stacked along the first axis.
    costs : (m + 1,) float64
        Index 0: cost of x. Index l: cost of the checkpoint of level l. +∞ before the first call.
    counters : (m + 1,) int64
        Index 0: number of optimiser calls. Index l: number of reinitialisations on level l since
        the last reinitialisation on the level above.
    next_level : (1,) int64
        Outermost level that redraws variables in the next call.
    totals : (2,) float64
        Iterations and CPU seconds so far.
    order : (N,) int64
        Permutation of the variables, with the chosen sub-set in front.
    stop : (1,) uint8
        Another thread sets this flag to end the search during a call. The interrupted call gets no
        row and leaves x invalid. The checkpoints stay valid.
    """

    state: Any
    checkpoints: Any
    costs: np.ndarray
    counters: np.ndarray
    next_level: np.ndarray
    totals: np.ndarray
    order: np.ndarray
    stop: np.ndarray

    @property
    def calls(self) -> int:
        return int(self.counters[0])

    @property
    def best_cost(self) -> float:
        return float(self.costs.min())


class Limits(NamedTuple):
    """Limits of one call of :func:`advance`.

    Attributes
    ----------
    calls : float
        At most this many optimiser calls.
    seconds, iterations : float
        No further call begins after this much CPU time, or this many iterations.
    target : float
        No further call begins once the best cost is at most this.
    """

    calls: float
    seconds: float = math.inf
    iterations: float = math.inf
    target: float = -math.inf


for _kind in (Search, Schedule, Rows):
    by_reference(_kind)


def start(problem, schedule: Schedule, rng: np.random.Generator) -> Search:
    """Return a search before its first call, without a configuration and with cost +∞.

    The generator is not used yet. Pass the same generator to :func:`advance`.
    """
    m = schedule.n_levels
    state = allocate(problem)
    return Search(
        copied(state, zeros),
        stack(state, m),
        np.full(m + 1, np.inf),
        np.zeros(m + 1, np.int64),
        np.array([m], np.int64),
        np.zeros(2),
        np.arange(n_variables(problem), dtype=np.int64),
        np.zeros(1, np.uint8),
    )


def copy_search(search: Search) -> Search:
    """Return an independent copy of a search."""
    state, checkpoints, *arrays, stop = search
    arrays = [array.copy() for array in arrays]
    return Search._make([copied(state), copied(checkpoints), *arrays, np.zeros_like(stop)])


def copied(state: Any, room: Callable = np.zeros) -> Any:
    """Return a copy of a state with empty working space (``WORKSPACE`` of its type).

    ``room(shape, dtype)`` allocates its arrays.
    """
    copy = map_arrays(lambda array: room(array.shape, array.dtype), state)
    copy_arrays(copy, state)
    return copy


def best_state(search: Search):
    """Return the best configuration found so far, as an independent state.

    It is x or one of the checkpoints, because every level passes its best configuration to the
    level above.
    """
    level = int(np.argmin(search.costs))
    return copied(search.state if level == 0 else row(search.checkpoints, level - 1))


@helper
def finished(schedule: Schedule, search: Search) -> bool:
    """Return True when the top level has made all its M_m reinitialisations."""
    m = len(schedule.sizes)
    return schedule.repeats[m - 1] != NO_LIMIT and search.counters[m] >= schedule.repeats[m - 1]


@helper
def checkpoint_and_redraw(problem, schedule, search, rng, level) -> int:
    """Begin a redraw on ``level``: x_0 ← x, then redraw k_l variables; return their number."""
    costs = search.costs
    copy_state(problem, row(search.checkpoints, level - 1), search.state)
    costs[level] = costs[0]

    redraw = Redraw(
        schedule.sizes[level - 1], schedule.probabilities[level - 1], schedule.subsets[level - 1]
    )
    restore_order(search.order)
    size = select(problem, search.state, redraw, rng, search.order)
    reinitialise(problem, search.state, search.order[:size], schedule.alphas[level - 1], rng)
    if level > 1:  # this configuration becomes the checkpoint of the level below
        costs[0] = cost(problem, search.state)
    return size


@helper
def keep_or_revert(problem, schedule, search, level) -> bool:
    """End a redraw on ``level``: revert to x_0 if x is worse; return True if x is kept."""
    costs, counters = search.costs, search.counters
    kept = costs[0] <= costs[level]
    if not kept:
        copy_state(problem, search.state, row(search.checkpoints, level - 1))
        costs[0] = costs[level]
    counters[level] += 1
    return kept


@helper
def next_outermost(schedule, search, level) -> bool:
    """Set the level of the next redraw; return True if a redraw on the level above ends too."""
    m = len(schedule.sizes)
    if level < m and search.counters[level] >= schedule.repeats[level - 1]:
        search.counters[level] = 0
        return True
    search.next_level[0] = level
    return False


@driver
def advance(problem, schedule, search, rng, rows, limits):
    """Run the search, in place, up to its limits.

    Parameters
    ----------
    problem, schedule, search, rng
        See :func:`start`. The rows do not depend on how a run is divided into calls of this
        function.
    rows : Rows
        Output, from its first row on; it must have space for all calls (:func:`rows_for`).
    limits : Limits

    Returns
    -------
    int
        Number of rows written.
    """
    N = len(search.order)
    costs = search.costs
    iterations_before, seconds_before = search.totals
    watch = np.full(3, -np.inf)
    began = look(watch)
    n_rows = 0
    n_redrawn = 0
    while n_rows < limits.calls and not finished(schedule, search):
        rows.kept[n_rows, :] = UNDECIDED
        rows.counts[n_rows, :] = 0
        rows.level[n_rows] = search.next_level[0]
        for level in range(search.next_level[0], 0, -1):
            size = checkpoint_and_redraw(problem, schedule, search, rng, level)
            rows.counts[n_rows, level - 1] = size
            if size < N:
                for i in range(size):
                    rows.redrawn[n_redrawn + i] = search.order[i]
                n_redrawn += size

        costs[0], iterations = optimise(problem, search.state, rng, search.stop)
        if asked_to(search.stop):
            costs[0] = np.inf
            break
        rows.cost[n_rows] = costs[0]
        rows.best[n_rows] = costs.min()
        rows.iterations[n_rows] = iterations

        level = 0
        closing = True
        while closing:
            level += 1
            kept = keep_or_revert(problem, schedule, search, level)
            rows.kept[n_rows, level - 1] = KEPT if kept else REVERTED
            closing = next_outermost(schedule, search, level)

        search.counters[0] += 1
        search.totals[0] += iterations
        seconds = look(watch) - began
        search.totals[1] = seconds_before + seconds
        rows.seconds[n_rows] = search.totals[1]
        n_rows += 1
        if seconds >= limits.seconds or rows.best[n_rows - 1] <= limits.target:
            break
        if search.totals[0] - iterations_before >= limits.iterations:
            break
    return n_rows


@driver
def redraw_level(problem, schedule, search, rng, level):
    """Run one step of :func:`advance`: begin a redraw on ``level``."""
    return checkpoint_and_redraw(problem, schedule, search, rng, level)


@driver
def iterate_on(problem, search, rng, most):
    """Run some steps of :func:`advance`: up to ``most`` iterations of the optimiser.

    Return their number, and True if the optimiser has converged. The cost is computed only once, at
    the end.
    """
    made, converged = 0, False
    while made < most and not converged:
        converged = iterate(problem, search.state, rng)
        made += 1
    search.costs[0] = cost(problem, search.state)
    return made, converged


@driver
def close_level(problem, schedule, search, level):
    """Run one step of :func:`advance`: keep or revert on ``level``.

    Return two booleans: whether x was kept, and whether a redraw on the level above ends too.
    """
    kept = keep_or_revert(problem, schedule, search, level)
    return kept, next_outermost(schedule, search, level)


def rows_for(schedule: Schedule, n_rows: int) -> Rows:
    """Return rows with space for ``n_rows`` calls of ``schedule``, whatever their levels."""
    m = schedule.n_levels
    sizes = np.where(np.isnan(schedule.probabilities), schedule.sizes, schedule.sizes[-1])
    return empty_rows(n_rows, m, n_rows * int(sizes[:-1].sum()))
