"""The M-step: means and covariances of the states, and probabilities, from expected counts."""

from __future__ import annotations

from ....engine.dispatch import borrowing
from ....engine.simd.simd8 import WIDTH, load, store
from ....engine.simd.sums import sum_of
from .covariance import raise_to_floor

#: A state with a lower expected number of visits does not change.
RARE = 1e-200


@borrowing
def maximise(problem, state) -> None:
    """Turn expected counts into a model."""
    N = len(state.start)
    for i in range(N):
        for j in range(N):
            state.counts[i, j] *= state.rows[i, j]
        _normalise(state.counts[i], state.transition[i])
    _normalise(state.starts, state.start)
    _update_means(problem, state)
    _update_covariances(problem, state)


@borrowing
def _normalise(counts, row) -> None:
    """Set row ← counts divided by their sum, unless the state is hardly visited."""
    sums = sum_of(counts, 0, len(row))
    if sums > RARE:
        for j in range(len(row)):
            row[j] = counts[j] / sums


@borrowing
def _update_means(problem, state) -> None:
    N, d = state.means.shape
    W = len(state.totals)
    state.totals[:] = 0.0
    state.deviations[:, :] = 0.0
    for t in range(len(problem.series)):
        x, visits = problem.series[t], state.ahead[t]
        for q in range(0, W, WIDTH):
            visit = load(visits, q)
            store(state.totals, q, load(state.totals, q) + visit)
            for c in range(d):
                sums = state.deviations[c]
                deviation = x[c] - load(state.location[c], q)
                store(sums, q, load(sums, q) + visit * deviation)
    for j in range(N):
        if state.totals[j] > RARE:
            for c in range(d):
                state.means[j, c] += state.deviations[c, j] / state.totals[j]
    for j in range(N):
        for c in range(d):
            state.location[c, j] = state.means[j, c]


@borrowing
def _update_covariances(problem, state) -> None:
    N, d = state.means.shape
    W, full = len(state.totals), problem.covariance_rows > 1
    state.moments[:, :] = 0.0
    for t in range(len(problem.series)):
        x, visits = problem.series[t], state.ahead[t]
        for q in range(0, W, WIDTH):
            visit = load(visits, q)
            for a in range(d):
                deviation = x[a] - load(state.location[a], q)
                weighted = visit * deviation
                if not full:
                    sums = state.moments[a]
                    store(sums, q, load(sums, q) + weighted * deviation)
                    continue
                for b in range(a + 1):
                    sums = state.moments[a * d + b]
                    other = x[b] - load(state.location[b], q)
                    store(sums, q, load(sums, q) + weighted * other)
    for j in range(N):
        visits = state.totals[j]
        if not visits > RARE:
            continue
        covars = state.covars[j]
        if full:
            for a in range(d):
                for b in range(a + 1):
                    covars[a, b] = covars[b, a] = state.moments[a * d + b, j] / visits
            raise_to_floor(covars, problem.floor, state.square, state.lower, state.turned)
        else:
            for c in range(d):
                covars[0, c] = max(state.moments[c, j] / visits, problem.floor[c])
