"""Lessons: a text, a run, and a bet on how the run continues.

>>> import prviz.lessons
>>> prviz.lessons.load("crossover").title
'When redrawing overtakes'
"""

from .. import display
from .lesson import Lesson
from .reading import load, names, read


def _answers() -> display.Views:
    from .pinned import load as load_results

    return {Lesson: lambda lesson: load_results(lesson).answers}


display.register("answers", _answers)

__all__ = ["Lesson", "load", "names", "read"]
