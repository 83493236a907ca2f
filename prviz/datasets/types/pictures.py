"""Pictures, one per point, with their source."""

from typing import Any, NamedTuple

import numpy as np

from ... import display
from .frame import data_frame


class Pictures(NamedTuple):
    """
    Pictures to cluster, with their source.

    Parameters
    ----------
    points : ndarray of float64, shape (n, height · width)
        One picture per row, its pixels row by row.
    shape : tuple of int
        Height and width in pixels.
    name : str
        Name to show on a page.
    source : str
        Source to credit.
    n_clusters : int
        Number of medoids for `best_known`.
    best_known : float or None
        Lowest sum of squared distances known.
    stand_in : bool
        True if the set stands in for another data set.
    notice : str
        A notice to show with the data; may be empty.
    ink : bool
        True if high values are dark (ink on paper), False if they are light.
    labels : tuple of str
        Name of each picture; empty if pictures only have numbers.
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
        """Return the pictures as a pandas DataFrame, one column per pixel, row by row."""
        return data_frame(self.points, [*map(str, range(self.points.shape[1]))])
