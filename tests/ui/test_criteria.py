"""Four criteria suggest k, in a background job and in a section of the k-means page."""

import importlib

import numpy as np
import pytest
from visits import Visit, checked, press, values

import prviz
from prviz.datasets import Points
from prviz.ui.benchmarks import kmeans
from prviz.ui.sections import criteria

VISIT = Visit("kmeans")
MODULE = importlib.import_module("prviz.choose_k")  # the attribute `prviz.choose_k` is the function
MIDDLES = np.repeat([[0, 0], [0, 9], [9, 0]], 30, axis=0)
BLOBS = MIDDLES + np.random.default_rng(0).normal(size=(90, 2))

pytestmark = pytest.mark.usefixtures("kernels", "quiet_engine")


class Ready:
    """A run with ready kernels."""

    seed = 5

    def __init__(self, points, k=3):
        self.problem = prviz.kmeans(points, k)

    @staticmethod
    def kernels_ready(timeout=0.0):
        return True


def test_job_has_the_result_of_choose_k(monkeypatch):
    monkeypatch.setattr(MODULE, "LARGEST", 4)
    job = criteria.Criteria(Ready(BLOBS))
    job.join()
    assert (job.state, job.done, job.trouble) == ("found", 1.0, "")
    assert repr(job.found.rows) == repr(prviz.choose_k(BLOBS, range(1, 5), seed=5).rows)
    assert job.fits(Ready(BLOBS)) and not job.fits(Ready(BLOBS[::-1]))


def test_computing_rows_ends_if_stop_returns_true():
    asked = []

    def stop():
        asked.append(1)
        return len(asked) > 60

    found = []
    with pytest.raises(KeyboardInterrupt):
        found.extend(row.k for row in MODULE.rows(BLOBS, [*range(1, 11)], stop=stop))
    assert 0 < len(found) < 10 and len(asked) < 70


def test_stopped_job_keeps_its_rows(monkeypatch):
    job = criteria.Criteria(Ready(BLOBS))
    while len(job.found.rows) < 2 and job.active:
        pass
    job.stop()
    job.join()
    assert job.state == "stopped" and 2 <= len(job.found.rows) < 10


def test_job_without_distinct_points_fails_with_a_message():
    job = criteria.Criteria(Ready(np.ones((9, 2)), 1))
    job.join()
    assert job.state == "failed" and job.trouble.startswith("All points are equal.")


@pytest.fixture
def page(monkeypatch):
    monkeypatch.setitem(kmeans.SETS, "s1", lambda: Points(BLOBS, "Blobs", "by chance"))
    monkeypatch.setitem(kmeans.N_CLUSTERS, "s1", 5)
    monkeypatch.setattr(MODULE, "LARGEST", 4)
    kmeans.named.clear()
    page = VISIT.opened(data="s1", seed="5")
    page.session_state["kmeans-criteria"] = True
    return checked(page.run())


def test_page_draws_the_criteria_and_applies_the_chosen_k(page, monkeypatch):
    begun = []
    monkeypatch.setattr(
        criteria, "begin", lambda run: begun.append(criteria.Criteria(run)) or begun[-1]
    )
    assert not page.get("plotly_chart")
    press(page, "Compare criteria")
    (job,) = begun
    job.join()
    page = checked(page.run())
    assert len(page.get("plotly_chart")) == 1
    assert job.found.words in [each.value for each in page.main.markdown]
    assert job.found.suggestions["silhouette"] == 3
    page = press(VISIT.put(page, "selectbox", "criteria-k", 3), "Use k = 3")
    assert values(page)["n_clusters"] == "3"
    page = VISIT.put(page, "selectbox", "data-choice", "a3-like")
    assert not page.get("plotly_chart")
