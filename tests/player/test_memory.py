"""Closed tabs leave no runs in the server's memory."""

import gc
import time
from weakref import WeakSet, ref

import numpy as np
import pytest
import streamlit as st
from answering import answer_with
from visits import Visit, checked, player, press, run_of, turned_to
from waiting import until

import prviz
from prviz import warm
from prviz.player.batch.job import ProbeJob
from prviz.player.live import LiveRun
from prviz.player.resources import store
from prviz.ui.benchmarks import kmedoids
from prviz.ui.catalogue import PAGES
from prviz.ui.sections import affinity
from prviz.ui.serve import session

QUICK = {"budget": "calls", "calls": "2"}

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.fixture
def made(monkeypatch):
    """Yield weak references to all runs of a test; let the server discard closed tabs soon."""
    runs = WeakSet()
    make = LiveRun.__init__

    def noted(run, *arguments, **options):
        make(run, *arguments, **options)
        runs.add(run)

    monkeypatch.setattr(LiveRun, "__init__", noted)
    monkeypatch.setattr(session, "GRACE", 0.0)
    monkeypatch.setattr(session, "OVERLAP", 0.0)
    monkeypatch.setattr(store, "ROUND_SECONDS", 0.01)
    gc.collect()
    gc.freeze()  # later collections inspect only the objects of this test
    yield runs
    gc.unfreeze()


def alive(runs):
    gc.collect()
    return list(runs)


def is_gone(runs):
    return not alive(runs)


def left(tab):
    """Close the tab; its session continues for a while, as in Streamlit."""
    st.cache_resource.clear()
    return tab


def ran(tab):
    """Press Run, and wait for the end of the search."""
    press(tab, "Run")
    until(lambda: run_of(tab).state == "finished")
    run_of(tab).frames(1, 2)
    run_of(tab).keyframes(0)
    run_of(tab).curve()


def test_nothing_is_left_of_a_closed_tab_that_ran_every_page_twice(made):
    tab = Visit("home").opened()
    for page in PAGES:
        tab.query_params.update(QUICK)
        turned_to(tab, page)
        for _ in range(2):
            ran(tab)
    assert len(alive(made)) == 1 + len(PAGES)  # one run per page is kept, and the home page's
    left(tab)
    until(lambda: is_gone(made))
    assert page in tab.session_state  # the session still exists, its runs do not


def test_nothing_is_left_of_a_closed_home_page(made):
    tabs = []
    for alpha in (0.1, 0.2, 0.3):
        tab = Visit("home").opened()
        checked(tab.slider(key="home-alpha-slider").set_value(alpha).run())
        until(lambda tab=tab: run_of(tab).state == "finished")
        tabs.append(left(tab))
    until(lambda: is_gone(made))


def test_only_the_last_run_of_a_dragged_slider_is_kept(made):
    visit = Visit("kmeans")
    tab = visit.opened(**QUICK)
    ran(tab)
    for i in range(12):  # more runs than are stored at once
        visit.put(tab, "number_input", "alpha-exact", (i + 1) / 100)
    until(lambda: alive(made) == [run_of(tab)])
    left(tab)
    until(lambda: is_gone(made))


def test_nothing_is_left_of_closed_tabs_that_showed_a_recording(made, monkeypatch):
    monkeypatch.setattr(warm, "ready", lambda timeout=0.0, name=None: time.sleep(0.01))
    tabs = []
    for page in ("home", "kmeans"):
        tab = Visit(page).opened()
        assert player(tab)["run"] == f"recorded-{page}"
        if page != "home":
            press(tab, "Run")  # the run waits for the kernels
        tabs.append(left(tab))
    until(lambda: is_gone(made))


def test_nothing_is_left_of_a_tab_closed_during_a_script_run(made):
    """Drop the results of a script run that ends after its tab has closed."""
    tab = Visit("kmeans").opened(**QUICK)
    place, run = session.Tab(), run_of(tab)
    left(tab)
    place.leave()
    place.take("kmeans", LiveRun(run.problem, run._scene, run.schedule.levels()), start=True)
    assert place.runs == {}
    place.probe("kmeans", ProbeJob(run, [1], 10**6, 0))
    del run
    until(lambda: is_gone(made))


def test_only_the_latest_call_rates_are_stored(monkeypatch):
    monkeypatch.setattr(session, "_rates", {})
    monkeypatch.setattr(session, "MOST_RATES", 3)
    for of in (1, 2, 3, 1, 4):
        session._remember_rate(of, of / 2)
    assert session._rates == {3: 1.5, 1: 0.5, 4: 2.0}


def test_nothing_is_left_of_a_probe_after_its_tab_has_closed(made):
    visit = Visit("kmeans")
    tab = visit.opened(**QUICK)
    ran(tab)
    probing = ProbeJob(run_of(tab), [1, 2], 20, 0)
    tab.session_state["kept"] = probing  # the probe's button also stores its job in the tab
    place = session.Tab()
    place.probe("kmeans", probing)
    probing.join()
    place.leave()
    left(tab)
    assert probing.state == "found"
    until(lambda: is_gone(made))


def test_affinity_propagation_keeps_no_matrix_and_no_run_in_memory(made, monkeypatch):
    jobs = {}
    monkeypatch.setattr(affinity, "_jobs", jobs)
    found = {"n_clusters": 3, "cost": 1.0, "n_tries": 1, "seconds": 0.1, "notice": ""}
    answer_with(monkeypatch, {"found": found, "last": True})
    tab = Visit("kmedoids").opened(**QUICK)
    ran(tab)
    matrices = []

    class Matrix(np.ndarray):
        """A matrix that weak references can point to."""

    def start(key, asked, n_clusters):
        points = np.repeat(np.arange(3.0) * 9, 4)[:, None] + np.arange(12.0)[:, None] / 10
        small = prviz.dissimilarity(points).view(Matrix)
        jobs[key] = affinity.Job(small, 3)
        matrices.append(ref(small))

    monkeypatch.setattr(kmedoids.affinity, "start", start)
    press(tab, "Compare with affinity propagation")
    (job,) = jobs.values()
    job.join()
    checked(tab.run())
    assert job.state == "found" and len(run_of(tab).references) == 1
    left(tab)
    until(lambda: is_gone(made))
    assert job.found.n_clusters == 3  # the result is kept for other tabs
    assert [matrix() for matrix in matrices] == [None]
