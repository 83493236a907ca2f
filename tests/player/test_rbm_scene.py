"""The frames of a Boltzmann machine equal results of brute force."""

import naive
import numpy as np
import pytest
from cases import cases
from drawing import frame_of
from hypothesis import given
from hypothesis import strategies as st

import prviz
from prviz.engine import kernels
from prviz.scenes.rbm import (
    RBMScene,
    drawn,
    log_weights,
    other_examples,
    partition,
    patterns_of,
    states_of,
)


def scene_of(examples, n_hidden, **settings):
    data = prviz.datasets.read_examples(examples)
    problem = prviz.rbm(data, n_hidden, **settings)
    return RBMScene(data, problem), kernels.allocate(problem)


def test_frame_has_probabilities_and_the_tanh_of_weights_as_bytes():
    scene, state = scene_of([[0, 1], [1, 1], [0, 1]], 2)
    state.weights[:] = [[0.0, 2.0], [-2.0, 1e9]]
    state.visible_bias[:] = -1e9, 0.0
    frame = frame_of(scene, state, 8)
    assert frame["weights"].tolist() == [128, 225, 30, 255]  # 127.5 (1 ± tanh 1)
    assert frame["visible_bias"].tolist() == [0, 128]
    assert frame["hidden_bias"].tolist() == [128, 128]
    # the first bit is never on, the second is always on
    assert (frame["samples"].reshape(-1, 2) == [0, 1]).all()
    assert frame["known"].all()
    rows = scene.layers[-1]["rows"]
    assert [row["bits"] for row in rows[:-1]] == [[0, 1], [1, 1]]
    assert [row["share"] for row in rows] == pytest.approx([2 / 3, 1 / 3, 0])
    assert frame["shares"].tolist() == [65535, 0, 0]


def test_frame_has_probabilities_of_patterns_and_other_states():
    data = prviz.datasets.patterns()
    problem = prviz.rbm(data, 10)
    scene, state = RBMScene(data, problem), kernels.allocate(problem)
    # without weights and biases, all 256 states are equally probable
    state.weights[:] = state.visible_bias[:] = state.hidden_bias[:] = 0
    frame = frame_of(scene, state, 98)
    others = len(other_examples(data.examples, data.patterns))
    assert scene.layers[-1]["rows"][4]["word"] == "other examples"
    expected = np.array([1, 1, 1, 1, others, 252 - others]) / 256
    np.testing.assert_allclose(frame["shares"] / 65535, expected, atol=1e-5)
    seen = {row.tobytes() for row in data.examples.astype(np.uint8)}
    samples = frame["samples"].reshape(-1, 8)
    assert frame["known"].tolist() == [row.tobytes() in seen for row in samples]


@cases(("n_visible", "n_hidden"), [(4, 3), (3, 3), (2, 5)])
def test_probabilities_equal_sums_over_all_states(n_visible, n_hidden):
    rng = np.random.default_rng(n_visible)
    model = (
        rng.normal(size=(n_visible, n_hidden)),
        rng.normal(size=n_visible),
        rng.normal(size=n_hidden),
    )
    joint = np.exp(naive.log_weights(*model))
    ln_z, chances = partition(*model)
    assert ln_z == pytest.approx(np.log(joint.sum()), rel=1e-12)
    np.testing.assert_allclose(
        np.exp(log_weights(states_of(n_visible), *model) - ln_z), joint.sum(axis=1) / joint.sum()
    )
    sums = joint.sum(axis=1 if n_visible <= n_hidden else 0)
    np.testing.assert_allclose(chances, sums / joint.sum())
    samples = drawn(*model, chances, rng.random((20_000, 1 + n_visible)))
    found = np.bincount(
        (samples @ (1 << np.arange(n_visible))).astype(int), minlength=1 << n_visible
    )
    expected = joint.sum(axis=1) / joint.sum()
    assert np.abs(found / 20_000 - expected).max() < 5 * 0.5 / np.sqrt(20_000)


def test_huge_weights_are_drawn():
    scene, state = scene_of(np.eye(12, dtype=int), 3)
    state.weights[:] = 1e6 * np.random.default_rng(0).normal(size=(12, 3))
    frame = frame_of(scene, state, 8)
    assert set(frame["samples"].tolist()) <= {0, 1}


def test_samples_of_equal_parameters_are_equal():
    scene, state = scene_of([[0, 1, 1, 0]], 3)
    assert frame_of(scene, state, 8).tobytes() == frame_of(scene, state, 8).tobytes()


def test_own_examples_are_sorted_by_frequency():
    data = prviz.datasets.read_examples("01\n11\n11\n00\n11\n01\n10")
    shown, what = patterns_of(data)
    assert shown[:2].tolist() == [[1, 1], [0, 1]] and what == "Examples"
    many = prviz.datasets.read_examples([[i >> k & 1 for k in range(3)] for i in range(8)])
    assert patterns_of(many)[1] == "Most frequent examples"
    shown, what = patterns_of(prviz.datasets.patterns())
    assert len(shown) == 4 and what == "Patterns"


@given(st.integers(1, 64), st.integers(1, 12))
def test_parts_lie_in_the_picture_and_do_not_overlap(n_visible, n_hidden):
    scene, _ = scene_of(np.zeros((2, n_visible), int), n_hidden)
    tiles, samples, shares = scene.layers
    for wide in (True, False):
        boxes = [(part if wide else part["narrow"])["box"] for part in (tiles, samples, shares)]
        for left, bottom, right, top in boxes:
            assert 0 <= left < right <= 1 and 0 <= bottom < top < 1
        assert boxes[1][2] < boxes[0][0]
        assert boxes[1][3] < boxes[2][1]
    for layer in scene.layers:
        assert layer["columns"] * -(-n_visible // layer["columns"]) >= n_visible
