"""k-means: the problem, Lloyd fast and plain, and its sub-sets."""

from typing import Any

import numpy as np

from ..entry import Entry
from .problem import KMeans, kmeans


def tiny() -> Any:
    return kmeans(np.random.default_rng(0).normal(size=(20, 2)), 3)


def cases() -> dict[str, Any]:
    points = np.random.default_rng(0).integers(0, 200, size=(90, 2)).astype(float)
    return {
        "Forgy": kmeans(points, 7),
        "k-means++": kmeans(points, 7, "k-means++"),
        "3-D": kmeans(points.reshape(60, 3), 7),
        "plain": kmeans(points, 7, lloyd="plain"),
    }


ENTRY = Entry("kmeans", "k-means", KMeans, kmeans, tiny, 10.0, cases)
