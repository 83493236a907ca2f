"""The Hierarchy page without a browser: levels are edited, checked, put into a link, and run."""

import re
from itertools import pairwise

import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from visits import Visit, checked, player, press, run_of, values

from prviz.engine.schedule import Level, Schedule
from prviz.player.live import LiveRun
from prviz.problems import PROBLEMS
from prviz.ui.benchmarks import hierarchy
from prviz.ui.levels import editor as editor_module
from prviz.ui.levels import rows
from prviz.ui.serve import session
from prviz.ui.widgets.controls import Controls

VISIT = Visit("hierarchy")
put = VISIT.put
DEFAULTS = {control.name: control.default for control in hierarchy.TABLE}
DEFAULTS |= {"benchmark": "landscape", "levels": "1x20,3x10,10"}  # the benchmark of most tests

pytestmark = pytest.mark.usefixtures("quiet_engine", "no_rates")


@pytest.fixture
def no_rates(monkeypatch):
    """Disable all timing."""
    monkeypatch.setattr(session, "_rates", {})
    monkeypatch.setattr(LiveRun, "pace", lambda run: None)


def opened(**query):
    """Open the page, by default on a landscape."""
    return VISIT.opened(**{"benchmark": "landscape", **query})


def text(page):
    return values(page)["levels"]


def levels_of(page):
    """Return the levels of the run."""
    return run_of(page)._search.schedule.levels()


def chosen(page, preset):
    return checked(page.get("button_group")[0].set_value(preset).run())


def button(page, label):
    (found,) = [found for found in page.button if found.label == label]
    return found


def entry(page, level, field, kind="number_input"):
    name = f"hierarchy-level-{level}-{field}-"
    (found,) = [widget for widget in getattr(page, kind) if (widget.key or "").startswith(name)]
    return found


def type_in(page, level, field, value, kind="number_input"):
    return checked(entry(page, level, field, kind).set_value(value).run())


def red(page):
    """Return the errors shown below the levels."""
    return [words.value for words in page.sidebar.markdown if words.value.startswith(":red[")]


def test_page_opens_with_two_and_three_levels_of_a_spin_glass():
    page = VISIT.opened()
    run = run_of(page)
    patch = {"subset": "patch"}
    assert run.schedule.levels() == [Level(10, 300, **patch), Level(100, 1000, **patch), Level(343)]
    assert run._full.search.schedule.levels() == [Level(10, 300_000, **patch), Level(343)]
    assert run.layout()["names"] == {"partial": "Three levels", "full": "Two levels"}
    assert page.get("button_group")[0].value == "three levels"


def test_removing_the_middle_level_keeps_the_calls_per_restart():
    patch = {"subset": "patch"}
    three = [Level(1, 20, **patch), Level(3, 10, 0.5), Level(10)]
    assert hierarchy.without_middle(three) == [Level(1, 200, **patch), Level(10)]
    assert hierarchy.without_middle(three[1:]) is True


def test_page_opens_with_three_levels_on_a_landscape():
    page = opened()
    assert values(page) == {name: str(value) for name, value in DEFAULTS.items()}
    assert levels_of(page) == [Level(1, 20), Level(3, 10), Level(10)]
    assert player(page)["page"] == "/hierarchy"
    assert player(page)["lines"] is True
    assert run_of(page).state == "ready"
    assert page.main.markdown[0].value == "# Hierarchy on a landscape of 10 dimensions"
    presets = page.get("button_group")[0]
    assert presets.options == ["standard method", "two levels", *MORE_LEVELS]
    assert presets.value == "three levels"
    assert not page.error
    assert not page.warning


def test_a_recorded_run_is_shown_while_the_kernels_compile(monkeypatch):
    monkeypatch.setattr(LiveRun, "kernels_ready", lambda run: False)
    page = opened(benchmark="kmeans", levels="1x7,9x3,50")
    assert player(page)["run"] == "recorded-hierarchy"
    assert page.main.markdown[0].value == "# Spin glass: 7 × 7 × 7 torus, Gaussian couplings"
    assert text(page) == "1x7,9x3,50"


MORE_LEVELS = ["three levels", "four levels"]


@cases("name", hierarchy.CASES)
def test_every_benchmark_has_its_presets(name):
    case, first = hierarchy.CASES[name], hierarchy.CASES[name].first
    two = "paper" if name != "cube" and PROBLEMS[name].paper else "two levels"
    presets = hierarchy.presets({"benchmark": name, "dimensions": 10})
    assert [*presets] == ["standard method", two, *MORE_LEVELS]
    for m, preset in enumerate(presets.values(), start=1):
        found = rows.read(preset["levels"])
        assert len(found) == m
        Schedule.from_levels(found, found[-1].size)
        if m > 1:
            twice = 2 * found[-1].size // first.size
            stated = case.presets.get(m)
            assert stated is None or rows.write(found) == stated
            if stated:
                continue
            assert found[0] == first._replace(repeats=first.repeats if m == 2 else twice)
            assert [level.repeats for level in found[1:]] == [10] * (m - 2) + [0]
        steps = [high.size / low.size for low, high in pairwise(found)]
        # nearly equal, because sizes are integers
        assert not steps or max(steps) / min(steps) < 1.6


@cases(
    ("dimensions", "options", "three"),
    [
        (1, ["standard method", "two levels"], None),
        (2, ["standard method", "two levels", "three levels"], "1x4,2x10a0.5,2"),
        (20, ["standard method", "two levels", *MORE_LEVELS], "1x40,4x10,20"),
    ],
)
def test_presets_need_enough_variables(dimensions, options, three):
    values = {"benchmark": "landscape", "dimensions": dimensions}
    assert [*hierarchy.presets(values)] == options
    begun = hierarchy.begin(values, dimensions)
    assert three is None or rows.write(begun) == three
    Schedule.from_levels(begun, dimensions)


def test_levels_can_be_edited_added_and_removed():
    page = opened(benchmark="kmeans")
    assert text(page) == "1x100,7x10,50"
    type_in(page, 2, "size", 5)
    type_in(page, 2, "alpha", 0.123456789)
    assert text(page) == "1x100,5x10a0.123457,50"
    type_in(page, 2, "alpha", 0.25)
    type_in(page, 1, "repeats", 30)
    type_in(page, 3, "repeats", 4)
    assert entry(type_in(page, 1, "repeats", None), 1, "repeats").value == 30  # the former value
    assert text(page) == "1x30,5x10a0.25,50x4"
    assert levels_of(page) == [Level(1, 30), Level(5, 10, 0.25), Level(50, 4)]
    press(page, "Add level")
    assert text(page) == "1x30,5x10a0.25,16x10,50x4"
    press(page, "Remove level 1")
    assert text(page) == "5x10a0.25,16x10,50x4"
    assert entry(page, 1, "size").value == 5
    press(page, "Remove level 1")
    press(page, "Remove level 1")
    assert levels_of(page) == [Level(50, 4)]
    assert page.caption[0].value.startswith("Every call is a restart")
    press(page, "Add level")
    assert text(page) == "1x10,50x4"


def test_top_level_redraws_all_variables_and_may_repeat_without_limit():
    page = opened(levels="1x20,10x5")
    assert entry(page, 2, "size").disabled
    assert button(page, "Remove level 2").disabled
    type_in(page, 2, "repeats", None)
    assert levels_of(page)[-1] == Level(10)
    assert text(page) == "1x20,10"


def test_page_has_at_most_eight_levels():
    page = opened(benchmark="kmeans", levels="1x9,2x9,3x9,4x9,5x9,6x9,50")
    assert not button(page, "Add level").disabled
    press(page, "Add level")
    assert len(levels_of(page)) == 8
    assert button(page, "Add level").disabled
    assert button(page, "Add level").help == "There are 8 levels, the maximum."
    assert not page.error


@cases(
    ("level", "field", "value", "words"),
    [
        (2, "size", 1, "k₂ = 1 is not above k₁ = 1"),
        (1, "repeats", 0, "M₁ = 0: choose 1 or more"),
        (1, "alpha", 2.0, "α₁ = 2: choose a number from 0 to 1"),
    ],
)
def test_invalid_levels_are_reported_and_prevent_a_run(level, field, value, words):
    page = opened(benchmark="kmeans")
    before = player(page)["run"]
    sound = entry(page, level, field).value
    type_in(page, level, field, value)
    assert len(red(page)) == len(page.error) == 1
    assert words in red(page)[0]
    assert words in page.error[0].value
    assert words in player(page)["hindered"]
    assert player(page)["run"] == before  # the last result stays visible
    assert entry(page, level, field).value == value  # the input stays, too
    checked(page.run())
    assert entry(page, level, field).value == value
    type_in(page, level, field, sound)
    assert not red(page)
    assert not page.error
    assert not player(page)["hindered"]


def test_delayed_browser_events_are_ignored():
    """Fields of changed levels get new keys, so late events of the old fields are ignored."""
    page = opened(benchmark="kmeans")
    behind = entry(page, 2, "size")
    chosen(page, "four levels")
    assert entry(page, 2, "size").key != behind.key
    editor, values_now = hierarchy.EDITOR, {"levels": "1x100,50"}
    controls = Controls("hierarchy", (), values_now)
    state = {"hierarchy-entries": {"count": 5, "show": "1x100,50"}, "hierarchy-level-2-size-4": 7}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(editor_module.st, "session_state", state)
        editor._take(controls, 2, "size", "hierarchy-level-2-size-4")
        editor._take_out(values_now, 2)
        editor._take_out(values_now, 3)
    assert values_now == {"levels": "1x100,50"}


def test_long_restarts_are_accepted_and_endless_ones_rejected():
    page = opened(benchmark="kmeans")
    type_in(page, 1, "repeats", 10**12)
    assert not page.error
    assert "10¹³ calls per restart" in page.caption[0].value
    type_in(page, 1, "repeats", 9_999_999_999_999)
    assert page.error[0].value == "M₁ is too large: choose up to 10¹²."
    assert player(page)["hindered"] == page.error[0].value
    type_in(page, 1, "repeats", 10**12)
    before = player(page)["run"]
    type_in(page, 3, "repeats", 10**6)
    assert "10¹⁹ calls, at least 32\u202f000 years here" in page.error[0].value
    assert player(page)["hindered"]
    assert player(page)["run"] == before


def test_restart_time_is_shown_and_limited_after_the_first_call(monkeypatch):
    monkeypatch.setattr(LiveRun, "pace", lambda run: 400.0)
    page = opened()
    assert "here" not in page.caption[0].value  # no call yet
    run_of(page)._tally.outcomes.append(0)
    checked(page.run())
    assert "200 calls per restart (20 × 10), about 0.5 s here." in page.caption[0].value
    type_in(page, 3, "repeats", 172_800)
    assert not page.error
    assert "about 24 hours" in page.caption[0].value
    type_in(page, 3, "repeats", 172_801)
    assert "M₃ = 172\u202f801 asks for 34\u202f560\u202f200 calls, about 24" in page.error[0].value
    assert player(page)["hindered"]


def test_restart_time_is_shown_if_the_first_call_is_slow(monkeypatch):
    monkeypatch.setattr(LiveRun, "pace", lambda run: 400.0)
    asked = []

    def second(run):
        asked.append(run)
        if len(asked) > 1:  # the first call has not ended at the first request
            run._tally.outcomes.append(0)
        return b""

    monkeypatch.setattr(LiveRun, "opening", second)
    assert "about 0.5 s here." in opened().caption[0].value


def test_new_benchmark_keeps_the_number_of_levels():
    page = chosen(opened(), "four levels")
    put(page, "selectbox", "benchmark-choice", "hmm")
    assert text(page) == "8x16,16x10,32x10,64"
    assert page.main.markdown[0].value == "# Hierarchy on 64 random bits"
    put(page, "selectbox", "benchmark-choice", "landscape")
    assert len(levels_of(page)) == 4


def test_typed_levels_are_restored_with_their_benchmark():
    page = type_in(opened(), 2, "size", 7)
    put(page, "selectbox", "benchmark-choice", "kmeans")
    type_in(page, 1, "repeats", 33)
    put(page, "selectbox", "benchmark-choice", "landscape")
    assert text(page) == "1x20,7x10,10"
    put(page, "selectbox", "benchmark-choice", "kmeans")
    assert text(page) == "1x33,7x10,50"


def test_new_dimensions_change_a_preset_but_not_typed_levels():
    page = put(opened(), "number_input", "dimensions-exact", 20)
    assert text(page) == "1x40,4x10,20"
    type_in(page, 2, "size", 7)
    put(page, "number_input", "dimensions-exact", 5)
    assert page.session_state["hierarchy"].values["levels"] == "1x40,7x10,5"
    assert text(page) == "1x40,7x10,20"  # the address has the levels of the shown run
    assert "k₂ = 7 exceeds N = 5, the number of coordinates" in red(page)[0]
    put(page, "number_input", "dimensions-exact", 12)
    assert levels_of(page) == [Level(1, 40), Level(7, 10), Level(12)]


def test_alpha_is_hidden_if_it_does_not_apply():
    page = opened(benchmark="kmedoids")
    assert not [box for box in page.number_input if box.label == "α₁"]
    page = opened(benchmark="kmedoids", levels="1x9a0.5,121")
    assert levels_of(page) == [Level(1, 9), Level(121)]
    assert page.error[0].value == "α does not apply to medoids: it is set to 0."
    assert not player(page)["hindered"]


def test_each_level_has_its_own_subset_choice():
    page = opened(benchmark="kmedoids")
    type_in(page, 2, "subset", "local", "selectbox")
    assert text(page) == "1x242,11x10:local,121"
    assert [level.subset for level in levels_of(page)] == ["random", "local", "random"]
    assert not [box for box in opened().selectbox if "Sub-sets" in box.label]


def test_boxes_describe_the_shown_run_and_an_error_is_below_its_level():
    page = opened(benchmark="kmeans", levels="1x7,9x3,50")
    type_in(page, 1, "size", 9)  # an invalid size: the previous run stays
    (boxes,) = [found.proto.body for found in page.get("html") if "<b>Level 1" in found.proto.body]
    assert re.findall("<b>(.*?)</b>", boxes) == ["Level 3, a restart", "Level 2", "Level 1"]
    assert "k₁\u00a0=\u00a01 of 50 centres" in boxes
    places = {getattr(node, "key", None) or node.value: i for i, node in enumerate(page.sidebar)
              if node.type in ("number_input", "markdown")}  # fmt: skip
    (error,) = red(page)  # below its level
    above, below = (entry(page, level, "size").key for level in (2, 1))
    assert places[above] < places[error] < places[below]


def test_alpha_1_warns_that_nothing_is_redrawn():
    page = opened(benchmark="kmeans", levels="1x7a1,50")
    assert "With α = 1 nothing changes" in page.sidebar.caption[0].value


def test_the_notice_names_the_levels():
    page = press(opened(), "Run")
    type_in(page, 1, "repeats", 7)
    assert player(page)["notice"] == (
        "Levels are now k₁ = 1, M₁ = 7; k₂ = 3, M₂ = 10; k₃ = 10: new run"
    )


def test_reset_restores_the_benchmarks_levels():
    page = opened(benchmark="rbm")
    first = values(page)
    assert first["levels"] != DEFAULTS["levels"]
    page = put(type_in(page, 1, "repeats", 7), "number_input", "seed-exact", 5)
    press(page, "Reset")
    assert values(page) == first
    assert button(page, "Reset").help == "Reset all controls except Benchmark"


# Links


@st.composite
def links(draw):
    """Generate random valid values of the page."""
    name = draw(st.sampled_from([*hierarchy.CASES]))
    dimensions = draw(st.integers(1, 20))
    n = hierarchy.n({"benchmark": name, "dimensions": dimensions})
    below = draw(st.integers(0, min(7, n - 1)))
    sizes = sorted(draw(st.permutations(range(1, n)))[:below])
    alpha = st.floats(0, 1) if hierarchy.CASES[name].partial else st.just(0.0)
    found = [Level(k, draw(st.integers(1, 50)), draw(alpha)) for k in sizes]
    return {
        "v": "1",
        "benchmark": name,
        "dimensions": str(dimensions),
        "ripple": "2.5",
        "rotated": draw(st.sampled_from(["no", "yes"])),
        "levels": rows.write([*found, Level(n, draw(st.integers(0, 3)))]),
        "budget": "calls",
        "seconds": "3.5",
        "calls": "77",
        "seed": str(draw(st.integers(0, 99))),
    }


@settings(max_examples=8)
@given(link=links())
def test_link_restores_all_values_and_levels(link):
    page = opened(**link)
    assert {"v": "1", **values(page)} == link
    assert rows.write(levels_of(page)) == link["levels"]
    assert not page.warning
    assert not page.error


@cases(
    ("text_of_link", "words"),
    [
        ("1x20,3y10,10", "level 2 must be written like 4x10a0.5"),
        ("3x20,3x10,10", "k₂ = 3 is not above k₁ = 3"),
        ("1x5:local,10", "“local”, which this problem does not have"),
        ("x" * 600, "is not 1 to 500 characters long"),
    ],
)
def test_invalid_levels_of_a_link_are_reported(text_of_link, words):
    page = opened(levels=text_of_link)
    assert words in page.warning[0].value
    assert text(page) == DEFAULTS["levels"]
    assert not page.error


def test_link_whose_top_level_is_partial_is_corrected_and_reported():
    page = opened(benchmark="kmeans", levels="1x10,40")
    assert "k₂ = 40 is not the number of centres, so it is now 50" in page.warning[0].value
    assert text(page) == "1x10,50"
