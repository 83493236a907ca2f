"""The k-means page searches the user's own points (tested without a browser)."""

import numpy as np
import pytest
from cases import cases
from visits import Visit, checked, player, press, run_of, turned_to, values

from prviz.datasets.readers.tables import read_table
from prviz.ui.benchmarks import kmeans
from prviz.ui.own_data import columns, samples
from prviz.ui.own_data.data_input import KEPT, PASTED

VISIT = Visit("kmeans")
opened, put, widget = VISIT.opened, VISIT.put, VISIT.widget
CLOUD = np.random.default_rng(0).normal(size=(40, 3)).round(3)
CSV = b"a,b,c\n" + "\n".join(",".join(map(str, row)) for row in CLOUD.tolist()).encode()

pytestmark = pytest.mark.usefixtures("quiet_engine")


def title(page):
    return page.main.markdown[0].value


def points_of(page):
    return run_of(page).problem.points


def own():
    """Return the page while it waits for data."""
    return put(opened(), "selectbox", "data-choice", "own")


def upload(page, name, content):
    file = (name, content, "application/vector-stream")
    return checked(page.file_uploader[0].set_value(file).run())


def test_request_for_data_replaces_the_picture():
    page = opened()
    before = player(page)["run"]
    put(page, "selectbox", "data-choice", "own")
    assert title(page) == "# k-means on your own data"
    assert player(page)["run"] == before
    assert player(page)["hindered"] == kmeans.DATA_INPUT.none_yet
    assert player(page)["missing"] == kmeans.DATA_INPUT.none_yet
    assert kmeans.DATA_INPUT.none_yet in [info.value for info in page.info]
    assert not page.error


def test_home_links_to_the_upload():
    page = press(turned_to(opened(), "home"), "Bring your own table")
    turned_to(page, "kmeans")
    assert title(page) == "# k-means on your own data"
    assert player(page)["hindered"] == kmeans.DATA_INPUT.none_yet
    upload(page, "three.csv", CSV)
    assert title(page) == "# k-means on three.csv" and player(page)["autoplay"]
    assert not player(page)["missing"]


def test_table_is_searched_with_all_columns():
    page = upload(own(), "three.csv", CSV)
    assert title(page) == "# k-means on three.csv"
    np.testing.assert_array_equal(points_of(page), CLOUD)
    assert values(page)["n_clusters"] == "4"  # √(40 / 2)
    assert not player(page)["hindered"] and not page.error
    assert "**three.csv**: 40 rows, 3 columns of numbers." in [c.value for c in page.caption]
    assert KEPT in [c.value for c in page.caption]
    assert [button.label for button in page.get("download_button")[-2:]] == [
        "Points and clusters",
        "Centres",
    ]


def test_columns_are_chosen_and_scaled():
    page = upload(own(), "three.csv", CSV)
    checked(page.multiselect[0].set_value(["a", "c"]).run())
    np.testing.assert_array_equal(points_of(page), CLOUD[:, [0, 2]])
    put(page, "selectbox", "scale-choice", "standard")
    np.testing.assert_allclose(points_of(page).mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(points_of(page).std(axis=0), 1)
    link = player(page)["params"]
    assert (link["columns"], link["scale"], link["data"]) == ("1,3", "standard", "own")
    again = opened(**link)  # open the link in another tab
    assert [error.value for error in again.error] == [kmeans.DATA_INPUT.elsewhere]
    assert title(again) == "# k-means on A3-like (generated)"


def test_new_file_starts_with_all_columns():
    page = upload(own(), "three.csv", CSV)
    checked(page.multiselect[0].set_value(["b"]).run())
    upload(page, "two.csv", b"x,y\n1,2\n3,4\n5,7\n0,1\n")
    assert "columns" not in values(page)
    assert points_of(page).tolist() == [[1, 2], [3, 4], [5, 7], [0, 1]]


def test_rows_with_missing_values_are_dropped_on_request():
    holes = b"a,b\n1,2\n,4\n5,6\n7,NA\n9,9\n8,8"
    page = upload(own(), "holes.csv", holes)
    (said,) = [error.value for error in page.error]
    assert "line 3" in said and "a" in said
    put(page, "selectbox", "missing-choice", "drop")
    assert points_of(page).tolist() == [[1, 2], [5, 6], [9, 9], [8, 8]]
    assert any("2 of 6 rows (lines 3, 5)" in info.value for info in page.info)


def test_paste_is_read_like_a_file():
    page = own()
    widget(page, "text_area", "own-paste").set_value("1;2,5\n3;4\n5;6,5\n0;0").run()
    assert title(checked(page)) == f"# k-means on {PASTED}"
    assert points_of(page).tolist() == [[1, 2.5], [3, 4], [5, 6.5], [0, 0]]


def test_sample_button_runs_the_sample():
    page = press(own(), "Try a sample")
    assert title(page) == "# k-means on iris.csv"
    assert points_of(page).shape == (150, 4)
    # the text column is left out, and reported
    assert any("species" in info.value for info in page.info)


def test_unreadable_data_are_reported_and_the_run_is_kept():
    page = upload(own(), "good.csv", CSV)
    before = player(page)["run"]
    upload(page, "bad.csv", b"a,b\n1,2\n3\n")
    (said,) = [error.value for error in page.error]
    assert said.startswith("bad.csv: line 3")
    assert player(page)["run"] == before


def test_too_many_numbers_are_rejected(monkeypatch):
    monkeypatch.setattr(kmeans, "MOST_NUMBERS", 100)
    page = upload(own(), "large.csv", CSV)
    assert "40 rows of 3 columns exceed the 100 numbers" in page.error[0].value


@cases("sample", [samples.POINTS, samples.MATRIX, samples.EXAMPLES])
def test_sample_file_is_read_without_missing_values(sample):
    table = read_table(sample.content(), sample.name)
    assert len(table.values) > 20 and not np.isnan(table.values).any()


def test_sample_distances_are_plausible():
    table = read_table(samples.MATRIX.content())
    at = table.columns.index
    km = table.values[at("London"), at("Paris")]
    assert 335 < km < 350
    assert (table.values == table.values.T).all() and not table.values.diagonal().any()


@cases(
    ("text", "names"),
    [("", "abcde"), ("1", "a"), ("2-4", "bcd"), ("1,3-4", "acd"), ("9", "abcde"), ("4-9", "de")],
)
def test_columns_are_numbered_in_a_link(text, names):
    assert columns.chosen(text, [*"abcde"]) == [*names]
    assert columns.chosen(columns.numbered([*names], [*"abcde"]), [*"abcde"]) == [*names]


def test_link_abbreviates_consecutive_columns_as_a_range():
    assert columns.numbered(["d", "a", "b"], [*"abcde"]) == "1-2,4"
    assert columns.numbered([*"abcde"], [*"abcde"]) == ""
