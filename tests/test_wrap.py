"""Wrapped Python functions give the same search as a compiled problem, and clear errors."""

from __future__ import annotations

import dataclasses
import itertools
import math
import pickle
import time

import joblib
import numba
import numpy as np
import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from rugged import anywhere, downhill, rugged
from scipy.optimize import OptimizeResult

import prviz
from prviz import testing
from prviz.engine import kernels
from prviz.engine.dispatch import plain_python
from prviz.engine.trace import UNDECIDED, Recorder
from prviz.problems.landscape import REACH
from prviz.search.reference import Reference
from prviz.search.settings import make_schedule
from prviz.search.traced_search import TracedSearch

WEIGHTS = np.array([5.0, -3.0, 4.0, -1.0, 2.0])


def heaps(x):
    return abs(float(x @ np.array([8, 7, 6, 5, 4])))


def sides(rng):
    return 2 * rng.integers(0, 2, 5) - 1


def nothing(x):
    return x


REAL = prviz.wrap(rugged, anywhere, downhill)
WHOLE = prviz.wrap(heaps, sides, nothing)


# A state that is not an array: a word. A redraw replaces letters.


@dataclasses.dataclass
class Word:
    letters: list


def distance(word):
    return float(sum(a != b for a, b in zip(word.letters, "prviz", strict=True)))


def letters(rng):
    return Word([chr(97 + i) for i in rng.integers(0, 26, 5)])


def letter(word, i):
    return word.letters[i]


def put(word, i, value):
    word.letters[i] = value


def first_right(word):
    word.letters[0] = "p"


WORDS = prviz.wrap(distance, letters, first_right, 5, get=letter, set=put)
GROUPED = prviz.wrap(rugged, anywhere, downhill, groups=[[0, 3], [1], [4, 2]])


def odd_only(x):
    """Succeed for odd x. For even x, return a far lower result and report failure."""
    odd = bool(x[0] % 2)
    return OptimizeResult(x=x if odd else x - 100, success=odd)


ODD = prviz.wrap(np.sum, lambda rng: rng.integers(0, 10, 1), odd_only, results=True)


@pytest.mark.parametrize("problem", [REAL, WHOLE, WORDS, GROUPED, ODD])
def test_wrapped_problem_passes_check_problem(problem):
    testing.check_problem(problem)


# Wrapped functions give the same search as a compiled problem


def test_wrapped_trace_equals_the_compiled_trace():
    compiled = prviz.landscape(3, seed=4)
    state = kernels.allocate(compiled)

    def at(x):
        state.position[:] = x
        return state

    def sample(rng):  # draws as many random numbers as the landscape
        return REACH * (2 * np.array([rng.random() for _ in range(3)]) - 1)

    def optimise(x):
        kernels.optimise(compiled, at(x), None)
        x[:] = state.position

    problem = prviz.wrap(lambda x: kernels.cost(compiled, at(x)), sample, optimise)
    ours, theirs = (prviz.run(each, k1=3, calls=40, seed=7).trace for each in (problem, compiled))
    for column in ("level", "cost", "best", "kept", "counts", "redrawn"):
        assert np.array_equal(getattr(ours, column), getattr(theirs, column)), column


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_steps_equal_the_papers_recursion(data):
    sizes = data.draw(st.lists(st.integers(1, 4), min_size=0, max_size=3))
    alphas = data.draw(st.lists(st.sampled_from([0.0, 0.4]), min_size=3, max_size=3))
    repeats = data.draw(st.lists(st.integers(1, 3), min_size=3, max_size=3))
    below = [
        prviz.Level(k, m, a) for k, m, a in zip(sorted({*sizes}), repeats, alphas, strict=False)
    ]
    schedule = make_schedule(REAL, levels=[*below, prviz.Level(5)])
    seed = data.draw(st.integers(0, 1000))
    expected = Reference(REAL, schedule, np.random.default_rng(seed))
    expected.run(2)
    search = TracedSearch(REAL, schedule, seed)
    while (left := len(expected.rows) - search.calls) > 0:
        search.step(min(left, data.draw(st.integers(1, 5))))
    trace = search.trace()
    for call, row in enumerate(expected.rows, 1):
        assert (row.level, row.cost, row.iterations) == (
            trace.level[call - 1],
            trace.cost[call - 1],
            1,
        )
        redrawn = {level: tuple(found.tolist()) for level, found in trace.redrawn_in(call).items()}
        assert redrawn == row.redrawn
        decided = trace.kept[call - 1]
        assert row.kept == {
            level: bool(kept) for level, kept in enumerate(decided, 1) if kept != UNDECIDED
        }


def test_alpha_follows_equation_1():
    problem = prviz.wrap(rugged, lambda rng: np.array([8.0, 8.0, 8.0]), nothing)
    state = kernels.allocate(problem)
    kernels.reinitialise(problem, state, np.array([0, 1, 2]), 0.0, np.random.default_rng(0))
    state.values[:] = [0.0, 2.0, 4.0]
    kernels.reinitialise(problem, state, np.array([1, 2]), 0.75, np.random.default_rng(0))
    assert state.x.tolist() == [0.0, 0.75 * 2 + 0.25 * 8, 0.75 * 4 + 0.25 * 8]


def test_group_is_redrawn_together():
    state = kernels.allocate(GROUPED)
    kernels.reinitialise(GROUPED, state, np.array([2]), 0.0, np.random.default_rng(3))
    fresh = anywhere(np.random.default_rng(3))
    assert state.x.tolist() == [0, 0, fresh[2], 0, fresh[4]]


def test_worse_results_are_reverted():
    """Each call adds 1 to all four numbers: only a redraw that subtracts 4 or more is kept."""
    problem = prviz.wrap(np.sum, lambda rng: rng.integers(0, 9, 4), lambda x: x + 1)
    run = prviz.run(problem, k1=2, m1=50, calls=50)
    cost, best, kept = run.trace.cost, run.trace.best, run.trace.kept[:, 0]
    assert np.array_equal(kept[1:] == 1, cost[1:] <= best[:-1])
    assert 0 < np.count_nonzero(kept[1:] == 1) < 49
    assert run.best_cost == best[-1] == np.sum(run.best_state.x)


def test_wrap_finds_the_best_partition():
    best = min(heaps(np.array(signs)) for signs in itertools.product([-1, 1], repeat=5))
    run = prviz.run(WHOLE, k1=2, m1=20, calls=200)
    assert run.best_cost == best == 0
    assert run.best_state.x.dtype == WHOLE.model.values.dtype


def test_a_word_is_found_letter_by_letter():
    run = prviz.run(WORDS, k1=1, m1=5000, calls=3000, target=0)
    assert "".join(run.best_state.x.letters) == "prviz"


def test_states_do_not_share_objects():
    search = TracedSearch(WORDS, make_schedule(WORDS, 2, 20), 1)
    search.step(5)
    snapshot, best = search.snapshot(), search.best_state()
    before = pickle.dumps((snapshot.search.state.x, best.x))
    search.step(200)
    assert pickle.dumps((snapshot.search.state.x, best.x)) == before


@cases("problem", [REAL, WORDS])
def test_pickled_snapshot_continues_the_same_search(problem):
    schedule = make_schedule(problem, 2, 6)
    search = TracedSearch(problem, schedule, 3)
    search.step(9)
    there, snapshot = pickle.loads(pickle.dumps((problem, search.snapshot())))
    recorder = Recorder(2, 5)
    recorder.n_rows = snapshot.calls
    resumed = TracedSearch(there, schedule, 3, recorder, snapshot)
    ahead = [each.step(12) for each in (search, resumed)]
    for mine, its in zip(*ahead, strict=True):
        assert mine is ahead[0].seconds or np.array_equal(mine, its)


def test_saved_trace_equals_the_trace_of_the_run(tmp_path):
    run = prviz.run(REAL, levels=[prviz.Level(1, 3), prviz.Level(2, 4), prviz.Level(5)], calls=50)
    run.save(tmp_path / "run.npz")
    trace, about = prviz.load_trace(tmp_path / "run.npz")
    assert trace.hash() == run.trace.hash() and about["calls"] == 50
    assert prviz.run(REAL, levels=run.levels, calls=50).trace.hash() == trace.hash()
    assert "Wrapped" in run._repr_html_()


def test_optimiser_may_draw_random_numbers_from_the_seed():
    def step(x, rng):
        x += rng.normal(scale=0.1, size=5)

    problem = prviz.wrap(rugged, anywhere, step)
    hashes = {prviz.run(problem, calls=30, seed=seed).trace.hash() for seed in (0, 0, 1)}
    assert len(hashes) == 2


def test_numba_function_may_draw_random_numbers():
    @numba.njit
    def step(x, rng):
        return x + rng.random()

    assert prviz.wrap(rugged, anywhere, step).draws


def test_plain_python_gives_the_same_wrapped_search():
    before = prviz.run(REAL, calls=20).trace.hash()
    with plain_python():
        assert prviz.run(REAL, calls=20).trace.hash() == before
    assert prviz.run(prviz.landscape(2), calls=3).calls == 3


def test_wrap_never_keeps_a_call_that_reports_failure():
    run = prviz.run(ODD, k1=1, calls=60)
    assert run.best_state.x.tolist() == [1] and run.best_cost == 1
    assert set(run.trace.cost.tolist()) == {1, 3, 5, 7, 9, math.inf}


def test_wrap_never_keeps_an_unoptimised_draw():
    """A restart draws once per level. The second restart costs least, but its call fails."""
    draws = iter([[0, 0], [9, 9], [9, 9], [1, 1], [1, 1]])  # `wrap` itself takes the first draw
    problem = prviz.wrap(
        np.sum,
        lambda rng: np.array(next(draws)),
        lambda x: OptimizeResult(x=x, success=x.sum() > 5),
        results=True,
    )
    levels = [prviz.Level(1, 1), prviz.Level(2)]
    run = prviz.run(problem, levels=levels, calls=2)
    assert run.trace.cost.tolist() == [18, math.inf]
    assert run.best_cost == 18 and run.best_state.x.tolist() == [9, 9]


def test_wrap_finds_nothing_if_every_call_fails():
    problem = prviz.wrap(
        rugged, anywhere, lambda x: OptimizeResult(x=x, success=False), results=True
    )
    run = prviz.run(problem, k1=1, calls=5)
    assert (run.calls, run.best_cost, run.failure) == (5, math.inf, "")
    assert run.figure().data


# Many runs


def test_compare_and_tune_accept_wrapped_problems():
    both = prviz.compare(REAL, {"partial": {"k1": 1}, "full": {"k1": "all"}}, seeds=4, calls=30)
    alone = prviz.run(REAL, k1=1, seed=2, calls=30)
    assert both.runs["partial"][2].best[-1] == alone.best_cost
    found = prviz.tune(REAL, {"k1": [1, 2], "m1": [20]}, work=20, rungs=(2, 4), check=2)
    assert found.best["m1"] in (20, 100)


@cases("problem", [REAL, prviz.landscape(3)])
def test_processes_give_the_same_runs(problem):
    settings = {"partial": {"k1": 1}}
    here = prviz.compare(problem, settings, seeds=2, calls=10)
    with joblib.parallel_config("loky", n_jobs=2):
        there = prviz.compare(problem, settings, seeds=2, calls=10, workers=2)
    assert here.hash() == there.hash()


def test_unpicklable_functions_are_reported():
    problem = prviz.wrap(lambda x: 0.0, anywhere, nothing)
    with (
        joblib.parallel_config("multiprocessing", n_jobs=2),
        pytest.raises(TypeError, match=r"cannot be sent to other processes .* top of a module"),
    ):
        prviz.compare(problem, {"full": {"k1": "all"}}, seeds=2, calls=2)


def test_runs_of_wrapped_functions_cannot_be_stored(tmp_path):
    with pytest.raises(ValueError, match="store=None"):
        prviz.compare(REAL, {"a": {}}, seeds=2, calls=2, store=tmp_path / "store.sqlite")


# Errors


def ended(problem, calls=50):
    with pytest.warns(RuntimeWarning, match="The search stopped: "):
        return prviz.run(problem, k1=1, calls=calls)


def raising(after):
    calls = itertools.count()

    def inner(x):
        raise KeyError("lost")

    def optimise(x):
        if next(calls) >= after:
            inner(x)
        return x

    return optimise, inner.__code__.co_firstlineno + 1


def test_exception_ends_the_run_and_keeps_the_result():
    optimise, line = raising(after=10)
    run = ended(prviz.wrap(rugged, anywhere, optimise))
    assert run.calls == 10
    assert run.best_cost == run.trace.best[-1] == rugged(run.best_state.x)
    assert run.failure == (f"optimise raised KeyError: 'lost' ({__file__}, line {line}, in inner)")


def test_exception_in_the_first_call_leaves_no_result():
    optimise, _ = raising(after=0)
    run = ended(prviz.wrap(rugged, anywhere, optimise))
    assert (run.calls, run.best_state) == (0, None)


def test_exception_in_a_library_names_the_users_line():
    def optimise(x):
        return np.linalg.solve(np.zeros((5, 5)), x)

    failure = ended(prviz.wrap(rugged, anywhere, optimise)).failure
    line = optimise.__code__.co_firstlineno + 1
    assert failure.startswith("optimise raised LinAlgError: Singular matrix")
    assert failure.endswith(f"{__file__}, line {line}, in optimise)")


@cases(
    ("returned", "words"),
    [
        (np.nan, r"cost returned nan \(.*test_wrap.py, line \d+, in cost\): a cost must be finite"),
        (np.inf, "cost returned inf"),
        (-np.inf, "cost returned -inf"),
        ("low", r"cost returned 'low' \(.*\), not a number"),
        (None, "cost returned None"),
    ],
)
def test_a_cost_that_is_not_a_finite_number_ends_the_search(returned, words):
    def cost(x):
        return returned if x[0] > 0 else rugged(x)

    with pytest.warns(RuntimeWarning, match=words):
        run = prviz.run(prviz.wrap(cost, anywhere, nothing), calls=50)
    assert run.calls < 50


@cases(
    ("optimise", "words"),
    [
        (lambda x: x[:3], r"optimise returned shape \(3,\), not \(5,\)"),
        (lambda x: 1.0, r"optimise returned float \(.*\), not an array"),
        (lambda x: x + 1j, "optimise returned numbers of type complex128"),
        (lambda x: OptimizeResult(x=x, success=True), "pass results=True to prviz.wrap"),
    ],
)
def test_invalid_configuration_is_rejected(optimise, words):
    with pytest.warns(RuntimeWarning, match=words):
        assert prviz.run(prviz.wrap(rugged, anywhere, optimise), calls=5).calls == 0


def test_run_stopped_by_ctrl_c_keeps_its_result_and_continues(tmp_path):
    calls = itertools.count()

    def optimise(x):
        x += 100  # unfinished: it must not count as the best
        if next(calls) == 12:
            raise KeyboardInterrupt
        x -= 100

    problem = prviz.wrap(rugged, anywhere, optimise)
    run = prviz.run(problem, k1=1, calls=50)
    assert run.interrupted and run.calls == 12
    assert run.best_cost == run.trace.best[-1] == rugged(run.best_state.x)
    run.save(tmp_path / "run.npz")
    whole = prviz.run(problem, k1=1, calls=20).trace.hash()
    assert run.more(calls=8).trace.hash() == whole
    assert prviz.Run.load(tmp_path / "run.npz", problem).more(calls=8).trace.hash() == whole


def test_run_that_fails_when_it_is_repeated_ends_with_the_failure():
    calls = itertools.count()

    def optimise(x):
        if (call := next(calls)) == 3:
            raise KeyboardInterrupt
        return x if call < 3 else x * math.nan

    run = prviz.run(prviz.wrap(rugged, anywhere, optimise), k1=1, calls=9)
    with pytest.warns(RuntimeWarning, match="The search stopped"):
        assert run.more(calls=5).calls == 0


def test_callback_is_called_while_an_optimiser_waits():
    problem = prviz.wrap(rugged, anywhere, lambda x: time.sleep(0.06))
    seen = []
    prviz.run(problem, calls=4, callback=lambda progress: seen.append(progress.calls))
    assert seen == [1, 2, 3, 4]


@cases(
    ("arguments", "error", "words"),
    [
        ({"cost": 1}, TypeError, "cost must be a function, got 1"),
        ({"sample": lambda rng: [1.0]}, TypeError, "must return a NumPy array of numbers"),
        ({"sample": lambda rng: np.float64(1)}, TypeError, "must return a NumPy array"),
        ({"sample": lambda rng: np.zeros(0)}, ValueError, "at least one row"),
        ({"n_variables": 4}, ValueError, "n_variables is 4, but sample returns 5 rows"),
        ({"n_variables": 2.5}, TypeError, "n_variables must be a whole number"),
        ({"groups": [[0, 1], [2, 3]]}, ValueError, "every row of x, 0 to 4, exactly once"),
        ({"groups": [[0, 1, 2, 3, 4], []]}, ValueError, "an empty group"),
        ({"groups": [0, 1]}, TypeError, "lists of row numbers"),
        ({"groups": [[0]], "n_variables": 1}, ValueError, "either n_variables or groups"),
        ({"get": letter}, TypeError, "both get and set"),
        ({"results": True, "jit": True}, TypeError, "leave out jit"),
        ({"get": letter, "set": put}, TypeError, "pass n_variables"),
    ],
)
def test_invalid_arguments_are_rejected(arguments, error, words):
    given = {"cost": rugged, "sample": anywhere, "optimise": nothing, **arguments}
    with pytest.raises(error, match=words):
        prviz.wrap(**given)


@cases("problem", [WHOLE, WORDS])
def test_alpha_is_rejected_unless_x_has_real_numbers(problem):
    with pytest.raises(ValueError, match="alpha must be 0"):
        prviz.run(problem, k1=1, alpha=0.5, calls=3)
