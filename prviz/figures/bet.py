"""A reader's bet in a lesson, and the answers of the lesson's seed and of 100 seeds."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .style import CHOSEN, FULL, NEUTRAL, PARTIAL, Figure, base_layout, graph_objects, log_ticks

BINS = 40
MANY = 40  # from this height of the axis on, there are fewer ticks
WIDE = 40.0  # if largest number / smallest number exceeds this, an axis is logarithmic
BAND = "rgba(128,128,128,0.22)"
#: Placed relative to the container, the legend never covers the curves.
SMALL = {
    "height": 240,
    "margin": {"l": 44, "r": 16, "t": 28, "b": 40},
    "legend": {"y": 1, "yref": "container", "yanchor": "top"},
}
DASHES = ("solid", "dot", "longdash", "dashdot", "longdashdot") * 4


class BetInfo(NamedTuple):
    """The data of a bet's figure.

    Attributes
    ----------
    bets : "number", "word" or "curve"
    unit : str
    n : int
        Number of seeds.
    bet, this : float, str or list of float
        The reader's bet, and the answer of the lesson's seed.
    middle : tuple or None
        Lower quartile, median and upper quartile over the seeds; for a curve, at each mark.
    dots : (m, 2) float64
        For numbers: the bin of each seed, and its position in the pile.
    counts : dict of str to int
        For words: the number of seeds with each word.
    marks : tuple of int
        For curves: the calls at which the curve has values.
    """

    bets: str
    unit: str
    n: int
    bet: Any
    this: Any
    middle: Any
    dots: np.ndarray
    counts: dict[str, int]
    marks: tuple[int, ...]


def bet_info(answers: Any, bet: Any) -> BetInfo:
    """Return the data for a bet and a lesson's :class:`~prviz.lessons.asking.Answers`."""
    kind = answers.kind
    number, word = kind.bets == "number", kind.bets == "word"
    return BetInfo(
        kind.bets,
        kind.unit,
        answers.n,
        bet,
        answers.this,
        None if word else answers.middle(),
        piled(answers.all) if number else np.empty((0, 2)),
        answers.counts() if word else {},
        answers.question.marks,
    )


def piled(values: list[float]) -> np.ndarray:
    """Return the dots of a dot plot: each finite number's bin, and its position in the pile."""
    found = np.sort([value for value in values if math.isfinite(value)])
    if not len(found):
        return np.empty((0, 2))
    log = _wide(found)
    along = np.log(found) if log else found
    width = (along[-1] - along[0]) / BINS or 1.0
    bins = np.rint((along - along[0]) / width)
    x = along[0] + bins * width
    places = [int((bins[: i + 1] == b).sum()) for i, b in enumerate(bins)]
    return np.column_stack([np.exp(x) if log else x, places])


def _wide(values: Any) -> bool:
    return bool(min(values) > 0 and max(values) > WIDE * min(values))


def plot_bet(info: BetInfo) -> Figure:
    """Draw the figure with Plotly.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    figure = {"number": _numbers, "word": _words, "curve": _curves}[info.bets](info)
    figure.update_layout(SMALL)
    return figure


def plot_searches(curves: Any, full: set[str], height: str = "median gap, %") -> Figure:
    """Draw the searches of a lesson side by side, with Plotly.

    Parameters
    ----------
    curves : Curves
        See :class:`prviz.lessons.asking.Curves`.
    full : set of str
        Names of searches with full restarts.
    height : str
        Unit of the vertical axis.
    """
    go = graph_objects()
    figure = go.Figure(layout=base_layout("iterations", height))
    dashes, unit = iter(DASHES), " %" if height.endswith("%") else ""
    for name, gaps in curves.gaps.items():
        colour, dash = (FULL, "dash") if name in full else (PARTIAL, next(dashes))
        figure.add_scatter(
            x=curves.works,
            y=gaps,
            mode="lines",
            name=name,
            line={"color": colour, "dash": dash, "width": 2},
            hovertemplate=f"{name}, %{{x:,.0f}} iterations: %{{y:.3g}}{unit}<extra></extra>",
        )
    figure.update_xaxes(type="log", **log_ticks(curves.works[0], curves.works[-1]))
    figure.update_yaxes(rangemode="tozero")
    figure.update_layout(SMALL)
    return figure


def _numbers(info: BetInfo) -> Figure:
    go = graph_objects()
    layout = base_layout({"%": "gap to the best known, %"}.get(info.unit, info.unit), "seeds")
    figure = go.Figure(layout=layout)
    low, _, high = info.middle
    ends = [value for value in (info.bet, info.this, *info.dots[:, 0]) if math.isfinite(value)]
    if math.isfinite(low):
        figure.add_vrect(low, high if math.isfinite(high) else max(ends), fillcolor=BAND,
                         line_width=0, layer="below")  # fmt: skip
    figure.add_scatter(
        x=info.dots[:, 0],
        y=info.dots[:, 1],
        mode="markers",
        name=f"{info.n} seeds",
        marker={"color": NEUTRAL, "size": 6},
        hovertemplate="%{x:.4g}<extra></extra>",
    )
    top = max(4.0, float(info.dots[:, 1].max(initial=0)) * 1.25)
    _line(figure, info.bet, top, "you", CHOSEN, "solid")
    _line(figure, info.this, top, "this seed", NEUTRAL, "dash")
    figure.update_yaxes(range=[0, top * 1.1], dtick=5 if top < MANY else 20)
    if ends and _wide(ends):
        figure.update_xaxes(type="log", **log_ticks(min(ends), max(ends)))
    return figure


def _line(figure: Any, at: float, top: float, name: str, colour: str, dash: str) -> None:
    if math.isfinite(at):
        figure.add_scatter(
            x=[at, at],
            y=[0, top],
            mode="lines",
            name=name,
            line={"color": colour, "width": 3, "dash": dash},
            hovertemplate=f"{name}: %{{x:.4g}}<extra></extra>",
        )


def _words(info: BetInfo) -> Figure:
    go = graph_objects()
    figure = go.Figure(layout=base_layout(f"of {info.n} seeds", ""))
    for word, count in reversed(info.counts.items()):
        said = [text for text, at in (("you", info.bet), ("this seed", info.this)) if at == word]
        figure.add_bar(
            x=[count],
            y=[word],
            orientation="h",
            marker={"color": CHOSEN if info.bet == word else NEUTRAL},
            text=f" {count}{' ← ' if said else ''}{', '.join(said)}",
            textposition="outside",
            cliponaxis=False,
            hovertemplate=f"{word}: {count} of {info.n}<extra></extra>",
        )
    figure.update_layout(showlegend=False, bargap=0.35)
    # A word may be a number, such as "25". Lines of a grid would cross the texts.
    figure.update_yaxes(type="category", showgrid=False)
    ends = [0, info.n / 2, info.n]  # the rest of the axis is space for the texts next to the bars
    figure.update_xaxes(range=[0, info.n * 2.1], tickvals=ends)
    return figure


def _curves(info: BetInfo) -> Figure:
    go = graph_objects()
    figure = go.Figure(layout=base_layout("calls", "gap of the best so far, %"))
    marks, (low, middle, high) = list(info.marks), info.middle
    figure.add_scatter(
        x=marks + marks[::-1],
        y=list(high) + list(low)[::-1],
        fill="toself",
        fillcolor=BAND,
        line={"width": 0},
        mode="lines",
        name=f"middle half of {info.n} seeds",
        hoverinfo="skip",
    )
    shown = (
        ("median", middle, NEUTRAL, "dot"),
        ("this seed", info.this, NEUTRAL, "dash"),
        ("you", info.bet, CHOSEN, "solid"),
    )
    for name, heights, colour, dash in shown:
        figure.add_scatter(
            x=marks,
            y=heights,
            mode="lines+markers",
            name=name,
            line={"color": colour, "width": 3 if name == "you" else 2, "dash": dash},
            hovertemplate=f"{name}, after %{{x}} calls: %{{y:.3g}} %<extra></extra>",
        )
    figure.update_xaxes(type="log", tickvals=marks, ticktext=[str(mark) for mark in marks])
    figure.update_yaxes(rangemode="tozero")
    return figure
