"""Affinity propagation for a given k equals hand calculations and scikit-learn."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from cases import cases
from sklearn.cluster import AffinityPropagation

import prviz
from prviz.baselines import ClustersNotFound, affinity_propagation
from prviz.baselines.affinity import assigned
from prviz.datasets import faces900, memory

LINE = np.array([0.0, 1, 2, 10, 11, 12, 20, 21, 22])
TRIPLES = np.abs(np.subtract.outer(LINE, LINE))


def alike(n: int) -> np.ndarray:
    """Return the dissimilarities of points at equal distances from one another."""
    return 1.0 - np.eye(n)


def random_matrix(seed: int, n: int = 40) -> np.ndarray:
    """Return an asymmetric matrix, which no set of points can have."""
    return np.random.default_rng(seed).random((n, n)) * (1 - np.eye(n))


def spread(seed: int, n: int = 60) -> np.ndarray:
    return prviz.dissimilarity(np.random.default_rng(seed).normal(size=(n, 2)))


def test_affinity_propagation_equals_a_hand_calculation_for_three_triples():
    found = affinity_propagation(TRIPLES, 3)
    assert found.medoids.tolist() == [1, 4, 7]
    assert found.labels.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert found.cost == 6.0
    assert found.n_clusters == 3 and found.preference < 0 and found.seconds > 0
    assert found.converged and found.notice == ""


def test_matrix_column_has_the_costs_of_one_medoid():
    """Point 2 represents any other point at cost 1; the others represent any point at cost 9."""
    matrix = np.full((4, 4), 9.0)
    matrix[:, 2] = 1.0
    np.fill_diagonal(matrix, 0.0)
    found = affinity_propagation(matrix, 1)
    assert found.medoids.tolist() == [2] and found.cost == 3.0


@cases(("make", "k"), [(random_matrix, 2), (random_matrix, 7), (spread, 3), (spread, 12)])
def test_every_point_goes_to_its_nearest_medoid(make, k):
    matrix = make(0)
    found = affinity_propagation(matrix, k)
    assert len(set(found.medoids.tolist())) == k and (np.diff(found.medoids) > 0).all()
    own = matrix[np.arange(len(matrix)), found.medoids[found.labels]]
    np.testing.assert_array_equal(own, matrix[:, found.medoids].min(axis=1))
    np.testing.assert_array_equal(found.labels[found.medoids], np.arange(k))
    assert found.cost == pytest.approx(own.sum(), rel=1e-12)


def test_result_equals_scikit_learn_at_the_same_preference():
    matrix = spread(1)
    found = affinity_propagation(matrix, 9, damping=0.8, seed=3)
    model = AffinityPropagation(
        affinity="precomputed",
        preference=found.preference,
        damping=0.8,
        convergence_iter=100,
        max_iter=1000,
        random_state=3,
    ).fit(-matrix)
    np.testing.assert_array_equal(found.medoids, model.cluster_centers_indices_)
    assert found.n_iterations == model.n_iter_


def test_the_matrix_is_never_modified():
    matrix = spread(2).astype(np.float32)
    before = matrix.copy()
    found = affinity_propagation(matrix, 5)
    np.testing.assert_array_equal(matrix, before)
    wide = affinity_propagation(pd.DataFrame(matrix.astype(np.float64)), 5)
    np.testing.assert_array_equal(found.medoids, wide.medoids)
    assert found.cost == wide.cost


def test_the_same_seed_gives_the_same_result():
    one, other = (affinity_propagation(random_matrix(4), 6, seed=7) for _ in range(2))
    np.testing.assert_array_equal(one.medoids, other.medoids)
    assert one._replace(seconds=0, medoids=0, labels=0) == other._replace(
        seconds=0, medoids=0, labels=0
    )


def test_every_try_is_reported_and_preferences_are_bisected():
    """Too few clusters raise the preference, and too many lower it, until two values enclose k."""
    tries = []
    found = affinity_propagation(spread(0), 23, callback=tries.append)
    assert [one.n_tries for one in tries] == list(range(1, found.n_tries + 1))
    assert [one.n_clusters for one in tries].index(23) == len(tries) - 1
    assert tries[-1] is found
    assert (np.diff([one.seconds for one in tries]) > 0).all()
    fewer, more = [-np.inf], [0.0]
    for one in tries:
        assert fewer[-1] < one.preference < more[-1]
        (fewer if one.n_clusters < 23 else more).append(one.preference)
    assert len(fewer) > 2 and len(more) > 2


def test_callback_stops_between_tries():
    tries = []

    def stop_at_the_second(one):
        tries.append(one)
        return len(tries) == 2

    with pytest.raises(ClustersNotFound, match="was stopped") as caught:
        affinity_propagation(spread(0), 20, callback=stop_at_the_second)
    assert len(tries) == 2
    assert any(caught.value.closest is one for one in tries)


def test_success_is_returned_even_if_the_callback_stops_the_search():
    assert affinity_propagation(TRIPLES, 3, callback=lambda one: True).n_clusters == 3


def test_exhausted_tries_return_the_closest_result():
    tries = []
    with pytest.raises(ClustersNotFound, match=r"the closest of 3 .*max_tries") as caught:
        affinity_propagation(spread(0), 33, max_tries=3, callback=tries.append)
    distances = [abs(one.n_clusters - 33) for one in tries]
    assert caught.value.closest is tries[int(np.argmin(distances))]
    assert f"gave {caught.value.closest.n_clusters}: " in str(caught.value)


def test_points_at_equal_distances_form_one_cluster_but_not_three():
    found = affinity_propagation(alike(8), 1)
    assert found.n_clusters == 1 and found.cost == 7.0
    with pytest.raises(ClustersNotFound, match="jumps past 3") as caught:
        affinity_propagation(alike(8), 3)
    assert caught.value.closest.n_clusters == 1


def test_points_at_zero_distance_form_one_cluster():
    found = affinity_propagation(np.zeros((5, 5)), 1)
    assert found.n_clusters == 1 and found.cost == 0.0
    with pytest.raises(ClustersNotFound, match="did not find 2 clusters; the closest of"):
        affinity_propagation(np.zeros((5, 5)), 2)


def test_medoid_stays_in_its_own_cluster_if_another_is_equally_near():
    labels, cost = assigned(np.zeros((3, 3)), np.array([0, 2]))
    assert labels.tolist() == [0, 0, 1] and cost == 0.0


def test_run_that_does_not_converge_is_reported():
    found = affinity_propagation(TRIPLES, 3, max_iter=20)
    assert not found.converged
    assert "did not converge within 20 iterations" in found.notice


def test_tries_without_exemplars_have_an_infinite_cost():
    with pytest.raises(ClustersNotFound) as caught:
        affinity_propagation(TRIPLES, 3, max_iter=1, damping=0.99, max_tries=2)
    closest = caught.value.closest
    assert closest.n_clusters == 0 and closest.cost == np.inf and not closest.converged
    assert set(closest.labels) == {-1}


def test_error_can_be_pickled():
    with pytest.raises(ClustersNotFound) as caught:
        affinity_propagation(alike(4), 2)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.closest.n_clusters == caught.value.closest.n_clusters


@cases(
    ("arguments", "error", "words"),
    [
        ({"n_clusters": 9}, ValueError, r"below the number of points \(9\), got 9"),
        ({"n_clusters": 0}, ValueError, "at least 1"),
        ({"n_clusters": 2.5}, TypeError, "n_clusters must be a whole number"),
        ({"dissimilarity": np.zeros((2, 3))}, ValueError, "must be square"),
        ({"dissimilarity": -TRIPLES}, ValueError, "must be at least 0"),
        ({"damping": 0.4}, ValueError, "damping must be at least 0.5"),
        ({"damping": 1}, ValueError, "below 1"),
        ({"damping": float("nan")}, ValueError, "damping"),
        ({"convergence_iter": 0}, ValueError, "convergence_iter"),
        ({"max_iter": 0}, ValueError, "max_iter"),
        ({"max_tries": 0}, ValueError, "max_tries"),
        ({"seed": -1}, ValueError, "seed must be between 0"),
        ({"seed": 2**32}, ValueError, "4294967295"),
    ],
)
def test_bad_input_is_rejected(arguments, error, words):
    with pytest.raises(error, match=words) as caught:
        affinity_propagation(**{"dissimilarity": TRIPLES, "n_clusters": 3} | arguments)
    assert "\n" not in str(caught.value)


def test_too_large_matrix_raises_memory_error(monkeypatch):
    monkeypatch.setattr(memory, "machine_memory", lambda: 5000.0)
    with pytest.raises(MemoryError, match=r"messages .* between 9 points need 5.18e-06 GB"):
        affinity_propagation(TRIPLES, 3)


def test_the_faces_have_their_known_cost(data_dir):
    found = affinity_propagation(prviz.dissimilarity(faces900().points), 121)
    assert found.n_clusters == 121 and found.converged
    assert found.cost == pytest.approx(74378.3, rel=0.005)
