"""Squared distances, many at a time: the textbook's sums, axis by axis, in registers.

A vector holds eight points. Each sum is added up axis by axis, whatever the number of points,
centres or axes that are taken together.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import borrowing, inlined
from ...engine.simd.simd8 import WIDTH, each, larger, less, load, smaller, spread, store

#: Points that are looked at together: two vectors of them.
PAIR = 2 * WIDTH


@inlined
def away_from(columns, i, x, y) -> float:
    """The same of one point in a plane, number i of ``columns`` (2, P), from (x, y)."""
    dx = columns[0, i] - x
    dy = columns[1, i] - y
    return dx * dx + dy * dy


@borrowing
def squared_distances(columns, start, count, centers, j, out) -> None:
    """Squared distances of ``count`` points from centre j.

    Parameters
    ----------
    columns : (d, P)
        The points, an axis a row; those from number ``start`` on are taken.
    centers : (k, d)
    out : (count,) or longer
        Filled.
    """
    d = columns.shape[0]
    if d == 2:
        x, y = centers[j, 0], centers[j, 1]
        for i in range(count):
            out[i] = away_from(columns, start + i, x, y)
        return
    if count < WIDTH:
        out[:count] = 0.0
        for axis in range(d):
            for i in range(count):
                difference = columns[axis, start + i] - centers[j, axis]
                out[i] += difference * difference
        return
    centre = centers[j]
    for first in range(0, count, PAIR):
        at = min(first, max(0, count - PAIR))  # the last ones end with the last point
        after = min(at + WIDTH, count - WIDTH)
        left = right = spread(0.0)
        for axis in range(d):
            column, position = columns[axis], each(centre, axis)
            a = load(column, start + at) - position
            b = load(column, start + after) - position
            left = left + a * a
            right = right + b * b
        store(out, at, left)
        store(out, after, right)


@borrowing
def nearest_two(batch, padded, centers, candidates, n_candidates, best, second, label) -> None:
    """Nearest and second nearest candidate of each point of a batch, as squared distances.

    Candidates come in ascending order and a later one must be strictly nearer, so that the
    lowest number wins a tie, as in plain Lloyd.

    Parameters
    ----------
    batch : (d, padded) or wider
        The points, an axis a row, up to a multiple of ``PAIR``.
    centers : (k, d)
    candidates : (n_candidates,) or longer
    best, second, label : (padded,) float64, or longer
        Filled.
    """
    for at in range(0, padded, PAIR):
        best_0 = best_1 = second_0 = second_1 = spread(np.inf)
        label_0 = label_1 = spread(0.0)
        for candidate in range(n_candidates):
            j = candidates[candidate]
            centre = centers[j]
            left = right = spread(0.0)
            for axis in range(batch.shape[0]):
                column, position = batch[axis], each(centre, axis)
                a = load(column, at) - position
                b = load(column, at + WIDTH) - position
                left = left + a * a
                right = right + b * b
            number = spread(float(j))
            label_0 = label_0 + less(left, best_0) * (number - label_0)
            label_1 = label_1 + less(right, best_1) * (number - label_1)
            second_0 = smaller(second_0, larger(left, best_0))
            second_1 = smaller(second_1, larger(right, best_1))
            best_0, best_1 = smaller(best_0, left), smaller(best_1, right)
        store(best, at, best_0)
        store(best, at + WIDTH, best_1)
        store(second, at, second_0)
        store(second, at + WIDTH, second_1)
        store(label, at, label_0)
        store(label, at + WIDTH, label_1)
