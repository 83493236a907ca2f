"""Time epochs of Boltzmann machines, and compare partial with full resets."""

from __future__ import annotations

import argparse
import functools
import math
import platform
import time
from collections.abc import Callable, Sequence

import numba
import numpy as np
import sklearn
from common import Pieces, Report, median, process, times
from sklearn.neural_network import BernoulliRBM
from threadpoolctl import threadpool_limits

import prviz
from prviz.engine import kernels
from prviz.engine.clock import thread_seconds
from prviz.engine.dispatch import driver
from prviz.problems.rbm.ascent import slope

DATA = prviz.datasets.patterns()
N_VISIBLE, N_HIDDEN = 8, 10
RATE = 0.01
GOALS = {100: 75, 10: 100, 1: 200}  # examples per batch: how many times faster than scikit-learn
GRADIENT_GOAL = 60  # how many times faster than NumPy
PAPER = (58, 1000)  # in the paper, 58 resets with p = 0.1 match 1000 full resets


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


# ---- 1. an epoch, and a gradient ---------------------------------------------------------------


def ours(batch: int, epochs: int) -> float:
    """Return the CPU seconds of an epoch of our CD-1."""
    problem = prviz.rbm(DATA, N_HIDDEN, RATE, epochs, batch=batch)
    return prviz.run(problem, probability=1.0, calls=1).seconds / epochs


def by_sklearn(batch: int, epochs: int) -> float:
    """Return the CPU seconds of an epoch of scikit-learn's persistent CD.

    It draws as many samples and computes as many products as CD-1.
    """
    theirs = BernoulliRBM(
        N_HIDDEN, learning_rate=RATE, batch_size=batch, n_iter=epochs, random_state=0
    )
    examples = DATA.examples.astype(float)
    began = time.thread_time()
    theirs.fit(examples)
    return (time.thread_time() - began) / epochs


def by_numpy(batch: int, epochs: int) -> float:
    """Return the CPU seconds of an epoch of CD-1 in NumPy, batch by batch."""
    rng = np.random.default_rng(0)
    examples = DATA.examples.astype(float)
    W, a, b = 0.1 * rng.normal(size=(N_VISIBLE, N_HIDDEN)), np.zeros(N_VISIBLE), np.zeros(N_HIDDEN)
    began = time.thread_time()
    for _ in range(epochs):
        for first in range(0, len(examples), batch):
            v = examples[first : first + batch]
            h = sigmoid(b + v @ W)
            sampled = rng.random(h.shape) < h
            imagined = rng.random(v.shape) < sigmoid(a + sampled @ W.T)
            again = sigmoid(b + imagined @ W)
            W += RATE / len(v) * (v.T @ h - imagined.T @ again)
            a += RATE / len(v) * (v - imagined).sum(axis=0)
            b += RATE / len(v) * (h - again).sum(axis=0)
    return (time.thread_time() - began) / epochs


@driver
def slopes(problem, state, repeats):
    began = thread_seconds()
    for _ in range(repeats):
        slope(problem, state)
    return (thread_seconds() - began) / repeats


def our_gradient(repeats: int) -> float:
    problem = prviz.rbm(DATA, N_HIDDEN)
    state = kernels.allocate(problem)
    everything = np.arange(kernels.n_variables(problem))
    kernels.reinitialise(problem, state, everything, 0.0, np.random.default_rng(0))
    return slopes(problem, state, repeats)


def gradient_by_numpy(repeats: int) -> float:
    """Return the seconds of an exact gradient in NumPy.

    The visible states are one matrix, and equal examples are merged with weights.
    """
    rng = np.random.default_rng(0)
    W, a, b = 0.1 * rng.normal(size=(N_VISIBLE, N_HIDDEN)), np.zeros(N_VISIBLE), np.zeros(N_HIDDEN)
    v = (np.arange(1 << N_VISIBLE)[:, None] >> np.arange(N_VISIBLE) & 1).astype(float)
    seen = np.bincount(DATA.examples @ (1 << np.arange(N_VISIBLE)), minlength=1 << N_VISIBLE)
    share = seen / seen.sum()
    began = time.thread_time()
    for _ in range(repeats):
        drive = b + v @ W
        weight = v @ a + np.logaddexp(0.0, drive).sum(axis=1)
        p = np.exp(weight - weight.max())
        excess = share - p / p.sum()
        h = sigmoid(drive)
        _ = (v * excess[:, None]).T @ h, excess @ v, excess @ h
    return (time.thread_time() - began) / repeats


def speeds(rounds: int) -> dict:
    """Time an epoch and a gradient, the contenders in turns."""
    found: dict = {}
    contenders: dict[str, Callable[[], float]] = {}
    for batch in GOALS:
        few = 100 if batch > 1 else 10
        contenders[f"ours/{batch}"] = functools.partial(ours, batch, 20 * few)
        contenders[f"sklearn/{batch}"] = functools.partial(by_sklearn, batch, few)
        contenders[f"numpy/{batch}"] = functools.partial(by_numpy, batch, few)
    contenders["ours/gradient"] = functools.partial(our_gradient, 5000)
    contenders["numpy/gradient"] = functools.partial(gradient_by_numpy, 500)
    for _ in range(1 + rounds):  # discard the first round
        for name, contender in contenders.items():
            found.setdefault(name, []).append(contender())
    return {name: median(seconds[1:]) for name, seconds in found.items()}


def report_speeds(report: Report, found: dict) -> None:
    seconds = found["speeds"]
    rows = []
    for batch, goal in GOALS.items():
        mine, theirs, numpy = (seconds[f"{who}/{batch}"] for who in ("ours", "sklearn", "numpy"))
        rows.append(
            [
                f"epoch, {100 // batch} updates",
                f"{1e6 * mine:.2f}",
                f"{1e6 * theirs:.0f}",
                f"{1e6 * numpy:.0f}",
                times(theirs / mine),
                f"≥ {goal}×",
            ]
        )
    mine, numpy = seconds["ours/gradient"], seconds["numpy/gradient"]
    rows.append(
        [
            "exact gradient",
            f"{1e6 * mine:.2f}",
            "–",
            f"{1e6 * numpy:.0f}",
            f"{times(numpy / mine)} (NumPy)",
            f"≥ {GRADIENT_GOAL}×",
        ]
    )
    report.table(
        "An epoch of CD-1 and an exact gradient, 8 × 10 units, 100 examples",
        ["", "prviz, µs", "scikit-learn, µs", "NumPy, µs", "ratio", "goal"],
        rows,
        "scikit-learn's BernoulliRBM uses persistent contrastive divergence, which takes as much "
        "work as CD-1. We use float64 and sample every unit separately. With batches of four or "
        "more examples, probabilities come from lookup tables, and equal examples or samples are "
        "computed once.",
    )


#: Parts of the time of an epoch or a gradient; changes that were tried; and a lower bound. Each
#: part was timed alone in 12 to 25 rounds on a busy machine; the shortest time counts.
PARTS = (
    (
        "epoch, 1 update",
        "random numbers 0.19, tables 0.22, samples 0.59, counts 0.38, chances 0.27 and sums 0.72 "
        "for 100 states",
        "–",
        "1800 random numbers, 100 samples and the tables take 1.0 µs, so the goal leaves 0.1 µs "
        "for the rest. The sums alone take 9 products and 9 sums of 16 numbers per state",
    ),
    (
        "epoch, 10 updates",
        "10 × 0.24 for tables, 10 × 0.07 for samples; 4.9 in all",
        "–",
        "19 vectors of e^x per update with about 30 operations each, because all parameters have "
        "changed",
    ),
    (
        "epoch, 100 updates",
        "0.16 an update",
        "one loop for the parameter step and the comparison with the reconstruction: 3 %",
        "each update waits for the previous one; within it, three e^x and two quotients wait for "
        "each other",
    ),
    (
        "exact gradient",
        "e^x 0.12, tables 0.22, products 0.38, logarithms 0.17, comparison 0.12, products "
        "without one factor 0.74, sums 0.44; 1.7 in all, because they overlap",
        "no gain: working space in registers, eight groups summed at a time, vectorised tables",
        "80 rounds of 12 products, 11 sums, 12 loads and 5 stores of 8 numbers; 38 kB are read "
        "twice, but the cache holds 32 kB",
    ),
)


def report_parts(report: Report) -> None:
    report.table(
        "Why goals are missed",
        ["", "parts, µs", "tried, and its gain", "bound"],
        PARTS,
        "Summing in another order, or using random numbers differently, would be faster but would "
        "change every trace. Therefore the kernels were not changed.",
    )


# ---- 2. resets -----------------------------------------------------------------------------------

#: Learning rate, epochs per call, partial and full resets. The product of learning rate and number
#: of steps equals the paper's if the paper made one step per epoch (first setting) or ten (second).
SETTINGS = {
    "one step": (0.1, 1000, 200, 1000),
    "ten steps": (0.1, 10_000, 50, 150),
}
#: Probabilities of a redraw. 0 only continues training (a control); 1 redraws all parameters.
ON, PARTIAL, FULL = 0.0, 0.1, 1.0
DECAYS = (0.0, 0.01)
BATCH, SIGMA = 10, 0.1
SHOWN = (1, 3, 10, 30, 50, 100, 150, 300, 1000)
BOOTSTRAPS = 2000


def resets(rate: float, epochs: int, decay: float, p: float, calls: int, seed: int) -> dict:
    """Return the best −O_ML after each reset of a run, and the CPU seconds of the run."""
    problem = prviz.rbm(DATA, N_HIDDEN, rate, epochs, decay, batch=BATCH, sigma=SIGMA)
    run = prviz.run(problem, probability=p, m1=10_000, seed=seed, calls=calls)
    return {"best": run.trace.best.tolist(), "seconds": run.seconds}


def plan_resets(seeds: int) -> dict[str, Callable]:
    plan = {}
    for seed in range(seeds):
        for name, (rate, epochs, partial, full) in SETTINGS.items():
            for decay in DECAYS:
                for p, calls in ((ON, partial), (PARTIAL, partial), (FULL, full)):
                    plan[f"{name}/{decay}/{p}/{seed}"] = functools.partial(
                        resets, rate, epochs, decay, p, calls, seed
                    )
    return plan


def bests(found: dict, name: str, decay: float, p: float) -> np.ndarray:
    """Return the best −O_ML so far, (seeds, resets)."""
    start = f"{name}/{decay}/{p}/"
    return np.array([piece["best"] for key, piece in found.items() if key.startswith(start)])


def match(best: np.ndarray, limit: float) -> float:
    """Return the first reset at which the mean best is no worse than a limit; ∞ if none is."""
    there = best.mean(axis=0) <= limit
    return int(np.argmax(there)) + 1 if there.any() else math.inf


def interval(
    partial: np.ndarray, full: np.ndarray, limit_of: Callable[[np.ndarray], float]
) -> tuple[float, float]:
    """Return the 95 % interval of :func:`match`; both groups of seeds are resampled."""
    rng = np.random.default_rng(0)
    n = len(partial)
    found = []
    for _ in range(BOOTSTRAPS):
        mine, theirs = rng.integers(0, n, (2, n))
        found.append(match(partial[mine], limit_of(full[theirs])))
    low, high = np.sort(found)[[int(0.025 * BOOTSTRAPS), int(0.975 * BOOTSTRAPS)]]
    return float(low), float(high)


def mean_of_last(best: np.ndarray) -> float:
    return best.mean(axis=0)[-1]


def count(resets: float, most: int) -> str:
    return f"{resets:.0f}" if math.isfinite(resets) else f"more than {most}"


def between(low: float, high: float, most: int) -> str:
    """Format an interval; write "more than" only once if both ends exceed ``most``."""
    return f"{low:.0f} to {count(high, most)}" if math.isfinite(low) else count(low, most)


def means(best: np.ndarray, shown: Sequence[int]) -> list[str]:
    """Format the mean best O_ML after each number of resets, with its standard error."""
    mean, error = best.mean(axis=0), best.std(axis=0, ddof=1) / math.sqrt(len(best))
    return [f"{-mean[n - 1]:.4f} ± {error[n - 1]:.4f}" if n <= len(mean) else "–" for n in shown]


def report_resets(report: Report, found: dict, seeds: int) -> None:
    for name, (rate, epochs, n_partial, n_full) in SETTINGS.items():
        rows, notes = [], []
        for decay in DECAYS:
            on, partial, full = (bests(found, name, decay, p) for p in (ON, PARTIAL, FULL))
            for p, best in ((ON, on), (PARTIAL, partial), (FULL, full)):
                rows.append([f"{decay:g}", f"{p:g}", *means(best, SHOWN)])
            low, high = interval(partial, full, mean_of_last)
            size = mean_of_last(full)
            gain = size - mean_of_last(partial)
            notes.append(
                f"λ = {decay:g}: it takes **{count(match(partial, size), n_partial)} partial "
                f"resets** (95 % CI over seeds: {between(low, high, n_partial)}) to match {n_full} "
                f"full ones; in the paper, {PAPER[0]} match {PAPER[1]} at λ = 0. Training "
                f"without a redraw needs {count(match(on, size), n_partial)} calls to match the "
                f"full resets; its O_ML after {n_partial} calls differs from that of p = 0.1 by "
                f"{mean_of_last(partial) - mean_of_last(on):+.4f}. After all resets, the O_ML of "
                f"p = 0.1 differs from that of full resets by {gain:+.4f} "
                f"({100 * gain / size:+.3f} %, or "
                f"{100 * gain / (size + N_HIDDEN * math.log(2)):+.3f} % if O_ML is an expectation "
                "over h, as in the paper)."
            )
        report.table(
            f"Best O_ML against resets: learning rate {rate:g}, {epochs} epochs a call",
            ["λ", "p", *map(str, SHOWN)],
            rows,
            "\n\n".join(notes),
        )
    seconds = sum(piece["seconds"] for key, piece in found.items() if key != "speeds")
    print(f"{seeds} seeds, {seconds:.0f} s of search")


WARM = """
import prviz
prviz.run(prviz.rbm([[0, 1]], 2, epochs=2), calls=2)
print(0)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the seeds and rounds")
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    options = parser.parse_args()
    seeds, rounds = max(2, round(20 * options.scale)), max(3, round(25 * options.scale))

    pieces = Pieces("rbm", {"scale": options.scale}, options.fresh)
    process(WARM)
    with threadpool_limits(1):
        ours(10, 1)  # load the compiled kernels
        plan = {"speeds": functools.partial(speeds, rounds)} | plan_resets(seeds)
        found = pieces.measure(plan)

    report = Report(
        "Restricted Boltzmann machines",
        "The paper's four patterns on 8 visible units, 100 examples with 10 % of the bits flipped "
        "(`prviz.datasets.patterns()`), 10 hidden units, CD-1. CPU time of one core, contenders in "
        f"turns, medians. Resets: batches of {BATCH}, first parameters normal with standard "
        f"deviation {SIGMA:g}, means and standard errors over {seeds} seeds. A partial "
        f"reset resets each of the 98 parameters with p = 0.1; a full reset resets all of them. "
        f"Partial resets also train the kept parameters longer, so the control p = 0 continues "
        f"training without a redraw. "
        f"The paper trains for 10⁵ epochs at 0.01 and does not state the batch size. In both "
        "tables of resets, learning rate × steps is as in the paper: in the first table if the "
        "paper's epoch is one step, in the second table if it is ten steps. "
        f"`--scale {options.scale:g}`. Python {platform.python_version()}, numpy {np.__version__}, "
        f"numba {numba.__version__}, scikit-learn {sklearn.__version__}.",
    )
    report_speeds(report, found)
    report_parts(report)
    report_resets(report, found, seeds)
    report.write("rbm")


if __name__ == "__main__":
    main()
