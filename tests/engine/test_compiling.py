"""Kernels are compiled in the right order, and messages report the progress."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from itertools import pairwise

import numba
import pytest
from serving import ROOT
from visits import Visit
from waiting import until

from prviz import warm
from prviz.engine import cache
from prviz.engine.cache import MARK
from prviz.player.live import LiveRun
from prviz.problems import PROBLEMS
from prviz.ui.widgets import compiling
from prviz.warm.queue import FIRST_SLOWNESS, LATER, NEARLY, SOON, Queue, Stage

WORK = {"a": 10.0, "b": 30.0, "c": 20.0, "d": 40.0}


class Clock:
    """A clock that the test sets."""

    def __init__(self, monkeypatch):
        self.now = 0.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)


class Compiler:
    """Record each compilation when it starts; end it when the test calls `finish`."""

    def __init__(self):
        self.begun: list[tuple[str, int]] = []
        self._done = {name: threading.Event() for name in WORK}

    def __call__(self, name, priority):
        self.begun.append((name, priority))
        assert self._done[name].wait(10.0)

    def finish(self, *names):
        for name in names:
            self._done[name].set()


@pytest.fixture
def compiler():
    made = Compiler()
    yield made
    made.finish(*WORK)


def queue(compiler, jobs=2):
    made = Queue(WORK, compiler, jobs)
    made.start()
    until(lambda: len(compiler.begun) == jobs)
    return made


def test_each_kernel_is_compiled_once_within_the_job_limit(compiler):
    made = queue(compiler)
    assert sorted(compiler.begun) == [("a", LATER), ("b", LATER)]
    compiler.finish("b")
    until(lambda: len(compiler.begun) == 3)
    assert compiler.begun[2] == ("c", LATER)
    compiler.finish(*WORK)
    made.join()
    assert sorted(name for name, _ in compiler.begun) == list(WORK)
    assert set(made.stages().values()) == {Stage(1.0, 0.0)}


def test_a_requested_kernel_is_compiled_first(compiler):
    made = queue(compiler)
    made.want("d")
    until(lambda: len(compiler.begun) == 3)
    assert compiler.begun[2] == ("d", SOON)
    made.want("d")
    made.want("a")  # both kernels are being compiled already
    compiler.finish(*WORK)
    made.join()
    assert len(compiler.begun) == len(WORK)


def test_last_requested_kernel_is_compiled_next(compiler):
    made = queue(compiler, jobs=1)
    made.want("b")
    until(lambda: len(compiler.begun) == 2)
    made.want("d")  # must wait: one extra process is running
    assert [name for name, _ in compiler.begun] == ["a", "b"]
    compiler.finish("a")
    until(lambda: len(compiler.begun) == 3)
    assert compiler.begun[2] == ("d", LATER)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_kernels_of_one_problem_can_be_compiled_by_a_command(kernels, tmp_path):
    there = cache.folder()
    for unit in (there / "engine", *there.glob("*landscape*")):  # copy kernels without `MARK` files
        unmarked = shutil.ignore_patterns(MARK)
        shutil.copytree(unit, tmp_path / there.name / unit.name, ignore=unmarked)
    done = subprocess.run(
        [sys.executable, "-m", "prviz.warm", "--only", "landscape"], cwd=ROOT,
        env={**os.environ, "PRVIZ_CACHE_DIR": str(tmp_path)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    (mark,) = tmp_path.rglob(MARK)
    assert mark.parent.name.startswith("landscape-")


def test_failed_compiler_releases_waiting_callers(monkeypatch):
    monkeypatch.setattr(threading, "excepthook", lambda _: None)

    def fail(name, priority):
        raise OSError("no room")

    made = Queue(WORK, fail, 1)
    made.start()
    made.join()  # does not wait for ever; callers then compile the kernels themselves


def test_remaining_time_is_estimated_from_finished_problems(compiler, monkeypatch):
    clock = Clock(monkeypatch)
    made = queue(compiler)
    assert list(made.stages()) == list(WORK)
    first = {name: stage.seconds / FIRST_SLOWNESS for name, stage in made.stages().items()}
    # c waits for a, and d waits for b
    assert first == {"a": 10.0, "b": 30.0, "c": 10.0 + 20.0, "d": 30.0 + 40.0}
    clock.now = 15.0
    assert made.stages()["a"] == Stage(0.5, 15.0)
    clock.now = 20.0  # twice as slow as the reference machine
    compiler.finish("a")
    until(lambda: len(compiler.begun) == 3)
    assert made.stages()["a"] == Stage(1.0, 0.0)
    assert made.stages()["b"] == Stage(pytest.approx(20 / 60), pytest.approx(40.0))
    assert made.stages()["c"] == Stage(pytest.approx(20 / 60), pytest.approx(40.0))


def test_stages_always_progress_and_their_remaining_time_never_grows(compiler, monkeypatch):
    clock = Clock(monkeypatch)
    made = queue(compiler)
    told = []
    for now in range(0, 400, 10):  # much slower than expected
        clock.now = float(now)
        told.append(made.stages())
        if now == 50:
            compiler.finish("a")
            until(lambda: len(compiler.begun) == 3)
    for name in WORK:
        shares, seconds = zip(*[stages[name] for stages in told], strict=True)
        assert list(shares) == sorted(shares)
        assert all(new <= max(0.0, old - 5.0) for old, new in pairwise(seconds))
    assert told[-1]["b"] == Stage(NEARLY, 0.0)  # nearly complete: b is still being compiled


def test_message_names_live_pages_and_the_remaining_time(monkeypatch):
    some = {name: PROBLEMS[name] for name in ("landscape", "kmeans", "rbm", "hmm")}
    monkeypatch.setattr(compiling, "PROBLEMS", some)
    stages = {"kmeans": Stage(1.0, 0.0), "hmm": Stage(0.4, 23.6), "rbm": Stage(0.0, 55.0)}
    assert compiling.words(stages, "hmm") == (
        "The kernels of hidden Markov models are being compiled: live in about 24 s. "
        "Live already: landscapes, k-means."
    )
    minutes = {**stages, "hmm": Stage(0.1, 143.0)}
    assert "live in about 2 min 25 s." in compiling.words(minutes, "hmm")
    waiting = {name: Stage(0.0, 0.2) for name in some}
    assert compiling.words(waiting, "rbm") == (
        "The kernels of Boltzmann machines are being compiled: this takes a little longer than "
        "expected."
    )


@pytest.mark.usefixtures("quiet_engine")
def test_page_shows_progress_of_its_kernels(monkeypatch):
    monkeypatch.setattr(LiveRun, "kernels_ready", lambda run, timeout=0.0: False)
    monkeypatch.setattr(warm, "stages", lambda: {"kmeans": Stage(0.25, 12.0)})
    (bar,) = Visit("kmeans").opened().get("progress")
    assert bar.proto.value == 25
    assert bar.proto.text.startswith(
        "The kernels of k-means are being compiled: live in about 12 s."
    )
    monkeypatch.setattr(warm, "stages", dict)  # another server compiles: its progress is unknown
    assert not Visit("kmeans").opened().get("progress")
