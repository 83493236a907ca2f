"""Pages are accessible according to axe, and fit in a window and on a phone."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from browsing import (
    assert_in_one_view,
    eventually,
    head_calls,
    ready,
    settled,
    sidebar,
    tells_colours_apart,
    widest,
)
from playwright.sync_api import expect

from prviz.ui.catalogue import PAGES, benchmark

GRAVE = {"critical", "serious", "moderate"}
PHONE = ("light", 390, 844)
VIEWS = [("light", 1280, 720), ("dark", 1280, 720), PHONE]
#: Rules to repeat in the dark theme. Other rules give the same results as in the light theme.
COLOURS = ["color-contrast", "link-in-text-block"]
LOOK = """async ([within, only]) => {
  const options = { resultTypes: ["violations"], ...only && { runOnly: only } };
  const { violations } = await axe.run(within ?? document, options);
  return violations.flatMap(({ impact, id, nodes }) =>
    nodes.map(({ html, failureSummary }) => [impact, id, html.slice(0, 120), failureSummary]));
}"""


#: The specific parts of each page. The other parts are the same as on the k-means page.
OWN = "[data-testid=stSidebar], .pv-scene, .pv-legend, .pv-cards"


def grave(page, within=None, only=None):
    """Return the critical, serious and moderate violations: [impact, rule, node, reason].

    A whole page takes seconds, so ``within`` selects a part to check, and ``only`` names the rules.
    """
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE_SCRIPT)
    return [found for found in page.evaluate(LOOK, [within, only]) if found[0] in GRAVE]


GROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 24, 27)"}
LOOKS = """ground => [...document.querySelectorAll(".stApp, .prviz")].every((part) =>
    getComputedStyle(part).backgroundColor === ground)
  && document.getAnimations().every(({ playState, effect }) =>
    playState !== "running" || effect.getComputedTiming().endTime === Infinity)"""
TWO_FRAMES = """new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(done)))"""


def look_at(page, scheme, width, height):
    """Give a page another size and colour scheme, and wait until all transitions have ended."""
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(LOOKS, arg=GROUNDS[scheme])
    page.evaluate(TWO_FRAMES)  # transitions start within two frames
    page.wait_for_function(LOOKS, arg=GROUNDS[scheme])


def check_view(page, scheme, width, height):
    """Check a page in one of ``VIEWS`` for violations."""
    look_at(page, scheme, width, height)
    assert grave(page, only=COLOURS if scheme == "dark" else None) == [], (scheme, width)


def searching(page):
    """Run a search and wait for its first calls."""
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) > 3)


@pytest.mark.long
def test_kmeans_page_is_accessible_in_every_view(open_page):
    page = ready(open_page("/kmeans?seconds=10", plotly=True))
    style = page.add_style_tag(content=".prviz .pv-sentence { color: #ccc; }")
    found = grave(page, ".prviz", COLOURS)  # the check finds the error of this style
    assert [(rule, "pv-sentence" in node) for _, rule, node, _ in found] == [
        ("color-contrast", True)
    ]
    style.evaluate("node => node.remove()")
    searching(page)
    assert grave(page, ".pv-bar, .pv-say") == []
    page.locator(".pv-run").click()  # Stop
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".pv-run")).to_have_text("Continue")
    settled(page)  # the page has received the end of the search
    for section in page.get_by_test_id("stMain").get_by_test_id("stExpander").all():
        section.locator("summary").click()
        section.get_by_test_id("stExpanderDetails").get_by_role("button").first.wait_for()
    page.locator(".pv-help-button").click()
    for view in VIEWS[:2]:
        check_view(page, *view)
        eventually(lambda: tells_colours_apart(page))
    look_at(page, *PHONE)
    eventually(lambda: tells_colours_apart(page))
    assert widest(page) <= 390
    page.get_by_test_id("stExpandSidebarButton").click()
    sidebar(page, "Reset").wait_for()
    assert grave(page, "[data-testid=stSidebar]") == []


def check_page(page, name):
    """Check that a newly opened page is accessible and fits a laptop's screen and a phone."""
    expect(page).to_have_title(f"{benchmark(name).label} · prviz")
    assert head_calls(page) == 1
    settled(page)
    assert_in_one_view(page, 1280, 720)
    searching(page)
    page.get_by_role("button", name="Pause").click()
    page.locator(".pv-help-button").click()
    look_at(page, *VIEWS[0])
    eventually(lambda: tells_colours_apart(page))
    assert grave(page, OWN) == []
    page.set_viewport_size({"width": 390, "height": 844})
    eventually(lambda: widest(page) <= 390)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.locator(".pv-help-button").click()


@pytest.mark.parametrize("name", ["hmm", "kmedoids"])
def test_page_is_accessible_and_fits_a_window_and_a_phone(open_page, name):
    check_page(ready(open_page(f"/{name}?seconds=0.5")), name)


def test_accessibility_of_every_page_is_checked():
    # other files check rbm, ising and hierarchy
    checked = ["hmm", "kmedoids", "rbm", "ising", "hierarchy"]
    assert sorted(["kmeans", *checked]) == sorted(PAGES)
