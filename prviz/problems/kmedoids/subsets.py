"""Where medoids come from: random points, or points near a medoid, no two the same.

``"local"``
    Random sub-sets, but a medoid moves to a point near itself, or near another medoid. Source:
    local search for facility location, where an exchange among neighbours gains most.
"""

from __future__ import annotations

from ...engine.dispatch import helper
from ...engine.subsets import ANYWHERE, heuristic, random_subset

SUBSETS = ("random", "local")
LOCAL = heuristic("local")

#: "local" goes to one of the points nearest to a medoid, so many clusters' worth of them.
NEARBY = 2
LEAST_NEARBY = 8
#: How often it draws such a point, until one is no medoid; then it goes anywhere.
DRAWS = 20


@helper
def choose(neighbours, medoids, destinations, redraw, rng, order) -> int:
    """Choose a random sub-set of the medoids; with "local", note where each of them is to go.

    With probability 1/2 each goes near to where it is, else near to a medoid that is drawn evenly
    from all k: to each of the 2n/k points (n/4 at most, 8 at least) that represent that one best,
    but medoids, alike.
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
    """Move each chosen medoid, one after the other, to a point that is no medoid.

    To its destination, if it has one that is free, else to a random point. With all of them chosen,
    the result is a random sample of 0 … n−1 without replacement that does not depend on where they
    were.
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
    for j in range(len(medoids)):  # without leaving early: that is what vector instructions like
        taken |= medoids[j] == point
    return taken
