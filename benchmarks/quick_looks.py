"""Check that partial reinitialisation beats full restarts in each page's first run.

Each page's default search makes the calls of its budget. Full reinitialisation of the same problem
with the same seed gets the same number of local-optimiser iterations. The table counts the seeds
with which partial reinitialisation ends lower, equal (up to rounding) or higher. "Visibly" counts
the seeds with a difference of at least ``VISIBLE``. "Solved" counts the seeds that end within
the page's threshold.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import math
import platform

import numpy as np
from common import Pieces, Report, median

from prviz import Level
from prviz.engine.schedule import Schedule
from prviz.engine.trace import gap_to, improves
from prviz.search.traced_search import TracedSearch
from prviz.ui.catalogue import PAGES, benchmark

SEEDS = 100
# the smallest visible difference, as a fraction of the drop from the first cost to partial's last
VISIBLE = 0.01
HEAD = ["page", "setting", "iterations", "n", "ahead", "visibly", "equal", "behind"]
HEAD += ["gap, partial", "gap, full", "solved, partial", "solved, full", "CPU s", "the page's seed"]


def compared(page: str, values: dict, seed: int) -> dict:
    """Return the lowest costs of partial and full after equal iterations, and reference values."""
    shown = benchmark(page)
    problem, scene = shown.problem(values)
    n = shown.n(values)
    partial = TracedSearch(problem, shown.schedule(values), seed)
    while partial.calls < values["calls"] and not partial.finished:
        partial.step(calls=values["calls"] - partial.calls)
    beside = shown.beside(partial.schedule.levels())
    beside = [Level(n)] if beside is True else beside
    full = TracedSearch(problem, Schedule.from_levels(beside, n), seed)
    while full.iterations < partial.iterations:
        full.step(iterations=partial.iterations)
    trace = full.trace()
    within = np.cumsum(trace.iterations, dtype=np.int64) <= partial.iterations
    return {
        "partial": float(partial.search.best_cost),
        "full": float(trace.best[within][-1]) if within.any() else math.inf,
        "first": float(partial.trace().best[0]),
        "known": scene.best_known,
        "solved": scene.solved_within,
        "iterations": partial.iterations,
        "seconds": partial.seconds,
    }


def solved(piece: dict, name: str) -> bool:
    known = piece["known"]
    return known is not None and gap_to(known, piece[name]) <= (piece["solved"] or 1e-9)


def gap(pieces: list[dict], name: str) -> str:
    """Return the median gap to the best known cost, or the median cost if none is known."""
    known = pieces[0]["known"]
    if known is None:
        return f"cost {median(p[name] for p in pieces):.4g}"
    found = max(0.0, median(gap_to(known, p[name]) for p in pieces))
    return f"{found:.2g}" if known == 0 else f"{100 * found:.2g} %"


def visible(piece: dict) -> bool:
    """Return True if partial is better by a visible amount."""
    partial, full, first = piece["partial"], piece["full"], piece["first"]
    return full > partial and full - partial >= VISIBLE * (first - partial)


def row(page: str, setting: str, pieces: list[dict], default: dict) -> list:
    ahead = sum(bool(improves(p["partial"], p["full"], p["first"])) for p in pieces)
    behind = sum(bool(improves(p["full"], p["partial"], p["first"])) for p in pieces)
    n, known = len(pieces), pieces[0]["known"] is not None
    ends = [sum(solved(p, name) for p in pieces) if known else "–" for name in ("partial", "full")]
    iterations, seconds = (median(p[of] for p in pieces) for of in ("iterations", "seconds"))
    gaps = gap(pieces, "partial"), gap(pieces, "full")
    seen = sum(map(visible, pieces))
    counts = f"{iterations:.0f}", n, ahead, seen, n - ahead - behind, behind
    both = f"{default['partial']:.6g} against {default['full']:.6g}"
    own = f"{both}, {'visible' if visible(default) else 'not visible'}"
    return [page, setting, *counts, *gaps, *ends, f"{seconds:.2g}", own]


def value(text: str) -> int | float | str:
    """Return the number in a text, or the text if it is not a number."""
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", default=PAGES, help="pages to check (default: all)")
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the seeds")
    parser.add_argument(
        "--first",
        type=int,
        default=0,
        help="first seed; do not choose settings with the table's seeds, 0 to 99",
    )
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--fresh", action="store_true", help="discard earlier measurements")
    args = parser.parse_args()
    seeds = range(args.first, args.first + max(2, round(SEEDS * args.scale)))
    changes = {name: value(text) for name, text in (each.split("=") for each in args.set)}
    report = Report(
        "Does partial reinitialisation win in the first run of each page?",
        "Full reinitialisation gets as many iterations as partial. On Hierarchy, two levels "
        f"replace full reinitialisation. Seeds {seeds[0]} to {seeds[-1]}. Gaps are medians, "
        "relative to the best cost known, or absolute if that cost is 0. CPU s is the median for "
        "partial. "
        f"{platform.machine()}, Python {platform.python_version()}.",
    )
    rows = []
    for page in args.pages:
        values = benchmark(page).defaults | changes
        plan = {
            str(seed): functools.partial(compared, page, values, seed)
            for seed in {*seeds, values["seed"]}
        }
        done = Pieces(f"quick_looks_{page}", values, args.fresh).measure(plan)
        levels = values.get("levels") or "k₁ {k1}, M₁ {m1}".format(**values)
        pieces = [done[str(seed)] for seed in seeds]
        setting = f"{levels}, {values['calls']} calls"
        rows.append(row(page, setting, pieces, done[str(values["seed"])]))
    report.table("Partial against full at the end", HEAD, rows)
    if args.scale == 1.0 and not args.first and not args.set and tuple(args.pages) == PAGES:
        report.write("quick_looks")


if __name__ == "__main__":
    main()
