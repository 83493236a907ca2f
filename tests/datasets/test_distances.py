"""Squared distances equal those of exact fractions, also far from the origin."""

from fractions import Fraction

import numpy as np
import pytest
from cases import cases
from scipy.spatial import distance

import prviz
from prviz.datasets.distances import _slices, nearest, products_suffice, squared_distances
from prviz.datasets.types import matrices

RNG = np.random.default_rng(0)


@cases(
    "points",
    [
        RNG.normal(size=(30, 7)),
        RNG.normal(size=(12, 700)) * np.logspace(-9, 9, 700),
        RNG.random((20, 1)) * 1e-100,
        RNG.random((20, 3)) * 1e140,
    ],
)
def test_distances_equal_exact_fractions(points):
    found = squared_distances(points)
    largest = (points**2).sum(axis=1).max()
    rows = [[Fraction(x) for x in row] for row in points.tolist()]
    for i in range(0, len(rows), 5):
        for j in range(len(rows)):
            exact = sum((a - b) ** 2 for a, b in zip(rows[i], rows[j], strict=True))
            assert found[i, j] == pytest.approx(float(exact), rel=1e-15, abs=8e-16 * largest)


def test_distances_of_whole_numbers_are_whole():
    points = RNG.integers(0, 1000, (40, 64)).astype(float)
    exact = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.testing.assert_array_equal(squared_distances(points), exact)


def test_slices_of_a_number_sum_to_it_and_multiply_exactly():
    points = RNG.normal(size=(1, 1000)) * np.logspace(-3, 3, 1000)
    slices = _slices(points)
    np.testing.assert_array_equal(np.sum(slices[::-1], axis=0), points)
    exact = [[*map(Fraction, part[0].tolist())] for part in slices]
    for left, ours in zip(slices, exact, strict=True):
        for right, theirs in zip(slices, exact, strict=True):
            product = sum(a * b for a, b in zip(ours, theirs, strict=True))
            assert (left * right).sum() == float(product)


@cases("offset", [1.7e9, -1.7e9])
def test_squared_distances_are_exact_far_from_the_origin(offset):
    points = offset + np.array([[0.0, 0.0], [3.0, 4.0], [0.25, 0.0]])
    assert squared_distances(points).tolist() == [
        [0, 25, 0.0625],
        [25, 0, 2.75**2 + 16],
        [0.0625, 2.75**2 + 16, 0],
    ]


def test_squared_distances_resolve_close_points_of_distant_clusters():
    points = np.concatenate([np.arange(300.0) / 1024, 1e9 + np.arange(300.0) / 1024])[:, None]
    exact = (points - points.T) ** 2
    np.testing.assert_allclose(squared_distances(points), exact, rtol=1e-8)


def test_squared_distances_resolve_small_steps_on_a_long_line():
    points = np.concatenate([[0.0, 1e-7], np.random.default_rng(0).random(50)])[:, None]
    assert squared_distances(points)[0, 1] == 1e-7**2


def test_a_tie_goes_to_the_lowest_number():
    points, centers = np.array([[1.0], [5.0], [1.7e9 + 2]]), np.array([[0.0], [2.0], [1.7e9]])
    assert nearest(points, centers).tolist() == [0, 1, 2]


def test_dot_products_are_used_only_near_the_origin():
    points, centers = np.arange(9.0)[:, None], np.array([[0.0], [8.0]])
    assert products_suffice(points, centers)
    assert not products_suffice(points + 1.7e9, centers + 1.7e9)
    assert not products_suffice(points, np.zeros((2, 1)))
    assert not products_suffice(points, np.zeros((1, 1)))


def test_distances_are_zero_for_zeros_and_for_a_single_point():
    assert not squared_distances(np.zeros((3, 2))).any()
    assert squared_distances(np.ones((1, 2))).tolist() == [[0.0]]


def test_matrix_is_symmetric_nonnegative_with_zero_diagonal():
    points = np.repeat(RNG.normal(size=(5, 3)) + 1e6, 4, axis=0)
    found = prviz.dissimilarity(points)
    assert (found >= 0).all() and (found == found.T).all() and not np.diagonal(found).any()
    assert (prviz.dissimilarity(points, "euclidean") == np.sqrt(found)).all()


def test_every_metric_gives_the_distances_of_scipy():
    assert set(matrices.METRICS) == set(distance._METRICS_NAMES)
    reals, bits = RNG.random((12, 4)) + 0.1, RNG.integers(0, 2, (12, 5)).astype(float)
    for metric in matrices.METRICS:
        points = bits if metric in matrices.OF_BITS else reals
        found = prviz.dissimilarity(points, metric)
        spread = {
            "seuclidean": {"V": points.var(axis=0, ddof=1)},
            "mahalanobis": {"VI": np.linalg.inv(np.cov(points.T))},
        }.get(metric, {})
        expected = distance.cdist(points, points, metric, **spread)
        np.fill_diagonal(expected, 0.0)  # SciPy's Russell–Rao is not 0 on the diagonal
        np.testing.assert_allclose(found, expected, atol=1e-7)
        assert (found == found.T).all() and (found >= 0).all() and not np.diagonal(found).any()


@cases(
    ("points", "metric", "said"),
    [
        ([[1, 2], [0, 0], [3, 4]], "cosine", "undefined between points 0 and 1"),
        ([[1, 2], [3, 4], [5, 5]], "correlation", "undefined between points 0 and 2"),
        ([[1, 2], [0, 0]], "jensenshannon", "undefined between points 0 and 1"),
        ([[1, 1], [2, 2], [3, 3], [4, 4]], "mahalanobis", "linearly independent columns"),
        ([[1, 2], [3, 5]], "mahalanobis", "more points than columns"),
        ([[0, 1], [0.5, 1]], "dice", "zeros and ones, and points\\[1, 0\\] is 0.5"),
    ],
)
def test_unsuitable_metric_is_rejected(points, metric, said):
    with pytest.raises(ValueError, match=said) as caught:
        prviz.dissimilarity(points, metric)
    assert str(caught.value).endswith(".")
