"""``prviz figures``: the paper's figures, computed anew and judged by stated rules."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..paper.results import computed, judged, save
from ..paper.studies import STUDIES, Study, study
from . import answer
from .progress import Progress


def add(commands: argparse._SubParsersAction) -> None:
    """Its arguments."""
    figures = commands.add_parser(
        "figures",
        help="compute the paper's figures",
        description="Compute the paper's figures, and judge its claims. Stopped with Ctrl-C or "
        "killed, the same command goes on where it was.",
    )
    names = ", ".join(each.name for each in STUDIES)
    figures.add_argument("names", nargs="*", metavar="figure", help=f"any of {names}; else all")
    figures.add_argument("--seeds", type=int, help="runs of each contender, instead of the study's")
    figures.add_argument("--scale", type=float, default=1.0, help="of the budget of each run")
    figures.add_argument("--workers", type=int, help="runs at once; else as many as cores")
    figures.add_argument(
        "--out",
        type=Path,
        default=Path("prviz-figures"),
        help="folder of the results and of the store of runs (prviz-figures)",
    )
    answer.add(figures)
    figures.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Compute them, one after the other; the exit status."""
    chosen = [study(name) for name in given.names] or list(STUDIES)
    found, stopped = [], False
    for each in chosen:
        result = _figure(each, given)
        stopped = result is None
        if stopped:
            break
        found.append(result)
    if given.json:
        answer.tell(given, {"figures": found, "interrupted": stopped}, "")
    elif stopped:
        print("Stopped: the same command goes on with the runs that were finished.")
    return answer.status(stopped)


def _figure(each: Study, given: argparse.Namespace) -> dict[str, Any] | None:
    """Compute one, tell what it came to, and keep it; None if it was stopped."""
    seeds = given.seeds or each.seeds
    if not given.json:
        print(f"Figure {each.name}: {each.title}, {seeds} seeds.", flush=True)
    given.out.mkdir(parents=True, exist_ok=True)
    progress = Progress(
        lambda found: f"{len(found.seeds)} of {seeds} seeds",
        lambda found: len(found.seeds) / seeds,
    )
    found, known = computed(
        each, seeds, given.scale, given.out / "runs.sqlite", given.workers, progress
    )
    progress.done()
    if found.interrupted:
        return None
    result = judged(each, found, known, given.scale)
    path = save(result, given.out)
    if not given.json:
        print(f"{_words(each, result)}\n  {path}", flush=True)
    told = {name: result[name] for name in ("name", "verdict", "words", "parts", "n", "scale")}
    return {**told, "hash": result["made"]["hash"], "path": str(path)}


def _words(each: Study, result: dict[str, Any]) -> str:
    said = [each.claim, f"{result['verdict'].capitalize()}: {result['words']}"]
    for part in result["parts"]:
        said.append(f"[{'x' if part['holds'] else ' '}] {part['says']} {part['shown']}")
    return "\n".join(f"  {line}" for line in said)
