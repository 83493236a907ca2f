"""The map of a tuning as SVG: one square per setting, k₁ to the right and M₁ upwards."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import Any

from ..figures.comparison.tuning_verdict import CellInfo
from ..figures.style import FONT, FULL, PARTIAL

SIDE, LEFT, TOP, FOOT, GAP = 58, 74, 28, 44, 24  # px: a cell, and the margins of a pane
BESIDE = 150  # px: width of a setting outside the grid, with its label
ACROSS = 900  # px: largest total width of panes next to each other
PALE, DARK = 0.1, 0.9  # opacity of the worst score, and of the best
KEY = (
    "One square per setting. Darker: {better}. Larger: more seeds. ×5: dropped after 5 seeds, "
    "because significantly worse than the leader (Brunner–Munzel test with Holm's correction). "
    "=: no run makes M₁ redraws, so the runs are the same as with a smaller M₁. {empty}Orange: "
    "{whose}; blue, dashed: full restarts."
)


def map_of(tuning: Any, cells: Sequence[CellInfo]) -> str:
    """Return the map of a tuning's settings as SVG.

    Parameters
    ----------
    tuning : Tuning
        A tuning with ``axes``.
    cells : sequence of CellInfo
        One result per cell of the tuning.
    """
    axes = tuning.axes
    panes = [(a, s) for a in range(len(axes["alpha"])) for s in range(len(axes["subset"]))]
    wide = LEFT + SIDE * len(axes["k1"]) + GAP
    high = TOP + SIDE * len(axes["m1"]) + FOOT
    many = max(1, min(len(panes), ACROSS // wide))
    corner = {
        pane: (i % many * wide + LEFT, i // many * high + TOP) for i, pane in enumerate(panes)
    }
    loose = [i for i, cell in enumerate(tuning.cells) if cell.place is None]
    width = many * wide + BESIDE
    height = max(-(-len(panes) // many) * high, TOP + len(loose) * (SIDE + 34))
    parts = [part for pane, at in corner.items() for part in _frame(axes, pane, *at)]
    scores = [info.score for info in cells if info.score is not None]
    ends = (min(scores), max(scores)) if scores else (0.0, 0.0)
    for number, cell in enumerate(tuning.cells):
        if cell.place is None:
            x, y = many * wide, TOP + loose.index(number) * (SIDE + 34)
            parts.append(_words(cell.name, x, y + SIDE + 16, "start"))
        else:
            (left, top), (k, m, *_) = corner[cell.place[2:]], cell.place
            x, y = left + k * SIDE, top + (len(axes["m1"]) - 1 - m) * SIDE
        parts += _square(tuning, number, cells[number], ends, x, y)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'width="{width}" height="{height}" font-family="{html.escape(FONT)}" font-size="13" '
        f'fill="currentColor"><title>The settings that were tried</title>{"".join(parts)}</svg>'
    )


def key(tuning: Any, target: bool) -> str:
    """Return a text that explains the marks of the map."""
    better = "reaches the target sooner" if target else "lower median cost"
    empty = "Empty: never solved. " if target else ""
    return KEY.format(better=better, empty=empty, whose=tuning.whose)


def _frame(axes: Any, pane: tuple[int, int], x: int, y: int) -> Iterator[str]:
    k1, m1 = axes["k1"], axes["m1"]
    alpha, subset = axes["alpha"][pane[0]], axes["subset"][pane[1]]
    named = [f"α = {alpha}"] * (len(axes["alpha"]) > 1) + [subset] * (len(axes["subset"]) > 1)
    yield (
        f'<rect x="{x}" y="{y}" width="{SIDE * len(k1)}" height="{SIDE * len(m1)}" fill="none" '
        'stroke="currentColor" stroke-opacity="0.25"/>'
    )
    yield _words(", ".join(named), x, y - 10, "start")
    yield _words("M₁", x - 8, y - 10, "end")
    yield _words("k₁", x + SIDE * len(k1) / 2, y + SIDE * len(m1) + 34)
    for i, text in enumerate(k1):
        yield _words(text, x + (i + 0.5) * SIDE, y + SIDE * len(m1) + 17)
    for j, text in enumerate(m1):
        yield _words(text, x - 8, y + (len(m1) - 0.5 - j) * SIDE + 4, "end")


def _square(
    tuning: Any, number: int, info: CellInfo, ends: tuple[float, float], x: float, y: float
) -> Iterator[str]:
    best, worst = ends
    share = min(1.0, info.n / tuning.rungs[-1]) ** 0.5
    size = SIDE * (0.94 * (0.5 + 0.5 * share) if info.n else 0.14)
    at = f'x="{x + (SIDE - size) / 2:.1f}" y="{y + (SIDE - size) / 2:.1f}"'
    sides = f'{at} width="{size:.1f}" height="{size:.1f}"'
    good = (worst - info.score) / (worst - best) if info.score is not None and worst > best else 0.0
    if info.n and info.score is None:
        yield f'<rect {sides} fill="none" stroke="currentColor" stroke-opacity="0.6"/>'
    else:
        yield f'<rect {sides} fill-opacity="{PALE + (DARK - PALE) * good:.2f}"/>'
    for which, colour, dash in ((tuning.full, FULL, "6 3"), (tuning.usual, PARTIAL, "none")):
        if number == which:
            yield (
                f'<rect x="{x + 2}" y="{y + 2}" width="{SIDE - 4}" height="{SIDE - 4}" fill="none" '
                f'stroke="{colour}" stroke-width="2.5" stroke-dasharray="{dash}"/>'
            )
    mark = "" if info.dropped is None else f"×{tuning.rungs[info.dropped]}"
    mark = "=" if tuning.merged(number) != number else mark
    if number == tuning.leader:
        mark = "leads" if info.hits == 0 else "best"
    ground = ' style="fill: var(--ground, #ffffff)"' if good > 0.45 else ""
    yield _words(mark, x + SIDE / 2, y + SIDE / 2 + 5, more=ground)


def _words(text: str, x: float, y: float, anchor: str = "middle", more: str = "") -> str:
    said = html.escape(text)
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{more}>{said}</text>' if text else ""
