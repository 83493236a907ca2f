"""Rank settings by scores of runs, and test which are worse than the leader."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ..runs.improvements import Improvements
from ..statistics.fixed_target import hitting_times
from ..statistics.pairwise import levelled

#: If two samples have more splits than this, only this many random splits are used.
SPLITS = 20_000
FEW = 10  # number of runs below which Student's distribution is inaccurate


def scores(runs: Sequence[Improvements], target: float, axis: str = "iterations") -> np.ndarray:
    """Return scores of runs, (n, 2) float64, for sorting by both columns; lower is better.

    A run that reached the target has the score (0, work), any other run (1, best cost). So all hits
    rank before all misses.
    """
    times = hitting_times(runs, target, axis)[:, 0]
    missed = np.isinf(times)
    costs = [run.best.min(initial=np.inf) for run in runs]
    return np.column_stack([missed, np.where(missed, costs, times)])


def places(scored: np.ndarray, alike: float = 0.0) -> np.ndarray:
    """Return the ranks of scores, (n,) int from 0; equal costs up to rounding share a rank."""
    missed, values = scored[:, 0] > 0, scored[:, 1]
    found = np.zeros(len(scored), dtype=np.int64)
    hits = ~missed
    if hits.any():
        found[hits] = levelled(values[hits], 0.0)
    if missed.any():
        found[missed] = levelled(values[missed], alike) + (
            found[hits].max() + 1 if hits.any() else 0
        )
    return found


def mean_ranks(scored: Sequence[np.ndarray], alike: float = 0.0) -> np.ndarray:
    """Return the mean rank of each sample's scores among all scores, (c,) float64.

    For n scores in all, a mean rank is n (P(Y < X) + ½ P(Y = X)) + ½ with X drawn from the sample
    and Y from all scores (Brunner, Bathke and Konietschke 2018, Rank and Pseudo-Rank Procedures,
    section 2.2).
    """
    from scipy.stats import rankdata

    ranks = rankdata(places(np.concatenate(scored), alike))
    ends = np.cumsum([len(each) for each in scored])
    return np.array([each.mean() for each in np.split(ranks, ends[:-1])])


def p_worse(leader: Any, other: Any) -> float:
    """Return the p-value of a one-sided test that the other's runs are worse than the leader's.

    This is Brunner and Munzel's (2000) test. With at least ten runs each, it uses Student's
    distribution, otherwise permutations: all splits of the runs, or 20 000 random splits (Neubert
    and Brunner 2007, A studentized permutation test for the non-parametric Behrens–Fisher problem).
    With permutations, p is 1 if the other's runs do not have a higher mean rank.

    Parameters
    ----------
    leader, other : (n_a,), (n_b,) array_like
        Ranks, or other numbers in the same order.
    """
    from scipy.stats import brunnermunzel

    leader, other = np.asarray(leader, float), np.asarray(other, float)
    if leader.max() < other.min():  # no other split can be as extreme
        return 1 / math.comb(len(leader) + len(other), len(other))
    if leader.min() >= other.max():
        return 1.0
    if min(len(leader), len(other)) < FEW:
        return _by_permutation(leader, other)
    return float(brunnermunzel(leader, other, alternative="less").pvalue)


def _by_permutation(leader: np.ndarray, other: np.ndarray) -> float:
    """Return the permutation p-value; SciPy's ``permutation_test`` takes 13 times as long."""
    if (leader[:, None] < other).sum() <= (leader[:, None] > other).sum():
        return 1.0
    pooled = np.concatenate([other, leader])
    n_b, n = len(other), len(pooled)
    # (s, n): in each split, whether each run belongs to ``other``; row 0 is the observed split
    in_other = _splits(n, n_b)
    below = (pooled[:, None] < pooled) + 0.5 * (pooled[:, None] == pooled)  # [i, j]: i below j
    n_a = n - n_b
    by_other = in_other @ below  # (s, n): for each run, how many runs of ``other`` are below it
    by_leader = below.sum(axis=0) - by_other
    first, squares = _sums(in_other * by_leader, by_leader, n_a)
    p, of_other = first / n_b, (squares - first**2 / n_b) / (n_b - 1)  # P(leader < other)
    first, squares = _sums((1 - in_other) * by_other, by_other, n_b)
    of_leader = (squares - first**2 / n_a) / (n_a - 1)
    spread = of_other / n_b + of_leader / n_a
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(spread > 1e-12, (p - 0.5) / np.sqrt(spread), np.sign(p - 0.5) * np.inf)
    t = np.nan_to_num(t, nan=0.0, posinf=np.inf, neginf=-np.inf)  # all tied
    return float(np.mean(t >= t[0] - 1e-9))


def _sums(chosen: np.ndarray, values: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Divide each row's chosen values by n; return their sum and their sum of squares."""
    return chosen.sum(axis=1) / n, np.einsum("ij,ij->i", chosen, values) / n**2


@lru_cache(4)
def _splits(n: int, n_b: int) -> np.ndarray:
    """Return choices of n_b out of n as rows of 0 and 1; row 0 chooses the first n_b."""
    if math.comb(n, n_b) <= SPLITS:
        chosen = np.array(list(itertools.combinations(range(n), n_b)))
    else:
        rng = np.random.default_rng(0)
        chosen = np.argsort(rng.random((SPLITS, n)), axis=1)[:, :n_b]
        chosen[0] = np.arange(n_b)
    found = np.zeros((len(chosen), n))
    np.put_along_axis(found, chosen, 1.0, axis=1)
    return found


def holm(p: Sequence[float]) -> np.ndarray:
    """Return Holm's (1979) adjusted p-values: the i-th smallest times n − i + 1."""
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(np.asarray(p)[order] * np.arange(len(p), 0, -1))
    found = np.empty(len(p))
    found[order] = np.minimum(steps, 1.0)
    return found
