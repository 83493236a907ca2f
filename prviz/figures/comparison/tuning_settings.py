"""Draw the settings of a tuning as rows with intervals, the best setting on top."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...experiments.statistics.intervals import ranks
from ..style import FULL, NEUTRAL, PARTIAL, Figure, base_layout, graph_objects, log_ticks

MOST = 20  # most rows, besides the usual setting and full restarts
ROW, FRAME = 22, 110  # px: height of a row, and of title and axis
FADED = 0.35  # opacity of dropped settings


class SettingInfo(NamedTuple):
    """A row: the result of a setting.

    Attributes
    ----------
    name : str
    n : int
        Number of runs of the setting.
    value, low, high : float
        Expected work to the target with its 95 % interval. If there is no target, or no run reached
        it, the median of the best costs with its interval.
    dropped : bool
        True if the setting was dropped because it is significantly worse than the leader.
    kind : {"full", "usual", "grid"}
    """

    name: str
    n: int
    value: float
    low: float
    high: float
    dropped: bool
    kind: str


class SettingsInfo(NamedTuple):
    """The data of a tuning's figure.

    Attributes
    ----------
    rows : list of SettingInfo
        The best settings in order, and also the usual setting and full restarts.
    hidden : int
        Number of omitted settings.
    axis : str or None
        Unit of the work; None if rows are costs.
    """

    rows: list[SettingInfo]
    hidden: int
    axis: str | None


def settings_info(found: Any, most: int = MOST) -> SettingsInfo:
    """Return the rows of a tuning.

    Parameters
    ----------
    found : prviz.experiments.tuning.tuner.Tuner
    most : int
        Number of best settings to list. The usual setting and full restarts always have rows.
    """
    order = found.ranking()
    always = {found.usual, found.full}
    kept = [cell for place, cell in enumerate(order) if place < most or cell in always]
    by_work = any(found.hits(cell).successes for cell in order) if _has_target(found) else False
    rows = []
    for cell in kept:
        kind = "full" if cell == found.full else "usual" if cell == found.usual else "grid"
        values = _work(found, cell) if by_work else _costs(found, cell)
        n = len(found.runs[cell])
        rows.append(SettingInfo(found.cells[cell].name, n, *values, cell in found.dropped, kind))
    return SettingsInfo(rows, len(order) - len(kept), found.budget.axis if by_work else None)


def _has_target(found: Any) -> bool:
    return math.isfinite(found.budget.target)


def _work(found: Any, cell: int) -> tuple[float, float, float]:
    ert = found.ert(cell)
    return ert.work, ert.low, ert.high


def _costs(found: Any, cell: int) -> tuple[float, float, float]:
    costs = np.array([run.best.min(initial=np.inf) for run in found.runs[cell].values()])
    place = ranks(len(costs))
    # with few runs, the interval is unbounded
    ends = np.concatenate([[-np.inf], np.sort(costs), [np.inf]])
    return float(np.median(costs)), float(ends[place.low]), float(ends[place.high])


def plot_settings(info: SettingsInfo, cost: str = "cost") -> Figure:
    """Draw one row per setting; an infinite value is an open circle.

    Parameters
    ----------
    info : SettingsInfo
    cost : str
        Name of the cost.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    go = graph_objects()

    unit = f"{info.axis} to the target, expected" if info.axis else f"best {cost}, median"
    figure = go.Figure(layout=base_layout(f"{unit}, with 95 % interval", ""))
    known = [v for row in info.rows for v in row[2:5] if math.isfinite(v)]
    least, most = (min(known), max(known)) if known else (0.0, 1.0)
    for place, row in enumerate(info.rows):
        _add_row(figure, place, row, least, most)
    height = FRAME + ROW * len(info.rows)
    names = [f"{row.name} (n = {row.n})" for row in info.rows]
    figure.update_layout(
        height=height,
        showlegend=False,
        meta={"ratio": max(0.25, height / 700)},
        xaxis={"type": "log", **log_ticks(least, most)} if info.axis else {},
        yaxis={
            **{"tickvals": [*range(len(names))], "ticktext": names},
            **{"range": [len(names) - 0.4, -0.6], "exponentformat": None},
        },
    )
    return figure


def _add_row(figure: Any, place: int, row: SettingInfo, least: float, most: float) -> None:
    """Add a setting's estimate, and its interval clipped to ``least`` and ``most``."""
    colour = FULL if row.kind == "full" else NEUTRAL if row.kind == "usual" else PARTIAL
    low, high = (min(max(end, least), most) for end in (row.low, row.high))
    value = row.value if math.isfinite(row.value) else high
    figure.add_scatter(
        x=[value],
        y=[place],
        name=row.name,
        mode="markers",
        error_x={
            **{"type": "data", "symmetric": False, "color": colour, "thickness": 2, "width": 5},
            **{"array": [high - value], "arrayminus": [value - low]},
        },
        marker={
            "color": colour,
            "size": 9,
            "symbol": "circle" if math.isfinite(row.value) else "circle-open",
            "opacity": FADED if row.dropped else 1.0,
        },
        hovertemplate=f"{row.name}: {row.value:.4g} [{row.low:.4g}–{row.high:.4g}]<br>"
        f"n = {row.n}{', significantly worse' if row.dropped else ''}<extra></extra>",
    )
