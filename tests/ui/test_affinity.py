"""Affinity propagation in a child process ends, fails or is stopped; results are stored."""

import io
import json
import os
import time
from types import SimpleNamespace

import numpy as np
import pytest
from answering import answer_with
from cases import cases

import prviz
from prviz.baselines import affinity_propagation
from prviz.ui.sections import affinity
from prviz.ui.widgets.formatting import six_digits

BLOBS = np.random.default_rng(0).normal(size=(30, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 10, 0)
MATRIX = prviz.dissimilarity(BLOBS)


@pytest.fixture(autouse=True)
def no_jobs(monkeypatch):
    """Start without jobs, and stop all jobs at the end of the test."""
    jobs = {}
    monkeypatch.setattr(affinity, "_jobs", jobs)
    yield jobs
    for job in jobs.values():
        job.stop()
        job.join()


class _Watched:
    """The output lines of a child, and the child's priority at each line."""

    def __init__(self, stream, pid, seen):
        self.stream, self.pid, self.seen = stream, pid, seen

    def __iter__(self):
        for line in self.stream:
            self.seen.append(os.getpriority(os.PRIO_PROCESS, self.pid))
            yield line

    def close(self):
        self.stream.close()


def test_child_at_low_priority_returns_the_same_result(monkeypatch):
    priorities = []

    class Process(affinity.subprocess.Popen):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            self.stdout = _Watched(self.stdout, self.pid, priorities)

    monkeypatch.setattr(affinity.subprocess, "Popen", Process)
    affinity.start("blobs", MATRIX, 3)
    job = affinity.job("blobs")
    assert job.active
    affinity.start("blobs", MATRIX, 3)
    assert affinity.job("blobs") is job
    job.join()
    here = affinity_propagation(MATRIX, 3)
    assert job.state == "found"
    assert (job.found.cost, job.found.n_clusters) == (pytest.approx(here.cost), 3)
    assert job.found.n_tries == here.n_tries
    assert job.words.startswith(f"Affinity propagation: {six_digits(here.cost)} with 3 medoids")
    assert job.words.endswith("It converged.")
    affinity.start("blobs", MATRIX, 3)
    assert affinity.job("blobs") is job


def test_child_ends_with_its_parent_and_reports_failure_in_a_message(monkeypatch, capsys):
    alike = 1 - np.eye(6)
    head = json.dumps({"n": 6, "type": alike.dtype.str, "n_clusters": 3})
    asked = SimpleNamespace(buffer=io.BytesIO(f"{head}\n".encode() + alike.tobytes()))
    monkeypatch.setattr(affinity.sys, "stdin", asked)
    monkeypatch.setattr(affinity.os, "nice", lambda by: None)
    ending = []
    monkeypatch.setattr(affinity.child_processes, "end_with_parent", lambda: ending.append("set"))
    affinity._main()
    assert ending == ["set"]
    trouble = json.loads(capsys.readouterr().out.splitlines()[-1])["trouble"]
    assert trouble.startswith("Affinity propagation did not find 3 clusters")


def test_failure_is_reported_and_can_be_retried(monkeypatch):
    answer_with(monkeypatch, {"trouble": "Affinity propagation did not find 3 clusters."})
    affinity.start("alike", 1 - np.eye(6), 3)
    job = affinity.job("alike")
    job.join()
    assert job.state == "failed"
    assert job.words.startswith("Affinity propagation did not find 3 clusters")
    affinity.start("alike", 1 - np.eye(6), 3)
    assert affinity.job("alike") is not job


def test_one_job_runs_at_a_time_and_all_can_be_stopped():
    first, second = affinity.Job(MATRIX, 3), affinity.Job(MATRIX, 4)
    assert second.state == "waiting"
    assert second.words == "Affinity propagation waits for another comparison to finish."
    second.stop()
    assert second.state == "stopped"  # although the first job still runs
    first.stop()
    first.join()
    second.join()
    assert (first.state, second.state) == ("stopped", "stopped")
    assert first.found is None


def test_child_can_be_stopped_while_it_gets_its_matrix():
    job = affinity.Job(np.zeros((1500, 1500)), 3)  # larger than a pipe's buffer
    while job._process is None:
        time.sleep(0.001)
    job.stop()
    job.join()
    assert job.state == "stopped"


def test_oldest_result_is_dropped(no_jobs, monkeypatch):
    class Done:
        active, state = False, "found"

        def stop(self):
            pass

        join = stop

    monkeypatch.setattr(affinity, "Job", lambda *_: Done())
    for number in range(affinity.MOST_JOBS + 2):
        affinity.start(number, MATRIX, 3)
    assert list(no_jobs) == list(range(2, affinity.MOST_JOBS + 2))


@cases(("x", "words"), [(74378.32, "74\u202f378.3"), (300140.0, "300\u202f140"), (5.5, "5.50000")])
def test_costs_are_shown_with_six_digits(x, words):
    assert six_digits(x) == words
