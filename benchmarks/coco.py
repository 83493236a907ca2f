"""Compare ``prviz.minimize`` with its rivals on COCO's suite bbob, in 5 and 20 dimensions.

Needs ``pip install -r benchmarks/requirements-coco.txt``. The suite has 24 functions. COCO counts
evaluations and writes its usual files below ``benchmarks/.resume/coco``. ``cocopp`` computes the
expected running times. Contenders get the bounds, but no starting point. A contender that ends
with evaluations left starts again.
"""

from __future__ import annotations

import argparse
import functools
import math
import platform
import shutil
import time
import warnings
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy
from common import HERE, Pieces, Report
from scipy import optimize
from threadpoolctl import threadpool_limits

import prviz

INSTANCES = 5
DIMENSIONS = (5, 20)
#: Evaluations per dimension.
BUDGET = 1000
GROUPS = {
    "separable, f1–f5": range(1, 6),
    "moderate, f6–f9": range(6, 10),
    "ill-conditioned, f10–f14": range(10, 15),
    "multimodal, f15–f19": range(15, 20),
    "weak structure, f20–f24": range(20, 25),
}
#: Differences to the optimum, from 100 to 1e-8, as in COCO's profiles.
TARGETS = 10.0 ** np.linspace(2, -8, 51)
#: Targets in the tables of single functions.
SHOWN = (1e-1, 1e-7)
LOGS = HERE / ".resume" / "coco"
OURS = "prviz"


class Spent(Exception):
    """All evaluations are spent, or COCO's last target is hit."""


class Counted:
    """A problem of COCO that counts its evaluations and raises Spent at the end."""

    def __init__(self, problem: Any):
        self.problem, self.left = problem, BUDGET * problem.dimension
        self.bounds = list(zip(problem.lower_bounds, problem.upper_bounds, strict=True))

    def __call__(self, x: np.ndarray) -> float:
        if self.left <= 0 or self.problem.final_target_hit:
            raise Spent
        self.left -= 1
        return float(self.problem(x))

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        return rng.uniform(*np.array(self.bounds).T)


def partial(f: Counted, rng: np.random.Generator) -> None:
    found = prviz.minimize(f, bounds=f.bounds, seed=int(rng.integers(2**31)), maxfev=f.left)
    if "Spent" in found.message or f.left <= 0:
        raise Spent


def bipop(f: Counted, rng: np.random.Generator) -> None:
    import cma

    options = {"bounds": [-5, 5], "verbose": -9, "seed": int(rng.integers(1, 2**31))}
    cma.fmin2(f, lambda: f.draw(rng), 2.0, options, restarts=9, bipop=True)


def annealing(f: Counted, rng: np.random.Generator) -> None:
    optimize.dual_annealing(f, f.bounds, maxiter=f.left, maxfun=f.left, rng=rng)


def hopping(f: Counted, rng: np.random.Generator) -> None:
    local = {"method": "L-BFGS-B", "bounds": f.bounds}
    optimize.basinhopping(
        f, f.draw(rng), niter=f.left, stepsize=1.0, minimizer_kwargs=local, rng=rng
    )


def evolution(f: Counted, rng: np.random.Generator) -> None:
    optimize.differential_evolution(f, f.bounds, maxiter=f.left, rng=rng)


def direct(f: Counted, rng: np.random.Generator) -> None:
    """Run DIRECT once: it uses no random numbers, so a second run would repeat the first."""
    optimize.direct(
        f, f.bounds, maxfun=f.left, maxiter=10**6, locally_biased=False, vol_tol=0, len_tol=1e-12
    )
    raise Spent


def multistart(f: Counted, rng: np.random.Generator) -> None:
    optimize.minimize(f, f.draw(rng), method="L-BFGS-B", bounds=f.bounds)


CONTENDERS: dict[str, Callable] = {
    OURS: partial,
    "BIPOP-CMA-ES": bipop,
    "dual annealing": annealing,
    "basin hopping": hopping,
    "differential evolution": evolution,
    "DIRECT": direct,
    "multistart L-BFGS-B": multistart,
}


def log_folder(name: str, dimension: int, function: int) -> str:
    return f"{name.replace(' ', '-')}/d{dimension:02}-f{function:02}"


def measure(name: str, dimension: int, function: int) -> dict:
    """Let a contender search all instances of a function, logged by COCO; return the CPU time."""
    import cocoex

    folder = log_folder(name, dimension, function)
    shutil.rmtree(LOGS / folder, ignore_errors=True)
    (LOGS / folder).parent.mkdir(parents=True, exist_ok=True)
    chosen = f"dimensions:{dimension} function_indices:{function} instance_indices:1-{INSTANCES}"
    options = f'outer_folder:"{LOGS}" result_folder:"{folder}" algorithm_name:"{name}"'
    observer = cocoex.Observer("bbob", options)
    began = time.thread_time()
    for problem in cocoex.Suite("bbob", "", chosen):
        problem.observe_with(observer)
        rng = np.random.default_rng(zlib.crc32(f"{problem.id}/{name}".encode()))
        f = Counted(problem)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                while True:
                    CONTENDERS[name](f, rng)
        except Spent:
            pass
        problem.free()
    return {"seconds": time.thread_time() - began}


def plan(names: list[str], dimensions: list[int]) -> dict[str, Callable[[], dict]]:
    return {
        f"{name}/{dimension}/{function}": functools.partial(measure, name, dimension, function)
        for dimension in dimensions
        for function in range(1, 25)
        for name in names
    }


# The results, from COCO's files


def data_sets(names: list[str]) -> dict[tuple[str, int, int], Any]:
    """Read COCO's files; return cocopp's data sets by contender, dimension and function."""
    import cocopp

    found = {}
    for name in names:
        for each in cocopp.load(str(LOGS / name.replace(" ", "-"))):
            found[name, each.dim, each.funcId] = each
    return found


def running_times(each: Any) -> np.ndarray:
    """Return COCO's expected running time for every target."""
    return np.array(each.detERT(TARGETS), float)


def solved(each: Any) -> float:
    """Return the share of targets that were reached, over all instances."""
    return float(np.mean(~np.isnan(np.array(each.detEvals(TARGETS), float))))


def profile(each: Any) -> float:
    """Return the area under COCO's data profile: the share of targets, over log evaluations."""
    reached = np.array(each.detEvals(TARGETS), float).ravel()
    first, last = math.log(each.dim), math.log(BUDGET * each.dim)
    after = np.log(np.maximum(np.where(np.isnan(reached), np.inf, reached), each.dim))
    return float(np.mean(np.clip((last - after) / (last - first), 0.0, 1.0)))


def ratio(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Return the geometric mean of ratios of running times, over the targets reached by both."""
    both = np.isfinite(ours) & np.isfinite(theirs)
    return float(np.exp(np.mean(np.log(ours[both] / theirs[both])))) if both.any() else math.nan


def report_groups(report: Report, found: dict, names: list[str], dimension: int) -> None:
    rows = []
    for group, functions in GROUPS.items():
        shares = {
            name: np.mean([solved(found[name, dimension, f]) for f in functions]) for name in names
        }
        areas = {
            name: np.mean([profile(found[name, dimension, f]) for f in functions]) for name in names
        }
        best = max(areas.values())
        rows.append(
            [
                group,
                *(
                    f"{'**' if areas[name] == best else ''}{areas[name]:.2f}"
                    f"{'**' if areas[name] == best else ''}, {shares[name]:.0%}"
                    for name in names
                ),
            ]
        )
    report.table(f"{dimension} dimensions: data profiles", ["functions", *names], rows)


def report_functions(report: Report, found: dict, names: list[str], dimension: int) -> None:
    rows = []
    for function in range(1, 25):
        cells = []
        for name in names:
            each = found[name, dimension, function]
            expected = np.array(each.detERT(SHOWN), float)
            if np.isfinite(expected[1]):
                cells.append(f"{expected[1]:.3g}")
            elif np.isfinite(expected[0]):
                cells.append(f"({expected[0]:.3g})")
            else:
                cells.append("–")
        rows.append([f"f{function}", *cells])
    report.table(
        f"{dimension} dimensions: expected running time to target {SHOWN[1]:g}",
        ["function", *names],
        rows,
        f"Evaluations, computed by cocopp. In brackets: evaluations to target {SHOWN[0]:g}, if "
        f"{SHOWN[1]:g} was not reached. –: neither was reached.",
    )


def report_ratios(report: Report, found: dict, names: list[str], dimension: int) -> None:
    rows = []
    for group, functions in GROUPS.items():
        cells = []
        for name in names[1:]:
            ours, theirs = (
                np.concatenate([running_times(found[who, dimension, f]) for f in functions])
                for who in (OURS, name)
            )
            cells.append(f"{ratio(ours, theirs):.2g}")
        rows.append([group, *cells])
    report.table(
        f"{dimension} dimensions: running time of prviz, divided by each rival's",
        ["functions", *names[1:]],
        rows,
        "Geometric mean of the ratios over the targets that prviz and the rival reach; below 1, "
        "prviz is faster.",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", nargs="*", choices=CONTENDERS, help="measure only these and write no report"
    )
    parser.add_argument("--dimension", type=int, choices=DIMENSIONS, help="only with --only")
    parser.add_argument("--report", action="store_true", help="report what has been measured")
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    options = parser.parse_args()
    names = options.only or list(CONTENDERS)
    dimensions = [options.dimension] if options.dimension else list(DIMENSIONS)
    if not options.report:
        with threadpool_limits(1):
            for name in names:
                kept = Pieces(f"coco-{name.replace(' ', '-')}", {"budget": BUDGET}, options.fresh)
                kept.measure(plan([name], dimensions))
    if not options.only:
        write_report(names)


def write_report(names: list[str]) -> None:
    found = data_sets(names)
    report = Report(
        "COCO's bbob: prviz.minimize and its rivals",
        f"24 functions, {INSTANCES} instances each, {BUDGET} evaluations per dimension, values "
        f"only. Python {platform.python_version()}, SciPy {scipy.__version__}, NumPy "
        f"{np.__version__}. The step sizes of prviz, and the share of evaluations for each kind of "
        "step, were chosen on some of these instances. Expect somewhat worse results on other "
        "instances.",
        "Each cell of the profiles shows two numbers. The first is the area under COCO's data "
        "profile over the logarithm of evaluations (1 is best; the best of a row is bold). The "
        "second is the share of targets reached. The 51 targets are 100 to 1e-8 above the optimum.",
    )
    for dimension in DIMENSIONS:
        report_groups(report, found, names, dimension)
        report_ratios(report, found, names, dimension)
        report_functions(report, found, names, dimension)
    report.write("coco")


if __name__ == "__main__":
    main()
