"""Parallel searches share their best after fixed numbers of calls, independently of their speed."""

import os
import signal
import threading
from itertools import cycle

import interrupting
import numpy as np
import pytest
from cases import cases

import prviz
from prviz.engine.kernels import allocate, cost
from prviz.engine.trace import Rows, Trace
from prviz.problems import PROBLEMS
from prviz.search import parallel
from prviz.search.parallel import MOST_SHARE, SHARE, Spawned, interleaved
from prviz.search.settings import make_schedule
from prviz.search.traced_search import TracedSearch

POINTS = np.random.default_rng(0).normal(size=(80, 2))
PROBLEM = prviz.kmeans(POINTS, 6)
MANY = np.random.default_rng(1).normal(size=(600, 2)) * 100
LEVELS = [prviz.Level(1, 5), prviz.Level(3, 4), prviz.Level(6)]


def same(one, other):
    return one.trace.hash() == other.trace.hash() and one.best_cost == other.best_cost


def one_after_the_other(problem, schedule, seed, workers, calls):
    """Make calls in turns, without threads; after each round, continue from the best search."""
    searches = [
        TracedSearch(problem, schedule, snapshot=Spawned(problem, schedule, sequence))
        for sequence in np.random.SeedSequence(seed).spawn(workers)
    ]
    length, last = SHARE, (np.inf, np.inf)
    while True:
        for _ in range(length):
            if searches[0].calls == calls:
                return [search.trace() for search in searches]
            for search in searches:
                search.step(calls=1)
        stand = [(s.search.best_cost, s.search.costs[0]) for s in searches]
        ahead = searches[stand.index(min(stand))].snapshot()
        for search, its in zip(searches, stand, strict=True):
            if its > min(stand):
                own = search.search.totals.copy()
                search.search, _ = ahead.resume()
                search.search.totals[:] = own
        length = max(SHARE, length // 2) if min(stand) < last else min(2 * length, MOST_SHARE)
        last = min(stand)


def by_hand(traces):
    """Return the rows of several traces, interleaved call by call."""
    best, told = np.inf, []
    for call in range(1, len(traces[0]) + 1):
        for trace in traces:
            best = min(best, trace.best[call - 1])
            redrawn = {level: all_.tolist() for level, all_ in trace.redrawn_in(call).items()}
            told.append((trace.cost[call - 1], best, trace.iterations[call - 1], redrawn))
    return told


def rows(trace):
    redrawn = [
        {level: all_.tolist() for level, all_ in trace.redrawn_in(call).items()}
        for call in range(1, len(trace) + 1)
    ]
    return [*zip(trace.cost, trace.best, trace.iterations, redrawn, strict=True)]


def test_one_worker_equals_a_single_search():
    search = TracedSearch(PROBLEM, make_schedule(PROBLEM, 2, 10), 3)
    while search.calls < 45:
        search.step(45 - search.calls)
    assert prviz.run(PROBLEM, 2, 10, seed=3, calls=45).trace.hash() == search.trace().hash()
    assert same(
        prviz.run(PROBLEM, 2, 10, seed=3, calls=45),
        prviz.run(PROBLEM, 2, 10, seed=3, calls=45, workers=1),
    )


@pytest.mark.parametrize(("name", "workers"), [*zip(PROBLEMS, cycle([2, 3]))])
def test_parallel_searches_have_the_trace_of_searches_in_turn(name, workers):
    problem = PROBLEMS[name].tiny()
    schedule = make_schedule(problem, m1=10)
    run = prviz.run(problem, m1=10, seed=4, calls=60 * workers, workers=workers)
    assert run.calls == 60 * workers and run.workers == workers
    assert rows(run.trace) == by_hand(one_after_the_other(problem, schedule, 4, workers, 60))
    again = prviz.run(problem, m1=10, seed=4, calls=60 * workers, workers=workers)
    assert same(run, again)


def test_result_is_the_best_of_all_searches():
    run = prviz.run(PROBLEM, levels=LEVELS, seed=5, calls=300, workers=3)
    assert run.best_cost == run.trace.cost.min() == run.trace.best[-1]
    assert cost(PROBLEM, run.best_state) == pytest.approx(run.best_cost, rel=1e-9)
    assert (np.diff(run.trace.best) <= 0).all() and (np.diff(run.trace.seconds) >= 0).all()


def squares(points, centers):
    return ((points[:, None] - centers) ** 2).sum(axis=2)


@cases("optimiser", ["alternate", "swap"])
def test_best_cost_equals_the_cost_of_the_best_medoids(optimiser):
    matrix = squares(MANY, MANY)
    problem = prviz.kmedoids(matrix, 25, optimiser)
    run = prviz.run(problem, 1, 200, calls=1200, workers=2)
    true = matrix[:, run.best_state.medoids].min(axis=1).sum()
    assert run.best_cost == pytest.approx(true, rel=1e-5)


def test_best_cost_equals_the_cost_of_the_best_centres():
    run = prviz.run(prviz.kmeans(MANY, 25), 1, 50, calls=800, workers=3)
    true = squares(MANY, run.best_state.centers).min(axis=1).sum()
    assert run.best_cost == pytest.approx(true, rel=1e-9)


def test_best_cost_equals_the_cost_of_the_best_variables():
    for problem in (prviz.hmm(prviz.datasets.bits(32), 12), prviz.landscape(6)):
        run = prviz.run(problem, 1, 60, calls=400, workers=2)
        fresh = allocate(problem)
        for name in type(fresh).VARIABLES:
            getattr(fresh, name)[...] = getattr(run.best_state, name)
        assert cost(problem, fresh) == pytest.approx(run.best_cost, rel=1e-6)


def test_all_workers_continue_from_the_best_search():
    search = parallel.ParallelSearch(PROBLEM, make_schedule(PROBLEM, 1, 50), 6, 3)
    search.step(calls=3 * SHARE)
    assert search.settled
    assert len({each.search.costs[0] for each in search.searchers}) == 1
    assert search.searchers[0].search.costs[0] == search.trace().best[-1]


def test_result_does_not_depend_on_the_length_of_steps(monkeypatch):
    whole = prviz.run(PROBLEM, levels=LEVELS, seed=7, calls=200, workers=2)
    monkeypatch.setattr(parallel, "LOOK", 0.0)  # each step makes one call
    assert same(prviz.run(PROBLEM, levels=LEVELS, seed=7, calls=200, workers=2), whole)


def test_trace_of_fewer_calls_is_a_prefix():
    few = prviz.run(PROBLEM, seed=8, calls=50, workers=2)
    more = prviz.run(PROBLEM, seed=8, calls=300, workers=2)
    assert rows(few.trace) == rows(more.trace)[:50]


def test_searches_make_equal_numbers_of_calls():
    assert prviz.run(PROBLEM, calls=50, workers=3).calls == 51
    ends = [prviz.Level(1, 3), prviz.Level(6, 4)]
    assert prviz.run(PROBLEM, levels=ends, workers=2).calls == 2 * 12


def test_parallel_run_limited_by_seconds_equals_run_limited_to_same_calls():
    run = prviz.run(PROBLEM, seed=1, seconds=0.02, workers=2)
    assert run.seconds >= 0.02 and run.calls % 2 == 0
    assert same(prviz.run(PROBLEM, seed=1, calls=run.calls, workers=2), run)


def test_target_or_iteration_limit_ends_a_run_after_a_whole_round():
    found = prviz.run(PROBLEM, seed=2, calls=100, workers=2)
    goal = found.trace.best[-1]
    run = prviz.run(PROBLEM, seed=2, calls=6000, target=goal, workers=2)
    met = int(np.flatnonzero(found.trace.best <= goal)[0])
    assert met < run.calls <= met + 2 * MOST_SHARE and run.best_cost <= goal
    worked = prviz.run(PROBLEM, seed=2, iterations=500, workers=2)
    assert worked.trace.iterations.sum() >= 500 and worked.calls % (2 * SHARE) == 0
    for ended, how in ((run, {"target": goal}), (worked, {"iterations": 500})):
        assert same(ended, prviz.run(PROBLEM, seed=2, workers=2, **{"calls": 6000} | how))
        assert same(ended, prviz.run(PROBLEM, seed=2, workers=2, calls=ended.calls))


def test_ctrl_c_keeps_the_result():
    problem = prviz.hmm(prviz.datasets.bits(32), 16)
    prviz.run(problem, calls=2)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with interrupting.heard():
        run = prviz.run(problem, seed=5, calls=10**7, workers=2)
    assert run.interrupted and 0 < run.calls < 10**7
    assert same(prviz.run(problem, seed=5, calls=run.calls, workers=2), run)


def test_callback_gets_all_progress_and_can_stop():
    heard = []
    run = prviz.run(PROBLEM, calls=10**6, workers=2, callback=lambda p: heard.append(p) or True)
    assert len(heard) == 1 and run.calls == heard[0].calls
    assert run.best_cost == heard[0].best_cost


def test_failed_search_ends_all_searches_with_a_message():
    made = []

    def optimise(x):
        made.append(1)
        if len(made) > 30:
            raise OverflowError("too far")
        return x

    problem = prviz.wrap(lambda x: float(np.sum(x**2)), lambda rng: rng.normal(size=4), optimise)
    with pytest.warns(RuntimeWarning, match="The search stopped: optimise raised OverflowError"):
        run = prviz.run(problem, calls=1000, workers=2)
    assert 28 <= run.calls <= 30 and "too far" in run.failure
    assert run.best_cost == run.trace.best[-1]


def test_internal_error_of_a_worker_is_raised(monkeypatch):
    def step(self, *limits):
        raise RuntimeError("a mistake")

    monkeypatch.setattr(TracedSearch, "step", step)
    with pytest.raises(RuntimeError, match="a mistake"):
        prviz.run(PROBLEM, calls=10, workers=2)


def test_traces_of_different_length_are_interleaved():
    def trace(costs, redrawn):
        n = len(costs)
        column = np.array(costs, float)
        ones, kept = np.ones(n, np.int32), np.ones((n, 1), np.int8)
        counts = np.array([[len(each)] for each in redrawn], np.int32)
        listed = np.array([j for each in redrawn for j in each], np.int32)
        best = np.minimum.accumulate(column)
        return Trace(
            Rows(ones.astype(np.int8), column, best, ones, column, kept, counts, listed), 9
        )

    joined = interleaved([trace([5, 3, 1], [[1, 2], [3], [4]]), trace([4, 6], [[], [7, 8]])])
    assert joined.cost.tolist() == [5, 4, 3, 6, 1]
    assert joined.best.tolist() == [5, 4, 3, 3, 1]
    assert joined.seconds.tolist() == [5, 5, 5, 6, 6]
    redrawn = [joined.redrawn_in(call)[1].tolist() for call in range(1, 6)]
    assert redrawn == [[1, 2], [], [3], [7, 8], [4]]


@cases(
    ("workers", "kind", "said"),
    [
        (0, ValueError, "workers must be at least 1, got 0"),
        (1.5, TypeError, "workers must be a whole number, got 1.5"),
        ("two", TypeError, "workers must be a whole number"),
    ],
)
def test_invalid_number_of_workers_is_rejected(workers, kind, said):
    with pytest.raises(kind, match=said):
        prviz.run(PROBLEM, calls=1, workers=workers)


def test_parallel_run_reports_its_workers(tmp_path):
    run = prviz.run(PROBLEM, seed=3, calls=40, workers=2)
    assert "2 workers" in repr(run) and "2, which share" in run._repr_html_()
    run.save(tmp_path / "run.npz")
    trace, about = prviz.load_trace(tmp_path / "run.npz")
    assert about["workers"] == 2 and trace.hash() == run.trace.hash()
    with pytest.raises(ValueError, match="Run again with workers=1"):
        run.play()
