"""The player works in a real browser, on a stand-alone replay of a hand-written film."""

import itertools

import numpy as np
import pytest
from browsing import covered
from handmade import (
    ASSETS,
    CALLS,
    CURVE,
    HEAD,
    LAYOUT,
    LINES,
    OUTCOMES,
    THIN,
    film_bytes,
    played_to,
    press,
    seek,
    sentence,
    shows,
    state,
    written,
)
from picture import painted
from playwright.sync_api import expect

from prviz.player.export.replay import held_calls, replay_html


@pytest.fixture(scope="module")
def replay_file(tmp_path_factory):
    return written(tmp_path_factory.mktemp("replay"), {"k1": "1"})


@pytest.fixture
def replay(watched_page, replay_file):
    """Open the replay and wait for its first frame."""

    def open_(**options):
        page = watched_page(**options)
        page.goto(replay_file.as_uri())
        shows(page, 1, 1)
        page.evaluate("theatre.playback.pace = 1")  # every call
        return page

    return open_


def test_every_event_has_a_sentence_and_the_picture_has_a_text_alternative(replay):
    page = replay()
    assert sentence(page) == "Restart 1: all 5 centres redrawn."
    assert page.locator(".pv-metric-calls dd").first.inner_text() == "1"
    assert page.locator(".pv-metric-calls .pv-note").inner_text() == "of 300"
    assert page.locator(".pv-metric-best dd").first.inner_text() == f"9{THIN}000"
    assert page.locator(".pv-metric-gap").inner_text().split("\n")[1:] == [
        f"0{THIN}%",
        "solved",
    ]
    assert page.locator(".pv-metric-decisions dd").first.inner_text() == "0 · 0"
    assert page.get_by_role("button", name="Run", exact=True).count() == 0  # a replay cannot search

    said = []
    for frame in range(1, 6):
        shows(page, 1, frame)
        said.append(sentence(page))
        press(page, "ArrowRight")
    assert said == [
        "Restart 1: all 5 centres redrawn.",
        "Centre 1 redrawn.",
        f"Lloyd, iteration 1: now 5.56{THIN}% above the best.",
        f"Lloyd, iteration 2: now 4.58{THIN}% above the best.",
        f"Centre 1 redrawn: from 4.19{THIN}% to 4.58{THIN}% above the best, reverted.",
    ]
    seek(page, 3)
    shows(page, 3, 4)
    assert (
        sentence(page) == f"Centre 3 redrawn: from 4.19{THIN}% to 3.34{THIN}% above the best, kept."
    )
    seek(page, 20)
    shows(page, 20, 5)
    assert sentence(page) == f"Restart 2: from 0{THIN}% to 4.19{THIN}% above the best, reverted."
    page.evaluate(
        "theatre.projector.engine.bests = [[1, 1e18]]"
    )  # beside 1e18, every later improvement counts as a rounding error
    seek(page, 3)
    shows(page, 3, 4)
    assert sentence(page) == "Centre 3 redrawn: no change, kept."

    picture = page.get_by_role("img", name="Five points, call 3. Centre 3 redrawn")
    assert picture.count() == 1
    page.wait_for_function(
        "document.querySelector('[aria-live]').textContent"
        " === document.querySelector('.pv-sentence').textContent"
    )
    assert page.get_by_role("slider", name="Call shown").get_attribute("aria-valuenow") == "3"


def test_play_pauses_and_stops_at_the_end_and_starts_again(replay):
    page = replay()
    page.evaluate(
        """() => {
          globalThis.times = [];
          new MutationObserver(() => times.push(performance.now()))
            .observe(document.querySelector("[aria-live]"), {childList: true});
        }"""
    )
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("theatre.playback.index >= 2")
    page.get_by_role("button", name="Pause").click()
    assert state(page, "playback.mode") == "paused"
    press(page, " ")
    assert state(page, "playback.mode") == "playing"
    played_to(page, 2)
    page.wait_for_function("times.length >= 2")
    assert min(np.diff(page.evaluate("times"))) > 990  # announcements are a second apart
    press(page, " ")
    assert state(page, "playback.mode") == "paused"

    seek(page, CALLS, 1)
    shows(page, CALLS, 2)
    press(page, "5", " ")
    page.wait_for_function("theatre.playback.mode === 'paused'")
    shows(page, CALLS, 5)
    press(page, " ")
    page.wait_for_function("theatre.playback.frame.call < 100")


def test_buttons_and_keys_step_to_a_frame_or_call_or_restart(replay):
    page = replay()
    click = {
        name: page.get_by_role("button", name=name, exact=True).click
        for name in (
            "Forward one frame", "Back one frame", "Forward one call", "Back one call",
            "Next restart", "Previous restart",
        )
    }  # fmt: skip
    click["Forward one frame"]()
    shows(page, 1, 2)
    click["Forward one call"]()
    shows(page, 1, 5)  # the first press goes to the end of the current call
    click["Forward one call"]()
    shows(page, 2, 4)
    click["Forward one frame"]()
    shows(page, 3, 1)
    click["Back one frame"]()
    shows(page, 2, 4)
    click["Back one call"]()
    shows(page, 1, 5)
    click["Next restart"]()
    shows(page, 11, 1)
    click["Next restart"]()
    shows(page, 21, 1)
    click["Forward one frame"]()
    click["Previous restart"]()
    shows(page, 21, 1)  # the first press goes to the start of the call
    click["Previous restart"]()
    shows(page, 11, 1)
    for key, frame in (("ArrowRight", 2), ("ArrowLeft", 1), ("Shift+ArrowRight", 5)):
        press(page, key)
        shows(page, 11, frame)
    paces = []
    for key in "123456s":
        press(page, key)
        paces.append(state(page, "playback.pace"))
    assert paces == [0.25, 0.5, 1, 2, 4, 8, "story"]
    # the menu shows the new pace when the next picture is drawn
    expect(page.get_by_label("Pace", exact=True)).to_have_value("story")
    help_panel = page.get_by_role("dialog", name="Keys")
    press(page, "?")
    assert help_panel.is_visible()
    # too low for the rows of the help
    page.evaluate("theatre.scene.node.style.height = '120px'")
    row, panel = (node.bounding_box() for node in (help_panel.locator("dl"), help_panel))
    assert row["y"] >= panel["y"]  # a user could not scroll to rows above the panel
    press(page, "Escape")
    assert help_panel.is_hidden()


def test_buttons_jump_to_a_kind_of_call(replay):
    page = replay()
    press(page, "n")
    shows(page, 3, 4)
    press(page, "N")
    shows(page, 6, 4)
    press(page, "p")
    shows(page, 3, 4)
    kind = page.get_by_label("Kind to jump to")
    kind.select_option("reverted")
    page.get_by_role("button", name="Next of this kind").click()
    shows(page, 4, 4)
    kind.select_option("restart")
    page.get_by_role("button", name="Next of this kind").click()
    shows(page, 11, 1)
    kind.select_option("best")
    page.get_by_role("button", name="Next of this kind").click()
    assert page.get_by_role("status").inner_text() == "No later new best call."
    shows(page, 11, 1)

    seek(page, 1, "start")
    kind.dispatch_event("pointerdown")
    kind.select_option("reverted")
    press(page, "n")
    shows(page, 2, 4)
    kind.focus()
    press(page, "ArrowDown")  # the list keeps the focus
    assert kind.input_value() == "restart"
    assert kind.evaluate("(node) => node === document.activeElement")

    page.evaluate("document.body.append(document.createElement('input'))")
    page.locator("body > input").fill("")
    page.keyboard.type("n 5")
    assert page.locator("body > input").input_value() == "n 5"
    shows(page, 2, 4)
    assert state(page, "playback.pace") == 1


HURRY = """
async () => {
  globalThis.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()));
  const { playback, projector } = theatre, seen = [], left = new Set();
  const told = () => document.querySelector(".pv-skipping")?.textContent;
  while (playback.mode !== "paused") {
    projector.tick(200, performance.now());
    projector.finish();
    theatre.captioned = 0; // words keep up
    theatre.wake(true);
    await new Promise(requestAnimationFrame);
    if (seen.at(-1) !== playback.frame.call) seen.push(playback.frame.call);
    if (told()) left.add(told());
  }
  return [seen, [...left]];
}
"""


def test_story_skips_calls_and_ends_at_the_best_call(replay):
    page = replay()
    # with the real goal, the search would count as solved at the first call
    page.evaluate("theatre.projector.engine.goal = -Infinity")
    press(page, "s", " ")
    seen, left = page.evaluate(HURRY)
    assert seen[:2] == [1, 2] and seen[-1] == 1 and seen[1:-1] == sorted(seen[1:-1])
    assert len(seen) < 20
    counted = [int(text.split()[3]) for text in left]
    assert left[0].startswith("Fast forward over ")
    assert "all reverted" in left[0] or "kept" in left[0]
    assert sum(counted) + len(seen[:-1]) <= CALLS
    shows(page, 1, 5)
    page.wait_for_function("!theatre.playback.moving")
    assert sentence(page).startswith(f"The best of {CALLS} calls was found at call 1: ")
    press(page, " ")  # play the story again
    page.wait_for_function("theatre.playback.mode === 'story' && theatre.playback.index < 4")
    assert state(page, "playback.frame.call") == 1
    press(page, " ")
    seek(page, 150)
    press(page, " ")  # the story continues from the chosen position
    page.wait_for_function("theatre.playback.frame.call > 150")
    assert state(page, "playback.mode") == "story"


@pytest.fixture(scope="module")
def sparse_file(tmp_path_factory):
    """Write a file with calls 1, 2, 3, 50 and 300 of 300."""
    frames = film_bytes(1, 3) + film_bytes(50, 1) + film_bytes(300, 1)
    layout = {**LAYOUT, "recorded": held_calls(5, CALLS)}
    head = {**HEAD, "calls": CALLS}
    page = replay_html(layout, ASSETS, frames, head, OUTCOMES.tobytes(), CURVE)
    path = tmp_path_factory.mktemp("replay") / "sparse.html"
    path.write_text(page, "utf-8")
    return path


def test_replay_with_missing_calls_steps_over_them(watched_page, sparse_file):
    page = watched_page()
    page.goto(sparse_file.as_uri())
    shows(page, 1, 1)
    held = "This file contains 5 of 300 calls: the story of the search."
    assert page.locator(".pv-badge").inner_text() == held
    for call in (2, 3, 50, 300):
        press(page, "Shift+ArrowRight", *["Shift+ArrowRight"] * (call == 2))
        page.wait_for_function("(call) => theatre.playback.frame.call === call", arg=call)
    press(page, "Shift+ArrowLeft")
    page.wait_for_function("theatre.playback.frame.call === 50")
    press(page, "p")  # the previous kept call
    page.wait_for_function("theatre.playback.frame.call === 3")
    page.evaluate("theatre.timeline.act.scrub(170, true)")
    page.wait_for_function("theatre.playback.frame.call === 300")
    seek(page, 1, "start")
    press(page, "s", " ")
    seen, _ = page.evaluate(HURRY)
    assert {*seen} <= {1, 2, 3, 50, 300} and seen[-1] == 1


def shown(page):
    """Return the first and last call on the timeline, and the two ends of the restart mark."""
    return page.evaluate(
        """() => {
            const { shown: { first, last }, track, present } = theatre.timeline;
            const [whole, part] = [track, present].map((node) => node.getBoundingClientRect());
            const share = (x) => Number(((x - whole.left) / whole.width).toFixed(3));
            return [first, last, present.hidden ? null : [share(part.left), share(part.right)]];
        }"""
    )


def test_timeline_zooms_and_marks_the_restart_and_follows_the_call(replay):
    page = replay()
    seek(page, 45)
    shows(page, 45, 4)
    overview = page.locator(".pv-overview")
    assert shown(page) == [1, 300, [0.133, 0.167]]  # calls 41 to 50
    assert overview.is_hidden()
    press(page, "z")
    assert shown(page) == [41, 50, None]
    assert overview.is_visible()
    box = page.locator(".pv-track").bounding_box()
    page.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + 20)
    shows(page, 48, 4)
    press(page, *["Shift+ArrowRight"] * 3)
    shows(page, 51, 5)
    assert shown(page) == [51, 60, None]  # the timeline now shows the next restart
    press(page, "-")
    assert shown(page) == [51, 70, [0, 0.5]]
    page.get_by_role("button", name="Show more calls").click()
    assert shown(page) == [51, 90, [0, 0.25]]
    press(page, "+", "0")
    assert shown(page) == [1, 300, [0.167, 0.2]]
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.wheel(0, -120)
    page.wait_for_function("theatre.timeline.range")
    assert shown(page)[:2] == [26, 175]  # around the shown call
    page.wait_for_function(
        "document.querySelector('[aria-live]').textContent === 'Calls 26 to 175 of 300.'"
    )


def test_lanes_show_kept_calls_and_can_be_dragged(replay):
    page = replay()
    box = page.locator(".pv-track").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 1, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, middle, steps=5)
    shows(page, 151, 5)
    page.mouse.move(box["x"] + box["width"] - 1, middle, steps=5)
    page.mouse.up()
    shows(page, CALLS, 5)
    assert state(page, "playback.mode") == "paused"

    # Each of thirty columns has ten calls, of which three or four are kept, about a third.
    heights = page.evaluate(
        """() => {
            const { timeline } = theatre;
            timeline.track.style.cssText = "flex: none; width: 30px";
            timeline.redraw();
            const { canvas, colours } = timeline, { width, height } = canvas;
            const copy = Object.assign(document.createElement("canvas"), { width, height });
            const g = copy.getContext("2d", { willReadFrequently: true });
            g.drawImage(canvas, 0, 0);
            const ink = colours.kept.match(/\\d+/g).slice(0, 3).map(Number);
            const lane = height / 3;
            return Array.from({length: 30}, (_, x) => {
                const { data } = g.getImageData(x, 0, 1, Math.floor(lane));
                let high = 0;
                for (let i = 0; i < data.length; i += 4) {
                    const near = (c, j) => Math.abs(c - data[i + j]) < 40;
                    if (data[i + 3] > 127 && ink.every(near)) high++;
                }
                return high / (lane - 3);
            });
        }"""
    )
    # the first column has the dot of a new best
    assert np.allclose(heights[1:], np.sqrt(1 / 3), atol=0.12)


def test_zoom_is_centred_at_the_pointer(replay):
    page = replay()
    canvas = page.locator(".pv-canvas")
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.wheel(0, -600)
    page.wait_for_function("theatre.scene.view.zoom > 2")
    page.mouse.down()
    page.mouse.move(box["x"] + 140, box["y"] + 120)
    page.mouse.up()
    view = state(page, "scene.view.key")
    page.evaluate("globalThis.canvas = document.querySelector('.pv-canvas')")
    press(page, " ")
    played_to(page, 2)
    press(page, " ", "n")
    assert state(page, "scene.view.key") == view
    assert page.evaluate("canvas === document.querySelector('.pv-canvas')")
    canvas.dblclick()
    assert state(page, "scene.view.zoom") == 1

    before, after = page.evaluate(
        """() => {
          const view = theatre.scene.view;
          const u = 0.3, v = 0.6;
          const at = () => [view.x(u), view.y(v)];
          const before = at();
          view.zoomAt(3, ...before);
          return [before, at()];
        }"""
    )
    assert after == pytest.approx(before)


def test_centres_are_animated_unless_motion_is_reduced(replay):
    record = """() => {
      const seen = [];
      const draw = theatre.scene.draw;
      theatre.scene.draw = function (moment) {
        if (moment) seen.push(moment.t);
        return draw.call(this, moment);
      };
      globalThis.seen = seen;
    }"""
    page = replay()
    for reduced, gliding in (("no-preference", True), ("reduce", False)):
        page.emulate_media(reduced_motion=reduced)
        seek(page, 1, "start")
        page.evaluate("theatre.playback.pace = 2")
        page.evaluate(record)
        press(page, " ")
        played_to(page, 2)
        assert page.evaluate("seen.some((t) => t > 0 && t < 1)") is gliding
        press(page, " ")


def test_panel_shows_cards_and_algorithm_and_curve(replay):
    page = replay()
    cards = page.locator(".pv-cards .pv-card:not(.pv-card-head)")
    assert [text.split("\n")[0] for text in cards.all_inner_texts()] == [
        "Restart",
        "Level 1",
        "Lloyd",
    ]
    assert "pv-active" in cards.nth(0).get_attribute("class")
    seek(page, 4, 0)
    shows(page, 4, 1)
    assert cards.nth(1).inner_text().split("\n") == ["Level 1", "centre 4", "3 / 10", f"9{THIN}377"]
    assert "pv-active" in cards.nth(1).get_attribute("class")
    seek(page, 4, 1)
    shows(page, 4, 2)
    assert "iteration 1" in cards.nth(2).inner_text()
    assert "pv-active" in cards.nth(2).get_attribute("class")
    seek(page, 4)
    shows(page, 4, 4)
    assert f"back to 9{THIN}377" in cards.nth(1).inner_text()
    assert "pv-back" in cards.nth(1).get_attribute("class")
    assert cards.nth(1).locator(".pv-card-value svg").is_visible()

    seek(page, 1, "start")
    shows(page, 1, 1)
    lines = page.get_by_role("list")
    assert lines.count() == 0
    page.get_by_role("button", name="Algorithm 1").click()
    assert [line.strip() for line in lines.all_inner_texts()[0].split("\n")] == [
        line.strip() for line in LINES
    ]
    lit = page.locator("[aria-current=step]")
    assert lit.inner_text() == "redraw"
    press(page, "ArrowRight", "ArrowRight")
    shows(page, 1, 3)
    assert lit.inner_text() == "optimise(x)"
    page.get_by_role("button", name="Algorithm 1").click()

    page.wait_for_selector(".pv-sketch")
    playhead = page.locator(".pv-plot-playhead")
    left = playhead.bounding_box()["x"]
    seek(page, 200)
    shows(page, 200, 5)
    assert playhead.bounding_box()["x"] > left + 100

    page.evaluate("theatre.panel.curve.load('data:text/javascript,0')")
    page.wait_for_selector("text=Plotly could not be loaded. This is a plain sketch without zoom.")


def points_drawn(page):
    """Return the pixels of the scene in the colour of points, which are translucent."""
    return page.evaluate(
        """() => {
          const canvas = document.querySelector(".pv-canvas");
          const copy = Object.assign(document.createElement("canvas"),
            {width: canvas.width, height: canvas.height});
          const g = copy.getContext("2d", {willReadFrequently: true});
          g.drawImage(canvas, 0, 0);
          const data = g.getImageData(0, 0, copy.width, copy.height).data;
          const ink = theatre.scene.view.colours.ink.match(/\\d+/g).slice(0, 3).map(Number);
          let points = 0;
          for (let i = 0; i < data.length; i += 4) {
            if (data[i + 3] < 40) continue;
            if (ink.some((shade, c) => Math.abs(shade - data[i + c]) > 8)) continue;
            if (data[i + 3] < 255) points++;
          }
          return points;
        }"""
    )


MEANINGS = ["full", "partial", "kept", "reverted", "negative", "positive", "accent", "ink"]


def assert_colours(page, dark):
    """Check that marks contrast with the background, and that no two meanings share a colour."""
    assert points_drawn(page) > 500
    ground, ink = page.evaluate(
        "['ground', 'ink'].map((shade) => Number(theatre.scene.view.colours[shade]"
        ".match(/\\d+/)[0]))"
    )
    assert (ground < ink) is dark
    assert painted(page, "full") > 5 * 40  # a restart redraws all five
    assert painted(page, "partial") == painted(page, "kept") == 0
    press(page, "ArrowRight")
    shows(page, 1, 2)
    assert painted(page, "full") == 0
    assert painted(page, "partial") > 20
    assert painted(page, "kept") > 4 * 40  # four variables are kept
    colours = page.evaluate(
        """(meanings) => meanings.map((meaning) => {
            theatre.root.style.outlineColor = `var(--pv-${meaning})`;
            const colour = getComputedStyle(theatre.root).outlineColor;
            const scale = colour.startsWith("color(") ? 255 : 1; // mixed colours use fractions
            return colour.match(/\\d[\\d.]*/g).slice(0, 3).map((part) => scale * part);
        })""",
        MEANINGS,
    )
    for one, other in itertools.combinations(zip(MEANINGS, colours, strict=True), 2):
        assert np.linalg.norm(np.subtract(one[1], other[1])) > 50, (one, other)


def test_scene_follows_the_theme(replay):
    page = replay(color_scheme="light", reduced_motion="reduce")
    assert_colours(page, dark=False)
    press(page, "ArrowLeft")
    shows(page, 1, 1)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("theatre.root.hasAttribute('data-dark')")
    assert_colours(page, dark=True)

    # JupyterLab may attach the output of a cell after the widget was made.
    page.evaluate(
        """() => {
            const host = document.createElement("div");
            const kind = { theme: "light", onEvent() {}, pace: 1, view: "", base: "" };
            const { source } = theatre.projector;
            theatre.root.remove();
            globalThis.theatre = new theatre.constructor(host, kind);
            theatre.show(source);
            document.body.append(host);
            theatre.root.focus(); // keys go to this player
        }"""
    )
    shows(page, 1, 1)
    page.wait_for_function("theatre.scene.view.colours.ground")
    assert page.evaluate("theatre.root.hasAttribute('data-dark')") is False
    assert_colours(page, dark=False)


def test_phone_needs_no_horizontal_scroll(replay):
    page = replay(width=390, height=844, is_mobile=True, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    order = [
        ".pv-scene",
        ".pv-bar",
        ".pv-timeline",
        ".pv-say",
        ".pv-metrics",
        ".pv-curve",
        ".pv-cards",
    ]
    tops = [page.locator(part).bounding_box()["y"] for part in order]
    assert tops == sorted(tops)
    page.evaluate("theatre.tell('Said for a moment')")
    assert covered(page) == []
    for name in ("Play", "Forward one frame", "Next restart", "Take away"):
        box = page.get_by_role("button", name=name, exact=True).bounding_box()
        assert min(box["width"], box["height"]) >= 40
    box = page.locator(".pv-track").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] - 5, box["y"] + 10)
    page.wait_for_function("theatre.playback.frame.call > 285")


def test_parts_beside_a_sidebar_do_not_move_between_calls(replay):
    page = replay(width=972, height=720)
    box = page.locator(".prviz").bounding_box()
    assert box["width"] == 940
    assert box["height"] <= 618
    bar = page.locator(".pv-bar")
    assert bar.bounding_box()["height"] <= 36  # all buttons are in one line
    parts = page.locator(".pv-stage > *, .pv-card, .pv-button:visible, .pv-metric")
    places = "nodes => nodes.map((node) => JSON.stringify(node.getBoundingClientRect()))"
    before = parts.evaluate_all(places)
    for call in (3, 4, 10, 300):
        seek(page, call)
        page.wait_for_function(f"theatre.playback.frame.call === {call}")
        assert parts.evaluate_all(places) == before
    page.set_viewport_size({"width": 760, "height": 720})
    assert bar.evaluate("({scrollWidth, clientWidth}) => scrollWidth - clientWidth") <= 0


def test_a_replay_may_start_anywhere(watched_page, tmp_path):
    page = watched_page()
    path = tmp_path / "part.html"
    film = film_bytes(101, 20)
    document = replay_html(
        LAYOUT, ASSETS, film, {**HEAD, "calls": CALLS}, OUTCOMES.tobytes(), CURVE, theme="dark"
    )
    path.write_text(document, "utf-8")
    page.goto(path.as_uri())
    shows(page, 101, 1)
    press(page, "n")
    shows(page, 102, 4)
    press(page, "p")
    assert page.get_by_role("status").inner_text() == "No earlier kept call."
    assert page.evaluate("theatre.timeline.all.first") == 101
