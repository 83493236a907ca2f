"""The Race page works with a real server and a real browser."""

import pytest
from browsing import eventually, ready, widest
from playwright.sync_api import expect
from printing import check_report, marks, open_dialog, read_figure
from test_accessible import VIEWS, check_view

LINK = "/race?n_clusters=12&runs=20&each=0.1&aim=1e15"


def board(page):
    expect(page.locator(".pv-race .pv-run")).to_have_text("Run", timeout=90_000)
    return page


def seen(page):
    """Return the number of runs of each contender in the charts."""
    texts = page.locator(".pv-race .legendtext").all_text_contents()
    return [int(text.split("n = ")[1]) for text in texts if "n = " in text]


def replay_with_keys(page):
    """Choose a dot of the second row by keys, and watch its run below."""
    dots = page.locator(".pv-strips-canvas")
    dots.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        dots.press(key)
    expect(page.locator(".pv-strips-words")).to_contain_text("Full, seed 1: gap")
    with page.expect_response("**/replay?*") as answer:
        dots.press("Enter")
    params = answer.value.json()["params"]
    assert (params["seed"], params["k1"], params["budget"]) == ("1", "12", "calls")
    expect(page.locator("h2").first).to_have_text("Full, seed 1")
    ready(page)


@pytest.mark.long
def test_race_is_stopped_replayed_exported_and_printed(open_page, browser, tmp_path):
    page = board(open_page(LINK, permissions=["clipboard-read", "clipboard-write"], plotly=True))
    run, state = page.locator(".pv-race .pv-run"), page.locator(".pv-race-state")
    run.click()
    # a race stopped earlier would have no results
    expect(state).to_contain_text("of 20 seeds")
    run.click()
    expect(run).to_have_text("Run again")
    expect(state).to_contain_text("Stopped: ")
    run.click()
    expect(state).to_contain_text("Finished: 20 of 20 seeds", timeout=150_000)
    assert seen(page) == [20, 20]
    replay_with_keys(page)
    with page.expect_download() as there:
        page.get_by_role("link", name="CSV").click()
    head, *rows = there.value.path().read_text("utf-8").splitlines()
    assert head == "contender,seed,calls,iterations,seconds,best" and len(rows) >= 40

    page.get_by_role("button", name="Link", exact=True).click()
    expect(state).to_have_text("Link copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert "/race?" in link and "runs=20" in link and "each=0.1" in link
    ink = "getComputedStyle(document.querySelector('.pv-race .legendtext')).fill"
    light = page.evaluate(ink)
    page.emulate_media(color_scheme="dark")
    eventually(lambda: page.evaluate(ink) != light)
    expect(state).to_have_text("Link copied.")  # the message remains after a redraw

    open_dialog(page, "Figure", "button")  # export on white paper from the dark page
    read_figure(page, "Charts", "partial, n = 20", "full, n = 20", "Line: median.")
    root = read_figure(page, "Every run", "Partial: ", "One dot per run")
    assert len(marks(root, "circle")) == 40
    page.keyboard.press("Escape")
    found = ("n = 20 runs each", "Where partial reinitialisation loses")
    check_report(page, browser, tmp_path / "report.html", *found)

    page.get_by_role("button", name="Open as code").click()
    dialog = page.get_by_role("dialog", name="Open as code")
    code = dialog.get_by_role("region", name="Python")
    expect(code).to_contain_text("seeds=20, seconds=0.1")
    expect(code).to_contain_text("assert found.hash() ==")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)

    for view in VIEWS:
        check_view(page, *view)
    assert widest(page) <= 390
