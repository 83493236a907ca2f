"""Textbook restricted Boltzmann machines, the oracle of the vectorised implementation.

P(v, h) is e to the a·v + b·h + v·W·h, divided by the sum of that over all (v, h). Given v, the
hidden units are independent: each is on with probability σ(b_j + Σ_i v_i W_ij); and likewise the
visible ones given h.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import prviz
from prviz.engine import kernels
from prviz.engine.dispatch import helper
from prviz.engine.simd.functions import exponential, ln, logistic, softplus
from prviz.engine.simd.uniforms import empty_streams, fill, room_for, seed_streams, uniform
from prviz.problems.rbm.ascent import EPOCH, climb, slope
from prviz.problems.rbm.common import check, decay, n_parameters, redraw
from prviz.problems.rbm.subsets import SUBSETS, choose


class PlainRBM(NamedTuple):
    """A machine trained plainly; the fields are those of ``RBM``."""

    examples: np.ndarray
    n_hidden: int
    learning_rate: float
    epochs: int
    weight_decay: float
    batch: int
    sigma: float
    exact: bool


class PlainRBMState(NamedTuple):
    """The configuration: ``weights`` (n_visible, n_hidden), ``visible_bias`` and ``hidden_bias``.

    ``progress`` and ``streams`` are as ``RBMState`` has them; ``uniforms`` are the random numbers
    of an epoch; ``slope`` and ``former``, the model before, are for the ascent.
    """

    VARIABLES = ("weights", "visible_bias", "hidden_bias")
    CACHES = ("progress",)
    WORKSPACE = ("uniforms", "slope", "former")

    weights: np.ndarray
    visible_bias: np.ndarray
    hidden_bias: np.ndarray
    progress: np.ndarray
    streams: np.ndarray
    uniforms: np.ndarray
    slope: np.ndarray
    former: np.ndarray


@helper
def dot(a, b) -> float:
    """Σ a_i b_i, one after the other (NumPy's sum would begin eight at once)."""
    result = 0.0
    for i in range(len(a)):
        result += a[i] * b[i]
    return result


@helper
def log_weight(state, v) -> float:
    """ln Σ_h e to the a·v + b·h + v·W·h."""
    result = dot(state.visible_bias, v)
    for j in range(len(state.hidden_bias)):
        result += softplus(state.hidden_bias[j] + dot(v, state.weights[:, j]))
    return result


@helper
def log_weight_of_hidden(state, h) -> float:
    """ln Σ_v e to the a·v + b·h + v·W·h."""
    result = dot(state.hidden_bias, h)
    for i in range(len(state.visible_bias)):
        result += softplus(state.visible_bias[i] + dot(h, state.weights[i]))
    return result


@helper
def bits_of(number, unit) -> None:
    """Write the binary digits of a number into the units of a layer, the lowest first."""
    for i in range(len(unit)):
        unit[i] = float(number >> i & 1)


@helper
def log_partition(state) -> float:
    """ln Z, over the states of the smaller layer."""
    n_visible, n_hidden = state.weights.shape
    n = min(n_visible, n_hidden)
    unit, weights = np.zeros(n), np.zeros(1 << n)
    for number in range(1 << n):
        bits_of(number, unit)
        if n_visible <= n_hidden:
            weights[number] = log_weight(state, unit)
        else:
            weights[number] = log_weight_of_hidden(state, unit)
    top, summed = weights.max(), 0.0
    for weight in weights:
        summed += exponential(weight - top)
    return top + ln(summed)


@helper
def o_ml(problem, state) -> float:
    """Mean ln P(v) of the examples, less λ ΣW²/2."""
    result = 0.0
    for v in problem.examples:
        result += log_weight(state, v)
    return result / len(problem.examples) - log_partition(state) - decay(problem, state)


@helper
def contrast(problem, state) -> None:
    """An epoch of CD-1: from each example to the hidden units, back, and to the hidden units.

    A weight gains by how much more often its units are on together at first than in the end.
    """
    n_visible, n_hidden = state.weights.shape
    fill(state.streams, state.uniforms)
    expected, sampled = np.zeros(n_hidden), np.zeros(n_hidden)
    reconstruction = np.zeros(n_visible)
    for begin in range(0, len(problem.examples), problem.batch):
        examples = problem.examples[begin : begin + problem.batch]
        gains = np.zeros((n_visible, n_hidden))
        visible_gains, hidden_gains = np.zeros(n_visible), np.zeros(n_hidden)
        for e in range(len(examples)):
            v = examples[e]
            first = (begin + e) * (n_visible + n_hidden)
            for j in range(n_hidden):
                expected[j] = logistic(state.hidden_bias[j] + dot(v, state.weights[:, j]))
                sampled[j] = 1.0 if uniform(state.uniforms, first + j) < expected[j] else 0.0
            for i in range(n_visible):
                chance = logistic(state.visible_bias[i] + dot(sampled, state.weights[i]))
                number = uniform(state.uniforms, first + n_hidden + i)
                reconstruction[i] = 1.0 if number < chance else 0.0
            for j in range(n_hidden):
                activation = state.hidden_bias[j] + dot(reconstruction, state.weights[:, j])
                again = logistic(activation)
                hidden_gains[j] += expected[j] - again
                for i in range(n_visible):
                    gains[i, j] += v[i] * expected[j] - reconstruction[i] * again
            visible_gains += v - reconstruction
        rate = problem.learning_rate / len(examples)
        state.weights[:] = (
            1.0 - problem.learning_rate * problem.weight_decay
        ) * state.weights + rate * gains
        state.visible_bias[:] += rate * visible_gains
        state.hidden_bias[:] += rate * hidden_gains


def plain_rbm(*args, **settings) -> PlainRBM:
    """Return the problem that ``prviz.rbm`` makes, trained by the textbook algorithms."""
    made = prviz.rbm(*args, **settings)
    return PlainRBM(*(getattr(made, field) for field in PlainRBM._fields))


@kernels.allocate.register
def _allocate(problem: PlainRBM) -> PlainRBMState:
    (n, n_visible), n_hidden = problem.examples.shape, problem.n_hidden
    N = _n_variables(problem)
    return PlainRBMState(
        np.zeros((n_visible, n_hidden)),
        np.zeros(n_visible),
        np.zeros(n_hidden),
        np.zeros(3),
        empty_streams(),
        room_for(n * (n_visible + n_hidden)),
        np.zeros(N),
        np.zeros(N),
    )


@kernels.n_variables.register
def _n_variables(problem: PlainRBM) -> int:
    return n_parameters(problem.examples.shape[1], problem.n_hidden)


@kernels.cost.register(PlainRBM)
def _cost(problem, state):
    return -o_ml(problem, state)


@slope.register(PlainRBM)
def _slope(problem, state):
    """d ln P / dW_ij is E[v_i h_j], with v from the examples, less that of the machine's own v.

    Those are enumerated here whichever layer is smaller: slow, but plain.
    """
    n_visible, n_hidden = state.weights.shape
    state.slope[:] = 0.0
    for i in range(n_visible):
        for j in range(n_hidden):
            state.slope[i * n_hidden + j] = -problem.weight_decay * state.weights[i, j]
    for v in problem.examples:
        _add_expectations(state, v, 1.0 / len(problem.examples))
    ln_z, v = log_partition(state), np.zeros(n_visible)
    for number in range(1 << n_visible):
        bits_of(number, v)
        _add_expectations(state, v, -exponential(log_weight(state, v) - ln_z))
    return o_ml(problem, state)


@helper
def _add_expectations(state, v, weight) -> None:
    n_visible, n_hidden = state.weights.shape
    biases = n_visible * n_hidden
    for i in range(n_visible):
        state.slope[biases + i] += weight * v[i]
    for j in range(n_hidden):
        chance = logistic(state.hidden_bias[j] + dot(v, state.weights[:, j]))
        state.slope[biases + n_visible + j] += weight * chance
        for i in range(n_visible):
            state.slope[i * n_hidden + j] += weight * v[i] * chance


@kernels.subsets.register
def _subsets(problem: PlainRBM) -> tuple[str, ...]:
    return SUBSETS


@kernels.stochastic.register
def _stochastic(problem: PlainRBM) -> bool:
    return not problem.exact  # contrastive divergence follows no cost


@kernels.select.register(PlainRBM)
def _select(problem, state, redraw, rng, order):
    return choose(len(state.visible_bias), len(state.hidden_bias), redraw, rng, order)


@kernels.reinitialise.register(PlainRBM)
def _reinitialise(problem, state, chosen, alpha, rng):
    redraw(state, chosen, alpha, problem.sigma, rng)
    state.progress[:] = 0.0


@kernels.iterate.register(PlainRBM)
def _iterate(problem, state, rng):
    if problem.exact:
        return climb(problem, state)
    if state.progress[EPOCH] == 0.0:
        seed_streams(state.streams, state.uniforms, rng)
    contrast(problem, state)
    state.progress[EPOCH] += 1.0
    if state.progress[EPOCH] < problem.epochs:
        return False
    state.progress[EPOCH] = 0.0
    check(state)
    return True
