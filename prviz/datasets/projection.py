"""Project points to the plane: principal components or two columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

#: At most one in this many points is an outlier. Smaller data have at most one outlier.
FAR_ONES = 100
#: An outlier is over this many times as far from the median as the farthest point that is kept.
FAR = 3.0
#: Sample size for medians.
MEDIAN_OF = 10_000
#: Largest number of columns for which the covariance matrix is computed.
MOST_WHOLE = 400
#: Points lie on a line if the second component has at most this share of the first one's variance.
ON_A_LINE = 1e-12

#: "pca", or two columns by their names or numbers (from 0).
View = str | Sequence[str | int] | None


class Projection(NamedTuple):
    """A linear map to the plane.

    Attributes
    ----------
    origin : (d,) float64
        The point that is shown at 0.
    axes : (d, 2) float64
        Directions of the two axes.
    said : str
        Description, such as "Principal components of 20 columns, 74 % of the variance".
    share : float or None
        Share of the variance that principal components show.
    """

    origin: np.ndarray
    axes: np.ndarray
    said: str
    share: float | None = None

    def of(self, points: np.ndarray) -> np.ndarray:
        """Return the positions of points or centres in the plane, (m, 2)."""
        return (points - self.origin) @ self.axes


def projection(
    points: np.ndarray, view: View = None, names: Sequence[str] = ()
) -> Projection | None:
    """Return the projection of points; None if they have two columns and no view is given.

    Parameters
    ----------
    points : (n, d) float64
    view : "pca", or two columns by their names or numbers (from 0)
        By default "pca", or no projection if d is 2.
    names : sequence of str
        Names of the columns.

    Raises
    ------
    ValueError
        The view or a column does not exist.
    """
    d = points.shape[1]
    if view is None and d == 2:
        return None
    if d == 1:
        said = "One column, from left to right"
        return Projection(np.zeros(1), np.array([[1.0, 0.0]]), said)
    if view is None or isinstance(view, str):
        if view not in (None, "pca"):
            raise ValueError(f"view must be 'pca' or two columns, got {view!r}.")
        return principal_components(points)
    return _columns(view, d, names)


def principal_components(points: np.ndarray) -> Projection:
    """Return the two directions in which points vary most, without outliers.

    The entry of largest absolute value is positive in each direction, so the picture has the same
    orientation on every machine.

    Parameters
    ----------
    points : (n, d) float64
    """
    close = near(points)
    shown = points if close.all() else points[close]
    origin = shown.mean(axis=0)
    centred = shown - origin
    centred /= max(centred.max(), -centred.min()) or 1.0  # so that squares are finite
    values, axes = _leading(centred)
    total = float(np.einsum("ij,ij->", centred, centred))
    share = float(values.sum()) / total if total else 1.0
    n_aside = len(points) - len(shown)
    far = "farthest point" if n_aside == 1 else f"{n_aside} farthest points"
    of = f" of all but the {far}" if n_aside else ""
    said = (
        f"Principal components of {points.shape[1]} columns, {percent(share)} of the variance{of}"
    )
    return Projection(origin, axes, said, share)


def near(points: np.ndarray) -> np.ndarray:
    """Return a mask of the points that are not outliers: at least 99 % of them, or all but one.

    An outlier's distance from the medians of the coordinates is more than three times the 99 %
    quantile of these distances. If outliers are left out, one wrong number does not shrink all
    other points to a dot.

    Parameters
    ----------
    points : (n, d) float64

    Returns
    -------
    (n,) bool
    """
    middle = np.median(points[:: 1 + len(points) // MEDIAN_OF], axis=0)
    away = points - middle
    away /= max(away.max(), -away.min()) or 1.0  # so squares do not overflow or underflow
    squares = np.einsum("ij,ij->i", away, away)
    n_far = max(1, len(points) // FAR_ONES)
    at = max(0, len(points) - 1 - n_far)
    reach = np.partition(squares, at)[at]
    return squares <= (FAR**2 * reach if reach > 0 else np.inf)


def percent(share: float) -> str:
    """Return a share as text; "100 %" only if the share is 1."""
    rounded = round(100 * share)
    if rounded == 100 and share < 1 - 1e-9:
        return "more than 99 %"
    return f"{rounded} %" if share >= 0.01 or share == 0 else "less than 1 %"


def _leading(centred: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the two largest eigenvalues of the scatter matrix, and (d, 2) unit vectors."""
    d = centred.shape[1]
    values, axes = np.zeros(2), np.zeros((d, 2))
    if not centred.any():  # all points are equal
        return values, axes
    if d <= MOST_WHOLE:
        found, vectors = np.linalg.eigh(centred.T @ centred)
    else:
        from scipy.sparse.linalg import LinearOperator, eigsh

        scatter = LinearOperator((d, d), lambda v: centred.T @ (centred @ v), dtype=np.float64)
        found, vectors = eigsh(scatter, 2, v0=np.random.default_rng(0).random(d))
    for i, value in enumerate(found[:-3:-1]):
        if value <= ON_A_LINE * found[-1]:
            break
        axis = vectors[:, -1 - i]
        values[i] = value
        axes[:, i] = axis * np.sign(axis[np.abs(axis).argmax()])
    return values, axes


def _columns(view: Sequence[str | int], d: int, names: Sequence[str]) -> Projection:
    numbers = [_number(column, d, names) for column in view]
    if len(numbers) != 2:
        raise ValueError(f"view must have two columns, got {len(numbers)}.")
    axes = np.zeros((d, 2))
    axes[numbers, [0, 1]] = 1.0
    one, other = (column_name(number, names) for number in numbers)
    return Projection(np.zeros(d), axes, f"Columns {one} and {other} of {d}")


def _number(column: str | int, d: int, names: Sequence[str]) -> int:
    if isinstance(column, str):
        if column not in names:
            raise ValueError(f"Unknown column {column!r}.")
        return list(names).index(column)
    if not 0 <= column < d:
        raise ValueError(f"Column {column} must be between 0 and {d - 1}.")
    return int(column)


def column_name(number: int, names: Sequence[str] = ()) -> str:
    """Return the name of a column; without names, its number from 1."""
    return f"“{names[number]}”" if number < len(names) else f"{number + 1}"
