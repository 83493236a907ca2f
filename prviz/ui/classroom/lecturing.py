"""Content that the lecturer can show: questions of lessons, and searches by everyone."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable
from functools import lru_cache
from pkgutil import resolve_name
from typing import Any, NamedTuple

import numpy as np

from prviz.classroom.experiment import Experiment
from prviz.classroom.lessons import question_of as asked
from prviz.classroom.question import Question, Refused
from prviz.engine.kernels import n_variables
from prviz.engine.schedule import Level
from prviz.lessons import pinned, reading
from prviz.lessons.lesson import Lesson
from prviz.live_page.embed import why_not
from prviz.live_page.kernels import kernels_of
from prviz.live_page.plan import plan
from prviz.notebook.controls import stops
from prviz.player.resources import store
from prviz.search.run import run

WORK, LEAST_WORK, MOST_WORK = 1500, 200, 20_000  # iterations of each search
#: A phone's search of the shown problem gets as much work as this machine does in this many CPU
#: seconds.
SECONDS = 1.0
M1S = (5, 10, 20, 50, 100, 200, 500, 1000)


class Engine(NamedTuple):
    """The data that phones need to search a problem.

    Attributes
    ----------
    problem
        The problem; the server searches it for phones that cannot search.
    packed : bytes
        Compressed JSON for phones, with kernels, plan and content if phones can search.
    experiment : function
        Return a new experiment without results.
    """

    problem: Any
    packed: bytes
    experiment: Callable[[], Experiment]

    def search(self, k1: int, m1: int, seed: int, work: int) -> dict[str, float]:
        """Return the lowest costs of partial and full redraws, for a phone that cannot search."""
        N = n_variables(self.problem)
        full = [Level(N)]
        partial = full if k1 >= N else [Level(k1, m1), *full]
        costs = [
            run(self.problem, levels=levels, seed=seed, iterations=work).best_cost
            for levels in (partial, full)
        ]
        return dict(zip(("partial", "full"), map(float, costs), strict=True))


def lesson_of(link: Any) -> Lesson:
    """Return a lesson by its name in links; raise :class:`Refused` if there is none."""
    try:
        return reading.load(str(link)[:100], reading.folder())
    except ValueError as error:
        raise Refused(404, str(error)) from None


def question_of(link: Any) -> Question:
    """Return the question of a lesson."""
    return asked(lesson_of(link))


def notes_of(link: str) -> dict[str, str]:
    """Return the title, texts and answer of a lesson; empty if there is no such lesson."""
    if not link:
        return {}
    try:
        lesson = lesson_of(link)
        told = {"title": lesson.title, "text": lesson.text, "after": lesson.after}
        question = asked(lesson)
        return {**told, "asks": question.words, "expect": question.found}
    except Refused:
        return {}


def engine_of(link: Any, run_id: Any) -> Engine:
    """Return the engine for the problem of a lesson, or of the shown run."""
    if link:
        lesson = lesson_of(link)
        problem, data = lesson.problem(lesson.settings), lesson.dataset
        scene = resolve_name(lesson.entry.scene)(problem, data)
        known = lesson.known(lesson.settings)
        if lesson.question is not None:
            known = pinned.load(lesson).known
        return _engine(problem, scene, known, WORK)
    found = store.RUNS.get(str(run_id))
    if found is None or not hasattr(found, "problem"):
        raise Refused(409, "Press Run first: a recording cannot be searched.")
    head = found.head()
    pace = head["iterations"] / max(head["seconds"], 1e-3)
    work = int(np.clip(float(f"{SECONDS * pace:.1g}"), LEAST_WORK, MOST_WORK))
    return _engine(found.problem, found.scene, getattr(found.scene, "best_known", None), work)


def _engine(problem: Any, scene: Any, known: float | None, work: int) -> Engine:
    N, noun = n_variables(problem), scene.noun[1]

    def experiment() -> Experiment:
        return Experiment(scene.title, noun, _k1s(N), M1S, work, known)

    experiment()  # imports SciPy now, which takes a second
    payload: dict[str, Any] = {"work": work, "variables": N}
    if why_not(problem) is None:
        about, content = plan(problem)
        packed = {"kernels": kernels_of(problem), "content": content}
        payload |= {name: base64.b64encode(each).decode() for name, each in packed.items()}
        payload["plan"] = about
    return Engine(problem, gzip.compress(json.dumps(payload).encode(), 6), experiment)


@lru_cache
def _k1s(N: int) -> tuple[int, ...]:
    """Return at most 12 values of k₁, including 1 and N."""
    every = stops(N)
    at = np.unique(np.linspace(0, len(every) - 1, 12).round().astype(int))
    return tuple(every[i] for i in at)
