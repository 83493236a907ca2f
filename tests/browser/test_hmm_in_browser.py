"""The hidden Markov page as a person meets it: a real server, a real browser."""

import gzip
import json
import re
import urllib.request

import pytest
from browsing import (
    SIDEBAR,
    assert_in_one_view,
    change_pause_scrub_and_step,
    enter,
    eventually,
    exact,
    head_calls,
    playhead,
    progress,
    ready,
    run_id,
    widest,
)
from playwright.sync_api import expect

PAGE = "/hmm"


def own_text(page, text):
    """Choose to type a text, and type this one."""
    page.get_by_test_id(SIDEBAR).get_by_role("combobox").click()
    page.get_by_role("option", name="Type or paste").click()
    box = page.get_by_role("textbox", name="Text")
    box.fill(text)
    box.press("Control+Enter")


def test_everything_is_in_one_view_with_something_true_drawn(open_page):
    page = ready(open_page(PAGE))
    expect(page).to_have_title("Hidden Markov models · prviz")
    expect(page.locator("h1")).to_have_text("Hidden Markov model of 48 random bits")
    assert head_calls(page) == 1
    assert_in_one_view(page, 1280, 720)
    expect(page.locator(".pv-sentence")).to_contain_text("First descent: ")
    expect(page.locator(".pv-metric-best dt")).to_have_text("Best −log-likelihood")


def test_sliders_run_pause_step_scrub_and_stop(open_page, server):
    page = ready(open_page(f"{PAGE}?seconds=60"))
    change_pause_scrub_and_step(page, "4", 50)
    where = page.locator(".pv-where")
    call, number, of = re.match(r"(.*), frame (\d+) of (\d+)", where.inner_text()).groups()
    for frame in range(int(number) - 1, 1, -1):  # verdicts, then iterations
        page.get_by_role("button", name="Back one frame").click()
        expect(where).to_contain_text(f"{call}, frame {frame} of {of}")
    expect(page.locator(".pv-sentence")).to_contain_text("Baum–Welch, iteration 1")
    page.locator(".pv-run").click()  # Stop
    eventually(lambda: progress(server, run_id(page))["state"] == "stopped")


def test_the_states_can_be_sorted_while_it_runs(open_page):
    page = ready(open_page(f"{PAGE}?seconds=60"))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) > 20)
    button = page.get_by_role("button", name="Sort by path")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    eventually(lambda: playhead(page) > 1)
    expect(button).to_have_attribute("aria-pressed", "true")


def test_the_papers_preset_runs_in_frames_that_travel(open_page, server):
    page = ready(open_page(PAGE))
    page.get_by_text("paper", exact=True).click()
    expect(page.locator("h1")).to_have_text("Hidden Markov model of 128 random bits")
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) > 5, 60)
    page.locator(".pv-run").click()  # Stop
    run = f"{server}/player/runs/{run_id(page)}"
    with urllib.request.urlopen(f"{run}/opening") as answer:
        frame_bytes = json.loads(answer.read().split(b"\n", 1)[0])["layout"]["frame_bytes"]
    asked = urllib.request.Request(
        f"{run}/frames?call=3&count=1", headers={"Accept-Encoding": "gzip"}
    )
    with urllib.request.urlopen(asked) as answer:
        packed = answer.read()
    n_frames = len(gzip.decompress(packed)) / frame_bytes
    assert n_frames == int(n_frames) > 3
    assert len(packed) / n_frames < 20_000


def test_own_text_is_trained_on_and_its_link_restores_it(open_page):
    page = ready(open_page(PAGE, permissions=["clipboard-read", "clipboard-write"]))
    own_text(page, "to be or not to be & that = 100 %")
    expect(page.locator("h1")).to_have_text("Hidden Markov model of your text")
    expect(page.locator(".st-key-words")).to_contain_text("0 = blank, 1 = %, 2 = &")
    ready(page)
    page.get_by_role("button", name="Take away").click()
    page.get_by_role("menuitem", name="Copy link").click()
    expect(page.locator(".pv-toast")).to_have_text("Link copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    again = ready(open_page(link[link.index(PAGE) :]))
    expect(again.locator("h1")).to_have_text("Hidden Markov model of your text")
    expect(again.get_by_role("textbox", name="Text")).to_have_value(
        "to be or not to be & that = 100 %"
    )
    expect(again.locator(".st-key-title").get_by_test_id("stAlert")).to_have_count(0)


def test_one_character_runs_to_its_trivial_end(open_page):
    page = ready(open_page(f"{PAGE}?budget=calls&calls=30&n_states=4"))
    own_text(page, "aaaaaaaaaa")
    expect(page.get_by_test_id(SIDEBAR).get_by_test_id("stAlert")).to_contain_text("certainty")
    expect(page.locator("h1")).to_have_text("Hidden Markov model of your text")
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 30)


@pytest.mark.parametrize("text", ["short", "ab" * 500_000], ids=["short", "1 MB"])
def test_a_text_that_cannot_be_taken_is_a_sentence_and_the_page_goes_on(open_page, text):
    page = ready(open_page(PAGE))
    own_text(page, text)
    alert = page.get_by_test_id(SIDEBAR).get_by_test_id("stAlert")
    expect(alert).to_contain_text("8 to 2000", timeout=30_000)
    own_text_again = page.get_by_role("textbox", name="Text")
    own_text_again.fill("long enough")
    own_text_again.press("Control+Enter")
    expect(alert).to_have_count(0)
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) > 1)


def test_a_rule_that_is_broken_is_a_sentence(open_page):
    page = ready(open_page(f"{PAGE}?k1=10"))
    page.get_by_text("String, states, levels").click()
    enter(page, "k2", "5")
    expect(page.get_by_test_id("stAlert")).to_contain_text("Sizes must grow from level to level")


def test_from_page_to_page_and_back(open_page, server):
    page = ready(open_page(f"{PAGE}?k1=3&budget=calls&calls=200"))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 200)
    run = run_id(page)
    page.get_by_role("link", name="k-means").click()
    expect(page.locator("h1")).to_contain_text("k-means")
    eventually(lambda: run_id(page) not in (run, None))
    page.get_by_role("link", name="Hidden Markov models").click()
    expect(page.locator("h1")).to_contain_text("Hidden Markov")
    eventually(lambda: run_id(page) == run)
    expect(exact(page, "k1")).to_have_value("3")
    eventually(lambda: head_calls(page) == 200)


def test_a_phone_has_no_sideways_scrolling(open_page):
    page = ready(open_page(PAGE, width=390, height=844, has_touch=True))
    assert widest(page) <= 390
    page.locator(".pv-tools button").tap()
    expect(page.locator(".pv-tools button")).to_have_attribute("aria-pressed", "true")
    page.locator(".pv-run").tap()
    eventually(lambda: head_calls(page) > 1)


def test_dark_is_dark(open_page):
    page = ready(open_page(PAGE, scheme="dark"))
    ground = page.evaluate(
        "() => getComputedStyle(document.querySelector('.prviz')).backgroundColor"
    )
    assert ground == "rgb(21, 24, 27)"
