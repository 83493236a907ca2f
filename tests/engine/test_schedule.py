"""Schedules follow the rules of the hierarchy, and M is chosen as in the paper."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from prviz.engine.schedule import Level, Schedule, calls_needed, total_calls


def test_two_levels_are_the_papers_schedule():
    schedule = Schedule.two_level(1, 100, 50)
    assert schedule.levels() == [Level(1, 100, 0.0), Level(50, 0, 0.0)]


def test_two_level_schedule_with_k1_of_n_has_one_level():
    assert Schedule.two_level(50, 100, 50).levels() == [Level(50)]


def test_level_that_redraws_all_variables_may_have_alpha():
    assert Schedule.two_level(50, 7, 50, alpha=0.9).levels() == [Level(50, 7, 0.9), Level(50)]


@cases(
    ("levels", "said"),
    [
        ([], "1 to 8 levels"),
        ([Level(1, 1)] * 9, "1 to 8 levels"),
        ([Level(-1, 5), Level(9)], "k_1 must be between 1 and 9, got -1"),
        ([Level("auto", 5)], 'size "auto" must be the only level, without repeats'),
        ([Level("auto"), Level(9)], 'size "auto" must be the only level'),
        ([Level(2, 5), Level("auto")], 'size "auto" must be the only level'),
        ([Level(0, 5), Level(9)], "k_1 must be between 1 and 9, got 0"),
        ([Level(1, 5), Level(0), Level(9)], "M_2 must be at least 1"),
        ([Level(10, 5), Level(9)], "k_1 must be between 1 and 9, got 10"),
        ([Level(2, 0), Level(9)], "M_1 must be at least 1, got 0"),
        ([Level(2, 5), Level(9, -1)], "M_2 must be at least 1, got -1"),
        ([Level(2, 5), Level(8)], "must redraw all N = 9"),
        ([Level(2, 5), Level(2, 5), Level(9)], "k_2 = 2 follows 2"),
        ([Level(3, 5), Level(2, 5), Level(9)], "k_2 = 2 follows 3"),
        ([Level(9, 5), Level(9)], "needs alpha > 0"),
        ([Level(9, 5, 1.5), Level(9)], "alpha on level 1 must be between 0 and 1"),
        ([Level(2, 5, math.nan), Level(9)], "alpha on level 1 must be between 0 and 1"),
        ([Level(2, 5), Level(9, 0, 0.5)], "alpha on the top level must be 0"),
        ([Level(2, 5, 0.0, "lucky"), Level(9)], "Choose from: random"),
        ([Level(2, 5, probability=0.1), Level(9)], "both a size and a probability"),
        ([Level(None, 5, probability=2.0), Level(9)], "probability on level 1"),
        ([Level(None, 5, probability=0.5)], "top level redraws every variable"),
    ],
)
def test_invalid_schedule_is_rejected(levels, said):
    with pytest.raises(ValueError, match=said.replace("(", r"\(")):
        Schedule.from_levels(levels, 9)


@cases(
    ("levels", "said"),
    [
        ([Level(1.5, 5), Level(9)], "k_1 must be a whole number, got 1.5"),
        ([Level(True, 5), Level(9)], "k_1 must be a whole number, got True"),
        ([Level("2", 5), Level(9)], "k_1 must be a whole number, got '2'"),
        ([Level(2, 5.0), Level(9)], "M_1 must be a whole number, got 5.0"),
        ([Level(2, 5, "x"), Level(9)], "alpha on level 1 must be a number"),
        ([(2, 5), Level(9)], "must be a prviz.Level"),
        (5, "levels must be a list of prviz.Level, got 5"),
        (Level(9), "levels must be a list of prviz.Level"),
    ],
)
def test_wrong_types_are_rejected(levels, said):
    with pytest.raises(TypeError, match=said):
        Schedule.from_levels(levels, 9)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=7, unique=True), st.data())
def test_schedule_returns_the_levels_it_was_made_of(sizes, data):
    sizes = sorted(sizes)
    levels = [Level(k, data.draw(st.integers(1, 50)), data.draw(st.floats(0, 1))) for k in sizes]
    levels.append(Level(31, data.draw(st.integers(0, 5))))
    assert Schedule.from_levels(levels, 31).levels() == levels


def test_total_calls_returns_the_product_of_all_m():
    assert total_calls([Level(1, 3), Level(2, 5), Level(9, 2)]) == 30
    assert total_calls([Level(1, 3), Level(9)]) is None


def test_calls_needed_equals_a_hand_calculation():
    # 0.9^43 = 0.01078, 0.9^44 = 0.00970: 44 tries all miss with a probability of at most 1 %
    assert calls_needed(0.01, 0.1) == 44
    assert calls_needed(0.5, 0.5) == 1
    assert calls_needed(0.5, 1.0) == 1
    assert calls_needed(0.5, 0.0) == math.inf
    for delta in (0.0, 1.0, math.nan):
        with pytest.raises(ValueError, match="delta"):
            calls_needed(delta, 0.1)


def test_calls_needed_equals_decimal_arithmetic():
    """Compare with 60-digit arithmetic, also where ln δ / ln(1 − ε) is an integer."""
    tens = [Decimal(10) ** -places for places in range(1, 7)]
    deltas = [digit * ten for digit in range(1, 10) for ten in tens[:4]]
    epsilons = [digit * ten for digit in range(1, 10) for ten in tens]
    with localcontext(prec=60):
        for delta in deltas:
            for epsilon in [*epsilons, *(1 - ten for ten in tens)]:
                quotient = round(delta.ln() / (1 - epsilon).ln(), 40)
                exact = max(1, math.ceil(quotient))
                assert calls_needed(float(delta), float(epsilon)) == exact, (delta, epsilon)


@given(st.floats(0.001, 0.999), st.floats(0.001, 0.999))
def test_calls_needed_returns_the_smallest_number_of_calls(delta, epsilon):
    n = calls_needed(delta, epsilon)
    assert (1 - epsilon) ** n <= delta * (1 + 1e-9)
    assert n == 1 or (1 - epsilon) ** (n - 1) > delta * (1 - 1e-9)


def test_size_of_a_level_with_a_probability_is_the_mean_size():
    schedule = Schedule.from_levels([Level(None, 4, probability=0.25), Level(8)], 8)
    assert schedule.sizes.tolist() == [2, 8]
    assert schedule.levels()[0] == Level(None, 4, probability=0.25)
    assert np.isnan(schedule.probabilities[1])
