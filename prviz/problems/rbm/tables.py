"""Contrastive divergence for few visible units, by tables of odds instead of exp per unit.

The odds of a unit are the exponential of its activation: a product with one factor for each active
unit of the other layer. Before each batch, a table is filled for every four units, with the
products for their 16 states. Equal examples are processed together, and so are equal samples.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...engine.dispatch import inlined
from ...engine.simd.functions import exponential, exponential_within
from ...engine.simd.simd8 import (
    WIDTH,
    bits,
    each,
    fractions,
    less,
    load,
    mask,
    padded,
    spread,
    store,
    strided,
    total,
)

#: Units per table, and rows per table.
FEW, ROWS = 4, 16
#: Smallest batch for which tables are faster.
FEWEST = 4
#: The bias that marks a padding unit.
OFF = -1e8
#: Largest activation for which the product of two odds stays finite.
LARGEST_DRIVE = 300.0


class Tables(NamedTuple):
    """Working space of contrastive divergence by tables. H is the hidden layer's padded size.

    Attributes
    ----------
    hidden_odds : (2 · 16 H,) float64
        Contribution of each state of the first four visible units to the hidden units' odds; then
        the same for the other four visible units.
    visible_odds : (H / 4 · 16 · 8,) float64
        Contribution of each state of four hidden units to the visible units' odds.
    hidden_chances : (256 H,) float64
        Probabilities of the hidden units, for the visible states that occur.
    samples : (batch,) int64
        The visible states sampled from the examples of a batch.
    excess : (256,) float64
        For each visible state, the weight of its occurrences as an example of the batch minus the
        weight of its occurrences as a sample.
    occurs : (256,) int64
        Whether a visible state occurs.
    occurring : (256 + 1,) int64
        The states that occur, in order of their first occurrence.
    excesses : (256 · 8,) float64
        For each of these states and each visible unit, ``excess`` if the unit is on, or else 0.
    """

    hidden_odds: np.ndarray
    visible_odds: np.ndarray
    hidden_chances: np.ndarray
    samples: np.ndarray
    excess: np.ndarray
    occurs: np.ndarray
    occurring: np.ndarray
    excesses: np.ndarray


def pays(n_visible: int, batch: int) -> bool:
    """Return True if tables are faster for these sizes."""
    return n_visible <= WIDTH and batch >= FEWEST


def empty_tables(n_visible: int, n_hidden: int, batch: int) -> Tables:
    """Return space for tables; empty if computing without tables is faster."""
    H, states = (padded(n_hidden), 1 << WIDTH) if pays(n_visible, batch) else (0, 0)
    return Tables(
        hidden_odds=np.zeros(2 * ROWS * H),
        visible_odds=np.zeros(H // FEW * ROWS * WIDTH),
        hidden_chances=np.zeros(states * H),
        samples=np.zeros(batch, np.int64),
        excess=np.zeros(states),
        occurs=np.zeros(states, np.int64),
        occurring=np.zeros(states + 1, np.int64),
        excesses=np.zeros(states * WIDTH),
    )


@inlined
def suits_tables(problem, state) -> bool:
    """Return True if there are tables and no activation can overflow within an epoch.

    An activation is at most √(number of its parameters) × norm of all parameters (Cauchy–Schwarz).
    A step adds at most learning rate × largest weight of an example to a parameter.
    """
    if len(state.excess) == 0 or problem.learning_rate * problem.weight_decay > 1.0:
        return False
    n_visible, n_hidden = state.weights.shape
    H = len(state.hidden_odds) // (2 * ROWS)
    weights, biases = spread(0.0), 0.0
    for vector in range(0, n_visible * H, WIDTH):
        weights = weights + load(state.rows, vector) * load(state.rows, vector)
    for i in range(n_visible):
        biases += state.column[i] * state.column[i]
    for j in range(n_hidden):
        biases += state.rows[WIDTH * H + j] * state.rows[WIDTH * H + j]
    steps = -(-len(problem.numbers) // problem.batch)
    N = n_visible * n_hidden + n_visible + n_hidden
    farthest = steps * problem.learning_rate * problem.heaviest * math.sqrt(N)
    length = math.sqrt(total(weights) + biases) + farthest
    return length * math.sqrt(1.0 + max(n_visible, n_hidden)) <= LARGEST_DRIVE


@inlined
def contrast_by_tables(problem, state, begin, size) -> None:
    """Sum the differences between a batch of examples and their reconstructions."""
    n_visible, n_hidden = state.weights.shape
    H = len(state.hidden_odds) // (2 * ROWS)
    _tabulate_hidden(state, H)
    _tabulate_visible(state, n_hidden, H)
    seen = 0
    for e in range(begin, begin + size):
        seen = _count(state, problem.numbers[e], problem.weights[e], seen)
    _find_chances(state, 0, seen, H)
    units, both = (1 << n_visible) - 1, seen  # ``units`` removes the padding units
    for e in range(size):
        first = (begin + e) * (n_visible + n_hidden)
        sample = _imagine(state, problem.numbers[begin + e], first, n_hidden, H)
        state.samples[e] = sample & units
    for e in range(size):  # a second loop: each count needs the previous count, samples do not
        both = _count(state, state.samples[e], -problem.weights[begin + e], both)
    _find_chances(state, seen, both, H)
    _sum_up(state, both, H)


@inlined
def _tabulate_hidden(state, H) -> None:
    for vector in range(0, H, WIDTH):
        bias = load(state.rows, WIDTH * H + vector)
        there = less(spread(OFF), bias)  # 0 for padding: tiny odds would be denormal, and slow
        store(state.hidden_odds, vector, exponential(bias) * there)
        store(state.hidden_odds, ROWS * H + vector, spread(1.0))
        for i in range(WIDTH):
            factor = exponential_within(load(state.rows, i * H + vector))
            store(state.row_gains, i * H + vector, factor)  # ``row_gains`` is working space
            table, on = i // FEW * ROWS * H + vector, 1 << i % FEW
            for row in range(on):
                odds = load(state.hidden_odds, table + row * H) * factor
                store(state.hidden_odds, table + (row + on) * H, odds)


@inlined
def _tabulate_visible(state, n_hidden, H) -> None:
    for j in range(n_hidden):
        table, on = j // FEW * ROWS * WIDTH, (1 << j % FEW) * WIDTH
        if on == WIDTH:
            store(state.visible_odds, table, spread(1.0))
        if j == 0:
            store(state.visible_odds, 0, exponential(load(state.column, 0)))
        factor = strided(state.row_gains, j, H)
        for row in range(0, on, WIDTH):
            odds = load(state.visible_odds, table + row) * factor
            store(state.visible_odds, table + row + on, odds)


@inlined
def _count(state, number, by, n) -> int:
    """Count an occurrence of a visible state; return the number of distinct states so far."""
    state.occurring[n] = number
    n += 1 - state.occurs[number]
    state.occurs[number] = 1
    state.excess[number] += by
    return n


@inlined
def _find_chances(state, begin, end, H) -> None:
    """Compute the hidden units' probabilities for ``state.occurring[begin:end]``.

    States are processed in pairs, because a pair needs only one division.
    """
    if (end - begin) % 2 == 1:
        state.occurring[end] = state.occurring[begin]
    for n in range(begin, end, 2):
        a, b = state.occurring[n], state.occurring[n + 1]
        low_a, high_a = (a % ROWS) * H, (ROWS + a // ROWS) * H
        low_b, high_b = (b % ROWS) * H, (ROWS + b // ROWS) * H
        for vector in range(0, H, WIDTH):
            odds_a = load(state.hidden_odds, low_a + vector) * load(
                state.hidden_odds, high_a + vector
            )
            odds_b = load(state.hidden_odds, low_b + vector) * load(
                state.hidden_odds, high_b + vector
            )
            all_a, all_b = 1.0 + odds_a, 1.0 + odds_b
            share = 1.0 / (all_a * all_b)
            store(state.hidden_chances, a * H + vector, odds_a * (share * all_b))
            store(state.hidden_chances, b * H + vector, odds_b * (share * all_a))


@inlined
def _imagine(state, number, first, n_hidden, H) -> int:
    """Sample hidden units given a visible state, then visible units given the hidden units."""
    odds = spread(1.0)
    for vector in range(0, n_hidden, WIDTH):
        chance = load(state.hidden_chances, number * H + vector)
        on = mask(fractions(state.uniforms, first + vector), chance)
        table = vector * (ROWS * WIDTH // FEW)
        odds = odds * load(state.visible_odds, table + (on % ROWS) * WIDTH)
        if vector + FEW < n_hidden:
            odds = odds * load(state.visible_odds, table + (ROWS + on // ROWS) * WIDTH)
    return mask(fractions(state.uniforms, first + n_hidden) * (1.0 + odds), odds)


@inlined
def _sum_up(state, n, H) -> None:
    """Sum the gains over the states that occur, then clear the counts of these states."""
    gain = spread(0.0)
    for k in range(n):
        number = state.occurring[k]
        excess = state.excess[number] * bits(number)
        store(state.excesses, k * WIDTH, excess)
        gain = gain + excess
    store(state.column_gains, 0, gain)
    for vector in range(0, H, WIDTH):
        a = b = c = d = e = f = g = h = all = spread(0.0)
        for k in range(n):
            number, at = state.occurring[k], k * WIDTH
            chance = load(state.hidden_chances, number * H + vector)
            all = all + each(state.excess, number) * chance
            a = a + each(state.excesses, at) * chance
            b = b + each(state.excesses, at + 1) * chance
            c = c + each(state.excesses, at + 2) * chance
            d = d + each(state.excesses, at + 3) * chance
            e = e + each(state.excesses, at + 4) * chance
            f = f + each(state.excesses, at + 5) * chance
            g = g + each(state.excesses, at + 6) * chance
            h = h + each(state.excesses, at + 7) * chance
        store(state.row_gains, vector, a)
        store(state.row_gains, H + vector, b)
        store(state.row_gains, 2 * H + vector, c)
        store(state.row_gains, 3 * H + vector, d)
        store(state.row_gains, 4 * H + vector, e)
        store(state.row_gains, 5 * H + vector, f)
        store(state.row_gains, 6 * H + vector, g)
        store(state.row_gains, 7 * H + vector, h)
        store(state.row_gains, 8 * H + vector, all)
    for k in range(n):
        number = state.occurring[k]
        state.occurs[number] = 0
        state.excess[number] = 0.0
