"""The scene of k-means shows many columns, many points, and outliers."""

from types import SimpleNamespace

import numpy as np

import prviz
from prviz.datasets import Points
from prviz.datasets.projection import principal_components
from prviz.player.pictures.frames import decode_positions, layout_json, world_of
from prviz.scenes.kmeans import MOST_DOTS, KMeansScene, sample

RNG = np.random.default_rng(2)
WIDE = RNG.normal(size=(400, 5)) + 10 * RNG.integers(0, 2, size=(400, 1))


def scene_of(points, k=3, view=None, **more):
    dataset = Points(points, "Some", "by chance", **more)
    return KMeansScene(dataset, prviz.kmeans(points, k), view=view)


def dots(scene):
    return np.frombuffer(scene.asset("points"), "<u2").reshape(-1, 2)


def test_points_in_the_plane_are_shown_unprojected():
    points = RNG.normal(size=(500, 2))
    scene = scene_of(points)
    assert scene.shown is None
    assert scene.world == world_of(points)
    step = (scene.world["x"][1] - scene.world["x"][0]) / 65535
    assert np.abs(decode_positions(dots(scene), scene.world) - points).max() <= step


def test_centres_and_truth_use_the_same_projection():
    truth = np.array([WIDE[WIDE[:, 0] < 5].mean(axis=0), WIDE[WIDE[:, 0] >= 5].mean(axis=0)])
    scene = scene_of(WIDE, 2, centers=truth, best_known=1.0)
    frame = {}
    scene.draw(frame, SimpleNamespace(centers=truth[::-1]))
    seen = principal_components(WIDE)
    step = (scene.world["x"][1] - scene.world["x"][0]) / 65535
    for found, expected in [
        (frame["centers"], truth[::-1]),
        (np.frombuffer(scene.asset("truth"), "<u2"), truth),
    ]:
        places = decode_positions(found.reshape(-1, 2), scene.world)
        assert np.abs(places - seen.of(expected)).max() <= step
    assert frame["truth"].tolist() == [1, 1]  # counted in all columns, not in the projection
    assert scene.best_known == 1.0


def test_the_projection_is_reported():
    said = scene_of(WIDE).shown
    assert said.startswith("Principal components of 5 columns, 9")
    assert said.endswith("Distances use all 5 columns, so points may look misassigned.")
    named = scene_of(WIDE, view=("a", "d"), columns=tuple("abcde"))
    assert named.shown.startswith("Columns “a” and “d” of 5.")
    assert np.array_equal(dots(named), dots(scene_of(WIDE[:, [0, 3]])))
    assert scene_of(WIDE[:, :1]).shown == "One column, from left to right."


def test_text_about_the_projection_is_part_of_the_layout():
    about = {"title": "", "noun": ("", ""), "cost": "", "optimiser": "", "n_variables": 1}
    about |= {"levels": [prviz.Level(1)], "world": {"x": [0, 1], "y": [0, 1]}, "layers": []}
    assert "shown" not in layout_json(**about, channels=[])
    assert layout_json(**about, channels=[], shown="Half of it.")["shown"] == "Half of it."


def test_many_points_are_sampled():
    points = np.arange(2.0 * 50_000).reshape(-1, 2)
    scene = scene_of(points)
    assert scene.shown == "20\u202f000 of 50\u202f000 points are drawn."
    drawn = decode_positions(dots(scene), scene.world)
    assert len(drawn) == MOST_DOTS == len({*map(tuple, dots(scene).tolist())})
    assert np.abs(drawn[:, 1] - drawn[:, 0] - 1).max() < 4  # only given points are drawn
    assert sample(MOST_DOTS) is None
    assert np.array_equal(sample(50_000), sample(50_000))
    assert (np.diff(sample(50_000)) > 0).all()


def test_outlier_does_not_shrink_the_picture():
    near = RNG.uniform(size=(60, 2))
    scene = scene_of(np.vstack([near, [[1e6, 0.5]]]))
    assert scene.world == world_of(near)
    assert scene.shown == "One point lies outside the picture and is drawn at its edge."
    assert dots(scene)[-1, 0] == 65535
    wide = scene_of(np.vstack([WIDE, np.full((2, 5), 1e6)]))
    spread = np.ptp(dots(wide)[:-2].astype(int), axis=0).max()
    assert spread > 0.9 * 65535
    assert "2 points lie outside the picture" in wide.shown
