"""k-medoids: the problem, its two optimisers, and its sub-sets."""

from typing import Any

import numpy as np

from ..entry import Entry
from .problem import KMedoids, kmedoids


def tiny() -> Any:
    return kmedoids(1.0 - np.eye(6), 3)  # both optimisers: they are one kernel


def cases() -> dict[str, Any]:
    points = np.random.default_rng(0).integers(0, 200, size=(90, 2)).astype(float)
    matrix = np.square(points[:, None] - points[None]).sum(axis=2)
    uneven = np.random.default_rng(1).random((40, 40)) * (1 - np.eye(40))
    return {
        "alternate": kmedoids(matrix, 7),
        "swap": kmedoids(matrix, 7, "swap"),
        "asymmetric float32": kmedoids(uneven.astype(np.float32), 6, "swap"),
    }


ENTRY = Entry("kmedoids", "k-medoids", KMedoids, kmedoids, tiny, 10.0, cases)
