"""Choose a checkpoint for a probe: close to the best cost, but above it.

After a first descent nearly every redraw improves, and at the best known cost no redraw does. In
both cases, a probe cannot show which k is better.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..engine.schedule import Schedule
from ..engine.trace import gap_to
from .traced_search import TracedSearch

NEAR, NEAREST = 0.1, 0.01  # a checkpoint suits a probe if its gap is between these values
SECONDS, MOST_CALLS = 2.0, 100_000  # limits of the search for a checkpoint
STEP_SECONDS = 0.05


class Checkpoint(NamedTuple):
    """The best configuration of a search after a certain call.

    Attributes
    ----------
    state, cost
    calls : int
        Number of calls that the search has made.
    gap : float
        Gap to the best cost, see :func:`~prviz.engine.trace.gap_to`.
    """

    state: Any
    cost: float
    calls: int
    gap: float


def checkpoint(
    problem: Any,
    schedule: Schedule,
    seed: int = 0,
    best_known: float | None = None,
    found: float = math.inf,
    seconds: float = SECONDS,
) -> Checkpoint:
    """Return a search's first checkpoint near the best cost, or else its last one.

    Parameters
    ----------
    problem, schedule, seed
        The search. A first run finds the best cost, and a second run ends at the checkpoint.
    best_known : float or None
        The lowest known cost. The search ends as soon as it is near this cost. If None, the best
        cost of the whole search is used.
    found : float
        The lowest cost that another search found.
    seconds : float
        Limit of the first run in CPU seconds.

    Raises
    ------
    ValueError
        No call of the search finished.
    """
    search = TracedSearch(problem, schedule, seed)
    while not search.finished and search.seconds < seconds and search.calls < MOST_CALLS:
        left = min(STEP_SECONDS, seconds - search.seconds)
        search.step(MOST_CALLS - search.calls, left)
        if best_known is not None and search.calls and _gaps(search, best_known)[-1] <= NEAR:
            break
    if not search.calls:
        raise ValueError(
            "No call of the search finished. Use a smaller problem or a longer budget."
        )
    best = min(found, search.search.best_cost, math.inf if best_known is None else best_known)
    gaps = _gaps(search, best)
    near = np.flatnonzero(gaps <= NEAR)
    calls = int(near[0]) + 1 if len(near) else len(gaps)
    return _at(TracedSearch(problem, schedule, seed), calls, float(gaps[calls - 1]))


def _gaps(search: TracedSearch, best: float) -> np.ndarray:
    costs = search.trace().best
    return gap_to(best, costs, costs[0])


def _at(search: TracedSearch, calls: int, gap: float) -> Checkpoint:
    """Continue a search until it has made this many calls; return the checkpoint."""
    while search.calls < calls:
        search.step(calls - search.calls)
    return Checkpoint(search.best_state(), search.search.best_cost, calls, gap)
