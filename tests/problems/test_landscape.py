"""The landscape has Rastrigin's heights and slopes; descent ends in the hollow of its start."""

import numpy as np
import pytest
from cases import cases
from hollows import at, hollow, ridge
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

import prviz
from prviz.engine import kernels
from prviz.engine.schedule import Level
from prviz.problems.landscape import MAX_DIMENSIONS, REACH, heights


def test_height_has_the_values_of_rastrigins_function():
    def height(problem, *away):
        return heights(problem, problem.optimum + np.array(away))

    problem = prviz.landscape(2, seed=3)
    assert height(problem, 0, 0) == 0
    assert height(problem, 1, 0) == pytest.approx(1)  # height in a hollow
    assert height(problem, 0.5, 0) == pytest.approx(0.25 + 20)  # height on a ridge
    assert height(problem, 1, -2) == pytest.approx(5)
    assert height(prviz.landscape(2, ripple=0), 3, 4) == pytest.approx(25)


@given(st.integers(1, 6), st.booleans(), st.integers(0, 100))
def test_cost_and_slope_equal_numpy(dimensions, rotated, seed):
    problem = prviz.landscape(dimensions, rotated=rotated, seed=seed)
    np.testing.assert_allclose(
        problem.rotation @ problem.rotation.T, np.eye(dimensions), atol=1e-12
    )
    position = np.random.default_rng(seed).uniform(-REACH, REACH, dimensions)
    state = at(problem, position)
    assert kernels.cost(problem, state) == pytest.approx(float(heights(problem, position)))
    slope = approx_fprime(position, lambda x: float(heights(problem, x)), 1e-7)
    np.testing.assert_allclose(state.slope, slope, rtol=1e-4, atol=1e-3)


@cases("n", [-2, 0, 1])
def test_descent_ends_in_the_hollow_where_it_starts(n):
    problem = prviz.landscape(1, seed=1)
    low, high = ridge(problem, n - 1), ridge(problem, n)
    for begin in np.linspace(low + 1e-6, high - 1e-6, 7):
        state = at(problem, begin)
        before = kernels.cost(problem, state)
        after, iterations = kernels.optimise(problem, state, np.random.default_rng(0))
        assert state.position[0] == pytest.approx(hollow(problem, n), abs=1e-8)
        assert after <= before and iterations >= 1


def test_restarts_are_uniform_and_redraws_with_large_alpha_are_short():
    problem = prviz.landscape(3)
    rng, state = np.random.default_rng(0), kernels.allocate(problem)
    drawn = []
    for _ in range(500):
        kernels.reinitialise(problem, state, np.arange(3), 0.0, rng)
        drawn.append(state.position.copy())
    assert -REACH <= np.min(drawn) < -0.98 * REACH and 0.98 * REACH < np.max(drawn) <= REACH
    before = state.position.copy()
    kernels.reinitialise(problem, state, np.array([1]), 0.9, rng)
    assert abs(state.position[1] - before[1]) <= 0.2 * REACH
    assert (state.position[[0, 2]] == before[[0, 2]]).all()


def test_alpha_makes_partial_steps_in_one_dimension():
    problem = prviz.landscape(1, seed=2)
    full = prviz.run(problem, calls=1, seed=0)
    assert full.best_cost > 0.5  # the run is stuck in another hollow
    steps = prviz.run(problem, k1=1, m1=1000, alpha=0.7, calls=200, seed=0)
    assert steps.levels == [Level(1, 1000, 0.7), Level(1)]
    assert steps.best_cost == pytest.approx(0, abs=1e-9)


@cases(
    ("arguments", "said"),
    [
        ({"dimensions": 0}, "dimensions must be between 1 and 20, got 0"),
        ({"dimensions": MAX_DIMENSIONS + 1}, "got 21"),
        ({"dimensions": 1.5}, "dimensions must be a whole number"),
        ({"ripple": -1}, "ripple must be 0 or more"),
        ({"ripple": np.nan}, "ripple must be 0 or more"),
        ({"seed": -1}, "seed must be 0 or more"),
    ],
)
def test_invalid_input_is_rejected(arguments, said):
    with pytest.raises((ValueError, TypeError), match=said):
        prviz.landscape(**arguments)
