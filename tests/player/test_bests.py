"""What is seen side by side: the bests of both searches, each as `prviz.run` finds it."""

import numpy as np
import pytest
from waiting import until

import prviz
from prviz.datasets import Points
from prviz.experiments.runs.improvements import Improvements
from prviz.player.live import LiveRun
from prviz.player.pictures import side_by_side
from prviz.player.pictures.frames import frame_dtype
from prviz.scenes.kmeans import KMeansScene
from prviz.search.traced_search import TracedSearch

POINTS = Points(np.random.default_rng(5).normal(size=(400, 2)), "Some", "by chance")
PROBLEM = prviz.kmeans(POINTS.points, 12)
SCENE = KMeansScene(POINTS, PROBLEM)
LEVELS = {"full": [prviz.Level(12)], "partial": [prviz.Level(1, 20), prviz.Level(12)]}
SEED = 3

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.fixture
def run():
    made = LiveRun(PROBLEM, SCENE, LEVELS["partial"], SEED, seconds=None, calls=400)
    made.start()
    until(lambda: made.state == "finished")
    yield made
    made.close()


def told(run):
    """How far each side is, and its frames."""
    sides, content = run.duel()
    frames = np.frombuffer(content, frame_dtype(run.layout()))
    ends = np.cumsum([head["bests"] for head in sides.values()])
    assert ends[-1] == len(frames)
    return sides, dict(zip(sides, np.split(frames, ends[:-1]), strict=True))


def test_the_best_after_any_work_is_that_of_a_run_of_the_same_seed_and_budget(run):
    sides, frames = told(run)
    assert list(sides) == ["full", "partial"] and sides["partial"]["calls"] == 400
    for side, shown in frames.items():
        calls = sides[side]["calls"]
        trace = prviz.run(PROBLEM, levels=LEVELS[side], seed=SEED, calls=calls).trace
        improvements = Improvements.of(trace)
        assert shown["call"].tolist() == improvements.calls.tolist() and len(shown) > 3
        assert shown["iterations"].tolist() == improvements.iterations.tolist()
        assert shown["best"].tolist() == shown["cost"].tolist() == improvements.best.tolist()
        assert sides[side]["iterations"] == trace.iterations.sum()
        for frame in shown:
            found = prviz.run(PROBLEM, levels=LEVELS[side], seed=SEED, calls=int(frame["call"]))
            expected = np.zeros(1, frame.dtype)[0]
            SCENE.draw(expected, found.best_state)
            assert frame["centers"].tolist() == expected["centers"].tolist()


def test_who_is_behind_in_cpu_time_catches_up():
    """Steps that find a best are short: one for one, full restarts would stay behind."""
    run = LiveRun(PROBLEM, SCENE, LEVELS["partial"], SEED, seconds=1.0)
    run._prepare()
    while run._search.seconds < 0.03:
        run._step(1000)
    run._go_on()
    sides, _ = run.duel()
    assert sides["full"]["seconds"] >= sides["partial"]["seconds"] >= 0.03
    assert sides["full"]["bests"] > 2
    run.close()


def test_of_many_bests_those_stay_that_lasted_longest(monkeypatch):
    monkeypatch.setattr(side_by_side, "MOST_BESTS", 5)
    run = LiveRun(PROBLEM, SCENE, LEVELS["partial"], SEED)
    search = TracedSearch(PROBLEM, run.schedule, SEED)
    few = side_by_side.SideBySide(run._film).partial
    while search.calls < 400:
        few.step(search, 400 - search.calls)
    assert Improvements.of(search.trace()).iterations.tolist() == [17, 30, 74, 94, 123, 145, 3501]
    head, content = few.encoded()
    shown = np.frombuffer(content, frame_dtype(run.layout()))
    assert head["bests"] == 5 and shown["iterations"].tolist() == [17, 30, 94, 145, 3501]
    assert few.nbytes == len(content)
    run.close()


def test_where_nothing_is_compared_there_is_nothing_to_see():
    for arguments in ({"compare": False}, {"levels": LEVELS["full"]}):
        run = LiveRun(PROBLEM, SCENE, **{"levels": LEVELS["partial"], **arguments})
        with pytest.raises(ValueError, match="no full restarts beside it"):
            run.duel()
        assert run.head()["full"] is None  # by which the player knows
        run.close()
