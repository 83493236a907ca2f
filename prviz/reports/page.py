"""A report's page: HTML, style and figures in one file, for a screen, a phone and paper."""

from __future__ import annotations

import hashlib
import html
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..figures.printed import printed
from ..figures.style import NEUTRAL

DASHES = {
    **{"solid": "none", "dash": "7 4", "dot": "2 3", "dashdot": "7 3 2 3"},
    **{"longdash": "11 4", "longdashdot": "11 3 2 3"},
}
STYLE = """
:root {
  color-scheme: light dark; --ground: #ffffff; --ink: #1f2328; --quiet: #57606a; --line: #d9dce0;
}
@media (prefers-color-scheme: dark) {
  :root { --ground: #0e1117; --ink: #e8eaed; --quiet: #a0a8b2; --line: #30363d; }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
}
main { max-width: 960px; margin: 0 auto; padding: 16px; font-variant-numeric: tabular-nums; }
h1 { font-size: 24px; line-height: 1.3; margin: 8px 0 4px; }
h2 { font-size: 20px; margin: 32px 0 8px; }
p { margin: 8px 0; max-width: 70ch; }
.verdict { font-size: 18px; font-weight: 600; }
.quiet, figcaption, caption, dt { color: var(--quiet); font-size: 14px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 24px; max-width: none; font-size: 14px; }
.figures { display: flex; flex-wrap: wrap; gap: 16px; }
figure { flex: 1 1 400px; min-width: 0; margin: 8px 0; }
figure.wide { flex-basis: 100%; }
figure svg { display: block; width: 100%; height: auto; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14px; }
caption { text-align: left; }
th, td {
  text-align: left; vertical-align: top; padding: 4px 16px 4px 0;
  border-bottom: 1px solid var(--line);
}
thead th { color: var(--quiet); font-weight: 400; }
tbody th { font-weight: 600; white-space: nowrap; }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 4px 16px; margin: 8px 0; }
dd { margin: 0; overflow-wrap: anywhere; }
@media print {
  :root {
    color-scheme: light; --ground: #ffffff; --ink: #000000; --quiet: #444444; --line: #bbbbbb;
  }
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  h2 { break-after: avoid; }
  figure, tr, dl { break-inside: avoid; }
  .table { overflow: visible; }
}
"""


def page(title: str, parts: Iterable[str]) -> str:
    """Return an HTML document that consists of parts in HTML."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{html.escape(title)}</title>\n<link rel="icon" href="data:,">\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"{chr(10).join(filter(None, parts))}\n</main>\n</body>\n</html>\n"
    )


def heading(text: str, level: int = 2) -> str:
    return f"<h{level}>{html.escape(text)}</h{level}>"


def words(text: str, kind: str = "") -> str:
    """Return a paragraph, or an empty string if there is no text."""
    named = f' class="{kind}"' if kind else ""
    return f"<p{named}>{html.escape(text)}</p>" if text else ""


def listed(sentences: Sequence[str]) -> str:
    items = "".join(f"<li>{html.escape(each)}</li>" for each in sentences)
    return f"<ul>{items}</ul>" if items else ""


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; the first cell of each row is its header."""
    top = "".join(f'<th scope="col">{html.escape(each)}</th>' for each in head)
    body = "".join(
        f'<tr><th scope="row">{html.escape(first)}</th>'
        f"{''.join(f'<td>{html.escape(each)}</td>' for each in rest)}</tr>"
        for first, *rest in rows
    )
    return (
        f'<div class="table" tabindex="0" role="group" aria-label="{html.escape(caption)}"><table>'
        f"<caption>{html.escape(caption)}</caption>"
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def facts(pairs: Mapping[str, str]) -> str:
    """Return a definition list."""
    each = (f"<dt>{html.escape(a)}</dt><dd>{html.escape(b)}</dd>" for a, b in pairs.items())
    return f"<dl>{''.join(each)}</dl>"


def still(drawn: Any, width: float, ratio: float, title: str) -> str:
    """Return a Plotly figure as an SVG element in the text colour.

    Parameters
    ----------
    drawn : mapping or plotly.graph_objects.Figure
        A figure from :mod:`prviz.figures`.
    width : float
        Width in cm at which the text has its printed size. The page may shrink the figure.
    ratio : float
        Height over width.
    title : str
        Text alternative.
    """
    text = printed(drawn, "svg", width, ratio, clear=True).decode("utf-8")
    svg = text[text.index("<svg") :].replace(NEUTRAL, "currentColor")
    # A page has several pictures, so ids need a prefix.
    mark = hashlib.sha256(svg.encode()).hexdigest()[:8]
    svg = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{mark}-", svg)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    return svg.replace("<svg", f'<svg role="img" aria-label="{html.escape(title)}"', 1)


def figure(svg: str, caption: str, wide: bool = False) -> str:
    """Return an SVG with a caption."""
    kind = ' class="wide"' if wide else ""
    return f"<figure{kind}>{svg}<figcaption>{html.escape(caption)}</figcaption></figure>"


def legend(entries: Iterable[tuple[str, str, str]]) -> str:
    """Return the legend: names with colour and dash."""
    each = (
        f'<span><svg width="28" height="8" aria-hidden="true"><path d="M0 4h28" stroke="{colour}" '
        f'stroke-width="2.5" stroke-dasharray="{DASHES[dash]}"/></svg> {html.escape(name)}</span>'
        for colour, dash, name in entries
    )
    return f'<p class="legend">{"".join(each)}</p>'


def figures(parts: Iterable[str]) -> str:
    """Return figures side by side, if there is space."""
    return f'<div class="figures">{"".join(parts)}</div>'


def written(text: str, path: str | os.PathLike[str] | None) -> str:
    """Return the text; also write it to a file if there is a path."""
    if path is not None:
        Path(path).write_text(text, "utf-8")
    return text
