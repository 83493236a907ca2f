"""Best cost so far against work: one run, or several side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..engine.trace import Trace, gap_to
from ..experiments.runs.improvements import Improvements
from .style import (
    BASELINE,
    FULL,
    NEUTRAL,
    PARTIAL,
    Figure,
    base_layout,
    even_ticks,
    graph_objects,
    log_ticks,
)

AXES = {
    "iterations": "{iteration}s of the local optimiser",
    "calls": "calls of the local optimiser",
    "seconds": "CPU seconds",
}
#: Smaller gaps count as solved on a log axis, because they would fill most of the axis.
FLOOR = 1e-6
SHORTEST = 1e-6  # CPU seconds shown instead of 0, which a log axis does not have
NARROWEST = 1e-6  # smallest range of a cost axis, as a share of the cost
STYLES = {"full": (FULL, "dash"), "partial": (PARTIAL, "solid")}


class CurveInfo(NamedTuple):
    """A step function: the best cost from each improvement to the next.

    Attributes
    ----------
    name : str
    work : (improvements,) float64
        Work at each improvement of the best cost, and at the end of the run.
    best : (improvements,) float64
    calls : int
        Number of calls in the run.
    """

    name: str
    work: np.ndarray
    best: np.ndarray
    calls: int


class KnownCost(NamedTuple):
    """The result of another method, drawn as a horizontal line.

    Attributes
    ----------
    name : str
    cost : float
    seconds : float
        CPU seconds of the method.
    """

    name: str
    cost: float
    seconds: float

    @property
    def label(self) -> str:
        return f"{self.name}, {self.seconds:.3g} s"


def curve_info(name: str, trace: Trace, work: str = "iterations") -> CurveInfo:
    """Return all improvements of a trace's best cost, and its last point.

    Parameters
    ----------
    name : str
        "partial" and "full" have the paper's colours.
    trace : Trace
    work : {"iterations", "calls", "seconds"}
    """
    found = Improvements.of(trace)
    along, best = found.work(work), found.best
    if len(trace) and found.calls[-1] < len(trace):
        along, best = np.append(along, found.end(work)), np.append(best, best[-1])
    return CurveInfo(name, along, best, len(trace))


def calls_made(n: int) -> str:
    """Format a count with narrow spaces: "5 067 calls"."""
    return f"{n:,} call{'s' if n != 1 else ''}".replace(",", "\u202f")


def plot_curve(
    curves: Sequence[CurveInfo],
    work: str = "iterations",
    cost: str = "cost",
    best_known: float | None = None,
    references: Sequence[KnownCost] = (),
    iteration: str = "iteration",
    names: Mapping[str, str] | None = None,
) -> Figure:
    """Draw best-so-far curves as a Plotly figure, without smoothing.

    The lowest known cost and the references are horizontal lines. ``iteration`` is the name of an
    iteration of the optimiser, such as "epoch". The legend shows the name and the number of calls
    of each curve; ``meta`` has only the name. ``names`` maps names of curves to displayed names.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    # Long on purpose: it draws the parts of a figure in order.
    go = graph_objects()

    along = AXES[work].format(iteration=iteration)
    figure = go.Figure(layout=base_layout(along, f"best {cost} so far"))
    for curve in curves:
        colour, dash = STYLES.get(curve.name, (PARTIAL, "solid"))
        name = (names or {}).get(curve.name, curve.name)
        figure.add_scatter(
            x=curve.work,
            y=curve.best,
            name=f"{name}, {calls_made(curve.calls)}",
            meta=name,
            mode="lines" if len(curve.work) > 1 else "markers",
            marker={"color": colour, "size": 8},
            line={"shape": "hv", "color": colour, "dash": dash, "width": 2},
            hovertemplate=f"{name}<br>%{{x:,.0f}}: %{{y:.6g}}<extra></extra>"
            if work != "seconds"
            else f"{name}<br>%{{x:.3g}} s: %{{y:.6g}}<extra></extra>",
        )
    ends = [end for curve in curves for end in (curve.work[:1], curve.work[-1:]) if len(end)]
    wide = [float(min(ends)[0]), float(max(ends)[0])] if ends else []
    if best_known is not None and ends:
        figure.add_scatter(
            x=wide,
            y=[best_known, best_known],
            name="best known",
            mode="lines",
            line={"color": NEUTRAL, "width": 1.5, "dash": "dot"},
            hoverinfo="skip",
        )
    for known in references if ends else ():
        figure.add_scatter(
            x=wide,
            y=[known.cost, known.cost],
            name=known.label,  # in the legend: a label at the line would cover curves
            mode="lines",
            line={"color": BASELINE, "width": 1.5, "dash": "dashdot"},
            hovertemplate=f"{known.label}: %{{y:.6g}}<extra></extra>",
        )
    figure.update_layout(showlegend=len(figure.data) > 1)
    return figure


def above(best_known: float, costs: np.ndarray, smallest: float = 0.0) -> np.ndarray:
    """Return gaps to the best known cost in per cent; if this cost is 0, absolute gaps.

    Gaps below ``smallest`` become ``smallest``, because a log axis has no 0.
    """
    return (100.0 if best_known else 1.0) * np.maximum(gap_to(best_known, costs), smallest)


def on_log_axes(
    figure: Figure,
    best_known: float | None,
    solved_within: float | None = None,
    cost: str = "cost",
) -> Figure:
    """Change the curves to gaps to the best known cost, with both axes logarithmic.

    If no best cost is known, or it is 0, the axis shows costs. Costs count as solved if their gap
    is at most ``solved_within`` or `FLOOR`. They share the tick "solved" at the lower end.

    Returns
    -------
    plotly.graph_objects.Figure
        The same figure.
    """
    figure.update_xaxes(type="log")
    for line in figure.data:
        line.x = np.maximum(np.asarray(line.x, float), SHORTEST)
    if best_known is None:
        return _wide_enough(figure)
    figure.data = [line for line in figure.data if line.name != "best known"]
    for line in figure.data:
        costs = np.asarray(line.y, float)
        line.customdata = costs
        line.y = above(best_known, costs)
        if line.hovertemplate:
            line.hovertemplate = line.hovertemplate.replace("%{y", "%{customdata")
    figure.update_yaxes(type="log")
    if figure.data:
        solved = (100.0 if best_known else 1.0) * max(solved_within or 0.0, FLOOR)
        _cut(figure, solved)
    if best_known:
        title = f"gap to the best known {cost}, %"
        figure.update_yaxes(title_text=title, exponentformat="none")
    return figure


def _cut(figure: Figure, solved: float) -> None:
    """Draw solved values a little below all others, with the tick "solved"."""
    heights = np.concatenate([line.y for line in figure.data])
    low, high = _ends(heights[heights > solved], solved)
    if (heights > solved).all():
        # if all costs are equal, a tick would reveal the cost before the player shows it
        alone = high <= 1.001 * low
        ticks = log_ticks(low / 10, 10 * high) if alone else log_ticks(low, high)
        figure.update_yaxes(**(ticks or even_ticks(low, high)))
        return
    floor = min(low / 3, high / 10)
    for line in figure.data:
        line.y = np.where(line.y > solved, line.y, floor)
    ticks = log_ticks(floor, high)
    pairs = zip(ticks["tickvals"], ticks["ticktext"], strict=True)
    above_it = [(value, text) for value, text in pairs if value > 1.7 * floor]
    values, texts = zip((floor, "solved"), *above_it, strict=True)
    figure.update_yaxes(tickvals=values, ticktext=texts)


def _ends(heights: np.ndarray, otherwise: float) -> tuple[float, float]:
    if not heights.size:
        return otherwise, otherwise
    return float(heights.min()), float(heights.max())


def _wide_enough(figure: Figure) -> Figure:
    """Widen the vertical axis if costs differ only by rounding; change and return the figure."""
    costs = np.concatenate([np.asarray(line.y, float) for line in figure.data] or [np.empty(0)])
    if costs.size:
        low, high = float(costs.min()), float(costs.max())
        least = NARROWEST * max(abs(low), abs(high))
        if high - low < least:
            figure.update_yaxes(range=[(low + high - least) / 2, (low + high + least) / 2])
    return figure


def switchable(figures: Mapping[str, Figure]) -> Figure:
    """Combine figures with different units of work into one figure.

    Parameters
    ----------
    figures : mapping of str to plotly.graph_objects.Figure
        The same curves by unit of work, from :func:`plot_curve`.

    Returns
    -------
    plotly.graph_objects.Figure
        The first figure. Its ``layout.meta["axes"]`` has the title and the x values for each unit.
    """
    figure, *_ = figures.values()
    figure.layout.meta = {
        "axes": {
            work: {
                "title": other.layout.xaxis.title.text,
                "x": [[float(x) for x in line.x] for line in other.data],
            }
            for work, other in figures.items()
        }
    }
    return figure
