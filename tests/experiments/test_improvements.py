"""The improvements of a run are the same from a trace, from its parts, and from single calls."""

import numpy as np
import pytest
from hypothesis import given
from made import CALLS, trace_of

import prviz
from prviz.engine.schedule import Schedule
from prviz.experiments.runs.improvements import ImprovementRecorder, Improvements
from prviz.search.traced_search import TracedSearch

POINTS = np.random.default_rng(1).normal(size=(60, 2))


def same(one: Improvements, other: Improvements) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_improvements_equal_a_hand_calculation():
    run = Improvements.of(trace_of([9, 7, 8, 7, 4, 6], [3, 2, 5, 1, 4, 2]))
    assert run.calls.tolist() == [1, 2, 5]
    assert run.iterations.tolist() == [3, 5, 15]
    assert run.seconds.tolist() == [0.1, 0.2, 0.5]
    assert run.best.tolist() == [9, 7, 4]
    assert (run.end_calls, run.end_iterations, run.end_seconds) == (6, 17, 0.6)
    assert run.work().tolist() == [3, 5, 15] and run.end() == 17
    assert run.work("calls").tolist() == [1, 2, 5] and run.end("seconds") == 0.6
    assert not run.over
    with pytest.raises(ValueError, match="work must be one of iterations, calls, seconds"):
        run.work("hours")


def test_first_call_is_always_an_improvement():
    run = Improvements.of(trace_of([np.inf, np.inf, 3.0], [1, 1, 1]))
    assert run.calls.tolist() == [1, 3] and run.best.tolist() == [np.inf, 3]


def test_a_run_that_diverged_in_its_first_call_has_no_improvements():
    run = ImprovementRecorder().improvements(over=True)
    assert [len(column) for column in run[:4]] == [0] * 4
    assert run.end() == run.end("calls") == run.end("seconds") == 0 and run.over


@given(CALLS)
def test_improvements_do_not_depend_on_the_blocks_of_a_trace(calls):
    trace = trace_of(*zip(*calls, strict=True))
    for size in (1, 3):
        recorder = ImprovementRecorder()
        recorder.add(trace.rows, 0)
        for start in range(0, len(trace), size):
            block = type(trace.rows)(*(c[start : start + size].copy() for c in trace.rows))
            rows = recorder.add(block, len(block.cost))
            assert rows.cost.tolist() == trace.cost[start : start + size].tolist()
            for column in block:
                column.fill(-1)  # a search overwrites these arrays in its next step
        assert same(recorder.improvements(), Improvements.of(trace))
        assert recorder.n_rows == len(trace)


@given(CALLS)
def test_recorder_of_single_calls_has_the_improvements_of_the_whole_trace(calls):
    recorder = ImprovementRecorder()
    for n, (cost, iterations) in enumerate(calls):
        recorder.add_call(cost, iterations, 0.1)
        assert recorder.end("calls") == n + 1
    trace = trace_of(*zip(*calls, strict=True))
    whole, found = Improvements.of(trace), recorder.improvements()
    for one, other in zip(found, whole, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    assert [column.dtype for column in found[:4]] == [column.dtype for column in whole[:4]]
    assert recorder.best == trace.best[-1]
    assert recorder.end("iterations") == whole.end_iterations
    assert recorder.end("seconds") == pytest.approx(whole.end_seconds)


def test_recorded_improvements_equal_those_of_the_trace():
    problem, schedule = prviz.kmeans(POINTS, 6), Schedule.two_level(1, 20, 6)
    whole = TracedSearch(problem, schedule, 3)
    whole.step(calls=1000)
    recorder = ImprovementRecorder()
    search = TracedSearch(problem, schedule, 3, recorder)
    rows = [search.step(calls=calls) for calls in (1, 9, 490, 500)]
    assert [len(row.cost) for row in rows] == [1, 9, 490, 500]
    run, traced = recorder.improvements(), Improvements.of(whole.trace())
    for field in ("calls", "iterations", "best"):
        assert np.array_equal(getattr(run, field), getattr(traced, field)), field
    assert run[4:6] == traced[4:6] == (1000, whole.iterations)
    assert (np.diff(run.seconds) > 0).all()
    assert run.seconds[-1] <= run.end_seconds == search.seconds
    assert len(run.best) >= 3
