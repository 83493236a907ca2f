"""The series and the bands of its states are drawn correctly, on a hand-made film.

Call 1 is a restart; call 2 redraws state 1 and reverts.
"""

import numpy as np
import pytest
from picture import COLOURS, film, layout_of, near, pixels, replay_of, shown

import prviz
from prviz.engine.kernels import allocate
from prviz.player.pictures import frames
from prviz.scenes.series import SeriesScene

VALUES = np.repeat([0.0, 4.0], 10)[:, None]
MEANS, DEVIATIONS = [1.0, 3.0], [0.5, 0.4]
DATA = prviz.datasets.Series(VALUES, np.array([20]), "steps", "by hand", ("x",))
SCENE = SeriesScene(DATA, prviz.hmm(DATA, 2))
LANE = SCENE.layers[1]["lanes"][0]
LAYOUT = layout_of(SCENE, 2)
KEPT = [11, 122, 99]


@pytest.fixture(scope="module")
def replay_file(tmp_path_factory, kernels):
    state = allocate(SCENE._problem)
    state.transition[:], state.start[:] = [[0.9, 0.1], [0.1, 0.9]], [0.5, 0.5]
    state.means[:, 0], state.covars[:, 0, 0] = MEANS, np.square(DEVIATIONS)
    events = [  # call, event, level, iteration, chosen, cost, model
        (1, frames.REDRAW, 2, 0, [0, 1], np.nan, state),
        (1, frames.ITERATE, 0, 1, [0, 1], 1.5, state),
        (1, frames.KEPT, 1, 1, [0, 1], 1.5, state),
        (2, frames.REDRAW, 1, 0, [1], np.nan, state),
        (2, frames.REVERTED, 1, 1, [1], 1.5, state),
    ]
    content = film(LAYOUT, events, 1.5, SCENE.draw)
    return replay_of(tmp_path_factory.mktemp("replay"), SCENE, LAYOUT, content, 1.5)


def colours(page, step, value):
    """Return the colours of three pixels around a value, at the middle of a step."""
    left, bottom, right, top = LANE["box"]
    u = left + (step + 0.5) / len(VALUES) * (right - left)
    v = bottom + (value - LANE["low"]) / (LANE["high"] - LANE["low"]) * (top - bottom)
    one = page.evaluate("1 / theatre.scene.view.scale")
    return pixels(page, [(u, v + one * offset) for offset in (-1, 0, 1)])


def has(page, step, value, colour):
    return any(near(seen, colour) for seen in colours(page, step, value))


def test_bands_show_mean_and_deviation_of_the_state_at_each_step(open_replay, replay_file):
    page = shown(open_replay(replay_file), 1, 0)
    full = COLOURS["full"]
    for step, state in ((4, 0), (14, 1)):
        mean, deviation = MEANS[state], DEVIATIONS[state]
        assert has(page, step, mean, full)
        assert not has(page, step, MEANS[1 - state], full)
        assert has(page, step, mean - 0.7 * deviation, full)
        assert has(page, step, mean + 0.7 * deviation, full)
        assert not has(page, step, mean - 1.5 * deviation, full)
        assert not has(page, step, mean + 1.5 * deviation, full)
    for step, value in ((4, 0.0), (14, 4.0)):
        assert has(page, step, value, [31, 35, 40])  # the observations are in ink

    shown(page, 2, 0)
    assert has(page, 14, MEANS[1], COLOURS["partial"])
    assert not has(page, 4, MEANS[0], COLOURS["partial"])
    assert has(page, 4, MEANS[0], KEPT)
