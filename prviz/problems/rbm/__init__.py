"""Restricted Boltzmann machines: the problem, its two optimisers, and its sub-sets."""

from typing import Any

import numpy as np

from ..entry import Entry
from .problem import RBM, rbm


def tiny() -> Any:
    return rbm(np.eye(4), 3, epochs=2)  # both optimisers: they are one kernel


def cases() -> dict[str, Any]:
    examples = np.random.default_rng(0).integers(0, 2, (30, 8))
    trained = {"learning_rate": 0.05, "epochs": 12, "weight_decay": 0.01, "batch": 7}
    exact = {"epochs": 40, "optimiser": "exact"}
    return {
        "CD-1": rbm(examples, 5, **trained),
        "exact": rbm(examples[:, :3], 4, weight_decay=0.01, **exact),
    }


ENTRY = Entry("rbm", "Boltzmann machines", RBM, rbm, tiny, 20.0, cases)
