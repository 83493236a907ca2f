"""A page can be reloaded during a run."""

import pytest
from browsing import ready, run_id
from playwright.sync_api import expect


@pytest.mark.long
def test_reloaded_page_keeps_the_run_and_a_large_drawing(open_page):
    page = ready(open_page("/kmeans?data=draw&budget=seconds&seconds=60"))
    canvas = page.locator(".pv-canvas").first.bounding_box()
    page.mouse.move(canvas["x"] + 0.4 * canvas["width"], canvas["y"] + 0.4 * canvas["height"])
    page.mouse.down()
    told = page.locator(".pv-drawn-told")
    expect(told).to_contain_text("too many for a link")
    page.mouse.up()
    page.wait_for_function("location.search.includes('drawn=%7E')")
    before, drawn = run_id(page), told.inner_text()
    page.reload()
    page.wait_for_function(
        "(id) => document.querySelector('.pv-where')?.textContent", timeout=90_000
    )
    expect(told).to_have_text(drawn)
    assert run_id(page) == before
    expect(page.get_by_text("This link has errors")).to_have_count(0)
