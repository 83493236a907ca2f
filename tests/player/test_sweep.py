"""A live tuning makes the runs of prviz.tune, shows them while they run, and stores them."""

import io
import json
import time

import numpy as np
import pandas as pd
import pytest
from cases import cases
from waiting import closed, ended, until

import prviz
from prviz.datasets import Points
from prviz.player.batch.recorded import ends_only, load_runs, save_runs
from prviz.player.batch.sweep import Sweep
from prviz.player.live import LiveRun
from prviz.player.resources import store
from prviz.scenes.kmeans import KMeansScene
from prviz.tune import cells_of, grid

POINTS = Points(np.random.default_rng(5).normal(size=(60, 2)), "Some", "by chance")
PROBLEM = prviz.kmeans(POINTS.points, 12)
GIVEN = {"k1": [1, 4], "m1": [5, 50]}
SCENE = KMeansScene(POINTS, PROBLEM)
TARGET = prviz.run(PROBLEM, seed=0, calls=600).best_cost * (1 + 1e-9)


def new_sweep(target=TARGET, seconds=30.0, work=200, given=GIVEN, **options):
    tried = grid(PROBLEM, given)
    cells, usual, full = cells_of(PROBLEM, tried)
    whose = "the paper's setting"
    shared = PROBLEM, cells, usual, full, tried.axes, target, seconds, whose, work
    return Sweep(*shared, **{"check": 20, "given": given, **options})


@pytest.fixture
def make():
    """Return a function that makes sweeps; close the sweeps after the test."""
    made = []

    def sweep(**options):
        made.append(new_sweep(**options))
        return made[-1]

    yield sweep
    closed(made)


def watched(name, seed, calls):
    """Return a run of a setting, for the player."""
    cell = next(cell for cell in cells_of(PROBLEM, grid(PROBLEM, GIVEN))[0] if cell.name == name)
    levels = cell.contender.schedule
    run = LiveRun(PROBLEM, SCENE, levels, seed=seed, seconds=None, calls=calls)
    return run, {"seed": str(seed)}


@pytest.fixture(scope="module")
def finished():
    """Return a finished sweep with its last view."""
    sweep = new_sweep(title="sixty points", replay=watched)
    yield sweep, ended(sweep)
    closed([sweep])


def test_sweep_ends_with_the_result_of_tune(make, finished):
    first = json.loads(make().shown())
    assert first["state"] == "ready" and [cell["n"] for cell in first["cells"]] == [0] * 6
    assert first["leader"] is None and first["words"] == "" and first["ranking"] == []
    sweep, told = finished
    whole = prviz.tune(PROBLEM, GIVEN, target=TARGET, work=200, check=20, store=None)
    whole.whose = "the paper's setting"
    assert (told["state"], told["done"]) == ("finished", 1.0)
    assert (told["leader"], told["words"], told["better"]) == (
        whole.leader, whole.words, whole.better
    )  # fmt: skip
    assert told["ranking"] == whole.ranking() and sweep.best == whole.best
    for number, cell in enumerate(told["cells"]):
        ert = whole.ert(number)
        assert cell["n"] == len(whole.runs[number]) and cell["hits"] == ert.successes
        assert cell["dropped"] == whole.dropped.get(number)
        expected = pytest.approx(np.log10(ert.work)) if ert.successes else None
        assert cell["score"] == expected and (ert.successes or cell["says"].startswith("> "))
    frame = pd.read_csv(io.StringIO(sweep.table()))
    assert len(frame) == len(whole.to_frame())


@cases(
    ("work", "last"),
    [(None, "seeds: about 30 s here."), (200, "fresh seeds, 200 iterations per run.")],
)
def test_sweep_describes_its_plan(make, work, last):
    plan = json.loads(make(work=work, rungs=(2, 4)).shown())["plan"]
    assert plan.startswith("6 settings, 2 to 4 seeds each, then the best on 20 fresh seeds")
    assert plan.endswith(last)


def test_sweep_shows_the_m1_computed_by_the_formula(finished):
    sweep, told = finished
    found, cell = sweep._found, sweep._found.leader
    seed = found.median_seed(cell)
    run, levels = found.runs[cell][seed], found.cells[cell].contender.schedule.levels()
    calls = int(run.calls[-1]) - 1
    stuck = prviz.run(PROBLEM, levels=levels, seed=seed, calls=calls).best_state
    by_hand = prviz.probe(PROBLEM, stuck, [1, 4], repeats=500, least=1e-5).calls_needed(0.01)
    assert told["needed"] == [None if np.isinf(m) else m for m in by_hand]
    assert [cell["m"] for cell in told["cells"][:4]] == [5, 50, 5, 50]


def test_stochastic_optimiser_has_no_epsilon(make, monkeypatch):
    monkeypatch.setattr("prviz.player.batch.sweep.stochastic", lambda problem: True)
    assert ended(make(rungs=(2, 4), check=2))["needed"] == [None, None]


def test_unchanged_data_are_not_sent_again(finished):
    sweep, told = finished
    assert "cells" not in json.loads(sweep.shown(since=told["version"])) and not told["kept"]


def test_stored_runs_are_available_at_once(make, tmp_path):
    file = tmp_path / "tuning.sqlite"
    first = ended(make(work=None, seconds=0.2, store=file))
    again = make(work=None, seconds=0.2, store=file)
    told = ended(again)
    assert told["work"] == first["work"] > 0
    assert again._found.made <= sum(cell["n"] for cell in told["cells"]) - sum(
        cell["n"] for cell in first["cells"]
    )
    for before, now in zip(first["cells"], told["cells"], strict=True):
        assert now["n"] >= before["n"]


def test_costs_are_reported_without_a_target(make):
    told = ended(make(rungs=(2, 4), target=-np.inf, check=2))
    assert not told["target"] and all("hits" not in cell for cell in told["cells"])
    scores = [cell["score"] for cell in told["cells"]]
    assert scores[told["leader"]] <= np.median(scores)


def test_stopped_sweep_keeps_its_best_setting(make):
    sweep = make(work=10_000)
    sweep.start()
    until(lambda: sum(map(len, sweep._found.runs)) >= 3)
    sweep.stop()
    until(lambda: not sweep.active)
    told = json.loads(sweep.shown())
    assert told["state"] == "stopped" and told["done"] < 1
    assert told["leader"] is not None
    hits = sum(cell.get("hits", 0) for cell in told["cells"])
    leads = "Best guess so far: " if told["cells"][told["leader"]]["hits"] else "Best mean rank so"
    assert told["words"].startswith(leads if hits else "None of ")


def test_paused_sweep_computes_nothing_until_it_starts_again(make):
    sweep = make(work=20_000)
    sweep.start()
    until(lambda: sum(map(len, sweep._found.runs)) >= 3)
    sweep.pause()
    until(lambda: sweep.state == "paused")
    time.sleep(0.3)  # time for the current run to notice the pause
    before = time.process_time(), sweep._found.made
    time.sleep(0.5)
    assert time.process_time() - before[0] < 0.25 and sweep._found.made == before[1]
    sweep.start()
    until(lambda: sweep._found.made > before[1])
    assert sweep.state == "running"


def test_sweep_runs_if_its_store_is_unavailable(make, tmp_path):
    file = tmp_path / "no.sqlite"
    file.write_text("something else")
    assert ended(make(rungs=(2, 4), check=2, store=file))["state"] == "finished"


def test_median_run_of_a_setting_can_be_watched(finished):
    sweep, told = finished
    cell = told["cells"][0]
    made = sweep.replay(cell["name"], cell["seed"])
    assert store.find(made["run"]) and made["params"] == {"seed": str(cell["seed"])}
    with pytest.raises(ValueError, match="Unknown run"):
        sweep.replay(cell["name"], 999)


def test_the_code_repeats_the_sweep(make, finished):
    with pytest.raises(ValueError, match="nothing to repeat"):
        make().script()
    sweep, _ = finished
    code = sweep.script().python()
    assert code.startswith("# Tuning: sixty points. ")
    wanted = "store=None", "store=None, check=20"  # the page checks with 100 seeds
    exec(
        code.replace(*wanted).replace("**found.best", "**found.best, calls=2"),
        found := {"problem": PROBLEM},
    )
    assert found["found"].best == sweep.best


def test_sweep_shows_recorded_runs_until_its_own_tuning_has_results(make, finished, tmp_path):
    before, told = finished
    found = before.result
    both = [*enumerate(found.runs), *found.fresh.items()]
    runs = {
        (found.cells[cell].name, seed): ends_only(run)
        for cell, of in both
        for seed, run in of.items()
    }
    save_runs(tmp_path / "t.npz", {}, {"work": 200.0, "needed": before.needed}, runs)
    recorded = load_runs(tmp_path / "t.npz")
    sweep = make()
    sweep.show_recorded(recorded)
    shown = json.loads(sweep.shown())
    assert shown["recorded"].startswith("Showing a recorded tuning.")
    same = "cells", "ranking", "words", "leader", "needed"
    assert [shown[key] for key in same] == [told[key] for key in same]
    assert sweep.best == before.best and not sweep.begun
    sweep.start()
    until(lambda: json.loads(sweep.shown())["recorded"] == "")
    with pytest.raises(KeyError):
        make().show_recorded(recorded._replace(runs={}))
