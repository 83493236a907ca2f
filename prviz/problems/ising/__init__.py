"""Ising spin glasses: the problem, its two optimisers, and its sub-sets."""

from typing import Any

import numpy as np

from ..entry import Entry
from .problem import Ising, ising, qubo


def tiny() -> Any:
    return ising({(0, 1): 1.0, (1, 2): -1.0, (0, 2): 1.0})


def cases() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    signs = np.triu(rng.integers(-1, 2, size=(40, 40)), 1)
    ring = {(i, (i + 1) % 12): round(float(rng.normal()), 3) for i in range(12)}
    return {
        "signs": ising(signs),
        "ring in fields": ising(ring, rng.normal(size=12)),
        "qubo": qubo(rng.integers(-100, 101, size=(20, 20))),
        "tabu": ising(signs, optimiser="tabu"),
        "apart": ising({(0, 1): 1.0, (2, 3): -1.0, (4, 5): 1.0}, np.full(6, 0.25)),
    }


ENTRY = Entry("ising", "spin glasses", Ising, ising, tiny, 4.0, cases)

__all__ = ["ENTRY", "Ising", "ising", "qubo"]
