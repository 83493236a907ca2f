"""The texts of the app's pages as HTML."""

from __future__ import annotations

import ast
from functools import cache
from typing import Any

from markdown_it import MarkdownIt

from ..shipped import shipped
from ..ui.views.page import listing, lowered

_MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")


def html(markdown: str) -> str:
    """Return Markdown as HTML."""
    made = _MARKDOWN.render(markdown)
    # A table wider than the screen can be scrolled, also with the keyboard.
    begin = '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>'
    return made.replace("<table>", begin).replace("</table>", "</table></div>")


def inline(markdown: str) -> str:
    """Return a line of Markdown as HTML, without a paragraph element."""
    return _MARKDOWN.renderInline(markdown)


def text_of(page: str, name: str, **known: Any) -> str:
    """Return a text of a page of the app.

    Importing the page would draw it, so its source is read instead.

    Parameters
    ----------
    page : str
        Name of a file in ``pages``.
    name : str
        Name of the text in that file.
    known
        Modules that the text uses, by name.
    """
    return eval(compile(ast.Expression(_assigned(page)[name]), page, "eval"), known)


@cache
def _assigned(page: str) -> dict[str, ast.expr]:
    """Return the values that a page assigns, by name."""
    source = shipped("pages", f"{page}.py").read_text("utf-8")
    lines = [node for node in ast.parse(source).body if isinstance(node, ast.Assign)]
    return {
        target.id: line.value
        for line in lines
        for target in line.targets
        if isinstance(target, ast.Name)
    }


def without(text: str, *starts: str) -> str:
    """Return a text without the paragraphs that begin with one of these words in bold."""
    parts = text.split("\n\n")
    left = [
        part
        for part in parts
        if not any(part.lstrip().startswith(f"**{start}") for start in starts)
    ]
    return "\n\n".join(left)


def algorithm(reading: str) -> str:
    """Return Algorithm 1 as HTML, with the text about how to read it."""
    return f"<h2>Algorithm 1</h2>{listing()}{html(lowered(reading))}"
