"""Lessons: a few words beside a run, and a bet on what comes next, before it is shown.

>>> import prviz.lessons
>>> prviz.lessons.load("crossover").title
'When redrawing overtakes'
"""

from .lesson import Lesson
from .reading import load, names, read

__all__ = ["Lesson", "load", "names", "read"]
