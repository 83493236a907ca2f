"""Figures of a stand-alone replay are printed on white paper, even in the dark theme."""

import numpy as np
import pytest
from browsing import eventually
from handmade import shows, written
from picture import COLOURS
from playwright.sync_api import expect
from printing import (
    POINTS_A_CM,
    WHITE,
    corners,
    counted,
    marks,
    open_dialog,
    read_pdf,
    read_png,
    read_svg,
    saved,
    seen,
    words_of,
)

import prviz
from prviz.datasets import Pictures
from prviz.engine import kernels
from prviz.notebook.pictures import scene_of
from prviz.player.live import LiveRun

DOTS_A_CM = 300 / 2.54


@pytest.fixture
def dialog(watched_page, tmp_path):
    """Open a replay on a dark page, and the dialog of a figure."""

    def open_(title="Five points", **options):
        path = written(tmp_path, {"k1": "1"}, title=title)
        page = watched_page(color_scheme="dark", offline=True, **options)
        page.goto(path.as_uri())
        shows(page, 1, 1)
        return open_dialog(page)

    return open_


def test_pdf_and_svg_and_png_have_the_font_and_every_mark_and_text(dialog):
    page = dialog()
    content = saved(page, "pdf")
    with read_pdf(content) as paper:
        assert paper.get_width() == pytest.approx(17 * POINTS_A_CM, abs=0.01)
        found, tall = counted(paper), paper.get_height()
        # 500 points, 5 centres (each in white and in ink), 5 rings, 2 true centres, and the
        # paper; the legend adds more
        assert found["shapes"] >= 500 + 10 + 5 + 2 + 1 and found["pictures"] == 0
        said = words_of(paper)
        for words in (
            "Five points",
            "centre",
            "Restart 1: all 5 centres redrawn.",
            "k1 1 · call 1",
        ):
            assert words in said
        picture = seen(paper, 600)
    assert content.count(b"/FontFile2") == 1 and b"/FontName /DejaVuSans" in content
    assert (picture[[0, 0, -1, -1], [0, -1, 0, -1]] == WHITE).all()
    assert (np.abs(picture - COLOURS["full"]).max(axis=2) < 40).sum() > 50  # a restart's rings

    root = read_svg(saved(page, "svg"))
    assert root.get("width") == "17cm"
    squares = [mark for mark in marks(root, "rect") if mark.get("width") == "1.6"]
    assert len(squares) == 500
    rings = [
        g
        for g in marks(root, "g")
        if g.get("stroke") == "#0072b2" and g.get("stroke-width") == "1.75"
    ]
    assert sum(len(marks(g, "circle")) for g in rings) == 5
    inks = [g for g in marks(root, "g") if g.get("fill") == "#0072b2"]
    assert (
        sum(len(marks(g, "circle")) for g in inks) == 5
    )  # the blue of the light theme, because all centres were redrawn
    assert marks(root, "image") == []

    with read_pdf(saved(page, "pdf", words=False)) as paper:  # without title and sentence
        said = words_of(paper)
        assert "Five points" not in said and "Restart" not in said and "centre" in said
        assert tall > paper.get_height() + 30

    # a PNG has 300 dots per inch and looks like the PDF
    image = read_png(saved(page, "png", "8.5"))
    assert image.width == pytest.approx(8.5 * DOTS_A_CM, abs=1)
    for figure in ("Picture", "Cost so far"):  # both are drawn without Plotly
        image = read_png(saved(page, "png", figure=figure))
        assert image.width == pytest.approx(17 * DOTS_A_CM, abs=1)
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)
        assert (corners(image) == WHITE).all()
        image = image.convert("RGB")
        height = round(800 * image.height / image.width)
        ours = np.asarray(image.resize((800, height)), float)
        with read_pdf(saved(page, "pdf", figure=figure)) as paper:
            other, said = seen(paper, 800), words_of(paper)
        assert abs(len(other) - height) <= 1
        apart = np.abs(coarse(ours) - coarse(other))
        # edges differ by a fraction of a dot
        assert apart.max() < 100 and (apart > 40).mean() < 0.002
        assert (ours.min(axis=2) < 128).mean() > 0.002  # the page is not empty
    assert "calls" in said


def coarse(picture):
    """Return the means of blocks of 4 × 4 dots."""
    rows, columns = (len(picture) - 2) // 4, picture.shape[1] // 4
    return picture[: 4 * rows, : 4 * columns].reshape(rows, 4, columns, 4, 3).mean(axis=(1, 3))


def test_characters_missing_in_the_font_become_pictures(dialog):
    page = dialog(title="五点 & <five>")
    with read_pdf(saved(page, "pdf")) as paper:
        assert counted(paper)["pictures"] == 1 and "Restart 1" in words_of(paper)
        top = seen(paper, 800)[:40]
    assert (top < 128).any()
    root = read_svg(saved(page, "svg"))
    assert any("五点 & <five>" in (text.text or "") for text in marks(root, "text"))


def test_dialog_fits_the_window_and_does_not_change_the_page(dialog):
    page = dialog(width=1280, height=700)
    inside = "({scrollWidth, clientWidth}) => scrollWidth - clientWidth"
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 700})
        box = page.get_by_role("dialog").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        assert page.get_by_role("dialog").evaluate(inside) <= 0
        expect(page.get_by_role("button", name="Save")).to_be_in_viewport()
    before = page.evaluate("[theatre.playback.mode, theatre.playback.call]")
    for key in ("n", "ArrowRight", "l"):
        page.keyboard.press(key)
    assert page.evaluate("[theatre.playback.mode, theatre.playback.call]") == before
    page.get_by_label("File", exact=True).select_option("png")
    with page.expect_download() as there:
        page.get_by_role("button", name="Save").click()
    assert there.value.suggested_filename == "five-points-call-1.png"
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    dark = "theatre.scene.g.getImageData(0, 0, 1, 1).data[3]"
    assert page.evaluate(dark) == 0  # the canvas is still transparent
    assert page.evaluate("theatre.scene.view.colours.ink") == "rgb(232, 234, 237)"
    page.get_by_role("button", name="Take away").click()
    # A replay file has no link and no server.
    items = page.get_by_role("menuitem").all_inner_texts()
    assert items == ["Figure (PNG, SVG, PDF)", "Film (GIF, video)"]


def problems():
    """Return, for each kind of picture: problem, data, and True if the picture has bitmaps."""
    shades = np.arange(6.0)
    wall = Pictures(np.repeat(40 * shades[:, None], 4, axis=1), (2, 2), "Six", "made here", 2)
    apart = np.abs(np.subtract.outer(shades, shades))
    return {
        "wall": (prviz.kmedoids(apart, 2), wall, True),
        "matrices": (prviz.hmm("0110100110010110", 3), None, True),
        "weights and rows": (prviz.rbm(prviz.datasets.patterns(8).examples, 2), None, False),
    }


@pytest.mark.parametrize("name", problems())
def test_every_kind_of_picture_can_be_printed(open_replay, tmp_path, name):
    problem, data, pictures = problems()[name]
    levels = [prviz.Level(1, 5), prviz.Level(kernels.n_variables(problem))]
    run = LiveRun(problem, scene_of(problem, data), levels, calls=2)
    run.start()
    eventually(lambda: not run.active)
    path = tmp_path / "replay.html"
    path.write_text(run.replay(range(1, 3)), "utf-8")
    run.close()
    with read_pdf(saved(open_dialog(open_replay(path)), "pdf", "8.5")) as paper:
        assert paper.get_width() == pytest.approx(8.5 * POINTS_A_CM, abs=0.01)
        found = counted(paper)
    assert (found["pictures"] > 0) == pictures and found["shapes"] > 10
