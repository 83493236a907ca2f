"""A background probe gives the results of prviz.probe, can stop, and recognises its runs."""

import time

import numpy as np
import pytest

import prviz
from prviz.engine.schedule import Level
from prviz.player.batch import job as jobs
from prviz.player.batch.job import LEAST, ProbeJob
from prviz.player.live import LiveRun
from prviz.scenes.kmeans import KMeansScene
from prviz.scenes.rbm import RBMScene
from prviz.ui.serve.session import Tab

POINTS = np.random.default_rng(3).normal(size=(300, 2))


def made(points=POINTS, alpha=0.0, seed=1, calls=1):
    problem = prviz.kmeans(points, 12)
    scene = KMeansScene(prviz.datasets.Points(points, "Some", "by chance"), problem)
    levels = [Level(1, 5, alpha), Level(12)]
    return LiveRun(problem, scene, levels, seed=seed, seconds=None, calls=calls, compare=False)


@pytest.fixture
def run():
    made_ = made()
    yield made_
    made_.close()


def finished(run):
    run.start()
    run._thread.join(60)
    assert run.state == "finished"
    return run


def ended(job):
    job._thread.join(60)
    assert not job.active
    return job


def test_job_has_the_same_result_as_prviz_probe(run):
    job = ended(ProbeJob(run, [3, 1], 60, 2))
    assert (job.state, job.calls, job.done, job.trouble) == ("found", 1, 1.0, "")
    _, state = run.best()
    expected = prviz.probe(run.problem, state, [1, 3], 60, 2, least=LEAST)
    for got, wanted in zip(job.found, expected, strict=True):
        np.testing.assert_array_equal(got, wanted)


def test_best_state_of_a_run_is_a_copy(run):
    longer = finished(made(calls=300))
    calls, state = longer.best()
    assert calls == 300
    assert prviz.engine.kernels.cost(longer.problem, state) == longer.progress(0)[0]["best"]
    state.centers[:] = 0
    assert (
        prviz.engine.kernels.cost(longer.problem, longer.best()[1]) == longer.progress(0)[0]["best"]
    )
    longer.close()


def test_best_state_of_an_active_run_is_a_local_optimum():
    endless = made(calls=10**9)
    endless.start()
    for _ in range(20):
        calls, state = endless.best()
        trial = prviz.engine.algorithm.copied(state)
        cost = prviz.engine.kernels.cost(endless.problem, trial)
        again, _ = prviz.engine.kernels.optimise(endless.problem, trial, np.random.default_rng(0))
        assert calls >= 1 and again == pytest.approx(cost, rel=1e-12)
    endless.close()


def test_stop_keeps_the_result(run):
    job = ProbeJob(run, [1, 2], 10**6, 0)
    while job.found is None:
        assert job.active
        time.sleep(0.01)
    job.stop()
    ended(job)
    assert job.state == "stopped"
    assert 0 < job.done < 1 and job.found.repeats[1] == 0


def test_one_probe_runs_and_the_others_wait(run):
    with jobs._one:
        job = ProbeJob(run, [1], 5, 0)
        time.sleep(0.05)
        assert job.state == "waiting" and job.found is None
        other = ProbeJob(run, [1], 5, 0)
        other.stop()
        assert ended(other).state == "stopped"
    assert ended(job).state == "found"


def test_failure_is_reported_in_words():
    examples = prviz.datasets.read_examples("1000\n0100\n0010\n0001")
    problem = prviz.rbm(examples, 3, 0.1, epochs=3)
    levels = [Level(1, 5), Level(19)]
    unsettled = LiveRun(problem, RBMScene(examples, problem), levels, seed=3)
    job = ended(ProbeJob(unsettled, [1], 5, 0))
    assert job.state == "failed"
    assert job.trouble.startswith("The state is not a local optimum: ")
    unsettled.close()


def test_job_ends_with_its_result_if_the_optimiser_diverges(run, monkeypatch):
    def diverging(*args, callback, **options):
        prviz.probe(*args, callback=callback, **options)
        raise FloatingPointError("weights grew beyond a million")

    monkeypatch.setattr(jobs, "probe", diverging)
    job = ended(ProbeJob(run, [1], 5, 0))
    assert job.state == "failed"
    assert job.trouble == "The probe stopped: weights grew beyond a million."
    assert job.found.repeats.tolist() == [5]


def test_job_matches_only_a_run_with_the_same_problem_and_alpha(run):
    job = ended(ProbeJob(run, [1], 5, 0))
    others = [made(seed=9), made(alpha=0.5), made(POINTS[:200]), made(POINTS + 1.0)]
    assert [job.fits(other) for other in others] == [True, False, False, False]
    for other in others:
        other.close()


def test_tab_runs_one_probe_and_stops_it_on_leaving(run):
    tab = Tab()
    first, second = (ProbeJob(run, [1], 10**6, 0) for _ in range(2))
    tab.probe("kmeans", first)
    tab.probe("hmm", second)
    assert ended(first).state == "stopped"
    assert second.active
    tab.leave()
    assert ended(second).state == "stopped"
    third = ProbeJob(run, [1], 10**6, 0)
    tab.probe("kmeans", third)
    tab.drop_probe("kmeans")
    assert ended(third).state == "stopped" and "kmeans" not in tab.probes
