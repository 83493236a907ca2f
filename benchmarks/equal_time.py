"""Compare partial estimators with the classes that they replace, at equal CPU time.

The data are six of scikit-learn's tables, and for CategoricalHMM the first letters of the tables'
descriptions. Series are generated, except two of matplotlib's sample data: daily returns of a stock
in per cent, and four channels of an electroencephalogram. The replaced class restarts from new
seeds until the time is over; its best fit counts.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import platform
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from common import HERE, Pieces, Report
from hmmlearn.hmm import GMMHMM, CategoricalHMM, GaussianHMM
from matplotlib.cbook import get_sample_data
from scipy.spatial.distance import cdist
from sklearn import datasets as bundled
from sklearn.cluster import KMeans

import prviz
from prviz.baselines.peers import alone
from prviz.estimators import (
    PartialGaussianHMM,
    PartialGMMHMM,
    PartialHMM,
    PartialKMeans,
    PartialKMedoids,
)
from prviz.problems.hmm.gaussian.problem import FLOOR

if str(HERE) in sys.path:
    sys.path.remove(str(HERE))  # otherwise the kmedoids.py of this folder hides the package
KMedoids = importlib.import_module("kmedoids").KMedoids

SETS = ("iris", "wine", "breast_cancer", "diabetes", "digits", "linnerud")
SAME = 1e-9  # a smaller relative difference is rounding
CLUSTERS, STATES, CHARACTERS = 10, 12, 300
REGIMES = {
    f"regimes({steps}, {seed})": (steps, seed) for steps in (300, 1000) for seed in (0, 1, 2)
}
MIXTURES = ("daily returns", "EEG", "regimes(1000, 0)")
LEAST_VARIANCE = 1e-6  # lower limit for a Gaussian state
MIXED = 3, 2  # number of states, and of components per state
PAIRS = {
    "KMeans": ("inertia", SETS),
    "KMedoids": ("total distance", SETS),
    "CategoricalHMM": ("−log-likelihood", SETS),
    "GaussianHMM": ("−log-likelihood", tuple(REGIMES)),
    "GMMHMM": ("−log-likelihood", MIXTURES),
}


def table(name: str) -> np.ndarray:
    return np.asarray(getattr(bundled, f"load_{name}")().data, float)


def text(name: str) -> np.ndarray:
    """Return the first letters of a data set's description, as numbers in one column."""
    words = " ".join(getattr(bundled, f"load_{name}")().DESCR.lower().split())
    letters = [c for c in words if c.isalpha() or c == " "][:CHARACTERS]
    return np.unique(letters, return_inverse=True)[1].reshape(-1, 1)


def series(name: str) -> np.ndarray:
    if name == "daily returns":
        prices = get_sample_data("goog.npz")["price_data"]["adj_close"]
        return 100.0 * np.diff(np.log(prices))[:, None]
    if name == "EEG":
        with get_sample_data("eeg.dat") as file:
            return np.fromfile(file, float).reshape(-1, 4)
    return prviz.datasets.regimes(*REGIMES[name]).values


def fits(pair: str, name: str, seconds: float) -> tuple[Callable, Callable]:
    """Return two functions of a seed: the loss of a usual fit, and of a partial fit."""
    ours = {"max_calls": None, "time_limit": seconds}
    if pair == "KMeans":
        X = table(name)
        return (
            lambda seed: KMeans(CLUSTERS, n_init=1, random_state=seed).fit(X).inertia_,
            lambda seed: PartialKMeans(CLUSTERS, random_state=seed, **ours).fit(X).inertia_,
        )
    if pair == "KMedoids":
        D = cdist(table(name), table(name))
        k = min(CLUSTERS, len(D) // 2)
        settings = {"metric": "precomputed", "method": "fasterpam", "init": "random"}
        return (
            lambda seed: KMedoids(k, random_state=seed, **settings).fit(D).inertia_,
            lambda seed: (
                PartialKMedoids(k, metric="precomputed", random_state=seed, **ours).fit(D).inertia_
            ),
        )
    if pair == "CategoricalHMM":
        X, ends = text(name), {"n_iter": 300, "tol": 1e-4}
        return (
            lambda seed: -CategoricalHMM(STATES, random_state=seed, **ends).fit(X).score(X),
            lambda seed: -PartialHMM(STATES, random_state=seed, **ends, **ours).fit(X).score(X),
        )
    X, ends = series(name), {"n_iter": 300, "tol": 1e-3}
    if pair == "GMMHMM":
        # this prior adds the default floor of PartialGMMHMM to the scatter of each component:
        # without this prior, a component can collapse onto one observation
        prior = {"covars_prior": -1.5, "covars_weight": FLOOR / 2 * X.var(axis=0)}
        prior["implementation"] = "scaling"
        return (
            lambda seed: -GMMHMM(*MIXED, random_state=seed, **prior, **ends).fit(X).score(X),
            lambda seed: -PartialGMMHMM(*MIXED, random_state=seed, **ends, **ours).fit(X).score(X),
        )
    # hmmlearn's default prior would keep variances above those of the maximum likelihood; this
    # prior and our floor give the same variance to a state with one observation
    prior = {"covars_prior": LEAST_VARIANCE, "implementation": "scaling"}
    floor = {"min_covar": LEAST_VARIANCE}
    return (
        lambda seed: -GaussianHMM(4, random_state=seed, **prior, **ends).fit(X).score(X),
        lambda seed: (
            -PartialGaussianHMM(4, random_state=seed, **floor, **ends, **ours).fit(X).score(X)
        ),
    )


def measured(pair: str, name: str, seed: int, seconds: float) -> dict:
    with alone():
        theirs, ours = fits(pair, name, seconds)
        _, warm = fits(pair, name, 0.01)
        warm(0)
        rng, best, restarts = np.random.default_rng(seed), np.inf, 0
        end = time.process_time() + seconds
        while time.process_time() < end:
            best, restarts = min(best, theirs(int(rng.integers(2**31)))), restarts + 1
        return {"theirs": float(best), "restarts": restarts, "ours": float(ours(seed))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU time of each fit (2)")
    parser.add_argument("--seeds", type=int, default=5, help="number of seeds (5)")
    parser.add_argument("--fresh", action="store_true", help="discard earlier measurements")
    options = parser.parse_args()
    cases = [(pair, name) for pair, (_, names) in PAIRS.items() for name in names]
    plan = {
        f"{pair} {name} {seed}": functools.partial(measured, pair, name, seed, options.seconds)
        for seed in range(options.seeds)
        for pair, name in cases
    }
    settings = {"seconds": options.seconds, "seeds": options.seeds}
    done = Pieces("equal_time", settings, options.fresh).measure(plan)
    report = Report(
        "Estimators at equal time",
        f"{options.seconds:g} s of CPU time for each fit, medians over {options.seeds} seeds. "
        f"{platform.machine()}, Python {platform.python_version()}.",
        "“Lower / higher” counts the seeds with which the partial estimator ended lower or higher "
        "than the replaced class. “Restarts” counts the fits of the replaced class.",
    )
    for pair, (loss, names) in PAIRS.items():
        rows = []
        for name in names:
            pieces = [done[f"{pair} {name} {seed}"] for seed in range(options.seeds)]
            middle = {key: statistics.median(piece[key] for piece in pieces) for key in pieces[0]}
            gaps = [(piece["ours"] - piece["theirs"]) / abs(piece["theirs"]) for piece in pieces]
            lower, higher = sum(gap < -SAME for gap in gaps), sum(gap > SAME for gap in gaps)
            both = [f"{middle[key]:.6g}" for key in ("theirs", "ours")]
            rows.append([name, f"{middle['restarts']:g}", *both, f"{lower} / {higher}"])
        report.table(
            f"{pair}: {loss}",
            [
                "data",
                "restarts",
                pair,
                f"Partial{pair.removeprefix('Categorical')}",
                "lower / higher",
            ],
            rows,
        )
    report.write("equal_time")


if __name__ == "__main__":
    main()
