"""Confidence intervals have their nominal coverage in 1000 simulated experiments.

The observed coverage may differ from the true one by three standard errors (2 %).
"""

import math

import numpy as np
import pytest
from scipy.special import gammainc, ndtr
from scipy.stats import binom, kstwo

from prviz.experiments.runs.improvements import Improvements
from prviz.experiments.statistics.fixed_budget import budget_curve
from prviz.experiments.statistics.fixed_target import Hits, ert
from prviz.experiments.statistics.intervals import ranks
from prviz.experiments.statistics.pairwise import chance_below, ert_ratio
from prviz.experiments.statistics.profile import ecdf, profile

EXPERIMENTS = 1000


def within(found, answer) -> float:
    """Return the fraction of intervals that contain the true value."""
    return float(np.mean([one.low <= answer <= one.high for one in found]))


def test_interval_of_the_median_has_its_nominal_coverage():
    """The ends are observed costs; the exact coverage is 95.9 % with 20 runs."""
    n = 20
    rng = np.random.default_rng(n)
    low, high, coverage = ranks(n)
    exact = binom.cdf(high - 1, n, 0.5) - binom.cdf(low - 1, n, 0.5)
    assert 0.95 <= exact == pytest.approx(coverage) and exact < 0.97
    costs = np.sort(rng.lognormal(size=(EXPERIMENTS, n)), axis=1)  # median 1
    seen = np.mean((costs[:, low - 1] <= 1) & (costs[:, high - 1] >= 1))
    assert seen == pytest.approx(exact, abs=0.02)
    one = np.array([1])
    runs = [Improvements(one, one, one * 1.0, cost[None], 1, 1, 1.0) for cost in costs[0]]
    curve = budget_curve(runs)  # the curve has one value, at work 1
    assert (curve.low[0], curve.high[0]) == (costs[0, low - 1], costs[0, high - 1])


BUDGET = 10.0


def hits_by_chance(rng, n, p) -> Hits:
    """Return runs that end at work 10; each hits with probability p, at a uniform time.

    Their ERT is 5 + 10 (1 − p) / p.
    """
    times = np.where(rng.random(n) < p, BUDGET * rng.random(n), np.inf)
    return Hits(times, np.full(n, BUDGET), np.zeros(n, bool))


def ert_with(p) -> float:
    return BUDGET / 2 + BUDGET * (1 - p) / p


def test_interval_of_ert_has_its_nominal_coverage():
    """Use the percentile bootstrap with a hundred runs."""
    p, rng = 0.3, np.random.default_rng(11)
    found = [ert(hits_by_chance(rng, 100, p), 0.95, 400, rng) for _ in range(EXPERIMENTS)]
    assert np.mean([one.work for one in found]) == pytest.approx(ert_with(p), rel=0.03)
    assert 0.93 < within(found, ert_with(p)) < 0.97


def test_interval_of_the_ratio_has_its_nominal_coverage():
    rng = np.random.default_rng(12)
    found = [
        ert_ratio(hits_by_chance(rng, 100, 0.7), hits_by_chance(rng, 80, 0.4), 0.95, 400, rng)
        for _ in range(EXPERIMENTS)
    ]
    assert 0.93 < within(found, ert_with(0.7) / ert_with(0.4)) < 0.97


def test_band_of_a_distribution_has_its_nominal_coverage():
    """The DKW band is slightly wide: with 50 runs, its exact coverage is 95.7 %."""
    n, rng = 50, np.random.default_rng(13)
    exact = kstwo.cdf(math.sqrt(math.log(40) / (2 * n)), n)
    assert 0.95 <= exact < 0.96
    ends, never = np.full(n, 1.0), np.zeros(n, bool)

    def holds(times) -> bool:
        found = ecdf(Hits(times, ends, never))
        until = np.append(found.work[1:], 1.0)  # end of each step; times are uniform on [0, 1]
        return bool((found.low <= found.work).all() and (until <= found.high).all())

    seen = np.mean([holds(times) for times in rng.random((EXPERIMENTS, n))])
    assert seen == pytest.approx(exact, abs=0.02) and seen >= 0.95


def test_band_of_a_profile_has_its_nominal_coverage():
    """Times between the three targets are exponential. The band covers 30 work values at once."""
    n, works, rng = 60, np.linspace(0.2, 6, 30), np.random.default_rng(14)
    answer = np.mean([gammainc(t, works) for t in (1, 2, 3)], axis=0)  # Erlang distributions
    count, costs = np.arange(1, 4), np.array([3.0, 2.0, 1.0])

    def holds() -> bool:
        times = rng.exponential(size=(n, 3)).cumsum(axis=1)
        runs = [Improvements(count, count, time, costs, 3, 3, 99.0) for time in times]
        found = profile(runs, costs, works, "seconds", resampled=250, rng=rng)
        return bool((found.low <= answer).all() and (answer <= found.high).all())

    assert 0.93 < np.mean([holds() for _ in range(EXPERIMENTS // 2)]) < 0.97


def test_interval_of_the_chance_of_a_lower_cost_has_its_nominal_coverage():
    """Draw normal costs with unequal spreads, because the interval allows unequal shapes."""
    rng = np.random.default_rng(15)
    answer = ndtr(0.8 / math.hypot(1, 3))
    found = [chance_below(rng.normal(0, 1, 30), rng.normal(0.8, 3, 50)) for _ in range(EXPERIMENTS)]
    assert 0.93 < within(found, answer) < 0.97
