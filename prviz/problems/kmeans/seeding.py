"""Choose initial k-means centres by Forgy, as in the paper, or by greedy k-means++."""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing, helper
from ...engine.simd.functions import ln
from ...engine.simd.sums import sum_of
from ...engine.subsets import ANYWHERE
from .distances import squared_distances

#: Number of points whose weights are summed at once.
BLOCK = 64


@helper
def random_points(n, size, rng, order) -> None:
    """Draw ``size`` of the numbers 0 … n−1 without replacement, to the front of ``order``.

    ``order`` must contain 0 … n−1 in order; :func:`put_back` restores it.
    """
    for i in range(size):
        j = rng.integers(i, n)
        order[i], order[j] = order[j], order[i]
        order[n + i] = j


@helper
def put_back(n, size, order) -> None:
    """Undo the swaps of :func:`random_points`, from the last to the first."""
    for i in range(size - 1, -1, -1):
        j = order[n + i]
        order[i], order[j] = order[j], order[i]


@helper
def random_point(n, weights, rng) -> int:
    """Return the number of a random point, with probability proportional to its weight."""
    if len(weights) == 0:
        return rng.integers(0, n)
    return _proportional(weights, rng.random() * sum_of(weights, 0, n))


@helper
def weighted_points(weights, size, rng, order) -> None:
    """Draw points like :func:`random_points`, with probabilities proportional to their weights."""
    n = len(weights)
    left = weights.copy()
    for i in range(size):
        j = i + random_point(n - i, left[i:], rng)
        left[i], left[j] = left[j], left[i]
        order[i], order[j] = order[j], order[i]
        order[n + i] = j


@helper
def redraw_centers(problem, state, chosen, alpha, rng) -> None:
    """Redraw the chosen centres by Forgy, or all k by greedy k-means++ if ``plus_plus`` is set."""
    if problem.plus_plus and len(chosen) == problem.k and alpha == 0.0:
        plus_plus(problem.points, problem.weights, state.centers, rng)
    else:
        forgy(
            problem.points,
            problem.weights,
            state.centers,
            state.destinations,
            chosen,
            alpha,
            rng,
            state.order,
        )


@helper
def forgy(points, weights, centers, destinations, chosen, alpha, rng, order) -> None:
    """Move each chosen centre to a random point (Forgy 1965), by 1 − α of the way (equation 1).

    If a centre has a destination (the number of a point), it moves towards that point instead, and
    the destination is reset.
    """
    n, d = points.shape
    if len(weights) == 0:
        random_points(n, len(chosen), rng, order)
    else:
        weighted_points(weights, len(chosen), rng, order)
    for i in range(len(chosen)):
        j = chosen[i]
        point = order[i] if destinations[j] == ANYWHERE else destinations[j]
        destinations[j] = ANYWHERE
        for axis in range(d):
            centers[j, axis] = alpha * centers[j, axis] + (1.0 - alpha) * points[point, axis]
    put_back(n, len(chosen), order)


@helper
def plus_plus(points, weights, centers, rng) -> None:
    """Choose centres by greedy k-means++ (Arthur and Vassilvitskii 2007).

    The first centre is a random point. Each further centre is the best of 2 + ⌊ln k⌋ random
    points, which are drawn with probability proportional to weight × squared distance from the
    nearest centre.
    """
    n, d = points.shape
    k = len(centers)
    columns = points.T.copy()  # one axis per row, for vector instructions
    trials = 2 + int(ln(float(k)))
    nearest = np.empty((trials + 1, n))  # costs of points: now, and with each candidate
    candidates = np.empty(trials, np.int64)
    now = trials  # row of the costs with the present centres
    nearest[now] = np.inf
    total = np.inf

    candidates[0] = random_point(n, weights, rng)
    for j in range(k):
        tried = trials if j > 0 else 1
        for t in range(tried if j > 0 else 0):  # the first centre is drawn above
            candidates[t] = _proportional(nearest[now], rng.random() * total)
        best, total = 0, np.inf
        for t in range(tried):
            row = nearest[(now + 1 + t) % (trials + 1)]
            squared_distances(columns, 0, n, points, candidates[t], row)
            if len(weights) > 0:
                row *= weights
            for i in range(n):
                row[i] = min(nearest[now, i], row[i])
            trial_total = sum_of(row, 0, n)
            if trial_total < total:
                best, total = t, trial_total
        now = (now + 1 + best) % (trials + 1)
        for axis in range(d):
            centers[j, axis] = columns[axis, candidates[best]]


@borrowing
def _proportional(weights, threshold) -> int:
    """Return the point at which the running sum of ``weights`` passes ``threshold``."""
    running = 0.0
    start = 0
    while start + BLOCK < len(weights):  # sum whole blocks first, which is faster
        block = sum_of(weights, start, BLOCK)
        if running + block > threshold:
            break
        running += block
        start += BLOCK
    for i in range(start, len(weights)):
        running += weights[i]
        if running > threshold:
            return i
    return len(weights) - 1
