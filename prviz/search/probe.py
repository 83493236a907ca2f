"""Estimate ε of section 2.1 of the paper: the share of redraws of k variables that improve.

A probe is a normal search from a checkpoint whose cost is −∞, so every redraw is reverted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from .. import display
from ..checks import seed_number, unit, whole_number
from ..engine.algorithm import Limits, Search, advance, iterate_on, start
from ..engine.dispatch import copy_arrays, interpreted
from ..engine.kernels import MOST_ITERATIONS, Problem, check_subset, n_variables
from ..engine.schedule import NO_LIMIT, Schedule, calls_needed
from ..engine.subsets import heuristic_number
from ..system.interrupts import delayed_interrupt
from .traced_search import step_rows

#: An improvement must exceed this share of the cost, to exclude rounding errors.
ROUNDING = 1e-9
STEP_SECONDS = 0.05
STEP_ROWS = 1024
CONFIDENCE = 0.95


class Probe(NamedTuple):
    """Results of redraws of different sizes from one local optimum.

    Attributes
    ----------
    sizes : (s,) int64
        Values of k, the number of redrawn variables; 0 is the control without a redraw.
    repeats, improved : (s,) int64
        Number of redraws of each size, and number of redraws that improved.
    cost : float
        Cost of the optimum.
    iterations : (s,) int64
        Iterations of the local optimiser, summed over all redraws of a size.
    """

    sizes: np.ndarray
    repeats: np.ndarray
    improved: np.ndarray
    cost: float
    iterations: np.ndarray

    @property
    def epsilon(self) -> np.ndarray:
        """Return the share of redraws that improved, shape (s,); NaN without redraws."""
        with np.errstate(invalid="ignore"):
            return self.improved / self.repeats

    def intervals(self, confidence: float = CONFIDENCE) -> np.ndarray:
        """Return Wilson's intervals for ε (Wilson 1927), shape (s, 2); 0 to 1 without redraws."""
        from scipy.stats import binomtest

        return np.array(
            [
                binomtest(int(hits), int(n)).proportion_ci(confidence, "wilson") if n else (0, 1)
                for hits, n in zip(self.improved, self.repeats, strict=True)
            ],
            dtype=np.float64,
        )

    @property
    def best_size(self) -> int | None:
        """Return the smallest size with the highest ε; None if no redraw improved."""
        tried = (self.sizes > 0) & (self.improved > 0)
        if not tried.any():
            return None
        return int(self.sizes[np.argmax(np.where(tried, self.epsilon, 0.0))])

    @property
    def cheapest_size(self) -> int | None:
        """Return the size with the least work per improvement; None if no redraw improved."""
        tried = (self.sizes > 0) & (self.improved > 0)
        if not tried.any():
            return None
        return int(self.sizes[np.argmin(np.where(tried, self.work()[:, 0], math.inf))])

    def work(self, confidence: float = CONFIDENCE) -> np.ndarray:
        """Return iterations per improvement with their interval, shape (s, 3).

        The value is iterations per redraw, divided by ε. The interval includes only the uncertainty
        of ε, because iterations per redraw are known much more precisely. The value is infinite if
        nothing improved, and NaN without redraws.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            redraw = self.iterations / self.repeats
            low, high = self.intervals(confidence).T
            return np.column_stack([redraw / self.epsilon, redraw / high, redraw / low])

    def saving(
        self, size: int, against: int, confidence: float = CONFIDENCE
    ) -> tuple[float, float, float]:
        """Return the work per improvement of ``against`` over that of ``size``, with its interval.

        The interval of the ratio is derived from the intervals of its two parts (MOVER on
        logarithms: Zou and Donner 2008). If ``against`` never improved, only the lower limit is
        finite.
        """
        work = {int(k): row for k, row in zip(self.sizes, self.work(confidence), strict=True)}
        (own, own_low, own_high), (other, low, high) = work[size], work[against]
        if math.isinf(own):
            raise ValueError(f"k = {size} never improved, so no other k can be compared with it.")
        if math.isinf(other):
            return math.inf, float(low / own_high), math.inf
        ratio = other / own
        down = math.hypot(math.log(other / low), math.log(own_high / own))
        up = math.hypot(math.log(high / other), math.log(own / own_low))
        return float(ratio), float(ratio * math.exp(-down)), float(ratio * math.exp(up))

    def to_frame(self, confidence: float = CONFIDENCE) -> Any:
        """Return a DataFrame with one row per size: ε, and iterations per improvement."""
        import pandas as pd

        columns = {"k": self.sizes, "repeats": self.repeats, "improved": self.improved}
        columns |= {"iterations": self.iterations, "epsilon": self.epsilon}
        low, high = self.intervals(confidence).T
        work = dict(zip(("work", "work_low", "work_high"), self.work(confidence).T, strict=True))
        return pd.DataFrame({**columns, "epsilon_low": low, "epsilon_high": high, **work})

    def figure(self, n: int | None = None, many: str = "variables") -> Any:
        """Return a Plotly figure of ε by k with intervals; ``n`` is the number of variables."""
        return display.show("figure", self, n, many)

    def _repr_html_(self) -> str:
        return display.show("_repr_html_", self)

    def calls_needed(self, delta: float) -> list[float]:
        """Return M for every size; see :func:`prviz.calls_needed`."""
        return [
            calls_needed(delta, share) if n else math.inf
            for share, n in zip(self.epsilon.tolist(), self.repeats, strict=True)
        ]


def probe(
    problem: Problem,
    state: Any,
    sizes: Iterable[int],
    repeats: int = 1000,
    seed: int = 0,
    *,
    alpha: float = 0.0,
    subset: str = "random",
    least: float = ROUNDING,
    callback: Callable[[Probe], Any] | None = None,
) -> Probe:
    """Redraw k variables of a local optimum many times, for several k, and count improvements.

    Parameters
    ----------
    problem
        A problem, for example from :func:`prviz.kmeans`.
    state
        A local optimum, such as ``run.best_state``. It is not changed.
    sizes : iterable of int
        The values of k to try, 0 ≤ k ≤ N. With k = 0 the optimiser is called without a redraw. This
        may improve the cost if the optimiser is stochastic or stops before an optimum.
    repeats : int
        Number of redraws per size.
    seed : int
        Seed. Each size has its own generator, so results do not depend on the other sizes.
    alpha : float
        α of equation (1); see :class:`prviz.Level`.
    subset : str
        How variables are chosen; see :class:`prviz.Level`.
    least : float
        A redraw counts as an improvement if the cost falls by more than
        ``least * max(1, abs(cost))``. Increase ``least`` for an optimiser that stops at a
        tolerance.
    callback : callable
        Function that gets the :class:`Probe` so far, several times a second. If it returns True,
        the probe stops.

    Returns
    -------
    Probe

    Raises
    ------
    TypeError, ValueError
        An argument is invalid, or the local optimiser still improves ``state``.
    """
    N = n_variables(problem)
    sizes = sorted({whole_number(size, "a size") for size in sizes})
    if not sizes or not 0 <= sizes[0] <= sizes[-1] <= N:
        raise ValueError(f"sizes must be numbers of variables, 1 to {N}, or 0, got {sizes}.")
    if (repeats := whole_number(repeats, "repeats")) < 1:
        raise ValueError(f"repeats must be at least 1, got {repeats}.")
    seed, alpha, least = seed_number(seed), unit(alpha, "alpha"), unit(least, "least")
    check_subset(problem, subset)

    here = _cost_of_optimum(problem, state, least)
    limit = here - least * max(1.0, abs(here))
    repeated, improved, iterations = np.zeros((3, len(sizes)), np.int64)
    found = Probe(np.array(sizes), repeated, improved, here, iterations)
    for i, size in enumerate(sizes):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(size,)))
        schedule = _redraws(size, N, alpha, subset)
        rows = step_rows(schedule, min(STEP_ROWS, repeats))
        search = _search_returning_to(problem, schedule, state)
        while (left := repeats - found.repeats[i]) > 0:
            most = min(left, len(rows.cost))
            limits = Limits(most, STEP_SECONDS)
            with delayed_interrupt(unless=interpreted(problem) or not found.repeats[i]):
                n = advance(problem, schedule, search, rng, rows, limits)
            found.repeats[i] += n
            found.improved[i] += np.count_nonzero(rows.cost[:n] < limit)
            found.iterations[i] += rows.iterations[:n].sum()
            if callback is not None and callback(found) is True:
                return found
    return found


def _redraws(size: int, N: int, alpha: float, subset: str) -> Schedule:
    """Return a schedule with endless redraws on level 1 and no restart."""
    return Schedule(
        np.array([size, N]),
        np.array([np.iinfo(np.int64).max, NO_LIMIT]),
        np.array([alpha, 0.0]),
        np.array([heuristic_number(subset), 0]),
        np.full(2, math.nan),
    )


def _search_from(problem: Any, schedule: Schedule, state: Any) -> Search:
    """Return a search that starts at ``state`` and redraws on level 1."""
    search = start(problem, schedule, np.random.default_rng(0))
    copy_arrays(search.state, state)
    search.next_level[0] = 1
    return search


def _search_returning_to(problem: Any, schedule: Schedule, state: Any) -> Search:
    """Return a search that reverts to ``state`` after every redraw."""
    search = _search_from(problem, schedule, state)
    search.costs[0] = -math.inf
    return search


def _cost_of_optimum(problem: Any, state: Any, least: float) -> float:
    """Return the cost of a local optimum; raise a ValueError for another state."""
    N = n_variables(problem)
    rng = np.random.default_rng(0)
    search = _search_from(problem, _redraws(N, N, 0.0, "random"), state)
    iterate_on(problem, search, rng, 0)  # 0 iterations: compute the cost alone
    before = float(search.costs[0])
    iterate_on(problem, search, rng, MOST_ITERATIONS)
    after = float(search.costs[0])
    if not after >= before - least * max(1.0, abs(before)):
        raise ValueError(
            f"The state is not a local optimum: the optimiser lowers its cost "
            f"from {before:.10g} to "
            f"{after:.10g}. Probe the best_state of a longer run. A stochastic optimiser, such "
            f"as CD-1, may never reach a local optimum."
        )
    return before
