"""Functions compiled by Numba give the same search as functions that Python calls."""

import pickle

import numba
import numpy as np
import pytest
from cases import cases

import prviz
from prviz import testing
from prviz.engine import kernels
from prviz.engine.dispatch import plain_python
from prviz.player.pictures.frames import COORDINATES
from prviz.scenes.wrapped import WrappedScene

LEVELS = [prviz.Level(1, 4, alpha=0.4), prviz.Level(2, 5), prviz.Level(3)]


def cost(x):
    total = 0.0
    for each in x:
        total += each * each + 3.0 * (1.0 - np.cos(2.0 * np.pi * each))
    return total


def sample(rng):
    return rng.uniform(-4.0, 4.0, 5)


def downhill(x, rng):
    if x[0] > 3.97:
        raise ValueError("too far")
    for _ in range(3):
        for i in range(len(x)):
            slope = 2.0 * x[i] + 6.0 * np.pi * np.sin(2.0 * np.pi * x[i])
            x[i] -= slope / (2.0 + 12.0 * np.pi**2)
    x[2] += 0.01 * rng.random()


def halved(x):
    return x // 2


def whole(rng):
    return rng.integers(-50, 50, 4)


def most(x):
    return np.abs(x).sum()


GROUPS = [[0, 3], [1], [4, 2]]


@pytest.fixture(scope="module")
def problem():
    return prviz.wrap(cost, sample, downhill, groups=GROUPS, jit=True)


def test_compiled_trace_equals_the_plain_trace(problem):
    functions = [numba.njit(each) for each in (cost, sample, downhill)]
    uncompiled = prviz.wrap(*functions, groups=GROUPS)
    for seed in (0, 2):
        ours, theirs = (
            prviz.run(each, levels=LEVELS, calls=60, seed=seed) for each in (problem, uncompiled)
        )
        assert ours.trace.hash() == theirs.trace.hash()
        assert ours.best_state.x.tobytes() == theirs.best_state.x.tobytes()


def test_compiled_problem_passes_check_problem(problem, monkeypatch):
    monkeypatch.setattr(testing, "SEEDS", 1)
    testing.check_problem(problem)


def test_exception_in_a_function_ends_the_search_and_keeps_the_result(problem):
    with pytest.warns(RuntimeWarning, match="The search stopped: "):
        run = prviz.run(problem, k1=3, calls=500)
    assert run.failure.startswith("a compiled function raised ValueError: too far (")
    assert "test_compiled.py" in run.failure
    assert 0 < run.calls < 500 and run.best_cost == cost(run.best_state.x)


def test_compiled_problem_can_be_pickled_and_is_compiled_once(problem):
    there = pickle.loads(pickle.dumps(problem))
    assert type(there) is type(problem)  # so its kernels are not compiled again
    assert [rows.tolist() for rows in there.groups] == GROUPS
    assert type(prviz.wrap(cost, sample, downhill, jit=True)) is type(problem)


def test_runs_of_compiled_functions_cannot_be_stored(problem, tmp_path):
    with pytest.raises(ValueError, match="store=None"):
        prviz.compare(problem, {"a": {}}, seeds=2, calls=2, store=tmp_path / "store.sqlite")


def test_compiled_and_uncompiled_problems_have_the_same_picture(problem):
    uncompiled = prviz.wrap(cost, sample, downhill, groups=GROUPS)
    ours, theirs = WrappedScene(problem), WrappedScene(uncompiled)
    assert (ours.title, ours.layers, ours.world) == (theirs.title, theirs.layers, theirs.world)
    assert ours.layers[0]["owners"] == [0, 1, 2, 0, 2] and COORDINATES == 65535


def test_problems_with_the_same_arrays_are_distinguished(problem):
    """Numba distinguishes NamedTuples by name only."""
    other = prviz.wrap(cost, sample, lambda x: 0.5 * x, groups=GROUPS, jit=True)
    ends = []
    for each in (problem, other):
        state = kernels.allocate(each)
        state.values[:] = 1.0
        kernels.optimise(each, state, np.random.default_rng(4))
        ends.append(state.x.tolist())
    assert ends[1] == [0.5] * 5 != ends[0]


def test_integer_costs_are_accepted():
    problem = prviz.wrap(most, whole, halved, jit=True)
    state = kernels.allocate(problem)
    state.values[:] = [9, -9, 4, 0]
    assert kernels.optimise(problem, state, np.random.default_rng(0)) == (4 + 5 + 2, 1)
    assert state.x.tolist() == [4, -5, 2, 0]
    kernels.reinitialise(problem, state, np.array([1, 3]), 0.0, np.random.default_rng(1))
    drawn = whole(np.random.default_rng(1))
    assert state.x.tolist() == [4, drawn[1], 2, drawn[3]]
    with pytest.raises(ValueError, match="alpha must be 0"):
        prviz.run(problem, k1=1, alpha=0.5, calls=3)


def test_a_cost_that_is_not_finite_ends_the_search():
    problem = prviz.wrap(lambda x: np.log(x[0]), whole_and_half, lambda x: x, jit=True)
    with plain_python(), pytest.warns(RuntimeWarning, match="not a finite number"):
        run = prviz.run(problem, k1=1, calls=500, seed=1)
    assert 0 < run.calls < 500


def whole_and_half(rng):
    return rng.random(2) - 0.02


def opens(x):
    return open("x")


@cases(
    ("arguments", "error", "words"),
    [
        (
            {"optimise": opens},
            TypeError,
            r"^optimise can't be compiled: .*test_compiled.py, line \d+",
        ),
        ({"cost": np.sum}, TypeError, "cost can't be compiled: jit=True needs functions"),
        ({"optimise": lambda x: 1.0}, FloatingPointError, "optimise returned float"),
        ({"groups": [[0, 1]]}, ValueError, "every row of x, 0 to 4, exactly once"),
        ({"n_variables": 4}, ValueError, "sample returns 5 rows"),
        ({"get": max, "set": max}, TypeError, "leave out get and set"),
    ],
)
def test_invalid_arguments_are_rejected(arguments, error, words):
    given = {"cost": cost, "sample": sample, "optimise": downhill, **arguments}
    with pytest.raises(error, match=words) as raised:
        prviz.wrap(**given, jit=True)
    assert "\n" not in str(raised.value)
