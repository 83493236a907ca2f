"""Code for scikit-learn's and hmmlearn's classes works with prviz's classes."""

import doctest
import itertools

import numpy as np
import pytest
from cases import cases
from sklearn import config_context
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.neural_network import BernoulliRBM

from prviz.estimators import PartialHMM, PartialKMeans, PartialKMedoids, PartialRBM

pytestmark = pytest.mark.usefixtures("kernels")

IRIS = load_iris().data
BITS = (np.random.default_rng(0).random((60, 8)) < 0.4).astype(float)
CASINO = np.random.default_rng(1).integers(0, 6, (40, 1))


def run_examples(text):
    examples = doctest.DocTestParser().get_doctest(text, {}, "exchanged", None, None)
    assert examples.examples
    assert doctest.DocTestRunner().run(examples).failed == 0


@pytest.mark.parametrize(
    ("theirs", "ours"), [(KMeans, "PartialKMeans"), (BernoulliRBM, "PartialRBM")]
)
def test_doctests_of_scikit_learn_pass(theirs, ours):
    package = theirs.__module__.rpartition(".")[0]
    text = theirs.__doc__.replace(f"from {package} import", "from prviz.estimators import")
    run_examples(text.replace(theirs.__name__, ours))


@pytest.mark.parametrize(
    ("theirs", "ours"), [("CategoricalHMM", "PartialHMM"), ("GaussianHMM", "PartialGaussianHMM")]
)
def test_doctests_of_hmmlearn_pass(theirs, ours):
    text = getattr(pytest.importorskip("hmmlearn.hmm"), theirs).__doc__
    text = text.replace("hmmlearn.hmm", "prviz.estimators")
    # the doctests expect the repr of an old scikit-learn
    text = text.replace(f"{theirs}(algorithm='viterbi',...", f"{theirs}()")
    run_examples(text.replace(theirs, ours))


def test_n_init_sets_the_number_of_restarts():
    by_number = PartialKMeans(5, n_init=4, max_calls=40, random_state=0).fit(IRIS)
    by_distance = PartialKMeans(5, m1=9, max_calls=40, random_state=0).fit(IRIS)
    np.testing.assert_array_equal(by_number.cluster_centers_, by_distance.cluster_centers_)
    assert by_number.n_iter_ == by_distance.n_iter_


@cases(("settings", "calls"), [({}, 120), ({"k1": "all"}, 60), ({"n_init": 9}, 60)])
def test_n_init_raises_the_automatic_number_of_calls(settings, calls):
    model = PartialKMeans(3, random_state=0).set_params(**{"n_init": 60, **settings})
    assert model.fit(IRIS).n_calls_ == calls


@cases(
    ("settings", "complaint"),
    [
        ({"n_init": 0}, "n_init must be at least 1, got 0"),
        ({"n_init": "best"}, "n_init must be a whole number"),
        ({"n_init": 10, "max_calls": 12}, "n_init = 10 needs max_calls of at least 20, got 12"),
        ({"n_init": 10, "time_limit": 1.0}, "n_init needs max_calls"),
    ],
)
def test_invalid_n_init_is_rejected(settings, complaint):
    with pytest.raises((TypeError, ValueError), match=complaint):
        PartialKMeans(3, **settings).fit(IRIS)


def test_settings_that_prviz_ignores_do_not_change_the_fit():
    plain = PartialKMeans(3, max_calls=20, random_state=0).fit(IRIS)
    other = clone(plain).set_params(max_iter=1, tol=9.0, copy_x=False, algorithm="elkan").fit(IRIS)
    np.testing.assert_array_equal(plain.cluster_centers_, other.cluster_centers_)


def test_verbose_prints_progress(capsys):
    model = PartialKMeans(3, max_calls=20).fit(IRIS)
    assert capsys.readouterr().out == ""
    model.set_params(verbose=1).fit(IRIS)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("[PartialKMeans] 20 calls, best cost = ")


def test_monitor_records_the_search():
    model = PartialHMM(2, max_calls=8, random_state=0).fit(CASINO)
    monitor = model.monitor_
    assert len(monitor.history) == 8 and monitor.history == sorted(monitor.history)
    assert monitor.history[-1] == model.log_likelihood_ and monitor.iter == model.n_iter_
    assert monitor.converged
    assert not clone(model).set_params(n_iter=1).fit(CASINO).monitor_.converged


def test_partial_fit_continues_training():
    model = PartialRBM(4, random_state=0).partial_fit(BITS)
    first = model.score(BITS)
    for _ in range(10):
        model.partial_fit(BITS)
    assert model.score(BITS) > first + 0.1
    assert model.n_calls_ == model.n_iter_ == 11


def test_partial_fit_after_fit_starts_from_the_fitted_weights():
    model = PartialRBM(4, max_calls=3, random_state=0).fit(BITS)
    before = model.components_.copy(), model.score(BITS)
    model.set_params(learning_rate=1e-12).partial_fit(BITS[:20])
    np.testing.assert_allclose(model.components_, before[0], atol=1e-9)
    assert model.score(BITS) == pytest.approx(before[1], abs=1e-9)


@cases("metric", ["sqeuclidean", "precomputed"])
def test_kmedoids_minimises_the_weighted_sum(metric):
    rng = np.random.default_rng(2)
    points, weights = rng.random((9, 2)), rng.integers(0, 4, 9)
    squares = ((points[:, None] - points) ** 2).sum(axis=2)
    costs = {
        pair: float(weights @ squares[:, pair].min(axis=1))
        for pair in itertools.combinations(np.flatnonzero(weights), 2)
    }
    X = np.triu(squares) if metric == "precomputed" else points
    with pytest.warns() if metric == "precomputed" else config_context():
        model = PartialKMedoids(2, metric=metric, random_state=0).fit(X, sample_weight=weights)
    assert model.inertia_ == pytest.approx(min(costs.values()))
    assert tuple(sorted(model.medoid_indices_)) == min(costs, key=costs.get)
    np.testing.assert_array_equal(model.labels_, squares[:, model.medoid_indices_].argmin(axis=1))


def test_lengths_are_routed_to_the_hmm():
    lengths = [15, 25]
    with config_context(enable_metadata_routing=True):
        routed = PartialHMM().set_fit_request(lengths=True).get_metadata_routing()
    assert routed.fit.requests["lengths"] is True
    model = PartialHMM(2, max_calls=5, random_state=0)
    assert model.fit(CASINO, lengths=lengths).score(CASINO, lengths) == pytest.approx(
        model.log_likelihood_
    )
