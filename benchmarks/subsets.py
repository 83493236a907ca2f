"""Compare each sub-set heuristic with random sub-sets at the same work.

The settings were chosen before this run: the paper's k₁ and M₁ (for Boltzmann machines its p), on
the data of its benchmarks. k-means has M₁ = 1000, because 100 is too small on A3. Neighbours have
k₁ = 3, because with k₁ = 1 they equal random sub-sets. A call of a Boltzmann machine has the
page's 1000 epochs at rate 0.1. After a trial with four seeds, only the time limits were changed.
Tournaments of five centres and five points were the best of seven settings on A3-like (seeds 0 to
59) and A3 (seeds 0 to 39). The measurements here use other seeds.

The target of a case is the median cost of random sub-sets after half the time. A heuristic wins or
loses if the work to the target differs with p < 0.01 both in iterations and in CPU seconds
(Mann–Whitney, two-sided; searches that miss the target rank last). Otherwise there is no
significant difference.
"""

from __future__ import annotations

import argparse
import functools
import platform
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import kmeans
import numba
import numpy as np
import sklearn
from common import Pieces, Report, median, needed, process, progress, reached, times
from scipy.stats import mannwhitneyu
from threadpoolctl import threadpool_limits

import prviz
from prviz.datasets import DataUnavailable
from prviz.search.settings import make_schedule
from prviz.search.traced_search import TracedSearch

FIRST_SEED = 1000
SHARES = (0.1, 0.5, 1.0)  # fractions of the time at which costs are printed
SIGNIFICANT = 0.01
ROUNDING = 1e-9  # tolerance within which two costs are the same optimum


class Case(NamedTuple):
    """A problem and a schedule, on which sub-sets are compared.

    Attributes
    ----------
    problem : function
        Makes the problem; called once.
    settings : dict
        Arguments of ``make_schedule``.
    subsets : tuple of str
        The heuristics to compare with random.
    seconds : float
        CPU seconds of a search.
    """

    problem: Callable[[], Any]
    settings: dict
    subsets: tuple[str, ...]
    seconds: float


@functools.cache
def a3():
    return prviz.kmeans(prviz.datasets.a3().points, 50)


@functools.cache
def faces(optimiser: str):
    matrix = prviz.dissimilarity(prviz.datasets.faces900().points, "sqeuclidean").astype(np.float32)
    return prviz.kmedoids(matrix, 121, optimiser)


@functools.cache
def bits(n: int):
    return prviz.hmm(prviz.datasets.bits(n), n)


@functools.cache
def machine(decay: float):
    return prviz.rbm(prviz.datasets.patterns(), 10, 0.1, 1000, decay)


CASES = {
    "k-means, A3, k₁ = 1, M₁ = 1000": Case(a3, {"k1": 1, "m1": 1000}, ("tournament",), 0.2),
    "k-means, A3, k₁ = 3, M₁ = 1000": Case(
        a3, {"k1": 3, "m1": 1000}, ("neighbours", "tournament"), 0.5
    ),
    "k-medoids, faces, swap, k₁ = 1, M₁ = 500000": Case(
        functools.partial(faces, "swap"), {"k1": 1, "m1": 500_000}, ("local",), 1.0
    ),
    "k-medoids, faces, alternate, k₁ = 1, M₁ = 500000": Case(
        functools.partial(faces, "alternate"), {"k1": 1, "m1": 500_000}, ("local",), 0.5
    ),
    "HMM, 32 bits, k₁ = 2, M₁ = 8000": Case(
        functools.partial(bits, 32), {"k1": 2, "m1": 8000}, ("together",), 0.5
    ),
    "HMM, 128 bits, k₁ = 8, M₁ = 8000": Case(
        functools.partial(bits, 128), {"k1": 8, "m1": 8000}, ("together",), 2.0
    ),
    "RBM, λ = 0, p = 0.1, M₁ = 10000": Case(
        functools.partial(machine, 0.0), {"probability": 0.1, "m1": 10_000}, ("unit",), 1.0
    ),
    "RBM, λ = 0.01, p = 0.1, M₁ = 10000": Case(
        functools.partial(machine, 0.01), {"probability": 0.1, "m1": 10_000}, ("unit",), 1.0
    ),
    "RBM, λ = 0, k₁ = 9, M₁ = 10000": Case(
        functools.partial(machine, 0.0), {"k1": 9, "m1": 10_000}, ("unit",), 1.0
    ),
}


def contenders(case: Case) -> tuple[str, ...]:
    return ("random", *case.subsets)


def run(case: Case, subset: str, seed: int) -> dict:
    """Run a search for the case's time, and record its improvements and work."""
    problem = case.problem()
    search = TracedSearch(
        problem, make_schedule(problem, **case.settings, subset=subset), FIRST_SEED + seed
    )
    while search.seconds < case.seconds:
        search.step(seconds=min(0.25, case.seconds - search.seconds))
    trace = search.trace()
    return progress(trace.best, trace.seconds, trace.iterations)


def plan_cases(seeds: int) -> dict[str, Callable]:
    return {
        f"{name}/{subset}/{seed}": functools.partial(run, case, subset, seed)
        for seed in range(seeds)
        for name, case in CASES.items()
        for subset in contenders(case)
    }


def of(found: dict, prefix: str) -> list[dict]:
    return [piece for name, piece in found.items() if name.startswith(prefix)]


def figure(x: float) -> str:
    return "never" if not np.isfinite(x) else f"{x:.0f}" if x >= 1000 else f"{x:.3g}"


def spread(values: list[float]) -> str:
    """Format a median with quartiles. Unreached targets count as infinite."""
    quartiles = np.quantile(np.array(values, float), [0.25, 0.75], method="nearest")
    low, high = map(figure, quartiles)
    return f"{figure(median(values))} ({low} to {high})"


def report_case(report: Report, found: dict, name: str, case: Case) -> list[list[str]]:
    """Tabulate a case, and return its rows of verdicts."""
    pieces = {subset: of(found, f"{name}/{subset}/") for subset in contenders(case)}
    at = case.seconds * np.array(SHARES)
    half = median(reached(piece, case.seconds / 2) for piece in pieces["random"])
    target = half + ROUNDING * abs(half)
    best = min(piece["cost"][-1] for group in pieces.values() for piece in group)
    relative = name.startswith("k-")  # costs of HMM and RBM are logarithms, so differences count
    scale, unit = (100 / best, "%") if relative else (1.0, "nats")

    def above(piece: dict, seconds: float) -> float:
        gap = scale * (reached(piece, seconds) - best)
        return gap if gap > ROUNDING else 0.0

    rows, work = [], {}
    for subset, group in pieces.items():
        work[subset] = {w: [needed(p, target, w) for p in group] for w in ("iterations", "seconds")}
        rows.append(
            [
                subset,
                *(spread([above(piece, seconds) for piece in group]) for seconds in at),
                spread(work[subset]["iterations"]),
                spread([1e3 * seconds for seconds in work[subset]["seconds"]]),
                f"{sum(np.isfinite(work[subset]['seconds']))} of {len(group)}",
            ]
        )
    report.table(
        name,
        ["sub-sets", *(f"after {s:g} s, {unit} above" for s in at), "iterations to the target",
         "CPU ms to the target", "reached"],
        rows,
        f"n = {len(group)} seeds; medians with quartiles. “Above” means above the lowest cost "
        f"found, {best:.8g}. Target: {half:.8g}.",
    )  # fmt: skip
    return [[name, subset, *verdict(work["random"], work[subset])] for subset in case.subsets]


def verdict(random: dict, own: dict) -> list[str]:
    """Return whether a heuristic wins, then ratio and p, for iterations and for seconds."""
    said, ratios = set(), []
    for unit in ("iterations", "seconds"):
        p = mannwhitneyu(random[unit], own[unit]).pvalue
        sooner = np.less.outer(own[unit], random[unit]).mean()
        later = np.greater.outer(own[unit], random[unit]).mean()
        differ = "wins" if sooner > later else "loses"
        said.add(differ if p < SIGNIFICANT else "no difference shown")
        theirs, ours = median(random[unit]), median(own[unit])
        ratio = times(theirs / ours) if np.isfinite([theirs, ours]).all() else "–"
        ratios.append(f"{ratio} (p = {p:.1g})")
    return [said.pop() if len(said) == 1 else "no difference shown", *ratios]


# ---- k-means: time to the best cost known ------------------------------------------------------

SETS = {"A3": prviz.datasets.a3, "S1": prviz.datasets.s1, "S2": prviz.datasets.s2}
LIMIT = 20.0
BEST_GOAL = "≥ 60×"
TOURNAMENT = "tournament, k₁ = 1"
#: Arguments of :func:`kmeans.solve`: initialisation, M₁, sub-sets.
SEARCHES = {
    kmeans.SKLEARN: None,
    kmeans.CONTROL: ("k-means++", None, "random"),
    "random, k₁ = 1": ("forgy", 1000, "random"),
    TOURNAMENT: ("forgy", 1000, "tournament"),
    "random, k₁ = 1, restarts from k-means++": ("k-means++", 1000, "random"),
    "tournament, k₁ = 1, restarts from k-means++": ("k-means++", 1000, "tournament"),
}


def solve(data, settings: tuple | None, seed: int) -> dict:
    """Return seconds, calls and iterations until the cost is within 1e-5 of the best known."""
    if settings is None:
        return kmeans.solve_by_sklearn(data, FIRST_SEED + seed, LIMIT)
    init, m1, subset = settings
    return kmeans.solve(data, init, m1, FIRST_SEED + seed, LIMIT, subset)


def plan_solve(seeds: int) -> dict[str, Callable]:
    sets = {name: made() for name, made in SETS.items()}
    return {
        f"solve {name}/{search}/{seed}": functools.partial(solve, data, settings, seed)
        for seed in range(seeds)
        for name, data in sets.items()
        for search, settings in SEARCHES.items()
    }


def report_solve(report: Report, found: dict, name: str) -> None:
    columns = {
        search: {
            column: [p[column] for p in of(found, f"solve {name}/{search}/")]
            for column in ("seconds", "calls", "iterations")
        }
        for search in SEARCHES
    }
    base, control = (median(columns[s]["seconds"]) for s in (kmeans.SKLEARN, kmeans.CONTROL))
    rows = []
    for search, column in columns.items():
        seconds = [np.inf if s is None else s for s in column["seconds"]]
        rows.append(
            [
                search,
                spread([1e3 * s for s in seconds]),
                f"{median(column['calls']):.0f}",
                f"{median(column['iterations']):.0f}",
                f"{sum(np.isfinite(seconds))} of {len(seconds)}",
                times(control / median(seconds)),
                times(base / median(seconds)),
                BEST_GOAL if (name, search) == ("A3", TOURNAMENT) else "–",
            ]
        )
    report.table(
        f"{name}: CPU ms to within 1e-5 of the best cost known",
        ["search", "CPU ms", "calls", "iterations", "solved", "times as fast as the control",
         "as scikit-learn", "goal"],
        rows,
        "Medians with quartiles; M₁ = 1000; Forgy restarts unless stated otherwise.",
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------

WARM = "from prviz.warm import compile_all; compile_all(); print(0)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the repeats to run")
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    options = parser.parse_args()
    scale = options.scale
    seeds = max(4, round(20 * scale))
    try:
        plan = plan_solve(max(4, round(40 * scale))) | plan_cases(seeds)
        prviz.datasets.faces900()
    except DataUnavailable as why:
        raise SystemExit(str(why)) from None

    pieces = Pieces("subsets", {"scale": scale}, options.fresh)
    process(WARM)
    with threadpool_limits(1), warnings.catch_warnings():
        data = prviz.datasets.s1()
        kmeans.fit(data.points, 15, "random", "lloyd", 0)  # untimed: slow first call
        for case in CASES.values():  # load the kernels, and compile them for float32
            problem = case.problem()
            TracedSearch(problem, make_schedule(problem, **case.settings)).step(calls=2)
        found = pieces.measure(plan)

    report = Report(
        "Sub-set heuristics against random sub-sets",
        f"CPU time of one core, contenders in turns. `--scale {scale:g}`. "
        f"Python {platform.python_version()}, numpy {np.__version__}, numba {numba.__version__}, "
        f"scikit-learn {sklearn.__version__} (tol=0).",
    )
    verdicts = []
    for name, case in CASES.items():
        verdicts += report_case(report, found, name, case)
    for name in SETS:
        report_solve(report, found, name)
    report.table(
        "Verdicts",
        ["case", "sub-sets", "against random", "iterations saved", "CPU time saved"],
        verdicts,
        f"Savings are ratios of medians (random ÷ heuristic), with p of Mann–Whitney tests; n = "
        f"{seeds} each.",
    )
    report.write("subsets")


if __name__ == "__main__":
    main()
