"""Compute likelihood and gradient of a small Boltzmann machine, without exp per state.

The weight of a visible state v is e^(a·v) Π_j (1 + e^(b_j + Σ_i v_i W_ij)). Each exponential is a
product of exponentials of parameters. All visible states are visited in groups of 32, which differ
in the first five units. A forward pass computes the weights. For each j, a backward pass computes
the product of all factors except the j-th: the part of the weight with hidden unit j off. These
parts give the gradient. ``enumeration.py`` does the same for machines of any size and any weights.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.dispatch import inlined
from ...engine.simd.functions import LN2, exponential, ln, logarithm
from ...engine.simd.simd8 import (
    WIDTH,
    bits,
    each,
    limit,
    load,
    padded,
    spread,
    store,
    total,
    totals,
)
from .ascent import list_parameters
from .common import n_parameters

#: States per group, and the number of units in which they differ.
GROUP, UNITS = 32, 5
#: Largest product of the numbers of visible states and hidden units.
MOST = 1 << 16
#: Largest exponent of a state's weight, so that the weight does not overflow.
LARGEST_EXPONENT = 650.0
HUGE = 1e300


class Products(NamedTuple):
    """Working space, for G groups of states and q hidden units.

    Attributes
    ----------
    parameters, factors : (N,) float64
        The parameters in the order of the variables, padded with zeros, and their exponentials.
    low_odds : ((q + 1) 32,) float64
        Row j: contributions of the first five visible units to the odds of hidden unit j, including
        its bias. Row q: their contributions to e^(a·v).
    high_odds : (G (q + 1),) float64
        The same contributions of the other visible units.
    before : (G q 32,) float64
        For each state and hidden unit j, the product of the factors before the j-th.
    state_weights, surplus, multipliers : (G 32,) float64
        For each state: its weight w; its frequency among the examples minus its probability; and
        a factor m. For hidden unit j, let p be the part of w in which the unit is off; then the
        gradient for its bias is the sum of ``surplus`` + m p over all states.
    low_parts : ((q + 1) 32,) float64
        Row j has ``multipliers`` × the part p for unit j, and the last row has ``surplus``, both
        summed over the groups.
    group_parts : (G (q + 1) 8,) float64
        The same products for each group, summed over its four vectors.
    seen : (d,) float64
        Weights of the distinct examples.
    """

    parameters: np.ndarray
    factors: np.ndarray
    low_odds: np.ndarray
    high_odds: np.ndarray
    before: np.ndarray
    state_weights: np.ndarray
    surplus: np.ndarray
    multipliers: np.ndarray
    low_parts: np.ndarray
    group_parts: np.ndarray
    seen: np.ndarray


def has_room(n_visible: int, n_hidden: int) -> bool:
    """Return True if n_visible ≤ n_hidden and the machine is small enough."""
    return n_visible <= n_hidden and (n_hidden << n_visible) <= MOST


def empty_products(n_visible: int, n_hidden: int, n_distinct: int) -> Products:
    """Return working space for a machine and distinct examples; empty if not ``has_room``."""
    if not has_room(n_visible, n_hidden):
        return Products(*[np.zeros(0)] * len(Products._fields))
    N, q = padded(n_parameters(n_visible, n_hidden)), n_hidden
    G = 1 << max(0, n_visible - UNITS)
    return Products(
        parameters=np.zeros(N),
        factors=np.zeros(N),
        low_odds=np.zeros((q + 1) * GROUP),
        high_odds=np.zeros(G * (q + 1)),
        before=np.zeros(G * q * GROUP),
        state_weights=np.zeros(G * GROUP),
        surplus=np.zeros(G * GROUP),
        multipliers=np.zeros(G * GROUP),
        low_parts=np.zeros((q + 1) * GROUP),
        group_parts=np.zeros(G * (q + 1) * WIDTH),
        seen=np.ones(padded(n_distinct)),
    )


@inlined
def suits_products(state) -> bool:
    """Return True if there is working space, and if no weight of a state overflows."""
    if len(state.factors) == 0:
        return False
    list_parameters(state, state.parameters)
    above, below = spread(0.0), spread(0.0)
    for at in range(0, len(state.parameters), WIDTH):
        parameter = load(state.parameters, at)
        positive = limit(parameter, 0.0, HUGE)
        above = above + positive
        below = below + (positive - parameter)
    most = max(total(above) + len(state.hidden_bias) * LN2, total(below))
    return most <= LARGEST_EXPONENT


@inlined
def likelihood_by_products(problem, state, slope) -> float:
    """Return mean ln P(v) of the examples; with ``slope``, also compute its gradient."""
    n_visible, n_hidden = state.weights.shape
    groups = len(state.state_weights) // GROUP
    for at in range(0, len(state.factors), WIDTH):
        store(state.factors, at, exponential(load(state.parameters, at)))
    _tabulate_low(state, n_visible, n_hidden)
    _tabulate_high(state, n_visible, n_hidden)
    z = _weigh(state, groups, n_hidden, slope)
    for d in range(len(problem.shares)):
        state.seen[d] = state.state_weights[problem.distinct_numbers[d]]
    mean = 0.0
    for at in range(0, len(state.seen), WIDTH):
        store(state.low_parts, 0, logarithm(load(state.seen, at)))
        for d in range(at, min(at + WIDTH, len(problem.shares))):
            mean += problem.shares[d] * state.low_parts[d - at]
    if slope:
        _compare(problem, state, 1.0 / z)
        _differentiate(state, groups, n_hidden)
        _gather(state, groups, n_visible, n_hidden)
    return mean - ln(z)


@inlined
def _power(unit, factor):
    """Return ``factor`` for those of eight states in which ``unit`` is on, and 1 for the others."""
    on = 170 if unit == 0 else 204 if unit == 1 else 240
    return bits(255 - on) + bits(on) * factor


@inlined
def _tabulate_low(state, n_visible, q) -> None:
    n = n_visible * q
    for j in range(q + 1):
        vector = each(state.factors, n + n_visible + j) if j < q else spread(1.0)
        for i in range(UNITS):
            if i >= n_visible:  # a missing unit is always off
                factor = spread(1.0 if j < q else 0.0)
            else:
                factor = each(state.factors, i * q + j if j < q else n + i)
            at = j * GROUP
            if i < 3:
                vector = vector * _power(i, factor)
                store(state.low_odds, at, vector)
            else:
                step = WIDTH << (i - 3)
                for row in range(at, at + step, WIDTH):
                    store(state.low_odds, row + step, load(state.low_odds, row) * factor)


@inlined
def _tabulate_high(state, n_visible, q) -> None:
    state.high_odds[: q + 1] = 1.0
    for i in range(UNITS, n_visible):
        on = (q + 1) << (i - UNITS)
        for first in range(0, on, q + 1):
            for j in range(q):
                odds = state.high_odds[first + j] * state.factors[i * q + j]
                state.high_odds[on + first + j] = odds
            bias = state.high_odds[first + q] * state.factors[n_visible * q + i]
            state.high_odds[on + first + q] = bias


@inlined
def _weigh(state, groups, q, keep) -> float:
    """Compute the weights of all states; return their sum. If ``keep``, store partial products."""
    summed = spread(0.0)
    for group in range(groups):
        a = b = c = d = spread(1.0)
        high = group * (q + 1)
        for j in range(q):
            if keep:
                at = (group * q + j) * GROUP
                store(state.before, at, a)
                store(state.before, at + 8, b)
                store(state.before, at + 16, c)
                store(state.before, at + 24, d)
            more = each(state.high_odds, high + j)
            a = a * (1.0 + load(state.low_odds, j * GROUP) * more)
            b = b * (1.0 + load(state.low_odds, j * GROUP + 8) * more)
            c = c * (1.0 + load(state.low_odds, j * GROUP + 16) * more)
            d = d * (1.0 + load(state.low_odds, j * GROUP + 24) * more)
        more = each(state.high_odds, high + q)
        a = a * (load(state.low_odds, q * GROUP) * more)
        b = b * (load(state.low_odds, q * GROUP + 8) * more)
        c = c * (load(state.low_odds, q * GROUP + 16) * more)
        d = d * (load(state.low_odds, q * GROUP + 24) * more)
        at = group * GROUP
        store(state.state_weights, at, a)
        store(state.state_weights, at + 8, b)
        store(state.state_weights, at + 16, c)
        store(state.state_weights, at + 24, d)
        summed = summed + ((a + b) + (c + d))
    return total(summed)


@inlined
def _compare(problem, state, scale) -> None:
    """Compute each state's frequency among the examples minus its probability."""
    for at in range(0, len(state.surplus), WIDTH):
        store(state.surplus, at, 0.0 - load(state.state_weights, at) * scale)
        store(state.multipliers, at, spread(scale))
    for d in range(len(problem.shares)):
        number, share = problem.distinct_numbers[d], problem.shares[d]
        state.surplus[number] += share
        state.multipliers[number] -= share / state.seen[d]


@inlined
def _add_up(state, group, q, j, a, b, c, d) -> None:
    at = j * GROUP
    store(state.low_parts, at, load(state.low_parts, at) + a)
    store(state.low_parts, at + 8, load(state.low_parts, at + 8) + b)
    store(state.low_parts, at + 16, load(state.low_parts, at + 16) + c)
    store(state.low_parts, at + 24, load(state.low_parts, at + 24) + d)
    store(state.group_parts, (group * (q + 1) + j) * WIDTH, (a + b) + (c + d))


@inlined
def _differentiate(state, groups, q) -> None:
    """For each factor, compute the product of all other factors, from the last to the first."""
    for at in range(0, len(state.low_parts), WIDTH):
        store(state.low_parts, at, spread(0.0))
    for group in range(groups):
        at, high = group * GROUP, group * (q + 1)
        _add_up(state, group, q, q, load(state.surplus, at), load(state.surplus, at + 8),
                load(state.surplus, at + 16), load(state.surplus, at + 24))  # fmt: skip
        more = each(state.high_odds, high + q)
        a = load(state.low_odds, q * GROUP) * more * load(state.multipliers, at)
        b = load(state.low_odds, q * GROUP + 8) * more * load(state.multipliers, at + 8)
        c = load(state.low_odds, q * GROUP + 16) * more * load(state.multipliers, at + 16)
        d = load(state.low_odds, q * GROUP + 24) * more * load(state.multipliers, at + 24)
        for back in range(q):
            j = q - 1 - back
            at = (group * q + j) * GROUP
            _add_up(state, group, q, j, a * load(state.before, at), b * load(state.before, at + 8),
                    c * load(state.before, at + 16), d * load(state.before, at + 24))  # fmt: skip
            more = each(state.high_odds, high + j)
            a = a * (1.0 + load(state.low_odds, j * GROUP) * more)
            b = b * (1.0 + load(state.low_odds, j * GROUP + 8) * more)
            c = c * (1.0 + load(state.low_odds, j * GROUP + 16) * more)
            d = d * (1.0 + load(state.low_odds, j * GROUP + 24) * more)


@inlined
def _gather(state, groups, n_visible, q) -> None:
    """Compute the gradient from sums over the states in which each visible unit is on."""
    n = n_visible * q
    for back in range(q + 1):
        j = q - back
        a, b = load(state.low_parts, j * GROUP), load(state.low_parts, j * GROUP + 8)
        c, d = load(state.low_parts, j * GROUP + 16), load(state.low_parts, j * GROUP + 24)
        both = (a + b) + (c + d)
        store(state.low_parts, j * GROUP, totals(
            both * bits(170), both * bits(204), both * bits(240), b + d, c + d, both, both, both
        ))  # fmt: skip
        for i in range(n_visible):
            if i < UNITS:
                on = state.low_parts[j * GROUP + i]
            else:
                summed = spread(0.0)
                for group in range(groups):
                    if group >> (i - UNITS) & 1:
                        at = (group * (q + 1) + j) * WIDTH
                        summed = summed + load(state.group_parts, at)
                on = total(summed)
            if j == q:
                state.slope[n + i] = on
            else:
                state.slope[i * q + j] = state.slope[n + i] + on
        if j < q:
            state.slope[n + n_visible + j] = state.low_parts[j * GROUP + UNITS]
