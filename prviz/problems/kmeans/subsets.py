"""Choose the k-means centres to redraw, and their destinations.

``"neighbours"``
    A random centre and the centres nearest to it. With k_1 = 1, this equals "random". Source:
    Taillard, Heuristic methods for large centroid clustering problems, Journal of Heuristics 9
    (2003), who optimises a random centre together with the centres around it.
``"tournament"``
    Of five random centres, take the one that is cheapest to merge with another centre, and move it
    to the worst represented of five random points. Source: Fritzke, The LBG-U method for vector
    quantization, Neural Processing Letters 5 (1997), who moves the least useful centre to where the
    error is largest. The cost of a merger follows Ward, Journal of the American Statistical
    Association 58 (1963). The random tournaments are prviz's addition.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing, helper
from ...engine.subsets import exchange, heuristic, random_subset
from .seeding import random_point

SUBSETS = ("random", "neighbours", "tournament")
NEIGHBOURS, TOURNAMENT = map(heuristic, SUBSETS[1:])

#: A tournament moves the cheapest of ``CENTERS`` random centres to the worst represented of
#: ``POINTS`` random points.
CENTERS = 5
POINTS = 5


@borrowing
def squared_distance(a, i, b, j) -> float:
    """Return the squared distance between row i of ``a`` and row j of ``b``."""
    total = 0.0
    for axis in range(a.shape[1]):
        difference = a[i, axis] - b[j, axis]
        total += difference * difference
    return total


@helper
def choose(points, weights, centers, labels, counts, destinations, redraw, rng, order) -> int:
    """Choose the centres to redraw; with "tournament", also store the destination of each.

    Other heuristics move a centre to a random point. If all k centres are redrawn, all heuristics
    move them to random points.

    Parameters
    ----------
    points : (n, d), weights : (n,) or (0,), centers : (k, d)
    labels : (n,), counts : (k,)
        Nearest centre of each point, and number of points of each centre.
    destinations : (k,)
        Output: the destinations of the chosen centres.
    redraw, rng, order
        See :func:`prviz.engine.subsets.random_subset`.
    """
    size = random_subset(redraw, rng, order)
    if size < len(order):
        if redraw.subset == NEIGHBOURS:
            _neighbours(centers, size, rng, order)
        elif redraw.subset == TOURNAMENT:
            masses = _masses(weights, labels, counts)
            for i in range(size):
                _remove_cheap(centers, masses, i, rng, order)
                destinations[order[i]] = _missed_point(points, weights, centers, labels, rng)
    return size


@helper
def _masses(weights, labels, counts):
    """Return the total weight of each centre's points."""
    if len(weights) == 0:
        return counts.astype(np.float64)
    masses = np.zeros(len(counts))
    for i in range(len(labels)):
        masses[labels[i]] += weights[i]
    return masses


@helper
def _neighbours(centers, size, rng, order) -> None:
    """Move a random centre and the centres nearest to it to the front of ``order``."""
    exchange(order, 0, rng.integers(0, len(order)))
    for i in range(1, size):
        nearest, least = i, np.inf
        for other in range(i, len(order)):
            distance = squared_distance(centers, order[0], centers, order[other])
            if distance < least:
                nearest, least = other, distance
        exchange(order, i, nearest)


@helper
def _remove_cheap(centers, masses, i, rng, order) -> None:
    """Draw a few centres of ``order[i:]``; put the one with the cheapest merger at position i."""
    cheapest, least = i, np.inf
    for _ in range(CENTERS):
        candidate = rng.integers(i, len(order))
        price = _merger(centers, masses, order[i:], order[candidate])
        if price < least:
            cheapest, least = candidate, price
    exchange(order, i, cheapest)


@helper
def _merger(centers, masses, others, j) -> float:
    """Return the least WCSS added by merging centre j with another centre (Ward 1963).

    Merging with a centre without points would cost nothing, so only centres with points count.
    """
    least = np.inf
    for other in others:
        if other != j and masses[other] > 0:
            weight = masses[j] * masses[other] / (masses[j] + masses[other])
            least = min(least, weight * squared_distance(centers, j, centers, other))
    return least


@helper
def _missed_point(points, weights, centers, labels, rng) -> int:
    """Draw a few random points; return the point that is farthest from its centre."""
    farthest, most = 0, -1.0
    for _ in range(POINTS):
        point = random_point(len(points), weights, rng)
        distance = squared_distance(points, point, centers, labels[point])
        if distance > most:
            farthest, most = point, distance
    return farthest
