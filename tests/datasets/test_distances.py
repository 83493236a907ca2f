"""Squared distances whose every bit is settled: exact sums of products, whatever adds them up."""

from fractions import Fraction

import numpy as np
import pytest

import prviz
from prviz.datasets.matrices import _slices, squared_distances

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    "points",
    [
        RNG.normal(size=(30, 7)),
        RNG.normal(size=(12, 700)) * np.logspace(-9, 9, 700),
        RNG.random((20, 1)) * 1e-100,
        RNG.random((20, 3)) * 1e140,
    ],
)
def test_as_exact_fractions_have_them(points):
    found = squared_distances(points)
    largest = (points**2).sum(axis=1).max()
    rows = [[Fraction(x) for x in row] for row in points.tolist()]
    for i in range(0, len(rows), 5):
        for j in range(len(rows)):
            exact = sum((a - b) ** 2 for a, b in zip(rows[i], rows[j], strict=True))
            assert found[i, j] == pytest.approx(float(exact), rel=1e-15, abs=8e-16 * largest)


def test_whole_numbers_have_whole_squares():
    points = RNG.integers(0, 1000, (40, 64)).astype(float)
    exact = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.testing.assert_array_equal(squared_distances(points), exact)


def test_slices_add_up_and_their_products_are_exact():
    points = RNG.normal(size=(10, 1000)) * np.logspace(-3, 3, 1000)
    slices = _slices(points)
    np.testing.assert_array_equal(np.sum(slices[::-1], axis=0), points)
    for left in slices:
        for right in slices:
            exact = [
                sum(Fraction(a) * Fraction(b) for a, b in zip(row, other, strict=True))
                for row, other in zip(left.tolist(), right.tolist(), strict=True)
            ]
            np.testing.assert_array_equal((left * right).sum(axis=1), np.array(exact, float))


def test_zeros_and_a_single_point():
    assert not squared_distances(np.zeros((3, 2))).any()
    assert squared_distances(np.ones((1, 2))).tolist() == [[0.0]]


def test_symmetric_with_a_clear_diagonal_and_never_negative():
    points = np.repeat(RNG.normal(size=(5, 3)) + 1e6, 4, axis=0)
    found = prviz.dissimilarity(points)
    assert (found >= 0).all() and (found == found.T).all() and not np.diagonal(found).any()
    assert (prviz.dissimilarity(points, "euclidean") == np.sqrt(found)).all()
