"""Frames of live runs agree with the trace, and threads start, wait, stop and end."""

import gc
import json
import threading
import weakref

import numpy as np
import pytest
from cases import cases
from waiting import until

import prviz
from prviz import warm
from prviz.datasets import Points
from prviz.player import live
from prviz.player.live import AWAY, LiveRun
from prviz.player.pictures import history
from prviz.player.pictures.film import Film, is_shown, n_shown
from prviz.player.pictures.frames import (
    ITERATE,
    KEPT,
    LAST,
    NEW_BEST,
    REDRAW,
    REVERTED,
    decode_positions,
    frame_dtype,
)
from prviz.player.recording import RecordedRun, save_recording
from prviz.player.resources import places
from prviz.player.resources.store import RUNS
from prviz.scenes.hmm import HMMScene
from prviz.scenes.kmeans import KMeansScene, centres_of_truth
from prviz.scenes.rbm import RBMScene
from prviz.search.settings import make_schedule
from prviz.search.traced_search import TracedSearch

RNG = np.random.default_rng(0)
TRUTH = RNG.uniform(0, 1000, size=(8, 2))
DATA = Points(
    (TRUTH[:, None] + RNG.normal(scale=30, size=(8, 40, 2))).reshape(-1, 2).round(),
    "eight blobs",
    "made for this test",
    TRUTH,
)
PROBLEM = prviz.kmeans(DATA.points, 8)
SCENE = KMeansScene(DATA, PROBLEM)
LEVELS = [prviz.Level(1, 4), prviz.Level(3, 2), prviz.Level(8)]


pytestmark = pytest.mark.usefixtures("kernels")


@pytest.fixture
def make():
    """Return a function that makes runs; close the runs after the test."""
    made = []

    def make_run(levels=LEVELS, **arguments):
        made.append(LiveRun(PROBLEM, SCENE, levels, **{"seconds": None, "calls": 60} | arguments))
        return made[-1]

    yield make_run
    for run in made:
        run.close()
        assert run.id not in RUNS


def finished(run):
    run.start()
    until(lambda: run.state in ("finished", "stopped", "failed"))
    return run


def frames_of(run, call, count):
    return np.frombuffer(run.frames(call, count), frame_dtype(run.layout()))


def test_film_repeats_a_search_with_k1_auto():
    search = TracedSearch(PROBLEM, make_schedule(PROBLEM, "auto"))
    while search.calls < 300:
        search.step(calls=300 - search.calls)
    film = Film(PROBLEM, search.schedule, SCENE)
    _, after = film.frames(search.beginning(), search.trace(), 250, 300)
    assert after.search.costs.tolist() == search.search.costs.tolist()
    assert after.generator_state == search.rng.bit_generator.state


def test_a_request_does_not_wait_for_a_long_first_call(make):
    run = make()
    with run.pictures._opening_lock:  # another thread computes the first call
        assert run.opening(0.01) == b""
    assert len(run.opening(0.01)) > 0


def test_every_frame_agrees_with_the_trace(make):
    run = finished(make())
    trace = prviz.run(PROBLEM, levels=LEVELS, calls=60).trace
    frames = frames_of(run, 1, 60)
    assert [*dict.fromkeys(frames["call"].tolist())] == list(range(1, 61))
    for call in range(1, 61):
        row, shown = call - 1, frames[frames["call"] == call]
        level, iterations = int(trace.level[row]), int(trace.iterations[row])
        decided = int((trace.kept[row] >= 0).sum())
        events = [REDRAW] * level + [ITERATE] * iterations
        events += [KEPT if kept else REVERTED for kept in trace.kept[row, :decided]]
        assert shown["event"].tolist() == events
        redrawn_levels = list(range(level, 0, -1))
        assert shown["level"].tolist() == redrawn_levels + [0] * iterations + list(
            range(1, decided + 1)
        )
        assert shown["sub"].tolist() == list(range(len(events)))
        assert (shown["flags"] & LAST).astype(bool).tolist() == [False] * (len(events) - 1) + [True]
        # the frame of the last iteration has the cost of the call
        assert shown["cost"][level + iterations - 1] == trace.cost[row]
        assert shown["best"][-1] == trace.best[row]
        assert shown["iterations"][-1] == trace.iterations[:call].sum()
        improved = row == 0 or trace.best[row] < trace.best[row - 1]
        assert bool(shown["flags"][-1] & NEW_BEST) == improved
        chosen = np.unpackbits(shown["chosen"][-1], bitorder="little")[:8].nonzero()[0]
        assert chosen.tolist() == sorted(trace.redrawn_in(call)[1].tolist())


def test_a_revert_shows_the_checkpoint_again(make):
    frames = frames_of(finished(make([prviz.Level(1, 50), prviz.Level(8)])), 1, 60)
    partial = (frames["call"] % 50 != 1) & (frames["level"] == 1)  # no restart in the call
    reverted = np.flatnonzero((frames["event"] == REVERTED) & partial)
    assert len(reverted) > 10
    closing = [i for i in range(len(frames)) if frames["flags"][i] & LAST]
    for i in reverted:
        before = max(c for c in closing if c < i)
        assert frames["centers"][i].tobytes() == frames["centers"][before].tobytes()
        assert frames["cost"][i] == frames["cost"][before]


def test_iterations_of_a_long_call_are_thinned():
    shown = [iteration for iteration in range(1, 200) if is_shown(iteration)]
    assert shown == [
        *range(1, 25),
        *range(26, 49, 2),
        *range(52, 97, 4),
        *range(104, 193, 8),
    ]
    assert [n_shown(n) for n in (1, 24, 25, 26, 48, 49, 96)] == [1, 24, 25, 25, 36, 37, 48]


def test_thinned_call_has_the_same_last_frame():
    data = prviz.datasets.bits(64)
    problem = prviz.hmm(data, 20)
    levels = [prviz.Level(2, 10), prviz.Level(20)]
    run = LiveRun(problem, HMMScene(data, problem), levels, 0, seconds=None, calls=12)
    finished(run)
    frames, iterations = frames_of(run, 1, 12), run._search.trace().iterations
    keyframe = np.frombuffer(run.keyframes(0)[1], frame_dtype(run.layout()))[-1]
    run.close()
    assert iterations.max() > 24
    for call in range(1, 13):
        shown = frames[frames["call"] == call]
        inner = shown["iteration"][shown["event"] == ITERATE].tolist()
        last = int(iterations[call - 1])
        assert inner == [*filter(is_shown, range(1, last)), last]
        assert shown["sub"].tolist() == list(range(len(shown)))
    last = frames[frames["call"] == keyframe["call"]][-1]
    assert keyframe["sub"] == last["sub"]
    assert keyframe["transition"].tobytes() == last["transition"].tobytes()


def test_frames_of_any_range_equal_those_of_the_whole_search(make):
    run = finished(make())
    whole = frames_of(run, 1, 60)
    for call, count in [(40, 5), (2, 3), (60, 9), (41, 1), (1, 1)]:
        stretch = frames_of(run, call, count)
        lead = call > 1
        if lead:
            previous = whole[(whole["call"] == call - 1)][-1]
            assert stretch[0].tobytes() == previous.tobytes()
        inside = (whole["call"] >= call) & (whole["call"] < call + count)
        same = stretch[int(lead) :]
        for name in whole.dtype.names:
            if name != "seconds":
                assert same[name].tobytes() == whole[inside][name].tobytes(), name
    assert run.frames(61, 5) == b""


def test_positions_in_a_frame_have_its_cost(make):
    run = finished(make())
    best = prviz.run(PROBLEM, levels=LEVELS, calls=60)
    frames = frames_of(run, 60, 1)
    resumed = run.pictures._history._snapshots[0].resume()[0]
    assert resumed.calls == 0
    shown = decode_positions(frames["centers"][-1].reshape(-1, 2), SCENE.world)
    step = (SCENE.world["x"][1] - SCENE.world["x"][0]) / 65535
    cost = ((DATA.points[:, None] - shown[None]) ** 2).sum(axis=2).min(axis=1).sum()
    assert cost == pytest.approx(frames["cost"][-1], rel=1e-3)
    assert step < 0.05 and best.calls == 60


def test_prepared_run_has_a_first_frame(make):
    run = make()
    frames = frames_of(run, 1, 1)
    assert run.state == "ready"
    assert run.progress(0)[0]["calls"] == 1
    trace = prviz.run(PROBLEM, levels=LEVELS, calls=1).trace
    assert frames["best"][-1] == trace.best[0]
    finished(run)
    assert run.progress(0)[0]["calls"] == 60


def test_progress_and_curve_and_downloads_match_the_run(make):
    run = finished(make())
    head, outcomes = run.progress(0)
    trace = prviz.run(PROBLEM, levels=LEVELS, calls=60).trace
    assert head["state"] == "finished" and head["calls"] == len(outcomes) == 60
    assert head["kept"] + head["reverted"] == 60
    assert head["kept"] == (trace.kept[:, 0] == 1).sum()
    assert head["best"] == trace.best[-1]
    assert run.progress(50)[1] == outcomes[50:]
    json.dumps(head, allow_nan=False)
    assert [byte & 7 for byte in outcomes] == trace.level.tolist()
    generation, keyframes = run.keyframes(0)
    shown = np.frombuffer(keyframes, frame_dtype(run.layout()))
    assert generation == 0 and shown["call"][-1] == 60
    assert (shown["flags"] & LAST).all()
    names = [line["name"] for line in run.curve()["data"]]
    assert [name.split(",")[0] for name in names] == ["partial", "full"]
    beside = prviz.run(PROBLEM, k1="all", calls=run._curves["iterations"][1].calls).trace
    assert beside.iterations[:-1].sum() < trace.iterations.sum() <= beside.iterations.sum()
    assert run.trace_csv().splitlines()[1].startswith("1,3,")
    told = json.loads(run.trace_json())
    assert told["hash"] == trace.hash() and len(told["trace"]["cost"]) == 60
    assert "<html" in run.replay([1, 2, 5])


def test_the_code_repeats_the_run_and_its_full_restarts(make):
    def again(run):
        script = run.script()
        exec(script.python(), found := {"problem": PROBLEM})  # the script asserts the hashes
        assert script.title == f"k-means on eight blobs: seed 4, {found['run'].calls} calls"
        return found["run"].calls, found["full"].calls

    run = make(calls=None, seconds=600.0, seed=4)
    with pytest.raises(ValueError, match="nothing to repeat"):
        run.script()
    run.start()
    until(lambda: run.head()["calls"] > 100 and run.head()["full"])
    going = again(run)
    until(lambda: run.head()["calls"] > going[0])
    run.stop()
    until(lambda: run.state == "stopped")
    stopped = again(run)
    assert stopped[0] == run.head()["calls"] > going[0] and stopped[1] >= going[1] > 0
    run.follow(make())  # from now on, the old run keeps only its results
    assert again(run) == stopped


def test_a_waiting_player_receives_the_next_run(make):
    former, latter, other, told = make(), make(), make(), []
    player = threading.Thread(target=lambda: told.append(former.successor(20.0)))
    player.start()
    until(lambda: former._awaiting)
    assert former.follow(latter) is True
    player.join(20.0)
    assert told == [latter] and former.successor(20.0) is latter
    assert latter.follow(other) is False and latter.successor(0.0) is other


def test_a_run_without_comparison_has_one_curve_and_one_search():
    run = finished(LiveRun(PROBLEM, SCENE, LEVELS, seconds=None, calls=7, compare=False))
    assert [line["name"] for line in run.curve()["data"]] == ["partial, 7 calls"]
    run.origin = "problem = given"
    exec(run.script().python(), found := {"given": PROBLEM})
    assert found["run"].calls == 7 and "full" not in found
    run.close()


def test_stopped_search_continues_the_same_path():
    """Stop three times, perhaps within a call of the search or of the full restarts beside it."""
    calls, string = 200, prviz.datasets.bits(32)
    made = prviz.hmm(string.sequence, 32)
    scene, levels = HMMScene(string, made), [prviz.Level(2, 40), prviz.Level(32)]
    run = LiveRun(made, scene, levels, seconds=None, calls=calls)
    for some in (5, calls // 5, calls // 2):
        run.start()
        until(lambda some=some: run.head()["calls"] > some or not run.active)
        run.stop()
        until(lambda: run.state in ("stopped", "finished"))
        if run.state == "stopped":
            assert run.resumable and run.head()["resumable"]
    run.start()
    until(lambda: run.state == "finished")
    whole = prviz.run(made, levels=levels, calls=calls).trace
    assert run.trace_hash() == whole.hash()
    again = finished(LiveRun(made, scene, levels, seconds=None, calls=calls))
    shown, wanted = (frames_of(each, calls - 1, 2).copy() for each in (run, again))
    shown["seconds"] = wanted["seconds"] = 0.0
    assert shown.tobytes() == wanted.tobytes()
    full = run._curves["iterations"][1]
    restarts = prviz.run(made, levels=levels[-1:], calls=full.calls).trace
    assert full.best[-1] == restarts.best[-1]
    for each in (run, again):
        each.close()


def test_abandoned_search_keeps_only_its_result(make):
    run = make(calls=None, seconds=60.0)
    run.start()
    until(lambda: run.head()["calls"] > 10)
    run.stop()
    until(lambda: run.resumable)
    held = run.nbytes
    run.follow(make())
    assert not run.resumable and run.nbytes < held
    calls = run.head()["calls"]
    run.start()
    assert (run.state, run.head()["calls"]) == ("stopped", calls)


@pytest.fixture
def one_core(monkeypatch):
    """Give all searches one core, and let none of them compute before its turn."""
    monkeypatch.setattr(places, "PLACES", places.Places(1))
    monkeypatch.setattr(live, "START_SECONDS", 0.0)


def test_waiting_runs_report_their_queue_position(make, one_core):
    first = make(calls=None, seconds=60.0)
    first.start()
    until(lambda: first.state == "running" and first.head()["calls"] > 1)
    others = [make(calls=None, seconds=60.0) for _ in range(3)]
    said = [
        "Waiting for a core: this run is next.",
        "Waiting for a core: 1 run is ahead of this one.",
        "Waiting for a core: 2 runs are ahead of this one.",
    ]
    for run, message in zip(others, said, strict=True):
        run.start()
        until(lambda run=run, message=message: run.head()["message"] == message)
        assert run.state == "waiting"
    others[1].stop()  # this run is in the middle of the queue
    until(lambda: others[1].state == "stopped" and others[1].message == "")
    until(lambda: others[2].message == said[1])
    first.stop()
    until(lambda: others[0].state == "running" and others[0].message == "")
    assert others[2].state == "waiting"
    others[0].stop()
    until(lambda: others[2].state == "running")


def test_waiting_run_reports_at_once_that_it_waits(make, monkeypatch):
    monkeypatch.setattr(places, "STARTS", places.Places(0))
    first, second = make(), make()
    first.start()
    assert first.head()["message"] == "Waiting for a core: this run is next."
    until(lambda: places.STARTS.standing() == 1)
    second.start()
    assert second.head()["message"] == "Waiting for a core: 1 run is ahead of this one."


def test_long_search_yields_to_others(make, one_core, monkeypatch):
    monkeypatch.setattr(places, "TURN_SECONDS", 0.05)
    long, short = make(calls=None, seconds=60.0), make()
    long.start()
    until(lambda: long.state == "running")
    short.start()
    until(lambda: short.state == "finished")
    until(lambda: long.state == "running")


def test_every_search_computes_briefly_before_it_waits(make, one_core, monkeypatch):
    monkeypatch.setattr(live, "START_SECONDS", 0.02)
    first, small = make(calls=None, seconds=60.0), make(calls=2)
    second = make(calls=None, seconds=60.0)
    first.start()
    until(lambda: first.head()["seconds"] > 0.1)
    second.start()
    until(lambda: second.message)
    head = second.head()
    assert head["state"] == "waiting" and head["calls"] > 1 and head["seconds"] >= 0.02
    small.start()  # ends before it must wait
    until(lambda: small.state == "finished")
    assert second.state == "waiting"


def test_paused_search_continues_the_same_path(make, one_core):
    run, other = make(calls=3000), make()
    run.start()
    until(lambda: run.head()["calls"] > 100)
    run.pause()
    until(lambda: run.state == "paused" and run.message == AWAY)
    there = run.head()["calls"]
    finished(other)  # the other run uses the core in the meantime
    assert run.head()["calls"] == there < 3000
    run.start()
    until(lambda: run.state == "finished")
    assert run.message == "" and run.head()["calls"] == 3000
    assert run.trace_hash() == prviz.run(PROBLEM, levels=LEVELS, calls=3000).trace.hash()


def test_live_run_is_freed_without_garbage_collection():
    run = finished(LiveRun(PROBLEM, SCENE, LEVELS, seconds=None, calls=20))
    run.frames(1, 1)
    run.close()
    freed = weakref.ref(run)
    gc.disable()
    try:
        del run
        until(lambda: freed() is None)
    finally:
        gc.enable()


def test_paused_search_can_be_stopped(make):
    run = make(calls=None, seconds=60.0)
    run.start()
    until(lambda: run.head()["calls"] > 1)
    run.pause()
    until(lambda: run.state == "paused")
    run.stop()
    until(lambda: run.state == "stopped" and run.message == "")


def test_search_ends_if_paused_while_it_stops(make):
    for _ in range(20):
        run = make(calls=None, seconds=60.0)
        run.start()
        until(lambda run=run: run.head()["calls"] > 1)
        run.stop()
        run.pause()  # as when another run replaces this one
        until(lambda run=run: run.state == "stopped")


def test_runs_wait_for_kernels_with_a_message(make, monkeypatch):
    ready = threading.Event()
    compiled = set()
    monkeypatch.setattr(warm, "_ready", ready)
    monkeypatch.setattr(warm, "_marked", compiled.__contains__)
    assert not warm.ready(0.01, "hmm")
    run = make()
    run.start()
    until(lambda: "Compiling" in run.message)
    assert run.state == "waiting" and run.progress(0)[0]["calls"] == 0
    compiled.add("kmeans")  # the kernels of other problems are not compiled yet
    until(lambda: run.state == "finished")
    assert not warm.ready() and not warm.ready(0.01, "hmm")
    ready.set()
    assert warm.ready(None, "hmm")


def test_kernels_of_series_are_compiled_on_demand_by_a_server(monkeypatch):
    begun, release = [], threading.Event()

    def compile_(name, priority):
        begun.append(name)
        assert release.wait(10.0)

    monkeypatch.setattr(warm, "_compile_in_child", compile_)
    monkeypatch.setattr(warm, "_marked", lambda name: False)
    monkeypatch.setattr(warm, "_demanded", {})
    name = warm.name_of(prviz.hmm([0.0, 1.0, 0.5], 2, emissions="gaussian"))
    # outside the server, kernels are compiled when needed
    assert warm.ready(0.0, name) and begun == []
    monkeypatch.setattr(warm, "_serving", True)
    assert not warm.ready(0.01, name) and not warm.ready(0.01, name)
    assert begun == [name] and list(warm.stages()) == [name]
    release.set()
    assert warm.ready(None, name) and warm.stages() == {}


def test_an_error_in_a_step_ends_the_run_with_a_message(make, monkeypatch):
    run = make()
    run.frames(1, 1)

    def fail(*_):
        raise RuntimeError("out of order")

    monkeypatch.setattr(run._search, "step", fail)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    run.start()
    until(lambda: run.state == "failed")
    assert run.message == "The search stopped: out of order."


def test_run_ends_with_a_message_at_the_size_limit_of_its_trace(make, monkeypatch):
    monkeypatch.setattr(live, "MOST_TRACE_BYTES", 3000)
    run = finished(make(calls=None, seconds=60.0))
    assert run.state == "finished" and "prviz.run in Python has no such limit" in run.message


def test_memory_of_a_run_includes_the_redrawn_variables_of_all_levels(make):
    rows = prviz.run(PROBLEM, levels=LEVELS, seed=0, calls=160).trace.rows
    fixed = 29 + 5 * len(LEVELS)  # bytes per call in the other columns of `Rows`
    assert make()._bytes_a_call() == pytest.approx(fixed + 4 * len(rows.redrawn) / 160, abs=2)


@pytest.mark.parametrize("limit", ["MOST_KEYFRAMES", "MOST_KEYFRAME_BYTES"])
def test_keyframes_and_snapshots_are_thinned(make, monkeypatch, limit):
    frame_bytes = make().layout()["frame_bytes"]
    monkeypatch.setattr(history, limit, 8 if limit == "MOST_KEYFRAMES" else 9 * frame_bytes - 1)
    if limit == "MOST_KEYFRAMES":
        monkeypatch.setattr(history, "MOST_SNAPSHOTS", 4)
    else:  # not even one snapshot fits, so the minimum number is stored
        monkeypatch.setattr(history, "MOST_SNAPSHOT_BYTES", 1)
    run = make(calls=200)
    for _ in range(200):
        run._step(1)
    generation, keyframes = run.keyframes(0)
    shown = np.frombuffer(keyframes, frame_dtype(run.layout()))
    assert generation >= 4 and len(shown) <= 8 and len(run.pictures._history._snapshots) <= 4
    assert run.pictures._history._snapshots[0].calls == 0
    assert (np.diff(shown["call"].astype(int)) > 0).all()
    assert frames_of(run, 150, 2)["call"][-1] == 151


def test_invalid_arguments_are_rejected(make):
    for arguments, said in [
        ({"levels": [prviz.Level(9, 1), prviz.Level(8)]}, "k_1 must be between"),
        ({"calls": 0}, "calls must be at least 1"),
        ({"seed": -1}, "seed must be 0 or more"),
    ]:
        with pytest.raises(ValueError, match=said):
            make(**arguments)


def test_numbers_of_centres_per_true_cluster_equal_a_hand_calculation():
    truth = np.array([[0.0, 0.0], [10.0, 0.0], [20.0, 0.0]])
    centres = np.array([[1.0, 0.0], [-1.0, 2.0], [19.0, 0.0]])
    assert centres_of_truth(centres, truth).tolist() == [2, 0, 1]


def test_recording_equals_the_run(make, tmp_path):
    run = finished(make())
    save_recording(run, tmp_path / "run.npz")
    recorded = RecordedRun(tmp_path / "run.npz", "recorded-test", "A recording.")
    try:
        for call, count in [(1, 1), (1, 60), (7, 3), (60, 4)]:
            assert recorded.frames(call, count) == run.frames(call, count)
        assert recorded.frames(61, 1) == b""
        assert recorded.progress(0) == run.progress(0)
        assert recorded.asset("points") == run.asset("points")
        told = {"recorded": "A recording.", "tables": {}}
        assert recorded.layout() == {**run.layout(), **told}
        first = np.frombuffer(recorded.keyframes(0)[1], frame_dtype(run.layout()))
        assert first["call"].tolist() == list(range(1, 61))
        with pytest.raises(ValueError, match="wait for the live run"):
            recorded.full()
    finally:
        del RUNS["recorded-test"]


def test_recording_can_store_selected_calls_and_full_restarts(make, tmp_path):
    run = finished(make())
    save_recording(run, tmp_path / "run.npz", [1, 2, 9, 10, 40], full=True)
    recorded = RecordedRun(tmp_path / "run.npz", "recorded-some", "A recording.")
    assert recorded.held == [1, 2, 9, 10, 40]
    for call, count in [(1, 1), (1, 2), (2, 1), (9, 1), (9, 2), (10, 1), (40, 5)]:
        assert recorded.frames(call, count) == run.frames(call, min(count, 2 if call < 40 else 1))
    assert recorded.frames(3, 6) == b""
    assert recorded.full() == run.full()
    assert recorded.progress(0) == run.progress(0)
    del RUNS["recorded-some"]


@cases(
    ("first", "later", "pace"),
    [((1, 0.5), (11, 0.6), 100.0), ((1, 0.5), (1, 0.5), 2.0), ((0, 0.5), (0, 0.5), 0.0)],
)
def test_pace_ignores_the_first_call(monkeypatch, first, later, pace):
    class Search:
        def __init__(self, *made):
            self.told = iter([first, later])

        def step(self, calls=None, seconds=None):
            self.calls, self.seconds = next(self.told)

    run = LiveRun(PROBLEM, SCENE, [prviz.Level(8)])
    with monkeypatch.context() as patch:
        patch.setattr(live, "TracedSearch", Search)
        assert run.pace() == pytest.approx(pace)
    run.close()


def test_divergence_ends_the_run_with_a_message():
    data = prviz.datasets.patterns()
    problem = prviz.rbm(data, 2, 10.0, 50, 0.3, batch=100)  # weights double with every epoch
    levels = [prviz.Level(1, 5), prviz.Level(26)]
    run = LiveRun(problem, RBMScene(data, problem), levels)
    assert run.opening() == b""
    # the first call, before Run is pressed, already reports the divergence
    assert run.state == "failed" and "diverged" in run.message
    run.start()
    until(lambda: run.state == "failed")
    assert "diverged" in run.message and "smaller learning rate" in run.message
    assert run.progress(0)[0]["calls"] == 0
    run.close()
