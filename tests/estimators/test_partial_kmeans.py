"""PartialKMeans agrees with hand calculations, brute force, repeated rows and scikit-learn."""

import warnings

import numpy as np
import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import best_wcss, wcss
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning

from prviz.estimators import PartialKMeans

pytestmark = pytest.mark.usefixtures("kernels")

LINE = [[0.0], [2.0], [10.0]]

few_points = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=6
).map(lambda rows: np.array(rows, float))


def test_fit_equals_a_hand_calculation_for_points_on_a_line():
    model = PartialKMeans(2, random_state=0).fit(LINE)
    assert model.inertia_ == 2.0
    assert sorted(model.cluster_centers_.ravel()) == [1.0, 10.0]
    assert model.labels_[0] == model.labels_[1] != model.labels_[2]
    near = model.labels_[0]
    assert model.predict([[4.0], [7.0]]).tolist() == [near, 1 - near]
    assert model.transform([[4.0]])[0, [near, 1 - near]].tolist() == [3.0, 6.0]
    assert model.score([[4.0], [7.0]]) == -(9.0 + 9.0)
    assert model.score([[4.0], [7.0]], sample_weight=[2.0, 1.0]) == -(2 * 9.0 + 9.0)


def test_fit_equals_a_hand_calculation_for_weighted_points():
    # three points at 0 and one at 2: the mean is 0.5, the cost 3/4 + 9/4
    model = PartialKMeans(2, random_state=0).fit(LINE, sample_weight=[3, 1, 1])
    assert sorted(model.cluster_centers_.ravel()) == [0.5, 10.0]
    assert model.inertia_ == 3.0
    assert model.score(LINE, sample_weight=[3, 1, 1]) == -3.0


@settings(max_examples=20)
@given(few_points, st.integers(1, 3), st.integers(0, 99))
def test_fit_finds_the_brute_force_optimum(points, k, seed):
    k = min(k, len(np.unique(points, axis=0)))
    model = PartialKMeans(k, m1=10, max_calls=200, random_state=seed).fit(points)
    assert model.inertia_ == pytest.approx(best_wcss(points, k), abs=1e-9)
    assert model.inertia_ == pytest.approx(wcss(points, model.cluster_centers_), abs=1e-9)
    assert model.score(points) == pytest.approx(-model.inertia_, abs=1e-9)


@settings(max_examples=20)
@given(
    st.integers(0, 10**6),
    st.sampled_from(["k-means++", "random"]),
    st.sampled_from(["random", "neighbours", "tournament"]),
)
def test_weights_count_like_repeated_rows(seed, init, subset):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, (12, 2)).astype(float) if seed % 2 else rng.normal(size=(12, 3))
    weights = rng.integers(0, 4, 12)
    weights[:4] += 1
    shuffled = rng.permutation(weights.sum())
    repeated = X.repeat(weights, axis=0)[shuffled]
    model = PartialKMeans(3, init=init, subset=subset, max_calls=20, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        one = model.fit(X, sample_weight=weights)
        centers, inertia, calls = one.cluster_centers_, one.inertia_, one.n_iter_
        other = model.fit(repeated)
    assert other.cluster_centers_.tolist() == centers.tolist()
    assert (other.inertia_, other.n_iter_) == (inertia, calls)
    assert other.labels_.tolist() == one.predict(repeated).tolist()


def test_fit_finds_the_nearest_centres_of_points_far_from_the_origin():
    X = 1.7e9 + np.array([[0.0], [2.0], [10.0], [12.0]])
    model = PartialKMeans(2, random_state=0).fit(X)
    assert sorted(model.cluster_centers_.ravel() - 1.7e9) == [1.0, 11.0]
    near = model.labels_[0]
    assert model.labels_.tolist() == [near, near, 1 - near, 1 - near]
    assert model.predict(X).tolist() == model.labels_.tolist()
    assert model.transform(X)[0, [near, 1 - near]].tolist() == [1.0, 11.0]
    assert model.score(X) == -model.inertia_ == -4.0


@cases("offset", [0.0, 1.7e9])
def test_predict_finds_the_nearest_of_many_centres(offset):
    rng = np.random.default_rng(0)
    centers = offset + np.arange(50.0).reshape(-1, 1)
    X = offset + rng.uniform(-0.49, 49.49, (1000, 1))
    model = PartialKMeans(50, init=centers, max_calls=1, random_state=0).fit(centers)
    places = np.rint(X - offset).ravel()
    assert (model.cluster_centers_[model.predict(X), 0] - offset).tolist() == places.tolist()


@cases("kind", ["array", "list", "callable"])
def test_fit_begins_at_the_given_centres(kind):
    X = [[0.0], [3.0], [4.0], [5.0]]
    given = {"array": np.array([[0.0], [4.0]]), "list": [[0.0], [4.0]]}
    init = given.get(kind, lambda X, k, random_state: X[[0, 2]])
    model = PartialKMeans(2, init=init, max_calls=1, random_state=0).fit(X)
    assert model.cluster_centers_.tolist() == [[0.0], [4.0]]
    assert (model.inertia_, model.n_calls_, model.n_iter_) == (2.0, 1, 1)


def test_fit_continues_from_the_given_centres():
    X = [[0.0], [1.0], [10.0], [11.0], [20.0], [21.0]]
    poor = [[0.0], [1.0], [15.0]]  # Lloyd's algorithm does not leave this optimum
    first, last = (
        PartialKMeans(3, init=poor, max_calls=calls, random_state=0).fit(X) for calls in (1, 60)
    )
    assert first.cluster_centers_.tolist() == [[0.0], [1.0], [15.5]]
    assert first.inertia_ == 2 * (5.5**2 + 4.5**2)
    assert last.inertia_ == 6 * 0.25 and last.n_calls_ == 60


def test_fit_keeps_float32():
    X = np.array([[0.0], [0.1], [10.0]], np.float32)
    model = PartialKMeans(2, random_state=0).fit(X)
    assert model.cluster_centers_.dtype == model.transform(X).dtype == np.float32
    assert model.labels_.dtype == np.int32
    assert model.inertia_ == pytest.approx(0.005, rel=1e-5)
    assert model.score(X) == -model.inertia_


def test_points_of_weight_0_are_labelled():
    model = PartialKMeans(2, random_state=0).fit([*LINE, [1000.0]], sample_weight=[1, 1, 1, 0])
    assert sorted(model.cluster_centers_.ravel()) == [1.0, 10.0]
    assert model.labels_[3] == model.labels_[2]


@settings(max_examples=15)
@given(st.floats(1e-3, 1e3), st.integers(0, 99))
def test_fit_depends_only_on_ratios_of_weights(factor, seed):
    X = np.random.default_rng(seed).normal(size=(30, 2))
    model = PartialKMeans(4, max_calls=10, random_state=seed)
    inertia, labels = (fit := model.fit(X)).inertia_, fit.labels_
    scaled = model.fit(X, sample_weight=np.full(30, factor))
    assert scaled.inertia_ == pytest.approx(factor * inertia, rel=1e-12)
    assert scaled.labels_.tolist() == labels.tolist()


@cases(
    ("load", "k"),
    [(load_iris, 3), (load_iris, 8), (load_wine, 3), (load_wine, 8), (load_digits, 5)],
)
def test_inertia_is_at_most_scikit_learns_best_of_ten(load, k):
    data = load().data
    theirs = KMeans(k, n_init=10, tol=0, random_state=0).fit(data)
    ours = PartialKMeans(k, random_state=0).fit(data)
    assert ours.inertia_ <= theirs.inertia_ * (1 + 1e-9)


@settings(max_examples=12)
@given(st.integers(0, 10**6))
def test_predict_and_transform_and_score_equal_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    X, others, weights = rng.normal(size=(40, 3)), rng.normal(size=(25, 3)), rng.random(25)
    ours = PartialKMeans(4, max_calls=5, random_state=seed).fit(X)
    theirs = KMeans(4, init=ours.cluster_centers_, n_init=1, tol=0).fit(X)
    np.testing.assert_allclose(theirs.cluster_centers_, ours.cluster_centers_, rtol=1e-9)
    assert theirs.labels_.tolist() == ours.labels_.tolist()
    assert theirs.inertia_ == pytest.approx(ours.inertia_, rel=1e-9)
    assert theirs.predict(others).tolist() == ours.predict(others).tolist()
    np.testing.assert_allclose(theirs.transform(others), ours.transform(others), rtol=1e-6)
    for heavy in (None, weights):
        scores = [model.score(others, sample_weight=heavy) for model in (theirs, ours)]
        assert scores[0] == pytest.approx(scores[1], rel=1e-9)


def test_fewer_distinct_points_than_clusters_give_a_warning():
    with pytest.warns(ConvergenceWarning, match="3 distinct points, fewer than n_clusters = 5"):
        model = PartialKMeans(5, random_state=0).fit(LINE * 2)
    assert model.cluster_centers_.shape == (5, 1)
    assert model.inertia_ == 0.0
    assert set(model.cluster_centers_.ravel()) == {0.0, 2.0, 10.0}
    assert model.labels_.max() == 2


@cases(
    ("wrong", "complaint"),
    [
        ({"n_clusters": 4}, "between 1 and n_samples = 3, got 4"),
        ({"n_clusters": 0}, "between 1 and n_samples = 3, got 0"),
        ({"n_clusters": 2.0}, "n_clusters must be a whole number"),
        ({"init": "forgy"}, "'random', an array or a callable, got 'forgy'"),
        ({"init": [[0.0]]}, r"shape \(n_clusters, n_features\) = \(2, 1\), got \(1, 1\)"),
        ({"init": [[0.0], [np.nan]]}, "init contains NaN"),
    ],
)
def test_invalid_arguments_are_rejected(wrong, complaint):
    with pytest.raises((TypeError, ValueError), match=complaint):
        PartialKMeans(**{"n_clusters": 2, **wrong}).fit(LINE)


def test_fortran_order_and_reversed_rows_give_the_same_fit():
    data = load_iris().data
    one = PartialKMeans(3, max_calls=20, random_state=0).fit(data)
    other = PartialKMeans(3, max_calls=20, random_state=0).fit(np.asfortranarray(data[::-1]))
    assert one.cluster_centers_.tolist() == other.cluster_centers_.tolist()
    assert one.labels_.tolist() == other.labels_[::-1].tolist()
