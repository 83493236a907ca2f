"""Compare restricted Boltzmann machines with hand calculations, sums over all states, and NumPy."""

import math

import naive
import numba
import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

import prviz
from prviz.engine import kernels
from prviz.engine.dispatch import driver
from prviz.engine.simd.uniforms import LANES, fill, uniform
from prviz.engine.simd.variates import normal
from prviz.problems.rbm.ascent import slope
from prviz.problems.rbm.contrastive import take_in
from prviz.problems.rbm.products import suits_products
from prviz.problems.rbm.tables import suits_tables

EXAMPLES = prviz.datasets.patterns()


def machine(problem, weights, visible_bias, hidden_bias):
    """Return a state with this model."""
    state = kernels.allocate(problem)
    state.weights[:], state.visible_bias[:], state.hidden_bias[:] = (
        weights,
        visible_bias,
        hidden_bias,
    )
    return state


def random_machine(problem, spread=1.0, seed=0):
    state = kernels.allocate(problem)
    rng = np.random.default_rng(seed)
    return machine(
        problem,
        *(spread * rng.normal(size=part.shape) for part in state[:3]),
    )


def flat(state):
    return np.concatenate([part.ravel() for part in state[:3]])


def change(state, k, by):
    """Add ``by`` to variable number k."""
    for part in state[:3]:
        if k < part.size:
            part[np.unravel_index(k, part.shape)] += by
            return
        k -= part.size


JIT_OFF = numba.config.DISABLE_JIT


def test_likelihood_and_gradient_equal_a_hand_calculation():
    """One visible and one hidden unit: four states of probability ∝ 1, e^a, e^b, e^(a + b + w)."""
    problem = prviz.rbm([[1], [1], [0]], 1, weight_decay=0.5)
    w, a, b = 0.7, -0.3, 0.2
    state = machine(problem, w, a, b)
    on, off = math.exp(a) + math.exp(a + b + w), 1 + math.exp(b)
    expected = (2 * math.log(on) + math.log(off)) / 3 - math.log(on + off) - 0.5 * w**2 / 2
    assert kernels.cost(problem, state) == pytest.approx(-expected, rel=1e-14)
    together = (2 * math.exp(b + w) / (1 + math.exp(b + w)) / 3) - math.exp(a + b + w) / (on + off)
    slope(problem, state)
    assert state.slope[0] == pytest.approx(together - 0.5 * w, rel=1e-12)
    assert state.slope[1] == pytest.approx(2 / 3 - on / (on + off), rel=1e-12)


@cases(("n_visible", "n_hidden"), [(1, 4), (2, 2), (3, 5), (4, 1), (9, 4), (7, 8), (9, 9), (5, 12)])
def test_likelihood_and_gradient_equal_sums_over_states(n_visible, n_hidden):
    rng = np.random.default_rng(n_visible)
    examples = rng.integers(0, 2, (7, n_visible))
    problem = prviz.rbm(examples, n_hidden, weight_decay=0.3)
    state = random_machine(problem, 1.5)
    expected, gradient = naive.o_ml(examples, *state[:3], 0.3)
    assert kernels.cost(problem, state) == pytest.approx(-expected, rel=1e-12)
    assert slope(problem, state) == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(state.slope, gradient, atol=1e-13)


def test_gradient_equals_finite_differences():
    problem = prviz.rbm(EXAMPLES, 10, weight_decay=0.01)
    state, step = random_machine(problem), 1e-5
    slope(problem, state)
    for k in range(0, kernels.n_variables(problem), 7):
        ends = []
        for by in (step, -2 * step):
            change(state, k, by)
            ends.append(-kernels.cost(problem, state))
        change(state, k, step)
        assert (ends[0] - ends[1]) / (2 * step) == pytest.approx(state.slope[k], abs=1e-8)


def test_likelihood_of_many_units_is_enumerated():
    """Without weights the units are independent, and ln Z is a sum over units."""
    n = 9 if JIT_OFF else 20
    problem = prviz.rbm(np.eye(n, dtype=int), 25)
    state = machine(problem, 0.0, np.linspace(-1, 1, n), np.linspace(-2, 2, 25))
    ln_z = np.log1p(np.exp(state.visible_bias)).sum()
    expected = state.visible_bias.mean() - ln_z
    assert kernels.cost(problem, state) == pytest.approx(-expected, rel=1e-12)


def numbers_of(words):
    """Return two 32-bit fractions of each word, the lower half first."""
    return np.stack([words & np.uint64(2**32 - 1), words >> np.uint64(32)], axis=1).ravel() / 2**32


def reference_cd1(problem, model, uniforms):
    """Run an epoch of CD-1 in NumPy, after Hinton (2002), with these random numbers."""
    W, a, b = model
    n_visible, n_hidden = W.shape
    numbers = uniforms[: len(problem.examples) * (n_visible + n_hidden)]
    numbers = numbers.reshape(len(problem.examples), -1)
    sigmoid = lambda x: 1 / (1 + np.exp(np.clip(-x, -700, 700)))  # noqa: E731
    for begin in range(0, len(problem.examples), problem.batch):
        v = problem.examples[begin : begin + problem.batch].astype(float)
        u = numbers[begin : begin + problem.batch]
        h = sigmoid(b + v @ W)
        sampled = u[:, :n_hidden] < h
        reconstruction = u[:, n_hidden:] < sigmoid(a + sampled @ W.T)
        again = sigmoid(b + reconstruction @ W)
        heavy = problem.weights[begin : begin + problem.batch, None]
        rate = problem.learning_rate / len(v)
        kept = 1.0 - problem.learning_rate * problem.weight_decay
        W = kept * W + rate * (v.T @ (heavy * h) - reconstruction.T @ (heavy * again))
        a = a + rate * (heavy * (v - reconstruction)).sum(axis=0)
        b = b + rate * (heavy * (h - again)).sum(axis=0)
    return W, a, b


def assert_epochs_are_the_textbooks(problem, state, seed):
    """Compare each epoch with the textbook; check that only the last epoch ends the call."""
    rng, last = np.random.default_rng(seed), False
    for epoch in range(problem.epochs):
        assert not last, epoch
        before = [part.copy() for part in state[:3]]
        last = kernels.iterate(problem, state, rng)
        after = reference_cd1(problem, before, numbers_of(state.uniforms))
        for now, then in zip(state[:3], after, strict=True):
            np.testing.assert_allclose(now, then, rtol=1e-12, atol=1e-14)
    assert last


@cases("batch", [1, 7, 1000])
@cases(("n_visible", "n_hidden"), [(3, 2), (8, 10), (17, 5)])
def test_contrastive_divergence_equals_the_textbook(batch, n_visible, n_hidden):
    examples = np.random.default_rng(4).integers(0, 2, (30, n_visible))
    problem = prviz.rbm(examples, n_hidden, 0.1, 3, 0.02, batch=batch)
    assert_epochs_are_the_textbooks(problem, random_machine(problem), 1)


@cases("size", [0.1, 3.0, 10.0, 30.0, 1e3, -1e3])
def test_results_are_correct_for_weights_too_large_for_shortcuts(size):
    """Products of odds overflow for large weights. The results must still be correct."""
    problem = prviz.rbm(EXAMPLES, 10, 0.1, 1, batch=20)
    state = random_machine(problem, size)
    expected, gradient = naive.o_ml(EXAMPLES.examples, *state[:3], problem.weight_decay)
    assert kernels.cost(problem, state) == pytest.approx(-expected, rel=1e-11)
    assert slope(problem, state) == pytest.approx(expected, rel=1e-11)
    np.testing.assert_allclose(state.slope, gradient, atol=1e-11 * max(1.0, abs(size) / 100))
    assert_epochs_are_the_textbooks(problem, state, 0)


@driver
def shortcuts(problem, state):
    take_in(state)
    return suits_tables(problem, state), suits_products(state)


def test_shortcuts_are_used_only_for_small_weights():
    problem = prviz.rbm(EXAMPLES, 10, 0.1, batch=20)
    for size, taken in ((3.0, True), (30.0, False)):
        state = random_machine(problem, size)
        assert shortcuts(problem, state) == (taken, taken)
    wide = prviz.rbm(np.eye(9, dtype=int), 4)
    state = random_machine(wide)
    assert shortcuts(wide, state) == (False, False)


@given(
    *(st.integers(1, 9), st.integers(1, 9), st.integers(1, 12), st.integers(0, 2**31)),
    st.none() | st.lists(st.floats(1e-3, 1e3), min_size=11, max_size=11),
)
def test_machine_of_any_shape_equals_textbook_formulas(n_visible, n_hidden, batch, seed, weights):
    examples = np.random.default_rng(seed).integers(0, 2, (11, n_visible))
    problem = prviz.rbm(examples, n_hidden, 0.2, 4, 0.05, batch=batch, weights=weights)
    state = random_machine(problem, 1.0, seed)
    assert_epochs_are_the_textbooks(problem, state, seed)
    expected, gradient = naive.o_ml(examples, *state[:3], 0.05, weights)
    assert kernels.cost(problem, state) == pytest.approx(-expected, rel=1e-11)
    assert slope(problem, state) == pytest.approx(expected, rel=1e-11)
    np.testing.assert_allclose(state.slope, gradient, rtol=1e-9, atol=1e-12)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=9), st.integers(0, 2**31))
def test_integer_weights_count_like_repeated_examples(weights, seed):
    examples = np.random.default_rng(seed).integers(0, 2, (len(weights), 4))
    weighted = prviz.rbm(examples, 3, 0.5, 6, 0.01, "exact", weights=weights)
    repeated = prviz.rbm(examples.repeat(weights, axis=0), 3, 0.5, 6, 0.01, "exact")
    states = [random_machine(problem, 1.0, seed) for problem in (weighted, repeated)]
    pairs = [*zip((weighted, repeated), states, strict=True)]
    for _ in range(6):
        assert slope(*pairs[0]) == pytest.approx(slope(*pairs[1]), rel=1e-12)
        np.testing.assert_allclose(states[0].slope, states[1].slope, rtol=0, atol=1e-11)
        costs = [kernels.cost(*pair) for pair in pairs]
        assert costs[0] == pytest.approx(costs[1], rel=1e-12)
        for pair in pairs:
            kernels.iterate(*pair, np.random.default_rng(0))


def test_only_ratios_of_weights_matter():
    examples = EXAMPLES.examples[:20]
    heavy = np.random.default_rng(0).random(20) + 0.1
    makes = [prviz.rbm(examples, 3, 0.1, 9, weights=each) for each in (heavy, 4.0 * heavy)]
    equal = [prviz.rbm(examples, 3, 0.1, 9, weights=each) for each in (None, np.full(20, 0.3))]
    for one, other in (makes, equal):
        assert prviz.run(one, calls=5).trace.hash() == prviz.run(other, calls=5).trace.hash()
    assert prviz.run(makes[0], calls=5).best_cost != prviz.run(equal[0], calls=5).best_cost


def test_a_heavy_example_disables_tables_that_could_overflow():
    weights = np.ones(100)
    problems = [prviz.rbm(EXAMPLES, 10, 0.1, batch=20, weights=each) for each in (None, weights)]
    weights[0] = 1e4
    problems.append(prviz.rbm(EXAMPLES, 10, 0.9, batch=20, weights=weights))
    taken = [shortcuts(problem, random_machine(problem))[0] for problem in problems]
    assert taken == [True, True, False]
    assert_epochs_are_the_textbooks(problems[2]._replace(epochs=2), random_machine(problems[2]), 0)


def test_exact_ascent_is_monotonic_and_ends_at_an_optimum():
    examples = EXAMPLES.examples[:12, :4]
    problem = prviz.rbm(examples, 2, 0.5, 3000, 0.1, "exact")  # about 100 steps
    state, rng = random_machine(problem, 0.5), np.random.default_rng(0)
    costs = [kernels.cost(problem, state)]
    while not kernels.iterate(problem, state, rng):
        costs.append(kernels.cost(problem, state))
    assert (np.diff(costs) < 0).all()
    assert len(costs) < 3000
    slope(problem, state)
    assert np.abs(state.slope).max() < 1e-3


def test_training_learns_the_patterns():
    """Four patterns without noise: the optimum is ln 4, and both optimisers come close."""
    examples = prviz.datasets.patterns(40, flip=0.0)
    for optimiser, epochs in (("cd1", 3000), ("exact", 300)):
        epochs, close = (epochs // 30, 3.0) if JIT_OFF else (epochs, 0.25)
        problem = prviz.rbm(examples, 6, 0.1, epochs, optimiser=optimiser)
        run = prviz.run(problem, probability=1.0, calls=3)
        assert math.log(4) <= run.best_cost < math.log(4) + close


@driver
def three_normals(rng):
    return np.array([normal(rng), normal(rng), normal(rng)])


def test_redrawn_parameters_are_normal_and_mixed_by_alpha():
    problem = prviz.rbm(EXAMPLES, 10, sigma=2.0)
    state, rng = kernels.allocate(problem), np.random.default_rng(0)
    everything = np.arange(kernels.n_variables(problem))
    draws = []
    for _ in range(50):
        kernels.reinitialise(problem, state, everything, 0.0, rng)
        draws.append(flat(state))
    draws = np.array(draws)
    assert abs(draws.mean()) < 5 * 2.0 / math.sqrt(draws.size)
    assert draws.std() == pytest.approx(2.0, rel=0.05)
    before, ahead = flat(state), np.random.default_rng(7)
    kernels.reinitialise(problem, state, np.array([3, 85, 95]), 0.25, np.random.default_rng(7))
    after = before.copy()
    after[[3, 85, 95]] = 0.25 * before[[3, 85, 95]] + 0.75 * 2.0 * three_normals(ahead)
    np.testing.assert_allclose(flat(state), after, rtol=1e-15)
    assert state.weights[0, 3] == after[3]
    assert state.visible_bias[5] == after[85]
    assert state.hidden_bias[7] == after[95]


def test_probability_redraws_all_parameters_equally_often():
    problem = prviz.rbm(EXAMPLES.examples[:1], 10, epochs=1)
    calls = 300 if JIT_OFF else 3000
    run = prviz.run(problem, probability=0.1, m1=10_000, calls=calls)
    assert run.trace.n_variables == 98
    partial = run.trace.counts[1:, 0]
    assert partial.mean() == pytest.approx(9.8, abs=4 * math.sqrt(8.82 / len(partial)))
    times = np.bincount(run.trace.redrawn, minlength=98)
    # each count is binomial with p = 0.1
    assert np.abs(times - 0.1 * len(partial)).max() < 5 * math.sqrt(0.09 * len(partial))


@driver
def _filled(streams, words):
    fill(streams, words)


def test_random_streams_equal_sfc64():
    rng = np.random.default_rng(3)
    streams = rng.integers(0, 2**63, (4, LANES)).astype(np.uint64)
    made, before = np.empty(3 * LANES, np.uint64), streams.copy()
    _filled(streams, made)
    generator = np.random.SFC64()
    for lane in range(LANES):
        generator.state = {**generator.state, "state": {"state": before[:, lane].copy()}}
        assert (made[lane::LANES] == generator.random_raw(3)).all()
        assert (streams[:, lane] == generator.state["state"]["state"]).all()


@driver
def _four(words):
    return [uniform(words, at) for at in range(4)]


def test_a_random_word_has_two_random_numbers():
    words = np.array([1 << 63, (3 << 62) + (1 << 30)], np.uint64)
    assert _four(words) == [0.0, 0.5, 0.25, 0.75]


def test_random_streams_are_equal_in_plain_python():
    streams = np.random.default_rng(3).integers(0, 2**63, (4, LANES)).astype(np.uint64)
    ends = []
    for filler in (fill, _filled):
        copy, words = streams.copy(), np.empty(2 * LANES, np.uint64)
        filler(copy, words)
        ends.append((copy.tobytes(), words.tobytes()))
    assert ends[0] == ends[1]


def test_a_diverging_learning_rate_is_reported():
    # 1 − rate λ = −2 doubles the weights in every step
    problem = prviz.rbm(EXAMPLES, 3, 10.0, 100, 0.3, batch=100)
    with pytest.warns(RuntimeWarning, match="diverged.*choose a smaller learning rate"):
        run = prviz.run(problem, probability=0.5, calls=3)
    assert run.calls == 0 and run.best_cost == math.inf and run.best_state is None
    assert "diverged" in run.failure


def test_a_run_that_diverges_late_keeps_its_best():
    """Every epoch doubles the weights; about 4 of 10,000 fresh weights grow beyond 1e6."""
    problem = prviz.rbm([[0, 1]], 12, 1e-9, 48, 3e9, sigma=1e-9)
    with pytest.warns(RuntimeWarning, match="diverged"):
        run = prviz.run(problem, k1=1, m1=5, calls=5000)
    assert run.failure and 0 < run.calls < 5000
    assert run.best_cost == run.trace.best[-1] == kernels.cost(problem, run.best_state)


@cases(
    ("arguments", "kind", "said"),
    [
        ({"examples": [[0, 2]]}, ValueError, r"examples\[0, 1\] is 2: every entry must be 0 or 1"),
        ({"examples": [[0.5, 1]]}, ValueError, r"examples\[0, 0\] is 0.5"),
        ({"examples": []}, ValueError, "empty"),
        ({"examples": [0, 1]}, ValueError, "two dimensions"),
        ({"examples": [["a", "b"]]}, TypeError, "zeros and ones"),
        ({"n_hidden": 0}, ValueError, "n_hidden must be at least 1, got 0"),
        ({"n_hidden": 2.5}, TypeError, "n_hidden must be a whole number"),
        ({"n_hidden": 1001}, ValueError, "the larger layer at most 1000"),
        ({"examples": np.zeros((2, 21)), "n_hidden": 21}, ValueError, "at most 20 units.*got 21"),
        ({"learning_rate": 0}, ValueError, "learning_rate must be positive"),
        ({"learning_rate": math.nan}, ValueError, "learning_rate must be positive"),
        ({"learning_rate": math.inf}, ValueError, "learning_rate must be positive and finite"),
        ({"learning_rate": "fast"}, TypeError, "learning_rate must be a number"),
        ({"epochs": 0}, ValueError, "epochs must be at least 1"),
        ({"weight_decay": -0.1}, ValueError, "weight_decay must be 0 or more"),
        ({"batch": 0}, ValueError, "batch must be at least 1"),
        ({"sigma": -1.0}, ValueError, "sigma must be 0 or more"),
        ({"weights": [1.0]}, ValueError, r"one number per example, shape \(2,\), got \(1,\)"),
        ({"weights": [1, 0]}, ValueError, r"weights\[1\] is 0: .* remove examples"),
        ({"weights": [math.nan, 1]}, ValueError, r"weights\[0\] is nan"),
        ({"optimiser": "cd2"}, ValueError, "'cd1' or 'exact', got 'cd2'"),
    ],
)
def test_invalid_arguments_are_rejected(arguments, kind, said):
    with pytest.raises(kind, match=said):
        prviz.rbm(**{"examples": [[0, 1], [1, 1]], "n_hidden": 2} | arguments)


def test_training_accepts_degenerate_examples():
    for examples in ([[1]], [[0, 0, 0]] * 4, [[1, 1]] * 3):
        problem = prviz.rbm(examples, 1, 0.5, 50)
        run = prviz.run(problem, calls=5)
        assert 0 <= run.best_cost < math.inf


def test_patterns_are_those_of_the_paper():
    made = prviz.datasets.patterns(100, flip=0.0)
    assert {"".join(map(str, row)) for row in made.examples} == {
        *("11110000", "10101010", "00001111", "01010101"),
    }
    assert [(made.examples == pattern).all(axis=1).sum() for pattern in made.patterns] == [25] * 4
    assert (prviz.datasets.patterns(seed=1).examples != prviz.datasets.patterns().examples).any()
    # Ratio of rows with one flipped bit to rows with none: 8 · 0.1 · 0.9^7 / 0.9^8 = 8/9.
    flipped = prviz.datasets.patterns(40_000, flip=0.1, seed=2)
    distance = (flipped.examples != flipped.patterns[0]).sum(axis=1)
    none, one = (distance == 0).sum(), (distance == 1).sum()
    assert one / none == pytest.approx(8 / 9, rel=0.05)
    assert none == pytest.approx(10_000 * 0.9**8, rel=0.05)


@cases(
    ("arguments", "kind", "said"),
    [
        ({"n": 0}, ValueError, "n must be 1 or more"),
        ({"n": 1.5}, TypeError, "n must be a whole number"),
        ({"flip": 1.1}, ValueError, "flip must be between 0 and 1"),
        ({"flip": math.nan}, ValueError, "flip must be between 0 and 1"),
        ({"seed": -1}, ValueError, "seed must be 0 or more"),
    ],
)
def test_patterns_reject_invalid_arguments(arguments, kind, said):
    with pytest.raises(kind, match=said):
        prviz.datasets.patterns(**arguments)
