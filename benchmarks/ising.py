"""Compare levels of patches on spin glasses with other searches in equal CPU time.

The other searches are restarts, annealing, tabu search and parallel tempering. Contenders take
turns on one core. A table shows the gap to the best energy known (or found, if none is known), and
how often a contender reached it. For cubes without a proven optimum there are ten draws of the
couplings with ten seeds each.

All settings were fixed before the comparison. Three levels redraw 10 spins (M₁ = 100), 60 spins
(M₂ = 20) and all spins; above 500 spins, a fourth level redraws 360 spins (M₃ = 20). Each level
of nested patches redraws four times as many spins as the level below, up to half of the spins,
without restarts; these levels were chosen on G14 and on a 10³ cube with other couplings. For each
instance, annealing uses the best of three numbers of sweeps. The runs that choose it have other
seeds, and for cubes with ten draws also other couplings.
"""

from __future__ import annotations

import argparse
import functools
import math
import platform
from collections.abc import Callable
from importlib.metadata import version
from typing import NamedTuple

import numba
import numpy as np
from common import Pieces, Report, median, process
from glasses import (
    ANNEALING,
    CONTENDERS,
    FIRST_TUNING_SEED,
    FOUR,
    INSTANCES,
    LARGE,
    LEVELS,
    LONG,
    NESTED,
    PATCHES,
    RANDOM,
    RESTARTS,
    RIVALS,
    TABU_HERE,
    TEMPERING,
    couplings_of,
    draw_of,
    drawn,
    one,
)
from scipy.stats import binomtest
from verdicts import CHANCE, judged, sign_test

import prviz

SWEEPS = (100, 1000, 10_000)
TUNING = 3  # runs with each number of sweeps
#: Controls that are far behind, or use another optimiser, get fewer runs.
CONTROLS, CONTROL_RUNS = (RESTARTS, RANDOM, TABU_HERE), 20


class Goal(NamedTuple):
    """Describe a goal: a search, CPU seconds to the best energy known, and the number of runs."""

    contender: str
    seconds: float
    runs: int = 100


GOALS = {
    "Gaussian, 5³ (t3g5)": Goal(LEVELS, 0.1),
    "Gaussian, 6³ (t3g6)": Goal(LEVELS, 0.5),
    "Gaussian, 7³ (t3g7)": Goal(NESTED, 2.0),
    "bqp250-1, a QUBO": Goal(TABU_HERE, 2.0),
    "G11, a torus": Goal(LONG, 1.0),
    "G14, planar": Goal(NESTED, 20.0, 20),
    "G1, random": Goal(TABU_HERE, 20.0),
}


# ---- runs --------------------------------------------------------------------------------------


def tuned(pieces: Pieces, names: list[str]) -> dict[str, int]:
    """Return each instance's best number of sweeps: lowest energy, then shortest time."""
    seeds = range(FIRST_TUNING_SEED, FIRST_TUNING_SEED + TUNING)
    plan = {
        f"tuning/{name}/{sweeps}/{seed}": functools.partial(one, ANNEALING, name, seed, sweeps)
        for name in names
        for sweeps in SWEEPS
        for seed in seeds
    }
    found = pieces.measure(plan)

    def merit(name: str, sweeps: int) -> tuple[float, float]:
        runs = [found[f"tuning/{name}/{sweeps}/{seed}"] for seed in seeds]
        return sum(r["energy"] for r in runs), sum(r["seconds"] for r in runs)

    return {name: min(SWEEPS, key=functools.partial(merit, name)) for name in names}


def plan(names: list[str], scale: float, sweeps: dict[str, int]) -> dict[str, Callable]:
    """Return all runs: contenders in turns, and all instances advancing together."""
    turns = [
        (seed / INSTANCES[name].runs, name, seed, contender)
        for name in names
        for contender in contenders_of(name)
        for seed in range(runs_asked(name, contender, scale))
    ]
    return {
        f"{name}/{contender}/{seed}": functools.partial(one, contender, name, seed, sweeps[name])
        for _, name, seed, contender in sorted(turns)
    }


def runs_asked(name: str, contender: str, scale: float) -> int:
    runs = INSTANCES[name].runs
    return max(3, round(scale * (min(runs, CONTROL_RUNS) if contender in CONTROLS else runs)))


def contenders_of(name: str) -> list[str]:
    large = len(couplings_of(name, 0).fields) > LARGE
    return [each for each in CONTENDERS if large or each != FOUR]


def goals_plan(names: list[str], scale: float) -> dict[str, Callable]:
    return {
        f"goal/{name}/{seed}": functools.partial(
            one, goal.contender, name, seed, seconds=goal.seconds
        )
        for name, goal in GOALS.items()
        if name in names
        for seed in range(max(3, round(scale * goal.runs)))
    }


# ---- results -----------------------------------------------------------------------------------


class Results:
    """The runs of an instance by contender, and the best energy of each draw."""

    def __init__(self, found: dict, name: str):
        self.name = name
        self.runs = {
            contender: [found[k] for k in found if k.startswith(f"{name}/{contender}/")]
            for contender in CONTENDERS
        }
        self.known = couplings_of(name, 0).best_known is not None
        most = max(map(len, self.runs.values()))
        self.best = {draw: self._best(draw) for draw in {draw_of(name, i) for i in range(most)}}

    def _best(self, draw: int) -> float:
        known = drawn(self.name, draw).best_known
        if known is not None:
            return known
        return min(
            run["energy"]
            for runs in self.runs.values()
            for seed, run in enumerate(runs)
            if draw_of(self.name, seed) == draw
        )

    def gaps(self, contender: str) -> list[float]:
        """Return the gap of each run to the best energy of its draw, in per cent."""
        return [
            gap_of(run["energy"], self.best[draw_of(self.name, seed)])
            for seed, run in enumerate(self.runs[contender])
        ]

    def ranked(self, contender: str) -> list[float]:
        """Return sorting scores: runs that reached the best energy by time, then others by gap."""
        return [
            1.0 + gap if gap > 0.0 else run["seconds"] / (1.0 + run["seconds"])
            for gap, run in zip(self.gaps(contender), self.runs[contender], strict=True)
        ]

    def told(self, contender: str) -> str:
        """Format how often a contender reached the best energy, with interval and time or gap."""
        runs, gaps = self.runs[contender], self.gaps(contender)
        if not runs:
            return "–"
        k, n = gaps.count(0.0), len(runs)
        interval = binomtest(k, n).proportion_ci(method="wilson")
        words = f"{k} ({n * interval.low:.0f}–{n * interval.high:.0f})"
        if n != INSTANCES[self.name].runs:
            words = f"{k} of {n} ({n * interval.low:.0f}–{n * interval.high:.0f})"
        middle = median(
            run["seconds"] if gap == 0.0 else None for run, gap in zip(runs, gaps, strict=True)
        )
        more = _time(middle) if math.isfinite(middle) else f"{np.median(gaps):.2g} %"
        return f"{words}, {more}"


def gap_of(energy: float, best: float) -> float:
    """Return a gap in per cent; rounding errors count as 0."""
    gap = 100 * (energy - best) / abs(best)
    return gap if gap > 1e-7 else 0.0


def _time(seconds: float) -> str:
    return f"{1000 * seconds:.2g} ms" if seconds < 0.1 else f"{seconds:.2g} s"


def write(found: dict, names: list[str], sweeps: dict[str, int]) -> None:
    report = Report(
        "Spin glasses",
        f"prviz {prviz.__version__}, dwave-samplers {version('dwave-samplers')}, numba "
        f"{numba.__version__}, {platform.machine()}, one core, CPU seconds.",
        "Each cell shows how many of n runs reached the best energy (Wilson's 95 % interval, in "
        "runs), and the median time until then. If fewer than half did, it shows the median gap "
        "instead. The best energy is the known one (proven for 5³ to 7³ and 10 × 10, published "
        "for the others). A star marks the lowest energy found here. 8³, 10³ and 12³ have ten "
        "draws of the couplings with ten seeds each; every other instance is one draw.",
    )
    results = [Results(found, name) for name in names]
    rows = []
    for each in results:
        told = [each.told(contender) for contender in CONTENDERS]
        star, instance = "" if each.known else "*", INSTANCES[each.name]
        n = len(each.runs[ANNEALING])
        rows.append([f"{each.name}{star}", n, f"{instance.seconds:g}", *told, sweeps[each.name]])
    head = ["instance", "n", "s a run", *CONTENDERS, "annealing's sweeps"]
    report.table("The best energy in equal CPU time", head, rows)
    report_verdicts(report, results)
    report_goals(report, found, names)
    report_speeds(report, results)
    report.write("ising")


def report_verdicts(report: Report, results: list[Results]) -> None:
    for ours in (LEVELS, NESTED):
        rivals = [each for each in (PATCHES, LEVELS, *RIVALS) if each != ours]
        tests = [
            sign_test(each.ranked(ours), each.ranked(rival)) for each in results for rival in rivals
        ]
        said = iter(judged(tests))
        report.table(
            f"Against each rival: {ours}",
            ["instance", *rivals],
            [[each.name, *(next(said) for _ in rivals)] for each in results],
            "Sign test over pairs with the same seed and draw, won : lost. The lower energy wins; "
            f"if both reached the best energy, the faster run wins; {CHANCE}",
        )


def report_goals(report: Report, found: dict, names: list[str]) -> None:
    rows = []
    for name in names:
        runs = [piece for key, piece in found.items() if key.startswith(f"goal/{name}/")]
        if not runs:
            continue
        best, goal = couplings_of(name, 0).best_known, GOALS[name]
        gaps = [gap_of(run["energy"], best) for run in runs]
        times = [r["seconds"] if gap == 0.0 else None for r, gap in zip(runs, gaps, strict=True)]
        middle, there = median(times), gaps.count(0.0)
        rows.append(
            [
                name,
                goal.contender,
                f"≤ {goal.seconds:g} s",
                _time(middle) if math.isfinite(middle) else f"not reached: {np.median(gaps):.2g} %",
                f"{there} of {len(runs)}",
            ]
        )
    head = ["instance", "search", "goal", "median", "runs in time"]
    report.table("CPU time until the best energy known", head, rows)


def report_speeds(report: Report, results: list[Results]) -> None:
    searches = (PATCHES, LONG, NESTED)
    head = ["instance"]
    for contender in searches:
        head += [f"{contender}: 10³ calls a second", "10⁶ flips of the descent a second"]
    rows = []
    for each in results:
        row = [each.name]
        for contender in searches:
            runs = each.runs[contender]
            seconds = sum(run["all"] for run in runs)
            row.append(f"{sum(run['calls'] for run in runs) / seconds / 1e3:.0f}")
            row.append(f"{sum(run['iterations'] for run in runs) / seconds / 1e6:.1f}")
        rows.append(row)
    report.table(
        "How fast the search is",
        head,
        rows,
        "Flips by redraws and reverts are not counted.",
    )


def warm() -> None:
    """Compile the kernels in a separate process."""
    process(
        "import prviz; from prviz import Level\n"
        "for how in ('descent', 'tabu'):\n"
        "    problem = prviz.ising(prviz.datasets.torus(4), optimiser=how)\n"
        "    prviz.run(problem, k1=3, subset='patch', calls=10)\nprint(0)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the runs")
    parser.add_argument("--only", nargs="*", help="only instances whose names contain these texts")
    parser.add_argument("--fresh", action="store_true", help="discard earlier measurements")
    given = parser.parse_args()
    names = [n for n in INSTANCES if not given.only or any(part in n for part in given.only)]
    warm()
    pieces = Pieces("ising", {"sweeps": SWEEPS, "tuning": TUNING}, given.fresh)
    one(TEMPERING, names[0], 0)  # compile this contender as well
    sweeps = tuned(pieces, names)
    every = plan(names, given.scale, sweeps) | goals_plan(names, given.scale)
    write(pieces.measure(every), names, sweeps)


if __name__ == "__main__":
    main()
