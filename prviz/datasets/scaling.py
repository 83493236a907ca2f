"""Scale columns: standard (mean, standard deviation) or robust (median, quartiles)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

#: Description of each way to scale columns.
SCALES = {
    "none": "",
    "standard": "each column minus its mean, divided by its standard deviation",
    "robust": "each column minus its median, divided by its interquartile range",
}
BITS = 40  # centres and spreads are rounded to this many bits, so all machines give the same result


def check_scale(scale: str) -> None:
    """Raise a ValueError if there is no such scale."""
    if scale not in SCALES:
        known = ", ".join(map(repr, SCALES))
        raise ValueError(f"scale must be one of {known}, got {scale!r}.")


def scaled(
    values: np.ndarray, columns: Sequence[str], scale: str = "none"
) -> tuple[np.ndarray, str]:
    """
    Subtract a centre from each column and divide by a spread.

    A column without spread is not divided.

    Parameters
    ----------
    values : ndarray of float64, shape (n, d)
        Finite.
    columns : sequence of str
        Names of the columns.
    scale : {"none", "standard", "robust"}

    Returns
    -------
    values : ndarray of float64, shape (n, d)
    notice : str
        Names the columns that are not divided; may be empty.
    """
    check_scale(scale)
    if scale == "none":
        return values, ""
    made, flat = np.empty_like(values), []
    for j, name in enumerate(columns):
        low, high = values[:, j].min(), values[:, j].max()
        # map the column to 0 … 1, so that squares neither underflow nor overflow
        unit = (values[:, j] - low) / (high - low or 1.0)
        if scale == "standard":
            centre, spread = unit.mean(), unit.std()
        else:
            lower, centre, upper = np.percentile(unit, (25, 50, 75))
            spread = upper - lower
        if not spread:
            flat.append(name)
            unit, centre, spread = values[:, j] - low, (high - low) * centre, 1.0
        made[:, j] = (unit - _rounded(centre)) / _rounded(spread)
    return made, _notice(flat, scale)


def _rounded(number: float) -> float:
    fraction, exponent = np.frexp(number)
    return float(np.ldexp(np.rint(np.ldexp(fraction, BITS)), exponent - BITS))


def _notice(flat: Sequence[str], scale: str) -> str:
    if not flat:
        return ""
    none = "is constant" if scale == "standard" else "has an interquartile range of 0"
    if len(flat) == 1:
        return f'Column "{flat[0]}" {none}, and is not divided.'
    named = ", ".join(f'"{name}"' for name in flat)
    return f"Columns {named}: each {none}, and is not divided."
