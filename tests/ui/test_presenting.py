"""Links can lock controls and bookmark calls for a presentation."""

import pytest
from cases import cases
from visits import Visit, player, press, run_of, values

from prviz.ui.benchmarks import hierarchy, kmeans
from prviz.ui.state.presenting import NOTHING, parse
from prviz.ui.widgets.controls import Held

VISIT = Visit("kmeans")
opened, put, widget = VISIT.opened, VISIT.put, VISIT.widget

pytestmark = pytest.mark.usefixtures("quiet_engine")


def keys(page, kind):
    return {each.key for each in getattr(page, kind)}


def test_empty_query_locks_nothing():
    assert parse({"v": "1", "k1": "3"}, kmeans.TABLE) == (NOTHING, [])


def test_locks_and_bookmarks_are_read_and_written():
    said, problems = parse(
        {"hide": "seed,budget", "lock": "m1,k1,seed", "moments": "40,12,40", "present": "1"},
        kmeans.TABLE,
    )
    assert problems == []
    assert said.held == Held(frozenset({"seed", "budget"}), frozenset({"m1", "k1"}))
    assert said.moments == (12, 40) and said.marked == "12,40"
    assert said.params == {"hide": "budget,seed", "lock": "k1,m1"}
    assert set(said.fixed(kmeans.DEFAULTS)) == {"seed", "budget", "seconds", "calls", "k1", "m1"}


@cases(
    ("query", "problem"),
    [
        ({"hide": "k9"}, "`hide` names `k9`, which is not a control of this page"),
        ({"lock": "levels,k1"}, "`lock` names `levels`, which is not a control of this page"),
        ({"present": "yes"}, "`present` = `yes` is not 1"),
        ({"moments": "12,x"}, "`moments` = `12,x` is not a list of at most 100 calls, like 12,40"),
        ({"moments": "0"}, "`moments` = `0` is not a list of at most 100 calls, like 12,40"),
    ],
)
def test_unreadable_value_is_reported(query, problem):
    assert parse(query, kmeans.TABLE)[1] == [problem]


def test_one_name_locks_all_levels():
    said, problems = parse({"lock": "levels"}, hierarchy.TABLE)
    assert (said.held.locked, problems) == ({"levels"}, [])


def test_locked_control_is_shown_disabled():
    page = opened(k1="3", lock="k1,seed")
    assert widget(page, "slider", "k1-slider").disabled
    assert widget(page, "number_input", "k1-exact").disabled
    assert not widget(page, "number_input", "m1-exact").disabled
    (dice,) = [button for button in page.button if button.label == "Another seed"]
    assert dice.disabled
    lines = [said.value for said in page.sidebar.markdown]
    assert "**k₁** :material/lock: locked" in lines
    assert "locks or hides some controls" in page.sidebar.caption[-1].value
    press(page, "Reset")
    assert values(page)["k1"] == "3"


def test_hidden_control_is_absent_but_its_value_is_used():
    page = opened(k1="3", hide="k1,budget,init")
    assert not any("k1" in key for key in keys(page, "slider") | keys(page, "number_input"))
    assert not any("seconds" in key for key in keys(page, "number_input"))
    assert "kmeans-init-choice" not in keys(page, "selectbox")
    assert "kmeans-subset-choice" in keys(page, "selectbox")
    assert values(page)["k1"] == "3"
    assert [level["size"] for level in run_of(page).layout()["levels"]] == [3, 50]


def test_empty_section_is_absent():
    everything = "n_clusters,init,subset,how,k2,m2,k3,m3"
    assert [each.label for each in opened(hide=everything).sidebar.expander] == []
    (label,) = [each.label for each in opened(hide="init").sidebar.expander]
    assert label == "Clusters, restarts, levels"


def test_presets_that_change_locked_values_are_hidden():
    free = opened().sidebar.button_group[0].options
    held = opened(lock="data").sidebar.button_group[0].options
    assert free == [*kmeans.PRESETS]
    assert held == ["quick look", "where it loses"]


def test_locks_survive_a_change_of_data(offline_sets):
    page = opened(lock="n_clusters")
    put(page, "selectbox", "data-choice", "s1")
    assert (values(page)["data"], values(page)["n_clusters"]) == ("s1", "50")


def test_level_rows_can_be_locked():
    page = Visit("hierarchy").opened(lock="levels")
    rows = [each for each in page.number_input if "-level-" in each.key]
    assert rows and all(each.disabled for each in rows)
    page = Visit("hierarchy").opened(hide="levels")
    assert not [each for each in page.number_input if "-level-" in each.key]


def test_locks_are_passed_to_other_pages():
    page = opened(lock="m1", hide="seed", moments="2,3")
    given = player(page)
    assert given["held"] == {"hide": "seed", "lock": "m1"}
    assert given["address"] is None
    assert ["k1", "k₁"] in given["controls"] and ["columns", "Columns"] not in given["controls"]
    assert given["moments"] == "2,3"
    # the search starts, so that its bookmarked calls can be shown
    assert run_of(page).state != "ready"
    given = player(put(page, "slider", "k1-slider", 2))
    assert (given["address"]["lock"], given["address"]["hide"]) == ("m1", "seed")
    assert given["moments"] == ""  # the bookmarks were calls of another run


def test_a_name_that_does_not_exist_is_reported():
    page = opened(lock="speed")
    assert page.main.warning[0].value == (
        "This link has errors. `lock` names `speed`, which is not a control of this page. "
        "Default values are used instead."
    )
