"""Likelihoods equal sums over all paths, and sparse fits equal plain fits and hmmlearn's."""

import logging
import math

import numba
import numpy as np
import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import best_path, em_step, em_step_of_many, path_sums

import prviz
from prviz.engine import kernels
from prviz.engine.algorithm import copied
from prviz.engine.schedule import Level, Schedule
from prviz.problems.hmm.baum_welch import HMM
from prviz.problems.hmm.plain import PlainHMM, backward, forward
from prviz.problems.hmm.prediction import most_probable_path
from prviz.search.traced_search import TracedSearch

IMPLEMENTATIONS = ("plain", "sparse")
MODEL = ("transition", "emission", "start")
JIT_OFF = numba.config.DISABLE_JIT

every = cases("baum_welch", IMPLEMENTATIONS)
few = settings(max_examples=20)


def random_model(N, K, rng):
    """Return rows uniform on the simplex, drawn by NumPy: transition, emission, start."""
    return (
        rng.dirichlet(np.ones(N), size=N),
        rng.dirichlet(np.ones(K), size=N),
        rng.dirichlet(np.ones(N)),
    )


def holding(problem, model):
    """Return a state with this model."""
    state = kernels.allocate(problem)
    for field, array in zip(MODEL, model, strict=True):
        getattr(state, field)[...] = array
    return state


def model_of(state):
    return [getattr(state, field).copy() for field in MODEL]


def drawn(problem, seed):
    """Return a state after a full redraw."""
    state = kernels.allocate(problem)
    rng = np.random.default_rng(seed)
    kernels.reinitialise(problem, state, np.arange(problem.n_states), 0.0, rng)
    return state


def optimised(problem, seed=0):
    state = drawn(problem, seed)
    cost, iterations = kernels.optimise(problem, state, np.random.default_rng(0))
    return state, cost, iterations


def dense_log_likelihood(problem, state):
    return forward(problem.sequence, state.transition, state.emission, state.start)[2]


def on_the_simplex(rows):
    return (rows >= 0).all() and np.allclose(rows.sum(axis=-1), 1, rtol=0, atol=1e-12)


@st.composite
def strings(draw, longest=30):
    """Draw a string as an array, and the size of its alphabet, which may include unused symbols."""
    K = draw(st.integers(1, 4))
    length = draw(st.integers(1, longest))
    symbols = st.lists(st.integers(0, K - 1), min_size=length, max_size=length)
    return np.array(draw(symbols)), K


# --- comparison with sums over all paths and with hmmlearn --------------------------------------


@few
@given(strings(longest=6), st.integers(1, 3), st.integers(0, 99))
def test_forward_and_backward_are_the_sums_over_all_paths(string, N, seed):
    sequence, K = string
    model = random_model(N, K, np.random.default_rng(seed))
    likelihood, gamma, xi = path_sums(sequence, *model)
    alpha, scale, log_likelihood = forward(sequence, *model)
    beta = backward(sequence, *model[:2], scale)
    assert log_likelihood == pytest.approx(math.log(likelihood), abs=1e-12)
    np.testing.assert_allclose(alpha * beta, gamma, rtol=0, atol=1e-12)
    ahead = model[1][:, sequence[1:]].T * beta[1:] / scale[1:, None]
    joint = alpha[:-1, :, None] * model[0] * ahead[:, None, :]
    np.testing.assert_allclose(joint, xi, rtol=0, atol=1e-12)


@every
@few
@given(strings(longest=6), st.integers(1, 3), st.integers(0, 99))
def test_cost_is_the_sum_over_all_paths(baum_welch, string, N, seed):
    sequence, K = string
    model = random_model(N, K, np.random.default_rng(seed))
    problem = prviz.hmm(sequence, N, K, baum_welch=baum_welch)
    likelihood, _, _ = path_sums(sequence, *model)
    cost = kernels.cost(problem, holding(problem, model))
    assert cost == pytest.approx(-math.log(likelihood), abs=1e-12)


@every
@few
@given(strings(longest=6), st.integers(1, 3), st.integers(0, 99))
def test_iteration_equals_an_em_step_over_all_paths(baum_welch, string, N, seed):
    sequence, K = string
    model = random_model(N, K, np.random.default_rng(seed))
    problem = prviz.hmm(sequence, N, K, tolerance=0, baum_welch=baum_welch)
    state = holding(problem, model)
    assert not kernels.iterate(problem, state, np.random.default_rng(0))
    for array, wanted in zip(model_of(state), em_step(sequence, *model), strict=True):
        np.testing.assert_allclose(array, wanted, rtol=0, atol=1e-9)


@every
@few
@given(st.lists(strings(longest=4), min_size=2, max_size=4), st.integers(1, 3), st.integers(0, 99))
def test_iteration_on_several_strings_equals_an_em_step(baum_welch, drawn_strings, N, seed):
    K = max(K for _, K in drawn_strings)
    several = [string for string, _ in drawn_strings]
    model = random_model(N, K, np.random.default_rng(seed))
    lengths = [len(string) for string in several]
    problem = prviz.hmm(
        np.concatenate(several), N, K, lengths=lengths, tolerance=0, baum_welch=baum_welch
    )
    state = holding(problem, model)
    likelihoods = [path_sums(string, *model)[0] for string in several]
    assert kernels.cost(problem, state) == pytest.approx(-np.log(likelihoods).sum(), abs=1e-12)
    assert not kernels.iterate(problem, state, np.random.default_rng(0))
    for array, wanted in zip(model_of(state), em_step_of_many(several, *model), strict=True):
        np.testing.assert_allclose(array, wanted, rtol=0, atol=1e-9)


weights_above_0 = st.floats(1e-3, 1e3)


@every
@few
@given(
    st.lists(st.tuples(strings(longest=4), weights_above_0), min_size=2, max_size=4),
    st.integers(1, 3),
    st.integers(0, 99),
)
def test_iteration_with_weights_equals_weighted_em(baum_welch, weighted, N, seed):
    K = max(K for (_, K), _ in weighted)
    several, weights = [string for (string, _), _ in weighted], [weight for _, weight in weighted]
    model = random_model(N, K, np.random.default_rng(seed))
    how = {"lengths": [len(string) for string in several], "weights": weights, "tolerance": 0}
    problem = prviz.hmm(np.concatenate(several), N, K, baum_welch=baum_welch, **how)
    state = holding(problem, model)
    likelihoods = [path_sums(string, *model)[0] for string in several]
    assert kernels.cost(problem, state) == pytest.approx(
        -np.dot(weights, np.log(likelihoods)), rel=1e-12
    )
    assert not kernels.iterate(problem, state, np.random.default_rng(0))
    wanted = em_step_of_many(several, *model, weights)
    for array, each in zip(model_of(state), wanted, strict=True):
        np.testing.assert_allclose(array, each, rtol=0, atol=1e-9)


@every
@few
@given(
    st.lists(st.tuples(strings(), st.integers(1, 4)), min_size=1, max_size=4),
    st.integers(1, 6),
    st.integers(0, 99),
)
def test_integer_weights_count_like_repeated_strings(baum_welch, weighted, N, seed):
    K = max(K for (_, K), _ in weighted)
    several, weights = [string for (string, _), _ in weighted], [weight for _, weight in weighted]
    repeated = [
        string for string, weight in zip(several, weights, strict=True) for _ in range(weight)
    ]
    problems = [
        prviz.hmm(
            *(np.concatenate(each), N, K),
            lengths=[len(string) for string in each],
            weights=heavy,
            tolerance=0,
            baum_welch=baum_welch,
        )
        for each, heavy in ((several, weights), (repeated, None))
    ]
    states = [drawn(problem, seed) for problem in problems]
    for _ in range(8):
        costs = [kernels.cost(*pair) for pair in zip(problems, states, strict=True)]
        assert costs[0] == pytest.approx(costs[1], rel=1e-9, abs=1e-9)
        for problem, state in zip(problems, states, strict=True):
            kernels.iterate(problem, state, np.random.default_rng(0))


@cases("weights", [None, [1, 2, 0.5, 3]])
@cases("seed", range(3))
def test_sparse_fit_of_several_strings_equals_the_plain_fit(seed, weights):
    rng = np.random.default_rng(seed)
    text, lengths = rng.integers(0, 2, 60), [9, 1, 20, 30]
    how = {"lengths": lengths, "weights": weights}
    problems = [prviz.hmm(text, 12, baum_welch=each, **how) for each in IMPLEMENTATIONS]
    assert [type(each) for each in problems] == [PlainHMM, HMM]  # no fallback to the plain fit
    (_, plain, iterations), (_, sparse, of_sparse) = (optimised(each, seed) for each in problems)
    assert sparse == pytest.approx(plain, rel=1e-9) and of_sparse == iterations > 60


def test_equal_weights_and_no_weights_find_the_same_model():
    text, lengths = np.random.default_rng(0).integers(0, 2, 60), [9, 1, 20, 30]
    runs = [
        prviz.run(prviz.hmm(text, 6, lengths=lengths, tolerance=each, weights=weights), calls=10)
        for weights, each in ((None, 1e-6), (np.ones(4), 1e-6), (np.full(4, 2.0), 2e-6))
    ]
    assert runs[0].trace.hash() == runs[1].trace.hash()
    assert runs[2].trace.cost.tolist() == (2 * runs[0].trace.cost).tolist()


def test_tiny_weights_use_plain_baum_welch():
    """A weight of 1e-15 would drop all paths of its string from the trellis."""
    text, lengths = np.random.default_rng(0).integers(0, 2, 60), [30, 30]
    problem = prviz.hmm(text, 6, lengths=lengths, weights=[1.0, 1e-15])
    alone = prviz.hmm(text[:30], 6, baum_welch="plain")
    assert type(problem) is PlainHMM
    (state, cost, _), (_, wanted, _) = optimised(problem), optimised(alone)
    assert cost == pytest.approx(wanted, rel=1e-9)
    assert all(on_the_simplex(rows) for rows in model_of(state))


@every
def test_string_of_weight_3e6_counts_as_3_million_strings(baum_welch):
    text = np.array([0, 0, 0, 1, 1, 1])
    problem = prviz.hmm(text, 1, lengths=[3, 3], weights=[3e6, 1e6], baum_welch=baum_welch)
    state, cost, _ = optimised(problem)
    np.testing.assert_allclose(state.emission, [[0.75, 0.25]], rtol=1e-12)
    assert cost == pytest.approx(-3e6 * (3 * math.log(0.75) + math.log(0.25)), rel=1e-12)


@cases(
    ("weights", "complaint"),
    [
        (
            [1, 0],
            r"weights\[1\] is 0: weights must be above 0 and at most 1e\+150; remove sequences",
        ),
        ([1, -1], r"weights\[1\] is -1: weights must be above 0"),
        ([np.nan, 1], r"weights\[0\] is nan: weights must be above 0"),
        ([1], r"one number per sequence, shape \(2,\), got \(1,\)"),
        (["a", "b"], "weights must be real numbers"),
    ],
)
@cases("emissions", ["categorical", "gaussian"])
def test_invalid_weights_are_rejected(weights, complaint, emissions):
    how = {"lengths": [2, 3], "weights": weights, "emissions": emissions}
    with pytest.raises((TypeError, ValueError), match=complaint):
        prviz.hmm([0, 1, 1, 0, 1], 2, **how)


@few
@given(strings(longest=6), st.integers(1, 3), st.integers(0, 99))
def test_the_most_probable_path_is_the_best_of_all_paths(string, N, seed):
    sequence, K = string
    model = random_model(N, K, np.random.default_rng(seed))
    chance, path = most_probable_path(sequence, *model)
    wanted, best = best_path(sequence, *model)
    assert chance == pytest.approx(wanted, abs=1e-12)
    assert path.tolist() == best


def test_a_string_that_the_model_cannot_emit_has_no_path():
    alone = np.eye(1), np.array([[1.0, 0.0]]), np.ones(1)
    assert most_probable_path(np.array([0, 1]), *alone)[0] == -np.inf
    assert most_probable_path(np.array([0, 0]), *alone)[0] == 0.0


@cases(
    ("lengths", "complaint"),
    [
        ([3, 3], "add up to 6, but there are 5 symbols"),
        ([5, 0], "at least 1, got 0"),
        ([2.5, 2.5], "whole numbers"),
        ([[5]], "one-dimensional"),
    ],
)
def test_invalid_lengths_are_rejected(lengths, complaint):
    with pytest.raises((TypeError, ValueError), match=complaint):
        prviz.hmm("01101", 2, lengths=lengths)


@every
@cases(("N", "T", "K"), [(1, 10, 2), (3, 25, 4), (8, 40, 2), (16, 16, 2)])
def test_twenty_iterations_equal_hmmlearn(baum_welch, N, T, K, caplog):
    from hmmlearn.hmm import CategoricalHMM

    steps = 20
    caplog.set_level(logging.ERROR)  # hmmlearn warns that the string is too short
    for seed in range(2):
        rng = np.random.default_rng(seed)
        sequence = rng.integers(0, K, size=T)
        problem = prviz.hmm(sequence, N, K, tolerance=0, baum_welch=baum_welch)
        state = drawn(problem, seed)
        theirs = CategoricalHMM(
            N, n_features=K, n_iter=steps, tol=-np.inf, init_params="", implementation="scaling"
        )
        theirs.transmat_, theirs.emissionprob_, theirs.startprob_ = model_of(state)
        theirs.fit(sequence[:, None])
        for _ in range(steps):
            kernels.iterate(problem, state, rng)
        expected = (theirs.transmat_, theirs.emissionprob_, theirs.startprob_)
        for array, wanted in zip(model_of(state), expected, strict=True):
            np.testing.assert_allclose(array, wanted, rtol=0, atol=1e-8)
        assert -kernels.cost(problem, state) == pytest.approx(
            theirs.score(sequence[:, None]), abs=1e-8
        )


# --- gains of iterations, and the end of a fit --------------------------------------------------


@every
@few
@given(strings(), st.integers(1, 7), st.integers(0, 99))
def test_the_likelihood_never_falls(baum_welch, string, N, seed):
    sequence, K = string
    problem = prviz.hmm(sequence, N, K, tolerance=1e-6, max_iterations=60, baum_welch=baum_welch)
    state = drawn(problem, seed)
    costs, ended = [kernels.cost(problem, state)], False
    while not ended:
        ended = kernels.iterate(problem, state, np.random.default_rng(0))
        costs.append(kernels.cost(problem, state))
        assert all(on_the_simplex(rows) for rows in model_of(state))
    assert (np.diff(costs) <= 1e-9).all()
    assert costs[-1] == pytest.approx(-dense_log_likelihood(problem, state), abs=1e-9)
    assert costs[-1] >= -1e-9  # the likelihood is at most 1


def test_fit_in_steps_equals_fit_in_one_piece():
    """Redraw many times, so that some rows of A are hardly visited at the end of a fit."""
    rng = np.random.default_rng(0)
    problem = prviz.hmm(rng.integers(0, 2, size=64), 64)
    state, _, _ = optimised(problem)
    for _ in range(20):
        stepped = copied(state)
        chosen, redraw = rng.choice(64, size=8, replace=False), int(rng.integers(2**32))
        for one in (state, stepped):
            kernels.reinitialise(problem, one, chosen, 0.0, np.random.default_rng(redraw))
        kernels.optimise(problem, state, rng)
        while not kernels.iterate(problem, stepped, rng):
            pass
        for array, wanted in zip(model_of(stepped), model_of(state), strict=True):
            assert (array == wanted).all()


@every
def test_iteration_limit_is_obeyed_and_cost_matches_the_model(baum_welch):
    sequence = prviz.datasets.bits(30).sequence
    for cap in (1, 2, 7):
        problem = prviz.hmm(sequence, 6, tolerance=0, max_iterations=cap, baum_welch=baum_welch)
        state, cost, iterations = optimised(problem)
        assert iterations == cap
        assert cost == pytest.approx(-dense_log_likelihood(problem, state), abs=1e-9)


@every
def test_fit_ends_at_the_first_small_gain(baum_welch):
    sequence = prviz.datasets.bits(30).sequence
    for tolerance in (1.0, 1e-2, 1e-5):
        problem = prviz.hmm(sequence, 6, tolerance=tolerance, baum_welch=baum_welch)
        _, last, iterations = optimised(problem)
        endless = prviz.hmm(
            sequence, 6, tolerance=0, max_iterations=iterations + 1, baum_welch=baum_welch
        )
        state = drawn(endless, 0)
        costs = [kernels.cost(endless, state)]
        for _ in range(iterations - 1):
            kernels.iterate(endless, state, np.random.default_rng(0))
            costs.append(kernels.cost(endless, state))
        gains = -np.diff(costs)
        assert (gains[:-1] >= tolerance).all()
        assert gains[-1] < tolerance
        assert last == pytest.approx(costs[-1], abs=1e-9)


# --- redraws ----------------------------------------------------------------------------------


@st.composite
def redraws(draw):
    """Draw N, K, the states to redraw, α and a seed."""
    N = draw(st.integers(1, 6))
    chosen = draw(st.lists(st.integers(0, N - 1), unique=True, max_size=N))
    alpha = draw(st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]))
    return N, draw(st.integers(1, 3)), np.array(chosen, np.int64), alpha, draw(st.integers(0, 99))


def redrawn(baum_welch, model, chosen, alpha, seed):
    """Return the model after a redraw."""
    problem = prviz.hmm([0], *model[1].shape, baum_welch=baum_welch)
    state = holding(problem, model)
    kernels.reinitialise(problem, state, chosen, alpha, np.random.default_rng(seed))
    return model_of(state)


def many_redrawn(baum_welch, model, chosen):
    """Return 1000 models, each from another redraw of the given model."""
    problem, rng = prviz.hmm([0], *model[1].shape, baum_welch=baum_welch), np.random.default_rng(0)
    models = []
    for _ in range(1000):
        state = holding(problem, model)
        kernels.reinitialise(problem, state, chosen, 0.0, rng)
        models.append(model_of(state))
    return models


@every
@few
@given(redraws())
def test_redraw_stays_on_the_simplex_and_keeps_ratios(baum_welch, redraw):
    N, K, chosen, alpha, seed = redraw
    old = random_model(N, K, np.random.default_rng(seed))
    new = redrawn(baum_welch, old, chosen, alpha, seed)
    assert all(on_the_simplex(rows) for rows in new)
    others = np.setdiff1d(np.arange(N), chosen)
    np.testing.assert_array_equal(new[1][others], old[1][others])
    for after, before in zip([*new[0][others], new[2]], [*old[0][others], old[2]], strict=True):
        factor = after[others].sum() / before[others].sum() if len(others) else 1.0
        np.testing.assert_allclose(after[others], before[others] * factor, rtol=1e-12)


def fresh_entries(after, before, chosen):
    """Return the new entries of a row in a redraw with α = 0, before division by their sum."""
    others = np.setdiff1d(np.arange(len(after)), chosen)
    return after[chosen] * before[others].sum() / after[others].sum()


@every
@few
@given(redraws())
def test_alpha_mixes_fresh_and_old_entries(baum_welch, redraw):
    """Check equation (1), with ξ from a redraw with α = 0 and the same seed."""
    N, K, chosen, alpha, seed = redraw
    old = random_model(N, K, np.random.default_rng(seed))
    fresh = redrawn(baum_welch, old, chosen, 0.0, seed)
    mixed = redrawn(baum_welch, old, chosen, alpha, seed)
    for field in (0, 1):
        expected = alpha * old[field][chosen] + (1 - alpha) * fresh[field][chosen]
        np.testing.assert_allclose(mixed[field][chosen], expected, rtol=0, atol=1e-12)
    if len(chosen) == N:
        expected = alpha * old[2] + (1 - alpha) * fresh[2]
        np.testing.assert_allclose(mixed[2], expected, rtol=0, atol=1e-12)
        return
    others = np.setdiff1d(np.arange(N), chosen)
    rows = [(old[0][i], fresh[0][i], mixed[0][i]) for i in others]
    for before, zero, after in [*rows, (old[2], fresh[2], mixed[2])]:
        row = before.copy()
        row[chosen] = alpha * before[chosen] + (1 - alpha) * fresh_entries(zero, before, chosen)
        np.testing.assert_allclose(after, row / row.sum(), rtol=0, atol=1e-12)


@every
def test_redraw_with_alpha_1_keeps_the_model_except_for_rounding(baum_welch):
    old = random_model(5, 3, np.random.default_rng(0))
    for chosen in ([], [2], [0, 4], [0, 1, 2, 3, 4]):
        new = redrawn(baum_welch, old, np.array(chosen, np.int64), 1.0, 1)
        for after, before in zip(new, old, strict=True):
            np.testing.assert_allclose(after, before, rtol=1e-14)


@every
def test_restart_ignores_the_previous_model(baum_welch):
    old = random_model(4, 2, np.random.default_rng(0))
    nothing = [np.full_like(array, np.nan) for array in old]
    restarts = [redrawn(baum_welch, model, np.arange(4), 0.0, 7) for model in (old, nothing)]
    for one, other in zip(*restarts, strict=True):
        assert one.tobytes() == other.tobytes()


def assert_uniform_on_the_simplex(rows, n):
    """Check entries of rows of length ``n`` against moments of Dirichlet(1, …, 1), within 5 σ."""
    many = len(rows)
    mean, variance = 1 / n, (n - 1) / (n**2 * (n + 1))
    within = 5 * math.sqrt(variance / many)
    np.testing.assert_allclose(rows.mean(axis=0), mean, rtol=0, atol=within)
    spread = 5 * ((rows - mean) ** 2).std(axis=0).max() / math.sqrt(many)
    np.testing.assert_allclose(rows.var(axis=0), variance, rtol=0, atol=spread)


@every
@cases("chosen", [[0, 3], [0, 1, 2, 3, 4]])
def test_fresh_rows_are_uniform_on_the_simplex(baum_welch, chosen):
    N, K, chosen = 5, 3, np.array(chosen)
    old = random_model(N, K, np.random.default_rng(0))
    models = many_redrawn(baum_welch, old, chosen)
    assert_uniform_on_the_simplex(np.array([new[0][chosen[0]] for new in models]), N)
    assert_uniform_on_the_simplex(np.array([new[1][chosen[-1]] for new in models]), K)
    if len(chosen) == N:
        assert_uniform_on_the_simplex(np.array([new[2] for new in models]), N)
        return
    columns = np.array([fresh_entries(new[0][1], old[0][1], chosen) for new in models])
    assert_uniform_on_the_simplex(columns, N)
    starts = np.array([fresh_entries(new[2], old[2], chosen) for new in models])
    assert_uniform_on_the_simplex(starts, N)


@every
def test_fresh_rows_of_one_redraw_are_independent(baum_welch):
    old = random_model(4, 4, np.random.default_rng(0))
    models = many_redrawn(baum_welch, old, np.array([1]))
    entries = np.array(
        [
            [
                new[0][1, 0],
                new[1][1, 0],
                *(fresh_entries(new[0][i], old[0][i], [1])[0] for i in (0, 2, 3)),
                fresh_entries(new[2], old[2], [1])[0],
            ]
            for new in models
        ]
    )
    correlations = np.corrcoef(entries.T)[np.triu_indices(entries.shape[1], 1)]
    assert np.abs(correlations).max() < 5 / math.sqrt(len(models))


# --- degenerate strings -----------------------------------------------------------------------


@every
@cases("N", [1, 4])
def test_constant_string_has_probability_1(baum_welch, N):
    for problem in (
        prviz.hmm([0] * 9, N, baum_welch=baum_welch),  # an alphabet of one symbol
        prviz.hmm([1] * 9, N, 3, baum_welch=baum_welch),  # two symbols that never occur
        prviz.hmm("zzzzzzzzz", N, baum_welch=baum_welch),
        prviz.hmm([1], N, 2, baum_welch=baum_welch),  # a single symbol
    ):
        state, cost, _ = optimised(problem)
        assert cost == pytest.approx(0, abs=1e-9)
        assert all(on_the_simplex(rows) for rows in model_of(state))


@every
def test_one_state_learns_symbol_frequencies(baum_welch):
    problem = prviz.hmm([0, 2, 2, 0, 2], 1, 4, baum_welch=baum_welch)
    state, cost, _ = optimised(problem)
    np.testing.assert_allclose(state.emission, [[0.4, 0, 0.6, 0]], rtol=0, atol=1e-15)
    assert (state.transition.tolist(), state.start.tolist()) == ([[1.0]], [1.0])
    assert cost == pytest.approx(-(2 * math.log(0.4) + 3 * math.log(0.6)), abs=1e-12)


@every
@cases("N", [1, 8])
def test_string_of_distinct_symbols_has_a_known_cost(baum_welch, N):
    """With a state for each symbol, the cost can be 0; with one state, the cost is 8 ln 8."""
    run = prviz.run(prviz.hmm(np.arange(8), N, baum_welch=baum_welch), calls=30)
    assert -1e-9 <= run.best_cost <= 8 * math.log(8) + 1e-9
    if N == 1:
        assert run.best_cost == pytest.approx(8 * math.log(8), abs=1e-9)
    else:
        assert run.best_cost < 2


def test_memory_grows_at_most_in_proportion_to_symbols():
    few, many = (kernels.allocate(prviz.hmm(np.arange(K), 2)) for K in (200, 20_000))
    size = [sum(array.nbytes for array in state) for state in (few, many)]
    assert size[1] < 100 * size[0]


@every
def test_a_symbol_that_never_occurs_gets_no_probability(baum_welch):
    sequence = [0, 2, 2, 0, 2, 0, 0, 2]
    state, cost, _ = optimised(prviz.hmm(sequence, 3, 4, baum_welch=baum_welch))
    np.testing.assert_allclose(state.emission[:, [1, 3]], 0, rtol=0, atol=1e-12)
    renumbered = prviz.hmm(np.array(sequence) // 2, 3, baum_welch=baum_welch)
    model = [state.transition, state.emission[:, [0, 2]], state.start]
    assert kernels.cost(renumbered, holding(renumbered, model)) == pytest.approx(cost, abs=1e-9)


@every
def test_impossible_model_costs_infinity_and_does_not_change(baum_welch):
    """Set the model by hand, because redraws and iterations keep every symbol possible."""
    problem = prviz.hmm([0, 1, 0], 2, baum_welch=baum_welch)
    model = (np.full((2, 2), 0.5), np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([0.5, 0.5]))
    state = holding(problem, model)
    assert kernels.cost(problem, state) == math.inf
    cost, iterations = kernels.optimise(problem, state, np.random.default_rng(0))
    assert (cost, iterations) == (math.inf, 1)
    for after, before in zip(model_of(state), model, strict=True):
        np.testing.assert_array_equal(after, before)


@every
def test_probabilities_that_underflow_count_as_zero(baum_welch):
    """Two steps of probability 1e-200 underflow in a product and must count as zero."""
    tiny = 1e-200
    problem = prviz.hmm([0, 1] * 20, 3, baum_welch=baum_welch)
    chain = np.array([[0.5, 0.5, tiny], [0.5, 0.5, tiny], [tiny, tiny, 1.0]])
    emission = np.array([[0.5, 0.5], [0.5, 0.5], [tiny, 1.0]])
    state = holding(problem, (chain, emission, np.array([0.5, 0.5, tiny])))
    assert kernels.cost(problem, state) == pytest.approx(40 * math.log(2), rel=1e-12)
    cost, _ = kernels.optimise(problem, state, np.random.default_rng(0))
    assert cost <= 40 * math.log(2) * (1 + 1e-12)


@every
def test_zeros_in_a_model_stay_zeros(baum_welch):
    """In a left-to-right chain, Baum–Welch never makes a zero positive."""
    problem = prviz.hmm([0, 1, 0, 0, 1], 3, baum_welch=baum_welch)
    chain = np.array([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.0, 0.0, 1.0]])
    emission = np.array([[0.6, 0.4], [0.6, 0.4], [0.3, 0.7]])
    state = holding(problem, (chain, emission, np.array([1.0, 0.0, 0.0])))
    kernels.optimise(problem, state, np.random.default_rng(0))
    assert not state.transition[chain == 0].any()
    assert state.start.tolist() == [1.0, 0.0, 0.0]
    assert all(on_the_simplex(rows) for rows in model_of(state))


@every
@cases(("N", "K"), [(12, 2), (5, 4)])
def test_long_strings_give_no_nan(baum_welch, N, K):
    length = 300 if JIT_OFF else 5000
    sequence = np.random.default_rng(0).integers(0, K, size=length)
    problem = prviz.hmm(sequence, N, K, max_iterations=10, baum_welch=baum_welch)
    state, _, _ = optimised(problem)
    for redraw in range(3):
        rng = np.random.default_rng(redraw)
        kernels.reinitialise(problem, state, np.array([redraw]), 0.0, rng)
        cost, _ = kernels.optimise(problem, state, rng)
        assert all(on_the_simplex(rows) for rows in model_of(state))
        assert cost == pytest.approx(-dense_log_likelihood(problem, state), rel=1e-9)
        assert 0 < cost < math.inf


@every
def test_nearly_impossible_symbols_give_no_nan(baum_welch):
    """Use probabilities down to 1e-300: products of two are zero in floating point."""
    sequence = [0, 1] * 20
    problem = prviz.hmm(sequence, 2, baum_welch=baum_welch)
    tiny = np.array([[1.0, 1e-300], [1.0, 1e-300]])
    state = holding(problem, (np.full((2, 2), 0.5), tiny, np.array([0.5, 0.5])))
    assert kernels.cost(problem, state) == pytest.approx(20 * 300 * math.log(10), rel=1e-9)
    cost, _ = kernels.optimise(problem, state, np.random.default_rng(0))
    assert cost == pytest.approx(-dense_log_likelihood(problem, state), abs=1e-9)
    assert cost <= 40 * math.log(2) + 1e-9
    assert all(on_the_simplex(rows) for rows in model_of(state))


# --- sparse fits against plain fits -----------------------------------------------------------


def pairs(T, N, K, size, searches, calls):
    """Run both fits on the same redraws; yield problem, state, cost, iterations, plain results.

    The redraws come from short searches, with restarts and partial redraws.
    """
    for seed in range(searches):
        sequence = np.random.default_rng(seed).integers(0, K, size=T)
        problem = prviz.hmm(sequence, N, K, baum_welch="sparse")
        plain = prviz.hmm(sequence, N, K, baum_welch="plain")
        rng = np.random.default_rng(seed)
        state = kernels.allocate(problem)
        for call in range(calls):
            chosen = np.arange(N) if call == 0 else rng.permutation(N)[:size]
            kernels.reinitialise(problem, state, chosen, 0.0, rng)
            oracle = holding(plain, model_of(state))
            cost, iterations = kernels.optimise(problem, state, rng)
            yield problem, state, cost, iterations, *kernels.optimise(plain, oracle, rng)


SHAPES = [(20, 5, 3, 1), (32, 32, 2, 2)] if JIT_OFF else [(20, 5, 3, 1), (64, 64, 2, 4)]


@pytest.mark.parametrize(("T", "N", "K", "size"), SHAPES)
def test_sparse_fits_equal_plain_fits(T, N, K, size):
    """Log-likelihoods agree within 1e-6, except at rare saddle points that only one fit leaves."""
    searches, calls = (1, 5) if JIT_OFF else (2, 10)
    apart = 0
    for fit in pairs(T, N, K, size, searches, calls):
        problem, state, cost, iterations, plain_cost, plain_iterations = fit
        assert cost == pytest.approx(-dense_log_likelihood(problem, state), abs=1e-9)
        assert all(on_the_simplex(rows) for rows in model_of(state))
        if abs(cost - plain_cost) > 1e-6:
            apart += 1
        else:
            assert iterations == plain_iterations
    assert apart <= 1


@pytest.mark.parametrize(("T", "N", "K", "size"), SHAPES)
def test_no_iteration_after_a_partial_redraw_lowers_the_likelihood(T, N, K, size):
    sequence = np.random.default_rng(3).integers(0, K, size=T)
    problem = prviz.hmm(sequence, N, K, baum_welch="sparse")
    state, rng = drawn(problem, 0), np.random.default_rng(1)
    for _ in range(2 if JIT_OFF else 10):
        costs, ended = [kernels.cost(problem, state)], False
        while not ended:
            ended = kernels.iterate(problem, state, rng)
            costs.append(kernels.cost(problem, state))
            assert costs[-1] == pytest.approx(-dense_log_likelihood(problem, state), abs=1e-9)
        assert (np.diff(costs) <= 1e-9).all()
        kernels.reinitialise(problem, state, rng.permutation(N)[:size], 0.0, rng)


@cases("seed", [0, 13])
def test_short_search_equals_a_search_with_plain_baum_welch(seed):
    """Compare short searches only: later, a difference of 1e-9 may change which model is kept."""
    T, N, calls = 40, 16, 6 if JIT_OFF else 40
    schedule = Schedule.from_levels([Level(1, 6), Level(3, 3), Level(N)], N)
    traces = []
    for implementation in ("sparse", "plain"):
        problem = prviz.hmm(prviz.datasets.bits(T), N, baum_welch=implementation)
        search = TracedSearch(problem, schedule, seed)
        search.step(calls=calls)
        traces.append(search.trace())
    other, plain = traces
    np.testing.assert_array_equal(other.kept, plain.kept)
    np.testing.assert_array_equal(other.iterations, plain.iterations)
    np.testing.assert_allclose(other.cost, plain.cost, rtol=0, atol=1e-6)


# --- bad input --------------------------------------------------------------------------------


@cases(
    ("arguments", "options", "kind", "said"),
    [
        (([], 2), {}, ValueError, "sequence is empty: give at least one symbol"),
        (("  \n ", 2), {}, ValueError, "The text is empty: type bits"),
        (([[0, 1], [1, 0]], 2), {}, ValueError, "one dimension, got 2"),
        (([[0], [1, 0]], 2), {}, ValueError, "sequence must be one-dimensional"),
        (([0.0, 1.0], 2), {}, TypeError, "whole numbers from 0, got float64"),
        (([[0.5], [1.5]], 2), {}, TypeError, "series of numbers, set emissions='gaussian'"),
        ((["a", "b"], 2), {}, TypeError, "number the symbols first"),
        ((None, 2), {}, TypeError, "a row of symbols, got NoneType"),
        ((3, 2), {}, TypeError, "a row of symbols, got int"),
        (([0, -1, 1], 2), {}, ValueError, r"sequence\[1\] is -1: symbols must be"),
        (([0, 1, 3], 2, 3), {}, ValueError, r"sequence\[2\] is 3, outside .* 3 symbols, 0 to 2"),
        (([0, 1], 0), {}, ValueError, "n_states must be at least 1, got 0"),
        (([0, 1], -3), {}, ValueError, "n_states must be at least 1, got -3"),
        (([0, 1], 2.0), {}, TypeError, "n_states must be a whole number, got 2.0"),
        (([0, 1], True), {}, TypeError, "n_states must be a whole number"),
        (([0, 1], 2, 0), {}, ValueError, "n_symbols must be at least 1, got 0"),
        (([0, 1], 2, "2"), {}, TypeError, "n_symbols must be a whole number, got '2'"),
        (([0, 1], 2), {"tolerance": -1e-9}, ValueError, "tolerance must be 0 or more"),
        (([0, 1], 2), {"tolerance": math.nan}, ValueError, "tolerance must be .* got nan"),
        (([0, 1], 2), {"tolerance": math.inf}, ValueError, "tolerance must be .* finite"),
        (([0, 1], 2), {"tolerance": "small"}, TypeError, "tolerance must be a number"),
        (([0, 1], 2), {"max_iterations": 0}, ValueError, "max_iterations must be at least 1"),
        (([0, 1], 2), {"max_iterations": 1.5}, TypeError, "max_iterations must be a whole number"),
        (([0, 1], 2, 10**12), {}, MemoryError, "2 states over 1000000000000 symbols need .* GB"),
        (([0, 1], 2), {"baum_welch": "fast"}, ValueError, "must be 'sparse' or 'plain'"),
    ],
)
def test_invalid_input_is_rejected(arguments, options, kind, said):
    with pytest.raises(kind, match=said) as caught:
        prviz.hmm(*arguments, **options)
    message = str(caught.value)
    assert "\n" not in message and message.endswith(".")


def test_redrawing_more_states_than_exist_is_rejected():
    with pytest.raises(
        ValueError, match='k1 must be an integer from 1 to 3, "all" or "auto", got 4'
    ):
        prviz.run(prviz.hmm([0, 1], 3), k1=4, calls=1)


def test_every_type_of_string_gives_the_same_problem():
    bits = np.array([0, 1, 1, 0])
    for sequence in ("0110", bits.tolist(), bits.astype(np.uint8), bits.astype(bool)):
        problem = prviz.hmm(sequence, 3)
        assert (problem.sequence.tolist(), problem.n_symbols) == ([0, 1, 1, 0], 2)
    text = prviz.datasets.read_text("abca")
    assert prviz.hmm(text, 3).sequence.tolist() == prviz.hmm("abca", 3).sequence.tolist()
    assert prviz.hmm("000", 2).n_symbols == 2  # bits have two symbols, even if only one occurs


def test_masked_symbols_and_values_are_rejected():
    masked = np.ma.masked_equal([0, 1, 1, 0, 2], 2)
    with pytest.raises(ValueError, match="sequence must not have masked entries"):
        prviz.hmm(masked, 2)
    with pytest.raises(ValueError, match="series must not have masked entries"):
        prviz.hmm(masked, 2, emissions="gaussian")


def test_huge_max_iterations_means_no_limit():
    assert prviz.run(prviz.hmm([0, 1, 0, 1], 2, max_iterations=10**30), calls=1).calls == 1
