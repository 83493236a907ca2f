"""Open as code in a browser: the dialog, what it copies and saves, and its keys."""

import json
import os
import subprocess
import sys

import nbformat
import pytest
from browsing import eventually, head_calls, ready
from playwright.sync_api import expect
from serving import ROOT
from test_accessible import grave


def opened(page, item="menuitem"):
    """The dialog, opened as a person does."""
    if item == "menuitem":
        page.get_by_role("button", name="Take away").click()
    page.get_by_role(item, name="Open as code").click()
    dialog = page.get_by_role("dialog", name="Open as code")
    expect(dialog).to_be_visible()
    return dialog


def saved(page, dialog, name, folder):
    """The file that a button saves."""
    with page.expect_download() as download:
        dialog.get_by_role("button", name=name).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_it_copies_and_saves_what_it_shows_and_that_runs(open_page, tmp_path):
    allowed = ["clipboard-read", "clipboard-write"]
    page = ready(open_page("/kmeans?budget=calls&calls=70&seed=5", permissions=allowed))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 70)
    dialog = opened(page)
    shown = dialog.get_by_role("region", name="Python").inner_text()
    assert f"seed=5, calls={head_calls(page)})" in shown
    dialog.get_by_role("button", name="Copy").click()
    expect(dialog.get_by_role("status")).to_have_text("Copied.")
    program = saved(page, dialog, "Download .py", tmp_path)
    assert program.name == "prviz-k-means-on-a3-like-generated-seed-5-70-calls.py"
    assert program.read_text() == page.evaluate("navigator.clipboard.readText()")
    assert program.read_text().strip() == shown.strip()
    book = saved(page, dialog, "Download notebook", tmp_path)
    assert book.suffix == ".ipynb"
    nbformat.validate(json.loads(book.read_text()))
    done = subprocess.run(
        [sys.executable, program],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and done.stdout.startswith("<Run: best cost"), done.stderr


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_by_keys_alone_it_is_opened_read_and_closed(open_page, scheme):
    page = ready(open_page("/hierarchy", width=390, height=700, scheme=scheme))
    where = page.locator(".pv-where").inner_text()
    page.get_by_role("button", name="Take away").press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Open as code")
    expect(dialog.get_by_role("button", name="Copy")).to_be_focused()
    held = dialog.bounding_box()
    assert held["x"] >= 0 and held["x"] + held["width"] <= 390 and held["height"] <= 700
    assert grave(page) == []
    code = dialog.get_by_role("region", name="Python")
    code.focus()
    assert code.evaluate("node => node.scrollWidth > node.clientWidth")
    page.keyboard.press("ArrowRight")  # scrolls it, and steps no frame
    page.keyboard.press("n")
    expect(page.locator(".pv-where")).to_have_text(where)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Take away")).to_be_focused()


def test_a_race_is_opened_as_code_once_it_has_begun(open_page):
    page = open_page("/race?each=0.05&runs=20")
    run = page.get_by_role("button", name="Run", exact=True)
    expect(run).to_be_enabled(timeout=90_000)
    expect(page.get_by_role("button", name="Open as code")).to_have_count(0)
    run.click()
    expect(page.get_by_role("button", name="Run again")).to_be_visible(timeout=60_000)
    dialog = opened(page, "button")
    code = dialog.get_by_role("region", name="Python")
    expect(code).to_contain_text("seeds=20, seconds=0.05")
    expect(code).to_contain_text("assert found.hash() ==")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
