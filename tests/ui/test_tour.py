"""The one-minute tour has stops, texts and final links (tested without a browser)."""

import json

import numpy as np
import pytest
from visits import Visit, press

from prviz.player.pictures.frames import REDRAW, frame_dtype
from prviz.player.resources.store import RUNS
from prviz.ui.catalogue import PAGES
from prviz.ui.views import tour

VISIT = Visit("home")

pytestmark = pytest.mark.usefixtures("quiet_engine")


def given(page):
    """Return the data of the tour, or None without one."""
    found = [json.loads(component.proto.json)[0] for component in page.get("bidi_component")]
    return next((each["tour"] for each in found if "tour" in each), None)


def test_tour_visits_every_recorded_page():
    assert [stop.page for stop in tour.stops()] == ["home", *PAGES]
    sentences = [stop.sentence for stop in tour.stops()]
    assert len(set(sentences)) == len(sentences)
    assert all(said.count(".") == 1 and said.endswith(".") for said in sentences)


def test_tour_starts_on_request_with_stops_frames_and_links():
    page = VISIT.opened()
    assert given(page) is None
    page = press(page, "Show me in a minute")
    found = given(page)
    assert (found["count"], found["seconds"]) == (1, 60)
    assert [stop["page"] for stop in found["stops"]] == ["/", *(f"/{page}" for page in PAGES)]
    assert found["onward"] == [[f"/{name}", label] for name, label in tour.ONWARD.items()]
    for stop in found["stops"]:  # a stop's still picture, for reduced motion, is of a redraw
        run, (call, sub) = RUNS[stop["run"]], stop["still"]
        frames = np.frombuffer(run.frames(call, 1), frame_dtype(run.layout()))
        (frame,) = frames[(frames["call"] == call) & (frames["sub"] == sub)]
        assert frame["event"] == REDRAW
    assert given(page.run())["count"] == 1
    assert given(press(page, "Show me in a minute"))["count"] == 2
