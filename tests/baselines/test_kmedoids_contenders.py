"""Restarts of FasterPAM and affinity propagation equal the results of the packages."""

import math

import kmedoids
import numpy as np
import pytest
from cases import cases
from contending import KMEDOIDS, SPREAD, caller, calls
from sklearn.cluster import AffinityPropagation as Theirs

import prviz
from prviz.baselines import AffinityPropagation, FasterPAM, affinity_propagation
from prviz.datasets import memory
from prviz.experiments.runs.contender import RunLimit
from prviz.search.traced_search import generator


@cases("kind", [np.float32, np.float64])
def test_restarts_equal_those_of_fasterpam(kind):
    """Use an asymmetric matrix: a column holds the costs of one point as a medoid."""
    matrix = np.random.default_rng(1).random((50, 50)).astype(kind)
    np.fill_diagonal(matrix, 0)
    rng = generator(3)
    for cost, iterations in calls(caller(prviz.kmedoids(matrix, 7), FasterPAM(), 3), 5):
        theirs = kmedoids.fasterpam(matrix, 7, random_state=int(rng.integers(2**31)), n_cpu=1)
        assert cost == pytest.approx(theirs.loss, rel=1e-6)
        assert cost == pytest.approx(matrix[:, theirs.medoids].min(axis=1).sum(dtype=float))
        assert iterations == theirs.n_iter


def test_affinity_propagation_has_a_cost_once_it_has_k_clusters():
    tries = []
    found = affinity_propagation(SPREAD.by_point, 10, callback=tries.append)
    run = AffinityPropagation().begin(SPREAD, 0).further(SPREAD, RunLimit("calls", 100))
    assert run.done and run.improvements.over
    assert run.improvements.calls.tolist() == [1, found.n_tries] and found.n_tries > 2
    assert run.improvements.best.tolist() == [math.inf, pytest.approx(found.cost, rel=1e-12)]
    rng, rounds = generator(0), 0
    for one in tries:  # repeat the run's tries, with its noise
        noise = int(rng.integers(2**32 - 1))
        model = Theirs(
            affinity="precomputed", preference=one.preference, random_state=noise,
            damping=0.9, convergence_iter=100, max_iter=1000,
        )  # fmt: skip
        rounds += model.fit(-SPREAD.by_point).n_iter_
    assert run.improvements.end_iterations == rounds


def test_cost_is_infinite_if_affinity_propagation_never_gives_k_clusters():
    problem = prviz.kmedoids(1.0 - np.eye(8), 3)
    run = AffinityPropagation().begin(problem, 0).further(problem, RunLimit("calls", 100))
    assert run.done and run.improvements.over and run.improvements.best.tolist() == [math.inf]


def test_matrix_too_large_for_memory_is_rejected(monkeypatch):
    monkeypatch.setattr(memory, "machine_memory", lambda: 5000.0)
    with pytest.raises(MemoryError, match="messages of affinity propagation between 72 points"):
        AffinityPropagation().begin(KMEDOIDS, 0)
