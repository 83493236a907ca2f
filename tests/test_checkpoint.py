"""A probe starts at the first checkpoint whose cost is near the best cost."""

import math

import numpy as np
import pytest

import prviz
from prviz.engine.schedule import Level, Schedule
from prviz.search import checkpoint as checkpoints
from prviz.search.checkpoint import MOST_CALLS, NEAR, checkpoint, gap_to

PROBLEM = prviz.kmeans(np.random.default_rng(3).normal(size=(400, 2)), 20)
SCHEDULE = Schedule.from_levels([Level(1, 50), Level(20)], 20)


def test_first_checkpoint_near_the_best_known_cost_is_used():
    run = prviz.run(PROBLEM, k1=1, m1=50, seed=4, calls=2000)
    best = run.best_cost
    made = checkpoint(PROBLEM, SCHEDULE, 4, best_known=best, seconds=5)
    assert 0 <= made.gap <= NEAR and made.calls > 1
    before = prviz.run(PROBLEM, k1=1, m1=50, seed=4, calls=made.calls - 1)
    again = prviz.run(PROBLEM, k1=1, m1=50, seed=4, calls=made.calls)
    assert before.best_cost > best * (1 + NEAR) >= again.best_cost == made.cost
    np.testing.assert_array_equal(made.state.centers, again.best_state.centers)
    assert made.gap == pytest.approx(made.cost / best - 1)


def test_reference_without_a_best_known_cost_is_the_best_of_the_search(monkeypatch):
    monkeypatch.setattr(checkpoints, "MOST_CALLS", 300)
    alone = checkpoint(PROBLEM, SCHEDULE, 4, seconds=30)
    best = prviz.run(PROBLEM, k1=1, m1=50, seed=4, calls=300).best_cost
    assert alone.cost <= best * (1 + NEAR) and alone.calls < 300
    lower = checkpoint(PROBLEM, SCHEDULE, 4, found=best / 1.05, seconds=30)
    assert lower.cost <= alone.cost and lower.gap == pytest.approx(1.05 * lower.cost / best - 1)


def test_last_checkpoint_is_used_if_none_is_near_the_best_known_cost(monkeypatch):
    monkeypatch.setattr(checkpoints, "MOST_CALLS", 30)
    made = checkpoint(PROBLEM, SCHEDULE, 4, best_known=1.0, seconds=30)
    assert made.calls == 30 and made.gap > NEAR
    assert made.cost == prviz.run(PROBLEM, k1=1, m1=50, seed=4, calls=30).best_cost


def test_search_that_ends_early_is_accepted():
    once = Schedule.from_levels([Level(20, 3)], 20)
    assert checkpoint(PROBLEM, once, 4).calls <= 3 < MOST_CALLS


def test_gap_is_relative_to_the_best_or_first_cost():
    assert gap_to(10.0, 11.0, 40.0) == pytest.approx(0.1)
    assert gap_to(-10.0, -9.0, 40.0) == pytest.approx(0.1)
    assert gap_to(0.0, 4.0, 40.0) == pytest.approx(0.1)
    assert gap_to(0.0, 0.0, 0.0) == 0 and math.isfinite(gap_to(0.0, 1.0, 0.0))
