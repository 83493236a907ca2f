"""Compute the densities of all observations in all states, eight states at a time."""

from __future__ import annotations

import numpy as np

from ....engine.dispatch import borrowing
from ....engine.simd.functions import (
    HIGHEST,
    LOWEST,
    exponential,
    exponential_within,
    ln,
    logarithm,
)
from ....engine.simd.simd8 import WIDTH, larger, largest, limit, load, spread, store
from .covariance import factorise, invert

HALF_LN_2_PI = 0.9189385332046727
#: Log density in unused columns.
NEVER = -1e300


@borrowing
def prepare(problem, state) -> None:
    """Copy the model to working space, with states as columns."""
    N, W = len(state.start), len(state.starts)
    for i in range(N):
        for j in range(N):
            state.rows[i, j] = state.columns[j, i] = state.transition[i, j]
    for j in range(W):
        state.starts[j] = state.start[j] if j < N else 0.0
    state.factor[:, :] = 0.0
    state.constant[:] = NEVER
    for j in range(N):
        for m in range(problem.n_mix):
            _prepare_component(problem, state, j, m)


@borrowing
def _prepare_component(problem, state, j, m) -> None:
    d, rows, p = problem.series.shape[1], problem.covariance_rows, m * len(state.starts) + j
    covars = state.covars[j, m * rows : (m + 1) * rows]
    for c in range(d):
        state.location[c, p] = state.means[j, m * d + c]
    state.constant[p] = -HALF_LN_2_PI * d
    if problem.n_mix > 1:
        state.constant[p] += max(ln(state.weights[j, m]), NEVER)
    if rows == 1:
        for c in range(d):
            state.factor[c, p] = 1.0 / np.sqrt(covars[0, c])
            state.constant[p] -= 0.5 * ln(covars[0, c])
    else:
        factorise(covars, state.lower, 0.0)
        invert(state.lower, state.square)
        for a in range(d):
            for b in range(a + 1):
                state.factor[a * d + b, p] = state.square[a, b]
            state.constant[p] -= ln(state.lower[a, a])


@borrowing
def log_densities(problem, state, t) -> float:
    """Store observation t's log densities and component shares; return the largest log density."""
    x, now, shares = problem.series[t], state.density[t], state.shares[t]
    d, W, diagonal = len(x), len(now), problem.covariance_rows == 1
    most = spread(NEVER)
    for q in range(0, W, WIDTH):
        logarithms = spread(NEVER)
        for p in range(q, len(state.constant), W):
            squares = spread(0.0)
            for a in range(d):
                if diagonal:
                    z = (x[a] - load(state.location[a], p)) * load(state.factor[a], p)
                else:
                    z = spread(0.0)
                    for b in range(a + 1):
                        deviation = x[b] - load(state.location[b], p)
                        z = z + deviation * load(state.factor[a * d + b], p)
                squares = squares + z * z
            each = load(state.constant, p) - 0.5 * squares
            logarithms = larger(logarithms, each)
            if len(shares):
                store(shares, p, each)
        if len(shares):
            sums = spread(0.0)
            for p in range(q, len(shares), W):
                each = exponential(load(shares, p) - logarithms)
                store(shares, p, each)
                sums = sums + each
            for p in range(q, len(shares), W):
                store(shares, p, load(shares, p) / sums)
            logarithms = logarithms + logarithm(sums)
        store(now, q, logarithms)
        most = larger(most, logarithms)
    return largest(most)


@borrowing
def densities(problem, state) -> None:
    """Write the densities of all observations, divided by each observation's largest density."""
    for t in range(len(problem.series)):
        shift = log_densities(problem, state, t)
        state.shift[t] = shift
        now = state.density[t]
        for q in range(0, len(now), WIDTH):
            store(now, q, exponential_within(limit(load(now, q) - shift, LOWEST, HIGHEST)))
