"""Generate runs by hand or at random, and summarise them call by call."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st

from prviz.engine.trace import Rows, Trace, best_so_far
from prviz.experiments.runs.improvements import Improvements


def trace_of(costs, iterations) -> Trace:
    """Return a trace with these costs and iterations, 0.1 s per call."""
    n, cost = len(costs), np.array(costs, float)
    return Trace(
        Rows(
            np.ones(n, np.int8), cost, best_so_far(cost), np.array(iterations, np.int32),
            np.arange(1.0, n + 1) / 10, np.ones((n, 1), np.int8), np.full((n, 1), 5, np.int32),
            np.empty(0, np.int32),
        ),
        5,
    )  # fmt: skip


def run_of(costs, end=None, over=False) -> Improvements:
    """Return a run with the improvements {work: cost}; each unit of work is a call of 1 s."""
    work = np.array(list(costs), np.int64)
    end = int(end if end is not None else work[-1])
    best = np.array(list(costs.values()), float)
    return Improvements(work, work, work.astype(float), best, end, end, float(end), over)


#: Random costs and iterations of each call, with few values, so that ties occur.
CALLS = st.lists(st.tuples(st.integers(0, 6), st.integers(1, 4)), min_size=1, max_size=8)
MANY = st.lists(CALLS, min_size=1, max_size=7)


def runs_of(many) -> list[Improvements]:
    return [Improvements.of(trace_of(*zip(*calls, strict=True))) for calls in many]


def cost_after(calls, work) -> float:
    """Return the lowest cost of the calls that end within the given work."""
    least, done = math.inf, 0
    for cost, iterations in calls:
        done += iterations
        if done <= work:
            least = min(least, cost)
    return least


def time_of(calls, target) -> float:
    """Return the work at the end of the first call that reached the target."""
    done = 0
    for cost, iterations in calls:
        done += iterations
        if cost <= target:
            return done
    return math.inf


def end_of(calls) -> int:
    return sum(iterations for _, iterations in calls)
