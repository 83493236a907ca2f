"""Define instances and contenders of ``ising.py``: spin glasses and their searches.

A contender gets an instance, a seed, CPU seconds and a target. It returns the lowest energy found,
and the CPU seconds until it was found.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import common  # noqa: F401  must be first: makes prviz importable
import dimod
import numba
import numpy as np
from dwave.samplers import SimulatedAnnealingSampler, TabuSampler

import prviz
from prviz import Level
from prviz.datasets import Couplings, chimera, glass, torus
from prviz.datasets.sets.ground_states import ground_energy

#: Seeds from this number on are for tuning.
FIRST_TUNING_SEED = 10_000
ROUNDING = 1e-9
SLICE = 100  # milliseconds per call of dwave-samplers' tabu search
BATCH = 0.1  # CPU seconds per call of annealing

# ---- instances ---------------------------------------------------------------------------------


class Instance(NamedTuple):
    """An instance: its couplings, CPU seconds per run, number of runs, and draws of couplings."""

    make: Callable[[int], Couplings]
    seconds: float
    runs: int
    draws: int = 1


def _cube(side: int) -> Instance:
    return Instance(lambda draw: torus((side,) * 3, "gaussian", draw + 1), 1.0, 100, 10)


INSTANCES = {
    "±1, 10 × 10": Instance(lambda _: proven(torus((10, 10), seed=1)), 0.2, 100),
    "±1, 20 × 20": Instance(lambda _: torus((20, 20), seed=1), 0.5, 20),
    "Chimera 8 × 8": Instance(lambda _: chimera(8, seed=1), 0.5, 20),
    "Gaussian, 5³ (t3g5)": Instance(lambda _: glass("t3g5"), 0.2, 100),
    "Gaussian, 6³ (t3g6)": Instance(lambda _: glass("t3g6"), 0.5, 100),
    "Gaussian, 7³ (t3g7)": Instance(lambda _: glass("t3g7"), 1.0, 100),
    "Gaussian, 8³": _cube(8),
    "Gaussian, 10³": _cube(10),
    "Gaussian, 12³": _cube(12),
    "G11, a torus": Instance(lambda _: glass("G11"), 0.5, 20),
    "G14, planar": Instance(lambda _: glass("G14"), 1.0, 20),
    "G1, random": Instance(lambda _: glass("G1"), 1.0, 20),
    "bqp250-1, a QUBO": Instance(lambda _: glass("bqp250-1"), 0.2, 20),
}


def draw_of(name: str, seed: int) -> int:
    """Return which draw of the couplings a seed uses; annealing is tuned on other draws."""
    draws = INSTANCES[name].draws
    return seed % draws + (draws if seed >= FIRST_TUNING_SEED and draws > 1 else 0)


def couplings_of(name: str, seed: int) -> Couplings:
    return drawn(name, draw_of(name, seed))


@functools.cache
def drawn(name: str, draw: int) -> Couplings:
    return INSTANCES[name].make(draw)


def proven(square: Couplings) -> Couplings:
    """Add the proven ground energy to a square torus."""
    return square._replace(best_known=ground_energy(square))


# ---- contenders ----------------------------------------------------------------------------------

RESTARTS, RANDOM, PATCHES = "restarts", "random, 10 × 1000", "patches, 10 × 1000"
LONG, LEVELS = "patches, 20, no restarts", "three levels of patches"
FOUR = "four levels of patches"
LARGE = 500  # above this number of spins, FOUR is measured too
NESTED = "nested patches, no restarts"
# (patch size, redraws) of each level; levels with more than half of the spins are left out
NEST = ((10, 100), (40, 30), (160, 30))
TABU_HERE, ANNEALING, TABU = "tabu, restarts", "annealing (dwave)", "tabu (dwave)"
TEMPERING = "parallel tempering"
NEVER = 10**9  # redraws per restart

OURS = {
    RESTARTS: ("descent", []),
    RANDOM: ("descent", [Level(10, 1000)]),
    PATCHES: ("descent", [Level(10, 1000, subset="patch")]),
    LONG: ("descent", [Level(20, NEVER, subset="patch")]),
    LEVELS: ("descent", [Level(10, 100, subset="patch"), Level(60, 20, subset="patch")]),
    FOUR: (
        "descent",
        [
            Level(10, 100, subset="patch"),
            Level(60, 20, subset="patch"),
            Level(360, 20, subset="patch"),
        ],
    ),
    TABU_HERE: ("tabu", []),
}
CONTENDERS = (*OURS, NESTED, ANNEALING, TABU, TEMPERING)
RIVALS = (ANNEALING, TABU, TEMPERING)


def search(contender: str, name: str, seed: int, seconds: float, target: float) -> dict:
    """Run one of prviz's searches."""
    n = len(couplings_of(name, seed).fields)
    optimiser, below = OURS.get(contender) or ("descent", nested(n))
    run = prviz.run(
        _problem(name, draw_of(name, seed), optimiser),
        levels=[*below, Level(n)],
        seed=seed,
        seconds=seconds,
        target=target,
    )
    found = int(np.argmin(run.trace.best))
    return {
        "energy": run.best_cost,
        "seconds": float(run.trace.seconds[found]),
        "calls": run.calls,
        "iterations": int(run.trace.iterations.sum()),
        "all": run.seconds,
    }


def nested(n: int) -> list[Level]:
    """Return levels of nested patches, up to half of n spins, without restarts."""
    *inner, (largest, _) = [(k, m) for k, m in NEST if k <= n / 2]
    return [
        *(Level(k, m, subset="patch") for k, m in inner),
        Level(largest, NEVER, subset="patch"),
    ]


@functools.cache
def _problem(name: str, draw: int, optimiser: str) -> Any:
    return prviz.ising(drawn(name, draw), optimiser=optimiser)


@functools.cache
def _model(name: str, draw: int) -> Any:
    """Return the same problem for dimod, with energy Σ h s + Σ J s s."""
    data = drawn(name, draw)
    quadratic = {(i, j): -w for (i, j), w in zip(data.pairs.tolist(), data.weights, strict=True)}
    return dimod.BinaryQuadraticModel(
        dict(enumerate(-data.fields)), quadratic, data.offset, dimod.SPIN
    )


def anneal(name: str, seed: int, seconds: float, target: float, sweeps: int) -> dict:
    """Anneal from random spins again and again, with dwave-samplers' default temperatures."""
    model, sampler = _model(name, draw_of(name, seed)), SimulatedAnnealingSampler()
    best, when, used, reads, made = math.inf, 0.0, 0.0, 1, 0
    while used < seconds and best > target + ROUNDING:
        began = time.thread_time()
        answer = sampler.sample(model, num_reads=reads, num_sweeps=sweeps, seed=seed * 1000 + made)
        took = time.thread_time() - began
        energies = answer.record.energy
        first = int(np.argmin(energies))
        if energies[first] < best - ROUNDING:
            best, when = float(energies[first]), used + took * (first + 1) / reads
        made, used = made + 1, used + took
        reads = int(max(1, min(1000, reads * BATCH / max(took, 1e-6))))
    return {"energy": best, "seconds": when, "all": used}


def dwave_tabu(name: str, seed: int, seconds: float, target: float) -> dict:
    """Run dwave's tabu search in short slices, to know when it found its best energy.

    Its timeout is wall time, so slices are repeated until the CPU time is used up.
    """
    model, sampler = _model(name, draw_of(name, seed)), TabuSampler()
    best, when, used, made = math.inf, 0.0, 0.0, 0
    while used < seconds and best > target + ROUNDING:
        began = time.thread_time()
        left = max(5, round(1000 * (seconds - used)))
        slice_ = left if target == -math.inf else min(left, SLICE)
        answer = sampler.sample(model, num_reads=1, timeout=slice_, seed=seed * 1000 + made)
        used += time.thread_time() - began
        made += 1
        if answer.first.energy < best - ROUNDING:
            best, when = float(answer.first.energy), used
    return {"energy": best, "seconds": when, "all": used}


@numba.njit(cache=True)
def _tempered(starts, neighbours, doubled, fields, betas, spins, energies, sweeps, target, seed):
    """Run parallel tempering and return the lowest energy.

    A round makes a Metropolis sweep at each temperature, then swaps states between neighbouring
    temperatures.
    """
    np.random.seed(seed)
    n, best = len(fields), np.inf
    for _ in range(sweeps):
        for t in range(len(betas)):
            for i in range(n):
                local = fields[i]
                for e in range(starts[i], starts[i + 1]):
                    local += 0.5 * doubled[e] * spins[t, neighbours[e]]
                change = 2.0 * spins[t, i] * local
                if change <= 0.0 or np.random.random() < math.exp(-betas[t] * change):
                    spins[t, i] = -spins[t, i]
                    energies[t] += change
            best = min(best, energies[t])
        for t in range(len(betas) - 1):
            gain = (betas[t + 1] - betas[t]) * (energies[t + 1] - energies[t])
            if gain >= 0.0 or np.random.random() < math.exp(gain):
                for i in range(n):
                    spins[t, i], spins[t + 1, i] = spins[t + 1, i], spins[t, i]
                energies[t], energies[t + 1] = energies[t + 1], energies[t]
        if best <= target:
            break
    return best


def temper(name: str, seed: int, seconds: float, target: float) -> dict:
    """Run parallel tempering at 20 temperatures, 0.08 to 1.5 times the RMS field of a spin."""
    data = couplings_of(name, seed)
    problem, n = _problem(name, draw_of(name, seed), "descent"), len(data.fields)
    pull = math.sqrt((problem.doubled**2).sum() / 4 / n)
    betas = 1 / (pull * np.geomspace(1.5, 0.08, 20))
    rng = np.random.default_rng(seed)
    spins = 2 * rng.integers(0, 2, (len(betas), n)).astype(np.int8) - 1
    energies = np.array([_energy(data, each) for each in spins])
    best, when, used, sweeps, made = math.inf, 0.0, 0.0, 1, 0
    while used < seconds and best > target + ROUNDING:
        began = time.thread_time()
        found = _tempered(
            *(problem.starts, problem.neighbours, problem.doubled, problem.fields, betas),
            *(spins, energies, sweeps, target + ROUNDING, seed * 1000 + made),
        )
        took = time.thread_time() - began
        used, made = used + took, made + 1
        if found < best - ROUNDING:
            best, when = float(found), used
        sweeps = int(max(1, min(10**6, sweeps * 0.02 / max(took, 1e-6))))
    return {"energy": best, "seconds": when, "all": used}


def _energy(data: Couplings, spins: np.ndarray) -> float:
    i, j = data.pairs.T
    s = spins.astype(float)
    return float(data.offset - (data.weights * s[i] * s[j]).sum() - data.fields @ s)


def one(contender: str, name: str, seed: int, sweeps: int = 0, seconds: float = 0.0) -> dict:
    """Run a contender for ``seconds`` (default: the instance's), or until the best known energy."""
    seconds, target = seconds or INSTANCES[name].seconds, target_of(name, seed)
    if contender in (*OURS, NESTED):
        return search(contender, name, seed, seconds, target)
    if contender == ANNEALING:
        return anneal(name, seed, seconds, target, sweeps)
    return (dwave_tabu if contender == TABU else temper)(name, seed, seconds, target)


def target_of(name: str, seed: int) -> float:
    known = couplings_of(name, seed).best_known
    return -math.inf if known is None else known
