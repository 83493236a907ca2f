"""Compare k-medoids with FasterPAM and BanditPAM, for ``rivals.py``."""

from __future__ import annotations

import functools

import numpy as np
from common import HERE  # noqa: F401  must be first: makes prviz importable
from matrices import in_the_plane, road_distances
from rivals_part import Part, package, restarted
from scipy.spatial.distance import cdist
from sklearn import datasets as bundled

import prviz

OURS, ALTERNATE, BANDIT = "prviz, default", "prviz, alternate", "BanditPAM"
MANY = 10_000
SMALL = "digits, n = 1797, k = 10"


def plane(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the random points of ``in_the_plane``, and their distances."""
    return np.random.default_rng(n).random((2, n), dtype=np.float32).T, in_the_plane(n)


def euclidean(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return points.astype(np.float32), cdist(points, points).astype(np.float32)


#: Points (None for a graph) with distances, k, and CPU seconds per run.
SETS = {
    "faces, n = 900, k = 121": (lambda: euclidean(prviz.datasets.faces900().points), 121, 0.3),
    SMALL: (lambda: euclidean(bundled.load_digits().data), 10, 0.3),
    "digits, n = 1797, k = 50": (lambda: euclidean(bundled.load_digits().data), 50, 0.3),
    "graph, n = 400, k = 40": (lambda: (None, road_distances(400)), 40, 0.2),
    "graph, n = 500, k = 167": (lambda: (None, road_distances(500)), 167, 0.2),
    "graph, n = 700, k = 140": (lambda: (None, road_distances(700)), 140, 0.2),
    "graph, n = 900, k = 90": (lambda: (None, road_distances(900)), 90, 0.2),
    f"square, n = {MANY}, k = 100": (lambda: plane(MANY), 100, 1.0),
}
CASES = {case: seconds for case, (_, _, seconds) in SETS.items()}


@functools.cache
def data_of(case: str) -> tuple[np.ndarray | None, np.ndarray]:
    return SETS[case][0]()


@functools.cache
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
        "FasterPAM, restarts": fasterpam,
        BANDIT: bandit_pam,
    },
    ours=[OURS, ALTERNATE],
    packages={"FasterPAM, restarts": "kmedoids", BANDIT: "banditpam"},
    applies=applies,
    rounding=1e-6,
)
