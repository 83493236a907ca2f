"""What every problem must do. A new problem adds one line to PROBLEMS."""

import numpy as np
import pytest

import prviz
from prviz import kernels
from prviz.algorithm import advance, rows_for, start
from prviz.dispatch import row, stack
from prviz.recorded import RecordedSearch
from prviz.schedule import Level, Schedule

_points = np.random.default_rng(0).integers(0, 200, size=(90, 2)).astype(float)

#: name: the problem, the fields of its configuration, and the caches that a redraw may touch.
PROBLEMS = {
    "k-means": (prviz.kmeans(_points, 7), ("centers",), ("clusters", "clock", "order")),
    "k-means++": (
        prviz.kmeans(_points, 7, "k-means++"),
        ("centers",),
        ("clusters", "clock", "order"),
    ),
    "k-means, 3-D": (
        prviz.kmeans(_points.reshape(60, 3), 7),
        ("centers",),
        ("clusters", "clock", "order"),
    ),
    "k-means, plain": (prviz.kmeans(_points, 7, lloyd="plain"), ("centers",), ("order",)),
}
pytestmark = pytest.mark.parametrize("name", PROBLEMS)


def made(name, calls=0, seed=0):
    """A search some calls into a three-level schedule."""
    problem = PROBLEMS[name][0]
    N = kernels.n_variables(problem)
    schedule = Schedule.from_levels([Level(1, 4), Level(3, 2), Level(N)], N)
    search = RecordedSearch(problem, schedule, seed)
    if calls:
        search.step(calls=calls)
    return problem, schedule, search


def configuration(name, state):
    return [getattr(state, field).copy() for field in PROBLEMS[name][1]]


def optimum(name, seed=0):
    problem, _, search = made(name, 3, seed)
    state, rng = search.search.state, np.random.default_rng(seed)
    kernels.optimise(problem, state, rng)
    return problem, state, rng


@pytest.mark.parametrize("seed", range(5))
def test_optimise_returns_the_true_cost_and_never_raises_it(name, seed):
    problem, state, rng = optimum(name, seed)
    N = kernels.n_variables(problem)
    kernels.reinitialise(problem, state, np.arange(0, N, 2), 0.0, rng)
    before = kernels.cost(problem, state)
    cost, iterations = kernels.optimise(problem, state, rng)
    assert iterations >= 1
    assert cost <= before * (1 + 1e-12)
    assert cost == pytest.approx(kernels.cost(problem, state), rel=1e-9)
    again, _ = kernels.optimise(problem, state, rng)
    assert again == pytest.approx(cost, rel=1e-12)


@pytest.mark.parametrize("alpha", [0.0, 0.3])
def test_reinitialise_changes_only_the_chosen_variables_and_declared_caches(name, alpha):
    problem, state, rng = optimum(name)
    before = {field: getattr(state, field).copy() for field in state._fields}
    chosen = np.array([1, 4])
    kernels.reinitialise(problem, state, chosen, alpha, rng)
    _, variables, caches = PROBLEMS[name]
    others = np.setdiff1d(np.arange(kernels.n_variables(problem)), chosen)
    for field in state._fields:
        now = getattr(state, field)
        if field in variables:
            assert now[others].tobytes() == before[field][others].tobytes()
            assert now[chosen].tobytes() != before[field][chosen].tobytes()
        elif field not in caches:
            assert now.tobytes() == before[field].tobytes(), field


@pytest.mark.parametrize("seed", range(5))
def test_revert_restores_everything(name, seed):
    """After a revert the search goes on exactly as if the redraw had not happened."""
    problem, state, _ = optimum(name, seed)
    untouched = type(state)(*(array.copy() for array in state))
    saved = row(stack(state, 2), 1)
    kernels.copy_state(problem, saved, state)
    before, cost = configuration(name, state), kernels.cost(problem, state)
    for redraw in range(20):
        rng = np.random.default_rng(redraw)
        chosen = rng.permutation(kernels.n_variables(problem))[: 1 + redraw % 3]
        kernels.reinitialise(problem, state, chosen, 0.0, rng)
        kernels.optimise(problem, state, rng)
        kernels.copy_state(problem, state, saved)
        for now, then in zip(configuration(name, state), before, strict=True):
            assert now.tobytes() == then.tobytes()
        assert kernels.cost(problem, state) == cost
    for which in (state, untouched):
        kernels.reinitialise(problem, which, np.array([0]), 0.0, np.random.default_rng(99))
    ends = [kernels.optimise(problem, s, np.random.default_rng(1)) for s in (state, untouched)]
    assert ends[0] == ends[1]
    for one, other in zip(*(configuration(name, s) for s in (state, untouched)), strict=True):
        assert one.tobytes() == other.tobytes()


def test_iterating_to_the_end_is_optimising(name):
    problem, _, search = made(name, 5)
    moment = search.moment()
    ends = []
    for _ in range(2):
        resumed, rng = moment.resume()
        kernels.reinitialise(problem, resumed.state, np.array([2, 3]), 0.0, rng)
        ends.append((resumed.state, rng))
    cost, iterations = kernels.optimise(problem, *ends[0])
    steps = 1
    while not kernels.iterate(problem, *ends[1]):
        kernels.cost(problem, ends[1][0])  # looking changes nothing
        steps += 1
    assert (steps, kernels.cost(problem, ends[1][0])) == (iterations, cost)


def test_same_seed_same_calls_same_trace_for_any_chunking(name):
    _, _, whole = made(name, 60, seed=4)
    _, _, pieces = made(name, 0, seed=4)
    for calls in (1, 2, 3, 14, 40):
        pieces.step(calls=calls)
    assert pieces.trace().hash() == whole.trace().hash()
    assert made(name, 60, seed=5)[2].trace().hash() != whole.trace().hash()


def test_compiled_and_plain_python_take_the_same_decisions(name):
    problem, schedule, search = made(name, 25, seed=2)
    compiled = search.trace()
    rng, plain = np.random.default_rng(2), start(problem, schedule, np.random.default_rng(2))
    rows = rows_for(schedule, 25)
    getattr(advance, "py_func", advance)(problem, schedule, plain, rng, rows, 25, np.inf)
    np.testing.assert_array_equal(rows.kept, compiled.kept)
    np.testing.assert_array_equal(rows.iterations, compiled.iterations)
    np.testing.assert_allclose(rows.cost, compiled.cost, rtol=1e-9)
