"""Make a hidden Markov model with Gaussian emissions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....checks import real_number, whole_number
from ....datasets.check import full_weights
from ....datasets.memory import check_memory
from ....datasets.types.series import Series, check_series
from ....datasets.types.strings import check_lengths
from ....engine.simd.simd8 import padded
from .model import GaussianHMM

COVARIANCES = ("diag", "full")
#: Default floor of variances, as a share of each column's variance.
FLOOR = 1e-3
#: A column whose variance is at most this, relative to its largest square, counts as constant.
ROUNDED = 1e-20


def make_gaussian_hmm(
    series: Any,
    n_states: int,
    n_mix: int,
    lengths: Any,
    weights: Any,
    tolerance: float,
    max_iterations: int,
    covariance_type: str,
    min_covar: float | None,
) -> GaussianHMM:
    """Return the problem; see :func:`prviz.hmm` for the arguments."""
    if covariance_type not in COVARIANCES:
        raise ValueError(f"covariance_type must be 'diag' or 'full', got {covariance_type!r}.")
    M = whole_number(n_mix, "n_mix")
    if M < 1:
        raise ValueError(f"n_mix must be at least 1, got {n_mix}.")
    values = check_series(series)
    T, d = values.shape
    rows = d if covariance_type == "full" else 1
    if isinstance(series, Series) and lengths is None:
        lengths = series.lengths
    each = check_lengths(lengths, T)
    heavy = full_weights(weights, len(each), "sequence")
    check_memory(
        (2 + (M if M > 1 else 0)) * T * padded(n_states)
        + n_states * (3 * n_states + 2 * M * rows * d),
        f"the densities of {T} observations in {n_states} states",
        "use fewer states, or a shorter series",
    )
    steps = np.repeat(heavy / heavy.max(), each).tolist()
    variances = np.array([_variance(column, steps) for column in values.T.tolist()])
    floor = _floor(values, variances, min_covar)
    return GaussianHMM(
        *(values, n_states, M, rows, floor, np.maximum(variances, floor)),
        *(tolerance, max_iterations, each, heavy),
    )


def _variance(column: list[float], weights: list[float]) -> float:
    """Return the weighted variance of a column; exact sums make it equal on every machine."""
    pairs, total = [*zip(column, weights, strict=True)], math.fsum(weights)
    mean = math.fsum(x * weight for x, weight in pairs) / total
    return math.fsum((x - mean) * (x - mean) * weight for x, weight in pairs) / total


def _floor(values: np.ndarray, variances: np.ndarray, min_covar: float | None) -> np.ndarray:
    """Return the lower bound of a state's variance in each column."""
    if min_covar is not None:
        least = real_number(min_covar, "min_covar")
        if not 0 < least < math.inf:
            raise ValueError(f"min_covar must be above 0 and finite, got {min_covar}.")
        return np.full(values.shape[1], least)
    sizes = np.abs(values).max(axis=0)
    if (flat := variances <= ROUNDED * sizes * sizes).any():
        column = int(flat.argmax())
        raise ValueError(
            f"Column {column} of the series is constant, or its standard deviation is below 1e-10 "
            "of its largest value. Drop the column, subtract a constant, or set min_covar."
        )
    return FLOOR * variances
