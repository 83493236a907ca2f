"""Measure how the time of a partial call of k-means grows with the number of points and centres.

``python benchmarks/growth.py`` covers 10⁴ to 10⁶ points, generated like A3. ``kmeans.py`` runs a
part of this benchmark.
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

#: A note at the top of the report.
PROFILE = (
    "From 256 centres on, a grid finds the centres near a point "
    "(`prviz/problems/kmeans/grid.py`). A call "
    "of the same searches takes, without and with the grid, 1495 and 519–534 µs at k = 5000, 1915 "
    "and 551–557 µs at k = 10⁴, and 262 and 214–232 µs at k = 500. An iteration at k = 5000 takes "
    "about 33 µs. Of these, 10.2 µs still "
    "grow with k: 5.4 to find the centres that moved, 3.5 to find the affected clusters, 1.3 to "
    "find the means to update. Checkpoints and costs add 12 µs per call. At k = 5000, an iteration "
    "visits 14 clusters and 920 points that exceed their distance bounds; at k = 50, 8 clusters "
    "and 510 points. At k = 5000 a smaller share of the centres than at k = 50 is at "
    "the border of the data, so a centre has more neighbours, and neighbours are farther apart in "
    "memory. Tried without gain: skipping 64 centres at once if none of them moved."
)


#: Another case: k, points per centre, and its calls as a share of those of the other cases.
MANY, FEW, MANY_CALLS = 10_000, 100, 0.1


def a3_like(k: int, a_cluster: int = 150, seed: int = 0) -> np.ndarray:
    """Return points in ``k`` clusters, with the density of ``prviz.datasets.a3_like``."""
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
    """Return median and mean CPU seconds of partial calls with k₁ = 1 after a Forgy restart."""
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
    """Return a measurement for each k in ``sizes``: 4 k calls each, for comparable progress."""
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
    note = f"Exponent of k: median {measured:.2f}, mean {mean:.2f} (goal: at most 0.3)"
    if all(plain):
        note += f"; plain, median {exponent(sizes, [other['seconds'] for other in plain]):.2f}"
    report.table(
        "Time of a partial call as the data grow, k₁ = 1",
        ["data, generated like A3", "median µs", "mean µs", "iterations", "plain, median µs"],
        rows,
        note + ". Timed: the first 4 × k calls after a Forgy restart (plain search: 300 / k "
        "calls, at least 2). "
        "`--scale` multiplies the 4 and the 300.",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the calls to run")
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    options = parser.parse_args()
    sizes, a_cluster = [50, 158, 500, 1581, 5000], 200
    pieces = Pieces("growth", {"scale": options.scale}, options.fresh)
    many = plan([MANY], FEW, options.scale * MANY_CALLS, plain=False)
    found = pieces.measure(plan(sizes, a_cluster, options.scale, plain=False) | many)
    result = Report(
        "k-means on growing data", f"CPU time of one core. `--scale {options.scale:g}`.", PROFILE
    )
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
