"""Compare descent with tabu search as the local optimiser of spin glasses, by neighbours per spin.

Both run with ``k1="auto"``. The result decides the default of ``prviz.ising`` (`DENSE`).
"""

from __future__ import annotations

import functools

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
SIZES = [(n, degree) for n in (100, 300, 1000) for degree in (6, 12, 20, 40)]


@functools.cache
def graph(n: int, degree: int, kind: str) -> dict[tuple[int, int], float]:
    """Return couplings of n · degree / 2 random pairs."""
    rng = np.random.default_rng((n, degree))
    pairs: dict[tuple[int, int], float] = {}
    while len(pairs) < n * degree // 2:
        i, j = sorted(rng.integers(n, size=2).tolist())
        if i < j:
            pairs[i, j] = COUPLINGS[kind](rng)
    return pairs


def measured(n: int, degree: int, kind: str, optimiser: str, seed: int) -> dict:
    problem = prviz.ising(graph(n, degree, kind), optimiser=optimiser)
    prviz.run(problem, calls=2)  # loads the kernels
    return {"best": prviz.run(problem, seed=seed, seconds=SECONDS).best_cost}


def row(n: int, degree: int, kind: str, done: dict) -> list:
    ends = {
        how: np.array([done[f"{n} {degree} {kind} {how} {seed}"]["best"] for seed in range(SEEDS)])
        for how in OPTIMISERS
    }
    lowest = min(each.min() for each in ends.values())
    gaps = {how: (each - lowest) / abs(lowest) for how, each in ends.items()}
    cells = [f"{100 * median(gap):.2g}, {np.sum(gap <= SAME)}" for gap in gaps.values()]
    signs = np.sign(ends["tabu"] - ends["descent"]) * (
        np.abs(gaps["tabu"] - gaps["descent"]) > SAME
    )
    return [kind, n, degree, *cells, f"{np.sum(signs < 0)} : {np.sum(signs > 0)}"]


def main() -> None:
    cases = [(n, degree, kind) for kind in COUPLINGS for n, degree in SIZES]
    plan = {
        f"{n} {degree} {kind} {how} {seed}": functools.partial(measured, n, degree, kind, how, seed)
        for n, degree, kind in cases
        for how in OPTIMISERS
        for seed in range(SEEDS)
    }
    done = Pieces("dense", {"seconds": SECONDS}).measure(plan)
    report = Report(
        "Descent or tabu search",
        f"Random graphs, {SECONDS:g} s of CPU time per run, seeds 0 to {SEEDS - 1}, "
        'k1="auto". A row is one graph.',
    )
    report.table(
        "Median gap in per cent, and runs that reached the lowest energy",
        ["couplings", "spins", "neighbours", *OPTIMISERS, "tabu lower : higher"],
        [row(*case, done) for case in cases],
        "The gap is to the lowest energy that either reached. The last column compares equal "
        "seeds.",
    )
    report.write("dense")


if __name__ == "__main__":
    main()
