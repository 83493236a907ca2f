"""A live page makes frames with the same bytes as Python."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest
from in_node import in_node, node

import prviz
from prviz import datasets
from prviz.engine.kernels import n_variables
from prviz.engine.trace import Trace
from prviz.live_page.kernels import kernels_of
from prviz.live_page.plan import plan
from prviz.notebook.pictures import scene_of
from prviz.player.pictures.film import Film
from prviz.player.pictures.frames import frame_dtype
from prviz.search.settings import make_schedule
from prviz.search.traced_search import Beginning, TracedSearch

POINTS = datasets.a3_like()._replace(points=datasets.a3_like().points[::25][:300].copy())
CALLS, SEED = 60, 5
STRETCHES = [(1, 3), (30, 4), (34, 2), (7, 1), (58, 3)]


def kmeans() -> Any:
    return prviz.kmeans(POINTS.points, 50)


def in_four_dimensions() -> Any:
    return prviz.kmeans(np.random.default_rng(0).normal(size=(80, 4)), 6)


def kmedoids() -> Any:
    return prviz.kmedoids(prviz.dissimilarity(POINTS.points), 12)


def packed(content: bytes) -> str:
    return base64.b64encode(content).decode()


@node
@pytest.mark.parametrize(
    ("make", "data", "levels"),
    [
        (lambda: prviz.landscape(2), None, 3),
        (lambda: prviz.landscape(3), None, 3),
        (kmeans, POINTS, 3),
        (kmeans, POINTS, "auto"),
        (in_four_dimensions, None, 2),
        (kmedoids, None, 3),
        (lambda: prviz.ising(datasets.torus((6, 6)), optimiser="descent"), None, 3),
        (lambda: prviz.hmm(datasets.bits(32), 6), None, 3),
        (lambda: prviz.hmm("0110100110010110", 5, lengths=[9, 7]), None, 2),
        (lambda: prviz.rbm(datasets.patterns(12), 4, epochs=20), None, 3),
    ],
    ids=[
        "relief",
        "profiles",
        "plane",
        "plane, auto",
        "projected",
        "medoids",
        "lattice",
        "matrices",
        "strings",
        "machine",
    ],
)
def test_frames_of_a_page_equal_those_of_python(make, data, levels):
    problem = make()
    scene = scene_of(problem, data)
    chosen = levels_of(problem, levels)
    schedule = make_schedule(problem, levels=chosen)
    about, content = plan(problem, scene)
    found = in_node(
        "live_frames.js",
        {
            "kernels": packed(kernels_of(problem)),
            "plan": about,
            "content": packed(content),
            "wanted": {
                "levels": [each._asdict() for each in schedule.rows()],
                "seed": SEED,
                "calls": CALLS,
            },
            "stretches": STRETCHES,
        },
    )
    run = prviz.run(problem, levels=chosen, seed=SEED, calls=CALLS)
    assert found["hash"] == run.trace.hash()
    # Seconds are measured, so Python's trace gets the seconds of the page.
    rows = run.trace.rows._replace(seconds=np.array(found["secondsAfter"]))
    trace = Trace(rows, run.trace.n_variables)
    film = Film(problem, schedule, scene)
    for (call, count), frames in zip(STRETCHES, found["frames"], strict=True):
        expected, _ = film.frames(
            Beginning(problem, film.schedule, SEED), trace, call, call + count - 1
        )
        assert base64.b64decode(frames) == expected, (call, count)
    check_full_restarts(film, problem, found["full"])


def levels_of(problem: Any, levels: int | str) -> list[prviz.Level]:
    if levels == "auto":
        return [prviz.Level("auto")]
    N = n_variables(problem)
    below = (prviz.Level(1, 4), prviz.Level(2, 3))[: int(levels) - 1]
    return [*(level for level in below if level.size < N), prviz.Level(N)]


def check_full_restarts(film, problem, found):
    """Compare the best cost and the last frame of the page's full restarts with Python's."""
    alone = prviz.run(problem, k1="all", seed=SEED, calls=found["calls"])
    assert found["best"] == alone.best_cost
    shown = np.frombuffer(base64.b64decode(found["frame"]), frame_dtype(film.layout))[0]
    search = TracedSearch(problem, make_schedule(problem, k1="all"), SEED)
    search.step(calls=shown["call"])
    expected = film.best(search.search)
    expected["seconds"] = shown["seconds"]
    assert shown.tobytes() == expected.tobytes()
