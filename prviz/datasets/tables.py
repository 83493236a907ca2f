"""Tables that somebody else wrote, with texts and gaps in them, and the points chosen of one."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from prviz.datasets.check import first_fault, numbers_of
from prviz.datasets.content import content_of
from prviz.datasets.fields import count, shown
from prviz.datasets.grid import Grid, counts_rows, grid_of
from prviz.datasets.lines import text_of
from prviz.datasets.mixed import Mixed, check_decimals
from prviz.datasets.npy import NPY, parse_npy
from prviz.datasets.parquet import PARQUET, parse_parquet
from prviz.datasets.points import Points
from prviz.datasets.scaling import SCALES, check_scale, scaled

MOST_NUMBERS = 25_000_000  # of a file: 200 MB
MOST_NAMED = 5  # in a sentence
LONGEST_NAME = 60  # characters
MISSING = ("stop", "drop")
NUMBERED = re.compile(r"column \d+")
COUNTED = "The unnamed first column, which counts rows, is left out."
COMMAS = "Decimal commas are read as points."


class Table(NamedTuple):
    """
    Columns of numbers, with gaps, saying where they came from.

    Parameters
    ----------
    values : ndarray of float64, shape (n, d)
        Finite, or NaN where a value is missing.
    columns : tuple of str
        What they are called, each otherwise; "column 1" and so on where the file has no names.
    lines : ndarray of int64, shape (n,)
        The line of the text on which each row stands; else the number of the row, from 1.
    name : str
        What to call the table on a page.
    source : str
        Whom to credit.
    notice : str
        Sentences that should be shown with it, on what was left out or changed; may be empty.
    """

    values: np.ndarray
    columns: tuple[str, ...]
    lines: np.ndarray
    name: str
    source: str
    notice: str = ""

    def missing(self) -> list[tuple[int, str]]:
        """Line and column of each value that is missing, line by line."""
        rows, columns = np.nonzero(np.isnan(self.values))
        lines = self.lines[rows].tolist()
        return [(line, self.columns[j]) for line, j in zip(lines, columns.tolist(), strict=True)]


def read_table(content: Any, name: str | None = None) -> Table:
    """
    Read the columns of numbers of a table.

    The format is told from the content: text with blanks, commas, semicolons or tabs, with a line
    of names or without; npy; parquet, which needs pyarrow; and gzip of any of these. Blank lines,
    lines of delimiters alone and lines that start with `#` are passed over.

    A value is missing where a field is empty, ``?``, ``NA``, ``N/A``, ``NaN``, ``None`` or
    ``null``, in small letters or capitals. Where a column has texts, it is left out if they are
    more than half of the values that it has, and `notice` names it; if they are fewer, the first
    is an error, as it must be a slip. Where no comma parts the fields, a comma in a number is a
    decimal one; a table that also has decimal points is an error, and so are thousands that are
    set apart, as it can't be known what is meant. Columns without a single value, and an unnamed
    first one that counts the rows, are left out.

    Parameters
    ----------
    content : str, bytes, Path, binary file, array_like or pandas.DataFrame
        The text itself, a file's content, a path, an open file, or the numbers.
    name : str, optional
        What to call the table; else the name of the file.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    TypeError, ValueError
        If there is no table of numbers; one sentence, with the line and column of the first fault.
    """
    if isinstance(content, str):
        content = content.encode(errors="replace")
    held, name = content_of(content, name)
    name = name or "your points"
    source = f"read from {name}" if held is not None else "given as an array"
    if held is None:
        read = _of_frame(content) if hasattr(content, "columns") else _of_array(content)
    elif held.startswith(NPY):
        read = _of_array(_checked_size(parse_npy(held)))
    elif held.startswith(PARQUET):
        read = _of_parquet(held)
    else:
        read = _of_text(held)
    fault = first_fault(np.where(np.isnan(read.values), 0.0, read.values))
    if fault is not None:
        row, column, what = fault
        raise ValueError(f"{_where(read.lines[row], read.columns[column])} is {what}.")
    return read._replace(name=name, source=source)


def points_of(
    table: Table,
    columns: Sequence[str] | None = None,
    scale: str = "none",
    missing: str = "stop",
) -> Points:
    """
    The points that some columns of a table make.

    Parameters
    ----------
    table : Table
    columns : sequence of str, optional
        Which, in which order; by default all.
    scale : {"none", "standard", "robust"}
        "standard" takes from each column its mean and divides it by its standard deviation,
        "robust" takes its median and divides by the range from its first to its third quartile. A
        column that is constant there is not divided, and `notice` names it.
    missing : {"stop", "drop"}
        What to do where one of these columns has no value: an error, or without these rows.

    Returns
    -------
    Points
        Of shape (n, d), n ≥ 1 and d ≥ 1; `columns` names the coordinates.

    Raises
    ------
    ValueError
        A value is missing, no row is left, there is no such column, or a word is not known: one
        sentence.
    """
    check_scale(scale)
    if missing not in MISSING:
        raise ValueError(f'missing must be "stop" or "drop", not {missing!r}.')
    chosen = _chosen(table, columns)
    values, dropped = _complete(chosen, missing)
    made, flat = scaled(np.ascontiguousarray(values), chosen.columns, scale)
    source = f"{table.source}; {SCALES[scale]}" if SCALES[scale] else table.source
    notice = " ".join(filter(None, [table.notice, dropped, flat]))
    return Points(made, table.name, source, notice=notice, columns=chosen.columns)


def _chosen(table: Table, columns: Sequence[str] | None) -> Table:
    """The table of these columns alone."""
    if columns is None:
        return table
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    if not names:
        raise ValueError("no column is chosen: choose at least one.")
    for i, name in enumerate(names):
        if name not in table.columns:
            raise ValueError(f'there is no column "{name}": there are {named(table.columns)}.')
        if name in names[:i]:
            raise ValueError(f'column "{name}" is chosen twice: choose each once.')
    at = [table.columns.index(name) for name in names]
    return table._replace(values=table.values[:, at], columns=names)


def _complete(table: Table, missing: str) -> tuple[np.ndarray, str]:
    """The rows in which no value is missing, and a notice of how many were dropped."""
    gaps = np.isnan(table.values)
    gapped = gaps.any(axis=1)
    if not gapped.any():
        return table.values, ""
    if missing == "stop":
        row, more = int(gapped.argmax()), int(gaps.sum()) - 1
        where = _where(table.lines[row], table.columns[int(gaps[row].argmax())])
        others = f", and {more} more {'is' if more == 1 else 'are'} missing" if more else ""
        raise ValueError(
            f"{where} has no value{others}: fill in what is missing, drop such rows "
            '(missing="drop"), or leave out such columns.'
        )
    if gapped.all():
        raise ValueError(
            f"every row has a missing value, from line {table.lines[0]} on: leave out the columns "
            "that have most."
        )
    dropped = table.lines[gapped]
    lines = ", ".join(map(str, dropped[:MOST_NAMED])) + (", …" if len(dropped) > MOST_NAMED else "")
    return table.values[~gapped], (
        f"Left out, as a value is missing: {len(dropped)} of {count(len(gapped), 'row')}, on "
        f"{'line' if len(dropped) == 1 else 'lines'} {lines}."
    )


def _of_text(content: bytes) -> Table:
    text = text_of(content, tabs=True)
    mixed = Mixed(commas=text.delimiter != ",")
    grid = grid_of(text, mixed, MOST_NUMBERS)
    names, notices = _header(grid)
    texts = _texts(mixed, grid.values, names)
    if mixed.comma is not None:
        if b"." in content:
            check_decimals(text, mixed.comma, {*range(len(names))} - {*texts})
        notices.append(COMMAS)
    values, lines = grid.values, np.array(grid.lines, np.int64)
    if any(names) and not names[0] and counts_rows(values[:, 0]):
        values, names, texts = values[:, 1:], names[1:], [j - 1 for j in texts]
        notices.append(COUNTED)
    return _table(values, names, lines, texts, notices)


def _of_frame(frame: Any) -> Table:
    """Of a DataFrame, of which columns of objects are read as texts are."""
    mixed, columns = Mixed(commas=False), []
    for j, dtype in enumerate(frame.dtypes):
        column = frame.iloc[:, j]
        if dtype.kind in "biuf":
            columns.append(column.to_numpy(dtype=np.float64, na_value=np.nan))
        else:
            fields = ["" if gap else str(x) for x, gap in zip(column, column.isna(), strict=True)]
            columns.append([mixed.number(i, j, field) for i, field in enumerate(fields, 1)])
    values = np.array(columns, np.float64).reshape(len(columns), len(frame)).T
    names = [shown(str(name), LONGEST_NAME) for name in frame.columns]
    return _table(values, names, _rows(frame), _texts(mixed, values, names))


def _of_array(array: Any) -> Table:
    values = numbers_of(array)
    mask = np.ma.getmask(array)
    if mask is not np.ma.nomask:
        values[mask] = np.nan
    return _table(values, [""] * values.shape[1], _rows(values))


def _of_parquet(content: bytes) -> Table:
    read = parse_parquet(content, MOST_NUMBERS)
    columns = [*read.columns, *(np.full(read.rows, np.nan) for _ in read.others)]
    names = [shown(name, LONGEST_NAME) for name in (*read.names, *read.others)]
    values = np.array(columns).reshape(len(names), read.rows).T
    return _table(values, names, _rows(values), range(len(read.names), len(names)))


def _rows(values: Any) -> np.ndarray:
    return np.arange(1, len(values) + 1)


def _header(grid: Grid) -> tuple[list[str], list[str]]:
    """The names of all columns, some of them empty, and what is to be said of that."""
    width = grid.values.shape[1]
    names = [shown(name, LONGEST_NAME) for name in grid.header or [""] * width]
    if len(names) == width - 1:  # a delimiter ends each line, or it begins with R's name of a row
        ends = np.isnan(grid.values[:, -1]).all()
        names = [*names, ""] if ends else ["", *names]
    while len(names) > width and not names[-1]:
        names.pop()
    if len(names) == width:
        return names, []
    said = f"The names above are {len(names)}, the columns {width}: so these are numbered."
    return [""] * width, [said]


def _texts(mixed: Mixed, values: np.ndarray, names: Sequence[str]) -> list[int]:
    """Columns of texts; an error where a text is a slip."""
    texts, slips = mixed.texts(values)
    if slips:
        (line, field), column = min((mixed.first[j], j) for j in slips)
        raise ValueError(
            f'{_where(line, names[column] or number_of(column))}: "{field}" is not a number: mend '
            "it, or leave the field empty if the value is missing."
        )
    if len(texts) == values.shape[1]:
        (line, field), column = min((mixed.first[j], j) for j in texts)
        raise ValueError(
            f'there is no column of numbers: line {line}, column {column + 1} is "{field}".'
        )
    return texts


def _table(
    values: np.ndarray,
    names: Sequence[str],
    lines: np.ndarray,
    texts: Collection[int] = (),
    notices: Sequence[str] = (),
) -> Table:
    """The columns that have numbers, under names of their own."""
    empty = {*np.flatnonzero(np.isnan(values).all(axis=0)).tolist()} - {*texts}
    kept = [j for j in range(len(names)) if j not in texts and j not in empty]
    names = apart([name or number_of(j) for j, name in enumerate(names)])
    said = [*notices]
    for left, why in ((sorted(texts), "as texts"), (sorted(empty), "as there is nothing in them")):
        if left:
            said.append(f"Left out {why}: {named([names[j] for j in left])}.")
    if not kept:
        raise ValueError("there is no number from line 1 on: give one point a line.")
    values = values if len(kept) == len(names) else values[:, kept]
    columns = tuple(names[j] for j in kept)
    return Table(np.ascontiguousarray(values), columns, lines, "", "", " ".join(said))


def apart(names: Sequence[str]) -> list[str]:
    """Names of which none comes twice."""
    taken: dict[str, None] = {}
    for name in names:
        number, tried = 1, name
        while tried in taken:
            number += 1
            tried = f"{name} ({number})"
        taken[tried] = None
    return [*taken]


def number_of(column: int) -> str:
    """What the column at an index is called that has no name."""
    return f"column {column + 1}"


def _where(line: int, column: str) -> str:
    return f"line {line}, " + (column if NUMBERED.fullmatch(column) else f'column "{column}"')


def named(names: Sequence[str]) -> str:
    """Names in a sentence; of many the first."""
    some = [f'"{name}"' for name in names[:MOST_NAMED]]
    more = len(names) - len(some)
    return ", ".join(some) + (f" and {more} more" if more else "")


def _checked_size(array: np.ndarray) -> np.ndarray:
    if array.size > MOST_NUMBERS:
        raise ValueError(
            f"the npy file has {array.size} numbers, and up to {MOST_NUMBERS // 10**6} million "
            "can be taken: give a sample of it."
        )
    return array
