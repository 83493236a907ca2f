"""Ising spin glasses: the problem, its three optimisers, and the sub-set heuristics."""

from functools import partial
from typing import Any

import numpy as np

from ... import datasets
from ...datasets.sets.glasses import read_glass
from ..entry import Entry, Example, Source
from .problem import Ising, ising, qubo


def tiny() -> Any:
    return ising({(0, 1): 1.0, (1, 2): -1.0, (0, 2): 1.0})


def cases() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    signs = np.triu(rng.integers(-1, 2, size=(40, 40)), 1)
    ring = {(i, (i + 1) % 12): round(float(rng.normal()), 3) for i in range(12)}
    return {
        "descent": ising(signs, optimiser="descent"),
        "ring in fields": ising(ring, rng.normal(size=12), "descent"),
        "qubo": qubo(rng.integers(-100, 101, size=(20, 20))),
        "tabu": ising(signs, optimiser="tabu"),
        "apart": ising({(0, 1): 1.0, (2, 3): -1.0, (4, 5): 1.0}, np.full(6, 0.25)),
    }


def of_data(data: datasets.Couplings, size: int, **options: Any) -> Any:
    return ising(data, **options)


def known(data: datasets.Couplings, size: int) -> float | None:
    return data.best_known


#: Benchmark instances and their numbers of spins.
GLASSES = {"t3g5": 125, "t3g6": 216, "t3g7": 343, "G1": 800, "G11": 800, "G14": 800}

ENTRY = Entry(
    id="ising",
    title="spin glasses",
    type=Ising,
    make=ising,
    tiny=tiny,
    seconds=4.0,
    cases=cases,
    scene="prviz.scenes.ising:scene",
    live="prviz.live_page.drawing.ising:picture",
    source=Source(
        name="Spin glass",
        counts="spins",
        make=of_data,
        examples={
            "torus": Example(lambda: datasets.torus(20), 400),
            **{name: Example(partial(datasets.glass, name), n) for name, n in GLASSES.items()},
        },
        holds="a graph: numbers of nodes and edges, then one edge per line",
        read=read_glass,
        size=lambda data: len(data.fields),
        known=known,
    ),
    alpha=False,  # a spin cannot be between up and down
)

__all__ = ["ENTRY", "Ising", "ising", "qubo"]
