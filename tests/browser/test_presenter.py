"""Presentation mode has the right display and keys, on a replay of a hand-written film."""

import pytest
from handmade import press, seek, shows, state, written
from playwright.sync_api import expect

from prviz.player.export.keys import KEYS


@pytest.fixture(scope="module")
def replay_file(tmp_path_factory):
    return written(tmp_path_factory.mktemp("presented"))


@pytest.fixture
def replay(watched_page, replay_file):
    """Open the replay and wait for its first frame."""

    def open_(**options):
        page = watched_page(**options)
        page.goto(replay_file.as_uri())
        shows(page, 1, 1)
        return page

    return open_


def sizes(page):
    """Return font sizes: label, plain text, sentence, number, and text in the picture."""
    return page.evaluate(
        """() => {
            const parts = [".pv-metric dt", ".pv-panel h2", ".pv-sentence", ".pv-metric dd"];
            const styles = parts.map((part) => getComputedStyle(document.querySelector(part)));
            const drawn = theatre.scene.view.colours.small;
            return [...styles.map(({ fontSize }) => parseFloat(fontSize)), drawn];
        }"""
    )


def call(page):
    return state(page, "playback.call")


def test_key_f_toggles_presentation_mode(replay):
    page = replay()
    for leave, width, height in (("f", 1920, 1080), ("Escape", 1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("theatre.scene.view.width === theatre.scene.canvas.clientWidth")
        before, boxes = sizes(page), {}
        press(page, "f")
        assert sizes(page) == pytest.approx([1.6 * size for size in before])
        for part in (".prviz", ".pv-scene", ".pv-panel", ".pv-timeline", ".pv-sentence", ".pv-bar"):
            box = boxes[part] = page.locator(part).bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width
            assert box["y"] >= 0 and box["y"] + box["height"] <= height
        assert boxes[".prviz"] == {"x": 0, "y": 0, "width": width, "height": height}
        pictures = sum(boxes[part]["width"] for part in (".pv-scene", ".pv-panel"))
        assert pictures > 0.94 * width and boxes[".pv-scene"]["height"] > 0.6 * height
        scrolled = "[theatre.root, document.documentElement].map((n) => n.scrollHeight)"
        assert page.evaluate(scrolled) == [height, height]
        expect(page.locator("h1")).to_be_hidden()  # the heading of the page
        press(page, leave)
        expect(page.locator("h1")).to_be_visible()
        assert sizes(page) == before


def test_button_starts_presenting_and_escape_closes_the_help_first(replay):
    page = replay()
    button = page.get_by_role("button", name="Present", exact=True)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    press(page, "Tab")  # Tab does not reach the hidden page
    assert page.evaluate("theatre.root.contains(document.activeElement)")
    button.click()
    assert not state(page, "presenter.on")
    press(page, "f", "?")
    listed = page.get_by_role("dialog", name="Keys")
    assert listed.locator("dd").all_inner_texts() == [key.does for key in KEYS]
    assert {"F", "B", "T", "page down, up"} <= {key.shown for key in KEYS}
    press(page, "Escape")
    assert state(page, "presenter.on") and listed.is_hidden()
    press(page, "Escape")
    assert not state(page, "presenter.on")


def flags(page):
    """Return the visible bookmarks on the timeline, and whether each is at its position."""
    return page.evaluate(
        """() => [...document.querySelectorAll(".pv-bookmarks span:not([hidden])")].map((mark) => {
            const call = Number(mark.dataset.call), { timeline } = theatre;
            return [call, Math.abs(parseFloat(mark.style.left) - timeline.x(call + 0.5)) < 1];
        })"""
    )


def marked(page, *calls):
    for each in calls:
        seek(page, each)
        page.wait_for_function("(call) => theatre.playback.frame.call === call", arg=each)
        press(page, "b")


def test_clicker_visits_bookmarks_in_presentation_mode(replay):
    page = replay()
    marked(page, 133, 12, 40)
    assert flags(page) == [[12, True], [40, True], [133, True]]
    expect(page.get_by_role("status").filter(has_text="Call 40 is bookmarked.")).to_be_visible()
    assert state(page, "presenter.query") == {"moments": "12,40,133"}
    marked(page, 40)
    assert flags(page) == [[12, True], [133, True]]
    page.get_by_role("button", name="Mark", exact=True).click()  # add a bookmark by pointer
    expect(page.get_by_role("button", name="Unmark", exact=True)).to_be_visible()
    assert [call for call, _ in flags(page)] == [12, 40, 133]
    press(page, "PageDown")
    assert call(page) == 40  # outside presentation mode, this key scrolls
    seek(page, 1)
    shows(page, 1, 5)
    press(page, "f")
    visited = []
    for key in ("PageDown", "PageDown", "PageDown", "PageDown", "PageUp", "PageUp", "PageUp"):
        press(page, key)
        page.wait_for_function("!theatre.playback.pending")
        visited.append(call(page))
    assert visited == [12, 40, 133, 133, 40, 12, 12]
    assert state(page, "playback.mode") == "paused"
    expect(page.locator(".pv-toast")).to_contain_text("earlier")
    press(page, "f")
    seek(page, 40)
    shows(page, 40, 5)
    page.get_by_role("button", name="Unmark", exact=True).click()
    press(page, "z")  # show only this restart: calls 31 to 40
    assert flags(page) == []


def test_clicker_without_bookmarks_steps_through_the_story(replay):
    page = replay()
    # with the real goal, the search would count as solved at the first call
    page.evaluate("theatre.projector.engine.goal = -Infinity")
    episodes = page.evaluate("theatre.projector.storied")
    press(page, "f")
    visited = [call(page)]
    for _ in episodes[1:]:
        press(page, "PageDown")
        page.wait_for_function("!theatre.playback.pending")
        visited.append(call(page))
    assert visited == episodes and len(episodes) > 3
    press(page, "PageUp")
    assert call(page) == episodes[-2]


INKED = """() => {
  const { hidden, width, height } = document.querySelector(".pv-pointer");
  if (hidden) return 0;
  const copy = Object.assign(document.createElement("canvas"), { width, height });
  const g = copy.getContext("2d", { willReadFrequently: true });
  g.drawImage(document.querySelector(".pv-pointer"), 0, 0);
  const { data } = g.getImageData(0, 0, width, height);
  return data.filter((value, i) => i % 4 === 3 && value > 0).length;
}"""


def test_key_t_draws_a_pointer_trail_and_the_full_stop_key_blacks_out_the_screen(replay):
    page = replay()
    press(page, "f")
    page.mouse.move(200, 200)
    assert page.evaluate(INKED) == 0
    page.keyboard.down("t")
    page.wait_for_function(f"({INKED})() > 50")
    dot = page.evaluate(INKED)
    page.mouse.move(500, 300, steps=10)
    page.wait_for_function(f"({INKED})() > {2 * dot}")
    page.keyboard.up("t")
    page.wait_for_function(f"({INKED})() === 0")
    press(page, ".")
    black = page.locator(".pv-black")
    expect(black).to_be_visible()
    assert black.bounding_box() == {"x": 0, "y": 0, "width": 1000, "height": 720}
    press(page, "ArrowRight")
    expect(black).to_be_hidden()
    shows(page, 1, 1)  # the key ended the black screen and did nothing else
    press(page, ".")
    page.mouse.click(300, 300)
    expect(black).to_be_hidden()
    press(page, "f", ".")
    expect(black).to_be_hidden()
    # outside presentation mode, the key opens the listing
    assert state(page, "panel.algorithm.node.hidden") is False
