"""Quantiles, shares and distribution functions, with distribution-free intervals."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...checks import real_number, whole_number

CONFIDENCE = 0.95
#: Tolerance for rounding errors of n p, such as 100 × 0.07.
SLACK = 1e-9


class Share(NamedTuple):
    """A share of runs, with its interval.

    Attributes
    ----------
    share, low, high : float
    hits, n : int
        Number of successful runs, and number of all runs.
    """

    share: float
    low: float
    high: float
    hits: int
    n: int


class Ranks(NamedTuple):
    """The ranks of the sorted values between which a quantile lies.

    Attributes
    ----------
    low, high : int
        Ranks from 1; 0 and n + 1 if no value bounds the quantile.
    coverage : float
        Coverage for continuous distributions; for others, it is at least as high.
    """

    low: int
    high: int
    coverage: float


def check_confidence(value: Any) -> float:
    """Return a confidence as a float between 0 and 1, or raise an error."""
    confidence = real_number(value, "confidence")
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must be between 0 and 1, such as 0.95, got {value!r}.")
    return confidence


def check_count(value: Any, name: str = "n") -> int:
    """Return a count as an int ≥ 1, or raise an error."""
    count = whole_number(value, name)
    if count < 1:
        raise ValueError(f"{name} must be at least 1, got {count}.")
    return count


def check_alike(value: Any) -> float:
    """Return the tolerance for ties as a float ≥ 0, or raise an error."""
    alike = real_number(value, "alike")
    if not 0.0 <= alike < math.inf:
        raise ValueError(f"alike must be 0 or more, and finite, got {value!r}.")
    return alike


def check_values(values: Any, name: str = "values") -> np.ndarray:
    """Return numbers, possibly infinite, as float64 with at least one row."""
    array = np.asarray(values, np.float64)
    if array.ndim == 0 or not len(array):
        raise ValueError(f"{name} must be a list of at least one number.")
    if np.isnan(array).any():
        raise ValueError(f"{name} must not contain NaN.")
    return array


def rank_of(p: float, n: int) -> int:
    """Return ⌈n p⌉, the rank from 1 of the quantile at ``p`` among n sorted values."""
    p = real_number(p, "p")
    if not 0.0 < p <= 1.0:
        raise ValueError(f"p must be above 0 and at most 1, got {p!r}.")
    return max(1, math.ceil(n * p - SLACK))


def quantile(values: Any, p: float) -> np.ndarray:
    """Return the sample quantile x_(⌈n p⌉), which is always one of the values.

    This is the inverse of the empirical distribution function, the least x with F(x) ≥ p
    (definition 1 of Hyndman and Fan 1996, Sample quantiles in statistical packages). So a quartile
    is the cost of a run, and values may be infinite. For p = 0.07, NumPy's ``inverted_cdf`` returns
    the 8th of 100 values, because 100 × 0.07 is above 7 in floating point.

    Parameters
    ----------
    values : (n, …) array_like
        May be infinite.
    p : float
        0 < p ≤ 1.

    Returns
    -------
    (…) float64

    Raises
    ------
    ValueError
        There are no values, one is NaN, or p is out of range.
    """
    values = check_values(values)
    rank = rank_of(p, len(values))
    return np.partition(values, rank - 1, axis=0)[rank - 1]


def ranks(n: int, p: float = 0.5, confidence: float = CONFIDENCE) -> Ranks:
    """Return the ranks of the values between which the quantile at ``p`` lies.

    The number of values up to the quantile is K ~ Bin(n, p). ``low`` is the largest rank l with
    P(K < l) ≤ α/2, and ``high`` is the least rank u with P(K ≥ u) ≤ α/2. The probability of
    x_(l) ≤ quantile ≤ x_(u) is P(l ≤ K < u) ≥ 1 − α, for any distribution (David and Nagaraja 2003,
    Order Statistics, section 7.1; Conover 1999, Practical Nonparametric Statistics, section 3.2).
    Ranks are whole numbers, so the probability is usually above 1 − α: the median of 100 values is
    between the 40th and the 61st with a probability of 96.5 %.

    Raises
    ------
    ValueError
        n < 1, or p or the confidence is not between 0 and 1.
    """
    from scipy.special import bdtr

    n, tail = check_count(n), (1.0 - check_confidence(confidence)) / 2.0
    if not 0.0 < (p := real_number(p, "p")) < 1.0:
        raise ValueError(f"p must be between 0 and 1, got {p!r}.")
    up_to = np.append(0.0, bdtr(np.arange(n + 1.0), n, p))  # P(K < k) for k = 0 … n + 1
    low = int(np.flatnonzero(up_to[: n + 1] <= tail)[-1])
    high = int(np.flatnonzero(1.0 - up_to[1:] <= tail)[0]) + 1
    return Ranks(low, high, float(up_to[high] - up_to[low]))


def share_of(hits: int, n: int, confidence: float = CONFIDENCE) -> Share:
    """Return the share of ``hits`` among ``n`` runs, with Wilson's score interval.

    Brown, Cai and DasGupta recommend this interval (2001, Interval estimation for a binomial
    proportion, section 3.1.1).

    Raises
    ------
    ValueError
        The counts are inconsistent, or the confidence is not between 0 and 1.
    """
    from scipy.stats import binomtest

    if not 0 <= hits <= n or n < 1:
        raise ValueError("hits must be between 0 and n, and n at least 1.")
    found = binomtest(int(hits), int(n)).proportion_ci(check_confidence(confidence), "wilson")
    return Share(hits / n, float(found.low), float(found.high), int(hits), int(n))


def dkw(n: int, confidence: float = CONFIDENCE) -> float:
    """Return half the width of the band around an empirical distribution function.

    It is ε = √(ln(2/α) / (2n)). For any F, sup |F_n − F| ≤ ε with a probability of at least 1 − α
    (Dvoretzky, Kiefer and Wolfowitz 1956, with the constant of Massart 1990, corollary 1).

    Raises
    ------
    ValueError
        n < 1, or the confidence is not between 0 and 1.
    """
    alpha = 1.0 - check_confidence(confidence)
    return math.sqrt(math.log(2.0 / alpha) / (2.0 * check_count(n)))
