"""Compare ``prviz.minimize`` with SciPy's optimisers, and find where α > 0 (equation 1) helps.

All get the same number of evaluations: a value counts as one, and so does a gradient. Gradients
are exact, and all methods that can use them get them. No setting was tuned for a function. SciPy's
methods have their defaults, except for the budget and the step of basin hopping. A method that ends
with evaluations left starts again. For prviz with a fixed k₁, M₁ = 20 N / k₁; with
α > 0 there are no restarts after the first start.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import itertools
import platform
import time
import warnings
import zlib
from collections.abc import Callable

import numpy as np
import scipy
from common import Pieces, Report
from hilly import CASES, Case, Counted, Spent
from scipy import optimize
from scipy.stats import binomtest
from threadpoolctl import threadpool_limits
from verdicts import CHANCE, judged, sign_test

import prviz
from prviz.experiments.statistics.intervals import quantile, ranks, share_of

SEEDS = 50
BUDGET = 20_000
#: A run has found the optimum if it ends at most this far above the lowest known value.
SAME = 1e-3
METHOD = "L-BFGS-B"
#: The first step of basin hopping, as a share of the box. Basin hopping adapts the step.
STEP = 0.1
NO_RESTARTS = 10**9
OURS = "prviz, default"
#: Rounds of shgo (more would take minutes); number of its seeds, few because it is deterministic.
SHGO_ROUNDS, SHGO_SEEDS = 3, 5
ALPHAS = (0.0, 0.25, 0.5, 0.75, 0.9)


# Contenders: functions of a problem, which counts evaluations and raises Spent at the limit


def partial(k1: int, alpha: float, m1: int, counted: Counted, rng: np.random.Generator) -> None:
    n = counted.case.n
    groups = np.arange(n).reshape(-1, 3).tolist() if counted.case.atoms else None
    found = prviz.minimize(
        counted.value,
        bounds=counted.bounds,
        jac=counted.slope,
        groups=groups,
        k1=k1,
        m1=m1,
        alpha=alpha,
        seed=int(rng.integers(2**31)),
        calls=counted.budget,
    )
    if "Spent" in found.message:
        raise Spent
    raise RuntimeError(found.message)  # only the budget may end the search


def chosen(counted: Counted, rng: np.random.Generator) -> None:
    """Search with the default settings, which choose steps and restarts by their gain."""
    n = counted.case.n
    found = prviz.minimize(
        counted.value,
        bounds=counted.bounds,
        jac=counted.slope,
        groups=np.arange(n).reshape(-1, 3).tolist() if counted.case.atoms else None,
        seed=int(rng.integers(2**31)),
        maxfev=counted.budget,
    )
    if "Spent" in found.message:
        raise Spent


def basin_hopping(counted: Counted, rng: np.random.Generator) -> None:
    low, high = np.array(counted.bounds).T
    optimize.basinhopping(
        counted.value,
        rng.uniform(low, high),
        niter=counted.budget,
        stepsize=STEP * (high - low)[0],
        minimizer_kwargs=_local(counted),
        rng=rng,
    )


def annealing(counted: Counted, rng: np.random.Generator) -> None:
    optimize.dual_annealing(
        counted.value,
        counted.bounds,
        maxiter=counted.budget,
        maxfun=counted.budget,
        minimizer_kwargs=_local(counted),
        rng=rng,
    )


def evolution(counted: Counted, rng: np.random.Generator) -> None:
    optimize.differential_evolution(counted.value, counted.bounds, maxiter=counted.budget, rng=rng)


def shgo(counted: Counted, rng: np.random.Generator) -> None:
    """Run SHGO once: it uses no random numbers, so a second start would give the same result."""
    optimize.shgo(
        counted.value, counted.bounds, iters=SHGO_ROUNDS, minimizer_kwargs=_local(counted)
    )
    raise Spent


def _local(counted: Counted) -> dict:
    return {"method": METHOD, "jac": counted.slope, "bounds": counted.bounds}


def variables(case: Case) -> int:
    return case.n // 3 if case.atoms else case.n


def contenders(case: Case) -> dict[str, Callable]:
    N = variables(case)
    some = max(2, N // 5)
    found = {
        OURS: chosen,
        "prviz, k₁ = 1": functools.partial(partial, 1, 0.0, 20 * N),
        "prviz, k₁ = N/5": functools.partial(partial, some, 0.0, 20 * N // some),
        "restarts (k₁ = N)": functools.partial(partial, N, 0.0, NO_RESTARTS),
        "basinhopping": basin_hopping,
        "dual_annealing": annealing,
        "differential_evolution": evolution,
    }
    return found | ({"shgo": shgo} if case.n == 10 else {})


# One search


def search(case: Case, contender: Callable, key: str, seed: int) -> dict:
    """Return the final gap, and the evaluations until it was at most SAME (None if it was not)."""
    counted = Counted(case, seed, BUDGET)
    counted.target = case.best + SAME
    rng = np.random.default_rng(zlib.crc32(f"{key}/{seed}".encode()))
    began = time.thread_time()
    with warnings.catch_warnings(), contextlib.suppress(Spent):
        warnings.simplefilter("ignore")
        while True:
            contender(counted, rng)
    gap = counted.best - case.best
    return {
        "gap": gap,
        "needed": counted.used if gap <= SAME else None,
        "used": counted.used,
        "seconds": time.thread_time() - began,
    }


def sizes(case: Case) -> list[int]:
    """Return the values of k₁ in the map: one variable, a third of the variables, and all."""
    N = variables(case)
    return [1, N // 3, N]


def mapped() -> list[Case]:
    return [case for case in CASES if case.n == 10 or variables(case) == 13]


def plan(seeds: int) -> dict[str, Callable]:
    """Return all runs, seed by seed, so that all contenders have the same seeds after a stop."""
    found = {}
    for seed in range(seeds):
        for case in CASES:
            for name, contender in contenders(case).items():
                if name != "shgo" or seed < SHGO_SEEDS:
                    key = f"{case.name}/{name}"
                    found[f"{key}/{seed}"] = functools.partial(search, case, contender, key, seed)
        for case in mapped():
            for k1, alpha in itertools.product(sizes(case), ALPHAS):
                key = f"{case.name}/map {k1} {alpha}"
                contender = functools.partial(partial, k1, alpha, NO_RESTARTS)
                found[f"{key}/{seed}"] = functools.partial(search, case, contender, key, seed)
    return found


# Results


def ranked(piece: dict) -> float:
    """Return a sort key: runs that found the optimum by evaluations, then the others by gap."""
    return piece["needed"] / BUDGET if piece["needed"] else 1.0 + piece["gap"]


def compared(ours: list[dict], theirs: list[dict]) -> tuple[int, int, float]:
    """Return a sign test over pairs of runs on the same instance."""
    return sign_test([*map(ranked, ours)], [*map(ranked, theirs)])


def told(pieces: list[dict]) -> str:
    """Format the median gap with its interval; a run that found the optimum has the gap 0."""
    gaps = sorted(0.0 if piece["needed"] else piece["gap"] for piece in pieces)
    between = ranks(len(gaps))
    middle = quantile(gaps, 0.5)
    low = gaps[max(1, between.low) - 1]
    high = gaps[min(len(gaps), between.high) - 1]
    return f"{middle:.3g} ({low:.3g} to {high:.3g})"


def found_in(pieces: list[dict]) -> str:
    """Format how many runs found the optimum, with interval, and their median evaluations."""
    needed = [piece["needed"] for piece in pieces if piece["needed"]]
    share = share_of(len(needed), len(pieces))
    words = f"{len(needed)} of {len(pieces)} ({share.low:.0%} to {share.high:.0%})"
    return f"{words}, {quantile(needed, 0.5):.0f}" if needed else words


def of_case(found: dict, case: Case, name: str) -> list[dict]:
    key = f"{case.name}/{name}/"
    return [piece for each, piece in found.items() if each.startswith(key)]


def report_contenders(report: Report, found: dict) -> None:
    named, tests = [], []
    for case in CASES:
        rows, ours = [], of_case(found, case, OURS)
        for name in contenders(case):
            pieces = of_case(found, case, name)
            rows.append([name, told(pieces), found_in(pieces)])
            if name != OURS:
                named.append((case.name, name))
                tests.append(compared(ours, pieces))
        report.table(case.name, ["", "gap, median (95 %)", "found (95 %), evaluations"], rows)
    said = dict(zip(named, judged(tests), strict=True))
    others = list(dict.fromkeys(name for _, name in named))
    report.table(
        f"{OURS}, against each rival",
        ["", *others],
        [[case.name, *(said.get((case.name, name), "–") for name in others)] for case in CASES],
        f"Sign test; the two runs of a pair have the same instance. Won : lost; {CHANCE}",
    )


def report_map(report: Report, found: dict) -> None:
    """Tabulate where α > 0 beats α = 0 with the same k₁, and compare the best cells of both."""
    cells = {
        case: {
            (k1, alpha): of_case(found, case, f"map {k1} {alpha}")
            for k1, alpha in itertools.product(sizes(case), ALPHAS)
        }
        for case in mapped()
    }
    places = [(case, *cell) for case in cells for cell in cells[case] if cell[1] > 0.0]
    tests = [compared(cells[case][k1, a], cells[case][k1, 0.0]) for case, k1, a in places]
    said = dict(zip(places, judged(tests), strict=True))
    marks = {"wins": " **+**", "loses": " **−**"}
    for case, here in cells.items():
        rows = [
            [
                f"k₁ = {k1}",
                *(
                    in_map(here[k1, alpha])
                    + marks.get(said.get((case, k1, alpha), "").partition(",")[0], "")
                    for alpha in ALPHAS
                ),
            ]
            for k1 in sizes(case)
        ]
        report.table(f"{case.name}: α × k₁", ["", *(f"α = {alpha:g}" for alpha in ALPHAS)], rows)
    best = {case: best_against_best(here) for case, here in cells.items()}
    report.table(
        "Where α > 0 helps",
        ["", "best with α = 0", "best with α > 0", "α > 0 against α = 0"],
        [
            [case.name, *best[case][0], words]
            for case, words in zip(best, judged([test for _, test in best.values()]), strict=True)
        ],
        "Cells of the maps: how many runs found the optimum, and their median evaluations; or the "
        "median gap. **+** and **−** mark cells that are better or worse than α = 0 with the same "
        "k₁. In this table, the best cells are chosen on one half of the seeds and compared on the "
        "other half, and vice versa; the pairs of both halves count. Sign tests, won : lost; "
        f"{CHANCE}",
    )


def best_against_best(cells: dict) -> tuple[list[str], tuple[int, int, float]]:
    """Choose the best cells with α = 0 and α > 0 on half of the seeds; compare them on the rest."""
    n = min(map(len, cells.values()))
    halves = slice(0, n // 2), slice(n // 2, n)
    won = lost = 0
    for chosen_on, compared_on in (halves, halves[::-1]):
        without, with_alpha = best_cells(cells, chosen_on)
        a, b, _ = compared(cells[with_alpha][compared_on], cells[without][compared_on])
        won, lost = won + a, lost + b
    (k, _), (k_alpha, alpha) = best_cells(cells, slice(0, n))
    p = binomtest(won, won + lost).pvalue if won + lost else 1.0
    return [f"k₁ = {k}", f"k₁ = {k_alpha}, α = {alpha:g}"], (won, lost, p)


def best_cells(cells: dict, seeds: slice) -> list[tuple[int, float]]:
    """Return the cells with the best median, for α = 0 and for α > 0."""

    def middle(cell: tuple[int, float]) -> float:
        return quantile([*map(ranked, cells[cell][seeds])], 0.5)

    return [
        min((cell for cell in cells if (cell[1] > 0.0) == moved), key=middle)
        for moved in (False, True)
    ]


def in_map(pieces: list[dict]) -> str:
    needed = [piece["needed"] for piece in pieces if piece["needed"]]
    words = f"{len(needed)}/{len(pieces)}"
    return f"{words}, {quantile(needed, 0.5):.0f}" if needed else f"{words}, gap {told(pieces)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0, help="share of the seeds")
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    options = parser.parse_args()
    seeds = max(4, round(SEEDS * options.scale))
    with threadpool_limits(1):
        found = Pieces("minimize", {}, options.fresh).measure(plan(seeds))
    report = Report(
        "prviz.minimize against SciPy's global optimisers",
        f"Each run has {BUDGET} evaluations of values and exact gradients. There are {seeds} "
        f"seeds, each with its own random instance (shgo: {SHGO_SEEDS}, because it is "
        "deterministic). Gap: difference to the lowest known value. Found: runs that reached a "
        f"gap of {SAME:g}, which ends a run, and their median evaluations. {METHOD} is the local "
        "optimiser of every method that uses one. Optima lie at random positions in the inner "
        "half of the box, except Schwefel's. “Turned” functions also have randomly rotated axes. "
        f"In a Lennard-Jones cluster, a variable is an atom. Python {platform.python_version()}, "
        f"SciPy {scipy.__version__}, NumPy {np.__version__}.",
    )
    report_contenders(report, found)
    report_map(report, found)
    report.write("minimize")


if __name__ == "__main__":
    main()
