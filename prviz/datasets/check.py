"""Checks of points, in one place for files, uploads and problems."""

from typing import Any

import numpy as np

SMALLEST = 1e-150  # above this limit, squares of differences do not underflow
LARGEST = 1e150  # below this limit, squares of coordinates and their sums stay finite


def check_points(points: Any) -> np.ndarray:
    """
    Return `points` as a new, C-contiguous float64 array, or raise an error that names the fault.

    Parameters
    ----------
    points : array_like or pandas.DataFrame, shape (n, d)
        One point per row, n ≥ 1 and d ≥ 1; real, finite, and at most 1e150 in absolute value.

    Returns
    -------
    ndarray of float64, shape (n, d)
        A copy, so later changes to `points` do not affect it.

    Raises
    ------
    TypeError
        If the entries are not real numbers.
    ValueError
        If the shape is wrong, or an entry is NaN, infinite or huge.
    """
    reject_masked(points, "points")
    checked = numbers_of(points)
    fault = first_fault(checked)
    if fault is not None:
        row, column, what = fault
        raise ValueError(f"points[{row}, {column}] is {what}.")
    if 0.0 < (span := float(np.ptp(checked, axis=0).max())) < SMALLEST:
        raise ValueError(
            f"points differ by at most {span:g}, and squares of such differences underflow to 0: "
            "rescale the data."
        )
    return checked


def reject_masked(values: Any, name: str) -> None:
    """Raise a ValueError if a masked array has masked entries, whose values are meaningless."""
    if np.ma.is_masked(values):
        raise ValueError(f"{name} must not have masked entries: fill them or drop those rows.")


def reject_sparse(values: Any, name: str) -> None:
    """Raise a TypeError for a sparse matrix."""
    if hasattr(values, "toarray"):
        kind = type(values).__name__
        raise TypeError(f"{name} must be an array, got {kind}: convert it by its method toarray().")


def numbers_of(points: Any) -> np.ndarray:
    """Check points like :func:`check_points`, but allow missing, infinite and huge entries."""
    reject_sparse(points, "points")
    array = _frame_to_array(points) if hasattr(points, "dtypes") else _to_array(points)
    if array.ndim == 1 and array.size:
        raise ValueError(
            "points must have two dimensions (points, coordinates), not one: "
            "for points on a line use points.reshape(-1, 1)."
        )
    if array.size == 0:
        raise ValueError(
            f"points are empty (shape {array.shape}): give at least one point with one coordinate."
        )
    if array.ndim != 2:
        raise ValueError(
            f"points must have two dimensions (points, coordinates), got {array.ndim} "
            f"(shape {array.shape}): reshape them to one point per row."
        )
    if array.dtype.kind not in "biuf":
        raise TypeError(
            f"points must be real numbers, got {array.dtype}: convert them to float first."
        )
    with np.errstate(over="ignore", invalid="ignore"):  # first_fault finds infinite values later
        return np.array(array, dtype=np.float64, order="C")


def check_weights(weights: Any, n: int, of: str = "point") -> np.ndarray:
    """
    Return the weights of `n` points as a new float64 array; shape (0,) if all are 1.

    `of` is the word for a point in error messages.

    Raises
    ------
    TypeError, ValueError
        The weights are not numbers, have a wrong shape, or are not all positive and finite.
    """
    if weights is None:
        return np.zeros(0)
    try:
        array = np.array(weights)
    except ValueError:  # rows of unequal length
        raise ValueError("weights must be one-dimensional.") from None
    reject_masked(weights, "weights")
    if array.dtype.kind not in "biuf":
        raise TypeError(f"weights must be real numbers, got {array.dtype}.")
    if array.shape != (n,):
        raise ValueError(f"weights must be one number per {of}, shape ({n},), got {array.shape}.")
    array = array.astype(np.float64)
    sound = (array > 0.0) & (array <= LARGEST)  # False for NaN as well
    if not sound.all():
        i = int(np.argmin(sound))
        raise ValueError(
            f"weights[{i}] is {array[i]:g}: weights must be above 0 and at most {LARGEST:g}; "
            f"remove {of}s that should not count."
        )
    return np.zeros(0) if (array == 1.0).all() else array


def full_weights(weights: Any, n: int, of: str) -> np.ndarray:
    """Return the weights of `n` sequences or examples as a new float64 array of shape (n,)."""
    given = check_weights(weights, n, of)
    return given if len(given) else np.ones(n)


def first_fault(points: np.ndarray) -> tuple[int, int, str] | None:
    """Return row, column and description of the first entry that is infinite, NaN or huge."""
    sound = np.abs(points) <= LARGEST  # False for NaN as well
    if sound.all():
        return None
    row, column = (int(i) for i in np.unravel_index(np.argmin(sound), points.shape))
    value = float(points[row, column])
    if np.isfinite(value):
        return row, column, f"{value:g}, too large (the limit is {LARGEST:g}): rescale the data"
    return row, column, f"{value}, not a finite number: fill it or drop that row"


def _to_array(points: Any) -> np.ndarray:
    try:
        return np.asarray(points)
    except ValueError:  # rows of unequal length
        sentence = "points must be a rectangular array: one point per row, rows of equal length."
        try:
            lengths = [len(row) for row in points]
        except TypeError:
            raise ValueError(sentence) from None
        odd = next((i for i, length in enumerate(lengths) if length != lengths[0]), None)
        if odd is None:
            raise ValueError(sentence) from None
        raise ValueError(
            f"points[{odd}] has {lengths[odd]} coordinates but points[0] has {lengths[0]}: "
            "give every point the same number of coordinates."
        ) from None


def _frame_to_array(frame: Any) -> np.ndarray:
    """Return a DataFrame or a Series as an array."""
    if not hasattr(frame, "columns"):  # a Series
        return np.asarray(frame)
    for name, dtype in zip(frame.columns, frame.dtypes, strict=True):
        if dtype.kind not in "biuf":
            raise TypeError(
                f"column {name!r} holds {dtype}, not numbers: convert or drop that column."
            )
    return frame.to_numpy(dtype=np.float64, na_value=np.nan)
