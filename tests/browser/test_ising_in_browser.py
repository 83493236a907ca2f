"""The page of spin glasses in a real browser: a link with levels, on a desk and on a phone."""

from browsing import (
    eventually,
    exact,
    head_calls,
    ready,
    tells_colours_apart,
    widest,
)
from playwright.sync_api import expect


def test_a_link_is_searched_on_its_levels_and_fits_a_phone(open_page):
    page = ready(open_page("/ising?data=signs2&side=8&k1=5&m1=10&k2=20&m2=5&budget=calls&calls=60"))
    expect(page.locator("h1")).to_contain_text("Spin glass:")
    for name, value in {"k1": "5", "m1": "10", "k2": "20", "m2": "5"}.items():
        expect(exact(page, name)).to_have_value(value)
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 60)
    eventually(lambda: tells_colours_apart(page))
    page.get_by_text("What you are seeing").wait_for()
    page.set_viewport_size({"width": 390, "height": 844})
    eventually(lambda: widest(page) <= 390)
