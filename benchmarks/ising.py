"""Spin glasses: levels of patches against restarts, annealing, tabu search, parallel tempering.

Every contender has the same CPU time a run, on one core, in turns. What it came to is told as the
gap to the best energy known (or, where none is, that anybody found), and how often it got there.
Of the cubes whose optimum nobody has proven there are ten draws of the couplings, ten seeds each.
Three levels are 10 × 100 and 60 × 20, and four have 360 × 20 beside, on more than 500 spins: both
were settled before anything was measured. Nested patches go in steps of four up to half of the
spins, without restarts: they were found on another draw of 10³ and on G14, and left as they are.
Annealing is tuned to each instance, on seeds of its own, and on another draw where there are ten:
its sweeps are the best of three.
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
from common import Pieces, Report, median, process
from dwave.samplers import SimulatedAnnealingSampler, TabuSampler
from scipy.stats import binomtest
from verdicts import CHANCE, judged, sign_test

import prviz
from prviz import Level
from prviz.datasets import Couplings, chimera, glass, torus

SWEEPS = (100, 1000, 10_000)
TUNING = 3  # runs with each number of sweeps
FIRST_TUNING_SEED = 10_000
ROUNDING = 1e-9
SLICE = 100  # milliseconds of dwave-samplers' tabu search in one piece
BATCH = 0.1  # CPU seconds of annealing in one piece

# ---- instances ---------------------------------------------------------------------------------


class Instance(NamedTuple):
    """Couplings of a draw, CPU seconds a run, how many runs, and over how many draws these go."""

    make: Callable[[int], Couplings]
    seconds: float
    runs: int
    draws: int = 1


def _cube(side: int) -> Instance:
    return Instance(lambda draw: torus((side,) * 3, "gaussian", draw + 1), 1.0, 100, 10)


INSTANCES = {
    "±1, 10 × 10": Instance(lambda _: _proven(torus((10, 10), seed=1)), 0.2, 100),
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
    """Which couplings a seed gets; what annealing is tuned on is none of those compared."""
    draws = INSTANCES[name].draws
    return seed % draws + (draws if seed >= FIRST_TUNING_SEED and draws > 1 else 0)


def couplings_of(name: str, seed: int) -> Couplings:
    return _drawn(name, draw_of(name, seed))


@functools.cache
def _drawn(name: str, draw: int) -> Couplings:
    return INSTANCES[name].make(draw)


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
RIVALS = (ANNEALING, TABU, TEMPERING)
#: What is compared with at all, in fewer runs, as it is far behind or beside the question.
CONTROLS, CONTROL_RUNS = (RESTARTS, RANDOM, TABU_HERE), 20


class Goal(NamedTuple):
    """The search that is to reach the best energy known, in how many CPU seconds, and n."""

    contender: str
    seconds: float
    runs: int = 100


GOALS = {
    "Gaussian, 5³ (t3g5)": Goal(LEVELS, 0.1),
    "Gaussian, 6³ (t3g6)": Goal(LEVELS, 0.5),
    "Gaussian, 7³ (t3g7)": Goal(NESTED, 2.0),
    "bqp250-1, a QUBO": Goal(TABU_HERE, 2.0),
    "G11, a torus": Goal(LONG, 1.0),
    "G14, planar": Goal(NESTED, 20.0, 20),
    "G1, random": Goal(TABU_HERE, 20.0),
}


def search(contender: str, name: str, seed: int, seconds: float, target: float) -> dict:
    """A search of ours."""
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
    """Patches in patches, as large as half of n spins, and no restarts."""
    *inner, (largest, _) = [(k, m) for k, m in NEST if k <= n / 2]
    return [
        *(Level(k, m, subset="patch") for k, m in inner),
        Level(largest, NEVER, subset="patch"),
    ]


@functools.cache
def _problem(name: str, draw: int, optimiser: str) -> Any:
    return prviz.ising(_drawn(name, draw), optimiser=optimiser)


@functools.cache
def _model(name: str, draw: int) -> Any:
    """The same for dimod, whose energies are Σ h s + Σ J s s."""
    data = _drawn(name, draw)
    quadratic = {(i, j): -w for (i, j), w in zip(data.pairs.tolist(), data.weights, strict=True)}
    return dimod.BinaryQuadraticModel(
        dict(enumerate(-data.fields)), quadratic, data.offset, dimod.SPIN
    )


def anneal(name: str, seed: int, seconds: float, target: float, sweeps: int) -> dict:
    """Annealing from random spins again and again, with dwave-samplers' own temperatures."""
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
    """In slices, to see when it gets there; its clock is the wall's, so CPU time may be left."""
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
    """A run of ``seconds``, by default as many as the instance says, or until the known best."""
    seconds, target = seconds or INSTANCES[name].seconds, target_of(name, seed)
    if contender in (*OURS, NESTED):
        return search(contender, name, seed, seconds, target)
    if contender == ANNEALING:
        return anneal(name, seed, seconds, target, sweeps)
    return (dwave_tabu if contender == TABU else temper)(name, seed, seconds, target)


def target_of(name: str, seed: int) -> float:
    known = couplings_of(name, seed).best_known
    return -math.inf if known is None else known


# ---- what is run -------------------------------------------------------------------------------


def tuned(pieces: Pieces, names: list[str]) -> dict[str, int]:
    """The number of sweeps with which annealing gets furthest, and there soonest."""
    seeds = range(FIRST_TUNING_SEED, FIRST_TUNING_SEED + TUNING)
    plan = {
        f"tuning/{name}/{sweeps}/{seed}": functools.partial(one, ANNEALING, name, seed, sweeps)
        for name in names
        for sweeps in SWEEPS
        for seed in seeds
    }
    found = pieces.measure(plan)

    def merit(name: str, sweeps: int) -> tuple[float, float]:
        runs = [found[f"tuning/{name}/{sweeps}/{seed}"] for seed in seeds]
        return sum(r["energy"] for r in runs), sum(r["seconds"] for r in runs)

    return {name: min(SWEEPS, key=functools.partial(merit, name)) for name in names}


def plan(names: list[str], scale: float, sweeps: dict[str, int]) -> dict[str, Callable]:
    """All runs: each instance gets on as far as every other, and contenders take turns."""
    turns = [
        (seed / INSTANCES[name].runs, name, seed, contender)
        for name in names
        for contender in contenders_of(name)
        for seed in range(runs_asked(name, contender, scale))
    ]
    return {
        f"{name}/{contender}/{seed}": functools.partial(one, contender, name, seed, sweeps[name])
        for _, name, seed, contender in sorted(turns)
    }


def runs_asked(name: str, contender: str, scale: float) -> int:
    runs = INSTANCES[name].runs
    return max(3, round(scale * (min(runs, CONTROL_RUNS) if contender in CONTROLS else runs)))


def contenders_of(name: str) -> list[str]:
    large = len(couplings_of(name, 0).fields) > LARGE
    return [each for each in CONTENDERS if large or each != FOUR]


def goals_plan(names: list[str], scale: float) -> dict[str, Callable]:
    return {
        f"goal/{name}/{seed}": functools.partial(
            one, goal.contender, name, seed, seconds=goal.seconds
        )
        for name, goal in GOALS.items()
        if name in names
        for seed in range(max(3, round(scale * goal.runs)))
    }


# ---- what it came to ---------------------------------------------------------------------------


class Results:
    """All runs of an instance by contender, and the best energy of each of its draws."""

    def __init__(self, found: dict, name: str):
        self.name = name
        self.runs = {
            contender: [found[k] for k in found if k.startswith(f"{name}/{contender}/")]
            for contender in CONTENDERS
        }
        self.known = couplings_of(name, 0).best_known is not None
        most = max(map(len, self.runs.values()))
        self.best = {draw: self._best(draw) for draw in {draw_of(name, i) for i in range(most)}}

    def _best(self, draw: int) -> float:
        known = _drawn(self.name, draw).best_known
        if known is not None:
            return known
        return min(
            run["energy"]
            for runs in self.runs.values()
            for seed, run in enumerate(runs)
            if draw_of(self.name, seed) == draw
        )

    def gaps(self, contender: str) -> list[float]:
        """How far each run ended above the best of its draw, in per cent."""
        return [
            gap_of(run["energy"], self.best[draw_of(self.name, seed)])
            for seed, run in enumerate(self.runs[contender])
        ]

    def ranked(self, contender: str) -> list[float]:
        """By the time if it got to the best, after all these by the gap that is left."""
        return [
            1.0 + gap if gap > 0.0 else run["seconds"] / (1.0 + run["seconds"])
            for gap, run in zip(self.gaps(contender), self.runs[contender], strict=True)
        ]

    def told(self, contender: str) -> str:
        """How often it got there, with its interval; when, or how far off it was."""
        runs, gaps = self.runs[contender], self.gaps(contender)
        if not runs:
            return "–"
        k, n = gaps.count(0.0), len(runs)
        interval = binomtest(k, n).proportion_ci(method="wilson")
        words = f"{k} ({n * interval.low:.0f}–{n * interval.high:.0f})"
        if n != INSTANCES[self.name].runs:
            words = f"{k} of {n} ({n * interval.low:.0f}–{n * interval.high:.0f})"
        middle = median(
            run["seconds"] if gap == 0.0 else None for run, gap in zip(runs, gaps, strict=True)
        )
        more = _time(middle) if math.isfinite(middle) else f"{np.median(gaps):.2g} %"
        return f"{words}, {more}"


def gap_of(energy: float, best: float) -> float:
    """In per cent; what rounding may be is none."""
    gap = 100 * (energy - best) / abs(best)
    return gap if gap > 1e-7 else 0.0


def _time(seconds: float) -> str:
    return f"{1000 * seconds:.2g} ms" if seconds < 0.1 else f"{seconds:.2g} s"


def write(found: dict, names: list[str], sweeps: dict[str, int]) -> None:
    report = Report(
        "Spin glasses",
        f"prviz {prviz.__version__}, dwave-samplers {version('dwave-samplers')}, numba "
        f"{numba.__version__}, {platform.machine()}, one core, CPU seconds.",
        "A cell: how many of n runs reached the best energy (Wilson's 95 % interval, in runs); the "
        "median time until then, or, where fewer than half did, the median gap. The best energy is "
        "that known (5³ to 7³ and 10 × 10 proven, the others as published), or, marked with *, the "
        "lowest that any of these runs found. Of 8³, 10³ and 12³ there are ten draws of the "
        "couplings, with ten seeds each; every other instance is one draw.",
    )
    results = [Results(found, name) for name in names]
    rows = []
    for each in results:
        told = [each.told(contender) for contender in CONTENDERS]
        star, instance = "" if each.known else "*", INSTANCES[each.name]
        n = len(each.runs[ANNEALING])
        rows.append([f"{each.name}{star}", n, f"{instance.seconds:g}", *told, sweeps[each.name]])
    head = ["instance", "n", "s a run", *CONTENDERS, "annealing's sweeps"]
    report.table("The best energy in equal CPU time", head, rows)
    report_verdicts(report, results)
    report_goals(report, found, names)
    report_speeds(report, results)
    report.write("ising")


def report_verdicts(report: Report, results: list[Results]) -> None:
    for ours in (LEVELS, NESTED):
        rivals = [each for each in (PATCHES, LEVELS, *RIVALS) if each != ours]
        tests = [
            sign_test(each.ranked(ours), each.ranked(rival)) for each in results for rival in rivals
        ]
        said = iter(judged(tests))
        report.table(
            f"{ours} against each",
            ["instance", *rivals],
            [[each.name, *(next(said) for _ in rivals)] for each in results],
            "Sign test over pairs of one seed, and so of one draw, won : lost; the lower energy "
            f"wins, of two that got to the best the one that was sooner; {CHANCE}",
        )


def report_goals(report: Report, found: dict, names: list[str]) -> None:
    rows = []
    for name in names:
        runs = [piece for key, piece in found.items() if key.startswith(f"goal/{name}/")]
        if not runs:
            continue
        best, goal = couplings_of(name, 0).best_known, GOALS[name]
        gaps = [gap_of(run["energy"], best) for run in runs]
        times = [r["seconds"] if gap == 0.0 else None for r, gap in zip(runs, gaps, strict=True)]
        middle, there = median(times), gaps.count(0.0)
        rows.append(
            [
                name,
                goal.contender,
                f"≤ {goal.seconds:g} s",
                _time(middle) if math.isfinite(middle) else f"not reached: {np.median(gaps):.2g} %",
                f"{there} of {len(runs)}",
            ]
        )
    head = ["instance", "search", "goal", "median seed", "there in time"]
    report.table("CPU time until the best energy known", head, rows)


def report_speeds(report: Report, results: list[Results]) -> None:
    searches = (PATCHES, LONG, NESTED)
    head = ["instance"]
    for contender in searches:
        head += [f"{contender}: 10³ calls a second", "10⁶ turns of the descent a second"]
    rows = []
    for each in results:
        row = [each.name]
        for contender in searches:
            runs = each.runs[contender]
            seconds = sum(run["all"] for run in runs)
            row.append(f"{sum(run['calls'] for run in runs) / seconds / 1e3:.0f}")
            row.append(f"{sum(run['iterations'] for run in runs) / seconds / 1e6:.1f}")
        rows.append(row)
    report.table(
        "How fast the search is",
        head,
        rows,
        "Turns that redraw a spin or take a redraw back are not counted.",
    )


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
    one(TEMPERING, names[0], 0)  # compile that as well
    sweeps = tuned(pieces, names)
    every = plan(names, given.scale, sweeps) | goals_plan(names, given.scale)
    write(pieces.measure(every), names, sweeps)


if __name__ == "__main__":
    main()
