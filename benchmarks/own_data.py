"""Data of one's own, from the array to the picture: ``python benchmarks/own_data.py``.

A part each: "shown", how soon k-means of so many points is seen, and what it takes of memory;
"readers" (``own_readers.py``), what it takes to read files, and those that mean harm.
Writes ``results/own_data.md``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from common import Pieces, Report, median, process
from own_readers import readers

K, BLOBS = 50, 20
SIZES = {(7500, 2): "≤ 0.3 s", (100_000, 20): "≤ 2 s", (1_000_000, 2): "–"}
SECONDS = 5.0  # of the search that follows

#: Points, then what is timed: the problem, its picture, the run, its opening; then a search.
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
made(few, 3, 0.1).opening()  # kernels are loaded by then
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
    """How soon points are seen."""
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
        "by the clock",
        "of it before the first call",
    ]
    head += ["peak then", f"peak after {SECONDS:g} s", "calls by then", "dots sent"]
    report.table(
        "Shown: from the array to the first frames",
        head,
        rows,
        f"Blobs about {BLOBS} middles, k = {K}, medians of {repeats}. The first frames are those "
        "of a whole call, from random points until nothing changes, made twice: once to count "
        "and once for its pictures. The points themselves are on the page before it. Memory is "
        "that of the process beyond what it had with the points made; full restarts run beside "
        "the search. CPU seconds count: other programs may have used the cores meanwhile.",
    )


PARTS = {"shown": shown, "readers": readers}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, action="append", help="all parts by default")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--fresh", action="store_true")
    asked = parser.parse_args()
    pieces = Pieces("own_data", {"repeats": asked.repeats, "k": K}, asked.fresh)
    report = Report("Data of one's own", "Each measurement in a process of its own.")
    for part in asked.part or PARTS:
        PARTS[part](pieces.measure, report, asked.repeats)
    report.write("own_data")


if __name__ == "__main__":
    main()
