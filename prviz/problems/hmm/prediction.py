"""How well a hidden Markov model predicts a string, symbol by symbol: for pictures only."""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import driver

NEGLIGIBLE = 1e-6  # states less probable than that are passed over: after a fit, nearly all are


@driver
def predictions(sequence, transition, emission, start):
    """P(x_t | x_0 … x_{t−1}) for every t: the scale c_t of the forward pass, to about 1e-3.

    Parameters
    ----------
    sequence : (T,) int64
    transition : (N, N), emission : (N, K), start : (N,) float64

    Returns
    -------
    (T,) float64
        From the first symbol on that the model can't emit, zeros.
    """
    T, N = len(sequence), len(start)
    chances = np.zeros(T)
    expected = start.copy()  # P(state at t | symbols before t)
    joint = np.empty(N)
    for t in range(T):
        for i in range(N):
            joint[i] = expected[i] * emission[i, sequence[t]]
            chances[t] += joint[i]
            expected[i] = 0.0
        if chances[t] <= 0.0:
            break
        for i in range(N):
            weight = joint[i] / chances[t]
            if weight > NEGLIGIBLE:
                for j in range(N):
                    expected[j] += weight * transition[i, j]
    return chances
