"""The plain picture of wrapped Python: marks where the numbers are, and the story of the search."""

import numpy as np
import pytest

import prviz
from prviz.notebook.controls import Settings
from prviz.player.frames import decode_positions, empty_frames
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


@pytest.mark.parametrize("sample", [vector, plane])
def test_a_mark_is_where_its_numbers_are(sample):
    theatre = prviz.play(problem(sample), m1=3, calls=6, seed=2)
    try:
        run = theatre.run
        frames = frames_of(run, 1)
        found = prviz.run(problem(sample), m1=3, calls=1, seed=2)
        marks = places(run, frames[-1])
        expected = found.best_state.x
        if sample is vector:
            assert np.all(np.diff(marks[:, 0]) > 0)  # in a row
            marks = marks[:, 1]
        assert marks == pytest.approx(expected, abs=2e-4)
        assert frames[-1]["cost"] == found.best_cost
    finally:
        theatre.close()


def test_a_redraw_moves_the_mark_that_has_the_ring():
    theatre = prviz.play(problem(), k1=1, m1=5, calls=6)
    try:
        theatre.run.start()
        theatre.run._thread.join(20)
        assert theatre.run.state == "finished"
        before, redrawn, *_ = frames_of(theatre.run, 2)
        moved = np.flatnonzero((before["x"] != redrawn["x"]).reshape(-1, 2).any(axis=1))
        assert np.flatnonzero(np.unpackbits(redrawn["chosen"], bitorder="little")).tolist() == [
            *moved
        ]
    finally:
        theatre.close()


def test_alpha_has_a_slider_only_where_it_has_a_meaning():
    for sample, there in ((vector, True), (lambda rng: rng.integers(0, 9, 4), False)):
        values = {"k1": 1, "m1": 100, "alpha": 0.0, "seed": 0}
        settings = Settings(problem(sample, lambda x: x), WrappedScene.noun, None, "random", values)
        assert ("alpha" in [each["name"] for each in settings.controls()]) == there


@pytest.mark.parametrize(
    "without",
    [
        problem(lambda rng: rng.uniform(size=(4, 3))),
        problem(groups=[[0, 1], [2, 3]]),
        prviz.wrap(
            sum, lambda rng: [1], lambda x: x, 1, get=lambda x, i: x[i], set=lambda *_: None
        ),
    ],
)
def test_other_states_have_no_picture(without):
    with pytest.raises(ValueError, match="There is no picture of this problem"):
        prviz.play(without)
