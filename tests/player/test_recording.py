"""The recordings that the app ships match the current engine."""

import json
from functools import partial
from unittest.mock import patch

import numpy as np
import pytest
import streamlit as st
from waiting import until

from prviz.player.pictures.frames import all_assets, frame_dtype
from prviz.player.pictures.protocols import Scene, WatchedRun
from prviz.player.recording import RecordedRun
from prviz.player.resources.store import RUNS
from prviz.ui.catalogue import PAGES
from prviz.ui.serve import session
from prviz.ui.serve.session import RECORDED
from tools import record


def finished(run):
    run.start()
    until(lambda: not run.active)
    return run


def frames_of(run, call, count):
    return np.frombuffer(run.frames(call, count), frame_dtype(run.layout()))


def test_recording_of_home_equals_a_run_of_the_current_engine():
    recorded, made = shipped("home")
    run, data = record.search_of("home")
    assert (data, run.seed) == (made["data"], made["seed"])
    assert_same_beginning(recorded, finished(run), 150)


@pytest.mark.parametrize("page", PAGES)
def test_the_preview_of_a_page_is_its_complete_default_search(page):
    recorded, made = shipped(page)
    shown = record.benchmark(page)
    head, outcomes = recorded.progress(0)
    assert head["state"] == "finished" and len(outcomes) == head["calls"] == made["calls"]
    names = ["Three levels", "Two levels"] if page == "hierarchy" else ["partial", "full"]
    assert [curve.get("meta") for curve in recorded.curve()["data"]][:2] == names
    beside, frames = recorded.full()
    assert beside["bests"] * recorded.layout()["frame_bytes"] == len(frames)
    assert (
        recorded.layout()["curve_axis"] == "seconds" or beside["iterations"] >= head["iterations"]
    )
    assert recorded.held[:6] == [1, 2, 3, 4, 5, 6] and len(recorded.held) <= record.MOST_CALLS + 1
    run = shown.live_run({**shown.defaults, "budget": "calls", "calls": 10})
    assert isinstance(run, WatchedRun) and isinstance(run._scene, Scene)
    assert run._scene.optimiser[0].isupper(), "Sentences of the player begin with this name."
    assert (shown.data(shown.defaults).name, run.seed) == (made["data"], made["seed"])
    assert [level._asdict() for level in run.schedule.levels()] == made["levels"]
    assert_same_beginning(recorded, finished(run), 10)


def shipped(name):
    (made,) = [
        entry
        for entry in json.loads((RECORDED / "manifest.json").read_text())
        if entry["file"] == f"{name}.npz"
    ]
    recorded = RecordedRun(RECORDED / f"{name}.npz", f"recorded-shipped-{name}", "A recording.")
    del RUNS[recorded.id]
    return recorded, made


def assert_same_beginning(recorded, run, calls):
    of_the_run = {"recorded": "A recording.", "tables": {}, "curve_axis": "", "live_page": False}
    assert {**recorded.layout(), **of_the_run} == {**run.layout(), **of_the_run}
    for asset in all_assets(run.layout()):
        assert recorded.asset(asset) == run.asset(asset)
    assert recorded.progress(0)[1][:calls] == run.progress(0)[1]
    ours, theirs = frames_of(run, 1, 5), frames_of(recorded, 1, 5)
    names = [field["name"] for field in run.layout()["fields"]]
    drawn = names[names.index("chosen") + 1]  # the first field that depends on the problem
    assert np.abs(ours[drawn].astype(int) - theirs[drawn]).max() <= 1
    assert ours["cost"].tolist() == pytest.approx(theirs["cost"].tolist(), nan_ok=True)
    run.close()


def test_recording_has_the_interface_of_a_run_but_no_trace():
    recorded = RecordedRun(RECORDED / "kmeans.npz", "recorded-face", "A recording.")
    assert isinstance(recorded, WatchedRun)
    best = partial(recorded.best_csv, "centres")
    of_the_trace = (best, recorded.trace_csv, recorded.trace_json, recorded.script)
    for asked in (*of_the_trace, lambda: recorded.replay([1])):
        with pytest.raises(ValueError, match="This is a recording, without a trace"):
            asked()
    del RUNS["recorded-face"]


def test_preview_and_tour_and_waiting_page_share_a_recording():
    st.cache_resource.clear()
    with patch.object(session, "RecordedRun", wraps=RecordedRun) as reading:
        waiting, preview, tour = (
            session.recorded("home", *more)
            for more in ([], ["preview", "A preview."], ["tour", ""])
        )
    assert reading.call_count == 1
    assert [run.id for run in (waiting, preview, tour)] == [
        "recorded-home",
        "preview-home",
        "tour-home",
    ]
    assert preview.layout()["recorded"] == "A preview."
    assert waiting.layout()["recorded"] == session.COMPILING
    assert waiting.nbytes and not preview.nbytes
