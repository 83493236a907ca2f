"""Plotly figures, reduced to the parts that ``static/site/chart.js`` draws."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np

TRACE = ("mode", "name", "fill", "fillcolor", "text", "orientation", "type")
AXIS = ("type", "tickvals", "ticktext", "range", "dtick", "rangemode")


def chart_of(figure: Any) -> dict[str, Any]:
    """Return a Plotly figure, or its JSON, as a small chart."""
    if hasattr(figure, "to_plotly_json"):
        figure = figure.to_plotly_json()
    layout = figure["layout"]
    return {
        "traces": [_trace(trace) for trace in figure["data"]],
        "x": _axis(layout.get("xaxis", {})),
        "y": _axis(layout.get("yaxis", {})),
        "bands": [
            {"from": _short(shape["x0"]), "to": _short(shape["x1"])}
            for shape in layout.get("shapes", ())
            if shape.get("type") == "rect"
        ],
    }


def _trace(trace: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: _plain(trace[name]) for name in TRACE if trace.get(name) is not None}
    line, marker = trace.get("line", {}), trace.get("marker", {})
    found |= {name: line[name] for name in ("color", "dash", "width", "shape") if name in line}
    if "error_x" in trace:
        found["error"] = [_plain(trace["error_x"][name]) for name in ("arrayminus", "array")]
    if "color" in marker:
        found["color"] = _plain(marker["color"])
    if trace.get("showlegend") is False:
        found.pop("name", None)
    return {**found, "x": _plain(trace.get("x", ())), "y": _plain(trace.get("y", ()))}


def _axis(axis: Mapping[str, Any]) -> dict[str, Any]:
    title = axis.get("title") or ""
    found = {name: _plain(axis[name]) for name in AXIS if axis.get(name) is not None}
    return {"title": title.get("text", "") if isinstance(title, Mapping) else title, **found}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):  # an array in Plotly's JSON
        value = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"])
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return _short(value)


def _short(value: Any) -> Any:
    """Round to five digits, because more are not visible."""
    if isinstance(value, float | np.floating):
        value = float(f"{value:.5g}")
        return int(value) if value.is_integer() and abs(value) < 1e15 else value
    return value
