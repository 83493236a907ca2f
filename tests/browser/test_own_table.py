"""A new user clusters a table: from Home to the exported clusters."""

import csv

import numpy as np
import pytest
from browsing import eventually, head_calls, ready, run_id, widest
from playwright.sync_api import expect

ROWS = np.random.default_rng(5).normal(size=(200, 3)).round(3)
TABLE = "width;height;depth;kind\n" + "\n".join(
    ";".join([*(f"{value:g}".replace(".", ",") for value in row), "ab"[i % 2]])
    for i, row in enumerate(ROWS.tolist())
)


@pytest.mark.long
def test_own_table_from_the_home_page_is_searched_and_exported(open_page):
    page = ready(open_page("/"))
    page.get_by_role("button", name="Bring your own table").click()  # one click
    expect(page.locator(".pv-missing")).to_contain_text("No data yet")
    before = run_id(page)
    file = {"name": "boxes.csv", "mimeType": "text/csv", "buffer": TABLE.encode()}
    uploader = page.get_by_test_id("stFileUploader").locator("input")
    uploader.set_input_files(file)  # two clicks: the button, and the file
    expect(page.get_by_role("heading", name="k-means on boxes.csv")).to_be_visible()
    eventually(lambda: run_id(page) != before)
    eventually(lambda: head_calls(page) > 1)  # the search starts automatically
    expect(page.locator(".pv-shown")).to_contain_text("Principal components of 3 columns")
    said = page.get_by_test_id("stAlertContentInfo")
    expect(said).to_contain_text("Decimal commas are read as decimal points.")
    expect(said).to_contain_text('Text columns left out: "kind"')
    with page.expect_download() as taken:
        page.get_by_role("button", name="Points and clusters").click()  # the fourth click
    rows = [*csv.DictReader(taken.value.path().read_text().splitlines())]
    assert [*rows[0]] == ["width", "height", "depth", "cluster", "distance"]
    found = np.array([[float(row[name]) for name in ("width", "height", "depth")] for row in rows])
    np.testing.assert_array_equal(found, ROWS)
    assert {int(row["cluster"]) for row in rows} == set(range(10))  # the default k is √(200 / 2)
    page.set_viewport_size({"width": 390, "height": 844})
    assert widest(page) == 390
