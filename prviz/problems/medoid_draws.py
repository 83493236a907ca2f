"""Where medoids come from: random points, no two the same."""

from __future__ import annotations

from ..dispatch import helper


@helper
def redraw(n, medoids, chosen, rng) -> None:
    """Move each chosen medoid, one after the other, to a random point that is no medoid.

    With all of them chosen, the result is a random sample of 0 … n−1 without replacement that
    does not depend on where they were.
    """
    full = len(chosen) == len(medoids)
    for j in chosen:
        if full:
            medoids[j] = -1
    for j in chosen:
        point = rng.integers(0, n)
        while _taken(medoids, point):
            point = rng.integers(0, n)
        medoids[j] = point


@helper
def _taken(medoids, point) -> bool:
    taken = False
    for j in range(len(medoids)):  # without leaving early: that is what vector instructions like
        taken |= medoids[j] == point
    return taken
