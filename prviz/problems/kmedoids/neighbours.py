"""List for every point as many nearest points as a search usually needs.

A point follows its list until it finds two medoids, after about 2 n/k points. A candidate medoid
can win a point only if it is near the start of the point's list.
"""

from __future__ import annotations

import numpy as np

#: Length of a list ÷ average cluster size. With 8, most lists contain two medoids.
CLUSTERS = 8
#: To save memory, a list has at most n / SHARE points, but at least CLUSTERS points.
SHARE = 4
#: Entries of the matrix that are sorted at once.
CHUNK = 1 << 22


def nearest_neighbours(by_point: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the points that best represent each point, including the point itself.

    Parameters
    ----------
    by_point : (n, n) float32 or float64
        Row i: the cost of representing point i by each point.
    k : int
        Number of medoids.

    Returns
    -------
    neighbours : (n, L) int32
        Row i: L points in ascending order of their cost of representing point i.
    reaches : (n, L), dtype of the matrix
        Row i: the costs of these points.
    """
    n = len(by_point)
    length = min(n, max(CLUSTERS, min(CLUSTERS * n // k, n // SHARE)))
    neighbours = np.empty((n, length), np.int32)
    reaches = np.empty((n, length), by_point.dtype)
    rows = max(1, CHUNK // n)
    for begin in range(0, n, rows):
        part = by_point[begin : begin + rows]
        listed = _smallest(part, length)
        values = np.take_along_axis(part, listed, axis=1)
        order = np.argsort(values, axis=1, kind="stable")
        neighbours[begin : begin + rows] = np.take_along_axis(listed, order, axis=1)
        reaches[begin : begin + rows] = np.take_along_axis(values, order, axis=1)
    return neighbours, reaches


def _smallest(part: np.ndarray, length: int) -> np.ndarray:
    """Return the columns of the ``length`` smallest entries per row, in column order.

    Ties go to the lower column. ``np.partition`` orders ties differently on some processors, so
    only its value at the position length − 1 is used.
    """
    last = np.partition(part, length - 1, axis=1)[:, length - 1 : length]
    below, equal = part < last, part == last
    wanted = length - below.sum(axis=1, keepdims=True)
    taken = below | (equal & (np.cumsum(equal, axis=1) <= wanted))
    return np.nonzero(taken)[1].reshape(len(part), length)
