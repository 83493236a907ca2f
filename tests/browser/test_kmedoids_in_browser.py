"""The k-medoids page as a person meets it: a real server, a real browser."""

import io
import re

import numpy as np
from browsing import (
    SIDEBAR,
    assert_in_one_view,
    change_pause_scrub_and_step,
    choose,
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
    widest,
)
from playwright.sync_api import expect

import prviz

PAGE = "/kmedoids"


def upload(page, name, content):
    file = {"name": name, "mimeType": "application/vector-stream", "buffer": content}
    page.get_by_test_id("stFileUploader").locator("input").set_input_files(file)


def members_said(panel):
    """As the browser finds them."""
    return int(re.search(r"(\d+) members?", panel.inner_text())[1])


def size_in_the_frame(page, panel):
    """The size of the same cluster, as the engine has it."""
    slot = int(re.search(r"Medoid (\d+)", panel.inner_text())[1])
    return page.evaluate(
        """(slot) => [...globalThis.__prvizTheatres.values()].at(-1)
            .theatre.playback.frame.sizes[slot]""",
        slot,
    )


def test_everything_is_in_one_view_with_something_true_drawn(open_page):
    page = ready(open_page(PAGE))
    expect(page).to_have_title("k-medoids · prviz")
    expect(page.locator("h1")).to_have_text("k-medoids on 900 digits (stand-in)")
    assert head_calls(page) == 1
    assert_in_one_view(page, 1280, 720)
    expect(page.locator(".pv-sentence")).to_contain_text("First descent: ")
    expect(page.locator(".pv-metric-best dt")).to_have_text("Best dissimilarity")
    expect(page.locator(".pv-legend")).to_contain_text("size of its cluster")


def test_sliders_run_pause_step_scrub_and_stop(open_page, server):
    page = ready(open_page(f"{PAGE}?seconds=60"))
    change_pause_scrub_and_step(page, "2", 500)
    page.locator(".pv-run").click()  # Stop
    eventually(lambda: progress(server, run_id(page))["state"] == "stopped")


def test_members_come_at_a_press_and_follow_the_playback(open_page):
    page = ready(open_page(f"{PAGE}?budget=calls&calls=300&n_clusters=20"))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 300)
    page.get_by_role("button", name="Pause").click()
    page.locator(".pv-canvas").click(position={"x": 60, "y": 60})
    panel = page.locator(".pv-members")
    expect(panel.locator("li canvas").first).to_be_visible()
    expect(panel.locator("li").first).to_have_text("0")
    before = panel.inner_text()
    assert members_said(panel) == size_in_the_frame(page, panel)
    page.keyboard.press("l")  # to the last call
    eventually(lambda: playhead(page) == 300)
    expect(panel).to_be_visible()
    eventually(lambda: panel.inner_text() != before)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()  # it is at rest
    page.wait_for_timeout(200)
    assert members_said(panel) == size_in_the_frame(page, panel)
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_a_comparison_with_affinity_propagation_can_be_stopped(open_page):
    page = ready(open_page(f"{PAGE}?budget=calls&calls=20"))
    sidebar(page, "Compare with affinity propagation").click()
    expect(sidebar(page, "Stop comparing")).to_be_visible()
    sidebar(page, "Stop comparing").click()
    expect(sidebar(page, "Compare with affinity propagation")).to_be_visible()


def test_an_own_matrix_is_shown_by_names_on_a_map(open_page):
    page = ready(open_page(f"{PAGE}?budget=calls&calls=200"))
    choose(page, "Data", "Paste or upload")
    alert = page.get_by_test_id(SIDEBAR).get_by_test_id("stAlert")
    expect(alert).to_contain_text("No data yet")
    upload(page, "bad.csv", b"0,1,2\n1,0,nan\n2,2,0\n")
    expect(alert).to_contain_text("line 2, column 3 has no value")
    matrix = prviz.dissimilarity(np.random.default_rng(0).normal(size=(40, 2)), "euclidean")
    file = io.BytesIO()
    np.save(file, matrix)
    upload(page, "towns.npy", file.getvalue())
    expect(page.locator("h1")).to_have_text("k-medoids on towns.npy")
    expect(alert).to_have_count(0)
    ready(page)
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 200)
    page.locator(".pv-canvas").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".pv-members")).to_contain_text("members, distances")
    sidebar(page, "Compare with affinity propagation").click()
    expect(page.get_by_test_id(SIDEBAR)).to_contain_text("It converged.", timeout=60_000)
    expect(page.locator(".pv-plot")).to_contain_text("affinity propagation, ")
    assert head_calls(page) == 200  # the same run


def test_a_link_restores_all(open_page):
    page = ready(open_page(PAGE, permissions=["clipboard-read", "clipboard-write"]))
    choose(page, "Optimiser", "Swap search")
    settled(page)
    track(page, "m1").press("ArrowRight")
    expect(exact(page, "m1")).to_have_value("100000")
    settled(page)
    page.get_by_role("button", name="Take away").click()
    page.get_by_role("menuitem", name="Copy link").click()
    expect(page.locator(".pv-toast")).to_have_text("Link copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    again = ready(open_page(link[link.index(PAGE) :]))
    expect(exact(again, "m1")).to_have_value("100000")
    expect(again.locator(".pv-cards")).to_contain_text("Swap search")
    expect(again.locator(".st-key-title").get_by_test_id("stAlert")).to_have_count(0)


def test_a_phone_has_no_sideways_scrolling(open_page):
    page = ready(open_page(PAGE, width=390, height=844, has_touch=True))
    assert widest(page) <= 390
    page.locator(".pv-run").tap()
    eventually(lambda: head_calls(page) > 1)
    page.locator(".pv-canvas").tap(position={"x": 40, "y": 60})
    expect(page.locator(".pv-members li").first).to_be_visible()


def test_dark_is_dark(open_page):
    page = ready(open_page(PAGE, scheme="dark"))
    lightness = page.evaluate(
        """() => {
            const canvas = document.querySelector(".pv-canvas");
            const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            let sum = 0, n = 0;
            for (let i = 0; i < data.length; i += 4) if (data[i + 3]) { sum += data[i]; n++; }
            return sum / n;
        }"""
    )
    assert lightness < 128
