"""Restricted Boltzmann machines: find weights and biases that fit binary examples.

Each parameter is a variable. The two local optimisers are contrastive divergence
(``contrastive.py``), and gradient ascent of the exact likelihood (``ascent.py``).
"""

from __future__ import annotations

import math
from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from ...checks import real_number, whole_number
from ...datasets.check import full_weights
from ...datasets.types.examples import check_examples
from ...engine import kernels
from ...engine.dispatch import inlined
from ...engine.simd.simd8 import padded
from ...engine.simd.uniforms import empty_streams, seed_streams
from .ascent import EPOCH, climb, slope
from .common import check, decay, n_parameters, redraw
from .contrastive import Contrast, empty_contrast, give_back, take_in, train
from .enumeration import MOST_LARGE, MOST_SMALL, Enumeration, empty_enumeration, log_likelihood
from .products import Products, empty_products, likelihood_by_products, suits_products
from .subsets import SUBSETS, choose
from .tables import Tables, empty_tables

OPTIMISERS = ("cd1", "exact")
#: Examples × visible units × hidden units that training processes in a few milliseconds.
LOOK_AFTER = 5_000_000
LEARNING_RATE, EPOCHS, BATCH, SIGMA = 0.01, 10_000, 10, 0.1


class RBM(NamedTuple):
    """A restricted Boltzmann machine to train. Each of its N parameters is a variable.

    Attributes
    ----------
    examples : (n, n_visible) uint8
    n_hidden : int
    learning_rate : float
    epochs : int
        Passes over the examples per call; for exact ascent, the maximum number of steps.
    weight_decay : float
        λ.
    batch : int
        Examples per update of the parameters.
    sigma : float
        Standard deviation of redrawn parameters.
    exact : bool
        Whether to use exact gradient ascent instead of contrastive divergence.
    padded : float64
        The examples, one after another, each padded to whole vectors.
    distinct : (d, n_visible) float64
        The distinct examples.
    shares : (d,) float64
        Share of each distinct example in the total weight of all examples.
    numbers : (n,) int64
        The examples as binary numbers, with the first unit as lowest bit; 0 if they are too long.
    distinct_numbers : (d,) int64
        The distinct examples as binary numbers.
    weights : (n,) float64
        Weight of each example in contrastive divergence; the mean is 1.
    heaviest : float
        The largest weight.
    """

    examples: np.ndarray
    n_hidden: int
    learning_rate: float
    epochs: int
    weight_decay: float
    batch: int
    sigma: float
    exact: bool
    padded: np.ndarray
    distinct: np.ndarray
    shares: np.ndarray
    numbers: np.ndarray
    distinct_numbers: np.ndarray
    weights: np.ndarray
    heaviest: float


_MODEL = ("weights", "visible_bias", "hidden_bias")
_WORKSPACE = (*Contrast._fields, *Tables._fields, *Enumeration._fields, *Products._fields)

RBMState = namedtuple("RBMState", (*_MODEL, "progress", "streams", *_WORKSPACE))
RBMState.VARIABLES = _MODEL
RBMState.CACHES = ("progress",)
RBMState.WORKSPACE = _WORKSPACE
RBMState.__doc__ = """The machine, its progress in training, and working space.

Attributes
----------
weights : (n_visible, n_hidden) float64
visible_bias : (n_visible,) float64
hidden_bias : (n_hidden,) float64
progress : (3,) float64
    Number of epochs so far in an unfinished call, otherwise 0. For exact ascent, also the length of
    the next step (0 before the first step), and 1 if the ascent has ended.
streams : (4, LANES) uint64
    Random streams of a call.
...
    Working space: the fields of :class:`Contrast`, :class:`Tables`, :class:`Enumeration` and
    :class:`Products`.
"""


def rbm(
    examples: Any,
    n_hidden: int,
    learning_rate: float = LEARNING_RATE,
    epochs: int = EPOCHS,
    weight_decay: float = 0.0,
    optimiser: str = "cd1",
    *,
    batch: int = BATCH,
    sigma: float = SIGMA,
    weights: Any = None,
):
    """Return a restricted Boltzmann machine for :func:`prviz.run`, trained on binary examples.

    The cost is −O_ML, with O_ML = mean over the examples of ln P(v) − λ ΣW²/2. O_ML is exact:
    all states of the smaller layer are enumerated. Each parameter is a variable: first the weights
    row by row (one visible unit per row), then the visible biases, then the hidden biases. With
    ``weights``, the mean is a weighted mean.

    Parameters
    ----------
    examples : (n, n_visible) array_like of 0 and 1, or Examples
    n_hidden : int
        Number of hidden units, at least 1. The smaller of the two layers has at most 20 units.
    learning_rate : float
        Above 0; for "exact", the length of the first step.
    epochs : int
        Passes over the examples per call, at least 1; for "exact", the maximum number of steps.
    weight_decay : float
        λ ≥ 0. Biases do not decay.
    optimiser : {"cd1", "exact"}
        "cd1" is contrastive divergence with one step of Gibbs sampling (Hinton 2002). "exact" is
        gradient ascent of the exact O_ML, which the paper does not use. Each step is halved until
        it raises O_ML enough.
    batch : int
        Examples per step of contrastive divergence, at least 1. Batches follow the given order, and
        the last batch may be smaller.
    sigma : float
        Standard deviation of redrawn parameters, at least 0. The new values are normal with mean 0.
    weights : (n,) array_like, optional
        Weight of each example, above 0. Only the ratios of the weights matter. The default is 1.

    Notes
    -----
    Contrastive divergence is stochastic and does not follow the gradient of a function. A call may
    lower O_ML, and ends after ``epochs``, not at an optimum. "exact" never lowers O_ML, and ends
    when a step gains less than 1e-9.

    A weight of 3 gives the same cost and gradient as three equal examples. In contrastive
    divergence, the gain of an example in a step is multiplied by its weight over the mean weight.
    Weights do not change the steps per epoch, and each example is sampled once per epoch.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid.
    """
    if optimiser not in OPTIMISERS:
        raise ValueError(f"optimiser must be 'cd1' or 'exact', got {optimiser!r}.")
    v = check_examples(examples)
    counts = _counts(n_hidden=n_hidden, epochs=epochs, batch=batch)
    _check_layers(v.shape[1], counts["n_hidden"])
    rate, decay_, spread = _rates(learning_rate, weight_decay, sigma)
    settings = (
        counts["n_hidden"],
        rate,
        counts["epochs"],
        decay_,
        min(counts["batch"], len(v)),
        spread,
        optimiser == "exact",
    )
    heavy = full_weights(weights, len(v), "example")
    heavy = heavy / heavy.max()
    distinct, spot = np.unique(v, axis=0, return_inverse=True)
    often, total = np.bincount(spot.ravel(), heavy), math.fsum(heavy)
    relative = heavy / (total / len(v))
    rows = np.zeros((len(v), padded(v.shape[1])))
    rows[:, : v.shape[1]] = v
    return RBM(
        v,
        *settings,
        rows.ravel(),
        distinct.astype(float),
        often / total,
        _as_numbers(v),
        _as_numbers(distinct),
        relative,
        float(relative.max()),
    )


def _counts(**given: Any) -> dict[str, int]:
    counts = {name: whole_number(value, name) for name, value in given.items()}
    for name, value in counts.items():
        if value < 1:
            raise ValueError(f"{name} must be at least 1, got {value}.")
    return counts


def _check_layers(n_visible: int, n_hidden: int) -> None:
    layers = n_visible, n_hidden
    if min(layers) > MOST_SMALL or max(layers) > MOST_LARGE:
        raise ValueError(
            f"The smaller layer must have at most {MOST_SMALL} units, because the exact cost "
            f"enumerates its states, and the larger layer at most {MOST_LARGE} units, got "
            f"{n_visible} visible and {n_hidden} hidden units."
        )


def _rates(learning_rate: Any, weight_decay: Any, sigma: Any) -> tuple[float, float, float]:
    rate = real_number(learning_rate, "learning_rate")
    decay_, spread = real_number(weight_decay, "weight_decay"), real_number(sigma, "sigma")
    if not 0.0 < rate < math.inf:
        raise ValueError(f"learning_rate must be positive and finite, got {rate}.")
    for name, value in (("weight_decay", decay_), ("sigma", spread)):
        if not 0.0 <= value < math.inf:
            raise ValueError(f"{name} must be 0 or more and finite, got {value}.")
    return rate, decay_, spread


def _as_numbers(examples: np.ndarray) -> np.ndarray:
    """Return rows of bits as binary numbers; 0 if the rows are too long."""
    n, n_visible = examples.shape
    if n_visible > MOST_SMALL:
        return np.zeros(n, np.int64)
    return examples.astype(np.int64) @ (1 << np.arange(n_visible))


@inlined
def likelihood(problem, state, slope) -> float:
    """Return weighted mean ln P(v); with ``slope``, also compute its gradient."""
    if suits_products(state):
        return likelihood_by_products(problem, state, slope)
    return log_likelihood(problem, state, slope)


@kernels.allocate.register
def _allocate(problem: RBM) -> RBMState:
    (n, n_visible), n_hidden = problem.examples.shape, problem.n_hidden
    return RBMState(
        np.zeros((n_visible, n_hidden)),
        np.zeros(n_visible),
        np.zeros(n_hidden),
        np.zeros(3),
        empty_streams(),
        *empty_contrast(n, n_visible, n_hidden, problem.batch),
        *empty_tables(n_visible, n_hidden, problem.batch),
        *empty_enumeration(n_visible, n_hidden),
        *empty_products(n_visible, n_hidden, len(problem.shares)),
    )


@kernels.n_variables.register
def _n_variables(problem: RBM) -> int:
    return n_parameters(problem.examples.shape[1], problem.n_hidden)


@kernels.cost.register(RBM)
def _cost(problem, state):
    return decay(problem, state) - likelihood(problem, state, False)


@slope.register(RBM)
def _slope(problem, state):
    mean = likelihood(problem, state, True)
    n_visible, n_hidden = state.weights.shape
    if problem.weight_decay > 0.0:
        for i in range(n_visible):
            for j in range(n_hidden):
                state.slope[i * n_hidden + j] -= problem.weight_decay * state.weights[i, j]
    return mean - decay(problem, state)


@kernels.subsets.register
def _subsets(problem: RBM) -> tuple[str, ...]:
    return SUBSETS


@kernels.stochastic.register
def _stochastic(problem: RBM) -> bool:
    return not problem.exact  # contrastive divergence does not minimise the cost


@kernels.select.register(RBM)
def _select(problem, state, redraw, rng, order):
    return choose(len(state.visible_bias), len(state.hidden_bias), redraw, rng, order)


@kernels.reinitialise.register(RBM)
def _reinitialise(problem, state, chosen, alpha, rng):
    redraw(state, chosen, alpha, problem.sigma, rng)
    state.progress[:] = 0.0


@kernels.iterate.register(RBM)
def _iterate(problem, state, rng):
    if problem.exact:
        return climb(problem, state)
    if state.progress[EPOCH] == 0.0:
        seed_streams(state.streams, state.uniforms, rng)
    take_in(state)
    train(problem, state, 1)
    give_back(state)
    state.progress[EPOCH] += 1.0
    if state.progress[EPOCH] < problem.epochs:
        return False
    state.progress[EPOCH] = 0.0
    check(state)
    return True


@inlined
def _epochs_between_looks(problem) -> int:
    """Return how many epochs take a few milliseconds: the interval of the checks for a stop."""
    return 1 + LOOK_AFTER // (problem.examples.size * problem.n_hidden)


@kernels.optimise.register(RBM)
def _optimise(problem, state, rng, stop=None):
    iterations = 0
    if problem.exact:
        settled = False
        while not settled and not kernels.asked_to(stop):
            settled = climb(problem, state)
            iterations += 1
    else:
        seed_streams(state.streams, state.uniforms, rng)
        take_in(state)
        while iterations < problem.epochs and not kernels.asked_to(stop):
            epochs = min(_epochs_between_looks(problem), problem.epochs - iterations)
            train(problem, state, epochs)
            iterations += epochs
        give_back(state)
        check(state)
    if kernels.asked_to(stop):
        return np.inf, iterations
    return decay(problem, state) - likelihood(problem, state, False), iterations
