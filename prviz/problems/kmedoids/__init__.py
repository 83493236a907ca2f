"""k-medoids: the problem, its two optimisers, and the sub-set heuristics."""

from typing import Any

import numpy as np

from ... import datasets
from ...datasets.readers.matrices import read_matrix_or_points
from ..entry import Entry, Example, Source
from .problem import KMedoids, kmedoids


def tiny() -> Any:
    return kmedoids(1.0 - np.eye(6), 3)  # both optimisers share one kernel


def cases() -> dict[str, Any]:
    points = np.random.default_rng(0).integers(0, 200, size=(90, 2)).astype(float)
    matrix = np.square(points[:, None] - points[None]).sum(axis=2)
    uneven = np.random.default_rng(1).random((40, 40)) * (1 - np.eye(40))
    return {
        "alternate": kmedoids(matrix, 7, "alternate"),
        "swap": kmedoids(matrix, 7, "swap"),
        "asymmetric float32": kmedoids(uneven.astype(np.float32), 6, "swap"),
    }


def of_data(data: Any, size: int, **options: Any) -> Any:
    if isinstance(data, datasets.Pictures):
        return kmedoids(datasets.dissimilarity(data.points, "sqeuclidean"), size, **options)
    return kmedoids(data.matrix, size, **options)


def known(data: Any, size: int) -> float | None:
    fits = isinstance(data, datasets.Pictures) and data.n_clusters == size
    return data.best_known if fits else None


ENTRY = Entry(
    id="kmedoids",
    title="k-medoids",
    type=KMedoids,
    make=kmedoids,
    tiny=tiny,
    seconds=10.0,
    cases=cases,
    scene="prviz.scenes.kmedoids:scene",
    live="prviz.live_page.drawing.kmedoids:picture",
    source=Source(
        name="k-medoids",
        counts="medoids",
        make=of_data,
        examples={
            "digits900": Example(datasets.digits900, 121),
            "faces900": Example(datasets.faces900, 121),
        },
        holds="points, or a matrix of dissimilarities",
        read=read_matrix_or_points,
        known=known,
    ),
    alpha=False,  # a medoid cannot be between two points
    paper={"k1": 1, "m1": 500_000},
)
