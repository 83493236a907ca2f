"""The type of all data sets of points."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ... import display
from ..scaling import Scaling
from .frame import data_frame


class Points(NamedTuple):
    """
    A data set to cluster, with its source.

    Parameters
    ----------
    points : ndarray of float64, shape (n, d)
        One point per row. If the reader scaled the columns, the points are scaled, and
        :meth:`unscaled` returns to the units of the file.
    name : str
        Name to show on a page.
    source : str
        Source to credit.
    centers : ndarray of float64, shape (k, d), or None
        The ground-truth centres, if known.
    best_known : float or None
        Lowest known WCSS of these points, with the number of centres of the ground truth.
    stand_in : bool
        True if the set was generated as a stand-in for a real data set.
    notice : str
        A notice to show with the data; may be empty.
    columns : tuple of str
        Names of the coordinates, if any.
    lines : ndarray of int64, shape (n,), or None
        None if no rows were dropped. Otherwise the line of each point in its text file, or its
        row number in other data, from 1.
    scaling : Scaling or None
        How the columns were scaled; None if they were not.
    """

    points: np.ndarray
    name: str
    source: str
    centers: np.ndarray | None = None
    best_known: float | None = None
    stand_in: bool = False
    notice: str = ""
    columns: tuple[str, ...] = ()
    lines: np.ndarray | None = None
    scaling: Scaling | None = None

    figure, _repr_html_ = display.figure, display.card  # type: ignore[misc]

    def unscaled(self, rows: Any) -> np.ndarray:
        """
        Return scaled points or centres in the units of the file; a copy if nothing was scaled.

        Parameters
        ----------
        rows : array_like, shape (m, d)
            For example ``run.best_state.centers``.

        Examples
        --------
        >>> from prviz import datasets
        >>> points = datasets.read_points(b"x,y\\n1,20\\n3,60", scale="standard")
        >>> points.points.tolist(), points.unscaled([[0, 0]]).tolist()
        ([[-1.0, -1.0], [1.0, 1.0]], [[2.0, 40.0]])
        """
        rows = np.array(rows, np.float64)
        d = self.points.shape[1]
        if rows.ndim != 2 or rows.shape[1] != d:
            raise ValueError(f"rows must have the shape (m, {d}), got {rows.shape}.")
        return rows if self.scaling is None else self.scaling.undo(rows)

    def to_frame(self) -> Any:
        """Return the points as a pandas DataFrame, one column per coordinate."""
        d = self.points.shape[1]
        names = self.columns or (["x", "y"] if d == 2 else [*map(str, range(d))])
        return data_frame(self.points, names)
