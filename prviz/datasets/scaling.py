"""Scale columns: standard (mean, standard deviation) or robust (median, quartiles)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

#: Description of each way to scale columns.
SCALES = {
    "none": "",
    "standard": "each column minus its mean, divided by its standard deviation",
    "robust": "each column minus its median, divided by its interquartile range",
}
DIGITS = 14  # significant digits of values in the units of the file
BITS = 40  # centres and spreads are rounded to this many bits, so all machines give the same result


class Scaling(NamedTuple):
    """The scaling of columns: a value of the file is ``shift + width * (centre + spread * x)``.

    Parameters
    ----------
    shift, width, centre, spread : ndarray of float64, shape (d,)
        `shift` and `width` map a column to 0 … 1. `width` is 1 for a column that is not divided.
    """

    shift: np.ndarray
    width: np.ndarray
    centre: np.ndarray
    spread: np.ndarray

    def undo(self, rows: np.ndarray) -> np.ndarray:
        """Return scaled rows in the file's units, rounded: 1.71, not 1.7100000000000002."""
        values = self.shift + self.width * (self.centre + self.spread * rows)
        largest = np.maximum(np.abs(self.shift), np.abs(self.width))
        places = DIGITS - np.ceil(np.log10(largest)).astype(int)
        for j, decimals in enumerate(places):
            if abs(decimals) <= 30:  # otherwise, rounding may overflow
                values[:, j] = np.round(values[:, j], decimals)
        return values


def check_scale(scale: str) -> None:
    """Raise a ValueError if there is no such scale."""
    if scale not in SCALES:
        known = ", ".join(map(repr, SCALES))
        raise ValueError(f"scale must be one of {known}, got {scale!r}.")


def scaled(
    values: np.ndarray, columns: Sequence[str], scale: str = "none"
) -> tuple[np.ndarray, str, Scaling | None]:
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
    scaling : Scaling or None
        Undoes the scaling; None if ``scale`` is "none".
    """
    check_scale(scale)
    if scale == "none":
        return values, "", None
    made, flat = np.empty_like(values), []
    steps = np.empty((4, values.shape[1]))
    for j, name in enumerate(columns):
        low, high = values[:, j].min(), values[:, j].max()
        width = high - low or 1.0
        # map the column to 0 … 1, so that squares neither underflow nor overflow
        unit = (values[:, j] - low) / width
        if scale == "standard":
            centre, spread = unit.mean(), unit.std()
        else:
            lower, centre, upper = np.percentile(unit, (25, 50, 75))
            spread = upper - lower
        if not spread:
            flat.append(name)
            unit, centre, spread, width = values[:, j] - low, (high - low) * centre, 1.0, 1.0
        steps[:, j] = low, width, _rounded(centre), _rounded(spread)
        made[:, j] = (unit - steps[2, j]) / steps[3, j]
    return made, _notice(flat, scale), Scaling(*steps)


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
