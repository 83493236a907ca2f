"""How the cost of a partial call of k-means grows with the data, generated like A3.

``python benchmarks/growth.py`` goes from 10⁴ to 10⁶ points; ``kmeans.py`` uses a part of it.
"""

from __future__ import annotations

import argparse
import functools

import numpy as np
from common import Pieces, Report, exponent
from oracles.kmeans import plain_kmeans

import prviz
from prviz.search.settings import make_schedule
from prviz.search.traced_search import TracedSearch

LLOYDS = {"plain": plain_kmeans, "incremental": prviz.kmeans}

#: What was counted when the kernels were last worked on.
PROFILE = (
    "From 256 centres on, those near a place are found in the cells of a grid "
    "(`prviz/problems/kmeans/grid.py`). Before and after, the same searches, measured one after "
    "the other: 1495 µs and 519 to 534 at k = 5000, 1915 and 551 to 557 at k = 10⁴, 262 and 214 "
    "to 232 at k = 500. What grows with k yet, of some 33 µs an iteration at k = 5000: 5.4 to "
    "find what has moved, 3.5 to find which clusters that concerns, 1.3 to find whose mean is to "
    "be made anew; and 12 a call for checkpoints and the cost. The rest is the search itself: an "
    "iteration at k = 5000 looks at 14 clusters and at 920 points without slack, at k = 50 at 8 "
    "and 510, as centres have more neighbours when they are not at a border, and all lie farther "
    "apart in memory. Tried, no faster: to pass over 64 centres together if none of them has "
    "moved."
)


#: The case of many centres with few points each, and how many calls less are made there.
MANY, FEW, MANY_CALLS = 10_000, 100, 0.1


def a3_like(k: int, a_cluster: int = 150, seed: int = 0) -> np.ndarray:
    """Points of ``k`` clusters as dense as in ``prviz.datasets.a3_like``, in a larger square."""
    rng = np.random.default_rng(seed)
    side = 58500 * np.sqrt(k / 50)
    centers = np.empty((k, 2))
    n_centers = 0
    while n_centers < k:
        centre = rng.uniform(0, side, 2)
        if (((centers[:n_centers] - centre) ** 2).sum(axis=1) >= 5600**2).all():
            centers[n_centers] = centre
            n_centers += 1
    points = np.repeat(centers, a_cluster, axis=0)
    return (points + rng.normal(0, 1410, points.shape)).round()


@functools.lru_cache(maxsize=1)
def _points(k: int, a_cluster: int) -> np.ndarray:
    return a3_like(k, a_cluster)


def partial_calls(k: int, a_cluster: int, lloyd: str, calls: int) -> dict:
    """Median and mean CPU seconds of partial calls with k_1 = 1 after one Forgy restart."""
    problem = LLOYDS[lloyd](_points(k, a_cluster), k)
    search = TracedSearch(problem, make_schedule(problem, k1=1, m1=10**9))
    search.step(calls=1)
    while search.calls <= calls:
        search.step(calls + 1 - search.calls)
    trace = search.trace()
    seconds = np.diff(trace.seconds)
    return {
        "seconds": float(np.median(seconds)),
        "mean": float(seconds.mean()),
        "iterations": float(trace.iterations[1:].mean()),
    }


def plan(sizes: list[int], a_cluster: int, scale: float = 1.0, plain: bool = True) -> dict:
    """Pieces for k in ``sizes``: 4 k calls each, so that every search is as far on."""
    pieces = {}
    for k in sizes:
        calls = max(4, int(4 * k * scale))
        pieces[f"growth/{k}"] = functools.partial(partial_calls, k, a_cluster, "incremental", calls)
        if plain:
            pieces[f"growth plain/{k}"] = functools.partial(
                partial_calls, k, a_cluster, "plain", max(2, int(300 / k * scale))
            )
    return pieces


def report(report: Report, found: dict, sizes: list[int], a_cluster: int) -> None:
    incremental = [found[f"growth/{k}"] for k in sizes]
    plain = [found.get(f"growth plain/{k}") for k in sizes]
    rows = [
        [
            f"n = {k * a_cluster}, k = {k}",
            f"{1e6 * one['seconds']:.0f}",
            f"{1e6 * one['mean']:.0f}",
            f"{one['iterations']:.1f}",
            f"{1e6 * other['seconds']:.0f}" if other else "–",
        ]
        for k, one, other in zip(sizes, incremental, plain, strict=True)
    ]
    measured = exponent(sizes, [one["seconds"] for one in incremental])
    mean = exponent(sizes, [one["mean"] for one in incremental])
    note = f"Exponent of the median {measured:.2f}, of the mean {mean:.2f} (goal: at most 0.3)"
    if all(plain):
        note += f"; plain {exponent(sizes, [other['seconds'] for other in plain]):.2f}"
    report.table(
        "Growth of a partial call, k_1 = 1",
        ["data, generated like A3", "median µs", "mean µs", "iterations", "plain, median µs"],
        rows,
        note + ". Calls 1 to 4 k (times the scale) after a Forgy restart.",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=float, default=1.0, help="share of the calls to make")
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    options = parser.parse_args()
    sizes, a_cluster = [50, 158, 500, 1581, 5000], 200
    pieces = Pieces("growth", {"scale": options.scale}, options.fresh)
    many = plan([MANY], FEW, options.scale * MANY_CALLS, plain=False)
    found = pieces.measure(plan(sizes, a_cluster, options.scale, plain=False) | many)
    result = Report("Growth of k-means", f"CPU time of one core. Scale {options.scale:g}.", PROFILE)
    report(result, found, sizes, a_cluster)
    one = found[f"growth/{MANY}"]
    row = [f"{1e6 * one['seconds']:.0f}", f"{1e6 * one['mean']:.0f}", f"{one['iterations']:.1f}"]
    result.table(
        "A million points, ten thousand centres",
        ["data", "median µs", "mean µs", "iterations", "goal"],
        [[f"n = {MANY * FEW}, k = {MANY}", *row, "≤ 3000 µs"]],
    )
    result.write("growth")


if __name__ == "__main__":
    main()
