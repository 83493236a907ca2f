"""The simple view shows full restarts and partial reinitialisation at equal work, side by side."""

import re

import pytest
from browsing import SIDEBAR, eventually, run_id
from cases import cases
from playwright.sync_api import expect
from test_accessible import check_view, grave

SMALL = [(390, 844), (853, 480)]  # a phone, and a page zoomed to 150 %


def pictures(page):
    """Return the shown pictures, full restarts first."""
    return page.locator(".pv-full-picture canvas, .pv-canvas").evaluate_all(
        "all => all.map((one) => one.toDataURL())"
    )


def veil(page):
    """Return where the cover of the unseen part of the curve begins, in pixels from the left."""
    return page.locator(".pv-plot-veil").evaluate("node => parseFloat(node.style.left)")


@pytest.fixture
def page(open_once):
    return open_once("/kmeans", view="simple", plotly=True)


def test_page_opens_with_a_preview_and_run_searches_live(page):
    expect(page.locator(".pv-badge")).to_have_text(re.compile("^Recorded preview"))
    expect(page.locator(".pv-sentence")).to_have_text("Restart 1: all 50 centres redrawn.")
    for part in ("Run", "Play", "Lab", "Take away"):
        expect(page.get_by_role("button", name=part, exact=True)).to_be_visible()
    for of_the_lab in (".pv-metrics", ".pv-cards", ".pv-timeline", ".pv-jumps", ".pv-live"):
        expect(page.locator(of_the_lab)).to_be_hidden()
    sidebar = page.get_by_test_id(SIDEBAR)
    expect(sidebar.locator("[class*='-slider-row']:visible")).to_have_count(3)
    expect(sidebar.get_by_text("Seed", exact=True)).to_be_hidden()
    assert run_id(page) is None
    page.get_by_role("button", name="Take away").click()
    names = page.get_by_role("menuitem").all_inner_texts()
    assert names == ["Copy link", "Figure (PNG, SVG, PDF)", "Film (GIF, video)", "Link for a class"]
    page.get_by_role("menuitem", name="Film (GIF, video)").click()
    dialog = page.get_by_role("dialog", name="Film of the run")
    for name in ("From call", "to call"):
        expect(dialog.get_by_label(name)).to_be_visible()
    page.keyboard.press("Escape")
    page.locator(".pv-play").click()  # the preview plays, and the curve grows with it
    expect(page.locator(".pv-standing-partial")).to_contain_text("1 redrawn, 49 of 50 centres kept")
    expect(page.locator(".pv-standing-full dd").first).to_have_text(re.compile("the best$"))
    expect(page.locator(".pv-plot-veil")).to_be_visible()
    before, drawn = veil(page), pictures(page)
    eventually(lambda: veil(page) > before + 5)
    eventually(lambda: all(a != b for a, b in zip(drawn, pictures(page), strict=True)))
    page.locator(".pv-run").click()
    eventually(lambda: run_id(page) is not None)
    expect(page.locator(".pv-badge")).to_be_hidden()
    expect(page.locator(".pv-run")).to_have_text("Run")  # the search has ended
    assert grave(page) == []
    said = page.locator(".pv-sentence").bounding_box()
    assert said["y"] + said["height"] <= 720


@cases(("width", "height"), SMALL)
def test_first_view_is_complete_on_a_phone_and_on_a_zoomed_page(page, width, height):
    check_view(page, "dark", width, height)
    full, partial, said, curve = (
        page.locator(name).bounding_box()
        for name in (".pv-full-picture", ".pv-scene", ".pv-sentence", ".pv-curve")
    )
    assert full["y"] == partial["y"] and full["x"] + full["width"] <= partial["x"]
    assert partial["y"] + partial["height"] < said["y"]
    key = page.locator(".pv-key")
    if width < 460:
        expect(key).to_be_visible()
        assert partial["y"] + partial["height"] < key.bounding_box()["y"] < said["y"]
    else:  # the key has no space on a zoomed page
        expect(key).to_be_hidden()
    assert all(part["y"] + part["height"] <= height for part in (curve, said))
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth") <= width


def test_view_is_stored_in_link_and_browser(page):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.locator(".pv-view").click()
    expect(page.locator(".pv-metrics")).to_be_visible()
    expect(page).to_have_url(re.compile("look=lab"))
    page.goto(page.url.split("?")[0])
    expect(page.locator(".pv-timeline")).to_be_visible()
    page.keyboard.press("d")
    expect(page.locator(".pv-timeline")).to_be_hidden()


@cases(("width", "height"), SMALL)
def test_tools_leave_space_for_drawing_on_a_phone_or_a_zoomed_page(open_once, width, height):
    page = open_once("/kmeans?data=draw", view="simple")
    page.set_viewport_size({"width": width, "height": height})
    tools = page.locator(".pv-drawn")
    expect(tools).to_be_visible()
    eventually(
        lambda: (
            page.locator(".pv-canvas").bounding_box()["height"]
            > 1.5 * tools.bounding_box()["height"]
        )
    )
