"""Stored results of lessons, so that a change of the engine cannot make a text false.

Each lesson has three files: the calls before the bet, the whole run, and the answers of the
lesson's seed and of 100 seeds. The first file contains no data of the other two. The files of a
shipped lesson are in ``assets/lessons``. The files of your own lesson are in the folder ``made``
beside it.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NamedTuple

import numpy as np

from ..player.live import LiveRun
from ..player.recording import save_recording
from ..shipped import shipped
from ..version import __version__
from .asking import KINDS, Answer, Answers, Curves, Runs, curves_of
from .lesson import MOST_CALLS, PROBLEM, Lesson, Settings

SEEDS = 100
MOST_FILM = 200  # calls that can be watched; the answers use whole runs


class Pinned(NamedTuple):
    """Stored results of a lesson.

    Attributes
    ----------
    trace : str
        Hash of the trace of the lesson's run.
    known : float
        Lowest known cost of the data; if there is none, the lowest cost of the lesson's runs.
    answers : Answers
    """

    trace: str
    known: float
    answers: Answers

    def gap(self, cost: float) -> float:
        """Return the gap of a cost to the lowest known cost, in the unit of the answers."""
        return float(Runs(self.answers.question, self.known, {}).gap(cost))


class Files(NamedTuple):
    """Paths of a lesson's files."""

    seen: Path
    whole: Path
    answers: Path


def files(lesson: Lesson) -> Files:
    """Return the paths of a lesson's files."""
    ships = lesson.path.parent.resolve() == shipped("lessons").resolve()
    folder = shipped("assets", "lessons") if ships else lesson.path.parent / "made"
    return Files(*(folder / f"{lesson.name}{end}" for end in (".seen.npz", ".npz", ".json")))


def problem(lesson: Lesson, settings: Settings, known: float) -> tuple[Any, Any]:
    """Return the problem and its scene; ``known`` is the lowest known cost at the lesson's size."""
    made = lesson.problem(settings)
    scene = resolve_name(lesson.entry.scene)(made, lesson.dataset)
    if settings.size == lesson.settings.size:
        scene.best_known = known
    return made, scene


def live_run(lesson: Lesson, settings: Settings, known: float, calls: int | None = None) -> LiveRun:
    """Return a run to watch; ``known`` as in :func:`problem`."""
    return LiveRun(
        *problem(lesson, settings, known),
        lesson.levels(settings),
        seed=settings.seed,
        seconds=None,
        calls=calls or settings.calls,
        compare=False,
    )


def make(lesson: Lesson, progress: Callable[[int, int], Any] = lambda done, of: None) -> Pinned:
    """Run all searches of a lesson with a question, and write its files."""
    assert lesson.question is not None
    where = files(lesson)
    where.answers.parent.mkdir(parents=True, exist_ok=True)
    found = {}
    for seed in {*range(SEEDS), lesson.settings.seed}:
        found[seed] = lesson.searches(seed)
        progress(len(found), SEEDS)
    known = lesson.known(lesson.settings)
    if known is None:
        known = min(float(trace.best[-1]) for traces in found.values() for trace in traces.values())
    for path, calls in ((where.seen, lesson.seen), (where.whole, lesson.settings.calls)):
        _record(live_run(lesson, lesson.settings, known, min(calls, MOST_FILM)), path)
    each = {seed: answer(lesson, known, traces) for seed, traces in found.items()}
    curves = curves_of([Runs(lesson.question, known, found[seed]) for seed in range(SEEDS)])
    kept = {
        "lesson": lesson.name,
        "prviz": __version__,
        "settings": fingerprint(lesson),
        "trace": lesson.run.trace.hash(),
        "known": known,
        "this": each[lesson.settings.seed],
        "answers": [each[seed] for seed in range(SEEDS)],
        "curves": curves and curves._asdict(),
    }
    text = json.dumps(_to_json(kept), ensure_ascii=False, allow_nan=False)
    where.answers.write_text(text.replace(', "', ',\n"') + "\n", "utf-8")
    return load(lesson)


def answer(lesson: Lesson, known: float, traces: dict[str, Any]) -> Answer:
    """Return the answer of one seed."""
    assert lesson.question is not None
    found = KINDS[lesson.question.kind].answer(Runs(lesson.question, known, traces))
    if isinstance(found, list):
        return [_short(one) for one in found]
    return found if isinstance(found, str) else _short(found)


def load(lesson: Lesson) -> Pinned:
    """Return the stored results of a lesson.

    Raises
    ------
    ValueError
        The files are missing, damaged or for other settings; the message says how to make them.
    """
    where = files(lesson)
    make_it = f"make them with `prviz lessons make {lesson.path.name}`."
    if not all(path.is_file() for path in where):
        raise ValueError(f"The runs of {lesson.path.name} are missing: {make_it}")
    try:
        found = json.loads(where.answers.read_text("utf-8"))
        if found["settings"] != fingerprint(lesson):
            raise ValueError(f"The runs of {lesson.path.name} are for other settings: {make_it}")
        curves = Curves(**found["curves"]) if found.get("curves") else None
        all_ = [_from_json(one) for one in found["answers"]]
        answers = Answers(lesson, _from_json(found["this"]), all_, curves)
        return Pinned(found["trace"], float(found["known"]), answers)
    except (KeyError, TypeError, json.JSONDecodeError):
        raise ValueError(f"The answers in {where.answers.name} are damaged: {make_it}") from None


def fingerprint(lesson: Lesson) -> str:
    """Return a hash of the data and settings that determine runs and answers."""
    question = lesson.question and lesson.question._replace(words="")
    rivals = {name: _hashed(settings) for name, settings in lesson.rivals.items()}
    of = [lesson.data, _hashed(lesson.settings), lesson.seen, question, rivals]
    if lesson.entry.id != PROBLEM:
        of.append(lesson.entry.id)
    arrays = [part for part in lesson.dataset or () if isinstance(part, np.ndarray)]
    if lesson.entry.id == PROBLEM:
        arrays = arrays[:1]  # the points; the true centres have no effect
    content = b"".join(part.tobytes() for part in arrays)
    return hashlib.sha256(json.dumps(of).encode() + content).hexdigest()[:16]


def _hashed(settings: Settings) -> tuple[Any, ...]:
    """Return settings without empty options, because older hashes did not include options."""
    return tuple(settings) if settings.options else tuple(settings)[:-1]


def _record(run: LiveRun, path: Path) -> None:
    run.kernels_ready(None)
    run.start()
    while run.active:
        time.sleep(0.02)
    save_recording(run, path)
    run.close()


def _short(value: float) -> float:
    """Round to four digits, because the last digits depend on the processor."""
    return float(f"{value:.4g}") if math.isfinite(value) and value < MOST_CALLS else value


def _to_json(value: Any) -> Any:
    """Replace infinity, which JSON lacks, by None."""
    if isinstance(value, dict):
        return {key: _to_json(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_to_json(one) for one in value]
    return None if isinstance(value, float) and math.isinf(value) else value


def _from_json(value: Any) -> Answer:
    return math.inf if value is None else value
