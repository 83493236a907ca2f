"""Pictures, a point for each, saying where they came from."""

from typing import Any, NamedTuple

import numpy as np

from ... import display
from .frame import data_frame


class Pictures(NamedTuple):
    """
    Pictures to cluster, saying where they came from.

    Parameters
    ----------
    points : ndarray of float64, shape (n, height · width)
        One picture a row, its pixels row by row.
    shape : tuple of int
        Height and width in pixels.
    name : str
        What to call the set on a page.
    source : str
        Whom to credit.
    n_clusters : int
        Number of medoids that `best_known` is for.
    best_known : float or None
        Lowest sum of squared distances known.
    stand_in : bool
        True if the set is shown in place of another one.
    notice : str
        A sentence that should be shown with the data; may be empty.
    ink : bool
        True if high values are ink on paper, False if they are light.
    labels : tuple of str
        What each picture is called; empty where they only have numbers.
    """

    points: np.ndarray
    shape: tuple[int, int]
    name: str
    source: str
    n_clusters: int
    best_known: float | None = None
    stand_in: bool = False
    notice: str = ""
    ink: bool = False
    labels: tuple[str, ...] = ()

    figure, _repr_html_ = display.figure, display.card  # type: ignore[misc]

    def to_frame(self) -> Any:
        """Return the pictures as a pandas DataFrame, a column a pixel, row by row."""
        return data_frame(self.points, [*map(str, range(self.points.shape[1]))])
