"""Compare k-means with HG-means, random swap, faiss and scikit-learn, for ``rivals.py``."""

from __future__ import annotations

import functools
import time

import numpy as np
from auto import table  # must be first: makes prviz importable
from rivals_part import Part, package, quiet, restarted
from sklearn import datasets as bundled
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

import prviz
from prviz.baselines import RandomSwap

HG = "HG-means"


def around(centers: np.ndarray, sizes: list[int], spread: float, seed: int) -> np.ndarray:
    """Return Gaussian clouds of these sizes around centres."""
    rng = np.random.default_rng(seed)
    return np.repeat(centers, sizes, axis=0) + spread * rng.normal(size=(sum(sizes), 2))


def grid_like_birch() -> np.ndarray:
    """Return 100 clouds on a 10 × 10 grid, like Birch1, with a tenth of its points."""
    centers = np.stack(np.meshgrid(np.arange(10.0), np.arange(10.0)), -1).reshape(-1, 2)
    return around(centers, [100] * 100, 0.2, 1)


def sine_like_birch() -> np.ndarray:
    """Return 100 clouds on a sine curve, like Birch2, with a tenth of its points."""
    at = np.arange(100.0)
    return around(np.stack([at, 8 * np.sin(at / 8)], -1), [100] * 100, 0.25, 6)


def clusters_of_a3(k: int) -> np.ndarray:
    """Return the first k clusters of A3, like A1 (20) and A2 (35), which are subsets of it."""
    return prviz.datasets.a3().points[: 150 * k]


def blurred_s2(spread: float) -> np.ndarray:
    """Return S2 with noise, so that clusters overlap more, like those of S3 and S4."""
    points = prviz.datasets.s2().points
    return points + spread * np.random.default_rng(7).normal(size=points.shape)


def like_unbalance() -> np.ndarray:
    """Return three dense clouds of 2000 points and five sparse ones of 100, like Unbalance."""
    dense = np.array([[0.0, 0.0], [0.6, 1.0], [1.2, 0.0]])
    sparse = np.array([[8.0, 0.0], [8.0, 3.0], [11.0, 1.5], [14.0, 0.0], [14.0, 3.0]])
    return np.vstack([around(dense, [2000] * 3, 0.12, 2), around(sparse, [100] * 5, 0.5, 3)])


def like_d31() -> np.ndarray:
    """Return 31 clouds of 100 points at random places that are not too close, like D31."""
    rng, centers = np.random.default_rng(4), np.zeros((0, 2))
    while len(centers) < 31:
        new = 30 * rng.random((1, 2))
        if not len(centers) or np.hypot(*(centers - new).T).min() > 3.0:
            centers = np.vstack([centers, new])
    return around(centers, [100] * 31, 0.7, 5)


#: Points, k, and CPU seconds per run.
SETS = {
    "A3, k = 50": (lambda: prviz.datasets.a3().points, 50, 0.2),
    "A1-like, k = 20": (lambda: clusters_of_a3(20), 20, 0.1),
    "A2-like, k = 35": (lambda: clusters_of_a3(35), 35, 0.15),
    "S1, k = 15": (lambda: prviz.datasets.s1().points, 15, 0.1),
    "S2, k = 15": (lambda: prviz.datasets.s2().points, 15, 0.1),
    "S3-like, k = 15": (lambda: blurred_s2(25_000), 15, 0.1),
    "S4-like, k = 15": (lambda: blurred_s2(40_000), 15, 0.1),
    "Birch1-like, k = 100": (grid_like_birch, 100, 0.4),
    "Birch2-like, k = 100": (sine_like_birch, 100, 0.4),
    "Unbalance-like, k = 8": (like_unbalance, 8, 0.1),
    "D31-like, k = 31": (like_d31, 31, 0.1),
    "digits, k = 10": (lambda: bundled.load_digits().data, 10, 0.1),
    "iris, k = 10": (lambda: table("iris"), 10, 0.05),
    "wine, k = 12": (lambda: table("wine"), 12, 0.1),
    "breast cancer, k = 50": (lambda: table("breast_cancer"), 50, 0.2),
    "digits, k = 64": (lambda: bundled.load_digits().data, 64, 0.3),
}
CASES = {case: seconds for case, (_, _, seconds) in SETS.items()}


@functools.cache
def points_of(case: str) -> np.ndarray:
    return np.ascontiguousarray(SETS[case][0](), float)


@functools.cache
def problem_of(case: str, init: str = "forgy"):
    return prviz.kmeans(points_of(case), SETS[case][1], init=init)


def polished(case: str, centers: np.ndarray) -> float:
    """Return the cost after plain Lloyd in float64, which is not timed."""
    with threadpool_limits(1):
        model = KMeans(len(centers), init=centers, n_init=1, tol=0.0, max_iter=10_000)
        return float(model.fit(points_of(case)).inertia_)


def ours(init: str, case: str, seed: int, seconds: float) -> tuple[float, float]:
    run = prviz.run(problem_of(case, init), seed=seed, seconds=seconds)
    return run.best_cost, run.seconds


def thousand(case: str, seed: int, seconds: float) -> tuple[float, float]:
    run = prviz.run(problem_of(case), k1=1, m1=1000, seed=seed, seconds=seconds)
    return run.best_cost, run.seconds


def random_swap(case: str, seed: int, seconds: float) -> tuple[float, float]:
    contenders = {"swap": RandomSwap()}
    found = prviz.compare(
        problem_of(case), contenders, seeds=[seed], seconds=seconds, workers=1, progress=False
    )
    run = found.runs["swap"][0]
    return float(run.best.min()), run.end_seconds


def sklearn_restarts(case: str, seed: int, seconds: float) -> tuple[float, float]:
    points, k = points_of(case), SETS[case][1]
    with threadpool_limits(1):
        return restarted(
            lambda drawn: KMeans(k, n_init=1, random_state=drawn, tol=0.0).fit(points).inertia_,
            float,
            seed,
            seconds,
        )


def faiss_restarts(case: str, seed: int, seconds: float) -> tuple[float, float]:
    """Restart faiss in float32 on scaled points; the best centres are polished in float64."""
    faiss = package("faiss")
    faiss.omp_set_num_threads(1)
    points, k = points_of(case), SETS[case][1]
    shift, scale = points.mean(0), points.std()
    scaled = np.ascontiguousarray((points - shift) / scale, np.float32)
    best = [np.inf, None]

    def once(drawn: int):
        model = faiss.Kmeans(
            points.shape[1], k, seed=drawn, min_points_per_centroid=1, max_points_per_centroid=10**9
        )
        model.train(scaled)
        return model

    def cost(model) -> float:
        if model.obj[-1] < best[0]:
            best[:] = model.obj[-1], model.centroids
        return best[0]

    _, used = restarted(once, cost, seed, seconds)
    return polished(case, best[1].astype(float) * scale + shift), used


@functools.cache
def hg_rate(case: str) -> float:
    """Return how many iterations HG-means makes per CPU second, measured once."""
    hg_once(case, 0, 10)  # not timed: the first run in a process is slower than later ones
    _, few = hg_once(case, 0, 10)
    _, many = hg_once(case, 0, 60)
    return 50 / max(many - few, many / 4)  # robust if another program slowed the shorter run


def hg_once(case: str, drawn: int, iterations: int) -> tuple[float, float]:
    """Run HG-means on the points in random order, because its own seed is fixed."""
    points, k = points_of(case), SETS[case][1]
    order = np.random.default_rng(drawn).permutation(len(points))
    shuffled = points[order]
    rows = shuffled.tolist()
    began = time.process_time()
    with quiet():
        model = package("hgmeans").PyHGMeans()
        (labels,) = model.Go(rows, [0] * len(rows), 10, iterations, 1, [k], 0)
    used = time.process_time() - began
    labels = np.array(labels)
    centers = [shuffled[labels == each].mean(0) for each in np.unique(labels)]
    return polished(case, np.array(centers)), used


def hg_means(case: str, seed: int, seconds: float) -> tuple[float, float]:
    """Run HG-means with as many iterations as the time allows, up to its default of 5000."""
    rng, best, used = np.random.default_rng(seed), np.inf, 0.0
    while used < seconds:
        most = int(np.clip((seconds - used) * hg_rate(case), 1, 5000))
        cost, took = hg_once(case, int(rng.integers(2**31)), most)
        best, used = min(best, cost), used + took
    return best, used


OURS, SEEDED = "prviz, default", "prviz, init='k-means++'"
THOUSAND = "prviz, k₁ = 1, M₁ = 1000"
PART = Part(
    title="k-means",
    what="Sums of squared distances. Restarts are repeated until the time is over.",
    cases=CASES,
    contenders={
        OURS: functools.partial(ours, "forgy"),
        SEEDED: functools.partial(ours, "k-means++"),
        THOUSAND: thousand,
        HG: hg_means,
        "random swap": random_swap,
        "faiss, restarts": faiss_restarts,
        "scikit-learn, restarts": sklearn_restarts,
    },
    ours=[OURS, SEEDED, THOUSAND],
    packages={
        HG: "hgmeans",
        "faiss, restarts": "faiss-cpu",
        "scikit-learn, restarts": "scikit-learn",
    },
    best_known=lambda case: {"A3, k = 50": 28937415099.68965}.get(case),
    rounding=1e-5,
)
