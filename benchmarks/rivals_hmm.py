"""Compare hidden Markov models with hmmlearn, pomegranate and dynamax, for ``rivals.py``.

hmmlearn is measured twice: with its defaults, and with 300 iterations and a tolerance of 1e-4.
Fits with a variance below prviz's floor do not count, because the likelihood grows without bound
as a variance goes to 0.
"""

from __future__ import annotations

import functools
import importlib.resources
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from common import HERE  # noqa: F401  must be first: makes prviz importable
from hmmlearn.hmm import CategoricalHMM, GaussianHMM
from rivals_part import Part, package, restarted
from sklearn import datasets as bundled

import prviz
from prviz.baselines.peers import alone

ITERATIONS, TOLERANCE = 300, 1e-4
FLOOR = 1e-3  # prviz's smallest variance, for series of variance 1


def text() -> np.ndarray:
    """Return the first 200 letters and spaces of the description of Iris, as numbers."""
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


SHORT = {
    "text, 200 letters, 8 states": Case(text, 8, 0.3),
    "DNA, 312 bases, 6 states": Case(dna, 6, 0.3),
    "dice, 400 throws, 3 states": Case(dice, 3, 0.2),
    "GDP growth, 202 quarters, 4 states": Case(
        lambda: series("macrodata", "realgdp", True), 4, 0.2, True
    ),
    "Nile, 100 years, 3 states": Case(lambda: series("nile", "volume"), 3, 0.1, True),
    "sunspots, 309 years, 5 states": Case(lambda: series("sunspots", "SUNACTIVITY"), 5, 0.2, True),
}
#: The longer of two time limits, in seconds. pomegranate and dynamax need it for one restart.
LONG = 1.0
SETS = SHORT | {
    f"{case.split(',')[0]}, {LONG:g} s": of._replace(seconds=LONG) for case, of in SHORT.items()
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
    # the default prior would keep variances above those of maximum likelihood
    prior = {"covars_prior": 1e-6} if SETS[case].gaussian else {}
    ends = {"n_iter": ITERATIONS, "tol": TOLERANCE, "implementation": "scaling"}
    return _hmmlearn(case, seed, seconds, **ends, **prior)


def by_default(case: str, seed: int, seconds: float) -> tuple[float, float]:
    return _hmmlearn(case, seed, seconds)


def _hmmlearn(case: str, seed: int, seconds: float, **options: Any) -> tuple[float, float]:
    X, of = values_of(case).reshape(-1, 1), SETS[case]
    kind = GaussianHMM if of.gaussian else CategoricalHMM

    def cost(model) -> float:
        if of.gaussian and model.covars_.min() < FLOOR:
            return np.inf
        found = -model.score(X)
        return np.inf if np.isnan(found) else found

    with alone():
        return restarted(
            lambda drawn: kind(of.states, random_state=drawn, **options).fit(X), cost, seed, seconds
        )


def costed(case: str, starts: Any, moves: Any, emissions: Any) -> float:
    """Return −ln P in float64, from probabilities of letters, or from means and variances."""
    values, starts, moves = values_of(case), np.asarray(starts, float), np.asarray(moves, float)
    if SETS[case].gaussian:
        means, variances = (np.asarray(each, float).reshape(-1) for each in emissions)
        if not variances.min() >= FLOOR:  # true for NaN, too
            return np.inf
        gaps = (values[:, None] - means) ** 2 / variances
        likely = np.exp(-gaps / 2) / np.sqrt(2 * np.pi * variances)
    else:
        likely = np.asarray(emissions, float).T[values]
    ahead, total = starts / starts.sum(), 0.0
    moves = moves / moves.sum(1, keepdims=True)
    for each in likely:
        now = ahead * each
        scale = now.sum()
        if not scale > 0:
            return np.inf
        total += np.log(scale)
        ahead = now / scale @ moves
    return -float(total)


def with_pomegranate(case: str, seed: int, seconds: float) -> tuple[float, float]:
    """Restart DenseHMM; exclude the probability that the sequence ends.

    Without the pseudocount, fits of letters end with NaN.
    """
    import torch
    from pomegranate.distributions import Categorical, Normal
    from pomegranate.hmm import DenseHMM

    torch.set_num_threads(1)
    values, of = values_of(case), SETS[case]
    letters = int(values.max()) + 1
    X = torch.tensor(values, dtype=torch.float32 if of.gaussian else torch.int64).reshape(1, -1, 1)

    def once(drawn: int):
        made = [
            Normal() if of.gaussian else Categorical(n_categories=letters, pseudocount=0.001)
            for _ in range(of.states)
        ]
        try:
            return DenseHMM(made, random_state=drawn).fit(X)
        except (ValueError, RuntimeError, AttributeError):  # a state got no points, or variance 0
            return None

    def cost(model) -> float:
        if model is None:
            return np.inf
        states = model.distributions
        if of.gaussian:
            emissions = ([float(s.means[0]) for s in states], [float(s.covs[0, 0]) for s in states])
        else:
            emissions = np.array([s.probs[0].detach().numpy() for s in states])
        return costed(case, np.exp(model.starts.detach()), np.exp(model.edges.detach()), emissions)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return restarted(once, cost, seed, seconds)


@functools.cache
def _dynamax(case: str) -> tuple[Callable, Callable]:
    """Return a function that draws a start, and one that fits from it; both are made once."""
    import jax
    from dynamax.hidden_markov_model import CategoricalHMM as Letters
    from dynamax.hidden_markov_model import GaussianHMM as Numbers

    values, of = values_of(case), SETS[case]
    if of.gaussian:
        model, X = Numbers(of.states, 1), jax.numpy.asarray(values, "float32").reshape(-1, 1)
        how = {"method": "kmeans", "emissions": X}
    else:
        model, X = (
            Letters(of.states, 1, int(values.max()) + 1),
            jax.numpy.asarray(values).reshape(-1, 1),
        )
        how = {}
    _, kinds = model.initialize(jax.random.PRNGKey(0), **how)

    def draw(key):
        return model.initialize(key, **how)[0]

    # initialize() of a Gaussian model runs k-means, which JAX cannot compile
    drawn = draw if of.gaussian else jax.jit(draw)
    fit = jax.jit(lambda start: model.fit_em(start, kinds, X, verbose=False)[0])
    return lambda seed: drawn(jax.random.PRNGKey(seed)), fit


def with_dynamax(case: str, seed: int, seconds: float) -> tuple[float, float]:
    """Restart fit_em with its defaults: 50 iterations, and priors."""
    import jax

    draw, fit = _dynamax(case)

    def cost(found) -> float:
        of = found.emissions
        emissions = (of.means, of.covs) if SETS[case].gaussian else np.asarray(of.probs)[:, 0]
        return costed(case, found.initial.probs, found.transitions.transition_matrix, emissions)

    return restarted(lambda drawn: jax.block_until_ready(fit(draw(drawn))), cost, seed, seconds)


OURS, FULL = "prviz, default", "prviz, restarts"
HMMLEARN, DEFAULTS = "hmmlearn, 300 iterations", "hmmlearn, defaults"
POMEGRANATE, DYNAMAX = "pomegranate", "dynamax"


def applies(name: str, case: str) -> bool:
    """Return False if one restart of a rival takes longer than the case's time."""
    return name not in {POMEGRANATE, DYNAMAX} or SETS[case].seconds >= LONG


PART = Part(
    title="hidden Markov models",
    what="−ln P of the sequence, by Baum–Welch. Series are scaled to variance 1. All rivals "
    "restart until the time is over. hmmlearn is measured with its defaults (10 iterations, "
    "tolerance 0.01) and with 300 iterations and tolerance 1e-4. pomegranate (float32, tolerance "
    "0.1) and dynamax (float32, 50 iterations, priors on all parameters) have their defaults, but "
    "pomegranate has a pseudocount of 0.001: with 0, its default, fits of letters give NaN. "
    "pomegranate and dynamax are measured in the longer runs only. Compilation by JAX is not "
    "timed. Fits with a variance below 0.001, prviz's floor, do not count.",
    cases=CASES,
    contenders={
        OURS: ours,
        FULL: full,
        HMMLEARN: with_hmmlearn,
        DEFAULTS: by_default,
        POMEGRANATE: with_pomegranate,
        DYNAMAX: with_dynamax,
    },
    ours=[OURS],
    packages={
        HMMLEARN: "hmmlearn",
        DEFAULTS: "hmmlearn",
        POMEGRANATE: "pomegranate",
        DYNAMAX: "dynamax",
    },
    applies=applies,
    absolute=True,
    unit="in nats",
    rounding=0.01,
)
