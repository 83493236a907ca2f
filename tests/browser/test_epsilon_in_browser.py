"""The calculator of M and the probe of ε work below the player, in a real browser."""

import pytest
from browsing import ready, settled, widest
from playwright.sync_api import expect
from test_accessible import grave

CALCULATOR, PROBE = "How large must M be?", "Which k improves with the least work?"


def section(page, title):
    """Open one of the sections."""
    page.get_by_text(title).click()
    return page.get_by_test_id("stExpander").filter(has_text=title)


def plot(part):
    return part.locator(".js-plotly-plot")


WHOLE = """table => [...table.querySelectorAll("td:not(:nth-child(2), :nth-child(5))")]
    .filter((td) => {
        const range = document.createRange();
        range.selectNodeContents(td);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    }).map((td) => td.innerText)"""  # cells with text on several lines
FITS = "({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth"


@pytest.mark.long
def test_calculator_and_probe_fit_the_width_of_a_phone(open_page):
    asked = []
    page = open_page("/kmeans?k1=5&budget=calls&calls=20", width=390, height=844)
    page.on("request", lambda request: asked.append(request.url))
    settled(ready(page))
    expect(page.get_by_text(PROBE)).to_be_attached()
    assert not [url for url in asked if "PlotlyChart" in url]
    part = section(page, CALCULATOR)
    expect(plot(part)).to_be_visible(timeout=30_000)
    assert [url for url in asked if "PlotlyChart" in url]
    assert widest(page) <= 390

    part = section(page, PROBE)
    # Until the section is complete, its buttons move and its fields are replaced.
    expect(part.locator("input")).to_have_count(3)
    expect(part.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    for name, largest in (("repeats", "100000"), ("seed", "999999999")):
        entry = part.locator(f".st-key-kmeans-epsilon-{name} input")
        first = entry.input_value()
        entry.fill(largest)
        assert entry.evaluate("entry => entry.scrollWidth <= entry.clientWidth"), name
        entry.fill(first)

    part.locator(".st-key-kmeans-epsilon-repeats input").fill("20")
    part.locator(".st-key-kmeans-epsilon-repeats input").press("Enter")
    settled(page)
    part.get_by_role("button", name="Probe", exact=True).click()
    rows = part.locator("tbody tr")
    expect(rows.last).to_contain_text("of 20", timeout=60_000)
    expect(part.get_by_test_id("stProgress")).to_have_count(0, timeout=60_000)
    expect(rows).to_have_count(7)  # 0, 1, … 50
    expect(part).to_contain_text("above the best known: a search with the same values reached it")
    expect(plot(part)).to_be_visible(timeout=30_000)
    table = part.locator("table")
    assert table.evaluate(WHOLE) == []
    assert table.evaluate(FITS)
    assert widest(page) <= 390
    listing = page.get_by_role("list", name="Algorithm 1").last  # below the player
    assert listing.evaluate(FITS)
    assert grave(page, "[data-testid=stMain] [data-testid=stExpander]") == []
