"""Compare one to four levels at equal work and at equal CPU time.

One rule defines all schedules. It was fixed before the measurements and not tuned:

- k₁ is the paper's share of N; k_l grows geometrically from it to k_m = N;
- M₁ = 2 N / k₁, so that level 1 redraws a variable twice, on average, before level 2 acts (as
  in the paper for k-means), and M_l = 10 on the levels between level 1 and the top.

If the paper's M₁ differs from this rule, two levels with the paper's M₁ are compared, too. This
comparison is important, because rarer restarts alone may explain the gain of more levels.
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
MOST = 4  # largest number of levels
PAPER = "2, the paper's M₁"
NAMES = {"2": "the same M₁", PAPER: "the paper's M₁"}
#: A gap this small is rounding: sums depend on the order of their terms.
ROUNDING = 1e-9
#: The family-wise error rate of all comparisons together.
ALPHA = 0.05


class Case(NamedTuple):
    """Describe a case: problem, the paper's k₁ and M₁, seconds per search, unit of gaps."""

    name: str
    make: Callable[[], Any]
    n_variables: int
    k1: int
    m1: int
    seconds: float
    relative: bool  # True: gaps in per cent of the best cost; False: in nats


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
    return prviz.kmedoids(matrix, data.n_clusters, "alternate")


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
    """Return the levels of each contender by the rule above."""
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
    """Run a search; return cost, CPU seconds and iterations at each improvement and at the end."""
    case, problem = CASES[name], problem_of(name)
    # Each contender has its own seeds: searches with the same seed are not independent.
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
    """Return gaps after equal iterations and equal seconds, the best cost, and the iterations."""
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
    """Format a median and quartiles."""
    low, middle, high = np.percentile(gaps, (25, 50, 75), method="nearest")
    return f"{middle:.3g} ({low:.3g}–{high:.3g})"


def chance(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Return p of Wilcoxon's signed-rank test, two-sided."""
    difference = ours - theirs
    return 1.0 if (difference == 0).all() else float(wilcoxon(difference, method="approx").pvalue)


def verdict(ours: np.ndarray, theirs: np.ndarray, comparisons: int) -> str:
    p = chance(ours, theirs)
    if p * comparisons >= ALPHA:
        return f"no difference shown (p = {p:.2g})"
    better = np.median(ours - theirs) < 0
    return f"{'better' if better else 'worse'} (p = {p:.1g})"


def report_case(report: Report, found: dict, case: Case, seeds: int, comparisons: int) -> list:
    """Tabulate a case, and return its rows of the verdict table."""
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
        f"Medians and quartiles of {seeds} seeds. The best cost is the lowest found here, "
        f"{best:.6g}.",
    )
    against = [two for two in ("2", PAPER) if two in schedules(case)]
    return [
        [
            case.name if (m, two) == ("3", "2") else "",
            m,
            "the same M₁ (the paper's)" if len(against) == 1 else NAMES[two],
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
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the seeds")
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    options = parser.parse_args()
    seeds = max(3, round(SEEDS * options.scale))

    pieces = Pieces("levels", {"scale": options.scale}, options.fresh)
    process(WARM)
    with threadpool_limits(1):
        found = pieces.measure(plan(seeds))

    report = Report(
        "More levels",
        "Two levels are the paper's method; one level is full restarts only. One untuned rule "
        "defines the schedules of all cases: k₁ is the paper's share of N; k_l grows "
        f"geometrically from k₁ to N; M₁ = 2 N / k₁; M_l = {SPACING} between level 1 and the "
        "top. Two levels with the paper's own M₁ are compared as well. CPU time of one core, "
        f"contenders in turns. `--scale {options.scale:g}`. Python {platform.python_version()}, "
        f"numpy {np.__version__}, numba {numba.__version__}, scipy {scipy.__version__}.",
    )
    comparisons = 4 * sum(len(schedules(case)) - MOST + 1 for case in CASES.values())
    verdicts = []
    for case in CASES.values():
        verdicts += report_case(report, found, case, seeds, comparisons)
    report.table(
        "Three and four levels against two",
        ["case", "m", "two levels with", "at equal work (iterations)", "at equal CPU time"],
        verdicts,
        f"Wilcoxon's signed-rank test over {seeds} pairs of runs with equal seeds; a difference is "
        f"significant below p = {ALPHA / comparisons:.2g}, that is {ALPHA:g} divided by "
        f"{comparisons} comparisons.",
    )
    report.write("levels")


if __name__ == "__main__":
    main()
