"""Whether the quick looks of the pages show their point: partial against full, seed by seed.

Each page's search as it opens, and full reinitialisation of the same problem from the same seed,
have equal CPU time: that of the page. Told are the seeds in which partial is ahead at the end,
level with full, or behind, and the seeds in which each came within the gap that counts as solved.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import platform

from common import Pieces, Report

from prviz import Level
from prviz.engine.schedule import Schedule
from prviz.engine.trace import gap_to, improves
from prviz.search.traced_search import TracedSearch
from prviz.ui.catalogue import PAGES, benchmark

SEEDS = 100


def compared(page: str, values: dict, seed: int) -> dict:
    """The best costs of both, of the first call of partial, and of what is known."""
    shown = benchmark(page)
    problem, scene = shown.problem(values)
    n = shown.n(values)
    both = {"partial": shown.schedule(values), "full": Schedule.from_levels([Level(n)], n)}
    found = {}
    for name, schedule in both.items():
        search = TracedSearch(problem, schedule, seed)
        search.step(1)
        while search.seconds < values["seconds"] and not search.finished:
            search.step(seconds=values["seconds"] - search.seconds)
        trace = search.trace()
        found |= {name: float(trace.best[-1]), f"{name} calls": len(trace)}
    known = scene.best_known
    return {**found, "first": float(trace.best[0]), "known": known, "solved": scene.solved_within}


def solved(piece: dict, name: str) -> bool:
    known = piece["known"]
    return known is not None and gap_to(known, piece[name]) <= (piece["solved"] or 1e-9)


def row(page: str, setting: str, pieces: list[dict]) -> list:
    ahead = sum(bool(improves(p["partial"], p["full"], p["first"])) for p in pieces)
    behind = sum(bool(improves(p["full"], p["partial"], p["first"])) for p in pieces)
    n = len(pieces)
    ends = [sum(solved(p, name) for p in pieces) for name in ("partial", "full")]
    known = pieces[0]["known"] is not None
    told = [f"{end} of {n}" if known else "–" for end in ends]
    return [page, setting, n, ahead, n - ahead - behind, behind, *told]


def value(text: str) -> int | float | str:
    """A number, or the name of a choice."""
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", default=PAGES, help="by default all")
    parser.add_argument("--scale", type=float, default=1.0, help="of the number of seeds")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--fresh", action="store_true", help="forget what was measured before")
    args = parser.parse_args()
    seeds = max(2, round(SEEDS * args.scale))
    changes = {name: value(text) for name, text in (each.split("=") for each in args.set)}
    report = Report(
        "Do the quick looks show their point?",
        f"Equal CPU time for partial and full; {seeds} seeds. {platform.machine()}, "
        f"Python {platform.python_version()}.",
    )
    settings = {page: benchmark(page).defaults | changes for page in args.pages}
    plan = {
        f"{page} {seed}": functools.partial(compared, page, values, seed)
        for page, values in settings.items()
        for seed in range(seeds)
    }
    done = Pieces("quick_looks", changes, args.fresh).measure(plan)
    rows = []
    for page, values in settings.items():
        levels = values.get("levels") or "k₁ {k1}, M₁ {m1}".format(**values)
        said = f"{levels}, {values['seconds']:g} s"
        rows.append(row(page, said, [done[f"{page} {seed}"] for seed in range(seeds)]))
    head = ["page", "setting", "n", "ahead", "level", "behind", "partial solved", "full solved"]
    report.table("Partial against full at the end", head, rows)
    if args.scale == 1.0 and not args.set and tuple(args.pages) == PAGES:
        report.write("quick_looks")


if __name__ == "__main__":
    main()
