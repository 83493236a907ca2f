"""Quantiles and intervals equal hand calculations and SciPy."""

import math

import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from prviz.experiments.statistics.intervals import dkw, quantile, ranks, share_of
from prviz.experiments.statistics.resampling import generator, in_order, percentiles, resamples

VALUES = st.lists(st.sampled_from([-1.0, 0.0, 2.0, 3.5, math.inf]), min_size=1, max_size=12)


def test_quantiles_are_observed_values():
    assert quantile([4, 1, 3, 2], 0.5) == 2  # the lower of the two middle values
    assert quantile([4, 1, 3, 2], 0.51) == 3
    assert quantile([4, 1, 3, 2], 0.75) == 3 and quantile([4, 1, 3, 2], 1) == 4
    assert quantile([4, 1, 3, 2], 1e-12) == 1
    assert quantile([1, np.inf, np.inf], 0.5) == np.inf
    assert quantile([[1, 6], [3, 4], [2, 5]], 0.5).tolist() == [2, 5]


def test_ranks_are_robust_to_rounding():
    assert 100 * 0.07 > 7  # true in floating point
    assert quantile(np.arange(1, 101), 0.07) == 7


@given(VALUES, st.integers(1, 100))
def test_quantile_is_the_smallest_value_with_enough_values_at_or_below_it(values, percent):
    found = quantile(values, percent / 100)
    reached = [v for v in values if 100 * sum(w <= v for w in values) >= percent * len(values)]
    assert found == min(reached)


@given(st.integers(1, 1000), st.floats(0.01, 0.99))
def test_ranks_are_the_closest_with_enough_binomial_coverage(n, p):
    low, high, coverage = ranks(n, p)

    def below(k):
        return binom.cdf(k - 1, n, p)

    assert below(low) <= 0.025 < below(low + 1)
    assert 1 - below(high) <= 0.025 < 1 - below(high - 1)
    assert coverage == pytest.approx(below(high) - below(low)) and coverage >= 0.95
    assert 0 <= low < high <= n + 1


def test_median_interval_needs_six_values():
    assert ranks(5)[:2] == (0, 6) and ranks(6)[:2] == (1, 6)
    assert ranks(6).coverage == pytest.approx(1 - 2 / 2**6)


def test_interval_of_a_share_is_wilsons():
    z = 1.959963984540054  # (k + z²/2 ± z √(k (n − k)/n + z²/4)) / (n + z²) for 3 of 7
    middle, half = 3 + z**2 / 2, z * math.sqrt(3 * 4 / 7 + z**2 / 4)
    low, high = (middle - half) / (7 + z**2), (middle + half) / (7 + z**2)
    assert share_of(3, 7) == pytest.approx((3 / 7, low, high, 3, 7))
    assert share_of(0, 10).low == 0 and share_of(10, 10).high == 1


def test_dkw_equals_a_hand_calculation():
    assert dkw(100) == pytest.approx(math.sqrt(math.log(40) / 200))
    assert dkw(100) == pytest.approx(0.13581, abs=1e-5)
    assert dkw(400) == dkw(100) / 2


def test_resamples_count_how_often_each_run_is_drawn():
    counts = resamples(5, 300, generator(1))
    assert counts.shape == (300, 5) and (counts.sum(axis=1) == 5).all()
    assert abs(counts.mean(axis=0) - 1).max() < 0.2 and counts.max() > 2
    drawn = np.random.default_rng(1).integers(5, size=(300, 5))
    assert counts.tolist() == [[row.tolist().count(i) for i in range(5)] for row in drawn]
    given_one = generator(np.random.default_rng(1))
    assert (resamples(5, 300, given_one) == counts).all()


def test_percentiles_are_observed_values_or_infinite():
    values = np.r_[np.arange(1.0, 96), np.full(5, np.inf)]
    assert percentiles(values, 0.95) == (3.0, np.inf)
    assert percentiles(values, 0.9) == (5.0, 95.0)


def test_rows_are_sorted_lexicographically():
    rows = np.array([[2.0, 1.0], [1.0, 9.0], [2.0, 0.0], [1.0, np.inf]])
    assert in_order(rows).tolist() == [[1, 9], [1, np.inf], [2, 0], [2, 1]]


@cases(
    ("call", "complaint"),
    [
        (lambda: quantile([], 0.5), "at least one number"),
        (lambda: quantile(3.0, 0.5), "at least one number"),
        (lambda: quantile([1, np.nan], 0.5), "NaN"),
        (lambda: quantile([1], 0), "p must be above 0 and at most 1"),
        (lambda: quantile([1], 1.1), "p must be above 0 and at most 1"),
        (lambda: ranks(0), "n must be at least 1"),
        (lambda: ranks(10, 1.0), "p must be between 0 and 1"),
        (lambda: ranks(10, 0.5, 1.0), "confidence must be between 0 and 1"),
        (lambda: share_of(3, 2), "hits must be between 0 and n"),
        (lambda: share_of(0, 0), "n at least 1"),
        (lambda: share_of(1, 2, 95), "confidence must be between 0 and 1"),
        (lambda: dkw(0), "n must be at least 1"),
        (lambda: dkw(5, math.nan), "confidence must be between 0 and 1"),
        (lambda: resamples(3, 0, generator(0)), "resamples must be at least 1"),
        (lambda: generator(-1), "seed must be 0 or more"),
    ],
)
def test_invalid_arguments_are_rejected(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
