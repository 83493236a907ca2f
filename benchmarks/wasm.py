"""Measure live pages against their goals.

Run ``python benchmarks/wasm.py``. It compares WebAssembly in Node with Numba's machine code, in
turns, by CPU time; opens each page in headless Chromium; and writes ``results/wasm.md``. Use a
quiet machine.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import platform
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import psutil
from common import HERE
from playwright.sync_api import sync_playwright

import prviz
from prviz import Level, datasets
from prviz.engine.algorithm import Limits, advance, rows_for, start
from prviz.engine.kernels import n_variables
from prviz.live_page.embed import why_not
from prviz.live_page.kernels import kernels_of
from prviz.live_page.plan import plan
from prviz.search.settings import make_schedule
from prviz.search.traced_search import generator
from tools.chromium import find

FIRST = "() => globalThis.livePage?.theatre.playback.frame"
#: Press Run; return the frames drawn per second in the next three seconds.
FRAMES = """() => new Promise((done) => {
  document.querySelector(".pv-run").click();
  const began = performance.now();
  let frames = 0;
  const look = (now) => {
    if (now - began < 3000) requestAnimationFrame(look, frames++);
    else done((1000 * frames) / (now - began));
  };
  requestAnimationFrame(look);
})"""


class Case(NamedTuple):
    """Describe a problem: data set, k1, m1, calls per run, and the page's limit in kB."""

    problem: Any
    data: Any
    k1: int
    m1: int
    calls: int
    kilobytes: int | None = None


def cases() -> dict[str, Case]:
    points = datasets.a3_like()
    some = points.points[::25][:300].copy()
    return {
        "landscape, 2 dimensions": Case(prviz.landscape(2), None, 1, 10, 1000, 400),
        "k-means, A3-like": Case(prviz.kmeans(points.points, 50), points, 1, 100, 300, 700),
        "HMM, 48 bits": Case(prviz.hmm(datasets.bits(48), 48), None, 2, 100, 30, 400),
        "spin glass 20 × 20": Case(
            prviz.ising(datasets.torus((20, 20)), optimiser="descent"), None, 40, 100, 500, 400
        ),
        "k-medoids, 300 points": Case(
            prviz.kmedoids(prviz.dissimilarity(some), 20, "alternate"), None, 1, 100, 200
        ),
        "Boltzmann machine": Case(prviz.rbm(datasets.patterns(50), 8), None, 1, 100, 10),
    }


def native(case: Case) -> Callable[[], float]:
    """Return a function that runs machine code and returns its CPU seconds."""
    schedule = make_schedule(case.problem, k1=case.k1, m1=case.m1)

    def once() -> float:
        rng = generator(0)
        search, rows = start(case.problem, schedule, rng), rows_for(schedule, case.calls)
        began = time.thread_time()
        advance(case.problem, schedule, search, rng, rows, Limits(case.calls))
        return time.thread_time() - began

    return once


class InNode:
    """Run WebAssembly in Node, one run per request."""

    def __init__(self, case: Case):
        about, content = plan(case.problem)
        levels = [Level(case.k1, case.m1), Level(n_variables(case.problem))]
        given = {
            "kernels": base64.b64encode(kernels_of(case.problem)).decode(),
            "plan": about,
            "content": base64.b64encode(content).decode(),
            "levels": [level._asdict() for level in levels],
            "calls": case.calls,
        }
        command = ["node", str(HERE / "wasm.js")]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._process = subprocess.Popen(command, **pipes)
        self._tell(json.dumps(given))
        self.expected = prviz.run(case.problem, k1=case.k1, m1=case.m1, calls=case.calls)

    def _tell(self, line: str) -> None:
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def once(self) -> float:
        self._tell("run")
        found = json.loads(self._process.stdout.readline())
        assert found["hash"] == self.expected.trace.hash()
        return found["seconds"]

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait()


def ratio(case: Case, times: int) -> tuple[float, float]:
    """Return the best CPU seconds of machine code, and the ratio of WebAssembly to it."""
    in_node, run = InNode(case), native(case)
    pairs = [(run(), in_node.once()) for _ in range(times)]
    in_node.close()
    best, best_in_node = (min(each) for each in zip(*pairs, strict=True))
    return best, best_in_node / best


def memory() -> float:
    """Return the unshared memory of the browser's newest page, in MB."""
    pages = [
        process
        for process in psutil.Process().children(recursive=True)
        if "--type=renderer" in " ".join(process.cmdline())
    ]
    return max(pages, key=psutil.Process.create_time).memory_full_info().uss / 1e6


class Opened(NamedTuple):
    """A live page: kilobytes, milliseconds to the first picture, frames per second, megabytes."""

    kilobytes: float
    first: float
    frames: float
    megabytes: float


def opened(case: Case, times: int) -> Opened | None:
    """Return the measurements of a page: the best of several openings, and the largest memory."""
    if why_not(case.problem):
        return None
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = prviz.embed(
            case.problem, Path(folder, "page.html"), k1=case.k1, m1=case.m1, data=case.data
        )
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        found = []
        for _ in range(times):
            page = browser.new_page()
            page.goto(page_file.as_uri())
            page.wait_for_function(FIRST)
            first = page.evaluate("performance.now()")
            frames = page.evaluate(FRAMES)
            page.request_gc()
            found.append((first, frames, memory()))
            page.close()
        browser.close()
        kilobytes = page_file.stat().st_size / 1000
    firsts, frames, megabytes = zip(*found, strict=True)
    return Opened(kilobytes, min(firsts), max(frames), max(megabytes))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=15, help="timed runs of each search")
    parser.add_argument("--openings", type=int, default=5, help="openings of each page")
    options = parser.parse_args()
    lines = []
    for name, case in cases().items():
        wasm = kernels_of(case.problem)
        seconds, times = ratio(case, options.times)
        page = opened(case, options.openings)
        goal = f" (goal ≤ {case.kilobytes})" if case.kilobytes else ""
        shown = (
            f"{page.kilobytes:.0f}{goal} | {page.first:.0f} | {page.frames:.0f} "
            f"| {page.megabytes:.0f}"
            if page
            else "– | – | – | –"
        )
        packed = len(gzip.compress(wasm, 9)) / 1000
        lines.append(
            f"| {name}, {case.calls} calls | {len(wasm) / 1000:.1f} / {packed:.1f} | "
            f"{1000 * seconds:.1f} | {times:.2f} | {shown} |"
        )
        print(lines[-1], flush=True)
    head = [
        "# Live pages",
        "",
        "`python benchmarks/wasm.py`. Machine code and WebAssembly (in Node) in turns: bests of "
        f"{options.times} runs, CPU time. First picture: headless Chromium, a file on the disk, "
        f"best of {options.openings} openings. Frames: drawn in the 3 s after Run. Memory: "
        "unshared memory of the page's process, after these 3 s and a garbage collection.",
        "",
        f"{platform.platform()}. In every run, the traces equal Python's.",
        "",
        "| search | .wasm, kB raw / gzip | native, ms | WebAssembly ÷ native (goal ≤ 2) | page, kB "
        "| first picture, ms (goal ≤ 500) | frames per second (goal 60) "
        "| memory, MB (goal ≤ 150) |",
        "|---|---|---|---|---|---|---|---|",
    ]
    results = HERE / "results" / "wasm.md"
    _, _, more = results.read_text("utf-8").partition("\n## ")  # written by hand
    sections = f"\n## {more}" if more else ""
    results.write_text("\n".join([*head, *lines]) + f"\n{sections}", "utf-8")


main()
