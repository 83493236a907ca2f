"""PartialKMedoids equals hand calculations, brute force, and the kmedoids package."""

import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from naive import best_medoids_cost, total_dissimilarity
from sklearn.datasets import load_iris
from sklearn.metrics import pairwise_distances
from sklearn.model_selection import cross_val_score

from prviz.datasets import DataWarning
from prviz.estimators import PartialKMedoids

pytestmark = pytest.mark.usefixtures("kernels")

LINE = [[0.0], [2.0], [5.0], [11.0]]
# Entry [i, m] is the cost of representing i by m. The last point represents all others cheaply;
# no other point represents it cheaply.
UNEVEN = np.array([[0, 9, 9, 1], [9, 0, 9, 2], [9, 9, 0, 3], [8, 8, 8, 0]], float)

METHODS = ["swap", "alternate"]


@cases("method", METHODS)
def test_fit_equals_a_hand_calculation_for_points_on_a_line(method):
    model = PartialKMedoids(2, method=method, random_state=0).fit(LINE)
    assert sorted(model.medoid_indices_) == [1, 3]
    assert sorted(model.cluster_centers_.ravel()) == [2.0, 11.0]
    assert model.inertia_ == 2.0**2 + 0.0 + 3.0**2 + 0.0
    near = model.labels_[0]
    assert model.labels_.tolist() == [near, near, near, 1 - near]
    assert model.predict([[6.0], [7.0]]).tolist() == [near, 1 - near]
    assert model.transform([[6.0]])[0, [near, 1 - near]].tolist() == [4.0**2, 5.0**2]
    assert model.score([[6.0], [7.0]]) == -(4.0**2 + 4.0**2)


def test_asymmetric_matrix_is_accepted():
    model = PartialKMedoids(1, metric="precomputed", random_state=0).fit(UNEVEN)
    assert model.medoid_indices_.tolist() == [3]
    assert model.inertia_ == 1 + 2 + 3
    assert model.cluster_centers_ is None
    # the costs of representing a new point by each of the four points
    assert model.score([[1.0, 1.0, 1.0, 7.0]]) == -7.0


def test_fit_fills_an_empty_triangle_with_a_warning():
    matrix = [[0, 1, 9, 9], [1, 0, 9, 9], [9, 9, 0, 1], [9, 9, 1, 0]]
    model = PartialKMedoids(2, metric="precomputed", random_state=0)
    with pytest.warns(DataWarning, match="triangle of dissimilarity is empty"):
        model.fit(np.tril(matrix))
    assert model.inertia_ == 1 + 1
    near = model.labels_[0]
    assert model.labels_.tolist() == [near, near, 1 - near, 1 - near]


@cases("metric", ["euclidean", "l2", "nan_euclidean", "sqeuclidean"])
def test_transform_is_exact_far_from_the_origin(metric):
    X = 1.7e9 + np.array([[0.0], [1.0], [10.0], [11.0], [11.0]])
    model = PartialKMedoids(2, metric=metric, random_state=0).fit(X)
    power = 2 if metric == "sqeuclidean" else 1
    assert model.inertia_ == 1 + 1
    assert model.transform(X).tolist() == (abs(X - model.cluster_centers_.T) ** power).tolist()
    assert model.predict(X).tolist() == model.labels_.tolist()


def test_fit_keeps_float32():
    X = np.array(LINE, np.float32)
    model = PartialKMedoids(2, random_state=0).fit(X)
    assert model.cluster_centers_.dtype == model.transform(X).dtype == np.float32
    assert model.inertia_ == 2.0**2 + 3.0**2


@pytest.mark.parametrize("method", METHODS)
@given(st.integers(0, 10**6), st.integers(4, 9), st.integers(1, 3))
def test_fit_finds_the_brute_force_optimum(method, seed, n, k):
    matrix = np.random.default_rng(seed).random((n, n)) * (1 - np.eye(n))
    model = PartialKMedoids(
        k, metric="precomputed", method=method, max_calls=150, random_state=seed
    )
    model.fit(matrix)
    assert model.inertia_ == pytest.approx(best_medoids_cost(matrix, k), abs=1e-12)
    assert model.inertia_ == pytest.approx(total_dissimilarity(matrix, model.medoid_indices_))
    assert model.score(matrix) == pytest.approx(-model.inertia_)
    assert model.labels_.tolist() == model.predict(matrix).tolist()


@cases("metric", ["euclidean", "manhattan", "cosine", lambda a, b: np.abs(a - b).max()])
def test_any_metric_gives_the_fit_of_its_precomputed_matrix(metric):
    data = load_iris().data[::3]
    one = PartialKMedoids(3, metric=metric, random_state=0).fit(data)
    matrix = pairwise_distances(data, metric=metric)
    other = PartialKMedoids(3, metric="precomputed", random_state=0).fit(matrix)
    assert one.inertia_ == pytest.approx(other.inertia_, rel=1e-9)
    assert sorted(one.medoid_indices_) == sorted(other.medoid_indices_)
    np.testing.assert_array_equal(one.cluster_centers_, data[one.medoid_indices_])


def test_cost_is_at_most_that_of_fasterpam():
    kmedoids = pytest.importorskip("kmedoids")
    matrix = pairwise_distances(load_iris().data)
    for k in (3, 8):
        theirs = min(kmedoids.fasterpam(matrix, k, random_state=seed).loss for seed in range(10))
        ours = PartialKMedoids(k, metric="precomputed", random_state=0).fit(matrix)
        assert ours.inertia_ <= theirs * (1 + 1e-9)


def test_cross_validation_splits_rows_and_columns():
    data = load_iris().data
    matrix = pairwise_distances(data)
    by_matrix, by_points = (
        cross_val_score(PartialKMedoids(3, metric=metric, random_state=0), X, cv=3)
        for metric, X in (("precomputed", matrix), ("euclidean", data))
    )
    np.testing.assert_allclose(by_matrix, by_points, rtol=1e-9)


@cases(
    ("wrong", "data", "complaint"),
    [
        ({"n_clusters": 4}, LINE, "at least 1 and below n_samples = 4, got 4"),
        ({"n_clusters": 0}, LINE, "at least 1 and below n_samples = 4, got 0"),
        ({"method": "pam"}, LINE, "optimiser must be 'alternate' or 'swap', got 'pam'"),
        (
            {"metric": "crow"},
            LINE,
            "metric must be one of SciPy's or of scikit-learn's pairwise distances",
        ),
        ({"metric": "precomputed"}, LINE, r"must be square, .*got shape \(4, 1\)"),
        ({"metric": "precomputed"}, -UNEVEN, "must be at least 0"),
        ({"metric": "precomputed"}, np.full((4, 4), np.nan), r"\[0, 0\] is nan"),
    ],
)
def test_invalid_arguments_are_rejected(wrong, data, complaint):
    with pytest.raises((TypeError, ValueError), match=complaint):
        PartialKMedoids(**{"n_clusters": 2, **wrong}).fit(data)


@cases("metric", ["seuclidean", "mahalanobis", "jensenshannon"])
def test_predict_repeats_the_labels_of_the_fit_if_the_metric_depends_on_the_data(metric):
    X = np.random.default_rng(0).random((30, 3))
    model = PartialKMedoids(3, metric=metric, max_calls=5, random_state=0).fit(X)
    assert model.predict(X).tolist() == model.labels_.tolist()
    assert model.score(X) == pytest.approx(-model.inertia_)


def test_samples_of_weight_0_do_not_make_a_matrix_symmetric():
    matrix = np.array([[0.0, 5.0, 9.0], [0.0, 0.0, 9.0], [9.0, 9.0, 0.0]])
    model = PartialKMedoids(1, metric="precomputed", random_state=0)
    model.fit(matrix, sample_weight=[1, 1, 0])
    assert (model.inertia_, model.medoid_indices_.tolist()) == (0.0, [0])


def test_large_float32_points_have_finite_scores():
    X = np.array([[0.0], [1e30], [3e30], [3.1e30]], np.float32)
    model = PartialKMedoids(2, random_state=0).fit(X)
    assert model.predict(X).tolist() == model.labels_.tolist()
    assert model.score(X) == pytest.approx(-model.inertia_)
