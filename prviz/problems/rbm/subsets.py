"""Choose the parameters of a Boltzmann machine to redraw.

``"unit"``
    Redraw whole hidden units, each with its weights and bias, until there are k parameters. The
    last unit may be redrawn only in part. If a probability is given instead of k, each unit is
    redrawn with this probability. Source: Dohare and others, Loss of plasticity in deep continual
    learning, Nature 632 (2024), who reinitialise networks one hidden unit at a time.
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import helper
from ...engine.subsets import exchange, heuristic, random_subset

SUBSETS = ("random", "unit")
UNIT = heuristic("unit")


@helper
def choose(n_visible, n_hidden, redraw, rng, order) -> int:
    """Choose the parameters to redraw; with "unit", one hidden unit after another.

    A unit's parameters are its ``n_visible`` weights and its bias. Units are added in random order
    until there are enough parameters. If the last unit has too many, a random part of it is used.
    Visible biases belong to no unit, so they are added after all units, in random order.

    If a probability is given, each unit and each visible bias is redrawn with this probability,
    independently. So each parameter is redrawn as often as with random sub-sets.

    Parameters
    ----------
    redraw, rng, order
        See :func:`prviz.engine.subsets.random_subset`. The order of parameters is: weights row by
        row, then visible biases, then hidden biases.
    """
    if redraw.subset != UNIT or redraw.size == len(order):
        return random_subset(redraw, rng, order)
    if np.isnan(redraw.probability):
        return _units_in_turn(n_visible, n_hidden, redraw.size, rng, order)
    size = 0
    for unit in range(n_hidden):
        if rng.random() < redraw.probability:
            size = _add_unit(n_visible, n_hidden, unit, size, order)
    for i in range(n_visible):
        if rng.random() < redraw.probability:
            order[size] = n_visible * n_hidden + i
            size += 1
    return size


@helper
def _units_in_turn(n_visible, n_hidden, wanted, rng, order) -> int:
    """Fill ``order`` with whole units in random order, then visible biases; return ``wanted``."""
    units = np.arange(n_hidden)
    begin, end = 0, 0  # range of the last added unit in ``order``
    for i in range(n_hidden):
        if end < wanted:
            exchange(units, i, rng.integers(i, n_hidden))
            begin, end = end, _add_unit(n_visible, n_hidden, units[i], end, order)
    if end < wanted:
        begin = end
        for i in range(n_visible):
            order[end + i] = n_visible * n_hidden + i
        end += n_visible
    for i in range(begin, wanted):  # a random part of the last unit
        exchange(order, i, rng.integers(i, end))
    return wanted


@helper
def _add_unit(n_visible, n_hidden, unit, size, order) -> int:
    """Write a unit's parameters to ``order`` from index ``size`` on; return the end index."""
    for i in range(n_visible):
        order[size + i] = i * n_hidden + unit
    order[size + n_visible] = n_visible * n_hidden + n_visible + unit
    return size + n_visible + 1
