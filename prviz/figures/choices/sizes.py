"""The sizes that a search with ``k1="auto"`` redrew, and its restarts, against calls."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.trace import Trace
from ..style import CHOSEN, FULL, Figure, base_layout, graph_objects

COLUMNS = 80
MOST_RESTARTS = 500  # largest number of marked restarts
RESTART = "restart"
HEIGHT, ROW = 110, 22  # height in pixels of the figure without rows, and of each row


class SizesInfo(NamedTuple):
    """How often each size was redrawn in each range of calls.

    Attributes
    ----------
    edges : (columns + 1,) int64
        Column i has the calls edges[i] + 1 to edges[i + 1].
    sizes : (n,) int64
        Sizes, ascending.
    shares : (n, columns) float64
        Share of the calls in a column that redrew this many variables, without restarts.
    restarts : (m,) int64
        Calls that began with a restart.
    """

    edges: np.ndarray
    sizes: np.ndarray
    shares: np.ndarray
    restarts: np.ndarray


def sizes_info(trace: Trace, columns: int = COLUMNS) -> SizesInfo:
    """Return the shares of the sizes over time.

    Parameters
    ----------
    trace : Trace
        With at least one call.
    columns : int
        Largest number of ranges.
    """
    n = len(trace)
    if not n:
        raise ValueError("The trace has no calls yet.")
    edges = np.unique(np.linspace(0, n, min(n, columns) + 1).astype(np.int64))
    restarted = trace.level == trace.n_levels
    sizes = np.unique(trace.counts[~restarted, 0]).astype(np.int64)
    column = np.searchsorted(edges, np.arange(n), side="right") - 1
    shares = np.zeros((len(sizes), len(edges) - 1))
    for row, size in zip(shares, sizes, strict=True):
        chosen = ~restarted & (trace.counts[:, 0] == size)
        row[:] = np.bincount(column[chosen], minlength=len(row)) / np.diff(edges)
    return SizesInfo(edges, sizes, shares, np.flatnonzero(restarted) + 1)


def plot_sizes(info: SizesInfo, n_variables: int, many: str = "variables") -> Figure:
    """Draw the shares as a heat map, with a row of restarts on top.

    Parameters
    ----------
    info : SizesInfo
    n_variables : int
        N; the row for this size is named "all".
    many : str
        Plural noun of the variables.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    go = graph_objects()

    names = ["all" if size == n_variables else f"{size}" for size in info.sizes]
    figure = go.Figure(layout=base_layout("calls", f"{many} redrawn"))
    figure.add_heatmap(
        x=(info.edges[:-1] + info.edges[1:] + 1) / 2,
        y=np.arange(len(names)),
        text=[[name] * info.shares.shape[1] for name in names],
        z=info.shares,
        zmin=0.0,
        zmax=1.0,
        colorscale=[[0.0, "rgba(122,118,201,0)"], [1.0, CHOSEN]],
        showscale=False,
        hovertemplate="%{text} redrawn: %{z:.0%} of the calls around %{x:,.0f}<extra></extra>",
    )
    marked = info.restarts
    if len(marked) > MOST_RESTARTS:
        marked = marked[np.linspace(0, len(marked) - 1, MOST_RESTARTS).astype(int)]
    figure.add_scatter(
        x=marked,
        y=[len(names)] * len(marked),
        mode="markers",
        marker={"symbol": "line-ns-open", "size": 12, "color": FULL, "opacity": 0.7},
        hovertemplate="restart at call %{x:,}<extra></extra>",
        showlegend=False,
    )
    rows = [*names, RESTART]
    figure.update_layout(
        height=HEIGHT + ROW * len(rows),
        yaxis={"tickvals": [*range(len(rows))], "ticktext": rows, "showgrid": False},
    )
    return figure
