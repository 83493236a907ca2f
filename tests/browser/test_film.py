"""Films are exported by the dialog, from a replay and from a page without a secure context."""

import base64
import io
import itertools
import re

import av
import numpy as np
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from handmade import CALLS, press, shows, written
from PIL import Image, ImageSequence
from playwright.sync_api import expect

CURVE = np.s_[608:680, 120:690]  # part of the curve after the first calls, at 720 px
INK = {"light": 235, "dark": 40}  # mean brightness of a picture


@pytest.fixture(scope="module")
def replay_file(tmp_path_factory):
    return written(tmp_path_factory.mktemp("film"), {"seed": "7"})


@pytest.fixture
def replay(watched_page, replay_file):
    def open_(**options):
        page = watched_page(**options)
        page.goto(replay_file.as_uri())
        return shows(page, 1, 1) or page

    return open_


def asked(page, width="390"):
    """Open the dialog from the menu, by default for a small film, which is faster."""
    page.get_by_role("button", name="Take away").click()
    page.get_by_role("menuitem", name="Film (GIF, video)").click()
    dialog = page.get_by_role("dialog", name="Film of the run")
    expect(dialog).to_be_visible()
    dialog.get_by_role("combobox", name="Width").select_option(width)
    return dialog


def tried(dialog):
    """Wait for the dialog's estimate of the file size; return it in bytes."""
    expect(make(dialog)).to_be_enabled()
    told = dialog.get_by_role("status").inner_text()
    number, unit = re.search(r"about ([\d.]+)\s(kB|MB)\.$", told).groups()
    return float(number) * {"kB": 1e3, "MB": 1e6}[unit]


def make(dialog):
    return dialog.get_by_role("button", name="Make")


def saved(page, dialog):
    with page.expect_download() as download:
        make(dialog).click()
    with open(download.value.path(), "rb") as file:
        return download.value.suggested_filename, file.read()


def faults(page):
    """Return axe's violations in the dialog."""
    page.evaluate(AXE_SCRIPT)
    return page.evaluate(
        """async () => {
          const { violations } = await axe.run(".pv-film", { resultTypes: ["violations"] });
          return violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary]);
        }"""
    )


def frames_of(content):
    frames = ImageSequence.Iterator(Image.open(io.BytesIO(content)))
    return [(np.array(frame.convert("RGB")), frame.info["duration"]) for frame in frames]


def test_gif_has_the_frames_and_the_duration_that_the_dialog_shows(replay):
    page = replay(color_scheme="dark")
    dialog = asked(page, "720")
    expected = tried(dialog)
    told = dialog.get_by_role("status").inner_text()
    assert told.startswith("10 calls in 10.0\u202fs: about ")
    name, content = saved(page, dialog)
    assert name == "five-points-calls-1-10.gif"
    assert 0.5 < len(content) / expected < 2
    expect(dialog.get_by_role("status")).to_have_text(re.compile(f"^Saved: {name}, "))
    pictures = frames_of(content)
    assert pictures[0][0].shape[1] == 720
    assert sum(milliseconds for _, milliseconds in pictures) == 10_000
    assert len(pictures) > 30
    assert np.ptp(pictures[0][0][CURVE], axis=(0, 1)).max() == 0  # later calls are hidden
    last = pictures[-1][0].astype(int)
    assert abs(last.mean() - INK["dark"]) < 20
    shown = page.evaluate("document.querySelector('.pv-film-picture canvas').toDataURL()")
    drawn = np.array(Image.open(io.BytesIO(base64.b64decode(shown.split(",")[1]))).convert("RGB"))
    away = np.abs(last - drawn).max(axis=2)
    assert np.mean(away == 0) > 0.98  # other pixels are at blurred edges
    assert away.max() < 64


def test_video_shows_the_last_kept_calls(replay):
    page = replay()
    dialog = asked(page)
    dialog.get_by_role("radio", name="The last 10 kept results").check()
    dialog.get_by_role("radio", name="Video").check()
    expected = tried(dialog)
    assert dialog.get_by_role("status").inner_text().startswith("10 calls in ")
    name, content = saved(page, dialog)
    assert name == "five-points-calls-273-300.webm"
    assert 0.5 < len(content) / expected < 2
    with av.open(io.BytesIO(content)) as film:
        pictures = [frame.to_ndarray(format="rgb24") for frame in film.decode(video=0)]
    assert len(pictures) == 250
    assert pictures[0].shape[1] == 390
    assert abs(pictures[-1].mean() - INK["light"]) < 20
    moved = [np.abs(a.astype(int) - b).max() > 40 for a, b in itertools.pairwise(pictures)]
    assert 20 < sum(moved) < 240  # the film moves, and pauses


def test_dialog_accepts_dragged_and_typed_ranges_and_reports_failures(replay):
    page = replay()
    dialog = asked(page)
    first, last = (dialog.get_by_role("spinbutton", name=name) for name in ("From call", "to call"))
    box = dialog.locator(".pv-track").bounding_box()
    at = lambda call: (box["x"] + box["width"] * (call - 0.5) / CALLS, box["y"] + 10)  # noqa: E731
    page.mouse.move(*at(60))
    page.mouse.down()
    page.mouse.move(*at(80))
    page.mouse.move(*at(31))  # a drag may start anywhere and go in any direction
    page.mouse.up()
    expect(dialog.get_by_role("radio", name="Calls", exact=True)).to_be_checked()
    expect(first).to_have_value("31")
    expect(last).to_have_value("60")
    tried(dialog)
    told = dialog.get_by_role("status").inner_text()
    assert told.startswith("7 of 30 calls, improvements and some reverted calls, in 10.0")
    last.fill("1000")
    last.press("Enter")
    expect(last).to_have_value("300")
    first.fill("299")
    first.press("Tab")
    tried(dialog)
    assert dialog.get_by_role("status").inner_text().startswith("2 calls in 5.20")
    assert page.evaluate("theatre.playback.call") == 1  # the playhead of the page has not moved
    press(page, "Escape")
    expect(dialog).to_have_count(0)

    opener = page.get_by_role("button", name="Take away")
    opener.focus()
    press(page, "Enter", "ArrowDown", "Enter")
    expect(dialog.get_by_role("radio", name="This restart: calls 1 to 10")).to_be_focused()
    press(page, "ArrowRight")
    expect(dialog.get_by_role("radio", name="The last 10 kept results")).to_be_checked()
    press(page, "n", "?", "l")  # the player's keys have no effect here
    assert page.evaluate("theatre.playback.call") == 1
    press(page, "Escape")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()
    assert page.locator(".pv-film").count() == 0

    page.evaluate(
        """() => {
          theatre.projector.source.frames = async () => { throw new Error("Lost."); };
        }"""
    )
    dialog = asked(page)
    told = dialog.get_by_role("status")
    expect(told).to_have_text("This film could not be made: Lost.")
    expect(make(dialog)).to_be_disabled()


@pytest.mark.long
def test_film_is_cancelled_by_button_and_by_closing_the_theatre(replay):
    page = replay()
    downloads = []
    page.on("download", lambda download: downloads.append(download))
    dialog = asked(page)
    dialog.get_by_role("combobox", name="Length").select_option("20")

    def begins(kind, width):
        dialog.get_by_role("radio", name=kind).check()
        dialog.get_by_role("combobox", name="Width").select_option(width)
        tried(dialog)
        make(dialog).click()
        expect(dialog.get_by_role("radio", name=kind)).to_be_disabled()
        page.wait_for_function("document.querySelector('.pv-film progress').value > 0")

    for kind in ("GIF", "Video"):
        begins(kind, "1080")
        dialog.get_by_role("button", name="Cancel").click()
        expect(dialog.get_by_role("status")).to_have_text("Cancelled.")
        expect(dialog.locator("progress")).to_be_hidden()
    begins("GIF", "720")  # another film can be made after a cancelled one
    page.evaluate(
        """() => {
          const { terminate } = Worker.prototype;
          Worker.prototype.terminate = function () {
            terminate.call(this);
            globalThis.terminated = true;
          };
          theatre.close();
        }"""
    )
    expect(dialog).to_have_count(0)
    assert page.evaluate("globalThis.terminated")
    assert downloads == []


def test_gif_is_made_without_a_secure_context_and_without_a_worker(watched_page, replay_file):
    page = watched_page()
    page.route("http://player.test/", lambda route: route.fulfill(path=replay_file))
    page.goto("http://player.test/")
    shows(page, 1, 1)
    page.evaluate("() => { Worker = function () { throw new Error('forbidden'); }; }")
    dialog = asked(page)
    expect(dialog.get_by_role("radio", name="Video")).to_be_disabled()
    expect(
        dialog.get_by_text("Browsers record videos only on pages served by https")
    ).to_be_visible()
    tried(dialog)
    _, content = saved(page, dialog)
    assert sum(milliseconds for _, milliseconds in frames_of(content)) == 10_000


def test_dialog_fits_a_phone_in_both_themes(replay):
    page = replay(width=390, height=844, has_touch=True)
    dialog = asked(page)
    tried(dialog)
    box = dialog.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert dialog.evaluate("({scrollWidth, clientWidth}) => scrollWidth - clientWidth") <= 0
    for control in dialog.locator("label, .pv-button, select").all():
        assert control.bounding_box()["height"] >= 40
    assert faults(page) == []
    ground = "getComputedStyle(document.querySelector('.pv-film')).backgroundColor"
    light = page.evaluate(ground)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"(light) => {ground} !== light", arg=light)
    assert faults(page) == []
