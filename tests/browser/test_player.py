"""The player in a real browser: on a stand-alone replay, and on a server that is made up.

The film is written by hand, so that every sentence is known. Five variables on two levels: ten
calls a restart, each of them one REDRAW (two on a restart), two ITERATEs and a decision (two at
the end of a restart). Call c redraws variable c mod 5 and keeps it if c is a multiple of 3.
"""

import base64
import json
import re
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import expect

from prviz.player import frames, html
from prviz.schedule import Level

CALLS = 300
N = 5
WORLD = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
THIN = "\u202f"
LINES = ["if l = 0", "  optimise(x)", "else", "  redraw", "  call below", "  if worse: revert"]
HOME = np.array([[0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9], [0.5, 0.5]])
AWAY = np.array([0.5, 0.25])

LAYOUT = frames.layout_json(
    title="Five points",
    noun=("centre", "centres"),
    cost="WCSS",
    optimiser="Lloyd",
    n_variables=N,
    levels=[Level(1, 10), Level(N)],
    world=WORLD,
    layers=[
        {"kind": "points", "asset": "points"},
        {"kind": "truth", "asset": "truth", "channel": "truth"},
        {"kind": "markers", "channel": "centers", "trail": 6},
    ],
    channels=[("centers", "u2", 2 * N), ("truth", "u1", N)],
    algorithm=LINES,
    best_known=9000.0,
    solved_within=1e-5,
)


def call_frames(call):
    """The frames of one call, in order."""
    restart, kept, decides = call % 10 == 1, call % 3 == 0, call % 10 == 0
    variable = call % N
    events = [(frames.REDRAW, 2, 0, np.nan)] if restart else []
    events.append((frames.REDRAW, 1, 0, np.nan))
    events += [(frames.ITERATE, 0, 1, 9500.0), (frames.ITERATE, 0, 2, 9301.0 if kept else 9412.0)]
    if kept:
        events.append((frames.KEPT, 1, 2, 9301.0))
    else:
        events.append((frames.REVERTED, 1, 2, 9377.0))
    if decides:
        events.append((frames.REVERTED, 2, 2, 9000.0))
    made = frames.empty_frames(LAYOUT, len(events))
    made["call"], made["sub"] = call, np.arange(len(events))
    for frame, (event, level, iteration, cost) in zip(made, events, strict=True):
        moved = HOME.copy()
        if event != frames.REVERTED:
            moved[variable] = AWAY
        frame["event"], frame["level"], frame["iteration"] = event, level, iteration
        frame["cost"], frame["best"], frame["line"] = cost, 9000.0, {1: 4, 2: 2}.get(event, 6)
        frame["iterations"], frame["seconds"] = 2 * call, 0.01 * call
        frame["checkpoints"] = [9377.0, 9000.0]
        frame["counters"] = [(call - 1) % 10 + (event > 2), (call - 1) // 10 + (level == 2 < event)]
        chosen = np.arange(N) if level == 2 and event == frames.REDRAW else np.array([variable])
        frame["chosen"] = frames.encode_chosen(chosen, N)
        frame["centers"] = frames.encode_positions(moved, WORLD).ravel()
        frame["truth"] = [1, 1, 1, 0, 2]
    made["flags"][-1] = frames.LAST
    return made


FILM = [call_frames(call) for call in range(1, CALLS + 1)]
NUMBERS = np.arange(1, CALLS + 1)
OUTCOMES = frames.encode_outcomes(
    np.where(NUMBERS % 10 == 1, 2, 1), NUMBERS % 3 == 0, NUMBERS == 1, NUMBERS % 3 == 0
)
ASSETS = {
    "points": frames.encode_positions(np.random.default_rng(0).random((500, 2)), WORLD).tobytes(),
    "truth": frames.encode_positions(HOME, WORLD).tobytes(),
}
HEAD = {"best": 9000.0, "iterations": 600, "seconds": 3.0, "kept": 100, "reverted": 200}
CURVE = {
    "data": [{"type": "scatter", "x": [1, 300], "y": [9500, 9000], "line": {"shape": "hv"}}],
    "layout": {"xaxis": {"title": {"text": "calls"}}},
}


def film_bytes(call, count, calls=CALLS):
    """What the source answers: the closing frame before, then whole calls."""
    before = [FILM[call - 2][-1:]] if call > 1 else []
    return b"".join(
        part.tobytes() for part in [*before, *FILM[call - 1 : min(call + count - 1, calls)]]
    )


@pytest.fixture(scope="module")
def replay_file(tmp_path_factory):
    page = html.replay_html(
        LAYOUT, ASSETS, film_bytes(1, CALLS), {**HEAD, "calls": CALLS}, OUTCOMES.tobytes(), CURVE,
        params={"k1": "1"},
    )  # fmt: skip
    path = tmp_path_factory.mktemp("replay") / "replay.html"
    path.write_text(page, "utf-8")
    return path


@pytest.fixture
def watched_page(browser):
    """Opens pages in contexts of their own; a complaint in the console fails the test."""
    contexts, complaints = [], []

    def open_(width=1000, height=720, **options):
        contexts.append(browser.new_context(viewport={"width": width, "height": height}, **options))
        page = contexts[-1].new_page()
        page.on(
            "console",
            lambda message: (
                message.type in ("error", "warning") and complaints.append(message.text)
            ),
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def replay(watched_page, replay_file):
    """Opens the replay and waits for its first frame."""

    def open_(**options):
        page = watched_page(**options)
        page.goto(replay_file.as_uri())
        shows(page, 1, 1)
        return page

    return open_


def shows(page, call, frame):
    """Wait until a frame of a call is shown and at rest."""
    page.wait_for_function(
        "([call, frame]) => document.querySelector('.pv-where')?.textContent"
        ".startsWith(`call ${call}, frame ${frame} of`)",
        arg=[call, frame],
    )


def played_to(page, call):
    """Wait until playing has reached a call."""
    page.wait_for_function("(call) => theatre.playback.frame.call >= call", arg=call)


def sentence(page):
    return page.locator(".pv-sentence").inner_text()


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def state(page, what):
    return page.evaluate(f"theatre.{what}")


def seek(page, call, where="end"):
    page.evaluate("([call, where]) => { theatre.playback.seek(call, where); theatre.wake(true); }",
                  [call, where])  # fmt: skip


def test_it_opens_on_the_first_frame(replay):
    page = replay()
    assert sentence(page) == "Restart 1: all 5 centres redrawn."
    assert page.locator(".pv-metric-calls dd").first.inner_text() == "1 / 300"
    assert page.locator(".pv-metric-best dd").first.inner_text() == f"9{THIN}000.00"
    assert page.locator(".pv-metric-gap").inner_text().split("\n")[1:] == [
        f"0{THIN}%",
        f"solved: within 0.001{THIN}%",
    ]
    assert page.locator(".pv-metric-decisions dd").first.inner_text() == "100 · 200"
    assert page.get_by_role("button", name="Run", exact=True).count() == 0  # nothing can run


def test_words_for_every_event(replay):
    page = replay()
    said = []
    for frame in range(1, 6):
        shows(page, 1, frame)
        said.append(sentence(page))
        press(page, "ArrowRight")
    assert said == [
        "Restart 1: all 5 centres redrawn.",
        "Centre 1 redrawn.",
        f"Lloyd, iteration 1: WCSS 9{THIN}500.",
        f"Lloyd, iteration 2: WCSS 9{THIN}412.",
        f"Centre 1 redrawn; 9{THIN}412 > 9{THIN}377, reverted.",
    ]
    seek(page, 3)
    shows(page, 3, 4)
    assert sentence(page) == f"Centre 3 redrawn; 9{THIN}301 < 9{THIN}377, kept."
    seek(page, 20)
    shows(page, 20, 5)
    assert sentence(page) == f"Restart 2: 9{THIN}377 > 9{THIN}000, reverted."


def test_the_picture_has_a_text_alternative(replay):
    page = replay()
    seek(page, 3)
    shows(page, 3, 4)
    picture = page.get_by_role("img", name="Five points, call 3. Centre 3 redrawn")
    assert picture.count() == 1
    page.wait_for_function(
        "document.querySelector('[aria-live]').textContent"
        " === document.querySelector('.pv-sentence').textContent"
    )
    assert page.get_by_role("slider", name="Call shown").get_attribute("aria-valuenow") == "3"


def test_announcements_are_at_least_a_second_apart(replay):
    page = replay()
    page.evaluate(
        """() => {
          globalThis.times = [];
          new MutationObserver(() => times.push(performance.now()))
            .observe(document.querySelector("[aria-live]"), {childList: true});
        }"""
    )
    press(page, "5", " ")
    page.wait_for_function("times.length >= 3")
    times = page.evaluate("times")
    assert min(np.diff(times)) > 990


def test_play_and_pause(replay):
    page = replay()
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("theatre.playback.index >= 2")
    page.get_by_role("button", name="Pause").click()
    assert state(page, "playback.mode") == "paused"
    press(page, " ")
    assert state(page, "playback.mode") == "playing"
    played_to(page, 2)
    press(page, " ")
    assert state(page, "playback.mode") == "paused"


def test_playing_stops_at_the_end_and_starts_again(replay):
    page = replay()
    seek(page, CALLS, 1)
    shows(page, CALLS, 2)
    press(page, "5", " ")
    page.wait_for_function("theatre.playback.mode === 'paused'")
    shows(page, CALLS, 5)
    press(page, " ")
    page.wait_for_function("theatre.playback.frame.call < 100")


def test_steps_of_three_sizes(replay):
    page = replay()
    click = {
        name: page.get_by_role("button", name=name, exact=True).click
        for name in (
            "On one frame", "Back one frame", "On one call", "Back one call", "Next restart",
            "Previous restart",
        )
    }  # fmt: skip
    click["On one frame"]()
    shows(page, 1, 2)
    click["On one call"]()
    shows(page, 1, 5)  # first to the end of this one
    click["On one call"]()
    shows(page, 2, 4)
    click["On one frame"]()
    shows(page, 3, 1)
    click["Back one frame"]()
    shows(page, 2, 4)
    click["Back one call"]()
    shows(page, 1, 5)
    click["Next restart"]()
    shows(page, 11, 1)
    click["Next restart"]()
    shows(page, 21, 1)
    click["On one frame"]()
    click["Previous restart"]()
    shows(page, 21, 1)  # first to its start
    click["Previous restart"]()
    shows(page, 11, 1)


def test_jumps_to_a_kind(replay):
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


def test_keyboard(replay):
    page = replay()
    press(page, "ArrowRight")
    shows(page, 1, 2)
    press(page, "ArrowLeft")
    shows(page, 1, 1)
    press(page, "Shift+ArrowRight")
    shows(page, 1, 5)
    press(page, "Shift+ArrowRight")
    shows(page, 2, 4)
    speeds = []
    for key in "12345":
        press(page, key)
        speeds.append(state(page, "playback.speed"))
    assert speeds == [0.25, 0.5, 1, 4, 8]
    assert page.get_by_label("Speed", exact=True).input_value() == "8"
    help_panel = page.get_by_role("dialog", name="Keys")
    press(page, "?")
    assert help_panel.is_visible()
    press(page, "Escape")
    assert help_panel.is_hidden()


def test_a_menu_gives_the_keys_back_to_the_player(replay):
    page = replay()
    kind = page.get_by_label("Kind to jump to")
    kind.dispatch_event("pointerdown")
    kind.select_option("reverted")
    press(page, "n")
    shows(page, 2, 4)
    kind.focus()
    press(page, "ArrowDown")  # chosen with the keyboard, it keeps the focus
    assert kind.input_value() == "restart"
    assert kind.evaluate("(node) => node === document.activeElement")


def test_keys_typed_elsewhere_are_left_alone(replay):
    page = replay()
    page.evaluate("document.body.append(document.createElement('input'))")
    page.locator("body > input").fill("")
    page.keyboard.type("n 5")
    assert page.locator("body > input").input_value() == "n 5"
    shows(page, 1, 1)
    assert state(page, "playback.speed") == 1


def test_scrubbing_by_drag(replay):
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


def test_zoom_is_kept(replay):
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


def test_the_point_under_the_pointer_stays_while_zooming(replay):
    page = replay()
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


def test_centres_glide_unless_motion_is_reduced(replay):
    record = """() => {
      const seen = [];
      const draw = theatre.scene.draw;
      theatre.scene.draw = function (moment) {
        if (moment) seen.push(moment.t);
        return draw.call(this, moment);
      };
      globalThis.seen = seen;
    }"""
    for reduced, gliding in ((None, True), ("reduce", False)):
        page = replay(reduced_motion=reduced)
        page.evaluate(record)
        press(page, " ")
        played_to(page, 2)
        assert page.evaluate("seen.some((t) => t > 0 && t < 1)") is gliding


def test_cards_show_the_hierarchy_and_a_revert(replay):
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


def test_algorithm_1_lights_its_current_line(replay):
    page = replay()
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


def test_the_sketch_of_the_curve_has_a_playhead(replay):
    page = replay()
    page.wait_for_selector(".pv-sketch")
    playhead = page.locator(".pv-plot-playhead")
    left = playhead.bounding_box()["x"]
    seek(page, 200)
    shows(page, 200, 5)
    assert playhead.bounding_box()["x"] > left + 100


def test_plotly_keeps_its_node_and_zoom(watched_page, tmp_path):
    page = watched_page()
    path = tmp_path / "plotly.html"
    document = html.replay_html(
        LAYOUT,
        ASSETS,
        film_bytes(1, CALLS),
        {**HEAD, "calls": CALLS},
        OUTCOMES.tobytes(),
        CURVE,
        plotly=True,
    )
    path.write_text(document, "utf-8")
    page.goto(path.as_uri())
    page.wait_for_selector(".pv-plot .main-svg")
    playhead = page.locator(".pv-plot-playhead")
    seek(page, 150)
    shows(page, 150, 5)
    assert playhead.is_visible()
    page.evaluate(
        """async () => {
          globalThis.node = document.querySelector(".pv-plot");
          await Plotly.relayout(node, {"xaxis.range": [200, 250]});
        }"""
    )
    assert playhead.is_hidden()  # it lies outside
    page.evaluate("theatre.curve.show({...theatre.curve.figure}, theatre.scene.view.colours)")
    assert page.evaluate("node._fullLayout.xaxis.range") == [200, 250]
    assert page.evaluate("node === document.querySelector('.pv-plot')")
    seek(page, 225)
    shows(page, 225, 4)
    assert playhead.is_visible()


def test_without_plotly_a_sentence_says_so(replay):
    page = replay()
    page.evaluate("theatre.curve.load('data:text/javascript,0')")
    page.wait_for_selector("text=Plotly could not be loaded: a plain sketch, without zoom.")


def coloured(page):
    """Pixels of the scene in the colour of centres, and in neutral shades."""
    return page.evaluate(
        """() => {
          const canvas = document.querySelector(".pv-canvas");
          const copy = Object.assign(document.createElement("canvas"),
            {width: canvas.width, height: canvas.height});
          const g = copy.getContext("2d", {willReadFrequently: true});
          g.drawImage(canvas, 0, 0);
          const data = g.getImageData(0, 0, copy.width, copy.height).data;
          let centres = 0, points = 0;
          for (let i = 0; i < data.length; i += 4) {
            if (data[i + 3] < 40) continue;
            if (data[i] - data[i + 2] > 150) centres++;
            else if (Math.abs(data[i] - data[i + 2]) < 30) points++;
          }
          return [centres, points];
        }"""
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_scene_is_drawn_in_both_themes(replay, scheme):
    page = replay(color_scheme=scheme)
    centres, points = coloured(page)
    assert centres > 5 * 40
    assert points > 500
    ground, ink = page.evaluate(
        "['ground', 'ink'].map((shade) => Number(theatre.scene.view.colours[shade]"
        ".match(/\\d+/)[0]))"
    )
    assert (ground > ink) is (scheme == "light")


def test_the_theme_can_change_at_any_time(replay):
    page = replay(color_scheme="light")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("theatre.root.hasAttribute('data-dark')")
    assert coloured(page)[0] > 5 * 40


def test_a_phone_needs_no_sideways_scroll(replay):
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
    for name in ("Play", "On one frame", "Next restart", "Take away"):
        box = page.get_by_role("button", name=name, exact=True).bounding_box()
        assert min(box["width"], box["height"]) >= 40
    box = page.locator(".pv-track").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] - 5, box["y"] + 10)
    page.wait_for_function("theatre.playback.frame.call > 285")


def test_everything_fits_beside_a_sidebar(replay):
    page = replay(width=972, height=720)
    box = page.locator(".prviz").bounding_box()
    assert box["width"] == 940
    assert box["height"] <= 590


def test_the_layout_never_jumps(replay):
    page = replay()
    parts = page.locator(".pv-stage > *, .pv-card, .pv-button:visible, .pv-metric")
    places = "nodes => nodes.map((node) => JSON.stringify(node.getBoundingClientRect()))"
    before = parts.evaluate_all(places)
    for call in (3, 4, 10, 300):
        seek(page, call)
        page.wait_for_function(f"theatre.playback.frame.call === {call}")
        assert parts.evaluate_all(places) == before


def test_the_picture_can_be_taken_away(replay):
    page = replay()
    page.get_by_role("button", name="Take away").click()
    items = page.get_by_role("menuitem")
    assert items.all_inner_texts() == ["Picture (PNG)"]  # a file has no link, and no server
    with page.expect_download() as download:
        items.first.click()
    assert download.value.suggested_filename == "five-points-call-1.png"
    assert download.value.path().read_bytes()[:4] == b"\x89PNG"


def test_a_replay_may_start_anywhere(watched_page, tmp_path):
    page = watched_page()
    path = tmp_path / "part.html"
    film = film_bytes(101, 20)
    document = html.replay_html(
        LAYOUT, ASSETS, film, {**HEAD, "calls": CALLS}, OUTCOMES.tobytes(), CURVE, theme="dark"
    )
    path.write_text(document, "utf-8")
    page.goto(path.as_uri())
    shows(page, 101, 1)
    press(page, "n")
    shows(page, 102, 4)
    press(page, "p")
    assert page.get_by_role("status").inner_text() == "No earlier kept call."
    assert page.evaluate("theatre.timeline.first") == 101


# Words and numbers


@pytest.fixture(scope="module")
def words(browser):
    """Calls a function of words.js."""
    source = (html.STATIC / "words.js").read_bytes()
    address = "data:text/javascript;base64," + base64.b64encode(source).decode()
    page = browser.new_page()
    page.evaluate("async (address) => { globalThis.words = await import(address); }", address)
    yield lambda name, *values: page.evaluate(
        "([name, values]) => words[name](...values)", [name, list(values)]
    )
    page.close()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (9376.6, "9 377"),
        (85.312, "85.31"),
        (0.5, "0.5000"),
        (0.00234, "0.002340"),
        (0, "0"),
        (-2.2e-16, "0"),
        (1234567, "1 234 567"),
        (28937415099.7, "2.894e10"),
        (0.00001234, "1.234e−5"),
        (-9376.6, "−9 377"),
        (float("inf"), "∞"),
        (float("nan"), "–"),
        (None, "–"),
    ],
)
def test_numbers_for_people(words, value, text):
    assert words("number", value) == text.replace(" ", THIN)


@pytest.mark.parametrize(
    ("a", "b", "texts"),
    [
        (9412, 9377, ["9 412", "9 377"]),
        (9377.21, 9377.24, ["9 377.21", "9 377.24"]),
        (28937415099.7, 28937496281.8, ["2.89374e10", "2.89375e10"]),
        (5, 5, ["5.000", "5.000"]),
    ],
)
def test_compared_costs_look_different_if_they_are(words, a, b, texts):
    assert words("pair", a, b) == [text.replace(" ", THIN) for text in texts]


@pytest.mark.parametrize(
    ("gap", "text"),
    [
        (0, "0 %"),
        (0.0583, "5.83 %"),
        (0.123, "12.3 %"),
        (2, "200 %"),
        (2.8e-6, "0.00028 %"),
        (1e-5, "0.001 %"),
        (None, "–"),
    ],
)
def test_gaps_for_people(words, gap, text):
    assert words("percent", gap) == text.replace(" ", THIN)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0021, "2.1 ms"), (0.2, "0.20 s"), (31.04, "31.0 s"), (1200, "1 200 s")],
)
def test_seconds_for_people(words, seconds, text):
    assert words("seconds", seconds) == text.replace(" ", THIN)


@pytest.mark.parametrize(
    ("chosen", "text"),
    [
        ([], "no centre"),
        ([17], "centre 17"),
        ([3, 17], "centres 3 and 17"),
        ([1, 2, 3], "centres 1, 2 and 3"),
        (list(range(12)), "12 centres"),
        (list(range(50)), "all 50 centres"),
    ],
)
def test_what_was_redrawn(words, chosen, text):
    assert words("redrawn", chosen, {"noun": ["centre", "centres"], "variables": 50}) == text


def test_the_gap_is_relative_and_needs_a_best_known(words):
    assert words("gapTo", 110, 100) == pytest.approx(0.1)
    assert words("gapTo", -90, -100) == pytest.approx(0.1)
    assert words("gapTo", 110, None) is None
    assert words("gapTo", 0.1 + 0.2, 0.3) == 0


def test_sentences_of_middle_levels_and_first_results(words):
    layout = {
        "noun": ["state", "states"],
        "variables": 8,
        "levels": [{}, {}, {}],
        "cost": "−log-likelihood",
        "optimiser": "Baum–Welch",
    }
    frame = {"event": 1, "level": 2, "chosen": [1, 2], "counters": [0, 0, 0], "call": 5}
    assert words("sentence", frame, None, layout) == "Level 2: states 1 and 2 redrawn."
    before = {"call": 5, "cost": 30.5, "checkpoints": [float("inf"), 40.25, float("inf")]}
    kept = {**frame, "event": 3, "level": 1, "cost": 30.5, "newBest": True, "chosen": [4]}
    assert (
        words("sentence", kept, before, layout)
        == "State 4 redrawn; first result 30.50, kept: new best."
    )
    assert (
        words("sentence", {**kept, "level": 2}, before, layout)
        == "Level 2: 30.50 < 40.25, kept: new best."
    )
    assert words("sentence", kept, None, layout) == "State 4 redrawn; kept: new best."


# As a component, with a server that is made up


class Server:
    """Answers the player's requests; `calls` is how far each run is."""

    def __init__(self):
        self.calls = {}
        self.states = {}
        self.posts = []
        self.next = {}
        self.told = {}  # what else a head says
        self.lost = False  # whether frames have been let go

    def head(self, run):
        state, calls = self.states.get(run, "ready"), self.calls.get(run, 0)
        return {**HEAD, "calls": calls, "state": state, "message": "", **self.told}

    def opening(self, run):
        calls = self.calls.get(run, 0)
        about = {"run": run, "layout": LAYOUT, "head": self.head(run), "outcomes": calls}
        about["tags"] = {name: name for name in ASSETS}
        frames = film_bytes(1, 1, calls) if calls else b""
        return json.dumps(about).encode() + b"\n" + OUTCOMES[:calls].tobytes() + frames

    def answer(self, route):
        address = urlsplit(route.request.url)
        query = {name: int(values[0]) for name, values in parse_qs(address.query).items()}
        if address.path == "/":
            return route.fulfill(body=PAGE, content_type="text/html")
        if address.path == "/app/player/static/player.js":
            return route.fulfill(body=html.script(), content_type="text/javascript")
        if address.path == "/app/player/static/plotly.min.js":
            return route.fulfill(body=PLOTLY, content_type="text/javascript")
        run, what = re.fullmatch(r"/app/player/runs/([^/]+)/(.+)", address.path).groups()
        calls = self.calls.setdefault(run, 0)
        if what == "opening":
            return route.fulfill(body=self.opening(run))
        if what == "next":
            other = self.next.get(run)
            return route.fulfill(body=self.opening(other)) if other else route.fulfill(status=204)
        if what.startswith("assets/"):
            return route.fulfill(body=ASSETS[what.removeprefix("assets/")])
        if what == "frames" and self.lost:
            self.told = {"message": "They are made again.", "remaking": True}
            return route.fulfill(body=b"")
        if what == "frames":
            return route.fulfill(body=film_bytes(query["call"], query["count"], calls))
        if what == "keyframes":
            ends = [FILM[call - 1][-1:].tobytes() for call in range(10, calls + 1, 10)]
            return route.fulfill(body=b"".join(ends[query["since"] :]), headers={"Generation": "0"})
        if what == "progress":
            outcomes = OUTCOMES[query["since"] : calls].tobytes()
            return route.fulfill(body=json.dumps(self.head(run)).encode() + b"\n" + outcomes)
        if what == "curve":
            return route.fulfill(json=CURVE)
        self.posts.append((run, what))
        self.calls[run], self.states[run] = CALLS, "finished" if what == "start" else "stopped"
        return route.fulfill(json={})


PLOTLY = """globalThis.Plotly = {
  async react(node) { node.on ??= () => {}; globalThis.reacts = (globalThis.reacts ?? 0) + 1; },
  purge() {},
};"""

PAGE = """<!doctype html><link rel="icon" href="data:,"><div id="host"></div><input id="control">
<script type="module">
const { render } = await import("/app/player/static/player.js");
globalThis.events = [];
let host = document.getElementById("host");
if (location.hash === "#shadow") host = host.attachShadow({ mode: "open" });
globalThis.render = (run, data = {}) => render({
  parentElement: host, key: "key",
  data: { base: "/app/", run, params: { k1: "1", seed: "7" }, autoplay: false, page: "/app/kmeans",
    notice: null, ...data },
  setTriggerValue: (name, value) => events.push([name, value]),
});
globalThis.root = () => host.querySelector(".prviz");
globalThis.theatre = () => __prvizTheatres.get("key")?.theatre;
globalThis.ready = true;
</script>"""


@pytest.fixture
def component(watched_page):
    """A page with the component, and the server behind it."""
    server = Server()

    def open_(fragment="", **options):
        page = watched_page(**options)
        page.route("http://player.test/**", server.answer)
        page.goto(f"http://player.test/{fragment}")
        page.wait_for_function("globalThis.ready")
        return page, server

    return open_


def rendered(page, run, data=None):
    page.evaluate("([run, data]) => { globalThis.clean = render(run, data); }", [run, data or {}])


def playing(page, run):
    page.wait_for_function(
        "(run) => theatre()?.source.id === run && theatre().ready && theatre().playback.frame",
        arg=run,
    )


@pytest.mark.parametrize("fragment", ["", "#shadow"])
def test_run_starts_the_search_and_plays_from_the_first_call(component, fragment):
    page, server = component(fragment)
    rendered(page, "one")
    page.wait_for_function(
        "root().querySelector('.pv-sentence').textContent.startsWith('Press Run')"
    )
    page.get_by_role("button", name="Run", exact=True).click()
    playing(page, "one")
    assert server.posts == [("one", "start")]
    assert page.evaluate("events") == [["event", {"name": "run"}]]
    assert page.evaluate("theatre().playback.frame.call") == 1
    assert page.evaluate("theatre().playback.mode") == "playing"
    assert page.evaluate("getComputedStyle(root()).containerType") == "inline-size"  # styled


def test_autoplay_starts_by_itself_only_once(component):
    page, server = component()
    rendered(page, "one", {"autoplay": True})
    playing(page, "one")
    rendered(page, "one", {"autoplay": True})
    rendered(page, "two", {"autoplay": True})
    playing(page, "two")
    rendered(page, "one", {"autoplay": True})
    playing(page, "one")
    assert server.posts == [("one", "start"), ("two", "start")]


def test_a_touched_control_brings_the_next_run_before_the_page_tells_of_it(component):
    page, server = component()
    for run, calls in (("one", CALLS), ("two", 9), ("three", 8)):
        server.calls[run], server.states[run] = calls, "finished"
    rendered(page, "one")
    playing(page, "one")
    server.next["one"] = "two"
    page.locator("#control").press("ArrowRight")
    playing(page, "two")
    rendered(page, "one")  # said late
    assert page.evaluate("theatre().source.id") == "two"
    rendered(page, "two", {"notice": "fresh run", "params": {"k1": "2"}})
    assert page.get_by_role("status").inner_text() == "fresh run"
    assert page.evaluate("[theatre().params.k1, theatre().engine.calls]") == ["2", 9]
    page.locator("#control").press("ArrowRight")  # no other run comes of this
    rendered(page, "three")
    playing(page, "three")


def test_run_is_not_lost_when_it_is_pressed_while_the_next_run_is_on_its_way(component):
    page, server = component()
    server.calls["one"], server.states["one"] = CALLS, "finished"
    rendered(page, "one")
    playing(page, "one")
    held = []
    page.route("**/runs/two/opening", lambda route: held.append(route))
    with page.expect_request("**/runs/two/opening"):
        rendered(page, "two")
    page.get_by_role("button", name="Run", exact=True).click()
    held[0].fulfill(body=server.opening("two"))
    playing(page, "two")
    assert page.evaluate("theatre().playback.mode") == "playing"
    assert server.posts == [("two", "start")]


def test_a_superseded_render_leaves_every_node(component):
    page, _ = component()
    rendered(page, "one", {"autoplay": True})
    playing(page, "one")
    page.evaluate("globalThis.nodes = [...root().querySelectorAll('*')]")
    page.evaluate("clean()")
    rendered(page, "one", {"params": {"k1": "2"}})
    page.evaluate("new Promise((done) => setTimeout(done, 500))")  # longer than the clean-up waits
    assert page.evaluate("nodes.every((node) => node.isConnected)")
    assert page.evaluate("__prvizTheatres.size") == 1
    assert page.evaluate("theatre().params.k1") == "2"


def test_a_new_run_keeps_canvas_picture_zoom_and_speed(component):
    page, _ = component()
    rendered(page, "one", {"autoplay": True})
    playing(page, "one")
    press(page, "4")
    page.evaluate(
        """() => {
          theatre().scene.view.zoomAt(2, 100, 100);
          globalThis.canvas = root().querySelector(".pv-canvas");
          globalThis.drawn = [];
          const scene = theatre().scene, draw = scene.draw;
          scene.draw = function (moment) {
            draw.call(this, moment);
            drawn.push(this.layers.length > 0 && Boolean(this.moment?.after));
          };
        }"""
    )
    rendered(page, "two", {"autoplay": True, "notice": "k₁ is now 2: fresh run."})
    playing(page, "two")
    assert page.get_by_role("status").inner_text() == "k₁ is now 2: fresh run."
    page.wait_for_function("drawn.length > 10")
    assert page.evaluate("canvas === root().querySelector('.pv-canvas')")
    assert page.evaluate("drawn.every(Boolean)")
    assert page.evaluate("theatre().scene.view.zoom") == 2
    assert page.evaluate("theatre().playback.speed") == 4


def test_a_gone_host_ends_the_theatre_and_the_playhead_is_remembered(component):
    page, server = component()
    server.calls["one"], server.states["one"] = CALLS, "finished"
    rendered(page, "one")
    playing(page, "one")
    press(page, "p")
    page.wait_for_function("theatre().playback.frame.call === 297")
    page.evaluate("document.getElementById('host').remove(); clean()")
    page.wait_for_function("__prvizTheatres.size === 0")
    page.evaluate(
        """() => {
          const again = Object.assign(document.createElement("div"), {id: "host"});
          document.body.append(again);
          const { render } = globalThis;
          return import("/app/player/static/player.js").then((player) => player.render({
            parentElement: again, key: "key",
            data: {base: "/app/", run: "one", params: {}, autoplay: true, page: "/", notice: null},
          }));
        }"""
    )
    playing(page, "one")
    assert page.evaluate("theatre().playback.frame.call") == 297
    assert server.posts == []


def test_a_link_opens_its_call(component):
    page, _ = component()
    rendered(page, "one", {"autoplay": True, "params": {"call": "120"}})
    playing(page, "one")
    assert page.evaluate("theatre().playback.frame.call") == 120
    assert page.evaluate("theatre().playback.mode") == "paused"


def test_a_link_can_be_copied(component):
    page, server = component()
    server.calls["one"], server.states["one"] = CALLS, "finished"
    rendered(page, "one")
    playing(page, "one")
    page.get_by_role("button", name="Take away").click()
    items = page.get_by_role("menuitem")
    assert items.all_inner_texts() == [
        "Copy link", "Trace (CSV)", "Trace (JSON)", "Picture (PNG)", "Replay (HTML)",
    ]  # fmt: skip
    assert items.nth(1).get_attribute("href") == "http://player.test/app/player/runs/one/trace.csv"
    page.evaluate(
        """Object.defineProperty(navigator, "clipboard",
          {value: {writeText: async (text) => { globalThis.copied = text; }}})"""
    )
    items.first.click()
    page.wait_for_function("globalThis.copied")
    assert page.evaluate("copied") == "http://player.test/app/kmeans?k1=1&seed=7&call=300"
    assert page.get_by_role("status").inner_text() == "Link copied."


def test_stop_and_live_follow_the_head(component):
    page, server = component()
    server.calls["one"], server.states["one"] = 50, "running"
    rendered(page, "one")
    playing(page, "one")
    press(page, "l")
    page.wait_for_function(
        "theatre().playback.mode === 'live' && theatre().playback.frame.call === 50"
    )
    server.calls["one"] = 200
    page.wait_for_function("theatre().playback.frame.call === 200")
    page.get_by_role("button", name="Stop").click()
    page.wait_for_function("theatre().playback.mode === 'paused'")
    assert server.posts == [("one", "stop")]
    assert page.get_by_role("button", name="Run", exact=True).is_visible()


def test_a_search_that_waits_says_over_the_picture_how_many_are_before(component):
    page, server = component()
    server.calls["one"], server.states["one"] = 3, "waiting"
    server.told = {"message": "2 runs are before this one."}
    rendered(page, "one")
    playing(page, "one")
    notice = page.locator(".pv-notice")
    expect(notice).to_have_text("2 runs are before this one.")
    expect(notice).to_be_visible()
    server.told = {"message": "This run is next."}
    expect(notice).to_have_text("This run is next.")
    server.states["one"], server.told = "running", {}
    expect(notice).to_be_hidden()


def test_frames_that_were_let_go_are_waited_for_and_it_is_said(component):
    page, server = component()
    server.calls["one"], server.states["one"] = CALLS, "finished"
    rendered(page, "one")
    playing(page, "one")
    server.lost = True
    page.evaluate("theatre().playback.seek(150, 'end'); theatre().wake()")
    expect(page.locator(".pv-notice")).to_have_text("They are made again.")
    server.lost, server.told = False, {}
    page.wait_for_function("theatre().playback.frame?.call === 150")
    expect(page.locator(".pv-notice")).to_be_hidden()


def test_scrubbing_shows_the_nearest_keyframe_until_the_call_is_there(component):
    page, server = component()
    server.calls["one"], server.states["one"] = CALLS, "finished"
    rendered(page, "one")
    playing(page, "one")
    assert page.evaluate("theatre().keyframes.found.length") == 0
    page.locator(".pv-track").hover()
    page.wait_for_function("theatre().keyframes.found.length === 30")
    page.evaluate("theatre().timeline.act.hold(true); theatre().timeline.act.scrub(118, false)")
    assert page.evaluate("theatre().playback.frame.call") == 120
    page.evaluate("theatre().timeline.act.scrub(118, true)")
    page.wait_for_function("theatre().playback.frame.call === 118")


def test_the_search_may_be_slower_than_the_playhead(component):
    page, server = component()
    server.calls["one"], server.states["one"] = 1, "running"
    rendered(page, "one")
    playing(page, "one")
    page.evaluate("theatre().playback.speed = 8")
    page.wait_for_function("theatre().playback.rest <= 0")
    assert page.evaluate("theatre().playback.mode") == "playing"
    server.calls["one"] = 3
    page.wait_for_function("theatre().playback.frame.call === 3")
