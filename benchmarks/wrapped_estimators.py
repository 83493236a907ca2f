"""Compare redraws of parts of scikit-learn's estimators with restarts in equal time.

``GaussianMixture`` fits normal clusters; a redraw moves one component to a random point.
``MLPClassifier`` fits digits; a redraw gives one hidden unit new weights. Contenders take turns on
one thread. Settings were chosen beforehand, and no contender was tuned.
"""

from __future__ import annotations

import argparse
import functools
import math
import platform
import time
import warnings
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import sklearn
from common import Pieces, Report
from scipy.stats import binomtest
from sklearn.datasets import load_digits
from sklearn.mixture import GaussianMixture
from sklearn.neural_network import MLPClassifier
from threadpoolctl import threadpool_limits

import prviz
from prviz.experiments.statistics.intervals import ranks

SEEDS, SECONDS = 20, 2.0
K, PER_CLUSTER = 25, 40
UNITS, IMAGES, ITERATIONS, CONVERGED = 8, 400, 20, 500
MOST = 10**6  # redraws per restart; no search makes as many, so none restarts


@functools.cache
def points() -> np.ndarray:
    rng = np.random.default_rng(0)
    middles = rng.uniform(0, 100, size=(K, 2))
    return np.concatenate([rng.normal(each, 2.0, size=(PER_CLUSTER, 2)) for each in middles])


@functools.cache
def digits() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return images and labels for training and for testing."""
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(X))
    X, y = X[order] / 16, y[order]
    return X[:IMAGES], y[:IMAGES], X[IMAGES:], y[IMAGES:]


# ---- mixtures


def mixture(rng: np.random.Generator) -> GaussianMixture:
    model = GaussianMixture(K, covariance_type="spherical", warm_start=True, max_iter=500)
    model.weights_ = np.full(K, 1 / K)
    model.means_ = points()[rng.choice(len(points()), K, replace=False)]
    model.covariances_ = np.full(K, 100.0)
    model.precisions_cholesky_ = model.covariances_**-0.5
    return model


def component(model: GaussianMixture, i: int) -> tuple:
    return model.means_[i].copy(), model.covariances_[i], model.precisions_cholesky_[i]


def put_component(model: GaussianMixture, i: int, value: tuple) -> None:
    model.means_[i], model.covariances_[i], model.precisions_cholesky_[i] = value


def fit_mixture(model: GaussianMixture) -> GaussianMixture:
    model.converged_, model.lower_bound_ = False, -np.inf
    return model.fit(points())


def minus_log_likelihood(model: GaussianMixture) -> float:
    return -float(model.score(points()))


def fresh_mixture(init: str, rng: np.random.Generator) -> GaussianMixture:
    model = GaussianMixture(
        K,
        covariance_type="spherical",
        max_iter=500,
        init_params=init,
        random_state=int(rng.integers(2**31)),
    )
    return model.fit(points())


# ---- networks


def network(rng: np.random.Generator) -> MLPClassifier:
    model = MLPClassifier(
        (UNITS,), solver="lbfgs", max_iter=1, warm_start=True, random_state=int(rng.integers(2**31))
    )
    return model.fit(*digits()[:2]).set_params(max_iter=ITERATIONS)


def unit(model: MLPClassifier, i: int) -> tuple:
    first, second = model.coefs_
    return first[:, i].copy(), model.intercepts_[0][i], second[i].copy()


def put_unit(model: MLPClassifier, i: int, value: tuple) -> None:
    model.coefs_[0][:, i], model.intercepts_[0][i], model.coefs_[1][i] = value


def fit_network(model: MLPClassifier) -> MLPClassifier:
    return model.fit(*digits()[:2])


def loss(model: MLPClassifier) -> float:
    """Return the cost: cross-entropy and the penalty."""
    X, y = digits()[:2]
    chances = model.predict_proba(X)[np.arange(len(y)), y]
    squares = sum(float(np.sum(weights**2)) for weights in model.coefs_)
    return float(-np.log(np.maximum(chances, 1e-300)).mean() + 0.5 * model.alpha * squares / len(y))


def fresh_network(iterations: int, rng: np.random.Generator) -> MLPClassifier:
    model = MLPClassifier(
        (UNITS,), solver="lbfgs", max_iter=iterations, random_state=int(rng.integers(2**31))
    )
    return model.fit(*digits()[:2])


def accuracy(model: MLPClassifier) -> float:
    return float(model.score(*digits()[2:]))


# ---- at equal time


def partial(problem: Any, seed: int) -> tuple[Any, float, int]:
    run = prviz.run(problem, k1=1, m1=MOST, seconds=SECONDS, seed=seed)
    return run.best_state.x, run.best_cost, run.calls


def restarts(fresh: Callable, cost: Callable, seed: int) -> tuple[Any, float, int]:
    rng = np.random.default_rng(seed)
    best, lowest, fits = None, math.inf, 0
    began = time.thread_time()
    while time.thread_time() - began < SECONDS:
        model = fresh(rng)
        fits += 1
        if (found := cost(model)) < lowest:
            best, lowest = model, found
    return best, lowest, fits


def cases() -> dict[str, dict[str, Callable]]:
    """Return the contenders for each model; the first is partial reinitialisation."""
    clusters = prviz.wrap(
        minus_log_likelihood, mixture, fit_mixture, K, get=component, set=put_component
    )
    learning = prviz.wrap(loss, network, fit_network, UNITS, get=unit, set=put_unit)
    drawn, placed = (
        functools.partial(fresh_mixture, init) for init in ("random_from_data", "kmeans")
    )
    short, long = (functools.partial(fresh_network, most) for most in (ITERATIONS, CONVERGED))
    return {
        f"GaussianMixture, {K} components": {
            "one component redrawn": functools.partial(partial, clusters),
            "restarts, from random points": functools.partial(
                restarts, drawn, minus_log_likelihood
            ),
            "restarts, from k-means": functools.partial(restarts, placed, minus_log_likelihood),
        },
        f"MLPClassifier, {UNITS} hidden units": {
            "one unit redrawn": functools.partial(partial, learning),
            f"restarts, {ITERATIONS} iterations": functools.partial(restarts, short, loss),
            f"restarts, to the end ({CONVERGED})": functools.partial(restarts, long, loss),
        },
    }


def fits(contender: Callable, key: str, seed: int) -> dict:
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # fits stop before convergence on purpose
        model, cost, calls = contender(zlib.crc32(f"{key}/{seed}".encode()))
        known = isinstance(model, MLPClassifier)
        return {"cost": cost, "fits": calls, "accuracy": accuracy(model) if known else None}


def rows_of(case: str, found: dict[str, list[dict]]) -> list[list[str]]:
    ours = next(iter(found.values()))
    between = ranks(len(ours))
    rows = []
    for name, pieces in found.items():
        costs = sorted(each["cost"] for each in pieces)
        low, high = costs[max(0, between.low - 1)], costs[min(between.high, len(costs)) - 1]
        fits_, tests = (sorted(each[of] or 0 for each in pieces) for of in ("fits", "accuracy"))
        middle = len(pieces) // 2
        won = [a["cost"] < b["cost"] for a, b in zip(ours, pieces, strict=True)]
        p = binomtest(sum(won), len(won)).pvalue
        rows.append(
            [
                case if pieces is ours else "",
                name,
                f"{costs[middle]:.4g} ({low:.4g} to {high:.4g})",
                f"{fits_[middle]}",
                f"{100 * tests[middle]:.1f} %" if tests[middle] else "–",
                "" if pieces is ours else f"{sum(won)} of {len(won)} (p = {p:.1g})",
            ]
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the seeds")
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    options = parser.parse_args()
    seeds = max(6, round(SEEDS * options.scale))
    plan = {
        f"{case}/{name}/{seed}": functools.partial(fits, contender, f"{case}/{name}", seed)
        for seed in range(seeds)
        for case, contenders in cases().items()
        for name, contender in contenders.items()
    }
    found = Pieces("wrapped_estimators", {}, options.fresh).measure(plan)
    report = Report(
        "scikit-learn's estimators, wrapped",
        f"The best result in {SECONDS:g} CPU seconds on one thread, n = {seeds} seeds. {K} normal "
        f"clusters of {PER_CLUSTER} points in the plane, standard deviation 2 in a square of side "
        f"100; {IMAGES} of scikit-learn's digits for training and {1797 - IMAGES} for testing. "
        f"Python "
        f"{platform.python_version()}, scikit-learn {sklearn.__version__}.",
    )
    report.table(
        "At equal time",
        ["", "", "cost, median (95 %)", "fits", "test accuracy", "partial is lower in"],
        [
            row
            for case, contenders in cases().items()
            for row in rows_of(
                case,
                {
                    name: [found[f"{case}/{name}/{seed}"] for seed in range(seeds)]
                    for name in contenders
                },
            )
        ],
        "Cost: negative log-likelihood per point for the mixture, mean cross-entropy plus penalty "
        "for the network. Intervals come from order statistics, p from the two-sided sign test.",
    )
    report.write("wrapped_estimators")


if __name__ == "__main__":
    main()
