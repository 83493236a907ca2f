"""Make the recordings that the app ships: ``python -m prviz.scenes.record [folder]``."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import prviz

from ..player.live import LiveRun
from ..player.recording import save_recording
from .kmeans import KMeansScene

SEED, CALLS = 0, 150


def record_kmeans(folder: Path) -> None:
    """The first calls of the paper's schedule on the A3-like set, and where they came from."""
    dataset = prviz.datasets.a3_like()
    problem = prviz.kmeans(dataset.points, 50)
    levels = [prviz.Level(1, 100), prviz.Level(50)]
    run = LiveRun(problem, KMeansScene(dataset, problem), levels, SEED, seconds=None, calls=CALLS)
    run.start()
    while run.state in ("waiting", "running"):
        time.sleep(0.05)
    folder.mkdir(parents=True, exist_ok=True)
    save_recording(run, folder / "kmeans.npz")
    run.close()
    manifest = {
        "file": "kmeans.npz",
        "data": dataset.name,
        "command": "python -m prviz.scenes.record",
        "prviz": prviz.__version__,
        "seed": SEED,
        "calls": CALLS,
        "levels": [level._asdict() for level in levels],
    }
    (folder / "manifest.json").write_text(json.dumps([manifest], indent=2) + "\n")


if __name__ == "__main__":
    record_kmeans(Path(sys.argv[1] if len(sys.argv) > 1 else "assets/recorded"))
