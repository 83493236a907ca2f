"""The neighbours of every point, nearest first, as far as a search will usually look.

A point finds its nearest medoids by walking down its list until it has met two, about 2 n/k points,
and a candidate medoid can win over only those points in whose lists it comes early.
"""

from __future__ import annotations

import numpy as np

#: A list is this many clusters long: a point of a random configuration finds two medoids in it.
CLUSTERS = 8
#: No list is longer than this share of the points, unless it is very short: they take memory.
SHARE = 4
#: Rows of the matrix that are sorted together.
CHUNK = 1 << 22


def nearest_neighbours(by_point: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The points that represent each point best, the point itself among them.

    Parameters
    ----------
    by_point : (n, n) float32 or float64
        Row i: how badly each point represents point i.
    k : int
        Number of medoids.

    Returns
    -------
    neighbours : (n, L) int32
        Row i: L points in ascending order of how badly they represent point i.
    reaches : (n, L) as the matrix
        How badly they do.
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
    """Columns of the ``length`` smallest entries of each row, ascending; of equal ones the first.

    (Which of them NumPy's partitions take depends on the processor, the value they end at doesn't.)
    """
    last = np.partition(part, length - 1, axis=1)[:, length - 1 : length]
    below, equal = part < last, part == last
    wanted = length - below.sum(axis=1, keepdims=True)
    taken = below | (equal & (np.cumsum(equal, axis=1) <= wanted))
    return np.nonzero(taken)[1].reshape(len(part), length)
