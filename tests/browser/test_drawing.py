"""Points can be drawn into the picture of the k-means page by mouse, keys and fingers."""

import re

import numpy as np
import pytest
from browsing import eventually, ready, run_id, widest
from playwright.sync_api import expect
from test_accessible import grave

from prviz.datasets.sets.drawn import MOST_LINKED, SIDE, STARTER, decode


def theatre(page, what):
    return page.evaluate(f"() => [...globalThis.__prvizTheatres.values()].at(-1).theatre.{what}")


def points(page):
    """Return the drawn points on the canvas."""
    return np.reshape(theatre(page, "drawing.dots.points"), (-1, 2)).tolist()


def searched(page):
    """Return the drawing of the displayed run."""
    return theatre(page, "layout.drawn")


def at(page, x, y):
    """Return a position on the drawing surface in pixels; x and y are fractions of the square."""
    left, top, right, bottom = page.evaluate(
        """() => {
          const { scene } = [...globalThis.__prvizTheatres.values()].at(-1).theatre;
          const box = scene.canvas.getBoundingClientRect(), { view } = scene;
          return [box.x + view.x(0), box.y + view.y(1), box.x + view.x(1), box.y + view.y(0)];
        }"""
    )
    return left + x * (right - left), bottom - y * (bottom - top)


def spray(page, x, y, n):
    """Hold the button until n more points are drawn, however long that takes."""
    wanted = len(points(page)) + n
    page.mouse.move(*at(page, x, y))
    page.mouse.down()
    eventually(lambda: len(points(page)) >= wanted)
    page.mouse.up()


def follows(page):
    """Check that the search uses the drawing, and that the link contains it if it is short."""
    eventually(lambda: searched(page) == theatre(page, "drawing.dots.text"))
    if len(points(page)) <= MOST_LINKED:
        eventually(lambda: f"drawn={searched(page)}&" in page.url)


def slowly(page):
    """Spray few points per second, so that even on a slow machine a link can store all of them."""
    page.get_by_label("Rate of the spray").fill("10")


@pytest.mark.long
def test_points_are_drawn_by_mouse_and_keys_and_saved_as_csv(open_page):
    page = ready(open_page("/"))
    main = page.get_by_test_id("stMain")
    main.evaluate("(main) => main.scrollTo(0, 250)")
    page.get_by_role("button", name="Draw your own points").click()
    surface = page.get_by_role("application")
    expect(surface).to_be_visible()
    assert main.evaluate("(main) => main.scrollTop") == 0
    expect(page.get_by_text("Press and hold to spray points")).to_be_visible()
    first = run_id(page)
    slowly(page)
    spray(page, 0.8, 0.2, 10)
    eventually(lambda: run_id(page) != first and theatre(page, "playback.frame.call") >= 1)
    follows(page)
    told = re.compile(re.escape(theatre(page, "layout.told")))
    expect(page.locator(".pv-canvas")).to_have_attribute("aria-label", told)
    sprayed = points(page)
    near = np.abs(np.array(sprayed[48:]) / SIDE - [0.8, 0.2]).max(axis=1)
    assert np.median(near) < 0.07

    page.get_by_role("button", name="Undo").click()
    assert points(page) == decode(STARTER).tolist()
    page.get_by_role("button", name="Redo").click()
    assert points(page) == sprayed
    page.get_by_role("button", name="Erase").click()
    page.mouse.click(*at(page, 0.8, 0.2))
    assert 48 <= len(points(page)) < len(sprayed)

    page.get_by_role("button", name="Point", exact=True).click()
    surface.focus()
    before = points(page)
    for key in ("ArrowRight", "Shift+ArrowUp", "Enter"):
        page.keyboard.press(key)
    assert points(page) == [*before, [528, 576]]
    said = f"{len(before) + 1} points"
    expect(page.locator(".pv-hidden[aria-live]").first).to_have_text(said)
    page.keyboard.press("Delete")
    page.keyboard.press("Control+z")
    assert points(page) == [*before, [528, 576]]
    follows(page)
    call = theatre(page, "playback.mode")
    page.keyboard.press("Space")
    assert len(points(page)) == len(before) + 2
    assert theatre(page, "playback.mode") == call
    follows(page)
    eventually(lambda: grave(page) == [])  # passes when the flash of the card has faded

    drawn = points(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the points as CSV").click()
    page.get_by_role("button", name="Clear all points").click()
    expect(page.get_by_text("Spray points here.")).to_be_visible()
    page.locator("input[type=file][accept^='.csv']").set_input_files(download.value.path())
    eventually(lambda: points(page) == drawn)


@pytest.mark.long
def test_touch_draws_and_does_not_scroll(open_page):
    page = ready(open_page("/kmeans?data=draw", width=390, height=844, has_touch=True))
    expect(page.get_by_role("application")).to_be_visible()
    assert widest(page) == 390
    box = page.locator(".pv-drawn").bounding_box()
    assert box["width"] <= 390
    slowly(page)
    touch = page.context.new_cdp_session(page)

    def finger(kind, *where):
        point = [{"x": where[0], "y": where[1]}] if where else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": point})

    finger("touchStart", *at(page, 0.5, 0.9))
    for step in range(8):
        n = len(points(page))
        finger("touchMove", *at(page, 0.5, 0.9 - 0.05 * step))
        eventually(lambda n=n: len(points(page)) > n)
    finger("touchEnd")
    drawn = np.array(points(page)[48:])
    assert np.ptp(drawn[:, 1]) > 0.2 * SIDE
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    follows(page)
    page.get_by_role("button", name="Move and zoom the picture").click()
    expect(page.get_by_role("application")).to_be_hidden()
