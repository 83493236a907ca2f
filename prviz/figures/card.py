"""The card of a result in a notebook: title, table, and a still picture."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Sequence
from typing import Any

WIDTH = 15.0  # cm

_TABLE = "border-collapse: collapse; margin: 0.4em 0; font-size: 0.9em"
_CELL = "padding: 0.15em 0.9em 0.15em 0; text-align: left; font-variant-numeric: tabular-nums"


def card(
    title: str,
    rows: Iterable[Sequence[Any]] = (),
    figure: Any = None,
    *,
    head: Sequence[str] = (),
    alt: str = "",
) -> str:
    """Return HTML for ``_repr_html_``: small, without scripts, for light and dark themes.

    Parameters
    ----------
    title : str
        The title; it may be a sentence.
    rows : iterable of sequences
        Rows of a small table, as text.
    figure : callable, optional
        Returns a figure. Without Plotly or Matplotlib, the card has no picture.
    head : sequence of str
        Names of the table's columns.
    alt : str
        Description of the picture.
    """
    parts = [f"<p style='margin: 0.2em 0'><b>{html.escape(title)}</b></p>", _table(head, rows)]
    if figure is not None:
        parts.append(_picture(figure, alt or title))
    return f"<div>{''.join(parts)}</div>"


def _picture(figure: Any, alt: str) -> str:
    from .printed import printed

    try:
        svg = printed(figure(), clear=True, width=WIDTH)
    except ImportError:
        return ""
    packed = base64.b64encode(svg).decode("ascii")
    return (
        f'<img alt="{html.escape(alt)}" style="max-width: 100%; background: transparent" '
        f'src="data:image/svg+xml;base64,{packed}">'
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    body = "".join(_row("td", row) for row in rows)
    if not body:
        return ""
    named = f"<thead>{_row('th', head)}</thead>" if head else ""
    return f"<table style='{_TABLE}'>{named}<tbody>{body}</tbody></table>"


def _row(tag: str, cells: Iterable[Any]) -> str:
    made = "".join(f"<{tag} style='{_CELL}'>{html.escape(f'{cell}')}</{tag}>" for cell in cells)
    return f"<tr>{made}</tr>"
