"""Compute dissimilarity matrices from points, and check matrices from any source."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from prviz.datasets.check import LARGEST, check_points, reject_masked, reject_sparse
from prviz.datasets.distances import squared_distances
from prviz.datasets.memory import check_memory
from prviz.datasets.notices import DataWarning

from ... import display
from .frame import data_frame

NAME = "dissimilarity"
#: Metrics of SciPy. prviz computes the first two itself.
METRICS = (
    *("sqeuclidean", "euclidean", "cityblock", "chebyshev", "minkowski", "seuclidean"),
    *("mahalanobis", "cosine", "correlation", "canberra", "braycurtis", "jensenshannon"),
    *("hamming", "jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule"),
)
#: Names of plain and squared distances. scikit-learn has both, but with larger rounding errors.
EUCLIDEAN = ("sqeuclidean", "euclidean", "l2", "nan_euclidean")
OF_BITS = ("dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule")


class Dissimilarities(NamedTuple):
    """
    A matrix of dissimilarities with its source.

    Parameters
    ----------
    matrix : ndarray of float32 or float64, shape (n, n)
        Entry [i, m] is the cost of representing point i by point m.
    name : str
        Name to show on a page.
    source : str
        Source to credit.
    labels : tuple of str
        Name of each point; empty if points only have numbers.
    notice : str
        A notice to show with the data; may be empty.
    """

    matrix: np.ndarray
    name: str
    source: str
    labels: tuple[str, ...] = ()
    notice: str = ""

    figure, _repr_html_ = display.figure, display.card  # type: ignore[misc]

    def to_frame(self) -> Any:
        """Return the matrix as a pandas DataFrame, with labels if there are any."""
        names = self.labels or [*map(str, range(len(self.matrix)))]
        return data_frame(self.matrix, names, names)


def dissimilarity(points: Any, metric: str = "sqeuclidean") -> np.ndarray:
    """
    Return the dissimilarities between all pairs of points.

    Parameters
    ----------
    points : array_like or pandas.DataFrame, shape (n, d)
        One point per row; see `prviz.datasets.check_points`.
    metric : str or callable, optional
        "sqeuclidean" (squared distances) is the default here and in
        `prviz.estimators.PartialKMedoids`, as in the paper's benchmark of faces. "euclidean" is the
        plain distance, as in SciPy and scikit-learn. You can also pass a metric of
        `scipy.spatial.distance.pdist` (``METRICS``), such as "cityblock", "cosine" or
        "jensenshannon", or a name or function for `sklearn.metrics.pairwise_distances`. The
        first two give the same bits on every machine. With other metrics, the last bits may depend
        on the installed libraries.

    Returns
    -------
    ndarray of float64, shape (n, n)

    Raises
    ------
    TypeError, ValueError
        The points or the metric are invalid.
    MemoryError
        The matrix, and the copy that a search makes, do not fit in memory. This is checked before
        any memory is used.
    """
    points = check_points(points)
    n = len(points)
    what = f"the dissimilarities of {n} points, with the copy that a search makes,"
    check_memory(3 * n * n, what, "use fewer points")
    if isinstance(metric, str) and metric in EUCLIDEAN:
        squares = squared_distances(points)
        return squares if metric == "sqeuclidean" else np.sqrt(squares, out=squares)
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
        with np.errstate(all="ignore"):  # invalid values are reported below
            matrix = squareform(pdist(points, metric))
    except (ValueError, np.linalg.LinAlgError):  # raised if a covariance has no inverse
        raise ValueError(
            f"metric {metric!r} needs more points than columns, and linearly independent columns: "
            "use fewer columns, or another metric."
        ) from None
    sound = np.isfinite(matrix)
    if not sound.all():
        row, column = (int(i) for i in np.unravel_index(np.argmin(sound), matrix.shape))
        raise ValueError(
            f"metric {metric!r} is undefined between points {row} and {column} (from 0), because "
            "it divides by 0: leave out such points, or choose another metric."
        )
    return np.maximum(matrix, 0.0, out=matrix)  # rounding may give values below 0


def _by_scikit_learn(points: np.ndarray, metric: Any) -> np.ndarray:
    from sklearn.metrics import pairwise_distances

    try:
        return pairwise_distances(points, metric=metric)
    except (ValueError, TypeError) as error:
        if _known(metric):
            raise
        # for an unknown metric, scikit-learn's message is long
        raise type(error)(
            "metric must be one of SciPy's or of scikit-learn's pairwise distances, such as "
            f"'euclidean', 'sqeuclidean' or 'cosine', got {metric!r}."
        ) from None


def check_dissimilarity(matrix: Any) -> np.ndarray:
    """
    Return `matrix` as a fresh, C-contiguous array of floats, or raise an error.

    Parameters
    ----------
    matrix : array_like or pandas.DataFrame, shape (n, n)
        Finite and not negative, n ≥ 1, with a diagonal of zeros. If one triangle is empty (all
        zeros or all NaN), the other triangle is mirrored, with a
        :class:`prviz.datasets.DataWarning`.

    Returns
    -------
    ndarray of float32 or float64, shape (n, n)
        A copy; float32 stays float32.

    Raises
    ------
    TypeError, ValueError
        The matrix is not a matrix of dissimilarities.
    """
    checked, notice = sound_dissimilarity(matrix)
    if notice:
        warnings.warn(notice, DataWarning, stacklevel=3)
    return checked


def sound_dissimilarity(matrix: Any) -> tuple[np.ndarray, str]:
    """Return the array of :func:`check_dissimilarity` and the text of its warning, or ""."""
    if hasattr(matrix, "columns") and hasattr(matrix, "to_numpy"):
        matrix = matrix.to_numpy()
    reject_sparse(matrix, NAME)
    reject_masked(matrix, NAME)
    try:
        array = np.asarray(matrix)
    except ValueError:
        raise ValueError(f"{NAME} must be square: give rows of equal length.") from None
    if array.size == 0:
        raise ValueError(f"{NAME} is empty: give a row and a column for each point.")
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise ValueError(
            f"{NAME} must be square, with a row and a column for each point, got shape "
            f"{array.shape}: for points, use prviz.dissimilarity first."
        )
    if array.dtype.kind not in "biuf":
        raise TypeError(
            f"{NAME} must hold real numbers, got {array.dtype}: convert it to float first."
        )
    dtype = np.float32 if array.dtype == np.float32 else np.float64
    checked = np.array(array, dtype=dtype, order="C")
    missing = _missing_triangle(checked)
    check_entries(checked)
    _clear_diagonal(checked)
    return checked, _mirrored(checked, missing)


def _missing_triangle(matrix: np.ndarray) -> str:
    """Replace a triangle of NaN by zeros; return its name, or "" if there is none."""
    gaps = np.isnan(matrix)
    if not gaps.any():
        return ""
    below = np.tri(len(matrix), k=-1, dtype=bool)
    off_diagonal = gaps & ~np.eye(len(matrix), dtype=bool)
    for name, triangle in (("lower", below), ("upper", below.T)):
        if triangle.any() and (off_diagonal == triangle).all():
            matrix[gaps] = 0.0
            return name
    return ""


def _mirrored(matrix: np.ndarray, missing: str) -> str:
    """Fill an empty triangle from the other triangle, in place; return the notice, or ""."""
    lower = not (matrix[1:, 0].any() or np.tril(matrix, -1).any())
    upper = not (matrix[0, 1:].any() or np.triu(matrix, 1).any())
    if not missing and lower == upper:
        return ""
    missing = missing or ("lower" if lower else "upper")
    matrix += matrix.T.copy()  # one triangle is 0
    return (
        f"The {missing} triangle of {NAME} is empty, so the matrix is read as symmetric. Give both "
        "triangles to avoid this warning."
    )


def check_entries(matrix: np.ndarray) -> None:
    """Raise an error for the first entry that is negative, not finite, or huge."""
    largest = min(LARGEST, float(np.finfo(matrix.dtype).max))
    sound = (matrix >= 0) & (matrix <= largest)  # False for NaN as well
    if sound.all():
        return
    row, column = (int(i) for i in np.unravel_index(np.argmin(sound), matrix.shape))
    value = float(matrix[row, column])
    remedy = "it must be a number of at least 0"
    if value < 0:
        remedy = "it must be at least 0; for similarities, subtract them from the largest one"
    elif np.isfinite(value):
        remedy = f"it is too large (the limit is {LARGEST:g}); rescale the matrix"
    raise ValueError(f"{NAME}[{row}, {column}] is {value:g}: {remedy}.")


def _clear_diagonal(matrix: np.ndarray) -> None:
    """Set rounding errors on the diagonal to zero, in place; reject larger numbers."""
    diagonal = np.diagonal(matrix)
    if not diagonal.any():
        return
    n, largest = len(matrix), float(matrix.max())
    if n > 1 and (matrix <= diagonal[:, None]).all():
        raise ValueError(
            f"{NAME} has its largest entries on the diagonal, like a matrix of similarities. "
            "Subtract it from its largest entry, for example: matrix.max() - matrix."
        )
    rounding = float(np.sqrt(np.finfo(matrix.dtype).eps)) * largest
    row = int(np.argmax(diagonal))
    if n == 1 or diagonal[row] > rounding:
        raise ValueError(
            f"{NAME}[{row}, {row}] is {diagonal[row]:g}: the diagonal must be 0, as a point "
            "represents itself at no cost. Check that rows and columns have the same order, or "
            "use np.fill_diagonal(matrix, 0)."
        )
    np.fill_diagonal(matrix, 0.0)


def _known(metric: Any) -> bool:
    from sklearn.metrics import pairwise

    return isinstance(metric, str) and metric in pairwise._VALID_METRICS
