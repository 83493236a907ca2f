"""Compare prviz on Max-Cut and QUBO with MQLib, dwave-samplers and openjij, for ``rivals.py``."""

from __future__ import annotations

import functools
import time
from typing import Any

import common  # noqa: F401  must be first: makes prviz importable
import dimod
import numpy as np
from dwave.samplers import SimulatedAnnealingSampler, TabuSampler
from gset import BEST, gset
from rivals_part import Part, package

import prviz
from prviz.datasets import glass

SWEEPS = 1000
OURS, TABU = "prviz, default", "prviz, tabu"
ANNEALING, MULTISTART, JIJ = "dwave annealing", "dwave tabu (MST2)", "openjij annealing"
BURER, LU = "MQLib BURER2002", "MQLib LU2010"


#: Couplings. G22, G32 and G43 have 2000, 2000 and 1000 vertices, the other graphs 800.
GRAPHS = {name: functools.partial(gset, name) for name in BEST}
SETS = GRAPHS | {"bqp250-1": functools.partial(glass, "bqp250-1")}
CASES = dict.fromkeys(SETS, 1.0)
LONG_CASES = dict.fromkeys(["G14", "G22", "G32"], 10.0)
GROUPS = {
    "random, dense: G1–G10": [f"G{i}" for i in range(1, 11)],
    "torus: G11–G13, G32": ["G11", "G12", "G13", "G32"],
    "planar: G14–G17": ["G14", "G15", "G16", "G17"],
    "random, sparse: G22, G43": ["G22", "G43"],
}


@functools.cache
def couplings_of(case: str) -> Any:
    return SETS[case]()


@functools.cache
def problem_of(case: str, optimiser: str):
    return prviz.ising(couplings_of(case), optimiser=optimiser)


@functools.cache
def parts_of(case: str) -> tuple[dict, dict, float]:
    """Return fields h, couplings J and the offset of E = Σ h s + Σ J s s, for the rivals."""
    data = couplings_of(case)
    pairs = map(tuple, data.pairs.tolist())
    quadratic = {pair: -float(w) for pair, w in zip(pairs, data.weights, strict=True)}
    return dict(enumerate((-data.fields).tolist())), quadratic, float(data.offset)


@functools.cache
def mqlib_graph(case: str) -> tuple[Any, float]:
    """Return MQLib's graph (fields: edges to an added vertex), and the energy of the empty cut."""
    fields, quadratic, offset = parts_of(case)
    n = len(fields)
    matrix = np.zeros((n + 1, n + 1))
    for (i, j), weight in quadratic.items():
        matrix[i, j] = matrix[j, i] = weight
    matrix[:n, n] = matrix[n, :n] = [*fields.values()]
    if not any(fields.values()):
        matrix = matrix[:n, :n]
    return package("MQLib").Instance("M", matrix), offset + matrix.sum() / 2


@functools.cache
def model_of(case: str) -> dimod.BinaryQuadraticModel:
    return dimod.BinaryQuadraticModel(*parts_of(case), dimod.SPIN)


def ours(optimiser: str, case: str, seed: int, seconds: float) -> tuple[float, float]:
    run = prviz.run(problem_of(case, optimiser), seed=seed, seconds=seconds)
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


def mqlib(heuristic: str, case: str, seed: int, seconds: float) -> tuple[float, float]:
    (graph, empty), made = mqlib_graph(case), 0
    best, used = np.inf, 0.0
    while used < 0.98 * seconds:  # again while CPU time is left: MQLib stops by wall time
        began = time.process_time()
        found = package("MQLib").runHeuristic(heuristic, graph, seconds - used, 1000 * seed + made)
        used, made = used + time.process_time() - began, made + 1
        best = min(best, empty - 2 * found["objval"])
    return best, used


def best_known(case: str) -> float | None:
    return couplings_of(case).best_known


PART = Part(
    title="Max-Cut and QUBO",
    what="Energies; a cut of weight C has energy Σw − 2C. Annealing repeats runs of 1000 sweeps. "
    "MST2 is the multistart tabu search of Palubeckis (2004). BURER2002 (rank-two relaxation) and "
    "LU2010 (population with tabu search) are heuristics of MQLib. MQLib was built from the source "
    "of its package, with our own headers and with CPU time as its clock. prviz chooses its "
    'redraws (k1="auto"); its default optimiser is annealing. `gset.py` makes the graphs; bqp250-1 '
    "is a file.",
    cases=CASES,
    contenders={
        OURS: functools.partial(ours, "annealing"),
        TABU: functools.partial(ours, "tabu"),
        BURER: functools.partial(mqlib, "BURER2002"),
        LU: functools.partial(mqlib, "LU2010"),
        MULTISTART: multistart,
        ANNEALING: annealing,
        JIJ: jij,
    },
    ours=[OURS, TABU],
    packages={
        BURER: "mqlib",
        LU: "mqlib",
        MULTISTART: "dwave-samplers",
        ANNEALING: "dwave-samplers",
        JIJ: "openjij",
    },
    best_known=best_known,
    best_note=", or the best known value, if that is lower",
    rounding=1e-7,
    counts_hits=True,
    groups=GROUPS,
)
LONG = PART._replace(
    title="Max-Cut, 10 seconds",
    cases=LONG_CASES,
    groups={},
    contenders={name: PART.contenders[name] for name in (OURS, BURER, LU, ANNEALING)},
    ours=[OURS],
)
MINUTE = LONG._replace(
    title="Max-Cut, 60 seconds",
    cases={"G14": 60.0},
    contenders={name: PART.contenders[name] for name in (OURS, BURER, ANNEALING)},
)
