"""Figures from the app's own pages, which are dark here."""

from browsing import eventually, head_calls, ready
from playwright.sync_api import expect
from printing import marks, open_dialog, read_figure
from test_film import asked, tried


def test_k_means_prints_its_picture_its_curve_and_both_side_by_side_and_tries_a_film(open_page):
    page = ready(open_page("/kmeans?n_clusters=12&budget=calls&calls=40", scheme="dark"))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 40)
    expect(page.locator(".pv-curve .main-svg").first).to_be_visible()
    open_dialog(page)
    root = read_figure(page, "Picture", "k-means", "n_clusters 12", "call ")
    inks = [g for g in marks(root, "g") if g.get("fill") in ("#0b7a63", "#d55e00")]
    assert sum(len(marks(g, "circle")) for g in inks) == 12
    root = read_figure(page, "Cost so far", "best WCSS so far", "partial, 40 calls")
    assert not any("modebar" in (g.get("class") or "") for g in marks(root, "g"))
    page.keyboard.press("Escape")
    dialog = asked(page)
    assert tried(dialog) > 10_000  # bytes: its frames come from the server
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    expect(page.locator(".pv-standing-full")).to_contain_text("restart")
    open_dialog(page)
    read_figure(page, "Side by side", "Full restarts", "Partial", "centres kept")


def test_the_papers_figures_print(open_page):
    page = open_page("/figures", scheme="dark")
    button = page.get_by_role("button", name="Figure (PNG, SVG, PDF)").first
    expect(button).to_be_visible(timeout=60_000)
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    open_dialog(page, role="button")
    read_figure(page, None, "Figure 2: Hidden Markov model", "partial, n = 100")
