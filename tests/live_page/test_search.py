"""A search in a page has the same trace as in Python, for every problem."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest
from in_node import in_node, node

import prviz
from prviz import Level, datasets
from prviz.engine.kernels import blends, n_variables, subsets
from prviz.live_page.kernels import kernels_of
from prviz.live_page.plan import plan


def small_points() -> np.ndarray:
    return datasets.a3_like().points[::25][:300].copy()


#: Problems, with the number of calls of a search.
PROBLEMS = {
    "landscape": (lambda: prviz.landscape(3, rotated=True), 200),
    "kmeans": (lambda: prviz.kmeans(small_points(), 50), 100),
    "hmm": (lambda: prviz.hmm(datasets.bits(32), 16), 20),
    "ising": (lambda: prviz.ising(datasets.torus((5, 5, 5)), optimiser="descent"), 200),
    "ising, annealing": (lambda: prviz.ising(datasets.torus((5, 5), "gaussian")), 50),
    "kmedoids": (lambda: prviz.kmedoids(prviz.dissimilarity(small_points()), 20), 60),
    "rbm": (lambda: prviz.rbm(datasets.patterns(12), 8, epochs=20), 10),
}


def packed(content: bytes) -> str:
    return base64.b64encode(content).decode()


def settings_of(problem: Any) -> list[dict[str, Any]]:
    """Return settings of all kinds, including levels, α and sub-sets."""
    N = n_variables(problem)
    return [
        {"k1": 1, "m1": 10},
        {"k1": 2, "m1": 5, "subset": subsets(problem)[-1]},
        {"k1": N, "m1": 5},
        {"k1": 2, "m1": 3, "alpha": 0.5 if blends(problem) else 0.0},
        {"levels": [Level(1, 4), Level(2, 3), Level(N)]},
        {"k1": "auto"},
        {"k1": "auto", "subset": subsets(problem)[-1]},
    ]


def in_page(settings: dict[str, Any], seed: int, calls: int) -> dict[str, Any]:
    if "levels" in settings:
        return {
            "levels": [level._asdict() for level in settings["levels"]],
            "seed": seed,
            "calls": calls,
        }
    if settings["k1"] == "auto":
        settings = {**settings, "how": "auto"}
    return {"settings": settings, "seed": seed, "calls": calls}


@node
@pytest.mark.parametrize("name", PROBLEMS)
def test_search_in_a_page_gives_the_trace_of_python(name):
    make, calls = PROBLEMS[name]
    problem = make()
    about, content = plan(problem)
    searches = [(settings, 3 + 2**31 * i) for i, settings in enumerate(settings_of(problem))]
    given = [in_page(settings, seed, calls) for settings, seed in searches]
    kernels = packed(kernels_of(problem))
    found = in_node(
        "live_search.js",
        {"kernels": kernels, "plan": about, "content": packed(content), "searches": given},
    )
    for (settings, seed), each in zip(searches, found, strict=True):
        run = prviz.run(problem, **settings, seed=seed, calls=calls)
        assert (each["hash"], each["best"]) == (run.trace.hash(), run.best_cost), settings
