"""A comparison of contenders: best costs against work, the share solved, and all runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...experiments.statistics.crossover import Crossover
from ...experiments.statistics.fixed_budget import BudgetCurve, grid
from ...experiments.statistics.pairwise import Ratio
from ...experiments.statistics.profile import Profile, ecdf
from ..curve import AXES, FLOOR, SHORTEST, STYLES, above
from ..style import BASELINE, NEUTRAL, Figure, base_layout, graph_objects, log_ticks

POINTS = 100  # points per curve: few, because a figure is sent several times per second
DIGITS = 5  # significant digits of the numbers in a figure
# smallest ratio of the last to the first value of an axis, so that it has at least two round ticks
LEAST_WORK = 10.0
QUARTILES, INTERVAL = 0.13, 0.3  # opacity of the bands
OTHERS = (BASELINE, "#CC79A7", "#56B4E9", "#E69F00")  # colours of other methods (Okabe and Ito)
DASHES = ("dashdot", "dot", "longdash", "longdashdot")


class Style(NamedTuple):
    """The style of a contender: colour and dash."""

    colour: str
    dash: str


class Lane(NamedTuple):
    """Results of a contender's runs.

    Attributes
    ----------
    name : str
    style : Style
    curve : BudgetCurve
    solved : Profile or None
        Share of runs that reached the target; None without a target.
    seeds : list of int
    costs : (n,) float64
        Best cost of each run so far.
    hit : (n,) bool
        True for runs that reached the target.
    """

    name: str
    style: Style
    curve: BudgetCurve
    solved: Profile | None
    seeds: list[int]
    costs: np.ndarray
    hit: np.ndarray


class RaceInfo(NamedTuple):
    """The data of a race's figure.

    Attributes
    ----------
    axis : {"iterations", "calls", "seconds"}
    lanes : list of Lane
    known : float or None
        Lowest known cost; gaps are relative to it.
    frontier : float
        Work up to which all runs are compared.
    crossover, ratio : Crossover, Ratio or None
        The first contender against the second.
    """

    axis: str
    lanes: list[Lane]
    known: float | None
    frontier: float
    crossover: Crossover | None
    ratio: Ratio | None


def styles(names: Sequence[str]) -> dict[str, Style]:
    """Return each contender's style: "partial" and "full" have the paper's colours."""
    given = {name: Style(*style) for name, style in STYLES.items()}
    others = [name for name in names if name not in given]
    for place, name in enumerate(others):
        given[name] = Style(OTHERS[place % len(OTHERS)], DASHES[place % len(DASHES)])
    return {name: given[name] for name in names}


def race_info(
    found: Any, known: float | None = None, axis: str | None = None, sure: bool = True
) -> RaceInfo:
    """Return the data of a comparison.

    Parameters
    ----------
    found : Comparison
        A result of :func:`prviz.compare`, with at least one run of each contender.
    known : float, optional
        Lowest known cost.
    axis : {"iterations", "calls", "seconds"}
        The unit of work. The default is the unit of the comparison's budget.
    sure : bool
        True to resample for the crossover and the ratio, which takes 0.5 s for 1000 runs.
    """
    axis = axis or found.axis
    names = list(found.contenders)
    last = found.frontier(axis)
    everything = [run for name in names for run in found.runs[name]]
    works = grid(everything, axis, POINTS, last)
    how = styles(names)
    lanes = []
    for name in names:
        hits = None if found.target is None else found.hits(name, axis=axis)
        costs = np.array([run.best.min(initial=np.inf) for run in found.runs[name]])
        solved = hits and ecdf(hits, _some(hits.times, works[0], min(last, hits.known_to)))
        hit = np.zeros(len(costs), bool) if hits is None else hits.hit
        curve = found.curve(name, works, axis)
        lanes.append(Lane(name, how[name], curve, solved, found.seeds, costs, hit))
    crossing = ratio = None
    if sure and len(names) > 1:
        crossing = found.crossover(*names[:2], axis=axis)
        ratio = None if found.target is None else found.ert_ratio(*names[:2], axis=axis)
    return RaceInfo(axis, lanes, known, last, crossing, ratio)


def _some(values: np.ndarray, first: float, last: float) -> np.ndarray:
    """Return a range's ends and the distinct values between them, at most ``POINTS`` in all."""
    first = min(first, last)
    values = np.union1d(values[(values >= first) & (values <= last)], [first, last])
    if len(values) <= POINTS:
        return values
    return values[np.unique(np.linspace(0, len(values) - 1, POINTS).astype(int))]


def race_figure(info: RaceInfo, cost: str = "cost", iteration: str = "iteration") -> dict[str, Any]:
    """Return both charts as the data of one Plotly figure, without smoothing.

    On the left is the median of each contender's best costs so far, with its 95 % interval (narrow
    band) and the quartiles (wide band). On the right is the share of runs that reached the target,
    with a simultaneous 95 % band. Without a target there is only the left chart.

    Parameters
    ----------
    info : RaceInfo
    cost, iteration : str
        Names of the cost and of an iteration, such as "WCSS" and "epoch".
    """
    along = AXES[info.axis].format(iteration=iteration)
    gaps, deep = bool(info.known), info.known is not None  # deep: draw costs on a log axis
    layout = base_layout(
        along, f"gap to the best known {cost}, %" if gaps else f"best {cost} so far"
    )
    layout["xaxis"] |= {"type": "log"}
    layout["yaxis"] |= {"type": "log", "exponentformat": "none"} if deep else {}
    layout["xaxis"] |= _work_axis(info.lanes[0].curve.work)
    if any(lane.solved for lane in info.lanes):
        layout |= _beside(layout)
    data = []
    for lane in info.lanes:
        data += _medians(lane, info) + _shares(lane)
    data += _crossing(info)
    if deep:
        heights = [y for line in data if line.get("xaxis") != "x2" for y in line["y"] if y]
        if heights:  # empty while all runs are in their first call
            layout["yaxis"] |= log_ticks(min(heights), max(heights))
    return {"data": data, "layout": layout}


def _work_axis(work: np.ndarray) -> dict[str, Any]:
    """Return ticks and range of the work axis, which spans at least a decade.

    The range is always given: if only some figures of a race had a range, Plotly would keep the
    default range of an empty chart.
    """
    low, high = (float(end) for end in np.maximum(work[[0, -1]], SHORTEST))
    middle, half = np.log10(low * high) / 2, max(np.log10(high / low), np.log10(LEAST_WORK)) / 2
    ends = [float(middle - half), float(middle + half)]
    return {**log_ticks(10 ** ends[0], 10 ** ends[1]), "range": ends}


def _beside(layout: dict[str, Any]) -> dict[str, Any]:
    """Return the axes of two charts, with costs on the left and solved runs on the right."""
    work, heights = layout["xaxis"], layout["yaxis"]
    return {
        "xaxis": {**work, "domain": [0, 0.56]},
        "xaxis2": {**work, "domain": [0.64, 1], "anchor": "y2", "matches": "x"},
        "yaxis2": {
            **{k: v for k, v in heights.items() if k not in ("type", "exponentformat")},
            **{"title": {"text": "share of runs solved, %"}, "anchor": "x2", "range": [-2, 102]},
        },
    }


def plot_race(info: RaceInfo, cost: str = "cost", iteration: str = "iteration") -> Figure:
    """Return a Plotly figure of a race.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    go = graph_objects()

    return go.Figure(race_figure(info, cost, iteration))


def _medians(lane: Lane, info: RaceInfo) -> list[dict[str, Any]]:
    curve = lane.curve
    x = _short(np.maximum(curve.work, SHORTEST))
    lines = []
    for low, high, opacity in (
        (curve.lower, curve.upper, QUARTILES),
        (curve.low, curve.high, INTERVAL),
    ):
        lines += _band(x, _height(low, info.known), _height(high, info.known), lane, opacity)
    median = {
        **{"x": x, "y": _height(curve.median, info.known), "mode": "lines"},
        **{"name": f"{lane.name}, n = {curve.n}", "legendgroup": lane.name},
        "line": {"shape": "hv", "color": lane.style.colour, "dash": lane.style.dash, "width": 2},
        "hovertemplate": f"median of {lane.name}<br>%{{x:,.4~g}}: %{{y:.4~g}}<extra></extra>",
    }
    return [*lines, median]


def _shares(lane: Lane) -> list[dict[str, Any]]:
    if lane.solved is None:
        return []
    x = _short(np.maximum(lane.solved.work, SHORTEST))
    second = {"xaxis": "x2", "yaxis": "y2"}
    band = _band(x, _short(100 * lane.solved.low), _short(100 * lane.solved.high), lane, QUARTILES)
    share = {
        **{"x": x, "y": _short(100 * lane.solved.share), "mode": "lines", **second},
        **{"showlegend": False, "legendgroup": lane.name},
        "line": {"shape": "hv", "color": lane.style.colour, "dash": lane.style.dash, "width": 2},
        "hovertemplate": f"{lane.name}<br>%{{x:,.4~g}}: %{{y:.3~g}} %<extra></extra>",
    }
    return [*({**line, **second} for line in band), share]


def _band(
    x: list[Any], low: list[Any], high: list[Any], lane: Lane, opacity: float
) -> list[dict[str, Any]]:
    """Return two step functions with the area between them filled."""
    kept = [(*at,) for at in zip(x, low, high, strict=True) if None not in at]
    x, low, high = ([*column] for column in zip(*kept, strict=True)) if kept else ([], [], [])
    red, green, blue = (int(lane.style.colour[i : i + 2], 16) for i in (1, 3, 5))
    edge = {
        **{"x": x, "mode": "lines", "line": {"shape": "hv", "width": 0}},
        **{"showlegend": False, "hoverinfo": "skip", "legendgroup": lane.name},
    }
    filled = {"fill": "tonexty", "fillcolor": f"rgba({red},{green},{blue},{opacity})"}
    return [{**edge, "y": low}, {**edge, "y": high, **filled}]


def _crossing(info: RaceInfo) -> list[dict[str, Any]]:
    """Return a cross where the first contender's median takes the lead, with its interval."""
    found = info.crossover
    if found is None or found.work is None or found.work <= info.lanes[0].curve.work[0]:
        return []
    curve = info.lanes[0].curve
    at = np.searchsorted(curve.work, found.work, "right") - 1
    (y,) = _height(curve.median[at : at + 1], info.known)
    ends = np.minimum([found.low, found.high], info.frontier)
    x, low, high = np.maximum([found.work, *ends], SHORTEST)
    return [
        {
            **{"x": [x], "y": [y], "mode": "markers", "name": "crossover, 95 % CI"},
            "marker": {"symbol": "x", "size": 9, "color": NEUTRAL},
            "error_x": {
                **{"type": "data", "symmetric": False, "color": NEUTRAL, "thickness": 1.5},
                **{"array": [high - x], "arrayminus": [x - low]},
            },
            "hovertemplate": "ahead from %{x:,.4~g} on<extra></extra>",
        }
    ]


def _height(costs: np.ndarray, known: float | None) -> list[Any]:
    """Return costs, or their gaps in %, for an axis; None for unknown costs."""
    if known is not None:
        costs = np.where(np.isfinite(costs), above(known, costs, FLOOR), costs)
    return _short(costs)


def _short(values: Any) -> list[Any]:
    """Return numbers with few digits; None for infinite numbers."""
    return [float(f"{v:.{DIGITS}g}") if np.isfinite(v) else None for v in np.asarray(values, float)]
