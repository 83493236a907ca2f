"""Which spins are redrawn: random ones, a connected patch, or those that are least bound.

``"patch"``
    A random spin, and breadth-first those around it: its neighbours, in a random turn of their
    order, then theirs. Where a whole component is taken, it goes on from another random spin.
    Source: cluster moves and large-neighbourhood search; the paper's conclusion asks for sub-sets
    of variables that depend on each other.
``"weak"``
    Of a few spins drawn, one after the other, the one that is least bound: to which it matters
    least which way it points. Source: extremal optimisation (Boettcher and Percus 2001).
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import helper
from ...engine.subsets import exchange, heuristic, random_subset

SUBSETS = ("random", "patch", "weak")
PATCH, WEAK = heuristic("patch"), heuristic("weak")

#: Spins of which "weak" takes the least bound.
DRAWN = 4

#: A draw has this many values, of which each turn takes a digit. It is drawn again while a digit
#: would still have so many, so that no turn is likelier than another by more than one in as many.
DIGITS, SPARE = 2.0**53, 2.0**24


@helper
def choose(problem, gains, redraw, rng, order) -> int:
    """Choose spins; ``gains`` says of each how strongly it is bound, for "weak"."""
    found = redraw.subset == PATCH or redraw.subset == WEAK
    if found and np.isnan(redraw.probability):
        size = redraw.size  # none need be drawn that are not taken
    else:
        size = random_subset(redraw, rng, order)
    if size < len(order):
        if redraw.subset == PATCH:
            _grow(problem, size, rng, order)
        elif redraw.subset == WEAK:
            _loosen(gains, size, rng, order)
    return size


@helper
def _grow(problem, size, rng, order) -> None:
    """Put a patch of spins at the front of ``order``, around a random spin."""
    n, taken, reached = len(order), 0, 0
    random, left = 0.0, 1.0
    while taken < size:
        if reached == taken:  # nothing is left around those taken
            exchange(order, taken, rng.integers(taken, n))
            taken += 1
            continue
        first, last = problem.starts[order[reached]], problem.starts[order[reached] + 1]
        degree = last - first
        turn = 0
        if degree > 1:
            if left < SPARE * degree:
                random, left = rng.random(), DIGITS
            random *= degree
            turn = int(random)  # the next digit to the base of the degree
            random, left = random - turn, left / degree
        for e in range(degree):
            neighbour = problem.neighbours[first + (e + turn) % degree]
            place = _place(order, neighbour)
            if place >= taken and taken < size:
                exchange(order, taken, place)
                taken += 1
        reached += 1


@helper
def _place(order, variable) -> int:
    """Where a variable stands in ``order``, a permutation made of a few exchanges."""
    place = variable
    while order[place] != variable:
        place = order[place]
    return place


@helper
def _loosen(gains, size, rng, order) -> None:
    """Put spins at the front of ``order``, each the least bound of a few that are drawn."""
    n = len(order)
    for i in range(size):
        best = rng.integers(i, n)
        for _ in range(DRAWN - 1):
            other = rng.integers(i, n)
            if gains[order[other]] < gains[order[best]]:
                best = other
        exchange(order, i, best)
