"""Algorithm 1 equals the paper's recursion, can pause anywhere, and reports the true best."""

import math

import numpy as np
import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st

import prviz
from prviz.engine.algorithm import Limits, advance, best_state, copy_search, rows_for
from prviz.engine.dispatch import arrays_of
from prviz.engine.schedule import Level, Schedule
from prviz.engine.subsets import Redraw, random_subset, restore_order
from prviz.engine.trace import KEPT, Trace
from prviz.search.reference import Reference
from prviz.search.traced_search import TracedSearch

POINTS = np.random.default_rng(5).integers(0, 1000, size=(60, 2)).astype(float)
N = 9
PROBLEM = prviz.kmeans(POINTS, N)


@st.composite
def schedules(draw):
    """Draw schedules of 1 to 4 levels over N = 9 variables, with a finite top level."""
    m = draw(st.integers(1, 4))
    some = st.lists(st.integers(1, N - 1), min_size=m - 1, max_size=m - 1, unique=True)
    sizes = sorted(draw(some))
    alphas = st.sampled_from([0.0, 0.0, 0.5, 1.0])
    levels = [Level(k, draw(st.integers(1, 4)), draw(alphas)) for k in sizes]
    if levels and draw(st.booleans()) and m < 4:
        levels.append(Level(N, draw(st.integers(1, 3)), 0.8))
    levels.append(Level(N, draw(st.integers(1, 3))))
    return Schedule.from_levels(levels, N)


@settings(max_examples=25)
@given(schedules(), st.integers(0, 1000))
def test_search_equals_the_recursion_of_the_paper(schedule, seed):
    reference = Reference(PROBLEM, schedule, np.random.default_rng(seed))
    reference.run(restarts=int(schedule.repeats[-1]))
    search = TracedSearch(PROBLEM, schedule, seed)
    while not search.finished:
        search.step()
    trace = search.trace()

    assert len(trace) == len(reference.rows) == math.prod(schedule.repeats.tolist())
    for i, row in enumerate(reference.rows):
        assert trace.level[i] == row.level
        assert trace.cost[i] == row.cost
        assert trace.iterations[i] == row.iterations
        kept = {level + 1: bool(v == KEPT) for level, v in enumerate(trace.kept[i]) if v >= 0}
        assert kept == row.kept
        redrawn = {level: tuple(v.tolist()) for level, v in trace.redrawn_in(i + 1).items()}
        everything = tuple(range(N))
        assert redrawn == {k: v if len(v) < N else everything for k, v in row.redrawn.items()}
    assert search.search.best_cost == min(reference.cost, *(r.cost for r in reference.rows))
    np.testing.assert_array_equal(search.search.state.centers, reference.x.centers)


@settings(max_examples=25)
@given(schedules(), st.integers(0, 100), st.lists(st.integers(1, 7), max_size=20))
def test_trace_does_not_depend_on_the_length_of_steps(schedule, seed, cuts):
    whole = TracedSearch(PROBLEM, schedule, seed)
    while not whole.finished:
        whole.step()
    pieces = TracedSearch(PROBLEM, schedule, seed)
    for calls in cuts:
        pieces.step(calls)
        resumed, rng = pieces.snapshot().resume()  # running the copy must not change `pieces`
        advance(PROBLEM, schedule, resumed, rng, rows_for(schedule, 3), Limits(3))
    while not pieces.finished:
        pieces.step()
    assert pieces.trace().hash() == whole.trace().hash()


@settings(max_examples=25)
@given(schedules(), st.integers(0, 100))
def test_best_cost_never_rises_and_belongs_to_the_best_state(schedule, seed):
    search = TracedSearch(PROBLEM, schedule, seed)
    while not search.finished:
        search.step(5)
        trace = search.trace()
        assert (np.diff(trace.best) <= 0).all()
        assert trace.best[-1] == trace.cost.min() == search.search.best_cost
        found = best_state(search.search)
        nearest = ((POINTS[:, None] - found.centers[None]) ** 2).sum(axis=2).min(axis=1)
        assert nearest.sum() == pytest.approx(trace.best[-1], rel=1e-9)


def test_resume_does_not_change_the_snapshot():
    search = TracedSearch(PROBLEM, Schedule.two_level(2, 5, N), 1)
    search.step(calls=7)
    snapshot = search.snapshot()
    copied = copy_search(search.search)
    once, rng = snapshot.resume()
    advance(PROBLEM, search.schedule, once, rng, rows_for(search.schedule, 9), Limits(9))
    np.testing.assert_array_equal(snapshot.search.state.centers, copied.state.centers)
    assert snapshot.calls == 7


def test_state_arrays_are_aligned_to_cache_lines():
    search = TracedSearch(PROBLEM, Schedule.two_level(2, 5, N), 1)
    search.step(calls=3)
    arrays = arrays_of((search.search.state, search.search.checkpoints))
    assert all(array.ctypes.data % 64 == 0 for array in arrays if array.size)


def test_fractional_number_of_calls_is_rounded_up():
    search = TracedSearch(PROBLEM, Schedule.two_level(1, 5, N), 0)
    assert [len(search.step(calls=calls).cost) for calls in (0.2, 1.0, 2.5, 0)] == [1, 1, 3, 0]


def test_a_time_limit_ends_a_step():
    search = TracedSearch(PROBLEM, Schedule.two_level(1, 5, N), 0)
    assert len(search.step(seconds=0.0).cost) == 1


@settings(max_examples=25)
@given(schedules(), st.integers(0, 100), st.integers(1, 60))
def test_step_ends_with_the_call_that_reaches_the_iteration_limit(schedule, seed, most):
    whole, pieces = TracedSearch(PROBLEM, schedule, seed), TracedSearch(PROBLEM, schedule, seed)
    iterations = whole.step().iterations
    made = 0
    while made < len(iterations):  # each step counts its iterations from 0
        spent = np.cumsum(iterations[made:])
        made += min(int((spent < most).sum()) + 1, len(spent))
        pieces.step(iterations=most)
        assert pieces.calls == made


@settings(max_examples=25)
@given(schedules(), st.integers(0, 100), st.data())
def test_step_ends_with_the_call_that_reaches_the_target(schedule, seed, data):
    whole, piece = TracedSearch(PROBLEM, schedule, seed), TracedSearch(PROBLEM, schedule, seed)
    best = whole.step().best
    target = data.draw(st.sampled_from(best.tolist()))
    assert len(piece.step(target=target).cost) == np.flatnonzero(best <= target)[0] + 1


@cases("size", [1, 3, 8, 9])
def test_subsets_are_drawn_uniformly_without_replacement(size):
    rng = np.random.default_rng(0)
    order = np.arange(N)
    times = np.zeros(N)
    draws = 2000
    for _ in range(draws):
        restore_order(order)
        assert random_subset(Redraw(size, math.nan, 0), rng, order) == size
        assert len(set(order[:size].tolist())) == size
        times[order[:size]] += 1
    expected = draws * size / N
    spread = np.sqrt(draws * size / N * (1 - size / N)) + 1e-9
    assert (abs(times - expected) < 5 * spread).all()


def test_subset_with_a_probability_has_all_variables_equally_often():
    rng = np.random.default_rng(0)
    order = np.arange(N)
    times = np.zeros(N)
    for _ in range(4000):
        restore_order(order)
        size = random_subset(Redraw(1, 0.2, 0), rng, order)
        assert sorted(order.tolist()) == list(range(N))
        times[order[:size]] += 1
    assert (abs(times - 800) < 5 * np.sqrt(4000 * 0.2 * 0.8)).all()


def test_trace_stores_any_schedule(tmp_path):
    levels = [Level(None, 3, probability=0.5), Level(8, 2), Level(N, 2)]
    search = TracedSearch(PROBLEM, Schedule.from_levels(levels, N), 3)
    while not search.finished:
        search.step(4)
    trace = search.trace()
    assert isinstance(trace, Trace)
    for call in range(1, len(trace) + 1):
        redrawn = trace.redrawn_in(call)
        assert list(redrawn) == list(range(int(trace.level[call - 1]), 0, -1))
        assert len(redrawn.get(2, range(8))) == 8
