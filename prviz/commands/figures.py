"""``prviz figures``: compute the paper's figures again, and check the paper's claims."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..paper.results import computed, judged, path_of, save
from ..paper.studies import STUDIES, Study, study
from .writing import answer, output


def add(commands: answer.Commands) -> None:
    """Add the command's arguments."""
    figures = commands.add_parser(
        "figures",
        help="compute the paper's figures again",
        description="Compute the paper's figures and check its claims. After Ctrl-C or a crash, "
        "the same command resumes.",
    )
    names = ", ".join(each.name for each in STUDIES)
    figures.add_argument("names", nargs="*", metavar="figure", help=f"any of {names}; default: all")
    figures.add_argument("--seeds", type=int, help="runs per contender (default: as in the study)")
    figures.add_argument(
        "--scale", type=float, default=1.0, help="factor for the budget of each run"
    )
    figures.add_argument(
        "--workers", type=int, help="number of parallel runs (default: number of cores)"
    )
    figures.add_argument(
        "--out",
        type=Path,
        default=Path("prviz-figures"),
        help="folder for results and stored runs (prviz-figures)",
    )
    answer.add(figures)
    figures.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Compute the figures one after the other; return the exit status."""
    chosen = [study(name) for name in given.names] or list(STUDIES)
    output.make_folder(given.out)
    for each in chosen:
        output.check_file(path_of(each.name, given.out))
    found, stopped = [], False
    unsaved: answer.Failure | None = None
    for each in chosen:
        result = _figure(each, given)
        if result is None:
            stopped = True
            break
        found.append(_facts(result, given))
        path = path_of(each.name, given.out)
        try:
            if not given.json:
                print(f"{_words(each, result)}\n  {path}", flush=True)
        finally:  # save even if standard output is closed
            try:
                with output.saving(path):
                    save(result, given.out)
            except answer.Failure as error:  # raised after all results are printed
                unsaved = error
    if given.json:
        answer.tell(given, {"figures": found, "interrupted": stopped}, "")
    elif stopped:
        print("Stopped. The same command resumes from the finished runs.")
    if unsaved:
        raise unsaved
    return answer.status(stopped)


def _figure(each: Study, given: argparse.Namespace) -> dict[str, Any] | None:
    """Compute one figure; return None if it was stopped."""
    seeds = given.seeds or each.seeds
    if not given.json:
        print(f"Figure {each.name}: {each.title}, {seeds} seeds.", flush=True)
    found, known = computed(each, seeds, given.scale, given.out / "runs.sqlite", given.workers)
    return None if found.interrupted else judged(each, found, known, given.scale)


def _facts(result: dict[str, Any], given: argparse.Namespace) -> dict[str, Any]:
    """Return a figure's result as JSON data."""
    fields = {name: result[name] for name in ("name", "verdict", "words", "parts", "n", "scale")}
    path = path_of(result["name"], given.out)
    return {**fields, "hash": result["made"]["hash"], "path": str(path)}


def _words(each: Study, result: dict[str, Any]) -> str:
    lines = [each.claim, f"{result['verdict'].capitalize()}: {result['words']}"]
    for part in result["parts"]:
        lines.append(f"[{'x' if part['holds'] else ' '}] {part['says']} {part['shown']}")
    return "\n".join(f"  {line}" for line in lines)
