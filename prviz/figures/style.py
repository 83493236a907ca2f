"""One palette for the app and its figures (Okabe and Ito), and the look that figures share."""

from __future__ import annotations

FULL = "#0072B2"  # full reinitialisation: the paper's blue
PARTIAL = "#D55E00"  # partial reinitialisation: the paper's red, as vermillion
BASELINE = "#009E73"  # another method: bluish green
CHOSEN = "#7A76C9"  # what a reader has chosen, in the app's violet
NEUTRAL = "#808080"  # readable on light and dark alike

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"


def graph_objects():
    """Plotly's figures, as a module.

    Plotly looks for pandas' tables in what it is given as soon as any thread has begun to import
    pandas, and fails until that is done: so it is done first.
    """
    import pandas  # noqa: F401
    import plotly.graph_objects

    return plotly.graph_objects


def base_layout(x_title: str, y_title: str) -> dict:
    """Plotly layout for a calm figure; transparent, so that it suits light and dark."""
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
        "yaxis": {**axis, "title": {"text": y_title}, "exponentformat": "power"},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        "hovermode": "closest",
        "uirevision": "keep",
    }


def ten_to(power: int) -> str:
    """A power of ten for people: "10⁻⁹"."""
    return f"10{str(power).translate(_RAISED)}"
