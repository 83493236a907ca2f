"""The lowest WCSS by number of clusters: beyond the bend, more clusters gain little."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from .style import CHOSEN, NEUTRAL, Figure, base_layout, graph_objects

HEIGHT = 280
APART = 1.7  # smallest ratio of two labelled numbers on the axis
LEAST_SHARE = 1e-12  # costs below this share of the highest cost are rounding errors


class ElbowInfo(NamedTuple):
    """The lowest costs found so far.

    Attributes
    ----------
    sizes : (s,) int64
        k, ascending.
    costs : (s,) float64
        The lowest cost found, an upper bound of the optimum.
    exact : (e,) int64
        The values of k with zero cost, which a log axis cannot show.
    """

    sizes: np.ndarray
    costs: np.ndarray
    exact: np.ndarray


def elbow_info(found: Mapping[int, float]) -> ElbowInfo:
    """Return the curve of the lowest costs by k.

    Parameters
    ----------
    found : mapping of int to float
        k → lowest cost found.
    """
    sizes = np.array(sorted(found), np.int64)
    costs = np.array([found[k] for k in sizes.tolist()], float)
    shown = costs > LEAST_SHARE * costs.max(initial=0.0)
    return ElbowInfo(sizes[shown], costs[shown], sizes[~shown])


def plot_elbow(info: ElbowInfo, sizes: list[int], k: int, cost: str = "WCSS") -> Figure:
    """Draw the curve, and mark the k of the page if the curve has it.

    Parameters
    ----------
    info : ElbowInfo
    sizes : list of int
        All values of k to try; they set the range of the axis.
    k : int
        The page's k.
    cost : str
        Name of the cost.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    figure = graph_objects().Figure(layout=base_layout("k, clusters", f"lowest {cost} found"))
    figure.add_scatter(
        x=info.sizes,
        y=info.costs,
        mode="lines+markers",
        line={"color": NEUTRAL, "width": 2},
        marker={"color": NEUTRAL, "size": 8},
        hovertemplate=f"k = %{{x}}: {cost} %{{y:.6g}}<extra></extra>",
    )
    _mark(figure, info, k)
    low, high = np.log10([min(sizes), max(sizes)])
    figure.update_layout(
        height=HEIGHT,
        showlegend=False,
        margin={"l": 72},
        xaxis={
            "type": "log",
            "range": [low - 0.05, high + 0.05],
            "tickvals": (ticks := [size for size in sizes if size == k or _apart(size, k)]),
            "ticktext": [*map(str, ticks)],
            "tickangle": 0,
        },
        yaxis={"type": "log", "dtick": "D1" if _decades(info) < 1.5 else 1},
    )
    return figure


def _mark(figure: Any, info: ElbowInfo, k: int) -> None:
    at = np.flatnonzero(info.sizes == k)
    if not len(at):
        return
    figure.add_scatter(
        x=[k],
        y=[float(info.costs[at[0]])],
        mode="markers+text",
        marker={"color": CHOSEN, "size": 12},
        text=[f"<b>k = {k}</b>"],
        textfont={"color": CHOSEN},
        textposition="top right" if k < 200 else "top left",
        cliponaxis=False,
        hoverinfo="skip",
    )


def _apart(size: int, k: int) -> bool:
    """Return True if the labels of both numbers fit on a phone's axis."""
    return max(size, k) > APART * min(size, k)


def _decades(info: ElbowInfo) -> float:
    return float(np.ptp(np.log10(info.costs))) if len(info.costs) else 0.0
