"""k-means on data that do not fit in memory: a coreset to search, and exact passes over all points.

Points are read in pieces of some megabytes, in order and in their own type, from a ``numpy.memmap``
or any array. The search uses a coreset: a few weighted points. For any centres, the cost of the
coreset is close to the cost of all points. Only a pass over all points gives the exact cost.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .checks import whole_number
from .datasets.check import reject_masked, reject_sparse
from .datasets.distances import nearest
from .search.traced_search import generator

#: Numbers in the largest temporary array: 2²¹ of float64 are 16 MB.
PIECE = 1 << 21

#: Bytes of a file to read before its pages are released.
HELD = 1 << 27


class Coreset(NamedTuple):
    """A coreset, for ``prviz.kmeans(few.points, k, weights=few.weights)``.

    Attributes
    ----------
    points : (m, d) float64
        The sampled points, in their original order.
    weights : (m,) float64
        The number of points that each point represents; the expected sum is n.
    """

    points: np.ndarray
    weights: np.ndarray


class Centers(NamedTuple):
    """Centres and their cost.

    Attributes
    ----------
    centers : (k, d) float64
    cost : float
        Sum of squared distances of all points from the nearest centre.
    """

    centers: np.ndarray
    cost: float


def coreset(points: Any, size: int, seed: int = 0) -> Coreset:
    """Return a lightweight coreset of points on disk, in three passes over them.

    >>> import numpy as np, prviz
    >>> points = np.random.default_rng(0).normal(size=(10_000, 2)).astype(np.float32)
    >>> few = prviz.large.coreset(points, 500)
    >>> run = prviz.run(prviz.kmeans(few.points, 5, weights=few.weights), calls=100)
    >>> found = prviz.large.lloyd(points, run.best_state.centers, steps=2)
    >>> found.cost <= prviz.large.cost(points, run.best_state.centers)
    True

    Half of the draws are uniform. The other half have probabilities proportional to the squared
    distance from the mean, so that outliers, which add much to the cost, are not missed. The weight
    of a drawn point is 1 / (its expected number of draws), so the cost of any centres is unbiased
    (Bachem, Lucic and Krause, *Scalable k-Means Clustering via Lightweight Coresets*, KDD 2018).

    Parameters
    ----------
    points : (n, d) array_like
        Real and finite, of any size, for example a ``numpy.memmap``.
    size : int
        Number of draws, with replacement: a point drawn twice appears once with twice the weight.
    seed : int
        The same seed draws the same points.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid.
    """
    points = _checked(points)
    n = len(points)
    size = whole_number(size, "size")
    if not 1 <= size <= n:
        raise ValueError(f"size must be between 1 and the number of points, {n}, got {size}.")
    mean = sum((piece.sum(axis=0) for piece in _pieces(points)), np.zeros(points.shape[1])) / n
    spread = sum(float(_squares(piece, mean).sum()) for piece in _pieces(points, checked=True))

    draws = np.sort(generator(seed).random(size))
    reached, taken, chosen, weights = 0.0, 0, [], []
    for piece in _pieces(points, checked=True):
        away = _squares(piece, mean)
        share = 0.5 / n + 0.5 * (away / spread if spread else np.full(len(piece), 1.0 / n))
        upto = reached + np.cumsum(share)
        last = taken + len(piece) == n
        end = size if last else int(np.searchsorted(draws, upto[-1]))
        first = int(np.searchsorted(draws, reached)) if taken else 0
        drawn = np.searchsorted(upto, draws[first:end], side="right")
        rows, times = np.unique(np.minimum(drawn, len(piece) - 1), return_counts=True)
        chosen.append(piece[rows])
        weights.append(times / (size * share[rows]))
        reached, taken = float(upto[-1]), taken + len(piece)
    return Coreset(np.concatenate(chosen), np.concatenate(weights))


def cost(points: Any, centers: Any) -> float:
    """Return the exact cost of centres: one pass over all points.

    Parameters
    ----------
    points : (n, d) array_like
        As in :func:`coreset`.
    centers : (k, d) array_like

    Returns
    -------
    float
        Sum of squared distances from the nearest centre.
    """
    points = _checked(points)
    centers = _centers(centers, points)
    return sum(_assigned(piece, centers)[2] for piece in _pieces(points, len(centers)))


def lloyd(points: Any, centers: Any, steps: int = 1) -> Centers:
    """Run some steps of Lloyd's algorithm on all points, in one pass per step.

    One more pass computes the cost. A centre without points does not move.

    Parameters
    ----------
    points, centers
        As in :func:`cost`.
    steps : int
    """
    points = _checked(points)
    centers = _centers(centers, points)
    steps = whole_number(steps, "steps")
    if steps < 0:
        raise ValueError(f"steps must be 0 or more, got {steps}.")
    k, d = centers.shape
    for _ in range(steps):
        sums, counts = np.zeros((k, d)), np.zeros(k)
        for piece in _pieces(points, k):
            labels, moved, _ = _assigned(piece, centers)
            counts += np.bincount(labels, minlength=k)
            for j in range(d):
                sums[:, j] += np.bincount(labels, moved[:, j], minlength=k)
        full = counts > 0
        centers[full] += sums[full] / counts[full, None]
    return Centers(centers, cost(points, centers))


def _assigned(piece: np.ndarray, centers: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Return each point's nearest centre, its offset from this centre, and the total cost."""
    labels = nearest(piece, centers)
    moved = piece - centers[labels]
    return labels, moved, float(np.einsum("ij,ij->", moved, moved))


def _squares(piece: np.ndarray, mean: np.ndarray) -> np.ndarray:
    away = piece - mean
    return np.einsum("ij,ij->i", away, away)


def _checked(points: Any) -> np.ndarray:
    """Return the points without a copy; raise an error if they are not a table of real numbers."""
    reject_sparse(points, "points")
    reject_masked(points, "points")
    points = np.asanyarray(points)
    if points.ndim != 2 or points.size == 0:
        raise ValueError(
            f"points must be two-dimensional, one point per row, got shape {points.shape}: "
            "use points.reshape(-1, 1) for points on a line."
        )
    if points.dtype.kind not in "biuf":
        raise TypeError(f"points must be real numbers, got {points.dtype}.")
    return points


def _centers(centers: Any, points: np.ndarray) -> np.ndarray:
    centers = np.array(centers, np.float64)
    if centers.ndim != 2 or not len(centers) or centers.shape[1] != points.shape[1]:
        raise ValueError(
            f"centers must have one row per centre and {points.shape[1]} columns, like the points, "
            f"got shape {centers.shape}."
        )
    if not np.isfinite(centers).all():
        raise ValueError("centers must be finite.")
    return centers


def _pieces(points: np.ndarray, k: int = 1, checked: bool = False) -> Iterator[np.ndarray]:
    """Yield the points as float64, in pieces of PIECE / max(k, d) points, but at least one."""
    most = max(1, PIECE // max(k, points.shape[1]))
    read = 0
    for first in range(0, len(points), most):
        part = points[first : first + most]
        piece = np.asarray(part, np.float64)
        if not checked and not np.isfinite(piece).all():
            row, column = np.argwhere(~np.isfinite(piece))[0]
            raise ValueError(f"points[{first + row}, {column}] is not finite.")
        yield piece
        read += part.nbytes
        if read > HELD:
            _give_back(points)
            read = 0


def _give_back(points: np.ndarray) -> None:
    """Release the pages of a file from this process's memory until they are read again.

    A memmap in mode "c" is skipped, because its changes would be lost.
    """
    mapping, mode = getattr(points, "_mmap", None), getattr(points, "mode", None)
    if mapping is not None and mode in ("r", "r+", "w+") and hasattr(mmap, "MADV_DONTNEED"):
        mapping.madvise(mmap.MADV_DONTNEED)
