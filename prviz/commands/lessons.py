"""``prviz lessons``: check your own lessons, and compute their runs."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path
from typing import Any

from ..system.progress import ProgressBar
from .writing import answer, output


def add(commands: answer.Commands) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "lessons",
        help="check your own lessons and compute their runs",
        description="`check` reports errors in lesson files, with line numbers. `make` also "
        "computes each lesson's run, and the same search from 100 seeds. PRVIZ_LESSONS=FOLDER "
        "prviz app shows the lessons of a folder on the page Learn. See docs/write-a-lesson.md.",
    )
    parser.add_argument("what", choices=["check", "make"], help="what to do")
    parser.add_argument("files", nargs="+", type=Path, help="lesson files (TOML)")
    answer.add(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Check or make lessons; return the exit status."""
    from ..lessons.reading import read

    results: list[dict[str, Any]] = []
    for path in given.files:
        try:
            results.append({"lesson": str(path), "said": _done(given.what, read(path))})
        except (ValueError, answer.Failure) as error:
            results.append({"lesson": str(path), "said": str(error), "failed": True})
    answer.tell(given, {"lessons": results}, "\n".join(each["said"] for each in results))
    return answer.status(
        False, "one is invalid" if any("failed" in each for each in results) else ""
    )


def _done(what: str, lesson: Any) -> str:
    """Return the result for a lesson as text; raise a ValueError if its runs are missing."""
    from ..lessons.pinned import SEEDS, files, load, make

    if lesson.question is None:
        return f"{lesson.name}: valid, without a question."
    if what == "check":
        return f"{lesson.name}: valid. {load(lesson).answers.found()}"
    for path in files(lesson):
        output.check_file(path)
    progress = ProgressBar(
        lambda done: f"{done} of {SEEDS} seeds", lambda done: done / SEEDS, title=f"{lesson.name}: "
    )
    with contextlib.closing(progress), output.saving(files(lesson).answers.parent):
        made = make(lesson, lambda done, of: progress(done))
    return f"{lesson.name}: made. {made.answers.found()}"
