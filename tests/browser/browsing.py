"""Act as a user of a benchmark page, and read what the page shows."""

import json
import re
import time
import urllib.request

from playwright.sync_api import expect

SIDEBAR = "stSidebar"


def ready(page):
    """Wait until a frame is drawn, and return the page."""
    # A Playwright assertion would scan the whole page at each poll.
    page.wait_for_function(
        "document.querySelector('.pv-where')?.textContent.includes('call')", timeout=90_000
    )
    return page


def sidebar(page, name):
    return page.get_by_test_id(SIDEBAR).get_by_role("button", name=name, exact=True)


def choose(page, label, option):
    """Choose another entry of a list in the sidebar."""
    page.get_by_test_id(SIDEBAR).get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option).click()


def widest(page):
    """Return the width in pixels that the page or its main part needs."""
    return max(
        page.evaluate(
            """() => [document.documentElement, document.querySelector("[data-testid=stMain]")]
            .map(({scrollWidth}) => scrollWidth)"""
        )
    )


def track(page, name):
    return page.locator(f"[class*='-{name}-slider'] input[type=range]")


def exact(page, name):
    return page.locator(f"[class*='-{name}-exact'] input")


def enter(page, name, text):
    exact(page, name).fill(text)
    exact(page, name).press("Enter")


def run_id(page):
    """Return the id of the displayed run, or None if the page shows a preview."""
    return page.evaluate(
        """() => {
            const shown = [...(globalThis.__prvizTheatres?.values() ?? [])].at(-1)?.theatre;
            return shown?.preview ? null : shown?.projector?.source.id ?? null;
        }"""
    )


def progress(server, run):
    with urllib.request.urlopen(f"{server}/player/runs/{run}/progress?since=0") as answer:
        return json.loads(answer.read().split(b"\n", 1)[0])


def settled(page):
    """Wait until the server has handled every change and answered."""
    page.wait_for_timeout(500)
    script = page.get_by_test_id("stApp")
    expect(script).to_have_attribute("data-test-script-state", "notRunning")
    page.wait_for_timeout(200)


def assert_in_one_view(page, width, height):
    """Check that player and sidebar fit in a window of this size, without scrolling."""
    for part in (
        page.locator(".st-key-theatre"),
        page.locator(".pv-sentence"),
        page.locator(".pv-canvas").first,
        sidebar(page, "Reset"),
        page.locator(".pv-run"),
        # the expected time of a run
        page.get_by_test_id(SIDEBAR).get_by_test_id("stCaptionContainer").first,
    ):
        box = part.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
        assert box["x"] + box["width"] <= width


def covered(page):
    """Return the class names of the parts that the player's message covers."""
    return page.evaluate(
        """() => {
            const box = (node) => node.getBoundingClientRect();
            const told = box(document.querySelector(".pv-toast"));
            const parts = ".pv-canvas, .pv-foot, .pv-bar, .pv-timeline, .pv-sentence, .pv-aside > *"
                + ", .pv-metrics, .pv-curve, .pv-cards, .pv-phases";
            return [...document.querySelectorAll(parts)].filter((node) => {
                const { width, left, right, top, bottom } = box(node);
                return width && left < told.right && right > told.left
                    && top < told.bottom - 1 && bottom > told.top + 1;
            }).map((node) => node.className);
        }"""
    )


def tells_colours_apart(page):
    """Return True if the whole legend is visible and explains orange and blue."""
    return page.evaluate(
        """() => {
            const legend = document.querySelector(".prviz .pv-legend");
            const { left, right, bottom } = legend.getBoundingClientRect();
            const seen = [...legend.children].filter((node) => {
                const box = node.getBoundingClientRect();
                return box.left >= left - 1 && box.right <= right + 1 && box.bottom <= bottom + 2;
            });
            const says = (word) => seen.some((node) => node.innerText.startsWith(word)
                && node.querySelector(`[stroke="var(--pv-${word})"]`));
            return seen.length === legend.children.length && says("partial") && says("full");
        }"""
    )


def eventually(what, seconds=20.0):
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def at_rest(look, seconds=0.5):
    """Return a value once it is stable, because it changes while the page reacts."""
    seen, since = look(), time.monotonic()

    def rests():
        nonlocal seen, since
        now = look()
        if now != seen:
            seen, since = now, time.monotonic()
        return time.monotonic() - since > seconds

    eventually(rests)
    return seen


def number_in(text):
    return int(re.sub(r"\D", "", text) or 0)


def head_calls(page):
    """Return the number of calls in the metric row."""
    return number_in(page.locator(".pv-metric-calls .pv-note").inner_text())


def playhead(page):
    return number_in(page.locator(".pv-metric-calls dd").first.inner_text())
