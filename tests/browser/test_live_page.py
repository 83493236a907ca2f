"""A live page that is opened from a file searches in a real browser, without a server."""

import numpy as np
from playwright.sync_api import expect

import prviz
from prviz import Level
from prviz.datasets import read_drawing

CALLS = 400

HEAD = "livePage.theatre.projector?.engine.head"


def hash_of(page):
    """Return the trace hash of the player's finished run."""
    page.wait_for_function(f"() => {HEAD}?.hash && {HEAD}.calls === {CALLS}")
    return page.evaluate(f"{HEAD}.hash")


def enter(page, label, value):
    page.get_by_role("textbox", name=label).fill(str(value))
    page.get_by_role("textbox", name=label).press("Enter")


def test_controls_of_a_live_page_start_its_search(watched_page, tmp_path):
    problem = prviz.landscape(4)
    file = prviz.embed(problem, tmp_path / "page.html", k1=1, m1=5, calls=CALLS)
    page = watched_page()
    page.goto(file.as_uri())
    page.wait_for_function("() => globalThis.livePage?.theatre.playback.frame")
    for label, value in {"Seed": 7, "M₁": 3, "k₂": 2, "M₂": 4}.items():
        enter(page, label, value)
    page.wait_for_function("() => livePage.theatre.layout.levels[1].repeats === 4")
    levels, found = [Level(1, 3), Level(2, 4), Level(4)], hash_of(page)
    assert found == prviz.run(problem, levels=levels, seed=7, calls=CALLS).trace.hash()
    page.locator("h1").click()
    page.keyboard.press("End")
    expect(page.locator(".prviz")).to_contain_text(found)

    enter(page, "k₁", 9)  # not used once the search chooses k₁
    expect(page.get_by_role("status").first).to_contain_text("from 1 to 4, got 9")
    page.get_by_role("combobox", name="Redraws").select_option("Chosen by the search")
    expect(page.get_by_role("textbox", name="k₁")).to_be_disabled()
    page.wait_for_function("() => livePage.theatre.layout.levels[0].size === 'auto'")
    assert hash_of(page) == prviz.run(problem, k1="auto", seed=7, calls=CALLS).trace.hash()

    enter(page, "Seed", -1)
    expect(page.get_by_role("status").first).to_have_text(
        f"Seed must be a whole number from 0 to {2**53 - 1}, got -1."
    )


def test_live_page_searches_drawn_points(watched_page, tmp_path):
    points = np.random.default_rng(0).normal(size=(20, 2))
    file = prviz.embed(prviz.kmeans(points, 3), tmp_path / "page.html", m1=5, calls=CALLS)
    page = watched_page()
    page.goto(f"{file.as_uri()}?data=draw&n_clusters=4")
    page.wait_for_function("() => globalThis.livePage?.theatre.layout?.drawn")
    before = page.evaluate("livePage.theatre.layout.drawn")
    page.get_by_role("application").press("Enter")
    page.wait_for_function(f"() => livePage.theatre.layout.drawn !== '{before}'")
    found, text = hash_of(page), page.evaluate("livePage.theatre.layout.drawn")
    problem = prviz.kmeans(read_drawing(text).points, 4)
    assert found == prviz.run(problem, k1=1, m1=5, calls=CALLS).trace.hash()
    page.wait_for_function("(text) => location.search.includes(text)", arg=f"drawn={text}")
