"""The Tuning page works with a real server and a real browser."""

import re

import pytest
from browsing import ready, widest
from playwright.sync_api import expect
from printing import check_report, marks, open_dialog, read_figure
from test_accessible import VIEWS, check_view, look_at


@pytest.mark.long
def test_tuning_is_printed_and_its_best_setting_is_applied(open_page, browser, tmp_path):
    page = ready(open_page("/kmeans?n_clusters=12&m1=20", plotly=True))
    page.get_by_role("button", name="Tune this").click()
    run = page.locator(".pv-race .pv-run")
    expect(run).to_have_text("Run", timeout=60_000)
    page.locator("[class*='st-key-tuning-total-exact'] input").fill("4")
    page.locator("[class*='st-key-tuning-total-exact'] input").press("Enter")
    expect(page.locator("[class*='st-key-tuning-total-exact'] input")).to_have_value("4")
    run.click()
    expect(page.locator(".pv-race-state")).to_contain_text("Finished", timeout=90_000)
    expect(page.locator(".pv-race-words")).to_contain_text("setting")
    names = page.locator(".pv-race-table tbody th").all_inner_texts()
    sizes = {size for name in names for size in re.findall(r"k₁ = (\d+)", name)}
    every = "full restarts" in names and sizes == {"1", "2", "4", "6"}
    assert len(names) == 8 or every  # 8 rows; fewer if settings with equal runs share a row

    for view in VIEWS:
        check_view(page, *view)
    assert widest(page) <= 390
    look_at(page, *VIEWS[1])  # export on white paper from a dark page
    open_dialog(page, "Figure", "button")
    root = read_figure(page, None, "full restarts", "Stronger colour", "best")
    rows = page.locator(".pv-race-table caption").inner_text()
    settings = 8 if rows == "All settings" else int(rows.split(" of ")[1])
    # two more rectangles mark the paper's setting and the edge of the grid
    assert len(marks(root, "rect")) >= settings + 2
    page.keyboard.press("Escape")
    found = ("Full restarts rank", "Hash of the traces")
    check_report(page, browser, tmp_path / "report.html", *found)

    chart = page.locator(".pv-map canvas")
    chart.focus()
    chart.press("ArrowRight")
    expect(page.locator(".pv-map p").first).to_contain_text("median cost")
    with page.expect_response("**/replay?*"):
        chart.press("Enter")
    expect(page.locator(".pv-race-below h2").first).to_contain_text(", seed ")
    ready(page)
    best = page.locator(".pv-race-table tbody th").first.text_content()
    page.get_by_role("button", name="Use it on the page").click()
    page.wait_for_url("**/kmeans*", timeout=60_000)
    k = "12" if best == "full restarts" else re.search(r"k₁ = (\d+)", best)[1]
    expect(page.locator("[class*='st-key-kmeans-k1-exact'] input")).to_have_value(k)
