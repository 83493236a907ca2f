"""PartialGaussianHMM and PartialGMMHMM equal hmmlearn for a given model, and draw samples."""

import numpy as np
import pytest
from cases import cases
from hmmlearn.hmm import GMMHMM, GaussianHMM

from prviz.datasets import regimes
from prviz.estimators import PartialGaussianHMM, PartialGMMHMM

pytestmark = pytest.mark.usefixtures("kernels")

RNG = np.random.default_rng(0)
X = np.concatenate([RNG.normal(size=(40, 2)), RNG.normal(3, 2, (30, 2)), RNG.normal(size=(20, 2))])
LENGTHS = [60, 1, 29]


def pair(kind, M=1):
    """Return a fitted model, and hmmlearn's with the same parameters."""
    if M > 1:
        ours = PartialGMMHMM(3, M, kind, max_calls=3, random_state=0).fit(X, lengths=LENGTHS)
        theirs = GMMHMM(3, M, covariance_type=kind)
        for name in ("startprob_", "transmat_", "weights_", "means_", "covars_"):
            setattr(theirs, name, getattr(ours, name))
        return ours, theirs
    ours = PartialGaussianHMM(3, kind, max_calls=3, random_state=0).fit(X, lengths=LENGTHS)
    theirs = GaussianHMM(3, kind)
    theirs.n_features = 2
    theirs.startprob_, theirs.transmat_ = ours.startprob_, ours.transmat_
    theirs.means_ = ours.means_
    diagonals = np.diagonal(ours.covars_, axis1=1, axis2=2)
    theirs.covars_ = diagonals if kind == "diag" else ours.covars_
    return ours, theirs


@pytest.mark.parametrize("M", [1, 2])
@pytest.mark.parametrize("kind", ["diag", "full"])
def test_results_for_a_given_model_equal_those_of_hmmlearn(kind, M):
    ours, theirs = pair(kind, M)
    assert ours.log_likelihood_ == pytest.approx(theirs.score(X, LENGTHS), rel=1e-10)
    for name in ("score", "aic", "bic") if M == 1 else ("score",):
        wanted = getattr(theirs, name)(X, LENGTHS)
        assert getattr(ours, name)(X, lengths=LENGTHS) == pytest.approx(wanted, rel=1e-10)
    log_likelihood, path = ours.decode(X, LENGTHS)
    wanted, wanted_path = theirs.decode(X, LENGTHS)
    assert log_likelihood == pytest.approx(wanted, rel=1e-10)
    np.testing.assert_array_equal(path, wanted_path)
    chances, wanted = ours.predict_proba(X, LENGTHS), theirs.predict_proba(X, LENGTHS)
    np.testing.assert_allclose(chances, wanted, atol=1e-9)
    pairs = zip(ours.score_samples(X, LENGTHS), theirs.score_samples(X, LENGTHS), strict=True)
    for one, other in pairs:
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(ours.covars_, theirs.covars_)
    stationary = theirs.get_stationary_distribution()
    np.testing.assert_allclose(ours.get_stationary_distribution(), stationary, atol=1e-9)


@cases("kind", ["diag", "full"])
def test_samples_have_the_moments_of_the_model(kind):
    model, _ = pair(kind)
    values, states = model.sample(5_000, random_state=1)
    assert values.shape == (5_000, 2)
    for state in range(3):
        mine = values[states == state]
        np.testing.assert_allclose(mine.mean(axis=0), model.means_[state], atol=0.15)
        np.testing.assert_allclose(np.cov(mine.T), model.covars_[state], atol=0.4)


def test_sample_draws_components_by_their_weights():
    model, _ = pair("diag", 2)
    model.means_[:, 0], model.means_[:, 1], model.covars_[:] = 0.0, 100.0, 1.0
    values, states = model.sample(5_000, random_state=1)
    shares = [(values[states == state, 0] > 50).mean() for state in range(3)]
    np.testing.assert_allclose(shares, model.weights_[:, 1], atol=0.05)


def test_lengths_may_be_the_second_argument_as_in_hmmlearn():
    model = PartialGaussianHMM(2, max_calls=6, random_state=0).fit(X, LENGTHS)
    assert model.score(X, LENGTHS) == pytest.approx(model.log_likelihood_, rel=1e-12)
    assert model.n_features == 2 and model.monitor_.history[-1] == model.log_likelihood_


def test_fit_reaches_the_likelihood_of_four_restarts_of_hmmlearn():
    series = regimes(200, seed=2).values
    ours = PartialGaussianHMM(4, random_state=0).fit(series).score(series)
    each = [
        GaussianHMM(4, n_iter=300, tol=1e-3, covars_prior=1e-6, random_state=seed).fit(series)
        for seed in range(4)
    ]
    assert ours >= max(model.score(series) for model in each) - 1e-3
