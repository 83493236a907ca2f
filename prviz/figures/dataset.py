"""Draw data sets: points as dots, series as lines, all others as heat maps."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..datasets.types.couplings import Couplings
from ..datasets.types.examples import Examples
from ..datasets.types.matrices import Dissimilarities
from ..datasets.types.pictures import Pictures
from ..datasets.types.points import Points
from ..datasets.types.series import Series
from ..datasets.types.strings import Corpus, Symbols
from .style import FULL, NEUTRAL, Figure, base_layout, graph_objects

MOST_POINTS = 800  # drawn points
MOST_ROWS = 200  # drawn rows of a table
LONGEST_ROW = 512  # drawn symbols per string, if there are several strings
LINE = 64  # symbols per line, if there is one string
MOST_LINES = 6  # drawn columns of a series
ACROSS, DOWN = 12, 5  # size of a wall of pictures: pictures per row, rows
INK, PAPER = "#222222", "#FFFFFF"


def some(values: np.ndarray, most: int) -> np.ndarray:
    """Return at most ``most`` rows, evenly spaced, in order."""
    return values[np.unique(np.linspace(0, len(values) - 1, min(most, len(values))).astype(int))]


def plot_points(points: np.ndarray, centres: np.ndarray | None = None) -> Figure:
    """Draw the first two columns of points, and the true centres if known.

    Parameters
    ----------
    points : (n, d) float64
    centres : (k, d) float64, optional

    Returns
    -------
    plotly.graph_objects.Figure
    """
    go = graph_objects()

    d = points.shape[1]
    names = [f"column {i} of {d}" if d > 2 else "xy"[i - 1] for i in (1, 2)]
    figure = go.Figure(layout=base_layout(names[0], names[1] if d > 1 else ""))
    shown = some(points, MOST_POINTS)
    words = f"{len(shown)} of {len(points)} points" if len(shown) < len(points) else "points"
    for rows, name, symbol, size in ((shown, words, "circle", 3), (centres, "truth", "diamond", 6)):
        if rows is None:
            continue
        figure.add_scatter(
            x=rows[:, 0],
            y=rows[:, 1] if d > 1 else np.zeros(len(rows)),
            name=name,
            mode="markers",
            marker={"color": FULL if name == "truth" else NEUTRAL, "size": size, "symbol": symbol},
            hoverinfo="skip",
        )
    figure.update_layout(showlegend=centres is not None or len(shown) < len(points))
    figure.update_yaxes(visible=d > 1)
    return figure


def plot_table(
    rows: np.ndarray, x_title: str, y_title: str, *, ratio: float = 0.5, most: int = MOST_ROWS
) -> Figure:
    """Draw a table as a heat map, the first row on top; of many rows, draw a sample.

    Parameters
    ----------
    rows : (n, m) array of numbers
    x_title, y_title : str
    ratio : float
        Height over width.
    most : int
        Largest number of rows.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    go = graph_objects()

    n = len(rows)
    shown = some(np.asarray(rows), most)
    if n > len(shown):
        y_title = f"{y_title}, {len(shown)} of {n}"
    figure = go.Figure(layout=base_layout(x_title, y_title))
    figure.add_heatmap(
        z=shown.astype(float), colorscale=[[0, PAPER], [1, INK]], showscale=False, hoverinfo="z"
    )
    figure.update_layout(meta={"ratio": ratio}, height=round(700 * ratio))
    figure.update_yaxes(autorange="reversed")
    return figure


def plot_symbols(sequence: np.ndarray, n_symbols: int) -> Figure:
    """Draw a string line by line, one shade per symbol."""
    lines = math.ceil(len(sequence) / LINE)
    rows = np.full(lines * LINE, np.nan)
    rows[: len(sequence)] = sequence
    width = min(LINE, len(sequence))
    shown = rows.reshape(lines, LINE)[:, :width]
    words = f"position in a line of {width}; {n_symbols} symbols, one shade each"
    return plot_table(shown, words, "line", ratio=0.12 + 0.02 * min(lines, 20))


def plot_corpus(sequence: np.ndarray, lengths: np.ndarray, n_symbols: int) -> Figure:
    """Draw the beginnings of strings as rows, one shade per symbol."""
    width = int(min(LONGEST_ROW, lengths.max()))
    strings = some(np.stack([np.cumsum(lengths) - lengths, lengths], axis=1), MOST_ROWS)
    rows = np.full((len(strings), width), np.nan)
    for row, (start, length) in zip(rows, strings, strict=True):
        length = min(width, length)
        row[:length] = sequence[start : start + length]
    few = "" if len(rows) == len(lengths) else f", {len(rows)} of {len(lengths)}"
    words = f"position in a string; {n_symbols} symbols, one shade each"
    return plot_table(rows, words, f"string{few}")


def plot_series(values: np.ndarray, lengths: np.ndarray, columns: tuple[str, ...]) -> Figure:
    """Draw the columns of series as lines; several series follow each other, with gaps."""
    go = graph_objects()

    gaps = np.cumsum(lengths)[:-1]
    figure = go.Figure(layout=base_layout("step", columns[0] if len(columns) == 1 else ""))
    for name, column in zip(columns[:MOST_LINES], values.T, strict=False):
        y = np.insert(column, gaps, np.nan)
        figure.add_scatter(y=y, name=name, mode="lines", line={"width": 1})
    figure.update_layout(showlegend=len(columns) > 1)
    return figure


def plot_pictures(points: np.ndarray, shape: tuple[int, int], ink: bool) -> Figure:
    """Draw the first pictures as a wall; high values are dark if ``ink`` is True."""
    h, w = shape
    shown = points[: ACROSS * DOWN].reshape(-1, h, w)
    down = math.ceil(len(shown) / ACROSS)
    wall = np.full((down * h, ACROSS * w), np.nan)
    for i, picture in enumerate(shown):
        row, column = divmod(i, ACROSS)
        wall[row * h : (row + 1) * h, column * w : (column + 1) * w] = picture
    ratio = max(0.1, down * h / (ACROSS * w))
    words = f"the first {len(shown)} of {len(points)}"
    figure = plot_table(wall, words, "", ratio=ratio, most=len(wall))
    if not ink:
        figure.update_traces(colorscale=[[0, INK], [1, PAPER]])
    figure.update_xaxes(showticklabels=False)
    figure.update_yaxes(visible=False)
    return figure


def _of_matrix(data: Dissimilarities) -> Figure:
    columns = some(data.matrix.T, MOST_ROWS).T
    few = "" if len(columns) == columns.shape[1] else f", {columns.shape[1]} of {len(columns)}"
    return plot_table(columns, f"medoid{few}", "point", ratio=0.8)


def _of_couplings(data: Couplings) -> Figure:
    n = min(len(data.fields), MOST_ROWS)
    first = (data.pairs < n).all(axis=1)
    J = np.zeros((n, n))
    J[tuple(data.pairs[first].T)] = data.weights[first]
    words = "spin" if n == len(data.fields) else f"spin, the first {n} of {len(data.fields)}"
    figure = plot_table(J + J.T, words, "J: dark if positive, light if negative", ratio=0.8)
    figure.update_traces(zmid=0)
    return figure


DATA_FIGURES: dict[type, Callable[[Any], Any]] = {
    Points: lambda data: plot_points(data.points, data.centers),
    Symbols: lambda data: plot_symbols(data.sequence, len(data.alphabet)),
    Corpus: lambda data: plot_corpus(data.sequence, data.lengths, len(data.alphabet)),
    Series: lambda data: plot_series(
        data.values, data.lengths, data.columns or ("value",) * data.values.shape[1]
    ),
    Pictures: lambda data: plot_pictures(data.points, data.shape, data.ink),
    Examples: lambda data: plot_table(data.examples, "visible unit", "example"),
    Dissimilarities: _of_matrix,
    Couplings: _of_couplings,
}
