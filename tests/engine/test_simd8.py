"""Operations on vectors of 8 numbers equal NumPy's."""

import numpy as np
import pytest
from cases import cases

from prviz.engine.dispatch import driver
from prviz.engine.simd.functions import exponential, logarithm, logistic
from prviz.engine.simd.simd8 import (
    bits,
    each,
    exponent,
    fractions,
    kept,
    larger,
    largest,
    less,
    limit,
    load,
    mantissa,
    mask,
    padded,
    smaller,
    spread,
    store,
    strided,
    total,
    totals,
    vector_of,
)

EPSILON = np.finfo(float).eps


@driver
def _each_octet(which, x, result):
    for at in range(0, len(x), 8):
        vector = load(x, at)
        if which == 0:
            store(result, at, exponential(vector))
        elif which == 1:
            store(result, at, logistic(vector))
        elif which == 2:
            store(result, at, logarithm(vector))
        elif which == 3:
            store(result, at, exponent(vector))
        elif which == 4:
            store(result, at, mantissa(vector))
        elif which == 5:
            store(result, at, limit(vector, -1.5, 2.0))
        else:
            store(result, at, 2.0 - vector / 4.0 + 3.0 * (vector - spread(1.0)) * vector)


NAMES = ("exponential", "logistic", "logarithm", "exponent", "mantissa", "limit", "arithmetic")


def octetwise(name, x):
    result = np.empty(len(x))
    _each_octet(NAMES.index(name), x, result)
    return result


def assert_within(ulps, found, expected):
    np.testing.assert_allclose(found, expected, rtol=ulps * EPSILON, atol=0)


def test_exponential_equals_numpy():
    x = np.concatenate([np.linspace(-700, 700, 8000), np.linspace(-1, 1, 800)])
    assert_within(4, octetwise("exponential", x), np.exp(x))
    far = np.array([-1e9, -701.0, 701.0, 1e9, -np.inf, np.inf, np.nan, 0.0])
    near = [-700, -700, 700, 700, -700, 700, -700, 0]
    assert_within(4, octetwise("exponential", far), np.exp(near))


def test_logistic_equals_numpy():
    x = np.linspace(-40, 40, 8000)
    assert_within(4, octetwise("logistic", x), 1 / (1 + np.exp(-x)))
    sure = octetwise("logistic", np.array([-1e9, 1e9] * 4))
    assert (sure[::2] < 1e-300).all() and (sure[1::2] == 1.0).all()


def test_logarithm_equals_numpy():
    x = np.concatenate([np.logspace(-300, 300, 8000), 1 + np.linspace(-1e-3, 1e-3, 800)])
    assert_within(4, octetwise("logarithm", x), np.log(x))


def test_exponent_and_mantissa_split_a_number():
    x = np.logspace(-300, 300, 800)
    m, n = octetwise("mantissa", x), octetwise("exponent", x)
    assert ((m >= 1) & (m < 2)).all()
    assert (m * 2.0**n == x).all()


def test_clipping_and_arithmetic_equal_numpy():
    x = np.array([-3.0, -1.5, 0.0, 1.0, 2.0, 5.0, -np.inf, np.inf])
    assert (octetwise("limit", x) == np.clip(x, -1.5, 2.0)).all()
    x = np.linspace(-2, 2, 16)
    assert_within(4, octetwise("arithmetic", x), 2 - x / 4 + 3 * (x - 1) * x)


@driver
def _gathered(rows, result):
    store(result, 0, less(load(rows, 0), load(rows, 8)))
    store(result, 8, each(rows, 3))
    a, b, c, d = load(rows, 0), load(rows, 8), load(rows, 16), load(rows, 24)
    e, f, g, h = load(rows, 32), load(rows, 40), load(rows, 48), load(rows, 56)
    store(result, 16, totals(a, b, c, d, e, f, g, h))
    result[24] = total(a)
    result[25] = largest(a)


def test_comparisons_and_sums_of_vectors_equal_numpy():
    rows = np.random.default_rng(0).normal(size=(8, 8))
    result = np.empty(26)
    _gathered(rows.ravel(), result)
    assert (result[:8] == (rows[0] < rows[1])).all()
    assert (result[8:16] == rows[0, 3]).all()
    np.testing.assert_allclose(result[16:24], rows.sum(axis=1), rtol=1e-13)
    assert result[24] == pytest.approx(rows[0].sum(), rel=1e-13)
    assert result[25] == rows[0].max()


@driver
def _bitwise(rows, words, result):
    store(result, 0, bits(0b10010110))
    store(result, 8, fractions(words, 3))
    return mask(load(rows, 0), load(rows, 8))


@cases("function", [_bitwise, getattr(_bitwise, "__wrapped__", _bitwise)])
def test_bits_and_fractions_and_mask_are_correct(function):
    rng = np.random.default_rng(0)
    rows, words = rng.normal(size=(2, 8)), rng.integers(0, 2**63, 6).astype(np.uint64) * 2
    result = np.empty(16)
    number = function(rows.ravel(), words, result)
    assert number == sum(2**i for i in range(8) if rows[0, i] < rows[1, i])
    assert result[:8].tolist() == [0, 1, 1, 0, 1, 0, 0, 1]
    halves = [half for word in words for half in (int(word) % 2**32, int(word) >> 32)]
    assert result[8:].tolist() == [half / 2**32 for half in halves[3:11]]


@driver
def _every_third(x, result):
    store(result, 0, strided(x, 2, 3))


@cases("function", [_every_third, getattr(_every_third, "__wrapped__", _every_third)])
def test_strided_entries_are_loaded(function):
    result = np.empty(8)
    function(np.arange(24.0), result)  # loads the last entry of the array, too
    assert result.tolist() == [2, 5, 8, 11, 14, 17, 20, 23]


def test_padded_length_is_a_multiple_of_the_vector_length():
    assert [padded(n) for n in (1, 8, 9, 16)] == [8, 8, 16, 16]


@driver
def _of_two(x, y, low, high):
    store(low, 0, smaller(load(x, 0), load(y, 0)))
    store(high, 0, larger(load(x, 0), load(y, 0)))


def test_minimum_and_maximum_equal_plain_python():
    x = np.array([1.0, 2.0, -0.0, 0.0, np.inf, -np.inf, np.nan, 5.0])
    y = np.array([2.0, 1.0, 0.0, -0.0, 1.0, 1.0, 3.0, 5.0])
    low, high = np.empty(8), np.empty(8)
    _of_two(x, y, low, high)
    for found, plain in ((low, smaller(x, y)), (high, larger(x, y))):
        assert found.tobytes() == plain.tobytes()
    assert low[:6].tolist() == [1, 1, 0, 0, 1, -np.inf]
    assert high[:6].tolist() == [2, 2, 0, 0, np.inf, 1]


@driver
def _kept_and_put_together(x, where, some, result):
    store(some, 0, kept(load(x, 0), load(where, 0)))
    store(result, 0, vector_of(x[7], x[6], x[5], x[4], x[3], x[2], x[1], x[0]))


def test_select_keeps_numbers_where_the_mask_is_positive():
    x = np.array([1.0, 2.0, np.inf, np.inf, np.nan, 6.0, 7.0, 8.0])
    where = np.array([1.0, 0.0, -0.0, 1e-300, 0.0, np.nan, -1.0, np.inf])
    some, backwards = np.empty(8), np.empty(8)
    _kept_and_put_together(x, where, some, backwards)
    assert some.tolist() == kept(x, where).tolist() == [1, 0, 0, np.inf, 0, 0, 0, 8]
    assert backwards.tobytes() == x[::-1].tobytes() == vector_of(*x[::-1]).tobytes()
