"""The curve of the lowest WCSS over k has the right data, drawing and section on the page."""

import numpy as np
import pytest
from visits import Visit, checked, press, run_of, values

import prviz
from prviz.datasets import Points
from prviz.engine.schedule import Level
from prviz.figures.elbow import elbow_info, plot_elbow
from prviz.figures.style import CHOSEN
from prviz.player.batch.job import BestJob
from prviz.ui.benchmarks import kmeans
from prviz.ui.sections import elbow
from prviz.ui.sections.elbow import sample, sizes
from prviz.ui.serve import session

PAIRS = np.array([[0.0], [2.0], [10.0], [12.0], [40.0], [44.0]])
VISIT = Visit("kmeans")


def test_zero_wcss_is_listed_as_exact_and_not_drawn():
    info = elbow_info({4: 0.0, 2: 9.0, 3: 12.5})
    assert info.sizes.tolist() == [2, 3] and info.costs.tolist() == [9.0, 12.5]
    assert info.exact.tolist() == [4]
    assert [len(each) for each in elbow_info({})] == [0, 0, 0]


def test_figure_has_the_costs_and_a_marker_at_the_k_of_the_page():
    curve, mark = plot_elbow(elbow_info({2: 300.0, 3: 12.0}), [2, 3, 4], 3).data
    assert (list(curve.x), list(curve.y)) == ([2, 3], [300.0, 12.0])
    assert (list(mark.x), list(mark.y), mark.marker.color) == ([3], [12.0], CHOSEN)
    for found, k in [({2: 300.0}, 3), ({}, 2)]:
        figure = plot_elbow(elbow_info(found), [2, 3, 4], k)
        assert len(figure.data) == 1
    ticks = plot_elbow(elbow_info({}), [2, 16, 32, 50, 63, 126], 50).layout.xaxis.tickvals
    assert list(ticks) == [2, 16, 50, 126]  # labels 32 and 63 would overlap 50


def test_sizes_grow_by_equal_factors_and_include_k():
    assert sizes(50, 7500) == [2, 4, 8, 16, 32, 50, 63, 126, 251, 500]
    assert sizes(5, 6) == [2, 3, 4, 5]
    assert sizes(3, 3) == [2]  # with k = 3, the WCSS would be 0
    assert sizes(1, 2) == sizes(2, 1) == [1]


def test_large_data_are_sampled():
    assert sample(10_000, 2) == slice(None)
    chosen = sample(1_000_000, 2)
    assert len(chosen) == len(set(chosen.tolist())) == 10_000
    assert np.array_equal(chosen, sample(1_000_000, 2))
    assert len(sample(100_000, 100)) == 4000 and len(sample(2000, 2000)) == 1000


class Ready:
    """A run whose kernels are ready."""

    problem = prviz.kmeans(PAIRS, 2)

    @staticmethod
    def kernels_ready(timeout=0.0):
        return True


def best(of, make=lambda k: prviz.kmeans(PAIRS, k), calls=20):
    return BestJob(Ready, make, of, lambda k: [Level(1, 10), Level(k)], calls, 0)


def test_searches_find_known_optima():
    job = best([3, 2])
    job.join()
    # with k = 3, the pairs cost 2, 2 and 8; with k = 2, the first two pairs share a centre at 6
    expected = {2: ((PAIRS[:4] - 6) ** 2).sum() + 8, 3: 2.0 + 2.0 + 8.0}
    assert job.state == "found" and job.done == 1.0
    assert job.found == {k: pytest.approx(cost) for k, cost in expected.items()}
    assert list(job.found) == job.sizes == [2, 3]


def test_job_can_be_stopped_and_keeps_finished_parts_after_a_failure():
    job = best([2, 3], calls=10**9)
    while not job.at:
        pass
    job.stop()
    job.join()
    assert job.state == "stopped" and job.found == {} and not job.active
    job = best([2, 9])
    job.join()
    assert job.state == "failed" and "n_clusters must be between 1" in job.trouble
    assert list(job.found) == [2]


@pytest.mark.usefixtures("kernels", "quiet_engine")
class TestThePage:
    @pytest.fixture(autouse=True)
    def small(self, monkeypatch):
        points = np.random.default_rng(1).normal(size=(60, 2))
        monkeypatch.setitem(kmeans.SETS, "s1", lambda: Points(points, "Small", "by chance"))
        monkeypatch.setitem(kmeans.N_CLUSTERS, "s1", 3)
        kmeans.named.clear()

    @pytest.fixture(autouse=True)
    def jobs(self, monkeypatch):
        """Record every curve that a page starts."""
        begun = []

        def begin(run):
            begun.append(elbow.Curve(run))
            return begun[-1]

        monkeypatch.setattr(elbow, "begin", begin)
        yield begun
        for job in begun:
            job.stop()
            job.join()

    def opened(self):
        page = VISIT.opened(data="s1", seed="5")
        page.session_state["kmeans-elbow"] = True
        return checked(page.run())

    def searched(self, page, jobs):
        press(page, "Search for each k")
        jobs[-1].join()
        return checked(page.run()), jobs[-1]

    def test_k_from_the_curve_is_applied_to_the_page(self, jobs):
        page = self.opened()
        assert not jobs and not page.get("plotly_chart")  # the curve starts only on request
        page, job = self.searched(page, jobs)
        assert job.state == "found" and job.seed == 5 and job.sizes == sizes(3, 60)
        assert len(page.get("plotly_chart")) == 1
        said = " ".join(caption.value for caption in page.main.caption)
        assert "Each point is the best of 100 calls from seed 5: an upper bound" in said
        assert "sample" not in said
        assert VISIT.widget(page, "selectbox", "elbow-k").value == 3  # the page's k
        k = job.sizes[3]
        page = press(VISIT.put(page, "selectbox", "elbow-k", k), f"Use k = {k}")
        assert values(page)["n_clusters"] == str(k) and run_of(page).problem.k == k
        assert f"k is now {k}." in [info.value for info in page.info]
        assert len(page.get("plotly_chart")) == 1  # the curve stays: k changed, but not the points
        page = VISIT.put(page, "selectbox", "data-choice", "a3-like")
        assert not page.get("plotly_chart")

    def test_stop_ends_the_job_and_its_progress(self, jobs, monkeypatch):
        monkeypatch.setattr(elbow, "CALLS", 10**9)
        page = self.opened()
        press(page, "Search for each k")
        (job,) = jobs
        while not job.at:
            pass
        page = checked(page.run())
        assert page.get("progress")[0].proto.text.startswith("k = 2: ")
        (stop,) = [button for button in page.button if button.key == "kmeans-elbow-stop"]
        checked(stop.click().run())
        job.join()
        assert job.state == "stopped" and not job.found
        assert not checked(page.run()).get("progress")

    def test_job_stops_if_another_page_runs_or_the_tab_closes(self, jobs, monkeypatch):
        monkeypatch.setattr(elbow, "CALLS", 10**9)
        page = self.opened()
        press(page, "Search for each k")
        (job,) = jobs
        tab = session.Tab()
        tab.probe("kmeans/elbow", job)
        tab.start("kmeans")
        assert not job._stop.is_set()
        tab.start("kmedoids")
        job.join()
        assert job.state == "stopped"
        press(checked(page.run()), "Search for each k")
        tab.probe("kmeans/elbow", jobs[-1])
        tab.leave()
        jobs[-1].join()
        assert jobs[-1].state == "stopped" and tab.probes == {}
