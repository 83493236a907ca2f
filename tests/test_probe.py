"""The estimate of ε is correct for a known ε and reproducible, and has valid intervals."""

import math
from importlib import import_module

import numpy as np
import pytest
from cases import cases
from hollows import at, ridge
from oracles.kmeans import plain_kmeans

import prviz
from prviz.engine import kernels
from prviz.engine.dispatch import arrays_of
from prviz.problems.landscape import REACH

LINE = prviz.landscape(1, seed=1)


def optimum(problem, position):
    state = at(problem, position)
    kernels.optimise(problem, state, np.random.default_rng(0))
    return state


def epsilon_of_line(n):
    """Return the share of starting points whose descent ends between the hollows −n and n."""
    return (ridge(LINE, abs(n) - 1) - ridge(LINE, -abs(n))) / (2 * REACH)


@cases("n", [1, -2])
def test_interval_contains_a_known_epsilon(n):
    found = prviz.probe(LINE, optimum(LINE, LINE.optimum + n), [1], repeats=4000, seed=5)
    low, high = found.intervals(0.999)[0]
    assert low < epsilon_of_line(n) < high
    assert high - low < 0.06
    assert found.cost == pytest.approx(n * n, rel=0.05)


def test_no_redraw_improves_the_optimum():
    found = prviz.probe(LINE, optimum(LINE, LINE.optimum), [1], repeats=300)
    assert found.improved.tolist() == [0] and found.repeats.tolist() == [300]
    assert found.best_size is None
    assert found.calls_needed(0.05) == [math.inf]
    low, high = found.intervals()[0]
    assert low == 0 and 0 < high < 0.02


def test_intervals_have_their_nominal_coverage():
    """Simulate; Wilson's interval is slightly off for small n, so the bounds are wide."""
    rng = np.random.default_rng(0)
    for epsilon in (0.02, 0.3):
        hits, times = np.unique(rng.binomial(200, epsilon, 1000), return_counts=True)
        one = np.full(len(hits), 200)
        low, high = prviz.Probe(one, one, hits, 1.0, one).intervals(0.95).T
        covered = times[(low <= epsilon) & (epsilon <= high)].sum() / 1000
        assert 0.92 < covered < 0.99


@pytest.fixture(scope="module")
def stuck():
    problem = prviz.kmeans(np.random.default_rng(3).normal(size=(300, 2)), 12)
    return problem, prviz.run(problem, calls=1, seed=1).best_state


def test_estimate_does_not_depend_on_other_sizes_or_callbacks(stuck, monkeypatch):
    problem, state = stuck
    before = [array.copy() for array in arrays_of(state)]
    watched = []
    whole = prviz.probe(problem, state, [1, 3, 12], repeats=60, seed=2)
    monkeypatch.setattr(import_module("prviz.search.probe"), "STEP_ROWS", 25)

    def watch(found):
        watched.append(int(found.repeats[0]))

    one = prviz.probe(problem, state, [3], repeats=60, seed=2, callback=watch)
    assert one.improved[0] == whole.improved[1] and one.iterations[0] == whole.iterations[1]
    assert len(watched) >= 3 and watched[-1] == 60
    assert all(np.array_equal(a, b) for a, b in zip(arrays_of(state), before, strict=True))
    assert whole.best_size == whole.sizes[np.argmax(whole.improved)]
    needed = whole.calls_needed(0.01)
    assert needed == [prviz.calls_needed(0.01, share) for share in whole.improved / 60]


def test_counts_equal_manual_redraws(stuck):
    problem, state = stuck
    rng = np.random.default_rng(np.random.SeedSequence(4, spawn_key=(2,)))
    cost = kernels.cost(problem, state)
    improved = 0
    for _ in range(40):
        plain = plain_kmeans(problem.points, 12)
        trial = kernels.allocate(plain)
        trial.centers[:] = state.centers
        order = np.arange(12)
        for i in range(2):  # Fisher–Yates, as for random sub-sets
            j = rng.integers(i, 12)
            order[i], order[j] = order[j], order[i]
        kernels.reinitialise(plain, trial, order[:2], 0.0, rng)
        improved += kernels.optimise(plain, trial, rng)[0] < cost * (1 - 1e-9)
    assert prviz.probe(problem, state, [2], repeats=40, seed=4).improved[0] == improved > 0


def test_probe_can_be_stopped(stuck):
    problem, state = stuck
    found = prviz.probe(problem, state, [1, 2], repeats=10**6, callback=lambda _: True)
    assert 0 < found.repeats[0] < 10**6 and found.repeats[1] == 0
    assert np.isnan(found.epsilon[1])
    assert found.intervals()[1].tolist() == [0, 1]
    assert found.calls_needed(0.1)[1] == math.inf


def counts(improved, iterations, repeats=200):
    made = np.full(len(improved), repeats)
    sizes = np.arange(len(improved))
    return prviz.Probe(sizes, made, np.array(improved), 1.0, np.array(iterations))


def test_size_with_the_least_work_need_not_have_the_largest_epsilon():
    probe = counts([0, 40, 80], [200, 2000, 8000])
    assert probe.best_size == 2 and probe.cheapest_size == 1
    low, high = probe.intervals()[1]
    assert probe.work()[1] == pytest.approx([2000 / 40, 10 / high, 10 / low])
    assert probe.work()[0].tolist() == [math.inf, 1 / probe.intervals()[0, 1], math.inf]
    assert counts([0, 0], [200, 900]).cheapest_size is None


def test_interval_of_a_saving_has_its_nominal_coverage():
    """Simulate: k = 1 improves twice as often as k = 2, at the same work per redraw."""
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        hits = rng.binomial(500, [0, 0.08, 0.04])
        ratio, low, high = counts(hits, [500, 5000, 5000], 500).saving(1, 2)
        assert low <= ratio <= high
        held += low <= 2 <= high
    assert 0.92 < held / 400 < 0.985


def test_ratio_to_a_size_that_never_improved_has_only_a_lower_bound():
    probe = counts([0, 40, 0], [200, 2000, 4000])
    ratio, low, high = probe.saving(1, 2)
    assert (ratio, high) == (math.inf, math.inf)
    assert low == pytest.approx(probe.work()[2, 1] / probe.work()[1, 2])
    with pytest.raises(ValueError, match="k = 2 never improved"):
        probe.saving(2, 1)


@cases(
    ("arguments", "said"),
    [
        ({"sizes": []}, "sizes must be numbers of variables, 1 to 12"),
        ({"sizes": [-1]}, "1 to 12, or 0, got"),
        ({"sizes": [1, 13]}, "1 to 12, or 0, got"),
        ({"sizes": [1.5]}, "a size must be a whole number"),
        ({"sizes": [1], "repeats": 0}, "repeats must be at least 1"),
        ({"sizes": [1], "seed": -1}, "seed must be 0 or more"),
        ({"sizes": [1], "alpha": 2}, "alpha must be between 0 and 1"),
        ({"sizes": [1], "least": math.nan}, "least must be between 0 and 1"),
        ({"sizes": [1], "subset": "worst"}, "This problem has no sub-sets 'worst'"),
    ],
)
def test_invalid_input_is_rejected(stuck, arguments, said):
    with pytest.raises((ValueError, TypeError), match=said):
        prviz.probe(*stuck, **arguments)


def test_state_that_is_not_a_local_optimum_is_rejected():
    with pytest.raises(
        ValueError, match="The state is not a local optimum: the optimiser lowers its cost"
    ):
        prviz.probe(LINE, at(LINE, LINE.optimum + 0.3), [1])


def test_size_0_measures_the_optimiser_without_a_redraw(stuck):
    problem, state = stuck
    found = prviz.probe(problem, state, [0, 1], repeats=50)
    assert found.improved[0] == 0 and found.iterations[0] == 50  # one iteration per call
    unfinished = prviz.rbm(np.eye(4), 3, 0.1, epochs=20, optimiser="exact")
    state = prviz.run(unfinished, calls=1).best_state
    found = prviz.probe(unfinished, state, [0], repeats=5)
    assert found.improved.tolist() == [5]
    assert found.best_size is None  # redraws nothing


def test_improvements_can_have_a_minimum_size():
    """Baum–Welch ends with a tolerance, so one more call always gains a little."""
    problem = prviz.hmm("0110100110010110", 3)
    state = prviz.run(problem, calls=1).best_state
    tiny, large = (prviz.probe(problem, state, [0], 3, least=least) for least in (0.0, 1e-5))
    assert tiny.improved.tolist() == [3] and large.improved.tolist() == [0]


@cases(
    ("calls", "epsilon", "delta"),
    [(0, 0.5, 1), (1, 0.25, 0.75), (3, 0.5, 0.125), (10, 0, 1), (5, 1, 0), (0, 1, 1)],
)
def test_missed_probability_equals_a_hand_calculation(calls, epsilon, delta):
    assert prviz.miss_probability(calls, epsilon) == pytest.approx(delta, rel=1e-12)


def test_miss_probability_and_calls_needed_are_inverse():
    for delta in (0.5, 0.05, 1e-6):
        for epsilon in (1e-9, 1e-3, 0.4):
            calls = prviz.calls_needed(delta, epsilon)
            assert prviz.miss_probability(calls, epsilon) <= delta * (1 + 1e-9)
            assert prviz.miss_probability(calls - 1, epsilon) > delta * (1 - 1e-9)
    with pytest.raises(ValueError, match="calls must be 0 or more"):
        prviz.miss_probability(-1, 0.5)
