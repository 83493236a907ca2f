"""Make the recordings that the app ships: ``python -m tools.record [folder]``."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import prviz
from prviz.player.live import LiveRun
from prviz.player.recording import save_recording
from prviz.scenes.hmm import HMMScene
from prviz.scenes.kmeans import KMeansScene
from prviz.scenes.kmedoids import KMedoidsScene, backdrop
from prviz.scenes.landscape import LandscapeScene
from prviz.scenes.rbm import RBMScene

SEED, CALLS = 0, 150


def record_all(folder: Path) -> None:
    """The first calls of each page's first preset, and where they came from."""
    folder.mkdir(parents=True, exist_ok=True)
    points, bits = prviz.datasets.a3_like(), prviz.datasets.bits(32)
    kmeans, hmm = prviz.kmeans(points.points, 50), prviz.hmm(bits, 32)
    digits = prviz.datasets.digits900()
    matrix = prviz.dissimilarity(digits.points)
    kmedoids = prviz.kmedoids(matrix, 121)
    patterns = prviz.datasets.patterns()
    rbm = prviz.rbm(patterns, 10, 0.1, 1000)
    landscape = prviz.landscape(10)
    home = prviz.landscape(1, 4.0, seed=12)
    manifest = [
        _record(
            folder / "home.npz",
            "landscape of one dimension",
            home,
            LandscapeScene(home),
            [prviz.Level(1, 10, 0.7), prviz.Level(1)],
            seed=4,
        ),
        _record(
            folder / "kmeans.npz",
            points.name,
            kmeans,
            KMeansScene(points, kmeans),
            [prviz.Level(1, 100), prviz.Level(50)],
        ),
        _record(
            folder / "hierarchy.npz",
            "a landscape of 10 dimensions",
            landscape,
            LandscapeScene(landscape),
            [prviz.Level(1, 20), prviz.Level(3, 10), prviz.Level(10)],
        ),
        _record(
            folder / "hidden_markov.npz",
            bits.name,
            hmm,
            HMMScene(bits, hmm),
            [prviz.Level(2, 100), prviz.Level(32)],
        ),
        _record(
            folder / "kmedoids.npz",
            digits.name,
            kmedoids,
            KMedoidsScene(backdrop(digits, matrix), kmedoids),
            [prviz.Level(1, 50_000), prviz.Level(121)],
        ),
        _record(
            folder / "boltzmann.npz",
            patterns.name,
            rbm,
            RBMScene(patterns, rbm),
            [prviz.Level(None, 100, probability=0.1), prviz.Level(98)],
            calls=30,  # with some 85 frames each
        ),
    ]
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


def _record(
    path: Path,
    name: str,
    problem: Any,
    scene: Any,
    levels: Sequence[prviz.Level],
    calls: int = CALLS,
    seed: int = SEED,
) -> dict[str, Any]:
    run = LiveRun(problem, scene, levels, seed, seconds=None, calls=calls)
    run.start()
    while run.active:
        time.sleep(0.05)
    save_recording(run, path)
    run.close()
    return {
        "file": path.name,
        "data": name,
        "command": "python -m tools.record",
        "prviz": prviz.__version__,
        "seed": seed,
        "calls": calls,
        "levels": [level._asdict() for level in levels],
    }


if __name__ == "__main__":
    record_all(Path(sys.argv[1] if len(sys.argv) > 1 else "assets/recorded"))
