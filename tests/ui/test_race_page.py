"""The Race page without a browser: its contest, contenders and links."""

import json

import numpy as np
import pytest
from cases import cases
from visits import Visit, checked, press, turned_to

import prviz
from prviz import baselines
from prviz.datasets import Points
from prviz.engine.schedule import Level
from prviz.experiments.runs.identity import hash_of_problem
from prviz.experiments.runs.improvements import Improvements
from prviz.experiments.runs.runner import Wave
from prviz.player.batch.contest import Contest
from prviz.player.resources.store import RUNS
from prviz.ui.benchmark import always, peer
from prviz.ui.benchmarks import kmeans, kmedoids
from prviz.ui.experiments.recordings import FOLDER as RECORDED

VISIT = Visit("race")
opened, put = VISIT.opened, VISIT.put
ONE = np.array([1])
SOLVED = Improvements(ONE, ONE, ONE / 1.0, ONE / 1.0, 1, 1, 1.0)

pytestmark = pytest.mark.usefixtures("quiet_engine")


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setattr(Contest, "start", lambda contest: setattr(contest, "state", "running"))


def board(page):
    """Return the data given to the race component."""
    return json.loads(page.get("bidi_component")[0].proto.json)[0]


def contest(page):
    return RUNS[board(page)["many"]]


def levels(contest, name):
    return contest._found.contenders[name].schedule.levels()


def test_page_opens_with_the_contenders_partial_and_full():
    page = opened()
    assert not page.error and not page.warning
    made = contest(page)
    assert made.state == "ready" and made._seeds == list(range(20))
    assert levels(made, "partial") == [Level(1, 100), Level(50)]
    assert levels(made, "full") == [Level(50)]
    assert made.known and made._budget.target == pytest.approx(made.known * (1 + 1e-5))
    assert page.main.markdown[0].value == "# Race: k-means on A3-like (generated)"
    assert board(page)["hindered"] == ""
    with pytest.raises(ValueError, match="nothing to repeat"):
        made.script()


def test_changed_setting_prepares_a_new_race():
    page = opened()
    first = contest(page)
    put(page, "slider", "kmeans-k1-slider", 3)
    assert contest(page) is not first and contest(page).state == "ready"
    assert levels(contest(page), "partial")[0] == Level(3, 100)
    put(page, "selectbox", "runs-choice", "100")
    assert len(contest(page)._seeds) == 100
    second = contest(page)
    assert contest(checked(page.run())) is second


def test_a_second_setting_is_another_contender():
    page = opened(k1b="5", m1b="7", alphab="0.5")
    made = contest(page)
    assert list(made._found.contenders) == ["partial", "full", "k₁ = 5, M₁ = 7, α = 0.5"]
    assert levels(made, "k₁ = 5, M₁ = 7, α = 0.5") == [Level(5, 7, 0.5), Level(50)]


def test_contenders_suit_the_problem():
    page = opened(others="random swap,chess", k1="9")
    assert list(contest(page)._found.contenders) == ["partial", "full", "random swap"]
    put(page, "button_group", "kmeans-others", ["k-means++", "random swap"])
    assert list(contest(page)._found.contenders)[2:] == ["k-means++", "random swap"]
    assert board(page)["params"]["others"] == "k-means++,random swap"
    put(page, "selectbox", "page-choice", "rbm")
    assert list(contest(page)._found.contenders) == ["partial", "full"]
    assert page.main.markdown[0].value == "# Race: " + contest(page).words.title
    params = board(page)["params"]
    assert (params["page"], params["k1"]) == ("rbm", "10")  # the defaults of the new page
    assert not page.error


def test_page_names_the_missing_package_of_a_method(monkeypatch):
    missing = peer("FasterPAM", "no-such-package", baselines.FasterPAM, "no_such_package")
    without = kmedoids.BENCHMARK._replace(rivals=always({}), **missing)
    monkeypatch.setattr(kmedoids, "BENCHMARK", without)
    page = opened(page="kmedoids", others="FasterPAM")
    assert list(contest(page)._found.contenders) == ["partial", "full"]
    words = "FasterPAM can race here too. Install the package no-such-package to use it."
    assert words in [said.value for said in page.caption]


def test_link_restores_the_race():
    link = board(opened(page="kmedoids", k1="4", runs="20", each="0.25", n_clusters="30"))["params"]
    again = board(opened(**link))["params"]
    assert again == link
    assert (link["page"], link["k1"], link["n_clusters"]) == ("kmedoids", "4", "30")


def test_invalid_link_is_reported():
    page = opened(page="chess", runs="50")
    (warning,) = page.warning
    assert "`page` = `chess` is not one of" in warning.value and "`runs` = `50`" in warning.value
    assert contest(page)


def test_target_can_be_set_without_a_known_cost():
    page = opened(page="rbm")
    assert contest(page).known is None and contest(page)._budget.target == -np.inf
    put(page, "number_input", "aim-exact", 3.4)
    assert contest(page)._budget.target == 3.4


def test_a_page_sends_its_settings_and_data(monkeypatch):
    points = np.array([[x, y] for x in (0.0, 1, 2) for y in (0.0, 5, 9)])
    monkeypatch.setitem(kmeans.SETS, "s1", lambda: Points(points, "Nine", "made by hand"))
    monkeypatch.setitem(kmeans.N_CLUSTERS, "s1", 3)
    page = Visit("kmeans").opened(data="s1", n_clusters="4", k1="2", m1="30")
    page.session_state["race-wanted"] = ("kmeans", dict(page.session_state["kmeans"].values), "")
    page = turned_to(page, "race")
    assert page.main.markdown[0].value == "# Race: k-means on Nine"
    assert levels(contest(page), "partial") == [Level(2, 30), Level(4)]
    assert contest(turned_to(page, "race"))  # the data are still there on the next visit


def test_any_levels_can_be_raced_on_any_benchmark():
    page = Visit("hierarchy").opened(benchmark="kmeans", levels="1x100,8x10,50")
    page.session_state["race-wanted"] = (
        "hierarchy",
        dict(page.session_state["hierarchy"].values),
        "",
    )
    page = turned_to(page, "race")
    assert levels(contest(page), "partial") == [Level(1, 100), Level(8, 10), Level(50)]
    put(page, "button_group", "hierarchy-others", ["random swap"])
    assert list(contest(page)._found.contenders) == ["partial", "full", "random swap"]
    put(page, "selectbox", "hierarchy-benchmark-choice", "landscape")
    assert list(contest(page)._found.contenders) == ["partial", "full"]
    put(page, "button_group", "hierarchy-others", ["simulated annealing", "basin hopping"])
    found = contest(page)._found.contenders
    assert list(found)[2:] == ["simulated annealing", "basin hopping"]
    again = opened(**board(page)["params"])
    assert again.main.markdown[0].value == "# Race: Hierarchy on a landscape of 10 dimensions"
    assert list(contest(again)._found.contenders) == list(found)


@cases(
    "query",
    [
        {"others": "random swap,greedy k-means++", "k1b": "5", "alphab": "0.25", "runs": "100"},
        {"page": "kmeans", "init": "k-means++", "subset": "local", "alpha": "0.5"},
        {"page": "hmm", "data": "text", "text": "to be, or 'not' to \"be\""},
        {"page": "kmedoids", "optimiser": "swap", "others": "FasterPAM"},
        {"page": "ising", "side": "6", "others": "annealing"},
        {"page": "rbm", "by": "p", "aim": "3.5", "decay": "0.01", "data": "text", "text": "01\n10"},
        {"page": "hierarchy", "benchmark": "kmeans", "levels": "1x100,8x10a0.5,50"},
    ],
)
def test_the_code_repeats_the_race(query):
    page = opened(**query)
    made = raced(page)
    script = made.script()
    exec(script.python(), found := {})  # the code checks the hash of its searches
    assert hash_of_problem(found["problem"]) == hash_of_problem(made.problem)
    timed = found["timed"]
    assert {name: each.settings for name, each in timed.contenders.items()} == {
        name: each.settings for name, each in made._found.contenders.items()
    }
    assert timed.seeds == made._found.seeds
    assert (timed.axis, timed.target) == ("seconds", made._found.target)
    known = "" if made.known is None else f"best_known={made.known!r}"
    assert script.drawn == f"timed.figure({known})"


def raced(page, seconds=0.005):
    """Compute two seeds of the contest of a page; return the contest."""
    made = contest(page)
    target = made._found.target
    made._found = prviz.compare(
        made.problem, made._found.contenders, seeds=2, seconds=seconds, target=target
    )
    return made


def test_levels_that_break_a_rule_are_reported_and_not_run():
    page = put(opened(k1="10"), "number_input", "kmeans-k2-exact", 5)
    assert "Sizes must grow" in page.error[0].value
    assert "Sizes must grow" in board(page)["hindered"]


def test_race_restarts_when_run_is_pressed_again():
    page = opened()
    first = contest(page)
    page.session_state["race"].asked = True
    page = checked(page.run())
    assert contest(page) is not first and contest(page).state == "running"


def test_buttons_open_race_and_tuning_with_the_settings_of_a_page():
    page = press(Visit("hmm").opened(k1="7"), "Race this")
    assert board(page)["params"]["k1"] == "7"
    page = press(turned_to(page, "hmm"), "Tune this")
    assert board(page)["params"]["page"] == "hmm"


def test_race_page_opens_with_a_recorded_race_of_its_default_settings():
    told = json.loads(contest(opened()).shown())
    assert told["recorded"] == "Showing a recorded race. Press Run to compute it here."
    assert (told["state"], told["n"]) == ("ready", 20)
    assert told["words"] and told["figure"] and len(told["rows"]) == 2
    assert json.loads(contest(opened(k1="2")).shown())["recorded"] == ""


def test_race_page_restores_a_result_with_its_settings():
    page = opened()
    first = contest(page)
    first._found.take(Wave([0], {name: [SOLVED] for name in first._found.contenders}, True))
    first.state = "finished"
    put(page, "slider", "kmeans-k1-slider", 3)
    assert contest(page).state == "ready"
    put(page, "slider", "kmeans-k1-slider", 1)
    assert contest(page) is first
    assert contest(turned_to(turned_to(page, "home"), "race")) is first


@cases("path", sorted(RECORDED.glob("*-*.npz")))
def test_recorded_results_take_at_most_50_kilobytes(path):
    assert path.stat().st_size <= 50_000
