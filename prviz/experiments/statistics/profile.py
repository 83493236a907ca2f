"""The share of solved runs, or of solved pairs of run and target, as a function of the work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..runs.improvements import Improvements
from .fixed_budget import grid
from .fixed_target import Hits, hits_of, hitting_times
from .intervals import CONFIDENCE, check_confidence, check_values, dkw, quantile
from .resampling import RESAMPLES, generator, in_order, resamples


class Profile(NamedTuple):
    """A distribution function of work, as a step function, with a simultaneous band.

    Attributes
    ----------
    work : (w,) float64
    share : (w,) float64
        Share of runs that hit the target within this work; with several targets, share of pairs of
        run and target.
    low, high : (w,) float64
        A simultaneous band: it contains the whole curve with the given confidence.
    n : int
        Number of runs.
    """

    work: np.ndarray
    share: np.ndarray
    low: np.ndarray
    high: np.ndarray
    n: int


def _banded(work: np.ndarray, share: np.ndarray, half: float, n: int) -> Profile:
    return Profile(work, share, np.maximum(share - half, 0.0), np.minimum(share + half, 1.0), n)


def _checked(works: Any, known_to: float) -> np.ndarray:
    works = np.atleast_1d(np.asarray(works, np.float64))
    if not (works <= known_to).all():
        raise ValueError(f"works must be at most {known_to:g}: a run ended there without a hit.")
    return works


def ecdf(hits: Hits, works: Any = None, confidence: float = CONFIDENCE) -> Profile:
    """Return the share of runs that have hit a target, with a simultaneous band.

    F_n(W) = #{i: T_i ≤ W} / n, in a band of ±√(ln(2/α)/(2n)), clipped to [0, 1]
    (:func:`intervals.dkw`; Hansen et al. 2016, COCO: Performance Assessment,
    arXiv:1605.03560, section Empirical Distribution Functions, for runtimes). n includes the
    runs without a hit.

    Parameters
    ----------
    hits : Hits
    works : (w,) array_like
        By default, 0 and every T_i up to ``hits.known_to``. These are all steps of the function.

    Raises
    ------
    ValueError
        Work is beyond the end of a run without a hit, whose later result is unknown.
    """
    times = np.sort(check_values(hits.times, "times"))
    if works is None:
        ends = times[np.isfinite(times) & (times <= hits.known_to)]
        works = np.unique(np.append(0.0, ends))
    works = _checked(works, hits.known_to)
    share = np.searchsorted(times, works, "right") / len(times)
    return _banded(works, share, dkw(len(times), confidence), len(times))


def profile(
    runs: Sequence[Improvements],
    targets: Any,
    works: Any = None,
    axis: str = "iterations",
    confidence: float = CONFIDENCE,
    resampled: int = RESAMPLES,
    rng: np.random.Generator | int = 0,
) -> Profile:
    """Return the share of pairs (run, target) with a hit, with a simultaneous band.

    F(W) = #{(i, t): T_it ≤ W} / (n t) (Hansen et al. 2016, COCO: Performance Assessment,
    arXiv:1605.03560, section Empirical Distribution Functions). A run that reaches one target late
    also reaches the next target late, so the pairs of runs and targets are not independent.
    Therefore, whole runs are resampled. The band is F ± c, clipped to [0, 1], where c is the
    quantile at 1 − α of max_W |F*(W) − F(W)| over resamples (Bickel and Freedman 1981, Some
    asymptotic theory for the bootstrap, section 4).

    Parameters
    ----------
    runs : sequence of Improvements
    targets : (t,) array_like
        Costs.
    works : (w,) array_like
        By default, the values of :func:`fixed_budget.grid` up to the earliest end of a run that has
        not hit all targets.
    axis : {"iterations", "calls", "seconds"}
    confidence : float
    resampled : int
        Number of resamples, B.
    rng : Generator or int
        A generator, or a seed.

    Raises
    ------
    ValueError
        There are no runs or targets, a value is NaN, or work is beyond the end of a run that has
        not hit all targets.
    """
    confidence = check_confidence(confidence)
    times = np.sort(hitting_times(runs, targets, axis), axis=1)
    n, t = times.shape
    known_to = hits_of(runs, np.min(targets), axis).known_to
    if works is None:
        works = grid(runs, axis, last=min(known_to, max(run.end(axis) for run in runs)))
    works = _checked(works, known_to)
    done = in_order(np.array([np.searchsorted(row, works, "right") for row in times]) / t)
    share = done.mean(axis=0)
    again = resamples(n, resampled, generator(rng)) @ done / n
    half = quantile(np.abs(again - share).max(axis=1), confidence)
    return _banded(works, share, float(half), n)
