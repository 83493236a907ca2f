"""Compare k-medoids with FasterPAM and BanditPAM, for ``rivals.py``."""

from __future__ import annotations

import functools

import numpy as np
from common import HERE  # noqa: F401  must be first: makes prviz importable
from matrices import road_distances
from rivals_part import Part, package, restarted
from scipy.spatial.distance import cdist
from sklearn import datasets as bundled

import prviz

OURS, ALTERNATE, BANDIT = "prviz, default", "prviz, alternate", "BanditPAM"
FASTERPAM = "FasterPAM, restarts"
SMALL = "digits, n = 1797, k = 10"
MANY = 20_000

#: The sizes n of OR-Library's graphs pmed21 to pmed40, and the numbers k of medoids for each.
GRAPHS = {
    500: (5, 10, 50, 100, 167),
    600: (5, 10, 60, 120, 200),
    700: (5, 10, 70, 140),
    800: (5, 10, 80),
    900: (5, 10, 90),
}


def euclidean(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return points and their distances, float32; a large matrix is made in blocks of rows."""
    distances = np.empty((len(points), len(points)), np.float32)
    for block in range(0, len(points), 1000):
        distances[block : block + 1000] = cdist(points[block : block + 1000], points)
    return points.astype(np.float32), distances


def square() -> np.ndarray:
    """Return random points of a square."""
    return np.random.default_rng(MANY).random((MANY, 2))


#: Points (None for a graph) with distances, k, and CPU seconds per run.
SETS = {
    "faces, n = 900, k = 121": (lambda: euclidean(prviz.datasets.faces900().points), 121, 0.3),
    SMALL: (lambda: euclidean(bundled.load_digits().data), 10, 0.3),
    "digits, n = 1797, k = 50": (lambda: euclidean(bundled.load_digits().data), 50, 0.3),
    **{
        f"graph, n = {n}, k = {k}": (lambda n=n: (None, road_distances(n)), k, 0.2)
        for n, ks in GRAPHS.items()
        for k in ks
    },
    f"square, n = {MANY}, k = 50": (lambda: euclidean(square()), 50, 5.0),
}
CASES = {case: seconds for case, (_, _, seconds) in SETS.items()}


@functools.lru_cache(maxsize=1)  # a matrix of 20,000 points needs 1.6 GB
def data_of(case: str) -> tuple[np.ndarray | None, np.ndarray]:
    return SETS[case][0]()


@functools.lru_cache(maxsize=2)
def problem_of(case: str, optimiser: str):
    return prviz.kmedoids(data_of(case)[1], SETS[case][1], optimiser)


def cost_of(case: str, medoids: np.ndarray) -> float:
    return float(data_of(case)[1][:, medoids].min(axis=1).sum(dtype=np.float64))


def ours(optimiser: str, case: str, seed: int, seconds: float) -> tuple[float, float]:
    run = prviz.run(problem_of(case, optimiser), seed=seed, seconds=seconds)
    return cost_of(case, run.best_state.medoids), run.seconds


def fasterpam(case: str, seed: int, seconds: float) -> tuple[float, float]:
    matrix, k = data_of(case)[1], SETS[case][1]
    method = package("kmedoids").fasterpam

    def once(drawn: int):
        return method(matrix, k, random_state=np.random.RandomState(drawn), n_cpu=1)

    return restarted(once, lambda found: cost_of(case, found.medoids), seed, seconds)


def bandit_pam(case: str, seed: int, seconds: float) -> tuple[float, float]:
    points, k = data_of(case)[0], SETS[case][1]
    kind = package("banditpam").KMedoids

    def once(drawn: int):
        model = kind(n_medoids=k, algorithm="BanditPAM", parallelize=False)
        model.seed = drawn
        model.fit(points, "L2")
        return model

    def cost(model) -> float:
        return cost_of(case, np.asarray(model.medoids, int))

    return restarted(once, cost, seed, seconds)


def applies(name: str, case: str) -> bool:
    """Return False for BanditPAM on large sets: with k = 20, one fit takes 13 s."""
    return name != BANDIT or case == SMALL


PART = Part(
    title="k-medoids",
    what="Sums of distances, Euclidean or along the shortest path.",
    cases=CASES,
    contenders={
        OURS: functools.partial(ours, "swap"),
        ALTERNATE: functools.partial(ours, "alternate"),
        FASTERPAM: fasterpam,
        BANDIT: bandit_pam,
    },
    ours=[OURS, ALTERNATE],
    packages={FASTERPAM: "kmedoids", BANDIT: "banditpam"},
    applies=applies,
    rounding=1e-6,
)
