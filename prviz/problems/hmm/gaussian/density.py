"""Densities of all observations in all states, eight states at a time."""

from __future__ import annotations

import numpy as np

from ....engine.dispatch import borrowing
from ....engine.simd.functions import HIGHEST, LOWEST, exponential_within, ln
from ....engine.simd.simd8 import WIDTH, larger, largest, limit, load, spread, store
from .covariance import factorise, invert

HALF_LN_2_PI = 0.9189385332046727
#: Log density in unused columns.
NEVER = -1e300


@borrowing
def prepare(problem, state) -> None:
    """Copy the model to working space, with states as columns."""
    N, d = state.means.shape
    W = len(state.constant)
    for i in range(N):
        for j in range(N):
            state.rows[i, j] = state.columns[j, i] = state.transition[i, j]
    state.factor[:, N:] = 0.0
    for j in range(N, W):
        state.starts[j], state.constant[j] = 0.0, NEVER
    for j in range(N):
        state.starts[j] = state.start[j]
        for c in range(d):
            state.location[c, j] = state.means[j, c]
        state.constant[j] = -HALF_LN_2_PI * d
        if problem.covariance_rows == 1:
            for c in range(d):
                variance = state.covars[j, 0, c]
                state.factor[c, j] = 1.0 / np.sqrt(variance)
                state.constant[j] -= 0.5 * ln(variance)
        else:
            factorise(state.covars[j], state.lower, 0.0)
            invert(state.lower, state.square)
            for a in range(d):
                for b in range(a + 1):
                    state.factor[a * d + b, j] = state.square[a, b]
                state.constant[j] -= ln(state.lower[a, a])


@borrowing
def log_densities(problem, state, t) -> float:
    """Write the log densities of observation t; return the largest."""
    x, now = problem.series[t], state.density[t]
    d = len(x)
    most = spread(NEVER)
    for q in range(0, len(now), WIDTH):
        squares = spread(0.0)
        for a in range(d):
            if problem.covariance_rows == 1:
                z = (x[a] - load(state.location[a], q)) * load(state.factor[a], q)
            else:
                z = spread(0.0)
                for b in range(a + 1):
                    deviation = x[b] - load(state.location[b], q)
                    z = z + deviation * load(state.factor[a * d + b], q)
            squares = squares + z * z
        logarithms = load(state.constant, q) - 0.5 * squares
        store(now, q, logarithms)
        most = larger(most, logarithms)
    return largest(most)


@borrowing
def densities(problem, state) -> None:
    """Write the densities of all observations, divided by the largest of each observation."""
    for t in range(len(problem.series)):
        shift = log_densities(problem, state, t)
        state.shift[t] = shift
        now = state.density[t]
        for q in range(0, len(now), WIDTH):
            store(now, q, exponential_within(limit(load(now, q) - shift, LOWEST, HIGHEST)))
