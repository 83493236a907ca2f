"""The page of spin glasses works in a real browser: its view, links and your own couplings."""

import pytest
from browsing import (
    SIDEBAR,
    assert_in_one_view,
    at_rest,
    choose,
    eventually,
    exact,
    head_calls,
    playhead,
    ready,
    run_id,
    settled,
)
from playwright.sync_api import expect
from test_accessible import check_page

import prviz
from prviz import Level, datasets

THREE = {"k1": "5", "m1": "10", "k2": "20", "m2": "5"}
QUERY = "&".join(f"{name}={value}" for name, value in THREE.items())
CLIPBOARD = ["clipboard-read", "clipboard-write"]
#: Whole numbers, as in a small G-set file: a ring of thirty with chords.
OWN = "30 60\n" + "".join(
    f"{i + 1} {(i + step) % 30 + 1} {(7 * i + step) % 5 - 2}\n"
    for i in range(30)
    for step in (1, 7)
)
PARTS = ("metrics", "scene", "curve", "cards", "bar", "timeline", "where")
THEATRE = "[...globalThis.__prvizTheatres.values()].at(-1).theatre"


def levels(n):
    return [Level(5, 10, subset="patch"), Level(20, 5, subset="patch"), Level(n)]


def searched(page, calls):
    """Run until this many calls are made."""
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == calls)
    expect(page.locator(".pv-where")).to_contain_text("trace ")
    return page


def link_of(page):
    page.get_by_role("button", name="Take away").click()
    page.get_by_role("menuitem", name="Copy link").click()
    expect(page.locator(".pv-toast")).to_have_text("Link copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    return link[link.index("/ising") :]


def test_four_levels_fit_one_view_and_the_page_is_accessible(open_page):
    link = "/ising?data=gauss3&side=7&k1=10&m1=100&k2=60&m2=20&k3=150&m3=5"
    page = ready(open_page(link))
    settled(page)
    # four levels and the optimiser
    expect(page.locator(".pv-card:not(.pv-card-head)")).to_have_count(5)
    assert_in_one_view(page, 1280, 720)
    parts = [page.locator(f".pv-{name}").first for name in PARTS]
    parts += page.locator(".pv-card").all()
    # The sidebar's first section has the levels.
    parts.append(page.get_by_test_id(SIDEBAR).get_by_test_id("stExpander").first)
    for part in parts:
        box = part.bounding_box()
        assert box["height"] > 10 and box["y"] + box["height"] <= 720, part
    assert page.locator(".pv-curve").bounding_box()["height"] >= 140
    for name in ("preset", "buttons-row"):  # each of these rows takes one line
        buttons = page.locator(f"[class*='st-key-'][class*='-{name}'] button:visible").all()
        assert len(buttons) > 2
        assert len({round(button.bounding_box()["y"]) for button in buttons}) == 1
    check_page(page, "ising")


@pytest.mark.long
def test_link_restores_levels_and_frame_and_the_same_run(open_page):
    link = f"/ising?data=gauss3&side=4&draw=7&optimiser=tabu&{QUERY}&budget=calls&calls=80&seed=6"
    page = searched(ready(open_page(link, permissions=CLIPBOARD)), 80)
    page.get_by_role("button", name="Pause").click()
    page.locator(".pv-track").click(position={"x": 300, "y": 20})
    eventually(lambda: playhead(page) > 5)
    there = at_rest(lambda: playhead(page))
    where = page.locator(".pv-where").inner_text()
    spins = page.evaluate(f"[...{THEATRE}.playback.frame.spins]")
    link = link_of(page)
    again = ready(open_page(link, locale="en-GB"))  # opened in a new browser context
    eventually(lambda: playhead(again) == there)
    for name, value in {**THREE, "side": "4", "calls": "80", "seed": "6"}.items():
        expect(exact(again, name)).to_have_value(value)
    again.get_by_text("Couplings, sub-sets, levels").click()
    expect(exact(again, "draw")).to_have_value("7")
    expect(again.locator(".pv-cards")).to_contain_text("Level 2")
    expect(again.locator(".pv-cards")).to_contain_text("Tabu search")
    expect(again.locator(".pv-where")).to_have_text(where)
    assert again.evaluate(f"[...{THEATRE}.playback.frame.spins]") == spins
    assert run_id(again) != run_id(page)  # the run is computed again
    problem = prviz.ising(datasets.torus((4, 4, 4), "gaussian", seed=7), optimiser="tabu")
    same = prviz.run(problem, levels=levels(64), seed=6, calls=80)
    assert where.endswith(f"trace {same.trace.hash()}")
    expect(again.locator(".st-key-title").get_by_test_id("stAlert")).to_have_count(0)


@pytest.mark.long
def test_pasted_couplings_are_searched_and_kept(open_page):
    page = ready(open_page(f"/ising?{QUERY}&budget=calls&calls=50&seed=3"))
    choose(page, "Data", "Paste or upload")
    before = run_id(page)
    page.get_by_role("button", name="Paste").click()
    box = page.get_by_role("textbox", name="Couplings, a graph or a QUBO")
    box.fill(OWN)
    box.press("Control+Enter")
    page.keyboard.press("Escape")
    title = page.locator("h1")
    expect(title).to_have_text("Spin glass: pasted")
    eventually(lambda: run_id(page) not in (before, None))
    settled(page)
    expect(page.get_by_test_id(SIDEBAR)).to_contain_text("pasted: 30 spins, 60 couplings.")
    searched(ready(page), 50)
    problem = prviz.ising(datasets.read_glass(OWN.encode(), "ring.txt", "maxcut"))
    found = prviz.run(problem, k1="auto", subset="patch", seed=3, calls=50)
    expect(page.locator(".pv-where")).to_contain_text(f"trace {found.trace.hash()}")
    run = run_id(page)
    page.get_by_role("link", name="k-medoids").click()
    expect(page.locator("h1")).to_contain_text("k-medoids")
    page.get_by_role("link", name="Spin glasses").click()
    expect(title).to_have_text("Spin glass: pasted")
    eventually(lambda: run_id(page) == run)
    eventually(lambda: head_calls(page) == 50)
    choose(page, "Optimiser", "Descent")  # starts another run on the same couplings
    eventually(lambda: run_id(page) not in (run, None))
    expect(title).to_have_text("Spin glass: pasted")
    eventually(lambda: head_calls(page) == 50)
    assert page.evaluate(f"{THEATRE}.playback.frame.spins.length") == 30
