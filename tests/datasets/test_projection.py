"""Points are projected onto two principal components or columns; outliers are found."""

import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from prviz.datasets.projection import near, percent, principal_components, projection

RNG = np.random.default_rng(5)
WIDE = RNG.normal(size=(300, 6)) @ RNG.normal(size=(6, 6)) + 40.0


def test_principal_components_equal_scikit_learn():
    decomposition = pytest.importorskip("sklearn.decomposition")
    widest = RNG.normal(size=(40, 500)) @ np.diag(np.linspace(3, 1, 500))
    for points in (WIDE, WIDE[:4], 1e140 * WIDE, widest):
        seen = principal_components(points)
        peer = decomposition.PCA(2).fit(points / np.abs(points).max())
        assert np.allclose(np.abs((seen.axes.T * peer.components_).sum(axis=1)), 1.0, atol=1e-6)
        assert seen.share == pytest.approx(peer.explained_variance_ratio_.sum())
        assert (seen.axes[np.abs(seen.axes).argmax(axis=0), [0, 1]] > 0).all()


def test_the_mean_is_projected_to_the_mean_of_the_projections():
    for view in ("pca", (4, 1)):
        seen = projection(WIDE, view)
        assert np.allclose(seen.of(WIDE).mean(axis=0), seen.of(WIDE.mean(axis=0)))


def test_points_on_a_line_have_no_second_component():
    line = np.outer(np.arange(9.0), [3.0, 0.0, 4.0])
    seen = principal_components(line)
    assert seen.axes.T.tolist() == [[pytest.approx(0.6), 0, pytest.approx(0.8)], [0, 0, 0]]
    assert seen.share == 1.0
    assert principal_components(np.ones((5, 3))).of(np.ones((5, 3))).tolist() == [[0, 0]] * 5


def test_columns_are_named_or_numbered():
    names = ("length", "width", "weight")
    points = np.arange(12.0).reshape(4, 3)
    seen = projection(points, ("weight", 0), names)
    assert np.array_equal(seen.of(points), points[:, [2, 0]])
    assert seen.said == "Columns “weight” and “length” of 3"
    assert projection(points, (2, 0)).said == "Columns 3 and 1 of 3"
    assert projection(points[:, :2]) is None
    assert projection(points[:, :2], "pca") is not None
    assert projection(points[:, :1]).of(points[:, :1]).tolist() == [[0, 0], [3, 0], [6, 0], [9, 0]]


@cases(
    ("view", "said"),
    [
        ("tsne", "'pca' or two columns, got 'tsne'"),
        ((0,), "two columns, got 1"),
        ((0, 9), "Column 9 must be between 0 and 5"),
        (("height", 0), "Unknown column 'height'"),
    ],
)
def test_unknown_view_is_rejected(view, said):
    with pytest.raises(ValueError, match=said):
        projection(WIDE, view)


def test_outlier_does_not_rotate_the_components():
    far = np.vstack([WIDE, np.full((1, 6), 1e6)])
    assert np.flatnonzero(~near(far)).tolist() == [300]
    seen, without = principal_components(far), principal_components(WIDE)
    assert np.allclose(seen.axes, without.axes)
    assert seen.said.endswith("of the variance of all but the farthest point")
    assert principal_components(np.vstack([far, -far[-1:]])).said.endswith("the 2 farthest points")


@given(
    points=st.lists(st.tuples(*[st.floats(-1e9, 1e9)] * 2), min_size=1, max_size=250).map(np.array)
)
def test_at_most_1_percent_of_points_are_outliers(points):
    assert (~near(points)).sum() <= max(1, len(points) // 100)


def test_share_of_variance_is_described_in_words():
    said = [percent(share) for share in (1.0, 0.999, 0.744, 0.004, 0.0)]
    assert said == ["100 %", "more than 99 %", "74 %", "less than 1 %", "0 %"]
