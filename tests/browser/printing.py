"""What a person does with a figure for print, and what is in the file that comes out."""

import io
import xml.etree.ElementTree as ET
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from PIL import Image

SVG = "{http://www.w3.org/2000/svg}"
POINTS_A_CM = 72 / 2.54


def saved(page, format_, width="17", figure=None, words=True):
    """The file of a figure whose dialog is open."""
    if figure:
        page.get_by_label("Figure", exact=True).select_option(label=figure)
    page.get_by_label("File", exact=True).select_option(format_)
    page.get_by_label("Width", exact=True).select_option(width)
    page.get_by_label("with title and words").set_checked(words)
    with page.expect_download() as there:
        page.get_by_role("button", name="Save").click()
    assert there.value.suggested_filename.endswith(f".{format_}")
    return Path(there.value.path()).read_bytes()


@contextmanager
def read_pdf(content):
    """Its only page, as the program that Chromium shows PDFs with reads it."""
    document = pdfium.PdfDocument(content)
    assert len(document) == 1
    yield document[0]
    document.close()


def counted(page):
    """How many lines or areas, words and pictures there are."""
    kinds = [found.type for found in page.get_objects()]
    return {
        "shapes": kinds.count(raw.FPDF_PAGEOBJ_PATH),
        "words": kinds.count(raw.FPDF_PAGEOBJ_TEXT),
        "pictures": kinds.count(raw.FPDF_PAGEOBJ_IMAGE),
    }


def words_of(page):
    return page.get_textpage().get_text_range()


def seen(page, width):
    """(h, w, 3) what a printer would print, so many dots wide."""
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
