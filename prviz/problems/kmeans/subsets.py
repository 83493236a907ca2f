"""Which k-means centres to redraw, and where to.

``"neighbours"``
    A random centre and those nearest to it. With k_1 = 1 it is "random". Source: Taillard,
    Heuristic methods for large centroid clustering problems, Journal of Heuristics 9 (2003), who
    optimises a random centre together with those around it.
``"tournament"``
    Remove where it is cheap, put where the error is large: of five random centres the one that
    costs least to merge with another goes to the worst represented of five random points. Source:
    Fritzke, The LBG-U method for vector quantization, Neural Processing Letters 5 (1997), who moves
    the least useful centre to where the error is largest; the price of a merger is that of Ward,
    Journal of the American Statistical Association 58 (1963). The tournaments, which keep it
    random, are ours.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing, helper
from ...engine.subsets import exchange, heuristic, random_subset
from .seeding import random_point

SUBSETS = ("random", "neighbours", "tournament")
NEIGHBOURS, TOURNAMENT = map(heuristic, SUBSETS[1:])

#: "tournament": the random centres of which the cheapest one goes, and the random points of which
#: the worst represented one gets it.
CENTERS = 5
POINTS = 5


@borrowing
def squared_distance(a, i, b, j) -> float:
    """Return it between row i of ``a`` and row j of ``b``."""
    total = 0.0
    for axis in range(a.shape[1]):
        difference = a[i, axis] - b[j, axis]
        total += difference * difference
    return total


@helper
def choose(points, weights, centers, labels, counts, destinations, redraw, rng, order) -> int:
    """Choose the centres to redraw; with "tournament", note the point that each is to go to.

    Of the other two, a centre goes to a random point. All k centres are all k in every heuristic.

    Parameters
    ----------
    points : (n, d), weights : (n,) or (0,), centers : (k, d)
    labels : (n,), counts : (k,)
        Nearest centre of each point, points of each centre.
    destinations : (k,)
        Filled for the chosen centres.
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
    """What the points of each centre weigh."""
    if len(weights) == 0:
        return counts.astype(np.float64)
    masses = np.zeros(len(counts))
    for i in range(len(labels)):
        masses[labels[i]] += weights[i]
    return masses


@helper
def _neighbours(centers, size, rng, order) -> None:
    """Bring a random centre to the front of ``order``, then those nearest to it in turn."""
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
    """Bring the cheapest to merge of a few of the centres in ``order[i:]`` to its front."""
    cheapest, least = i, np.inf
    for _ in range(CENTERS):
        candidate = rng.integers(i, len(order))
        price = _merger(centers, masses, order[i:], order[candidate])
        if price < least:
            cheapest, least = candidate, price
    exchange(order, i, cheapest)


@helper
def _merger(centers, masses, others, j) -> float:
    """What merging centre j with one of the others would add to the WCSS, at least (Ward 1963).

    Others without points don't count: they are themselves the ones to remove.
    """
    least = np.inf
    for other in others:
        if other != j and masses[other] > 0:
            weight = masses[j] * masses[other] / (masses[j] + masses[other])
            least = min(least, weight * squared_distance(centers, j, centers, other))
    return least


@helper
def _missed_point(points, weights, centers, labels, rng) -> int:
    """Of a few random points, the farthest from its centre."""
    farthest, most = 0, -1.0
    for _ in range(POINTS):
        point = random_point(len(points), weights, rng)
        distance = squared_distance(points, point, centers, labels[point])
        if distance > most:
            farthest, most = point, distance
    return farthest
