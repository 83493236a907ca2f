"""What axe finds on every page, at rest, while a search runs and with sections opened."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from browsing import eventually, head_calls, ready, sidebar, tells_colours_apart

from prviz.ui.catalogue import PAGES

GRAVE = {"critical", "serious", "moderate"}
VIEWS = [("light", 1280, 720), ("dark", 1280, 720), ("light", 390, 844)]
LOOK = """async () => {
  const { violations } = await axe.run({ resultTypes: ["violations"] });
  return violations.flatMap(({ impact, id, nodes }) =>
    nodes.map(({ html, failureSummary }) => [impact, id, html.slice(0, 120), failureSummary]));
}"""


def grave(page):
    """What is critical, serious or moderate: [impact, rule, node, why]."""
    page.evaluate(AXE_SCRIPT)
    return [found for found in page.evaluate(LOOK) if found[0] in GRAVE]


GROUND = r"""dark => {
  const ground = getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor;
  const [red, green, blue] = ground.match(/\d+/g).map(Number);
  return red + green + blue < 384 === dark;
}"""


def look_at(page, scheme, width, height):
    """Give a page another size and other colours, and wait until it has them."""
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(GROUND, arg=scheme == "dark")
    page.wait_for_timeout(700)  # what stands there changes at leisure


def test_home(open_page):
    page = ready(open_page("/"))
    for view in VIEWS:
        look_at(page, *view)
        eventually(lambda: tells_colours_apart(page))
        assert grave(page) == [], view


@pytest.mark.parametrize("name", PAGES)
def test_a_benchmark(open_page, name):
    page = ready(open_page(f"/{name}?seconds=5"))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) > 3)
    first = name == PAGES[0]  # all share colours, and what a search does to them
    assert not first or grave(page) == []
    page.get_by_role("button", name="Pause").click()
    for section in page.get_by_test_id("stMain").get_by_test_id("stExpander").all():
        section.locator("summary").click()
        section.get_by_test_id("stExpanderDetails").get_by_role("button").first.wait_for()
    page.locator(".pv-help-button").click()
    for view in VIEWS if first else VIEWS[:1]:
        look_at(page, *view)
        eventually(lambda: tells_colours_apart(page))
        assert grave(page) == [], view


def test_a_lesson_before_the_bet_and_after(open_page):
    page = ready(open_page("/learn?lesson=2"))
    look_at(page, *VIEWS[1])  # a curve to be drawn
    assert grave(page) == []
    page = ready(open_page("/learn?lesson=4"))
    look_at(page, *VIEWS[2])  # a word to be chosen
    assert grave(page) == []
    words = page.locator(".st-key-lesson-words")
    words.get_by_text("one", exact=True).click()
    page.get_by_role("button", name="Bet").click()
    words.get_by_text("You: ").wait_for()
    page.get_by_role("button", name="Pause").click()
    for view in VIEWS[:2]:
        look_at(page, *view)
        assert grave(page) == [], view


def test_the_sidebar_on_a_phone(open_page):
    page = ready(open_page("/kmeans", width=390, height=844))
    page.get_by_test_id("stExpandSidebarButton").click()
    sidebar(page, "Reset").wait_for()
    for scheme in ("light", "dark"):
        look_at(page, scheme, 390, 844)
        assert grave(page) == [], scheme


def test_the_table_of_a_probe_on_a_phone(open_page):
    page = ready(open_page("/kmeans", width=390, height=844))
    page.get_by_text("Which k improves with the least work?").click()
    page.get_by_role("button", name="Probe", exact=True).click()
    page.locator(".st-key-redraws tbody tr").nth(6).wait_for()  # k = 50
    whole = "td:not(:nth-child(2), :nth-child(5))"
    broken = (
        f"table => [...table.querySelectorAll('{whole}')]"
        + """.filter((td) => {
        const range = document.createRange();
        range.selectNodeContents(td);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    }).map((td) => td.innerText)"""
    )
    table = page.locator(".st-key-redraws table")
    assert table.evaluate(broken) == []  # numbers stay in one piece
    assert table.evaluate("({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth")
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth") <= 390
    listing = page.get_by_role("list", name="Algorithm 1").last  # below the player
    assert listing.evaluate("({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth")
    assert grave(page) == []


def test_the_player_is_looked_at(open_page):
    page = ready(open_page("/kmeans"))
    page.add_style_tag(content=".prviz .pv-sentence { color: #ccc; }")
    assert [(rule, "pv-sentence" in node) for _, rule, node, _ in grave(page)] == [
        ("color-contrast", True)
    ]
