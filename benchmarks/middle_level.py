"""Compare three levels with two on one spin glass after equal work.

The glass is one draw of 8 × 8 × 8 spins with Gaussian couplings. The settings are the best of eight
settings with three levels, and the best of ten with two. They were chosen on the seeds 1000 to
1004; the table uses other seeds.
"""

from __future__ import annotations

import functools

import numpy as np
from common import Pieces, Report, median

import prviz
from prviz import Level
from prviz.engine.schedule import Schedule
from prviz.engine.trace import improves
from prviz.search.traced_search import TracedSearch

SHAPE, DRAW = (8, 8, 8), 0
ITERATIONS, SEEDS = 1_000_000, 100
NEVER = 10**9  # redraws per restart: more than a search makes
LEVELS = {
    "three": [(10, 1000), (100, NEVER)],
    "the same without the middle level": [(10, 1000)],
    "the best two-level setting tried": [(25, 3000)],
}
HEAD = ["levels", "k_l", "M_l", "median energy", "lowest energy reached", "three levels are lower"]
HEAD += ["equal", "higher", "calls", "CPU s"]


def searched(levels: list[tuple[int, int]], seed: int) -> dict:
    """Return the lowest energy after the given iterations, with the calls and CPU time used."""
    problem = prviz.ising(prviz.datasets.torus(SHAPE, "gaussian", DRAW), optimiser="descent")
    n = len(problem.fields)
    made = [*(Level(k, m, subset="patch") for k, m in levels), Level(n)]
    search = TracedSearch(problem, Schedule.from_levels(made, n), seed)
    while search.iterations < ITERATIONS:
        search.step(iterations=ITERATIONS)
    trace = search.trace()
    within = np.cumsum(trace.iterations, dtype=np.int64) <= ITERATIONS
    best, calls = float(trace.best[within][-1]), int(within.sum())
    return {"best": best, "first": float(trace.best[0]), "calls": calls, "cpu": search.seconds}


def row(name: str, mine: list[dict], three: list[dict], lowest: float) -> list:
    pairs = list(zip(three, mine, strict=True))
    lower = sum(bool(improves(a["best"], b["best"], a["first"])) for a, b in pairs)
    higher = sum(bool(improves(b["best"], a["best"], a["first"])) for a, b in pairs)
    reached = sum(not improves(lowest, piece["best"], piece["first"]) for piece in mine)
    compared = ["–"] * 3 if mine is three else [lower, len(pairs) - lower - higher, higher]
    sizes, repeats = zip(*LEVELS[name], strict=True)
    k = ", ".join(map(str, (*sizes, int(np.prod(SHAPE)))))
    m = ", ".join("no restart" if M == NEVER else str(M) for M in repeats)
    energy, calls, cpu = (median(piece[of] for piece in mine) for of in ("best", "calls", "cpu"))
    return [
        name,
        k,
        m,
        f"{energy:.2f}",
        f"{reached} of {len(mine)}",
        *compared,
        f"{calls:.0f}",
        f"{cpu:.2g}",
    ]


def main() -> None:
    plan = {
        f"{name} {seed}": functools.partial(searched, levels, seed)
        for seed in range(SEEDS)
        for name, levels in LEVELS.items()
    }
    settings = {"shape": SHAPE, "draw": DRAW, "iterations": ITERATIONS, "levels": LEVELS}
    done = Pieces("middle_level", settings).measure(plan)
    found = {name: [done[f"{name} {seed}"] for seed in range(SEEDS)] for name in LEVELS}
    lowest = min(piece["best"] for pieces in found.values() for piece in pieces)
    report = Report(
        "A middle level on a spin glass",
        f"{' × '.join(map(str, SHAPE))} spins, Gaussian couplings, draw {DRAW}, patches; "
        f"{ITERATIONS} iterations each, seeds 0 to {SEEDS - 1}. The lowest energy found here is "
        f"{lowest:.4f}; no proof that it is the minimum. Settings were chosen with other seeds.",
    )
    rows = [row(name, pieces, found["three"], lowest) for name, pieces in found.items()]
    report.table("Three levels against two", HEAD, rows)
    report.write("middle_level")


if __name__ == "__main__":
    main()
