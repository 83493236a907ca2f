"""Compare two methods: the probability of a better run, and the ratio of work.

Runs with equal seeds are not paired: a seed gives different random numbers in another method.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .fixed_target import ERT, Hits, ert, resampled_erts
from .intervals import CONFIDENCE, check_alike, check_confidence, check_values
from .resampling import RESAMPLES, generator, percentiles
from .wording import amount, between


class Chance(NamedTuple):
    """The probability that a run of A costs less than a run of B; ties count one half.

    If the interval includes 0.5, the runs show no clear difference: use more seeds.

    Attributes
    ----------
    chance : float
        P(A < B) + ½ P(A = B).
    low, high : float
        95 % confidence interval, by the method of Brunner and Munzel (2000), which allows any two
        distributions.
    n_a, n_b : int
        Number of runs of A and of B.
    names : tuple of str
        Names of A and B.
    """

    chance: float
    low: float
    high: float
    n_a: int
    n_b: int
    names: tuple[str, str] = ("A", "B")

    @property
    def clear(self) -> bool:
        """Return True if the interval does not include 0.5."""
        return not self.low <= 0.5 <= self.high

    @property
    def share(self) -> str:
        """Return the probability and its interval as text."""
        for digits in range(4):  # an end that is not 50 % is not rounded to 50 %
            share, *ends = (f"{x:.{digits}%}" for x in (self.chance, self.low, self.high))
            if not (self.clear and f"{0.5:.{digits}%}" in ends):
                break
        return f"{share} [{ends[0]}–{ends[1]}]"

    def __repr__(self) -> str:
        a, b = self.names
        n = f"n = {self.n_a} + {self.n_b}"
        return f"<Chance: {a} is below {b} in {self.share} of pairs of runs; {n}>"


class Ratio(NamedTuple):
    """The ratio of A's work per hit to B's work per hit.

    Attributes
    ----------
    ratio : float
        Below 1 if A needs less work; 0 if only A hit, +∞ if only B hit, NaN if neither hit.
    low, high : float
        95 % confidence interval, by the percentile bootstrap.
    successes_a, n_a, successes_b, n_b : int
        Number of runs that hit, and number of all runs.
    names : tuple of str
        Names of A and B.
    """

    ratio: float
    low: float
    high: float
    successes_a: int
    n_a: int
    successes_b: int
    n_b: int
    names: tuple[str, str] = ("A", "B")

    def __repr__(self) -> str:
        a, b = self.names
        hits = f"{self.successes_a} of {self.n_a} and {self.successes_b} of {self.n_b} runs"
        if not (self.successes_a or self.successes_b):
            return f"<Ratio: unknown; {hits} reached the target>"
        ratio = f"{amount(self.ratio)} {between(self.low, self.high)}"
        return f"<Ratio: {a} takes {ratio} times the work of {b}; {hits} reached the target>"


def levelled(values: np.ndarray, alike: float) -> np.ndarray:
    """Return ranks of the values from 0; values that differ by at most ``alike`` share a rank."""
    distinct, place = np.unique(values, return_inverse=True)
    with np.errstate(over="ignore"):
        apart = np.diff(distinct) > alike
    return np.append(0, np.cumsum(apart))[place]


def chance_below(a: Any, b: Any, confidence: float = CONFIDENCE, alike: float = 0.0) -> Chance:
    """Return P(A < B) + ½ P(A = B), the chance that A's run is below B's, with its interval.

    Let Y_i be the share of B's values below a_i, and X_j the share of A's values below b_j; ties
    count half. Then p = mean X = 1 − mean Y. The interval is p ± t √(s²_Y/n_a + s²_X/n_b), clipped
    to [0, 1]. Here, t is the quantile of Student's distribution with Satterthwaite's degrees of
    freedom (Brunner and Munzel 2000, The nonparametric Behrens–Fisher problem, sections 2 and 3;
    their statistic is (p − ½) / √(…)). The two distributions may have any shape.

    If the estimated variance is 0, the interval is computed as for m = min(n_a, n_b) independent
    pairs. If A and B are fully separated, p ≥ (α/2)^(1/m) or p ≤ 1 − (α/2)^(1/m) (Clopper and
    Pearson 1934). If all values are tied, P(A = B) ≥ α^(1/m), so p = ½ ± ½ (1 − α^(1/m)).

    Parameters
    ----------
    a, b : (n_a,), (n_b,) array_like
        At least two values each: costs at equal work, or times T_i of runs with equal budgets. Runs
        without a hit have the value +∞ and tie with each other.
    confidence : float
    alike : float
        Values that differ by at most this are tied (rounding errors). Ties are transitive.

    Raises
    ------
    ValueError
        There are fewer than two values, one is NaN, or ``confidence`` or ``alike`` is out of range.
    """
    from scipy.special import stdtrit

    a, b = check_values(a, "a"), check_values(b, "b")
    alpha = 1.0 - check_confidence(confidence)
    n_a, n_b = len(a), len(b)
    if a.ndim != 1 or b.ndim != 1 or min(n_a, n_b) < 2:
        raise ValueError("a and b must be lists of at least two numbers each.")
    levels = levelled(np.concatenate([a, b]), check_alike(alike))
    a, b = np.sort(levels[:n_a]), np.sort(levels[n_a:])
    p, variance, freedom = placements(a, b)
    if variance:
        half = stdtrit(freedom, 1.0 - alpha / 2.0) * np.sqrt(variance)
        low, high = p - half, p + half
    elif a[0] == b[0]:  # all tied
        half = (1.0 - alpha ** (1.0 / min(n_a, n_b))) / 2.0
        low, high = p - half, p + half
    else:  # fully separated
        bound = (alpha / 2.0) ** (1.0 / min(n_a, n_b))
        low, high = (bound, 1.0) if p == 1 else (0.0, 1.0 - bound)
    return Chance(float(p), float(max(low, 0.0)), float(min(high, 1.0)), n_a, n_b)


def placements(a: np.ndarray, b: np.ndarray) -> tuple[float, float, float]:
    """Return P(A < B) + ½ P(A = B) of sorted samples, its variance, and its degrees of freedom.

    The degrees of freedom are Satterthwaite's; they are NaN if the variance is 0.
    """
    n_a, n_b = len(a), len(b)
    p = float(_below(a, b).mean())
    parts = _below(b, a).var(ddof=1) / n_a, _below(a, b).var(ddof=1) / n_b
    variance = float(sum(parts))
    if not variance:
        return p, 0.0, math.nan
    freedom = variance**2 / (parts[0] ** 2 / (n_a - 1) + parts[1] ** 2 / (n_b - 1))
    return p, variance, float(freedom)


def _below(values: np.ndarray, of: np.ndarray) -> np.ndarray:
    """Return the share of sorted ``values`` below each number in ``of``; ties count half."""
    ranks = np.searchsorted(values, of, "left") + np.searchsorted(values, of, "right")
    return ranks / 2 / len(values)


def ert_ratio(
    a: Hits,
    b: Hits,
    confidence: float = CONFIDENCE,
    resampled: int = RESAMPLES,
    rng: np.random.Generator | int = 0,
) -> Ratio:
    """Return the ratio of ERTs of A and B, with its percentile bootstrap interval.

    Runs of A and of B are resampled independently (see :func:`fixed_target.ert`; Efron and
    Tibshirani 1993, An Introduction to the Bootstrap, chapter 8, for two samples). A resample
    without any hit counts as 0 for the lower end and as +∞ for the upper end.

    If only A or only B hit, the interval is one-sided. It combines the bound of
    :func:`fixed_target.least_ert` for one method with the interval of the other, each with half of
    the error probability (Bonferroni). If neither hit, the interval is 0 to +∞.

    Parameters
    ----------
    a, b : Hits
        Hits of the same target, on the same axis.
    confidence : float
    resampled : int
        Number of resamples, B.
    rng : Generator or int
        A generator, or a seed.

    Raises
    ------
    ValueError
        There are no runs, or a confidence, number or seed is out of range.
    """
    confidence, rng = check_confidence(confidence), generator(rng)
    if not (a.hit.any() and b.hit.any()):
        return _one_sided(*(ert(hits, (1.0 + confidence) / 2.0, resampled, rng) for hits in (a, b)))
    of_a, of_b = (resampled_erts(hits, resampled, rng) for hits in (a, b))
    with np.errstate(invalid="ignore", divide="ignore"):
        ratios = of_a / of_b
    unknown = np.isnan(ratios)
    low, _ = percentiles(np.where(unknown, 0.0, ratios), confidence)
    _, high = percentiles(np.where(unknown, np.inf, ratios), confidence)
    return Ratio(a.ert / b.ert, low, high, a.successes, len(a.times), b.successes, len(b.times))


def _one_sided(a: ERT, b: ERT) -> Ratio:
    """Return the ratio for the case that A, B or both never hit the target."""
    ratio, low, high = np.nan, 0.0, np.inf
    if b.successes:
        ratio, low = np.inf, a.low / b.high
    elif a.successes:
        ratio, high = 0.0, a.high / b.low
    return Ratio(ratio, low, high, a.successes, a.n, b.successes, b.n)
