"""The data, charts and summary of a race are correct for constructed runs."""

import json
import math

import numpy as np
import pytest
from cases import cases
from experiments.made import run_of
from hypothesis import given
from hypothesis import strategies as st

from prviz.compare import Comparison
from prviz.engine.schedule import Level, Schedule
from prviz.experiments.runs.contender import Reinitialisation
from prviz.experiments.statistics.wording import amount, between, signed, span
from prviz.figures.comparison.race import (
    INTERVAL,
    QUARTILES,
    plot_race,
    race_figure,
    race_info,
    styles,
)
from prviz.figures.comparison.verdict import verdict
from prviz.figures.style import BASELINE, FULL, PARTIAL, log_ticks

FULL_RESTARTS = Reinitialisation(Schedule.from_levels([Level(6)], 6))
# the contenders of the constructed runs
BOTH = {"partial": FULL_RESTARTS, "full": FULL_RESTARTS}
#: Seven runs each: partial starts behind, crosses at 20, and reaches 1 at 40 to 46.
PARTIAL_RUNS = [run_of({10: 9 + i / 10, 20: 5, 40 + i: 1}, end=100) for i in range(7)]
FULL_RUNS = [run_of({10: 7 + i / 10, 30: 6}, end=100) for i in range(7)]


def found(partial=PARTIAL_RUNS, full=FULL_RUNS, target=1.0):
    comparison = Comparison(BOTH, "iterations", target)
    comparison.runs = {"partial": partial, "full": full}
    comparison.seeds = list(range(len(partial)))
    return comparison


def test_charts_match_the_runs():
    info = race_info(found(), known=1.0)
    partial, full = info.lanes
    assert (partial.name, partial.style.colour, full.style.colour) == ("partial", PARTIAL, FULL)
    assert partial.style.dash != full.style.dash
    assert info.frontier == 100 and info.crossover.work == 20
    np.testing.assert_array_equal(partial.curve.median[partial.curve.work == 20], [5])
    assert partial.hit.all() and not full.hit.any()
    assert (partial.costs == 1).all() and (full.costs == 6).all()
    assert partial.solved.share[-1] == 1 and full.solved.share[-1] == 0
    figure = race_figure(info, "WCSS")
    medians = [line for line in figure["data"] if line.get("name", "").startswith("partial")]
    assert [line["name"] for line in medians] == ["partial, n = 7"]
    at = dict(zip(medians[0]["x"], medians[0]["y"], strict=True))
    # gaps to the best known cost, 1, in %; a gap of 0 is drawn at 10⁻⁴ %
    assert at[20] == 400 and at[100] == pytest.approx(1e-4)
    assert all(line["line"]["shape"] == "hv" for line in figure["data"] if "line" in line)
    (cross,) = [line for line in figure["data"] if line["mode"] == "markers"]
    assert cross["x"] == [20]
    json.dumps(figure, allow_nan=False)
    assert len(plot_race(info).data) == len(figure["data"])


def test_five_runs_have_quartiles_but_no_interval_band():
    five = found(PARTIAL_RUNS[:5], FULL_RUNS[:5])  # too few for an interval of the median
    data = race_figure(race_info(five, 1.0))["data"]
    filled = [line for line in data if "fillcolor" in line]
    narrow, wide = (
        [line for line in filled if line["fillcolor"].endswith(f",{opacity})")]
        for opacity in (INTERVAL, QUARTILES)
    )
    assert all(line["x"] == [] for line in narrow)
    assert any(line["x"] for line in wide)


def test_nothing_is_drawn_before_the_first_calls():
    begun = [run_of({10 * (i + 1): 5}, end=100) for i in range(7)]
    early = race_info(found(begun, [run_of({5: 7}, end=8), *begun[1:]]), 1.0)
    assert early.frontier == 8 and not np.isfinite(early.lanes[0].curve.median).any()
    json.dumps(race_figure(early), allow_nan=False)
    assert verdict(early).startswith("Most runs are in their first call; ")


def test_axis_spans_a_decade_after_an_early_stop():
    runs = [run_of({1328 + i: 9.0}, end=1334) for i in range(7)]
    figure = race_figure(race_info(found(runs, runs)))
    (low, high), ticks = figure["layout"]["xaxis"]["range"], figure["layout"]["xaxis"]["tickvals"]
    assert high - low == pytest.approx(1) and 10**low < 1328 < 1334 < 10**high
    assert sum(10**low <= tick <= 10**high for tick in ticks) >= 2


def test_axis_of_work_spans_from_the_first_improvement_to_the_end():
    runs = [run_of({20: 9.0, 900: 5.0}, end=4000)] * 7
    low, high = race_figure(race_info(found(runs, runs)))["layout"]["xaxis"]["range"]
    assert (10**low, 10**high) == pytest.approx((20, 4000))


def test_gaps_are_absolute_if_the_best_is_0():
    """Near 0, costs fall by powers of ten, so the axis is logarithmic; 0 has its own position."""
    figure = race_figure(race_info(found(FULL_RUNS, [run_of({10: 1e-4, 30: 0.0}, end=100)] * 7), 0))
    full = next(line for line in figure["data"] if line.get("name", "").startswith("full"))
    assert (full["y"][0], full["y"][-1]) == (1e-4, 1e-6)
    height = figure["layout"]["yaxis"]
    assert height["type"] == "log" and height["title"]["text"] == "best cost so far"
    ticks = dict(zip(height["ticktext"], height["tickvals"], strict=True))
    assert (ticks["10⁻⁶"], ticks["0.01"], ticks["1"]) == pytest.approx((1e-6, 0.01, 1))


def test_chart_shows_costs_if_no_best_cost_is_known():
    info = race_info(found(target=None))
    figure = race_figure(info)
    assert figure["layout"]["yaxis"]["title"]["text"] == "best cost so far"
    assert info.ratio is None and info.lanes[0].solved is None
    assert not [line for line in figure["data"] if line.get("xaxis") == "x2"]


def test_summary_contains_leader_crossover_and_interval():
    said = verdict(race_info(found(), 1.0))
    assert said == (
        "Partial is ahead of full from 20 iterations on [20–20]; only partial reaches the target, "
        "in 7 of 7 runs, full in 0 of 7; n\u00a0=\u00a07\u00a0+\u00a07."
    )


def test_summary_reports_that_partial_is_behind():
    other = Comparison(BOTH, "iterations", 6.0)
    other.runs, other.seeds = {"partial": FULL_RUNS, "full": PARTIAL_RUNS}, list(range(7))
    said = verdict(race_info(other, 1.0), "Lloyd iteration")
    assert said.startswith("Partial is behind full after 100 Lloyd iterations, by the medians; ")
    assert "full reaches the target 1.5× sooner" in said  # after 20 instead of 30


def test_no_speedup_is_reported_without_a_hit():
    said = verdict(race_info(found(target=0.5), 0.4))
    assert "no run has reached the target yet" in said


@cases(
    ("value", "text"),
    [(0.3149, "0.31"), (4123, "4\u202f120"), (9.96, "10"), (99.6, "100"), (0, "0"), (31.4, "31")],
)
def test_amounts_are_rounded(value, text):
    assert amount(value) == text


def test_range_with_a_negative_end_contains_no_dash():
    assert span(signed(3.5), signed(4)) == "3.5–4"
    assert span(signed(1e-5), signed(2e-5)) == "1e-05–2e-05"
    assert span(signed(-563.5326), signed(-560)) == "−563.533 to −560"
    assert span(signed(-1e-5), signed(0)) == "−1e-05 to 0"
    assert span("-566", "-564") == "-566 to -564"


def test_an_infinite_end_is_shown_as_infinity():
    assert between(3.0, math.inf) == "[3–∞]"


def test_contenders_differ_by_colour_and_dash():
    given = styles(["k-means++", "partial", "random swap", "full"])
    assert given["k-means++"].colour == BASELINE
    assert len({*given.values()}) == len({style.dash for style in given.values()}) == 4


@given(st.floats(-6, 6), st.floats(0, 5))
def test_logarithmic_axis_has_at_least_two_ticks(low, powers):
    ends = [10**low, 10 ** (low + powers)]
    ticks = log_ticks(*ends).get("tickvals")
    assert ticks is None or sum(ends[0] <= tick <= ends[1] * (1 + 1e-9) for tick in ticks) >= 2
    assert (ticks is None) == (powers < 0.7) or abs(powers - 0.7) < 1e-9
