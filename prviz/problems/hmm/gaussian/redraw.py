"""Redraw hidden states with Gaussian emissions, by equation (1).

A new mean is a random observation, like Forgy's seeds in k-means. A new covariance is diagonal: the
variances of the columns, times one uniform number from 0 to 1.
"""

from __future__ import annotations

import numpy as np

from ....engine.dispatch import helper
from ..states.stochastic import mix_entries, mix_row


@helper
def redraw_states(problem, state, chosen, alpha, rng) -> None:
    """Redraw each chosen state: its row and column of A, entry of π, mean and covariance.

    Parameters
    ----------
    chosen : (k,) int64
    alpha : float
        Equation (1): the share of the old values.
    """
    N, d = state.means.shape
    redrawn = np.zeros(N, np.bool_)
    for i in chosen:
        redrawn[i] = True
    for i in range(N):
        if redrawn[i]:
            mix_row(state.transition[i], alpha, rng)
            t, width = rng.integers(0, len(problem.series)), 1.0 - rng.random()
            for c in range(d):
                fresh = problem.series[t, c]
                state.means[i, c] = _mix(state.means[i, c], fresh, alpha)
            for r in range(problem.covariance_rows):
                for c in range(d):
                    fresh = 0.0
                    if problem.covariance_rows == 1 or r == c:
                        fresh = max(width * problem.variances[c], problem.floor[c])
                    state.covars[i, r, c] = _mix(state.covars[i, r, c], fresh, alpha)
        else:
            mix_entries(state.transition[i], chosen, alpha, rng)
    if len(chosen) == N:
        mix_row(state.start, alpha, rng)
    else:
        mix_entries(state.start, chosen, alpha, rng)


@helper
def _mix(old, fresh, alpha) -> float:
    return fresh if alpha == 0.0 else alpha * old + (1.0 - alpha) * fresh
