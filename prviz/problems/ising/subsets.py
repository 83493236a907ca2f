"""Choose the spins to redraw: random ones, a connected patch, or weakly bound ones.

``"patch"``
    A random spin and the spins around it, breadth-first. The neighbours of each spin are added
    cyclically, beginning with a random one. If a connected component is used up, the patch
    continues at another random spin. Source: cluster moves and large-neighbourhood search. The
    paper's conclusion asks for sub-sets of variables that depend on each other.
``"weak"``
    Repeatedly choose the most weakly bound of a few random spins: the spin whose flip costs least.
    Source: extremal optimisation (Boettcher and Percus 2001).
"""

from __future__ import annotations

import numpy as np

from ...engine.dispatch import helper
from ...engine.subsets import exchange, heuristic, random_subset

SUBSETS = ("random", "patch", "weak")
PATCH, WEAK = heuristic("patch"), heuristic("weak")

#: Candidates per choice of "weak".
DRAWN = 4

#: A random number has DIGITS possible values and serves several spins: each takes one digit, which
#: chooses its first neighbour. The number is replaced when fewer than SPARE values per neighbour
#: are left, which keeps the choice uniform.
DIGITS, SPARE = 2.0**53, 2.0**24


@helper
def choose(problem, gains, redraw, rng, order) -> int:
    """Choose spins; for "weak", ``gains`` says how strongly each spin is bound."""
    found = redraw.subset == PATCH or redraw.subset == WEAK
    if found and np.isnan(redraw.probability):
        size = redraw.size  # the size is known: draw no sub-set
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
    """Move a patch of spins around a random spin to the front of ``order``."""
    n, taken, reached = len(order), 0, 0
    random, left = 0.0, 1.0
    while taken < size:
        if reached == taken:  # no free spin is adjacent to the patch
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
            turn = int(random)  # the next digit, in the base of the degree
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
    """Return the position of a variable in ``order``, a permutation made by a few swaps."""
    place = variable
    while order[place] != variable:
        place = order[place]
    return place


@helper
def _loosen(gains, size, rng, order) -> None:
    """Move weakly bound spins to the front of ``order``, each the weakest of a few random ones."""
    n = len(order)
    for i in range(size):
        best = rng.integers(i, n)
        for _ in range(DRAWN - 1):
            other = rng.integers(i, n)
            if gains[order[other]] < gains[order[best]]:
                best = other
        exchange(order, i, best)
