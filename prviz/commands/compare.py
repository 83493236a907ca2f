"""``prviz compare``: several methods on one problem, from many seeds."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from .. import baselines
from ..compare import Comparison
from ..compare import compare as compared
from ..experiments.runs.cluster import on_scheduler
from ..experiments.statistics.pairwise import Chance
from ..experiments.statistics.wording import amount, between, span
from ..figures.comparison.race import Lane, RaceInfo, race_info
from ..figures.comparison.verdict import chances_of, verdicts
from ..search.settings import ALL, SETTINGS
from ..tune import name_of
from .searching import searched, settings
from .searching.searched import Searched
from .writing import answer, output

SEEDS = 100
BAND = (
    "[low–high] is the 95 % CI of the median; it needs at least 6 runs. The quartiles enclose "
    "the middle half of the runs."
)


def add(commands: answer.Commands) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "compare",
        help="compare several methods from many seeds",
        description="Run several methods on your data, each from the same seeds with the same "
        "budget, and report which is better, with confidence intervals. Ctrl-C stops "
        "the comparison and prints the result up to the work that all runs have "
        "done.",
    )
    searched.add(parser)
    parser.add_argument(
        "--method",
        action="append",
        metavar="METHOD",
        help="method to compare, may be repeated: partial (with the settings below), full "
        '(restarts), settings such as "k1=2,m1=100", '
        f"or one of {', '.join(rivals())}; default: partial and full",
    )
    settings.add(parser)
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"seeds per method ({SEEDS})")
    parser.add_argument("--work", type=float, help="budget of each run in iterations")
    parser.add_argument(
        "--calls", type=int, help="budget of each run in calls of the local optimiser"
    )
    parser.add_argument("--seconds", type=float, help="budget of each run in CPU seconds")
    parser.add_argument("--target", type=float, help="cost at which a run counts as solved")
    settings.add_workers(parser)
    parser.add_argument("--store", help="file that caches finished runs")
    parser.add_argument(
        "--save",
        type=output.path_with(".csv", ".parquet"),
        metavar="PATH",
        help="write all runs to a .csv or .parquet file",
    )
    answer.add(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Compare, print and save; return the exit status."""
    if given.work is given.calls is given.seconds is None:
        raise ValueError("Give a budget per run: --work (iterations), --calls or --seconds.")
    if given.save:
        output.check_file(given.save)
    on = searched.searched(given)
    methods = dict(method(text, given, on) for text in given.method or ["partial", "full"])
    with on_scheduler(given.scheduler):
        found = compared(
            on.problem,
            methods,
            seeds=given.seeds,
            work=given.work,
            calls=given.calls,
            seconds=given.seconds,
            target=given.target,
            workers=given.workers,
            store=given.store,
        )
    if not found.seeds:
        raise KeyboardInterrupt  # stopped before the first result
    info = race_info(found, on.known)
    results, text = facts(on, found, info), words(on, found, info)
    output.tell_and_save(given, results, text, given.save, partial(_save, found))
    return answer.status(found.interrupted, found.store_failure)


def _save(found: Comparison, path: Path) -> None:
    if path.suffix.lower() == ".parquet":
        found.to_parquet(path)
    else:
        found.to_csv(path)


def rivals(problem: Any = None) -> dict[str, type]:
    """Return the methods in ``prviz.baselines`` by name: all, or those for a problem."""
    found = {name: getattr(baselines, name) for name in baselines.__all__}
    methods = {name: each for name, each in found.items() if hasattr(each, "begin")}
    if problem is None:
        return methods
    return {name: each for name, each in methods.items() if isinstance(problem, each.problems)}


def method(text: str, given: argparse.Namespace, on: Searched) -> tuple[str, Any]:
    """Return the name of a method and the argument of :func:`prviz.compare` for it."""
    if text == "full":
        return text, {"k1": ALL}
    if text == "partial":
        return text, settings.settings_of(given)
    if "=" in text:
        made = _settings(text)
        return name_of(made), made
    known = rivals(on.problem)
    if text not in known:
        raise ValueError(
            f"Unknown method {text!r} for {on.id}. Use partial, full, "
            f"{', '.join([*known, ''])}and settings such as k1=2,m1=100."
        )
    return text, known[text]()


def _settings(text: str) -> Mapping[str, Any]:
    """Return ``k1=2,m1=100,alpha=0.5`` as arguments of :func:`prviz.run`."""
    try:
        made = dict(searched.setting(part) for part in text.split(","))
        made |= {"m1": math.inf} if made.get("m1") == "inf" else {}
    except argparse.ArgumentTypeError as error:
        raise ValueError(f"In the method {text}: {error}.") from None
    if wrong := made.keys() - {*SETTINGS} | made.keys() & {"levels"}:
        raise ValueError(f"In the method {text}: unknown setting {min(wrong)!r}.")
    return made


def facts(on: Searched, found: Comparison, info: RaceInfo) -> dict[str, Any]:
    """Return the result as JSON data."""
    return {
        "problem": on.id,
        "data": on.data and on.data.name,
        "notice": getattr(on.data, "notice", ""),
        "size": on.size,
        "best_known": on.known,
        "axis": found.axis,
        "work": info.frontier,
        "target": found.target,
        "seeds": found.seeds,
        "methods": [_lane(found, lane) for lane in info.lanes],
        "crossover": info.crossover and info.crossover.work,
        "chances": [_chance(each) for each in chances_of(found, info)],
        "words": "\n".join(verdicts(found, info)),
        "interrupted": found.interrupted,
    }


def _lane(found: Comparison, lane: Lane) -> dict[str, Any]:
    curve = lane.curve
    ends = {name: getattr(curve, name)[-1] for name in ("median", "low", "high", "lower", "upper")}
    facts = {"name": lane.name, "n": curve.n, **ends, "coverage": curve.coverage}
    facts |= {"costs": lane.costs}
    if found.target is not None:
        facts |= {"solved": int(lane.hit.sum()), "ert": found.ert(lane.name)._asdict()}
    return facts


def _chance(chance: Chance) -> dict[str, Any]:
    a, b = chance.names
    return {"a": a, "b": b, "chance": chance.chance, "low": chance.low, "high": chance.high}


def words(on: Searched, found: Comparison, info: RaceInfo) -> str:
    """Return a table with one row per method, and a summary."""
    spent = f"{amount(info.frontier)} {'CPU seconds' if found.axis == 'seconds' else found.axis}"
    heads = ["method", "n", "median cost [95 %]", "quartiles"]
    heads += [] if found.target is None else ["solved", f"{found.axis} to the target [95 %]"]
    rows = [heads, *(_row(found, lane) for lane in info.lanes)]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = ["  ".join(map(str.ljust, row, wide)).rstrip() for row in rows]
    said = [f"{on.title}: after {spent} each", *table, BAND, *verdicts(found, info)]
    if found.interrupted:
        said.append("Stopped: the result covers the work that all runs have done.")
    return "\n".join(filter(None, said))


def _row(found: Comparison, lane: Lane) -> list[str]:
    curve = lane.curve
    median, lower, upper = (
        f"{values[-1]:.6g}" for values in (curve.median, curve.lower, curve.upper)
    )
    low, high = curve.low[-1], curve.high[-1]
    sure = f" [{span(f'{low:.6g}', f'{high:.6g}')}]" if math.isfinite(high - low) else ""
    row = [lane.name, f"{curve.n}", f"{median}{sure}", span(lower, upper)]
    if found.target is not None:
        ert = found.ert(lane.name)
        row += [f"{ert.successes} of {ert.n}", f"{amount(ert.work)} {between(ert.low, ert.high)}"]
    return row
