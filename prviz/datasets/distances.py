"""Euclidean distances that stay accurate far from the origin and between close points.

|x|² − 2 x·y + |y|² is fast, but it cancels for points that are close together and far from the
origin. So points are centred first, and small squared distances are computed from differences.
"""

import math

import numpy as np

MOST_SLICES = 4
TINY = 2.0**-900  # far below the smallest number with a nonzero square
#: Squared distances below SMALL times the largest |x|² are computed again. (The rounding error of a
#: product is below 1e-15 times the largest |x|².)
SMALL = 1e-6
BLOCK = 256  # side of the blocks in which a matrix is computed; a block fits in the CPU's cache
BATCH = 1 << 20  # number of distances in memory at a time
#: Largest rounding error of |x|² − 2 x·c + |c|², as a share of the squared distance of two centres.
TIE = 1e-9


def shift_of(points: np.ndarray) -> np.ndarray:
    """
    Return an origin near the points: 0 unless the points are far from 0.

    The origin has so few digits that its subtraction from a point does not round.

    Parameters
    ----------
    points : ndarray of float64, shape (n, d)

    Returns
    -------
    ndarray of float64, shape (d,)
    """
    low, high = points.min(axis=0), points.max(axis=0)
    extent = float((high - low).max())
    if extent == 0.0:  # all points are equal
        return low
    unit = 2.0 ** (math.frexp(extent)[1] + 2)
    return np.rint((low / 2 + high / 2) / unit) * unit


def squared_distances(points: np.ndarray) -> np.ndarray:
    """
    Return squared Euclidean distances between all pairs of points, the same on every machine.

    The order of sums in a matrix product depends on the processor. So coordinates are cut into
    slices of a few bits, whose matrix products are exact (Ozaki, Ogita, Oishi and Rump, Numerical
    Algorithms 59, 2012). These products are added in a fixed order.

    Parameters
    ----------
    points : ndarray of float64, shape (n, d)

    Returns
    -------
    ndarray of float64, shape (n, n)
        With a relative error below 1e-8.
    """
    moved = points - shift_of(points)
    slices = _slices(moved)
    products = np.zeros((len(points), len(points)))
    for i, left in enumerate(slices):
        for j in range(i, len(slices) - i):  # the other products are too small to change a sum
            product = left @ slices[j].T
            products += product if i == j else product + product.T
            del product
    lengths = np.diagonal(products).copy()
    squares = lengths[:, None] + lengths
    squares -= 2.0 * products
    del products
    np.maximum(squares, 0.0, out=squares)
    if len(slices) > 1:  # with one slice, every square is exact
        np.fill_diagonal(squares, np.inf)
        _recompute_small(moved, squares, SMALL * float(lengths.max()))
    np.fill_diagonal(squares, 0.0)
    return squares


def _recompute_small(points: np.ndarray, squares: np.ndarray, bound: float) -> None:
    """Recompute squared distances below a bound, in place, from differences on each axis."""
    columns = np.ascontiguousarray(points.T)
    for i in range(0, len(points), BLOCK):
        for j in range(i, len(points), BLOCK):
            block = squares[i : i + BLOCK, j : j + BLOCK]
            small = block < bound
            if small.any():
                total = np.zeros(block.shape)
                for column in columns:
                    difference = column[i : i + BLOCK, None] - column[j : j + BLOCK]
                    difference *= difference
                    total += difference
                block[small] = total[small]
                squares[j : j + BLOCK, i : i + BLOCK] = block.T


def _slices(x: np.ndarray) -> list[np.ndarray]:
    """Return up to four arrays that add up to ``x``, the largest first.

    Each array has so few bits that the scalar product of any two rows is exact.
    """
    d = x.shape[1]
    bits = (52 - math.ceil(math.log2(d + 1))) // 2
    unit = 2.0 ** math.frexp(float(np.abs(x).max()))[1]  # a power of two above every entry
    slices: list[np.ndarray] = []
    while len(slices) < MOST_SLICES and x.any() and unit > TINY:
        unit *= 2.0**-bits
        slices.append(np.rint(x / unit) * unit)
        x = x - slices[-1]
    return slices


def nearest(points: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """
    Return the index of the nearest centre of each point.

    If several centres are equally near, the lowest index is returned.

    Parameters
    ----------
    points : ndarray of float64, shape (n, d)
    centers : ndarray of float64, shape (k, d)

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    from scipy.spatial.distance import cdist

    labels = np.empty(len(points), np.int64)
    most = max(1, BATCH // len(centers))
    for first in range(0, len(points), most):
        distances = cdist(points[first : first + most], centers, "sqeuclidean")
        labels[first : first + most] = distances.argmin(axis=1)
    return labels


def products_suffice(points: np.ndarray, centers: np.ndarray) -> bool:
    """
    Return True if |x|² − 2 x·c + |c|² identifies the nearest centre.

    Then the rounding error is at most ``TIE`` times the squared distance between any two centres.

    Parameters
    ----------
    points : ndarray of float64, shape (n, d)
    centers : ndarray of float64, shape (k, d)
    """
    from scipy.spatial.distance import pdist

    d = points.shape[1]
    reach = max(points.max(), -points.min(), centers.max(), -centers.min())
    error = 2.0 * (d + 4) * 2.0**-53 * d * (2.0 * float(reach)) ** 2
    return len(centers) > 1 and error <= TIE * float(pdist(centers, "sqeuclidean").min())
