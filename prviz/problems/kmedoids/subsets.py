"""Redraw medoids: move them to distinct points, which are random or near a medoid.

``"local"``
    Random sub-sets, but a medoid moves to a point near itself or near another medoid. Source: local
    search for facility location, where exchanges between neighbours gain most.
"""

from __future__ import annotations

from ...engine.dispatch import helper
from ...engine.subsets import ANYWHERE, heuristic, random_subset

SUBSETS = ("random", "local")
LOCAL = heuristic("local")

#: "local" chooses among the nearest NEARBY · n/k points, but among at least LEAST_NEARBY.
NEARBY = 2
LEAST_NEARBY = 8
#: Attempts of "local" to draw a nearby point that is not a medoid. Then a random point is drawn.
DRAWS = 20


@helper
def choose(neighbours, medoids, destinations, redraw, rng, order) -> int:
    """Choose a random sub-set of the medoids; with "local", also store the destination of each.

    With probability 1/2 the destination is near the medoid itself, otherwise near a medoid that is
    drawn uniformly from all k. "Near" means one of the 2n/k points (at most n/4, at least 8) that
    best represent the medoid. They are equally probable, but points that are medoids are excluded.
    """
    size = random_subset(redraw, rng, order)
    if redraw.subset == LOCAL:
        n, k = neighbours.shape[0], len(medoids)
        nearby = min(neighbours.shape[1], max(LEAST_NEARBY, NEARBY * n // k))
        for j in order[:size]:
            home = medoids[j] if rng.random() < 0.5 else medoids[rng.integers(0, k)]
            for _ in range(DRAWS):
                point = neighbours[home, rng.integers(0, nearby)]
                if not _taken(medoids, point):
                    destinations[j] = point
                    break
    return size


@helper
def move(n, medoids, destinations, chosen, rng) -> None:
    """Move each chosen medoid, one by one, to a point that is not a medoid.

    A medoid moves to its destination if no medoid is there, or else to a random point. If all
    medoids are chosen, the new ones are a random sample of all points without replacement.
    """
    full = len(chosen) == len(medoids)
    for j in chosen:
        if full:
            medoids[j] = -1
            destinations[j] = ANYWHERE
    for j in chosen:
        point = destinations[j]
        destinations[j] = ANYWHERE
        while point == ANYWHERE or _taken(medoids, point):
            point = rng.integers(0, n)
        medoids[j] = point


@helper
def _taken(medoids, point) -> bool:
    taken = False
    for j in range(len(medoids)):  # no early exit, so that vector instructions can be used
        taken |= medoids[j] == point
    return taken
