"""Compare the local optimisers of spin glasses, on random graphs and on lattices.

All run with ``k1="auto"``. The result decides the default of ``prviz.ising``.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from common import Pieces, Report, median

import prviz
from prviz.problems.ising.problem import OPTIMISERS

SECONDS, SEEDS = 0.5, 10
SAME = 1e-9  # a smaller relative difference is rounding
COUPLINGS = {
    "−1 (Max-Cut)": lambda rng: -1,
    "±1": lambda rng: int(rng.choice([-1, 1])),
    "Gaussian": lambda rng: float(rng.normal()),
}
LATTICES = ((10, 10), (20, 20), (32, 32), (5, 5, 5), (7, 7, 7), (10, 10, 10))


def graph(n: int, degree: int, kind: str) -> dict[tuple[int, int], float]:
    """Return couplings of n · degree / 2 random pairs."""
    rng = np.random.default_rng((n, degree))
    pairs: dict[tuple[int, int], float] = {}
    while len(pairs) < n * degree // 2:
        i, j = sorted(rng.integers(n, size=2).tolist())
        if i < j:
            pairs[i, j] = COUPLINGS[kind](rng)
    return pairs


@functools.cache
def couplings() -> dict[str, Any]:
    """Return the couplings of each row, by kind, number of spins and shape."""
    made: dict[str, Any] = {
        f"{kind} | {n} | {degree} neighbours": graph(n, degree, kind)
        for kind in COUPLINGS
        for n in (100, 300, 1000)
        for degree in (6, 12, 20, 40)
    }
    for kind, name in {"±1": "signs", "Gaussian": "gaussian"}.items():
        for sides in LATTICES:
            shape = " × ".join(map(str, sides))
            made[f"{kind} | {np.prod(sides)} | torus {shape}"] = prviz.datasets.torus(sides, name)
    return made


def measured(row: str, optimiser: str, seed: int) -> dict:
    problem = prviz.ising(couplings()[row], optimiser=optimiser)
    prviz.run(problem, calls=2)  # loads the kernels
    return {"best": prviz.run(problem, seed=seed, seconds=SECONDS).best_cost}


def cells(row: str, done: dict) -> list[str]:
    ends = {
        how: np.array([done[f"{row} {how} {seed}"]["best"] for seed in range(SEEDS)])
        for how in OPTIMISERS
    }
    lowest = min(each.min() for each in ends.values())
    gaps = {how: (each - lowest) / abs(lowest) for how, each in ends.items()}
    told = [f"{100 * median(gap):.2g}, {np.sum(gap <= SAME)}" for gap in gaps.values()]
    first, *others = gaps.values()
    for other in others:
        told.append(f"{np.sum(first < other - SAME)} : {np.sum(first > other + SAME)}")
    return [*row.split(" | "), *told]


def main() -> None:
    plan = {
        f"{row} {how} {seed}": functools.partial(measured, row, how, seed)
        for row in couplings()
        for seed in range(SEEDS)
        for how in OPTIMISERS
    }
    done = Pieces("ising_optimisers", {"seconds": SECONDS}).measure(plan)
    report = Report(
        "Local optimisers of spin glasses",
        f"Random graphs and tori, {SECONDS:g} s of CPU time per run, seeds 0 to {SEEDS - 1}, "
        'k1="auto". A row is one set of couplings.',
    )
    first, *others = OPTIMISERS
    report.table(
        "Median gap in per cent, and runs that reached the lowest energy",
        ["couplings", "spins", "shape", *OPTIMISERS, *(f"lower : higher than {h}" for h in others)],
        [cells(row, done) for row in couplings()],
        "The gap is to the lowest energy that any of these optimisers reached. The last columns "
        f"count the seeds with which {first} ended lower : higher than the other optimiser.",
    )
    report.write("ising_optimisers")


if __name__ == "__main__":
    main()
