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
    """The times at which n runs hit a target, or the work of runs that did not.

    Attributes
    ----------
    times : (n,) float64
        T_i, work at the end of the first call that reached the target; +∞ if none did.
    ends : (n,) float64
        C_i, work of the whole run: a lower bound of T_i for a run without a hit.
    over : (n,) bool
        Which runs are final: they could not have hit later.
    axis : str
        The unit of work: "iterations", "calls" or "seconds".
    """

    times: np.ndarray
    ends: np.ndarray
    over: np.ndarray
    axis: str = "iterations"

    @property
    def hit(self) -> np.ndarray:
        """Return which runs hit, (n,) bool."""
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
    successes, n : int
        Number of runs that hit, and of all runs.
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
        # costs fall, so count those above the target
        above = np.searchsorted(-run.best, -targets, "left")
        row[:] = np.append(run.work(axis), np.inf)[above]
    return times


def hits_of(runs: Sequence[Improvements], target: float, axis: str = "iterations") -> Hits:
    """Return the work at which each run hit a target.

    T_i is the work at the end of the first call after which the best cost is ≤ the target, else
    censored at C_i, the end of the run.

    Parameters
    ----------
    runs : sequence of Improvements
    target : float
        A cost, including any tolerance.
    axis : {"iterations", "calls", "seconds"}

    Raises
    ------
    ValueError
        No runs, or a target that is NaN.
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

    This is the work of all runs until they hit or ended, divided by the number that hit. It
    estimates E[T | hit] + (1 − p)/p · E[C | no hit]: the work until a hit if runs are restarted
    until one hits (Auger and Hansen 2005, Performance evaluation of an advanced local search
    evolutionary algorithm; Hansen et al. 2016, COCO: Performance Assessment, arXiv:1605.03560,
    section Averaging Runtime).

    The interval is a percentile bootstrap over runs. A resample without a hit counts as +∞, which
    makes the interval one-sided if hits are rare. With 100 runs its coverage was 94 %, slightly
    less than nominal (``tests/experiments/test_coverage.py``). If no run hit, ERT is infinite with
    a lower bound, see :func:`least_ert`.

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
        No runs, or a confidence, number or seed out of range.
    """
    n = len(check_values(hits.times, "times"))
    if not hits.successes:
        low = least_ert(float(hits.spent.sum()), n, confidence)
        return ERT(np.inf, low, np.inf, 0, n, hits.axis)
    low, high = percentiles(resampled_erts(hits, resampled, rng), confidence)
    return ERT(hits.ert, low, high, hits.successes, n, hits.axis)


def least_ert(spent: float, n: int, confidence: float = CONFIDENCE) -> float:
    """Return a lower bound of ERT, if none of n runs hit; ``spent`` is their total work.

    By the rule of three (Hanley and Lippman-Hand 1983, If nothing goes wrong, is everything all
    right?),
    p ≤ 1 − α^(1/n) ≈ 3/n at 95 %, because otherwise a hit would have been seen. With a hit at zero
    cost as the best case, ERT ≥ (1 − p)/p · mean C = Σ C_i / (n (α^(−1/n) − 1)), which is Σ C_i / 3
    for many runs.
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
