"""Lesson plans fit their time, and the documentation contains them."""

from pathlib import Path

from cases import cases

from prviz.classroom.lessons import question_of
from prviz.classroom.plans import PLANS, step_of, stop_after
from prviz.lessons import load, names
from tools.plans import guide

PAGE = Path(__file__).parents[2] / "docs" / "class.md"


@cases("name", PLANS)
def test_minutes_add_up_and_the_plan_is_documented(name):
    assert sum(step.minutes for step in PLANS[name]) == int(name)
    # python -m tools.plans prints what the page must contain
    assert f"## A {name}-minute lesson\n\n{guide(name)}\n" in PAGE.read_text("utf-8")


def test_next_stop_of_a_plan_is_found():
    assert (stop_after("10", "join"), stop_after("10", "4")) == ("1", "search")
    assert stop_after("10", "search") == stop_after("", "1") == ""
    assert step_of("10", "3").minutes == 2
    assert PLANS["10"][-1].noted["after"].startswith("Nobody chose the seeds.")


@cases("name", names()[:-1])
def test_every_lesson_has_an_answer(name):
    question = question_of(load(name))
    assert question.checked(question.answer) == question.answer
    assert question.found and len(question.seeds) == 100
