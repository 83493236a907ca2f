"""Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) as a local optimiser.

An iteration is a sweep: each spin in turn flips with the probability of Metropolis et al. (1953),
min(1, e^(−2βg)) for a flip of gain g. The inverse temperature β rises by the same step from sweep
to sweep. After the last sweep, single-spin descent leads to a local minimum.

After a redraw of all spins, annealing begins with the first sweep. After a redraw of k of the N
spins it begins later, at a lower temperature, so that the search keeps most of what it has found:
the fewer spins are redrawn, the less the others are disturbed. Möbius et al. (1997) repeat
annealing from lower and lower temperatures in this way, and call it thermal cycling.
"""

from __future__ import annotations

import math

import numpy as np

from ...engine import kernels
from ...engine.dispatch import borrowing, helper
from ...engine.simd.functions import exponential_within, ln
from .descent import improve, mark_unstable, settle

SWEEPS = 300
#: β × (a spin's typical local field), in the first and in the last sweep.
HOTTEST, COLDEST = 0.5, 6.0
#: Share of the sweeps that a redraw of one spin skips. A redraw of all spins skips none.
SKIPPED = 0.6
#: A flip with 2βg above this limit is not tried: its probability is below 2⁻⁵³.
IMPROBABLE = 40.0


def inverse_temperatures(doubled: np.ndarray, fields: np.ndarray) -> np.ndarray:
    """Return β of each sweep. A spin's local field is typically √(Σ_j J_ij² + h_i²)."""
    parts = np.concatenate([0.5 * doubled, fields])
    largest = float(np.abs(parts).max()) or 1.0
    squares = math.fsum((parts / largest) ** 2)  # rounded once, so equal on every machine
    typical = largest * math.sqrt(squares / len(fields)) or 1.0
    return np.linspace(HOTTEST, COLDEST, SWEEPS) / typical


@helper
def first_sweep(problem, k) -> int:
    """Return the sweep with which annealing begins after a redraw of ``k`` spins."""
    n, sweeps = len(problem.fields), len(problem.betas)
    if sweeps == 0 or k == 0:
        return sweeps
    if k >= n:
        return 0
    return int(sweeps * SKIPPED * (1.0 - ln(float(k)) / ln(float(n))))


@borrowing
def anneal(problem, state, rng) -> bool:
    """Do the next sweep; after the last one, descend to a local minimum and return True."""
    if state.settled[0] == 0:
        settle(problem, state)
    betas = problem.betas
    if state.sweep[0] < len(betas):
        _sweep(problem, state, betas[state.sweep[0]], rng)
        state.sweep[0] += 1
        if state.sweep[0] < len(betas):
            return False
    while improve(problem, state):
        pass
    return True


@borrowing
def anneal_on(problem, state, rng, stop):
    """Anneal to the end; return ``(energy, iterations)``."""
    iterations = 1
    while not anneal(problem, state, rng):
        iterations += 1
        if kernels.asked_to(stop):
            return np.inf, iterations
    return state.energy[0], iterations


@borrowing
def _sweep(problem, state, beta, rng) -> None:
    """Let each spin flip in turn. Unstable spins are marked at the end, not after each flip."""
    spins, gains = state.spins, state.gains
    starts, neighbours, doubled = problem.starts, problem.neighbours, problem.doubled
    n = len(spins)
    energy, most = state.energy[0], 0.5 * IMPROBABLE / beta
    for i in range(n):
        gain = gains[i]
        if gain > most:
            continue
        if gain > 0.0 and rng.random() >= exponential_within(-2.0 * beta * gain):
            continue
        energy += 2.0 * gain
        gains[i] = -gain
        was = np.float64(spins[i])
        spins[i] = -spins[i]
        for e in range(starts[i], starts[i + 1]):
            j = neighbours[e]
            gains[j] -= doubled[e] * (was * spins[j])
    state.energy[0] = energy
    state.journal[n] += n + 1  # every spin may have flipped
    state.cursor[0] = 0
    mark_unstable(gains, state.unstable)
