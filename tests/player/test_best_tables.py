"""Exported tables of the best configuration reproduce its cost."""

import io
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import prviz
from prviz.player.live import LiveRun
from prviz.scenes.hmm import HMMScene
from prviz.scenes.kmeans import KMeansScene
from prviz.scenes.kmedoids import KMedoidsScene, backdrop
from prviz.scenes.landscape import LandscapeScene
from prviz.scenes.rbm import TAKEN, RBMScene

pytestmark = pytest.mark.usefixtures("kernels")
RNG = np.random.default_rng(0)
POINTS = RNG.integers(0, 50, (40, 2)).astype(float)


def tables_of(problem, scene, *levels):
    """Return the tables of the best configuration after ten calls, and its cost."""
    run = LiveRun(problem, scene, levels, seconds=None, calls=10, compare=False)
    try:
        run.start()
        run._thread.join(60)
        found = {
            name: pd.read_csv(io.StringIO(run.best_csv(name)), keep_default_na=False)
            for name in run.layout()["tables"]
        }
        with pytest.raises(ValueError, match="Unknown table"):
            run.best_csv("other")
        return found, run.head()["best"]
    finally:
        run.close()


def test_kmeans_tables_reproduce_the_cost():
    problem = prviz.kmeans(POINTS, 5)
    scene = KMeansScene(prviz.datasets.Points(POINTS, "Some", "by chance"), problem)
    found, cost = tables_of(problem, scene, prviz.Level(1, 5), prviz.Level(5))
    clusters, centres = found["clusters"], found["centres"]
    assert (clusters[["x", "y"]].to_numpy() == POINTS).all()  # the points have their original order
    assert (clusters["distance"] ** 2).sum() == pytest.approx(cost)
    assert clusters["cluster"].value_counts().reindex(range(5)).tolist() == [*centres["points"]]
    means = clusters.groupby("cluster")[["x", "y"]].mean()
    np.testing.assert_allclose(means, centres[["x", "y"]])


def test_tables_of_scaled_points_have_the_units_of_the_file():
    data = prviz.datasets.points_of(prviz.datasets.read_table(POINTS), scale="robust")
    problem = prviz.kmeans(data.points, 5)
    found, _ = tables_of(problem, KMeansScene(data, problem), prviz.Level(1, 5), prviz.Level(5))
    assert KMeansScene(data, problem).tables["centres"] == "Centres (unscaled)"
    clusters, names = found["clusters"], [*data.columns]
    np.testing.assert_allclose(clusters[names], POINTS, rtol=0, atol=1e-12)
    means = clusters.groupby("cluster")[names].mean()
    np.testing.assert_allclose(means, found["centres"][names])


def test_input_column_with_the_name_of_a_result_is_kept():
    problem = prviz.kmeans(POINTS, 5)
    data = prviz.datasets.Points(POINTS, "Some", "by chance", columns=("cluster", "y"))
    found, _ = tables_of(problem, KMeansScene(data, problem), prviz.Level(1, 5), prviz.Level(5))
    assert [*found["clusters"]] == ["cluster", "y", "found cluster", "distance"]
    assert [*found["centres"]] == ["found cluster", "points", "cluster", "y"]


def test_kmedoids_table_has_the_names_of_the_medoids():
    matrix = prviz.dissimilarity(POINTS[:20])
    names = tuple(f"place {i}" for i in range(20))
    dataset = prviz.datasets.Dissimilarities(matrix, "Places", "by chance", names)
    problem = prviz.kmedoids(matrix, 4)
    scene = KMedoidsScene(backdrop(dataset, matrix), problem)
    found, cost = tables_of(problem, scene, prviz.Level(1, 5), prviz.Level(4))
    clusters, medoids = found["clusters"], found["medoids"]
    assert clusters["dissimilarity"].sum() == pytest.approx(cost)
    assert (matrix[clusters["point"], clusters["medoid"]] == clusters["dissimilarity"]).all()
    assert clusters["medoid name"].tolist() == [f"place {i}" for i in clusters["medoid"]]
    assert set(medoids["medoid"]) == set(clusters["medoid"]) and medoids["points"].sum() == 20


def test_hmm_path_is_possible_in_its_model():
    data = prviz.datasets.read_text("abcabcab")
    problem = prviz.hmm(data, 3, lengths=[5, 3])
    found, cost = tables_of(problem, HMMScene(data, problem), prviz.Level(1, 5), prviz.Level(3))
    path, model = found["path"], found["model"]
    assert "".join(path["symbol"]) == "abcabcab" and [*path["string"]] == [0] * 5 + [1] * 3
    chance = model.set_index(["what", "state", "to"])["probability"]
    sums = model.groupby(["what", "state"])["probability"].sum()
    assert np.allclose(sums[["transition", "emission"]], 1) and sums["start"].sum() == 1
    walked = 0.0
    for _, rows in path.groupby("string"):
        states, symbols = rows["state"].tolist(), rows["symbol"].tolist()
        walked += np.log(chance["start", states[0], ""])
        for i, j in pairwise(states):
            walked += np.log(chance["transition", i, str(j)])
        walked += sum(
            np.log(chance["emission", i, x]) for i, x in zip(states, symbols, strict=True)
        )
    assert np.isfinite(walked) and walked <= -cost + 1e-9  # the likelihood sums all paths


def test_probabilities_of_rbm_samples_match_their_frequencies():
    data = prviz.datasets.patterns(40)
    problem = prviz.rbm(data, 3, epochs=50)
    found, _ = tables_of(problem, RBMScene(data, problem), prviz.Level(5, 5), prviz.Level(35))
    samples, model = found["samples"], found["model"]
    assert len(samples) == TAKEN and len(model) == 8 * 3 + 8 + 3
    bits = samples[[f"v{i}" for i in range(8)]]
    assert set(np.unique(bits)) <= {0, 1}
    often = samples.groupby([*bits.columns])["probability"].agg(["count", "first"])
    chance = often["first"]
    spread = np.sqrt(TAKEN * chance * (1 - chance))
    assert (abs(often["count"] - TAKEN * chance) < 5 * spread + 1).all()
    weight = model.set_index(["visible", "hidden"])["value"]
    assert weight.index.is_unique and weight["", "0"] != weight["0", ""]


def test_landscape_table_reproduces_the_height():
    problem = prviz.landscape(3)
    found, cost = tables_of(problem, LandscapeScene(problem), prviz.Level(1, 5), prviz.Level(3))
    from prviz.problems.landscape import heights

    assert heights(problem, found["position"]["value"].to_numpy()) == pytest.approx(cost, abs=1e-6)
