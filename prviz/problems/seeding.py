"""Where k-means centres start: Forgy, the paper's way, and greedy k-means++, the control."""

from __future__ import annotations

import numpy as np

from ..dispatch import helper


@helper
def random_points(n, size, rng, order) -> None:
    """Put ``size`` of 0 … n−1, drawn without replacement, at the front of ``order``.

    ``order`` holds 0 … n−1 in order; put it back with :func:`put_back`.
    """
    for i in range(size):
        j = rng.integers(i, n)
        order[i], order[j] = order[j], order[i]
        order[n + i] = j


@helper
def put_back(n, size, order) -> None:
    """Undo the exchanges of :func:`random_points`, the last one first."""
    for i in range(size - 1, -1, -1):
        j = order[n + i]
        order[i], order[j] = order[j], order[i]


@helper
def forgy(points, centers, chosen, alpha, rng, order) -> None:
    """Move each chosen centre to a random point (Forgy 1965), by 1 − α of the way (equation 1)."""
    n, d = points.shape
    random_points(n, len(chosen), rng, order)
    for i in range(len(chosen)):
        for axis in range(d):
            fresh = points[order[i], axis]
            centers[chosen[i], axis] = alpha * centers[chosen[i], axis] + (1.0 - alpha) * fresh
    put_back(n, len(chosen), order)


@helper
def plus_plus(points, centers, rng) -> None:
    """Greedy k-means++ (Arthur and Vassilvitskii 2007), with 2 + ⌊ln k⌋ trials a centre.

    The first centre is a random point. Each further one is the best of a few points drawn with
    probability proportional to their squared distance from the centres so far.
    """
    n = len(points)
    k = len(centers)
    trials = 2 + int(np.log(k))
    nearest = np.empty(n)
    best_nearest = np.empty(n)
    trial_nearest = np.empty(n)

    first = rng.integers(0, n)
    centers[0] = points[first]
    total = 0.0
    for i in range(n):
        nearest[i] = _squared_distance(points, i, points[first])
        total += nearest[i]
    for j in range(1, k):
        best_total = np.inf
        for _ in range(trials):
            candidate = _proportional(nearest, total, rng)
            trial_total = 0.0
            for i in range(n):
                trial_nearest[i] = min(nearest[i], _squared_distance(points, i, points[candidate]))
                trial_total += trial_nearest[i]
            if trial_total < best_total:
                best_total = trial_total
                centers[j] = points[candidate]
                best_nearest[:] = trial_nearest
        nearest[:] = best_nearest
        total = best_total


@helper
def _squared_distance(points, i, centre) -> float:
    total = 0.0
    for axis in range(len(centre)):
        difference = points[i, axis] - centre[axis]
        total += difference * difference
    return total


@helper
def _proportional(weights, total, rng) -> int:
    threshold = rng.random() * total
    running = 0.0
    for i in range(len(weights)):
        running += weights[i]
        if running > threshold:
            return i
    return len(weights) - 1
