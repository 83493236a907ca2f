"""What a person does on a benchmark page, and sees there."""

import json
import re
import time
import urllib.request

from playwright.sync_api import expect

SIDEBAR = "stSidebar"


def ready(page):
    """Wait until something true is drawn; gives the page back."""
    expect(page.locator(".pv-where")).to_contain_text("call", timeout=90_000)
    return page


def sidebar(page, name):
    return page.get_by_test_id(SIDEBAR).get_by_role("button", name=name, exact=True)


def track(page, name):
    return page.locator(f"[class*='-{name}-slider'] input[type=range]")


def exact(page, name):
    return page.locator(f"[class*='-{name}-exact'] input")


def enter(page, name, text):
    exact(page, name).fill(text)
    exact(page, name).press("Enter")


def run_id(page):
    """Of the run that the player shows."""
    return page.evaluate(
        "() => [...(globalThis.__prvizTheatres?.values() ?? [])].at(-1)"
        "?.theatre.projector?.source.id ?? null"
    )


def progress(server, run):
    with urllib.request.urlopen(f"{server}/player/runs/{run}/progress?since=0") as answer:
        return json.loads(answer.read().split(b"\n", 1)[0])


def settled(page):
    """Wait until every change has been to the server and back."""
    page.wait_for_timeout(500)
    script = page.get_by_test_id("stApp")
    expect(script).to_have_attribute("data-test-script-state", "notRunning")
    page.wait_for_timeout(200)


def assert_in_one_view(page, width, height):
    """Theatre and sidebar lie in a window of this size, without scrolling."""
    for part in (
        page.locator(".st-key-theatre"),
        page.locator(".pv-sentence"),
        page.locator(".pv-canvas").first,
        sidebar(page, "Reset"),
        page.locator(".pv-run"),
        page.get_by_test_id(SIDEBAR).get_by_test_id("stCaptionContainer"),
    ):
        box = part.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
        assert box["x"] + box["width"] <= width


def eventually(what, seconds=20.0):
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def number_in(text):
    return int(re.sub(r"\D", "", text) or 0)


def head_calls(page):
    """Calls that the search has made, as the metric row has them."""
    return number_in(page.locator(".pv-metric-calls .pv-note").inner_text())


def playhead(page):
    return number_in(page.locator(".pv-metric-calls dd").first.inner_text())


def change_run_pause_scrub_and_step(page, k1, calls):
    """Move k₁ to its next stop, which is ``k1``, and use the player after so many calls."""
    first = run_id(page)
    track(page, "k1").press("ArrowRight")
    expect(exact(page, "k1")).to_have_value(k1)
    eventually(lambda: run_id(page) != first)
    ready(page)
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) > calls)
    page.get_by_role("button", name="Pause").click()
    page.locator(".pv-track").click(position={"x": 300, "y": 20})
    eventually(lambda: playhead(page) > 3)
    there = playhead(page)
    page.get_by_role("button", name="On one call").click()
    eventually(lambda: playhead(page) == there + 1)
