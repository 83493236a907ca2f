"""Sums of chosen rows, and products with them, equal NumPy's, compiled and in plain Python."""

from itertools import cycle

import numpy as np
from cases import cases

from prviz.engine.dispatch import driver
from prviz.engine.simd.simd8 import store
from prviz.problems.hmm.rows import add_rows, dots, end_list


def _added(out, n, share, chosen, end, rows):
    end_list(chosen, share, end)
    add_rows(out, 8, n, share, chosen, end, rows)


def _products(out, v, n, chosen, rows):
    store(out, 0, dots(v, 8, n, chosen, 0, rows))


def matrix(n, seed=0):
    """Return twelve rows with ``n`` nonzero numbers from the ninth column on."""
    rows = np.zeros((12, 40))
    rows[:, 8 : 8 + n] = np.random.default_rng(seed).random((12, n))
    return rows


COMPILED = {function: driver(function) for function in (_added, _products)}


def sizes(*ends):
    """Run a test on row counts, with 1, 7, 8 and 21 columns in turn (a vector has 8)."""
    return cases(("n", "end"), [*zip(cycle([1, 7, 8, 21]), ends)])


@sizes(0, 1, 2, 3, 4, 5, 8, 9, 12)
def test_chosen_rows_are_added_with_weights(n, end):
    rows, rng = matrix(n), np.random.default_rng(end)
    chosen, share = rng.permutation(20) % 12, rng.random(20)
    wanted = 1.0 + share[:end] @ rows[chosen[:end]]
    found = [np.ones(40), np.ones(40)]
    for function, out in zip((_added, COMPILED[_added]), found, strict=True):
        function(out, n, share.copy(), chosen.copy(), end, rows)
    np.testing.assert_allclose(found[0], wanted, rtol=1e-14)
    assert found[0].tobytes() == found[1].tobytes()


@cases("n", [1, 7, 8, 21])
def test_row_products_agree_with_numpy(n):
    rows, v = matrix(n), matrix(n, seed=1)[0]
    chosen = np.arange(3, 11)
    found = [np.zeros(8), np.zeros(8)]
    for function, out in zip((_products, COMPILED[_products]), found, strict=True):
        function(out, v, n, chosen, rows)
    np.testing.assert_allclose(found[0], rows[chosen] @ v, rtol=1e-14)
    np.testing.assert_allclose(found[1], found[0], rtol=1e-14)
