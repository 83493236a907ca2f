"""Compare hidden Markov models with hmmlearn, for ``rivals.py``.

hmmlearn stops at a gain below 1e-4 or after 300 iterations; its defaults (1e-2 and 10) end earlier.
Fits with a variance below prviz's floor do not count, because the likelihood grows without bound
as a variance goes to 0.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from common import HERE  # noqa: F401  first: makes prviz importable
from hmmlearn.hmm import CategoricalHMM, GaussianHMM
from rivals_part import Part, package, restarted
from sklearn import datasets as bundled

import prviz
from prviz.baselines.peers import alone

ITERATIONS, TOLERANCE = 300, 1e-4
FLOOR = 1e-3  # prviz's smallest variance, for series of variance 1


def text() -> np.ndarray:
    """Return the first 200 letters of the description of a data set."""
    words = " ".join(bundled.load_iris().DESCR.lower().split())
    letters = [c for c in words if c.isalpha() or c == " "][:200]
    return np.unique(letters, return_inverse=True)[1]


def dna() -> np.ndarray:
    """Return twelve binding sites of E. coli, one after another: 312 bases."""
    path = importlib.resources.files("logomaker") / "tutorials" / "crp_sites.fasta"
    lines = [line for line in path.read_text().split("\n") if line and not line.startswith(">")]
    return np.unique(list("".join(lines[:12])), return_inverse=True)[1]


def dice() -> np.ndarray:
    """Return 400 throws of a fair die that is sometimes exchanged for a loaded one."""
    rng = np.random.default_rng(6)
    loaded, throws = False, []
    for _ in range(400):
        loaded ^= rng.random() < (0.1 if loaded else 0.05)
        throws.append(rng.choice(6, p=[0.1] * 5 + [0.5] if loaded else None))
    return np.array(throws)


def series(name: str, column: str, changes: bool = False) -> np.ndarray:
    data = package(f"statsmodels.datasets.{name}").load_pandas().data[column].to_numpy(float)
    values = np.diff(np.log(data)) if changes else data
    return (values - values.mean()) / values.std()


class Case(NamedTuple):
    make: Callable[[], np.ndarray]
    states: int
    seconds: float
    gaussian: bool = False


SETS = {
    "text, 200 letters, 8 states": Case(text, 8, 0.3),
    "DNA, 312 bases, 6 states": Case(dna, 6, 0.3),
    "dice, 400 throws, 3 states": Case(dice, 3, 0.2),
    "GDP growth, 202 quarters, 4 states": Case(
        lambda: series("macrodata", "realgdp", True), 4, 0.2, True
    ),
    "Nile, 100 years, 3 states": Case(lambda: series("nile", "volume"), 3, 0.1, True),
    "sunspots, 309 years, 5 states": Case(lambda: series("sunspots", "SUNACTIVITY"), 5, 0.2, True),
}
CASES = {case: of.seconds for case, of in SETS.items()}


@functools.cache
def values_of(case: str) -> np.ndarray:
    return SETS[case].make()


@functools.cache
def problem_of(case: str):
    emissions = "gaussian" if SETS[case].gaussian else None
    return prviz.hmm(values_of(case), SETS[case].states, emissions=emissions)


def ours(case: str, seed: int, seconds: float) -> tuple[float, float]:
    run = prviz.run(problem_of(case), seed=seed, seconds=seconds)
    return run.best_cost, run.seconds


def full(case: str, seed: int, seconds: float) -> tuple[float, float]:
    run = prviz.run(problem_of(case), k1="all", seed=seed, seconds=seconds)
    return run.best_cost, run.seconds


def with_hmmlearn(case: str, seed: int, seconds: float) -> tuple[float, float]:
    X, of = values_of(case).reshape(-1, 1), SETS[case]
    ends: dict[str, Any] = {"n_iter": ITERATIONS, "tol": TOLERANCE, "implementation": "scaling"}

    def once(drawn: int):
        if of.gaussian:  # the default prior would keep variances above those of maximum likelihood
            model = GaussianHMM(of.states, covars_prior=1e-6, random_state=drawn, **ends)
        else:
            model = CategoricalHMM(of.states, random_state=drawn, **ends)
        return model.fit(X)

    def cost(model) -> float:
        if of.gaussian and model.covars_.min() < FLOOR:
            return np.inf
        found = -model.score(X)
        return np.inf if np.isnan(found) else found

    with alone():
        return restarted(once, cost, seed, seconds)


OURS, FULL, HMMLEARN = "prviz, default", "prviz, restarts", "hmmlearn, restarts"
PART = Part(
    title="hidden Markov models",
    what="−ln P of the sequence, by Baum–Welch. Series are scaled to variance 1. hmmlearn "
    "restarts until the time is over, with at most 300 iterations and tolerance 1e-4. Fits with a "
    "variance below 0.001, prviz's floor, do not count. Left out: pomegranate, which needs "
    "PyTorch, and dynamax, which takes 19 s of CPU time to compile the model of the text, and then "
    "1.8 s for a restart (hmmlearn: about 0.05 s).",
    cases=CASES,
    contenders={OURS: ours, FULL: full, HMMLEARN: with_hmmlearn},
    ours=[OURS],
    packages={HMMLEARN: "hmmlearn"},
    absolute=True,
    unit="in nats",
    rounding=0.01,
)
