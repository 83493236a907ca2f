"""Restricted Boltzmann machines: the problem, its two optimisers, and the sub-set heuristics."""

from typing import Any

import numpy as np

from ... import datasets
from ...datasets.readers.examples import read_examples
from ..entry import Entry, Example, Source
from .problem import RBM, rbm


def tiny() -> Any:
    return rbm(np.eye(4), 3, epochs=2)  # both optimisers share one kernel


def cases() -> dict[str, Any]:
    examples = np.random.default_rng(0).integers(0, 2, (30, 8))
    trained = {"learning_rate": 0.05, "epochs": 12, "weight_decay": 0.01, "batch": 7}
    exact = {"epochs": 40, "optimiser": "exact"}
    return {
        "CD-1": rbm(examples, 5, **trained),
        "exact": rbm(examples[:, :3], 4, weight_decay=0.01, **exact),
    }


ENTRY = Entry(
    id="rbm",
    title="Boltzmann machines",
    type=RBM,
    make=rbm,
    tiny=tiny,
    seconds=20.0,
    cases=cases,
    scene="prviz.scenes.rbm:scene",
    live="prviz.live_page.drawing.rbm:picture",
    source=Source(
        name="Boltzmann machine",
        counts="hidden units",
        make=rbm,
        examples={"patterns": Example(datasets.patterns, 10)},
        holds="examples, rows of 0 and 1",
        read=read_examples,
    ),
    paper={"probability": 0.1, "m1": 10_000},
)
