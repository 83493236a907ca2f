"""A run is exported from a dark page as figures, a film and code."""

import pytest
from browsing import eventually, head_calls, ready
from playwright.sync_api import expect
from printing import marks, open_dialog, read_figure
from test_accessible import grave, look_at
from test_film import asked, tried

CALLS = 40
LINK = f"/kmeans?n_clusters=12&budget=calls&calls={CALLS}&seed=5"


@pytest.fixture
def page(open_once):
    """Open a page with a finished run, without a dialog."""
    allowed = "clipboard-read", "clipboard-write"
    page = ready(open_once(LINK, scheme="dark", permissions=allowed, plotly=True))
    if head_calls(page) < CALLS:
        page.locator(".pv-run").click()
        eventually(lambda: head_calls(page) == CALLS)
        page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    return page


@pytest.mark.long
def test_picture_and_curve_of_a_page_can_be_printed(page):
    expect(page.locator(".pv-curve .main-svg").first).to_be_visible()
    open_dialog(page)
    root = read_figure(page, "Picture", "k-means", "n_clusters 12", "call ")
    inks = [g for g in marks(root, "g") if g.get("fill") in ("#0b7a63", "#d55e00")]
    assert sum(len(marks(g, "circle")) for g in inks) == 12
    root = read_figure(page, "Cost so far", "best WCSS so far", f"partial, {CALLS} calls")
    assert not any("modebar" in (g.get("class") or "") for g in marks(root, "g"))
    page.keyboard.press("Escape")


@pytest.mark.long
def test_film_of_a_page_gets_its_frames_from_the_server(page):
    assert tried(asked(page)) > 10_000  # bytes
    page.keyboard.press("Escape")


def saved(page, dialog, name, folder):
    """Press a button that saves a file, and return its path."""
    with page.expect_download() as download:
        dialog.get_by_role("button", name=name).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_code_dialog_works_by_keyboard(page, tmp_path):
    page.get_by_role("button", name="Take away").press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Open as code")
    expect(dialog.get_by_role("button", name="Copy")).to_be_focused()
    code = dialog.get_by_role("region", name="Python")
    shown = code.inner_text()
    assert f"seed=5, calls={CALLS})" in shown

    dialog.get_by_role("button", name="Copy").click()
    expect(dialog.get_by_role("status")).to_have_text("Copied.")
    program = saved(page, dialog, "Download .py", tmp_path)
    assert program.name == "prviz-k-means-on-a3-like-generated-seed-5-40-calls.py"
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
    page.keyboard.press("ArrowRight")  # the key scrolls the code, and does not step a frame
    page.keyboard.press("n")
    expect(page.locator(".pv-where")).to_have_text(where)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Take away")).to_be_focused()


@pytest.mark.long
def test_both_searches_are_printed_side_by_side(page):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.keyboard.press("d")
    expect(page.locator(".pv-standing-full")).to_contain_text("restart")
    open_dialog(page)
    read_figure(page, "Side by side", "Full restarts", "Partial", "centres kept")
    page.keyboard.press("Escape")
