"""The figure of a probe: the share of redraws that improved, by their size k, with intervals."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..search.probe import CONFIDENCE, Probe
from .style import FULL, NEUTRAL, PARTIAL, Figure, base_layout, graph_objects

HEIGHT = 300


class EpsilonInfo(NamedTuple):
    """The sizes tried, with shares and intervals.

    Attributes
    ----------
    sizes, repeats, improved : (s,) int64
        k, and the numbers of redraws and improvements; untried sizes are omitted.
    estimate : (s,) float64
        ε̂ = improved / repeats.
    low, high : (s,) float64
        Wilson's interval.
    best : int or None
        The size with the least work per improvement.
    work : (s, 3) float64
        Iterations per improvement: the estimate and its interval, infinite if unknown.
    """

    sizes: np.ndarray
    repeats: np.ndarray
    improved: np.ndarray
    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray
    best: int | None
    work: np.ndarray

    @property
    def rivals(self) -> list[int]:
        """Return sizes whose interval of the work overlaps the best size's interval."""
        if self.best is None:
            return []
        most = self.work[self.sizes == self.best][0, 2]
        reach = (self.work[:, 1] <= most) & (self.sizes > 0) & (self.sizes != self.best)
        return self.sizes[reach].tolist()


def epsilon_info(found: Probe, confidence: float = CONFIDENCE) -> EpsilonInfo:
    """Return the estimates of ε by k so far.

    Parameters
    ----------
    found : Probe
    confidence : float
        Confidence level of the intervals.
    """
    tried = found.repeats > 0
    low, high = found.intervals(confidence)[tried].T
    return EpsilonInfo(
        found.sizes[tried],
        found.repeats[tried],
        found.improved[tried],
        found.epsilon[tried],
        low,
        high,
        found.cheapest_size,
        found.work(confidence)[tried],
    )


def plot_epsilon(info: EpsilonInfo, sizes: np.ndarray, repeats: int, n: int, many: str) -> Figure:
    """Draw ε̂ by k, with ε̂ on a logarithmic axis; draw an upper bound where ε̂ is 0.

    Parameters
    ----------
    info : EpsilonInfo
    sizes : (s,) int64
        All values of k to try; they set the range of the axis.
    repeats : int
        Redraws per size when the probe is complete.
    n : int
        N, the number of variables.
    many : str
        Name of the variables.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    go = graph_objects()

    figure = go.Figure(layout=base_layout(f"k, {many} redrawn", "share that improved, ε̂"))
    places = {int(size): place for place, size in enumerate(sizes)}
    for row in zip(*info[:6], strict=True):
        _add_size(figure, places[int(row[0])], row, row[0] == info.best, n)
    lowest = 0.1 / repeats
    marks = [mark for mark in (1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0) if mark >= lowest]
    figure.update_layout(
        height=HEIGHT,
        showlegend=False,
        margin={"b": 64, "l": 72},
        xaxis={
            "title": {"standoff": 8},
            "range": [-0.5, len(sizes) - 0.5],
            "tickvals": list(places.values()),
            "ticktext": [_tick(size, n) for size in places],
            "tickangle": 0,
        },
        yaxis={
            "type": "log",
            "range": [np.log10(lowest), 0.3],
            "tickvals": marks,
            "ticktext": [f"{100 * mark:g} %" for mark in marks],
        },
    )
    return figure


def _add_size(figure: Any, place: int, row: tuple[Any, ...], best: bool, n: int) -> None:
    """Add one size: the share that improved, or an upper bound."""
    size, made, hits, share, low, high = row
    colour = NEUTRAL if size == 0 else FULL if size == n else PARTIAL
    bound = hits == 0
    interval = {
        **{"symmetric": False, "array": [high - share], "arrayminus": [share - low]},
        **{"color": colour, "thickness": 2, "width": 5},
    }
    told = f"ε below {high:.2g}" if bound else f"ε̂ = {share:.3g}, {low:.2g} to {high:.2g}"
    figure.add_scatter(
        x=[place],
        y=[high if bound else share],
        name=f"k = {size}",
        text=[f"{hits} of {made}"],
        mode="markers",
        error_y=None if bound else interval,
        marker={
            "color": colour,
            "size": 14 if best else 10,
            "symbol": "triangle-down-open" if bound else "diamond" if size == n else "circle",
            "line": {"width": 2, "color": colour},
        },
        hovertemplate=f"k = {size}: %{{text}} improved<br>{told}<extra></extra>",
    )
    if best:
        figure.add_annotation(
            **{"x": place, "y": np.log10(high), "text": "<b>best</b>", "showarrow": False},
            yshift=10,
            font={"color": colour},
        )


def _tick(size: int, n: int) -> str:
    return "0<br>control" if size == 0 else f"{size}<br>all" if size == n else f"{size}"
