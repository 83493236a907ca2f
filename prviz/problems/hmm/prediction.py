"""Predict with a hidden Markov model: the probability of each symbol, and the likeliest path."""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import driver, helper
from ...engine.simd.functions import ln

NEGLIGIBLE = 1e-6  # states less probable than this are skipped, to save time


@driver
def predictions(sequence, transition, emission, start):
    """Return P(x_t | x_0 … x_{t−1}), accurate to about 1e-3, and the likeliest state, for every t.

    The probabilities are the scales c_t of the forward pass.

    Parameters
    ----------
    sequence : (T,) int64
    transition : (N, N), emission : (N, K), start : (N,) float64

    Returns
    -------
    chances : (T,) float64
        Probabilities; 0 for the first symbol that the model cannot emit, and for later ones.
    states : (T,) int64
        The most probable state at t, given the symbols up to t.
    """
    T, N = len(sequence), len(start)
    chances, states = np.zeros(T), np.zeros(T, np.int64)
    expected = start.copy()  # P(state at t | symbols before t)
    joint = np.empty(N)
    for t in range(T):
        for i in range(N):
            joint[i] = expected[i] * emission[i, sequence[t]]
            chances[t] += joint[i]
            expected[i] = 0.0
            if joint[i] > joint[states[t]]:
                states[t] = i
        if chances[t] <= 0.0:
            break
        for i in range(N):
            weight = joint[i] / chances[t]
            if weight > NEGLIGIBLE:
                for j in range(N):
                    expected[j] += weight * transition[i, j]
    return chances, states


@driver
def most_probable_path(sequence, transition, emission, start):
    """Return the log probability of the most probable path (Viterbi 1967), and the path.

    Ties go to the state with the lowest number.

    Parameters
    ----------
    sequence : (T,) int64
    transition : (N, N), emission : (N, K), start : (N,) float64

    Returns
    -------
    log_probability : float
        Joint log probability of path and string; −∞ if the model cannot emit the string.
    path : (T,) int64
    """
    T, N = len(sequence), len(start)
    before = np.zeros((T, N), np.int64)  # predecessor on the best path to each state
    steps, emits = _logarithms(transition), _logarithms(emission)
    best = _logarithms(start.reshape(1, N))[0]
    for i in range(N):
        best[i] += emits[i, sequence[0]]
    for t in range(1, T):
        reached = np.full(N, -np.inf)
        for i in range(N):
            for j in range(N):
                if best[i] + steps[i, j] > reached[j]:
                    reached[j] = best[i] + steps[i, j]
                    before[t, j] = i
        for j in range(N):
            best[j] = reached[j] + emits[j, sequence[t]]
    path = np.zeros(T, np.int64)
    for j in range(N):
        if best[j] > best[path[T - 1]]:
            path[T - 1] = j
    log_probability = best[path[T - 1]]
    for t in range(T - 1, 0, -1):
        path[t - 1] = before[t, path[t]]
    return log_probability, path


@helper
def _logarithms(matrix):
    result = np.full(matrix.shape, -np.inf)
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            if matrix[i, j] > 0.0:
                result[i, j] = ln(matrix[i, j])
    return result
