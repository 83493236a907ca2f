"""The Hierarchy page works in a real browser, and its counters agree with a replay."""

import re

import numpy as np
import pytest
from browsing import SIDEBAR, eventually, ready, settled, widest
from picture import shown
from playwright.sync_api import expect
from test_accessible import check_page
from waiting import until

import prviz
from prviz.engine.trace import UNDECIDED
from prviz.player.live import LiveRun
from prviz.scenes.landscape import LandscapeScene
from prviz.ui.levels import rows

PAGE = "/hierarchy"


def entry(page, level, field):
    return page.locator(f"[class*='st-key-hierarchy-level-{level}-{field}-'] input")


def at_rest(page):
    """Wait until no script run can replace the fields."""
    settled(ready(page))
    return page


def counters(page):
    """Return the counters of the cards, level 1 first."""
    told = page.locator(".pv-card-partial .pv-card-done, .pv-card-full .pv-card-done")
    return [int(re.match(r"\d+", text)[0]) for text in reversed(told.all_inner_texts())]


def counted(trace, m):
    """Count the decisions of every level since the last decision of the level above, per call."""
    done, found = [0] * m, []
    for kept in trace.kept:
        outermost = np.flatnonzero(kept != UNDECIDED)[-1]
        done = [n + (level <= outermost) for level, n in enumerate(done)]
        found.append(done)
        done = [0 if level < outermost else n for level, n in enumerate(done)]
    return found


def test_counters_agree_with_the_trace(kernels, open_replay, tmp_path):
    calls, schedule = 16, rows.read("1x2,2x2,4x3,6")
    problem = prviz.landscape(6)
    run = LiveRun(problem, LandscapeScene(problem), schedule, seed=4, seconds=None, calls=calls)
    run.start()
    until(lambda: run.state == "finished")
    path = tmp_path / "replay.html"
    path.write_text(run.replay(range(1, calls + 1)), "utf-8")
    run.close()
    page, found = open_replay(path), []
    for call in range(1, calls + 1):
        last = page.evaluate("(call) => theatre.projector.film.frames(call).length - 1", call)
        shown(page, call, last)
        found.append(counters(page))
    trace = prviz.run(problem, levels=schedule, seed=4, calls=calls).trace
    assert found == counted(trace, len(schedule))


@pytest.mark.long
def test_levels_can_be_edited_by_keyboard(open_page):
    page = at_rest(open_page(f"{PAGE}?benchmark=kmeans&seconds=0.5"))
    check_page(page, "hierarchy")
    cards = page.locator(".pv-cards")
    expect(cards.locator(".pv-card-name")).to_have_text(
        ["level", "Restart", "Level 2", "Level 1", "Lloyd"]
    )
    expect(page.locator(".pv-algorithm")).to_be_visible()
    page.get_by_role("button", name="Algorithm 1").click()

    entry(page, 2, "size").focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("5")
    page.keyboard.press("Tab")
    expect(entry(page, 2, "repeats")).to_be_focused()
    expect(cards).to_contain_text("k₂ = 5")
    page.get_by_role("button", name="Add level").press("Enter")
    settled(page)
    expect(entry(page, 4, "size")).to_have_value("50")
    expect(cards).to_contain_text("k₃ = 16")
    expect(page.locator(".pv-algorithm")).to_be_hidden()  # the algorithm stays collapsed
    page.get_by_role("button", name="Remove level 2").press("Enter")
    settled(page)
    expect(entry(page, 2, "size")).to_have_value("16")
    expect(cards).to_contain_text("k₂ = 16")
    expect(page.get_by_role("button", name="Remove level 3")).to_be_disabled()

    # Press a button right after typing, without Enter.
    entry(page, 1, "repeats").fill("31")
    page.get_by_role("button", name="Add level").click()
    settled(page)
    expect(entry(page, 4, "size")).to_have_value("50")
    assert entry(page, 1, "repeats").input_value() == "31"


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
"""  # the curve keeps its height, and titles and texts do not overlap


def bottom(page):
    stage = page.locator(".pv-stage").bounding_box()
    return stage["y"] + stage["height"]


@pytest.mark.long
def test_eight_levels_fit_the_page_and_a_phone(open_page):
    text = "1x2,2x2,3x2,4x2,5x2,6x2,7x2,50"
    page = at_rest(open_page(f"{PAGE}?benchmark=kmeans&levels={text}", plotly=True))
    page.get_by_role("button", name="Algorithm 1").click()
    page.wait_for_function(DRAWN_WHOLE, arg=100)
    assert bottom(page) <= 720
    expect(page.get_by_role("button", name="Add level")).to_be_disabled()
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_function("getComputedStyle(document.querySelector('.prviz')).fontSize === '16px'")
    page.wait_for_function(DRAWN_WHOLE, arg=200)
    eventually(lambda: 1040 <= bottom(page) <= 1080)

    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_test_id("stExpandSidebarButton").click()
    for level in (1, 8):
        expect(page.get_by_role("button", name=f"Remove level {level}")).to_be_visible()
        button = page.get_by_role("button", name=f"Remove level {level}").bounding_box()
        assert button["x"] + button["width"] <= 290
    assert widest(page) <= 390

    page.set_viewport_size({"width": 1280, "height": 720})
    page.get_by_test_id(SIDEBAR).get_by_text("four levels", exact=True).click()
    expect(page.locator(".pv-cards .pv-card-name")).to_have_count(6)
    page.wait_for_function(DRAWN_WHOLE, arg=140)
