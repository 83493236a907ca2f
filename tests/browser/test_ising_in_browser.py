"""The page of spin glasses in a real browser: its view, story, links and own files."""

import re

import numpy as np
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
    tells_colours_apart,
    track,
    widest,
)
from playwright.sync_api import expect

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
SEED = (
    6  # of a story: its nine calls keep some redraws and revert some, and the best is not the last
)
THEATRE = "[...globalThis.__prvizTheatres.values()].at(-1).theatre"
LISTEN = """() => {
  const said = document.querySelector(".pv-sentence");
  globalThis.heard = [];
  new MutationObserver(() => heard.push(said.textContent))
    .observe(said, {childList: true, characterData: true, subtree: true});
}"""


def levels(n):
    return [Level(5, 10, subset="patch"), Level(20, 5, subset="patch"), Level(n)]


def searched(page, calls):
    """Run, until so many calls are made."""
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


def test_a_link_is_searched_on_its_levels_and_fits_a_phone(open_page):
    page = ready(open_page(f"/ising?data=signs2&side=8&{QUERY}&budget=calls&calls=60"))
    expect(page.locator("h1")).to_contain_text("Spin glass:")
    for name, value in THREE.items():
        expect(exact(page, name)).to_have_value(value)
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 60)
    eventually(lambda: tells_colours_apart(page))
    page.get_by_text("What you are seeing").wait_for()
    page.set_viewport_size({"width": 390, "height": 844})
    eventually(lambda: widest(page) <= 390)


@pytest.mark.parametrize(
    ("link", "rows"),
    [
        ("/ising?data=gauss3&side=7&k1=10&m1=100&k2=60&m2=20", 3),
        ("/ising?data=gauss3&side=7&k1=10&m1=100&k2=60&m2=20&k3=150&m3=5", 4),
        ("/kmeans?k1=1&m1=100&k2=5&m2=10", 3),
    ],
)
def test_levels_fit_one_view(open_page, link, rows):
    page = ready(open_page(link))
    settled(page)
    expect(page.locator(".pv-card:not(.pv-card-head)")).to_have_count(rows + 1)  # and the optimiser
    assert_in_one_view(page, 1280, 720)
    parts = [page.locator(f".pv-{name}").first for name in PARTS]
    parts += page.locator(".pv-card").all()
    parts.append(
        page.get_by_test_id(SIDEBAR).get_by_test_id("stExpander").first
    )  # levels are there
    for part in parts:
        box = part.bounding_box()
        assert box["height"] > 10 and box["y"] + box["height"] <= 720, part
    assert page.locator(".pv-curve").bounding_box()["height"] >= 140
    for name in ("preset", "buttons-row"):  # each is one line, so that there is room for what folds
        buttons = page.locator(f"[class*='st-key-'][class*='-{name}'] button:visible").all()
        assert len(buttons) > 2
        assert len({round(button.bounding_box()["y"]) for button in buttons}) == 1


def test_the_story_tells_a_revert_and_a_keep_and_ends_on_the_best(open_page):
    calls = 9
    link = f"/ising?data=signs2&side=8&k1=5&m1=10&budget=calls&calls={calls}&seed={SEED}"
    page = ready(open_page(link))
    page.evaluate(LISTEN)
    searched(page, calls)
    problem = prviz.ising(datasets.torus((8, 8), "signs", seed=0))
    how = {"levels": [Level(5, 10, subset="patch"), Level(64)], "seed": SEED}
    found = prviz.run(problem, **how, calls=calls)
    best = int(np.argmin(found.trace.cost)) + 1
    assert {*found.trace.kept[1:, 0]} == {0, 1} and best < calls
    energy = f"{found.best_cost:.2f}".replace("-", "−")
    expect(page.locator(".pv-sentence")).to_contain_text(
        f"The best of {calls} calls, from call {best}: energy {energy}.", timeout=60_000
    )
    heard = page.evaluate("heard")
    assert any(re.fullmatch(r"5 spins redrawn; .* > .*, reverted\.", said) for said in heard)
    assert any(re.search(r"5 spins redrawn; .*, kept", said) for said in heard)
    spins = page.evaluate(f"[...{THEATRE}.playback.frame.spins]")
    there = prviz.run(problem, **how, calls=best)  # later ones may be as good
    assert np.array_equal(np.array(spins) > 0, there.best_state.spins > 0)


def test_a_link_restores_levels_and_the_frame_and_the_same_run(open_page):
    link = f"/ising?data=gauss3&side=4&draw=7&optimiser=tabu&{QUERY}&budget=calls&calls=80&seed=6"
    page = searched(ready(open_page(link, permissions=CLIPBOARD)), 80)
    page.get_by_role("button", name="Pause").click()
    page.locator(".pv-track").click(position={"x": 300, "y": 20})
    eventually(lambda: playhead(page) > 5)
    there = at_rest(lambda: playhead(page))
    where = page.locator(".pv-where").inner_text()
    spins = page.evaluate(f"[...{THEATRE}.playback.frame.spins]")
    link = link_of(page)
    again = ready(open_page(link, locale="en-GB"))  # a context of its own, which has nothing yet
    eventually(lambda: playhead(again) == there)
    for name, value in {**THREE, "side": "4", "calls": "80", "seed": "6"}.items():
        expect(exact(again, name)).to_have_value(value)
    again.get_by_text("Couplings, sub-sets, levels").click()
    expect(exact(again, "draw")).to_have_value("7")
    expect(again.locator(".pv-cards")).to_contain_text("Level 2")
    expect(again.locator(".pv-cards")).to_contain_text("Tabu search")
    expect(again.locator(".pv-where")).to_have_text(where)
    assert again.evaluate(f"[...{THEATRE}.playback.frame.spins]") == spins
    assert run_id(again) != run_id(page)  # searched anew
    problem = prviz.ising(datasets.torus((4, 4, 4), "gaussian", seed=7), optimiser="tabu")
    same = prviz.run(problem, levels=levels(64), seed=6, calls=80)
    assert where.endswith(f"trace {same.trace.hash()}")
    expect(again.locator(".st-key-title").get_by_test_id("stAlert")).to_have_count(0)


@pytest.mark.parametrize("way", ["upload", "paste"])
def test_an_own_file_is_searched_and_stays(open_page, way):
    page = ready(open_page(f"/ising?{QUERY}&budget=calls&calls=50&seed=3"))
    choose(page, "Data", "Paste or upload")
    expect(page.get_by_text("No data yet")).to_be_visible()
    before = run_id(page)
    if way == "upload":
        file = {"name": "ring.txt", "mimeType": "text/plain", "buffer": OWN.encode()}
        page.get_by_test_id("stFileUploader").locator("input").set_input_files(file)
    else:
        page.get_by_role("button", name="Paste").click()
        box = page.get_by_role("textbox", name="Couplings, a graph or a QUBO")
        box.fill(OWN)
        box.press("Control+Enter")
        page.keyboard.press("Escape")
    name = {"upload": "ring.txt", "paste": "pasted"}[way]
    title = page.locator("h1")
    expect(title).to_have_text(f"Spin glass: {name}")
    eventually(lambda: run_id(page) not in (before, None))
    settled(page)
    expect(page.get_by_test_id(SIDEBAR)).to_contain_text(f"{name}: 30 spins, 60 couplings.")
    searched(ready(page), 50)
    problem = prviz.ising(datasets.read_glass(OWN.encode(), "ring.txt", "maxcut"))
    found = prviz.run(problem, levels=levels(30), seed=3, calls=50)
    expect(page.locator(".pv-where")).to_contain_text(f"trace {found.trace.hash()}")
    run = run_id(page)
    page.get_by_role("link", name="k-medoids").click()
    expect(page.locator("h1")).to_contain_text("k-medoids")
    page.get_by_role("link", name="Spin glasses").click()
    expect(title).to_have_text(f"Spin glass: {name}")
    eventually(lambda: run_id(page) == run)
    eventually(lambda: head_calls(page) == 50)
    track(page, "m1").press("ArrowRight")  # another run of the same file
    expect(exact(page, "m1")).to_have_value("15")
    eventually(lambda: run_id(page) not in (run, None))
    expect(title).to_have_text(f"Spin glass: {name}")
    eventually(lambda: head_calls(page) == 50)
    spins = page.evaluate(f"{THEATRE}.playback.frame.spins.length")
    assert spins == 30
