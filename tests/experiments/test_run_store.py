"""A store never repeats a run, loses no finished run, and rejects files that are not stores."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from cases import cases

import prviz
from prviz.engine.schedule import Schedule
from prviz.experiments.runs import store
from prviz.experiments.runs.contender import Reinitialisation, SearchTrial
from prviz.experiments.runs.identity import hash_of_problem, key_of
from prviz.experiments.runs.runner import Budget

HERE = Path(__file__).parent
POINTS = np.random.default_rng(5).normal(size=(60, 2))
PROBLEM = prviz.kmeans(POINTS, 6)
BOTH = {"partial": {"k1": 1, "m1": 20}, "full": {"k1": "all"}}
CALLS = 40
BATCH = store.BATCH  # seeds in a batch for one worker
SOME = BATCH + 2  # number of seeds: one batch, and part of the next


def compare(path, contenders=BOTH, seeds=SOME, **how):
    how = {"calls": CALLS, "workers": 1, **how}
    return prviz.compare(PROBLEM, contenders, seeds=seeds, store=path, **how)


def columns(found):
    """Return all columns of a comparison except the seconds."""
    return {
        name: [
            (*(column.tolist() for column in (run.calls, run.iterations, run.best)), *run[4:6])
            for run in runs
        ]
        for name, runs in found.runs.items()
    }


def content(path):
    """Return all columns of a store except the seconds, the date and the machine."""
    left_out = {"seconds", "end_seconds", "date", "processor", "timed"}
    said = ", ".join(name for name in store.Row._fields if name not in left_out)
    with closing(sqlite3.connect(path)) as opened:
        return opened.execute(f"SELECT {said} FROM runs ORDER BY key").fetchall()


def python(code):
    """Run code in another process, which imports this file as ``t``."""
    path = os.pathsep.join(map(str, [HERE, *HERE.parents[:2]]))
    command = [sys.executable, "-c", f"import test_run_store as t; {code}"]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path})


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs.sqlite"


@pytest.fixture
def made(monkeypatch):
    """Record the computed runs by M_1 and seed."""
    runs, further = set(), SearchTrial.further

    def counted(trial, problem, limit):
        if limit.until:  # 0 if the call only measures the memory of a run
            runs.add((int(trial.schedule.repeats[0]), trial.seed))
        return further(trial, problem, limit)

    monkeypatch.setattr(SearchTrial, "further", counted)
    return runs


def test_stored_runs_are_not_computed_again(path, made):
    first = compare(path)
    assert first.stored == 0 and len(made) == 2 * SOME
    assert columns(first) == columns(compare(None))

    made.clear()
    again = compare(str(path), {"ours": BOTH["partial"], "theirs": BOTH["full"]})
    assert again.stored == 2 * SOME and not made and again.timed == first.timed
    assert [*columns(again).values()] == [*columns(first).values()]
    assert again.curve("ours", axis="seconds").n == SOME

    seeds = [2**70, *range(SOME + 1)]  # 2^70 is too large for SQLite's integers
    more = compare(path, {**BOTH, "rare": {"k1": 1, "m1": 7}}, seeds)
    assert more.stored == 2 * SOME and more.seeds == seeds
    new = {2**70, SOME}
    assert made == {(m1, seed) for m1 in (20, 0) for seed in new} | {(7, seed) for seed in seeds}
    assert compare(path, seeds=seeds).stored == 2 * len(seeds)

    # two contenders in one batch have the same key
    twins = {"one": BOTH["full"], "other": BOTH["full"]}
    assert compare(path, twins, calls=CALLS + 1).stored == 0
    assert compare(path, twins, calls=CALLS + 1).stored == 2 * SOME


def test_store_finds_full_restarts_of_older_versions(path):
    """Older versions turned k1=None into one level of all variables."""
    old = Reinitialisation(Schedule.from_levels([prviz.Level(6)], 6))
    assert compare(path, {"full": old}).stored == 0
    assert compare(path, {"full": {"k1": "all"}}).stored == SOME
    assert compare(path, {"full": {"k1": None}}).stored == 0


def in_second_batch(then):
    """Return a callback that calls ``then`` in the second batch; the first has been stored."""
    heard = []

    def listen(found):
        heard.append(found.frontier())
        return heard.count(CALLS) == 2 and then()

    return listen


def test_stopped_runs_are_not_stored(path):
    found = compare(path, callback=lambda found: found.frontier() > 1)
    assert found.interrupted and content(path) == []
    found = compare(path, callback=in_second_batch(lambda: True))
    assert found.interrupted and found.seeds == [*range(BATCH)]
    assert len(content(path)) == 2 * BATCH


def killed(path):
    """Kill a comparison in its second batch."""
    compare(path, callback=in_second_batch(lambda: os.kill(os.getpid(), signal.SIGKILL)))


def test_killed_comparison_loses_only_unfinished_runs(path, tmp_path):
    child = python(f"t.killed({str(path)!r})")
    assert child.wait() == -signal.SIGKILL
    assert len(content(path)) == 2 * BATCH
    found = compare(path)
    assert found.stored == 2 * BATCH
    whole = compare(tmp_path / "whole.sqlite")
    assert columns(found) == columns(whole)
    assert content(path) == content(tmp_path / "whole.sqlite")


def test_processes_write_one_file_concurrently(path, tmp_path):
    child = python(f"t.compare({str(path)!r}, seeds=range(10, 30))")
    found = compare(path, seeds=30)
    assert child.wait() == 0
    whole = compare(tmp_path / "whole.sqlite", seeds=30)
    assert columns(found) == columns(whole)
    assert content(path) == content(tmp_path / "whole.sqlite") and len(content(path)) == 60


def test_store_is_locked_while_it_is_checked(path, monkeypatch):
    ask, questions = store.Store._ask, []

    def asked(opened, question):
        if not question.startswith("PRAGMA journal_mode"):
            questions.append(question)
            with (
                closing(sqlite3.connect(path, timeout=0)) as other,
                pytest.raises(sqlite3.OperationalError, match="locked"),
            ):
                other.execute("PRAGMA user_version = 7")
        return ask(opened, question)

    monkeypatch.setattr(store.Store, "_ask", asked)
    compare(path, seeds=1)
    assert len(questions) == 3


def test_journal_mode_is_set_after_retries(path, monkeypatch):
    ask, refused = store.Store._ask, []

    def asked(opened, question):
        if question == "PRAGMA journal_mode = WAL" and len(refused) < 3:
            refused.append(question)  # like SQLite while another process creates the file
            raise sqlite3.OperationalError("database is locked")
        return ask(opened, question)

    monkeypatch.setattr(store.Store, "_ask", asked)
    compare(path, seeds=1)
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_write_fails_while_another_connection_locks_the_store(path, monkeypatch):
    compare(path, seeds=1)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr(store, "PATIENCE", 0.05)
        with pytest.raises(ValueError, match=r"cannot be used .* \(database is locked\)"):
            compare(path, seeds=2)
        other.execute("COMMIT")
    assert compare(path, seeds=2).stored == 2


def test_seconds_of_different_processors_are_not_mixed(path, monkeypatch):
    compare(path, seeds=2)
    compare(path, seeds=2, calls=None, seconds=0.001)
    assert compare(path, seeds=2, calls=None, seconds=0.001).stored == 4
    monkeypatch.setattr(store, "processor", lambda: "another")
    found = compare(path, seeds=3)
    assert found.stored == 4 and found.frontier() > 0
    with pytest.raises(ValueError, match="different processors"):
        found.frontier("seconds")
    assert compare(path, seeds=2, calls=None, seconds=0.001).stored == 0


class Own(NamedTuple):
    field: object


def test_key_distinguishes_all_runs():
    flat = np.arange(6.0)
    problems = [
        *(prviz.kmeans(points, k) for points in (POINTS, POINTS + 1e-15) for k in (6, 7)),
        prviz.kmeans(POINTS, 6, "k-means++"),
        *map(Own, [flat, flat.view(np.int64), flat.reshape(2, 3), flat.reshape(3, 2), flat[::-1]]),
        *map(Own, [1, 1.0, True, None, "1", "", b"1", (1, 2), ((1,), 2), (1, (2,)), np.float32(1)]),
    ]
    hashes = [hash_of_problem(problem) for problem in problems]
    assert len({*hashes}) == len(problems)
    assert hash_of_problem(prviz.kmeans(POINTS.copy(), 6)) == hashes[0]
    assert hash_of_problem(Own(flat[::-1])) == hash_of_problem(Own(flat[::-1].copy()))

    budgets = [
        *(Budget(axis, total) for axis in ("iterations", "calls") for total in (40.0, 41.0)),
        *(Budget("iterations", 40.0, target) for target in (0.0, 1.0)),
    ]
    made = [
        (problem, settings, seed, budget)
        for problem in hashes[:2]
        for settings in ('{"a": 1}', '{"a": 2}')
        for seed in (0, 1)
        for budget in budgets
    ]
    keys = {key_of(*run, clock) for run in made for clock in ("one", "other")}
    assert len(keys) == len(made)  # the processor matters only for a budget in seconds
    timed = [key_of("", "", 0, Budget("seconds", 1.0), clock) for clock in ("one", "other")]
    assert timed[0] != timed[1]


def test_runs_of_another_engine_are_not_used(path, monkeypatch):
    compare(path, seeds=2)
    for module in ("store", "identity"):
        monkeypatch.setattr(f"prviz.experiments.runs.{module}.ENGINE", 1000)
    assert compare(path, seeds=2).stored == 0
    assert {row[store.Row._fields.index("engine")] for row in content(path)} >= {1000}


def test_store_rejects_a_problem_without_identity(path):
    typed = type("Typed", (Own,), {"__module__": "__nowhere__"})
    with pytest.raises(ValueError, match="Define it in a file"):
        hash_of_problem(typed(1))
    for field in (object(), np.array([None])):
        with pytest.raises(TypeError, match="of arrays, numbers and strings"):
            hash_of_problem(Own(field))


def foreign(path):
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE runs (mine)")


def later(path):
    compare(path, seeds=1)
    with closing(sqlite3.connect(path)) as made:
        made.execute("PRAGMA user_version = 99")


def damaged(path):
    compare(path, seeds=SOME)
    with closing(sqlite3.connect(path, isolation_level=None)) as made:
        made.execute("UPDATE runs SET end_calls = 39")


@cases(
    ("make", "says"),
    [
        (lambda path: path.write_text("words, " * 500), "file is not a database"),
        (foreign, "is not a store of runs. Choose another file"),
        (later, "has schema 99, but this version of prviz reads 1: update prviz"),
        (damaged, "is damaged"),
        (Path.mkdir, "unable to open database file.* in a writable folder"),
    ],
)
def test_invalid_store_is_rejected_and_left_unchanged(tmp_path, make, says):
    path = tmp_path / make.__name__
    make(path)
    before = path.is_file() and path.read_bytes()
    with pytest.raises(ValueError, match=says):
        compare(path)
    assert (path.is_file() and path.read_bytes()) == before


def test_store_rejects_a_missing_folder_and_a_number(tmp_path):
    with pytest.raises(ValueError, match="in a writable folder"):
        compare(tmp_path / "missing" / "runs.sqlite")
    with pytest.raises(TypeError, match="must be the path of a file, got 3"):
        compare(3)


def test_a_file_without_write_access_is_reported(path, monkeypatch):
    compare(path, seeds=1)
    opened = sqlite3.connect
    monkeypatch.setattr(  # a read-only file mode would not stop root
        sqlite3, "connect", lambda name, **how: opened(f"file:{name}?mode=ro", uri=True, **how)
    )
    with pytest.raises(ValueError, match=r"readonly database.* in a writable folder"):
        compare(path, seeds=1)
