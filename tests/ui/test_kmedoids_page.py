"""Test the parts that only the k-medoids page has, without a browser."""

import io
import zipfile

import numpy as np
import pytest
from PIL import Image
from visits import Visit, checked, order, player, press, run_of, turned_to, values

import prviz
from prviz.datasets import Pictures
from prviz.ui.benchmarks import kmedoids
from prviz.ui.sections import affinity

VISIT = Visit("kmedoids")
opened, put, widget = VISIT.opened, VISIT.put, VISIT.widget
POINTS = np.random.default_rng(0).normal(size=(30, 2))

pytestmark = pytest.mark.usefixtures("quiet_engine")


@pytest.fixture(autouse=True)
def few_digits(monkeypatch):
    """Use 150 pictures instead of 900."""
    points = np.random.default_rng(0).normal(size=(150, 4))
    few = Pictures(points, (2, 2), "Few (stand-in)", "made by hand", 121, stand_in=True)
    monkeypatch.setitem(kmedoids.SETS, "digits", lambda: few)
    faces = few._replace(name="Faces", best_known=1.0, stand_in=False, n_clusters=10)
    monkeypatch.setitem(kmedoids.SETS, "faces", lambda: faces)


def title(page):
    return page.main.markdown[0].value


def written(page):
    return " ".join(markdown.value for markdown in page.main.markdown)


def problem_of(page):
    return run_of(page)._film.problem


def npy(matrix):
    file = io.BytesIO()
    np.save(file, matrix)
    return file.getvalue()


def upload(page, name, content):
    file = (name, content, "application/vector-stream")
    return checked(page.file_uploader[0].set_value(file).run())


def test_page_opens_on_the_substitute_data():
    page = opened()
    assert title(page) == "# k-medoids on Few (stand-in)"
    assert "**A stand-in**, not the set of the paper." in written(page)
    assert run_of(page).layout()["title"] == "k-medoids on Few (stand-in)"
    assert player(page)["page"] == "/kmedoids"
    assert run_of(page).state == "ready"
    assert values(page)["n_clusters"] == "121"
    marks = [html.body for html in page.sidebar.get("html")]
    assert any("paper 500\u202f000<" in mark for mark in marks)
    assert not page.error
    assert not page.warning


#: Kind, key and new value of each control; name and text of its parameter in the link.
CHANGES = [
    ("slider", "k1-slider", 3, "k1", "3"),
    ("select_slider", "m1-slider", 500_000, "m1", "500000"),
    ("selectbox", "optimiser-choice", "swap", "optimiser", "swap"),
    ("selectbox", "subset-choice", "local", "subset", "local"),
    ("number_input", "n_clusters-exact", 5, "n_clusters", "5"),
]


def test_every_control_starts_a_new_run():
    VISIT.check_fresh_runs(CHANGES)


def test_controls_set_the_parameters_of_the_problem():
    problem = problem_of(opened(n_clusters="5", optimiser="swap"))
    assert problem.k == 5
    assert problem.swap


def test_local_subsets_apply_to_all_levels_except_restarts():
    run = run_of(opened(subset="local", k2="10"))
    assert [level.subset for level in run._search.schedule.levels()] == ["local", "local", "random"]


def test_alpha_is_disabled_with_a_reason():
    page = opened()
    slider = widget(page, "slider", "alpha-slider")
    assert slider.disabled
    assert widget(page, "number_input", "alpha-exact").disabled
    (line,) = [said for said in page.sidebar.markdown if "does not apply" in said.value]
    assert "one of the points" in line.help


def test_paper_preset_searches_faces_with_500_000_redraws_per_restart():
    page = opened()
    checked(page.get("button_group")[0].set_value("paper").run())
    assert title(page) == "# k-medoids on Faces"
    assert run_of(page).layout()["levels"][0]["repeats"] == 500_000
    assert "Lowest known cost with 10 medoids: 1." in written(page)


def test_runs_on_the_same_data_share_their_matrix():
    page = opened()
    before = problem_of(page)
    put(page, "slider", "k1-slider", 2)
    assert problem_of(page).by_point is before.by_point


def test_own_matrix_is_requested_and_searched():
    page = opened()
    before = player(page)["run"]
    put(page, "selectbox", "data-choice", "own")
    assert not page.error
    assert kmedoids.DATA_INPUT.none_yet in [info.value for info in page.info]
    assert order(page, "file_uploader", "slider")[:2] == ["file_uploader", "slider"]
    assert player(page)["run"] == before
    assert player(page)["hindered"] == kmedoids.DATA_INPUT.none_yet
    upload(page, "mine.npy", npy(prviz.dissimilarity(POINTS, "euclidean")))
    assert not page.error and not player(page)["hindered"]
    assert title(page) == "# k-medoids on mine.npy"
    problem = problem_of(page)
    assert (len(problem.by_point), problem.k) == (30, 5)
    assert [layer["kind"] for layer in run_of(page).layout()["layers"]][-1] == "names"
    assert "**mine.npy**: 30 points." in [caption.value for caption in page.sidebar.caption]
    assert "Classical scaling places them" in written(page)


def test_second_matrix_replaces_the_first():
    page = put(opened(), "selectbox", "data-choice", "own")
    upload(page, "__my_*first* [matrix]: $x$.npy", npy(prviz.dissimilarity(POINTS)))
    assert title(page) == "# k-medoids on my_ first   matrix    x .npy"  # the name is escaped
    assert player(page)["notice"] == "Data is now Paste or upload, Medoids is now 5: new run"
    first = player(page)["run"]
    upload(page, "two.npy", npy(prviz.dissimilarity(POINTS[:10])))
    assert player(page)["run"] != first
    assert title(page) == "# k-medoids on two.npy"
    assert problem_of(page).k == 3
    put(page, "selectbox", "data-choice", "digits")
    assert title(page) == "# k-medoids on Few (stand-in)"
    put(page, "selectbox", "data-choice", "own")
    assert title(page) == "# k-medoids on two.npy"


def test_table_of_points_uses_squared_distances():
    page = put(opened(), "selectbox", "data-choice", "own")
    upload(page, "shops.csv", b"x,y\n0,0\n3,4\n6,8\n9,9")
    assert title(page) == "# k-medoids on shops.csv"
    np.testing.assert_allclose(problem_of(page).by_point[0], [0, 25, 100, 162])
    put(page, "selectbox", "metric-choice", "cityblock")
    np.testing.assert_allclose(problem_of(page).by_point[0], [0, 7, 14, 18])
    checked(page.multiselect[0].set_value(["y"]).run())
    np.testing.assert_allclose(problem_of(page).by_point[0], [0, 4, 8, 9])


def test_uploaded_pictures_are_shown():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        for i in range(6):
            file = io.BytesIO()
            Image.fromarray(np.full((8, 8), 40 * i, np.uint8)).save(file, "PNG")
            made.writestr(f"{i}.png", file.getvalue())
    page = put(opened(), "selectbox", "data-choice", "own")
    upload(page, "greys.zip", packed.getvalue())
    assert title(page) == "# k-medoids on greys.zip"
    assert run_of(page).layout()["layers"][0]["kind"] == "wall"
    assert problem_of(page).k == 2


def test_invalid_matrix_is_reported_and_the_run_is_kept():
    page = put(opened(), "selectbox", "data-choice", "own")
    upload(page, "good.npy", npy(prviz.dissimilarity(POINTS)))
    before = player(page)["run"]
    for content, sentence in [
        (
            b"0,1,2\n1,0",
            "bad.csv: dissimilarity must be square, with a row and a column for each point, got "
            "2 × 3; for points, give more rows than columns.",
        ),
        (
            b"0,1\n1,0",
            "bad.csv: it has 2 points; this page accepts 3 to 2000.",
        ),
    ]:
        upload(page, "bad.csv", content)
        assert [error.value for error in page.error] == [sentence]
        assert player(page)["run"] == before
        assert title(page) == "# k-medoids on good.npy"


def test_too_many_points_are_rejected(monkeypatch):
    monkeypatch.setattr(kmedoids, "MOST_POINTS", 20)
    page = put(opened(), "selectbox", "data-choice", "own")
    upload(page, "large.npy", npy(prviz.dissimilarity(POINTS)))
    assert page.error[0].value == ("large.npy: the matrix has more than 20 points, the limit.")


def test_kmedoids_page_fills_an_empty_triangle_with_a_notice():
    page = put(opened(), "selectbox", "data-choice", "own")
    upload(page, "half.npy", npy(np.triu(prviz.dissimilarity(POINTS))))
    assert "The lower triangle of dissimilarity is empty" in page.sidebar.info[0].value
    np.testing.assert_array_equal(problem_of(page).by_point, prviz.dissimilarity(POINTS))
    assert not page.error


def test_k_equal_to_n_is_reported():
    page = put(opened(), "selectbox", "data-choice", "own")
    upload(page, "ten.npy", npy(prviz.dissimilarity(POINTS[:10])))
    put(page, "number_input", "n_clusters-exact", 10)
    assert "below the number of points (10), got 10" in page.error[0].value


def test_link_restores_all_except_your_matrix():
    page = opened()
    put(page, "selectbox", "optimiser-choice", "swap")
    put(page, "number_input", "n_clusters-exact", 7)
    link = player(page)["params"]
    assert player(opened(**link))["params"] == link
    put(page, "selectbox", "data-choice", "own")
    upload(page, "mine.npy", npy(prviz.dissimilarity(POINTS)))
    link = player(page)["params"]
    again = opened(**link)
    assert title(again) == "# k-medoids on Few (stand-in)"
    assert [error.value for error in again.error] == [kmedoids.DATA_INPUT.elsewhere]
    assert not again.warning


class Job:
    """A comparison that runs until the test sets its result."""

    state, found = "running", None
    words = "Affinity propagation tries a first preference …"
    active = True

    def __init__(self, *arguments):
        self.arguments = arguments

    def stop(self):
        self.state, self.active = "stopped", False

    def finds(self, cost, seconds):
        self.state, self.active = "found", False
        self.found = affinity.Found(121, cost, 4, seconds, "")
        self.words = "Affinity propagation: found."


@pytest.fixture
def jobs(monkeypatch):
    made = {}
    monkeypatch.setattr(affinity, "_jobs", made)
    monkeypatch.setattr(affinity, "Job", Job)
    return made


def levels(page):
    """Return the names of the reference results drawn with the curves."""
    return [reference.label for reference in run_of(page).references]


def captions(page):
    return [caption.value for caption in page.sidebar.caption]


def test_affinity_propagation_result_stays_beside_the_curve(jobs):
    page = opened()
    assert levels(page) == []
    assert player(page)["beside"] == ""
    run = player(page)["run"]
    press(page, "Compare with affinity propagation")
    ((key, job),) = jobs.items()
    assert (key[0], key[-1]) == ("digits", 121)
    assert job.arguments[1] == 121
    assert job.words in captions(page)
    job.finds(42.0, 3.5)
    checked(page.run())
    assert levels(page) == ["affinity propagation, 3.5 s"]
    assert player(page)["beside"] == "affinity propagation, 3.5 s"
    assert player(page)["run"] == run
    assert "Affinity propagation: found." in captions(page)
    put(page, "number_input", "n_clusters-exact", 50)
    assert levels(page) == []
    put(page, "number_input", "n_clusters-exact", 121)
    assert levels(page) == ["affinity propagation, 3.5 s"]
    turned_to(page, "kmeans")
    turned_to(page, "kmedoids")
    assert levels(page) == ["affinity propagation, 3.5 s"]


def test_comparison_can_be_stopped_and_restarted_and_reports_its_failure(jobs):
    page = press(opened(), "Compare with affinity propagation")
    press(page, "Stop comparing")
    assert [job.state for job in jobs.values()] == ["stopped"]
    press(checked(page.run()), "Compare with affinity propagation")
    (job,) = jobs.values()
    assert job.state == "running"
    job.stop()
    job.state, job.words = "failed", "The number of clusters jumps past 121."
    checked(page.run())
    assert "The number of clusters jumps past 121." in captions(page)
    assert levels(page) == []
    assert player(page)["beside"] == ""
