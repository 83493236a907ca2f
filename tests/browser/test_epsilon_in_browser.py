"""How large must M be, and the probe of ε, as a person meets them below the theatre."""

import re

import pytest
from browsing import enter, exact, ready, settled
from playwright.sync_api import expect

CALCULATOR, PROBE = "How large must M be?", "Which k improves with the least work?"
SMALL = "/kmeans?n_clusters=6&budget=calls&calls=20"


def section(page, title):
    """Open one of the sections."""
    page.get_by_text(title).click()
    return page.get_by_test_id("stExpander").filter(has_text=title)


def drawn(part):
    """Wait for all of the section: until then buttons move, and entries are made anew."""
    expect(part.locator("input")).to_have_count(3)
    expect(part.get_by_role("button", name="Stop", exact=True)).to_be_visible()


def probe(part):
    drawn(part)
    part.get_by_role("button", name="Probe", exact=True).click()


def plot(part):
    return part.locator(".js-plotly-plot")


def assert_within(page, width):
    """Nothing of the page lies beyond its right edge."""
    wide = page.evaluate("""() => document.querySelector("[data-testid=stMain]").scrollWidth""")
    assert wide <= width


def test_nothing_is_loaded_before_a_section_is_opened(open_page):
    asked = []
    page = open_page("/kmeans")
    page.on("request", lambda request: asked.append(request.url))
    ready(page)
    settled(page)
    expect(page.get_by_text(PROBE)).to_be_attached()
    assert not [url for url in asked if "PlotlyChart" in url]
    part = section(page, CALCULATOR)
    expect(plot(part)).to_be_visible(timeout=30_000)
    assert [url for url in asked if "PlotlyChart" in url]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_calculator_answers_as_one_types(open_page, width, scheme):
    page = ready(open_page("/kmeans", width=width, scheme=scheme))
    part = section(page, CALCULATOR)
    expect(part).to_contain_text("M = 29.")
    entry = page.locator(".st-key-kmeans-calculator-epsilon input")
    entry.fill("0.5")
    entry.press("Enter")
    expect(part).to_contain_text("M = 5.")
    entry.fill("0")
    entry.press("Enter")
    expect(part).to_contain_text("M is unbounded.")
    part.get_by_role("radio", name="δ from M and ε").click()
    expect(part).to_contain_text("δ = 1.")
    expect(plot(part)).to_be_visible(timeout=30_000)
    assert_within(page, width)


def test_a_probe_from_near_the_best_to_the_sliders(open_page):
    page = ready(open_page("/kmeans?k1=5&budget=calls&calls=20"))
    part = section(page, PROBE)
    drawn(part)
    sizes = part.locator("input").first
    sizes.fill("1")
    sizes.press("Enter")
    settled(page)
    probe(part)
    rows = part.locator("tbody tr")
    expect(rows).to_have_count(3, timeout=60_000)  # 0, 1 and 50
    expect(rows.last).to_contain_text("of 500", timeout=60_000)
    expect(part.get_by_test_id("stProgress")).to_have_count(0)
    expect(part).to_contain_text("above the best known: a search with the same values had it")
    expect(part).to_contain_text("That is the paper's k₁ = 1: no other k was better.")
    expect(plot(part)).to_be_visible(timeout=30_000)
    use = part.get_by_role("button", name="Use k₁ =")
    m1 = re.search(r"k₁ = 1, M₁ = (\d+)", use.inner_text())[1]
    use.click()
    expect(part).to_contain_text(f"k₁ is now 1 and M₁ {m1}.")
    expect(part.locator("tbody tr")).to_have_count(3)  # another schedule, the same problem
    settled(page)
    expect(exact(page, "k1")).to_have_value("1")
    expect(exact(page, "m1")).to_have_value(m1)
    enter(page, "alpha", "0.5")
    expect(part).to_contain_text("what the former probe found is discarded")
    expect(part.locator("table")).to_have_count(0)


def test_the_largest_numbers_are_seen_whole_on_a_phone(open_page):
    part = section(ready(open_page("/kmeans?n_clusters=6", width=390)), PROBE)
    drawn(part)
    for name, largest in (("repeats", "100000"), ("seed", "999999999")):
        entry = part.locator(f".st-key-kmeans-epsilon-{name} input")
        entry.fill(largest)
        wide, needed = entry.evaluate("entry => [entry.clientWidth, entry.scrollWidth]")
        assert needed <= wide, name


def test_it_shows_how_far_it_is_and_stops(open_page):
    page = ready(open_page("/kmeans?budget=calls&calls=20"))
    part = section(page, PROBE)
    drawn(part)
    repeats = page.locator(".st-key-kmeans-epsilon-repeats input")
    repeats.fill("100000")
    expect(repeats).to_have_value("100000")
    repeats.press("Enter")
    settled(page)
    probe(part)
    expect(part.get_by_test_id("stProgress")).to_contain_text(
        re.compile(r"k = \d+: .+ of 100\s000 redraws")
    )
    expect(plot(part)).to_be_visible(timeout=30_000)
    expect(part.get_by_role("button", name="Probe", exact=True)).to_be_disabled()
    part.get_by_role("button", name="Stop", exact=True).click()
    expect(part.get_by_test_id("stProgress")).to_have_count(0)
    expect(part.locator("tbody tr").first).to_contain_text("of")
    expect(part.get_by_role("button", name="Probe", exact=True)).to_be_enabled()
