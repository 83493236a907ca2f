"""Full restarts run beside a search. Their improvements equal those of `prviz.run`."""

import numpy as np
import pytest
from waiting import until

import prviz
from prviz.datasets import Points
from prviz.experiments.runs.improvements import Improvements
from prviz.player.live import LiveRun
from prviz.player.pictures import bests
from prviz.player.pictures.frames import frame_dtype
from prviz.scenes.kmeans import KMeansScene
from prviz.search.traced_search import TracedSearch

POINTS = Points(np.random.default_rng(5).normal(size=(400, 2)), "Some", "by chance")
PROBLEM = prviz.kmeans(POINTS.points, 12)
SCENE = KMeansScene(POINTS, PROBLEM)
LEVELS = {"full": [prviz.Level(12)], "partial": [prviz.Level(1, 20), prviz.Level(12)]}
SEED = 3

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.fixture(scope="module")
def run(kernels):
    made = LiveRun(PROBLEM, SCENE, LEVELS["partial"], SEED, seconds=None, calls=400)
    made.start()
    until(lambda: made.state == "finished")
    yield made
    made.close()


def test_bests_of_full_restarts_equal_those_of_prviz_run(run):
    head, content = run.full()
    shown = np.frombuffer(content, frame_dtype(run.layout()))
    trace = prviz.run(PROBLEM, levels=LEVELS["full"], seed=SEED, calls=head["calls"]).trace
    improvements = Improvements.of(trace)
    assert shown["call"].tolist() == improvements.calls.tolist() and len(shown) > 3
    assert shown["iterations"].tolist() == improvements.iterations.tolist()
    assert shown["best"].tolist() == shown["cost"].tolist() == improvements.best.tolist()
    assert head["iterations"] == trace.iterations.sum()
    for frame in shown:
        found = prviz.run(PROBLEM, levels=LEVELS["full"], seed=SEED, calls=int(frame["call"]))
        expected = np.zeros(1, frame.dtype)[0]
        SCENE.draw(expected, found.best_state)
        assert frame["centers"].tolist() == expected["centers"].tolist()


def test_full_restarts_get_equal_iterations_if_the_budget_is_in_calls(run):
    head, _ = run.full()
    assert head["iterations"] >= run.head()["iterations"]
    assert run.layout()["curve_axis"] == "iterations"


def test_full_restarts_get_equal_cpu_time_with_a_budget_of_seconds():
    """A step ends early if it finds a new best, so full restarts need several steps to keep up."""
    run = LiveRun(PROBLEM, SCENE, LEVELS["partial"], SEED, seconds=1.0)
    run._prepare()
    while run._search.seconds < 0.03:
        run._step(1000)
    run._go_on()
    head, _ = run.full()
    assert head["seconds"] >= run.head()["seconds"] >= 0.03
    assert head["bests"] > 2
    assert run.layout()["curve_axis"] == "seconds"
    run.close()


def test_longest_lasting_bests_are_stored(monkeypatch):
    monkeypatch.setattr(bests, "MOST_BESTS", 5)
    run = LiveRun(PROBLEM, SCENE, LEVELS["partial"], SEED)
    search = TracedSearch(PROBLEM, run.schedule, SEED)
    few = bests.Bests(run._film)
    while search.calls < 400:
        few.step(search, 400 - search.calls)
    assert Improvements.of(search.trace()).iterations.tolist() == [17, 30, 74, 94, 123, 145, 3501]
    head, content = few.encoded()
    shown = np.frombuffer(content, frame_dtype(run.layout()))
    assert head["bests"] == 5 and shown["iterations"].tolist() == [17, 30, 94, 145, 3501]
    assert few.nbytes == len(content)
    run.close()


def test_a_run_without_comparison_has_no_bests():
    for arguments in ({"compare": False}, {"levels": LEVELS["full"]}):
        run = LiveRun(PROBLEM, SCENE, **{"levels": LEVELS["partial"], **arguments})
        with pytest.raises(ValueError, match="not compared with full restarts"):
            run.full()
        assert run.head()["full"] is None  # so the player shows no comparison
        run.close()
