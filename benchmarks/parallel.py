"""Compare one worker with two that share their best configuration, up to a target cost.

On a busy machine there is no free second core, and wall time is unreliable. Therefore the work of
each worker is counted, too. In each round of eight calls, only the iterations of the slower worker
count, as if the other worker waited.
"""

from __future__ import annotations

import argparse
import inspect
import os
import platform
import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import numba
import numpy as np
from common import Pieces, Report

import prviz
from prviz.datasets import DataUnavailable
from prviz.search import parallel

WORKERS = 2
CALLS = 10**6  # limit of calls; every run reaches its target earlier


class Case(NamedTuple):
    """Describe a problem and its target, a cost that all searches reach."""

    make: Callable[[], Any]
    m1: int
    k1: int
    target: float
    seeds: int


@cache
def a3():
    data = prviz.datasets.a3()
    return prviz.kmeans(data.points, len(data.centers)), data.best_known


@cache
def faces(optimiser: str):
    data = prviz.datasets.faces900()
    matrix = prviz.dissimilarity(data.points, "sqeuclidean").astype(np.float32)
    return prviz.kmedoids(matrix, data.n_clusters, optimiser), data.best_known


def cases() -> dict[str, Case]:
    best_a3, best_faces = a3()[1], faces("swap")[1]
    return {
        "A3, k-means, M₁ = 100": Case(lambda: a3()[0], 100, 1, best_a3 * (1 + 1e-5), 60),
        "A3, k-means, M₁ = 1000": Case(lambda: a3()[0], 1000, 1, best_a3 * (1 + 1e-5), 60),
        "HMM, 128 bits, 32 states": Case(
            lambda: prviz.hmm(prviz.datasets.bits(128), 32), 2000, 2, 34.0, 40
        ),
        "faces, k-medoids, alternate, to 0.5 %": Case(
            lambda: faces("alternate")[0], 500_000, 1, best_faces * 1.005, 30
        ),
        "faces, k-medoids, swap, to 0.02 %": Case(
            lambda: faces("swap")[0], 500_000, 1, best_faces * 1.0002, 30
        ),
    }


#: Workers, and redraws per worker relative to M₁. Two workers make twice as many in total.
SEARCHES = {"one": (1, 1), "one, twice M₁": (1, 2), "two that share": (WORKERS, 1)}


def solve(case: Case, search: str, seed: int) -> dict:
    """Run to the target; return the work of each worker and the seconds."""
    workers, times = SEARCHES[search]
    problem = case.make()
    wall, cpu = time.perf_counter(), time.process_time()
    run = prviz.run(
        problem, case.k1, case.m1 * times, seed=seed, target=case.target, calls=CALLS,
        workers=workers,
    )  # fmt: skip
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {
        "solved": run.best_cost <= case.target,
        "calls": run.calls // workers,
        "iterations": waited_for(run.trace.iterations, workers),
        "seconds": run.seconds,
        "cpu": cpu,
        "wall": wall,
        "load": os.getloadavg()[0],
    }


def waited_for(iterations: np.ndarray, workers: int) -> int:
    """Return the sum, over rounds of eight calls, of the iterations of the slowest worker."""
    if workers == 1:
        return int(iterations.sum())
    calls = iterations.reshape(-1, workers)
    rounds = np.add.reduceat(calls, np.arange(0, len(calls), parallel.SHARE), axis=0)
    return int(rounds.max(axis=1).sum())


def of(found: dict, name: str, search: str, column: str) -> np.ndarray:
    head = f"{name}/{search}/"
    return np.array([piece[column] for key, piece in found.items() if key.startswith(head)])


def ratio(before: np.ndarray, after: np.ndarray) -> str:
    """Format the ratio of medians with its 95 % interval (bootstrap over seeds)."""
    rng = np.random.default_rng(0)
    drawn = [
        np.median(rng.choice(before, len(before))) / np.median(rng.choice(after, len(after)))
        for _ in range(2000)
    ]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return f"{np.median(before) / np.median(after):.1f} ({low:.1f} … {high:.1f})"


def in_pairs(values: np.ndarray) -> np.ndarray:
    """Pair runs of one worker, and return the faster run of each pair."""
    half = len(values) // 2
    return np.minimum(values[:half], values[half : 2 * half])


def report_work(report: Report, found: dict, names: list[str]) -> None:
    rows = []
    for name in names:
        for column in ("calls", "iterations"):
            one = of(found, name, "one", column)
            two = of(found, name, "two that share", column)
            rows.append(
                [
                    name if column == "calls" else "",
                    column,
                    f"{np.median(one):.0f}",
                    f"{np.median(two):.0f}",
                    "≥ 1.7",
                    ratio(one, two),
                    ratio(of(found, name, "one, twice M₁", column), two),
                    ratio(one, in_pairs(one)),
                    len(one),
                ]
            )
    report.table(
        "Work of each worker until the target, medians",
        ["problem", "work", "one", "two that share, each", "goal", "times less work (95 %)",
         "one with twice M₁: times less work", "two that don't share: times less work", "n"],
        rows,
        "Two sharing workers make 2 M₁ redraws per checkpoint, as does the control: one worker "
        "with twice M₁. \"Two that don't share\" takes the faster of each pair of single runs. "
        "For two workers, only the iterations of the slower worker count in each round of eight "
        "calls (the shortest possible round).",
    )  # fmt: skip


def report_time(report: Report, found: dict, names: list[str]) -> None:
    rows = []
    for name in names:
        one, two = (
            {c: of(found, name, search, c) for c in ("seconds", "cpu", "wall", "load")}
            for search in ("one", "two that share")
        )
        load = np.concatenate([one["load"], two["load"]])
        rows.append(
            [
                name,
                f"{1000 * np.median(one['seconds']):.0f}",
                f"{1000 * np.median(two['seconds']):.0f}",
                ratio(one["seconds"], two["seconds"]),
                f"{1000 * np.median(one['wall']):.0f}",
                f"{1000 * np.median(two['wall']):.0f}",
                ratio(one["wall"], two["wall"]),
                f"{100 * (np.sum(two['cpu']) / (WORKERS * np.sum(two['seconds'])) - 1):.0f} %",
                f"{np.median(load):.1f}",
            ]
        )
    report.table(
        "Time until the target, medians",
        ["problem", "CPU ms, one", "two, each", "times less CPU time (95 %)", "wall ms, one", "two",
         "times less wall time (95 %)", "CPU outside the workers", "load"],
        rows,
        "With two workers, the CPU seconds of the slower one count. Load is the number of "
        f"processes competing for {os.cpu_count()} cores, including this benchmark. If the "
        "load exceeds the number of cores, wall time is longer than on a free machine.",
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the seeds")
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    options = parser.parse_args()
    try:
        every = cases()
    except DataUnavailable as why:
        raise SystemExit(f"{why}") from None
    plan: dict[str, Callable[[], dict]] = {}
    for name, case in every.items():
        for seed in range(max(6, int(case.seeds * options.scale))):
            for search in SEARCHES:
                plan[f"{name}/{search}/{seed}"] = partial(solve, case, search, seed)
    for case in every.values():
        prviz.run(case.make(), case.k1, calls=2)  # compile or load the kernels
    settings = {"scale": options.scale, "sharing": inspect.getsource(parallel)}
    found = Pieces("parallel", settings, options.fresh).measure(plan)
    missed = [name for name, piece in found.items() if not piece["solved"]]
    report = Report(
        "Two workers that share their best configuration",
        "`workers=2` against one worker, until a target cost; contenders in turns. "
        f"`--scale {options.scale:g}`. {len(missed)} of {len(found)} runs missed their target. "
        f"Python {platform.python_version()}, numpy {np.__version__}, numba {numba.__version__}.",
    )
    report_work(report, found, list(every))
    report_time(report, found, list(every))
    report.write("parallel")


if __name__ == "__main__":
    main()
