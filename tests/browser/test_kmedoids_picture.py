"""The wall of medoids and members is drawn correctly, on a hand-made film of five pictures.

Each picture has one shade. The dissimilarities are distances on a line. Call 1 is a restart to the
medoids 0, 3 and 4. Call 2 redraws medoid 1 from point 3 to point 2, and is kept. Call 3 redraws
medoid 1 to point 1, makes an iteration, and reverts.
"""

import functools

import numpy as np
import pytest
from picture import COLOURS, film, layout_of, near, pixels, shown

import prviz
from prviz.datasets import Pictures
from prviz.player.export.replay import replay_html
from prviz.player.pictures import frames
from prviz.scenes.kmedoids import KMedoidsScene, backdrop

SHADES = np.array([0.0, 60, 120, 180, 240])
LINE = np.array([0.0, 1.5, 2.5, 4, 6])
MATRIX = np.abs(LINE[:, None] - LINE)
DATA = Pictures(np.repeat(SHADES[:, None], 4, axis=1), (2, 2), "Five", "made by hand", 3)
K = 3
SCENE = KMedoidsScene(backdrop(DATA, MATRIX), prviz.kmedoids(MATRIX, K))
(WALL,) = SCENE.layers
LAYOUT = layout_of(SCENE, K)
FIRST, SECOND, THIRD = [0, 3, 4], [0, 2, 4], [0, 1, 4]
EVENTS = [  # call, event, level, iteration, chosen, cost, medoids
    (1, frames.REDRAW, 2, 0, [0, 1, 2], np.nan, FIRST),
    (1, frames.ITERATE, 0, 1, [0, 1, 2], 3.0, FIRST),
    (1, frames.KEPT, 1, 1, [0, 1, 2], 3.0, FIRST),
    (2, frames.REDRAW, 1, 0, [1], np.nan, SECOND),
    (2, frames.KEPT, 1, 1, [1], 2.5, SECOND),
    (3, frames.REDRAW, 1, 0, [1], np.nan, THIRD),
    (3, frames.ITERATE, 0, 1, [1], 3.0, THIRD),
    (3, frames.REVERTED, 1, 1, [1], 2.5, SECOND),
]
SIZES = {tuple(FIRST): [2, 2, 1], tuple(SECOND): [1, 3, 1], tuple(THIRD): [1, 2, 2]}


def draw(frame, medoids):
    frame["medoids"], frame["sizes"] = medoids, SIZES[tuple(medoids)]


@pytest.fixture(scope="module")
def replay_file(tmp_path_factory):
    head = {"calls": 3, "best": 2.5, "iterations": 3, "seconds": 0.1, "kept": 2, "reverted": 1}
    outcomes = frames.encode_outcomes([2, 1, 1], [True, True, False], [True] * 3, [True] * 3)
    path = tmp_path_factory.mktemp("replay") / "replay.html"
    assets = {name: SCENE.asset(name) for name in frames.all_assets(LAYOUT)}
    content = film(LAYOUT, EVENTS, 2.5, draw)
    page = replay_html(LAYOUT, assets, content, head, outcomes.tobytes(), {"data": []})
    path.write_text(page, "utf-8")
    return path


@pytest.fixture
def replay(open_replay, replay_file):
    return functools.partial(open_replay, replay_file)


def at(page, place, u=0.5, v=0.4):
    """Return a point of a tile in the unit square: ``u`` from the left, ``v`` from the top."""
    aspect = page.evaluate("theatre.scene.view.aspect")
    shapes = {c / (-(-K // c) * WALL["tall"]): c for c in range(1, K + 1)}
    columns = shapes[min(shapes, key=lambda shape: abs(shape - aspect))]
    row, column = divmod(place, columns)
    return (column + u) / columns, 1 - (row + v / WALL["tall"]) / -(-K // columns)


def pictures_shown(page):
    """Return the point numbers on the tiles, in order."""
    shades = np.array(pixels(page, [at(page, place) for place in range(K)]))[:, 0]
    lightest = SHADES / SHADES.max() * 255
    return np.abs(shades[:, None] - lightest).argmin(axis=1).tolist()


def edge(page, place):
    """Return the colour just outside the left edge of a tile's picture."""
    u, v = at(page, place, 0.035)
    one = page.evaluate("1 / (theatre.scene.view.scale * theatre.scene.view.aspect)")
    return pixels(page, [(u - one, v)])[0]


def place_on_canvas(page, place):
    u, v = at(page, place)
    return page.evaluate(
        "([u, v]) => ({ x: theatre.scene.view.x(u), y: theatre.scene.view.y(v) })",
        [float(u), float(v)],
    )


def press(page, place):
    page.locator(".pv-canvas").click(position=place_on_canvas(page, place))
    page.wait_for_timeout(150)


def listed(page):
    """Return the texts below the members' pictures."""
    return page.locator(".pv-members li").all_inner_texts()


def test_redraws_are_outlined_and_the_order_of_clusters_changes_only_after_decisions(replay):
    page = replay()
    assert near(edge(page, 0), COLOURS["full"])
    shown(page, 2, 0)
    assert near(edge(page, 1), COLOURS["partial"])
    assert not near(edge(page, 0), COLOURS["partial"])
    shown(page, 3, 0)
    assert near(edge(page, 0), COLOURS["partial"])
    shown(page, 3, 2)
    assert pictures_shown(page) == [2, 0, 4]
    assert page.locator(".pv-sentence").inner_text() == "Medoid 1 redrawn: 3.000 > 2.500, reverted."

    page.emulate_media(color_scheme="dark")  # in the dark theme, brightness identifies a picture
    page.wait_for_function("theatre.root.hasAttribute('data-dark')")
    shown(page, 1, 2)
    assert pictures_shown(page) == [0, 3, 4]
    shown(page, 2, 0)
    # the tile stays in place, although its cluster is the largest now
    assert pictures_shown(page) == [0, 2, 4]
    shown(page, 2, 1)
    assert pictures_shown(page) == [2, 0, 4]
    shown(page, 3, 1)
    assert pictures_shown(page) == [1, 0, 4]


def test_redraw_flashes_and_fades(replay):
    page = shown(replay(motion="no-preference"), 1, 2)
    seen = page.evaluate(
        """async ([u, v]) => {
            const {view, g} = theatre.scene, seen = [];
            theatre.playback.seek(2, "start");
            for (let i = 0; i < 40; i++) {
                theatre.wake(true);
                await new Promise(requestAnimationFrame);
                const at = [view.x(u) * view.ratio, view.y(v) * view.ratio].map(Math.round);
                seen.push([...g.getImageData(...at, 1, 1).data.slice(0, 3)]);
            }
            return seen;
        }""",
        list(at(page, 1)),
    )
    assert max(red - blue for red, _, blue in seen) > 60  # vermillion over grey
    assert seen[-1][0] == seen[-1][2] == 128  # the flash ends with the new picture


def test_click_or_keys_list_the_members_at_the_shown_frame(replay):
    page = shown(replay(), 1, 2)
    panel = page.locator(".pv-members")
    assert panel.is_hidden()
    press(page, 1)
    panel.wait_for(state="visible")
    assert listed(page) == ["0", "1.50"]  # points 3 and 2
    assert "Medoid 1: picture 3" in panel.inner_text()
    assert "2 members, distances 1.500 in all" in panel.inner_text()
    page.keyboard.press("ArrowRight")  # the player still gets the keys: it steps by a frame
    page.wait_for_timeout(150)
    assert "Medoid 1: picture 2" in panel.inner_text()
    assert listed(page) == ["0", "1", "1.50"]
    shown(page, 3, 1)
    assert listed(page) == ["0", "1"]
    page.keyboard.press("Escape")
    assert panel.is_hidden()
    shown(page, 2, 1)
    press(page, 2)
    assert listed(page) == ["0"]
    press(page, 2)
    assert panel.is_hidden()

    shown(page, 1, 2)  # arrow keys select a medoid, too
    page.locator(".pv-canvas").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert "Medoid 1: picture 3" in panel.inner_text()
    assert page.locator(".pv-where").inner_text().startswith("call 1, frame 3")
    spoken = page.locator(".pv-hidden[aria-live]")
    page.wait_for_function("document.querySelector('.pv-hidden').textContent.includes('Medoid 1,')")
    assert spoken.inner_text() == "Medoid 1, picture 3, 2 members."
    page.keyboard.press("Enter")
    assert panel.is_hidden()


def test_phone_shows_the_whole_picture(replay):
    page = shown(replay(width=390, height=844, has_touch=True), 2, 1)
    assert pictures_shown(page) == [2, 0, 4]
    page.locator(".pv-canvas").tap(position=place_on_canvas(page, 0))
    page.locator(".pv-members").wait_for()
    panel, canvas = (page.locator(name).bounding_box() for name in (".pv-members", ".pv-canvas"))
    assert canvas["x"] <= panel["x"]
    assert panel["x"] + panel["width"] <= canvas["x"] + canvas["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
