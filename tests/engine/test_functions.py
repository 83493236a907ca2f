"""Test prviz's exp, ln, sine, cosine, sums and random variates, compiled and in plain Python."""

import math

import numba
import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from prviz.engine.dispatch import driver
from prviz.engine.simd import functions, sums, variates

EPSILON = np.finfo(float).eps


@driver
def _of_numbers(which, x, result):
    for i in range(len(x)):
        if which == 0:
            result[i] = functions.exponential(x[i])
        elif which == 1:
            result[i] = functions.logistic(x[i])
        elif which == 2:
            result[i] = functions.ln(x[i])
        elif which == 3:
            result[i] = functions.ln_1_plus(x[i])
        elif which == 4:
            result[i] = functions.softplus(x[i])
        elif which == 5:
            result[i] = functions.turn(x[i])[0]
        else:
            result[i] = functions.turn(x[i])[1]


NAMES = ("exponential", "logistic", "ln", "ln_1_plus", "softplus", "cosine", "sine")


def of_numbers(name, x):
    result = np.empty(len(x))
    _of_numbers(NAMES.index(name), np.asarray(x, float), result)
    return result


@cases(
    ("name", "x", "expected"),
    [
        ("exponential", np.linspace(-700, 700, 4001), np.exp),
        ("exponential", np.linspace(-1e-3, 1e-3, 401), np.exp),
        ("logistic", np.linspace(-40, 40, 4001), lambda x: 1 / (1 + np.exp(-x))),
        ("ln", np.logspace(-320, 308, 4001), np.log),
        ("ln", 1 + np.linspace(-1e-3, 1e-3, 401), np.log),
        ("ln_1_plus", np.logspace(-300, 300, 4001), np.log1p),
        ("ln_1_plus", np.linspace(-0.9, 2, 401), np.log1p),
        ("softplus", np.linspace(-690, 700, 4001), lambda x: np.logaddexp(0, x)),
    ],
)
def test_functions_are_exact_to_a_few_ulps(name, x, expected):
    np.testing.assert_allclose(of_numbers(name, x), expected(x), rtol=4 * EPSILON, atol=1e-300)


def test_logarithm_equals_numpy_for_zero_and_negative_numbers():
    x = np.array([0.0, -0.0, -1.0, np.inf, np.nan, 5e-324])
    expected = [-np.inf, -np.inf, np.nan, np.inf, np.nan, math.log(5e-324)]
    np.testing.assert_allclose(of_numbers("ln", x), expected, rtol=EPSILON)


def test_sine_and_cosine_of_many_turns_are_accurate():
    z = np.concatenate([np.linspace(-2, 2, 4001), [1e6 + 0.125, -3e8 - 0.25]])
    part = z - np.rint(z)  # for large z, NumPy would get a rounded 2πz
    cosine, sine = of_numbers("cosine", z), of_numbers("sine", z)
    np.testing.assert_allclose(cosine, np.cos(2 * np.pi * part), rtol=0, atol=4 * EPSILON)
    np.testing.assert_allclose(sine, np.sin(2 * np.pi * part), rtol=0, atol=4 * EPSILON)
    quarters = of_numbers("cosine", [0, 0.25, 0.5, 0.75, 1]), of_numbers("sine", [0, 0.25, 0.5, 1])
    assert quarters[0].tolist() == [1, 0, -1, 0, 1] and quarters[1].tolist() == [0, 1, 0, 0]


@driver
def _sum(values, start, count):
    return sums.sum_of(values, start, count)


@given(st.lists(st.floats(-1e6, 1e6), max_size=70), st.data())
def test_sum_is_the_same_compiled_and_in_plain_python(numbers, data):
    values = np.array(numbers, float)
    start = data.draw(st.integers(0, len(values)))
    count = data.draw(st.integers(0, len(values) - start))
    exact = math.fsum(values[start : start + count])
    found = _sum(values, start, count)
    assert found == pytest.approx(exact, abs=count * EPSILON * np.abs(values).sum())
    assert found == sums.sum_of(values, start, count)


@driver
def _draw(which, rng, result):
    for i in range(len(result)):
        if which == 0:
            result[i] = variates.normal(rng)
        else:
            result[i] = variates.gamma(rng, which)
    return variates.exponentials(rng, len(result))


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="so many draws take long without compiling")
@cases("which", [0, 1, 2, 120])
def test_variates_follow_their_distribution(which):
    drawn = np.empty(200_000)
    exponential = _draw(which, np.random.default_rng(3), drawn)
    expected = stats.gamma(which) if which else stats.norm()
    assert stats.kstest(drawn, expected.cdf).pvalue > 1e-3
    assert stats.kstest(exponential, stats.expon().cdf).pvalue > 1e-3
    assert (exponential >= 0).all()


def test_empty_array_draws_no_variates():
    rng = np.random.default_rng(0)
    assert len(_draw(0, rng, np.empty(0))) == 0
    assert rng.random() == np.random.default_rng(0).random()


def test_any_number_of_variates_can_be_drawn():
    assert len(_draw(0, np.random.default_rng(0), np.empty(9))) == 9
