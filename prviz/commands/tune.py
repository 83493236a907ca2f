"""``prviz tune``: find a setting for a problem, and check it against the usual setting."""

from __future__ import annotations

import argparse
import math
from typing import Any

import numpy as np

from ..engine.kernels import n_variables
from ..experiments.runs.cluster import on_scheduler
from ..experiments.statistics.wording import amount, between
from ..problems import PROBLEMS
from ..tune import SECONDS, USUAL, Tuning, tune
from .searching import searched, settings
from .searching.searched import Searched
from .searching.settings import size, whole_or_inf
from .writing import answer

GAP = 1e-3  # default gap in per cent that counts as solved, if the best cost is known


def add(commands: answer.Commands) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "tune",
        help="find good values of k1, M1, alpha and sub-sets",
        description="Try settings on a problem, drop those that are significantly worse, and "
        "check the best one against the usual setting (the paper's, if it has one) on "
        "fresh seeds. After Ctrl-C or a crash, the same command resumes.",
    )
    searched.add(parser)
    parser.add_argument(
        "--k1", type=size, nargs="+", help="values of k1 to try (default: five values up to N/2)"
    )
    parser.add_argument(
        "--m1", type=whole_or_inf, nargs="+", help="values of M1 to try; inf means no restarts"
    )
    parser.add_argument("--alpha", type=float, nargs="+", help="values of alpha to try (0)")
    parser.add_argument("--subset", nargs="+", help="sub-set heuristics to try (random)")
    parser.add_argument("--target", type=float, help="cost at which a run counts as solved")
    parser.add_argument("--work", type=int, help="iterations of each run")
    parser.add_argument(
        "--seconds", type=float, help=f"CPU seconds of the whole tuning ({SECONDS:g})"
    )
    parser.add_argument(
        "--check", type=int, default=100, help="number of fresh seeds for the check (100)"
    )
    settings.add_workers(parser)
    parser.add_argument("--store", help="file that caches runs (default: in your cache folder)")
    answer.add(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Tune, and print the settings, the best first; return the exit status."""
    on = searched.searched(given)
    paper = PROBLEMS[on.id].paper
    usual = dict(paper or USUAL)
    if "k1" in usual:
        usual["k1"] = min(usual["k1"], n_variables(on.problem))
    target = given.target
    if target is None and on.known is not None:
        target = on.known + GAP / 100 * (abs(on.known) or 1.0)
    grid = {name: getattr(given, name) for name in ("k1", "m1", "alpha", "subset")}
    with on_scheduler(given.scheduler):
        found = tune(
            on.problem,
            {name: values for name, values in grid.items() if values},
            usual=usual,
            target=target,
            work=given.work,
            seconds=given.seconds,
            check=given.check,
            workers=given.workers,
            store=given.store or True,
        )
    found.whose = "the paper's setting" if paper else found.whose
    answer.tell(given, facts(on, found), words(found))
    return answer.status(found.interrupted, found.store_failure if given.store else "")


def facts(on: Searched, found: Tuning) -> dict[str, Any]:
    """Return the result as JSON data: the settings with the best first."""
    return {
        "problem": on.id,
        "data": on.data and on.data.name,
        "notice": getattr(on.data, "notice", ""),
        "size": on.size,
        "target": found.budget.target,
        "work": found.budget.total,
        "best": found.best,
        "better": bool(found.checked and found.checked.better),
        "words": found.words,
        "settings": [_cell(found, cell) for cell in found.ranking()],
        "store": found.store and str(found.store),
        "interrupted": found.interrupted,
    }


def _cell(found: Tuning, cell: int) -> dict[str, Any]:
    costs = _costs(found, cell)
    facts: dict[str, Any] = {
        "name": found.cells[cell].name,
        "settings": dict(found.cells[cell].settings),
        "n": len(costs),
        "median": float(np.median(costs)) if costs else None,
    }
    if costs and math.isfinite(found.budget.target):
        facts["ert"] = found.ert(cell)._asdict()
    out = found.dropped.get(cell)
    return {**facts, "dropped_after": None if out is None else found.rungs[out]}


def words(found: Tuning) -> str:
    """Return the result as text: one line per setting, and a summary."""
    lines = [_row(found, cell) for cell in found.ranking()]
    lines.append(found.words or "No result yet.")
    if found.store:
        lines.append(f"Runs are stored in {found.store}.")
    if found.interrupted:
        lines.append("Stopped. The same command resumes from the finished runs.")
    return "\n".join(lines)


def _costs(found: Tuning, cell: int) -> list[float]:
    return [run.best.min(initial=math.inf) for run in found.runs[cell].values()]


def _row(found: Tuning, cell: int) -> str:
    n, name = len(found.runs[cell]), found.cells[cell].name
    out = found.dropped.get(cell)
    left = "" if out is None else f"  dropped after {found.rungs[out]} seeds"
    costs = _costs(found, cell)
    if not costs:
        return f"{name:32}  n =  0"
    cost = f"median cost {np.median(costs):.8g}"
    if math.isfinite(found.budget.target):
        ert = found.ert(cell)
        cost = f"ERT {amount(ert.work)} {between(ert.low, ert.high)}, {ert.successes} of {n} solved"
    return f"{name:32}  n = {n:2}  {cost}{left}"
