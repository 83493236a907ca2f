"""What axe finds on every page, at rest, while a search runs and with sections opened."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from browsing import eventually, head_calls, ready, sidebar

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


@pytest.mark.parametrize("scheme, width, height", VIEWS)
def test_home(open_page, scheme, width, height):
    assert grave(ready(open_page("/", scheme=scheme, width=width, height=height))) == []


@pytest.mark.parametrize(
    ("name", "scheme", "width", "height"),
    [
        *((name, *VIEWS[0]) for name in PAGES),
        *((name, *view) for name in ("kmeans", "rbm") for view in VIEWS[1:]),  # all share colours
    ],
)
def test_a_benchmark(open_page, name, scheme, width, height):
    page = ready(open_page(f"/{name}?seconds=5", scheme=scheme, width=width, height=height))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) > 3)
    assert grave(page) == []
    page.get_by_role("button", name="Pause").click()
    for section in page.get_by_test_id("stMain").get_by_test_id("stExpander").all():
        section.locator("summary").click()
        section.get_by_role("spinbutton").first.wait_for()
    page.locator(".pv-help-button").click()
    assert grave(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sidebar_on_a_phone(open_page, scheme):
    page = ready(open_page("/kmeans", scheme=scheme, width=390, height=844))
    page.get_by_test_id("stExpandSidebarButton").click()
    sidebar(page, "Reset").wait_for()
    assert grave(page) == []


def test_the_table_of_a_probe_on_a_phone(open_page):
    page = ready(open_page("/kmeans", width=390, height=844))
    page.get_by_text("Which k improves with the least work?").click()
    page.get_by_role("button", name="Probe", exact=True).click()
    page.locator(".st-key-redraws table").wait_for()
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth") <= 390
    assert grave(page) == []


def test_the_player_is_looked_at(open_page):
    page = ready(open_page("/kmeans"))
    page.add_style_tag(content=".prviz .pv-sentence { color: #ccc; }")
    assert [(rule, "pv-sentence" in node) for _, rule, node, _ in grave(page)] == [
        ("color-contrast", True)
    ]


def test_keys_scroll_the_listing_of_algorithm_1_on_a_phone(open_page):
    page = ready(open_page("/kmeans", width=390, height=844))
    listing = page.get_by_role("region", name="Algorithm 1")
    listing.focus()
    page.keyboard.press("ArrowRight")
    eventually(lambda: listing.evaluate("(node) => node.scrollLeft") > 0)
