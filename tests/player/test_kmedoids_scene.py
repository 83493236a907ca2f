"""Frames of k-medoids have medoids and cluster sizes; assets have pictures and distances."""

import json

import numpy as np
import pytest
import scipy.linalg
from cases import cases
from drawing import frame_of, layout_of
from numpy.testing import assert_allclose

import prviz
from prviz.datasets import Dissimilarities, Pictures
from prviz.engine.algorithm import redraw_level
from prviz.player.pictures.frames import all_assets, decode_positions
from prviz.scenes.kmedoids import KMedoidsScene, backdrop, embedding, encode_matrix, nearest
from prviz.search.settings import make_schedule
from prviz.search.traced_search import TracedSearch

LINE = np.array([0.0, 1, 2, 10, 11, 12])  # six points on a line
MATRIX = np.abs(LINE[:, None] - LINE)


def pictures(n=6, height=2, width=3, **more):
    points = np.arange(n * height * width, dtype=float).reshape(n, -1)
    return Pictures(points, (height, width), "Six pictures", "made by hand", 2, **more)


def own(matrix=MATRIX, labels=tuple("abcdef")):
    return Dissimilarities(matrix, "six.csv", "made by hand", labels)


def scene_of(dataset, k=2, optimiser="alternate", matrix=MATRIX):
    problem = prviz.kmedoids(matrix, k, optimiser)
    return KMedoidsScene(backdrop(dataset, matrix), problem), problem


@pytest.mark.usefixtures("kernels")
def test_a_frame_has_the_medoids_and_the_sizes_of_their_clusters():
    scene, problem = scene_of(pictures())
    run = prviz.run(problem, k1=1, m1=5, seed=0, calls=20)
    frame = frame_of(scene, run.best_state, 2)
    assert sorted(frame["medoids"].tolist()) == [1, 4]  # the centres of both halves
    assert frame["sizes"].tolist() == [3, 3]


@pytest.mark.usefixtures("kernels")
def test_cluster_sizes_are_correct_right_after_a_redraw():
    problem = prviz.kmedoids(prviz.dissimilarity(LINE[:, None]), 2)
    scene = KMedoidsScene(backdrop(pictures(), problem.by_point), problem)
    search = TracedSearch(problem, make_schedule(problem, k1=1, m1=50), 1)
    sizes = set()
    for _ in range(12):
        search.step(calls=1)
        redraw_level(problem, search.schedule, search.search, search.rng, 1)
        state = search.search.state
        distances = np.abs(LINE[:, None] - LINE[state.medoids])
        near, far = distances[:, 0] < distances[:, 1], distances[:, 0] > distances[:, 1]
        frame = frame_of(scene, state, 2)
        assert near.sum() <= frame["sizes"][0] <= 6 - far.sum()
        assert frame["sizes"].sum() == 6
        sizes.add(int(frame["sizes"].max()))
    assert len(sizes) > 1


def test_ties_go_to_the_first_medoid():
    by_point = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]])  # points 1 and 2 are equal
    assert nearest(by_point, np.array([1, 2])).tolist() == [0, 0, 1]
    assert nearest(by_point, np.array([2, 1])).tolist() == [0, 1, 0]


def test_frame_with_121_medoids_takes_less_than_600_bytes():
    layout = layout_of(scene_of(pictures(n=6), k=2)[0], 2)
    per_medoid = 2 + 2 + 1 / 8
    fixed = layout["frame_bytes"] - (2 * (2 + 2) + 1)
    assert fixed + 121 * per_medoid < 600


def test_pictures_use_the_full_grey_scale():
    scene, _ = scene_of(pictures())
    shades = np.frombuffer(scene.asset("pictures"), np.uint8)
    assert len(shades) == 6 * 2 * 3
    assert (shades[0], shades[-1]) == (0, 255)
    assert (np.diff(shades.astype(int)) >= 0).all()
    flat = pictures()._replace(points=np.ones((6, 6)))
    assert set(scene_of(flat)[0].asset("pictures")) == {0}


def test_distances_are_a_lazy_asset_and_a_symmetric_matrix_is_sent_as_a_triangle():
    scene, _ = scene_of(pictures())
    layout = layout_of(scene, 2)
    assert layout["assets"] == ["pictures"]
    assert layout["lazy"] == ["dissimilarity"]
    assert all_assets(layout) == ["pictures", "dissimilarity"]
    above = np.frombuffer(scene.asset("dissimilarity"), "<f4")
    assert above.tolist() == [MATRIX[i, m] for i in range(6) for m in range(i + 1, 6)]
    skew = MATRIX.copy()
    skew[0, 1] = 7
    assert_allclose(np.frombuffer(encode_matrix(skew), "<f4").reshape(6, 6), skew)
    assert np.isfinite(np.frombuffer(encode_matrix(MATRIX * 1e40), "<f4")).all()


def test_titles_name_the_data_and_the_optimiser():
    scene, _ = scene_of(pictures())
    assert scene.title == "k-medoids on Six pictures"
    assert scene.optimiser == "Alternation"
    assert scene_of(pictures(), optimiser="swap")[0].optimiser == "Swap search"


def test_best_known_cost_applies_to_one_number_of_medoids():
    known = pictures(best_known=4.0)
    assert scene_of(known, 2)[0].best_known == 4.0
    assert scene_of(known, 3)[0].best_known is None
    assert scene_of(own(), 2)[0].best_known is None


def test_matrix_without_pictures_has_a_map():
    scene, _ = scene_of(own())
    assert [layer["kind"] for layer in scene.layers] == ["points", "markers", "names"]
    assert json.loads(scene.asset("names")) == list("abcdef")
    encoded = np.frombuffer(scene.asset("places"), "<u2").reshape(-1, 2)
    x = decode_positions(encoded, scene.world)[:, 0]
    gaps = np.diff(x) / (x[-1] - x[0])
    assert_allclose(np.abs(gaps), np.diff(LINE) / 12, atol=1e-3)


@cases("n", [2, 3, 40])
def test_map_reproduces_distances_in_the_plane(n):
    points = np.random.default_rng(n).normal(size=(n, 2)) * [5, 1]
    matrix = prviz.dissimilarity(points, "euclidean")
    places = embedding(matrix) * matrix.max()
    assert_allclose(prviz.dissimilarity(places, "euclidean"), matrix, atol=1e-6)


def test_map_does_not_depend_on_signs_and_last_digits_of_eigenvectors(monkeypatch):
    matrix = prviz.dissimilarity(np.random.default_rng(1).normal(size=(50, 2)), "euclidean")
    places = embedding(matrix)

    def other_processor(*arguments, **options):
        values, vectors = eigh(*arguments, **options)
        return values, -vectors * (1 + 1e-15)

    eigh = scipy.linalg.eigh
    monkeypatch.setattr("scipy.linalg.eigh", other_processor)
    assert embedding(matrix).tobytes() == places.tobytes()


UNEVEN = np.triu(np.ones((4, 4)), 1) + 2 * np.eye(4, k=-1)


@cases("matrix", [np.zeros((4, 4)), UNEVEN, 1 - np.eye(4)])
def test_any_matrix_has_a_map(matrix):
    assert np.isfinite(embedding(matrix)).all()
    scene, _ = scene_of(own(matrix, ()), matrix=matrix)
    assert len(scene.asset("places")) == 4 * 2 * 2
