"""The Home page has a run, controls, cards and texts (tested without a browser)."""

import json

import numpy as np
import pytest
from cases import cases
from PIL import Image
from visits import ROOT, Visit, player, press, run_of, turned_to

import prviz
from prviz.engine.trace import KEPT
from prviz.lessons import names
from prviz.player.export.keys import KEYS
from prviz.player.live import LiveRun
from prviz.player.pictures.frames import frame_dtype
from prviz.player.recording import RecordedRun
from prviz.search.traced_search import TracedSearch
from prviz.ui.catalogue import PAGES, benchmarks
from prviz.ui.serve import server
from prviz.ui.views import home
from tools.pictures import HEIGHT, WIDTH

VISIT = Visit("home")
opened, put, widget = VISIT.opened, VISIT.put, VISIT.widget

pytestmark = pytest.mark.usefixtures("quiet_engine")


def levels_of(page):
    return [(level["size"], level["repeats"]) for level in run_of(page).layout()["levels"]]


def test_page_opens_on_a_playing_run():
    page = opened()
    given = player(page)
    assert (given["compact"], given["autoplay"], given["notice"]) == (True, True, "")
    assert run_of(page).state == "running"
    assert levels_of(page) == [(1, 10), (1, 0)]
    assert run_of(page).layout()["variables"] == 1
    assert page.main.markdown[0].value.startswith("# Stuck?")
    assert player(page.run()) == given  # a rerun keeps the run


def test_texts_have_the_keys_of_the_small_player_and_the_measured_numbers():
    texts = [markdown.value for markdown in opened().main.markdown]
    assert any("| 1 of 2 coordinates | 50.0 | 38.1 | 165.1 |" in text for text in texts)
    assert any("| one dimension | 10.3, all restarts | 5.3 | 21.8 |" in text for text in texts)
    (told,) = [text for text in texts if text.startswith("## Keys")]
    assert all(key.does in told for key in KEYS if key.compact)
    assert not any(key.does in told for key in KEYS if not key.compact)


def test_every_control_starts_and_reports_a_new_run():
    page = opened()
    for kind, key, value, notice in [
        ("slider", "alpha-slider", 0.25, "α is now 0.25"),
        ("number_input", "alpha-exact", 0.375, "α is now 0.375"),
        ("slider", "m1-slider", 3, "M₁ is now 3"),
        ("number_input", "seed-exact", 9, "Seed is now 9"),
        ("selectbox", "dimensions-choice", "2", "Landscape is now two dimensions"),
    ]:
        former = run_of(page)
        given = player(put(page, kind, key, value))
        assert former.state == "stopped", key
        assert run_of(page) is not former
        assert run_of(page).state == "running"
        assert given["notice"] == notice


def test_a_search_on_another_page_continues():
    page = Visit("kmeans").opened()
    press(page, "Run")
    search = run_of(page)
    assert search.state == "running"
    turned_to(page, "home")
    assert run_of(page) is not search
    assert search.state == "running"


def test_disabled_controls_explain_why():
    page = opened()
    assert widget(page, "slider", "k1-slider").disabled
    assert "no smaller sub-set" in page.caption[0].value
    put(page, "slider", "alpha-slider", 0.0)
    assert levels_of(page) == [(1, 0)]
    assert widget(page, "slider", "m1-slider").disabled
    assert "Every redraw is a full restart" in page.caption[0].value


def test_one_or_both_of_two_coordinates_are_redrawn():
    page = put(opened(), "selectbox", "dimensions-choice", "2")
    assert not widget(page, "slider", "k1-slider").disabled
    assert levels_of(page) == [(1, 10), (2, 0)]
    assert page.caption[0].value.startswith("One of the two")
    put(page, "slider", "k1-slider", 2)
    assert levels_of(page) == [(2, 10), (2, 0)]
    assert page.caption[0].value.startswith("Both")
    put(page, "selectbox", "dimensions-choice", "1")
    assert levels_of(page) == [(1, 10), (1, 0)]


def test_recorded_run_plays_while_kernels_compile(monkeypatch):
    monkeypatch.setattr(LiveRun, "kernels_ready", lambda run, timeout=0.0: False)
    page = opened()
    given = player(page)
    assert (given["run"], given["autoplay"], given["notice"]) == ("recorded-home", True, "")
    given = player(put(page, "slider", "alpha-slider", 0.5))
    assert given["run"] == "recorded-home"
    assert given["notice"] == "α is now 0.5; this takes effect after the kernels are compiled"


@cases("name", PAGES)
def test_card_pictures_have_the_size_and_the_scheme_of_their_card(name):
    for scheme in ("light", "dark"):
        with Image.open(server.PICTURES / f"{name}-{scheme}.webp") as picture:
            assert picture.size == (WIDTH, HEIGHT)
            light = np.median(picture.convert("L")) > 128
        assert light == (scheme == "light")


def trace_of_the_first_run():
    problem = prviz.landscape(1, home.RIPPLE, seed=home.LANDSCAPE)
    levels = home.levels(home.DEFAULTS)
    return prviz.run(problem, levels=levels, seed=home.DEFAULTS["seed"], calls=7).trace


def test_first_calls_get_stuck_are_reverted_and_are_kept():
    trace = trace_of_the_first_run()
    kept = (trace.kept[:, 0] == KEPT).tolist()
    assert kept[:3] == [True, False, True]  # call 1 gets stuck, 2 is reverted, 3 is kept
    assert trace.best[0] > trace.best[2] > trace.best[6] == pytest.approx(0, abs=1e-12)


def test_recording_equals_the_default_run():
    recorded = RecordedRun(ROOT / "assets" / "recorded" / "home.npz", "recorded", "a recording")
    live = home.live_run(home.DEFAULTS)
    layout = {**recorded.layout(), "recorded": None, "live_page": True}
    assert layout == {**live.layout(), "tables": {}}
    assert recorded.asset("heights") == live.asset("heights")
    manifest = json.loads((ROOT / "assets" / "recorded" / "manifest.json").read_text())
    (entry,) = [entry for entry in manifest if entry["file"] == "home.npz"]
    assert entry["seed"] == home.DEFAULTS["seed"]
    assert [prviz.Level(**level) for level in entry["levels"]] == home.levels(home.DEFAULTS)
    first, now = (
        np.frombuffer(run.frames(1, 1), frame_dtype(layout))["position"] for run in (recorded, live)
    )
    assert (first == now).all()


def test_page_links_to_lessons_and_notebooks_and_has_a_card_of_every_page():
    assert {card.page for card in benchmarks()} == set(PAGES)
    page = opened()
    first = page.get("page_link")[0].proto
    assert (first.label, first.page) == (f"Learn it in {len(names())} lessons", "learn")
    files = {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert {*home.NOTEBOOKS} == files
    assert [button.proto.label for button in page.get("download_button")] == [
        "Start", "Your own data", "Compare", "Tune", "Hierarchy",
    ]  # fmt: skip
    links = [link.proto.page for link in page.get("page_link")]
    assert [link for link in links if link in PAGES] == [c.page for c in benchmarks()]
    pictures = [html.proto.body for html in page.get("html") if "<picture>" in html.proto.body]
    for card, picture in zip(benchmarks(), pictures, strict=True):
        for scheme in ("light", "dark"):
            name = f"{card.page}-{scheme}.webp"
            assert f"/player/pictures/{name}?v={server.picture_version(name)}" in picture


@pytest.mark.parametrize(("n", "k1"), home.MEAN_CALLS)
def test_mean_call_counts_on_the_page_are_reproduced(n, k1):
    problem = prviz.landscape(n, home.RIPPLE, seed=home.LANDSCAPE)

    def first_hit(seed, schedule):
        search = TracedSearch(problem, schedule, seed)
        while not (search.step(target=1e-6).cost <= 1e-6).any():
            pass
        return search.calls

    for alpha, calls in home.MEAN_CALLS[n, k1].items():
        if calls > 60:  # skip the largest, which take most of the time
            continue
        levels = home.levels({"dimensions": n, "k1": k1, "m1": 10, "alpha": alpha})
        schedule = prviz.Schedule.from_levels(levels, n)
        mean = np.mean([first_hit(seed, schedule) for seed in range(home.SEEDS)])
        assert mean == pytest.approx(calls, abs=0.051)
