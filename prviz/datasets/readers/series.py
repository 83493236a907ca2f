"""Read series from tables: rows are steps in time, and columns of numbers are variables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..types.series import Series
from .points import points_of
from .tables import Table, identifier_notice, notice_of, read_table, texts_notice
from .wording import count, named, where

_GERMAN = re.compile(r"^(\d\d)\.(\d\d)\.(\d{4})")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def read_series(
    content: Any,
    name: str | None = None,
    *,
    columns: Sequence[str] | None = None,
    by: str | None = None,
    scale: str = "none",
    missing: str = "stop",
    **options: Any,
) -> Series:
    """
    Read one or several series from a table, as :func:`prviz.datasets.read_table` reads it.

    Rows are steps in time, in the order of the file. Without ``columns``, all columns of numbers
    are read except columns that only number the rows, such as years.

    Parameters
    ----------
    content : str, Path, bytes, binary file, array_like or pandas.DataFrame
        A path, a text, the content of a file, an open file, or the numbers.
    name : str, optional
        Name of the series; the file's name by default.
    columns : sequence of str, optional
        Names of the columns to read.
    by : str, optional
        Name of a column: rows with the same value in it are one series.
    scale, missing
        As in :func:`prviz.datasets.points_of`.
    **options
        ``header``, ``delimiter``, ``decimal`` and ``thousands`` of a text.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    TypeError, ValueError
        The content is not a series of numbers. The message has the line and column.

    Examples
    --------
    >>> from prviz import datasets
    >>> datasets.read_series("year,rain\\n1990,1.5\\n1991,0.5\\n1992,2", columns=["rain"]).values
    array([[1.5],
           [0.5],
           [2. ]])
    """
    table = read_table(content, name, **options)
    values, notices = table, [_notice(table, columns, by)]
    if by is not None:
        values = _without(table, [by])
    if columns is None:
        counting = [each for each in values.columns if _counts(values, each)]
        if counting and len(counting) < len(values.columns):
            values = _without(values, counting)
            counts = identifier_notice(table.columns[0])
            notice = _notice(table, None, by).removesuffix(counts).rstrip()
            notices = [notice, f"Columns left out because they count the rows: {named(counting)}."]
        first = values.columns[0]
        if first == table.columns[0] and len(table.columns) > 1 and _rises(table, first, by):
            notices.append(
                f'Column "{first}" rises or falls in every row. Leave it out if it is a time.'
            )
    notices += [_order(table, by), _blank_line(table, by)]
    points = points_of(values._replace(notice=""), columns, scale, missing)
    kept = np.ones(len(table.lines), bool)
    if points.lines is not None:
        kept = np.isin(table.lines, points.lines)
    order, lengths = _grouped(_labels(table, by)[kept])
    T, d = points.points.shape
    parts = f" in {len(lengths)} series" if by else ""
    notices += [points.notice, f"Read {count(T, 'step')}{parts}: {named(points.columns)}."]
    return Series(
        np.ascontiguousarray(points.points[order]),
        lengths,
        table.name,
        table.source,
        points.columns or tuple(f"column {i + 1}" for i in range(d)),
        notice=" ".join(filter(None, notices)),
    )


def _notice(table: Table, columns: Sequence[str] | None, by: str | None) -> str:
    """Return a table's notice, without the remarks on columns that the user has chosen."""
    if columns is not None:
        return notice_of(table, (columns,) if isinstance(columns, str) else columns)
    notice = table.notice
    if by in table.texts:
        others = [each for each in table.texts if each != by]
        notice = notice.replace(
            texts_notice([*table.texts]), texts_notice(others) if others else ""
        )
    return notice.strip().replace("  ", " ")


def _without(table: Table, names: Sequence[str]) -> Table:
    kept = [j for j, each in enumerate(table.columns) if each not in names]
    if not kept:
        raise ValueError(f"there is no column of numbers besides {named(names)}.")
    return table._replace(
        values=table.values[:, kept], columns=tuple(table.columns[j] for j in kept)
    )


def _counts(table: Table, name: str) -> bool:
    """Return True if a column rises by the same number, 1 or more, in each row."""
    steps = np.diff(table.values[:, table.columns.index(name)])
    return len(steps) > 1 and bool((steps == steps[0]).all()) and steps[0] >= 1


def _labels(table: Table, by: str | None) -> np.ndarray:
    """Return the label of each row's series."""
    if by is None:
        return np.zeros(len(table.lines))
    if by in table.texts:
        labels = np.array(table.texts[by])
        return _complete_labels(labels, labels == "", table, by)
    if by not in table.columns:
        names = named([*table.columns, *table.texts])
        raise ValueError(f'there is no column "{by}": the columns are {names}.')
    labels = table.values[:, table.columns.index(by)]
    return _complete_labels(labels, np.isnan(labels), table, by)


def _complete_labels(labels: np.ndarray, empty: np.ndarray, table: Table, by: str) -> np.ndarray:
    if empty.any():
        place = where(table.lines[empty.argmax()], by)
        raise ValueError(f"{place} is empty: fill it, or remove the line.")
    return labels


def _rises(table: Table, name: str, by: str | None) -> bool:
    """Return True if a column rises in each row, or falls in each row, of each series."""
    labels = _labels(table, by)
    column = table.values[:, table.columns.index(name)]
    steps = np.diff(column)[labels[1:] == labels[:-1]]
    return len(steps) > 1 and bool((steps > 0).all() or (steps < 0).all())


def _blank_line(table: Table, by: str | None) -> str:
    """Return a notice if a blank line may be meant to separate two series."""
    gaps = np.diff(table.lines) > 1
    if by is not None or not gaps.any():
        return ""
    return (
        f"The blank line below line {table.lines[gaps.argmax()]} does not separate series: for "
        "several series, name a column with by."
    )


def _order(table: Table, by: str | None) -> str:
    """Return a notice if the rows are not in the order of a column of dates."""
    import pandas as pd

    for name, fields in table.texts.items():
        words = [_GERMAN.sub(r"\3-\2-\1", field) for field in fields]
        if name != by and all(map(_DATE.match, words)):
            times = pd.to_datetime(pd.Series(words), format="ISO8601", utc=True, errors="coerce")
            parts = times.groupby(_labels(table, by))
            if not all(part.is_monotonic_increasing and part.is_unique for _, part in parts):
                return (
                    f'Column "{name}" is not ascending; the steps have the order of the rows. Sort '
                    "the rows by time, and remove repeated times."
                )
    return ""


def _grouped(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return row numbers grouped by label, in order of first occurrence, and each label's count."""
    _, first, number = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))[number.ravel()]
    return np.argsort(rank, kind="stable"), np.bincount(rank)
