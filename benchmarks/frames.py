"""Compare the server's frames, made by NumPy, with those made by live pages' compiled code.

Run ``python benchmarks/frames.py``. It writes ``results/frames.md``. Times are CPU times, so other
work on the machine changes them little.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from common import Report

import prviz
from prviz import datasets
from prviz.live_page.film import film
from prviz.live_page.pictures import pictures_of
from prviz.notebook.pictures import scene_of
from prviz.player.pictures.film import Film
from prviz.search.settings import make_schedule
from prviz.search.traced_search import Beginning

CALLS, TIMES, SEED = 30, 7, 1
PROBLEMS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "landscape": lambda: (prviz.landscape(2), None),
    "k-means, A3-like": lambda: (prviz.kmeans((a3 := datasets.a3_like()).points, 50), a3),
    "HMM, 48 bits": lambda: (prviz.hmm(datasets.bits(48), 8), None),
    "spin glass 20 × 20": lambda: (prviz.ising(datasets.torus(20), optimiser="descent"), None),
    "Boltzmann machine": lambda: (prviz.rbm(datasets.patterns(12), 4, epochs=1000), None),
}


def spent(function: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU seconds of a call, and its result."""
    began = time.process_time()
    result = function()
    return time.process_time() - began, result


def measured(problem: Any, data: Any) -> tuple[int, float, float, float]:
    """Return the number of frames, and the CPU seconds of NumPy, compiled code and compiling."""
    schedule, scene = make_schedule(problem, k1=1, m1=20), scene_of(problem, data)
    trace = prviz.run(problem, k1=1, m1=20, seed=SEED, calls=CALLS).trace
    pictures = pictures_of(problem, scene)
    assert pictures is not None

    def by_numpy() -> bytes:
        made = Film(problem, schedule, scene)
        return made.frames(Beginning(problem, schedule, SEED), trace, 1, CALLS)[0]

    def compiled() -> bytes:
        search, rng = Beginning(problem, schedule, SEED).resume()
        known, reel, frames = pictures.known, pictures.reel, []
        known.best[:], known.seconds[:] = float("inf"), 0.0
        for call in range(CALLS):
            known.best[1], known.seconds[1] = trace.best[call], trace.seconds[call]
            known.new_best[0] = call == 0 or trace.best[call] < trace.best[call - 1]
            n = film(problem, schedule, search, rng, pictures.picture, reel, known)
            frames.append(reel.frames[:n].tobytes())
            known.best[0], known.seconds[0] = known.best[1], known.seconds[1]
        return b"".join(frames)

    compiling, frames = spent(compiled)
    assert frames == by_numpy()
    pairs = [(spent(by_numpy)[0], spent(compiled)[0]) for _ in range(TIMES)]
    slow, fast = map(statistics.median, zip(*pairs, strict=True))
    return len(frames) // pictures.reel.frames.shape[1], slow, fast, compiling


def main() -> None:
    report = Report(
        "Frames by NumPy and by compiled functions",
        f"`python benchmarks/frames.py`: {CALLS} calls from the start of a search, all frames. "
        f"Medians of {TIMES} runs in turns, CPU time. NumPy and the compiled "
        "functions give the same bytes.",
    )
    rows = []
    for name, make in PROBLEMS.items():
        n, slow, fast, compiling = measured(*make())
        per_call = (f"{1000 * each / CALLS:.2f}" for each in (slow, fast))
        rows.append([name, str(n), *per_call, f"{slow / fast:.1f}", f"{compiling:.1f}"])
    head = ["search", "frames", "NumPy, ms per call", "compiled, ms per call", "NumPy ÷ compiled",
            "to compile, s"]  # fmt: skip
    report.table("Measured", head, rows, "")
    report.write("frames")


if __name__ == "__main__":
    main()
