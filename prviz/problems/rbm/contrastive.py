"""Contrastive divergence, eight units at a time.

Layers are padded to whole vectors. A padding unit has no weights and a bias so low that it is
always off.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.dispatch import borrowing, inlined
from ...engine.simd.functions import exponential, logistic
from ...engine.simd.simd8 import WIDTH, each, fractions, less, load, padded, spread, store, totals
from ...engine.simd.uniforms import fill, room_for
from .tables import contrast_by_tables, suits_tables

#: The bias of a padding unit.
OFF = -1e9


class Contrast(NamedTuple):
    """Working space of contrastive divergence. V and H are the padded sizes of the layers.

    Attributes
    ----------
    rows : ((V + 1) H,) float64
        The weights, one row per visible unit; the last row has the hidden units' biases.
    column : (V,) float64
        The visible units' biases.
    row_gains, column_gains : of the same shapes
        Changes of ``rows`` and ``column``, summed over a batch.
    expected, sampled : (batch H,) float64
        Probabilities and samples of the hidden units, for each example of a batch.
    reconstruction : (batch V,) float64
        Samples of the visible units, given the samples of the hidden units.
    uniforms : uint64
        Random numbers of an epoch (n_hidden + n_visible per example), two in each element.
    """

    rows: np.ndarray
    column: np.ndarray
    row_gains: np.ndarray
    column_gains: np.ndarray
    expected: np.ndarray
    sampled: np.ndarray
    reconstruction: np.ndarray
    uniforms: np.ndarray


def empty_contrast(n_examples: int, n_visible: int, n_hidden: int, batch: int) -> Contrast:
    """Return working space for a model and a data set of these sizes."""
    V, H = padded(n_visible), padded(n_hidden)
    return Contrast(
        rows=np.zeros((V + 1) * H),
        column=np.zeros(V),
        row_gains=np.zeros((V + 1) * H),
        column_gains=np.zeros(V),
        expected=np.zeros(batch * H),
        sampled=np.zeros(batch * H),
        reconstruction=np.zeros(batch * V),
        uniforms=room_for(n_examples * (n_visible + n_hidden)),
    )


@inlined
def _sizes(state):
    """Return the sizes of the layers, then their padded sizes."""
    n_visible, n_hidden = state.weights.shape
    V = len(state.column)
    return n_visible, n_hidden, V, len(state.rows) // (V + 1)


@borrowing
def take_in(state) -> None:
    """Copy the parameters to ``rows`` and ``column``."""
    n_visible, n_hidden, V, H = _sizes(state)
    state.rows[:] = 0.0
    state.rows[V * H :] = OFF
    state.column[:] = OFF
    for i in range(n_visible):
        for j in range(n_hidden):
            state.rows[i * H + j] = state.weights[i, j]
        state.column[i] = state.visible_bias[i]
    for j in range(n_hidden):
        state.rows[V * H + j] = state.hidden_bias[j]


@borrowing
def give_back(state) -> None:
    """Copy ``rows`` and ``column`` back to the parameters."""
    n_visible, n_hidden, V, H = _sizes(state)
    for i in range(n_visible):
        for j in range(n_hidden):
            state.weights[i, j] = state.rows[i * H + j]
        state.visible_bias[i] = state.column[i]
    for j in range(n_hidden):
        state.hidden_bias[j] = state.rows[V * H + j]


@borrowing
def train(problem, state, epochs) -> None:
    """Train for a number of epochs; change the parameters after each batch."""
    n, batch = len(problem.examples), problem.batch
    for _ in range(epochs):
        fill(state.streams, state.uniforms)
        by_tables = suits_tables(problem, state)
        for begin in range(0, n, batch):
            size = min(batch, n - begin)
            if by_tables:
                contrast_by_tables(problem, state, begin, size)
            else:
                _look(problem, state, begin, size)
                _imagine(problem, state, begin, size)
                _compare(problem, state, begin, size)
            _step(problem, state, problem.learning_rate / size)


@inlined
def _activate_hidden(units, first, rows, n_visible, V, H, vector):
    """Return the input of eight hidden units from the visible units, including the bias.

    Two sums are added in parallel, because each addition to a sum waits for the previous one.
    """
    even = load(rows, V * H + vector)
    odd = spread(0.0)
    for i in range(0, n_visible, 2):  # padding has no weights
        even = even + each(units, first + i) * load(rows, i * H + vector)
        odd = odd + each(units, first + i + 1) * load(rows, (i + 1) * H + vector)
    return even + odd


@inlined
def _activate_visible(units, first, rows, H, row):
    """Return the input of the eight visible units from ``row`` on, without bias."""
    a = b = c = d = e = f = g = h = spread(0.0)
    for vector in range(0, H, WIDTH):
        on, at = load(units, first + vector), row * H + vector
        a = a + on * load(rows, at)
        b = b + on * load(rows, at + H)
        c = c + on * load(rows, at + 2 * H)
        d = d + on * load(rows, at + 3 * H)
        e = e + on * load(rows, at + 4 * H)
        f = f + on * load(rows, at + 5 * H)
        g = g + on * load(rows, at + 6 * H)
        h = h + on * load(rows, at + 7 * H)
    return totals(a, b, c, d, e, f, g, h)


@inlined
def _look(problem, state, begin, size) -> None:
    """Compute the hidden units' probabilities given each example, and a sample of them."""
    n_visible, n_hidden, V, H = _sizes(state)
    for e in range(size):
        seen, first = (begin + e) * V, (begin + e) * (n_visible + n_hidden)
        for vector in range(0, H, WIDTH):
            activation = _activate_hidden(problem.padded, seen, state.rows, n_visible, V, H, vector)
            chance = logistic(activation)
            store(state.expected, e * H + vector, chance)
            store(
                state.sampled,
                e * H + vector,
                less(fractions(state.uniforms, first + vector), chance),
            )


@inlined
def _imagine(problem, state, begin, size) -> None:
    """Sample the visible units given the hidden units."""
    n_visible, n_hidden, V, H = _sizes(state)
    for e in range(size):
        first = (begin + e) * (n_visible + n_hidden) + n_hidden
        for vector in range(0, V, WIDTH):
            activation = _activate_visible(state.sampled, e * H, state.rows, H, vector)
            against = 1.0 + exponential(0.0 - (activation + load(state.column, vector)))
            on = less(fractions(state.uniforms, first + vector) * against, spread(1.0))
            store(state.reconstruction, e * V + vector, on)


@inlined
def _compare(problem, state, begin, size) -> None:
    """Sum the differences between the examples and their reconstructions, times the weights."""
    n_visible, _, V, H = _sizes(state)
    for vector in range(0, len(state.row_gains), WIDTH):
        store(state.row_gains, vector, spread(0.0))
    for vector in range(0, V, WIDTH):
        store(state.column_gains, vector, spread(0.0))
    for e in range(size):
        seen, reconstruction = (begin + e) * V, e * V
        weight = spread(problem.weights[begin + e])
        for vector in range(0, V, WIDTH):
            gain = load(problem.padded, seen + vector) - load(
                state.reconstruction, reconstruction + vector
            )
            gain = weight * gain
            store(state.column_gains, vector, load(state.column_gains, vector) + gain)
        for vector in range(0, H, WIDTH):
            activation = _activate_hidden(
                state.reconstruction, reconstruction, state.rows, n_visible, V, H, vector
            )
            here = weight * load(state.expected, e * H + vector)
            there = weight * logistic(activation)
            for i in range(n_visible):
                gain = each(problem.padded, seen + i) * here
                gain = gain - each(state.reconstruction, reconstruction + i) * there
                at = i * H + vector
                store(state.row_gains, at, load(state.row_gains, at) + gain)
            at = V * H + vector
            store(state.row_gains, at, load(state.row_gains, at) + (here - there))


@inlined
def _step(problem, state, rate) -> None:
    """Add the gains to the parameters; weights also decay."""
    _, _, V, H = _sizes(state)
    kept = 1.0 - problem.learning_rate * problem.weight_decay
    for vector in range(0, V * H, WIDTH):
        decayed = kept * load(state.rows, vector)
        store(state.rows, vector, decayed + rate * load(state.row_gains, vector))
    for vector in range(V * H, (V + 1) * H, WIDTH):
        gain = rate * load(state.row_gains, vector)
        store(state.rows, vector, load(state.rows, vector) + gain)
    for vector in range(0, V, WIDTH):
        gain = rate * load(state.column_gains, vector)
        store(state.column, vector, load(state.column, vector) + gain)
