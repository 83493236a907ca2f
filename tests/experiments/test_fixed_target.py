"""The work to a target equals hand calculations, a loop over calls, and COCO's results."""

import json
import math

import coco
import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from made import MANY, end_of, run_of, runs_of, time_of

from prviz.experiments.statistics.fixed_target import (
    Hits,
    ert,
    hits_of,
    hitting_times,
    least_ert,
    resampled_erts,
)

INF = math.inf


def hits(times, ends, over=None) -> Hits:
    lost = np.zeros(len(times), bool) if over is None else np.array(over)
    return Hits(np.array(times, float), np.array(ends, float), lost)


RUNS = [
    run_of({2: 9, 5: 4, 9: 1}, end=12),
    run_of({3: 8, 4: 7}, end=10),
    run_of({1: 4}, end=6),
    run_of({}, end=0, over=True),
]


def test_hits_equal_a_hand_calculation():
    found = hits_of(RUNS, 4)
    assert found.times.tolist() == [5, INF, 1, INF]  # a cost equal to the target reaches it
    assert found.ends.tolist() == [12, 10, 6, 0]
    assert found.spent.tolist() == [5, 10, 1, 0]
    assert found.hit.tolist() == [True, False, True, False] and found.successes == 2
    assert found.known_to == 10  # the diverged run will never hit
    assert hits_of(RUNS, 3.9).known_to == 6 and hits_of(RUNS[::3], 1).known_to == INF
    assert hitting_times(RUNS, [9, 7.5, 0]).tolist() == [
        [2, 5, INF],
        [3, 4, INF],
        [1, 1, INF],
        [INF, INF, INF],
    ]


def test_ert_equals_a_hand_calculation():
    found = ert(hits_of(RUNS, 4))
    assert found.work == (5 + 10 + 1 + 0) / 2
    assert (found.successes, found.n) == (2, 4)
    assert found.low <= found.work <= found.high


def test_ert_without_a_hit_has_a_lower_bound():
    found = ert(hits([INF] * 100, [20.0] * 100))
    assert (found.work, found.high, found.successes, found.n) == (INF, INF, 0, 100)
    # at this probability of a hit, 100 misses have a probability of 5 %
    most = 1 - 0.05 ** (1 / 100)
    assert found.low == pytest.approx((1 - most) / most * 20)
    assert found.low == pytest.approx(2000 / 3, rel=0.02)  # rule of three: total work / 3
    assert least_ert(1.0, 10**6) == pytest.approx(1 / math.log(20), rel=1e-5)
    # with confidence 75 %, the probability of a hit is at most 3/4
    assert least_ert(7.0, 1, confidence=0.75) == pytest.approx(7 / 3)


def test_interval_has_zero_width_for_equal_runs_and_no_upper_end_for_rare_hits():
    assert ert(hits([3] * 9, [5] * 9))[:3] == (3, 3, 3)
    rare = ert(hits([3] + [INF] * 9, [5] * 10))
    assert rare.work == 48 and rare.high == INF
    # 1 % of the resamples have four hits or more; their ERT is at most (4·3 + 6·5)/4
    assert 8 < rare.low < 48


def test_resample_draws_whole_runs():
    n = 7
    times = [2, INF, 5, 3, INF, 1, INF]
    ends = [9, 4, 9, 9, 8, 9, 6]
    order = sorted(zip(np.minimum(times, ends), np.isfinite(times), strict=True))
    drawn = np.random.default_rng(4).integers(n, size=(50, n))
    expected = []
    for row in drawn:
        spent = sum(order[i][0] for i in row)
        successes = sum(bool(order[i][1]) for i in row)
        expected.append(spent / successes if successes else INF)
    assert resampled_erts(hits(times, ends), 50, 4) == pytest.approx(expected, rel=1e-14)


def test_ert_equals_the_values_of_coco():
    values = json.loads(coco.VALUES.read_text())
    ours = [ert(hits(*sample), resampled=1).work for sample in coco.samples()]
    assert len(values) == 1000 and 100 < sum(map(math.isinf, values)) < 200
    np.testing.assert_allclose(ours, values, rtol=1e-12)


@given(MANY, st.integers(-1, 7))
def test_time_is_the_end_of_the_first_call_that_hits(many, target):
    found = hits_of(runs_of(many), target)
    assert found.times.tolist() == [time_of(calls, target) for calls in many]
    assert found.ends.tolist() == [end_of(calls) for calls in many]
    lower = hits_of(runs_of(many), target - 1)
    assert (lower.times >= found.times).all() and lower.ert >= found.ert


@given(MANY, st.integers(0, 6), st.integers(0, 9))
def test_order_of_runs_does_not_matter(many, target, seed):
    found = ert(hits_of(runs_of(many), target), resampled=40, rng=seed)
    mixed = np.random.default_rng(seed).permutation(len(many))
    again = ert(hits_of(runs_of([many[i] for i in mixed]), target), resampled=40, rng=seed)
    assert found[1:] == again[1:] and found.work == pytest.approx(again.work, rel=1e-14)
    assert found.low <= found.high and (found.successes == 0) == (found.work == INF)


@given(MANY, st.integers(0, 6), st.integers(1, 20))
def test_work_after_a_hit_does_not_count(many, target, more):
    runs = runs_of(many)
    longer = [run._replace(end_iterations=run.end_iterations + more) for run in runs]
    before, after = hits_of(runs, target), hits_of(longer, target)
    assert after.times.tolist() == before.times.tolist()
    assert after.spent.sum() == before.spent.sum() + more * (len(runs) - before.successes)


def test_resamples_depend_on_the_seed_or_the_state_of_the_generator():
    some = hits([2, INF, 5, 3, INF, 1, INF] * 5, [9, 4, 9, 9, 8, 9, 6] * 5)
    assert ert(some, rng=1) == ert(some, rng=np.random.default_rng(1)) != ert(some, rng=2)
    rng = np.random.default_rng(1)
    assert ert(some, rng=rng) != ert(some, rng=rng)


@cases(
    ("call", "complaint"),
    [
        (lambda: hits_of([], 1), "at least one run"),
        (lambda: hits_of(RUNS, math.nan), "targets must not contain NaN"),
        (lambda: hits_of(RUNS, 1, "hours"), "work must be one of"),
        (lambda: ert(hits([], [])), "times must be a list of at least one"),
        (lambda: ert(hits([math.nan], [1])), "NaN"),
        (lambda: ert(hits([1], [1]), confidence=0), "confidence must be between"),
        (lambda: ert(hits([INF], [1]), confidence=1), "confidence must be between"),
        (lambda: ert(hits([1], [1]), resampled=0), "resamples must be at least 1"),
    ],
)
def test_invalid_arguments_are_rejected(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
