"""k-means: the problem, incremental Lloyd, and its sub-sets."""

from typing import Any

import numpy as np

from ..entry import Entry
from .problem import KMeans, kmeans


def tiny() -> Any:
    return kmeans(np.random.default_rng(0).normal(size=(20, 2)), 3)


def cases() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    points = rng.integers(0, 200, size=(90, 2)).astype(float)
    weights = rng.integers(1, 6, size=90)
    return {
        "Forgy": kmeans(points, 7),
        "k-means++": kmeans(points, 7, "k-means++"),
        "3-D": kmeans(points.reshape(60, 3), 7),
        "weighted": kmeans(points, 7, weights=weights),
        "weighted k-means++": kmeans(points, 7, "k-means++", weights=weights),
    }


ENTRY = Entry("kmeans", "k-means", KMeans, kmeans, tiny, 10.0, cases)
