"""Compare PartialRBM with sums over all states and with scikit-learn's BernoulliRBM."""

import numpy as np
import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import log_weights, o_ml
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.neural_network import BernoulliRBM
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from prviz.estimators import PartialRBM

pytestmark = pytest.mark.usefixtures("kernels")


def bits(seed, n, n_visible):
    return np.random.default_rng(seed).integers(0, 2, (n, n_visible)).astype(float)


def sizes(least=1):
    return st.tuples(st.integers(0, 10**6), st.integers(least, 5), st.integers(1, 5))


@settings(max_examples=20)
@given(sizes(), st.sampled_from([0.0, 0.01]))
def test_scores_are_sums_over_all_states(size, weight_decay):
    seed, n_visible, n_hidden = size
    X = bits(seed, 12, n_visible)
    model = PartialRBM(
        n_hidden, n_iter=3, weight_decay=weight_decay, max_calls=4, random_state=seed
    )
    model.fit(X)
    machine = model.components_.T, model.intercept_visible_, model.intercept_hidden_
    weights = log_weights(*machine)
    assert model.log_partition_ == pytest.approx(np.logaddexp.reduce(weights, axis=None), abs=1e-9)
    every = np.array(
        [[number >> i & 1 for i in range(n_visible)] for number in range(1 << n_visible)]
    )
    chances = np.exp(model.score_samples(every))
    np.testing.assert_allclose(chances.sum(), 1.0, atol=1e-9)
    np.testing.assert_allclose(
        np.log(chances), np.logaddexp.reduce(weights, axis=1) - model.log_partition_, atol=1e-9
    )
    assert model.score(X) == pytest.approx(o_ml(X.astype(int), *machine, 0.0)[0], abs=1e-9)


@settings(max_examples=20)
@given(sizes())
def test_hidden_units_and_gibbs_equal_scikit_learn(size):
    seed, n_visible, n_hidden = size
    X = bits(seed, 20, n_visible)
    ours = PartialRBM(n_hidden, n_iter=2, max_calls=3, random_state=seed).fit(X)
    theirs = BernoulliRBM(n_hidden, n_iter=1, random_state=seed).fit(X)
    theirs.components_ = ours.components_
    theirs.intercept_hidden_ = ours.intercept_hidden_
    theirs.intercept_visible_ = ours.intercept_visible_
    theirs.random_state_ = np.random.RandomState(seed)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), atol=1e-12)
    for _ in range(2):
        np.testing.assert_array_equal(ours.gibbs(X), theirs.gibbs(X))
    # add the constant ln Z, which scikit-learn leaves out
    np.testing.assert_allclose(
        -theirs._free_energy(X) - ours.log_partition_, ours.score_samples(X), atol=1e-9
    )


def test_gibbs_sampling_converges_to_the_model():
    model = PartialRBM(3, n_iter=20, max_calls=30, random_state=0).fit(bits(0, 30, 3) * [1, 1, 0])
    v = np.zeros((4000, 3))
    for _ in range(30):
        v = model.gibbs(v)
    every = np.array([[number >> i & 1 for i in range(3)] for number in range(8)])
    often = np.bincount(v.astype(int) @ [1, 2, 4], minlength=8) / len(v)
    np.testing.assert_allclose(often, np.exp(model.score_samples(every)), atol=0.04)


def test_values_above_the_threshold_are_on():
    X = np.random.default_rng(0).random((30, 4))
    model = PartialRBM(2, n_iter=2, max_calls=3, random_state=0, binarize=0.3)
    grey, black = (clone(model).fit(data) for data in (X, (X > 0.3).astype(float)))
    assert grey.components_.tolist() == black.components_.tolist()
    assert grey.transform(X).tolist() == black.transform(X > 0.3).tolist()
    strict = clone(model).set_params(binarize=None)
    assert strict.fit(X > 0.3).components_.tolist() == black.components_.tolist()
    with pytest.raises(
        ValueError, match=r"zeros and ones\. For other values, set the threshold binarize"
    ):
        strict.fit(X)


def test_fit_keeps_float32():
    X = bits(0, 20, 4)
    double, single = (
        PartialRBM(2, n_iter=2, max_calls=3, random_state=0).fit(X.astype(kind))
        for kind in (np.float64, np.float32)
    )
    for name in ("components_", "intercept_hidden_", "intercept_visible_"):
        assert getattr(single, name).dtype == np.float32
        np.testing.assert_allclose(getattr(single, name), getattr(double, name), rtol=1e-6)
    assert single.transform(X.astype(np.float32)).dtype == np.float32


def test_k1_replaces_the_probability():
    X = bits(0, 20, 4)
    model = PartialRBM(2, n_iter=2, max_calls=20, random_state=0)
    by_number, by_chance = (clone(model).set_params(k1=k1).fit(X) for k1 in (2, None))
    other = clone(model).set_params(k1=2, probability=0.9).fit(X)
    assert by_number.components_.tolist() == other.components_.tolist()
    assert by_number.components_.tolist() != by_chance.components_.tolist()


def test_redraws_are_better_than_a_single_training():
    X = bits(3, 40, 4)[:, [0, 1, 0, 1, 2, 3]]  # two pairs of identical units
    once, often = (
        PartialRBM(6, n_iter=20, max_calls=calls, random_state=0).fit(X).score(X)
        for calls in (1, 200)
    )
    assert often > once + 0.1


def test_features_of_digits_improve_a_logistic_regression():
    """Repeat scikit-learn's example with PartialRBM: features for a logistic regression."""
    X, y = (each[:900] for each in load_digits(return_X_y=True))
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=0)
    accuracy = {}
    for machine in (
        BernoulliRBM(16, learning_rate=0.06, n_iter=10, random_state=0),
        PartialRBM(16, learning_rate=0.06, n_iter=10, max_calls=5, random_state=0),
    ):
        line = make_pipeline(MinMaxScaler(), machine, LogisticRegression(C=10, max_iter=2000))
        found = line.fit(X_train, y_train).predict(X_test)
        accuracy[type(machine).__name__] = accuracy_score(y_test, found)
    assert accuracy["PartialRBM"] > 0.8
    assert accuracy["PartialRBM"] > accuracy["BernoulliRBM"] - 0.05


@cases(
    ("wrong", "complaint"),
    [
        ({"n_components": 0}, "n_hidden must be at least 1, got 0"),
        ({"learning_rate": -1.0}, "learning_rate must be positive"),
        ({"binarize": "half"}, "binarize must be a number"),
        ({"probability": 2.0}, "must be between 0 and 1"),
    ],
)
def test_invalid_arguments_are_rejected(wrong, complaint):
    with pytest.raises((TypeError, ValueError), match=complaint):
        PartialRBM(**wrong).fit(bits(0, 10, 4))


def test_two_large_layers_are_rejected():
    with pytest.raises(ValueError, match="at most 20 units"):
        PartialRBM(100).fit(load_digits().data)
