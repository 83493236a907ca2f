"""The palette (Okabe and Ito) and the common style of all figures."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

FULL = "#0072B2"  # full reinitialisation: the paper's blue
PARTIAL = "#D55E00"  # partial reinitialisation: the paper's red, as vermillion
BASELINE = "#009E73"  # another method: bluish green
CHOSEN = "#7A76C9"  # the reader's choice: the app's violet
NEUTRAL = "#808080"  # readable on light and dark alike

#: Axes shorter than NARROW decades have Plotly's ticks. Axes shorter than WIDE decades have ticks
#: at 1, 2 and 5. Longer axes have ticks at powers of ten, at most about MOST_POWERS.
NARROW, WIDE, MOST_POWERS = 0.7, 2.5, 7
LEAST = 1e-12  # smallest number with a tick

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

#: Stands for plotly.graph_objects.Figure, because Plotly has no type annotations.
Figure: TypeAlias = Any

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"


def graph_objects() -> Any:
    """Import and return Plotly's ``graph_objects``.

    Plotly looks for pandas tables in its input as soon as any thread has begun to import pandas,
    and fails until the import is complete. So pandas is imported first.
    """
    import pandas  # noqa: F401
    import plotly.graph_objects

    return plotly.graph_objects


def base_layout(x_title: str, y_title: str) -> dict[str, Any]:
    """Return a Plotly layout with a transparent background, for light and dark themes."""
    axis = {
        "automargin": True,
        "gridcolor": "rgba(128,128,128,0.2)",
        "zeroline": False,
        "linecolor": "rgba(128,128,128,0.5)",
        "ticks": "outside",
        "tickcolor": "rgba(128,128,128,0.5)",
    }
    return {
        "font": {"family": FONT, "size": 12, "color": NEUTRAL},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": 56, "r": 12, "t": 28, "b": 40},
        "xaxis": {**axis, "title": {"text": x_title}},
        "yaxis": {**axis, "title": {"text": y_title}, "exponentformat": "power", "minexponent": 6},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        "hovermode": "closest",
        "uirevision": "keep",
    }


def log_ticks(low: float, high: float) -> dict[str, list[Any]]:
    """Return ticks of a logarithmic axis: 1, 2, 5 in each decade, or only powers of ten.

    The result is empty for a short axis, because there might be only one such tick on it.
    """
    ends = math.log10(max(low, LEAST)), math.log10(max(high, LEAST))
    decades = ends[1] - ends[0]
    if decades < NARROW:
        return {}
    firsts = (1, 2, 5) if decades < WIDE else (1,)
    step = max(1, math.ceil(decades / MOST_POWERS))
    powers = range(step * (math.floor(ends[0] / step) - 1), math.ceil(ends[1]) + 1 + step, step)
    ticks = [first * 10.0**power for power in powers for first in firsts]
    return {"tickvals": ticks, "ticktext": [_tick(tick) for tick in ticks]}


def even_ticks(low: float, high: float) -> dict[str, list[Any]]:
    """Return evenly spaced ticks of a short axis."""
    length = high - low
    unit = 10.0 ** math.floor(math.log10(length / 2))
    step = next(first * unit for first in (5, 2, 1) if length / (first * unit) >= 2)
    ticks = [n * step for n in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return {"tickvals": ticks, "ticktext": [f"{tick:.6g}" for tick in ticks]}


def _tick(value: float) -> str:
    """Format a tick: "0.01", and "10⁻⁵" or "2·10⁶" for very small or large numbers."""
    if 1e-4 < value < 9e5:
        return f"{value:g}"
    power = math.floor(math.log10(value) + 1e-9)
    first = round(value / 10.0**power)
    return ten_to(power) if first == 1 else f"{first}·{ten_to(power)}"


def ten_to(power: int) -> str:
    """Format a power of ten: "10⁻⁹"."""
    return f"10{str(power).translate(_RAISED)}"
