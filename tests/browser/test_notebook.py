"""The player works in a real JupyterLab."""

import re

import pytest
from browsing import eventually, head_calls, playhead
from jupyter_lab import lab, outputs, run_cell
from playwright.sync_api import expect
from quiet_page import LESS_DRAWING

pytestmark = pytest.mark.long

PLAY = """
import prviz

data = prviz.datasets.a3_like()
problem = prviz.kmeans(data.points, 50)
theatre = prviz.play(problem, data=data, {arguments})
theatre
"""
#: Keep the kernel busy until a file named "enough" exists, or for a minute.
BUSY = """
import os, time
until = time.time() + 60
while time.time() < until and not os.path.exists("enough"):
    time.sleep(0.01)
"""
RUN = "prviz.run(problem, k1=1, m1=20, calls=100).play(data)"
DRAWN = "[...__prvizNotebook][0].theatre.scene.drawn"


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory, start_server):
    with lab(tmp_path_factory.mktemp("lab")) as started:
        yield started


@pytest.fixture(scope="module")
def context(browser):
    """Return a context whose pages share the loaded files of JupyterLab."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context
    context.close()


@pytest.fixture
def page(context):
    """Open a page whose errors fail the test."""
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    page.close()
    assert complaints == []


def entry(page, label):
    return page.locator(".pv-sliders").get_by_role("textbox", name=label, exact=True)


def slider(page, label):
    return page.locator(".pv-sliders").get_by_role("slider", name=label, exact=True)


def test_player_with_two_views_obeys_sliders_and_keys_while_the_kernel_is_busy(jupyter, page):
    path = jupyter.write("live", PLAY.format(arguments="seconds=6"), BUSY, "theatre")
    jupyter.open(page, "live")
    run_cell(page)
    expect(page.locator(".prviz .pv-metric-calls dd").first).to_have_text("1", timeout=60_000)
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) > 20)
    run_cell(page, 1, wait=False)
    calls, drawn = head_calls(page), page.evaluate(DRAWN)
    eventually(lambda: head_calls(page) > calls and page.evaluate(DRAWN) > drawn + 20)
    expect(page.locator(".jp-Notebook-ExecutionIndicator")).to_have_attribute("data-status", "busy")
    (path.parent / "enough").touch()

    slider(page, "k₁").focus()
    page.keyboard.press("ArrowRight")
    expect(entry(page, "k₁")).to_have_value("2")
    expect(page.locator(".pv-cards")).to_contain_text("k₁ = 2")
    eventually(lambda: head_calls(page) > 20)  # the new run plays, like the previous one
    entry(page, "k₁").fill("99")
    page.keyboard.press("Enter")
    expect(page.locator(".pv-slider-refusal")).to_contain_text("50")
    expect(entry(page, "k₁")).to_have_value("2")

    cells = page.locator(".jp-Cell").count()
    page.locator(".pv-canvas").first.click()
    page.get_by_role("button", name="Pause").click()
    there = playhead(page)
    for _ in range(2):  # step to the end of this call, and of the next call
        page.keyboard.press("Shift+ArrowRight")
    eventually(lambda: playhead(page) > there)
    for key in ("b", "a", "d", "d", "x"):  # notebook keys: insert, delete, cut a cell
        page.keyboard.press(key)
    assert page.locator(".jp-Cell").count() == cells
    before = path.stat().st_mtime_ns
    page.keyboard.press("Control+s")
    eventually(lambda: path.stat().st_mtime_ns != before)

    run_cell(page, 2)
    expect(page.locator(".prviz")).to_have_count(2)
    calls = page.locator(".pv-metric-calls .pv-note")
    # both views show all calls at the end
    eventually(lambda: len({*calls.all_inner_texts()}) == 1, 60)
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    expect(page.locator(".prviz").first).to_have_attribute("data-dark", "")
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    expect(page.locator(".prviz").first).not_to_have_attribute("data-dark", "")


def test_finished_run_opens_at_its_end_and_the_file_stores_a_live_page(jupyter, page):
    code = PLAY.replace("prviz.play(problem, data=data, {arguments})", RUN)
    path = jupyter.write("finished", code)
    empty = path.stat().st_size
    page.add_init_script(LESS_DRAWING)
    jupyter.open(page, "finished")
    run_cell(page)
    expect(page.locator(".prviz .pv-metric-calls dd").first).to_have_text("100", timeout=60_000)
    expect(entry(page, "M₁")).to_have_value("20")
    still = page.locator("[data-prviz-still]")
    search = still.get_by_role("button", name="Search in this page", include_hidden=True)
    expect(search).to_have_count(1)
    expect(still).to_be_hidden()  # the live player is shown instead
    page.keyboard.press("Control+s")
    eventually(lambda: any("Search in this page" in str(output) for output in outputs(path)))
    assert path.stat().st_size - empty < 600_000

    page.goto("about:blank")
    jupyter.end_kernels()
    jupyter.open(page, "finished")
    expect(still.locator("img")).to_be_visible()
    expect(page.get_by_text("model not found")).to_be_hidden()
    search.click()
    live = page.frame_locator("[data-prviz-still] iframe")
    expect(live.locator("h1")).to_have_text("k-means on A3-like (generated)")
    live.locator(".pv-run").click()
    # wait only for the start of the search: other tests wait for the end
    begun = re.compile(r"Searching: \d+ calls")
    expect(live.locator("body")).to_contain_text(begun, timeout=60_000)


def test_widget_reports_a_restarted_kernel(jupyter, page):
    jupyter.write("restarted", PLAY.format(arguments="seconds=60"))
    jupyter.open(page, "restarted")
    run_cell(page)
    expect(page.locator(".prviz .pv-run")).to_be_visible(timeout=60_000)
    page.locator(".pv-run").click()
    expect(page.locator(".pv-run")).to_have_text("Stop")
    page.locator('[data-jp-item-name="restart"]').locator("jp-button, button").first.click()
    said = page.get_by_text("The kernel was restarted. Run this cell again.")
    expect(said).to_be_visible(timeout=20_000)
    expect(page.locator(".pv-run")).to_have_text("Run")
    expect(page.locator(".pv-run")).to_have_attribute("aria-disabled", "true")
