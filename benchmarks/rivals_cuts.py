"""Compare prviz on Max-Cut and QUBO with dwave-samplers and openjij, for ``rivals.py``."""

from __future__ import annotations

import functools
import time
from typing import Any

import common  # noqa: F401  first: makes prviz importable
import dimod
import numpy as np
from dwave.samplers import SimulatedAnnealingSampler, TabuSampler
from glasses import nested
from rivals_part import Part, package

import prviz
from prviz import Level
from prviz.datasets import Couplings, glass

SWEEPS = 1000
OURS, TABU, PATCHES = "prviz, default", "prviz, tabu", "prviz, nested patches"
ANNEALING, MULTISTART, JIJ = "dwave annealing", "dwave tabu (MST2)", "openjij annealing"


def random_graph(n: int, edges: int, seed: int) -> dict[tuple[int, int], float]:
    """Return the couplings of Max-Cut on a random graph with edges of weight 1."""
    rng = np.random.default_rng(seed)
    pairs = set()
    while len(pairs) < edges:
        i, j = sorted(rng.choice(n, 2, replace=False).tolist())
        pairs.add((i, j))
    return {pair: -1.0 for pair in sorted(pairs)}


#: Couplings, and CPU seconds per run. G43 is a random graph; this one has the same size.
SETS = {
    "G1, random, n = 800": (lambda: glass("G1"), 0.3),
    "G11, torus, n = 800": (lambda: glass("G11"), 0.2),
    "G14, planar, n = 800": (lambda: glass("G14"), 0.5),
    "like G43, random, n = 1000": (lambda: random_graph(1000, 9990, 43), 0.3),
    "bqp250-1, QUBO, n = 250": (lambda: glass("bqp250-1"), 0.05),
}
CASES = {case: seconds for case, (_, seconds) in SETS.items()}


@functools.cache
def couplings_of(case: str) -> Any:
    return SETS[case][0]()


@functools.cache
def problem_of(case: str, optimiser: str):
    return prviz.ising(couplings_of(case), optimiser=optimiser)


@functools.cache
def parts_of(case: str) -> tuple[dict, dict, float]:
    """Return fields h, couplings J and the offset of E = Σ h s + Σ J s s, for the rivals."""
    data = couplings_of(case)
    if not isinstance(data, Couplings):
        n = 1 + max(max(pair) for pair in data)
        return dict.fromkeys(range(n), 0.0), {pair: -w for pair, w in data.items()}, 0.0
    pairs = map(tuple, data.pairs.tolist())
    quadratic = {pair: -float(w) for pair, w in zip(pairs, data.weights, strict=True)}
    return dict(enumerate((-data.fields).tolist())), quadratic, float(data.offset)


@functools.cache
def model_of(case: str) -> dimod.BinaryQuadraticModel:
    return dimod.BinaryQuadraticModel(*parts_of(case), dimod.SPIN)


def ours(optimiser: str, case: str, seed: int, seconds: float) -> tuple[float, float]:
    run = prviz.run(problem_of(case, optimiser), seed=seed, seconds=seconds)
    return run.best_cost, run.seconds


def patches(case: str, seed: int, seconds: float) -> tuple[float, float]:
    n = len(parts_of(case)[0])
    levels = [*nested(n), Level(n)]
    run = prviz.run(problem_of(case, "descent"), levels=levels, seed=seed, seconds=seconds)
    return run.best_cost, run.seconds


def annealing(case: str, seed: int, seconds: float) -> tuple[float, float]:
    model, sampler, made = model_of(case), SimulatedAnnealingSampler(), 0
    best, used = np.inf, 0.0
    while used < seconds:
        began = time.process_time()
        answer = sampler.sample(model, num_reads=1, num_sweeps=SWEEPS, seed=1000 * seed + made)
        used, made = used + time.process_time() - began, made + 1
        best = min(best, float(answer.record.energy.min()))
    return best, used


def multistart(case: str, seed: int, seconds: float) -> tuple[float, float]:
    """Repeat tabu search until the CPU time is over, because its own limit is wall time."""
    model, sampler, made = model_of(case), TabuSampler(), 0
    best, used = np.inf, 0.0
    while used < seconds:
        left = max(5, round(1000 * (seconds - used)))
        began = time.process_time()
        answer = sampler.sample(model, num_reads=1, timeout=left, seed=1000 * seed + made)
        used, made = used + time.process_time() - began, made + 1
        best = min(best, float(answer.first.energy))
    return best, used


def jij(case: str, seed: int, seconds: float) -> tuple[float, float]:
    sampler, made = package("openjij").SASampler(), 0
    fields, quadratic, offset = parts_of(case)
    best, used = np.inf, 0.0
    while used < seconds:
        began = time.process_time()
        answer = sampler.sample_ising(
            fields, quadratic, num_reads=1, num_sweeps=SWEEPS, seed=1000 * seed + made
        )
        used, made = used + time.process_time() - began, made + 1
        best = min(best, float(answer.first.energy) + offset)
    return best, used


def best_known(case: str) -> float | None:
    data = couplings_of(case)
    return data.best_known if isinstance(data, Couplings) else None


PART = Part(
    title="Max-Cut and QUBO",
    what="Energies; a cut of weight C has energy Σw − 2C. Annealing is repeated with 1000 sweeps. "
    "MST2 is the multistart tabu search of Palubeckis (2004), one of MQLib's heuristics. MQLib "
    "itself is left out: its package on PyPI lacks the header files and does not compile. Nested "
    "patches are those of `ising.py`. G43 is replaced by a random graph of the same size.",
    cases=CASES,
    contenders={
        OURS: functools.partial(ours, "descent"),
        TABU: functools.partial(ours, "tabu"),
        PATCHES: patches,
        MULTISTART: multistart,
        ANNEALING: annealing,
        JIJ: jij,
    },
    ours=[OURS, TABU, PATCHES],
    packages={MULTISTART: "dwave-samplers", JIJ: "openjij"},
    best_known=best_known,
    best_note=", or the best known cut (G1, G11, G14) or value (bqp250-1), if that is lower",
    rounding=1e-7,
)
