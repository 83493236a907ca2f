"""Compare sparse Baum–Welch with plain Baum–Welch and hmmlearn."""

from __future__ import annotations

import argparse
import functools
import logging
import platform
import time
from collections.abc import Callable

import hmmlearn
import numba
import numpy as np
from common import Pieces, Report, exponent, median, process, times
from hmmlearn.hmm import CategoricalHMM
from threadpoolctl import threadpool_limits

import prviz
from prviz.engine import kernels
from prviz.engine.algorithm import copied
from prviz.engine.clock import thread_seconds
from prviz.engine.dispatch import driver, zeros
from prviz.problems.hmm.problem import MAX_ITERATIONS, TOLERANCE
from prviz.search.settings import make_schedule
from prviz.search.traced_search import TracedSearch

OURS = ("plain", "sparse")
SIZES = {16: 1, 32: 2, 64: 4, 128: 8}  # N = T → k₁
CHECKPOINTS = (30, 100, 300, 1000)  # partial calls of a search before its model is redrawn
MODEL = ("transition", "emission", "start")


def problem_of(N: int, baum_welch: str = "sparse"):
    """Return a hidden Markov model of N random bits, with N hidden states."""
    return prviz.hmm(prviz.datasets.bits(N), N, baum_welch=baum_welch)


def model_of(state) -> list[np.ndarray]:
    return [getattr(state, field).copy() for field in MODEL]


def holding(problem, model):
    """Return a state of ``problem`` with this model, in the memory layout of a search."""
    state = copied(kernels.allocate(problem), zeros)
    for field, array in zip(MODEL, model, strict=True):
        getattr(state, field)[...] = array
    return state


# ---- 1. one call, from fixed starts ------------------------------------------------------------


@driver
def replay(problem, state, checkpoint, subsets, rng, seconds, iterations, costs):
    """Redraw the same configuration many times, and revert and time each redraw."""
    for r in range(len(subsets)):
        began = thread_seconds()
        kernels.copy_state(problem, checkpoint, state)
        kernels.reinitialise(problem, state, subsets[r], 0.0, rng)
        costs[r], iterations[r] = kernels.optimise(problem, state, rng)
        kernels.copy_state(problem, state, checkpoint)
        seconds[r] = thread_seconds() - began


def redraws_of(N: int, k1: int, seed: int, repeats: int) -> tuple:
    """Return the sub-sets of ``repeats`` redraws, and the generator of their random values.

    A slower contender has fewer ``repeats``: it makes only the first redraws.
    """
    which, values = np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1])
    subsets = [which.permutation(N)[:k1] for _ in range(repeats)]
    return np.array(subsets, np.int64), values


def replayed(problem, model, k1: int, seed: int, repeats: int) -> dict:
    """Run ``repeats`` redraws of a model by one of our implementations."""
    subsets, rng = redraws_of(problem.n_states, k1, seed, repeats)
    seconds, costs = np.zeros(repeats), np.zeros(repeats)
    iterations = np.zeros(repeats, np.int64)
    state, checkpoint = holding(problem, model), kernels.allocate(problem)
    replay(problem, state, checkpoint, subsets, rng, seconds, iterations, costs)
    return {
        "seconds": seconds.tolist(),
        "iterations": iterations.tolist(),
        "cost": costs.tolist(),
    }


def fitted_by_hmmlearn(problem, model, k1: int, seed: int, repeats: int) -> dict:
    """Run the same redraws with hmmlearn, timing only its ``fit``."""
    subsets, rng = redraws_of(problem.n_states, k1, seed, repeats)
    found: dict = {"seconds": [], "iterations": []}
    for subset in subsets:
        state = holding(problem, model)
        kernels.reinitialise(problem, state, subset, 0.0, rng)
        theirs = CategoricalHMM(
            problem.n_states, n_features=problem.n_symbols, implementation="scaling",
            init_params="", tol=TOLERANCE, n_iter=MAX_ITERATIONS,
        )  # fmt: skip
        theirs.transmat_, theirs.emissionprob_, theirs.startprob_ = model_of(state)
        began = time.thread_time()
        theirs.fit(problem.sequence[:, None])
        found["seconds"].append(time.thread_time() - began)
        found["iterations"].append(theirs.monitor_.iter)
    return found


@functools.lru_cache(maxsize=1)
def checkpoint_of(N: int, k1: int, seed: int, calls: int) -> list[np.ndarray]:
    """Return the model of a search after one restart and ``calls`` partial calls."""
    problem = problem_of(N)
    search = TracedSearch(problem, make_schedule(problem, k1=k1, m1=10**9), seed)
    while search.calls <= calls:
        search.step(calls=calls + 1 - search.calls)
    return model_of(search.search.state)


def partial_calls(N: int, who: str, seed: int, repeats: int) -> dict:
    k1 = SIZES[N]
    model = checkpoint_of(N, k1, seed, CHECKPOINTS[seed % len(CHECKPOINTS)])
    if who == "hmmlearn":
        return fitted_by_hmmlearn(problem_of(N), model, k1, seed, repeats)
    return replayed(problem_of(N, who), model, k1, seed, repeats)


def restarts(N: int, who: str, seed: int, repeats: int) -> dict:
    nothing = [np.zeros(shape) for shape in ((N, N), (N, 2), N)]
    if who == "hmmlearn":
        return fitted_by_hmmlearn(problem_of(N), nothing, N, seed, repeats)
    return replayed(problem_of(N, who), nothing, N, seed, repeats)


def plan_calls(scale: float) -> dict[str, Callable]:
    """Return the runs, with contenders in turns, and fewer calls for the slower ones."""
    plan = {}
    for seed in range(max(2, int(12 * scale))):
        for N in SIZES:
            for who, repeats in (("hmmlearn", 3), ("plain", 10), ("sparse", 30)):
                plan[f"partial {N}/{who}/{seed}"] = functools.partial(
                    partial_calls, N, who, seed, repeats
                )
            for who, repeats in (("hmmlearn", 1), ("plain", 1), ("sparse", 3)):
                plan[f"full {N}/{who}/{seed}"] = functools.partial(restarts, N, who, seed, repeats)
    return plan


def together(found: dict, prefix: str) -> list[dict]:
    return [piece for name, piece in found.items() if name.startswith(prefix)]


def an_iteration(pieces: list[dict]) -> float:
    """Return the median over all starts of the seconds per iteration."""
    return median(sum(piece["seconds"]) / sum(piece["iterations"]) for piece in pieces)


def a_call(pieces: list[dict]) -> float:
    """Return the median of the seconds per call."""
    return median(second for piece in pieces for second in piece["seconds"])


def in_pairs(pieces: list[dict], others: list[dict], column: str) -> np.ndarray:
    """Return a column of both contenders, (calls, 2), for the calls that both made."""
    return np.array(
        [
            pair
            for piece, other in zip(pieces, others, strict=True)
            for pair in zip(piece[column], other[column], strict=False)
        ]
    )


def agreement(found: dict, what: str) -> str:
    """Return a sentence on how often sparse and plain fits end at the same optimum."""
    starts = [f"{what} {N}" for N in SIZES]
    plain, sparse = ([piece for start in starts for piece in together(found, f"{start}/{who}/")]
                     for who in OURS)  # fmt: skip
    gaps = np.subtract(*in_pairs(sparse, plain, "cost").T)
    steps = np.equal(*in_pairs(plain, sparse, "iterations").T)
    same = np.abs(gaps) <= 1e-6
    apart = gaps[~same]
    capped = sum(i >= MAX_ITERATIONS for piece in sparse for i in piece["iterations"])
    by = f" (median difference {np.median(np.abs(apart)):.2g})" if len(apart) else ""
    return (
        f"Sparse against plain from the same starts, {len(gaps)} calls: {same.sum()} end at the "
        f"same log-likelihood (they differ by at most {np.abs(gaps[same]).max():.0e}), "
        f"{(apart > 0).sum()} at a lower one, {(apart < 0).sum()} at a higher one{by}. "
        f"{steps.sum()} take the same number of iterations. {capped} sparse calls stopped at the "
        "iteration limit."
    )


GOALS = {
    "partial": {16: "≥ 40×", 32: "≥ 50×", 64: "≥ 100×", 128: "≥ 250×"},
    "full": {16: "≥ 20×", 32: "≥ 20×", 64: "≥ 20×", 128: "≥ 30×"},
}
TITLES = {
    "partial": "Partial calls: redraw, fit, final check, revert",
    "full": "Full restarts: redraw, fit, final check",
}


def report_calls(report: Report, found: dict, what: str) -> None:
    rows = []
    for N, k1 in SIZES.items():
        pieces = {who: together(found, f"{what} {N}/{who}/") for who in ("hmmlearn", *OURS)}
        base = an_iteration(pieces["hmmlearn"])
        for who, own in pieces.items():
            iterations, dense = in_pairs(own, pieces["plain"], "iterations").mean(axis=0)
            rows.append(
                [
                    f"{N}, {k1 if what == 'partial' else N}",
                    who,
                    f"{1e6 * an_iteration(own):.1f}",
                    f"{1e6 * a_call(own):.0f}",
                    f"{iterations:.1f} / {dense:.1f}",
                    sum(len(piece["seconds"]) for piece in own),
                    GOALS[what][N] if who == "sparse" else "",
                    times(base / an_iteration(own)) if who != "hmmlearn" else "",
                ]
            )
    report.table(
        TITLES[what],
        ["N = T, size", "Baum–Welch", "µs an iteration", "µs a call",
         "iterations a call: own / plain", "calls", "goal", "iteration: faster than hmmlearn"],
        rows,
        agreement(found, what),
    )  # fmt: skip


# ---- 2. quality ---------------------------------------------------------------------------------

PAPER, PAPER_K1, PAPER_M1 = 128, 8, 8000
SEARCHES = {"full": PAPER, "partial": PAPER_K1}
SECONDS = 10.0


def climb(k1: int, seed: int) -> dict:
    """Run a search of the paper's size, and return the log-likelihood at each improvement."""
    problem = problem_of(PAPER)
    search = TracedSearch(problem, make_schedule(problem, k1=k1, m1=PAPER_M1), seed)
    while search.seconds < SECONDS:
        search.step(seconds=min(0.25, SECONDS - search.seconds))
    trace = search.trace()
    rose = np.flatnonzero(np.diff(trace.best, prepend=np.inf) < 0)
    iterations = np.cumsum(trace.iterations, dtype=np.int64)
    work = {
        "seconds": trace.seconds,
        "calls": np.arange(1, len(trace) + 1),
        "iterations": iterations,
    }
    return {
        "log-likelihood": (-trace.best[rose]).tolist(),
        **{name: column[rose].tolist() for name, column in work.items()},
        "total": {name: column[-1].item() for name, column in work.items()},
    }


def plan_climbs(seeds: int) -> dict[str, Callable]:
    return {
        f"climb/{search}/{seed}": functools.partial(climb, k1, seed)
        for seed in range(seeds)
        for search, k1 in SEARCHES.items()
    }


def reached(piece: dict, work: str, amount: float) -> float:
    """Return the log-likelihood after this work; −∞ before the end of the first call."""
    done = np.searchsorted(piece[work], amount, side="right")
    return piece["log-likelihood"][done - 1] if done else -np.inf


def needed(piece: dict, work: str, level: float) -> float:
    """Return the work until a search reached a log-likelihood; ∞ if it never did."""
    risen = np.searchsorted(piece["log-likelihood"], level)
    return piece[work][risen] if risen < len(piece[work]) else np.inf


AMOUNTS = {
    "seconds": (0.1, 0.3, 1, 3, 10),
    "calls": (10, 30, 100, 1000, 10_000),
    "iterations": (1000, 3000, 10_000, 30_000, 100_000),
}
PROTOTYPE = {("seconds", 0.1): "−30.8 / −18.6", ("seconds", 1): "−26.6 / −6.8",
             ("seconds", 10): "−23.0 / −5.6"}  # fmt: skip


def report_climbs(report: Report, found: dict) -> None:
    """Tabulate the median log-likelihood after equal time and after equal work."""
    rows = []
    for work, amounts in AMOUNTS.items():
        for amount in amounts:
            cells = []
            for search in SEARCHES:
                pieces = together(found, f"climb/{search}/")
                far = median(piece["total"][work] for piece in pieces) >= amount
                level = median(reached(piece, work, amount) for piece in pieces)
                cells.append(f"{level:.1f}" if far and np.isfinite(level) else "–")
            label = f"{amount} s" if work == "seconds" else f"{amount} {work}"
            rows.append([label, *cells, PROTOTYPE.get((work, amount), "–")])
    report.table(
        f"Log-likelihood at N = T = {PAPER}, median of {len(pieces)} seeds",
        ["after", "full restarts", f"partial, k₁ = {PAPER_K1}, M₁ = {PAPER_M1}",
         "goal: results of a prototype, full / partial"],
        rows,
    )  # fmt: skip


def report_ahead(report: Report, found: dict) -> None:
    full, partial = (together(found, f"climb/{search}/") for search in SEARCHES)
    ends = [[reached(piece, "seconds", SECONDS) for piece in pieces] for pieces in (full, partial)]
    ahead = sum(np.greater(ends[1], ends[0]))
    goal = median(ends[0])
    overtaken = median(needed(piece, "seconds", goal) for piece in partial)
    by_iterations = median(needed(piece, "iterations", goal) for piece in partial)
    spent = median(piece["total"]["iterations"] for piece in full)
    rates = [median(p["total"]["calls"] / p["total"]["seconds"] for p in ps)
             for ps in (full, partial)]  # fmt: skip
    report.table(
        f"Partial against full, N = T = {PAPER}, {SECONDS:g} s each",
        ["what", "goal", "measured"],
        [
            ["seeds in which partial is ahead at the end", "≥ 9 in 10", f"{ahead} of {len(full)}"],
            [f"seconds until partial is above full's final median, {goal:.1f}", "–",
             f"{overtaken:.2f}"],
            ["full's time / partial's time", "≥ 150×", times(SECONDS / overtaken)],
            ["the same ratio in iterations", "–", times(spent / by_iterations)],
            ["partial reinitialisations a second", "≥ 2000", f"{rates[1]:.0f}"],
            ["full reinitialisations a second", "–", f"{rates[0]:.1f}"],
        ],
    )  # fmt: skip


# ---- 3. growth ---------------------------------------------------------------------------------

GROWTH = (32, 64, 128, 256, 512, 1024)
LARGEST_PLAIN = 128


def grown(N: int, share: bool, who: str, repeats: int) -> dict:
    """Time redraws of N / 16 states if ``share``, else of 8, after N / 2 partial calls."""
    model = checkpoint_of(N, 8, 0, N // 2)
    return replayed(problem_of(N, who), model, N // 16 if share else 8, 0, repeats)


def plan_growth(scale: float) -> dict[str, Callable]:
    plan = {}
    for N in GROWTH if scale >= 1 else GROWTH[:4]:
        for share in (False, True):
            for who, repeats in (("sparse", 40), ("plain", 4)):
                if who == "sparse" or N <= LARGEST_PLAIN:
                    plan[f"growth {share}/{N}/{who}"] = functools.partial(
                        grown, N, share, who, repeats
                    )
    return plan


def report_growth(report: Report, found: dict) -> None:
    rows, notes = [], []
    sizes = [N for N in GROWTH if f"growth True/{N}/sparse" in found]
    for share, size in ((False, "8"), (True, "N / 16")):
        pieces = {N: found[f"growth {share}/{N}/sparse"] for N in sizes}
        for N, piece in pieces.items():
            plain = together(found, f"growth {share}/{N}/plain")
            rows.append(
                [
                    f"{N}, {N // 16 if share else 8}",
                    f"{1e6 * a_call([piece]):.0f}",
                    f"{1e6 * an_iteration([piece]):.1f}",
                    f"{np.mean(piece['iterations']):.1f}",
                    f"{1e6 * a_call(plain):.0f}" if plain else "–",
                ]
            )
        of_call = exponent(sizes, [a_call([piece]) for piece in pieces.values()])
        of_iteration = exponent(sizes, [an_iteration([piece]) for piece in pieces.values()])
        notes.append(
            f"{of_call:.2f} for a call and {of_iteration:.2f} for an iteration, if k₁ = {size}"
        )
    report.table(
        "Time of a partial call as N grows",
        ["N = T, k₁", "median µs a call", "µs an iteration", "iterations", "plain, µs a call"],
        rows,
        f"Time grows with N by these exponents: {'; '.join(notes)}. A dense iteration takes "
        "T N² = N³ products. Measured after one restart and N / 2 partial calls with k₁ = 8.",
    )


# ------------------------------------------------------------------------------------------------

WARM = """
import numpy as np, prviz
from prviz.search.traced_search import TracedSearch
from prviz.search.settings import make_schedule
for name in {names}:
    problem = prviz.hmm([0, 1, 0], 2, baum_welch=name)
    TracedSearch(problem, make_schedule(problem, 1)).step(calls=2)
print(0)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the repeats to run")
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    options = parser.parse_args()
    scale = options.scale

    # hmmlearn warns that a string of N symbols is too short for N hidden states
    logging.getLogger("hmmlearn").setLevel(logging.ERROR)
    pieces = Pieces("hmm", {"scale": scale}, options.fresh)
    process(WARM.format(names=OURS))
    with threadpool_limits(1):
        for who in OURS:  # load the compiled kernels
            restarts(min(SIZES), who, 0, 1)
        found = pieces.measure(
            plan_calls(scale) | plan_climbs(max(2, int(20 * scale))) | plan_growth(scale)
        )

    report = Report(
        "Hidden Markov models",
        f"One string of T random bits, N = T hidden states, all transitions allowed. A fit ends at "
        f"the first gain below {TOLERANCE:g}, or after {MAX_ITERATIONS} iterations. CPU time of "
        f"one core, contenders in turns, medians. `--scale {scale:g}`. "
        f"Python {platform.python_version()}, "
        f"numpy {np.__version__}, numba {numba.__version__}, hmmlearn {hmmlearn.__version__} "
        "(CategoricalHMM, scaling).",
    )
    report_calls(report, found, "partial")
    report_calls(report, found, "full")
    report_climbs(report, found)
    report_ahead(report, found)
    report_growth(report, found)
    report.write("hmm")


if __name__ == "__main__":
    main()
