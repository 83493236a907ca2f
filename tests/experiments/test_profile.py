"""The fractions of reached targets equal hand calculations and loops over pairs."""

import math

import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from made import MANY, end_of, run_of, runs_of, time_of

from prviz.experiments.statistics.fixed_budget import frontier
from prviz.experiments.statistics.fixed_target import hits_of
from prviz.experiments.statistics.intervals import dkw
from prviz.experiments.statistics.profile import ecdf, profile

RUNS = [
    run_of({2: 9, 5: 4, 9: 1}, end=12),
    run_of({3: 8, 4: 7}, end=10),
    run_of({1: 4}, end=6),
    run_of({}, end=0, over=True),
]
TARGETS = st.lists(st.integers(-1, 7), min_size=1, max_size=4)


def test_fraction_of_runs_equals_a_hand_calculation():
    found = ecdf(hits_of(RUNS, 4))
    assert found.work.tolist() == [0, 1, 5] and found.share.tolist() == [0, 0.25, 0.5]
    assert found.n == 4
    half = dkw(4)  # 0.68
    assert found.low.tolist() == [0, 0, 0] and found.high.tolist() == [half, 0.25 + half, 1]
    some = ecdf(hits_of([run_of({i: 0}) for i in range(1, 101)], 0), [25, 50], confidence=0.9)
    assert some.low == pytest.approx(some.share - dkw(100, 0.9))
    assert some.high == pytest.approx([0.25 + dkw(100, 0.9), 0.5 + dkw(100, 0.9)])


def test_work_after_the_end_of_an_unsuccessful_run_is_rejected():
    found = hits_of(RUNS, 3.9)  # the third run ended after 6 iterations, the first run hit after 9
    assert ecdf(found).work.tolist() == [0]
    with pytest.raises(ValueError, match="works must be at most 6: a run ended there without"):
        ecdf(found, [7])
    with pytest.raises(ValueError, match="works must be at most 6"):
        profile(RUNS, [4, 3.9], [7])
    assert profile(RUNS, [4, 3.9]).work[-1] == 6
    # no run can hit later: one diverged, the other hit already
    assert ecdf(hits_of([RUNS[0], RUNS[3]], 1), [10**9]).share.tolist() == [0.5]
    assert profile([RUNS[0], RUNS[3]], [4, 1], [4, 5, 9, 10**9]).share.tolist() == [
        *(0, 0.25, 0.5, 0.5)
    ]


def test_band_of_a_profile_comes_from_resampled_whole_runs():
    targets, works = [8, 4], np.array([3.0, 6, 1])
    done = np.array([[0, 1, 0], [0.5, 0.5, 0], [1, 1, 1], [0, 0, 0]])  # share of the targets hit
    found = profile(RUNS, targets, works, confidence=0.9, resampled=200, rng=3)
    assert found.share.tolist() == done.mean(axis=0).tolist() and found.n == 4
    order = sorted(done.tolist())
    farthest = []
    for row in np.random.default_rng(3).integers(4, size=(200, 4)):
        again = [sum(order[i][j] for i in row) / 4 for j in range(3)]
        farthest.append(max(abs(a - s) for a, s in zip(again, found.share, strict=True)))
    half = sorted(farthest)[180 - 1]
    assert found.low == pytest.approx(np.clip(found.share - half, 0, 1))
    assert found.high == pytest.approx(np.clip(found.share + half, 0, 1))


def test_more_targets_do_not_narrow_the_confidence_band():
    runs = [run_of({w: 0}, end=100) for w in range(1, 31)]  # each run hits all targets at once
    one, many = (profile(runs, [0] * t, [10, 20]) for t in (1, 50))
    assert all(np.array_equal(a, b) for a, b in zip(one, many, strict=True))
    assert one.share[0] - one.low[0] > 0.1


@given(MANY, TARGETS)
def test_fractions_equal_those_of_a_loop_over_pairs(many, targets):
    runs = runs_of(many)
    works = np.arange(0, frontier(runs) + 1)
    found = profile(runs, targets, works, resampled=20)
    times = [time_of(calls, target) for calls in many for target in targets]
    assert found.share == pytest.approx([np.mean([t <= w for t in times]) for w in works])
    assert (np.diff(found.share) >= -1e-12).all()
    assert (found.low <= found.share).all() and (found.share <= found.high).all()
    assert (found.low >= 0).all() and (found.high <= 1).all()
    mixed = profile(runs[::-1], targets[::-1], works, resampled=20)
    assert all(np.array_equal(a, b) for a, b in zip(found[:4], mixed[:4], strict=True))


@given(MANY, st.integers(-1, 7))
def test_profile_of_one_target_equals_its_ecdf(many, target):
    runs = runs_of(many)
    found = ecdf(hits_of(runs, target))
    assert found.share == pytest.approx(profile(runs, target, found.work, resampled=1).share)
    known_to = min([end_of(c) for c in many if time_of(c, target) == math.inf], default=math.inf)
    assert hits_of(runs, target).known_to == known_to and found.work[-1] <= known_to
    fine = np.arange(0, min(known_to, 40) + 1)
    again = ecdf(hits_of(runs, target), fine)
    assert again.share == pytest.approx(found.share[np.searchsorted(found.work, fine, "right") - 1])


@cases(
    ("call", "complaint"),
    [
        (lambda: profile([], [1]), "at least one run"),
        (lambda: profile(RUNS, []), "targets must be a list of at least one"),
        (lambda: profile(RUNS, [1, math.nan]), "targets must not contain NaN"),
        (lambda: profile(RUNS, [4], [math.nan]), "works must be at most"),
        (lambda: profile(RUNS, [4], confidence=2), "confidence must be between"),
        (lambda: ecdf(hits_of(RUNS, 4), confidence=2), "confidence must be between"),
    ],
)
def test_invalid_arguments_are_rejected(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
