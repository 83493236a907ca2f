"""Fixed target: the work until a cost is reached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..runs.improvements import Improvements
from .fixed_budget import check_runs
from .intervals import CONFIDENCE, check_confidence, check_values
from .resampling import RESAMPLES, generator, in_order, percentiles, resamples
from .wording import UNITS, amount, between


class Hits(NamedTuple):
    """The work at which n runs hit a target, and the total work of each run.

    Attributes
    ----------
    times : (n,) float64
        T_i, work at the end of the first call that reached the target; +∞ without such a call.
    ends : (n,) float64
        C_i, work of the whole run. Without a hit, C_i is a lower bound of T_i.
    over : (n,) bool
        True for runs that could not continue, so they could not have hit later.
    axis : str
        The unit of work: "iterations", "calls" or "seconds".
    """

    times: np.ndarray
    ends: np.ndarray
    over: np.ndarray
    axis: str = "iterations"

    @property
    def hit(self) -> np.ndarray:
        """Return True for each run that hit, (n,) bool."""
        return np.isfinite(self.times)

    @property
    def successes(self) -> int:
        """Return the number of runs that hit."""
        return int(np.count_nonzero(self.hit))

    @property
    def spent(self) -> np.ndarray:
        """Return the work until the hit or the end, min(T_i, C_i)."""
        return np.minimum(self.times, self.ends)

    @property
    def ert(self) -> float:
        """Return Σ min(T_i, C_i) / successes, +∞ without successes; see :func:`ert`."""
        return float(self.spent.sum()) / self.successes if self.successes else np.inf

    @property
    def known_to(self) -> float:
        """Return the work up to which all hits are known; +∞ if there is no limit."""
        return float(self.ends[~self.hit & ~self.over].min(initial=np.inf))


class ERT(NamedTuple):
    """The expected work until a hit, if failed runs are restarted.

    Attributes
    ----------
    work : float
        +∞ if none of the runs hit.
    low, high : float
        95 % confidence interval, by the percentile bootstrap; without a hit, `low` is a bound.
    successes, n : int
        Number of runs that hit, and number of all runs.
    axis : str
        The unit of work.
    """

    work: float
    low: float
    high: float
    successes: int
    n: int
    axis: str = "iterations"

    def __repr__(self) -> str:
        unit, hits = UNITS[self.axis], f"{self.successes} of {self.n} runs reached the target"
        if not self.successes:
            return f"<ERT: at least {amount(self.low)} {unit}; {hits}>"
        return f"<ERT: {amount(self.work)} {between(self.low, self.high)} {unit}; {hits}>"


def hitting_times(
    runs: Sequence[Improvements], targets: Any, axis: str = "iterations"
) -> np.ndarray:
    """Return T_i of each run and target, (n, t); +∞ without a hit. See :func:`hits_of`."""
    targets = check_values(np.atleast_1d(targets), "targets")
    times = np.empty((len(check_runs(runs)), len(targets)))
    for run, row in zip(runs, times, strict=True):
        # best costs are descending, so count the costs above the target
        above = np.searchsorted(-run.best, -targets, "left")
        row[:] = np.append(run.work(axis), np.inf)[above]
    return times


def hits_of(runs: Sequence[Improvements], target: float, axis: str = "iterations") -> Hits:
    """Return the work at which each run hit a target.

    T_i is the work at the end of the first call after which the best cost is ≤ the target. Without
    such a call, T_i is censored at C_i, the end of the run.

    Parameters
    ----------
    runs : sequence of Improvements
    target : float
        A cost, including any tolerance.
    axis : {"iterations", "calls", "seconds"}

    Raises
    ------
    ValueError
        There are no runs, or the target is NaN.
    """
    return Hits(
        hitting_times(runs, target, axis)[:, 0],
        np.array([run.end(axis) for run in runs]),
        np.array([run.over for run in runs]),
        axis,
    )


def ert(
    hits: Hits,
    confidence: float = CONFIDENCE,
    resampled: int = RESAMPLES,
    rng: np.random.Generator | int = 0,
) -> ERT:
    """Return expected running time: Σ min(T_i, C_i) / successes, with its interval.

    This is the total work of all runs, each until its hit or its end, divided by the number of
    hits. It estimates E[T | hit] + (1 − p)/p · E[C | no hit], the work of independent restarts
    until a hit (Auger and Hansen 2005, Performance evaluation of an advanced local search
    evolutionary algorithm; Hansen et al. 2016, COCO: Performance Assessment, arXiv:1605.03560,
    section Averaging Runtime).

    The interval is a percentile bootstrap over runs. A resample without a hit counts as +∞, which
    makes the interval one-sided if hits are rare. With 100 runs, the coverage was 94 %, slightly
    less than nominal (``tests/experiments/test_coverage.py``). If no run hit, ERT is infinite and
    has a lower bound, see :func:`least_ert`.

    Parameters
    ----------
    hits : Hits
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
    n = len(check_values(hits.times, "times"))
    if not hits.successes:
        low = least_ert(float(hits.spent.sum()), n, confidence)
        return ERT(np.inf, low, np.inf, 0, n, hits.axis)
    low, high = percentiles(resampled_erts(hits, resampled, rng), confidence)
    return ERT(hits.ert, low, high, hits.successes, n, hits.axis)


def least_ert(spent: float, n: int, confidence: float = CONFIDENCE) -> float:
    """Return a lower bound of ERT if none of n runs hit; ``spent`` is their total work.

    By the rule of three (Hanley and Lippman-Hand 1983, "If nothing goes wrong, is everything all
    right?"), the probability p of a hit is at most 1 − α^(1/n) ≈ 3/n at 95 %. Let C_i be the work
    of run i. If a hit costs nothing (the best case), ERT = (1 − p)/p · mean C
    ≥ Σ C_i / (n (α^(−1/n) − 1)). For many runs, this bound is Σ C_i / 3.
    """
    alpha = 1.0 - check_confidence(confidence)
    return float(spent / (n * np.expm1(-np.log(alpha) / n)))


def resampled_erts(
    hits: Hits, resampled: int = RESAMPLES, rng: np.random.Generator | int = 0
) -> np.ndarray:
    """Return the ERT of each resample of the runs, +∞ without a hit, (B,)."""
    runs = in_order(np.column_stack([hits.spent, hits.hit]))
    spent, successes = (resamples(len(runs), resampled, generator(rng)) @ runs).T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(successes > 0, spent / successes, np.inf)
