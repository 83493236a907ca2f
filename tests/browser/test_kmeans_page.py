"""The k-means page as a person meets it: a real server, a real browser."""

import json
import re
from pathlib import Path

import pytest
from browsing import (
    assert_in_one_view,
    at_rest,
    covered,
    enter,
    eventually,
    exact,
    head_calls,
    number_in,
    playhead,
    progress,
    ready,
    run_id,
    settled,
    sidebar,
    track,
    widest,
)
from playwright.sync_api import expect


def test_everything_is_in_one_view_with_something_true_drawn(open_page):
    page = ready(open_page("/kmeans"))
    expect(page).to_have_title("k-means · prviz")
    expect(page.locator("h1")).to_have_text("k-means on A3-like (generated)")
    assert head_calls(page) == 1
    assert_in_one_view(page, 1280, 720)
    expect(page.locator(".pv-badge")).to_have_text(re.compile("this search as it ended once"))
    legend = page.locator(".pv-plot .legendtext").first
    assert number_in(legend.text_content()) > 1000  # of a race that was recorded
    page.locator(".pv-track").click(position={"x": 400, "y": 20})  # whose calls are still to come
    assert playhead(page) == 1
    page.locator(".pv-run").click()
    expect(page.locator(".pv-badge")).to_be_hidden()
    page.locator(".pv-run").click()
    eventually(lambda: number_in(legend.text_content()) == head_calls(page))
    shades = page.locator(".pv-canvas").first.evaluate(
        """canvas => new Set(new Uint32Array(canvas.getContext("2d")
            .getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size"""
    )
    assert shades > 50


def test_a_slider_and_its_exact_entry_move_together(open_page):
    page = ready(open_page("/kmeans"))
    for name, stepped, typed, then_on_track in (
        ("k1", "2", "7", "7"),
        ("m1", "150", "137", "150"),
        ("alpha", "0.01", "0.375", "0.38"),
    ):
        first = run_id(page)
        track(page, name).press("ArrowRight")
        expect(exact(page, name)).to_have_value(stepped)
        eventually(lambda first=first: run_id(page) != first)
        second = run_id(page)
        enter(page, name, typed)
        expect(track(page, name)).to_have_attribute("aria-valuetext", then_on_track)
        eventually(lambda second=second: run_id(page) != second)
        expect(exact(page, name)).to_have_value(typed)


def ends_at(page, name, value):
    """A control comes to rest at a value, which it may have passed on its way."""
    for _ in range(2):
        expect(exact(page, name)).to_have_value(value, timeout=20_000)
        settled(page)
    assert exact(page, name).input_value() == value


def test_no_change_of_a_slider_is_lost(open_page):
    page = ready(open_page("/kmeans"))
    for presses in range(10):  # while runs start and play
        track(page, "k1").press("ArrowRight" if presses < 8 else "ArrowLeft")
        page.wait_for_timeout(20 if presses % 3 else 150)
    ends_at(page, "k1", "7")
    assert track(page, "k1").input_value() == "7"
    for presses in range(9):
        if presses == 3:
            page.locator(".pv-run").click()
        track(page, "m1").press("ArrowRight" if presses < 7 else "ArrowLeft")
        page.wait_for_timeout(20 if presses % 3 else 150)
    ends_at(page, "m1", "700")  # five stops above 100


def test_run_plays_and_the_search_ends_by_itself(open_page, server):
    page = ready(open_page("/kmeans?seconds=0.5"))
    page.locator(".pv-run").click()
    expect(page.locator(".pv-play")).to_have_attribute("aria-label", "Pause")
    eventually(lambda: head_calls(page) > 100)
    eventually(lambda: playhead(page) > 1)
    eventually(lambda: progress(server, run_id(page))["state"] == "finished")
    expect(page.locator(".pv-run")).to_have_text("Run")


def test_pause_step_scrub_and_stop(open_page, server):
    page = ready(open_page("/kmeans?seconds=60"))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) > 300)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.locator(".pv-track").click(position={"x": 200, "y": 20})
    eventually(lambda: playhead(page) > 10)
    there = playhead(page)
    page.get_by_role("button", name="On one call").click()
    eventually(lambda: playhead(page) == there + 1)
    sentence = page.locator(".pv-where").inner_text()
    page.get_by_role("button", name="Back one frame").click()
    expect(page.locator(".pv-where")).not_to_have_text(sentence)
    page.locator(".pv-run").click()  # Stop
    eventually(lambda: progress(server, run_id(page))["state"] == "stopped")
    kept = progress(server, run_id(page))["calls"]
    expect(page.locator(".pv-run")).to_have_text("Continue")
    eventually(lambda: head_calls(page) == kept)


def test_a_change_starts_at_once_and_says_so(open_page, server):
    page = ready(open_page("/kmeans?seconds=60"))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) > 1)
    former = run_id(page)
    drawn = page.locator(".prviz canvas:not(.pv-ghost, .pv-surface), .pv-plot").element_handles()
    assert len(drawn) == 5  # the scene, two checkpoints, the lanes and the curve
    enter(page, "k1", "3")
    expect(page.locator(".pv-toast")).to_have_text("k₁ is now 3: fresh run")
    assert covered(page) == []
    eventually(lambda: run_id(page) != former)
    eventually(lambda: progress(server, former)["state"] == "stopped")
    assert progress(server, run_id(page))["state"] == "running"
    assert all(node.evaluate("node => node.isConnected") for node in drawn)


def test_a_stopped_search_goes_on_where_it_was(open_page, server):
    page = ready(open_page("/kmeans?seconds=60"))
    button = page.locator(".pv-run")
    button.click()
    eventually(lambda: head_calls(page) > 100)
    run = run_id(page)
    button.click()
    eventually(lambda: progress(server, run)["state"] == "stopped")
    made = progress(server, run)["calls"]
    expect(button).to_have_text("Continue")
    button.click()
    expect(button).to_have_text("Stop")
    eventually(lambda: progress(server, run)["calls"] > made)
    assert run_id(page) == run
    expect(page.locator(".pv-play")).to_have_attribute("aria-label", "Pause")
    button.click()
    enter(page, "k1", "3")  # a change begins anew
    eventually(lambda: run_id(page) != run)
    expect(button).to_have_text("Stop")


def test_what_is_found_can_be_taken_away(open_page):
    page = ready(open_page("/kmeans?budget=calls&calls=40"))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 40)
    taken = {}
    for item in ("Trace (CSV)", "Trace (JSON)"):
        page.get_by_role("button", name="Take away").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=item).click()
        taken[item] = Path(download.value.path()).read_bytes()
    assert len(taken["Trace (CSV)"].decode().splitlines()) == 41
    assert json.loads(taken["Trace (JSON)"])["calls"] == 40


def test_a_copied_link_restores_values_and_frame(open_page):
    page = ready(
        open_page(
            "/kmeans?k1=3&m1=20&alpha=0.25&budget=calls&calls=60&seed=5",
            permissions=["clipboard-read", "clipboard-write"],
        )
    )
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 60)
    page.get_by_role("button", name="Pause").click()
    page.locator(".pv-track").click(position={"x": 300, "y": 20})
    eventually(lambda: playhead(page) > 5)
    there = at_rest(lambda: playhead(page))
    expect(page.locator(".pv-where")).to_contain_text(f"call {there},")
    page.get_by_role("button", name="Take away").click()
    page.get_by_role("menuitem", name="Copy link").click()
    link = page.evaluate("navigator.clipboard.readText()")
    assert f"call={there}" in link
    again = open_page(link[link.index("/kmeans") :])
    for name, value in {"k1": "3", "m1": "20", "alpha": "0.25", "calls": "60", "seed": "5"}.items():
        expect(exact(again, name)).to_have_value(value)
    eventually(lambda: playhead(again) == there)
    expect(again.get_by_role("button", name="Play")).to_be_visible()
    expect(again.locator(".pv-where")).to_contain_text(f"call {there},")
    expect(again.locator(".st-key-title").get_by_test_id("stAlert")).to_have_count(0)


def test_a_link_says_whether_its_run_has_come_again(open_page):
    query = "/kmeans?budget=calls&calls=60&seed=5"
    page = ready(open_page(query, permissions=["clipboard-read", "clipboard-write"]))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 60)
    expect(page.locator(".pv-where")).to_contain_text("trace ")
    page.get_by_role("button", name="Take away").click()
    page.get_by_role("menuitem", name="Copy link").click()
    link = page.evaluate("navigator.clipboard.readText()")
    trace = re.search(r"[?&]trace=([0-9a-f]{16})(&|$)", link)[1]
    expect(page.locator(".pv-where")).to_contain_text(f"trace {trace}")
    again = ready(open_page(link[link.index("/kmeans") :]))
    expect(again.locator(".pv-toast")).to_contain_text("This is the run that the link was made of")
    other = link.replace(trace, "0123456789abcdef")
    mistaken = ready(open_page(other[other.index("/kmeans") :]))
    said = mistaken.locator(".pv-toast")
    expect(said).to_contain_text("This is not the run that the link was made of")
    expect(said).to_contain_text("0123456789abcdef")
    expect(said).to_contain_text(trace)


def test_a_link_to_a_timed_run_carries_the_calls_it_made(open_page):
    page = ready(
        open_page("/kmeans?seconds=0.2&seed=5", permissions=["clipboard-read", "clipboard-write"])
    )
    page.locator(".pv-run").click()
    expect(page.locator(".pv-run")).to_have_text("Stop")
    eventually(lambda: head_calls(page) > 100)

    def link():
        page.get_by_role("button", name="Take away").click()
        page.get_by_role("menuitem", name="Copy link").click()
        return page.evaluate("navigator.clipboard.readText()")

    eventually(lambda: "budget=calls" in link())  # it is used up, and the page has heard of it
    assert f"calls={head_calls(page)}" in link()


def test_a_link_is_the_first_request_to_a_fresh_server(open_page, new_server):
    page = open_page("/kmeans?k1=3&m1=50", base=new_server().address)
    expect(exact(page, "k1")).to_have_value("3")
    expect(exact(page, "m1")).to_have_value("50")
    expect(page.get_by_role("dialog")).to_have_count(0)
    ready(page)


def test_what_is_wrong_with_a_link_is_named(open_page):
    page = open_page("/kmeans?k1=99&m1=abc&colour=red")
    said = page.get_by_test_id("stAlert")
    expect(said).to_contain_text("colour is unknown")
    expect(said).to_contain_text("m1 = abc is not a whole number")
    expect(exact(page, "m1")).to_have_value("100")
    ready(page)


def test_a_broken_rule_is_a_sentence_on_the_page(open_page):
    page = ready(open_page("/kmeans?k1=10"))
    page.get_by_text("Clusters, restarts, levels").click()
    enter(page, "k2", "5")
    broken = "Sizes must grow from level to level"
    expect(page.get_by_test_id("stAlert")).to_contain_text(broken)
    run = page.locator(".pv-run")
    expect(run).to_have_attribute("aria-disabled", "true")
    run.click(force=True)
    expect(page.locator(".pv-toast")).to_contain_text(broken)
    assert head_calls(page) == 1
    enter(page, "k2", "20")
    expect(run).to_have_attribute("aria-disabled", "false")
    run.click()
    eventually(lambda: head_calls(page) > 1)


def test_a_phone_has_no_sideways_scrolling(open_page):
    page = ready(open_page("/kmeans", width=390, height=844, has_touch=True))
    assert widest(page) <= 390
    canvas = page.locator(".pv-canvas").first.bounding_box()
    button = page.locator(".pv-run").bounding_box()
    assert canvas["y"] < button["y"]
    assert button["y"] + button["height"] <= 844
    page.locator(".pv-run").tap()
    eventually(lambda: head_calls(page) > 1)


def test_light_and_dark_follow_the_reader(open_page):
    grounds = {}
    for scheme in ("light", "dark"):
        page = ready(open_page("/kmeans", scheme=scheme))
        grounds[scheme] = page.evaluate(
            """() => [".stApp", ".prviz", "[data-testid=stSidebar]"].map((part) =>
                getComputedStyle(document.querySelector(part)).backgroundColor)"""
        )
    assert grounds["light"][:2] == ["rgb(255, 255, 255)"] * 2
    assert grounds["dark"][:2] == ["rgb(21, 24, 27)"] * 2
    assert grounds["light"][2] != grounds["dark"][2]


def test_the_keyboard(open_page):
    page = ready(open_page("/kmeans?seconds=60"))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) > 200)
    page.locator(".pv-canvas").first.click()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    for key in ("ArrowRight", "ArrowLeft", "Shift+ArrowRight", "n", "p"):
        there = page.locator(".pv-where").inner_text()
        page.keyboard.press(key)
        expect(page.locator(".pv-where")).not_to_have_text(there)
    page.keyboard.press("5")
    expect(page.get_by_label("Pace")).to_have_value("4")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    expect(page.locator(".pv-live")).to_have_attribute("aria-pressed", "true")


def test_keys_work_wherever_nothing_else_has_them(open_page):
    page = ready(open_page("/kmeans?budget=calls&calls=30"))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 30)
    page.get_by_role("button", name="Pause").click()
    skip = page.get_by_role("link", name="Skip to main content")
    for give_up in (
        lambda: page.locator("h1").click(),
        lambda: page.mouse.click(1275, 300),  # the margin
        lambda: (skip.focus(), page.keyboard.press("Enter")),
        lambda: page.get_by_role("link", name="Home", exact=True).focus(),
    ):
        give_up()
        there = page.locator(".pv-where").inner_text()
        page.keyboard.press("Shift+ArrowRight")
        expect(page.locator(".pv-where")).not_to_have_text(there)


@pytest.mark.parametrize("press", ["sidebar", "player"])
def test_a_button_pressed_with_the_pointer_leaves_the_keys_to_the_player(open_page, press):
    page = ready(open_page("/kmeans?budget=calls&calls=30"))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 30)
    if press == "player":
        sidebar(page, "Reset").focus()
        page.get_by_role("button", name="On one call").click()
    run, there = run_id(page), page.locator(".pv-where").inner_text()
    page.keyboard.press("n")
    expect(page.locator(".pv-where")).not_to_have_text(there)
    page.keyboard.press("Space")
    page.wait_for_timeout(500)
    assert run_id(page) == run


@pytest.mark.parametrize("leave", ["close", "reload"])
def test_a_tab_that_is_left_stops_its_engine(open_page, server, leave):
    page = ready(open_page("/kmeans?seconds=60"))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) > 1)
    run = run_id(page)
    assert progress(server, run)["state"] == "running"
    getattr(page, leave)()
    eventually(lambda: progress(server, run)["state"] != "running", seconds=10)
    if leave == "reload":
        ready(page)
        assert run_id(page) != run
        assert progress(server, run_id(page))["state"] == "ready"


def test_two_viewers_at_once(open_page, server):
    pages = [ready(open_page(f"/kmeans?seconds=60&seed={seed}")) for seed in (1, 2)]
    for page in pages:
        page.locator(".pv-run").click()
    for page in pages:
        eventually(lambda page=page: head_calls(page) > 50)
    runs = [run_id(page) for page in pages]
    assert runs[0] != runs[1]
    assert [progress(server, run)["state"] for run in runs] == ["running", "running"]
    pages[0].locator(".pv-run").click()  # Stop
    eventually(lambda: progress(server, runs[0])["state"] == "stopped")
    assert progress(server, runs[1])["state"] == "running"


def test_a_dropped_connection_holds_the_search_up_and_loses_nothing(open_page, server):
    page = open_page("about:blank", base="")
    sockets = []
    page.route_web_socket(
        "**/_stcore/stream", lambda socket: sockets.append((socket, socket.connect_to_server()))
    )
    page.goto(f"{server}/kmeans?seconds=60&k1=2")
    ready(page).locator(".pv-run").click()
    eventually(lambda: head_calls(page) > 1)
    run, starts = run_id(page), []
    # by which the page has it go on, at once
    page.route("**/start", lambda start: starts.append(start))
    for end in reversed(sockets[-1]):
        end.close()
    eventually(lambda: page.wait_for_timeout(50) or starts)
    assert progress(server, run)["state"] == "paused"
    calls = progress(server, run)["calls"]
    starts[0].continue_()
    page.unroute("**/start")
    eventually(lambda: progress(server, run)["calls"] > calls)  # the page has not gone
    eventually(lambda: page.wait_for_timeout(50) or len(sockets) == 2)
    assert run_id(page) == run
    enter(page, "k1", "3")
    eventually(lambda: run_id(page) != run)
    expect(page.locator(".pv-toast")).to_have_text("k₁ is now 3: fresh run")
    expect(exact(page, "seconds")).to_have_value("60")
    assert progress(server, run_id(page))["state"] == "running"


def test_a_number_out_of_range_is_told_and_not_run(open_page):
    page = ready(open_page("/kmeans"))
    enter(page, "seconds", "0")
    expect(exact(page, "seconds")).to_have_value("0.1")
    expect(page.get_by_text("Seconds goes from 0.1 to 60: 0 became 0.1.")).to_be_visible()


def test_what_a_run_costs_is_told_as_soon_as_it_is_known(open_page):
    page = ready(open_page("/kmeans?n_clusters=37&seconds=0.5"))
    cost = page.get_by_test_id("stSidebar").get_by_test_id("stCaptionContainer")
    expect(cost).to_contain_text("unknown before a first run")
    page.locator(".pv-run").click()
    expect(cost).to_contain_text(re.compile(r"0.5 s hold about .+ calls here"))


def test_a_reload_finds_what_was_there(open_page):
    page = ready(open_page("/kmeans?k1=2&call=3"))
    link, before = page.url, page.evaluate("() => history.length")
    settled(page)
    assert page.url == link
    enter(page, "m1", "137")
    page.wait_for_url("**/kmeans?v=1*m1=137*")
    assert "call=" not in page.url
    assert page.evaluate("() => history.length") == before
    page.reload()
    ready(page)
    expect(exact(page, "m1")).to_have_value("137")
    expect(exact(page, "k1")).to_have_value("2")
    expect(page.locator(".st-key-title").get_by_test_id("stAlert")).to_have_count(0)
    page.get_by_role("link", name="Hidden Markov models").click()
    expect(page.locator("h1")).to_contain_text("Hidden Markov")
    assert page.url.endswith("/hmm")
    settled(page)
    expect(page.locator(".st-key-title").get_by_test_id("stAlert")).to_have_count(0)
    page.go_back()
    expect(page.locator("h1")).to_contain_text("k-means")
    expect(exact(page, "m1")).to_have_value("137")
    page.wait_for_url("**/kmeans?v=1*m1=137*")
