"""k-means: the problem, an incremental Lloyd's algorithm, and the sub-set heuristics."""

from typing import Any

import numpy as np

from ... import datasets
from ...datasets.readers.points import read_points
from ..entry import Entry, Example, Source
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


def of_data(data: datasets.Points, size: int, **options: Any) -> Any:
    return kmeans(data.points, size, **options)


def known(data: datasets.Points, size: int) -> float | None:
    true = 0 if data.centers is None else len(data.centers)
    return data.best_known if size == true else None


ENTRY = Entry(
    id="kmeans",
    title="k-means",
    type=KMeans,
    make=kmeans,
    tiny=tiny,
    seconds=10.0,
    cases=cases,
    scene="prviz.scenes.kmeans:scene",
    live="prviz.live_page.drawing.kmeans:picture",
    source=Source(
        name="k-means",
        counts="centres",
        make=of_data,
        examples={
            "a3_like": Example(datasets.a3_like, 50),
            "a3": Example(datasets.a3, 50),
            "s1": Example(datasets.s1, 15),
            "s2": Example(datasets.s2, 15),
        },
        holds="points, one per row",
        read=read_points,
        known=known,
    ),
    paper={"k1": 1, "m1": 100},
)
