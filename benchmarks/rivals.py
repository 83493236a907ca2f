"""Compare prviz with the strongest other methods on each problem, at equal CPU time on one thread.

Contenders take turns on one core, so that a busy machine affects all alike. There is one part per
problem: k-means, k-medoids, hidden Markov models, Max-Cut and QUBO, and Boltzmann machines. Each
part writes its own table. If the script is stopped, its next start continues the measurement. A
rival that is not installed is left out, and the table says so.
"""

from __future__ import annotations

import os

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"  # set before NumPy and the rivals are imported
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import argparse  # noqa: E402
import functools  # noqa: E402
import importlib  # noqa: E402
import platform  # noqa: E402
import tomllib  # noqa: E402
from collections.abc import Callable  # noqa: E402
from importlib.metadata import PackageNotFoundError, version  # noqa: E402

import numpy as np  # noqa: E402
from common import HERE, Pieces, Report  # noqa: E402
from rivals_part import Part  # noqa: E402
from verdicts import CHANCE, judged, sign_test  # noqa: E402

import prviz  # noqa: E402
from prviz.experiments.statistics.intervals import ranks  # noqa: E402

PARTS = {
    "kmeans": "rivals_kmeans",
    "kmedoids": "rivals_kmedoids",
    "hmm": "rivals_hmm",
    "cuts": "rivals_cuts",
    "cuts_long": "rivals_cuts",
    "cuts_minute": "rivals_cuts",
    "rbm": "rivals_rbm",
}


def installed(part: Part) -> dict[str, Callable]:
    """Return the contenders whose package is installed."""
    found = {}
    for name, contender in part.contenders.items():
        try:
            if package := part.packages.get(name):
                version(package)
        except PackageNotFoundError:
            continue
        found[name] = contender
    return found


@functools.cache
def ready(contender: Callable, case: str) -> None:
    """Compile the kernels, and load the data and the packages, before anything is timed."""
    contender(case, 10_000, 0.001)


def measured(contender: Callable, case: str, seed: int, seconds: float) -> dict:
    ready(contender, case)
    cost, used = contender(case, seed, seconds)
    return {"cost": float(cost), "seconds": float(used)}


def plan(part: Part, seeds: int) -> dict[str, Callable]:
    """Let the contenders take turns on each case and seed."""
    return {
        f"{case}/{name}/{seed}": functools.partial(measured, contender, case, seed, seconds)
        for case, seconds in part.cases.items()
        for seed in range(seeds)
        for name, contender in installed(part).items()
        if part.applies(name, case)
    }


class Results:
    """The final costs of a case by contender, as gaps to the best cost."""

    def __init__(self, part: Part, case: str, found: dict, seeds: int):
        self.part, self.case = part, case
        costs: dict[str, list[float]] = {}
        self.seconds: dict[str, float] = {}
        for name in part.contenders:
            runs = [found.get(f"{case}/{name}/{seed}") for seed in range(seeds)]
            if all(runs):
                costs[name] = [run["cost"] for run in runs]
                self.seconds[name] = float(np.median([run["seconds"] for run in runs]))
        self.best = min(min(each) for each in costs.values())
        self.known = part.best_known(case)
        if self.known is not None:
            self.best = min(self.best, self.known)
        self.gaps = {name: [self._gap(cost) for cost in each] for name, each in costs.items()}
        self.hits = (
            {}
            if self.known is None
            else {
                name: sum(cost <= self.known + 1e-6 for cost in each)
                for name, each in costs.items()
            }
        )

    def _gap(self, cost: float) -> float:
        """Return the gap to the best cost. Gaps within rounding are 0, so equal costs are ties."""
        gap = cost - self.best if self.part.absolute else 100 * (cost / self.best - 1)
        if self.best < 0 and not self.part.absolute:
            gap = 100 * (cost - self.best) / -self.best
        return 0.0 if gap <= self.part.rounding else float(gap)

    def told(self, name: str) -> str:
        if name not in self.gaps:
            return "–"
        ordered = np.sort(self.gaps[name])
        at = ranks(len(ordered))
        low, high = ordered[max(at.low, 1) - 1], ordered[min(at.high, len(ordered)) - 1]
        took = f", {self.seconds[name]:.2g} s" if self.slow(name) else ""
        return f"{short(np.median(ordered))} [{short(low)}–{short(high)}]{took}"

    def slow(self, name: str) -> bool:
        """Return True if a contender used more than 1.5 times the case's limit of CPU time."""
        return self.seconds[name] > 1.5 * self.part.cases[self.case]


def short(gap: float) -> str:
    """Format a gap with two significant digits, or more if it is 100 or above."""
    return f"{gap:.0f}" if gap >= 100 else f"{gap:.2g}"


def write(key: str, part: Part, found: dict, seeds: int) -> None:
    names = installed(part)
    packages = dict.fromkeys(part.packages[name] for name in names if name in part.packages)
    missing = [name for name in part.contenders if name not in names]
    report = Report(
        f"Rivals: {part.title}",
        f"{part.what} n = {seeds} seeds, each with the same CPU time on one thread. prviz "
        f"{prviz.__version__}, "
        + ", ".join(f"{each} {version(each)}" for each in packages)
        + f"; Python {platform.python_version()}, {platform.machine()}.",
        *([f"Not installed, and left out: {', '.join(missing)}."] if missing else []),
    )
    results = [Results(part, case, found, seeds) for case in part.cases]
    unit = part.unit if part.absolute else "per cent of the best cost"
    report.table(
        f"Gap to the best, {unit}: median [95 % interval]",
        ["data", "s a run", *names],
        [[r.case, f"{part.cases[r.case]:g}", *(r.told(name) for name in names)] for r in results],
        f"The best cost is the lowest that any contender found here{part.best_note}. 0: equal up "
        "to rounding. If a method cannot stop in time and uses more than 1.5 times the limit, its "
        "time is shown after the gap.",
    )
    if part.counts_hits:
        report.table(
            "Runs that reached the best known value",
            ["data", *names],
            [[r.case, *(str(r.hits.get(name, "–")) for name in names)] for r in results],
            f"Number out of {seeds} runs.",
        )
    gaps = {r.case: r.gaps for r in results}
    groups = {
        group: {name: [gap for case in cases for gap in gaps[case][name]] for name in names}
        for group, cases in part.groups.items()
    }
    for ours in part.ours:
        rivals = [name for name in names if name not in part.ours]
        report_verdict(report, f"{ours}, against each rival", gaps, ours, rivals)
        if groups:
            title = f"{ours}, against each rival, on groups of data"
            report_verdict(report, title, groups, ours, rivals)
    if why := tomllib.loads((HERE / "rivals_why.toml").read_text()).get(key):
        report.text("Goal", why.strip())
    report.write(f"rivals_{key}")


def report_verdict(
    report: Report, title: str, gaps: dict[str, dict[str, list]], ours: str, rivals: list[str]
) -> None:
    tests = {
        (row, rival): sign_test(found[ours], found[rival])
        for row, found in gaps.items()
        for rival in rivals
        if ours in found and rival in found
    }
    said = dict(zip(tests, judged([*tests.values()]), strict=True))
    won, lost = (sum(text.startswith(word) for text in said.values()) for word in ("wins", "loses"))
    report.table(
        title,
        ["data", *rivals],
        [[row, *(said.get((row, rival), "–") for rival in rivals)] for row in gaps],
        f"Runs won : lost; ties count for neither. Sign test; {CHANCE} Significant wins: {won} of "
        f"{len(said)} comparisons; significant losses: {lost}.",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", choices=PARTS, help="only these problems")
    parser.add_argument("--seeds", type=int, default=10, help="seeds per contender (10)")
    parser.add_argument("--fresh", action="store_true", help="discard earlier measurements")
    given = parser.parse_args()
    for key in given.only or PARTS:
        module = importlib.import_module(PARTS[key])
        which = {"cuts_long": "LONG", "cuts_minute": "MINUTE"}
        part = getattr(module, which.get(key, "PART"))
        settings = {"cases": part.cases, "contenders": [*installed(part)]}
        pieces = Pieces(f"rivals_{key}", settings, given.fresh)
        write(key, part, pieces.measure(plan(part, given.seeds)), given.seeds)


if __name__ == "__main__":
    main()
