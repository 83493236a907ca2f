"""Draw frames of a Boltzmann machine's search."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...engine.dispatch import helper
from ...engine.references import by_reference
from ...engine.simd.functions import exponential, ln, logistic, softplus
from ...problems.rbm.problem import RBM
from ...scenes.rbm import PERCENT
from ..film import draw, put_whole


@by_reference
class Machine(NamedTuple):
    """Data that ``draw`` needs in addition to the problem.

    Attributes
    ----------
    listed : (n, n_visible) float64
        Patterns or frequent examples, then the other examples.
    shown : int
        Number of patterns or frequent examples in ``listed``.
    marked : int
        1 if samples that are not examples are pale.
    draws : (samples, 1 + n_visible) float64
        Uniform numbers, which are the same in every frame.
    """

    listed: np.ndarray
    shown: int
    marked: int
    draws: np.ndarray


@helper
def to_byte(x):
    """Return 255 (1 + tanh(x/2)) / 2 as a byte: 128 for x = 0."""
    return np.uint8(int(np.rint(255.0 * logistic(x))))


@helper
def log_weight(v, weights, visible, hidden):
    """Return ln(Z P(v)): the logarithm of the unnormalised probability of v."""
    total = 0.0
    for i in range(len(visible)):
        total += v[i] * visible[i]
    for j in range(len(hidden)):
        activation = hidden[j]
        for i in range(len(visible)):
            activation += v[i] * weights[i, j]
        total += softplus(activation)
    return total


@helper
def probabilities(weights, small, large):
    """Return ln Z, and the probability of each state of the layer whose biases are ``small``."""
    m = len(small)
    logs, bits = np.empty(1 << m), np.empty(m)
    for number in range(1 << m):
        for i in range(m):
            bits[i] = (number >> i) & 1
        logs[number] = log_weight(bits, weights, small, large)
    top, total = logs.max(), 0.0
    for number in range(1 << m):
        total += exponential(logs[number] - top)
    ln_z = top + ln(total)
    for number in range(1 << m):
        logs[number] = exponential(logs[number] - ln_z)
    return ln_z, logs


@helper
def sample(number, weights, visible, hidden, uniform, v):
    """Write a visible state to ``v``: state ``number``, or a sample given hidden state ``number``.

    Numbers refer to the smaller layer; to the visible layer if both have the same size.
    """
    n_visible, n_hidden = weights.shape
    for i in range(n_visible):
        if n_visible <= n_hidden:
            v[i] = (number >> i) & 1
            continue
        activation = visible[i]
        for j in range(n_hidden):
            activation += weights[i, j] * ((number >> j) & 1)
        v[i] = 1.0 if uniform[1 + i] < logistic(activation) else 0.0


@helper
def is_example(v, examples):
    """Return True if a sample is one of the examples."""
    for row in range(len(examples)):
        same = True
        for i in range(len(v)):
            same = same and examples[row, i] == v[i]
        if same:
            return True
    return False


@draw.register(RBM)
def _draw_machine(problem, state, picture, frame, at):
    weights, visible, hidden = state.weights, state.visible_bias, state.hidden_bias
    n_visible, n_hidden = weights.shape
    for i in range(n_visible):
        for j in range(n_hidden):
            frame[at[0] + i * n_hidden + j] = to_byte(weights[i, j])
        frame[at[1] + i] = to_byte(visible[i])
    for j in range(n_hidden):
        frame[at[2] + j] = to_byte(hidden[j])
    if n_visible > n_hidden:
        ln_z, chances = probabilities(np.ascontiguousarray(weights.T), hidden, visible)
    else:
        ln_z, chances = probabilities(np.ascontiguousarray(weights), visible, hidden)
    v = np.empty(n_visible)
    for s in range(len(picture.draws)):
        number, reached = 0, chances[0]
        while reached < picture.draws[s, 0] and number < len(chances) - 1:
            number += 1
            reached += chances[number]
        sample(number, weights, visible, hidden, picture.draws[s], v)
        for i in range(n_visible):
            frame[at[3] + s * n_visible + i] = np.uint8(v[i])
        known = picture.marked == 0 or is_example(v, problem.distinct)
        frame[at[4] + s] = np.uint8(1 if known else 0)
    never, others = 1.0, 0.0
    for row in range(len(picture.listed)):
        log = log_weight(picture.listed[row], weights, visible, hidden)
        chance = exponential(min(log - ln_z, 0.0))
        never -= chance
        if row < picture.shown:
            put_share(frame, at[5] + 2 * row, chance)
        else:
            others += chance
    place = at[5] + 2 * picture.shown
    if len(picture.listed) > picture.shown:
        put_share(frame, place, others)
        place += 2
    put_share(frame, place, never)


@helper
def put_share(frame, at, share):
    """Write a share to a frame."""
    put_whole(frame, at, 2, int(np.rint(min(max(share, 0.0), 1.0) * PERCENT)))


def picture(scene: Any, problem: Any) -> Machine:
    """Return the data that ``draw`` needs in addition to the problem."""
    return Machine(scene.listed, scene.n_shown, int(scene.marked), scene.draws)
