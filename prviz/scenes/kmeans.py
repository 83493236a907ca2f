"""k-means for the player: points, centres, and the ground truth if it is known."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..datasets.distances import nearest
from ..datasets.projection import View, near, projection
from ..datasets.sets.drawn import SIDE
from ..datasets.types.points import Points
from ..player.pictures.frames import encode_positions, world_of
from .data import SOURCE, check_same, check_type, counted

SOLVED_WITHIN = 1e-5
TABLES = {"clusters": "Points and clusters", "centres": "Centres"}
#: Names of the tables if the search uses scaled columns.
SCALED_TABLES = {"clusters": "Points (unscaled) and clusters", "centres": "Centres (unscaled)"}
MOST_DOTS = 20_000  # if there are more points, the picture shows a random sample
#: Axes of the surface on which users draw points. They are fixed, so that points do not move.
SQUARE = {axis: [0.0, SIDE - 1.0] for axis in "xy"}
DOT = 3.0  # size in pixels of points that users draw, and of their own points if there are few
SAMPLE_SEED = 0  # a fixed seed, so that every search shows the same points


class KMeansScene:
    """The picture of a k-means search.

    Points in the plane are shown directly, and other points by a projection. Outliers do not
    stretch the picture: they are drawn at its edge, and counted.

    Parameters
    ----------
    dataset : Points
        The data, with their name and ground truth.
    problem : KMeans
        A problem made from ``dataset.points``.
    view : "pca", or two columns by their names or numbers (from 0)
        Projection of points that do not have two coordinates. The default is principal components.
    world : mapping, optional
        Visible rectangle, as in :func:`.frames.world_of`. By default, it encloses the points.
    dot : float, optional
        Size of a point in pixels. By default, the size that suits thousands of points.

    Attributes
    ----------
    shown : str or None
        Description of the part of the data that is drawn; None if everything is drawn.
    """

    noun = ("centre", "centres")
    cost = "WCSS"
    optimiser = "Lloyd"
    solved_within = SOLVED_WITHIN
    tables = TABLES

    def __init__(
        self,
        dataset: Points,
        problem: Any,
        view: View = None,
        *,
        world: dict[str, list[float]] | None = None,
        dot: float | None = None,
    ):
        points, truth, k = dataset.points, dataset.centers, problem.k
        self.title = f"k-means on {dataset.name}"
        self.projection = projection(points, view, dataset.columns)
        self._points = problem.points
        self._columns = columns_of(dataset)
        self._unscaled = dataset.unscaled
        if dataset.scaling:
            self.tables = SCALED_TABLES
        self._k = k
        self.truth = truth
        self.best_known = dataset.best_known if truth is not None and len(truth) == k else None
        plane = self._plane(points)
        self.world = world or world_of(plane[near(plane)])
        drawn = sample(len(points))
        self.shown = _caption(
            self.projection, points.shape[1], len(points), drawn, self._n_outside(plane)
        )
        dots = plane if drawn is None else plane[drawn]
        self._assets = {"points": encode_positions(dots, self.world).tobytes()}
        size = {"dot": dot} if dot else {}
        self.layers: list[dict[str, Any]] = [{"kind": "points", "asset": "points", **size}]
        self.channels = [("centers", "u2", 2 * k)]
        if truth is not None:
            places = encode_positions(self._plane(truth), self.world)
            self._assets["truth"] = places.tobytes()
            self.layers.append({"kind": "truth", "asset": "truth", "channel": "truth"})
            self.channels.append(("truth", "u1", len(truth)))
        self.layers.append({"kind": "markers", "channel": "centers", "trail": 6})

    def asset(self, name: str) -> bytes:
        """Return the static positions of a layer as pairs of u16."""
        return self._assets[name]

    def draw(self, frame: np.void, state: Any) -> None:
        """Fill the channels of a frame from a state."""
        frame["centers"] = encode_positions(self._plane(state.centers), self.world).ravel()
        if self.truth is not None:
            frame["truth"] = np.minimum(centres_of_truth(state.centers, self.truth), 255)

    def table(self, name: str, state: Any) -> dict[str, np.ndarray]:
        """Return one row per point, in the order of the data, or one row per centre.

        Coordinates are in the units of the file; distances are those of the search.
        """
        labels, centers = state.labels, state.centers
        if name == "centres":
            sizes = np.bincount(labels, minlength=self._k)
            found = {"cluster": np.arange(self._k), "points": sizes}
            return {**self._beside(found), **self._coordinates(centers)}
        apart = np.sqrt(((self._points - centers[labels]) ** 2).sum(axis=1))
        found = {"cluster": labels, "distance": apart}
        return {**self._coordinates(self._points), **self._beside(found)}

    def _beside(self, found: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Rename result columns whose names occur in the data."""
        return {f"found {n}" if n in self._columns else n: each for n, each in found.items()}

    def _coordinates(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        return dict(zip(self._columns, self._unscaled(rows).T, strict=True))

    def _plane(self, points: np.ndarray) -> np.ndarray:
        return points if self.projection is None else self.projection.of(points)

    def _n_outside(self, plane: np.ndarray) -> int:
        """Return how many points are outside the picture."""
        low, high = np.transpose([self.world["x"], self.world["y"]])
        return int(((plane < low) | (plane > high)).any(axis=1).sum())


def scene(problem: Any, data: Points | None = None) -> KMeansScene:
    """Return the scene of a problem, with names from its data set if ``data`` is given."""
    points = problem.points
    dataset = check_type(data, Points) or Points(points, counted(points, "point"), SOURCE)
    check_same(dataset.points, points)
    return KMeansScene(dataset, problem)


def columns_of(dataset: Points) -> list[str]:
    """Return the names of the coordinates."""
    if dataset.columns:
        return [*dataset.columns]
    d = dataset.points.shape[1]
    return ["x", "y"] if d == 2 else [f"column {i + 1}" for i in range(d)]


def sample(n: int) -> np.ndarray | None:
    """Return the indices of the points to draw, or None to draw all points."""
    if n <= MOST_DOTS:
        return None
    return np.sort(np.random.default_rng(SAMPLE_SEED).choice(n, MOST_DOTS, replace=False))


def _caption(seen: Any, d: int, n: int, drawn: np.ndarray | None, n_out: int) -> str | None:
    """Describe which part of the data is drawn, in sentences."""
    sentences = []
    if seen is not None:
        sentences.append(f"{seen.said}.")
    if d > 2:
        sentences.append(f"Distances use all {d} columns, so points may look misassigned.")
    if drawn is not None:
        sentences.append(f"{_digits(len(drawn))} of {_digits(n)} points are drawn.")
    if n_out == 1:
        sentences.append("One point lies outside the picture and is drawn at its edge.")
    elif n_out:
        sentences.append(
            f"{_digits(n_out)} points lie outside the picture and are drawn at its edge."
        )
    return " ".join(sentences) or None


def _digits(n: int) -> str:
    return f"{n:,}".replace(",", "\u202f")


def centres_of_truth(centers: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Count, for each true centre, the centres that are nearest to it.

    The number of zeros in the result is the centroid index (Fränti, Rezaei and Zhao 2014). It is 0
    if every cluster has been found.

    Parameters
    ----------
    centers : (k, d)
    truth : (t, d)

    Returns
    -------
    (t,) int64
    """
    return np.bincount(nearest(centers, truth), minlength=len(truth))
