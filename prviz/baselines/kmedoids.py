"""Contenders for k-medoids: restarts of FasterPAM, and affinity propagation."""

from __future__ import annotations

import copy
import dataclasses
import math
from typing import Any

import numpy as np

from ..problems.kmedoids.problem import KMedoids
from .affinity import (
    LARGEST_SEED,
    PreferenceSearch,
    assigned,
    check_messages,
    checked_options,
    exemplars,
    mean_between,
)
from .calls import Baseline, Caller
from .peers import alone, needed

MOST_PASSES = 100_000
SEEDS = 2**31


class ForKMedoids(Baseline):
    problems = (KMedoids,)
    made_by = "prviz.kmedoids"


def _matrix(problem: Any) -> np.ndarray:
    """Return the matrix: entry [i, m] is the cost of representing point i by point m."""
    return problem.by_point if isinstance(problem, KMedoids) else problem.dissimilarity


@dataclasses.dataclass(frozen=True)
class FasterPAM(ForKMedoids):
    """Restarts of FasterPAM (Schubert and Rousseeuw 2021) from random medoids, by ``kmedoids``.

    An iteration is a pass over all points as candidates, with all exchanges that lower the cost.
    """

    iteration = "passes over all points"

    def caller(self, problem: Any, rng: np.random.Generator, held: Any) -> Caller:
        return _FasterPAM(problem, rng)


class _FasterPAM(Caller):
    def __init__(self, problem: Any, rng: np.random.Generator):
        self.package = needed("kmedoids", "FasterPAM")
        self.matrix, self.k, self.rng = _matrix(problem), problem.k, rng

    def call(self) -> tuple[np.ndarray, int]:
        found = self.package.fasterpam(
            self.matrix,
            self.k,
            max_iter=MOST_PASSES,
            random_state=int(self.rng.integers(SEEDS)),
            n_cpu=1,
        )
        return found.medoids, found.n_iter

    def cost(self, found: np.ndarray) -> float:
        return assigned(self.matrix, found)[1]


@dataclasses.dataclass(frozen=True)
class AffinityPropagation(ForKMedoids):
    """Affinity propagation (Frey and Dueck 2007); tries preferences until one gives k clusters.

    A call is a run at one preference, as in :func:`affinity_propagation`. An iteration is a round
    of messages. The cost is +∞ until a call gives k clusters. Then the method ends.

    Parameters
    ----------
    damping, convergence_iter, max_iter
        See :func:`affinity_propagation`.
    """

    damping: float = 0.9
    convergence_iter: int = 100
    max_iter: int = 1000
    iteration = "rounds of messages"

    def __post_init__(self) -> None:
        checked_options(**dataclasses.asdict(self), seed=0)

    def caller(self, problem: Any, rng: np.random.Generator, held: Any) -> Caller:
        return _Trying(problem, dataclasses.asdict(self), rng, held)


class _Trying(Caller):
    around = staticmethod(alone)

    def __init__(
        self,
        problem: Any,
        options: dict[str, Any],
        rng: np.random.Generator,
        held: PreferenceSearch | None,
    ):
        self.matrix, self.k, self.options, self.rng = _matrix(problem), problem.k, options, rng
        if held is None:
            check_messages(len(self.matrix))
        self.search = copy.copy(held) or PreferenceSearch(self.k, mean_between(self.matrix))

    @property
    def held(self) -> PreferenceSearch:
        return copy.copy(self.search)

    def call(self) -> tuple[np.ndarray, int]:
        seed = int(self.rng.integers(LARGEST_SEED))
        options = {**self.options, "random_state": seed}
        medoids, iterations = exemplars(self.matrix, self.search.preference, options)
        self.over = len(medoids) == self.k or not self.search.go_on(len(medoids))
        return medoids, iterations

    def cost(self, found: np.ndarray) -> float:
        return assigned(self.matrix, found)[1] if len(found) == self.k else math.inf
