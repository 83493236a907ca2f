"""After a reload, a page keeps the run, its data, and the drawing."""

import numpy as np
import pytest
import streamlit as st
from visits import Visit, player, press, run_of

from prviz.datasets.sets.drawn import SIDE, encode
from prviz.player import answers
from prviz.player.batch.contest import Contest
from prviz.player.resources import store
from prviz.ui.experiments import page as boards
from prviz.ui.serve import component
from prviz.ui.views import page as views

VISIT = Visit("kmeans")
MANY = encode(np.random.default_rng(3).integers(0, SIDE, (700, 2)))

pytestmark = pytest.mark.usefixtures("quiet_engine")


@pytest.fixture
def send(monkeypatch):
    """Return a function that sends an event of a page's player."""
    told = []

    def show(*given, on_event, **more):
        player_of_page(*given, on_event=on_event, **more)
        if told:
            event = told.pop()
            monkeypatch.setattr(views, "event_data", lambda page: event)
            on_event()
            st.rerun()

    player_of_page = views.player
    monkeypatch.setattr(views, "player", show)

    def send(page, **event):
        told.append(event)
        return page.run()

    return send


def leave(page):
    """Close the tab, as a reload does; return its run and its query."""
    run = run_of(page)
    store.leave(run, 60.0)
    return run, {name: text for name, text in player(page)["params"].items() if name != "call"}


def test_reload_keeps_a_run(send):
    page = VISIT.opened()
    press(page, "Run")
    run, query = leave(page)
    again = send(VISIT.opened(**query), name="reloaded", run=run.id)
    assert run_of(again) is run
    assert run.state != "stopped"
    assert not again.warning


def test_reload_keeps_points_that_a_link_cannot_carry(send):
    page = VISIT.opened(data="draw")
    answers.answer(answers.OF_RUN, run_of(page), "POST", "redraw", {"body": MANY})
    run, query = leave(page.run())
    assert query["drawn"].startswith("~")
    again = send(VISIT.opened(**query), name="reloaded", run=run.id)
    assert run_of(again).layout()["drawn"] == MANY
    assert not again.warning


def test_reload_repeats_an_expired_run_of_drawn_points(send):
    again = send(VISIT.opened(data="draw"), name="reloaded", run="none", drawn=MANY)
    assert run_of(again).layout()["drawn"] == MANY
    assert not again.warning


def test_reload_reports_an_expired_run(send):
    again = send(VISIT.opened(), name="reloaded", run="none", drawn="not a drawing")
    assert player(again)["notice"] == views.EXPIRED


def test_reload_keeps_uploaded_data(send):
    page = VISIT.put(VISIT.opened(), "selectbox", "data-choice", "own")
    file = ("pairs.csv", b"a,b\n" + b"\n".join(b"%d,1" % i for i in range(9)), "text/csv")
    run, query = leave(page.file_uploader[0].set_value(file).run())
    again = send(VISIT.opened(**query), name="reloaded", run=run.id)
    assert run_of(again) is run
    assert again.main.markdown[0].value == "# k-means on pairs.csv"
    assert not again.warning and not again.error


def test_event_of_a_page_that_was_left_is_ignored(monkeypatch):
    monkeypatch.setattr(component.st, "session_state", {})
    assert component.event_data("kmeans") == component.board_event("race") == {}


@pytest.fixture
def race(monkeypatch):
    """Return a function that opens the Race page with an event, and returns the race."""
    shown, told, board_of_page = [], [], boards.board

    def show(page, many, *given, on_event, **more):
        shown.append(many)
        board_of_page(page, many, *given, on_event=on_event, **more)
        if told:
            event = told.pop()
            monkeypatch.setattr(boards, "board_event", lambda page: event)
            on_event()
            st.rerun()

    def opened(**event):
        told.extend([event] if event else [])
        Visit("race").opened()
        return store.RUNS[shown[-1]]

    monkeypatch.setattr(boards, "board", show)
    monkeypatch.setattr(Contest, "start", lambda contest: setattr(contest, "state", "running"))
    return opened


def test_reload_continues_a_race(race):
    before = race()
    before.start()
    store.leave(before, 60.0)
    assert race(name="reloaded", run=before.id) is before
    assert before.state == "running"


def test_reload_reports_an_expired_race(race):
    after = race(name="reloaded", run="none")
    assert after.message == boards.EXPIRED.format(noun="race")
