"""Comparison masks stored as bits equal NumPy's results."""

import numpy as np
from cases import cases

from prviz.engine.dispatch import driver, helper
from prviz.engine.simd.sieve import BLOCK, equal, lowest, near


@helper
def _note(word, begin, found, n_found):
    while word != 0:
        found[n_found] = begin + lowest(word)
        n_found += 1
        word &= word - 1
    return n_found


@driver
def all_near(offers, limits):
    found, n_found = np.zeros(len(offers), np.int64), 0
    for begin in range(0, len(offers), BLOCK):
        n_found = _note(near(offers, limits, begin), begin, found, n_found)
    return found[:n_found]


@driver
def all_equal(numbers, wanted):
    found, n_found = np.zeros(len(numbers), np.int64), 0
    for begin in range(0, len(numbers), BLOCK):
        n_found = _note(equal(numbers, wanted, begin), begin, found, n_found)
    return found[:n_found]


SIZES = [1, 63, 64, 65, 128, 200]


@cases("dtype", [np.float32, np.float64])
@cases("n", SIZES)
def test_near_finds_the_offers_within_their_limits_in_order(n, dtype):
    rng = np.random.default_rng(n)
    for share in (0.0, 0.1, 0.9, 1.0):
        offers = rng.integers(0, 5, n).astype(dtype)
        limits = np.where(rng.random(n) < share, offers + rng.integers(0, 2, n), offers - 1)
        limits = limits.astype(dtype)
        offers[rng.random(n) < 0.05] = np.nan  # NaN is never within its limit
        expected = np.flatnonzero(offers <= limits)
        np.testing.assert_array_equal(all_near(offers, limits), expected)


@cases("n", SIZES)
def test_equal_finds_the_equal_numbers_in_order(n):
    numbers = np.random.default_rng(n).integers(-2, 3, n).astype(np.int32)
    for wanted in range(-2, 3):
        expected = np.flatnonzero(numbers == wanted)
        np.testing.assert_array_equal(all_equal(numbers, wanted), expected)
