"""All runs share one memory limit: some runs lose data, which are computed again on request."""

import os
import threading
import time

import numpy as np
import pytest
from waiting import until

import prviz
from prviz.datasets import Points
from prviz.player.live import REMADE, LiveRun
from prviz.player.pictures.frames import frame_dtype
from prviz.player.resources import memory, places, store
from prviz.scenes.kmeans import KMeansScene
from prviz.scenes.rbm import RBMScene

POINTS = Points(np.random.default_rng(5).normal(size=(400, 2)), "Some", "by chance")
PROBLEM = prviz.kmeans(POINTS.points, 12)
LEVELS = [prviz.Level(1, 20), prviz.Level(12)]

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.fixture
def ran(monkeypatch):
    """Return a function that makes finished runs; the first has been unwatched for longest."""
    monkeypatch.setattr(memory, "resident", lambda: 0)
    monkeypatch.setattr(store, "RUNS", type(store.RUNS)())
    made = []

    def make(calls=300):
        scene = KMeansScene(POINTS, PROBLEM)
        bounds = {"seconds": None, "calls": calls, "compare": False}
        run = LiveRun(PROBLEM, scene, LEVELS, seed=len(made), **bounds)
        run.start()
        until(lambda: run.state == "finished")
        made.append(run)
        for age, earlier in enumerate(reversed(made)):
            earlier.watched = time.monotonic() - 100 - age
        return run

    yield make
    for run in made:
        run.close()


def shown(run, call, count):
    frames = np.frombuffer(run.frames(call, count), frame_dtype(run.layout())).copy()
    frames["seconds"] = 0
    return frames.tobytes()


def test_least_recently_watched_run_loses_snapshots_first(ran):
    oldest, older, newest = (ran() for _ in range(3))
    before = [run.nbytes for run in (oldest, older, newest)]
    assert store.within(sum(before)) == sum(before)
    assert all(run.pictures.whole for run in (oldest, older, newest))
    frames = oldest.keyframes(0)[1]
    assert store.within(sum(before) - 1) == sum(run.nbytes for run in (oldest, older, newest))
    assert not oldest.pictures.whole and older.pictures.whole and newest.pictures.whole
    assert oldest.nbytes < before[0] and [older.nbytes, newest.nbytes] == before[1:]
    assert (
        oldest.pictures._history._keyframes
        and b"".join(oldest.pictures._history._keyframes) == frames
    )


def test_limit_of_0_drops_all_pictures_and_no_result(ran):
    runs = [ran() for _ in range(2)]
    heads, traces = [run.head() for run in runs], [run.trace_csv() for run in runs]
    store.within(0)
    for run, head, trace in zip(runs, heads, traces, strict=True):
        assert run.pictures.nbytes == 0
        now = run.head()
        assert now.pop("generation") > head.pop("generation")
        assert now == head and run.trace_csv() == trace


def test_memory_limit_keeps_frames_of_watched_and_running_searches(ran):
    watched, asleep = ran(), ran()
    endless = LiveRun(PROBLEM, KMeansScene(POINTS, PROBLEM), LEVELS, seconds=60.0)
    endless.start()
    until(lambda: endless.head()["calls"] > 100)
    endless.watched = 0.0
    assert store.find(watched.id) is watched
    store.within(0)
    assert watched.pictures.whole and endless.pictures.whole and not asleep.pictures.whole
    endless.close()


def test_memory_for_runs_is_at_least_a_quarter_of_the_limit(monkeypatch):
    monkeypatch.setattr(memory, "resident", lambda: 400)
    assert memory.room(1000, 100) == 700  # runs use 100 of the 400 resident bytes
    assert memory.room(1000, 500) == 1000
    assert memory.room(320, 100) == 80


@pytest.mark.parametrize("lose", ["drop_snapshots", "drop_frames"])
def test_dropped_frames_are_recomputed_identically(ran, lose):
    run = ran()
    before = [shown(run, call, 4) for call in (1, 150, 297)]
    getattr(run, lose)()
    assert run.head()["message"] == "" and not run.head()["remaking"]
    again = [b"", b"", b""]
    for i, call in enumerate((1, 150, 297)):
        until(lambda i=i, call=call: again.__setitem__(i, shown(run, call, 4)) or again[i])
    assert again == before
    until(lambda: not run.head()["remaking"])
    assert run.head()["message"] == "" and run.pictures.whole
    assert len(run.keyframes(0)[1]) > 0


def test_run_reports_that_its_frames_are_recomputed(ran, monkeypatch):
    run = ran()
    closed = places.Places(0)  # no core is free for the recomputation
    monkeypatch.setattr(places, "PLACES", closed)
    store.within(0)
    assert run.frames(150, 1, patience=0.0) == b""
    assert run.head()["remaking"] and run.head()["message"] == REMADE
    # a second request during the recomputation
    assert run.frames(150, 1, patience=0.0) == b""
    closed._free = 1
    closed._serve()
    until(lambda: not run.head()["remaking"])
    assert run.frames(150, 1) and run.head()["message"] == ""


def test_best_configuration_is_kept_when_frames_are_dropped(ran):
    run = ran()
    calls, best = run.best()
    for lose in (run.drop_snapshots, run.drop_frames):
        lose()
        assert run.best()[0] == calls == 300
        np.testing.assert_array_equal(run.best()[1].centers, best.centers)


def test_a_replay_waits_for_its_frames(ran):
    run = ran()
    run.drop_frames()
    assert "<html" in run.replay([200, 201])


def test_replaced_run_keeps_only_its_best_state(ran):
    former, latter = ran(), ran()
    former.follow(latter)
    store.leave(former, 60.0)
    store.forget(time.monotonic())
    assert len(former.pictures._history._snapshots) == 1 and store.stay(former.id) is former
    assert former.frames(5, 1) == b"" and not former.head()["remaking"]
    assert former.best()[0] == 300
    assert latter.pictures.whole


def test_search_of_a_closed_tab_ends_after_a_while(ran):
    run = LiveRun(PROBLEM, KMeansScene(POINTS, PROBLEM), LEVELS, seconds=60.0)
    run.start()
    until(lambda: run.head()["calls"] > 100)
    store.leave(run, 120.0)
    until(lambda: run.state == "paused")
    left = time.monotonic()
    store.forget(left + store.CALL_SECONDS)
    assert run.state == "paused"
    store.forget(left + store.AWAY_SECONDS)
    until(lambda: run.state == "stopped")
    assert store.stay(run.id) is run and run.head()["calls"] > 100
    run.close()


def test_long_call_of_a_closed_tab_is_aborted(ran):
    data = prviz.datasets.patterns()
    problem = prviz.rbm(data, 10, epochs=10_000_000)
    run = LiveRun(problem, RBMScene(data, problem), [prviz.Level(98)], seconds=600.0)
    run.start()
    until(lambda: run.state == "running")
    store.leave(run, 120.0)
    assert run.state == "running"  # the first call takes minutes
    store.forget(time.monotonic() + store.CALL_SECONDS)
    until(lambda: run.state == "stopped")
    run.close()


def test_recomputation_ends_when_its_run_is_closed(ran, monkeypatch):
    run = ran()
    monkeypatch.setattr(places, "PLACES", places.Places(0))
    run.drop_frames()
    run.frames(1, 1)
    run.close()
    until(lambda: not [work for work in threading.enumerate() if work.name == "remake"])


# ---- sizes


@pytest.fixture
def groups(tmp_path, monkeypatch):
    """Return a function that writes the cgroup files of a container."""
    monkeypatch.setattr(memory, "CGROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(memory, "OF_THIS_PROCESS", tmp_path / "self")
    monkeypatch.setattr(memory, "machine_memory", lambda: 8e9)
    monkeypatch.delenv("PRVIZ_MEMORY_MB", raising=False)

    def write(lines, **limits):
        (tmp_path / "self").write_text("".join(f"{line}\n" for line in lines))
        for path, told in limits.items():
            file = tmp_path / "cgroup" / path.replace("__", "/").replace("_max", ".max")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{told}\n")

    return write


def test_memory_bound_is_a_quarter_of_the_memory(groups):
    assert memory.bound() == 2_000_000_000  # no cgroups
    groups(["0::/"], memory_max="max")
    assert memory.bound() == 2_000_000_000


def test_limit_is_read_from_cgroups_version_2(groups):
    groups(["0::/"], memory_max=1_000_000_000)
    assert memory.bound() == 250_000_000
    groups(
        ["0::/pod/app"], memory_max="max", pod__memory_max=600_000_000, pod__app__memory_max="max"
    )
    assert memory.bound() == 150_000_000


def test_limit_is_read_from_cgroups_version_1(groups, tmp_path):
    folder = tmp_path / "cgroup" / "memory"
    folder.mkdir(parents=True)
    (folder / "memory.limit_in_bytes").write_text("400000000\n")
    groups(["5:cpu,cpuacct:/docker/1", "4:memory:/docker/1", "1:name=systemd:/"])
    assert memory.bound() == 100_000_000
    (folder / "memory.limit_in_bytes").write_text("9223372036854771712\n")  # no limit
    assert memory.bound() == 2_000_000_000


def test_limit_uses_the_environment_variable(groups, monkeypatch):
    monkeypatch.setenv("PRVIZ_MEMORY_MB", " 900 ")
    assert memory.bound() == 900_000_000
    for wrong in ("0", "-3", "1.5", "much"):
        monkeypatch.setenv("PRVIZ_MEMORY_MB", wrong)
        with pytest.raises(ValueError, match="PRVIZ_MEMORY_MB must be a whole number of megabytes"):
            memory.bound()


def test_resident_memory_is_read_from_the_system():
    before = memory.resident()
    block = np.ones(40_000_000, np.uint8)
    grown = memory.resident() - before
    del block
    if os.path.exists("/proc/self/statm"):
        assert 35e6 < grown < 80e6
    else:
        assert grown == 0
    memory.give_back()
