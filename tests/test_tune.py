"""Tuning uses the right grid, finds planted winners, and reports if there is no winner."""

import contextlib
import json
import math
import sqlite3
import threading
import time
from typing import NamedTuple

import numpy as np
import pytest
from cases import cases

import prviz
from prviz.__main__ import main
from prviz.experiments.runs.as_completed import Signals, finished
from prviz.experiments.runs.improvements import Improvements, nothing
from prviz.experiments.runs.runner import Budget
from prviz.experiments.tuning.tuner import Cell, Tuner, affordable, rounded_down
from prviz.tune import NEVER, Tuning, cells_of, grid, name_of

POINTS = np.random.default_rng(5).normal(size=(60, 2))
PROBLEM = prviz.kmeans(POINTS, 12)


# ---- the grid


def test_default_grid_depends_on_n():
    made = grid(prviz.kmeans(np.random.default_rng(0).normal(size=(90, 2)), 50))
    assert made.axes["k1"] == ["1", "2", "5", "11", "25"]
    assert made.axes["m1"] == ["N/k₁", "10 N/k₁", "100 N/k₁", "∞"]
    assert made.settings[0, 0, 0, 0] == {"k1": 1, "m1": 50, "alpha": 0.0, "subset": "random"}
    assert made.settings[2, 1, 0, 0]["m1"] == 100 and made.settings[4, 3, 0, 0]["m1"] == NEVER
    assert len(made.settings) == 20


def test_grid_uses_the_given_values():
    given = {"k1": [2], "m1": [7, math.inf], "alpha": [0, 0.5], "subset": ["random", "tournament"]}
    made = grid(PROBLEM, given)
    assert made.axes["m1"] == ["7", "∞"] and len(made.settings) == 8
    names = [name_of(settings) for settings in made.settings.values()]
    assert names[:2] == ["k₁ = 2, M₁ = 7", "k₁ = 2, M₁ = 7, sub-sets tournament"]
    assert names[-1] == "k₁ = 2, no restarts, α = 0.5, sub-sets tournament"


def test_grid_leaves_out_settings_that_are_full_restarts():
    made = grid(PROBLEM, {"k1": [2, 12], "m1": [5, 9], "alpha": [0, 0.5]})
    assert made.axes["k1"] == ["2", "12"] and len(made.settings) == 6
    assert grid(PROBLEM, {"k1": [2, 12], "m1": [5, 9]}).axes["k1"] == ["2"]


def test_baselines_are_tried_once():
    cells, usual, full = cells_of(PROBLEM, grid(PROBLEM, {"k1": [1], "m1": [5, 100]}))
    assert [cell.name for cell in cells] == ["k₁ = 1, M₁ = 5", "k₁ = 1, M₁ = 100", "full restarts"]
    assert (usual, full) == (1, 2) and cells[1].place == (0, 1, 0, 0) and cells[2].place is None
    other = cells_of(PROBLEM, grid(PROBLEM, {"k1": [1], "m1": [5]}), {"k1": 3, "m1": 9})
    assert other[0][other[1]].name == "k₁ = 3, M₁ = 9"


@cases(
    ("k1", "usual", "names"),
    [
        (["all"], None, ["k₁ = 1, M₁ = 100", "full restarts"]),
        ([2, "all"], {"k1": "all"}, ["k₁ = 2, M₁ = 5", "full restarts"]),
        (["all"], {"k1": "all"}, ["full restarts"]),
        ([12], {"k1": 12}, ["full restarts"]),
    ],
)
def test_tune_tries_full_restarts_once(k1, usual, names):
    given = {"k1": k1, "m1": [5]}
    found = prviz.tune(PROBLEM, given, usual=usual, work=20, check=0, store=None)
    assert [cell.name for cell in found.cells] == names
    assert found.cells[found.full].settings == {"k1": "all"}
    assert all(f">{name}<" in found.report() for name in names)


@cases(
    ("arguments", "error", "says"),
    [
        ({"grid": {"k2": [1]}}, ValueError, "A grid can have k1, m1, alpha and subset, got 'k2'"),
        ({"grid": {"k1": []}}, ValueError, "k1 must be a list of values to try"),
        (
            {"grid": {"k1": [13]}},
            ValueError,
            'k1 must be an integer from 1 to 12, "all" or "auto", got 13',
        ),
        ({"grid": {"subset": "local"}}, ValueError, "subset must be a list"),
        ({"grid": {"subset": ["local"]}}, ValueError, "local"),
        ({"rungs": [5, 6]}, ValueError, "rungs must be increasing numbers of seeds"),
        ({"check": 1}, ValueError, "check must be 0, or at least 2"),
        ({"seconds": -1}, ValueError, "seconds must be positive"),
        ({"target": math.nan}, ValueError, "target must be a cost"),
        ({"work": 0}, ValueError, "work must be positive"),
        ({"usual": {"k_1": 1}}, TypeError, "usual: unknown setting 'k_1'. Did you mean 'k1'"),
        ({"usual": [1]}, TypeError, "usual must be a dictionary of settings, got"),
        ({"grid": [1]}, TypeError, "A grid is a dictionary of lists of values, got"),
    ],
)
def test_tune_rejects_invalid_arguments(arguments, error, says):
    with pytest.raises(error, match=says):
        prviz.tune(PROBLEM, **{"store": None, **arguments})


def test_work_is_rounded_down_to_a_round_number():
    assert [rounded_down(x) for x in (1, 1.4, 999, 1000, 4999, 65_000)] == [
        1, 1, 700, 1000, 3000, 50_000
    ]  # fmt: skip


# ---- constructed settings: exponential times to the target


class Made(NamedTuple):
    """A contender with simulated runs: they solve after a random time, or end at a cost of 1."""

    rate: float
    stream: int
    iteration = ""

    @property
    def settings(self):
        return {"rate": self.rate, "stream": self.stream}

    def begin(self, problem, seed):
        return MadeRun(nothing(), np.random.default_rng([self.stream, seed]).exponential(), self)


class MadeRun(NamedTuple):
    improvements: Improvements
    drawn: float
    of: Made
    done = False
    nbytes = 0

    def further(self, problem, stretch):
        hit = 100 * self.drawn / self.of.rate
        first, end = np.array([1]), math.ceil(stretch.until)
        if hit <= end:
            work, best = np.array([1, max(2, round(hit))]), np.array([9.0, 0.0])
            run = Improvements(
                work, work, work / 1000, best, work[1], work[1], work[1] / 1000, True
            )
        else:
            best = np.array([1.0 + self.drawn])
            run = Improvements(first, first, first / 1000, best, end, end, end / 1000)
        return MadeDone(run) if hit <= end or end >= 100 else self._replace(improvements=run)


class MadeDone(NamedTuple):
    improvements: Improvements
    done = True
    nbytes = 0


def made_tuning(rates, check=100, offset=0):
    cells = [Cell(f"s{i}", {"k1": i}, Made(rate, i + offset)) for i, rate in enumerate(rates)]
    return Tuning(None, cells, 0, 1, Budget("iterations", 100, 0.5), check=check)


def tuned(tuning, **options):
    for _ in tuning.steps(1, **options):
        pass
    return tuning


def test_tune_finds_the_planted_setting_and_its_gain():
    found = tuned(made_tuning([1.0, 0.2, 0.5, 6.0, 1.0, 0.3]))
    assert found.done and found.best == {"k1": 3} and found.better
    assert found.checked.n == 100 and found.checked.ratio.ratio == pytest.approx(1 / 6, rel=0.5)
    assert found.ranking()[0] == 3 and {0, 1} <= {*found.living}
    assert "s3 reaches the target" in found.words and "on 100 fresh seeds." in found.words
    assert found.made == sum(len(runs) for runs in found.runs) + 200
    frame = found.to_frame()
    assert len(frame) == found.made and frame["fresh"].sum() == 200
    assert frame[frame["fresh"]]["seed"].min() == 40


def test_no_setting_is_better_among_equal_settings():
    """None of 8 tunings of twelve equal settings reports a better one."""
    tunings = [tuned(made_tuning([1.0] * 12, offset=1000 * seed)) for seed in range(8)]
    assert not any(tuning.better for tuning in tunings)
    assert all(len(tuning.living) >= 10 for tuning in tunings)


def test_default_setting_can_be_the_leader():
    found = tuned(made_tuning([9.0, 0.1, 0.2]))
    assert found.checked is None and not found.better
    assert "No setting is significantly better: the usual setting itself, s0" in found.words


def test_costs_decide_if_no_run_reaches_the_target():
    cells = [Cell(f"s{i}", {}, Made(1e-9, i)) for i in range(3)]
    found = tuned(Tuning(None, cells, 0, 1, Budget("iterations", 100, -1.0)))
    assert found.checked is None or found.checked.ratio is None
    best = [np.mean([run.best[-1] for run in runs.values()]) for runs in found.runs]
    assert best[found.leader] <= np.median(best)


def test_median_seed_is_reported():
    found = tuned(made_tuning([90.0, 40.0, 900.0]))
    for cell, runs in enumerate(found.runs):
        times = found.hits(cell).times
        assert np.isfinite(times).all()
        middle = [*runs].index(found.median_seed(cell))
        assert times[middle] == np.sort(times)[(len(times) - 1) // 2]


# ---- real searches

SMALL = {"k1": [1, 4], "m1": [5, 50]}
TARGET = prviz.run(PROBLEM, seed=0, calls=600).best_cost * (1 + 1e-9)


def runs_of(found):
    return {
        (cell, seed): (run.end_iterations, run.best.tolist())
        for cell, runs in enumerate(found.runs)
        for seed, run in sorted(runs.items())
    }


def test_tune_merges_settings_with_an_unreachable_m1():
    grid = {"k1": [1, 1], "m1": [5, 10**6, math.inf]}
    found = prviz.tune(PROBLEM, grid, work=200, rungs=(2,), check=0, store=None)
    names = [cell.name for cell in found.cells]
    assert names == [
        "k₁ = 1, M₁ = 5",
        "k₁ = 1, M₁ = 1000000",
        "k₁ = 1, no restarts",
        "k₁ = 1, M₁ = 100",
        "full restarts",
    ]
    assert [found.merged(cell) for cell in range(5)] == [0, 3, 3, 3, 4]
    assert sorted(found.ranking()) == [0, 3, 4]
    assert found.leader in (0, 3, 4)


def test_workers_do_not_change_the_result():
    asked = {"rungs": (3, 6), "check": 4}
    one, four = (
        prviz.tune(PROBLEM, SMALL, **asked, target=TARGET, work=200, workers=n, store=None)
        for n in (1, 4)
    )
    assert runs_of(one) == runs_of(four) and one.words == four.words
    by_hand = prviz.run(PROBLEM, k1=4, m1=50, seed=3, iterations=200, target=TARGET)
    at = next(i for i, cell in enumerate(one.cells) if cell.name == "k₁ = 4, M₁ = 50")
    assert one.runs[at][3].best[-1] == by_hand.best_cost


def test_run_that_never_restarted_is_reused_for_larger_m1(monkeypatch):
    given = {"k1": [1, 4], "m1": [5, 60, 10_000, math.inf]}
    asked = {"target": TARGET, "work": 200, "rungs": (3, 6), "check": 4, "store": None}
    found = prviz.tune(PROBLEM, given, **asked)
    monkeypatch.setattr(Tuner, "_same", lambda *of: None)
    whole = prviz.tune(PROBLEM, given, **asked)
    assert runs_of(found) == runs_of(whole) and found.words == whole.words
    assert found.made < whole.made


def test_work_derived_from_time_is_stored(tmp_path):
    asked = {"store": tmp_path / "tuning.sqlite", "seconds": 0.1, "check": 0}
    first, again = (prviz.tune(PROBLEM, SMALL, **asked) for _ in range(2))
    assert first.budget == again.budget
    assert runs_of(first).items() <= runs_of(again).items()
    assert first.made + again.made <= sum(map(len, again.runs))


def test_stopped_tuning_has_a_best_setting():
    found = prviz.tune(
        PROBLEM, SMALL, target=TARGET, work=200, store=None, callback=lambda now: now.made >= 12
    )
    assert found.interrupted and not found.done and found.made == 12
    assert found.best is not None
    unsolved = f"None of {sum(map(len, found.runs))} runs has reached the target."
    assert found.words.startswith(f"{unsolved} Lowest costs so far: k₁ = ")


def test_stopping_ends_the_searches_in_progress():
    signals = Signals.none()
    long = Budget("iterations", 10**9)
    cells, _, full = cells_of(PROBLEM, grid(PROBLEM, SMALL))
    given = [((cell, 0), cells[cell].contender, 0) for cell in (0, full)]
    threading.Timer(0.1, signals.stop.set).start()
    began = time.monotonic()
    assert [*filter(None, finished(PROBLEM, given, long, 2, signals))] == []
    assert time.monotonic() - began < 10


def test_work_is_derived_from_the_time():
    cells, *_ = cells_of(PROBLEM, grid(PROBLEM, SMALL))
    contenders = [cells[0].contender]
    little, much = (affordable(PROBLEM, contenders, 100, seconds, 1) for seconds in (1, 1000))
    assert 1 <= little < much


def test_tune_continues_from_the_runs_stored_so_far(tmp_path):
    store = tmp_path / "tuning.sqlite"
    asked = {"target": 1.1 * TARGET, "work": 200, "rungs": (3, 6), "check": 4}

    def stored():
        with contextlib.closing(sqlite3.connect(store)) as file:
            return file.execute("SELECT count(*) FROM runs").fetchone()[0]

    def stop(now):
        assert stored() >= now.made  # so a kill would lose none of these runs
        return now.made >= 10

    assert prviz.tune(PROBLEM, SMALL, **asked, store=store, callback=stop).interrupted
    there = stored()
    found, again, alone = (
        prviz.tune(PROBLEM, SMALL, **asked, store=where) for where in (store, store, None)
    )
    assert found.made <= stored() - there and again.made == 0  # no stored run is made again
    for each in (found, again):
        assert runs_of(each) == runs_of(alone) and each.words == alone.words
        assert each.checked == alone.checked is not None


def test_command_prints_settings_and_summary(tmp_path, capsys):
    file = tmp_path / "points.csv"
    np.savetxt(file, POINTS, delimiter=",")
    store = str(tmp_path / "tuning.sqlite")
    options = ["--size", "12", "--k1", "1", "4", "--m1", "5", "inf", "--work", "200"]
    on = ["tune", str(file), "--problem", "kmeans"]
    given = [*on, *options, "--check", "10", "--store", store]
    assert main(given) == 0
    *rows, words, stored = capsys.readouterr().out.splitlines()
    assert stored == f"Runs are stored in {store}."
    # with k₁ = 1, the runs for M₁ = 100 and M₁ = ∞ are equal, so they share a row
    assert len(rows) == 5 and sum("no restarts" in row for row in rows) == 1
    assert "the paper's setting" in words
    assert main([*given, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["words"] == words and not found["interrupted"] and found["store"] == store
    best, *others = found["settings"]
    assert best["settings"] == found["best"] and len(others) == 4
    assert {each["dropped_after"] for each in others} <= {None, 5, 10, 20}
