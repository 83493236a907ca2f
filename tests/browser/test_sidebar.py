"""On a phone, the sidebar covers the page and closes after a choice."""

from browsing import SIDEBAR, ready
from playwright.sync_api import expect


def test_sidebar_on_a_phone_closes_after_a_choice(open_page):
    page = ready(open_page("/kmeans", width=390, height=844))
    sidebar = page.get_by_test_id(SIDEBAR)
    opening = page.get_by_test_id("stExpandSidebarButton")
    opening.click()
    expect(sidebar).to_be_in_viewport()
    line = page.locator("[class*='-budget-line']")
    help_, entry = line.get_by_test_id("stTooltipIcon"), line.get_by_test_id("stNumberInput")
    left, wide = (help_.bounding_box()[name] for name in ("x", "width"))
    assert left + wide + 4 <= entry.bounding_box()["x"]
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Paper").click()
    expect(page).to_have_title("Paper · prviz")
    expect(sidebar).not_to_be_in_viewport()
    opening.click()
    expect(sidebar).to_be_in_viewport()
    page.reload()
    expect(opening).to_be_visible()
    expect(sidebar).not_to_be_in_viewport()
