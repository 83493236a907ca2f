"""The levels of a page are written as text, checked by rules, and have an estimated cost."""

import math
import re

import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st

from prviz.engine.schedule import MAX_LEVELS, Level, Schedule
from prviz.engine.subsets import heuristics
from prviz.ui.levels import rows
from prviz.ui.levels.nesting import nesting
from prviz.ui.widgets.formatting import about, counted, digits, duration, sub

numbers = st.integers(-rows.LARGEST, rows.LARGEST)
alphas = st.floats(-10, 10, allow_nan=False) | st.sampled_from([0.0, 0.5, 1e-5, 1.0])
any_level = st.builds(Level, numbers, numbers, alphas, st.sampled_from(heuristics()), st.none())
any_levels = st.lists(any_level, min_size=1, max_size=MAX_LEVELS)
small_level = st.builds(
    Level,
    st.integers(-1, 8),
    st.integers(-1, 3),
    st.sampled_from([0.0, 0.5, 1.0, 1.5]),
    st.just("random"),
    st.none(),
)


@st.composite
def sound_levels(draw, most=60):
    n = draw(st.integers(1, most))
    below = draw(st.integers(0, min(MAX_LEVELS - 1, n - 1)))
    sizes = sorted(draw(st.permutations(range(1, n)))[:below])
    M = st.integers(1, 10**6)
    found = [Level(k, draw(M), draw(st.floats(0, 1))) for k in sizes]
    return n, [*found, Level(n, draw(st.integers(0, 50)))]


# ---- the text


@given(any_levels)
def test_levels_written_as_text_are_read_back(levels):
    assert rows.read(rows.write(levels)) == levels


def test_levels_are_described_in_words():
    words = "k₁ = 1, M₁ = 100, α₁ = 0.5; k₂ = 4, M₂ = 10, sub-sets “local”; k₃ = 50"
    assert rows.levels_text("1x100a0.5,4x10:local,50") == words


@settings(max_examples=20)
@given(st.text(alphabet="0123456789xa.,:e-r", max_size=40) | st.text(max_size=40))
def test_any_text_gives_levels_or_an_error(text):
    try:
        levels = rows.read(text)
    except ValueError as error:
        assert "level" in str(error)
    else:
        assert rows.read(rows.write(levels)) == levels


def test_levels_are_written_as_text_and_read_back():
    assert rows.read("1x100:local,4x10a0.5,50") == [
        Level(1, 100, subset="local"),
        Level(4, 10, 0.5),
        Level(50),
    ]
    assert rows.write([Level(1, 100), Level(50, 3)]) == "1x100,50x3"


@cases(
    ("text", "problem"),
    [
        ("", "level 1 must be written like 4x10a0.5"),
        ("1x100,,50", "level 2 must be written"),
        ("1x100;50", "level 1 must be written"),
        ("1×100,50", "level 1 must be written"),
        ("1.5x100,50", "level 1 must be written"),
        ("1x100,50 ", "level 2 must be written"),
        ("٣x1,50", "level 1 must be written"),
        ("1x100anan,50", "level 1 must be written"),
        ("99999999999999x1,50", "level 1 must be written"),
        ("1,50", "level 1 has no M"),
        (
            ",".join(f"{k}x1" for k in range(1, 13)),
            "there are 12 levels, but at most 8 are allowed",
        ),
    ],
)
def test_unreadable_text_is_reported(text, problem):
    with pytest.raises(ValueError, match=problem):
        rows.read(text)


# ---- the rules


@given(st.lists(small_level, min_size=1, max_size=4), st.integers(1, 6))
def test_rules_match_the_checks_of_schedules(levels, n):
    broken = rows.broken(levels, n, "centres")
    try:
        Schedule.from_levels(levels, n)
    except ValueError:
        assert broken
    else:
        assert not broken
    assert set(broken) <= set(range(1, len(levels) + 1))


@cases(
    ("text", "level", "words"),
    [
        ("5x10,5x10,50", 2, "k₂ = 5 is not above k₁ = 5: sizes must grow from level to level."),
        ("5x10,4x10,50", 2, "k₂ = 4 is not above k₁ = 5"),
        ("0x10,50", 1, "k₁ = 0: redraw at least 1 of the centres."),
        ("60x10,50", 1, "k₁ = 60 exceeds N = 50, the number of centres: choose less."),
        ("50x10,50", 1, "k₁ = N = 50 with α = 0 is a restart, as on the top level"),
        ("1x10,40", 2, "k₂ = 40: the top level redraws all 50 centres; make it 50."),
        ("1x0,50", 1, "M₁ = 0: choose 1 or more, or remove the level."),
        ("1x10,50x-1", 2, "M₂ = -1: choose 1 or more"),
        ("1x9999999999999,50", 1, "M₁ is too large: choose up to 10¹²."),
        ("1x10a1.5,50", 1, "α₁ = 1.5: choose a number from 0 to 1."),
        ("1x10,50a0.5", 2, "α₂ = 0.5: a restart keeps nothing; make it 0."),
        ("1x10:local,50", 1, "sub-sets “local”, which this problem does not have: choose random."),
    ],
)
def test_error_of_a_broken_rule_names_the_level_and_the_fix(text, level, words):
    broken = rows.broken(rows.read(text), 50, "centres")
    assert list(broken) == [level]
    assert words in broken[level]


def test_all_broken_rules_are_reported():
    assert list(rows.broken(rows.read("0x10,7x0,60x1,50"), 50, "centres")) == [1, 2, 3]


# ---- added levels


@cases(
    ("before", "after"),
    [
        ("50", "1x10,50"),
        ("1x100,50", "1x100,7x10,50"),
        ("1x100,7x10,50", "1x100,7x10,19x10,50"),
        ("49x100,50", "7x10,49x100,50"),
        ("1x100,2", "1x100,2x10a0.5,2"),
        ("1", "1x10a0.5,1"),
    ],
)
def test_new_level_splits_the_widest_gap(before, after):
    levels = rows.read(before)
    assert rows.write(rows.added(levels, levels[-1].size)) == after


@cases("full", ["1x1,2x1a0.5,2", "1x1,2x1,3x1,4x1,5x1,6x1,7x1,50"])
def test_no_level_is_added_without_room(full):
    levels = rows.read(full)
    assert rows.added(levels, levels[-1].size) is None


@given(sound_levels())
def test_an_added_level_breaks_no_rule_and_keeps_the_other_levels(case):
    n, levels = case
    assert rows.broken(levels, n, "centres") == {}
    more = rows.added(levels, n)
    if more is None:
        assert len(levels) == MAX_LEVELS or len({level.size for level in levels}) >= n
    else:
        assert rows.broken(more, n, "centres") == {}
        assert len(more) == len(levels) + 1
        assert [level for level in more if level in levels] == levels


# ---- the cost


@cases(
    ("text", "rate", "words"),
    [
        (
            "1x100,50",
            None,
            "100 calls per restart. The number of calls in 2 s is unknown before a first run.",
        ),
        (
            "1x100,7x10,50",
            5000,
            "1 000 calls per restart (100 × 10), about 0.2 s here. "
            "2 s allow about 10 000 calls: 10 restarts.",
        ),
        (
            "1x100,7x10,50x3",
            5000,
            "1 000 calls per restart (100 × 10), about 0.2 s here. "
            "M₃ requires 3 000 calls in all, about 0.6 s. 2 s allow about 10 000 calls: 10 "
            "restarts.",
        ),
        (
            "1x1000000000000,50",
            1000,
            "10¹² calls per restart, about 32 years here. "
            "2 s allow about 2 000 calls: less than one restart.",
        ),
        (
            "50",
            100,
            "Every call is a restart, the standard method. 2 s allow about 200 calls.",
        ),
    ],
)
def test_cost_of_levels_is_estimated(text, rate, words):
    told = rows.cost(rows.read(text), rate, seconds=2.0, calls=None)
    assert told.replace("\u202f", " ") == words


def test_time_of_calls_is_estimated():
    told = rows.cost(rows.read("1x100,50"), 500.0, seconds=None, calls=1000)
    assert "The budget ends the run after 1\u202f000 calls, about 2 s here." in told


def test_restarts_that_take_more_than_a_day_are_rejected():
    day = rows.read("1x100,50x864")
    assert rows.endless(day, 1.0) == ""
    told = rows.endless(rows.read("1x100,50x865"), 1.0).replace("\u202f", " ")
    assert told.startswith("M₂ = 865 asks for 86 500 calls, about 24 hours here")
    assert "leave M₂ empty" in told
    assert rows.endless(rows.read("1x1000000000000,50"), 1.0) == ""  # the budget ends the run


def test_impossible_restarts_are_rejected_before_timing():
    levels = rows.read("1x1000000,7x1000000,50x1000000")
    told = rows.endless(levels, None).replace("\u202f", " ")
    assert "10¹⁸ calls, at least 3 200 years here" in told


# ---- the boxes


def test_boxes_are_in_order_of_execution():
    levels = [Level(1, 100, 0.25, "local"), Level(7, 10), Level(50)]
    html = nesting(levels, 50, "centres", "Lloyd & co.")
    read = re.sub("<[^>]*>", "\n", html).replace("\u00a0", " ")
    assert [line for line in read.split("\n") if line.strip()] == [
        *("Level 3, a restart", "until the budget ends", "redraw all 50 centres"),
        *("Level 2", "M₂ = 10 times", "redraw k₂ = 7 of 50 centres"),
        *("Level 1", "M₁ = 100 times"),
        "redraw k₁ = 1 of 50 centres, each keeping α = 0.25 of its old value, sub-sets “local”",
        "Lloyd &amp; co. is called.",
        *["Keep it if the cost is no higher, otherwise revert."] * 2,
        "Keep it if it is the best so far.",
    ]
    assert re.findall(r"--share: ([\d.]+)", html) == ["1.0000", "0.1400", "0.0200"]
    assert html.count("<div") == html.count("</div>") == 5


# ---- rounded numbers


def test_amounts_are_rounded():
    assert [digits(x).replace("\u202f", " ") for x in (0, 7, 12345, 999_999_999)] == [
        "0",
        "7",
        "12 345",
        "999 999 999",
    ]
    assert [digits(x).replace("\u202f", " ") for x in (0.123, 9.99, 1234.0, 99_999.0)] == [
        "0.12",
        "10",
        "1 200",
        "100 000",
    ]
    assert [digits(x) for x in (10**9, 1.5e7, 3.14e40, 10**96)] == [
        "10⁹",
        "1.5·10⁷",
        "3.1·10⁴⁰",
        "10⁹⁶",
    ]
    assert (counted(1, "call"), counted(2, "call"), sub(12)) == ("1 call", "2 calls", "₁₂")


@given(st.floats(1.0, 9e6))
def test_rounding_changes_a_number_by_at_most_5_percent(x):
    assert math.isclose(float(digits(x).replace("\u202f", "")), x, rel_tol=0.051)


@cases(
    ("seconds", "words"),
    [
        (0.004, "less than 0.01 s"),
        (0.25, "about 0.25 s"),
        (119.0, "about 120 s"),
        (120.0, "about 2 minutes"),
        (7200.0, "about 2 hours"),
        (3 * 86_400.0, "about 3 days"),
        (40 * 365.25 * 86_400, "about 40 years"),
        (1e60, "about 3.2·10⁵² years"),
    ],
)
def test_times_are_rounded(seconds, words):
    assert about(seconds) == words
    assert seconds < 0.01 or about(seconds) == f"about {duration(seconds)}"
