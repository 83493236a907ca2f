"""Operations on vectors of 16 numbers equal NumPy's."""

import numpy as np
from cases import cases

from prviz.engine.dispatch import driver
from prviz.engine.simd.simd16 import (
    each,
    larger,
    load,
    smaller,
    spread,
    store,
    store_turned,
    where_less,
)


@driver
def _words(x, result):
    a, b = load(x, 0), load(x, 16)
    store(result, 0, a * b + spread(0.1) - each(x, 3))
    store(result, 16, smaller(a, b))
    store(result, 32, larger(a, b))
    store(result, 48, where_less(a, b, spread(1.0), a))


@driver
def _turn(x, result):
    store_turned(
        result, 3, 20,
        load(x, 0), load(x, 16), load(x, 32), load(x, 48),
        load(x, 64), load(x, 80), load(x, 96), load(x, 112),
        load(x, 128), load(x, 144), load(x, 160), load(x, 176),
        load(x, 192), load(x, 208), load(x, 224), load(x, 240),
    )  # fmt: skip


def both(function):
    """Run a test on a function, compiled and in plain Python."""
    return cases("function", [function, getattr(function, "__wrapped__", function)])


@both(_words)
def test_operations_equal_numpy(function):
    x = np.random.default_rng(0).normal(size=32).astype(np.float32)
    a, b = x.reshape(2, 16)
    result = np.empty(64, np.float32)
    function(x, result)
    np.testing.assert_array_equal(result[:16], a * b + np.float32(0.1) - x[3])
    np.testing.assert_array_equal(result[16:32], np.minimum(a, b))
    np.testing.assert_array_equal(result[32:48], np.maximum(a, b))
    np.testing.assert_array_equal(result[48:], np.where(a < b, 1, a))


@both(_turn)
def test_transpose_of_a_block_of_16_by_16_numbers(function):
    x = np.arange(256, dtype=np.float32)
    result = np.full(3 + 16 * 20, -1, np.float32)
    function(x, result)
    rows = result[3:].reshape(16, 20)
    np.testing.assert_array_equal(rows[:, :16], x.reshape(16, 16).T)
    assert (rows[:, 16:] == -1).all() and (result[:3] == -1).all()
