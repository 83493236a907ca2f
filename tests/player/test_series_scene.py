"""Frames and assets of a model of series contain its states and bands, and the scaled series."""

import numpy as np
import pytest
from drawing import frame_of, layout_of

import prviz
from prviz.engine import kernels
from prviz.notebook.pictures import scene_of
from prviz.scenes.series import MOST_LANES, SeriesScene

pytestmark = pytest.mark.usefixtures("kernels")

#: Two sequences of one column, with values from 0 to 4.
STEPS = prviz.datasets.Series(
    np.array([[0.0], [0.1], [4.0], [3.9], [4.0]]), np.array([3, 2]), "steps", "by hand", ("x",)
)


def two_states(problem):
    state = kernels.allocate(problem)
    state.transition[:], state.start[:] = [[0.25, 0.75], [0.0, 1.0]], [0.5, 0.5]
    state.means[:, 0], state.covars[:, 0, 0] = [0.0, 4.0], [1.0, 0.25]
    return state


def test_frame_holds_the_model_and_the_most_probable_states():
    problem = prviz.hmm(STEPS, 2)
    scene = SeriesScene(STEPS, problem)
    frame = frame_of(scene, two_states(problem), 2)
    assert frame["transition"].tolist() == [128, 221, 0, 255]
    assert frame["states"].tolist() == [0, 0, 1, 1, 1]
    lane = scene.layers[1]["lanes"][0]
    reach = lane["high"] - lane["low"]
    means = lane["low"] + reach * frame["means"] / 65535
    np.testing.assert_allclose(means, [0, 4], atol=1e-4)
    np.testing.assert_allclose(reach * frame["deviations"] / 65535, [1, 0.5], atol=1e-4)
    assert scene.layers[1]["begins"] == [0, 3]


def test_asset_of_a_series_is_scaled_to_the_limits_of_its_lane():
    problem = prviz.hmm(STEPS, 2)
    scene = scene_of(problem, STEPS)
    assert layout_of(scene, 2)["assets"] == ["series"]
    values = np.frombuffer(scene.asset("series"), "<u2") / 65535
    lane = scene.layers[1]["lanes"][0]
    unscaled = lane["low"] + (lane["high"] - lane["low"]) * values
    np.testing.assert_allclose(unscaled, STEPS.values[:, 0], atol=1e-4)


def test_picture_of_many_columns_shows_the_first_ones():
    values = np.random.default_rng(0).normal(size=(9, MOST_LANES + 2))
    problem = prviz.hmm(values, 2, emissions="gaussian", covariance_type="full")
    scene = scene_of(problem)
    assert scene.shown == f"The picture shows {MOST_LANES} of {MOST_LANES + 2} columns."
    state = kernels.allocate(problem)
    kernels.reinitialise(problem, state, np.arange(2), 0.0, np.random.default_rng(0))
    assert len(frame_of(scene, state, 2)["means"]) == 2 * MOST_LANES


def test_band_of_a_mixture_shows_its_mean_and_deviation():
    problem = prviz.hmm(STEPS, 2, n_mix=2)
    scene, state = SeriesScene(STEPS, problem), two_states(prviz.hmm(STEPS, 2, n_mix=2))
    state.weights[:], state.covars[:] = [[0.5, 0.5], [1.0, 0.0]], 1.0
    state.means[:] = [[1.0, 3.0], [4.0, 0.0]]
    frame = frame_of(scene, state, 2)
    lane = scene.layers[1]["lanes"][0]
    reach = lane["high"] - lane["low"]
    means = lane["low"] + reach * frame["means"] / 65535
    np.testing.assert_allclose(means, [2, 4], atol=1e-4)
    np.testing.assert_allclose(reach * frame["deviations"] / 65535, [2**0.5, 1], atol=1e-4)
    model = scene.table("model", state)
    assert model["value"][model["what"] == "weight"].tolist() == [0.5, 0.5, 1.0, 0.0]
    assert model["component"][model["what"] == "mean"].tolist() == [0, 1, 0, 1]


def test_tables_have_the_path_and_the_model():
    problem = prviz.hmm(STEPS, 2)
    scene, state = SeriesScene(STEPS, problem), two_states(prviz.hmm(STEPS, 2))
    path = scene.table("path", state)
    assert path["state"].tolist() == [0, 0, 1, 1, 1] and path["series"].tolist() == [0, 0, 0, 1, 1]
    model = scene.table("model", state)
    assert model["value"][model["what"] == "variance"].tolist() == [1.0, 0.25]
