"""Redraw hidden states with Gaussian emissions, by equation (1).

A new mean is a random observation, like Forgy's seeds in k-means. A new covariance is diagonal: the
variances of the columns, times one uniform number from 0 to 1. In a mixture, each component is
redrawn in this way, and the new weights are uniform on the simplex.
"""

from __future__ import annotations

import numpy as np

from ....engine.dispatch import helper
from ..states.stochastic import mix_entries, mix_row


@helper
def redraw_states(problem, state, chosen, alpha, rng) -> None:
    """Redraw each chosen state: its row and column of A, its entry of π, and its density.

    Parameters
    ----------
    chosen : (k,) int64
    alpha : float
        Equation (1): the share of the old values.
    """
    N = len(state.start)
    redrawn = np.zeros(N, np.bool_)
    for i in chosen:
        redrawn[i] = True
    for i in range(N):
        if redrawn[i]:
            mix_row(state.transition[i], alpha, rng)
            for m in range(problem.n_mix):
                _redraw_component(problem, state, i, m, alpha, rng)
            if problem.n_mix > 1:
                mix_row(state.weights[i], alpha, rng)
        else:
            mix_entries(state.transition[i], chosen, alpha, rng)
    if len(chosen) == N:
        mix_row(state.start, alpha, rng)
    else:
        mix_entries(state.start, chosen, alpha, rng)


@helper
def _redraw_component(problem, state, i, m, alpha, rng) -> None:
    d, rows = problem.series.shape[1], problem.covariance_rows
    t, width = _random_step(problem, rng), 1.0 - rng.random()
    means, covars = state.means[i, m * d : (m + 1) * d], state.covars[i, m * rows : (m + 1) * rows]
    for c in range(d):
        means[c] = _mix(means[c], problem.series[t, c], alpha)
        for r in range(rows):
            fresh = 0.0
            if rows == 1 or r == c:
                fresh = max(width * problem.variances[c], problem.floor[c])
            covars[r, c] = _mix(covars[r, c], fresh, alpha)


@helper
def _random_step(problem, rng) -> int:
    """Return the number of a random observation, with probability proportional to its weight."""
    T, lengths, weights = len(problem.series), problem.lengths, problem.weights
    even, total = True, 0.0
    for k in range(len(weights)):
        even = even and weights[k] == weights[0]
        total += weights[k] * lengths[k]
    if even:
        return rng.integers(0, T)
    left, end = rng.random() * total, 0
    for k in range(len(weights)):
        end += lengths[k]
        if left < weights[k] * lengths[k]:
            return min(end - lengths[k] + int(left / weights[k]), end - 1)
        left -= weights[k] * lengths[k]
    return T - 1


@helper
def _mix(old, fresh, alpha) -> float:
    return fresh if alpha == 0.0 else alpha * old + (1.0 - alpha) * fresh
