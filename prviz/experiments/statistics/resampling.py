"""The bootstrap over runs: whole runs are resampled with replacement."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...checks import seed_number
from .intervals import check_confidence, check_count, quantile

RESAMPLES = 2000


def generator(rng: Any) -> np.random.Generator:
    """Return the given generator, or make a generator from a seed."""
    return rng if isinstance(rng, np.random.Generator) else np.random.default_rng(seed_number(rng))


def in_order(rows: np.ndarray) -> np.ndarray:
    """Sort rows, so that resamples do not depend on the order of runs."""
    return rows[np.lexsort(rows.T[::-1])]


def resamples(n: int, many: int, rng: np.random.Generator) -> np.ndarray:
    """Return the number of times that each of n runs is in each resample, (many, n) int64."""
    many = check_count(many, "resamples")
    drawn = rng.integers(n, size=(many, n)) + n * np.arange(many)[:, None]
    return np.bincount(drawn.ravel(), minlength=many * n).reshape(many, n)


def percentiles(values: np.ndarray, confidence: float) -> tuple[float, float]:
    """Return the percentile interval of resampled values, which may be infinite.

    For B values and α = 1 − confidence, it is x_(⌈B α/2⌉) to x_(⌈B (1 − α/2)⌉) (Efron and
    Tibshirani 1993, An Introduction to the Bootstrap, section 13.3).
    """
    tail = (1.0 - check_confidence(confidence)) / 2.0
    return float(quantile(values, tail)), float(quantile(values, 1.0 - tail))
