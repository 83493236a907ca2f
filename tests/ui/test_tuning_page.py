"""The Tuning page without a browser: its grid and links, and the use of its result."""

import json

import pytest
from visits import Visit, checked, turned_to

import prviz
from prviz.engine.schedule import Level
from prviz.experiments.runs.identity import hash_of_problem
from prviz.player.batch.sweep import Sweep
from prviz.player.resources.store import RUNS
from prviz.tune import NEVER
from prviz.ui.catalogue import PAGES
from prviz.ui.experiments import tuning

VISIT = Visit("tuning")
opened, put = VISIT.opened, VISIT.put

pytestmark = pytest.mark.usefixtures("quiet_engine")


@pytest.fixture(autouse=True)
def quiet(monkeypatch, tmp_path):
    monkeypatch.setattr(Sweep, "start", lambda sweep: setattr(sweep, "state", "running"))
    monkeypatch.setattr(tuning, "_store", lambda: tmp_path / "tuning.sqlite")


def board(page):
    """Return the data given to the board."""
    return json.loads(page.get("bidi_component")[0].proto.json)[0]


def sweep(page):
    return RUNS[board(page)["many"]]


def names(page):
    return [cell.name for cell in sweep(page)._found.cells]


def test_page_opens_with_k1_and_m1_as_axes():
    page = opened()
    assert not page.error and not page.warning
    made = sweep(page)
    assert made.state == "ready" and len(names(page)) == 22
    assert made.axes["k1"] == ["1", "2", "5", "11", "25"]
    assert names(page)[made._found.usual] == "k₁ = 1, M₁ = 100"
    assert made._found.whose == "the paper's setting" and names(page)[-1] == "full restarts"
    assert page.main.markdown[0].value == "# Tuning: k-means on A3-like (generated)"


def test_varied_settings_can_be_chosen():
    page = put(opened(), "button_group", "kmeans-vary", ["k1", "alpha"])
    made = sweep(page)
    assert made.axes["alpha"] == ["0", "0.5", "0.9"] and made.axes["m1"] == ["100"]
    put(page, "button_group", "kmeans-vary", ["subset"])
    assert set(sweep(page).axes["subset"]) == {"random", "neighbours", "tournament"}
    put(page, "button_group", "kmeans-vary", [])
    assert board(page)["params"]["vary"] == "k1"


#: Pages that another test of this file opens.
OPENED = ("kmeans", "hmm", "kmedoids", "rbm")


@pytest.mark.parametrize("name", [name for name in PAGES if name not in OPENED])
def test_other_benchmarks_can_be_tuned(name):
    page = opened(page=name)
    assert not page.error and len(names(page)) >= 8


def test_alpha_is_not_offered_for_medoids():
    page = opened(page="kmedoids", vary="k1,alpha")
    assert board(page)["params"]["vary"] == "k1"


def test_a_page_sends_its_data_and_settings_and_gets_the_best_setting(offline_sets):
    page = Visit("kmeans").opened(data="s1", n_clusters="9", k1="2", m1="30")
    assert not page.warning
    page.session_state["tuning-wanted"] = ("kmeans", dict(page.session_state["kmeans"].values), "")
    page = turned_to(page, "tuning")
    made = sweep(page)
    assert made.problem.k == 9 and made.axes["k1"] == ["1", "2", "3", "4"]
    used = {"k1": 4, "m1": 70, "data": "s1", "n_clusters": 8}
    page.session_state["kmeans-wanted"] = ("kmeans", used, "M₁ is less.")
    back = turned_to(page, "kmeans")
    values = back.session_state["kmeans"].values
    assert {name: values[name] for name in used} == used
    assert [warning.value for warning in back.warning] == ["M₁ is less."]


def test_page_keeps_its_data_if_the_requested_data_are_unavailable(offline_sets):
    page = Visit("kmeans").opened(k1="2")
    sent = {"k1": 4, "data": "s2", "n_clusters": 8}
    page.session_state["kmeans-wanted"] = ("kmeans", sent, "M₁ is less.")
    back = turned_to(page, "kmeans")
    values = back.session_state["kmeans"].values
    assert (values["data"], values["k1"]) == ("a3-like", 2)
    assert [warning.value for warning in back.warning] == [
        "S2 cannot be downloaded: connect to the internet."
    ]


def test_page_opens_on_its_default_if_the_data_of_its_link_are_unavailable(offline_sets):
    page = opened(page="kmeans", data="s2")
    assert page.session_state["tuning"].values["data"] == "a3-like"
    assert "S2 cannot be downloaded: connect to the internet." in [e.value for e in page.error]


def test_baseline_is_the_papers_setting():
    page = opened(page="hmm")
    assert names(page)[sweep(page)._found.usual] == "k₁ = 8, M₁ = 8000"
    page = opened(page="rbm")
    assert names(page)[sweep(page)._found.usual] == "p = 0.1, M₁ = 10000"


def test_fixed_settings_come_from_the_page():
    page = opened(page="rbm", by="p", p="0.5", m1="300", vary="m1")
    assert sweep(page).axes["k1"] == ["49"]  # half of 98 parameters


def test_page_asks_for_missing_data():
    page = opened(page="kmedoids", data="own")
    assert page.get("file_uploader") and not page.exception


def test_link_restores_and_starts_the_tuning():
    link = board(opened(page="hmm", vary="k1,subset", total="12"))["params"]
    page = opened(**link)
    assert board(page)["params"] == link and sweep(page).seconds == 12
    assert sweep(page).state == "running"


@pytest.mark.parametrize(
    "query",
    [
        {"work": "30"},
        {"page": "hmm", "length": "24", "n_states": "8", "vary": "k1,alpha", "work": "9"},
    ],
)
def test_the_code_repeats_the_tuning(query, monkeypatch):
    page = opened(**query)
    made, told = sweep(page), {}
    for _ in made._found.steps(2):
        if begun(made._found):
            break

    def tune(problem, given, **more):  # the first rung suffices
        found = real(problem, given, callback=begun, **more)
        told.update(more, given=given, found=found)
        return found

    real = prviz.tune
    monkeypatch.setattr(prviz, "tune", tune)
    monkeypatch.setattr(prviz, "run", lambda problem, **best: told.update(best=best))
    exec(made.script().python(), made_again := {})  # the code checks the hash of these runs
    assert hash_of_problem(made_again["problem"]) == hash_of_problem(made.problem)
    assert tuning.grid(made.problem, told["given"]).axes == made.axes
    assert told["work"] == made.work and told["seconds"] == made.seconds
    assert told.get("target", -float("inf")) == made._found.budget.target
    usual, again = (each.cells[each.usual].contender for each in (made._found, told["found"]))
    assert usual.settings == again.settings


def begun(found):
    """Return True if all settings have run the seeds of the first rung."""
    return all(len(runs) >= found.rungs[0] for runs in found.runs)


def test_best_setting_is_applied_to_its_page():
    page = opened()
    made = sweep(page)
    made.recorded = None
    wanted = next(i for i, name in enumerate(names(page)) if name == "k₁ = 2, no restarts")
    made._found.done, made._found._halving.leader = True, wanted
    assert made.best["m1"] == NEVER
    assert made.schedule_of_leader.levels() == [Level(2, NEVER), Level(50)]
    assert checked(page.run())


def test_tuning_page_opens_with_a_recorded_tuning():
    page = opened()
    told = json.loads(sweep(page).shown())
    assert told["recorded"] == "Showing a recorded tuning. Press Run to compute it here."
    assert told["state"] == "ready" and told["leader"] is not None
    assert "100 fresh seeds" in told["words"]
    other = opened(n_clusters="12")
    assert json.loads(sweep(other).shown())["recorded"] == ""
