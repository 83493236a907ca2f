"""Evolution strategy with a learned covariance (CMA-ES), one generation at a time, with restarts.

Source: Hansen (2016), The CMA evolution strategy: a tutorial, arXiv:1604.00772, with negative
weights. Samples use a Cholesky factor. Restarts have two regimes, as in BIPOP-CMA-ES (Hansen 2009):
a doubled population, or a small population with a small step. The regime with fewer evaluations so
far is next.

Matrix products are loops with a fixed order of additions, so they give the same bits on every
machine.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

#: Indices of ``Evolution.numbers``.
STEP, SIZE, MADE, LARGE, BEST, USED, USED_LARGE, USED_SMALL, SMALL, LIMIT, RUNS, AGE = range(12)
FIRST_STEP = 0.2
LEAST_STEP, MOST_CONDITION, FLAT = 1e-12, 1e14, 1e-13


class Evolution(NamedTuple):
    """The state of the strategy, as arrays.

    Attributes
    ----------
    mean, path, axis_path : (n,) float64
        Centre of the samples and the two evolution paths.
    covariance, factor : (n, n) float64
    recent : (m,) float64
        Best values of recent generations, as a ring buffer.
    numbers : (12,) float64
        See the indices ``STEP`` to ``AGE``.
    """

    mean: np.ndarray
    path: np.ndarray
    axis_path: np.ndarray
    covariance: np.ndarray
    factor: np.ndarray
    recent: np.ndarray
    numbers: np.ndarray


class Rates(NamedTuple):
    """Weights and learning rates for a population size."""

    weights: np.ndarray
    mass: float
    c_step: float
    damping: float
    c_path: float
    c_one: float
    c_rank: float
    norm: float


def usual_size(n: int) -> int:
    """Return the usual population size for n coordinates."""
    return 4 + int(3 * math.log(n))


def new_evolution(n: int) -> Evolution:
    """Return a new strategy; :func:`open_run` starts its first run."""
    memory = 10 + math.ceil(30 * n / usual_size(n))
    mean, path, axis_path = np.zeros((3, n))
    return Evolution(mean, path, axis_path, np.eye(n), np.eye(n), np.zeros(memory), np.zeros(12))


@functools.lru_cache(64)
def rates_of(n: int, size: int) -> Rates:
    """Return weights and rates, as in table 1 of the tutorial."""
    raw = np.array([math.log((size + 1) / 2) - math.log(i + 1) for i in range(size)])
    half = size // 2
    plus = raw[:half] / raw[:half].sum()
    mass = 1 / (plus**2).sum()
    minus = raw[half:]
    mass_minus = minus.sum() ** 2 / (minus**2).sum()
    c_one = 2 / ((n + 1.3) ** 2 + mass)
    c_rank = min(1 - c_one, 2 * (0.25 + mass + 1 / mass - 2) / ((n + 2) ** 2 + mass))
    most = min(
        1 + c_one / c_rank, 1 + 2 * mass_minus / (mass_minus + 2), (1 - c_one - c_rank) / n / c_rank
    )
    below = minus.sum()
    weights = np.concatenate([plus, most * minus / -below if below < 0 else minus])
    c_step = (mass + 2) / (n + mass + 5)
    return Rates(
        weights,
        mass,
        c_step,
        1 + 2 * max(0.0, math.sqrt((mass - 1) / (n + 1)) - 1) + c_step,
        (4 + mass / n) / (n + 4 + 2 * mass / n),
        c_one,
        c_rank,
        math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)),
    )


def open_run(state: Evolution, mean: np.ndarray, rng: np.random.Generator) -> None:
    """Start a run around ``mean``, with the population size of the next regime."""
    numbers, n = state.numbers, len(mean)
    usual, step = usual_size(n), FIRST_STEP
    if numbers[RUNS] == 0:
        numbers[SIZE] = numbers[LARGE] = usual
        small = False
    else:
        small = numbers[USED_SMALL] < numbers[USED_LARGE]
        if small:
            share = rng.random(2)
            ratio = max(1.0, 0.5 * numbers[LARGE] / usual)
            numbers[SIZE] = math.floor(usual * ratio ** (share[0] ** 2))
            step *= 10 ** (-2 * share[1])
        else:
            numbers[LARGE] *= 2
            numbers[SIZE] = numbers[LARGE]
    patience = 100 + 50 * (n + 3) ** 2 / math.sqrt(numbers[SIZE])
    numbers[LIMIT] = numbers[USED_LARGE] / 2 if small else patience * numbers[SIZE]
    numbers[SMALL], numbers[STEP] = small, step
    numbers[MADE] = numbers[USED] = numbers[AGE] = 0
    numbers[BEST] = math.inf
    numbers[RUNS] += 1
    state.mean[:] = mean
    state.path[:] = state.axis_path[:] = 0
    state.covariance[...] = state.factor[...] = np.eye(n)


def generation(
    state: Evolution, f: Callable[[np.ndarray], float], rng: np.random.Generator
) -> None:
    """Evaluate one population, and learn from it."""
    numbers, n = state.numbers, len(state.mean)
    size, step = int(numbers[SIZE]), numbers[STEP]
    rates = rates_of(n, size)
    z = rng.standard_normal((size, n))
    y = np.zeros((size, n))
    for j in range(n):
        y += z[:, j, None] * state.factor[:, j]
    values = np.array([f(state.mean + step * each) for each in y])
    order = np.argsort(values, kind="stable")
    numbers[USED] += size
    numbers[USED_SMALL if numbers[SMALL] else USED_LARGE] += size
    lowest = values[order[0]]
    numbers[BEST] = min(numbers[BEST], lowest)
    state.recent[int(numbers[MADE]) % len(state.recent)] = lowest
    numbers[MADE] += 1
    _learn(state, y[order], z[order], rates)


def _learn(state: Evolution, y: np.ndarray, z: np.ndarray, rates: Rates) -> None:
    """Move the mean, and adapt step and covariance, from a sorted population."""
    numbers, (size, n) = state.numbers, y.shape
    step = numbers[STEP]
    plus = rates.weights[: size // 2, None]
    mean_y, mean_z = (plus * y[: size // 2]).sum(axis=0), (plus * z[: size // 2]).sum(axis=0)
    state.mean[:] += step * mean_y
    c = rates.c_step
    state.path[:] = (1 - c) * state.path + math.sqrt(c * (2 - c) * rates.mass) * mean_z
    length = math.sqrt(float((state.path**2).sum()))
    expected = rates.norm * math.sqrt(1 - (1 - c) ** (2 * numbers[MADE]))
    steady = length < (1.4 + 2 / (n + 1)) * expected
    c = rates.c_path
    state.axis_path[:] *= 1 - c
    if steady:
        state.axis_path[:] += math.sqrt(c * (2 - c) * rates.mass) * mean_y
    norms = (z**2).sum(axis=1)
    weights = np.where(
        rates.weights >= 0, rates.weights, rates.weights * n / np.maximum(norms, 1e-300)
    )
    lost = 0.0 if steady else c * (2 - c)
    kept = 1 + rates.c_one * lost - rates.c_one - rates.c_rank * rates.weights.sum()
    state.covariance[...] *= kept
    state.covariance[...] += rates.c_one * state.axis_path[:, None] * state.axis_path
    for weight, each in zip(weights.tolist(), y, strict=True):
        state.covariance[...] += (rates.c_rank * weight * each)[:, None] * each
    numbers[STEP] *= math.exp(min(1.0, rates.c_step / rates.damping * (length / rates.norm - 1)))
    numbers[AGE] += 1
    if numbers[AGE] >= 1 / (rates.c_one + rates.c_rank) / n / 10:
        numbers[AGE] = 0
        factor = cholesky(state.covariance)
        if factor is None:
            numbers[STEP] = 0.0  # this ends the run
        else:
            state.factor[...] = factor


def ended(state: Evolution) -> bool:
    """Return True if the run has converged, stagnated or used its evaluations, or none began."""
    numbers = state.numbers
    if numbers[RUNS] == 0 or numbers[USED] >= numbers[LIMIT]:
        return True
    diagonal = np.diagonal(state.covariance)
    widest, narrowest = float(diagonal.max()), float(diagonal.min())
    if not (narrowest > 0 and widest < MOST_CONDITION * narrowest):
        return True
    if numbers[STEP] * math.sqrt(widest) < LEAST_STEP:
        return True
    n = len(state.mean)
    made = min(len(state.recent), 10 + math.ceil(30 * n / numbers[SIZE]))
    if numbers[MADE] < made:
        return False
    last = [int(numbers[MADE] - 1 - i) % len(state.recent) for i in range(made)]
    recent = state.recent[last]
    spread = float(recent.max() - recent.min())
    return spread <= FLAT * max(1.0, abs(float(recent.min()))) or spread == 0.0


def cholesky(matrix: Any) -> np.ndarray | None:
    """Return the lower Cholesky factor; None if the matrix is not positive definite."""
    factor = np.tril(matrix)
    for j in range(len(factor)):
        if not factor[j, j] > 0.0:
            return None
        factor[j:, j] /= math.sqrt(factor[j, j])
        column = factor[j + 1 :, j]
        factor[j + 1 :, j + 1 :] -= column[:, None] * column
    return np.tril(factor)
