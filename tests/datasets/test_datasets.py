"""Points are checked, generated, and read from the benchmark files."""

import hashlib
import os

import numpy as np
import pandas as pd
import pytest
from cases import cases
from scipy.sparse import csr_array

from prviz.datasets import a3, a3_like, check_points, s1, s2
from prviz.datasets.sets.generated import DEFAULT_SEED

needs_data = pytest.mark.usefixtures("data_dir")


def wcss(points, centers):
    return ((points[:, None] - centers) ** 2).sum(axis=2).min(axis=1).sum()


def lloyd(points, centers):
    while True:
        labels = ((points[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
        moved = np.array([points[labels == i].mean(axis=0) for i in range(len(centers))])
        if np.array_equal(moved, centers):
            return centers
        centers = moved


# --- check_points ---------------------------------------------------------------------------


@cases(
    "points",
    [
        [[1, 2], [3, 4]],
        np.array([[1, 2], [3, 4]], dtype=np.uint8),
        np.array([[1, 3], [2, 4]], dtype=np.float32).T,
        pd.DataFrame({"x": [1, 3], "y": [2, 4]}),
        pd.DataFrame({"x": [1, 3], "y": [2, 4]}).convert_dtypes(),
    ],
)
def test_points_become_a_new_float64_array_in_row_order(points):
    checked = check_points(points)
    assert checked.dtype == np.float64
    assert checked.flags.c_contiguous
    assert checked.tolist() == [[1, 2], [3, 4]]
    assert not np.shares_memory(checked, np.asarray(points))


@cases(
    ("points", "kind", "words"),
    [
        ([], ValueError, "points are empty"),
        (np.empty((0, 2)), ValueError, "points are empty"),
        (np.empty((3, 0)), ValueError, "points are empty"),
        ([1.0, 2.0], ValueError, "reshape(-1, 1)"),
        (pd.Series([1.0, 2.0]), ValueError, "reshape(-1, 1)"),
        (3.0, ValueError, "got 0 (shape ())"),
        (np.zeros((2, 2, 2)), ValueError, "got 3 (shape (2, 2, 2))"),
        ([[1, 2], [3]], ValueError, "points[1] has 1 coordinates but points[0] has 2"),
        ([[1, 2], 3], ValueError, "rectangular"),
        ([[1, 2], [3, np.nan]], ValueError, "points[1, 1] is nan, not a finite number"),
        ([[1, -np.inf], [3, 4]], ValueError, "points[0, 1] is -inf, not a finite number"),
        ([[1, 2], [-1e300, 4]], ValueError, "points[1, 0] is -1e+300, too large"),
        (np.array([[1e300]], dtype=np.longdouble) ** 2, ValueError, "points[0, 0] is"),
        (np.ma.masked_equal([[1, 2]], 2), ValueError, "masked entries"),
        (csr_array([[1, 2]]), TypeError, "points must be an array, got csr_array"),
        ([[0, 7], [1e-200, 7]], ValueError, "points differ by at most 1e-200"),
        ([[1, 2j]], TypeError, "real numbers, got complex128"),
        ([["a", "b"]], TypeError, "real numbers, got <U1"),
        ([[None, 1]], TypeError, "real numbers, got object"),
        (pd.DataFrame({"x": [1], "who": ["me"]}), TypeError, "column 'who' holds"),
        (pd.DataFrame({"x": [1, None]}), ValueError, "points[1, 0] is nan"),
    ],
)
def test_invalid_points_are_rejected(points, kind, words):
    with pytest.raises(kind) as caught:
        check_points(points)
    assert words in str(caught.value)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_a_single_number_and_the_largest_size_are_accepted():
    assert check_points([[7]]).tolist() == [[7.0]]
    assert check_points([[1e150, -1e150]]).tolist() == [[1e150, -1e150]]


# --- A3-like --------------------------------------------------------------------------------


def test_a3_like_has_the_shape_of_a3_and_is_labelled_as_generated():
    data = a3_like()
    assert data.stand_in and data.name == "A3-like (generated)" and "Generated" in data.notice
    points, centers = data.points, data.centers
    assert points.shape == (7500, 2)
    assert centers.shape == (50, 2)
    assert np.array_equal(points, points.round())
    assert points.min() >= 0 and points.max() <= 65535
    gaps = np.hypot(*(centers[:, None] - centers).T)
    np.fill_diagonal(gaps, np.inf)
    assert gaps.min() >= 5600
    assert gaps.min(axis=0).mean() / 1410 == pytest.approx(4.83, abs=0.05)  # as in A3
    spread = (points.reshape(50, 150, 2) - centers[:, None]).std()
    assert spread == pytest.approx(1410, rel=0.03)


def test_a3_like_is_the_same_on_every_machine():
    found = hashlib.sha256(a3_like().points.tobytes()).hexdigest()
    assert found == "a3d15166cc2bb96668f340506166d7ed5340309fded1d6a00f2f84aba5839b9d"


def test_a3_like_with_another_seed_has_no_best_known_cost():
    other = a3_like(DEFAULT_SEED + 1)
    assert not np.array_equal(other.points, a3_like().points)
    assert other.best_known is None


def test_best_known_cost_of_a3_like_is_below_lloyds_cost_from_the_true_centres():
    points, _, _, centers, best_known, *_ = a3_like()
    reached = wcss(points, lloyd(points, centers))
    assert 0 < reached / best_known - 1 < 1e-5


@cases(("seed", "kind"), [(-1, ValueError), (1.5, TypeError), ("9", TypeError), (None, TypeError)])
def test_an_invalid_seed_is_rejected(seed, kind):
    with pytest.raises(kind, match="seed must be"):
        a3_like(seed)


# --- the real files -------------------------------------------------------------------------


@needs_data
@cases(
    ("load", "name", "n", "k"), [(a3, "A3", 7500, 50), (s1, "S1", 5000, 15), (s2, "S2", 5000, 15)]
)
def test_the_benchmark_sets_are_read_with_their_ground_truth(load, name, n, k):
    data = load()
    assert data.name == name
    assert not data.stand_in
    assert "Fränti" in data.source and "research purposes" in data.source
    assert data.points.shape == (n, 2)
    assert data.centers.shape == (k, 2)
    reached = wcss(data.points, lloyd(data.points, data.centers))
    assert -1e-12 < reached / data.best_known - 1 < 1e-5


@needs_data
def test_text_file_of_a3_gives_the_same_points_in_another_order(tmp_path, monkeypatch):
    expected = a3()
    text = os.path.join(os.environ["PRVIZ_DATA_DIR"], "sipu", "a3.txt")
    with open(text, "rb") as file:
        (tmp_path / "a3.txt").write_bytes(file.read())
    monkeypatch.setenv("PRVIZ_DATA_DIR", str(tmp_path))
    shuffled = a3()
    assert sorted(shuffled.points.tolist()) == sorted(expected.points.tolist())
    assert shuffled.centers is None
    assert "a3.txt" in shuffled.notice
