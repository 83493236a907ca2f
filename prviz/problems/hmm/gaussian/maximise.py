"""The M-step: compute means, covariances and probabilities from expected counts."""

from __future__ import annotations

from ....engine.dispatch import borrowing, inlined
from ....engine.simd.simd8 import WIDTH, load, store
from ....engine.simd.sums import sum_of
from .covariance import raise_to_floor

#: A state or component with fewer expected visits keeps its parameters.
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
    if problem.n_mix > 1:
        _update_weights(problem, state)
    _update_covariances(problem, state)


@borrowing
def _normalise(counts, row) -> None:
    """Set row ← counts divided by their sum, unless the state is hardly visited."""
    sums = sum_of(counts, 0, len(row))
    if sums > RARE:
        for j in range(len(row)):
            row[j] = counts[j] / sums


@inlined
def _visits(chances, shares, q, p):
    """Return the posterior probabilities of components p … p + 7 in states q … q + 7."""
    return load(chances, q) * load(shares, p) if len(shares) else load(chances, q)


@borrowing
def _update_means(problem, state) -> None:
    N, W, d = len(state.start), len(state.starts), problem.series.shape[1]
    state.totals[:] = 0.0
    state.deviations[:, :] = 0.0
    for t in range(len(problem.series)):
        x, chances, shares = problem.series[t], state.ahead[t], state.shares[t]
        for first in range(0, len(state.totals), W):
            for q in range(0, W, WIDTH):
                p, visit = first + q, _visits(chances, shares, q, first + q)
                store(state.totals, p, load(state.totals, p) + visit)
                for c in range(d):
                    sums = state.deviations[c]
                    deviation = x[c] - load(state.location[c], p)
                    store(sums, p, load(sums, p) + visit * deviation)
    for j in range(N):
        for m in range(problem.n_mix):
            p = m * W + j
            if state.totals[p] > RARE:
                for c in range(d):
                    state.means[j, m * d + c] += state.deviations[c, p] / state.totals[p]
            for c in range(d):
                state.location[c, p] = state.means[j, m * d + c]


@borrowing
def _update_weights(problem, state) -> None:
    W = len(state.starts)
    for j in range(len(state.start)):
        sums = 0.0
        for m in range(problem.n_mix):
            sums += state.totals[m * W + j]
        if sums > RARE:
            for m in range(problem.n_mix):
                state.weights[j, m] = state.totals[m * W + j] / sums


@borrowing
def _update_covariances(problem, state) -> None:
    N, W, d = len(state.start), len(state.starts), problem.series.shape[1]
    diagonal = problem.covariance_rows == 1
    state.moments[:, :] = 0.0
    for t in range(len(problem.series)):
        x, chances, shares = problem.series[t], state.ahead[t], state.shares[t]
        for first in range(0, len(state.totals), W):
            for q in range(0, W, WIDTH):
                p, visit = first + q, _visits(chances, shares, q, first + q)
                for a in range(d):
                    deviation = x[a] - load(state.location[a], p)
                    weighted = visit * deviation
                    if diagonal:
                        sums = state.moments[a]
                        store(sums, p, load(sums, p) + weighted * deviation)
                        continue
                    for b in range(a + 1):
                        sums = state.moments[a * d + b]
                        other = x[b] - load(state.location[b], p)
                        store(sums, p, load(sums, p) + weighted * other)
    for j in range(N):
        for m in range(problem.n_mix):
            if state.totals[m * W + j] > RARE:
                _update_covariance(problem, state, j, m)


@borrowing
def _update_covariance(problem, state, j, m) -> None:
    d, rows, p = problem.series.shape[1], problem.covariance_rows, m * len(state.starts) + j
    visits, covars = state.totals[p], state.covars[j, m * rows : (m + 1) * rows]
    if rows == 1:
        for c in range(d):
            covars[0, c] = max(state.moments[c, p] / visits, problem.floor[c])
        return
    for a in range(d):
        for b in range(a + 1):
            covars[a, b] = covars[b, a] = state.moments[a * d + b, p] / visits
    raise_to_floor(covars, problem.floor, state.square, state.lower, state.turned)
