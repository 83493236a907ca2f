"""Full restarts and partial side by side."""

import re

import pytest
from browsing import assert_in_one_view, eventually, progress, ready, run_id
from playwright.sync_api import expect
from test_accessible import grave, look_at


def share(page):
    """How much of the way lies behind, in thousandths."""
    return int(page.locator(".pv-duel-track").input_value())


def pictures(page):
    """What is drawn, full restarts first."""
    return page.locator(".pv-duel canvas").evaluate_all("all => all.map((one) => one.toDataURL())")


def test_a_person_looks_at_both_searches(open_page, server):
    page = ready(open_page("/kmeans?budget=calls&calls=300"))
    page.locator(".pv-run").click()
    eventually(lambda: progress(server, run_id(page))["state"] == "finished")
    pace = page.get_by_label("Pace", exact=True)
    high = page.locator(".prviz").bounding_box()["height"]
    pace.select_option("Side by side")
    for hidden in (".pv-metrics", ".pv-scene", ".pv-side", ".pv-timeline"):
        expect(page.locator(hidden)).to_be_hidden()
    eventually(lambda: share(page) > 10)  # it plays
    first = pictures(page)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.locator(".pv-sentence")).to_have_text(re.compile("^So far .*(lead|level|solved)"))
    page.keyboard.press("ArrowLeft")
    before = share(page)
    page.keyboard.press("ArrowRight")
    eventually(lambda: share(page) > before)
    page.locator(".pv-duel-track").press("End")
    expect(page.locator(".pv-sentence")).to_have_text(re.compile("^At the end"))
    expect(page.locator(".pv-duel-work")).to_have_text(re.compile("^after .* of CPU time each$"))
    last = pictures(page)
    assert len({*first, *last}) == 4  # each has come further
    shown = page.locator(".pv-duel-partial dd").first.inner_text().replace("\u202f", "")
    assert float(shown) == pytest.approx(progress(server, run_id(page))["best"], rel=1e-5)
    assert grave(page) == []
    page.locator(".pv-duel-track").click(position={"x": 60, "y": 12})
    eventually(lambda: share(page) < 200)
    assert abs(page.locator(".prviz").bounding_box()["height"] - high) <= 2  # nothing jumps
    look_at(page, "dark", 390, 844)
    assert grave(page) == []
    full, partial, play = (
        page.locator(name).bounding_box()
        for name in (".pv-duel-full canvas", ".pv-duel-partial canvas", ".pv-play")
    )
    assert full["x"] == partial["x"] and full["y"] + full["height"] < partial["y"]
    assert partial["y"] + partial["height"] < play["y"]
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth") <= 390
    page.set_viewport_size({"width": 1280, "height": 720})
    page.keyboard.press("Escape")
    expect(page.locator(".pv-duel")).to_have_count(0)
    assert_in_one_view(page, 1280, 720)
    page.keyboard.press("d")
    expect(pace).to_have_value("duel")
    page.keyboard.press("D")
    expect(pace).to_have_value("story")
