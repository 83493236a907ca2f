"""Export a figure for print as a user does, and read the exported file."""

import io
import xml.etree.ElementTree as ET
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw
import pytest
from PIL import Image
from playwright.sync_api import expect

SVG = "{http://www.w3.org/2000/svg}"
POINTS_A_CM = 72 / 2.54
WHITE = [255, 255, 255]


def open_dialog(page, name="Figure (PNG, SVG, PDF)", role="menuitem"):
    """Open the dialog of a figure, and return the page."""
    if role == "menuitem":
        page.get_by_role("button", name="Take away").click()
    page.get_by_role(role, name=name).first.click()
    expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text(" cm, ")
    return page


def saved(page, format_, width="17", figure=None, words=True):
    """Return the exported file of an open dialog."""
    if figure:
        page.get_by_label("Figure", exact=True).select_option(label=figure)
    page.get_by_label("File", exact=True).select_option(format_)
    page.get_by_label("Width", exact=True).select_option(width)
    page.get_by_label("with title and text").set_checked(words)
    with page.expect_download() as there:
        page.get_by_role("button", name="Save").click()
    assert there.value.suggested_filename.endswith(f".{format_}")
    return Path(there.value.path()).read_bytes()


@contextmanager
def read_pdf(content):
    """Return the PDF's only page, rendered by PDFium, Chromium's PDF viewer."""
    document = pdfium.PdfDocument(content)
    assert len(document) == 1
    yield document[0]
    document.close()


def counted(page):
    """Count the shapes (lines and areas), texts and pictures of a PDF page."""
    kinds = [found.type for found in page.get_objects()]
    return {
        "shapes": kinds.count(raw.FPDF_PAGEOBJ_PATH),
        "words": kinds.count(raw.FPDF_PAGEOBJ_TEXT),
        "pictures": kinds.count(raw.FPDF_PAGEOBJ_IMAGE),
    }


def words_of(page):
    return page.get_textpage().get_text_range()


def seen(page, width):
    """Render a PDF page as a printer does, with this many dots of width; return (h, w, 3)."""
    picture = page.render(scale=width / page.get_width()).to_pil()
    return np.asarray(picture.convert("RGB"), float)


def read_svg(content):
    root = ET.fromstring(content)
    assert root.tag == f"{SVG}svg"
    return root


def marks(root, tag):
    return root.findall(f".//{SVG}{tag}")


def read_png(content):
    return Image.open(io.BytesIO(content))


def corners(image):
    pixels = np.asarray(image.convert("RGB"))
    return pixels[[0, 0, -1, -1], [0, -1, 0, -1]]


def read_figure(page, figure, *words):
    """Save a figure as PDF and SVG; check size, words and paper; return the SVG's root."""
    with read_pdf(saved(page, "pdf", figure=figure)) as paper:
        assert paper.get_width() == pytest.approx(17 * POINTS_A_CM, abs=0.01)
        found, said = counted(paper), words_of(paper)
        assert (corners(paper.render().to_pil()) == WHITE).all()
    for each in words:
        assert each in said
    assert found["shapes"] > 10 and found["pictures"] == 0
    return read_svg(saved(page, "svg"))


def check_report(page, browser, path, *words):
    """Save the report of a page; check that it opens offline, on a phone, and prints on white."""
    with page.expect_download() as there:
        page.get_by_role("link", name="Report").click()
    path.write_bytes(there.value.path().read_bytes())
    context = browser.new_context(
        offline=True, viewport={"width": 390, "height": 844}, color_scheme="dark"
    )
    report = context.new_page()
    complaints, asked_for = [], []
    report.on("console", lambda message: complaints.append(message.text))
    report.on("pageerror", lambda error: complaints.append(str(error)))
    report.on("request", lambda request: asked_for.append(request.url))
    report.goto(path.as_uri())
    for each in words:
        expect(report.locator("main")).to_contain_text(each)
    assert report.evaluate("document.documentElement.scrollWidth") <= 390
    ground = "getComputedStyle(document.body).backgroundColor"
    assert report.evaluate(ground) == "rgb(14, 17, 23)"
    report.emulate_media(media="print")
    assert report.evaluate(ground) == "rgb(255, 255, 255)"
    report.emulate_media(media="screen", color_scheme="light")
    assert report.evaluate(ground) == "rgb(255, 255, 255)"
    assert complaints == []
    assert [url for url in asked_for if not url.startswith(("file:", "data:"))] == []
    context.close()
