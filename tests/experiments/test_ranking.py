"""Ranks of runs equal hand calculations; p-values equal SciPy's and exact permutation tests."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made import run_of

from prviz.experiments.tuning.ranking import holm, mean_ranks, p_worse, places, scores


def test_hits_rank_by_time_then_misses_by_cost():
    runs = [
        run_of({1: 9.0, 4: 2.0}),  # solved at 4
        run_of({1: 5.0, 2: 3.5}, end=10),  # not solved, small gap
        run_of({1: 2.5}),  # solved at 1
        run_of({1: 9.0}, end=10),  # not solved, large gap
        run_of({1: 9.0, 4: 2.9}),  # solved at 4, too
    ]
    found = scores(runs, target=3.0)
    assert found.tolist() == [[0, 4], [1, 3.5], [0, 1], [1, 9], [0, 4]]
    assert places(found).tolist() == [1, 2, 0, 3, 1]


def test_costs_that_are_equal_up_to_rounding_share_a_rank():
    found = scores([run_of({1: cost}) for cost in (5.0, 5.0 + 1e-9, 6.0)], target=-np.inf)
    assert places(found).tolist() == [0, 1, 2]
    assert places(found, alike=1e-8).tolist() == [0, 0, 1]


def test_mean_ranks_equal_a_hand_calculation():
    # values 0 0 1 | 1 2 have the ranks 1.5 1.5 3.5 | 3.5 5
    scored = [np.array([[0, 1], [0, 1], [0, 2]]), np.array([[0, 2], [1, 7.0]])]
    assert mean_ranks(scored) == pytest.approx([6.5 / 3, 4.25])


def statistic(leader, other):
    """Compute Brunner and Munzel's statistic pair by pair."""

    def below(x, values):
        return np.mean([(v < x) + (v == x) / 2 for v in values])

    of_leader = [below(x, leader) for x in other]
    of_other = [below(x, other) for x in leader]
    p = np.mean(of_leader)
    spread = np.var(of_leader, ddof=1) / len(other) + np.var(of_other, ddof=1) / len(leader)
    if spread <= 1e-12:
        return 0.0 if abs(p - 0.5) < 1e-12 else math.copysign(math.inf, p - 0.5)
    return (p - 0.5) / math.sqrt(spread)


FEW = st.lists(st.integers(0, 5), min_size=3, max_size=4)


@settings(max_examples=30, deadline=None)
@given(FEW, FEW)
def test_p_worse_of_few_runs_equals_an_exact_permutation_test(leader, other):
    pooled, there = [*leader, *other], range(len(leader) + len(other))
    found = [
        statistic([pooled[i] for i in there if i not in chosen], [pooled[i] for i in chosen])
        for chosen in itertools.combinations(there, len(other))
    ]
    found, seen = np.nan_to_num([found, [statistic(leader, other)] * len(found)], posinf=np.inf)
    expected = np.mean(found >= seen - 1e-9) if statistic(leader, other) > 1e-9 else 1.0
    assert p_worse(leader, other) == pytest.approx(expected)


def test_p_is_minimal_if_all_values_are_separated():
    assert p_worse(range(15), range(20, 25)) == pytest.approx(1 / math.comb(20, 5))
    assert p_worse(range(20, 35), range(5)) == 1.0
    assert p_worse([1] * 12, [1] * 12) == p_worse([1] * 4, [1] * 4) == 1.0
    assert p_worse(range(10), range(20, 30)) == pytest.approx(1 / math.comb(20, 10))


def test_holm_equals_a_hand_calculation():
    # 0.01 · 4, 0.02 · 3, then 0.03 · 2 (no less than the previous product), 0.9 · 1
    assert holm([0.03, 0.01, 0.9, 0.02]) == pytest.approx([0.06, 0.04, 0.9, 0.06])
    assert holm([]).size == 0
