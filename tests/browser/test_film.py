"""Films made with the dialog, on a replay, and on a page that has no secure context."""

import io
import itertools
import re

import av
import numpy as np
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from browsing import head_calls, ready, widest
from handmade import CALLS, shows, written
from PIL import Image, ImageSequence
from playwright.sync_api import expect

from prviz.player import bundle

INK = {"light": 235, "dark": 40}  # lightness of a picture as a whole


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
    """The dialog, from the menu; small films are made sooner."""
    page.get_by_role("button", name="Take away").click()
    page.get_by_role("menuitem", name="Film (GIF, video)").click()
    dialog = page.get_by_role("dialog", name="Film of the run")
    expect(dialog).to_be_visible()
    dialog.get_by_role("combobox", name="Width").select_option(width)
    return dialog


def tried(dialog):
    """Bytes expected, once that is known."""
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
    """What axe finds wrong with the dialog."""
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_gif_of_this_restart(replay, scheme):
    page = replay(color_scheme=scheme)
    dialog = asked(page, "720")
    expected = tried(dialog)
    told = dialog.get_by_role("status").inner_text()
    assert told.startswith("10 calls in 10.0\u202fs: about ")
    name, content = saved(page, dialog)
    assert name == "five-points-calls-1-10.gif"
    assert 0.5 < len(content) / expected < 2
    pictures = frames_of(content)
    assert pictures[0][0].shape[1] == 720
    assert sum(milliseconds for _, milliseconds in pictures) == 10_000
    assert len(pictures) > 30
    assert abs(pictures[-1][0].mean() - INK[scheme]) < 20
    expect(dialog.get_by_role("status")).to_have_text(re.compile(f"^Saved: {name}, "))


def test_its_pictures_are_those_of_the_dialog(replay):
    page = replay()
    dialog = asked(page)
    tried(dialog)
    _, content = saved(page, dialog)
    last = frames_of(content)[-1][0].astype(int)
    shown = page.evaluate(
        """() => {
          const canvas = document.querySelector(".pv-film-picture canvas");
          const { width, height } = canvas;
          return [width, height, ...canvas.getContext("2d").getImageData(0, 0, width, height).data];
        }"""
    )
    drawn = np.array(shown[2:]).reshape(shown[1], shown[0], 4)[..., :3]
    away = np.abs(last - drawn).max(axis=2)
    assert np.mean(away == 0) > 0.98  # but for shades at edges
    assert away.max() < 64


def test_a_video_of_the_last_kept(replay):
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
    assert 20 < sum(moved) < 240  # it moves, and stands still


def test_a_stretch_is_dragged_on_the_lanes_or_typed(replay):
    page = replay()
    dialog = asked(page)
    first, last = (dialog.get_by_role("spinbutton", name=name) for name in ("From call", "to call"))
    box = dialog.locator(".pv-track").bounding_box()
    at = lambda call: (box["x"] + box["width"] * (call - 0.5) / CALLS, box["y"] + 10)  # noqa: E731
    page.mouse.move(*at(60))
    page.mouse.down()
    page.mouse.move(*at(80))
    page.mouse.move(*at(31))  # from anywhere in any direction
    page.mouse.up()
    expect(dialog.get_by_role("radio", name="Calls", exact=True)).to_be_checked()
    expect(first).to_have_value("31")
    expect(last).to_have_value("60")
    tried(dialog)
    told = dialog.get_by_role("status").inner_text()
    assert told.startswith("7 of 30 calls, improvements and some that were reverted, in 10.0")
    last.fill("1000")
    last.press("Enter")
    expect(last).to_have_value("300")
    first.fill("299")
    first.press("Tab")
    tried(dialog)
    assert dialog.get_by_role("status").inner_text().startswith("2 calls in 5.20")
    assert page.evaluate("theatre.playback.call") == 1  # the page's own playhead has not moved


def test_it_is_closed_by_escape_and_gives_the_focus_back(replay):
    page = replay()
    opener = page.get_by_role("button", name="Take away")
    opener.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Film of the run")
    expect(dialog.get_by_role("radio", name="This restart: calls 1 to 10")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(dialog.get_by_role("radio", name="The last 10 kept results")).to_be_checked()
    for key in ("n", "?", "l"):  # the player's keys mean nothing here
        page.keyboard.press(key)
    assert page.evaluate("theatre.playback.call") == 1
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()
    assert page.locator(".pv-film").count() == 0


@pytest.mark.parametrize("kind", ["GIF", "Video"])
def test_a_film_can_be_cancelled(replay, kind):
    page = replay()
    downloads = []
    page.on("download", lambda download: downloads.append(download))
    dialog = asked(page)
    dialog.get_by_role("radio", name=kind).check()
    dialog.get_by_role("combobox", name="Length").select_option("20")
    dialog.get_by_role("combobox", name="Width").select_option("1080")
    tried(dialog)
    make(dialog).click()
    expect(dialog.get_by_role("radio", name=kind)).to_be_disabled()
    page.wait_for_function("document.querySelector('.pv-film progress').value > 0")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog.get_by_role("status")).to_have_text("Cancelled.")
    expect(dialog.locator("progress")).to_be_hidden()
    assert downloads == []
    dialog.get_by_role("combobox", name="Length").select_option("5")
    tried(dialog)  # and another can be made
    name, content = saved(page, dialog)
    assert name.endswith(".gif" if kind == "GIF" else ".webm")
    assert content[:4] == (b"GIF8" if kind == "GIF" else b"\x1a\x45\xdf\xa3")


def test_without_a_secure_context_only_gifs_are_made(watched_page, replay_file):
    page = watched_page()
    page.route("http://player.test/", lambda route: route.fulfill(path=replay_file))
    page.goto("http://player.test/")
    shows(page, 1, 1)
    dialog = asked(page)
    expect(dialog.get_by_role("radio", name="Video")).to_be_disabled()
    expect(
        dialog.get_by_text("A browser makes videos only on pages that come by https")
    ).to_be_visible()
    tried(dialog)
    assert saved(page, dialog)[1].startswith(b"GIF89a")


def test_where_a_page_may_have_no_worker_it_makes_the_film_itself(replay):
    page = replay()
    page.evaluate("() => { Worker = function () { throw new Error('forbidden'); }; }")
    dialog = asked(page)
    tried(dialog)
    _, content = saved(page, dialog)
    assert sum(milliseconds for _, milliseconds in frames_of(content)) == 10_000


def test_a_theatre_that_is_closed_makes_no_film(replay):
    page = replay()
    downloads = []
    page.on("download", lambda download: downloads.append(download))
    dialog = asked(page)
    tried(dialog)
    make(dialog).click()
    page.wait_for_function("document.querySelector('.pv-film progress').value > 0")
    page.evaluate("theatre.close()")
    expect(dialog).to_have_count(0)
    page.wait_for_timeout(3000)
    assert downloads == []


def test_what_goes_wrong_is_told(replay):
    page = replay()
    page.evaluate(
        """() => {
          theatre.projector.source.frames = async () => { throw new Error("Lost."); };
        }"""
    )
    dialog = asked(page)
    told = dialog.get_by_role("status")
    expect(told).to_have_text("This film could not be made: Lost.")
    expect(make(dialog)).to_be_disabled()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(replay, scheme):
    page = replay(width=390, height=844, color_scheme=scheme, has_touch=True)
    dialog = asked(page)
    tried(dialog)
    box = dialog.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert dialog.evaluate("({scrollWidth, clientWidth}) => scrollWidth - clientWidth") <= 0
    for control in dialog.locator("label, .pv-button, select").all():
        assert control.bounding_box()["height"] >= 40
    assert faults(page) == []


def test_the_worker_has_all_that_it_needs_and_no_page():
    script = bundle.worker_script()
    assert "document" not in script
    assert not re.search(r"^(import|export)", script, re.MULTILINE)
    assert script.count("class Gif ") == script.count("class Lzw ") == 1


def test_a_gif_from_the_page_of_a_benchmark(open_page):
    page = ready(open_page("/kmeans?budget=calls&calls=40&seed=3"))
    page.locator(".pv-run").click()
    expect(page.locator(".pv-metric-calls .pv-note")).to_have_text("of 40")
    assert head_calls(page) == 40
    dialog = asked(page)
    dialog.get_by_role("combobox", name="Length").select_option("5")
    expected = tried(dialog)
    name, content = saved(page, dialog)
    assert name == "k-means-on-a3-like-generated-calls-1-40.gif"
    assert 0.5 < len(content) / expected < 2
    assert sum(milliseconds for _, milliseconds in frames_of(content)) == pytest.approx(
        5000, abs=160
    )
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert widest(page) <= 1280
