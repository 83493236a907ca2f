"""k-medoids for the player: a wall with pictures of the medoids, or a map with their names.

A frame contains the point number of each medoid and the size of its cluster. All other data are
static: the pictures or the positions on the map, and the dissimilarities, from which the browser
computes the members of a cluster.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np

from ..datasets.types.matrices import Dissimilarities
from ..datasets.types.pictures import Pictures
from ..player.pictures.frames import encode_positions, world_of
from .data import SOURCE, check_same, check_type, counted

SOLVED_WITHIN = 1e-5
BAR = 0.14  # height of the bar below a picture, as a share of its width
LONGEST_NAME = 80  # characters
CONTRAST = (0.5, 99.5)  # percentiles of the pixels: darker is black, brighter is white


class Backdrop(NamedTuple):
    """The static parts of the scene; all searches on one data set share them.

    Attributes
    ----------
    dataset : Pictures or Dissimilarities
    assets : dict of str to bytes
    world : mapping
        For a map, the rectangle of its positions. For a wall, None.
    """

    dataset: Pictures | Dissimilarities
    assets: dict[str, bytes]
    world: dict[str, list[float]] | None


def backdrop(dataset: Pictures | Dissimilarities, matrix: np.ndarray) -> Backdrop:
    """Return the static parts of the picture, the same for all searches on a data set.

    Parameters
    ----------
    dataset : Pictures or Dissimilarities
    matrix : (n, n) float
        Dissimilarities; see :func:`prviz.kmedoids`.
    """
    assets = {"dissimilarity": encode_matrix(matrix)}
    if isinstance(dataset, Pictures):
        return Backdrop(dataset, {**assets, "pictures": encode_pictures(dataset)}, None)
    places = embedding(matrix)
    world = world_of(places, margin=0.1)
    assets["places"] = encode_positions(places, world).tobytes()
    assets["names"] = json.dumps([label[:LONGEST_NAME] for label in dataset.labels]).encode()
    return Backdrop(dataset, assets, world)


class KMedoidsScene:
    """The picture of a k-medoids search.

    Parameters
    ----------
    back : Backdrop
        Static parts from :func:`backdrop`.
    problem : KMedoids
        A problem made from the same matrix.
    """

    noun = ("medoid", "medoids")
    cost = "dissimilarity"
    solved_within = SOLVED_WITHIN
    tables = {"clusters": "Points and medoids", "medoids": "Medoids"}  # noqa: RUF012

    def __init__(self, back: Backdrop, problem: Any):
        dataset, k = back.dataset, problem.k
        self._by_point = problem.by_point
        self._names = np.array(getattr(dataset, "labels", ()), object)
        self._assets = back.assets
        self.title = f"k-medoids on {dataset.name}"
        self.optimiser = "Swap search" if problem.swap else "Alternation"
        self.best_known = None
        self.channels = [("medoids", "u2", k), ("sizes", "u2", k)]
        members = {"channel": "medoids", "sizes": "sizes", "lazy": "dissimilarity"}
        self.layers: list[dict[str, Any]]
        if isinstance(dataset, Pictures):
            if dataset.n_clusters == k:
                self.best_known = dataset.best_known
            height, width = dataset.shape
            wall = {
                "tiles": k,
                "tall": height / width + BAR,
                "pixels": [width, height],
                "ink": dataset.ink,
            }
            self.world = {"x": [0.0, 1.0], "y": [0.0, 1.0]}  # adapted by the browser
            self.layers = [{"kind": "wall", "asset": "pictures", **wall, **members}]
        else:
            assert back.world is not None  # all maps share these positions
            self.world = back.world
            self.layers = [
                {"kind": "points", "asset": "places"},
                {"kind": "markers", "asset": "places", "channel": "medoids", "trail": 0},
                {"kind": "names", "asset": "names", "places": "places", **members},
            ]

    def asset(self, name: str) -> bytes:
        """Return a static part; see :class:`Backdrop`."""
        return self._assets[name]

    def draw(self, frame: np.void, state: Any) -> None:
        """Fill the channels of a frame from a state."""
        frame["medoids"] = state.medoids
        labels = state.labels
        if not np.array_equal(state.anchors, state.medoids):  # redrawn medoids have no points yet
            labels = nearest(self._by_point, state.medoids)
        frame["sizes"] = np.bincount(labels, minlength=len(state.medoids))

    def table(self, name: str, state: Any) -> dict[str, np.ndarray]:
        """Return one row per point or per medoid. Points are numbered from 0."""
        medoids, labels = state.medoids, nearest(self._by_point, state.medoids)
        if name == "medoids":
            sizes = np.bincount(labels, minlength=len(medoids))
            return {**self._named("medoid", medoids), "points": sizes}
        apart = self._by_point[np.arange(len(labels)), medoids[labels]]
        points = self._named("point", np.arange(len(labels)))
        return {**points, **self._named("medoid", medoids[labels]), "dissimilarity": apart}

    def _named(self, what: str, points: np.ndarray) -> dict[str, np.ndarray]:
        """Return the numbers of points, and their names if they have any."""
        names = {f"{what} name": self._names[points]} if len(self._names) else {}
        return {what: points, **names}


def scene(problem: Any, data: Pictures | Dissimilarities | None = None) -> KMedoidsScene:
    """Return the scene of a problem, with names or pictures from its data set if given."""
    matrix = problem.by_point
    dataset = check_type(data, Pictures, Dissimilarities)
    dataset = dataset or Dissimilarities(matrix, counted(matrix, "point"), SOURCE)
    check_same(np.arange(len(dataset[0])), np.arange(len(matrix)))
    return KMedoidsScene(backdrop(dataset, matrix), problem)


def nearest(by_point: np.ndarray, medoids: np.ndarray) -> np.ndarray:
    """Return the nearest medoid of each point (n,). The first medoid wins a tie.

    Every medoid is its own nearest medoid.
    """
    labels = by_point[:, medoids].argmin(axis=1)
    labels[medoids] = np.arange(len(medoids))
    return labels


def encode_pictures(pictures: Pictures) -> bytes:
    """Return one byte per pixel, picture by picture; CONTRAST defines black and white."""
    low, high = np.percentile(pictures.points, CONTRAST)
    shades = np.clip((pictures.points - low) / max(high - low, 1e-12), 0, 1) * 255 + 0.5
    return shades.astype(np.uint8).tobytes()


def encode_matrix(matrix: np.ndarray) -> bytes:
    """Return the rows of a matrix as f4, or only the upper triangle if it is symmetric."""
    narrow = np.clip(matrix, 0, np.finfo(np.float32).max).astype("<f4")
    if np.array_equal(matrix, matrix.T):
        narrow = narrow[np.triu_indices(len(narrow), 1)]
    return narrow.tobytes()


def embedding(matrix: np.ndarray) -> np.ndarray:
    """Return positions on a map whose distances approximate the dissimilarities.

    This is classical scaling: the two leading eigenvectors of the doubly centred matrix of squares
    (Torgerson 1952). An asymmetric matrix is averaged with its transpose.

    Parameters
    ----------
    matrix : (n, n) float

    Returns
    -------
    (n, 2) float64
    """
    n = len(matrix)
    mean = (matrix.astype(float) + matrix.T) / 2
    squares = (mean / (mean.max() or 1.0)) ** 2
    rows = squares.mean(axis=1)
    centred = -(squares - rows[:, None] - rows + rows.mean()) / 2
    if n < 3:
        values, vectors = np.linalg.eigh(centred)
    else:
        from scipy.linalg import eigh

        values, vectors = eigh(centred, subset_by_index=[n - 2, n - 1])
    places = np.zeros((n, 2))
    found = vectors[:, ::-1] * np.sqrt(np.maximum(values[::-1], 0))
    places[:, : found.shape[1]] = found[:, :2]
    # LAPACK's signs and last digits depend on the processor.
    furthest = np.abs(places).argmax(axis=0)
    places *= np.where(places[furthest, [0, 1]] < 0, -1, 1)
    return places.round(9)
