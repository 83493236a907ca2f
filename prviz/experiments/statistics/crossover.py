"""The work from which one method stays ahead of another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..runs.improvements import Improvements
from .fixed_budget import costs_at, grid
from .intervals import CONFIDENCE, check_alike, check_confidence
from .resampling import RESAMPLES, generator, in_order, percentiles, resamples
from .wording import UNITS, amount, between

POINTS = 100  # for a thousand runs, resampling takes 1 ms per point


class Crossover(NamedTuple):
    """The least work after which the median of A stays below that of B.

    Attributes
    ----------
    work : float or None
        None if A is not ahead at the end.
    low, high : float
        95 % confidence interval, by the percentile bootstrap; +∞ if too many resamples have no
        crossover.
    none : float
        Share of resamples in which A is not ahead at the end.
    frontier : float
        Largest work considered.
    n_a, n_b : int
        Number of runs of A and of B.
    axis : str
        The unit of work.
    names : tuple of str
        Names of A and B.
    """

    work: float | None
    low: float
    high: float
    none: float
    frontier: float
    n_a: int
    n_b: int
    axis: str = "iterations"
    names: tuple[str, str] = ("A", "B")

    def __repr__(self) -> str:
        (a, b), unit, n = self.names, UNITS[self.axis], f"n = {self.n_a} + {self.n_b}"
        if self.work is None:
            return f"<Crossover: {a} is not ahead of {b} after {amount(self.frontier)} {unit}; {n}>"
        since = f"{amount(self.work)} {between(self.low, self.high)}"
        return (
            f"<Crossover: {a} is ahead of {b} from {since} to {amount(self.frontier)} {unit}; {n}>"
        )


def crossover(
    a: Sequence[Improvements],
    b: Sequence[Improvements],
    works: Any = None,
    axis: str = "iterations",
    confidence: float = CONFIDENCE,
    resampled: int = RESAMPLES,
    rng: np.random.Generator | int = 0,
    alike: float = 0.0,
) -> Crossover:
    """Return the work from which the median of A stays below that of B, up to the frontier.

    min {W: med A(W′) < med B(W′) for all W′ ≥ W}, with the medians of
    :func:`fixed_budget.costs_at`. The interval is a percentile bootstrap: runs of A and of B are
    resampled independently, as whole runs. A resample without a crossover counts as +∞ (Efron and
    Tibshirani 1993, An Introduction to the Bootstrap, chapters 8 and 13).

    Parameters
    ----------
    a, b : sequence of Improvements
    works : (w,) array_like
        Values of work at which the medians are compared, ascending; changes in between are not
        noticed. By default 100 points of :func:`fixed_budget.grid`, or all improvements if there
        are fewer.
    axis : {"iterations", "calls", "seconds"}
    confidence : float
    resampled : int
        Number of resamples, B.
    rng : Generator or int
        A generator, or a seed.
    alike : float
        Tolerance for ties, such as the rounding error: A is ahead if it is lower by more than this.

    Raises
    ------
    ValueError
        There are no runs, ``works`` is not ascending or goes beyond the end of the shortest run,
        or a confidence, number or seed is out of range.
    """
    confidence, alike, rng = check_confidence(confidence), check_alike(alike), generator(rng)
    works = grid([*a, *b], axis, POINTS) if works is None else np.asarray(works, np.float64)
    if works.ndim != 1 or not len(works) or (np.diff(works) <= 0).any():
        raise ValueError("works must be a list of at least one number, ascending.")
    costs = [in_order(costs_at(runs, works, axis)) for runs in (a, b)]
    of_a, of_b = (np.median(each, axis=0)[::-1, None] for each in costs)
    (found,) = _ahead_from(works, of_a, of_b, alike)
    again_a, again_b = (
        resampled_medians(each, resamples(len(each), resampled, rng)) for each in costs
    )
    crossings = _ahead_from(works, again_a, again_b, alike)
    low, high = percentiles(crossings, confidence)
    return Crossover(
        float(found) if np.isfinite(found) else None, low, high,
        float(np.isinf(crossings).mean()), float(works[-1]), len(a), len(b), axis,
    )  # fmt: skip


def _ahead_from(works: np.ndarray, a: Any, b: Any, alike: float) -> np.ndarray:
    """Return the crossover of each resample; the last work's medians come first in a and b."""
    since: Any = np.inf
    ahead: Any = True
    for work, of_a, of_b in zip(works[::-1], a, b, strict=False):
        ahead = ahead & (of_a < of_b - alike)
        since = np.where(ahead, work, since)
        if not ahead.any():
            break
    return since


def resampled_medians(values: np.ndarray, counts: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the medians of all resamples at each work, from the last work backwards.

    In order of rank, the median is the first run at which the summed counts reach half of a
    resample. Only ranks within 3 √n of the middle are tried: the number of draws among the first r
    runs is binomial, with a standard deviation of at most √n / 2.

    Parameters
    ----------
    values : (n, w) float64
    counts : (B, n) int64
        Number of times that each run is in each resample.

    Yields
    ------
    (B,) float64
    """
    n = len(values)
    middles = sorted({(n + 1) // 2, n // 2 + 1})  # two middle ranks if n is even
    reach = int(np.ceil(3.0 * np.sqrt(n)))
    first, last = max(0, middles[0] - reach), min(n, middles[-1] + reach)
    order = np.argsort(values, axis=0).T
    early = np.zeros(order.shape, np.float32)
    np.put_along_axis(early, order[:, :first], 1, axis=1)
    # for speed, use short integers, and store the counts of a run contiguously
    counts = counts.astype(np.min_scalar_type(-n - 1))
    counts = np.ascontiguousarray(counts.T)
    # float32 is exact, because these are whole numbers ≤ n
    before = (early @ counts.astype(np.float32)).astype(counts.dtype)
    for column, by_rank, passed in zip(values.T[::-1], order[::-1], before[::-1], strict=True):
        ranks = np.full((len(middles), len(passed)), first, counts.dtype)
        for run in by_rank[first:last]:
            passed += counts[run]
            for rank, middle in zip(ranks, middles, strict=True):
                rank += passed < middle
        yield column[by_rank[ranks]].mean(axis=0)
