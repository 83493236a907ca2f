"""Words and numbers of the player, as its script makes them."""

import base64
import itertools

import numpy as np
import pytest
from handmade import (
    THIN,
)

from prviz.engine.trace import ROUNDING, improves
from prviz.player.export.bundle import STATIC


@pytest.fixture(scope="module")
def words(browser):
    """Calls a function of base/words.js."""
    source = (STATIC / "base" / "words.js").read_bytes()
    address = "data:text/javascript;base64," + base64.b64encode(source).decode()
    page = browser.new_page()
    page.evaluate(
        """async (address) => {
            const words = await import(address);
            const improvesEach = (cases, rounding) =>
                cases.map(([cost, best, first]) => words.improves(cost, best, first, rounding));
            globalThis.words = { ...words, improvesEach };
        }""",
        address,
    )
    yield lambda name, *values: page.evaluate(
        "([name, values]) => words[name](...values)", [name, list(values)]
    )
    page.close()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (9376.6, "9 377"),
        (85.312, "85.31"),
        (0.5, "0.5000"),
        (0.00234, "0.002340"),
        (0, "0"),
        (-2.2e-16, "0"),
        (1234567, "1 234 567"),
        (28937415099.7, "2.894e10"),
        (0.00001234, "1.234e−5"),
        (-9376.6, "−9 377"),
        (float("inf"), "∞"),
        (float("nan"), "–"),
        (None, "–"),
    ],
)
def test_numbers_for_people(words, value, text):
    assert words("number", value) == text.replace(" ", THIN)


@pytest.mark.parametrize(
    ("a", "b", "text"),
    [
        (9412, 9377, "9 412 > 9 377"),
        (9377.21, 9377.24, "9 377.21 < 9 377.24"),
        (28937415099.7, 28937496281.8, "2.89374e10 < 2.89375e10"),
        (5, 5, "5.000 = 5.000"),
        (2.772589259, 2.772589256, "2.773, 3e−9 more"),
        (1.0, 1.0000002, "1.000, 2e−7 less"),
    ],
)
def test_compared_costs_look_different_if_they_are(words, a, b, text):
    assert words("against", a, b).replace(THIN, " ") == text


NEAR = {"best_known": 100, "solved_within": 0.001}
ENDS = [
    (NEAR, 100.05, 125.0, ", solved", "25.0 % above the best known"),
    (NEAR, 112.5, 100.0, ", 12.5 % above the best known", "solved"),
    ({"best_known": 0}, 1.386, 2.773, ", 1.386 above the best known", "2.773 above the best known"),
    ({"best_known": None}, 3.2, 3.1, "", "3.100"),
]  # fmt: skip


@pytest.mark.parametrize(("known", "best", "full", "verdict", "other"), ENDS)
def test_a_story_ends_with_both_contestants(words, known, best, full, verdict, other):
    layout = {"cost": "WCSS", "rounding": ROUNDING, **known}
    frame = {"call": 3, "cost": best, "best": best}
    told = words("ending", frame, {"calls": 7, "head": {"full": full}}, layout).replace(THIN, " ")
    assert told.startswith("The best of 7 calls, from call 3: WCSS ")
    assert told.endswith(f"{verdict}. Full restarts in the same time: {other}.")
    alone = words("ending", frame, {"calls": 7, "head": {"full": None}}, layout).replace(THIN, " ")
    assert alone.endswith(f"{verdict or '3.200'}.")


@pytest.mark.parametrize(
    ("gap", "text"),
    [
        (0, "0 %"),
        (0.0583, "5.83 %"),
        (0.123, "12.3 %"),
        (2, "200 %"),
        (2.8e-6, "0.00028 %"),
        (1e-5, "0.001 %"),
        (None, "–"),
    ],
)
def test_gaps_for_people(words, gap, text):
    assert words("percent", gap) == text.replace(" ", THIN)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0021, "2.1 ms"), (0.2, "0.20 s"), (31.04, "31.0 s"), (1200, "1 200 s")],
)
def test_seconds_for_people(words, seconds, text):
    assert words("seconds", seconds) == text.replace(" ", THIN)


@pytest.mark.parametrize(
    ("chosen", "text"),
    [
        ([], "no centre"),
        ([17], "centre 17"),
        ([3, 17], "centres 3 and 17"),
        ([1, 2, 3], "centres 1, 2 and 3"),
        (list(range(12)), "12 centres"),
        (list(range(50)), "all 50 centres"),
    ],
)
def test_what_was_redrawn(words, chosen, text):
    assert words("redrawn", chosen, {"noun": ["centre", "centres"], "variables": 50}) == text


def test_the_gap_is_relative_and_needs_a_best_known(words):
    assert words("gapTo", 110, {"best_known": 100}) == pytest.approx(0.1)
    assert words("gapTo", -90, {"best_known": -100}) == pytest.approx(0.1)
    assert words("gapTo", 110, {"best_known": None}) is None
    assert words("gapTo", 0.1 + 0.2, {"best_known": 0.3, "rounding": 1e-12}) == 0


def test_sentences_of_middle_levels_and_first_results(words):
    layout = {
        "noun": ["state", "states"],
        "variables": 8,
        "levels": [{}, {}, {}],
        "cost": "−log-likelihood",
        "optimiser": "Baum–Welch",
    }
    frame = {"event": 1, "level": 2, "chosen": [1, 2], "counters": [0, 0, 0], "call": 5}
    assert words("sentence", frame, None, layout) == "Level 2: states 1 and 2 redrawn."
    before = {"call": 5, "cost": 30.5, "checkpoints": [float("inf"), 40.25, float("inf")]}
    kept = {**frame, "event": 3, "level": 1, "cost": 30.5, "newBest": True, "chosen": [4]}
    assert (
        words("sentence", kept, before, layout)
        == "State 4 redrawn; first result 30.50, kept: new best."
    )
    assert (
        words("sentence", {**kept, "level": 2}, before, layout)
        == "Level 2: 30.50 < 40.25, kept: new best."
    )
    assert words("sentence", kept, None, layout) == "State 4 redrawn; kept: new best."


def frame_of(event, chosen, level=1, **others):
    return {
        "event": event,
        "level": level,
        "chosen": chosen,
        "counters": [5, 5, 5],
        "call": 5,
        **others,
    }


def still(variables=50):
    return {
        "noun": ["centre", "centres"],
        "variables": variables,
        "levels": [{"alpha": 1}, {"alpha": 1}, {}],
        "cost": "WCSS",
        "optimiser": "Lloyd",
    }


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (frame_of(1, [17]), "α = 1: the redraw leaves centre 17 as it was."),
        (frame_of(1, [3, 17]), "α = 1: the redraw leaves centres 3 and 17 as they were."),
        (
            frame_of(1, list(range(50)), 2),
            "Level 2, α = 1: the redraw leaves all 50 centres as they were.",
        ),
        (frame_of(1, list(range(50)), 3), "Restart 6: all 50 centres redrawn."),
        (frame_of(1, []), "No centre redrawn."),
        (frame_of(3, [17]), "Centre 17 as it was; kept."),
        (frame_of(3, list(range(50))), "All 50 centres as they were; kept."),
    ],
)
def test_with_alpha_1_nothing_is_said_to_be_redrawn(words, frame, said):
    assert words("sentence", frame, None, still()) == said
    slight = {**still(), "levels": [{"alpha": 0.999}] * 2 + [{}]}
    assert "as it was" not in words("sentence", frame, None, slight)
    assert "as they were" not in words("sentence", frame, None, slight)


def test_rounding_is_what_it_is_in_the_trace(words):
    costs = [0.0, 2e-13, 5e-13, 1e-9, 1.0, 1.0 + 1e-12, 1.0 + 3e-12, -1.0, 29147471515.19111]
    costs += [29147471515.191113, 29147471516.0, np.inf]
    cases = [*itertools.product(costs, costs, [0.0, 2.5, 5e10, np.inf])]
    found = words("improvesEach", cases, ROUNDING)
    assert found == [bool(improves(*case)) for case in cases]
    assert {*found} == {True, False}


@pytest.mark.parametrize(("first", "said"), [(2.5, "="), (1e-9, "<")])
def test_a_cost_near_0_is_compared_with_the_first(words, first, said):
    layout = {**still(), "levels": [{}, {}], "rounding": ROUNDING}
    kept = frame_of(3, [17], cost=2e-13, newBest=False)
    before = {"call": 5, "cost": 2e-13, "checkpoints": [5e-13, 5e-13]}
    told = words("sentence", kept, before, layout, first)
    assert told.startswith("Centre 17 redrawn; ")
    assert f" {said} " in told
