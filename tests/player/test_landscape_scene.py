"""The scene of a landscape shows the heights and the position of the ball."""

import numpy as np
import pytest
from drawing import frame_of
from hypothesis import given, settings
from hypothesis import strategies as st

import prviz
from prviz.engine import kernels
from prviz.player.pictures.frames import COORDINATES
from prviz.problems.landscape import MAX_DIMENSIONS, REACH, heights
from prviz.scenes.landscape import RELIEF, LandscapeScene, edge, grid


def scene_of(d, **settings):
    problem = prviz.landscape(d, **settings)
    return problem, LandscapeScene(problem), kernels.allocate(problem)


def kept(scene):
    return np.frombuffer(scene.asset("heights"), "<u2").astype(float) / COORDINATES


def test_a_profile_is_the_height_in_one_dimension():
    problem, scene, _ = scene_of(1, ripple=4, seed=3)
    (layer,) = scene.layers
    where = np.linspace(-edge(1, False), edge(1, False), layer["samples"])[:, None]
    found = kept(scene) * layer["ceiling"]
    np.testing.assert_allclose(found, heights(problem, where), atol=layer["ceiling"] / COORDINATES)


def test_relief_has_the_heights_of_the_landscape():
    problem, scene, _ = scene_of(2, rotated=True, seed=4)
    (layer,) = scene.layers
    found = kept(scene).reshape(RELIEF, RELIEF) * layer["ceiling"]
    cell = 2 * edge(2, True) / RELIEF
    for row, column in ((0, 0), (0, RELIEF - 1), (17, 201), (RELIEF - 1, 3)):
        middle = (np.array([column, row]) + 0.5) * cell - edge(2, True)
        wanted = heights(problem, middle)
        assert found[row, column] == pytest.approx(wanted, abs=layer["ceiling"] / COORDINATES)


@settings(max_examples=15)
@given(st.integers(3, MAX_DIMENSIONS), st.integers(0, 50))
def test_profiles_of_axis_parallel_ripples_add_up(d, seed):
    problem, scene, state = scene_of(d, ripple=4, seed=seed)
    parts = kept(scene).reshape(d, -1)
    n = parts.shape[1]
    at = np.random.default_rng(seed).integers(0, n, d)
    state.position[:] = np.linspace(-edge(d, False), edge(d, False), n)[at]
    shares = parts[np.arange(d), at]
    highest = max(
        heights(problem, np.where(np.arange(d) == i, end, problem.optimum))
        for i in range(d)
        for end in np.linspace(-edge(d, False), edge(d, False), n)
    )
    total = kernels.cost(problem, state)
    assert shares.sum() * highest == pytest.approx(total, abs=d * highest / COORDINATES)


def test_rotated_profiles_go_through_the_shown_position():
    problem, scene, state = scene_of(5, ripple=3, rotated=True, seed=2)
    state.position[:] = [0.5, -4.0, 1.0, 2.0, -1.5]
    drawn = frame_of(scene, state, 1)["heights"].reshape(5, -1).astype(float)
    across = np.linspace(-edge(5, True), edge(5, True), drawn.shape[1])
    wanted = np.empty_like(drawn)
    for i in range(5):
        for s, x in enumerate(across):
            there = state.position.copy()
            there[i] = x
            wanted[i, s] = heights(problem, there)
    wanted -= wanted.min(axis=1, keepdims=True)
    np.testing.assert_allclose(drawn, wanted / wanted.max() * COORDINATES, atol=0.51)


@given(st.integers(1, MAX_DIMENSIONS), st.booleans(), st.integers(0, 1000))
def test_ball_is_at_the_position_of_the_state(d, rotated, seed):
    problem, scene, state = scene_of(d, ripple=4, rotated=rotated, seed=seed)
    rng = np.random.default_rng(seed)
    kernels.reinitialise(problem, state, np.arange(d), 0.0, rng)
    for _ in range(2):
        found = frame_of(scene, state, 1)["position"] / COORDINATES
        outermost = edge(d, rotated)
        assert np.abs(state.position).max() <= outermost
        step = outermost / COORDINATES
        np.testing.assert_allclose((2 * found - 1) * outermost, state.position, atol=step)
        kernels.optimise(problem, state, rng)


@given(st.integers(1, MAX_DIMENSIONS))
def test_profiles_are_side_by_side(d):
    boxes = np.array(grid(d))
    assert boxes.shape == (d, 4)
    assert (boxes >= 0).all()
    assert (boxes <= 1).all()
    assert (boxes[:, :2] < boxes[:, 2:]).all()
    for i, (left, bottom, right, top) in enumerate(boxes):
        others = np.delete(boxes, i, axis=0)
        apart = (others[:, 0] >= right) | (others[:, 2] <= left)
        assert (apart | (others[:, 1] >= top) | (others[:, 3] <= bottom)).all()


def test_title_has_the_number_of_dimensions():
    assert scene_of(1)[1].title == "Landscape of 1 dimension"
    assert scene_of(2)[1].title == "Landscape of 2 dimensions"
    assert edge(1, False) == REACH + 0.5
