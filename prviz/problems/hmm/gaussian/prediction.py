"""Predict with a trained model: posterior probabilities, and the likeliest path."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....engine.dispatch import driver, helper
from ....engine.simd.functions import ln
from .density import log_densities, prepare
from .model import GaussianHMM, GaussianHMMState, empty_state
from .passes import backward, forward


def held(
    series: np.ndarray,
    lengths: np.ndarray,
    start: Any,
    transition: Any,
    weights: Any,
    means: Any,
    covars: Any,
) -> tuple[GaussianHMM, GaussianHMMState]:
    """Return a problem with the given series, and a state with the given model.

    Parameters
    ----------
    series : (T, d) float64
    lengths : (s,) int64
    start : (N,), transition : (N, N)
    weights : (N, M), means : (N, M, d), covars : (N, M, 1, d) or (N, M, d, d)
    """
    N, M, rows, d = np.shape(covars)
    ones = np.ones(d)
    data = np.ascontiguousarray(series), N, M, rows
    problem = GaussianHMM(*data, ones, ones, 0.0, 1, lengths, np.ones(len(lengths)))
    state = empty_state(problem)
    state.start[:], state.transition[:] = start, transition
    if M > 1:
        state.weights[:] = weights
    state.means[:], state.covars[:] = np.reshape(means, (N, -1)), np.reshape(covars, (N, -1, d))
    return problem, state


@driver
def posteriors(problem, state) -> float:
    """Write P(state at t | sequence) to ``state.ahead``; return the log-likelihood."""
    log_likelihood = forward(problem, state)
    if log_likelihood > -np.inf:
        backward(problem, state)
    return log_likelihood


@driver
def most_probable_path(problem, state):
    """Return the log density of the most probable path (Viterbi 1967), and the path.

    Ties go to the state with the lowest number.

    Returns
    -------
    log_density : float
        Joint log density of paths and sequences.
    path : (T,) int64
    """
    prepare(problem, state)
    T, N = len(problem.series), len(state.start)
    before, path = np.zeros((T, N), np.int64), np.zeros(T, np.int64)
    steps, first = _logarithms(state.transition), _logarithms(state.start.reshape(1, N))[0]
    log_density, begin = 0.0, 0
    for k in range(len(problem.lengths)):
        end = begin + problem.lengths[k]
        best = first.copy()
        for t in range(begin, end):
            log_densities(problem, state, t)
            if t > begin:
                best = _onward(best, steps, before[t])
            for j in range(N):
                best[j] += state.density[t, j]
        for j in range(N):
            if best[j] > best[path[end - 1]]:
                path[end - 1] = j
        log_density += best[path[end - 1]]
        for t in range(end - 1, begin, -1):
            path[t - 1] = before[t, path[t]]
        begin = end
    return log_density, path


@helper
def _onward(best, steps, before):
    """Return the best log density of a path to each state; write predecessors to ``before``."""
    N = len(best)
    reached = np.full(N, -np.inf)
    for i in range(N):
        for j in range(N):
            if best[i] + steps[i, j] > reached[j]:
                reached[j] = best[i] + steps[i, j]
                before[j] = i
    return reached


@helper
def _logarithms(matrix):
    result = np.full(matrix.shape, -np.inf)
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            result[i, j] = ln(matrix[i, j])
    return result
