"""Compare tuning with the full grid, tune other problems, and time the page Tuning.

Run ``python benchmarks/tuning.py``. It writes ``results/tuning.md``. Runs are stored in a file, so
that a stopped benchmark resumes. Use a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path

import numpy as np
from common import Report
from player import CHROMIUM, LOADED, Server
from playwright.sync_api import Page, sync_playwright

import prviz
from prviz import datasets
from prviz.experiments.runs.as_completed import finished
from prviz.experiments.runs.improvements import Improvements
from prviz.experiments.runs.runner import Budget
from prviz.experiments.runs.store import Shelf, Store
from prviz.experiments.runs.workers import workers_of
from prviz.experiments.statistics.fixed_target import ert, hits_of
from prviz.experiments.statistics.wording import amount, between
from prviz.experiments.tuning.halving import RUNGS, Halving
from prviz.experiments.tuning.ranking import scores
from prviz.experiments.tuning.tuner import Cell, smaller_m1
from prviz.player.batch.sweep import Sweep
from prviz.tune import cells_of, grid, name_of, tune

GOAL = 1e-5  # gap to the best known cost that counts as solved
WORK = 3000  # iterations of a run in the recorded table
TOP = RUNGS[-1]


# ---- against the full grid


def recorded(store: Path, repeats: int) -> tuple[list[list[Improvements]], list[Cell], float]:
    """Return the runs of each cell for all seeds (computed once, then stored), cells and target."""
    points = datasets.a3_like()
    problem = prviz.kmeans(points.points, 50)
    cells, _, _ = cells_of(problem, grid(problem))
    target = points.best_known * (1 + GOAL)
    budget = Budget("iterations", WORK, target)
    pool = workers_of(None)
    seeds = range(repeats * TOP)
    with closing(Store(store)) as opened:
        shelf = Shelf(opened, problem, {c.name: c.contender for c in cells}, budget, pool)
        known = shelf.find_runs((cell.name, seed) for seed in seeds for cell in cells)
        missing = [
            ((cell.name, seed), cell.contender, seed)
            for seed in seeds
            for cell in cells
            if (cell.name, seed) not in known
        ]
        for i, (at, run) in enumerate(finished(problem, missing, budget, pool.number)):
            shelf.keep_run(*at, run)
            known[at] = run
            if i % 500 == 0:
                print(f"\r  table: {i} of {len(missing)} runs", end="", flush=True)
    print()
    return [[known[cell.name, seed] for seed in seeds] for cell in cells], cells, target


def halved(
    table: list[list[Improvements]], cells: list[Cell], target: float, stay: set[int]
) -> tuple[int, float]:
    """Tune on a block of seeds; return the winner, and the tuning's share of the full grid's work.

    As in ``prviz.tune``, settings that differ only in M₁ share a run that is too short to restart.
    """
    halving = Halving(len(table), stay)
    smaller = smaller_m1([cell.contender for cell in cells])
    work = 0.0
    for wanted in halving.asks():
        for cell, seed in sorted(wanted, key=lambda at: len(smaller[at[0]])):
            run = table[cell][seed]
            there = (o for o, m in smaller[cell] if table[o][seed].end_calls <= m)
            if not any(seed in halving.scored[other] for other in there):
                work += run.end_iterations
            (score,) = scores([run], target).tolist()
            halving.take(cell, seed, tuple(score))
    return halving.leader, work / sum(run.end_iterations for runs in table for run in runs)


def against_the_full_grid(report: Report, store: Path, repeats: int) -> None:
    table, cells, target = recorded(store, repeats)
    names = [cell.name for cell in cells]
    rows, shares, within = [], [], 0
    usual = names.index("k₁ = 1, M₁ = 100")
    for repeat in range(repeats):
        block = [runs[repeat * TOP : (repeat + 1) * TOP] for runs in table]
        found = [ert(hits_of(runs, target)) for runs in block]
        best = int(np.argmin([each.work for each in found]))
        winner, share = halved(block, cells, target, {usual, len(names) - 1})
        shares.append(share)
        inside = found[winner].work <= found[best].high
        within += inside
        rows.append(
            [
                f"{repeat}",
                f"{share:.0%}",
                f"{names[winner]}: {amount(found[winner].work)}",
                f"{names[best]}: {amount(found[best].work)} "
                f"{between(found[best].low, found[best].high)}",
                "yes" if inside else "no",
            ]
        )
    head = ["repeat", "work", "winner, ERT", "the full grid's best, ERT", "within its interval"]
    report.table(
        f"k-means on A3-like: {len(names)} settings, rungs {', '.join(map(str, RUNGS))}, "
        f"{WORK} iterations a run",
        head,
        rows,
    )
    rows = [
        ["work, % of the full grid", "≤ 35 %", f"{np.mean(shares):.0%}", f"{max(shares):.0%}"],
        ["winner within the interval", "≥ 9 of 10", f"{within} of {repeats}", ""],
    ]
    report.table("Against the full grid", ["what", "goal", "mean", "worst"], rows)
    beside_others(report, table, cells, target, repeats)


# ---- other tuning methods with the same work, on the same runs


class Bill:
    """A table of runs, which counts the work of each run at its first request."""

    def __init__(self, table: list[list[Improvements]], target: float, most: float):
        self._table, self._target, self._most = table, target, most
        self._seen: dict[tuple[int, int], float] = {}
        self.spent = 0.0

    @property
    def over(self) -> bool:
        return self.spent >= self._most

    def cost(self, cell: int, seed: int) -> float:
        """Return the work until the target; ten budgets (PAR10) if the run missed it.

        Add the work of a new run to ``spent``."""
        if (cell, seed) not in self._seen:
            run = self._table[cell][seed]
            self.spent += run.end_iterations
            missed = run.best.min() > self._target
            self._seen[cell, seed] = 10.0 * WORK if missed else run.end_iterations
        return self._seen[cell, seed]


def raced(bill: Bill, cells: int) -> int:
    """Tune as irace does: Friedman's test from the fifth seed on, and ranks against the best.

    Birattari, Stützle, Paquete and Varrentrapp (2002), with seeds as blocks.
    """
    from scipy.stats import f as fisher
    from scipy.stats import rankdata
    from scipy.stats import t as student

    alive = list(range(cells))
    best = 0
    for seed in range(TOP):
        costs = [[bill.cost(cell, s) for s in range(seed + 1)] for cell in alive]
        ranks = np.apply_along_axis(rankdata, 0, np.array(costs))
        best = alive[int(np.argmin(ranks.sum(axis=1)))]
        if bill.over or len(alive) == 1:
            break
        k, n = ranks.shape
        if n < 5:
            continue
        sums, squares = ranks.sum(axis=1), float((ranks**2).sum())
        middle = n * k * (k + 1) ** 2 / 4
        if squares <= middle:
            continue
        friedman = (k - 1) * float(((sums - n * (k + 1) / 2) ** 2).sum()) / (squares - middle)
        rest = n * (k - 1) - friedman
        if rest <= 0 or (n - 1) * friedman / rest < fisher.ppf(0.95, k - 1, (n - 1) * (k - 1)):
            continue
        spread = 2 * (n * squares - float((sums**2).sum())) / ((n - 1) * (k - 1))
        apart = student.ppf(0.975, (n - 1) * (k - 1)) * np.sqrt(max(spread, 0.0))
        alive = [
            cell for cell, total in zip(alive, sums, strict=True) if total - sums.min() <= apart
        ]
    return best


def intensified(bill: Bill, cells: int, first: int, rng: np.random.Generator) -> int:
    """Tune as SMAC does: challengers against an incumbent on more and more of its seeds.

    Hutter, Hoos and Leyton-Brown (2011), procedure 2, with mean PAR10. The grid, in random order,
    supplies the challengers.
    """
    incumbent, seeds = first, 1
    while not bill.over:
        for challenger in rng.permutation(cells):
            if bill.over:
                break
            seeds = min(TOP, seeds + 1)
            [bill.cost(incumbent, seed) for seed in range(seeds)]
            if challenger == incumbent:
                continue
            tried = 1
            while not bill.over:
                theirs = np.mean([bill.cost(challenger, seed) for seed in range(tried)])
                ours = np.mean([bill.cost(incumbent, seed) for seed in range(tried)])
                if theirs > ours:
                    break
                if tried == seeds:
                    incumbent = int(challenger)
                    break
                tried = min(seeds, 2 * tried)
        if seeds == TOP:
            break
    return incumbent


def beside_others(
    report: Report, table: list[list[Improvements]], tried: list[Cell], target: float, repeats: int
) -> None:
    truth = np.array([ert(hits_of(runs, target)).work for runs in table])
    usual, cells = [cell.name for cell in tried].index("k₁ = 1, M₁ = 100"), len(tried)
    found: dict[str, list[tuple[float, float]]] = {}
    for repeat in range(repeats):
        block = [runs[repeat * TOP : (repeat + 1) * TOP] for runs in table]
        whole = sum(run.end_iterations for runs in block for run in runs)
        winner, share = halved(block, tried, target, {usual, cells - 1})
        rng = np.random.default_rng(repeat)
        bills = [Bill(block, target, share * whole) for _ in range(2)]
        of_others = raced(bills[0], cells), intensified(bills[1], cells, usual, rng)
        results = zip((winner, *of_others), (share * whole, *(b.spent for b in bills)), strict=True)
        recipes = "prviz.tune", "irace's method", "SMAC's method"
        for recipe, (cell, spent) in zip(recipes, results, strict=True):
            found.setdefault(recipe, []).append((truth[cell] / truth.min(), spent / whole))
    rows = [
        [
            recipe,
            f"{np.mean([regret for regret, _ in each]):.2f}",
            f"{max(regret for regret, _ in each):.2f}",
            f"{np.mean([share for _, share in each]):.0%}",
        ]
        for recipe, each in found.items()
    ]
    head = ["method", "ERT of its winner / lowest ERT, mean", "worst", "work, % of the full grid"]
    report.table(
        f"Methods of tuning on the same runs, in {repeats} repetitions. No method does more work "
        f"than prviz.tune. ERT from {repeats * TOP} runs per setting",
        head,
        rows,
    )


# ---- on real problems


def problems() -> dict:
    """Return the problems with their targets and the paper's settings."""
    points = datasets.a3_like()
    digits = datasets.dissimilarity(datasets.digits900().points, "sqeuclidean")
    rows = datasets.patterns().examples
    paper = {"k1": 8, "m1": 8000}
    return {
        "k-means, A3-like": (
            prviz.kmeans(points.points, 50),
            points.best_known * (1 + GOAL),
            {"k1": 1, "m1": 100},
        ),
        "k-medoids, 900 digits, alternate": (
            prviz.kmedoids(digits, 121, "alternate"),
            None,
            {"k1": 1, "m1": 500_000},
        ),
        "k-medoids, 900 digits, swap": (
            prviz.kmedoids(digits, 121, optimiser="swap"),
            None,
            {"k1": 1, "m1": 500_000},
        ),
        "HMM, 32 bits": (prviz.hmm(datasets.bits(32).sequence, 32), 1e-5, paper),
        "HMM, 64 bits": (prviz.hmm(datasets.bits(64).sequence, 64), 1e-5, paper),
        "Boltzmann, four patterns": (
            prviz.rbm(rows, 10),
            None,
            {"probability": 0.1, "m1": 10_000},
        ),
    }


def tuned(report: Report, seconds: float, check: int) -> None:
    rows = []
    for name, (problem, target, usual) in problems().items():
        prviz.run(problem, calls=2)  # compile before the time is measured
        began = time.monotonic()
        found = tune(problem, usual=usual, target=target, seconds=seconds, check=check, store=None)
        found.whose = "the paper's"
        took = time.monotonic() - began
        n = len(found.runs[found.leader])
        print(f"  {name}: {found.words}", flush=True)
        rows.append(
            [name, name_of(usual), found.words, f"{n}", f"{found.budget.total:.0f}", f"{took:.0f}"]
        )
    head = ["problem", "the paper's", "verdict of tune", "n of the leader", "iterations", "s"]
    report.table(f"Found in {seconds:g} s on {workers_of(None).number} cores", head, rows)


# ---- the page


def reopened(store: Path) -> tuple[int, float]:
    """Return the number of stored settings, and the seconds until all are shown again."""
    problem = prviz.kmeans(np.random.default_rng(0).normal(size=(60, 2)), 24)
    given = {"k1": list(range(1, 13)), "m1": [5, 20, 100, 500], "alpha": [0.0, 0.3, 0.6, 0.9]}
    tried = grid(problem, given)
    cells, usual, full = cells_of(problem, tried)

    def swept() -> float:
        sweep = Sweep(problem, cells, usual, full, tried.axes, 0.0, 60.0, "", 50, store)
        began = time.monotonic()
        sweep.start()
        while sweep.active:
            time.sleep(0.005)
        json.loads(sweep.shown())
        took = time.monotonic() - began
        sweep.close()
        return took

    swept()
    return len(cells), swept()


def pressed(page: Page, address: str) -> dict[str, float]:
    """Return the seconds from Run to a first estimate, from Stop to the end, and to open a run."""
    page.goto(f"{address}/tuning?total=31")
    run = page.locator(".pv-race .pv-run")
    run.wait_for()
    page.wait_for_timeout(2000)
    found = {}
    began = time.perf_counter()
    run.click()
    page.wait_for_function("document.querySelector('.pv-race-words').textContent.includes('guess')")
    found["first guess after Run, s"] = time.perf_counter() - began
    page.wait_for_timeout(6000)
    began = time.perf_counter()
    run.click()
    page.wait_for_function("document.querySelector('.pv-race .pv-run').textContent === 'Run again'")
    found["Stop, s"] = time.perf_counter() - began
    page.wait_for_timeout(500)
    chart = page.locator(".pv-map canvas")
    chart.focus()
    chart.press("ArrowRight")
    began = time.perf_counter()
    chart.press("Enter")
    page.wait_for_function("document.querySelector('.pv-where')?.textContent.includes('call')")
    found["open a cell's run, s"] = time.perf_counter() - began
    return found


GOALS = {"first guess after Run, s": "≤ 1", "Stop, s": "≤ 0.3", "open a cell's run, s": "≤ 0.5"}


def the_page(report: Report, times: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        n, again = reopened(Path(folder) / "tuning.sqlite")
    found = []
    with closing(Server()) as server, sync_playwright() as playwright:
        time.sleep(LOADED)
        browser = playwright.chromium.launch(**CHROMIUM)
        for _ in range(times):
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            found.append(pressed(page, server.address))
            page.close()
        browser.close()
    rows = [[f"load {n} stored settings, s", "≤ 1", f"{again:.2f}", ""]]
    for what, goal in GOALS.items():
        values = [each[what] for each in found]
        rows.append([what, goal, f"{statistics.median(values):.2f}", f"{max(values):.2f}"])
    report.table(f"The page, {times} times", ["what", "goal", "median", "worst"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--scale", type=float, default=1.0, help="fraction of repeats, seconds and seeds"
    )
    parser.add_argument("--store", type=Path, default=Path("tuning-table.sqlite"))
    given = parser.parse_args()
    report = Report("Tuning", f"{platform.platform()}; {workers_of(None).number} cores.")
    against_the_full_grid(report, given.store, max(2, round(10 * given.scale)))
    tuned(report, 30 * given.scale, max(10, round(100 * given.scale)))
    the_page(report, max(1, round(3 * given.scale)))
    report.write("tuning")


if __name__ == "__main__":
    main()
