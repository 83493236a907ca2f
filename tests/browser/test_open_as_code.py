"""Open as code in a browser: the dialog, what it copies and saves, and its keys."""

from browsing import eventually, head_calls, ready
from playwright.sync_api import expect
from test_accessible import grave, look_at


def saved(page, dialog, name, folder):
    """Press a button that saves a file, and return its path."""
    with page.expect_download() as download:
        dialog.get_by_role("button", name=name).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_code_is_opened_copied_saved_read_and_closed_by_keys(open_page, tmp_path):
    allowed = ["clipboard-read", "clipboard-write"]
    page = ready(open_page("/kmeans?budget=calls&calls=70&seed=5", permissions=allowed))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 70)
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Take away").press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Open as code")
    expect(dialog.get_by_role("button", name="Copy")).to_be_focused()
    code = dialog.get_by_role("region", name="Python")
    shown = code.inner_text()
    assert f"seed=5, calls={head_calls(page)})" in shown

    dialog.get_by_role("button", name="Copy").click()
    expect(dialog.get_by_role("status")).to_have_text("Copied.")
    program = saved(page, dialog, "Download .py", tmp_path)
    assert program.name == "prviz-k-means-on-a3-like-generated-seed-5-70-calls.py"
    assert program.read_text() == page.evaluate("navigator.clipboard.readText()")
    assert program.read_text().strip() == shown.strip()
    book = saved(page, dialog, "Download notebook", tmp_path)
    assert book.suffix == ".ipynb" and book.read_text().startswith("{")

    for scheme in ("light", "dark"):
        look_at(page, scheme, 390, 700)
        assert grave(page, "dialog") == [], scheme
    held = dialog.bounding_box()
    assert held["x"] >= 0 and held["x"] + held["width"] <= 390 and held["height"] <= 700
    where = page.locator(".pv-where").inner_text()
    code.focus()
    assert code.evaluate("node => node.scrollWidth > node.clientWidth")
    page.keyboard.press("ArrowRight")  # scrolls it, and steps no frame
    page.keyboard.press("n")
    expect(page.locator(".pv-where")).to_have_text(where)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Take away")).to_be_focused()
