"""Measure ``prviz.minimize`` with its defaults, without gradients: gaps after 20 000 evaluations.

The rivals are the former default (k₁ = 1, M₁ = 100, L-BFGS-B in every call) and SciPy's
``dual_annealing``. Gradients are estimated by differences, which count as evaluations.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import platform
import warnings
import zlib
from collections.abc import Callable

import numpy as np
import scipy
from common import Pieces, Report, median
from hilly import FUNCTIONS, Case, Counted, Spent
from scipy import optimize
from threadpoolctl import threadpool_limits

import prviz
from prviz.experiments.statistics.intervals import quantile, ranks

SEEDS = 10
BUDGET = 20_000
#: A search ends when its gap to the optimum is at most this.
SOLVED = 1e-8
DIMENSIONS = (10, 20)
NAMES = ("Ackley", "Rastrigin", "Schwefel", "Griewank", "Rosenbrock", "Rastrigin, turned")


def default(f: Counted, seed: int) -> None:
    prviz.minimize(f.value, bounds=f.bounds, seed=seed, maxfev=f.budget + 1)


def former(f: Counted, seed: int) -> None:
    prviz.minimize(f.value, bounds=f.bounds, seed=seed, k1=1, m1=100, calls=f.budget)


def annealing(f: Counted, seed: int) -> None:
    optimize.dual_annealing(f.value, f.bounds, maxiter=f.budget, maxfun=f.budget, rng=seed)


CONTENDERS: dict[str, Callable] = {
    "prviz": default,
    "prviz, k₁ = 1, M₁ = 100": former,
    "dual_annealing": annealing,
}


def cases() -> dict[str, Case]:
    return {
        f"{name}, {n}": Case(
            name, value, slope, n, reach, turned="turned" in name, moved=reach != 500.0
        )
        for n in DIMENSIONS
        for name, value, slope, reach in FUNCTIONS
        if name in NAMES
    }


def search(case: Case, contender: Callable, key: str, seed: int) -> dict:
    """Return the gap at the end, and the evaluations used."""
    f = Counted(case, seed, BUDGET)
    f.target = SOLVED
    with warnings.catch_warnings(), contextlib.suppress(Spent):
        warnings.simplefilter("ignore")
        contender(f, zlib.crc32(f"{key}/{seed}".encode()) >> 1)
    return {"gap": f.best, "used": f.used}


def cell(pieces: list[dict]) -> str:
    """Return the median gap and its interval, or "solved" and the median number of evaluations."""
    if all(piece["gap"] <= SOLVED for piece in pieces):
        return f"solved, {median(piece['used'] for piece in pieces):.0f}"
    gaps = sorted(piece["gap"] for piece in pieces)
    between = ranks(len(gaps))
    low, high = gaps[max(1, between.low) - 1], gaps[min(len(gaps), between.high) - 1]
    solved = sum(gap <= SOLVED for gap in gaps)
    return f"{quantile(gaps, 0.5):.2g} [{low:.2g}–{high:.2g}], {solved} solved"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    options = parser.parse_args()
    plan = {
        f"{case}/{name}/{seed}": functools.partial(search, cases()[case], contender, case, seed)
        for case in cases()
        for name, contender in CONTENDERS.items()
        for seed in range(SEEDS)
    }
    with threadpool_limits(1):
        found = Pieces("minimize_values", {}, options.fresh).measure(plan)
    report = Report(
        "prviz.minimize by default, with values only",
        f"Gap to the optimum after {BUDGET} evaluations: median of {SEEDS} seeds with 95 % "
        f"interval, and the number of seeds that ended below {SOLVED:g}. If all did, the cell "
        "shows their median evaluations. Each seed has its own random instance: optima lie at "
        "random positions in the inner half of the box (except Schwefel's), and “turned” "
        f"functions have randomly rotated axes. Python {platform.python_version()}, SciPy "
        f"{scipy.__version__}, NumPy {np.__version__}.",
    )
    report.table(
        "Gaps",
        ["function, dimensions", *CONTENDERS],
        [
            [
                case,
                *(
                    cell([found[f"{case}/{name}/{seed}"] for seed in range(SEEDS)])
                    for name in CONTENDERS
                ),
            ]
            for case in cases()
        ],
    )
    report.write("minimize_values")


if __name__ == "__main__":
    main()
