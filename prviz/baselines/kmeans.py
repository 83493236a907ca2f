"""Contenders for k-means: restarts from k-means++, restarts of scikit-learn, and random swap."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ..engine.schedule import Level, Schedule
from ..problems.kmeans.problem import KMeans
from .calls import Baseline, Caller
from .peers import alone
from .searching import SearchCaller
from .seeding import spread_out

LARGEST_SEED = 2**32  # exclusive limit of scikit-learn's seeds
MOST_ITERATIONS = 100_000
SWAP_ITERATIONS = 2  # iterations after each swap, as chosen by Fränti


class ForKMeans(Baseline):
    problems = (KMeans,)
    made_by = "prviz.kmeans"


def greedy_candidates(k: int) -> int:
    """Return the number of points that greedy k-means++ tries for each of k centres."""
    return 2 + int(np.log(k))


@dataclasses.dataclass(frozen=True)
class KMeansPlusPlus(ForKMeans):
    """Restarts from k-means++ (Arthur and Vassilvitskii 2007), with prviz's Lloyd's algorithm.

    An iteration is an iteration of Lloyd's algorithm. Seeding counts as one iteration, because it
    also computes n k distances. Greedy seeding counts as 2 + ⌊ln k⌋ iterations.

    Parameters
    ----------
    greedy : bool
        Choose the best of 2 + ⌊ln k⌋ candidates per centre, like ``prviz.kmeans(…,
        init="k-means++")``.
    """

    greedy: bool = False

    def caller(self, problem: Any, rng: np.random.Generator, held: Any) -> Caller:
        return _PlusPlus(problem._replace(plus_plus=self.greedy), rng, held)


class _PlusPlus(SearchCaller):
    def __init__(self, problem: Any, rng: np.random.Generator, held: Any):
        super().__init__(problem, Schedule.from_levels([Level(problem.k)], problem.k), rng, held)
        self.columns = np.ascontiguousarray(problem.points.T)
        spread_out(np.zeros((1, 1)), 1, np.random.default_rng(0))  # compile before calls are timed

    def call(self) -> tuple[float, int]:
        seeding = 1
        if self.problem.plus_plus:
            seeding = greedy_candidates(self.problem.k)
        else:
            self.x.destinations[:] = spread_out(self.columns, self.problem.k, self.rng)
        self.redraw(1)
        iterations = self.iterate()
        return float(self.costs[0]), seeding + iterations


@dataclasses.dataclass(frozen=True)
class RandomSwap(ForKMeans):
    """Random swap (Fränti 2018, Efficiency of random swap clustering, Journal of Big Data 5:13).

    A random centre moves to a random point. A local repartition and two iterations of k-means
    follow. The result is kept if it is better. The first call draws all centres.

    An iteration is an iteration of Lloyd's algorithm. The local repartition is not counted, because
    it examines the points of one cluster only, and compares all others with just one centre.
    """

    def caller(self, problem: Any, rng: np.random.Generator, held: Any) -> Caller:
        return _Swapping(problem, rng, held)


class _Swapping(SearchCaller):
    def __init__(self, problem: Any, rng: np.random.Generator, held: Any):
        super().__init__(problem, Schedule.two_level(1, 1, problem.k), rng, held)

    def call(self) -> tuple[float, int]:
        first = self.costs[0] == np.inf
        self.redraw(self.schedule.n_levels if first else 1)
        iterations = self.iterate(SWAP_ITERATIONS)
        cost = float(self.costs[0])
        if not first:
            if cost == self.costs[1]:  # revert a tie, unlike Algorithm 1
                self.costs[0] = np.inf
            self.keep_or_revert(1)
        return cost, iterations


@dataclasses.dataclass(frozen=True)
class ScikitLearnKMeans(ForKMeans):
    """Restarts of :class:`sklearn.cluster.KMeans`, until no label changes, on one thread.

    Iterations are those of Lloyd's algorithm. The seeding, greedy k-means++, counts as
    2 + ⌊ln k⌋ iterations: the number of candidates per centre.
    """

    def caller(self, problem: Any, rng: np.random.Generator, held: Any) -> Caller:
        return _ScikitLearn(problem, rng)


class _ScikitLearn(Caller):
    around = staticmethod(alone)

    def __init__(self, problem: Any, rng: np.random.Generator):
        from sklearn.cluster import KMeans

        self.points, self.rng = problem.points, rng
        self.seeding = greedy_candidates(problem.k)
        self.model = KMeans(
            problem.k, n_init=1, algorithm="lloyd", tol=0.0, max_iter=MOST_ITERATIONS
        )

    def call(self) -> tuple[Any, int]:
        self.model.random_state = int(self.rng.integers(LARGEST_SEED))
        found = self.model.fit(self.points)
        return found, self.seeding + found.n_iter_

    def cost(self, found: Any) -> float:
        return float(np.square(self.points - found.cluster_centers_[found.labels_]).sum())
