"""A lesson on one A4 sheet to print: the picture, the question, and space for the bet."""

from __future__ import annotations

import base64
import io
from html import escape
from typing import Any

import numpy as np

from ..player.pictures.frames import LAST, decode_positions, frame_dtype
from ..player.recording import RecordedRun
from .asking import HALF_SAID, KINDS, words_of
from .lesson import PROBLEM, Lesson
from .pinned import files, load

SIDE, MARGIN = 420, 6  # size of the picture in SVG units
MOST_DOTS = 2500
CENTRE = 4.0


def handout(lesson: Lesson, link: str = "", answers: bool = False) -> str:
    """Return one stand-alone HTML document, with an A4 layout.

    Parameters
    ----------
    lesson : Lesson
    link : str
        Address of the lesson; empty for no QR code.
    answers : bool
        Whether to add the answer and the text after it, for teachers.

    Returns
    -------
    str
    """
    parts = [f"<h1>{escape(lesson.title)}</h1>", _paragraphs(lesson.text)]
    if lesson.question is not None:
        parts += [picture(lesson), _question(lesson)]
        if answers:
            parts.append(_answered(lesson))
    foot = f"<footer>{code(link)}<p>{escape(link)}</p></footer>" if link else ""
    source = f"<p class=data>{escape(_data(lesson))}</p>" if lesson.data else ""
    return _PAGE.format(title=escape(lesson.title), body="\n".join(parts), data=source, foot=foot)


def code(link: str) -> str:
    """Return a QR code of an address, as SVG."""
    import segno

    drawn = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        drawn, kind="svg", xmldecl=False, svgns=True, scale=3, border=2, title="The address above"
    )
    packed = base64.b64encode(drawn.getvalue()).decode("ascii")
    return f'<img alt="The address, to be scanned" src="data:image/svg+xml;base64,{packed}">'


def picture(lesson: Lesson) -> str:
    """Return the recording's last picture before the bet, as SVG."""
    recorded = RecordedRun(files(lesson).seen, "handout", "")
    drawn = _centres(lesson, recorded) if lesson.entry.id == PROBLEM else _steps(lesson, recorded)
    return f"{drawn}<p class=shown>{_progress(lesson, recorded)}</p>"


def _centres(lesson: Lesson, recorded: RecordedRun) -> str:
    """Return the points and centres of k-means after the last visible call."""
    layout = recorded.layout()
    frames = np.frombuffer(recorded.frames(lesson.seen, 1), frame_dtype(layout))
    (last,) = frames[np.flatnonzero(frames["flags"] & LAST)][-1:]
    world, data = layout["world"], lesson.dataset
    points = _placed(data.points[:: -(-len(data.points) // MOST_DOTS)], world)
    centres = _placed(decode_positions(last["centers"].reshape(-1, 2), world), world)
    dots = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in points)
    rings = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{CENTRE}"/>' for x, y in centres)
    side = SIDE + 2 * MARGIN
    return (
        f'<svg viewBox="0 0 {side} {side}" role="img" aria-label="{escape(data.name)}: '
        f'points, and {len(centres)} centres after call {lesson.seen}">'
        f'<path d="{dots}" class="dots"/><g class="centres">{rings}</g></svg>'
    )


def _steps(lesson: Lesson, recorded: RecordedRun) -> str:
    """Return a step plot of the best cost so far over the visible calls, as SVG."""
    calls, costs = zip(*recorded.progress(0)[0]["bests"], strict=True)
    low, high = min(costs), max(costs)
    rise = (high - low) or 1.0
    across, down = SIDE / lesson.seen, SIDE / 2
    x = [MARGIN + across * (call - 1) for call in calls]
    y = [MARGIN + down * (high - cost) / rise for cost in costs]
    steps = "".join(f"H{a:.1f}V{b:.1f}" for a, b in zip(x[1:], y[1:], strict=True))
    path = f"M{x[0]:.1f} {y[0]:.1f}{steps}H{MARGIN + SIDE:.1f}"
    label = f"Best cost so far over {lesson.seen} calls: from {high:.4g} to {low:.4g}"
    return (
        f'<svg viewBox="0 0 {SIDE + 2 * MARGIN} {SIDE / 2 + 2 * MARGIN}" role="img" '
        f'aria-label="{label}"><path d="{path}" class="steps"/></svg><p class=shown>{label}.</p>'
    )


def _progress(lesson: Lesson, recorded: RecordedRun) -> str:
    """Return a sentence about the best cost after the visible calls."""
    pinned = load(lesson)
    gap = pinned.gap(recorded.progress(0)[0]["best"])
    calls = "the first call" if lesson.seen == 1 else f"{lesson.seen} calls"
    far = f"{gap:.3g} % above the best known" if pinned.known else f"{gap:.3g}"
    return f"Seed {lesson.settings.seed}, after {calls}: best so far {far}."


def _placed(xy: np.ndarray, world: dict[str, Any]) -> np.ndarray:
    """Convert positions of points to positions in the SVG image."""
    low = np.array([world["x"][0], world["y"][0]])
    high = np.array([world["x"][1], world["y"][1]])
    unit = (xy - low) / (high - low)
    return MARGIN + SIDE * np.column_stack([unit[:, 0], 1 - unit[:, 1]])


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(part)}</p>" for part in text.split("\n\n") if part)


def _question(lesson: Lesson) -> str:
    """Return the question, with space for the answer."""
    question = lesson.question
    assert question is not None
    kind = KINDS[question.kind]
    if kind.bets == "word":
        room = "".join(f"<li>{escape(word)}</li>" for word in words_of(lesson))
        room = f'<ul class="choose">{room}</ul>'
    elif kind.bets == "curve":
        room = _axes(question.marks)
    else:
        room = f'<p class="room">My bet: <span></span> {escape(kind.unit)}</p>'
    return f'<h2>{escape(question.words)}</h2>{room}<p class="room">Because <span></span></p>'


def _axes(marks: tuple[int, ...]) -> str:
    """Return empty axes to draw a curve in."""
    lines = "".join(
        f'<path d="M{60 + 110 * i} 10V150"/><text x="{60 + 110 * i}" y="168">{mark}</text>'
        for i, mark in enumerate(marks)
    )
    heights = "".join(
        f'<path d="M40 {150 - 28 * i}H{80 + 110 * (len(marks) - 1)}"/>'
        f'<text x="20" y="{154 - 28 * i}">{20 * i}</text>'
        for i in range(6)
    )
    wide = 110 * len(marks) + 60
    return (
        f'<svg class="axes" viewBox="0 0 {wide} 188" role="img" '
        f'aria-label="Axes to draw in: gap in per cent against calls">'
        f'{lines}{heights}<text x="20" y="186">%</text>'
        f'<text x="{wide - 60}" y="186">calls</text></svg>'
    )


def _answered(lesson: Lesson) -> str:
    said = load(lesson).answers.found()
    return f"<h2>Answer</h2><p>{escape(said)} {HALF_SAID}</p>{_paragraphs(lesson.after)}"


def _data(lesson: Lesson) -> str:
    data = lesson.dataset
    if data is None:
        return f"No data: a landscape of {lesson.settings.size} dimensions."
    stand_in = " They stand in for the paper's data." if getattr(data, "stand_in", 0) else ""
    return f"Data: {data.name}; {data.source}.{stand_in}"


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · prviz</title>
<style>
@page {{ size: A4; margin: 13mm; }}
:root {{ color-scheme: light; }}
body {{ max-width: 184mm; margin: 8mm auto; padding: 0 4mm; background: #fff; color: #111;
  font: 10.5pt/1.38 system-ui, "DejaVu Sans", sans-serif; }}
@media print {{ body {{ margin: 0; padding: 0; }} }}
h1 {{ font-size: 18pt; margin: 0 0 3mm; }}
h2 {{ font-size: 12pt; margin: 4mm 0 2mm; }}
p {{ margin: 0 0 2.5mm; }}
svg {{ display: block; width: 100%; max-width: 78mm; margin: 1mm auto; }}
svg .dots {{ stroke: #999; stroke-width: 2; stroke-linecap: round; fill: none; }}
svg .steps {{ stroke: #111; stroke-width: 2; fill: none; }}
svg .centres {{ fill: #fff; stroke: #111; stroke-width: 2; }}
svg.axes {{ max-width: 110mm; margin: 0; }}
.shown {{ text-align: center; font-size: 9.5pt; }}
svg.axes path {{ stroke: #bbb; fill: none; }}
svg.axes text {{ font-size: 11px; text-anchor: middle; }}
.choose {{ display: flex; flex-wrap: wrap; gap: 3mm 8mm; list-style: none; padding: 0;
  margin: 0 0 4mm; }}
.choose li::before {{ content: ""; display: inline-block; width: 4mm; height: 4mm;
  border: 1px solid; margin-right: 2mm; vertical-align: -0.6mm; }}
.room {{ display: flex; gap: 2mm; align-items: baseline; margin-top: 5mm; }}
.room span {{ flex: 1; max-width: 110mm; border-bottom: 1px solid #777; }}
.data, footer p {{ font-size: 8.5pt; color: #444; }}
footer {{ display: flex; gap: 4mm; align-items: center; overflow-wrap: anywhere; }}
footer img {{ width: 22mm; height: 22mm; flex: none; }}
</style>
</head>
<body>
{body}
{data}
{foot}
</body>
</html>
"""
