"""Spin glasses: levels of patches against restarts, annealing, tabu search, parallel tempering.

Every contender has the same CPU time a run, on one core, in turns. What it came to is told as the
gap to the best energy known (or, where none is, that anybody found), and how often it got there.
Three levels are 10 × 100 and 60 × 20, and four have 360 × 20 beside, on more than 500 spins: both
were settled before anything was measured. Nested patches go in steps of four up to half of the
spins, without restarts: they were found on another draw of 10³ and on G14, and left as they are.
Annealing is tuned to each instance, on a seed of its own: its sweeps are the best of three.
"""

from __future__ import annotations

import argparse
import functools
import math
import platform
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, NamedTuple

import dimod
import numba
import numpy as np
from common import Pieces, Report, process
from dwave.samplers import SimulatedAnnealingSampler, TabuSampler
from scipy.stats import binomtest

import prviz
from prviz import Level
from prviz.datasets import Couplings, chimera, glass, torus

SWEEPS = (100, 1000, 10_000)
TUNING = 1  # runs with each number of sweeps
FIRST_TUNING_SEED = 10_000
ROUNDING = 1e-9
SLICE = 100  # milliseconds of dwave-samplers' tabu search in one piece
BATCH = 0.1  # CPU seconds of annealing in one piece

# ---- instances ---------------------------------------------------------------------------------


class Instance(NamedTuple):
    """Couplings, CPU seconds a run, and how many runs."""

    make: Callable[[], Couplings]
    seconds: float
    runs: int


INSTANCES = {
    "±1, 10 × 10": Instance(lambda: _proven(torus((10, 10), seed=1)), 0.2, 50),
    "±1, 20 × 20": Instance(lambda: torus((20, 20), seed=1), 0.5, 5),
    "Chimera 8 × 8": Instance(lambda: chimera(8, seed=1), 0.5, 5),
    "Gaussian, 5³ (t3g5)": Instance(lambda: glass("t3g5"), 0.2, 50),
    "Gaussian, 6³ (t3g6)": Instance(lambda: glass("t3g6"), 0.5, 20),
    "Gaussian, 7³ (t3g7)": Instance(lambda: glass("t3g7"), 1.0, 10),
    "Gaussian, 8³": Instance(lambda: torus((8, 8, 8), "gaussian", 1), 1.0, 10),
    "Gaussian, 10³": Instance(lambda: torus((10, 10, 10), "gaussian", 1), 1.0, 10),
    "Gaussian, 12³": Instance(lambda: torus((12, 12, 12), "gaussian", 1), 1.0, 10),
    "G11, a torus": Instance(lambda: glass("G11"), 0.5, 5),
    "G14, planar": Instance(lambda: glass("G14"), 1.0, 5),
    "G1, random": Instance(lambda: glass("G1"), 1.0, 5),
    "bqp250-1, a QUBO": Instance(lambda: glass("bqp250-1"), 0.2, 20),
}


@functools.cache
def couplings_of(name: str) -> Couplings:
    return INSTANCES[name].make()


def _proven(square: Couplings) -> Couplings:
    """A square torus with its ground energy, by transfer matrices, spin by spin (Kaufman 1949).

    ``energy[a, b]`` is the least with the first row a and the present one b.
    """
    side = square.shape[0]
    J = {
        (i, j): w for (i, j), w in zip(square.pairs.tolist(), square.weights.tolist(), strict=True)
    }
    spins = 1 - 2 * ((np.arange(2**side)[:, None] >> np.arange(side)) & 1)

    def coupling(i: int, j: int) -> float:
        return J[min(i, j), max(i, j)]

    def within(row: int) -> np.ndarray:
        first = row * side
        bonds = [coupling(first + c, first + (c + 1) % side) for c in range(side)]
        return -(spins * np.roll(spins, -1, axis=1)) @ np.array(bonds)

    energy = np.where(np.eye(2**side, dtype=bool), within(0), np.inf)
    for row in range(1, side):
        for c in range(side):
            bond = coupling((row - 1) * side + c, row * side + c)
            flipped = energy[:, np.arange(2**side) ^ (1 << c)]
            energy = np.minimum(energy - bond, flipped + bond)
        energy = energy + within(row)
    last = np.array([coupling(c, (side - 1) * side + c) for c in range(side)])
    return square._replace(best_known=float((energy - (spins * last) @ spins.T).min()))


# ---- contenders: (instance, seed, CPU seconds, target) → lowest energy, CPU seconds until then --

RESTARTS, RANDOM, PATCHES = "restarts", "random, 10 × 1000", "patches, 10 × 1000"
LONG, LEVELS = "patches, 20, no restarts", "three levels of patches"
FOUR = "four levels of patches"
LARGE = 500  # spins, from which on there are four levels
NESTED = "nested patches, no restarts"
NEST = ((10, 100), (40, 30), (160, 30))  # those of at most half of the spins, the largest endlessly
TABU_HERE, ANNEALING, TABU = "tabu, restarts", "annealing (dwave)", "tabu (dwave)"
TEMPERING = "parallel tempering"
NEVER = 10**9  # redraws a restart

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


def search(contender: str, name: str, seed: int, seconds: float, target: float) -> dict:
    """A search of ours."""
    couplings = couplings_of(name)
    optimiser, below = OURS.get(contender) or ("descent", nested(len(couplings.fields)))
    problem = _problem(name, optimiser)
    run = prviz.run(
        problem,
        levels=[*below, Level(len(couplings.fields))],
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
    """Patches in patches, as large as half of n spins, and no restarts."""
    *inner, (largest, _) = [(k, m) for k, m in NEST if k <= n / 2]
    return [
        *(Level(k, m, subset="patch") for k, m in inner),
        Level(largest, NEVER, subset="patch"),
    ]


@functools.cache
def _problem(name: str, optimiser: str) -> Any:
    return prviz.ising(couplings_of(name), optimiser=optimiser)


@functools.cache
def _model(name: str) -> Any:
    """The same for dimod, whose energies are Σ h s + Σ J s s."""
    data = couplings_of(name)
    quadratic = {(i, j): -w for (i, j), w in zip(data.pairs.tolist(), data.weights, strict=True)}
    return dimod.BinaryQuadraticModel(
        dict(enumerate(-data.fields)), quadratic, data.offset, dimod.SPIN
    )


def anneal(name: str, seed: int, seconds: float, target: float, sweeps: int) -> dict:
    """Annealing from random spins again and again, with dwave-samplers' own temperatures."""
    model, sampler = _model(name), SimulatedAnnealingSampler()
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
    """In slices, to see when it gets there; its clock is the wall's, so CPU time may be left."""
    model, sampler = _model(name), TabuSampler()
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
    """Metropolis sweeps at each temperature, then exchanges of neighbours: the lowest energy."""
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
    """Twenty temperatures from 0.1 to 3 of the root mean square pull of the couplings."""
    problem, n = _problem(name, "descent"), len(couplings_of(name).fields)
    pull = math.sqrt((problem.doubled**2).sum() / 4 / n)
    betas = 1 / (pull * np.geomspace(1.5, 0.08, 20))
    rng = np.random.default_rng(seed)
    spins = 2 * rng.integers(0, 2, (len(betas), n)).astype(np.int8) - 1
    energies = np.array([_energy(name, each) for each in spins])
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


def _energy(name: str, spins: np.ndarray) -> float:
    data = couplings_of(name)
    i, j = data.pairs.T
    s = spins.astype(float)
    return float(data.offset - (data.weights * s[i] * s[j]).sum() - data.fields @ s)


def one(contender: str, name: str, seed: int, target: float, sweeps: int = 0) -> dict:
    seconds = INSTANCES[name].seconds
    if contender in (*OURS, NESTED):
        return search(contender, name, seed, seconds, target)
    if contender == ANNEALING:
        return anneal(name, seed, seconds, target, sweeps)
    return (dwave_tabu if contender == TABU else temper)(name, seed, seconds, target)


# ---- tables ------------------------------------------------------------------------------------


def target_of(name: str) -> float:
    known = couplings_of(name).best_known
    return -math.inf if known is None else known


def tuned(pieces: Pieces, names: list[str]) -> dict[str, int]:
    """The number of sweeps with which annealing gets furthest, and there soonest."""
    plan = {
        f"tuning/{name}/{sweeps}/{seed}": functools.partial(
            one, ANNEALING, name, FIRST_TUNING_SEED + seed, target_of(name), sweeps
        )
        for name in names
        for sweeps in SWEEPS
        for seed in range(TUNING)
    }
    found = pieces.measure(plan)

    def merit(name: str, sweeps: int) -> tuple[float, float]:
        runs = [found[f"tuning/{name}/{sweeps}/{seed}"] for seed in range(TUNING)]
        return sum(r["energy"] for r in runs), sum(r["seconds"] for r in runs)

    return {name: min(SWEEPS, key=functools.partial(merit, name)) for name in names}


def seeds_of(name: str, scale: float) -> int:
    return max(3, round(scale * INSTANCES[name].runs))


def plan(names: list[str], scale: float, sweeps: dict[str, int]) -> dict[str, Callable]:
    """All runs: each instance gets on as far as every other, and contenders take turns."""
    turns = [
        (seed / INSTANCES[name].runs, name, seed)
        for name in names
        for seed in range(seeds_of(name, scale))
    ]
    return {
        f"{name}/{contender}/{seed}": functools.partial(
            one, contender, name, seed, target_of(name), sweeps[name]
        )
        for _, name, seed in sorted(turns)
        for contender in contenders_of(name)
    }


def contenders_of(name: str) -> list[str]:
    large = len(couplings_of(name).fields) > LARGE
    return [each for each in CONTENDERS if large or each != FOUR]


def runs_of(found: dict, name: str, contender: str) -> list[dict]:
    return [piece for key, piece in found.items() if key.startswith(f"{name}/{contender}/")]


def told(runs: list[dict], best: float) -> str:
    """How often it got there, with its interval; when, in the median; and how far off it was."""
    if not runs:
        return "–"
    gaps = [100 * (run["energy"] - best) / abs(best) for run in runs]
    there = [gap < 1e-7 for gap in gaps]
    k, n = sum(there), len(runs)
    interval = binomtest(k, n).proportion_ci(method="wilson")
    times = sorted(r["seconds"] if t else math.inf for r, t in zip(runs, there, strict=True))
    middle = times[n // 2] if n % 2 else (times[n // 2 - 1] + times[n // 2]) / 2
    when = f", {_time(middle)}" if math.isfinite(middle) else ""
    off = f", {np.median(gaps):.2g} %" if not math.isfinite(middle) else ""
    return f"{k} ({n * interval.low:.0f}–{n * interval.high:.0f}){when}{off}"


def _time(seconds: float) -> str:
    return f"{1000 * seconds:.2g} ms" if seconds < 0.1 else f"{seconds:.2g} s"


def write(found: dict, names: list[str], scale: float, sweeps: dict[str, int]) -> None:
    report = Report(
        "Spin glasses",
        f"prviz {prviz.__version__}, dwave-samplers {version('dwave-samplers')}, numba "
        f"{numba.__version__}, {platform.machine()}, one core, CPU seconds.",
        "A cell: how many of n runs reached the best energy (Wilson's 95 % interval, in runs); the "
        "median time until then, or, where fewer than half did, the median gap. The best energy is "
        "that known (5³ to 7³ and 10 × 10 proven, the others as published), or, marked with *, the "
        "lowest that any of these runs found. Every instance is one draw of the couplings.",
    )
    rows = []
    for name in names:
        everyone = [piece for key, piece in found.items() if key.startswith(f"{name}/")]
        lowest = min(piece["energy"] for piece in everyone)
        known = couplings_of(name).best_known
        best = lowest if known is None else known
        star = "*" if known is None else ""
        cells = [told(runs_of(found, name, contender), best) for contender in CONTENDERS]
        n = len(runs_of(found, name, RESTARTS))
        rows.append([f"{name}{star}", n, f"{INSTANCES[name].seconds:g}", *cells, f"{sweeps[name]}"])
    head = ["instance", "n", "s a run", *CONTENDERS, "annealing's sweeps"]
    report.table("The best energy in equal CPU time", head, rows)
    speeds = []
    for name in names:
        row = [name]
        for contender in (PATCHES, LONG, NESTED):
            runs = runs_of(found, name, contender)
            seconds = sum(run["all"] for run in runs)
            row.append(f"{sum(run['calls'] for run in runs) / seconds / 1e3:.0f}")
            row.append(f"{sum(run['iterations'] for run in runs) / seconds / 1e6:.1f}")
        speeds.append(row)
    head = ["instance"]
    for contender in (PATCHES, LONG, NESTED):
        head += [f"{contender}: 10³ calls a second", "10⁶ turns of the descent a second"]
    report.table(
        "How fast the search is",
        head,
        speeds,
        "Turns that redraw a spin or take a redraw back are not counted.",
    )
    report.write("ising")


def warm() -> None:
    """Compile in a process of its own."""
    process(
        "import prviz; from prviz import Level\n"
        "for how in ('descent', 'tabu'):\n"
        "    problem = prviz.ising(prviz.datasets.torus(4), optimiser=how)\n"
        "    prviz.run(problem, k1=3, subset='patch', calls=10)\nprint(0)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0, help="share of the runs")
    parser.add_argument("--only", nargs="*", help="parts of names of instances")
    parser.add_argument("--fresh", action="store_true", help="forget what was measured")
    given = parser.parse_args()
    names = [n for n in INSTANCES if not given.only or any(part in n for part in given.only)]
    warm()
    pieces = Pieces("ising", {"sweeps": SWEEPS, "tuning": TUNING}, given.fresh)
    one(TEMPERING, names[0], 0, target_of(names[0]))  # compile that as well
    sweeps = tuned(pieces, names)
    found = pieces.measure(plan(names, given.scale, sweeps))
    write(found, names, given.scale, sweeps)


if __name__ == "__main__":
    main()
