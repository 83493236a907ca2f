"""Full restarts and partial side by side: the clock, the words, and a person who looks."""

import re

import pytest
from browsing import assert_in_one_view, eventually, progress, ready, run_id
from playwright.sync_api import expect
from test_accessible import grave, look_at

SCRIPT = """
async () => {
  Object.assign(globalThis, await import("/run/duel.js"), await import("/base/words.js"));
  const side = ({ found, iterations }) => ({
    iterations, frames: found.map((iterations) => ({ iterations })),
  });
  globalThis.duelOf = (full, partial) => ({ full: side(full), partial: side(partial) });
  globalThis.played = (reach, does) => {
    const clock = new Clock();
    clock.reach(reach);
    return does.map(([name, ...values]) => {
      if (name === "share") clock.share = values[0];
      else clock[name](...values);
      return [clock.work, clock.playing];
    });
  };
}
"""
FULL = {"found": [10, 40, 400], "iterations": 1000}
PARTIAL = {"found": [12, 100], "iterations": 2000}


@pytest.fixture(scope="module")
def script(modules):
    modules.evaluate(SCRIPT)
    return lambda expression, *values: modules.evaluate(f"(v) => {expression}", list(values))


def test_the_clock_goes_over_the_work_that_both_have_done(script):
    assert script('span(duelOf(...v), "iterations")', FULL, PARTIAL) == [12, 1000]
    assert script('changes(duelOf(...v), "iterations")', FULL, PARTIAL) == [12, 40, 100, 400, 1000]
    assert script('span(duelOf(...v), "iterations")', FULL, {**PARTIAL, "found": []}) is None
    best = 'v[2].map((work) => bestAt(duelOf(v[0], v[1]).full, "iterations", work).iterations)'
    assert script(best, FULL, PARTIAL, [12, 39, 40, 399, 400, 1000]) == [10, 10, 40, 40, 400, 400]


def test_each_tenfold_of_the_work_takes_as_long(script):
    seconds = script("SECONDS")
    assert 20 <= seconds <= 30
    third = 1000 * seconds / 3
    does = [["toggle"], *[["tick", third, False]] * 2, ["tick", third + 1, False], ["toggle"]]
    stood = script("played(...v)", [1, 1000], does)
    assert [work for work, _ in stood] == pytest.approx([1, 10, 100, 1000, 1])
    assert [playing for _, playing in stood] == [True, True, True, False, True]  # again from 1


def test_at_the_end_the_clock_waits_for_searches_that_go_on(script):
    does = [["toggle"], ["tick", 60_000, True], ["reach", [1, 2000]], ["tick", 60_000, False]]
    assert script("played(...v)", [1, 1000], does) == [
        [1, True], [1000, True], [1000, True], [2000, False],
    ]  # fmt: skip


def test_it_is_scrubbed_and_stepped_from_change_to_change(script):
    works = [1, 50, 100]
    does = [["share", 0.5], ["step", 1, works], ["step", 1, works], ["step", 1, works]]
    does += [["step", -1, works], ["step", -1, works], ["step", -1, works], ["share", 2]]
    stood = script("played(...v)", [1, 100], does)
    assert [work for work, _ in stood] == pytest.approx([10, 50, 100, 100, 50, 1, 1, 100])
    assert script("played(...v)", [7, 7], [["toggle"], ["tick", 9, False]]) == [
        [7, True], [7, False],
    ]  # fmt: skip


KNOWN = {"cost": "inertia", "best_known": 100, "solved_within": 0.001, "rounding": 1e-12}


@pytest.mark.parametrize(
    ("partial", "full", "layout", "over", "said"),
    [
        (101, 110, KNOWN, False, "So far partial leads: 1.00 % above the best known; "
         "full restarts: 10.0 %."),
        (110, 100, KNOWN, True, "At the end full restarts lead: solved; "
         "partial: 10.0 % above the best known."),
        (100, 100.01, KNOWN, True, "At the end both have solved it."),
        (110, 110, KNOWN, False, "So far both are level: 10.0 % above the best known."),
        (110, 110 * (1 + 1e-14), KNOWN, False,
         "So far both are level: 10.0 % above the best known."),
        (110.001, 110, KNOWN, False, "So far full restarts lead: inertia 110.000 < 110.001."),
        (-5, -4, {"cost": "energy"}, False, "So far partial leads: energy −5.000; "
         "full restarts: −4.000."),
    ],
)  # fmt: skip
def test_who_leads_and_by_how_much(script, partial, full, layout, over, said):
    bests = {"partial": {"best": partial}, "full": {"best": full}}
    told = script("lead(...v)", bests, layout, over)
    assert told.replace("\u202f", " ") == said


def test_the_work_is_told_in_words(script):
    told = [
        script("after(...v)", *values).replace("\u202f", " ")
        for values in [
            (1240.3, "iterations", {}),
            (1, "iterations", {}),
            (12, "iterations", {"iteration": "epoch"}),
            (0.25, "seconds", {}),
        ]
    ]
    assert told == [
        "after 1 240 iterations each",
        "after 1 iteration each",
        "after 12 epochs each",
        "after 0.25 s of CPU time each",
    ]


def share(page):
    """How much of the way lies behind, in thousandths."""
    return int(page.locator(".pv-duel-track").input_value())


def pictures(page):
    """What is drawn, full restarts first."""
    return page.locator(".pv-duel canvas").evaluate_all("all => all.map((one) => one.toDataURL())")


def test_a_person_looks_at_both_searches(open_page, server):
    page = ready(open_page("/kmeans?budget=calls&calls=300"))
    page.locator(".pv-run").click()
    eventually(lambda: progress(server, run_id(page))["state"] == "finished")
    pace = page.get_by_label("Pace", exact=True)
    high = page.locator(".prviz").bounding_box()["height"]
    pace.select_option("Side by side")
    for hidden in (".pv-metrics", ".pv-scene", ".pv-side", ".pv-timeline"):
        expect(page.locator(hidden)).to_be_hidden()
    eventually(lambda: share(page) > 10)  # it plays
    first = pictures(page)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.locator(".pv-sentence")).to_have_text(re.compile("^So far .*(lead|level|solved)"))
    page.keyboard.press("ArrowLeft")
    before = share(page)
    page.keyboard.press("ArrowRight")
    eventually(lambda: share(page) > before)
    page.locator(".pv-duel-track").press("End")
    expect(page.locator(".pv-sentence")).to_have_text(re.compile("^At the end"))
    expect(page.locator(".pv-duel-work")).to_have_text(re.compile("^after .* of CPU time each$"))
    last = pictures(page)
    assert len({*first, *last}) == 4  # each has come further
    shown = page.locator(".pv-duel-partial dd").first.inner_text().replace("\u202f", "")
    assert float(shown) == pytest.approx(progress(server, run_id(page))["best"], rel=1e-5)
    assert grave(page) == []
    page.locator(".pv-duel-track").click(position={"x": 60, "y": 12})
    eventually(lambda: share(page) < 200)
    assert abs(page.locator(".prviz").bounding_box()["height"] - high) <= 2  # nothing jumps
    look_at(page, "dark", 390, 844)
    assert grave(page) == []
    full, partial, play = (
        page.locator(name).bounding_box()
        for name in (".pv-duel-full canvas", ".pv-duel-partial canvas", ".pv-play")
    )
    assert full["x"] == partial["x"] and full["y"] + full["height"] < partial["y"]
    assert partial["y"] + partial["height"] < play["y"]
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth") <= 390
    page.set_viewport_size({"width": 1280, "height": 720})
    page.keyboard.press("Escape")
    expect(page.locator(".pv-duel")).to_have_count(0)
    assert_in_one_view(page, 1280, 720)
    page.keyboard.press("d")
    expect(pace).to_have_value("duel")
    page.keyboard.press("D")
    expect(pace).to_have_value("story")
