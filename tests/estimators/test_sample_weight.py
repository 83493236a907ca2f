"""All estimators route and validate sample weights, which act like repeated rows or sequences."""

import numpy as np
import pandas as pd
import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import o_ml, path_sums
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.utils import shuffle
from test_estimators import SMALL, every, fitted, learned, same

from prviz.estimators import PartialGaussianHMM, PartialGMMHMM, PartialHMM, PartialRBM

pytestmark = pytest.mark.usefixtures("kernels")

IRIS = load_iris().data
#: Estimators for which a row is a step of a single series, if no lengths are given.
SERIES = ("PartialGaussianHMM", "PartialGMMHMM")
GAUSSIAN = [PartialGaussianHMM(2, max_calls=3, random_state=0)]
GAUSSIAN += [
    PartialGMMHMM(2, covariance_type=kind, max_calls=3, random_state=0) for kind in ("diag", "full")
]
LENGTHS = [40, 60, 50]


def some_weights(name, n):
    return np.full(n, 2.0) if name in SERIES else np.random.default_rng(0).random(n) + 0.5


def parts_of(X, lengths):
    return np.split(X, np.cumsum(lengths)[:-1])


@every
def test_weights_change_the_fit_and_are_not_changed(name):
    model, data = SMALL[name]
    weights, plain = some_weights(name, len(data)), fitted(name)
    assert same(clone(model).fit(data, sample_weight=np.ones(len(data))), plain)
    before = weights.copy()
    weighted = clone(model).fit(data, sample_weight=weights)
    assert weights.tolist() == before.tolist()
    if name not in SERIES:
        assert not same(weighted, plain)


def test_weights_may_be_a_series_or_a_list():
    model, weights = SMALL["PartialKMeans"][0], some_weights("PartialKMeans", len(IRIS))
    by_array, by_series, by_list = (
        clone(model).fit(IRIS, sample_weight=each)
        for each in (weights, pd.Series(weights), weights.tolist())
    )
    assert same(by_array, by_series) and same(by_array, by_list)


def test_rows_of_weight_0_are_left_out():
    model, data = SMALL["PartialRBM"]
    weights = (np.random.default_rng(0).random(len(data)) < 0.7).astype(float)
    weighted = clone(model).fit(data, sample_weight=weights)
    assert same(weighted, clone(model).fit(data[weights > 0]))


@every
@cases(
    ("weights", "complaint"),
    [
        (lambda n: np.ones(n - 1), r"sample_weight must have the shape .*, got \(\d+,\)"),
        (lambda n: np.ones((n, 2)), r"sample_weight must have the shape .*, got \(\d+, 2\)"),
        (lambda n: np.full(n, -1.0), "sample_weight must be finite and not negative"),
        (lambda n: np.full(n, np.nan), "sample_weight must be finite and not negative"),
        (lambda n: np.full(n, np.inf), "sample_weight must be finite and not negative"),
        (lambda n: np.full(n, 1e308), "The sum of sample_weight is infinite"),
        (lambda n: np.zeros(n), "sample_weight is zero for all samples"),
        (lambda n: ["much"] * n, "sample_weight must be one number per sample"),
    ],
)
def test_invalid_weights_are_rejected(name, weights, complaint):
    model, data = SMALL[name]
    with pytest.raises(ValueError, match=complaint):
        clone(model).fit(data, sample_weight=weights(len(data)))


@cases("name", ["PartialKMeans", "PartialHMM"])
def test_weights_are_routed_through_a_grid_search(name):
    model, data = SMALL[name]
    weights = some_weights(name, len(data))
    size = "n_clusters" if hasattr(model, "n_clusters") else "n_components"
    with config_context(enable_metadata_routing=True):
        each = clone(model).set_fit_request(sample_weight=True)
        each = each.set_score_request(sample_weight=True)
        found = GridSearchCV(each, {size: [3]}, cv=2, error_score="raise")
        found.fit(data, sample_weight=weights)
    assert same(found.best_estimator_, clone(model).fit(data, sample_weight=weights))


# --- hidden Markov models -----------------------------------------------------------------------


def assert_same_model(one, other):
    assert one.log_likelihood_ == pytest.approx(other.log_likelihood_, rel=1e-9)
    for a, b in zip(learned(one), learned(other), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-9)


@cases("seed", range(4))
def test_weights_of_strings_count_like_repeated_rows(seed):
    """Repeat scikit-learn's check of weights, but with symbols instead of real numbers."""
    rng = np.random.default_rng(seed)
    X, weights = rng.integers(0, 3, (15, 8)), rng.integers(0, 5, 15)
    model = PartialHMM(3, max_calls=3, n_iter=20, random_state=seed)
    repeated = clone(model).fit(X.repeat(weights, axis=0))
    X, weights = shuffle(X, weights, random_state=0)
    weighted = clone(model).fit(X, sample_weight=weights)
    assert_same_model(weighted, repeated)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-6)


@cases("model", GAUSSIAN)
def test_weights_of_series_count_like_repeated_series(model):
    """Compare likelihoods of one model: a fit to repeated series has other random first means."""
    weights, parts = [2, 0, 3], parts_of(IRIS, LENGTHS)
    repeated = [part for part, weight in zip(parts, weights, strict=True) for _ in range(weight)]
    weighted = clone(model).fit(IRIS, lengths=LENGTHS, sample_weight=weights)
    score = weighted.score(np.concatenate(repeated), lengths=[len(part) for part in repeated])
    assert weighted.log_likelihood_ == pytest.approx(score, rel=1e-10)
    again = weighted.score(IRIS, lengths=LENGTHS, sample_weight=weights)
    assert again == pytest.approx(score, rel=1e-10)


@settings(max_examples=20)
@given(st.lists(st.floats(0, 100), min_size=3, max_size=3).filter(any), st.integers(0, 99))
def test_score_is_the_weighted_sum_over_all_paths(weights, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (3, 5))
    model = PartialHMM(2, n_features=2, max_calls=2, n_iter=9, random_state=seed)
    model.fit(X, sample_weight=weights)
    rows = model.transmat_, model.emissionprob_, model.startprob_
    used = [(weight, x) for weight, x in zip(weights, X, strict=True) if weight > 0]
    wanted = sum(weight * np.log(path_sums(x, *rows)[0]) for weight, x in used)
    assert model.log_likelihood_ == pytest.approx(wanted, rel=1e-9, abs=1e-9)
    assert model.score(X, sample_weight=weights) == pytest.approx(wanted, rel=1e-9, abs=1e-9)


@cases("name", ["PartialHMM", "PartialGaussianHMM"])
def test_weights_may_be_per_sequence_or_per_row(name):
    X = STRING if name == "PartialHMM" else IRIS
    model, weights = clone(SMALL[name][0]).set_params(max_calls=5), [2.0, 0.5, 1.0]
    by_sequence = clone(model).fit(X, lengths=LENGTHS, sample_weight=weights)
    by_row = clone(model).fit(X, lengths=LENGTHS, sample_weight=np.repeat(weights, LENGTHS))
    assert same(by_sequence, by_row)
    assert by_row.log_likelihood_ == pytest.approx(
        sum(
            weight * by_row.score(part)
            for weight, part in zip(weights, parts_of(X, LENGTHS), strict=True)
        ),
        rel=1e-9,
    )


STRING = np.random.default_rng(2).integers(0, 3, (150, 1))


@cases("name", ["PartialHMM", "PartialGaussianHMM"])
@cases("lengths", [None, LENGTHS])
def test_weights_that_vary_within_a_sequence_are_rejected(name, lengths):
    X, weights = STRING if name == "PartialHMM" else IRIS, np.repeat([2.0, 1.0], [40, 110])
    weights[50] = 7.0
    rows = "2 for row 0 and 1 for row 40" if lengths is None else "1 for row 40 and 7 for row 50"
    with pytest.raises(ValueError, match=f"equal for all rows of a sequence, got {rows} of the"):
        clone(SMALL[name][0]).fit(X, lengths=lengths, sample_weight=weights)
    with pytest.raises(ValueError, match=r"shape \(3,\) or \(150,\), got \(4,\)"):
        clone(SMALL[name][0]).fit(X, lengths=LENGTHS, sample_weight=np.ones(4))


def test_a_string_of_weight_0_adds_no_symbols():
    X, weights = [[0, 1, 0], [1, 1, 0], [5, 5, 5]], [1, 2, 0]
    model = PartialHMM(2, max_calls=2, random_state=0).fit(X, sample_weight=weights)
    assert model.symbols_.tolist() == [0, 1] and model.emissionprob_.shape == (2, 2)
    assert np.isfinite(model.score(X[:2]))


# --- Boltzmann machines -------------------------------------------------------------------------


@settings(max_examples=20)
@given(st.lists(st.integers(0, 4), min_size=8, max_size=8).filter(any), st.integers(0, 99))
def test_scores_of_a_weighted_machine_equal_those_of_repeated_rows(weights, seed):
    X = np.random.default_rng(seed).integers(0, 2, (8, 3))
    model = PartialRBM(2, n_iter=3, max_calls=4, random_state=seed).fit(X, sample_weight=weights)
    machine = model.components_.T, model.intercept_visible_, model.intercept_hidden_
    wanted = o_ml(X.repeat(weights, axis=0), *machine, 0.0)[0]
    assert model.score(X, sample_weight=weights) == pytest.approx(wanted, abs=1e-9)
    assert model.score(X.repeat(weights, axis=0)) == pytest.approx(wanted, abs=1e-9)


def test_rbm_learns_the_weighted_frequencies_of_rows():
    X = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [0, 1, 0, 1]])
    model = PartialRBM(6, n_iter=300, batch_size=3, max_calls=30, random_state=0)
    model.fit(X, sample_weight=[6, 3, 0])
    chances = np.exp(model.score_samples(X))
    np.testing.assert_allclose(chances, [2 / 3, 1 / 3, 0], atol=0.05)


def test_equal_weights_and_no_weights_give_the_same_machine():
    X = np.random.default_rng(0).integers(0, 2, (40, 6))
    model = PartialRBM(3, n_iter=5, max_calls=5, random_state=0)
    assert same(clone(model).fit(X, sample_weight=np.full(40, 0.1)), clone(model).fit(X))
    parts = [clone(model).partial_fit(X, sample_weight=each) for each in (None, np.full(40, 9.0))]
    assert same(*parts)


def test_partial_fit_learns_weighted_shares():
    X = np.array([[1], [0]])
    model = PartialRBM(2, batch_size=2, random_state=0)
    for _ in range(100):
        model.partial_fit(X, sample_weight=[3, 1])
    np.testing.assert_allclose(np.exp(model.score_samples(X)), [0.75, 0.25], atol=0.1)
    machine = model.components_.T, model.intercept_visible_, model.intercept_hidden_
    wanted = o_ml(X, *machine, 0.0, [3, 1])[0]
    assert model.score(X, sample_weight=[3, 1]) == pytest.approx(wanted, abs=1e-9)
    with pytest.raises(ValueError, match="sample_weight is zero for all samples"):
        model.partial_fit(X, sample_weight=[0, 0])
