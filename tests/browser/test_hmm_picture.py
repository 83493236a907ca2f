"""The heat maps and the string are drawn correctly, on a hand-made film of four states.

The chain goes 2 → 0 → 3 → 1 → 2, and each state emits a different symbol. Call 1 is a restart;
call 2 redraws state 3, makes two iterations, and reverts.
"""

import functools

import numpy as np
import pytest
from browsing import tells_colours_apart
from picture import COLOURS, film, layout_of, near, pixels, replay_of, shown

import prviz
from prviz.player.pictures import frames
from prviz.problems.hmm.plain import PlainHMMState
from prviz.scenes.hmm import HMMScene

WAY = [2, 0, 3, 1]
DATA = prviz.datasets.read_text("abcdabcdab")
SCENE = HMMScene(DATA, prviz.hmm(DATA, 4))
CHAIN = PlainHMMState(np.zeros((4, 4)), np.zeros((4, 4)), np.eye(4)[2], np.zeros(2))
for step, state in enumerate(WAY):
    CHAIN.transition[state, WAY[(step + 1) % 4]] = 1
    CHAIN.emission[state, step] = 1
LOST = CHAIN._replace(
    transition=CHAIN.transition.copy(), emission=np.full((4, 4), 0.25), start=np.full(4, 0.25)
)
LOST.transition[3] = 0.25
A, B = (SCENE.layers[0]["panels"][i] for i in (1, 2))
STRING = SCENE.layers[1]
LAYOUT = layout_of(SCENE, 4)
EVENTS = [  # call, event, level, iteration, chosen, cost, model
    (1, frames.REDRAW, 2, 0, [0, 1, 2, 3], np.nan, LOST),
    (1, frames.ITERATE, 0, 1, [0, 1, 2, 3], 1.5, CHAIN),
    (1, frames.KEPT, 1, 1, [0, 1, 2, 3], 1.5, CHAIN),
    (2, frames.REDRAW, 1, 0, [3], np.nan, LOST),
    (2, frames.ITERATE, 0, 1, [3], 9.0, LOST),
    (2, frames.ITERATE, 0, 2, [3], 4.0, LOST),
    (2, frames.REVERTED, 1, 2, [3], 1.5, CHAIN),
]


@pytest.fixture(scope="module")
def replay_file(tmp_path_factory):
    content = film(LAYOUT, EVENTS, 1.5, SCENE.draw)
    return replay_of(tmp_path_factory.mktemp("replay"), SCENE, LAYOUT, content, 1.5)


@pytest.fixture
def replay(open_replay, replay_file):
    return functools.partial(open_replay, replay_file)


def pixel(page, u, v):
    return pixels(page, [(u, v)])[0]


def box_of(page, panel):
    """Return the rectangle of a matrix in the available space."""
    aspect = page.evaluate("theatre.scene.view.aspect")
    return (panel["narrow"] if aspect < panel["shapes"][0] else panel)["box"]


def entry(page, panel, row, column):
    """Return the colour at the centre of a matrix entry, by its position on screen."""
    left, bottom, right, top = box_of(page, panel)
    u = left + (column + 0.5) / panel["columns"] * (right - left)
    return pixel(page, u, top - (row + 0.5) / panel["rows"] * (top - bottom))


def dark_entries(page, panel):
    """Return where a matrix is closer to the ink colour than to the background colour."""
    size = panel["rows"], panel["columns"]
    light = np.array([[sum(entry(page, panel, *at)) for at in row] for row in _grid(*size)])
    return light < 384


def _grid(rows, columns):
    return [[(row, column) for column in range(columns)] for row in range(rows)]


def test_matrix_entries_are_in_place_and_sorted_by_path(replay):
    page = shown(replay(), 1, 2)
    assert np.array_equal(dark_entries(page, A), CHAIN.transition > 0.5)
    assert np.array_equal(dark_entries(page, B), CHAIN.emission > 0.5)
    button = page.get_by_role("button", name="Sort by path")
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    page.wait_for_timeout(100)
    assert np.array_equal(dark_entries(page, A), np.roll(np.eye(4, dtype=bool), 1, axis=1))
    assert np.array_equal(dark_entries(page, B), np.eye(4, dtype=bool))
    shown(page, 2, 3)  # the revert restores the same model
    assert np.array_equal(dark_entries(page, B), np.eye(4, dtype=bool))
    button.click()
    assert button.get_attribute("aria-pressed") == "false"
    page.wait_for_timeout(100)
    assert np.array_equal(dark_entries(page, B), CHAIN.emission > 0.5)


def edged(page, panel, place, along, colour):
    """Return True if a row or column of A has an outline of this colour near its middle."""
    left, bottom, right, top = box_of(page, panel)
    # height of a pixel, in units of the world's height
    one = page.evaluate("1 / theatre.scene.view.scale")
    aspect = page.evaluate("theatre.scene.view.aspect")
    steps = one * np.arange(-2, 3)  # for most window sizes, the line lies between two pixels
    if along == "row":
        u, v = left + 0.4 * (right - left), top - place / 4 * (top - bottom)
        across = [(u, v + step) for step in steps]
    else:
        u, v = left + place / 4 * (right - left), top - 0.4 * (top - bottom)
        across = [(u + step / aspect, v) for step in steps]
    return any(near(seen, COLOURS[colour]) for seen in pixels(page, across))


def test_player_outlines_redraws_and_shows_sentences_and_the_small_curve(replay):
    page = replay()
    assert edged(page, A, 0, "row", "full")
    shown(page, 2, 1)
    assert edged(page, A, 3, "row", "partial")
    assert edged(page, A, 3, "column", "partial")
    assert not edged(page, A, 1, "row", "partial")
    shown(page, 2, 3)
    page.get_by_role("button", name="Sort by path").click()  # state 3 is third on the path
    shown(page, 2, 1)
    assert edged(page, A, 2, "row", "partial")
    assert edged(page, A, 2, "column", "partial")

    shown(page, 2, 2)
    said = page.locator(".pv-sentence")
    assert said.inner_text() == "Baum–Welch, iteration 2: now −log-likelihood 4."
    assert len(page.locator(".pv-spark polyline").get_attribute("points").split()) == 2
    shown(page, 2, 3)
    assert said.inner_text() == "State 3 redrawn: 4.000 > 1.500, reverted."
    shown(page, 2, 0)
    assert page.locator(".pv-spark polyline").get_attribute("points") == ""


def test_string_cells_show_probability_and_redraws_and_dark_theme_inverts_entries(replay):
    page = shown(replay(), 1, 2)
    left, _, right, top = STRING["box"]
    wide = (right - left) / 8  # the width of a cell
    high = min(0.2, 1.6 * wide * page.evaluate("theatre.scene.view.aspect"))
    corner = left + 0.1 * wide, top - 0.1 * high
    assert any(pixel(page, *corner))
    shown(page, 2, 1)
    assert not any(pixel(page, *corner))  # the cell is filled to a quarter
    bars = [(left + (i + 0.5) * wide, top - 0.93 * high) for i in range(4)]
    colours = [near(seen, COLOURS["partial"]) for seen in pixels(page, bars)]
    assert colours == [state == 3 for state in WAY]  # the cells of the first four symbols

    page.emulate_media(color_scheme="dark")
    page.wait_for_function("theatre.root.hasAttribute('data-dark')")
    shown(page, 1, 1)
    ground, ink = page.evaluate(
        """() => ["ground", "ink"].map((name) =>
            theatre.scene.view.colours[name].match(/\\d+/g).slice(0, 3).map(Number))"""
    )
    assert near(entry(page, A, 2, 0), ink)
    assert near(entry(page, A, 2, 1), ground)


def test_phone_shows_the_whole_picture(replay):
    page = shown(replay(width=390, height=844), 1, 2)
    assert np.array_equal(dark_entries(page, A), CHAIN.transition > 0.5)
    foot = page.locator(".pv-foot").bounding_box()
    assert tells_colours_apart(page)
    for part in (".pv-legend > span", ".pv-tools button"):
        for node in page.locator(part).all():
            box = node.bounding_box()
            assert foot["x"] - 1 <= box["x"]
            assert box["x"] + box["width"] <= foot["x"] + foot["width"] + 1
            assert box["y"] < foot["y"] + foot["height"]
