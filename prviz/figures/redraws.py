"""The number of redraws for ε and δ: M against ε, one step curve per δ (section 2.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..checks import real_number
from ..engine.schedule import calls_needed
from .style import CHOSEN, NEUTRAL, Figure, base_layout, graph_objects, log_ticks

# δ of the fixed curves, far enough apart for labels
DELTAS = (0.5, 0.05, 0.00001)
LOWEST = 1e-4  # the left end of the picture, unless the marked point is farther left
STEPS_A_DECADE = 24
HEIGHT = 300


class RedrawsInfo(NamedTuple):
    """The step curve of one δ; M is constant from each corner to the next.

    Attributes
    ----------
    delta : float
    epsilon : (corners,) float64
        Ascending; the smallest ε for which M redraws miss with probability at most δ.
    calls : (corners,) int64
        M.
    """

    delta: float
    epsilon: np.ndarray
    calls: np.ndarray


def redraws_info(delta: float, lowest: float = LOWEST) -> RedrawsInfo:
    """Return the corners of the step curve M(ε): all for small M, a selection for large M.

    Parameters
    ----------
    delta : float
        Accepted probability of missing every improvement, 0 < δ < 1.
    lowest : float
        The smallest ε of interest, above 0.
    """
    if not 0 < (lowest := real_number(lowest, "lowest")) < 1:
        raise ValueError(f"lowest must lie strictly between 0 and 1, got {lowest}.")
    decades = math.log10(calls_needed(delta, lowest))
    spread = np.logspace(0.0, decades, 1 + math.ceil(STEPS_A_DECADE * decades))
    calls = np.unique(np.rint(spread).astype(np.int64))[::-1]
    return RedrawsInfo(delta, -np.expm1(math.log(delta) / calls), calls)


def plot_redraws(
    stairs: Sequence[RedrawsInfo],
    chosen: tuple[float, float, float] | None = None,
    lowest: float = LOWEST,
) -> Figure:
    """Draw M against ε on logarithmic axes, and mark the chosen values.

    Parameters
    ----------
    stairs : sequence of RedrawsInfo
    chosen : (float, float, float), optional
        δ, ε and M. The curve of this δ and the point (ε, M) are highlighted.
    lowest : float
        Left end of the axis of ε.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    go = graph_objects()

    figure = go.Figure(layout=base_layout("ε, chance that a redraw improves", "M, redraws"))
    marked = chosen[0] if chosen else None
    dashes = iter(("dot", "dash", "dashdot", "longdash"))
    for stair in stairs:
        stands_out = stair.delta == marked
        figure.add_scatter(
            x=np.append(stair.epsilon, 1.0),
            y=np.append(stair.calls, 1),
            name=_named(stair.delta),
            mode="lines",
            line={
                "shape": "hv",
                "color": CHOSEN if stands_out else NEUTRAL,
                "width": 2.5 if stands_out else 1.2,
                "dash": "solid" if stands_out else next(dashes, "solid"),
            },
            hovertemplate=f"{_named(stair.delta)}<br>ε = %{{x:.3g}}: M = %{{y:,}}<extra></extra>",
        )
    if chosen:
        _mark(figure, *chosen)
    highest = max([stair.calls[0] for stair in stairs] + ([chosen[2]] if chosen else []))
    figure.update_layout(
        height=HEIGHT,
        showlegend=True,
        xaxis={
            "type": "log",
            "range": [math.log10(lowest), 0.05],
            **log_ticks(lowest, 1),
        },
        yaxis={
            "type": "log",
            "range": [-0.1, math.log10(highest) + 0.4],
            **log_ticks(1, highest),
        },
    )
    return figure


def _mark(figure: Any, delta: float, epsilon: float, calls: float) -> None:
    figure.add_scatter(
        x=[epsilon],
        y=[calls],
        name="chosen",
        mode="markers",
        showlegend=False,
        marker={"color": CHOSEN, "size": 12},
        hovertemplate=f"δ = {delta:.3g}, ε = {epsilon:.3g}<extra></extra>",
    )
    shown = f"{calls:,.0f}".replace(",", "\u202f")
    figure.add_annotation(  # in a corner without curves
        text=f"<b>M = {shown}</b><br>ε = {epsilon:.3g}",
        font={"color": CHOSEN, "size": 13},
        align="right",
        showarrow=False,
        **{"xref": "paper", "x": 1, "xanchor": "right"},
        **{"yref": "paper", "y": 1, "yanchor": "top"},
    )


def _named(delta: float) -> str:
    return f"δ = {delta:.3g}" if delta < 1e-6 else f"δ = {f'{delta:.9f}'.rstrip('0').rstrip('.')}"
