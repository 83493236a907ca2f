"""Questions of lessons, with their stored answers for 100 seeds."""

from __future__ import annotations

from typing import Any

from ..lessons import pinned
from ..lessons.asking import Curves, words_of
from ..lessons.lesson import Lesson
from .question import Question, Refused


def question_of(lesson: Lesson) -> Question:
    """Return a lesson's question, with its answers; raise :class:`Refused` if it has none."""
    if lesson.question is None:
        raise Refused(409, "This lesson has no question.")
    try:
        found = pinned.load(lesson)
    except ValueError as error:
        raise Refused(409, str(error)) from None
    answers, kind = found.answers, found.answers.kind
    curve = kind.bets == "curve"
    return Question(
        lesson.question.words,
        kind.bets,
        tuple(words_of(lesson)) if kind.bets == "word" else (),
        kind.unit,
        tuple(map(float, lesson.question.marks)) if curve else (),
        _top(answers) if curve else 0.0,
        answers.this,
        tuple(answers.all),
        answers.found(),
        f"{answers.n} seeds",
        _searches(lesson, answers.curves),
    )


def _searches(lesson: Lesson, curves: Curves | None) -> dict[str, Any] | None:
    """Return the compared searches, and which of them are full restarts."""
    if curves is None:
        return None
    full = [name for name, each in lesson.rivals.items() if len(lesson.levels(each)) == 1]
    return {**curves._asdict(), "full": full}


def _top(answers: Any) -> float:
    """Return the upper end of a curve's axis, above 90 % of the answers' first values."""
    firsts = sorted(each[0] for each in answers.all)
    return float(20 * (firsts[int(0.9 * len(firsts))] // 20 + 1))
