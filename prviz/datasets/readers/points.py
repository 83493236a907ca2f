"""Read points from tables: choose and scale columns, and drop rows with missing values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..check import check_points
from ..scaling import SCALES, check_scale, scaled
from ..types.points import Points
from .content import content_of
from .tables import Table, notice_of, read_table
from .wording import MOST_NAMED, count, named, where

MISSING = ("stop", "drop")


def read_points(
    path_or_bytes: Any,
    name: str | None = None,
    *,
    columns: Sequence[str] | None = None,
    scale: str = "none",
    missing: str = "stop",
    **options: Any,
) -> Points:
    """
    Read points from a file, from its content, or from an array.

    A file is read as :func:`prviz.datasets.read_table` reads it; its rows are the points.

    Parameters
    ----------
    path_or_bytes : str, Path, bytes, binary file, array_like or pandas.DataFrame
        A path, a text with line breaks, the content of a file, an open file, or the points.
    name : str, optional
        Name of the set; the file's name by default.
    columns, scale, missing
        As in :func:`points_of`.
    **options
        ``header``, ``delimiter``, ``decimal`` and ``thousands`` of a text.

    Returns
    -------
    Points
        Of shape (n, d), n ≥ 1 and d ≥ 1.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    TypeError, ValueError
        The content is not points. The message has the line and column.

    Examples
    --------
    >>> from prviz import datasets
    >>> datasets.read_points(b"x,y\\n1,2\\n3,4").points.tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    held, name = content_of(path_or_bytes, name)
    if held is None and not hasattr(path_or_bytes, "columns"):
        points = check_points(path_or_bytes)
        return Points(points, name or "your points", "given as an array")
    return points_of(
        read_table(path_or_bytes if held is None else held, name, **options),
        columns,
        scale,
        missing,
    )


def points_of(
    table: Table,
    columns: Sequence[str] | None = None,
    scale: str = "none",
    missing: str = "stop",
) -> Points:
    """
    Choose the columns of a table that are the coordinates of points.

    Parameters
    ----------
    table : Table
    columns : sequence of str, optional
        Names of the columns, in order. All columns if None.
    scale : {"none", "standard", "robust"}
        "standard" subtracts each column's mean and divides by its standard deviation, "robust"
        subtracts the median and divides by the interquartile range. A column without spread is
        not divided, and `notice` names it.
    missing : {"stop", "drop"}
        Raise an error if a value is missing, or drop rows with missing values.

    Returns
    -------
    Points
        Of shape (n, d), n ≥ 1 and d ≥ 1; `columns` names the coordinates.

    Raises
    ------
    ValueError
        A value is missing, no row is left, or an argument is invalid.
    """
    check_scale(scale)
    if missing not in MISSING:
        raise ValueError(f'missing must be "stop" or "drop", got {missing!r}.')
    chosen = table if columns is None else _chosen(table, columns)
    values, lines, dropped = _complete(chosen, missing)
    made, flat, scaling = scaled(np.ascontiguousarray(values), chosen.columns, scale)
    source = f"{table.source}; {SCALES[scale]}" if SCALES[scale] else table.source
    notice = " ".join(filter(None, [chosen.notice, dropped, flat]))
    return Points(
        made,
        table.name,
        source,
        notice=notice,
        columns=chosen.columns,
        lines=lines,
        scaling=scaling,
    )


def _chosen(table: Table, columns: Sequence[str]) -> Table:
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    if not names:
        raise ValueError("choose at least one column.")
    for name in names:
        if name not in table.columns:
            raise ValueError(
                f'there is no column "{name}": the columns are {named(table.columns)}.'
            )
        if names.count(name) > 1:
            raise ValueError(f'column "{name}" is chosen twice.')
    at = [table.columns.index(name) for name in names]
    return table._replace(values=table.values[:, at], columns=names, notice=notice_of(table, names))


def _complete(table: Table, missing: str) -> tuple[np.ndarray, np.ndarray | None, str]:
    """Return the rows without missing values, their lines if some were dropped, and a notice."""
    gaps = np.isnan(table.values)
    gapped = gaps.any(axis=1)
    if not gapped.any():
        return table.values, None, ""
    if missing == "stop":
        row, more = int(gapped.argmax()), int(gaps.sum()) - 1
        place = where(table.lines[row], table.columns[int(gaps[row].argmax())])
        others = f", and {more} more {'is' if more == 1 else 'are'} missing" if more else ""
        raise ValueError(
            f"{place} has no value{others}: fill in the missing values, drop these rows "
            '(missing="drop"), or leave out these columns.'
        )
    if gapped.all():
        raise ValueError(
            f"every row has a missing value, from line {table.lines[0]} on: leave out the "
            f"columns with the most missing values."
        )
    dropped = table.lines[gapped]
    lines = ", ".join(map(str, dropped[:MOST_NAMED])) + (", …" if len(dropped) > MOST_NAMED else "")
    notice = (
        f"Rows dropped because of missing values: {len(dropped)} of {count(len(gapped), 'row')} "
        f"({'line' if len(dropped) == 1 else 'lines'} {lines})."
    )
    return table.values[~gapped], np.asarray(table.lines)[~gapped], notice
