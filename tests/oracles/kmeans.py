"""Run Lloyd as in a textbook: the reference for the incremental implementation.

Every iteration assigns each point to its nearest centre (ties go to the lowest number) and moves
each centre to the mean of its points. A centre without points stays. Only the loops over points are
compiled, because compiling a whole search would take longer than the tests.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import prviz
from prviz.engine import kernels
from prviz.engine.dispatch import driver, helper
from prviz.engine.subsets import ANYWHERE
from prviz.problems.kmeans.seeding import forgy, plus_plus
from prviz.problems.kmeans.subsets import SUBSETS, choose


class PlainKMeans(NamedTuple):
    """k-means searched by plain Lloyd; see :class:`prviz.problems.kmeans.problem.KMeans`.

    Attributes
    ----------
    points : (n, d) float64
    k : int
    plus_plus : bool
        Restart from greedy k-means++ instead of Forgy.
    weights : (n,) or (0,) float64
    """

    points: np.ndarray
    k: int
    plus_plus: bool
    weights: np.ndarray


class PlainKMeansState(NamedTuple):
    """Centres (k, d), labels (n,), targets of redrawn centres (k,), workspace for draws (2 n,)."""

    VARIABLES = ("centers",)
    CACHES = ("order",)

    centers: np.ndarray
    labels: np.ndarray
    destinations: np.ndarray
    order: np.ndarray


def plain_kmeans(*args, **settings) -> PlainKMeans:
    """Return the problem of ``prviz.kmeans``, searched by textbook Lloyd."""
    made = prviz.kmeans(*args, **settings)
    return PlainKMeans(made.points, made.k, made.plus_plus, made.weights)


@kernels.allocate.register
def _allocate(problem: PlainKMeans) -> PlainKMeansState:
    n, d = problem.points.shape
    order = np.zeros(2 * n, np.int64)
    order[:n] = np.arange(n)
    destinations = np.full(problem.k, ANYWHERE)
    return PlainKMeansState(np.zeros((problem.k, d)), np.zeros(n, np.int32), destinations, order)


@kernels.n_variables.register
def _n_variables(problem: PlainKMeans) -> int:
    return problem.k


@helper
def weight(weights, i) -> float:
    return weights[i] if len(weights) > 0 else 1.0


@driver
def assign(points, weights, centers, labels) -> float:
    """Label every point with its nearest centre; return the sum of weighted squared distances."""
    n, d = points.shape
    total = 0.0
    for i in range(n):
        nearest = np.inf
        for j in range(len(centers)):
            distance = 0.0
            for axis in range(d):
                difference = points[i, axis] - centers[j, axis]
                distance += difference * difference
            if distance < nearest:
                nearest = distance
                labels[i] = j
        nearest *= weight(weights, i)
        total += nearest
    return total


@driver
def update(points, weights, centers, labels) -> bool:
    """Move every centre to the mean of its points; return True if any moved."""
    k, d = centers.shape
    sums = np.zeros((k, d))
    counts = np.zeros(k)
    for i in range(len(points)):
        counts[labels[i]] += weight(weights, i)
        for axis in range(d):
            sums[labels[i], axis] += weight(weights, i) * points[i, axis]
    moved = False
    for j in range(k):
        for axis in range(d):
            mean = sums[j, axis] / counts[j] if counts[j] > 0 else centers[j, axis]
            if mean != centers[j, axis]:
                centers[j, axis] = mean
                moved = True
    return moved


@driver
def redraw(points, weights, centers, destinations, chosen, alpha, rng, order) -> None:
    """Draw the chosen centres with prviz's own code, so that both searches use the same numbers."""
    forgy(points, weights, centers, destinations, chosen, alpha, rng, order)


@kernels.cost.register_python(PlainKMeans)
def _cost(problem, state):
    return assign(problem.points, problem.weights, state.centers, state.labels)


@kernels.subsets.register
def _subsets(problem: PlainKMeans) -> tuple[str, ...]:
    return SUBSETS


@kernels.select.register_python(PlainKMeans)
def _select(problem, state, redraw, rng, order):
    counts = np.bincount(state.labels, minlength=problem.k)
    return choose(
        problem.points,
        problem.weights,
        state.centers,
        state.labels,
        counts,
        state.destinations,
        redraw,
        rng,
        order,
    )


@kernels.reinitialise.register_python(PlainKMeans)
def _reinitialise(problem, state, chosen, alpha, rng):
    if problem.plus_plus and len(chosen) == problem.k and alpha == 0.0:
        plus_plus(problem.points, problem.weights, state.centers, rng)
    else:
        redraw(
            problem.points,
            problem.weights,
            state.centers,
            state.destinations,
            chosen,
            alpha,
            rng,
            state.order,
        )


@kernels.iterate.register_python(PlainKMeans)
def _iterate(problem, state, rng):
    assign(problem.points, problem.weights, state.centers, state.labels)
    return not update(problem.points, problem.weights, state.centers, state.labels)
