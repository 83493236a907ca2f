"""The k-means page works with a real server and a real browser."""

import pytest
from browserless import Tab
from browsing import (
    SIDEBAR,
    assert_in_one_view,
    at_rest,
    covered,
    enter,
    eventually,
    exact,
    head_calls,
    playhead,
    progress,
    ready,
    run_id,
    settled,
    sidebar,
    track,
)
from playwright.sync_api import expect


@pytest.mark.long
def test_search_can_be_stopped_and_continued_and_replaced(open_page, server):
    page = ready(open_page("/kmeans?seconds=60"))
    button, play = page.locator(".pv-run"), page.locator(".pv-play")
    button.click()
    expect(play).to_have_attribute("aria-label", "Pause")
    eventually(lambda: head_calls(page) > 300 and playhead(page) > 1)
    run = run_id(page)

    play.click()
    expect(play).to_have_attribute("aria-label", "Play")
    page.locator(".pv-track").click(position={"x": 200, "y": 20})
    eventually(lambda: playhead(page) > 10)
    there = at_rest(lambda: playhead(page))  # the nearest loaded call is shown first
    page.get_by_role("button", name="Forward one call").click()
    eventually(lambda: playhead(page) == there + 1)

    button.click()  # Stop
    eventually(lambda: progress(server, run)["state"] == "stopped")
    made = progress(server, run)["calls"]
    expect(button).to_have_text("Continue")
    eventually(lambda: head_calls(page) == made)
    button.click()  # Continue
    expect(button).to_have_text("Stop")
    eventually(lambda: progress(server, run)["calls"] > made)
    assert run_id(page) == run
    expect(play).to_have_attribute("aria-label", "Pause")

    drawn = page.locator(
        ".prviz canvas:not(.pv-ghost, .pv-surface, .pv-full-picture *), .pv-plot"
    ).element_handles()
    assert len(drawn) == 5  # the scene, two checkpoints, the lanes and the curve
    enter(page, "k1", "3")
    expect(page.locator(".pv-toast")).to_have_text("k₁ is now 3: new run")
    assert covered(page) == []
    eventually(lambda: run_id(page) != run)
    eventually(lambda: progress(server, run)["state"] == "stopped")
    assert progress(server, run_id(page))["state"] == "running"
    assert all(node.evaluate("node => node.isConnected") for node in drawn)


def test_every_slider_change_is_used(open_page):
    page = ready(open_page("/kmeans?seconds=0.5"))
    for presses in range(9):  # while runs start and play
        if presses == 3:
            page.locator(".pv-run").click()
        track(page, "m1").press("ArrowRight" if presses < 7 else "ArrowLeft")
        page.wait_for_timeout(20 if presses % 3 else 150)  # a script run takes 20 to 150 ms
    for _ in range(2):  # the value may pass 700 on its way
        expect(exact(page, "m1")).to_have_value("700")  # 700 is five stops above 100
        settled(page)
    assert exact(page, "m1").input_value() == "700"
    assert track(page, "m1").get_attribute("aria-valuetext") == "700"

    enter(page, "seconds", "0")
    expect(exact(page, "seconds")).to_have_value("0.1")
    expect(
        page.get_by_text("Seconds must be from 0.1 to 60: 0 was changed to 0.1.")
    ).to_be_visible()


def test_address_contains_the_values_and_leaving_the_page_stops_the_search(open_page, server):
    page = ready(open_page("/kmeans?k1=2&call=3&seconds=60"))
    link, before = page.url, page.evaluate("() => history.length")
    settled(page)
    assert page.url == link
    enter(page, "m1", "137")  # the new value starts a search
    page.wait_for_url("**/kmeans?v=1*m1=137*")
    assert "call=" not in page.url
    assert page.evaluate("() => history.length") == before
    eventually(lambda: progress(server, run_id(page))["state"] == "running")
    left = run_id(page)

    ready(page)
    page.reload()
    ready(page)
    assert run_id(page) == left
    expect(exact(page, "m1")).to_have_value("137")
    expect(exact(page, "k1")).to_have_value("2")
    warnings = page.locator(".st-key-title").get_by_test_id("stAlert")
    expect(warnings).to_have_count(0)

    page.get_by_role("link", name="Hidden Markov models").click()
    expect(page.locator("h1")).to_contain_text("Hidden Markov")
    assert page.url.endswith("/hmm")
    settled(page)
    expect(warnings).to_have_count(0)
    page.go_back()
    expect(page.locator("h1")).to_contain_text("k-means")
    expect(exact(page, "m1")).to_have_value("137")
    page.wait_for_url("**/kmeans?v=1*m1=137*")

    assert run_id(page) == left
    eventually(lambda: progress(server, left)["state"] == "running")
    page.close()
    eventually(lambda: progress(server, left)["state"] != "running", seconds=10)


def test_lab_hides_future_results_and_handles_keys_anywhere(open_once):
    page = ready(open_once("/kmeans"))
    assert_in_one_view(page, 1280, 720)
    assert head_calls(page) > 100  # the calls of the recorded preview
    veil, track = page.locator(".pv-track-veil"), page.locator(".pv-track")
    room = track.bounding_box()["width"]
    assert veil.bounding_box()["width"] > 0.98 * room
    expect(page.locator(".pv-search")).not_to_contain_text("solved")
    track.click(position={"x": 400, "y": 20})
    eventually(lambda: playhead(page) > 1)
    assert 0 < veil.bounding_box()["width"] < room - 300
    shades = page.locator(".pv-canvas").first.evaluate(
        """canvas => new Set(new Uint32Array(canvas.getContext("2d")
            .getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size"""
    )
    assert shades > 50

    where, play = page.locator(".pv-where"), page.locator(".pv-play")

    def moves(key):
        there = where.inner_text()
        page.keyboard.press(key)
        expect(where).not_to_have_text(there)

    # Space plays and pauses. It does not press the last clicked button.
    sidebar(page, "Reset").focus()
    page.get_by_role("button", name="Forward one call").click()
    moves("n")
    page.keyboard.press("Space")
    expect(play).to_have_attribute("aria-label", "Pause")
    page.keyboard.press("Space")
    expect(play).to_have_attribute("aria-label", "Play")

    skip = page.get_by_role("link", name="Skip to main content")
    for leave in (
        lambda: page.locator("h1").click(),
        lambda: page.mouse.click(1275, 300),  # the margin
        lambda: (skip.focus(), page.keyboard.press("Enter")),
        lambda: page.get_by_role("link", name="Home", exact=True).focus(),
    ):
        leave()
        moves("Shift+ArrowRight")


def test_sidebar_on_a_phone_closes_after_a_choice(open_once):
    page = ready(open_once("/kmeans"))
    page.set_viewport_size({"width": 390, "height": 844})
    bar = page.get_by_test_id(SIDEBAR)
    opening = page.get_by_test_id("stExpandSidebarButton")
    opening.click()
    expect(bar).to_be_in_viewport()
    line = page.locator("[class*='-budget-line']")
    help_, entry = line.get_by_test_id("stTooltipIcon"), line.get_by_test_id("stNumberInput")
    left, wide = (help_.bounding_box()[name] for name in ("x", "width"))
    assert left + wide + 4 <= entry.bounding_box()["x"]
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Paper").click()
    expect(page).to_have_title("Paper · prviz")
    expect(bar).not_to_be_in_viewport()
    opening.click()
    expect(bar).to_be_in_viewport()
    page.reload()
    expect(opening).to_be_visible()
    expect(bar).not_to_be_in_viewport()


def test_two_tabs_search_independently(server):
    with (
        Tab(server, "kmeans", "seconds=60&seed=1") as one,
        Tab(server, "kmeans", "seconds=60&seed=2") as other,
    ):
        assert one.run != other.run
        one.start()
        other.start()
        eventually(lambda: one.head()["calls"] > 50 and other.head()["calls"] > 50)
        one.stop()
        eventually(lambda: one.head()["state"] == "stopped")
        assert other.head()["state"] == "running"
