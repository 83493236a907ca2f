"""Static versions of prviz's Plotly figures, drawn by Matplotlib.

Plotly needs a browser for static pictures. The module supports steps and lines, markers with
intervals, bands, heat maps and notes, and linear, logarithmic and category axes.
"""

from __future__ import annotations

import base64
import io
import re
import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from .style import NEUTRAL

KINDS = ("svg", "pdf", "png")
WIDTH, RATIO = 17.0, 0.5  # width in cm (two text columns), and height / width
DPI = 300
INK = "#333333"  # on white paper
POINT = 0.75  # size of a Plotly pixel in points
TYPE = 8.5  # font size in points
_DASHES = {
    **{"solid": "solid", "dash": "dashed", "dot": "dotted", "dashdot": "dashdot"},
    **{"longdash": (0, (8, 3)), "longdashdot": (0, (8, 3, 1, 3))},
}
_MARKS = {"circle": "o", "square": "s", "diamond": "D", "x": "X", "triangle-down": "v"}
_SETTINGS: dict[Any, Any] = {
    **{"svg.fonttype": "none", "svg.hashsalt": "prviz", "pdf.fonttype": 42},
    **{"font.family": "sans-serif", "font.size": TYPE, "axes.labelsize": TYPE},
    **{"axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.6},
    **{"grid.linewidth": 0.5, "grid.alpha": 0.25, "axes.grid": True, "axes.axisbelow": True},
    **{"legend.frameon": False, "legend.fontsize": TYPE, "axes.unicode_minus": True},
}
_LOCK = threading.Lock()  # because Matplotlib's settings are global


def printed(
    figure: Any,
    kind: str = "svg",
    width: float = WIDTH,
    ratio: float | None = None,
    clear: bool = False,
) -> bytes:
    """Return a still picture of a figure in print size.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure or dict
        A figure from :mod:`prviz.figures`.
    kind : {"svg", "pdf", "png"}
        PNG has 300 dpi.
    width : float
        Width in cm.
    ratio : float, optional
        Height over width. By default, the ratio in the figure's ``meta``, or 0.5.
    clear : bool
        True for a transparent background with grey text, for light and dark themes.

    Returns
    -------
    bytes

    Raises
    ------
    ValueError
        The kind is unknown, or the figure has unsupported parts.
    ImportError
        Matplotlib is missing.
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}.")
    given = figure.to_plotly_json() if hasattr(figure, "to_plotly_json") else figure
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("Still pictures need Matplotlib: `pip install matplotlib`.") from None

    ink = NEUTRAL if clear else INK
    colours: dict[Any, Any] = dict.fromkeys(
        ("text.color", "axes.labelcolor", "axes.edgecolor"), ink
    )
    colours |= dict.fromkeys(("xtick.color", "ytick.color", "grid.color"), ink)
    with _LOCK, matplotlib.rc_context({**_SETTINGS, **colours}):
        inches = width / 2.54
        ratio = ratio or given["layout"].get("meta", {}).get("ratio", RATIO)
        drawn = Figure((inches, inches * ratio), layout="constrained")
        _draw(drawn, given["data"], given["layout"])
        _thin_ticks(drawn)
        file = io.BytesIO()
        about = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
        drawn.savefig(file, format=kind, dpi=DPI, transparent=clear, metadata=about)
    return file.getvalue()


def _draw(drawn: Any, data: list[Mapping[str, Any]], layout: Mapping[str, Any]) -> None:
    """Draw all traces on their axes, and a legend above them."""
    if unknown := {line.get("type", "scatter") for line in data} - {"scatter", "heatmap"}:
        raise ValueError(f"A {unknown.pop()} cannot be printed: use a scatter or a heatmap.")
    numbers = sorted({line.get("xaxis", "x")[1:] for line in data} or {""})
    domains = [layout[f"xaxis{number}"].get("domain", (0, 1)) for number in numbers]
    widths = [end - begin for begin, end in domains]
    panes = drawn.subplots(1, len(numbers), width_ratios=widths, squeeze=False)[0]
    for number, pane in zip(numbers, panes, strict=True):
        own = [line for line in data if line.get("xaxis", "x")[1:] == number]
        for before, line in zip([None, *own], own, strict=False):
            _draw_trace(pane, line, before)
        _set_axis(pane.xaxis, layout[f"xaxis{number}"])
        _set_axis(pane.yaxis, layout[f"yaxis{number}"])
    for note in layout.get("annotations", ()):
        _write(panes[0], note, layout)
    handles, labels = panes[0].get_legend_handles_labels()
    if labels and layout.get("showlegend", len(labels) > 1):
        drawn.legend(handles, labels, loc="outside upper left", ncols=3)


def _thin_ticks(drawn: Any) -> None:
    """Remove each tick label on an x axis that would overlap the label before it."""
    drawn.draw_without_rendering()  # computes the layout
    for pane in drawn.axes:
        shown = None
        for tick in pane.xaxis.get_major_ticks():
            box = tick.label1.get_window_extent()
            if shown is not None and tick.label1.get_text() and box.x0 < shown.x1:
                tick.label1.set_visible(False)
            else:
                shown = box


def _draw_trace(pane: Any, line: Mapping[str, Any], before: Mapping[str, Any] | None) -> None:
    """Draw a trace; if it has a fill, fill the area between it and the trace ``before``."""
    if line.get("type") == "heatmap":
        return _draw_heatmap(pane, line)
    x, y = _values(line["x"]), _values(line["y"])
    style = line.get("line", {})
    steps = style.get("shape") == "hv"
    if before and "fill" in line:
        colour = _colour(line["fillcolor"])
        step = "post" if steps else None
        pane.fill_between(x, _values(before["y"]), y, step=step, color=colour, linewidth=0)
    mode = line.get("mode", "lines")
    label = line.get("name", "") if line.get("showlegend", True) else ""
    width = style.get("width", 2)
    if "lines" in mode and width:
        pane.plot(
            *(x, y),
            label=label or "_",
            drawstyle="steps-post" if steps else "default",
            color=style.get("color", NEUTRAL),
            linestyle=_DASHES[style.get("dash", "solid")],
            linewidth=POINT * width,
        )
    if "markers" in mode:
        _draw_marks(pane, x, y, line, "" if "lines" in mode else label)
    if "text" in mode:
        for at, height, text in zip(x, y, line["text"], strict=True):
            pane.annotate(
                *(_plain(text), (at, height)),
                **{"xytext": (0, 2), "textcoords": "offset points", "ha": "right"},
                color=style.get("color", NEUTRAL),
            )


def _draw_marks(pane: Any, x: Any, y: Any, line: Mapping[str, Any], label: str) -> None:
    marker = line["marker"]
    colour = marker.get("color", NEUTRAL)
    symbol = marker.get("symbol", "circle")
    for way in ("x", "y"):
        if error := line.get(f"error_{way}"):
            sizes = [_values(error["arrayminus"]), _values(error["array"])]
            pane.errorbar(
                *(x, y),
                **{f"{way}err": np.clip(sizes, 0, None), "fmt": "none", "capsize": 2},
                ecolor=error.get("color", colour),
                elinewidth=POINT * error.get("thickness", 2),
            )
    hollow = symbol.endswith("-open")
    pane.plot(
        *(x, y),
        label=label or "_",
        linestyle="none",
        marker=_MARKS[symbol.removesuffix("-open")],
        markersize=POINT * marker.get("size", 6),
        color=colour,
        markerfacecolor="none" if hollow else colour,
        alpha=marker.get("opacity", 1),
    )


def _draw_heatmap(pane: Any, line: Mapping[str, Any]) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    shades = [(float(at), colour) for at, colour in line["colorscale"]]
    shown = pane.imshow(
        _values(line["z"]),
        cmap=LinearSegmentedColormap.from_list("shades", shades),
        aspect="auto",
        interpolation="nearest",
        origin="lower",
    )
    pane.grid(False)
    if line.get("showscale", True):
        bar = pane.figure.colorbar(shown, ax=pane, fraction=0.05, pad=0.02)
        bar.outline.set_visible(False)


def _set_axis(axis: Any, asked: Mapping[str, Any]) -> None:
    """Set title, scale, range and ticks of an axis."""
    from matplotlib.ticker import NullLocator

    way, pane = axis.axis_name, axis.axes
    if not asked.get("visible", True):
        axis.set_visible(False)
        pane.spines["bottom" if way == "x" else "left"].set_visible(False)
    axis.set_label_text(_plain(asked.get("title", {}).get("text", "")))
    log = asked.get("type") == "log"
    if log:
        pane.set(**{f"{way}scale": "log"})
    limits = getattr(pane, f"get_{way}lim")()
    if "range" in asked:
        limits = [10.0**end for end in asked["range"]] if log else asked["range"]
    if asked.get("autorange") == "reversed":
        limits = sorted(limits, reverse=True)
    if "tickvals" in asked:
        axis.set_ticks(_values(asked["tickvals"]), [_plain(t) for t in asked["ticktext"]])
        axis.set_minor_locator(NullLocator())
    pane.set(**{f"{way}lim": limits})


def _write(pane: Any, note: Mapping[str, Any], layout: Mapping[str, Any]) -> None:
    """Draw a note at a position of the axes, or of the data."""
    paper = note.get("xref") == "paper"
    log = [layout[f"{way}axis"].get("type") == "log" and not paper for way in "xy"]
    at = [10.0 ** note[way] if is_log else note[way] for way, is_log in zip("xy", log, strict=True)]
    pane.annotate(
        _plain(note["text"]),
        at,
        xycoords="axes fraction" if paper else "data",
        xytext=(0, POINT * note.get("yshift", 0)),
        textcoords="offset points",
        ha=note.get("xanchor", "center"),
        va={"top": "top", "bottom": "bottom"}.get(note.get("yanchor", ""), "center"),
        color=note.get("font", {}).get("color", NEUTRAL),
        fontweight="bold" if "<b>" in note["text"] else "normal",
    )


def _values(values: Any) -> np.ndarray:
    """Return the numbers of a trace, also from Plotly's packed format; NaN if missing."""
    if isinstance(values, Mapping):
        flat = np.frombuffer(base64.b64decode(values["bdata"]), np.dtype(values["dtype"]))
        shape = values.get("shape")
        return flat.reshape([int(n) for n in shape.split(",")]) if shape else flat
    return np.array(values, float)


def _colour(text: str) -> Any:
    """Convert a colour for Matplotlib, also "rgba(…)"."""
    if not text.startswith("rgba"):
        return text
    *colour, opacity = map(float, re.findall(r"[\d.]+", text))
    return *(part / 255 for part in colour), opacity


def _plain(text: str) -> str:
    """Return a text without tags; "$" is escaped, because Matplotlib would start a formula."""
    return re.sub(r"</?b>", "", text).replace("<br>", "\n").replace("$", r"\$")
