"""Compare Boltzmann machines on digits with scikit-learn's own training, for ``rivals.py``.

All contenders train by scikit-learn's persistent contrastive divergence. The states of a machine
with 64 hidden units cannot be enumerated, so its likelihood is estimated by annealed importance
sampling.
"""

from __future__ import annotations

import functools
import time

import common  # noqa: F401  must be first: makes prviz importable
import numpy as np
from ais import log_likelihood
from rivals_part import Part
from sklearn import datasets as bundled
from sklearn.neural_network import BernoulliRBM

import prviz

HIDDEN, EPOCHS, RATE, BATCH = 64, 5, 0.05, 20
#: Chains and temperatures that estimate costs in a search, and the final cost (not timed).
ROUGH, FINE = (30, 100), (100, 1000)
CASES = {"digits, 8 × 8, 64 hidden units": 2.0}


@functools.cache
def examples() -> np.ndarray:
    """Return the 1797 digits; a pixel is on if its value is above 7 of 16."""
    return (bundled.load_digits().data > 7).astype(float)


def unpacked(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return weights, and visible and hidden biases: the last row and the last column of x."""
    return x[:-1, :-1].T, x[-1, :-1], x[:-1, -1]


def cost(x: np.ndarray, accuracy: tuple[int, int] = ROUGH) -> float:
    """Return an estimate of −ln P per example. Every x gets the same random numbers."""
    return -log_likelihood(examples(), *unpacked(x), np.random.default_rng(0), *accuracy)


def sample(rng: np.random.Generator) -> np.ndarray:
    x = np.zeros((HIDDEN + 1, examples().shape[1] + 1))
    x[:-1, :-1] = 0.01 * rng.normal(size=(HIDDEN, x.shape[1] - 1))
    return x


def trained(x: np.ndarray, rng: np.random.Generator, epochs: int = EPOCHS) -> np.ndarray:
    """Train a machine further, and return it."""
    weights, visible, hidden = unpacked(x)
    model = BernoulliRBM(
        HIDDEN, learning_rate=RATE, batch_size=BATCH, random_state=int(rng.integers(2**31))
    )
    model.components_, model.intercept_visible_ = weights.T.copy(), visible.copy()
    model.intercept_hidden_, model.h_samples_ = hidden.copy(), np.zeros((BATCH, HIDDEN))
    model.random_state_ = np.random.RandomState(model.random_state)
    model._n_features_out = HIDDEN
    data = examples()
    for _ in range(epochs):
        for first in range(0, len(data) - BATCH + 1, BATCH):
            model._fit(data[first : first + BATCH], model.random_state_)
    made = np.zeros_like(x)
    made[:-1, :-1], made[-1, :-1] = model.components_, model.intercept_visible_
    made[:-1, -1] = model.intercept_hidden_
    return made


@functools.cache
def problem():
    return prviz.wrap(cost, sample, trained)


def searched(k1: int | str | None, case: str, seed: int, seconds: float) -> tuple[float, float]:
    settings = {} if k1 is None else {"k1": k1}
    run = prviz.run(problem(), seed=seed, seconds=seconds, **settings)
    return cost(run.best_state.x, FINE), run.seconds


def one_long_training(case: str, seed: int, seconds: float) -> tuple[float, float]:
    """Train one machine until the time is over."""
    rng = np.random.default_rng(seed)
    x, used = sample(rng), 0.0
    while used < seconds:
        began = time.process_time()
        x = trained(x, rng)
        used += time.process_time() - began
    return cost(x, FINE), used


OURS, FULL, LONG = "prviz, default", "prviz, full restarts", "scikit-learn, one long training"
PART = Part(
    title="Boltzmann machines",
    what=f"−ln P per digit, estimated by annealed importance sampling with {FINE[0]} chains and "
    f"{FINE[1]} temperatures. A call of a search trains for {EPOCHS} epochs, and costs "
    f"are estimated with {ROUGH[0]} chains and {ROUGH[1]} temperatures. A variable is a hidden "
    "unit with its weights and bias; the visible biases are one more variable.",
    cases=CASES,
    contenders={
        OURS: functools.partial(searched, None),
        FULL: functools.partial(searched, "all"),
        LONG: one_long_training,
    },
    ours=[OURS],
    packages={LONG: "scikit-learn"},
    absolute=True,
    unit="in nats per digit",
    rounding=1e-3,
)
