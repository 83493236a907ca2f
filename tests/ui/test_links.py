"""Links restore the values that were written, and unreadable values are reported."""

import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from prviz.datasets.sets.drawn import MOST_LINKED, SIDE, encode
from prviz.ui.benchmarks import hmm
from prviz.ui.benchmarks.kmeans import BENCHMARK, DEFAULTS, TABLE
from prviz.ui.state.links import LARGEST_CALL, LONGEST_TEXT, parse, to_params
from prviz.ui.widgets.controls import Control

PLACES = st.tuples(st.integers(0, SIDE - 1), st.integers(0, SIDE - 1))
DRAWINGS = st.lists(PLACES, max_size=MOST_LINKED).map(encode)
TEXTS = {"view": st.sampled_from(["", "1,2", "20,3", "999999,1"]), "drawn": DRAWINGS}


def values_of(table):
    """Generate a random valid value for every control."""
    kinds = {
        "choice": lambda control: st.sampled_from(sorted(control.choices)),
        "whole": lambda control: st.integers(control.low, control.high),
        "real": lambda control: st.floats(control.low, control.high),
        "text": lambda control: TEXTS.get(control.name, st.text(min_size=1, max_size=LONGEST_TEXT)),
    }
    return st.fixed_dictionaries({control.name: kinds[control.kind](control) for control in table})


@pytest.mark.parametrize("table", [TABLE, hmm.TABLE], ids=["kmeans", "hmm"])
@given(data=st.data())
def test_values_of_a_link_are_read_back(table, data):
    values = data.draw(values_of(table))
    link = parse(to_params(values), table)
    assert link.values == values
    assert link.problems == []
    assert link.call is None


def test_too_long_text_is_left_out_and_reported():
    link = parse(to_params({"text": "a" * (LONGEST_TEXT + 1)}), hmm.TABLE)
    (said,) = [problem for problem in link.problems if problem.startswith("`text`")]
    assert said.startswith("`text` exceeds the 500 characters of a link")
    text = {"v": "1", "text": "b" * (hmm.KEPT + 1)}
    assert "`text` = `bbbbbbbbbbbbbbbbbbbbbbbb…` is not 1 to 10000 characters long" in (
        parse(text, hmm.TABLE).problems
    )


def test_drawing_is_stored_whole_or_as_a_hash():
    rng = np.random.default_rng(0)
    few, many = (encode(rng.integers(0, SIDE, (n, 2))) for n in (MOST_LINKED, MOST_LINKED + 1))
    own = {**DEFAULTS, "data": "draw"}
    link = to_params(BENCHMARK.linked({**own, "drawn": few}))
    assert len(link["drawn"]) == 400
    assert parse(link, TABLE).values["drawn"] == few
    short = to_params(BENCHMARK.linked({**own, "drawn": many}))["drawn"]
    assert len(short) == 13
    link = parse({"drawn": short}, TABLE)
    assert link.values["drawn"] == ""
    (said,) = link.problems
    assert said.endswith("120 points, the limit of a link: open its file, or draw it again")


LINKED = {control.name for control in TABLE if not control.later}


def test_hidden_drawing_is_not_in_the_link():
    assert BENCHMARK.linked({**DEFAULTS, "drawn": encode([(1, 2), (3, 4)])}).keys() == LINKED


@given(st.dictionaries(st.sampled_from([*DEFAULTS, "v", "call", "other"]), st.text()))
def test_any_text_gives_valid_values(query):
    link = parse(query, TABLE)
    for control in TABLE:
        value = link.values[control.name]
        if control.kind == "choice":
            assert value in control.choices
        elif control.kind == "text":
            (control.check or str)(value)  # raises ValueError for an invalid text
        else:
            assert control.low <= value <= control.high
            assert type(value) is (int if control.kind == "whole" else float)


def test_empty_query_gives_defaults_without_a_message():
    assert parse({}, TABLE) == (DEFAULTS, [], None, "")


def test_link_contains_default_values():
    assert set(to_params(DEFAULTS)) == {"v", *DEFAULTS}


@cases(
    ("query", "budget"),
    [
        ({"seconds": "3"}, "seconds"),
        ({"seconds": "3", "calls": "5"}, "calls"),
        ({"seconds": "3", "budget": "calls"}, "calls"),
    ],
)
def test_budget_is_in_seconds_only_if_a_link_has_no_calls(query, budget):
    assert parse(query, TABLE).values["budget"] == budget


def test_missing_value_of_a_versioned_link_is_reported():
    query = to_params(DEFAULTS)
    del query["m1"]
    assert parse(query, TABLE).problems == ["`m1` is missing"]
    del query["v"]
    assert parse(query, TABLE).problems == []


@cases("k1", [None, "", "full"])
def test_link_without_a_number_for_k1_opens_with_the_default(k1):
    query = {**to_params(DEFAULTS), "seed": "7"}
    query = {name: text for name, text in query.items() if name != "k1"}
    link = parse(query if k1 is None else {**query, "k1": k1}, TABLE)
    assert link.values == {**DEFAULTS, "seed": 7}
    assert len(link.problems) == 1 and link.problems[0].startswith("`k1` ")


@cases("name", ["view", "drawn"])
def test_links_from_before_a_control_was_added_are_read(name):
    query = to_params(DEFAULTS)
    del query[name]
    assert parse(query, TABLE) == (DEFAULTS, [], None, "")


@cases(
    ("name", "text", "problem"),
    [
        ("k1", "0", "is outside 1 to 500"),
        ("k1", "501", "is outside 1 to 500"),
        ("k1", "2.5", "is not a whole number"),
        ("k1", "1_0", "is not a whole number"),
        ("k1", "٣", "is not a whole number"),
        ("m1", "10001", "is outside 1 to 10000"),
        ("alpha", "nan", "is not a number"),
        ("alpha", "inf", "is not a number"),
        ("alpha", "1e999", "is outside 0 to 1"),
        ("alpha", "-0.1", "is outside 0 to 1"),
        ("alpha", "half", "is not a number"),
        ("seed", "-1", "is outside 0 to 2.14748e+09"),
        ("data", "a4", "is not one of a3-like, a3, s1, s2, draw, own"),
        ("data", "A3", "is not one of a3-like, a3, s1, s2, draw, own"),
        ("view", "3,3", "is not two columns, like 1,3"),
        ("view", "0,1", "is not two columns, like 1,3"),
        ("call", "0", "is not the number of a call"),
        ("call", str(LARGEST_CALL + 1), "is not the number of a call"),
    ],
)
def test_unreadable_value_is_reported_and_replaced_by_the_default(name, text, problem):
    expected = (DEFAULTS, [f"`{name}` = `{text}` {problem}"], None, "")
    assert parse({name: text}, TABLE) == expected


@cases(
    ("text", "shown"),
    [
        ("", "an empty text"),
        ("\n", "an empty text"),
        ("9" * 5000, f"`{'9' * 24}…`"),
        ("[x](`a`)", "`[x]('a')`"),
    ],
)
def test_message_escapes_odd_texts(text, shown):
    assert parse({"k1": text}, TABLE).problems == [f"`k1` = {shown} is not a whole number"]


def test_unknown_name_is_reported():
    assert parse({"colour": "red"}, TABLE) == (DEFAULTS, ["`colour` is unknown"], None, "")


def test_link_of_another_version_is_reported_and_read():
    link = parse({**to_params({**DEFAULTS, "k1": 3}), "v": "2"}, TABLE)
    assert link.problems == ["its version `2` is not 1"]
    assert link.values["k1"] == 3


def test_call_and_trace_hash_of_a_link_are_read():
    link = parse({"call": "245", "trace": "00c0ffee00c0ffee"}, TABLE)
    assert (
        link.problems == []
        and link.call == 245
        and link.at == {"call": "245", "trace": "00c0ffee00c0ffee"}
    )
    assert parse({"v": "1"}, TABLE).at == {}
    for text in ("00C0FFEE00C0FFEE", "c0ffee", "<b>"):
        link = parse({"trace": text}, TABLE)
        assert link.trace == "" and link.problems == [
            f"`trace` = `{text}` is not the hash of a trace"
        ]


def test_range_includes_both_ends():
    control = Control("x", "real", "x", 0.5, "", low=0.25, high=2.0)
    assert parse({"x": "0.25"}, [control]).values == {"x": 0.25}
    assert parse({"x": "2"}, [control]).values == {"x": 2.0}
    assert parse({"x": "2.001"}, [control]).problems == ["`x` = `2.001` is outside 0.25 to 2"]
