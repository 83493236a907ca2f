"""Tabu search (Glover 1989) as a local optimiser: it crosses ridges and returns to the best state.

Among the spins that were not flipped recently, each step flips the spin whose flip adds the least
energy. A spin that was flipped recently may flip only if that gives the lowest energy so far. After
N steps (at least 50) without a lower energy, the search returns to its best state. So an iteration
never raises the energy. Its result depends only on the spins and the cursor, the first spin that
the next step considers, so an iteration without success is not repeated.
"""

from __future__ import annotations

import numpy as np

from ...engine import kernels
from ...engine.dispatch import borrowing, extremal, inlined
from .common import rest
from .descent import flip, settle

BLOCK = 32


@borrowing
def roam(problem, state) -> bool:
    """Search until ``patience(N)`` steps find no lower energy; return True if any step did."""
    if state.settled[0] == 0:
        settle(problem, state)
    n, gains, resting, trail = len(state.spins), state.gains, state.resting, state.trail
    for i in range(n):
        resting[i] = 0.0
    best = start = state.energy[0]
    step, since, cursor = 0, 0, state.cursor[0]
    found = cursor
    while since < len(trail):
        step += 1
        i = _pick(gains, resting, float(step), 0.5 * (best - state.energy[0]), cursor)
        if i < 0:
            break
        flip(problem, state, i)
        resting[i] = step + rest(n, step)
        cursor = i + 1 if i + 1 < n else 0
        trail[since] = i
        since += 1
        if state.energy[0] < best:
            best, since, found = state.energy[0], 0, cursor
    while since > 0:
        since -= 1
        flip(problem, state, trail[since])
    state.cursor[0] = found
    return best < start


@borrowing
def roam_on(problem, state, stop):
    """Repeat ``roam`` until it finds no lower energy; return ``(energy, iterations)``."""
    iterations = 1
    while roam(problem, state) and iterations < kernels.MOST_ITERATIONS:
        iterations += 1
        if kernels.asked_to(stop):
            return np.inf, iterations
    return state.energy[0], iterations


@borrowing
def _pick(gains, resting, step, enough, cursor) -> int:
    """Return the next spin to flip: from the cursor on, the first spin of least gain.

    A tabu spin counts only if its gain is below ``enough``. Return −1 if no spin counts.
    """
    least = _least(gains, resting, step, enough)
    if least == np.inf:
        return -1
    i = _first(gains, resting, step, enough, least, cursor, len(gains))
    return i if i >= 0 else _first(gains, resting, step, enough, least, 0, cursor)


@extremal
def _least(gains, resting, step, enough) -> float:
    least = np.inf
    for i in range(len(gains)):
        gain = gains[i] if (resting[i] < step) | (gains[i] < enough) else np.inf
        least = min(least, gain)
    return least


@borrowing
def _first(gains, resting, step, enough, least, begin, end) -> int:
    for first in range(begin, end, BLOCK):
        last = min(first + BLOCK, end)
        if last == first + BLOCK and not _any(gains[first:last], least):
            continue
        for i in range(first, last):
            if gains[i] == least and (resting[i] < step or gains[i] < enough):
                return i
    return -1


@inlined
def _any(gains, least) -> bool:
    there = False
    for i in range(BLOCK):
        there |= gains[i] == least
    return there
