"""Compare a searched coreset with MiniBatchKMeans and KMeans on 10⁷ points in a file.

Each contender runs in a new process on one thread. A pass over all points, which is not timed,
computes the final cost.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import sklearn
from common import HERE, Pieces, Report

N, D, K, SIZE = 10_000_000, 10, 50, 20_000
BLOBS = 50  # the largest blob has at most ten times as many points as the smallest
ROWS = 100_000  # points written at a time

#: Files with n points of float32, generated once from a seed.
FILE = HERE / ".resume" / "large-{n}.f32"

SETUP = """
import json, resource, time
import numpy as np, prviz
from threadpoolctl import threadpool_limits
points = np.memmap({file!r}, np.float32, "r", shape=({n}, {d}))
def search(few, weights, **how):
    problem = prviz.kmeans(few, {k}, weights=weights, init=how.pop("init", "forgy"))
    run = prviz.run(problem, seed={seed}, seconds={seconds}, **how)
    return prviz.large.lloyd(points, run.best_state.centers, steps=2).centers
def coreset():
    return prviz.large.coreset(points, {size}, {seed})
def uniform():
    rng = np.random.default_rng({seed})
    rows = np.sort(rng.choice({n}, {size}, replace=False))
    return points[rows].astype(float), None
prviz.run(prviz.kmeans(np.random.default_rng(0).normal(size=(200, {d})), 5), calls=2)
with threadpool_limits(1):
    wall, cpu = time.perf_counter(), time.process_time()
    {code}
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    anonymous = [line for line in open("/proc/self/status") if line.startswith("RssAnon")]
    cost = prviz.large.cost(points, centers)
print(json.dumps([cost, cpu, wall, memory, int(anonymous[0].split()[1]) / 1024]))
"""

OURS = "coreset, partial (k₁ = 1, M₁ = 1000)"
CONTENDERS = {
    OURS: "centers = search(*coreset(), k1=1, m1=1000)",
    "uniform sample, partial": "centers = search(*uniform(), k1=1, m1=1000)",
    "coreset, k-means++ restarts": f"centers = search(*coreset(), k1={K}, init='k-means++')",
}
MINI = """
    from sklearn.cluster import MiniBatchKMeans
    best, made = np.inf, 0
    while not made or time.process_time() - cpu < {limit}:
        model = MiniBatchKMeans({k}, batch_size=10_000, n_init=3, random_state=1000 * {seed} + made)
        one = model.fit(points).cluster_centers_
        told, made = prviz.large.cost(points, one), made + 1
        if told < best:
            best, centers = told, one
"""
WHOLE = """
    from sklearn.cluster import KMeans
    model = KMeans({k}, n_init=1, random_state={seed}, max_iter={most})
    centers = model.fit(points).cluster_centers_
"""
MINIBATCH = "MiniBatchKMeans, best fit in the same CPU time"
KMEANS = {300: "KMeans, one fit, at most 300 iterations"}


def made(n: int) -> Path:
    """Return the file of n points, and write it in chunks if it does not exist."""
    path = Path(str(FILE).format(n=n))
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        rng = np.random.default_rng(0)
        centers = rng.uniform(-25, 25, (BLOBS, D))
        shares = rng.uniform(1, 10, BLOBS)
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            for first in range(0, n, ROWS):
                which = rng.choice(BLOBS, min(ROWS, n - first), p=shares / shares.sum())
                noise = rng.normal(size=(len(which), D)) * rng.uniform(0.5, 3.0, BLOBS)[which, None]
                (centers[which] + noise).astype(np.float32).tofile(file)
        part.replace(path)
    return path


def alone(code: str, **values) -> dict:
    """Run a contender in a new process."""
    code = SETUP.replace("{code}", code.strip("\n").lstrip()).format(
        file=str(made(values["n"])), d=D, k=K, size=SIZE, **values
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(HERE.parent)},
        stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    names = "cost", "cpu", "wall", "memory", "anonymous"
    return dict(zip(names, json.loads(done.stdout.splitlines()[-1]), strict=True))


def contest(n: int, seed: int, seconds: float, whole: bool) -> dict:
    """Run all contenders from one seed. MiniBatchKMeans gets the time of our search."""
    values = {"n": n, "seed": seed, "seconds": seconds}
    found = {name: alone(code, **values) for name, code in CONTENDERS.items()}
    found[MINIBATCH] = alone(MINI, limit=found[OURS]["cpu"], **values)
    for most, name in KMEANS.items():
        if whole:
            found[name] = alone(WHOLE, most=most, **values)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the points")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    options = parser.parse_args()
    n = int(N * options.scale)
    seconds = 3.0 + 2.0 * options.scale
    settings = {"n": n, "seconds": seconds}
    plan = {
        str(seed): partial(contest, n, seed, seconds, seed == 0) for seed in range(options.seeds)
    }
    found = [*Pieces("large", settings, options.fresh).measure(plan).values()]
    least = min(one["cost"] for piece in found for one in piece.values())
    rows = []
    for name in [*CONTENDERS, MINIBATCH, *KMEANS.values()]:
        ours = [piece[name] for piece in found if name in piece]
        gaps = [100 * (one["cost"] / least - 1) for one in ours]
        rows.append(
            [
                name,
                f"{np.median(gaps):.3f}",
                f"{min(gaps):.3f} … {max(gaps):.3f}",
                *(f"{np.median([one[c] for one in ours]):.0f}" for c in ("cpu", "wall")),
                f"{max(one['memory'] for one in ours):.0f}",
                f"{max(one['anonymous'] for one in ours):.0f}",
                len(ours),
            ]
        )
    report = Report(
        f"k-means on {n:,} points in a file",
        f"{n:,} × {D} float32 ({n * D * 4 / 1e6:,.0f} MB), {BLOBS} blobs of unequal size, "
        f"k = {K}; a coreset of {SIZE:,} points is searched for {seconds:g} CPU seconds; two "
        f"Lloyd steps on all points follow. One thread. Python {platform.python_version()}, "
        f"numpy {np.__version__}, scikit-learn {sklearn.__version__}.",
    )
    report.table(
        "Cost over all points, time and memory",
        ["contender", "gap to the lowest, %, median", "gaps, lowest … highest", "CPU s",
         "wall s", "peak memory, MB", "memory at the end, without the file, MB", "n"],
        rows,
        "Time includes the passes over the file that choose among several fits, but not the last "
        "pass, which computes the cost. Peak memory includes cached pages of the file, which the "
        "system frees on demand. The goal is at most 1 GB.",
    )  # fmt: skip
    report.write("large")


if __name__ == "__main__":
    main()
