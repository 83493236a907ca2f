"""The lessons for the site: texts, question, stored answers and charts."""

from __future__ import annotations

import math
from typing import Any

from ..figures.bet import bet_info, plot_bet, plot_searches
from ..lessons.asking import HALF_SAID, amount
from ..lessons.lesson import Lesson
from ..lessons.pinned import load
from ..ui.views import learn
from .charts import chart_of
from .live import lessons, live_lesson
from .texts import html


def all_lessons() -> list[dict[str, Any]]:
    """Return all lessons, as JSON types."""
    return [_lesson(lesson, lessons()) for lesson in lessons()]


def _lesson(lesson: Lesson, all_: list[Lesson]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "link": learn.link(lesson),
        "name": lesson.name,
        "title": lesson.title,
        "text": html(lesson.text),
    }
    return found if lesson.question is None else {**found, **_asked(lesson, all_)}


def _asked(lesson: Lesson, all_: list[Lesson]) -> dict[str, Any]:
    """Return the data of a lesson's question, run and answers."""
    question, stored = lesson.question, load(lesson)
    assert question is not None
    answers = stored.answers
    kind, searches = answers.kind, _searches(lesson, stored)
    steps = {each.unlocks: at for at, each in reversed([*enumerate(all_)]) if each.unlocks}
    return {
        "after": html(lesson.after),
        "tries": html(f"**Try it.** {lesson.tries}") if lesson.tries else "",
        "unlocked": [name for name, at in steps.items() if at <= all_.index(lesson)],
        "question": {
            "words": question.words,
            "bets": kind.bets,
            "unit": kind.unit,
            "choices": answers.words() if kind.bets == "word" else [],
            "marks": list(question.marks),
        },
        "live": live_lesson(lesson).config(),
        "seen": lesson.seen,
        "trace": stored.trace,
        "answers": {
            "n": answers.n,
            "call": answers.call,
            "found": answers.found(),
            "all": [None if one == math.inf else one for one in answers.all]
            if kind.bets == "number"
            else [],
            "middle": None if kind.bets == "word" else _finite(answers.middle()),
            "caption": f"n = {answers.n}: seeds 0 to {answers.n - 1}."
            + ("" if kind.bets == "word" else f" {HALF_SAID}"),
            "first": _seen_gap(lesson, stored),
        },
        "chart": chart_of(plot_bet(bet_info(answers, _no_bet(kind.bets)))),
        **searches,
    }


def _no_bet(bets: str) -> Any:
    return {"number": math.inf, "word": "", "curve": []}[bets]


def _searches(lesson: Lesson, stored: Any) -> dict[str, Any]:
    """Return the chart that compares a lesson's searches, and its description, if there are any."""
    curves = stored.answers.curves
    if not curves:
        return {}
    full = {name for name, each in lesson.rivals.items() if len(lesson.levels(each)) == 1}
    height, unit = ("median gap, %", " %") if stored.known else ("median cost", "")
    ends = ", ".join(f"{name} {gaps[-1]:.3g}{unit}" for name, gaps in curves.gaps.items())
    last = amount(curves.works[-1], "iterations")
    told = f"{height.capitalize()} of the best so far, after {last}: {ends}."
    return {"searches": chart_of(plot_searches(curves, full, height)), "searched": told}


def _seen_gap(lesson: Lesson, stored: Any) -> float:
    """Return the gap of the best cost before the bet."""
    seen = lesson.search(lesson.settings._replace(calls=lesson.seen))
    return float(stored.gap(seen.best_cost))


def _finite(middle: Any) -> Any:
    """Return quartiles, with infinite values replaced by None."""
    return [
        [None if math.isinf(x) else x for x in one]
        if isinstance(one, list)
        else (None if math.isinf(one) else one)
        for one in middle
    ]
