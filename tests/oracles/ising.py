"""Search spin glasses as in a textbook: the reference for the fast descent.

Every gain and every energy is recomputed. Only the loops over spins are compiled, because compiling
a whole search would take longer than the tests.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import prviz
from prviz.engine import kernels
from prviz.engine.dispatch import driver, helper
from prviz.engine.simd.functions import exponential
from prviz.problems.ising.annealing import IMPROBABLE, first_sweep
from prviz.problems.ising.common import patience, rest
from prviz.problems.ising.subsets import SUBSETS, choose


class PlainIsing(NamedTuple):
    """A spin glass with a plain search; see :class:`prviz.problems.ising.problem.Ising`."""

    starts: np.ndarray
    neighbours: np.ndarray
    doubled: np.ndarray
    fields: np.ndarray
    offset: float
    tabu: bool
    betas: np.ndarray


class PlainIsingState(NamedTuple):
    """Configuration and workspace.

    ``spins`` (N,); ``cursor`` (1,): the spin to try next; ``gains`` (N,): workspace for the gains
    of all spins. For annealing: ``sweep`` (1,), the next sweep. For tabu search: ``resting`` (N,),
    the step until which each spin is tabu, and ``kept`` (N,), the best spins.
    """

    VARIABLES = ("spins",)
    CACHES = ("cursor", "sweep")
    WORKSPACE = ("gains", "resting", "kept")

    spins: np.ndarray
    cursor: np.ndarray
    sweep: np.ndarray
    gains: np.ndarray
    resting: np.ndarray
    kept: np.ndarray


def plain_ising(*args, **settings) -> PlainIsing:
    """Return the problem of ``prviz.ising``, with a search without caches."""
    return PlainIsing(*prviz.ising(*args, **settings))


@kernels.allocate.register
def _allocate(problem: PlainIsing) -> PlainIsingState:
    n = len(problem.fields)
    return PlainIsingState(
        np.ones(n, np.int8),
        np.zeros(1, np.int64),
        np.full(1, len(problem.betas)),
        *(np.zeros(n), np.zeros(n), np.zeros(n, np.int8)),
    )


@kernels.n_variables.register
def _n_variables(problem: PlainIsing) -> int:
    return len(problem.fields)


@helper
def pull(starts, neighbours, doubled, spins, i) -> float:
    """Return Σ_j J_ij s_j, the field of spin i's neighbours."""
    total = 0.0
    for e in range(starts[i], starts[i + 1]):
        total += 0.5 * doubled[e] * spins[neighbours[e]]
    return total


@helper
def gain(couplings, fields, spins, i) -> float:
    """Return half of the energy change when spin i flips."""
    return spins[i] * (pull(*couplings, spins, i) + fields[i])


@driver
def list_gains(couplings, fields, spins, gains) -> None:
    for i in range(len(gains)):
        gains[i] = gain(couplings, fields, spins, i)


@driver
def energy_of(couplings, fields, offset, spins) -> float:
    energy = offset
    for i in range(len(spins)):  # every coupling occurs twice
        energy -= spins[i] * (0.5 * pull(*couplings, spins, i) + fields[i])
    return energy


@driver
def roam(couplings, fields, offset, spins, cursor, resting, kept) -> bool:
    """Run a tabu search until several steps bring no lower energy; return True if it improved."""
    n = len(spins)
    start = best = energy_of(couplings, fields, offset, spins)
    first, after_best = cursor[0], 0
    kept[:] = spins
    resting[:] = 0.0
    step = 0
    while after_best < patience(n):
        step += 1
        energy = energy_of(couplings, fields, offset, spins)
        chosen, least = -1, np.inf
        for k in range(n):
            i = (first + k) % n
            change = gain(couplings, fields, spins, i)
            if (resting[i] < step or energy + 2.0 * change < best) and change < least:
                chosen, least = i, change
        if chosen < 0:
            break
        spins[chosen] = -spins[chosen]
        resting[chosen] = step + rest(n, step)
        first = (chosen + 1) % n
        after_best += 1
        if energy + 2.0 * least < best:
            best, after_best = energy + 2.0 * least, 0
            kept[:] = spins
            cursor[0] = first
    spins[:] = kept
    return best < start


@driver
def sweep(couplings, fields, spins, beta, rng) -> None:
    """Let each spin in turn flip with the probability of Metropolis et al. (1953)."""
    for i in range(len(spins)):
        change = 2.0 * beta * gain(couplings, fields, spins, i)
        if change <= 0.0 or (change <= IMPROBABLE and rng.random() < exponential(-change)):
            spins[i] = -spins[i]


@driver
def descend(couplings, fields, spins, cursor) -> bool:
    """Flip the next spin whose flip lowers the energy; return True if there is none."""
    n = len(spins)
    for step in range(n):
        i = (cursor[0] + step) % n
        if gain(couplings, fields, spins, i) < 0.0:
            spins[i] = -spins[i]
            cursor[0] = (i + 1) % n
            return False
    return True


def couplings_of(problem: PlainIsing) -> tuple[np.ndarray, ...]:
    return problem.starts, problem.neighbours, problem.doubled


@kernels.cost.register_python(PlainIsing)
def _cost(problem, state):
    return energy_of(couplings_of(problem), problem.fields, problem.offset, state.spins)


@kernels.subsets.register
def _subsets(problem: PlainIsing) -> tuple[str, ...]:
    return SUBSETS


@kernels.select.register_python(PlainIsing)
def _select(problem, state, how, rng, order):
    list_gains(couplings_of(problem), problem.fields, state.spins, state.gains)
    return choose(problem, state.gains, how, rng, order)


@kernels.reinitialise.register_python(PlainIsing)
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
    state.sweep[0] = first_sweep(problem, len(chosen))


@kernels.iterate.register_python(PlainIsing)
def _iterate(problem, state, rng):
    couplings, fields = couplings_of(problem), problem.fields
    if len(problem.betas) > 0:
        if state.sweep[0] < len(problem.betas):
            sweep(couplings, fields, state.spins, problem.betas[state.sweep[0]], rng)
            state.sweep[0] += 1
            state.cursor[0] = 0
            if state.sweep[0] < len(problem.betas):
                return False
        while not descend(couplings, fields, state.spins, state.cursor):
            pass
        return True
    if problem.tabu:
        room = state.cursor, state.resting, state.kept
        return not roam(couplings, fields, problem.offset, state.spins, *room)
    return descend(couplings, fields, state.spins, state.cursor)
