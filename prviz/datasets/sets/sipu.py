"""A3, the paper's k-means data, and two easier data sets from the same collection."""

import hashlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from prviz.datasets.readers.points import read_points
from prviz.datasets.sets import fetch
from prviz.datasets.types.points import Points

CREDIT = (
    "P. Fränti and S. Sieranoja, K-means properties on six clustering benchmark datasets, "
    "Applied Intelligence 48 (2018); files from gagolews/clustering-data-v1, "
    "provided solely for research purposes"
)


class _Benchmark(NamedTuple):
    """Checksums of a set: sha256 of its two files, and of its points in sorted order."""

    name: str
    data: str
    labels: str
    sorted_points: str
    best_known: float


_A3 = _Benchmark(
    name="A3",
    data="f6f9d0fc400876d11e495b80f2e4be9a030a89425ddd7437a83d7274d40dd3da",
    labels="8f5c7bfca7c7de8d296563f41778f6ec828585e22ac8bb92ed92be4f53922afa",
    sorted_points="cdf2893cae4c4b526ac324c396563f9f213e1cfeb32fb0143fc06f4feefac23f",
    best_known=28937415099.68965,
)
# best_known of S1 and S2 is the best of 100 greedy k-means++ starts by scikit-learn with k = 15;
# 25 starts reached it on S1, and 10 on S2
_S1 = _Benchmark(
    name="S1",
    data="1c98ce81861d49302dab5f62f7f167a66707f868a6ba4d1ad45254b0df76ad15",
    labels="b583261e516f8178987455be18a07891e7995f25e1cae138c0b8b2d0b66e43dd",
    sorted_points="62d06fdc236536531886e295df4260e86885fc137236e5957a0cc7c9841784f4",
    best_known=8917615616867.26,
)
_S2 = _Benchmark(
    name="S2",
    data="2851b54c760ccabca735d733a6ba5f934b367315462641b461f4fb5a30004596",
    labels="31aeb544430e3571556d2e9d514cea4ea7ae9bf8d6867052b06bd7f4af7a5161",
    sorted_points="77ce4873ac37b2264c2336f9c81b58b5dcd9eb8270e02bce3ffd8ef893878621",
    best_known=13279109490729.708,
)


def a3(base_url: str | None = None) -> Points:
    """
    Load A3, the paper's k-means data: 7500 points in 50 Gaussian clusters.

    The file is read from `PRVIZ_DATA_DIR` or the user's cache, or downloaded into this cache.
    `a3.data.gz` is preferred. `a3.txt`, the text file of the SIPU page, has the same points in
    another order and no cluster labels. The ground-truth centres are the means of the true
    clusters, or None if `a3.labels0.gz` is not available.

    Parameters
    ----------
    base_url : str, optional
        Where to download from. Default: the environment variable ``PRVIZ_DATA_URL``, if it is set,
        otherwise the public source of the file.

    Returns
    -------
    Points
        `best_known` is for 50 centres.

    Raises
    ------
    DataUnavailable
        The file is missing or damaged.
    """
    return _load(_A3, base_url)


def s1(base_url: str | None = None) -> Points:
    """Load S1: 5000 points in 15 well separated Gaussian clusters. See `a3` for the details."""
    return _load(_S1, base_url)


def s2(base_url: str | None = None) -> Points:
    """Load S2: 5000 points in 15 touching Gaussian clusters. See `a3` for the details."""
    return _load(_S2, base_url)


def _load(benchmark: _Benchmark, base_url: str | None) -> Points:
    stem = benchmark.name.lower()
    path = fetch.find([f"{stem}.data.gz", f"{stem}.txt"])
    if path is not None and path.suffix == ".txt":
        return Points(
            points=_read_text(path, benchmark),
            name=benchmark.name,
            source=CREDIT,
            best_known=benchmark.best_known,
            notice=f"Points in the order of {stem}.txt, without their ground truth: "
            f"runs differ from those on {stem}.data.gz.",
        )
    if path is None:
        content = fetch.download(f"{stem}.data.gz", benchmark.data, base_url)
    else:
        content = fetch.read_pinned(path, benchmark.data)
    points = read_points(content).points
    # a user who supplied the points by PRVIZ_DATA_DIR may be offline on purpose
    online = path is None or path.is_relative_to(fetch.cache_folder())
    centers = _true_centers(points, benchmark, base_url, online)
    return Points(
        points=points,
        name=benchmark.name,
        source=CREDIT,
        centers=centers,
        best_known=benchmark.best_known,
        notice="" if centers is not None else f"No ground truth: {stem}.labels0.gz is missing.",
    )


def _read_text(path: Path, benchmark: _Benchmark) -> np.ndarray:
    try:
        points = read_points(fetch.read(path), name=path.name).points
    except ValueError as error:
        raise fetch.DataUnavailable(
            f"{path} is damaged ({str(error).rstrip('.')}): delete it, or replace it."
        ) from None
    ordered = points[np.lexsort(points.T[::-1])]
    found = hashlib.sha256(ordered.astype("<f8").tobytes()).hexdigest()
    if found != benchmark.sorted_points:
        raise fetch.DataUnavailable(
            f"{path} does not contain the points of {benchmark.name} (sha256 of the sorted points "
            f"is {found}, expected {benchmark.sorted_points}): delete it, or replace it."
        )
    return points


def _true_centers(
    points: np.ndarray, benchmark: _Benchmark, base_url: str | None, online: bool
) -> np.ndarray | None:
    """Return the mean of each true cluster, shape (k, d); None if labels are not available."""
    name = f"{benchmark.name.lower()}.labels0.gz"
    path = fetch.find([name])
    try:
        if path is not None:
            content = fetch.read_pinned(path, benchmark.labels)
        elif online:
            content = fetch.download(name, benchmark.labels, base_url, timeout=3.0)
        else:
            return None
    except fetch.DataUnavailable:
        return None
    labels = read_points(content).points[:, 0]
    return np.array([points[labels == label].mean(axis=0) for label in np.unique(labels)])
