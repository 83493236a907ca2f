"""A live contest computes the same runs as prviz.compare, and shows them while they run."""

import gzip
import io
import json
import threading

import numpy as np
import pandas as pd
import pytest
from cases import cases
from waiting import closed, ended, until

import prviz
from prviz.datasets import Points
from prviz.engine.schedule import Level, Schedule
from prviz.experiments.runs.contender import Reinitialisation
from prviz.experiments.runs.improvements import Improvements
from prviz.experiments.runs.runner import Budget, Wave
from prviz.player.batch import contest as contests
from prviz.player.batch.contest import Contest, Words
from prviz.player.batch.recorded import load_runs, save_runs
from prviz.player.live import LiveRun
from prviz.player.resources import places, store
from prviz.scenes.kmeans import KMeansScene

POINTS = Points(np.random.default_rng(5).normal(size=(60, 2)), "Some", "by chance")
PROBLEM = prviz.kmeans(POINTS.points, 6)
CONTENDERS = {
    "partial": Reinitialisation(Schedule.from_levels([Level(1, 20), Level(6)], 6)),
    "full": Reinitialisation(Schedule.from_levels([Level(6)], 6)),
}
BEST = prviz.run(PROBLEM, seed=0, calls=400).best_cost
SCENE = KMeansScene(POINTS, PROBLEM)
WORDS = Words("k-means on sixty points", "WCSS")


@pytest.fixture
def make():
    """Return a function that makes contests; close the contests after the test."""
    made = []

    def contest(axis="iterations", total=400, target=-np.inf, seeds=range(8), **options):
        made.append(
            Contest(PROBLEM, CONTENDERS, seeds, Budget(axis, total, target), WORDS, **options)
        )
        return made[-1]

    yield contest
    closed(made)


@cases(
    ("axis", "total", "last"),
    [
        ("seconds", 3.0, "3 CPU seconds per run: 48 CPU seconds in all."),
        ("iterations", 400, "400 iterations per run."),
    ],
)
def test_contest_describes_its_plan(make, monkeypatch, axis, total, last):
    monkeypatch.setattr(contests, "_pace", [])
    contest = make(axis, total, workers=2)
    plan = json.loads(contest.shown())["plan"]
    assert plan == f"8 seeds of each of 2 methods, {last}"
    assert "plan" not in ended(make(total=50))


def test_contest_has_the_same_runs_as_prviz_compare(make):
    contest = make(target=BEST * (1 + 1e-9), known=BEST)
    assert json.loads(contest.shown())["state"] == "ready"
    told = ended(contest)
    whole = prviz.compare(PROBLEM, CONTENDERS, seeds=8, work=400, target=BEST * (1 + 1e-9))
    assert (told["state"], told["n"], told["axis"]) == ("finished", 8, "iterations")
    assert [lane["name"] for lane in told["lanes"]] == ["partial", "full"]
    for lane in told["lanes"]:
        runs = whole.runs[lane["name"]]
        assert lane["hit"] == "".join("01"[int(run.best[-1] <= whole.target)] for run in runs)
        np.testing.assert_allclose(
            lane["gaps"], [run.best[-1] / BEST - 1 for run in runs], 1e-3, 1e-12
        )
    solved = sum(one == "1" for one in told["lanes"][0]["hit"])
    assert told["rows"][0][3].startswith(f"{solved}: ")
    assert "n\u00a0=\u00a08\u00a0+\u00a08" in told["words"]
    frame = pd.read_csv(io.StringIO(contest.table()))
    assert frame["best"].tolist() == whole.to_frame()["best"].tolist()


def test_watched_run_replaces_the_previous_run(make):
    def shows(name, seed, calls):
        schedule = CONTENDERS[name].schedule
        run = LiveRun(PROBLEM, SCENE, schedule, seed=seed, seconds=None, calls=calls)
        return run, {"seed": str(seed)}

    contest = make(replay=shows)
    assert all(lane["watched"] for lane in ended(contest)["lanes"])
    found, _ = contest._snapshot()
    first = contest.replay("partial", 2)
    assert first["params"] == {"seed": "2"}
    run = store.find(first["run"])
    until(lambda: run.state == "finished")
    made = found.runs["partial"][2]
    head, _ = run.progress(0)
    assert head["calls"] == made.end_calls
    assert head["bests"][-1][1] == pytest.approx(made.best[-1], rel=1e-12)
    second = store.find(contest.replay("full", 3)["run"])
    assert store.find(first["run"]) is None
    for name, seed in (("full", 8), ("nobody", 0)):
        with pytest.raises(ValueError, match="Unknown run"):
            contest.replay(name, seed)
    contest.close()
    assert store.find(second.id) is None


def test_gap_is_the_cost_if_the_best_known_cost_is_0(make):
    contest = make(known=0.0)
    told = ended(contest)
    assert not any(lane["watched"] for lane in told["lanes"])  # there is no scene
    with pytest.raises(ValueError, match="Unknown run"):
        contest.replay("partial", 0)
    assert told["zero"] and not told["gaps"] and told["cost"] == "WCSS"
    costs = [run.best[-1] for run in contest._snapshot()[0].runs["partial"]]
    np.testing.assert_allclose(told["lanes"][0]["gaps"], costs, 1e-3)


def test_stopped_contest_keeps_its_summary_and_figure(make):
    contest = make(total=10**9)
    contest.start()
    until(lambda: json.loads(contest.shown())["n"] == 8)
    contest.stop()
    contest.wait(20)
    assert not contest.active
    until(lambda: json.loads(contest.shown())["words"] != "")
    told = json.loads(contest.shown())
    assert told["state"] == "stopped" and told["figure"]["data"] and 0 < told["done"] < 1
    assert contest.nbytes == 0


def test_stop_removes_the_message_about_kernels(make, monkeypatch):
    contest = make()
    monkeypatch.setattr(contest, "kernels_ready", lambda timeout=0.0: False)
    contest.start()
    until(lambda: contest.message.startswith("Compiling"))
    contest.stop()
    contest.wait(20)
    assert (contest.state, contest.message) == ("stopped", "")


def test_compressed_answer_has_at_most_20_kilobytes(make):
    contest = make(total=200, seeds=range(100), target=BEST * (1 + 1e-9), known=BEST)
    ended(contest)
    assert len(gzip.compress(contest.shown(), 1)) <= 20_000


def test_charts_are_sent_once(make, monkeypatch):
    monkeypatch.setattr(contests, "SURE", 0.0)  # resample for every answer
    contest = make(total=10**9)
    contest.start()
    until(lambda: json.loads(contest.shown())["n"] == 8)
    contest.pause()
    until(lambda: not contest._in_turn)  # until the current step has added its results
    whole = json.loads(contest.shown())
    again = json.loads(contest.shown(since=whole["version"]))
    assert whole["figure"] and "figure" not in again and again["lanes"] == whole["lanes"]
    assert json.loads(contest.shown(since=whole["version"] - 1))["figure"] == whole["figure"]
    contest.stop()
    until(lambda: not contest.active)
    assert json.loads(contest.shown(since=whole["version"]))["figure"]


def test_summary_and_table_show_the_same_work(make, monkeypatch):
    monkeypatch.setattr(contests, "SURE", 1e9)  # do not resample again before the end
    contest = make(target=BEST * (1 + 1e-9), known=BEST)
    contest.state = "running"
    steps = contest._steps()
    while len(contest._found.seeds) < 8:
        contest._take(next(steps))
    first = json.loads(contest.shown())
    for wave in steps:
        contest._take(wave)
    later = json.loads(contest.shown())
    assert first["figure"] != later["figure"] and first["reached"] != later["reached"]
    for name in ("words", "rows", "until"):
        assert later[name] == first[name]
    contest.state = "stopped"
    last = json.loads(contest.shown())
    assert last["rows"] != first["rows"] and last["until"] == last["reached"] == later["reached"]


def test_cpu_time_is_hidden_with_more_runs_than_cores(make):
    contest = make(total=50)
    ended(contest)
    assert json.loads(contest.shown("seconds"))["axis"] == "seconds"
    crowded = make(total=50, workers=1000)
    assert ended(crowded)["axes"] == ["iterations", "calls"]
    with pytest.raises(ValueError, match="more runs than cores"):
        crowded.shown("seconds")
    with pytest.raises(ValueError, match="must be one of"):
        contest.shown("miles")


def test_methods_with_different_units_of_work_are_compared_by_time():
    matrix = prviz.dissimilarity(np.random.default_rng(1).normal(size=(40, 2)))
    problem = prviz.kmedoids(matrix, 5)
    schedule = Schedule.from_levels([Level(1, 20), Level(5)], 5)
    given = {"partial": Reinitialisation(schedule), "FasterPAM": prviz.baselines.FasterPAM()}
    budget = Budget("seconds", 0.01)
    contest = Contest(problem, given, range(6), budget, WORDS, replay=lambda *of: None)
    told = ended(contest)
    contest.close()
    assert (told["axes"], told["axis"]) == (["seconds"], "seconds")
    assert [lane["watched"] for lane in told["lanes"]] == [True, False]


def test_paused_contest_continues_the_same_runs(make):
    contest = make(total=2000)
    contest.start()
    contest.pause()
    until(lambda: contest.state in ("paused", "finished"))
    contest.start()
    until(lambda: contest.state == "finished")
    whole = prviz.compare(PROBLEM, CONTENDERS, seeds=8, work=2000)
    assert [run.end_calls for run in contest._found.runs["full"]] == [
        run.end_calls for run in whole.runs["full"]
    ]


def test_waiting_contest_reports_that_it_waits(make, monkeypatch):
    queue = places.Places(1)
    monkeypatch.setattr(places, "PLACES", queue)
    stop = threading.Event()
    busy = queue.turns(stop, lambda before: None)
    next(busy)
    contest = make()
    contest.start()
    until(lambda: "Waiting for a core" in contest.message)
    assert json.loads(contest.shown())["state"] == "waiting"
    stop.set()
    next(busy, None)
    until(lambda: contest.state == "finished")


def test_failures_are_reported(make, monkeypatch):
    def fail(*_given, **_more):
        raise MemoryError("too many")
        yield

    monkeypatch.setattr(contests, "waves", fail)
    monkeypatch.setattr(threading, "excepthook", lambda _told: None)
    contest = make()
    contest.start()
    until(lambda: contest.state == "failed")
    assert contest.message == "The race stopped: too many."


def test_contest_is_found_by_id_until_closed(make):
    contest = make()
    assert store.find(contest.id) is contest
    store.leave(contest, 60.0)
    assert store.stay(contest.id) is contest
    contest.close()
    assert store.find(contest.id) is None
    assert contest.state == "stopped"


def test_exported_code_repeats_the_contest(make):
    contest = make(axis="seconds", total=0.01, known=BEST)
    with pytest.raises(ValueError, match="nothing to repeat"):
        contest.script()
    ended(contest)
    exec(contest.script().python(), found := {"problem": PROBLEM})  # the code checks the hash
    assert found["timed"].seeds == list(range(8))
    assert "seconds=0.01" in contest.script().python()
    contest.state = "stopped"
    reached = contest._found.frontier("seconds")
    assert f"seconds={reached!r}" in contest.script().python()


def test_contest_shows_recorded_runs_until_its_own_runs_end(make, tmp_path):
    before = make()
    told = ended(before)
    found = before.result
    each = found.runs.items()
    runs = {(n, s): run for n, of in each for s, run in zip(found.seeds, of, strict=True)}
    save_runs(tmp_path / "race.npz", {"k1": 1}, {}, runs)
    recorded = load_runs(tmp_path / "race.npz")
    assert recorded.values == {"k1": 1}
    contest = make()
    contest.show_recorded(recorded)
    shown = json.loads(contest.shown())
    assert shown["recorded"].startswith("Showing a recorded race.")
    assert shown["state"] == "ready" and not contest.begun
    assert [shown[key] for key in ("rows", "lanes", "words")] == [
        told[key] for key in ("rows", "lanes", "words")
    ]
    own = ended(contest)
    assert own["recorded"] == "" and contest.begun
    with pytest.raises(KeyError):
        make(seeds=range(9)).show_recorded(recorded)


def test_contest_estimates_wall_time_after_a_second(make, monkeypatch):
    monkeypatch.setattr(contests, "_pace", [])
    contest = make("seconds", 3.0, seeds=range(4))
    run = Improvements(np.array([1]), np.array([1]), np.ones(1), np.ones(1), 9, 9, 1.0)
    contest._found.take(Wave([*range(4)], {name: [run] * 4 for name in CONTENDERS}, False))
    contest.state, contest._took = "running", 0.9
    assert json.loads(contest.shown())["left"] == ""
    contest._took = 4.0  # wall time of the first 8 of 24 CPU seconds
    assert json.loads(contest.shown())["left"] == "about 8 s left here"
    assert json.loads(make("seconds", 3.0, seeds=range(4)).shown())["plan"].endswith(
        "24 CPU seconds in all, about 10 s here."
    )
