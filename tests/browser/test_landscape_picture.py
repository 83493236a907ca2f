"""Profile and relief are drawn correctly, on hand-made films.

Call 1 is a restart that ends in the second best hollow. Call 2 redraws the ball, makes two
iterations, and reverts.
"""

import numpy as np
import pytest
from picture import COLOURS, INK, film, layout_of, near, pixels, replay_of, shown

import prviz
from prviz.engine import kernels
from prviz.player.pictures import frames
from prviz.problems.landscape import heights
from prviz.scenes.landscape import LandscapeScene, edge

RESTED, LANDED, FALLEN = 1.0, 2.4, 2.0  # distances from the optimum


def problem_of(d):
    return prviz.landscape(d, ripple=4, seed=5)


def position(problem, away):
    """Return a position at this distance from the optimum along the first coordinate."""
    return problem.optimum + away * np.eye(len(problem.optimum))[0]


def draw(scene, problem):
    def fill(frame, away):
        state = kernels.allocate(problem)
        state.position[:] = position(problem, away)
        scene.draw(frame, state)
        frame["best"] = np.inf if frame["call"] == 1 and frame["event"] != frames.KEPT else BEST

    return fill


BEST = float(heights(problem_of(1), position(problem_of(1), RESTED)))


@pytest.fixture(scope="module", params=[1, 2, 3])
def made(request, tmp_path_factory):
    """Return the problem, and the file of its replay."""
    d = request.param
    problem = problem_of(d)
    scene = LandscapeScene(problem)
    everything = list(range(d))
    events = [  # call, event, level, iteration, chosen, cost, distance from the optimum
        (1, frames.REDRAW, 2, 0, everything, np.nan, 3.0),
        (1, frames.ITERATE, 0, 1, everything, BEST, RESTED),
        (1, frames.KEPT, 1, 1, everything, BEST, RESTED),
        (2, frames.REDRAW, 1, 0, [0], np.nan, LANDED),
        (2, frames.ITERATE, 0, 1, [0], 7.0, 2.2),
        (2, frames.ITERATE, 0, 2, [0], 4.0, FALLEN),
        (2, frames.REVERTED, 1, 2, [0], BEST, RESTED),
    ]
    layout = layout_of(scene, d)
    content = film(layout, events, BEST, draw(scene, problem))
    folder = tmp_path_factory.mktemp("replay")
    return problem, scene, replay_of(folder, scene, layout, content, BEST)


def place(made, away):
    """Return the position of the ball in the unit square."""
    problem, scene, _ = made
    d = len(problem.optimum)
    unit = 0.5 + 0.5 * position(problem, away) / edge(d, False)
    if d == 2:
        return unit
    (layer,) = scene.layers
    left, bottom, right, top = layer["panels"][0]["box"]
    profile = np.frombuffer(scene.asset("heights"), "<u2")[: layer["samples"]] / 65535
    share = np.interp(unit[0], np.linspace(0, 1, len(profile)), profile)
    return left + unit[0] * (right - left), bottom + share * (top - bottom)


def colour(page, made, away):
    return pixels(page, [place(made, away)])[0]


def assert_balls(page, made, scheme):
    """Check in three frames that the ball is only at the position of that frame."""
    for call, index, away in ((1, 1, RESTED), (2, 2, FALLEN), (2, 3, RESTED)):
        shown(page, call, index)
        assert near(colour(page, made, away), INK[scheme])
        for other in {RESTED, LANDED, FALLEN} - {away}:
            assert not near(colour(page, made, other), INK[scheme])


def test_picture_shows_the_state_and_the_redraw_and_the_best(open_replay, made):
    page = open_replay(made[2])
    assert_balls(page, made, "light")
    said = page.locator(".pv-sentence")
    assert said.inner_text().endswith(", reverted.")
    assert "all 1" not in said.inner_text().lower()
    for call, away, redraw in ((1, 3.0, "full"), (2, LANDED, "partial")):
        shown(page, call, 0)
        assert near(colour(page, made, away), COLOURS[redraw])
    d = len(made[0].optimum)
    u, v = place(made, 0.0)
    above = u, v + (0.004 if d == 1 else 0)  # below the best cost, the picture is shaded
    before = pixels(shown(page, 1, 1), [above])[0]
    after = pixels(shown(page, 2, 2), [above])[0]
    # in three dimensions nothing is shaded, because a profile's height is not the cost
    assert (before != after) == (d < 3)
    assert said.inner_text() == "Descent, iteration 2: now height 4."

    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("theatre.root.hasAttribute('data-dark')")
    assert_balls(page, made, "dark")
