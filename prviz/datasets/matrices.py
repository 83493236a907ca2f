"""Matrices of dissimilarities: made from points, and checked in one place."""

import math
import warnings
from typing import Any, NamedTuple

import numpy as np

from prviz.datasets.check import LARGEST, check_points
from prviz.datasets.memory import check_memory

from . import shown

NAME = "dissimilarity"
MOST_SLICES = 4
TINY = 2.0**-900  # far below what has a square
#: SciPy's.
METRICS = (
    *("sqeuclidean", "euclidean", "cityblock", "chebyshev", "minkowski", "seuclidean"),
    *("mahalanobis", "cosine", "correlation", "canberra", "braycurtis", "jensenshannon"),
    *("hamming", "jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule"),
)
OF_BITS = ("dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule")


class Dissimilarities(NamedTuple):
    """
    A matrix of dissimilarities, saying where it came from.

    Parameters
    ----------
    matrix : ndarray of float32 or float64, shape (n, n)
        At [i, m], how badly point m represents point i.
    name : str
        What to call the set on a page.
    source : str
        Whom to credit.
    labels : tuple of str
        What each point is called; empty where they only have numbers.
    notice : str
        A sentence that should be shown with the data; may be empty.
    """

    matrix: np.ndarray
    name: str
    source: str
    labels: tuple[str, ...] = ()
    notice: str = ""

    figure, _repr_html_ = shown.figure, shown.card

    def to_frame(self):
        """The matrix as a pandas DataFrame, with labels where there are any."""
        names = self.labels or [*map(str, range(len(self.matrix)))]
        return shown.table(self.matrix, names, names)


def dissimilarity(points: Any, metric: str = "sqeuclidean") -> np.ndarray:
    """
    Dissimilarities between all pairs of points.

    Parameters
    ----------
    points : array_like or pandas.DataFrame, shape (n, d)
        One point a row; see `prviz.datasets.check_points`.
    metric : str, optional
        One of `scipy.spatial.distance.pdist`, ``METRICS``: "sqeuclidean", "euclidean",
        "cityblock", "cosine", "jensenshannon" and others; or another one, or a function, of
        `sklearn.metrics.pairwise_distances`. The first two come out the same on every machine; of
        the others the last bits may depend on the libraries there.

    Returns
    -------
    ndarray of float64, shape (n, n)

    Raises
    ------
    TypeError, ValueError
        If the points or the metric are not what they should be.
    MemoryError
        If the matrix, and the copy that a search makes of it, need more memory than there is:
        said before any is taken.
    """
    points = check_points(points)
    n = len(points)
    what = f"the dissimilarities of {n} points, with the copy that a search makes,"
    check_memory(3 * n * n, what, "take fewer points")
    if metric in ("sqeuclidean", "euclidean"):
        squares = squared_distances(points)
        return squares if metric == "sqeuclidean" else np.sqrt(squares)
    if isinstance(metric, str) and metric in METRICS:
        return _by_scipy(points, metric)
    return _by_scikit_learn(points, metric)


def _by_scipy(points: np.ndarray, metric: str) -> np.ndarray:
    from scipy.spatial.distance import pdist, squareform

    if metric in OF_BITS:
        wrong = ~((points == 0) | (points == 1))
        if wrong.any():
            row, column = (int(i) for i in np.unravel_index(np.argmax(wrong), wrong.shape))
            raise ValueError(
                f"metric {metric!r} compares zeros and ones, and points[{row}, {column}] is "
                f"{points[row, column]:g}: choose another metric."
            )
    try:
        with np.errstate(all="ignore"):  # what that leaves is looked for below
            matrix = squareform(pdist(points, metric))
    except (ValueError, np.linalg.LinAlgError):  # of a covariance
        raise ValueError(
            f"metric {metric!r} needs more points than columns, and columns of which none follows "
            "from the others: take fewer columns, or another metric."
        ) from None
    sound = np.isfinite(matrix)
    if not sound.all():
        row, column = (int(i) for i in np.unravel_index(np.argmin(sound), matrix.shape))
        raise ValueError(
            f"metric {metric!r} has no value between points {row} and {column}, counted from 0, as "
            "it divides by what is 0 there: leave out such points, or choose another metric."
        )
    return np.maximum(matrix, 0.0, out=matrix)  # rounding may have gone below


def _by_scikit_learn(points: np.ndarray, metric: Any) -> np.ndarray:
    from sklearn.metrics import pairwise_distances

    try:
        return pairwise_distances(points, metric=metric)
    except (ValueError, TypeError) as error:  # scikit-learn's words go on for lines
        if _known(metric):
            raise
        raise type(error)(
            "metric must be one of SciPy's or of scikit-learn's pairwise distances, such as "
            f"'sqeuclidean', 'euclidean' or 'cosine', not {metric!r}."
        ) from None


def squared_distances(points: np.ndarray) -> np.ndarray:
    """
    Squared Euclidean distances between all pairs of points, the same on every machine.

    Matrices are multiplied quickly, but in an order that depends on the processor. So coordinates
    are cut into slices of a few bits each, of which all products and their sums are exact (Ozaki,
    Ogita, Oishi and Rump, Numerical Algorithms 59, 2012): only the products of slices are added
    with rounding, and in a fixed order.

    Parameters
    ----------
    points : ndarray of float64, shape (n, d)

    Returns
    -------
    ndarray of float64, shape (n, n)
    """
    slices = _slices(points)
    products = np.zeros((len(points), len(points)))
    for i, left in enumerate(slices):
        for j in range(i, len(slices) - i):  # the others are below the last bit
            product = left @ slices[j].T
            products += product if i == j else product + product.T
            del product
    lengths = np.diagonal(products).copy()
    squares = lengths[:, None] + lengths
    squares -= 2.0 * products
    np.maximum(squares, 0.0, out=squares)
    np.fill_diagonal(squares, 0.0)
    return squares


def _slices(x: np.ndarray) -> list[np.ndarray]:
    """Up to four arrays that add up to ``x``, the largest first, each of so few bits that any sum
    of products of two rows is exact."""
    d = x.shape[1]
    bits = (52 - math.ceil(math.log2(d + 1))) // 2
    unit = 2.0 ** math.frexp(float(np.abs(x).max()))[1]  # more than any entry
    slices = []
    while len(slices) < MOST_SLICES and x.any() and unit > TINY:
        unit *= 2.0**-bits
        slices.append(np.rint(x / unit) * unit)
        x = x - slices[-1]
    return slices


def check_dissimilarity(matrix: Any) -> np.ndarray:
    """
    Turn `matrix` into a fresh, C-contiguous array of floats, or say what is wrong with it.

    Parameters
    ----------
    matrix : array_like or pandas.DataFrame, shape (n, n)
        Finite and not negative, n ≥ 1. A diagonal that is not zero is made so, with a warning.

    Returns
    -------
    ndarray of float32 or float64, shape (n, n)
        A copy; float32 stays float32.
    """
    checked, notice = sound_dissimilarity(matrix)
    if notice:
        warnings.warn(notice, stacklevel=3)
    return checked


def sound_dissimilarity(matrix: Any) -> tuple[np.ndarray, str]:
    """As :func:`check_dissimilarity`, with what would be a warning, or nothing, in words."""
    if hasattr(matrix, "columns") and hasattr(matrix, "to_numpy"):
        matrix = matrix.to_numpy()
    try:
        array = np.asarray(matrix)
    except ValueError:
        raise ValueError(f"{NAME} must be square: give rows of equal length.") from None
    if array.size == 0:
        raise ValueError(f"{NAME} is empty: give a row and a column for each point.")
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise ValueError(
            f"{NAME} must be square, a row and a column for each point, not of shape "
            f"{array.shape}: from points, prviz.dissimilarity makes one."
        )
    if array.dtype.kind not in "biuf":
        raise TypeError(
            f"{NAME} must hold real numbers, not {array.dtype}: convert it to float first."
        )
    if np.ma.is_masked(matrix):
        raise ValueError(f"{NAME} has masked entries: fill them.")
    dtype = np.float32 if array.dtype == np.float32 else np.float64
    checked = np.array(array, dtype=dtype, order="C")
    _check_entries(checked)
    return checked, _cleared_diagonal(checked)


def _check_entries(matrix: np.ndarray) -> None:
    """Say which entry is the first that is negative, not finite, or huge."""
    largest = min(LARGEST, float(np.finfo(matrix.dtype).max))
    sound = (matrix >= 0) & (matrix <= largest)  # False for NaN as well
    if sound.all():
        return
    row, column = (int(i) for i in np.unravel_index(np.argmin(sound), matrix.shape))
    value = float(matrix[row, column])
    remedy = "it must be a number that is not negative"
    if value < 0:
        remedy = "it must not be negative; for similarities, subtract them from the largest"
    elif np.isfinite(value):
        remedy = f"it is too large (the limit is {LARGEST:g}), rescale the matrix"
    raise ValueError(f"{NAME}[{row}, {column}] is {value:g}: {remedy}.")


def _cleared_diagonal(matrix: np.ndarray) -> str:
    """A point represents itself at no cost; says where the matrix had it otherwise."""
    diagonal = np.diagonal(matrix)
    if not diagonal.any():
        return ""
    row = int(np.argmax(diagonal))
    said = f"{NAME}[{row}, {row}] is {diagonal[row]:g}"
    np.fill_diagonal(matrix, 0.0)
    return (
        f"The diagonal of {NAME} is not zero ({said}): it is taken as zero, as a point represents "
        "itself at no cost."
    )


def _known(metric: Any) -> bool:
    from sklearn.metrics import pairwise

    return isinstance(metric, str) and metric in pairwise._VALID_METRICS
