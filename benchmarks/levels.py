"""More levels than the paper's two: m = 1, 2, 3 and 4 at equal work and at equal CPU time.

The schedules follow one rule, stated here before anything was measured and tuned for no case:

- k_1 is the paper's share of N; k_l grows geometrically from it to k_m = N;
- M_1 = 2 N / k_1, so that a variable is redrawn twice, on average, for a redraw on level 2 (what
  the paper has for k-means), and M_l = 10 on the levels between that and the top.

Beside them stand two levels with the paper's own M_1, where that is another: the comparison that
matters, as fewer restarts alone may be what more levels bring.
"""

from __future__ import annotations

import argparse
import functools
import platform
import zlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
import scipy
from common import Pieces, Report, process, progress, reached
from growth import a3_like
from scipy.stats import wilcoxon
from threadpoolctl import threadpool_limits

import prviz
from prviz import Level
from prviz.datasets import DataUnavailable
from prviz.search.settings import make_schedule
from prviz.search.traced_search import TracedSearch

SEEDS = 20
SPACING = 10  # M_l above level 1
MOST = 4  # levels
PAPER = "2, the paper's M_1"
NAMES = {"2": "the same M_1", PAPER: "the paper's M_1"}
#: A gap as small as this is rounding: the sums of one configuration depend on their order.
ROUNDING = 1e-9
#: Of all comparisons together, the chance of calling one a difference that is none.
ALPHA = 0.05


class Case(NamedTuple):
    """A problem, the paper's k_1 and M_1 for it, seconds a search, and how a gap is told."""

    name: str
    make: Callable[[], Any]
    n_variables: int
    k1: int
    m1: int
    seconds: float
    relative: bool  # gaps in per cent of the best; else in nats


def a3() -> Any:
    try:
        points = prviz.datasets.a3().points
    except DataUnavailable:
        points = prviz.datasets.a3_like().points
    return prviz.kmeans(points, 50)


def many_clusters() -> Any:
    return prviz.kmeans(a3_like(200), 200)


def strings() -> Any:
    return prviz.hmm(prviz.datasets.bits(64), 64)


def patterns() -> Any:
    return prviz.rbm(prviz.datasets.patterns(), 10, 0.1, 1000)


def pictures() -> Any:
    try:
        data = prviz.datasets.faces900()
    except DataUnavailable:
        data = prviz.datasets.digits900()
    matrix = prviz.dissimilarity(data.points, "sqeuclidean").astype(np.float32)
    return prviz.kmedoids(matrix, data.n_clusters)


CASES = {
    case.name: case
    for case in (
        Case("k-means, A3", a3, 50, 1, 100, 0.25, True),
        Case("k-means, 200 clusters", many_clusters, 200, 1, 100, 0.75, True),
        Case("hidden Markov, 64 states", strings, 64, 4, 8000, 1.0, False),
        Case("k-medoids, 900 pictures", pictures, 121, 1, 500_000, 1.0, True),
        Case("Boltzmann, 8 × 10 units", patterns, 98, 10, 10_000, 0.5, False),
    )
}


def schedules(case: Case) -> dict[str, list[Level]]:
    """The levels of each contender, by the rule above."""
    N, k1 = case.n_variables, case.k1
    rule = 2 * N // k1
    found = {"1": [Level(N)]}
    for m in range(2, MOST + 1):
        sizes = [round(k1 * (N / k1) ** (level / (m - 1))) for level in range(m)]
        repeats = [rule, *[SPACING] * (m - 2), 0]
        found[str(m)] = [Level(k, M) for k, M in zip(sizes, repeats, strict=True)]
    if case.m1 != rule:
        found[PAPER] = [Level(k1, case.m1), Level(N)]
    return found


@functools.cache
def problem_of(name: str) -> Any:
    return CASES[name].make()


def search(name: str, contender: str, seed: int) -> dict:
    """Cost, CPU seconds and iterations whenever a search found something better, and in all."""
    case, problem = CASES[name], problem_of(name)
    # Each contender has starts of its own: searches that share them are not independent.
    start = zlib.crc32(f"{name}/{contender}/{seed}".encode())
    schedule = make_schedule(problem, levels=schedules(case)[contender])
    recorded = TracedSearch(problem, schedule, start)
    while recorded.seconds < case.seconds:
        recorded.step(seconds=min(0.25, case.seconds - recorded.seconds))
    trace = recorded.trace()
    return progress(trace.best, trace.seconds, trace.iterations)


def plan(seeds: int) -> dict[str, Callable]:
    return {
        f"{name}/{contender}/{seed}": functools.partial(search, name, contender, seed)
        for seed in range(seeds)
        for name, case in CASES.items()
        for contender in schedules(case)
    }


def gaps_of(found: dict, case: Case) -> tuple[dict, float, int]:
    """Gaps to the best of each contender's seeds at equal time and work; the best; that work."""
    pieces = {
        contender: [p for key, p in found.items() if key.startswith(f"{case.name}/{contender}/")]
        for contender in schedules(case)
    }
    everyone = [piece for some in pieces.values() for piece in some]
    best = min(piece["cost"][-1] for piece in everyone)
    amounts = {
        "iterations": min(p["total"]["iterations"] for p in everyone),
        "seconds": case.seconds,
    }
    unit = 100 / best if case.relative else 1.0
    gaps = {
        work: {
            contender: cleared(np.array([unit * (reached(p, amount, work) - best) for p in some]))
            for contender, some in pieces.items()
        }
        for work, amount in amounts.items()
    }
    return gaps | {"calls": pieces}, best, amounts["iterations"]


def cleared(gaps: np.ndarray) -> np.ndarray:
    return np.where(gaps < ROUNDING, 0.0, gaps)


def three(gaps: np.ndarray) -> str:
    """Median and quartiles."""
    low, middle, high = np.percentile(gaps, (25, 50, 75), method="nearest")
    return f"{middle:.3g} ({low:.3g}–{high:.3g})"


def chance(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Of a difference at least as large between equal contenders: Wilcoxon's signed ranks."""
    difference = ours - theirs
    return 1.0 if (difference == 0).all() else float(wilcoxon(difference, method="approx").pvalue)


def verdict(ours: np.ndarray, theirs: np.ndarray, comparisons: int) -> str:
    p = chance(ours, theirs)
    if p * comparisons >= ALPHA:
        return f"no difference shown (p = {p:.2g})"
    better = np.median(ours - theirs) < 0
    return f"{'better' if better else 'worse'} (p = {p:.1g})"


def report_case(report: Report, found: dict, case: Case, seeds: int, comparisons: int) -> list:
    """A table of a case; returns its lines of the verdicts."""
    gaps, best, iterations = gaps_of(found, case)
    rows = []
    for contender, levels in schedules(case).items():
        rows.append(
            [
                contender,
                ", ".join(str(level.size) for level in levels),
                ", ".join(str(level.repeats) for level in levels[:-1]) or "–",
                three(gaps["iterations"][contender]),
                three(gaps["seconds"][contender]),
                f"{np.median([p['total']['calls'] for p in gaps['calls'][contender]]):.0f}",
            ]
        )
    unit = "per cent" if case.relative else "nats"
    report.table(
        f"{case.name}: gap to the best, in {unit}",
        ["m", "k_l", "M_l", f"after {iterations} iterations", f"after {case.seconds:g} s", "calls"],
        rows,
        f"Medians and quartiles of {seeds} seeds; the best is the lowest cost found here, "
        f"{best:.6g}.",
    )
    against = [two for two in ("2", PAPER) if two in schedules(case)]
    return [
        [
            case.name if (m, two) == ("3", "2") else "",
            m,
            "the same M_1, the paper's" if len(against) == 1 else NAMES[two],
            *(
                verdict(gaps[work][m], gaps[work][two], comparisons)
                for work in ("iterations", "seconds")
            ),
        ]
        for m in ("3", "4")
        for two in against
    ]


WARM = """
import numpy as np, prviz
from prviz.search.traced_search import TracedSearch
from prviz.search.settings import make_schedule
matrix = prviz.dissimilarity(np.arange(12.0)[:, None]).astype(np.float32)
for problem in (
    prviz.kmeans(np.arange(24.0).reshape(12, 2), 3),
    prviz.hmm([0, 1, 0], 2),
    prviz.kmedoids(matrix, 3),
    prviz.rbm([[0, 1]], 2, epochs=2),
):
    TracedSearch(problem, make_schedule(problem, 1)).step(calls=3)
print(0)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=float, default=1.0, help="share of the seeds")
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    options = parser.parse_args()
    seeds = max(3, round(SEEDS * options.scale))

    pieces = Pieces("levels", {"scale": options.scale}, options.fresh)
    process(WARM)
    with threadpool_limits(1):
        found = pieces.measure(plan(seeds))

    report = Report(
        "More levels",
        "Two levels are the paper's; one is restarts only. Rule for the others, the same in all "
        "cases and not tuned: k_1 the paper's share of N, k_l geometric from it to N, M_1 = 2 N / "
        f"k_1, M_l = {SPACING} above; beside them two levels with the paper's own M_1. CPU time of "
        f"one core, contenders in turns. Scale {options.scale:g}. Python "
        f"{platform.python_version()}, numpy {np.__version__}, numba {numba.__version__}, scipy "
        f"{scipy.__version__}.",
    )
    comparisons = 4 * sum(len(schedules(case)) - MOST + 1 for case in CASES.values())
    verdicts = []
    for case in CASES.values():
        verdicts += report_case(report, found, case, seeds, comparisons)
    report.table(
        "Three and four levels against two",
        ["case", "m", "two levels with", "at equal work (iterations)", "at equal CPU time"],
        verdicts,
        f"Wilcoxon's signed-rank test over {seeds} pairs of seeds; a difference is called one "
        f"below p = {ALPHA / comparisons:.2g}, {ALPHA:g} shared among {comparisons} comparisons.",
    )
    report.write("levels")


if __name__ == "__main__":
    main()
