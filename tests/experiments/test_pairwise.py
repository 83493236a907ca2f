"""Comparisons of two methods equal hand calculations, loops over pairs, and SciPy."""

import math

import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import brunnermunzel

from prviz.experiments.statistics.fixed_target import Hits, ert, least_ert, resampled_erts
from prviz.experiments.statistics.pairwise import chance_below, ert_ratio, levelled

INF = math.inf
VALUES = st.lists(st.sampled_from([0.0, 1.0, 2.0, 5.0, INF]), min_size=2, max_size=9)


def hits(times, ends) -> Hits:
    return Hits(np.array(times, float), np.array(ends, float), np.zeros(len(times), bool))


def test_probability_to_be_lower_equals_a_hand_calculation():
    found = chance_below([1, 2, 3], [2, 3, 4])
    # A is lower in six of nine pairs, and equal in two
    assert found.chance == pytest.approx(7 / 9)
    assert (found.n_a, found.n_b) == (3, 3)
    # shares of A below each b: 1/2, 5/6, 1; of B below each a: 0, 1/6, 1/2; both variances 7/108
    assert np.var([1 / 2, 5 / 6, 1], ddof=1) == pytest.approx(7 / 108)
    half = 2.7764451 * math.sqrt(2 * 7 / 108 / 3)  # Student's t with 4 degrees of freedom
    assert found.low == pytest.approx(7 / 9 - half) and found.high == 1


@given(VALUES, VALUES)
def test_probability_equals_that_of_a_loop_over_pairs(a, b):
    pairs = [(x < y) + (x == y) / 2 for x in a for y in b]
    found = chance_below(a, b)
    assert found.chance == pytest.approx(sum(pairs) / len(pairs))
    assert 0 <= found.low <= found.chance <= found.high <= 1
    back = chance_below(b, a)
    assert [1 - back.chance, 1 - back.high, 1 - back.low] == pytest.approx(found[:3])
    assert chance_below(a[::-1], b[::-1]) == found
    assert chance_below(np.exp(a), np.exp(b)) == found  # only the order counts
    narrower = chance_below(a, b, 0.5)
    assert found.low <= narrower.low <= narrower.high <= found.high


@cases("seed", range(6))
def test_interval_of_confidence_1_minus_scipys_p_value_ends_at_one_half(seed):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 8, rng.integers(5, 40)) * 1.0
    b = rng.integers(0, 9, rng.integers(5, 40)) + rng.normal(size=1).round()
    b[0] = INF  # a run without a hit
    theirs = brunnermunzel(a, b)
    found = chance_below(a, b, 1 - theirs.pvalue)  # ½ is exactly at the end of the interval
    end = found.low if found.chance > 0.5 else found.high
    assert end == pytest.approx(0.5, abs=1e-12)
    assert np.sign(theirs.statistic) == np.sign(found.chance - 0.5)


def test_interval_is_wide_even_if_all_values_are_separated():
    found = chance_below([1] * 10, [2, 3] * 10)
    # lower end of the 95 % interval of P if A is lower in all of ten independent pairs
    bound = 0.025 ** (1 / 10)
    assert found[:3] == pytest.approx((1, bound, 1)) and bound == pytest.approx(0.69150, abs=1e-5)
    assert chance_below([2, 3] * 10, [1] * 10)[:3] == pytest.approx((0, 0, 1 - bound))
    assert chance_below(np.arange(1000), np.arange(1000, 2000)).low > 0.996


def test_interval_is_wide_if_all_tie():
    for value in (4, INF):
        found = chance_below([value] * 20, [value] * 10)
        apart = 1 - 0.05 ** (1 / 10)  # the largest plausible P(A ≠ B)
        assert found[:3] == pytest.approx((0.5, 0.5 - apart / 2, 0.5 + apart / 2))


def test_rounding_errors_are_ties():
    a, b = [1.0, 2.0, 3.0], [1.0 + 1e-13, 2.0 + 1e-13, 4.0]
    assert chance_below(a, b).chance == pytest.approx(6 / 9)
    assert chance_below(a, b, alike=1e-12).chance == pytest.approx(5 / 9)
    assert levelled(np.array([3.1, 1, INF, 1.4, 1.8, 2.5, INF, -INF]), 0.5).tolist() == [
        *(3, 1, 4, 1, 1, 2, 4, 0)
    ]
    assert levelled(np.array([1e308, -1e308, 0.0]), 1.0).tolist() == [2, 0, 1]


SOME = hits([2, 4, INF, 6, 3], [9, 9, 8, 9, 9])
MORE = hits([5, INF, INF, 7, 8, 9], [10] * 6)
NONE = hits([INF] * 4, [10] * 4)


def test_ratio_equals_a_hand_calculation():
    found = ert_ratio(SOME, MORE)
    assert found.ratio == pytest.approx((23 / 4) / (49 / 4))
    assert found[3:7] == (4, 5, 4, 6)
    assert found.low < found.ratio < found.high
    assert ert_ratio(MORE, MORE).ratio == 1
    rng = np.random.default_rng(8)  # A is resampled first, then B
    ratios = [resampled_erts(each, 100, rng) for each in (SOME, MORE)]
    ratios = sorted(a / b for a, b in zip(*ratios, strict=True))
    again = ert_ratio(SOME, MORE, 0.9, 100, 8)
    assert again[1:3] == pytest.approx((ratios[4], ratios[94]))


def test_uninformative_resamples_widen_the_interval():
    one, two = hits([1] + [INF] * 9, [5] * 10), hits([1] * 2 + [INF] * 8, [5] * 10)
    # `two` has no hit in 0.8^10 = 10.7 % of the resamples. In 3.7 %, `one` has no hit either, so
    # the ratio is unknown, and in the other 7 % the ratio is infinite. Unknown ratios count as
    # infinite, so 10.7 % of all ratios are infinite, and so is the upper end, the 91 % quantile.
    found = ert_ratio(two, one, 0.82, 20000)
    assert found.ratio == pytest.approx(21 / 46) and found.high == INF
    assert ert_ratio(one, two, 0.82, 20000).low == 0


def test_ratio_without_hits_has_a_one_sided_interval():
    bound = least_ert(40, 4, 0.975)
    found = ert_ratio(NONE, SOME, rng=5)
    assert found[:3] == (INF, bound / ert(SOME, 0.975, rng=5).high, INF)
    assert found[3:7] == (0, 4, 4, 5)
    back = ert_ratio(SOME, NONE, rng=5)
    assert back[:3] == (0, 0, ert(SOME, 0.975, rng=5).high / bound)
    assert back[3:7] == (4, 5, 0, 4)
    neither = ert_ratio(NONE, NONE)
    assert math.isnan(neither.ratio) and neither[1:3] == (0, INF)


@cases(
    ("call", "complaint"),
    [
        (lambda: chance_below([1], [1, 2]), "at least two numbers each"),
        (lambda: chance_below([1, 2], []), "b must be a list"),
        (lambda: chance_below([1, 2], [1, math.nan]), "b must not contain NaN"),
        (lambda: chance_below([[1, 2]], [[1, 2]]), "at least two numbers each"),
        (lambda: chance_below([1, 2], [1, 2], 1), "confidence must be between"),
        (lambda: chance_below([1, 2], [1, 2], alike=-1), "alike must be 0 or more"),
        (lambda: ert_ratio(SOME, NONE, 1), "confidence must be between"),
        (lambda: ert_ratio(SOME, hits([], [])), "times must be a list"),
    ],
)
def test_invalid_arguments_are_rejected(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
