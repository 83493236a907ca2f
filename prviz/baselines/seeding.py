"""Plain k-means++, compiled, so that its CPU time is comparable with the engine's."""

from __future__ import annotations

import numpy as np

from ..engine.dispatch import driver
from ..engine.simd.sums import sum_of


@driver
def spread_out(columns: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """Sample k points by squared distance from those already chosen; return their indices.

    This is D² seeding with one candidate per centre (Arthur and Vassilvitskii 2007, k-means++: The
    advantages of careful seeding).

    Parameters
    ----------
    columns : (d, n) float64
        The points, one coordinate per row.
    k : int
    rng : Generator

    Returns
    -------
    (k,) int64
    """
    d, n = columns.shape
    chosen = np.zeros(k, np.int64)
    chosen[0] = rng.integers(0, n)
    nearest = np.full(n, np.inf)
    away = np.empty(n)
    for j in range(1, k):
        last = chosen[j - 1]
        away[:] = 0.0
        for axis in range(d):
            coordinates = columns[axis]
            for i in range(n):
                difference = coordinates[i] - coordinates[last]
                away[i] += difference * difference
        for i in range(n):
            nearest[i] = min(nearest[i], away[i])
        threshold = rng.random() * sum_of(nearest, 0, n)
        running = 0.0
        for i in range(n):
            if nearest[i] > 0.0:  # so that rounding errors cannot draw a point twice
                running += nearest[i]
                chosen[j] = i
                if running > threshold:
                    break
    return chosen
