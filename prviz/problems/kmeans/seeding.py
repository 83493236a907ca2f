"""Where k-means centres start: Forgy, the paper's way, and greedy k-means++, the control."""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing, helper
from ...engine.simd.functions import ln
from ...engine.simd.sums import sum_of
from ...engine.subsets import ANYWHERE

#: Points whose weights are added up at once.
BLOCK = 64


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
def random_point(n, weights, rng) -> int:
    """Number of a random point; a heavier one comes as often as so many lighter ones."""
    if len(weights) == 0:
        return rng.integers(0, n)
    return _proportional(weights, rng.random() * sum_of(weights, 0, n))


@helper
def weighted_points(weights, size, rng, order) -> None:
    """:func:`random_points`, of which a heavier one comes as often as so many lighter ones."""
    n = len(weights)
    left = weights.copy()
    for i in range(size):
        j = i + random_point(n - i, left[i:], rng)
        left[i], left[j] = left[j], left[i]
        order[i], order[j] = order[j], order[i]
        order[n + i] = j


@helper
def redraw_centers(problem, state, chosen, alpha, rng) -> None:
    """Draw the chosen centres afresh: all k by greedy k-means++ if the problem says so, else Forgy.

    ``problem`` and ``state`` may be the plain ones or the incremental ones.
    """
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

    One with a destination, the number of a point, goes there instead, and then has none.
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
    """Greedy k-means++ (Arthur and Vassilvitskii 2007), with 2 + ⌊ln k⌋ trials a centre.

    The first centre is a random point. Each further one is the best of a few points drawn with
    probability proportional to their squared distance from the centres so far, times their weight.
    """
    n, d = points.shape
    k = len(centers)
    columns = points.T.copy()  # a coordinate at a time: that is what vector instructions like
    trials = 2 + int(ln(float(k)))
    nearest = np.full(n, np.inf)
    best_nearest = np.empty(n)
    trial_nearest = np.empty(n)

    best = random_point(n, weights, rng)
    best_total = _nearest_if_added(columns, weights, best, nearest, best_nearest)
    for j in range(k):
        for axis in range(d):
            centers[j, axis] = columns[axis, best]
        nearest, best_nearest = best_nearest, nearest
        total = best_total
        best_total = np.inf
        for _ in range(trials if j + 1 < k else 0):
            candidate = _proportional(nearest, rng.random() * total)
            trial_total = _nearest_if_added(columns, weights, candidate, nearest, trial_nearest)
            if trial_total < best_total:
                best, best_total = candidate, trial_total
                best_nearest, trial_nearest = trial_nearest, best_nearest


@borrowing
def _nearest_if_added(columns, weights, candidate, nearest, out) -> float:
    """Squared distances from the nearest centre if point ``candidate`` were one, each times the
    point's weight; their sum."""
    d, n = columns.shape
    if d == 2 and len(weights) == 0:
        xs, ys = columns[0], columns[1]
        for i in range(n):
            dx = xs[i] - xs[candidate]
            dy = ys[i] - ys[candidate]
            out[i] = min(nearest[i], dx * dx + dy * dy)
    else:
        out[:] = 0.0
        for axis in range(d):
            coordinates = columns[axis]
            for i in range(n):
                difference = coordinates[i] - coordinates[candidate]
                out[i] += difference * difference
        if len(weights) > 0:
            for i in range(n):
                out[i] *= weights[i]
        for i in range(n):
            out[i] = min(nearest[i], out[i])
    return sum_of(out, 0, n)


@borrowing
def _proportional(weights, threshold) -> int:
    """Number of the point at which the running sum of ``weights`` passes ``threshold``."""
    running = 0.0
    start = 0
    while start + BLOCK < len(weights):  # whole blocks first: a running sum is slow
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
