"""How the cost of a partial call of k-means grows with the data, generated like A3.

``python benchmarks/growth.py`` goes from 10⁴ to 10⁶ points; ``kmeans.py`` uses a part of it.
"""

from __future__ import annotations

import argparse
import functools

import numpy as np
from common import Pieces, Report, exponent

import prviz
from prviz.run import make_schedule
from prviz.traced import TracedSearch

#: What was measured and counted when the kernels were last worked on.
PROFILE = (
    "With 100 points a cluster, n = 10⁶ and k = 10⁴ (centres on a jittered lattice, 400 calls "
    "after one Forgy restart, which took 7.8 s of CPU, under load): a partial call takes 3.3 and "
    "3.5 ms in two runs, median, and took 4.3 ms before (goals: 3 ms and an exponent of 0.3, both "
    "missed). Where it goes at k = 5000, of 215 µs an iteration: 128 for the lists of centres near "
    "15 scanned clusters, each from the distances of all k; 22 for what lies near a centre that "
    "moved, all k again; 18 for records of clusters (96 bytes each); 11 to find what moved; 15 for "
    "checkpoints. All of these grow with k: lists of neighbours, or a grid of the centres, would "
    "end that. Tried, no faster: passing over 32 centres together if all are too far."
)


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
    problem = prviz.kmeans(_points(k, a_cluster), k, lloyd=lloyd)
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
    note = f"Exponent of the median {measured:.2f}, of the mean {mean:.2f} (goal: below 0.5)"
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
    found = pieces.measure(plan(sizes, a_cluster, options.scale, plain=False))
    result = Report("Growth of k-means", f"CPU time of one core. Scale {options.scale:g}.", PROFILE)
    report(result, found, sizes, a_cluster)
    result.write("growth")


if __name__ == "__main__":
    main()
