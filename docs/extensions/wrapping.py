"""Wrap text well: keep numbers and units on one line, and mark long cells and short code."""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

UNITS = "%|s|ms|µs|min|h|B|kB|MB|GB|kiB|MiB|GiB|GHz|px"
BREAKS = re.compile(rf"(?<=\d) (?=\d{{3}}\b|(?:{UNITS})(?!\w))|(?<=[≤≥]) (?=\d)")
LONG = 60  # the style sheet gives cells with more characters a minimum width
SHORT = 30  # characters that fit in one line of a phone, so that code breaks only at spaces


def join(text: str) -> str:
    """Replace spaces between numbers and units by no-break spaces."""
    return BREAKS.sub("\N{NO-BREAK SPACE}", text)


def change(app: Sphinx, doctree: nodes.document) -> None:
    """Join numbers and units outside code and titles; mark long cells and short code."""
    for node in list(doctree.findall(nodes.Text)):
        joined = join(node)
        kept = (nodes.literal, nodes.literal_block, nodes.raw, nodes.title)
        if joined != node and not isinstance(node.parent, kept):
            node.parent.replace(node, nodes.Text(joined))
    for cell in doctree.findall(nodes.entry):
        if len(cell.astext()) > LONG:
            cell["classes"].append("long")
    for code in doctree.findall(nodes.literal):
        if max(map(len, code.astext().split()), default=0) <= SHORT:
            code["classes"].append("short")


def setup(app: Sphinx) -> dict[str, Any]:
    """Call :func:`change` for every page that Sphinx has read."""
    app.connect("doctree-read", change)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
