"""Answers of lessons equal those computed by hand, and reports compare them with bets."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from cases import cases

from prviz.engine.trace import KEPT, REVERTED, Rows, Trace, best_so_far
from prviz.figures.bet import bet_info, piled, plot_bet, plot_searches
from prviz.lessons.asking import KINDS, Answers, Runs, amount, checked, curves_of
from prviz.lessons.lesson import Lesson, Question, Settings

KNOWN = 100.0


def trace(costs, iterations=10, kept=None):
    """Return a trace with these costs, one call each, on one level."""
    n = len(costs)
    kept = np.full(n, KEPT) if kept is None else np.array(kept)
    return Trace(
        Rows(
            np.ones(n, np.int8),
            np.array(costs, float),
            best_so_far(np.array(costs, float)),
            np.full(n, iterations, np.int32),
            np.zeros(n),
            kept.astype(np.int8).reshape(n, 1),
            np.full((n, 1), 2, np.int32),
            np.empty(0, np.int32),
        ),
        2,
    )


def answer(kind, *traces, **asked):
    question = Question(kind, "?", **asked)
    named = {f"run {i}": each for i, each in enumerate(traces)}
    return KINDS[kind].answer(Runs(question, KNOWN, named))


def lesson(kind, calls=50, rivals=None, **asked):
    words = {"title": "T", "text": "Words.", "after": "After."}
    question = Question(kind, "How many?", **asked)
    return Lesson(
        Path("t.toml"), words, settings=Settings(calls=calls), question=question, rivals=rivals
    )


RUN = trace([200, 150, 160, 120, 130], kept=[KEPT, KEPT, REVERTED, KEPT, REVERTED])


@cases(
    ("kind", "asked", "expected"),
    [
        ("gap", {"call": 3}, 60.0),
        ("lowest", {"call": 3}, 50.0),
        ("curve", {"marks": (1, 3, 5)}, [100.0, 50.0, 20.0]),
        ("kept", {"call": 3}, "reverted"),
        ("kept", {"call": 4}, "kept"),
        ("number_kept", {"call": 2, "last": 4}, 2.0),
        ("until_improved", {"call": 2}, 2.0),
        ("until_improved", {"call": 4}, math.inf),
        ("until_solved", {"within": 25.0}, 4.0),
        ("until_solved", {"within": 1.0}, math.inf),
    ],
)
def test_answers_of_one_run_equal_a_hand_calculation(kind, asked, expected):
    assert answer(kind, RUN, **asked) == expected


def test_crossover_is_the_last_crossing():
    ours = trace([200, 150, 140, 110])  # costs after 10, 20, 30 and 40 iterations
    theirs = trace([145, 130], iterations=20)  # costs after 20 and 40 iterations
    # only `ours` has a cost at 10; it is behind at 20 (150 > 145), ahead from 30 on (140 < 145)
    assert answer("crossover", ours, theirs) == 30.0
    assert answer("crossover", theirs, ours) == math.inf
    assert answer("crossover", trace([90, 80]), trace([100, 95])) == 10.0


def test_lowest_cost_wins_and_ties_go_to_the_first():
    slow, quick, far = trace([150, 110]), trace([110, 110]), trace([150, 120, 90])
    assert answer("winner", slow, quick, far, work=20) == "run 1"
    assert answer("winner", slow, quick, far, work=30) == "run 2"


def test_answer_is_reported_with_quartiles_and_number_of_misses():
    found = Answers(lesson("until_solved"), 30.0, [10.0, 20.0, 30.0, 40.0, math.inf])
    assert found.middle() == (20.0, 30.0, 40.0)
    assert found.compared(25.0) == (
        "You: 25 calls. This seed: 30 calls; middle half of 5 seeds: 20–40 calls. "
        "1 of the seeds needed more than 50 calls. Your bet lies within that half."
    )
    assert found.compared(45.0).endswith("4 of 5 answers are lower than your bet.")


def test_question_until_improved_counts_the_calls_after_a_given_call():
    found = Answers(lesson("until_improved", call=20), math.inf, [3.0, math.inf])
    assert found.found().startswith("This seed: more than 30 calls; middle half of 2 seeds: ")
    assert found.found().endswith("1 of the seeds needed more than 30 calls.")
    assert found.call == 0
    assert Answers(lesson("until_improved", call=20), 5.0, [5.0]).call == 25


def test_answer_in_words_is_reported_with_counts():
    found = Answers(lesson("kept", call=2), "reverted", ["kept", "reverted", "reverted"])
    assert found.compared("kept") == (
        "You: kept. This seed: reverted; seeds per answer (n = 3): kept (1), reverted (2)."
    )


def test_curve_is_compared_at_its_end_and_at_marks():
    all_ = [[50.0, 20.0], [60.0, 30.0], [70.0, 40.0], [80.0, 50.0]]
    found = Answers(lesson("curve", marks=(1, 10)), [60.0, 25.0], all_)
    assert found.compared([65.0, 90.0]) == (
        "You: 90 % at the end. After 10 calls, this seed: 25 %; middle half of 4 seeds: 20–40 %. "
        "Your curve lies within that half at 1 of 2 marks."
    )


@cases(
    ("kind", "asked", "bet"),
    [
        ("gap", {"call": 1}, "x"),
        ("gap", {"call": 1}, -1),
        ("gap", {"call": 1}, math.nan),
        ("gap", {"call": 1}, True),
        ("gap", {"call": 1}, [1, 2]),
        ("kept", {"call": 1}, "perhaps"),
        ("kept", {"call": 1}, 3),
        ("curve", {"marks": (1, 2)}, [1.0]),
        ("curve", {"marks": (1, 2)}, [1.0, "2"]),
        ("curve", {"marks": (1, 2)}, 4),
    ],
)
def test_invalid_bet_is_rejected(kind, asked, bet):
    with pytest.raises(ValueError, match=r"^Bet "):
        checked(lesson(kind, **asked), bet)


def test_bet_on_the_winner_is_the_name_of_a_search():
    two = {"ours": Settings(), "theirs": Settings(k1=50)}
    assert checked(lesson("winner", work=9, rivals=two), "theirs") == "theirs"


def test_searches_are_compared_by_medians():
    question = Question("crossover", "?")
    runs = [
        Runs(question, KNOWN, {"ours": trace([last + 50, last]), "theirs": trace([180, 180])})
        for last in (110, 120, 160)
    ]
    found = curves_of(runs, 3)
    assert found.works == [10.0, 14.0, 20.0]
    assert found.gaps == {"ours": [70.0, 70.0, 20.0], "theirs": [80.0] * 3}
    assert curves_of([Runs(question, KNOWN, {"": RUN})]) is None
    figure = plot_searches(found, {"theirs"})
    assert [(line.name, line.line.dash) for line in figure.data] == [
        ("ours", "solid"),
        ("theirs", "dash"),
    ]
    assert figure.layout.legend.yref == "container"  # above the curves at any chart size
    axis = plot_searches(found._replace(works=[30.0, 300.0, 2000.0]), set()).layout.xaxis
    assert {"50", "200", "1000"} < {*axis.ticktext}


def test_amounts_are_formatted_with_their_units():
    assert [amount(1200, "calls"), amount(1, "calls"), amount(6.25, "%"), amount(0.5, "")] == [
        "1\u202f200 calls",
        "1 call",
        "6.25 %",
        "0.5",
    ]


def test_stacked_dots_keep_their_values():
    dots = piled([1.0, 1.0, 2.0, math.inf])
    assert dots.tolist() == [[1.0, 1.0], [1.0, 2.0], [2.0, 1.0]]


@cases(
    ("made", "this", "all_", "bet", "names"),
    [
        (
            lesson("gap", call=1),
            3.0,
            [1.0, 2.0, 3.0],
            2.5,
            ["3 seeds", "you", "this seed"],
        ),
        (lesson("until_solved"), math.inf, [math.inf] * 3, 7.0, ["3 seeds", "you"]),
        (
            lesson("curve", marks=(1, 2)),
            [2.0, 1.0],
            [[2.0, 1.0], [3.0, 2.0]],
            [5.0, 5.0],
            ["middle half of 2 seeds", "median", "this seed", "you"],
        ),
    ],
)
def test_figure_shows_bet_and_seed_and_all_runs(made, this, all_, bet, names):
    figure = plot_bet(bet_info(Answers(made, this, all_), bet))
    assert [line.name for line in figure.data] == names


def test_axis_of_a_wide_range_has_ticks_at_whole_numbers():
    answers = Answers(lesson("until_solved"), 35.0, [2.0, 7.0, 35.0, 220.0])
    axis = plot_bet(bet_info(answers, 40)).layout.xaxis
    assert axis.type == "log" and {"5", "20", "200"} < {*axis.ticktext}


def test_figure_has_one_bar_per_word_and_marks_the_bet():
    figure = plot_bet(bet_info(Answers(lesson("kept", call=1), "kept", ["kept"] * 3), "reverted"))
    assert {bar.y[0]: (bar.x[0], bar.text) for bar in figure.data} == {
        "kept": (3, " 3 ← this seed"),
        "reverted": (0, " 0 ← you"),
    }
    assert figure.layout.yaxis.type == "category"
    assert figure.layout.yaxis.showgrid is False  # grid lines would cross the texts
