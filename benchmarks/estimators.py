"""Exchange scikit-learn's ``KMeans`` for ``PartialKMeans`` in one line, and compare the fits.

The data are A3 and five of scikit-learn's data sets, each of these with its number of classes
(diabetes, which has none: 10) and with 20 clusters. Each seed fits both estimators once. Then
scikit-learn's restarts and our own k-means++ restarts get the CPU time of the partial fit. Finally,
``predict`` of both classes is timed in turns on 10⁶ points.
"""

from __future__ import annotations

import argparse
import functools
import math
import platform
import statistics
import time

import numpy as np
from common import Pieces, Report
from sklearn import datasets as bundled
from sklearn.cluster import KMeans

import prviz
from prviz.baselines.peers import alone
from prviz.estimators import PartialKMeans

SEEDS = 20
TURNS = 15
#: A fit that ends within this distance of the lowest inertia counts as having found it.
SAME = 1e-6
#: Labels of the fits: one of each class, then restarts with the CPU time of the partial fit.
ONE, PARTIAL = "KMeans(k)", "PartialKMeans(k)"
RESTARTS, OURS = "KMeans, restarts", "PartialKMeans(k, k1=k)"
CASES = {
    "iris": (3, 20),
    "wine": (3, 20),
    "breast_cancer": (2, 20),
    "diabetes": (10, 20),
    "digits": (10, 20),
    "a3": (50,),
}
PREDICTED = {"2 features, 50 clusters": (2, 50), "10, 10": (10, 10), "30, 20": (30, 20)}


@functools.lru_cache(maxsize=1)
def data(name: str) -> np.ndarray:
    if name == "a3":
        return prviz.datasets.a3().points
    return getattr(bundled, f"load_{name}")().data


def timed(model: KMeans | PartialKMeans, X: np.ndarray) -> tuple[float, float]:
    """Return the inertia and the CPU seconds of a fit."""
    began = time.process_time()
    return float(model.fit(X).inertia_), time.process_time() - began


def fits(name: str, k: int, seed: int) -> dict:
    """Fit each estimator once from one seed."""
    X = data(name)
    with alone():
        warm = PartialKMeans(2, max_calls=2, random_state=0)
        warm.fit(X[:50])
        partial = PartialKMeans(k, random_state=seed)
        found = {PARTIAL: timed(partial, X), ONE: timed(KMeans(k, random_state=seed), X)}
        given = found[PARTIAL][1]
        found[RESTARTS] = restarted(X, k, seed, given)
        full = PartialKMeans(k, k1=k, max_calls=None, time_limit=given, random_state=seed)
        found[OURS] = timed(full, X)
    return {**found, "calls": partial.n_calls_, "restarts": full.n_calls_}


def restarted(X: np.ndarray, k: int, seed: int, given: float) -> tuple[float, float]:
    """Return the best of all restarts that end in the given time. At least one restart runs."""
    rng = np.random.default_rng(seed)
    best, used = math.inf, 0.0
    while True:
        model = KMeans(k, n_init=1, random_state=int(rng.integers(2**31)))
        inertia, seconds = timed(model, X)
        if used + seconds > given and used > 0.0:
            return best, used
        best, used = min(best, inertia), used + seconds


def predictions(d: int, k: int, n: int, turns: int) -> dict:
    """Time ``predict`` of both classes in turns. Wall time, because both may use all cores."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    theirs = KMeans(k, n_init=1, max_iter=3, random_state=0).fit(X[:5000])
    ours = PartialKMeans(k, max_calls=1, random_state=0).fit(X[:5000])
    ours.cluster_centers_ = theirs.cluster_centers_
    seconds: dict[str, list[float]] = {"KMeans": [], "PartialKMeans": []}
    for turn in range(turns + 1):
        labels = []
        for name, model in (("KMeans", theirs), ("PartialKMeans", ours)):
            began = time.perf_counter()
            labels.append(model.predict(X))
            if turn:  # the first call warms up
                seconds[name].append(time.perf_counter() - began)
        assert np.array_equal(*labels)
    ratios = [b / a for a, b in zip(*seconds.values(), strict=True)]
    return {name: statistics.median(times) for name, times in seconds.items()} | {
        "ratio": statistics.median(ratios)
    }


def rows_of(name: str, k: int, pieces: list[dict]) -> list[list]:
    least = min(piece[which][0] for piece in pieces for which in (ONE, PARTIAL, RESTARTS, OURS))
    rows = []
    for which in (ONE, RESTARTS, OURS, PARTIAL):
        gaps = [piece[which][0] / least - 1.0 for piece in pieces]
        seconds = statistics.median(piece[which][1] for piece in pieces)
        told = [f"{100 * gap:.3f} %" for gap in (statistics.median(gaps), max(gaps))]
        hits = sum(gap <= SAME for gap in gaps)
        said = (name, k) if which == ONE else ("", "")
        rows.append([*said, which, *told, f"{hits} of {len(gaps)}", f"{1e3 * seconds:.0f}"])
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--scale", type=float, default=1.0, help="fraction of the seeds, turns and points"
    )
    parser.add_argument("--fresh", action="store_true", help="discard earlier measurements")
    options = parser.parse_args()
    seeds, turns = max(2, round(SEEDS * options.scale)), max(3, round(TURNS * options.scale))
    n = max(10**4, round(10**6 * min(1.0, options.scale)))
    cases = [(name, k) for name, sizes in CASES.items() for k in sizes]
    plan = {
        f"{name} {k} {seed}": functools.partial(fits, name, k, seed)
        for name, k in cases
        for seed in range(seeds)
    }
    plan |= {
        f"predict {name}": functools.partial(predictions, *sizes, n, turns)
        for name, sizes in PREDICTED.items()
    }
    done = Pieces("estimators", {"scale": options.scale}, options.fresh).measure(plan)
    report = Report(
        "PartialKMeans against KMeans",
        f"CPU time of one thread, medians over {seeds} seeds. {platform.machine()}, Python "
        f"{platform.python_version()}, scale {options.scale:g}.",
    )
    report.table(
        "The same line of code with another class",
        ["data", "k", "", "above the lowest: median", "worst", "found it", "ms"],
        [
            row
            for name, k in cases
            for row in rows_of(name, k, [done[f"{name} {k} {seed}"] for seed in range(seeds)])
        ],
        "Reference: the lowest inertia of all fits here; “found it” means within 1e-6 of it. "
        "Two kinds of restarts get the CPU time of PartialKMeans(k): those of scikit-learn and, as "
        "a control, our own k-means++ restarts on the same kernel. `KMeans(k)` and "
        "`PartialKMeans(k)` use their defaults.",
    )
    report.table(
        f"Method predict on {n} points",
        ["", "KMeans, ms", "PartialKMeans, ms", "times as long", "goal"],
        [
            [
                name,
                *(f"{1e3 * done[f'predict {name}'][which]:.0f}" for which in seconds),
                f"{done[f'predict {name}']['ratio']:.2f}",
                "1.1",
            ]
            for seconds in [("KMeans", "PartialKMeans")]
            for name in PREDICTED
        ],
        f"Wall time, medians of {turns} turns. "
        "Both classes have the same centres and give equal labels.",
    )
    if options.scale == 1.0:
        report.write("estimators")


if __name__ == "__main__":
    main()
