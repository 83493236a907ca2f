"""Exact likelihood of a restricted Boltzmann machine, and its gradient.

The sum over all states factorises: given one layer, the units of the other layer are independent.
So only the states of the smaller layer are enumerated. A vector contains eight states, which differ
in the first three units. The other units count up in binary from vector to vector.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.dispatch import borrowing, inlined
from ...engine.simd.functions import exponential, ln, logarithm, logistic, softplus
from ...engine.simd.simd8 import WIDTH, each, largest, less, limit, load, spread, store, total
from .common import n_parameters

#: A vector contains the 2³ = 8 states of this many units.
LOW = 3
#: Maximum numbers of units of the smaller and the larger layer.
MOST_SMALL, MOST_LARGE = 20, 1000
#: Bias of a missing unit of the enumerated layer, which keeps it off.
ABSENT = -1e9
#: Weights of states are relative to a reference. If a weight exceeds e^SLACK, it becomes the new
#: reference.
SLACK = 50.0
HUGE = 1e300


class Enumeration(NamedTuple):
    """Working space. The smaller layer has m units, and the larger layer has q units.

    Attributes
    ----------
    low : (8 (q + 1),) float64
        Row j: contributions of the first three units to unit j of the larger layer, for their eight
        states. Row q: their contributions to the log weights of these states.
    high : ((m − 2) (q + 1),) float64
        Row i: biases of the larger layer, plus contributions of units i + 3 and above of the
        smaller layer, numbered from 0. Only units that are on in the present eight states count.
    chances : (8 q,) float64
        Probabilities of the larger layer's units for eight states.
    low_sums : (8 (q + 1),) float64
        Weighted sums of ``chances`` over all vectors. The last row is for the sum of the weights.
    high_sums : (8 (m − 3) (q + 1),) float64
        The same sums over the vectors in which a unit is on, for each unit from the fourth on.
    slope, former : (N,) float64
        The gradient, and the model before a step, in the order of the variables.
    """

    low: np.ndarray
    high: np.ndarray
    chances: np.ndarray
    low_sums: np.ndarray
    high_sums: np.ndarray
    slope: np.ndarray
    former: np.ndarray


def empty_enumeration(n_visible: int, n_hidden: int) -> Enumeration:
    """Return working space for a model of this size."""
    m, q = max(LOW, min(n_visible, n_hidden)), max(n_visible, n_hidden)
    N = n_parameters(n_visible, n_hidden)
    return Enumeration(
        np.zeros(WIDTH * (q + 1)),
        np.zeros((m - LOW + 1) * (q + 1)),
        np.zeros(WIDTH * q),
        np.zeros(WIDTH * (q + 1)),
        np.zeros(WIDTH * (m - LOW) * (q + 1)),
        np.zeros(N),
        np.zeros(N),
    )


@borrowing
def log_likelihood(problem, state, slope) -> float:
    """Return mean ln P(v) of the examples; with ``slope``, write its gradient to ``state.slope``.

    Either layer can be the smaller one. ``small`` and ``large`` are the biases of the smaller and
    the larger layer. ``weights[i * along + j * across]`` is the weight between unit i of the
    smaller and unit j of the larger layer.
    """
    n_visible, n_hidden = state.weights.shape
    n_weights = n_visible * n_hidden
    weights = state.weights.reshape(n_weights)
    slopes = state.slope[:n_weights]
    visible = state.slope[n_weights : n_weights + n_visible]
    hidden = state.slope[n_weights + n_visible :]
    if slope:
        state.slope[:] = 0.0
    seen = _examples(
        problem.distinct, problem.shares, state.weights, state.visible_bias, state.hidden_bias,
        slopes, visible, hidden, slope,
    )  # fmt: skip
    if n_visible <= n_hidden:
        small, large, along, across = state.visible_bias, state.hidden_bias, n_hidden, 1
        slope_small, slope_large = visible, hidden
    else:
        small, large, along, across = state.hidden_bias, state.visible_bias, 1, n_hidden
        slope_small, slope_large = hidden, visible
    return seen - _all_states(
        state.low, state.high, state.chances, state.low_sums, state.high_sums,
        small, large, weights, along, across, slope_small, slope_large, slopes, slope,
    )  # fmt: skip


@borrowing
def _examples(distinct, shares, weights, visible_bias, hidden_bias, slopes, visible, hidden,
              slope) -> float:  # fmt: skip
    """Return the mean log weight of examples; with ``slope``, add its gradient to the slopes."""
    n_visible, n_hidden = weights.shape
    result = 0.0
    for d in range(len(shares)):
        share, example = shares[d], distinct[d]
        for i in range(n_visible):
            result += share * example[i] * visible_bias[i]
            if slope:
                visible[i] += share * example[i]
        for j in range(n_hidden):
            activation = hidden_bias[j]
            for i in range(n_visible):
                activation += example[i] * weights[i, j]
            result += share * softplus(activation)
            if slope:
                chance = logistic(activation)
                hidden[j] += share * chance
                for i in range(n_visible):
                    slopes[i * n_hidden + j] += share * chance * example[i]
    return result


@borrowing
def _all_states(low, high, chances, low_sums, high_sums, small, large, weights, along, across,
                slope_small, slope_large, slopes, slope) -> float:  # fmt: skip
    """Return the log partition function; with ``slope``, subtract its gradient from the slopes."""
    q, m = len(large), max(LOW, len(small))
    _spread_low(low, small, large, weights, along, across)
    reference = -HUGE
    if slope:
        low_sums[:] = 0.0
        high_sums[:] = 0.0
    summed = 0.0
    for block in range(1 << (m - LOW)):
        _count_up(high, block, small, large, weights, along, across)
        weight = _weigh(low, high, chances, q)
        top = largest(weight)
        if top > reference + SLACK:
            shrink = exponential(reference - top) if reference > -HUGE else 0.0
            summed *= shrink
            if slope:
                for at in range(0, len(low_sums), WIDTH):
                    store(low_sums, at, shrink * load(low_sums, at))
                for at in range(0, len(high_sums), WIDTH):
                    store(high_sums, at, shrink * load(high_sums, at))
            reference = top
        weight = exponential(weight - reference)
        summed += total(weight)
        if slope:
            _add(low_sums, 0, weight, chances, q)
            for i in range(m - LOW):
                if block >> i & 1:
                    _add(high_sums, i * WIDTH * (q + 1), weight, chances, q)
    if slope:
        _take_away(low_sums, high_sums, 1.0 / summed, len(small), q, along, across,
                   slope_small, slope_large, slopes)  # fmt: skip
    return reference + ln(summed)


@borrowing
def _spread_low(low, small, large, weights, along, across) -> None:
    """Compute the contributions of the first three units, for each of their eight states."""
    q = len(large)
    for lane in range(WIDTH):
        for j in range(q + 1):
            activation = 0.0
            for i in range(LOW):
                if lane >> i & 1:
                    if i >= len(small):
                        activation += ABSENT if j == q else 0.0
                    else:
                        activation += small[i] if j == q else weights[i * along + j * across]
            low[j * WIDTH + lane] = activation


@borrowing
def _count_up(high, block, small, large, weights, along, across) -> None:
    """Update ``high`` for a block of states. Row i is for units LOW + i and above."""
    q = len(large)
    top = len(high) // (q + 1) - 1
    if block == 0:
        for i in range(top + 1):
            for j in range(q):
                high[i * (q + 1) + j] = large[j]
            high[i * (q + 1) + q] = 0.0
        return
    turned = 0  # this unit is turned on, and the units below it are turned off
    while not block >> turned & 1:
        turned += 1
    here, unit = turned * (q + 1), turned + LOW
    for j in range(q):
        high[here + j] = high[here + q + 1 + j] + weights[unit * along + j * across]
    high[here + q] = high[here + q + 1 + q] + small[unit]
    for at in range(here):
        high[at] = high[here + at % (q + 1)]


@inlined
def _weigh(low, high, chances, q):
    """Return the log weights of eight states; write P(unit j is on) for each to ``chances``."""
    result = load(low, q * WIDTH) + each(high, q)
    product = spread(1.0)
    for j in range(q):
        activation = load(low, j * WIDTH) + each(high, j)
        positive = limit(activation, 0.0, HUGE)
        small = exponential(activation - 2.0 * positive)  # e^−|activation|
        product = product * (1.0 + small)  # at most 2^MOST_LARGE, which is finite
        result = result + positive
        off = less(activation, spread(0.0))
        store(chances, j * WIDTH, (1.0 - off * (1.0 - small)) / (1.0 + small))
    return result + logarithm(product)


@inlined
def _add(sums, first, weight, chances, q) -> None:
    for j in range(q):
        at = first + j * WIDTH
        store(sums, at, load(sums, at) + weight * load(chances, j * WIDTH))
    last = first + q * WIDTH
    store(sums, last, load(sums, last) + weight)


@borrowing
def _take_away(low_sums, high_sums, scale, m, q, along, across, slope_small, slope_large,
               slopes) -> None:  # fmt: skip
    """Subtract the expectations over all states from the gradient."""
    for j in range(q + 1):
        vector = load(low_sums, j * WIDTH)
        if j < q:
            slope_large[j] -= scale * total(vector)
        for i in range(m):
            expected = 0.0
            if i < LOW:
                for lane in range(WIDTH):
                    if lane >> i & 1:
                        expected += low_sums[j * WIDTH + lane]
            else:
                expected = total(load(high_sums, ((i - LOW) * (q + 1) + j) * WIDTH))
            if j < q:
                slopes[i * along + j * across] -= scale * expected
            else:
                slope_small[i] -= scale * expected
