"""Textbook spin glasses, the oracle of the fast descent.

Every gain and every energy is recomputed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import prviz
from prviz.engine import kernels
from prviz.engine.dispatch import helper
from prviz.problems.ising.common import patience, rest
from prviz.problems.ising.subsets import SUBSETS, choose


class PlainIsing(NamedTuple):
    """A spin glass searched plainly; see :class:`prviz.problems.ising.problem.Ising`."""

    starts: np.ndarray
    neighbours: np.ndarray
    doubled: np.ndarray
    fields: np.ndarray
    offset: float
    tabu: bool


class PlainIsingState(NamedTuple):
    """The configuration ``spins`` (N,); in ``cursor`` (1,) the spin that is next to be tried;
    ``gains`` (N,), room for what the spins would gain; of a tabu search ``resting`` (N,), until
    which step each spin rests, and ``kept`` (N,), the best spins."""

    VARIABLES = ("spins",)
    CACHES = ("cursor",)
    WORKSPACE = ("gains", "resting", "kept")

    spins: np.ndarray
    cursor: np.ndarray
    gains: np.ndarray
    resting: np.ndarray
    kept: np.ndarray


def plain_ising(*args, **settings) -> PlainIsing:
    """Return the problem that ``prviz.ising`` makes, searched without caches."""
    return PlainIsing(*prviz.ising(*args, **settings))


@kernels.allocate.register
def _allocate(problem: PlainIsing) -> PlainIsingState:
    n = len(problem.fields)
    return PlainIsingState(
        np.ones(n, np.int8), np.zeros(1, np.int64), np.zeros(n), np.zeros(n), np.zeros(n, np.int8)
    )


@kernels.n_variables.register
def _n_variables(problem: PlainIsing) -> int:
    return len(problem.fields)


@helper
def pull(problem, spins, i) -> float:
    """Σ_j J_ij s_j, what the neighbours of spin i do to it."""
    total = 0.0
    for e in range(problem.starts[i], problem.starts[i + 1]):
        total += 0.5 * problem.doubled[e] * spins[problem.neighbours[e]]
    return total


@helper
def gain(problem, spins, i) -> float:
    """Half of what turning spin i over adds to the energy."""
    return spins[i] * (pull(problem, spins, i) + problem.fields[i])


@helper
def energy_of(problem, spins) -> float:
    energy = problem.offset
    for i in range(len(spins)):  # every coupling is met twice
        energy -= spins[i] * (0.5 * pull(problem, spins, i) + problem.fields[i])
    return energy


@helper
def roam(problem, state) -> bool:
    """A tabu search that ends after some steps without a lower energy; True if it found one."""
    spins, n = state.spins, len(state.spins)
    start = best = energy_of(problem, spins)
    cursor, after_best = state.cursor[0], 0
    state.kept[:] = spins
    state.resting[:] = 0.0
    step = 0
    while after_best < patience(n):
        step += 1
        energy = energy_of(problem, spins)
        chosen, least = -1, np.inf
        for k in range(n):
            i = (cursor + k) % n
            change = gain(problem, spins, i)
            if (state.resting[i] < step or energy + 2.0 * change < best) and change < least:
                chosen, least = i, change
        if chosen < 0:
            break
        spins[chosen] = -spins[chosen]
        state.resting[chosen] = step + rest(n, step)
        cursor = (chosen + 1) % n
        after_best += 1
        if energy + 2.0 * least < best:
            best, after_best = energy + 2.0 * least, 0
            state.kept[:] = spins
            state.cursor[0] = cursor
    spins[:] = state.kept
    return best < start


@kernels.cost.register(PlainIsing)
def _cost(problem, state):
    return energy_of(problem, state.spins)


@kernels.subsets.register
def _subsets(problem: PlainIsing) -> tuple[str, ...]:
    return SUBSETS


@kernels.select.register(PlainIsing)
def _select(problem, state, how, rng, order):
    for i in range(len(order)):
        state.gains[i] = gain(problem, state.spins, i)
    return choose(problem, state.gains, how, rng, order)


@kernels.reinitialise.register(PlainIsing)
def _reinitialise(problem, state, chosen, alpha, rng):
    left, bits = 0, 0
    for i in chosen:
        if left == 0:
            left, bits = 53, np.int64(rng.random() * 9007199254740992.0)
        state.spins[i] = 1 if bits & 1 else -1
        bits >>= 1
        left -= 1
    if len(chosen) > 0:
        state.cursor[0] = chosen[0]


@kernels.iterate.register(PlainIsing)
def _iterate(problem, state, rng):
    """Turn over the next spin that lowers the energy, from the cursor on; True if none does."""
    if problem.tabu:
        return not roam(problem, state)
    n = len(state.spins)
    for step in range(n):
        i = (state.cursor[0] + step) % n
        if gain(problem, state.spins, i) < 0.0:
            state.spins[i] = -state.spins[i]
            state.cursor[0] = (i + 1) % n
            return False
    return True
