"""Compute squared distances of many points with vector instructions.

A vector contains eight points. Each sum adds the axes in order, so that the result does not depend
on the number of points.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing, extremal, inlined
from ...engine.simd.simd8 import WIDTH, each, larger, less, load, smaller, spread, store


@extremal
def largest(values, count) -> float:
    found = 0.0
    for i in range(count):
        found = max(found, values[i])
    return found


@extremal
def smallest(values, start, count) -> float:
    found = np.inf
    for i in range(start, start + count):
        found = min(found, values[i])
    return found


@inlined
def away_from(columns, i, x, y) -> float:
    """Return the squared distance from (x, y) of point i of ``columns`` (2, P)."""
    dx = columns[0, i] - x
    dy = columns[1, i] - y
    return dx * dx + dy * dy


@borrowing
def squared_distances(columns, start, count, centers, j, out) -> None:
    """Compute squared distances of ``count`` points from centre j.

    Parameters
    ----------
    columns : (d, P)
        The points, one axis per row. ``start`` is the first of the ``count`` points.
    centers : (k, d)
    out : (count,) or longer
        Output.
    """
    d = columns.shape[0]
    if d == 2:
        x, y = centers[j, 0], centers[j, 1]
        for i in range(count):
            out[i] = away_from(columns, start + i, x, y)
        return
    out[:count] = 0.0
    for axis in range(d):
        for i in range(count):
            difference = columns[axis, start + i] - centers[j, axis]
            out[i] += difference * difference


@borrowing
def nearest_two(batch, padded, centers, candidates, n_candidates, best, second, label) -> None:
    """Find the nearest and second nearest candidate of each point, with squared distances.

    Candidates are in ascending order, and a later candidate wins only if it is strictly nearer. So
    the lowest number wins a tie, as in plain Lloyd.

    Parameters
    ----------
    batch : (d, padded) or wider
        The points, one axis per row, padded to a multiple of ``WIDTH``.
    centers : (k, d)
    candidates : (n_candidates,) or longer
    best, second, label : (padded,) float64, or longer
        Output.
    """
    for at in range(0, padded, WIDTH):
        nearest = runner_up = spread(np.inf)
        number = spread(0.0)
        for candidate in range(n_candidates):
            j = candidates[candidate]
            centre = centers[j]
            distance = spread(0.0)
            for axis in range(batch.shape[0]):
                difference = load(batch[axis], at) - each(centre, axis)
                distance = distance + difference * difference
            number = number + less(distance, nearest) * (spread(float(j)) - number)
            runner_up = smaller(runner_up, larger(distance, nearest))
            nearest = smaller(nearest, distance)
        store(best, at, nearest)
        store(second, at, runner_up)
        store(label, at, number)
