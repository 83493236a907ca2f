"""Points of any dimension in the plane: by their principal components, or by two columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

#: Of so many points one may lie far from all others without changing how these are seen.
FAR_ONES = 100
#: How often farther out than all but the farthest ones a point must lie to count as far.
FAR = 3.0
#: Medians are of about so many points.
MEDIAN_OF = 10_000
#: Of more columns the matrix of scatter is not made, let alone all of its eigenvectors.
MOST_WHOLE = 400
#: What a second component has of the variance of the first where points lie on a line, at most.
ON_A_LINE = 1e-12

#: "pca", or two columns by their names or numbers (from 0).
View = str | Sequence[str | int] | None


class Projection(NamedTuple):
    """A linear map to the plane.

    Attributes
    ----------
    origin : (d,) float64
        What comes to lie at 0.
    axes : (d, 2) float64
        Where the coordinates go.
    said : str
        What is seen, such as "Principal components of 20 columns, 74 % of the variance".
    share : float or None
        Of the variance that is seen, of principal components.
    """

    origin: np.ndarray
    axes: np.ndarray
    said: str
    share: float | None = None

    def of(self, points: np.ndarray) -> np.ndarray:
        """(m, 2): where points, or centres, (m, d) come to lie."""
        return (points - self.origin) @ self.axes


def projection(
    points: np.ndarray, view: View = None, names: Sequence[str] = ()
) -> Projection | None:
    """How points are shown; None where they lie in the plane and are shown as they are.

    Parameters
    ----------
    points : (n, d) float64
    view : "pca", or two columns by their names or numbers (from 0)
        By default principal components, unless d is 2.
    names : sequence of str
        What the columns are called.

    Raises
    ------
    ValueError
        There is no such view, or no such column.
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

    The largest entry of each direction is positive, so that no machine mirrors the picture.

    Parameters
    ----------
    points : (n, d) float64
    """
    close = near(points)
    shown = points if close.all() else points[close]
    origin = shown.mean(axis=0)
    centred = shown - origin
    centred /= max(centred.max(), -centred.min()) or 1.0  # whose squares are finite
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
    """Which points are not far from all others: at least 99 in 100, and all but one of fewer.

    Far is three times as far from the medians of the coordinates as all but the hundredth part of
    the points that lies farthest out. So one wrong number does not make dots of all the others.

    Parameters
    ----------
    points : (n, d) float64

    Returns
    -------
    (n,) bool
    """
    middle = np.median(points[:: 1 + len(points) // MEDIAN_OF], axis=0)
    away = points - middle
    away /= max(away.max(), -away.min()) or 1.0  # whose squares are finite, and are not 0
    squares = np.einsum("ij,ij->i", away, away)
    n_far = max(1, len(points) // FAR_ONES)
    at = max(0, len(points) - 1 - n_far)
    reach = np.partition(squares, at)[at]
    return squares <= (FAR**2 * reach if reach > 0 else np.inf)


def percent(share: float) -> str:
    """Return a share in words; only the whole is 100 %."""
    rounded = round(100 * share)
    if rounded == 100 and share < 1 - 1e-9:
        return "more than 99 %"
    return f"{rounded} %" if share >= 0.01 or share == 0 else "less than 1 %"


def _leading(centred: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the two largest eigenvalues of the scatter matrix, and (d, 2) unit vectors."""
    d = centred.shape[1]
    values, axes = np.zeros(2), np.zeros((d, 2))
    if not centred.any():  # all on one spot
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
            raise ValueError(f"There is no column {column!r}.")
        return list(names).index(column)
    if not 0 <= column < d:
        raise ValueError(f"There is no column {column}: they are numbered from 0 to {d - 1}.")
    return int(column)


def column_name(number: int, names: Sequence[str] = ()) -> str:
    """Return the name of a column, or its number from 1."""
    return f"“{names[number]}”" if number < len(names) else f"{number + 1}"
