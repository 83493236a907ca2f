"""The k-means page and the common parts of all pages work (tested without a browser)."""

import re
from html import escape

import numpy as np
import pytest
from cases import cases
from visits import Visit, checked, player, press, run_of, unchanged, values

from prviz.datasets import DataUnavailable, Points
from prviz.engine.schedule import Level, Schedule
from prviz.player.live import LiveRun
from prviz.player.resources import store
from prviz.problems import PROBLEMS
from prviz.search.traced_search import TracedSearch
from prviz.ui.benchmarks import kmeans
from prviz.ui.catalogue import benchmark, benchmarks
from prviz.ui.experiments import race, tuning
from prviz.ui.levels.sliders import SLIDERS
from prviz.ui.serve import session
from prviz.ui.widgets.controls import nearest

VISIT = Visit("kmeans")
opened, put, widget = VISIT.opened, VISIT.put, VISIT.widget


pytestmark = pytest.mark.usefixtures("quiet_engine")


@pytest.fixture
def tiny(monkeypatch):
    """Use nine points instead of S1."""
    points = np.array([[x, y] for x in (0.0, 1, 2) for y in (0.0, 5, 9)])
    monkeypatch.setitem(kmeans.SETS, "s1", lambda: Points(points, "Nine", "made by hand"))
    monkeypatch.setitem(kmeans.N_CLUSTERS, "s1", 3)


@pytest.fixture
def nothing_to_be_had(monkeypatch):
    def missing():
        raise DataUnavailable("A3 is not at hand: put it here, there, or elsewhere.")

    monkeypatch.setitem(kmeans.SETS, "a3", missing)


LINKED = unchanged(kmeans.TABLE)


def test_page_opens_with_a_run_of_its_defaults():
    page = opened()
    assert values(page) == LINKED
    given = player(page)
    assert given["autoplay"] is False
    assert given["notice"] == ""
    assert given["page"] == "/kmeans"
    assert run_of(page).state == "ready"
    assert page.main.markdown[0].value == "# k-means on A3-like (generated)"
    assert page.get("button_group")[0].value == "quick look"
    assert not page.error
    assert not page.warning
    assert player(checked(page.run())) == given  # a rerun keeps the run


@cases("entry", [each for each in PROBLEMS.values() if each.paper])
def test_page_has_the_papers_setting(entry):
    shown = benchmark(entry.id)
    assert shown.paper(shown.defaults) == entry.paper


def test_claims_fit_on_one_line_of_a_zoomed_window():
    claims = [*(each.claim for each in benchmarks()), race.CLAIM, tuning.CLAIM]
    assert max(map(len, claims)) <= 85


def test_search_chooses_sizes_until_a_preset_is_pressed():
    page = Visit("kmeans").opened(how="auto")
    assert run_of(page)._search.schedule.levels() == [Level("auto")]
    assert all(slider.disabled for slider in page.sidebar.slider)
    assert values(page)["how"] == "auto"
    page.session_state["kmeans-choices"] = True
    run_of(page)._search.step(20)
    (chart,) = checked(page.run()).get("plotly_chart")
    assert "restart" in chart.proto.spec
    page = page.get("button_group")[0].set_value("quick look").run()
    assert run_of(page)._search.schedule.levels() == [Level(1, 100), Level(50)]
    assert "how" not in values(page)
    assert not page.get("plotly_chart")


def test_alpha_without_effect_is_removed_from_a_link():
    page = Visit("kmedoids").opened(alpha="0.5")
    assert values(page)["alpha"] == "0.0"
    assert "α does not apply to medoids: it is set to 0." in page.warning[0].value
    assert {level.alpha for level in run_of(page)._search.schedule.levels()} == {0.0}


def test_substitute_data_are_named_and_the_algorithm_is_shown():
    page = opened()
    words = " ".join(markdown.value for markdown in page.main.markdown)
    assert "**A stand-in**, not the set of the paper." in words
    (listing,) = [html.proto.body for html in page.get("html") if "</ol>" in html.proto.body]
    lines = re.findall(r'<li style="--depth: (\d)em">(.*?)</li>', listing)
    told = run_of(page).layout()["algorithm"]
    html = [escape(line.strip()).replace("ₗ", "<sub>l</sub>") for line in told]
    assert [shown for _, shown in lines] == html
    assert [int(depth) for depth, _ in lines] == [0, 1, 1, 2, 2, 2]
    assert "k<sub>l</sub>" in listing
    assert not any("k_l" in said for said in (listing, words))


def test_partial_reinitialisation_loses_with_the_preset_where_it_loses():
    page = opened()
    checked(page.get("button_group")[0].set_value("where it loses").run())
    given = values(page)
    assert (given["data"], given["init"], given["k1"]) == ("a3-like", "k-means++", "10")
    assert page.get("button_group")[0].value == "where it loses"
    chosen = {**kmeans.DEFAULTS, **kmeans.PRESETS["where it loses"]}
    problem, _ = kmeans.problem(chosen)
    full, partial = Schedule.from_levels([Level(50)], 50), kmeans.BENCHMARK.schedule(chosen)

    def best(schedule, calls):
        search = TracedSearch(problem, schedule, 0)
        search.step(calls=calls)
        return search.trace().best[-1]

    assert best(full, 30) < 0.95 * best(partial, 90)


#: Kind, key and new value of each control; name and text of its parameter in the link.
CHANGES = [
    ("slider", "k1-slider", 3, "k1", "3"),
    ("number_input", "k1-exact", 7, "k1", "7"),
    ("select_slider", "m1-slider", 500, "m1", "500"),
    ("number_input", "m1-exact", 137, "m1", "137"),
    ("slider", "alpha-slider", 0.25, "alpha", "0.25"),
    ("number_input", "alpha-exact", 0.375, "alpha", "0.375"),
    ("number_input", "calls-exact", 500, "calls", "500"),
    ("number_input", "seed-exact", 9, "seed", "9"),
    ("number_input", "n_clusters-exact", 20, "n_clusters", "20"),
    ("selectbox", "init-choice", "k-means++", "init", "k-means++"),
    ("number_input", "k2-exact", 10, "k2", "10"),
    ("selectbox", "subset-choice", "tournament", "subset", "tournament"),
]


def test_every_control_starts_a_new_run():
    VISIT.check_fresh_runs(CHANGES)


def test_a_slider_and_its_number_field_follow_each_other():
    page = opened()
    for name, track, value in [
        ("k1", "slider", 50),
        ("alpha", "slider", 0.5),
        ("m1", "select_slider", 3000),
    ]:
        put(page, track, f"{name}-slider", value)
        assert widget(page, "number_input", f"{name}-exact").value == value
    for name, track, exact, on_track in [
        ("k1", "slider", 12, 12),
        ("m1", "select_slider", 137, 150),
        ("alpha", "slider", 0.333, 0.33),
    ]:
        put(page, "number_input", f"{name}-exact", exact)
        assert widget(page, track, f"{name}-slider").value == on_track
        assert values(page)[name] == str(exact)


def test_controls_without_effect_start_no_run():
    page = opened()
    before = player(page)["run"]
    assert player(put(page, "number_input", "m2-exact", 33))["run"] == before
    assert values(page)["m2"] == "33"
    # k₃ has no effect while k₂ is 0
    assert player(put(page, "number_input", "k3-exact", 12))["run"] == before


def test_the_budget_is_in_seconds_or_in_calls():
    page = opened()
    put(page, "number_input", "calls-exact", 300)
    assert (values(page)["budget"], values(page)["calls"]) == ("calls", "300")
    assert "300 calls in all" in page.caption[0].value
    with pytest.raises(KeyError):
        page.number_input(key="kmeans-seconds-exact")
    checked(page.get("button_group")[1].set_value("seconds").run())
    put(page, "number_input", "seconds-exact", 0.5)
    assert (values(page)["budget"], values(page)["seconds"]) == ("seconds", "0.5")


def test_dice_button_changes_the_seed():
    page = press(opened(), "Another seed")
    assert values(page)["seed"] != "0"
    assert widget(page, "number_input", "seed-exact").value == int(values(page)["seed"])


def test_run_and_stop_keep_the_prepared_run():
    page = opened()
    prepared = player(page)["run"]
    for label, state in [("Stop", "ready"), ("Run", "running"), ("Stop", "stopped")]:
        press(page, label)
        assert player(page)["run"] == prepared
        assert run_of(page).state == state


def test_preview_is_shown_only_for_the_defaults():
    page = opened()
    assert player(page)["live"] == run_of(page).id
    assert player(put(page, "slider", "k1-slider", 3))["live"] is None
    assert player(opened(k1="2"))["live"] is None
    assert player(press(opened(), "Run"))["live"] is None


def test_changed_value_restarts_the_run_and_is_announced():
    page = press(opened(), "Run")
    former = run_of(page)
    given = player(put(page, "slider", "k1-slider", 3))
    assert former.state == "stopped"
    assert run_of(page).state == "running"
    assert given["autoplay"] is True
    assert given["notice"] == "k₁ is now 3: new run"


def test_the_notice_names_everything_that_changed(tiny):
    page = press(opened(), "Run")
    put(page, "selectbox", "data-choice", "s1")
    assert player(page)["notice"] == "Data is now S1, Clusters is now 3: new run"
    assert page.main.markdown[0].value == "# k-means on Nine"


def test_k1_is_at_most_the_number_of_clusters(tiny):
    page = put(opened(), "slider", "k1-slider", 40)
    put(page, "selectbox", "data-choice", "s1")
    assert (values(page)["n_clusters"], values(page)["k1"]) == ("3", "3")
    assert widget(page, "slider", "k1-slider").max == 3


def test_invalid_levels_are_reported_and_the_run_is_kept():
    page = opened()
    before = player(page)["run"]
    put(page, "slider", "k1-slider", 10)
    put(page, "number_input", "k2-exact", 10)
    assert [error.value for error in page.error] == [
        "Sizes must grow from level to level: k_2 = 10 follows 10."
    ]
    kept = player(page)["run"]
    assert kept != before
    put(page, "number_input", "k2-exact", 11)
    assert not page.error
    assert player(page)["run"] != kept


def test_unavailable_data_set_leaves_the_page_unchanged(nothing_to_be_had):
    page = put(opened(), "slider", "k1-slider", 3)
    before = player(page)["run"]
    put(page, "selectbox", "data-choice", "a3")
    assert [error.value for error in page.error] == [
        "A3 is not at hand: put it here, there, or elsewhere."
    ]
    assert widget(page, "selectbox", "data-choice").value == "a3-like"
    assert player(page)["run"] == before
    assert not checked(page.run()).error


def test_link_to_an_unavailable_data_set_opens_the_default(nothing_to_be_had):
    page = opened(data="a3", k1="3")
    assert len(page.error) == 1
    assert (values(page)["data"], values(page)["k1"]) == ("a3-like", "3")


def test_redrawing_all_centres_is_the_standard_method():
    page = put(opened(), "slider", "k1-slider", 50)
    assert "(the standard method), so M₁ has no effect" in page.caption[0].value
    assert widget(page, "select_slider", "m1-slider").disabled
    assert [level["size"] for level in run_of(page).layout()["levels"]] == [50]
    put(page, "slider", "alpha-slider", 0.5)
    assert [level["size"] for level in run_of(page).layout()["levels"]] == [50, 50]
    assert not widget(page, "select_slider", "m1-slider").disabled


def test_presets_and_the_reset_button_set_values(monkeypatch):
    monkeypatch.setitem(kmeans.SETS, "a3", kmeans.SETS["a3-like"])
    page = put(opened(), "number_input", "seed-exact", 5)
    put(page, "slider", "k1-slider", 4)
    assert page.get("button_group")[0].value is None
    checked(page.get("button_group")[0].set_value("paper").run())
    for name, value in kmeans.PRESETS["paper"].items():
        assert values(page)[name] == str(value)
    assert values(page)["seed"] == "5"
    press(page, "Reset")
    assert values(page) == LINKED


def test_a_link_restores_every_value():
    link = {
        "v": "1",
        "data": "a3-like",
        "n_clusters": "30",
        "init": "k-means++",
        "k1": "2",
        "m1": "77",
        "alpha": "0.125",
        "subset": "tournament",
        "k2": "9",
        "m2": "4",
        "k3": "20",
        "m3": "3",
        "budget": "calls",
        "seconds": "7.5",
        "calls": "450",
        "seed": "12",
    }
    page = opened(**link)
    assert values(page) == {name: value for name, value in link.items() if name != "v"}
    assert not page.warning


def test_default_k_follows_the_data_set_of_a_link(tiny):
    assert values(opened(data="s1"))["n_clusters"] == "3"
    assert values(opened(data="s1", n_clusters="5"))["n_clusters"] == "5"


def test_link_to_a_call_starts_the_search_but_not_the_playback():
    page = opened(k1="2", call="17")
    assert player(page)["params"]["call"] == "17"
    assert player(page)["autoplay"] is False
    assert run_of(page).state == "running"
    put(page, "slider", "k1-slider", 3)
    assert "call" not in player(page)["params"]


def test_errors_of_a_link_are_shown_until_a_change():
    page = opened(v="1", k1="99", m1="abc", colour="red")
    (said,) = page.warning
    assert "`colour` is unknown" in said.value
    assert "`m1` = `abc` is not a whole number" in said.value
    assert "`seed` is missing" in said.value
    assert "k₁ = 99 exceeds the 50 clusters, so it is now 50" in said.value
    assert (values(page)["k1"], values(page)["m1"]) == ("50", "100")
    assert checked(page.run()).warning[0].value == said.value
    assert not put(page, "number_input", "seed-exact", 9).warning
    assert not page.toast  # a toast would cover the numbers


def test_link_with_invalid_levels_opens_the_default_levels():
    page = opened(k1="9", k2="5")
    assert "its levels are invalid: Sizes must grow" in page.warning[0].value
    assert (values(page)["k1"], values(page)["k2"]) == ("1", "0")
    assert not page.error


@cases("moved", ["m1", "k1"])
def test_delayed_browser_events_are_ignored(moved):
    page = put(opened(), "select_slider", "m1-slider", 150)  # the number field follows the slider
    stale = widget(page, "number_input", "m1-exact").set_value(100)
    slider = "select_slider" if moved == "m1" else "slider"
    widget(page, slider, f"{moved}-slider").set_value(200 if moved == "m1" else 3)
    checked(page.run())
    wanted = {"m1": "200", "k1": "1"} if moved == "m1" else {"m1": "150", "k1": "3"}
    assert {name: values(page)[name] for name in wanted} == wanted
    assert widget(page, "number_input", "m1-exact").value == int(wanted["m1"])
    assert stale.value == 100


def test_value_can_be_changed_back():
    page = put(opened(), "select_slider", "m1-slider", 150)
    put(page, "number_input", "m1-exact", 100)
    assert values(page)["m1"] == "100"
    assert widget(page, "select_slider", "m1-slider").value == 100


def test_a_page_has_up_to_four_levels():
    page = put(opened(), "number_input", "k2-exact", 4)
    assert [level["size"] for level in run_of(page).layout()["levels"]] == [1, 4, 50]
    assert page.caption[0].value.startswith("1\u202f000 calls per restart.")
    put(page, "number_input", "k3-exact", 12)
    put(page, "number_input", "m3-exact", 3)
    levels = run_of(page)._search.schedule.levels()
    assert [(level.size, level.repeats) for level in levels] == [
        (1, 100), (4, 10), (12, 3), (50, 0),
    ]  # fmt: skip
    assert page.caption[0].value.startswith("3\u202f000 calls per restart.")


def test_alpha_1_warns_before_the_run():
    page = opened(alpha="0.99")
    assert "nothing is redrawn" not in " ".join(said.value for said in page.sidebar.caption)
    put(page, "slider", "alpha-slider", 1.0)
    assert "With α = 1 nothing changes" in " ".join(said.value for said in page.sidebar.caption)


def test_address_follows_the_values():
    page = opened(k1="2", call="17")
    assert player(page)["address"] is None  # None: the address is not replaced, so it keeps call=17
    put(page, "number_input", "seed-exact", 9)
    address = player(page)["address"]
    assert address == {"v": "1", **values(page)} and "call" not in address
    again = opened(**address)
    assert values(again) == {name: address[name] for name in LINKED}
    assert not again.warning
    put(page, "number_input", "seed-exact", 0)
    # same values as at first, and so the same address
    assert player(page)["address"]["seed"] == "0"


def test_run_is_blocked_while_values_are_invalid(tiny):
    page = put(opened(), "selectbox", "data-choice", "s1")
    before = player(page)["run"]
    assert not player(page)["hindered"]
    put(page, "number_input", "n_clusters-exact", 10)  # more clusters than the nine points allow
    assert player(page)["hindered"] == page.error[0].value
    assert "9" in page.error[0].value
    assert player(checked(page.run()))["run"] == before and player(page)["hindered"]
    put(page, "number_input", "n_clusters-exact", 4)
    assert not player(page)["hindered"]


@cases(
    ("key", "typed", "name", "became", "said"),
    [
        ("calls", 0, "calls", "1", "Calls must be from 1 to 1000000: 0 was changed to 1."),
        ("k1", 51, "k1", "50", "k₁ must be from 1 to 50: 51 was changed to 50."),
    ],
)
def test_out_of_range_number_is_clipped_and_reported(key, typed, name, became, said):
    page = put(opened(), "number_input", f"{key}-exact", typed)
    assert values(page)[name] == became
    assert f":material/info: {said}" in [caption.value for caption in page.sidebar.caption]
    assert widget(page, "number_input", f"{key}-exact").value == float(became)
    put(page, "number_input", "m2-exact", 99)
    assert said not in " ".join(caption.value for caption in page.sidebar.caption)


def test_reset_removes_the_message_about_a_changed_value():
    page = put(opened(), "number_input", "calls-exact", 0)
    press(page, "Reset")
    assert "was changed" not in " ".join(caption.value for caption in page.sidebar.caption)


UNKNOWN = "unknown before a first run."
CALLS = {"budget": "calls", "calls": 2000}
SECONDS = {"budget": "seconds"}


@cases(
    ("changed", "rate", "words"),
    [
        (SECONDS, None, f"100 calls per restart. The number of calls in 2 s is {UNKNOWN}"),
        (SECONDS, 8000, "100 calls per restart. 2 s allow about 16 000 calls here: 160 restarts."),
        (
            {**SECONDS, "m1": 10_000},
            100,
            "10 000 calls per restart. 2 s allow about 200 calls here: less than one restart.",
        ),
        (
            CALLS,
            None,
            f"100 calls per restart. 2 000 calls in all; the time is {UNKNOWN}",
        ),
        (CALLS, 8000, "100 calls per restart. 2 000 calls in all, about 0.5 s here."),
        (CALLS, 1e6, "100 calls per restart. 2 000 calls in all, less than 0.01 s here."),
        (
            {**SECONDS, "k1": 50},
            500,
            "Every call is a full restart (the standard method), so M₁ has no effect. "
            "2 s allow about 1 000 calls here.",
        ),
        (
            {**SECONDS, "seconds": 60.0},
            0.4,
            "100 calls per restart. 60 s allow about 24 calls here, as a call takes about 2.5 s: "
            "less than one restart.",
        ),
        (
            {**SECONDS, "m1": 1},
            None,
            f"1 call per restart. The number of calls in 2 s is {UNKNOWN}",
        ),
    ],
)
def test_cost_of_a_run_is_estimated(changed, rate, words):
    told = SLIDERS.cost({**kmeans.DEFAULTS, **changed}, 50, rate)
    assert told.replace("\u202f", " ") == words


@cases(
    ("calls", "seconds", "known"),
    [(19, 0.1, None), (20, 0.1, 200.0), (1, 2.0, 0.5), (0, 2.0, None), (1, 0.1, None)],
)
def test_rate_needs_20_calls_or_a_slow_call(calls, seconds, known):
    class Made:
        def head(self):
            return {"calls": calls, "seconds": seconds}

    of = ("made", calls, seconds)
    session.note_rate(Made(), of)
    assert session.rate(of) == known


def test_nearest_returns_the_nearest_slider_stop():
    near = {1: 1, 4: 3, 6.5: 7, 8: 7, 9: 10, 10: 10, 99: 10}
    assert {value: nearest((1, 2, 3, 5, 7, 10), value) for value in near} == near


def test_disconnected_tab_pauses_its_run_and_can_return(monkeypatch):
    run = LiveRun(*_tiny_search(), seconds=1.0)
    done = []
    monkeypatch.setattr(run, "pause", lambda: done.append("paused"))
    place = session.Tab()
    place.runs["kmeans"] = run
    place.leave()
    assert done == ["paused"]
    assert store.stay(run.id) is run
    assert run.id not in store._left


def _tiny_search():
    data = kmeans.named("a3-like")
    problem = kmeans.prviz.kmeans(data.points, 5)
    return problem, kmeans.KMeansScene(data, problem), [Level(5)]
