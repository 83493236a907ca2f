"""Figures and reports from the app's own pages, which are dark here."""

import pytest
from browsing import eventually, head_calls, ready
from playwright.sync_api import expect
from printing import (
    POINTS_A_CM,
    corners,
    counted,
    marks,
    read_pdf,
    read_png,
    read_svg,
    saved,
    words_of,
)

WHITE = [255, 255, 255]


def asked(page, name="Figure (PNG, SVG, PDF)", role="menuitem"):
    """The page, with the dialog of a figure open."""
    page.get_by_role(role, name=name).first.click()
    expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text(" cm, ")
    return page


def taken_away(page):
    page.get_by_role("button", name="Take away").click()
    return asked(page)


def board(open_page, path):
    """A race or a tuning that is over."""
    page = open_page(path, scheme="dark")
    run = page.locator(".pv-race .pv-run")
    expect(run).to_have_text("Run", timeout=90_000)
    run.click()
    expect(page.locator(".pv-race-state")).to_contain_text("Finished", timeout=90_000)
    return page


def white_and_worded(page, figure, *words):
    """All three files of a figure."""
    with read_pdf(saved(page, "pdf", figure=figure)) as paper:
        assert paper.get_width() == pytest.approx(17 * POINTS_A_CM, abs=0.01)
        found, said = counted(paper), words_of(paper)
    for each in words:
        assert each in said
    assert found["shapes"] > 10 and found["pictures"] == 0
    assert (corners(read_png(saved(page, "png"))) == WHITE).all()
    return read_svg(saved(page, "svg"))


def test_k_means_prints_its_picture_and_its_curve(open_page):
    page = ready(open_page("/kmeans?n_clusters=12&budget=calls&calls=40", scheme="dark"))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 40)
    expect(page.locator(".pv-curve .main-svg").first).to_be_visible()
    taken_away(page)
    root = white_and_worded(page, "Picture", "k-means", "n_clusters 12", "call ")
    inks = [g for g in marks(root, "g") if g.get("fill") == "#1f2328"]
    assert sum(len(marks(g, "circle")) for g in inks) == 12
    root = white_and_worded(page, "Cost so far", "best WCSS so far", "partial, 40 calls")
    assert not any("modebar" in (g.get("class") or "") for g in marks(root, "g"))


def test_side_by_side_prints_both_pictures(open_page):
    page = ready(open_page("/kmeans?n_clusters=12&budget=calls&calls=40", scheme="dark"))
    page.locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 40)
    page.keyboard.press("d")
    expect(page.locator(".pv-duel-work")).not_to_be_empty()
    page.wait_for_function(
        "[...globalThis.__prvizTheatres.values()].at(-1).theatre.duel.sides.partial.frame"
    )
    taken_away(page)
    white_and_worded(page, "Side by side", "Full restarts: best", "Partial: best")


@pytest.mark.parametrize(("page_", "pictures"), [("kmedoids", True), ("hmm", True), ("rbm", False)])
def test_every_problem_prints(open_page, page_, pictures):
    page = ready(open_page(f"/{page_}", scheme="dark"))
    taken_away(page)
    with read_pdf(saved(page, "pdf", "8.5")) as paper:
        assert paper.get_width() == pytest.approx(8.5 * POINTS_A_CM, abs=0.01)
        found = counted(paper)
    assert (found["pictures"] > 0) == pictures and found["shapes"] > 10


def test_a_race_prints_charts_and_runs_and_is_reported(open_page, browser, tmp_path):
    page = board(open_page, "/race?n_clusters=12&runs=20&each=0.05&aim=1e15")
    asked(page, "Figure", "button")
    white_and_worded(page, "Charts", "partial, n = 20", "full, n = 20", "Line: median.")
    root = white_and_worded(page, "Every run", "Partial: ", "A dot a run")
    assert len(marks(root, "circle")) == 40
    page.keyboard.press("Escape")
    with page.expect_download() as there:
        page.get_by_role("link", name="Report").click()
    path = tmp_path / "report.html"
    path.write_bytes(there.value.path().read_bytes())
    reads_alone(browser, path, "n = 20 runs each", "Where partial reinitialisation loses")


def test_a_tuning_prints_its_map_and_is_reported(open_page, browser, tmp_path):
    page = board(open_page, "/tuning?n_clusters=12&total=4&vary=k1,m1")
    asked(page, "Figure", "button")
    root = white_and_worded(page, None, "full restarts", "More ink", "best")
    rows = page.locator(".pv-race-table caption").inner_text()
    settings = 8 if rows == "All settings" else int(rows.split(" of ")[1])
    assert len(marks(root, "rect")) >= settings + 2  # with the paper, and the frame of the grid
    page.keyboard.press("Escape")
    with page.expect_download() as there:
        page.get_by_role("link", name="Report").click()
    path = tmp_path / "report.html"
    path.write_bytes(there.value.path().read_bytes())
    reads_alone(browser, path, "Full restarts rank", "Hash of the traces")


def test_the_papers_figures_print(open_page):
    page = open_page("/figures", scheme="dark")
    button = page.get_by_role("button", name="Figure (PNG, SVG, PDF)").first
    expect(button).to_be_visible(timeout=60_000)
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    asked(page, role="button")
    white_and_worded(page, None, "Figure 2: Hidden Markov model", "partial, n = 100")


def reads_alone(browser, path, *words):
    """A report opens without a network or a complaint, also on a phone, and prints light."""
    context = browser.new_context(
        offline=True, viewport={"width": 390, "height": 844}, color_scheme="dark"
    )
    page = context.new_page()
    complaints, asked_for = [], []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked_for.append(request.url))
    page.goto(path.as_uri())
    for each in words:
        expect(page.locator("main")).to_contain_text(each)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(14, 17, 23)"
    page.emulate_media(media="print")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    page.emulate_media(media="screen", color_scheme="light")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    assert complaints == []
    assert [url for url in asked_for if not url.startswith(("file:", "data:"))] == []
    context.close()
