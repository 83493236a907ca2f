"""Compare Gaussian emissions and mixtures with NumPy and hmmlearn; check the variance floor."""

import numpy as np
import pytest
from cases import cases
from hmmlearn.hmm import GMMHMM, GaussianHMM
from oracles import gaussian_hmm as oracle

import prviz
from prviz.engine import kernels
from prviz.problems.hmm.gaussian.model import components
from prviz.testing import made

KINDS = ("diag", "full")
#: Type of covariances, and number of components.
MIXTURES = [("diag", 1), ("full", 1), ("diag", 3), ("full", 2)]


def random_problem(kind, M=1, d=3, N=4, lengths=(30, 1, 29), seed=0, **more):
    """Return a problem, and a state with a random model."""
    rng = np.random.default_rng(seed)
    series = rng.normal(size=(sum(lengths), d)) + 3 * rng.integers(0, 2, size=(sum(lengths), 1))
    more = {"emissions": "gaussian", "n_mix": M, "covariance_type": kind, **more}
    problem = prviz.hmm(series, N, lengths=[*lengths], **more)
    state = kernels.allocate(problem)
    state.transition[:] = rng.dirichlet(np.ones(N), size=N)
    state.start[:] = rng.dirichlet(np.ones(N))
    weights, means, covars = components(state)
    weights[:] = rng.dirichlet(np.ones(M), size=N)
    means[:] = rng.normal(size=(N, M, d)) * 2
    covars[:] = rng.uniform(0.5, 2.0, size=(N, M, 1, d))
    if kind == "full":
        rows = rng.normal(size=(N, M, d, d))
        covars[:] = rows @ rows.transpose(0, 1, 3, 2) + 0.3 * np.eye(d)
    return problem, state


def model_of(state):
    """Return A, π, weights (N, M), means (N, M, d) and covariance matrices (N, M, d, d)."""
    weights, means, covars = (part.copy() for part in components(state))
    if covars.shape[2] < covars.shape[3]:
        covars = covars * np.eye(covars.shape[3])
    return state.transition.copy(), state.start.copy(), weights, means, covars


def sequences(problem):
    return np.split(problem.series, np.cumsum(problem.lengths)[:-1])


@pytest.mark.parametrize(("kind", "M"), MIXTURES)
@cases("min_covar", [None, 1.5])
@cases("weights", [None, [2.0, 0.5, 30.0]])
def test_iterations_equal_those_in_numpy(kind, M, min_covar, weights):
    more = {"min_covar": min_covar, "tolerance": 0.0, "weights": weights}
    problem, state = random_problem(kind, M, **more)
    for _ in range(4):
        model = model_of(state)
        assert not kernels.iterate(problem, state, np.random.default_rng(0))
        how = problem.floor, kind, weights
        log_likelihood, *wanted = oracle.em_step(sequences(problem), *model, *how)
        assert state.progress[0] == pytest.approx(log_likelihood, rel=1e-12)
        for found, each in zip(model_of(state), wanted, strict=True):
            np.testing.assert_allclose(found, each, rtol=1e-9, atol=1e-12)


@cases("kind", KINDS)
@cases("N", [1, 3, 9])
def test_cost_is_the_negative_log_likelihood_of_hmmlearn(kind, N):
    problem, state = random_problem(kind, N=N)
    model = GaussianHMM(N, kind)
    model.n_features = 3
    model.transmat_, model.startprob_ = model_of(state)[:2]
    model.means_ = state.means
    model.covars_ = state.covars[:, 0] if kind == "diag" else state.covars
    score = model.score(problem.series, problem.lengths)
    assert kernels.cost(problem, state) == pytest.approx(-score, rel=1e-12)


@cases("kind", KINDS)
def test_iteration_of_a_mixture_equals_that_of_hmmlearn(kind):
    problem, state = random_problem(kind, M=2, min_covar=1e-9)
    model = GMMHMM(4, 2, covariance_type=kind, init_params="", n_iter=1, random_state=0)
    before = model_of(state)
    model.transmat_, model.startprob_, model.weights_, model.means_, covars = before
    model.covars_ = components(state)[2][:, :, 0].copy() if kind == "diag" else covars
    model.n_features = 3
    score = model.score(problem.series, problem.lengths)
    assert kernels.cost(problem, state) == pytest.approx(-score, rel=1e-12)
    model._init = lambda X, lengths=None: None  # skip its k-means, whose result is not used
    model.fit(problem.series, problem.lengths)
    kernels.iterate(problem, state, np.random.default_rng(0))
    *found, covars = model_of(state)
    wanted = model.transmat_, model.startprob_, model.weights_, model.means_
    for each, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(each, theirs, rtol=1e-8, atol=1e-12)
    # hmmlearn computes the scatter around the old means
    moved = components(state)[1] - before[3]
    covars = covars + moved[..., :, None] * moved[..., None, :]
    if kind == "diag":
        covars = np.diagonal(covars, axis1=2, axis2=3)
    np.testing.assert_allclose(covars, model.covars_, rtol=1e-7, atol=1e-12)


@pytest.mark.parametrize(("kind", "M"), MIXTURES)
@cases("weights", [[2, 1, 3], [3, 3, 3]])
def test_integer_weights_count_like_repeated_sequences(kind, M, weights):
    weighted, state = random_problem(kind, M, weights=weights, tolerance=0.0)
    parts = zip(sequences(weighted), weights, strict=True)
    each = [series for series, weight in parts for _ in range(weight)]
    how = {"n_mix": M, "covariance_type": kind, "tolerance": 0.0, "emissions": "gaussian"}
    lengths = [len(series) for series in each]
    repeated = prviz.hmm(np.concatenate(each), 4, lengths=lengths, **how)
    np.testing.assert_allclose(weighted.variances, repeated.variances, rtol=1e-12)
    np.testing.assert_allclose(weighted.floor, repeated.floor, rtol=1e-12)
    other = kernels.allocate(repeated)
    for field in ("transition", "start", "weights", "means", "covars"):
        getattr(other, field)[:] = getattr(state, field)
    for _ in range(6):
        costs = kernels.cost(weighted, state), kernels.cost(repeated, other)
        assert costs[0] == pytest.approx(costs[1], rel=1e-11)
        for pair in ((weighted, state), (repeated, other)):
            kernels.iterate(*pair, np.random.default_rng(0))


def test_new_means_are_drawn_in_proportion_to_the_weights():
    how = {"lengths": [1, 2, 1], "weights": [1.0, 2.0, 5.0], "emissions": "gaussian"}
    problem = prviz.hmm([0.0, 1.0, 2.0, 3.0], 1, **how)
    state, rng = kernels.allocate(problem), np.random.default_rng(0)
    drawn = np.zeros(4)
    for _ in range(4000):
        kernels.reinitialise(problem, state, np.arange(1), 0.0, rng)
        drawn[int(state.means[0, 0])] += 1
    np.testing.assert_allclose(drawn / 4000, [0.1, 0.2, 0.2, 0.5], atol=0.03)


def test_equal_weights_and_no_weights_find_the_same_model():
    series, how = prviz.datasets.regimes(60).values, {"emissions": "gaussian", "lengths": [20, 40]}
    runs = [
        prviz.run(prviz.hmm(series, 3, weights=weights, tolerance=each, **how), calls=10)
        for weights, each in ((None, 1e-6), ([1, 1], 1e-6), ([4.0, 4.0], 4e-6))
    ]
    assert runs[0].trace.hash() == runs[1].trace.hash()
    assert runs[2].trace.cost.tolist() == (4 * runs[0].trace.cost).tolist()


def test_outlier_that_no_likely_path_explains_has_the_correct_cost():
    series = [0.0, 0.1, -0.1, 1000.0, 0.0, 0.2]
    problem = prviz.hmm(series, 2, emissions="gaussian", min_covar=1e-3)
    state = kernels.allocate(problem)
    state.transition[:] = [[1.0, 1e-250], [0.5, 0.5]]
    state.start[:] = [1.0, 0.0]
    state.means[:, 0], state.covars[:, 0, 0] = [0.0, 900.0], [0.01, 0.01]
    model = model_of(state)
    log_likelihood, *wanted = oracle.em_step([problem.series], *model, problem.floor)
    assert not kernels.iterate(problem, state, np.random.default_rng(0))
    assert state.progress[0] == pytest.approx(log_likelihood, rel=1e-12)
    np.testing.assert_allclose(state.means, wanted[3][:, 0], rtol=1e-9)


@cases("kind", KINDS)
def test_variances_never_fall_below_the_floor(kind):
    problem, _ = random_problem(kind, lengths=(12,), N=5, min_covar=0.25)
    covars = model_of(made(problem, calls=30).best_state())[-1]
    assert np.linalg.eigvalsh(covars).min() >= 0.25 * (1 - 1e-12)


def test_search_finds_the_regimes_of_a_series():
    series = prviz.datasets.regimes(600, seed=1)
    run = prviz.run(prviz.hmm(series, 3), k1=1, m1=20, calls=20)
    order = np.argsort(run.best_state.means[:, 0])
    np.testing.assert_allclose(run.best_state.means[order, 0], [0.0, 0.7, 1.5], atol=0.25)
    np.testing.assert_allclose(run.best_state.covars[order, 0, 0] ** 0.5, [0.4, 1.2, 0.4], atol=0.2)


@cases(
    ("series", "more", "message"),
    [
        ([1.0, np.nan], {}, r"series\[1, 0\] is nan"),
        (["a", "b"], {}, "series must be real numbers"),
        ([[[1.0]]], {}, r"shape \(T,\) or \(T, d\)"),
        ([5.0, 5.0, 5.0], {}, "Column 0 of the series is constant"),
        ([1e12, 1e12 + 1], {}, "or its standard deviation is below 1e-10 of its largest value"),
        ([1.0, 2.0], {"covariance_type": "tied"}, "covariance_type must be 'diag' or 'full'"),
        ([1.0, 2.0], {"min_covar": 0}, "min_covar must be above 0"),
        ([1.0, 2.0], {"n_symbols": 2}, "n_symbols does not apply"),
        ([1.0, 2.0], {"n_mix": 0}, "n_mix must be at least 1, got 0"),
        ([0, 1], {"emissions": None, "n_mix": 2}, "n_mix applies to Gaussian emissions only"),
        ([1.0, 2.0], {"lengths": [1]}, "lengths add up to 1"),
        ([1.0, 2.0], {"emissions": "poisson"}, "emissions must be 'categorical' or 'gaussian'"),
    ],
)
def test_error_names_an_invalid_argument(series, more, message):
    with pytest.raises((ValueError, TypeError), match=message):
        prviz.hmm(series, 2, **{"emissions": "gaussian", **more})
