"""Measure how long your own data takes from an array to the picture, and how files are read.

Run ``python benchmarks/own_data.py``. Part "shown" measures, for each number of points, the time
until k-means is shown, and the memory used. Part "readers" (``own_readers.py``) reads files,
including malicious ones. The script writes ``results/own_data.md``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from common import Pieces, Report, median, process
from own_readers import readers

K, BLOBS = 50, 20
SIZES = {(7500, 2): "≤ 0.3 s", (100_000, 20): "≤ 2 s", (1_000_000, 2): "–"}
SECONDS = 5.0  # seconds of the search after the first frames

#: Time the steps from n points to the first frames, then run a search.
SHOWN = """
import resource, time
import numpy as np
import prviz
from prviz.datasets import Points
from prviz.engine.schedule import Level
from prviz.player.resources import memory
from prviz.player.live import LiveRun
from prviz.scenes.kmeans import KMeansScene

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3

def made(points, k, seconds):
    problem = prviz.kmeans(points, k)
    scene = KMeansScene(Points(points, "blobs", "made"), problem)
    return LiveRun(problem, scene, [Level(1, 100), Level(k)], seconds=seconds)

few = np.random.default_rng(0).normal(size=(200, {d}))
made(few, 3, 0.1).opening()  # loads the kernels
rng = np.random.default_rng(1)
middles = 5 * rng.normal(size=({blobs}, {d}))
points = middles[rng.integers(0, {blobs}, {n})] + rng.normal(size=({n}, {d}))
before, wall, cpu = peak(), time.perf_counter(), time.process_time()
run = made(points, {k}, {seconds})
ready = time.process_time() - cpu
opening = run.opening()
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
first = peak() - before
run.start()
while run.active:
    time.sleep(0.05)
most = peak() - before
print(ready, cpu, wall, first, most, run.head()["calls"], len(run.asset("points")) / 1e3)
"""


def shown(pieces: Callable[[dict], dict], report: Report, repeats: int) -> None:
    code = {
        f"{n}x{d}/{i}": SHOWN.format(n=n, d=d, k=K, blobs=BLOBS, seconds=SECONDS)
        for n, d in SIZES
        for i in range(repeats)
    }
    found = pieces({name: lambda text=text: {"row": process(text)} for name, text in code.items()})
    rows = []
    for (n, d), goal in SIZES.items():
        of = [found[f"{n}x{d}/{i}"]["row"] for i in range(repeats)]
        ready, cpu, wall, first, most, calls, dots = (
            median(column) for column in zip(*of, strict=True)
        )
        rows.append(
            [
                f"{n:,} × {d}".replace(",", "\u202f"),
                goal,
                f"{cpu:.2f} s",
                f"{wall:.2f} s",
                f"{ready:.2f} s",
                f"{first:.0f} MB",
                f"{most:.0f} MB",
                f"{calls:.0f}",
                f"{dots:.0f} kB",
            ]
        )
    head = [
        "points",
        "goal",
        "CPU to the first frames",
        "wall time",
        "before the first call",
    ]
    head += ["peak at first frames", f"peak after {SECONDS:g} s", "calls until then", "dots sent"]
    report.table(
        "Shown: from the array to the first frames",
        head,
        rows,
        f"{BLOBS} Gaussian blobs, k = {K}, medians of {repeats} runs. The first frames cover one "
        "call, from random points to a local optimum. This call is computed twice: by the search, "
        "and for the pictures. The page shows the points before this call. Memory is the increase "
        "of the process, without the points. Full restarts run at the same time. Compare CPU "
        "seconds, because other programs may have used the cores.",
    )


PARTS = {"shown": shown, "readers": readers}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, action="append", help="all parts by default")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--fresh", action="store_true")
    asked = parser.parse_args()
    pieces = Pieces("own_data", {"repeats": asked.repeats, "k": K}, asked.fresh)
    report = Report("Your own data", "Each measurement runs in a new process.")
    for part in asked.part or PARTS:
        PARTS[part](pieces.measure, report, asked.repeats)
    report.write("own_data")


if __name__ == "__main__":
    main()
