"""Search k-medoids as in a textbook: the reference for the incremental implementation.

Every iteration assigns all points again. A medoid belongs to itself; any other point belongs to the
nearest medoid, and ties go to the lowest number. Only the loops over points are compiled, because
compiling a whole search would take longer than the tests.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import prviz
from prviz.engine import kernels
from prviz.engine.dispatch import driver, helper
from prviz.engine.subsets import ANYWHERE
from prviz.problems.kmedoids.subsets import SUBSETS, choose, move
from prviz.problems.kmedoids.swap import ROUNDING


class PlainKMedoids(NamedTuple):
    """k-medoids with a textbook search; see :class:`prviz.problems.kmedoids.problem.KMedoids`.

    Attributes
    ----------
    dissimilarity : (n, n) float32 or float64
        Entry [i, m] is the cost of representing point i by point m.
    k : int
    swap : bool
        Exchange medoids one by one, instead of alternating.
    neighbours : (n, L) int32
        Row i: the points that represent point i best, for the sub-sets "local".
    """

    dissimilarity: np.ndarray
    k: int
    swap: bool
    neighbours: np.ndarray


class PlainKMedoidsState(NamedTuple):
    """Configuration and workspace.

    ``medoids`` (k,); ``labels`` (n,); ``distances`` (n,) from the medoids; ``destinations`` (k,) of
    redrawn medoids; ``cursor`` (1,): the next point to try as a medoid.
    """

    VARIABLES = ("medoids",)
    CACHES = ("cursor",)

    medoids: np.ndarray
    labels: np.ndarray
    distances: np.ndarray
    destinations: np.ndarray
    cursor: np.ndarray


def plain_kmedoids(*args, **settings) -> PlainKMedoids:
    """Return the problem of ``prviz.kmedoids``, searched by the textbook algorithms."""
    made = prviz.kmedoids(*args, **settings)
    return PlainKMedoids(made.by_point, made.k, made.swap, made.neighbours)


@kernels.allocate.register
def _allocate(problem: PlainKMedoids) -> PlainKMedoidsState:
    n, dtype = len(problem.dissimilarity), problem.dissimilarity.dtype
    return PlainKMedoidsState(
        np.arange(problem.k),
        np.zeros(n, np.int32),
        np.zeros(n, dtype),
        np.full(problem.k, ANYWHERE),
        np.zeros(1, np.int64),
    )


@kernels.n_variables.register
def _n_variables(problem: PlainKMedoids) -> int:
    return problem.k


@driver
def assign(dissimilarity, medoids, labels, distances) -> float:
    """Label every point with its medoid; return the sum of the distances."""
    total = 0.0
    for i in range(len(labels)):
        distances[i] = np.inf
        for j in range(len(medoids)):
            if dissimilarity[i, medoids[j]] < distances[i]:
                distances[i] = dissimilarity[i, medoids[j]]
                labels[i] = j
        for j in range(len(medoids)):
            if medoids[j] == i:
                labels[i] = j
        total += np.float64(distances[i])
    return total


@helper
def best_in_cluster(dissimilarity, medoids, labels, j) -> int:
    """Return the member of cluster j with the lowest sum of distances; the medoid wins ties."""
    best = medoids[j]
    least = _sum_from(dissimilarity, labels, j, best)
    for m in range(len(labels)):
        if labels[m] == j:
            total = _sum_from(dissimilarity, labels, j, m)
            if total < least:
                best, least = m, total
    return best


@helper
def _sum_from(dissimilarity, labels, j, m) -> float:
    total = 0.0
    for i in range(len(labels)):
        if labels[i] == j:
            total += np.float64(dissimilarity[i, m])
    return total


@driver
def alternate(dissimilarity, medoids, labels) -> bool:
    """Move every medoid to the best member of its cluster; return True if any moved."""
    moved = False
    for j in range(len(medoids)):
        best = best_in_cluster(dissimilarity, medoids, labels, j)
        moved |= best != medoids[j]
        medoids[j] = best
    return moved


@helper
def exchanged(dissimilarity, medoids, j, candidate) -> float:
    """Return the cost with medoid j at point ``candidate``."""
    total = 0.0
    for i in range(len(dissimilarity)):
        distance = dissimilarity[i, candidate]
        for other in range(len(medoids)):
            if other != j:
                distance = min(distance, dissimilarity[i, medoids[other]])
        total += np.float64(distance)
    return total


@driver
def swap(dissimilarity, medoids, labels, cursor, cost) -> bool:
    """Make the first improving exchange; return True if one exists.

    Points are tried in turn, each in place of the medoid whose exchange gives the lowest cost.
    """
    n = len(dissimilarity)
    for step in range(n):
        candidate = (cursor[0] + step) % n
        if medoids[labels[candidate]] == candidate:
            continue
        least, best = np.inf, 0
        for j in range(len(medoids)):
            total = exchanged(dissimilarity, medoids, j, candidate)
            if total < least:
                least, best = total, j
        if least < cost * (1.0 - ROUNDING):
            medoids[best] = candidate
            cursor[0] = (candidate + 1) % n
            return True
    return False


@kernels.cost.register_python(PlainKMedoids)
def _cost(problem, state):
    return assign(problem.dissimilarity, state.medoids, state.labels, state.distances)


@kernels.subsets.register
def _subsets(problem: PlainKMedoids) -> tuple[str, ...]:
    return SUBSETS


@kernels.select.register_python(PlainKMedoids)
def _select(problem, state, redraw, rng, order):
    return choose(problem.neighbours, state.medoids, state.destinations, redraw, rng, order)


@kernels.reinitialise.register_python(PlainKMedoids)
def _reinitialise(problem, state, chosen, alpha, rng):
    # α does not apply to medoids
    move(len(state.labels), state.medoids, state.destinations, chosen, rng)
    if problem.swap:  # exchanges are tried in turn from a random point on
        state.cursor[0] = rng.integers(0, len(state.labels))


@kernels.iterate.register_python(PlainKMedoids)
def _iterate(problem, state, rng):
    matrix, medoids, labels = problem.dissimilarity, state.medoids, state.labels
    cost = assign(matrix, medoids, labels, state.distances)
    if problem.swap:
        return not swap(matrix, medoids, labels, state.cursor, cost)
    return not alternate(matrix, medoids, labels)
