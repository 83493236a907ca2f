"""Criteria for the number of clusters equal hand calculations, and find known clusters."""

import math

import numpy as np
import pytest
from cases import cases
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score

import prviz
from prviz import choose_k as face
from prviz.choose_k import KChoice, Row, _elbow, _first_gap, _highest
from prviz.figures.style import CHOSEN, NEUTRAL

pytestmark = pytest.mark.usefixtures("kernels")

MIDDLES = np.repeat([[0, 0], [0, 9], [9, 0]], 30, axis=0)
BLOBS = MIDDLES + np.random.default_rng(0).normal(size=(90, 2))
FEW = {"calls": 20, "references": 4, "seeds": 3}
HAND = [
    Row(2, 8.0, 0.6, 0.1, 0.0, 1.0),
    Row(3, 2.0, 0.7, 0.5, 0.1, 1.0),
    Row(4, 1.0, 0.5, 0.55, 0.1, 0.8),
]


def test_choose_k_finds_three_blobs():
    found = face(BLOBS, range(1, 6), calls=20)
    assert found.suggestions == {"elbow": 3, "silhouette": 3, "gap": 3, "stability": 3}
    assert found.words == (
        "The elbow of the inertia, the silhouette, the gap statistic and the stability suggest "
        "k = 3."
    )


def test_gap_statistic_suggests_one_cluster_for_a_uniform_cloud():
    cloud = np.random.default_rng(1).random((120, 2))
    assert face(cloud, range(1, 5), **FEW).suggestions["gap"] == 1


def test_choose_k_table_has_inertia_and_silhouette_of_scikit_learn():
    table = face(BLOBS, [1, 3], **FEW).table
    theirs = KMeans(3, n_init=10, random_state=0).fit(BLOBS)
    assert table.index.tolist() == [1, 3]
    assert table.inertia[3] == pytest.approx(theirs.inertia_)
    assert table.silhouette[3] == pytest.approx(silhouette_score(BLOBS, theirs.labels_))
    assert math.isnan(table.silhouette[1]) and math.isnan(table.stability[1])


def test_criteria_equal_hand_calculations():
    ks = np.array([1, 2, 3, 4])
    assert _elbow(ks, np.array([10.0, 2.0, 1.0, 0.0])) == 2
    # the curve is above the line, so it has no elbow
    assert _elbow(ks, np.array([10.0, 9.0, 8.0, 0.0])) is None
    assert _highest(ks, np.array([np.nan, 1.0, 1.0, 0.5])) == 3
    assert _first_gap(ks, np.array([0.1, 0.5, 0.55, 0.7]), np.array([0.0, 0.1, 0.1, 0.1])) == 2
    assert _first_gap(ks, np.array([0.1, 0.5, 0.9, 1.4]), np.zeros(4)) is None


def test_summary_says_which_criterion_disagrees():
    words = KChoice([*HAND[:2], HAND[2]._replace(gap=2.0)], 9, 9).words
    assert words == (
        "The elbow of the inertia, the silhouette and the stability suggest k = 3. "
        "The gap statistic suggests none of these k."
    )


def test_figure_marks_the_suggested_k_in_each_panel():
    figure = KChoice(HAND, 9, 9).figure()
    assert len(figure.data) == 4
    for panel in figure.data:
        assert list(panel.marker.color) == [NEUTRAL, CHOSEN, NEUTRAL]


@cases(
    ("ks", "settings", "complaint"),
    [
        ([0, 1], {}, "every k in ks must be between 1 and 2, got 0"),
        ([], {}, "ks is empty"),
        (2, {}, "ks must be numbers of clusters"),
        ([1.5], {}, "every k in ks must be a whole number"),
        (None, {"seeds": 1}, "seeds must be at least 2, got 1"),
    ],
)
def test_choose_k_rejects_invalid_arguments(ks, settings, complaint):
    with pytest.raises((TypeError, ValueError), match=complaint):
        prviz.choose_k([[0.0], [1.0], [2.0]], ks, **settings)


def test_choose_k_keeps_finished_results_after_ctrl_c(monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("prviz.system.progress.ProgressBar.__call__", stop)
    found = face(BLOBS, [2, 3], **FEW)
    assert found.interrupted and [row.k for row in found.rows] == [2]


def test_silhouette_is_right_far_from_the_origin():
    middles = np.repeat([[0.0, 0.0], [5.0, 0.0], [0.0, 5.0]], 20, axis=0)
    points = middles + np.random.default_rng(0).normal(size=(60, 2)) * 0.3
    near, far = (
        prviz.choose_k(each, [2, 3, 4]).table.silhouette for each in (points, points + 1e9)
    )
    assert np.allclose(near, far, atol=1e-6)
