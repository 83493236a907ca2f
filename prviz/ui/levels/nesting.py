"""The hierarchy as nested boxes, one per level."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from prviz.engine.schedule import NO_LIMIT, Level
from prviz.ui.levels.rows import size_of
from prviz.ui.widgets.formatting import counted, digits, sub


def nesting(levels: Sequence[Level], n: int, many: str, optimiser: str) -> str:
    """Return HTML of nested boxes: the top level outside, the local optimiser inside.

    Screen readers read each level in order: its redraw, the levels within it, and its decision.

    Parameters
    ----------
    levels : sequence of Level
        A valid hierarchy, level 1 first.
    n : int
        N, the number of variables.
    many : str
        Name of the variables.
    optimiser : str
        Name of the local optimiser.
    """
    once = escape(f"{optimiser[:1].upper()}{optimiser[1:]} is called.")
    html = f'<div class="prviz-box prviz-box-optimiser"><p>{once}</p></div>'
    m = len(levels)
    for number, level in enumerate(levels, start=1):
        html = _box(level, number, number == m, n, many, html)
    return f'<div class="prviz-nesting" role="group" aria-label="The levels, nested">{html}</div>'


def _box(level: Level, number: int, top: bool, n: int, many: str, inside: str) -> str:
    name = f"Level {number}" + (", a restart" if top else "")
    size = "all" if level.size == n else f"k{sub(number)}\u00a0=\u00a0{digits(size_of(level))} of"
    what = f"redraw {size} {digits(n)} {many}"
    if level.alpha:
        what += f", each keeping α\u00a0=\u00a0{level.alpha:g} of its old value"
    if level.subset != "random":
        what += f", sub-sets “{level.subset}”"
    if level.repeats == NO_LIMIT:
        often = "until the budget ends"
    else:
        often = f"M{sub(number)}\u00a0=\u00a0{counted(level.repeats, 'time')}"
    share = f'<i style="--share: {size_of(level) / n:.4f}" aria-hidden="true"></i>'
    after = (
        "Keep it if it is the best so far."
        if top
        else "Keep it if the cost is no higher, otherwise revert."
    )
    kind = "full" if top else "partial"
    return (
        f'<div class="prviz-box prviz-box-{kind}"><p><b>{name}</b> <span>{often}</span></p>'
        f"<p>{share}{escape(what)}</p>{inside}<p>{after}</p></div>"
    )
