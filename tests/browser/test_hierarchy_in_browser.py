"""The Hierarchy page as a person meets it: a real server, a real browser."""

import re

import numpy as np
import pytest
from browsing import (
    SIDEBAR,
    assert_in_one_view,
    choose,
    eventually,
    exact,
    head_calls,
    playhead,
    progress,
    ready,
    run_id,
    settled,
    widest,
)
from playwright.sync_api import expect

import prviz
from prviz.engine.trace import UNDECIDED
from prviz.ui.levels import rows

PAGE = "/hierarchy"


def entry(page, level, field):
    return page.locator(f"[class*='st-key-hierarchy-level-{level}-{field}-'] input")


def at_rest(page):
    """Ready, and nothing on its way: what is typed now is typed into what stays."""
    settled(ready(page))
    return page


def type_in(page, level, field, text):
    """Type a number; on a busy machine the page may still be drawing entries, and it is gone."""
    for _ in range(5):
        entry(page, level, field).fill(text)
        page.wait_for_timeout(100)
        if entry(page, level, field).input_value() == text:
            break
    entry(page, level, field).press("Enter")


def counters(page):
    """What the cards say is done, level 1 first."""
    told = page.locator(".pv-card-partial .pv-card-done, .pv-card-full .pv-card-done")
    return [int(re.match(r"\d+", text)[0]) for text in reversed(told.all_inner_texts())]


def counted(trace, m):
    """From a trace: after each call, what every level has decided for the present one above."""
    done, found = [0] * m, []
    for kept in trace.kept:
        outermost = np.flatnonzero(kept != UNDECIDED)[-1]
        done = [n + (level <= outermost) for level, n in enumerate(done)]
        found.append(done)
        done = [0 if level < outermost else n for level, n in enumerate(done)]
    return found


def test_everything_is_in_one_view_with_algorithm_1_open(open_page):
    page = ready(open_page(PAGE))
    expect(page).to_have_title("Hierarchy · prviz")
    expect(page.locator("h1")).to_have_text("Hierarchy on a landscape of 10 dimensions")
    assert head_calls(page) == 1
    assert_in_one_view(page, 1280, 720)
    expect(page.locator(".pv-algorithm")).to_be_visible()
    expect(page.locator(".pv-cards .pv-card-name")).to_have_text(
        ["level", "Restart", "Level 2", "Level 1", "Descent"]
    )
    page.get_by_role("button", name="Algorithm 1").click()
    page.get_by_role("button", name="Add level").click()
    expect(page.locator(".pv-cards")).to_contain_text("Level 3")
    expect(page.locator(".pv-algorithm")).to_be_hidden()  # who has closed it wants it closed


@pytest.mark.parametrize("text", ["1x3,6", "1x2,2x2,4x3,6"])
def test_the_counters_agree_with_the_trace(open_page, text):
    calls = 16
    link = f"dimensions=6&levels={text}&budget=calls&calls={calls}&seed=4"
    page = ready(open_page(f"{PAGE}?{link}&call=1"))
    eventually(lambda: head_calls(page) == calls)
    schedule = rows.read(text)
    run = prviz.run(prviz.landscape(6), levels=schedule, seed=4, calls=calls)
    found = []
    for call in range(1, calls + 1):
        eventually(lambda call=call: playhead(page) == call)
        page.wait_for_timeout(50)
        found.append(counters(page))
        if call < calls:
            page.get_by_role("button", name="On one call").click()
    assert found == counted(run.trace, len(schedule))


def test_levels_are_edited_added_and_taken_out_with_the_keyboard(open_page):
    page = at_rest(open_page(f"{PAGE}?benchmark=kmeans"))
    entry(page, 2, "size").focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("5")
    page.keyboard.press("Tab")
    expect(entry(page, 2, "repeats")).to_be_focused()
    expect(page.locator(".pv-cards")).to_contain_text("k₂ = 5")
    page.get_by_role("button", name="Add level").press("Enter")
    settled(page)
    expect(entry(page, 4, "size")).to_have_value("50")
    expect(page.locator(".pv-cards")).to_contain_text("k₃ = 16")
    page.get_by_role("button", name="Take out level 2").press("Enter")
    settled(page)
    expect(entry(page, 2, "size")).to_have_value("16")
    expect(page.locator(".pv-cards")).to_contain_text("k₂ = 16")
    expect(page.get_by_role("button", name="Take out level 3")).to_be_disabled()


def test_what_is_typed_is_not_lost_by_the_button_pressed_next(open_page):
    page = at_rest(open_page(f"{PAGE}?benchmark=kmeans"))
    for presses in range(2):
        entry(page, 1, "repeats").fill(str(30 + presses))
        page.get_by_role("button", name="Add level").click()  # at once: no Enter between
        settled(page)
    expect(entry(page, 5, "size")).to_have_value("50")
    assert entry(page, 1, "repeats").input_value() == "31"
    for _ in range(2):
        page.get_by_role("button", name="Take out level 1").first.click()
    settled(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.locator(".pv-cards")).to_contain_text("Restart")


def test_a_broken_rule_stands_below_its_level_and_nothing_typed_is_lost(open_page):
    page = at_rest(open_page(PAGE, width=390, height=800))
    page.get_by_test_id("stExpandSidebarButton").click()
    first = run_id(page)
    type_in(page, 2, "size", "1")
    rule = page.get_by_test_id(SIDEBAR).get_by_text("k₂ = 1 is not above k₁ = 1").first
    expect(rule).to_be_visible()
    settled(page)
    box = rule.bounding_box()
    above, below = entry(page, 2, "size").bounding_box(), entry(page, 1, "size").bounding_box()
    assert above["y"] + above["height"] <= box["y"]
    assert box["y"] + box["height"] <= below["y"]
    assert box["x"] + box["width"] <= 390
    expect(page.locator(".pv-run")).to_have_attribute("aria-disabled", "true")
    type_in(page, 1, "repeats", "0")
    expect(page.get_by_test_id(SIDEBAR)).to_contain_text("M₁ = 0: choose 1 or more")
    assert entry(page, 2, "size").input_value() == "1"
    assert run_id(page) == first
    type_in(page, 1, "repeats", "20")
    type_in(page, 2, "size", "4")
    expect(page.locator(".pv-run")).to_have_attribute("aria-disabled", "false")
    eventually(lambda: run_id(page) != first)


def test_restarts_without_end_are_not_begun_and_say_how_many_years(open_page, server):
    page = at_rest(open_page(f"{PAGE}?benchmark=kmeans&seconds=0.5"))
    type_in(page, 1, "repeats", "1000000000")
    caption = page.get_by_test_id(SIDEBAR).get_by_test_id("stCaptionContainer").first
    expect(caption).to_contain_text("10¹⁰ calls a restart (10⁹ × 10), about")
    type_in(page, 3, "repeats", "1000000")
    alert = page.get_by_test_id(SIDEBAR).get_by_test_id("stAlert")
    expect(alert).to_contain_text("10¹⁶ calls, about")
    expect(alert).to_contain_text("years here")
    expect(page.locator(".pv-run")).to_have_attribute("aria-disabled", "true")
    entry(page, 3, "repeats").fill("")
    entry(page, 3, "repeats").press("Enter")
    expect(page.locator(".pv-run")).to_have_attribute("aria-disabled", "false")
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) > 10)
    eventually(lambda: progress(server, run_id(page))["state"] == "finished")


def test_a_copied_link_restores_levels_and_call(open_page):
    page = at_rest(open_page(PAGE, permissions=["clipboard-read", "clipboard-write"]))
    type_in(page, 2, "alpha", "0.25")
    expect(entry(page, 2, "alpha")).to_have_value("0.25")
    settled(page)  # a changed level starts its search
    eventually(lambda: head_calls(page) > 5)
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Take away").click()
    page.get_by_role("menuitem", name="Copy link").click()
    there = playhead(page)
    link = page.evaluate("navigator.clipboard.readText()")
    again = ready(open_page(link[link.index(PAGE) :]))
    expect(entry(again, 2, "alpha")).to_have_value("0.25")
    expect(entry(again, 3, "repeats")).to_have_value("")
    eventually(lambda: playhead(again) == there)
    expect(again.get_by_test_id("stAlert")).to_have_count(0)


def test_what_is_wrong_with_a_link_is_named(open_page):
    page = open_page(f"{PAGE}?levels=3x10,3x10,10")
    expect(page.get_by_test_id("stAlert")).to_contain_text("k₂ = 3 is not above k₁ = 3")
    ready(page)
    expect(entry(page, 2, "size")).to_have_value("3")
    expect(entry(page, 1, "size")).to_have_value("1")


def test_every_benchmark_runs_on_four_levels(open_page):
    page = at_rest(open_page(f"{PAGE}?seconds=1"))
    page.get_by_test_id(SIDEBAR).get_by_text("four levels", exact=True).click()
    for name in ("k-means", "Hidden Markov", "k-medoids", "Boltzmann"):
        settled(page)
        before = run_id(page)
        choose(page, "Benchmark", name)
        eventually(lambda before=before: run_id(page) != before)
        expect(page.locator(".pv-cards .pv-card-name")).to_have_count(6)
        expect(page.locator(".prviz-box-partial")).to_have_count(3)
        eventually(lambda: head_calls(page) > 5, 60)


DRAWN_WHOLE = """
(least) => {
  const box = (node) => node.getBoundingClientRect();
  const all = (what) => [...document.querySelectorAll(what)];
  const inside = (inner, outer) =>
    inner.top >= outer.top - 0.5 && inner.bottom <= outer.bottom + 0.5;
  const middle = ({ top, bottom }) => (top + bottom) / 2;
  const [plot] = all(".pv-plot"), [side] = all(".pv-side");
  const titles = all(".pv-plot :is(.xtitle, .ytitle)"), cards = all(".pv-card:not(.pv-card-head)");
  return plot._fullLayout?._size.h >= least
    && titles.length === 2 && titles.every((title) => inside(box(title), box(plot)))
    && cards.every((card) => inside(box(card), box(side)) && box(card).height >= 18
      && [...card.querySelectorAll(".pv-card-name, .pv-card-cost")].every((words) =>
        inside(box(words), box(card)) && Math.abs(middle(box(words)) - middle(box(card))) < 2));
}
"""  # the curve is so high or higher; its titles and the cards' words lie in their places


def test_up_to_eight_levels_leave_room_for_the_curve(open_page):
    text = "1x2,2x2,3x2,4x2,5x2,6x2,7x2,50"
    page = at_rest(open_page(f"{PAGE}?benchmark=kmeans&levels={text}"))  # whose titles are longest
    page.get_by_role("button", name="Algorithm 1").click()
    page.wait_for_function(DRAWN_WHOLE, arg=100)
    stage = page.locator(".pv-stage").bounding_box()
    assert stage["y"] + stage["height"] <= 720
    expect(page.get_by_role("button", name="Add level")).to_be_disabled()
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_function("getComputedStyle(document.querySelector('.prviz')).fontSize === '16px'")
    page.wait_for_function(DRAWN_WHOLE, arg=200)
    stage = page.locator(".pv-stage").bounding_box()
    assert 1040 <= stage["y"] + stage["height"] <= 1080
    page.set_viewport_size({"width": 1280, "height": 720})
    page.get_by_test_id(SIDEBAR).get_by_text("four levels", exact=True).click()
    expect(page.locator(".pv-cards .pv-card-name")).to_have_count(6)
    page.wait_for_function(DRAWN_WHOLE, arg=140)


def test_a_phone_has_no_sideways_scrolling(open_page):
    text = "1x9,2x9,3x9,4x9,5x9,6x9,7x9,10"
    page = ready(open_page(f"{PAGE}?levels={text}", width=390, height=844, has_touch=True))
    assert widest(page) <= 390
    page.get_by_test_id("stExpandSidebarButton").tap()
    settled(page)
    for level in (1, 8):
        button = page.get_by_role("button", name=f"Take out level {level}").bounding_box()
        assert button["x"] + button["width"] <= 290


def test_a_link_is_the_first_request_to_a_fresh_server(open_page, new_server):
    page = open_page(f"{PAGE}?benchmark=kmeans&levels=2x7,9x3,50", base=new_server().address)
    expect(entry(page, 1, "size")).to_have_value("2")
    expect(page.get_by_role("dialog")).to_have_count(0)
    at_rest(page)
    caption = page.get_by_test_id(SIDEBAR).get_by_test_id("stCaptionContainer").first
    expect(caption).to_contain_text("21 calls a restart (7 × 3), ")  # and how long it takes
    shown = [entry(page, level, "size").input_value() for level in (1, 2, 3)]
    assert shown == ["2", "9", "50"]
    assert [entry(page, level, "repeats").input_value() for level in (1, 2, 3)] == ["7", "3", ""]
    expect(exact(page, "seconds")).to_have_value("2")
