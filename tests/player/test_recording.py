"""The recordings that the app ships, and how the search of each page ended once."""

import gzip
import json
from functools import partial

import numpy as np
import pytest
from waiting import until

from prviz.player.pictures.frames import all_assets, frame_dtype
from prviz.player.pictures.protocols import WatchedRun
from prviz.player.recording import RecordedRun
from prviz.player.resources.store import RUNS
from prviz.ui.catalogue import PAGES
from prviz.ui.serve.server import RECORDED
from tools import record


def finished(run):
    run.start()
    until(lambda: not run.active)
    return run


def frames_of(run, call, count):
    return np.frombuffer(run.frames(call, count), frame_dtype(run.layout()))


@pytest.mark.parametrize("name", ["home", *PAGES])
def test_the_shipped_recording_is_what_the_engine_does_today(name):
    (manifest,) = [
        entry
        for entry in json.loads((RECORDED / "manifest.json").read_text())
        if entry["file"] == f"{name}.npz"
    ]
    recorded = RecordedRun(RECORDED / f"{name}.npz", "recorded-shipped", "A recording.")
    del RUNS["recorded-shipped"]
    run, data = record.search_of(name)
    finished(run)
    levels = [level._asdict() for level in run.schedule.levels()]
    assert (data, levels, run.seed) == (manifest["data"], manifest["levels"], manifest["seed"])
    run.close()
    told = {"recorded": "A recording.", "tables": {}}
    assert recorded.layout() == {**run.layout(), **told}
    for asset in all_assets(run.layout()):
        assert recorded.asset(asset) == run.asset(asset)
    assert recorded.progress(0)[1] == run.progress(0)[1]
    first = manifest["calls"] * 2 // 3
    ours, theirs = frames_of(run, first, 5), frames_of(recorded, first, 5)
    names = [field["name"] for field in run.layout()["fields"]]
    drawn = names[names.index("chosen") + 1]  # the first of the problem's own
    assert np.abs(ours[drawn].astype(int) - theirs[drawn]).max() <= 1
    assert ours["cost"].tolist() == pytest.approx(theirs["cost"].tolist(), nan_ok=True)


@pytest.mark.parametrize("page", PAGES)
def test_the_shipped_race_is_the_search_of_the_page_as_it_opens(page):
    line, outcomes = gzip.decompress((RECORDED / f"{page}-race.gz").read_bytes()).split(b"\n", 1)
    race, shown = json.loads(line), record.benchmark(page)
    assert (race["state"], race["calls"]) == ("finished", len(outcomes))
    assert race["calls"] == shown.defaults["calls"]
    names = [curve["name"].split(",")[0] for curve in race["curve"]["data"]]
    assert names[:2] == ["partial", "full"]
    again = shown.live_run({**shown.defaults, "budget": "calls", "calls": 30})
    head, known = finished(again).progress(0)
    again.close()
    assert outcomes[:30] == known
    assert [best for best in race["bests"] if best[0] <= 30] == head["bests"]


def test_a_recording_shows_the_face_of_a_run_and_has_no_trace():
    recorded = RecordedRun(RECORDED / "kmeans.npz", "recorded-face", "A recording.")
    assert isinstance(recorded, WatchedRun)
    best = partial(recorded.best_csv, "centres")
    of_the_trace = (best, recorded.trace_csv, recorded.trace_json, recorded.script)
    for asked in (*of_the_trace, lambda: recorded.replay([1])):
        with pytest.raises(ValueError, match="This is a recording, without a trace"):
            asked()
    del RUNS["recorded-face"]
