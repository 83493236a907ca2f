"""How often does a redraw of k variables improve? An estimate of ε for section 2.1 of the paper."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from .algorithm import copied
from .dispatch import driver
from .kernels import check_subset, copy_state, cost, n_variables, optimise, reinitialise, select
from .schedule import SUBSETS, calls_needed, real_number, seed_number, whole_number
from .subsets import Redraw, restore_order

#: An improvement is larger than this share of the cost: less may be rounding.
ROUNDING = 1e-9
STEP_SECONDS = 0.05
CONFIDENCE = 0.95


class Probe(NamedTuple):
    """What redraws of different sizes did to one local optimum.

    Attributes
    ----------
    sizes : (s,) int64
        k, the numbers of variables redrawn.
    repeats, improved : (s,) int64
        Redraws made, and how many of them ended lower than the optimum.
    cost : float
        Of the optimum.
    iterations : (s,) int64
        Of the local optimiser, in all redraws of a size.
    """

    sizes: np.ndarray
    repeats: np.ndarray
    improved: np.ndarray
    cost: float
    iterations: np.ndarray

    @property
    def epsilon(self) -> np.ndarray:
        """(s,) The share that improved; not a number where nothing was tried."""
        with np.errstate(invalid="ignore"):
            return self.improved / self.repeats

    def intervals(self, confidence: float = CONFIDENCE) -> np.ndarray:
        """(s, 2) Wilson's score intervals of ε (Wilson 1927); 0 to 1 where nothing was tried."""
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
        """The size that improved most often, the smallest of those; None if none ever did."""
        if not self.improved.any():
            return None
        return int(self.sizes[np.nanargmax(self.epsilon)])

    def calls_needed(self, delta: float) -> list[float]:
        """M for every size: see :func:`prviz.calls_needed`."""
        return [
            calls_needed(delta, share) if n else math.inf
            for share, n in zip(self.epsilon.tolist(), self.repeats, strict=True)
        ]


@driver
def _try(problem, state, trial, redraw, alpha, limit, rng, order, repeats):
    """Redraw ``trial``, a copy of ``state``, so often; returns how often it improved, and work."""
    improved, iterations = 0, 0
    for _ in range(repeats):
        copy_state(problem, trial, state)
        restore_order(order)
        size = select(problem, trial, redraw, rng, order)
        reinitialise(problem, trial, order[:size], alpha, rng)
        reached, n = optimise(problem, trial, rng)
        improved += reached < limit
        iterations += n
    return improved, iterations


@driver
def _settle(problem, state, rng):
    """Cost before and after a call of the local optimiser."""
    before = cost(problem, state)
    after, _ = optimise(problem, state, rng)
    return before, after


def probe(
    problem: Any,
    state: Any,
    sizes: Iterable[int],
    repeats: int = 1000,
    seed: int = 0,
    *,
    alpha: float = 0.0,
    subset: str = "random",
    callback: Callable[[Probe], Any] | None = None,
) -> Probe:
    """Redraw k variables of a local optimum many times, for several k, and count improvements.

    Parameters
    ----------
    problem
        As :func:`prviz.kmeans` makes it.
    state
        A local optimum of it, such as ``run.best_state``. It is left as it is.
    sizes : iterable of int
        Every k to try, each 1 ≤ k ≤ N.
    repeats : int
        Redraws of every size.
    seed : int
        Each size has a generator of its own: what else is tried makes no difference.
    alpha : float
        Equation (1), as in :class:`prviz.Level`.
    subset : str
        How variables are chosen, as in :class:`prviz.Level`.
    callback : callable
        Called several times a second with a :class:`Probe` of what is known so far; returning True
        ends it there.

    Returns
    -------
    Probe

    Raises
    ------
    TypeError, ValueError
        One sentence that says what is wrong: with the sizes, or because the local optimiser still
        improves ``state``.
    """
    N = n_variables(problem)
    sizes = sorted({whole_number(size, "a size") for size in sizes})
    if not sizes or not 1 <= sizes[0] <= sizes[-1] <= N:
        raise ValueError(f"sizes must be numbers of variables, 1 to {N}, not {sizes}.")
    if (repeats := whole_number(repeats, "repeats")) < 1:
        raise ValueError(f"repeats must be at least 1, not {repeats}.")
    seed = seed_number(seed)
    if not 0.0 <= (alpha := real_number(alpha, "alpha")) <= 1.0:
        raise ValueError(f"alpha must be between 0 and 1, not {alpha}.")
    check_subset(problem, subset)

    limit, here = _lower_than(problem, state)
    found = Probe(
        np.array(sizes), *(np.zeros(len(sizes), np.int64) for _ in range(2)), here,
        np.zeros(len(sizes), np.int64),
    )  # fmt: skip
    order, trial = np.arange(N), copied(state)
    for i, size in enumerate(sizes):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(size,)))
        redraw, batch = Redraw(size, math.nan, SUBSETS.index(subset)), 1
        while (left := repeats - found.repeats[i]) > 0:
            began = time.perf_counter()
            n = int(min(batch, left))
            improved, iterations = _try(
                problem, state, trial, redraw, alpha, limit, rng, order, n
            )  # fmt: skip
            found.repeats[i] += n
            found.improved[i] += improved
            found.iterations[i] += iterations
            if callback is not None and callback(found) is True:
                return found
            seconds = time.perf_counter() - began
            batch = max(1, min(2 * batch, int(batch * STEP_SECONDS / max(seconds, 1e-6))))
    return found


def _lower_than(problem: Any, state: Any) -> tuple[float, float]:
    """Below which cost a redraw counts as an improvement of ``state``, and its cost."""
    before, after = _settle(problem, copied(state), np.random.default_rng(0))
    limit = before - ROUNDING * max(1.0, abs(before))
    if not after >= limit:
        raise ValueError(
            f"This is no local optimum: the optimiser takes its cost from {before:.10g} to "
            f"{after:.10g}. Probe one, such as the best_state of a run."
        )
    return limit, float(before)
