"""Fixed budget: the cost after a given amount of work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..runs.improvements import Improvements
from .intervals import CONFIDENCE, rank_of, ranks

POINTS = 200


class BudgetCurve(NamedTuple):
    """Costs of n runs against work; every curve is a step function.

    Attributes
    ----------
    work : (w,) float64
    median : (w,) float64
        Median of the best costs so far; +∞ while at least half of the runs are in their first call.
    low, high : (w,) float64
        Pointwise interval of the median. At 95 %, it is −∞ to +∞ for fewer than 6 runs.
    lower, upper : (w,) float64
        Quartiles.
    coverage : float
        Exact coverage of the interval: at least the confidence.
    n : int
        Number of runs.
    """

    work: np.ndarray
    median: np.ndarray
    low: np.ndarray
    high: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    coverage: float
    n: int


def check_runs(runs: Sequence[Improvements]) -> Sequence[Improvements]:
    """Return the runs, or raise a ValueError if there are none."""
    if not len(runs):
        raise ValueError("runs must contain at least one run.")
    return runs


def frontier(runs: Sequence[Improvements], axis: str = "iterations") -> float:
    """Return the least work that any run has reached, up to which all runs can be compared.

    Beyond the frontier, only the longer runs would be compared (survivorship bias). A run that
    cannot continue does not limit the frontier, because its cost stays the same. If no run can
    continue, the frontier is the end of the longest run.
    """
    going = [run.end(axis) for run in check_runs(runs) if not run.over]
    return min(going) if going else max(run.end(axis) for run in runs)


def grid(
    runs: Sequence[Improvements],
    axis: str = "iterations",
    points: int | None = POINTS,
    last: float | None = None,
) -> np.ndarray:
    """Return the amounts of work at which curves of these runs are evaluated.

    If there are at most ``points`` improvements, or ``points`` is None, these are the amounts at
    all improvements. Otherwise, they are at most ``points`` of these amounts, evenly spaced on a
    logarithmic axis. The last value is ``last``, by default the frontier.

    Returns
    -------
    (w,) float64, ascending
    """
    last = frontier(runs, axis) if last is None else last
    if points is not None and points < 2:
        raise ValueError(f"points must be at least 2, or None for all improvements, got {points}.")
    improvements = np.unique(np.concatenate([run.work(axis) for run in runs]))
    improvements = np.union1d(improvements[improvements <= last], last)
    if points is None or len(improvements) <= points:
        return improvements
    spaced = np.geomspace(improvements[improvements > 0][0], last, points)
    return improvements[np.unique(np.searchsorted(improvements, spaced, "right") - 1)]


def costs_at(runs: Sequence[Improvements], works: Any, axis: str = "iterations") -> np.ndarray:
    """Return best costs at given work: x_i(W), the lowest cost of the calls that ended by W.

    The value is +∞ before the end of a run's first call, because a call's result is not known
    before it ends (Hansen et al. 2016, COCO: Performance Assessment, arXiv:1605.03560, which
    compares the fixed-budget view with the fixed-target view).

    Parameters
    ----------
    runs : sequence of Improvements
    works : (w,) array_like
        At most :func:`frontier`; any work if no run can continue.
    axis : {"iterations", "calls", "seconds"}

    Returns
    -------
    (n, w) float64

    Raises
    ------
    ValueError
        There are no runs, a value is NaN, or a run has not reached one of the works.
    """
    works = np.atleast_1d(np.asarray(works, np.float64))
    reached = np.inf if all(run.over for run in check_runs(runs)) else frontier(runs, axis)
    if not (works <= reached).all():
        raise ValueError(f"works must be at most {reached:g}, the {axis} of the shortest run.")
    costs = np.empty((len(runs), len(works)))
    for run, row in zip(runs, costs, strict=True):
        row[:] = np.append(np.inf, run.best)[np.searchsorted(run.work(axis), works, "right")]
    return costs


def budget_curve(
    runs: Sequence[Improvements],
    works: Any = None,
    axis: str = "iterations",
    confidence: float = CONFIDENCE,
) -> BudgetCurve:
    """Return median, quartiles, and the order-statistics interval of the median, against work.

    For an even number of runs, the median is the mean of the two middle costs, as in NumPy.
    Quartiles are x_(⌈n p⌉) of :func:`costs_at`, so a quartile is the cost of a run. See
    :func:`intervals.ranks` for the interval.

    Parameters
    ----------
    runs : sequence of Improvements
    works : (w,) array_like
        By default, the values of :func:`grid`.
    axis : {"iterations", "calls", "seconds"}
    confidence : float

    Returns
    -------
    BudgetCurve

    Raises
    ------
    ValueError
        As :func:`costs_at`; also if the confidence is not between 0 and 1.
    """
    works = grid(runs, axis) if works is None else np.atleast_1d(np.asarray(works, np.float64))
    n = len(check_runs(runs))
    low, high, coverage = ranks(n, 0.5, confidence)
    costs = np.sort(costs_at(runs, works, axis), axis=0)
    least, most = np.full((2, 1, len(works)), [[[-np.inf]], [[np.inf]]])
    sorted_costs = np.concatenate([least, costs, most])  # first row −∞, last row +∞
    lower, upper = (sorted_costs[rank_of(p, n)] for p in (0.25, 0.75))
    median = np.median(costs, axis=0)
    return BudgetCurve(
        works, median, sorted_costs[low], sorted_costs[high], lower, upper, coverage, n
    )
