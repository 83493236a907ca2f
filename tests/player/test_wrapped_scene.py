"""Wrapped problems are shown as bars, or as points if they have up to three numbers."""

import numpy as np
import pytest
from cases import cases
from scipy.optimize import OptimizeResult

import prviz
from prviz.custom.wrap import WrappedState
from prviz.notebook.controls import Settings
from prviz.player.pictures.frames import COORDINATES, decode_positions, empty_frames
from prviz.scenes.wrapped import WrappedScene


def vector(rng):
    return rng.uniform(-2, 6, 4)


def plane(rng):
    return rng.uniform(-2, 6, (4, 2))


def lower(x):
    return x * 0.9


def problem(sample=vector, optimise=lower, **more):
    return prviz.wrap(lambda x: float(np.sum(x**2)), sample, optimise, **more)


def places(run, frame):
    return decode_positions(frame["x"].reshape(-1, 2), run.layout()["world"])


def frames_of(run, call):
    return np.frombuffer(run.frames(call, 1), empty_frames(run.layout(), 0).dtype)


def test_point_is_at_the_position_of_its_numbers():
    theatre = prviz.play(problem(plane), m1=3, calls=6, seed=2)
    try:
        run = theatre.run
        frames = frames_of(run, 1)
        found = prviz.run(problem(plane), m1=3, calls=1, seed=2)
        assert places(run, frames[-1]) == pytest.approx(found.best_state.x, abs=2e-4)
        assert frames[-1]["cost"] == found.best_cost
    finally:
        theatre.close()


def test_redraw_moves_the_outlined_bar():
    theatre = prviz.play(problem(), k1=1, m1=5, calls=6)
    try:
        theatre.run.start()
        theatre.run._thread.join(20)
        assert theatre.run.state == "finished"
        before, redrawn, *_ = frames_of(theatre.run, 2)
        moved = np.flatnonzero(before["x"] != redrawn["x"])
        chosen = np.flatnonzero(np.unpackbits(redrawn["chosen"], bitorder="little"))
        assert moved.tolist() == chosen.tolist() and len(moved) == 1
    finally:
        theatre.close()


def drawn(shown, x):
    """Return a frame of a configuration, and the layer that shows it."""
    scene = WrappedScene(shown)
    frame = np.zeros(1, [(name, f"<{kind}", count) for name, kind, count in scene.channels])[0]
    scene.draw(frame, WrappedState(np.array(x)))
    return scene, scene.layers[0], frame["x"] / COORDINATES


def test_bars_start_at_0():
    x = [-2.0, 6.0, 0.0, 3.0]
    scene, layer, heights = drawn(problem(), x)
    low, high = scene.world["y"]
    assert layer["kind"] == "bars" and low < -2 < 6 < high
    assert low + heights * (high - low) == pytest.approx(x, abs=2e-4)
    assert low + layer["base"] * (high - low) == pytest.approx(0)
    assert [each["word"] for each in layer["axes"]] == ["−2", "0", "2", "4"]
    for each in layer["axes"]:
        height = float(each["word"].replace("−", "-"))
        assert low + each["from"][1] * (high - low) == pytest.approx(height)


def test_values_outside_the_range_are_drawn_at_the_edge():
    assert drawn(problem(), [-100.0, 100.0, 0.0, 0.0])[2][:2].tolist() == [0, 1]


def test_bars_of_positive_numbers_start_at_0():
    scene, layer, _ = drawn(problem(lambda rng: rng.uniform(1, 9, 4)), [1.0, 2.0, 3.0, 4.0])
    assert (scene.world["y"][0], layer["base"]) == (0, 0)
    scene, layer, _ = drawn(problem(lambda rng: rng.uniform(90, 91, 4)), [90.0, 91.0, 90.0, 90.0])
    assert 89 < scene.world["y"][0] < 90 and layer["base"] == 0


def test_many_numbers_are_sampled_and_counted():
    x = np.linspace(0, 1, 1001)
    shown = problem(lambda rng: rng.uniform(size=1001))
    scene, layer, heights = drawn(shown, x)
    assert scene.title.endswith("1001 variables, 200 of 1001 numbers shown")
    assert len(heights) == len(layer["owners"]) == 200
    low, high = scene.world["y"]
    assert low + heights * (high - low) == pytest.approx(x[layer["owners"]], abs=2e-5)
    assert layer["owners"][0] == 0 and layer["owners"][-1] == 1000


def test_bar_belongs_to_its_variable():
    grouped = problem(groups=[[0, 3], [2], [1]])
    assert drawn(grouped, [0.0] * 4)[1]["owners"] == [0, 2, 1, 0]
    rows = problem(lambda rng: rng.uniform(size=(4, 3)))
    assert drawn(rows, np.zeros((4, 3)))[1]["owners"] == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    points = problem(plane, groups=[[0, 3], [2], [1]])
    assert drawn(points, np.zeros((4, 2)))[1]["rows"] == [[0, 3], [2], [1]]


@cases("n", [1, 2, 3])
def test_up_to_three_numbers_are_drawn_as_a_point(n):
    shown = problem(lambda rng: rng.uniform(-2, 6, n))
    corner, inside = drawn(shown, [-3.0] * n)[2], drawn(shown, [2.0] * n)[2]
    scene, layer, _ = drawn(shown, [0.0] * n)
    assert layer["kind"] == "place" and len(layer["axes"]) == n
    assert ("seen at an angle" in scene.title) == (n == 3)
    for i, axis in enumerate(layer["axes"]):
        assert axis["from"] == pytest.approx(corner, abs=1e-4)
        x = [-3.0] * n
        x[i] = 7.0  # outside the range of all draws
        assert drawn(shown, x)[2] == pytest.approx(axis["to"], abs=1e-4)
    middle = corner + sum(np.subtract(axis["to"], axis["from"]) for axis in layer["axes"]) / 2
    assert inside == pytest.approx(middle, abs=0.03)


def test_alpha_without_effect_has_no_slider():
    for sample, there in ((vector, True), (lambda rng: rng.integers(0, 9, 4), False)):
        values = {"k1": 1, "m1": 100, "alpha": 0.0, "seed": 0}
        settings = Settings(problem(sample, lambda x: x), WrappedScene.noun, None, "random", values)
        assert ("alpha" in [each["name"] for each in settings.controls()]) == there


@cases(
    "without",
    [
        problem(lambda rng: rng.uniform(size=4) + 1j),
        prviz.wrap(
            sum, lambda rng: [1], lambda x: x, 1, get=lambda x, i: x[i], set=lambda *_: None
        ),
    ],
)
def test_states_without_an_array_of_real_numbers_have_no_picture(without):
    with pytest.raises(ValueError, match="This problem has no picture"):
        prviz.play(without)


def test_play_shows_no_best_if_all_calls_fail():
    failing = problem(optimise=lambda x: OptimizeResult(x=x, success=False), results=True)
    theatre = prviz.play(failing, k1=1, m1=2, calls=4)
    try:
        theatre.run.start()
        theatre.run._thread.join(20)
        head, _ = theatre.run.progress(0)
        assert (head["calls"], head["best"], head["bests"]) == (4, None, [])
        assert frames_of(theatre.run, 1)[-1]["cost"] == np.inf
    finally:
        theatre.close()
