"""Many runs equal single runs, with any number of workers, and after a stop at any time."""

import contextlib
import itertools
import math
import os
import sys
from collections import Counter

import joblib
import numpy as np
import pandas as pd
import pytest
from cases import cases
from joblib import parallel_config

import prviz
from prviz.experiments.runs import runner
from prviz.experiments.runs.improvements import Improvements
from prviz.search import traced_search

POINTS = np.random.default_rng(5).normal(size=(60, 2))
PROBLEM = prviz.kmeans(POINTS, 6)
BOTH = {"partial": {"k1": 1, "m1": 20}, "full": {"k1": "all"}}


def columns(found):
    """Return all columns of a comparison except the seconds."""
    return [
        (name, seed, run.calls.tolist(), run.iterations.tolist(), run.best.tolist(), run.end_calls)
        for name, runs in found.runs.items()
        for seed, run in zip(found.seeds, runs, strict=True)
    ]


@cases("budget", [{"calls": 70}, {"work": 400}])
def test_compared_runs_equal_single_runs(budget):
    found = prviz.compare(PROBLEM, BOTH, seeds=4, **budget)
    assert found.seeds == [0, 1, 2, 3] and not found.interrupted
    own = {"calls": 70} if "calls" in budget else {"iterations": 400}
    for name, settings in (("partial", BOTH["partial"]), ("full", {"k1": 6})):
        for seed, run in zip(found.seeds, found.runs[name], strict=True):
            alone = Improvements.of(prviz.run(PROBLEM, **settings, seed=seed, **own).trace)
            for field in ("calls", "iterations", "best", "end_calls", "end_iterations"):
                np.testing.assert_array_equal(getattr(run, field), getattr(alone, field))


def test_workers_do_not_change_the_runs():
    alone = columns(prviz.compare(PROBLEM, BOTH, seeds=5, work=300, workers=1))
    for workers in (2, 8):
        assert columns(prviz.compare(PROBLEM, BOTH, seeds=5, work=300, workers=workers)) == alone


def test_compare_never_restarts_a_running_search(monkeypatch):
    begun = Counter()
    start = traced_search.start
    monkeypatch.setattr(traced_search, "start", lambda *of: begun.update(["run"]) or start(*of))
    prviz.compare(PROBLEM, BOTH, seeds=5, calls=100, workers=1)
    assert begun["run"] == 2 * 5 + 2  # five per contender, and one to measure its memory


@contextlib.contextmanager
def dask_cluster(n_workers, monkeypatch):
    """Start a Dask cluster and use it; yield it with its client."""
    from distributed import Client, LocalCluster

    monkeypatch.setattr("distributed.comm.inproc.get_ip", lambda: "127.0.0.1")  # avoids the network
    with (  # in this process: a child would import __main__, which may be a page of another test
        LocalCluster(
            n_workers=n_workers, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
        parallel_config(backend="dask"),
    ):
        yield cluster, client


def test_dask_changes_only_the_seconds(tmp_path, monkeypatch):
    given = {"seeds": 4, "work": 100}
    tuning = {"grid": {"k1": [1, 2], "m1": [20]}, "work": 60, "rungs": (2, 4), "check": 2}
    store = tmp_path / "runs.sqlite"
    alone = prviz.compare(PROBLEM, BOTH, **given, workers=1)
    with dask_cluster(2, monkeypatch) as (_, client):
        client.wait_for_workers(2, timeout=30)
        found = prviz.compare(PROBLEM, BOTH, **given, store=store)
        tuned = prviz.tune(PROBLEM, **tuning, store=None)
    assert columns(found) == columns(alone)
    assert tuned.best == prviz.tune(PROBLEM, **tuning, store=None).best
    with pytest.raises(ValueError, match="different processors"):
        found.frontier("seconds")
    again = prviz.compare(PROBLEM, BOTH, **given | {"seeds": 5}, workers=1, store=store)
    assert (again.stored, again.timed, alone.timed) == (8, False, True)


def test_a_dask_cluster_may_lose_or_add_workers(monkeypatch):
    alone = columns(prviz.compare(PROBLEM, BOTH, seeds=8, calls=40, workers=1))
    lost = []
    with dask_cluster(2, monkeypatch) as (cluster, client):
        client.wait_for_workers(2, timeout=30)

        def lose(found):
            if not lost:
                lost.append(cluster.workers[0].address)
                cluster.sync(cluster.workers[0].close, executor_wait=False)

        found = prviz.compare(PROBLEM, BOTH, seeds=8, calls=40, callback=lose)
        assert lost and lost[0] not in client.scheduler_info()["workers"]
    assert columns(found) == alone
    with dask_cluster(1, monkeypatch) as (cluster, client):
        cluster.adapt(minimum=2, maximum=3, interval="50ms")
        client.wait_for_workers(2, timeout=30)
        found = prviz.compare(PROBLEM, BOTH, seeds=8, calls=40)
        work = [worker.state.executed_count for worker in cluster.workers.values()]
    assert columns(found) == alone
    assert len(work) == 2 and min(work) > 0


def test_only_permitted_cores_are_counted(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(joblib, "cpu_count", lambda: 1)  # joblib counts only permitted cores
    assert prviz.compare(PROBLEM, BOTH, seeds=1, calls=2).timed
    assert not prviz.compare(PROBLEM, BOTH, seeds=1, calls=2, workers=2).timed


def test_a_stop_leaves_comparable_runs():
    heard = []

    def stop(found):
        if len(found.seeds) == 6:
            heard.append(found.frontier())
        return len({*heard}) == 4

    found = prviz.compare(PROBLEM, BOTH, seeds=6, work=10**6, callback=stop)
    assert found.interrupted and len(found.seeds) == 6
    assert heard == sorted(heard) and 0 < heard[-1] == found.frontier() < 10**6
    curve = found.curve("full")
    assert curve.n == 6 and curve.work[-1] == found.frontier()
    whole = prviz.compare(PROBLEM, BOTH, seeds=6, work=found.frontier() * 2)
    np.testing.assert_array_equal(whole.curve("full", curve.work).median, curve.median)


def test_ctrl_c_leaves_comparable_runs():
    def interrupt(found):
        if found.frontier() > 50:
            raise KeyboardInterrupt

    found = prviz.compare(PROBLEM, BOTH, seeds=3, work=10**6, callback=interrupt)
    assert found.interrupted and found.frontier() > 50


def test_runs_that_end_at_the_target_are_compared_by_ert():
    best = prviz.run(PROBLEM, seed=0, calls=400).best_cost
    found = prviz.compare(PROBLEM, BOTH, seeds=8, calls=200, target=best * (1 + 1e-9))
    hits = found.hits("partial")
    assert 0 < hits.successes <= 8
    ended = [run.end_calls < 200 for run in found.runs["partial"]]
    assert ended == (hits.hit & (hits.ends < 200)).tolist() and any(ended)
    assert found.frontier() <= 200
    assert found.ert("partial").successes == hits.successes
    assert found.ert_ratio("partial", "full").ratio > 0


def test_runs_that_reached_the_target_do_not_limit_the_frontier():
    best = prviz.run(PROBLEM, seed=0, calls=400).best_cost
    found = prviz.compare(PROBLEM, BOTH, seeds=6, calls=3000, target=best * 1.2)
    ends = [max(run.end_calls for run in runs) for runs in found.runs.values()]
    assert found.frontier() == max(ends)
    assert found.crossover("partial", "full").n_a == 6


def test_seeds_run_in_batches_if_memory_is_short(monkeypatch):
    whole = columns(prviz.compare(PROBLEM, BOTH, seeds=5, calls=40))
    monkeypatch.setattr(runner, "HELD_BYTES", 1)
    heard = []
    found = prviz.compare(
        PROBLEM, BOTH, seeds=5, calls=40, callback=lambda c: heard.append(len(c.seeds))
    )
    assert columns(found) == whole
    assert heard == sorted(heard) and {*heard} - {0} == {1, 2, 3, 4, 5}


def test_first_seeds_are_reported_early(monkeypatch):
    monkeypatch.setattr(runner, "LOOK", 1e-9)  # report after every two runs
    heard = []
    prviz.compare(
        PROBLEM, BOTH, seeds=5, calls=2, workers=2, callback=lambda c: heard.append(len(c.seeds))
    )
    assert heard[:5] == [1, 2, 3, 4, 5]


def test_statistics_and_table_include_all_runs():
    found = prviz.compare(PROBLEM, BOTH, seeds=8, calls=30)
    assert (found.chance("partial", "full").n_a, found.crossover("partial", "full").n_b) == (8, 8)
    frame = found.to_frame()
    assert [*frame] == ["contender", "seed", "calls", "iterations", "seconds", "best"]
    ends = frame.groupby(["contender", "seed"]).tail(1)
    assert len(ends) == 16 and (ends["calls"] == 30).all()


def test_summary_has_one_line_per_pair():
    three = {**BOTH, "other": {"k1": 2}}
    found = prviz.compare(PROBLEM, three, seeds=8, calls=30)
    lines = found.words.splitlines()
    assert len(lines) == 3 and all(
        line.endswith("n\u00a0=\u00a08\u00a0+\u00a08.") for line in lines
    )
    for line, pair in zip(lines, itertools.combinations(three, 2), strict=True):
        assert all(name in line for name in pair)
        chance = found.chance(*pair)
        assert f"(chance that {pair[0]} ends lower: {chance.share}" in line
        assert ("so the runs show no clear difference" in line) != chance.clear
    assert prviz.compare(PROBLEM, BOTH, seeds=8, calls=30).words == lines[0]


def test_summary_says_whether_the_runs_show_a_difference():
    alike = prviz.compare(PROBLEM, {"M1=20": {"k1": 1}, "b": {"k1": 1}}, seeds=8, calls=30)
    assert alike.words.startswith("M1=20 is ")
    assert "ends lower: 50% [19%–81%], so the runs show no clear difference)" in alike.words
    assert alike.chance("M1=20", "b").names == ("M1=20", "b")
    single = prviz.compare(PROBLEM, BOTH, seeds=1, calls=30)
    assert "(one run per contender cannot show a difference)" in single.words


def test_runs_are_saved_to_files(tmp_path, monkeypatch):
    found = prviz.compare(PROBLEM, BOTH, seeds=2, calls=30)
    found.to_csv(tmp_path / "runs.csv")
    found.to_parquet(str(tmp_path / "runs.parquet"))
    for read in (pd.read_csv(tmp_path / "runs.csv"), pd.read_parquet(tmp_path / "runs.parquet")):
        pd.testing.assert_frame_equal(read, found.to_frame(), check_exact=True)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="pip install pyarrow"):
        found.to_parquet(tmp_path / "more.parquet")


def test_seconds_are_hidden_if_runs_share_cores():
    found = prviz.compare(PROBLEM, BOTH, seeds=2, calls=5, workers=1)
    assert found.frontier("seconds") > 0
    found.timed = False
    with pytest.raises(ValueError, match="more runs than cores"):
        found.curve("full", axis="seconds")


@cases(
    ("given", "error", "says"),
    [
        ({}, ValueError, "Give one budget"),
        ({"work": 10, "calls": 10}, ValueError, "Give one budget"),
        ({"work": 0}, ValueError, "must be positive and finite"),
        ({"work": "many"}, TypeError, "work must be a number"),
        ({"calls": 5, "seeds": 0}, ValueError, "seeds must be a number of at least 1"),
        ({"calls": 5, "seeds": [1, 1]}, ValueError, "distinct seeds of at least 0"),
        ({"calls": 5, "target": math.nan}, ValueError, "target must be a cost"),
        ({"calls": 5, "target": math.inf}, ValueError, "target must be a cost, got inf"),
        ({"calls": 5, "workers": 0}, ValueError, "workers must be at least 1"),
    ],
)
def test_compare_rejects_invalid_arguments(given, error, says):
    with pytest.raises(error, match=says):
        prviz.compare(PROBLEM, BOTH, **given)


@cases(
    ("settings", "complaint"),
    [
        ({"k_1": 1}, r"contenders\['a'\]: unknown setting 'k_1'. Did you mean 'k1'\?"),
        ({"colour": 1}, r"contenders\['a'\]: unknown setting 'colour'. Use k1, m1, alpha"),
        ({"k1": 99}, r"contenders\['a'\]: k1 must be an integer from 1 to"),
        ({"m1": 0}, r"contenders\['a'\]: m1 must be at least 1, got 0"),
    ],
)
def test_compare_names_the_contender_whose_settings_are_wrong(settings, complaint):
    with pytest.raises((TypeError, ValueError), match=complaint):
        prviz.compare(PROBLEM, {"a": settings}, calls=5)


def test_compare_needs_a_contender():
    with pytest.raises(TypeError, match="contenders must be a dictionary with names"):
        prviz.compare(PROBLEM, [{"k1": 1}], calls=5)
    with pytest.raises(ValueError, match="at least one contender"):
        prviz.compare(PROBLEM, {}, calls=5)
    with pytest.raises(ValueError, match="Unknown contender 'partail'"):
        prviz.compare(PROBLEM, BOTH, seeds=2, calls=5).curve("partail")
