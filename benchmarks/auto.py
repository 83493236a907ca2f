"""Compare ``k1="auto"`` with the default setting and full restarts at equal iterations.

On the problems that were not used to design ``auto``, it is also compared with the best fixed
setting that ``prviz.tune`` finds. Iterations of the local optimiser are counted, so the load of the
machine does not matter.
"""

from __future__ import annotations

import argparse
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from common import Pieces, Report

import prviz
from prviz.experiments.statistics.wording import amount, signed, span

SEEDS = 100
FEW_SEEDS = 10  # on the problems used to design auto, and on SLOWEST
FIRST_SEED = 1000  # tuning uses the seeds from 0 on
RUNGS = (5, 10)
SAME = 1e-6  # a cost this close to the target reaches it
CONTENDERS: dict[str, dict[str, Any]] = {
    "auto": {"k1": "auto"},
    "default": {"k1": 1, "m1": 100},
    "full": {"k1": "all"},
}
TEXT = (
    "a search that is stuck keeps most of what it has found and draws a few of its variables "
    "again then it descends and keeps the result if that is no worse than before this costs less "
    "than a new start and often finds more"
)


def letters(n: int) -> Any:
    """Return a hidden Markov model with 8 states for the first characters of a text."""
    return prviz.hmm(np.unique(list(TEXT[:n]), return_inverse=True)[1], 8)


def clouds(n: int, d: int, k: int, seed: int, spread: float) -> np.ndarray:
    """Return random points around k centres."""
    rng = np.random.default_rng(seed)
    centers = rng.random((k, d))
    return centers[rng.integers(k, size=n)] + spread * rng.normal(size=(n, d))


def distances(points: np.ndarray) -> np.ndarray:
    return np.sqrt(((points[:, None] - points[None]) ** 2).sum(-1))


def table(name: str) -> np.ndarray:
    """Return a data set of scikit-learn with columns of mean 0 and standard deviation 1."""
    from sklearn import datasets

    values = getattr(datasets, f"load_{name}")().data
    return (values - values.mean(0)) / np.where(values.std(0) > 0, values.std(0), 1.0)


def glass(*shape: int, couplings: str = "gaussian", draw: int = 0) -> Any:
    lattice = prviz.datasets.torus(shape, couplings, draw)
    return prviz.ising(lattice, optimiser="descent")


#: For each problem: a function that makes it, and the iterations per run. DESIGN was used to
#: design ``auto``.
DESIGN: dict[str, tuple[Callable[[], Any], int]] = {
    "k-means, A3-like, k = 50": (
        lambda: prviz.kmeans(prviz.datasets.a3_like().points, 50),
        12_000,
    ),
    "k-means, 1000 points in 5-d, k = 15": (
        lambda: prviz.kmeans(clouds(1000, 5, 15, 7, 0.15), 15),
        15_000,
    ),
    "k-medoids, 300 points, k = 20": (
        lambda: prviz.kmedoids(distances(clouds(300, 2, 20, 1, 0.05)), 20),
        15_000,
    ),
    "landscape, 10-d": (lambda: prviz.landscape(10), 60_000),
    "landscape, 6-d, rotated": (lambda: prviz.landscape(6, rotated=True), 60_000),
    "glass, 4 × 4 × 4": (lambda: glass(4, 4, 4), 30_000),
    "glass, 6 × 6 × 6": (lambda: glass(6, 6, 6), 300_000),
}
FRESH: dict[str, tuple[Callable[[], Any], int]] = {
    "HMM, 32 bits, 10 states": (lambda: prviz.hmm(prviz.datasets.bits(32), 10), 20_000),
    "k-means, wine, k = 12": (lambda: prviz.kmeans(table("wine"), 12), 15_000),
    "k-means, iris, k = 10": (lambda: prviz.kmeans(table("iris"), 10), 15_000),
    "k-medoids, wine, k = 12": (lambda: prviz.kmedoids(distances(table("wine")), 12), 10_000),
    "k-medoids, iris, k = 8": (lambda: prviz.kmedoids(distances(table("iris")), 8), 5_000),
    "landscape, 8-d, ripple 20": (lambda: prviz.landscape(8, 20.0), 60_000),
    "landscape, 4-d, rotated": (lambda: prviz.landscape(4, rotated=True, seed=3), 30_000),
    "glass, 5 × 5 × 5, signs": (lambda: glass(5, 5, 5, couplings="signs", draw=1), 100_000),
    "glass, 12 × 12": (lambda: glass(12, 12, draw=2), 100_000),
    "RBM, 4 patterns, 6 hidden units": (
        lambda: prviz.rbm(prviz.datasets.patterns(40), 6, epochs=100),
        20_000,
    ),
    "HMM, text of 128 characters, 8 states": (lambda: letters(128), 20_000),
    "HMM, text of 200 characters, 8 states": (lambda: letters(200), 20_000),
}
HEAD = ["problem", "iterations", *CONTENDERS, "auto is lower than the default"]
HEAD += ["work of auto / default", "work of auto / full", "CPU s, auto / default"]
#: Not tuned, because tuning and 100 seeds take ten minutes of CPU time.
SLOWEST = "HMM, text of 200 characters, 8 states"
TUNED = [name for name in FRESH if name != SLOWEST]
GOAL_HEAD = ["problem", "target", "best fixed setting", "hits: auto / tuned / full / default"]
GOAL_HEAD += ["auto / tuned", "≤ 1.5", "auto / full", "≤ 2", "auto / default", "< 1"]
WHY = (
    "Auto misses the first goal because each run tries several sizes. Until the first improvement, "
    "all sizes get equal work, and the restarts follow Luby's sequence. The best fixed settings "
    "redraw one size and restart rarely or never; tuning finds them in 110 runs or more."
)
GOALS = {"tuned": 1.5, "full": 2.0, "default": 1.0}


def tuned(problem: Any, work: int) -> tuple[dict[str, Any], str, float]:
    """Return the best fixed setting, its name, and the target cost.

    The first tuning finds the target: the median cost of its best setting after ``work``
    iterations. The second tuning finds the setting that reaches the target with the least work.
    """
    common: dict[str, Any] = {"work": work, "check": 0, "workers": 1}
    common |= {"store": None, "progress": False}
    first = prviz.tune(problem, rungs=RUNGS[:1], **common)
    ends = [float(run.best.min()) for run in first.runs[first.leader].values()]
    target = float(np.median(ends))
    target += SAME * max(1.0, abs(target))
    second = prviz.tune(problem, rungs=RUNGS, target=target, **common)
    return dict(second.best), second.cells[second.leader].name, target


def measured(make: Callable[[], Any], work: int, seeds: int, tuning: bool) -> dict[str, Any]:
    problem = make()
    contenders = dict(CONTENDERS)
    for settings in contenders.values():
        prviz.run(problem, calls=2, **settings)  # compile the kernels
    setting, target = "", 0.0
    if tuning:
        contenders["tuned"], setting, target = tuned(problem, work)
    chosen = range(FIRST_SEED, FIRST_SEED + seeds) if tuning else seeds
    found = prviz.compare(problem, contenders, seeds=chosen, work=work, workers=1, progress=False)
    ends = {name: found.curve(name, [work]) for name in CONTENDERS}
    costs = {
        name: [float(each[0]) for each in (end.median, end.low, end.high)]
        for name, end in ends.items()
    }
    chance = found.chance("auto", "default")
    ratios = {name: interval_of(found, name, costs[name][0]) for name in ("default", "full")}
    cpu = {name: sum(run.end_seconds for run in runs) for name, runs in found.runs.items()}
    chances = [chance.chance, chance.low, chance.high]
    of = {"work": work, "costs": costs, "chance": chances, "ratios": ratios, "cpu": cpu}
    if not tuning:
        return of
    erts = {name: interval_of(found, name, target) for name in GOALS}
    hits = {name: found.hits(name, target).successes for name in contenders}
    return {**of, "setting": setting, "target": target, "erts": erts, "hits": hits}


def interval_of(found: prviz.Comparison, rival: str, target: float) -> list[float]:
    """Return auto's work until the target cost, divided by the rival's, and the 95 % interval."""
    ratio = found.ert_ratio("auto", rival, target)
    return [ratio.ratio, ratio.low, ratio.high]


def interval(values: list[float]) -> str:
    """Format a ratio and its interval. The ratio is NaN if neither method hit the target."""
    middle, *ends = (f"{value:.2g}".replace("inf", "∞") for value in values)
    return f"{middle.replace('nan', 'unknown')} [{span(*ends)}]"


def row(name: str, of: dict[str, Any]) -> list[str]:
    costs = [
        f"{signed(middle)} [{span(signed(low), signed(high))}]"
        for middle, low, high in of["costs"].values()
    ]
    ratios = [interval(of["ratios"][rival]) for rival in ("default", "full")]
    cpu = f"{of['cpu']['auto']:.1f} / {of['cpu']['default']:.1f}"
    return [name, amount(of["work"]), *costs, interval(of["chance"]), *ratios, cpu]


def verdict(found: list[dict[str, Any]]) -> str:
    better = sum(of["chance"][1] > 0.5 for of in found)
    worse = sum(of["chance"][2] < 0.5 for of in found)
    within = sum(of["ratios"]["full"][0] <= 2 for of in found)
    return (
        f"At the end, auto is significantly better than the default on {better} of {len(found)} "
        f"problems and significantly worse on {worse}. Auto reaches the median cost of full "
        f"restarts with at most twice their work on {within} of {len(found)} problems."
    )


def judged(ratio: list[float], limit: float) -> str:
    """Return "yes" or "no" for a goal, and ", open" if the interval contains the limit."""
    middle, low, high = ratio
    word = "yes" if middle <= limit else "no"
    return f"{word}, open" if low <= limit < high else word


def goal_row(name: str, of: dict[str, Any]) -> list[str]:
    cells = []
    for rival, limit in GOALS.items():
        cells += [interval(of["erts"][rival]), judged(of["erts"][rival], limit)]
    hits = " / ".join(str(of["hits"][each]) for each in ("auto", *GOALS))
    return [name, signed(of["target"]), of["setting"], hits, *cells]


def goal_verdict(found: list[dict[str, Any]]) -> str:
    n = len(found)
    met = {
        rival: sum(of["erts"][rival][0] <= limit for of in found) for rival, limit in GOALS.items()
    }
    shown = {
        rival: sum(of["erts"][rival][2] <= limit for of in found) for rival, limit in GOALS.items()
    }
    return (
        "Number of problems that meet each goal (in brackets: whose whole interval meets it): "
        f"{met['tuned']} ({shown['tuned']}) of {n} take at most 1.5 times the work of the best "
        f"fixed setting, {met['full']} ({shown['full']}) at most twice the work of full restarts, "
        f"and {met['default']} ({shown['default']}) less work than the default (goal: 90 %)."
    )


def report_goals(report: Report, done: dict[str, dict[str, Any]], seeds: int) -> None:
    fresh = [done[name] for name in TUNED]
    report.table(
        "Goals: expected work until a target",
        GOAL_HEAD,
        [goal_row(name, done[name]) for name in TUNED],
        f"The best fixed setting is the one that `prviz.tune` finds on its default grid with "
        f"{RUNGS[0]} to {RUNGS[-1]} seeds; the work of tuning is not counted. The target is the "
        f"median final cost of the best setting on the first {RUNGS[0]} seeds. All contenders then "
        f"run from {seeds} fresh seeds. "
        f"Ratios are of expected iterations (ERT) with 95 % intervals. Open: the interval contains "
        f"the limit. {goal_verdict(fresh)}\n\n{WHY}",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument(
        "--tuning",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="also compare with tuned settings, which takes most of the time",
    )
    given = parser.parse_args()
    seeds, tuning = given.seeds, given.tuning
    groups = {"Problems used to design auto": DESIGN, "Problems not used to design auto": FRESH}
    few = min(seeds, FEW_SEEDS)
    plan = {
        name: functools.partial(
            measured, make, work, seeds if name in TUNED else few, tuning and name in TUNED
        )
        for name, (make, work) in (DESIGN | FRESH).items()
    }
    works = {name: work for name, (_, work) in (DESIGN | FRESH).items()}
    done = Pieces("auto", {"seeds": seeds, "works": works, "tuning": tuning}).measure(plan)
    report = Report(
        'The search chooses: `k1="auto"`',
        f"Best cost after equal iterations of the local optimiser: median of n seeds with 95 % "
        f"interval. n = {few} for the problems used to design auto and for {SLOWEST}; n = {seeds} "
        f"for the others. Default: k₁ = 1, M₁ = 100. Full: every call is a restart.",
        "The column *auto is lower than the default* has the probability that a run of auto ends "
        "lower; ties count half. The columns *work of auto / …* compare auto with "
        "another setting: expected iterations to the other setting's median final cost, auto's "
        "divided by the other's.",
    )
    for title, problems in groups.items():
        found = [done[name] for name in problems]
        report.table(title, HEAD, [row(name, done[name]) for name in problems], verdict(found))
    if tuning:
        report_goals(report, done, seeds)
    report.write("auto")


if __name__ == "__main__":
    main()
