"""The crossover (the work from which A is better) equals results by hand and by a loop."""

import math

import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from made import MANY, cost_after, end_of, run_of, runs_of

from prviz.experiments.statistics.crossover import crossover, resampled_medians
from prviz.experiments.statistics.resampling import generator, resamples

INF = math.inf
SLOW = [run_of({1: 9, 6: 3, 8: cost}, end=10) for cost in (1, 1, 2)]
QUICK = [run_of({1: 5, 3: 4}, end=12) for _ in range(3)]


def test_crossover_equals_a_hand_calculation():
    found = crossover(SLOW, QUICK)
    assert found.work == 6 and (found.low, found.high, found.none) == (6, 6, 0)
    assert (found.frontier, found.n_a, found.n_b) == (10, 3, 3)
    back = crossover(QUICK, SLOW)
    assert back.work is None and (back.low, back.high, back.none) == (INF, INF, 1)
    assert crossover(QUICK, SLOW, [1, 3, 5]).work == 1  # QUICK leads after 1, 3 and 5
    assert crossover(QUICK, QUICK).work is None  # equal is not better
    assert crossover(SLOW, QUICK, alike=2).work == 8 and crossover(SLOW, QUICK, alike=3).none == 1


def test_crossover_is_the_last_crossing():
    first = [run_of({1: 5, 7: 1}, end=9)]
    then = [run_of({2: 9, 4: 3}, end=9)]
    assert crossover(first, then).work == 7  # `first` is better from 1 to 3, worse from 4 to 6
    assert crossover(then, first, [1, 2, 4, 5]).work == 4


def test_interval_is_infinite_if_a_quarter_of_resamples_has_no_crossover():
    some = [run_of({1: cost}) for cost in (1, 2)]
    found = crossover(some, [run_of({1: 2})], resampled=4000)
    assert found.work == 1 and found.low == 1 and found.high == INF
    assert found.none == pytest.approx(1 / 4, abs=0.03)  # the resample (2, 2) of A is never better


@given(MANY, MANY, st.integers(0, 99))
def test_crossovers_equal_those_of_a_loop_over_resamples(many_a, many_b, seed):
    last = min(map(end_of, [*many_a, *many_b]))
    works = np.arange(1, last + 1)
    costs = [sorted([cost_after(calls, w) for w in works] for calls in m) for m in (many_a, many_b)]

    def crossing(a, b):
        since = INF
        for j in reversed(range(len(works))):
            if not np.median([row[j] for row in a]) < np.median([row[j] for row in b]):
                break
            since = works[j]
        return since

    rng = np.random.default_rng(seed)
    drawn = [rng.integers(len(each), size=(20, len(each))) for each in costs]
    crossings = sorted(
        crossing(*([each[i] for i in row] for each, row in zip(costs, rows, strict=True)))
        for rows in zip(*drawn, strict=True)
    )
    expected = crossing(*costs)
    found = crossover(runs_of(many_a), runs_of(many_b), works, resampled=20, rng=seed)
    assert found.work == (None if expected == INF else expected)
    assert (found.low, found.high) == (crossings[0], crossings[19])
    assert found.none == crossings.count(INF) / 20
    mixed = crossover(runs_of(many_a)[::-1], runs_of(many_b)[::-1], works, resampled=20, rng=seed)
    assert mixed == found
    # by default, costs are compared at every improvement, because they change only there
    assert crossover(runs_of(many_a), runs_of(many_b)).work == found.work


@cases("n", [1, 2, 13, 127, 128, 400])
def test_medians_of_resamples_equal_those_of_numpy(n):
    rng = np.random.default_rng(n)
    values = rng.integers(0, 300, size=(n, 3)).astype(float)
    values[rng.random((n, 3)) < 0.1] = INF
    counts = resamples(n, 50, generator(n))
    medians = np.array(list(resampled_medians(values, counts)))[::-1]
    assert medians.shape == (3, 50)
    for column, row in zip(values.T, medians, strict=True):
        assert row.tolist() == [np.median(np.repeat(column, times)) for times in counts]


@cases(
    ("call", "complaint"),
    [
        (lambda: crossover([], QUICK), "at least one run"),
        (lambda: crossover(SLOW, QUICK, [11]), "works must be at most 10"),
        (lambda: crossover(SLOW, QUICK, [3, 2]), "ascending"),
        (lambda: crossover(SLOW, QUICK, []), "at least one number"),
        (lambda: crossover(SLOW, QUICK, axis="hours"), "work must be one of"),
        (lambda: crossover(SLOW, QUICK, confidence=0), "confidence must be between"),
        (lambda: crossover(SLOW, QUICK, alike=INF), "alike must be 0 or more"),
    ],
)
def test_invalid_arguments_are_rejected(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
