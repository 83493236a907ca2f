"""Draw the gallery of the documentation: ``python -m tools.gallery``.

Each entry is a short search. The documentation build writes it as a replay, a page that works
offline; this command draws one call of each replay into ``docs/images/gallery``.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import prviz
from prviz import Level
from prviz.commands.play import story
from prviz.notebook.pictures import scene_of
from prviz.player.live import LiveRun
from prviz.search.settings import make_schedule
from prviz.ui.benchmark import Shot
from tools.pictures import draw_replay, themes, with_chromium

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "images" / "gallery"


class Entry(NamedTuple):
    """A search of the gallery.

    Attributes
    ----------
    make : function without arguments
        Returns the problem, and the data set or None.
    settings : dict
        Arguments of :func:`prviz.run`.
    calls : int
        Budget of the search.
    shot : Shot
        The call and frame of the picture, with zoom and centre.
    """

    make: Callable[[], tuple[Any, Any]]
    settings: dict[str, Any]
    calls: int
    shot: Shot
    seed: int = 0


def _a3() -> tuple[Any, Any]:
    data = prviz.datasets.a3_like()
    return prviz.kmeans(data.points, 50), data


def _torus() -> tuple[Any, Any]:
    data = prviz.datasets.torus((10, 10))
    return prviz.ising(data, optimiser="descent"), data


def _hmm() -> tuple[Any, Any]:
    data = prviz.datasets.bits(32)
    return prviz.hmm(data.sequence, 32), data


def _digits() -> tuple[Any, Any]:
    data = prviz.datasets.digits900()
    matrix = prviz.dissimilarity(data.points, "sqeuclidean")
    return prviz.kmedoids(matrix, 30, optimiser="swap"), data


def _rbm() -> tuple[Any, Any]:
    data = prviz.datasets.patterns()
    return prviz.rbm(data.examples, 10), data


def _landscape() -> tuple[Any, Any]:
    return prviz.landscape(2), None


def _own_points() -> tuple[Any, Any]:
    """Return two moons and a ring, as an example of your own data."""
    rng = np.random.default_rng(4)
    turns = rng.uniform(0, np.pi, (2, 400))
    moons = [
        np.column_stack([np.cos(turns[0]), np.sin(turns[0])]),
        np.column_stack([1 - np.cos(turns[1]), 0.4 - np.sin(turns[1])]),
    ]
    ring = rng.uniform(0, 2 * np.pi, 400)
    moons.append(np.column_stack([3.4 + 0.8 * np.cos(ring), 0.2 + 0.8 * np.sin(ring)]))
    points = np.concatenate(moons) + rng.normal(0, 0.06, (1200, 2))
    return prviz.kmeans(points, 16), None


def _tour() -> tuple[Any, Any]:
    """Return a travelling salesman problem of 40 cities, with 2-opt as the local optimiser."""
    n = 40
    cities = np.random.default_rng(1).uniform(size=(n, 2))
    road = np.linalg.norm(cities[:, None] - cities, axis=-1)

    def length(keys: np.ndarray) -> float:
        tour = np.argsort(keys)
        return float(road[tour, np.roll(tour, -1)].sum())

    def two_opt(keys: np.ndarray) -> None:
        tour = np.argsort(keys)
        improved = True
        while improved:
            improved = False
            for i in range(n - 2):
                a, b = tour[i], tour[i + 1]
                c, d = tour[i + 2 :], np.roll(tour, -1)[i + 2 :]
                gain = road[a, b] + road[c, d] - road[a, c] - road[b, d]
                j = gain.argmax()
                if gain[j] > 1e-12:
                    tour[i + 1 : i + 3 + j] = tour[i + 1 : i + 3 + j][::-1]
                    improved = True
        keys[tour] = (np.arange(n) + 0.5) / n

    return prviz.wrap(length, lambda rng: rng.uniform(size=n), two_opt), None


PATCHES = [Level(4, 100, subset="patch"), Level(25, 10, subset="patch"), Level(100)]

LATTICE = Shot(1, 0, 0.9, (0.5, 0.54))  # the picture shows the lattice without the text above it

ENTRIES = {
    "escape": Entry(_a3, {"k1": 1, "m1": 100}, 300, Shot(8, 0)),
    "restarts": Entry(_a3, {"k1": "all"}, 60, Shot(8, 0)),
    "too-many": Entry(_a3, {"k1": 25, "m1": 100}, 150, Shot(8, 0)),
    "too-few": Entry(_torus, {"k1": 1, "m1": 1000}, 200, LATTICE._replace(call=12)),
    "patches": Entry(_torus, {"levels": PATCHES}, 300, LATTICE._replace(call=40)),
    "levels": Entry(_a3, {"levels": [Level(1, 30), Level(7, 10), Level(50)]}, 300, Shot(31, 0)),
    "alpha": Entry(_landscape, {"k1": 2, "m1": 200, "alpha": 0.75}, 150, Shot(5, 0)),
    "strings": Entry(_hmm, {"k1": 2, "m1": 100}, 150, Shot(6, 0)),
    "digits": Entry(_digits, {"k1": 1, "m1": 1000, "subset": "local"}, 200, Shot(6, 0)),
    "patterns": Entry(_rbm, {"probability": 0.1, "m1": 100}, 30, Shot(5, 0)),
    "own-data": Entry(_own_points, {"k1": 1, "m1": 100}, 200, Shot(6, 0)),
    "own-optimiser": Entry(_tour, {"k1": 3, "m1": 1000}, 100, Shot(6, 0)),
}


def replay_of(entry: Entry) -> str:
    """Search, and return the replay as one HTML page."""
    problem, data = entry.make()
    schedule = make_schedule(problem, **entry.settings)
    run = LiveRun(
        problem, scene_of(problem, data), schedule, seed=entry.seed, calls=entry.calls, seconds=30.0
    )
    try:
        run.start()
        while run.active:
            time.sleep(0.02)
        calls = sorted({*story(run), entry.shot.call})
        return run.replay(calls)
    finally:
        run.close()


def write_replays(folder: Path, names: Sequence[str] = tuple(ENTRIES)) -> None:
    """Write the replays of some entries into a folder, one file per entry."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / f"{name}.html").write_text(replay_of(ENTRIES[name]), "utf-8")


def draw_pictures(names: Sequence[str], browser: Any) -> None:
    """Draw the pictures of some entries, from replays written to a temporary folder."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        write_replays(Path(folder), names)
        for name in names:
            path = Path(folder, f"{name}.html")
            picture = draw_replay(browser, path, ENTRIES[name].shot, "light", themes())
            (PICTURES / f"{name}.webp").write_bytes(picture)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Draw the pictures of the gallery.")
    parser.add_argument("names", nargs="*", choices=[*ENTRIES, []], help="by default all")
    chosen = parser.parse_args().names or [*ENTRIES]
    with_chromium(lambda browser: draw_pictures(chosen, browser))
