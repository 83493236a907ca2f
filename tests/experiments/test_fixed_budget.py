"""Costs after a given work equal hand calculations and a loop over calls."""

import numpy as np
import pytest
from hypothesis import given
from made import MANY, cost_after, end_of, run_of, runs_of

from prviz.experiments.statistics.fixed_budget import budget_curve, costs_at, frontier, grid

THREE = [
    run_of({2: 9, 5: 4, 9: 1}, end=12),
    run_of({3: 8, 4: 7}, end=10),
    run_of({1: 6, 9: 5}, end=11),
]


def test_costs_equal_a_hand_calculation():
    assert costs_at(THREE, [0, 1, 3, 4.5, 9, 10]).tolist() == [
        [np.inf, np.inf, 9, 9, 1, 1],
        [np.inf, np.inf, 8, 7, 7, 7],
        [np.inf, 6, 6, 6, 5, 5],
    ]


def test_median_equals_a_hand_calculation():
    curve = budget_curve(THREE)
    # the work at each improvement, and at the end
    assert curve.work.tolist() == [1, 2, 3, 4, 5, 9, 10]
    assert curve.median.tolist() == [np.inf, 9, 8, 7, 6, 5, 5]
    assert curve.lower.tolist() == [6, 6, 6, 6, 4, 1, 1]
    assert curve.upper.tolist() == [np.inf, np.inf, 9, 9, 7, 7, 7]
    assert curve.n == 3 and curve.coverage == 1  # three runs give no 95 % interval of the median
    assert (curve.low == -np.inf).all() and (curve.high == np.inf).all()


def test_interval_of_100_runs_has_ranks_40_and_61():
    costs = np.random.default_rng(0).permutation(100) + 1
    curve = budget_curve([run_of({1: cost}) for cost in costs])
    assert [column[0] for column in curve[1:6]] == [50.5, 40, 61, 25, 75]
    assert curve.coverage == pytest.approx(0.9648, abs=1e-4)
    wider = budget_curve([run_of({1: cost}) for cost in costs], confidence=0.99)
    assert wider.low[0] < 40 and wider.high[0] > 61


def test_curves_stop_at_the_end_of_the_shortest_run():
    assert frontier(THREE) == 10 and grid(THREE)[-1] == 10
    with pytest.raises(ValueError, match="at most 10, the iterations of the shortest run"):
        costs_at(THREE, [4, 10.5])
    with pytest.raises(ValueError, match="works must be at most 10"):
        budget_curve(THREE, [np.nan])


def test_diverged_run_keeps_its_cost():
    lost, nothing = run_of({1: 5}, end=2, over=True), run_of({}, end=0, over=True)
    assert frontier([*THREE, lost, nothing]) == 10
    assert costs_at([*THREE, lost, nothing], [10])[:, 0].tolist() == [1, 7, 5, 5, np.inf]
    assert frontier([lost, nothing]) == 2
    # no further improvement is possible
    assert costs_at([lost, nothing], [99])[:, 0].tolist() == [5, np.inf]
    stopped = lost._replace(over=False)
    assert frontier([*THREE, stopped]) == 2


def test_work_is_measured_in_calls_iterations_or_seconds():
    run = run_of({2: 5})._replace(iterations=np.array([40]), end_iterations=50, end_seconds=2.5)
    assert [frontier([run], axis) for axis in ("iterations", "calls", "seconds")] == [50, 2, 2.5]
    assert costs_at([run], [39, 40], "iterations").tolist() == [[np.inf, 5]]
    with pytest.raises(ValueError, match="work must be one of"):
        costs_at([run], [1], "hours")


def test_grid_thins_improvements_to_logarithmic_spacing():
    rng = np.random.default_rng(5)
    runs = [run_of({int(w): -i for i, w in enumerate(np.unique(rng.integers(1, 10**5, 50)))})
            for _ in range(40)]  # fmt: skip
    works, improvements = grid(runs, points=50), grid(runs, points=None)
    assert set(works) <= set(improvements) and works[-1] == improvements[-1] == frontier(runs)
    assert works[0] == improvements[0] and 30 < len(works) <= 50 and len(improvements) > 1500
    # a dropped improvement is within one step of a kept one
    step = (improvements[-1] / improvements[0]) ** (1 / 49)
    after = works[np.searchsorted(works, improvements)]
    assert (after / improvements <= step * (1 + 1e-12)).all()
    with pytest.raises(ValueError, match="points must be at least 2"):
        grid(runs, points=1)


@given(MANY)
def test_costs_equal_the_minimum_over_ended_calls(many):
    runs = runs_of(many)
    last = min(map(end_of, many))
    assert frontier(runs) == last
    works = np.arange(0, last + 1)
    costs = costs_at(runs, works)
    assert costs.tolist() == [[cost_after(calls, w) for w in works] for calls in many]
    curve = budget_curve(runs, works)
    for j in range(len(works)):
        column = sorted(costs[:, j])
        assert curve.median[j] == np.median(column)
        assert curve.lower[j] == column[(len(column) + 3) // 4 - 1]
    for one in curve[1:6]:
        assert (one[1:] <= one[:-1]).all()  # curves never rise
    assert (curve.low <= curve.lower).all() or len(many) > 5
    mixed = budget_curve(runs[::-1], works)
    assert all(np.array_equal(a, b) for a, b in zip(curve, mixed, strict=True))


@given(MANY)
def test_costs_are_constant_between_improvements(many):
    runs = runs_of(many)
    at_improvements, everywhere = grid(runs), np.arange(1, frontier(runs) + 1)
    curve, fine = budget_curve(runs), budget_curve(runs, everywhere)
    seen = np.searchsorted(at_improvements, everywhere, "right") - 1
    known = seen >= 0
    assert np.array_equal(curve.median[seen[known]], fine.median[known])
    assert (fine.median[~known] == np.inf).all()


def test_an_empty_list_of_runs_is_rejected():
    for call in (lambda: frontier([]), lambda: costs_at([], [1]), lambda: budget_curve([])):
        with pytest.raises(ValueError, match="runs must contain at least one run"):
            call()
