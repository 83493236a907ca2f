"""Read tables from other programs: columns of numbers, with names, texts and missing values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..check import first_fault, numbers_of
from .binary import NPY, PARQUET, read_npy, read_parquet
from .content import content_of
from .text import DELIMITERS, MISSING, Layout, decode, frame_of, layout_of, notation
from .wording import column_names, named, shown, where

_MINUS = re.compile(r"−(?=[\d.,])")
#: One number with other characters around it: "10%", "$1.50", "'7", "(3)".
_MARKED = re.compile(r"[^\w\s.]*\s?[+-]?\d+(?:[,']\d{3})*(?:[.,]\d+)?\s?[^\w\s.]*")
#: Names such as "ID", "customer_id", "orderId" and "index", but not "paid" or "grid".
_IDENTIFIER = re.compile(r"^(?:.*[\W_])?(?i:id|index|key)$|[a-z]I[dD]$")
MOST_NUMBERS = 25_000_000  # limit of numbers in a file; so many take 200 MB


class Table(NamedTuple):
    """
    A table of numbers, some of which may be missing, and its source.

    Parameters
    ----------
    values : ndarray of float64, shape (n, d)
        Finite numbers; NaN for a missing value.
    columns : tuple of str
        Unique names; "column 1" and so on if the file has no names.
    lines : ndarray of int64, shape (n,)
        The line of each row in a text file; for other data the row number, from 1.
    name : str
        Name to show on a page.
    source : str
        Source to credit, and how the file was read.
    notice : str
        Parts of the file that were left out or changed; may be empty.
    texts : dict of str to tuple of str
        Text columns, which are not among the values.
    """

    values: np.ndarray
    columns: tuple[str, ...]
    lines: np.ndarray
    name: str
    source: str
    notice: str = ""
    texts: dict[str, tuple[str, ...]] = {}  # noqa: RUF012

    def missing(self) -> list[tuple[int, str]]:
        """Return line and column of each missing value, line by line."""
        rows, columns = np.nonzero(np.isnan(self.values))
        lines = self.lines[rows].tolist()
        return [(line, self.columns[j]) for line, j in zip(lines, columns.tolist(), strict=True)]


def read_table(
    content: Any,
    name: str | None = None,
    *,
    header: bool | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
) -> Table:
    """
    Read the columns of numbers of a table.

    The format is recognised from the content: text (read by pandas), npy or parquet, also gzipped.
    Lines above the table that begin with `#` are comments. Columns of texts and an unnamed first
    column of row numbers are left out, and `notice` names them. A text in a column of numbers is
    an error, and so are numbers that can be read in two ways ("1,234").

    Parameters
    ----------
    content : str, Path, bytes, binary file, array_like or pandas.DataFrame
        A path, a text, the content of a file, an open file, or the numbers.
    name : str, optional
        Name of the table; the file's name by default.
    header : bool, optional
        Whether the first row has names. Detected if None.
    delimiter : str, optional
        One character, or " " for any blanks. Detected if None.
    decimal, thousands : str, optional
        Decimal sign ("." or ",") and thousands separator. Detected if None.

    Returns
    -------
    Table

    Raises
    ------
    FileNotFoundError
        There is no such file.
    TypeError, ValueError
        The content is not a table of numbers. The message has the line and column.

    Examples
    --------
    >>> from prviz import datasets
    >>> datasets.read_table("x;y\\n1,5;2\\n2,5;4").values.tolist()
    [[1.5, 2.0], [2.5, 4.0]]
    """
    held, name = content_of(content, name)
    name = name or "your points"
    source = "given as an array" if held is None else f"read from {name}"
    if held is None and hasattr(content, "columns"):
        read = _of_frame(content, [])
    elif held is None or held.startswith(NPY):
        array = content if held is None else read_npy(held, MOST_NUMBERS)
        values = numbers_of(array)
        values[np.ma.getmask(array)] = np.nan
        n, d = values.shape
        read = Table(values, column_names([""] * d), np.arange(1, n + 1), "", "")
    elif held.startswith(PARQUET):
        read = _of_frame(*read_parquet(held, MOST_NUMBERS))
    else:
        text, notices = decode(held)
        text = _MINUS.sub("-", text)
        layout = layout_of(text, header, delimiter, decimal, thousands)
        by = DELIMITERS.get(layout.delimiter or "", "blanks")
        given = "without" if layout.names is None else "with"
        source = f"{source} (separated by {by}, {given} a header row)"
        read = _of_text(text, layout, notices + layout.notices)
    fault = first_fault(np.where(np.isnan(read.values), 0.0, read.values))
    if fault is not None:
        row, column, what = fault
        raise ValueError(f"{where(read.lines[row], read.columns[column])} is {what}.")
    return read._replace(name=name, source=source)


def _of_text(text: str, layout: Layout, notices: list[str]) -> Table:
    frame, lines = frame_of(text, layout, MOST_NUMBERS)
    blank = frame.isna().all(axis=1).to_numpy()
    if blank.all():
        raise ValueError(
            f"the file has no rows of values from line {layout.line} on: give one point per line."
        )
    empty = int(blank.sum()) - len(re.findall(r"(?m)^[ \t;,|]*$", text[layout.start :]))
    if empty > 0:
        notices = [*notices, f"Empty rows left out ({empty})."]
    frame, names, width = frame[~blank], layout.names or [], layout.width
    # in R's files, the column of row names has no name; other programs end lines with a delimiter
    if names and len(names) == width - 1:
        names = [*names, ""] if frame.iloc[:, -1].isna().all() else ["", *names]
    if any(names[width:]):
        raise ValueError(
            f"line {layout.line - 1} has {len(names)} names but the rows have {width} columns: "
            "give every column a name."
        )
    return _table(frame, (names + [""] * width)[:width], lines[~blank], notices)


def _of_frame(frame: Any, notices: list[str]) -> Table:
    if not len(frame):
        raise ValueError("the table has no rows: give at least one point.")
    return _table(frame, [*map(str, frame.columns)], np.arange(1, len(frame) + 1), notices)


def _table(frame: Any, names: Sequence[str], lines: np.ndarray, notices: list[str]) -> Table:
    """Return the columns of numbers under unique names."""
    n, width = frame.shape
    unique, notices = column_names(names), [*notices]
    values, kept, texts, empty = _columns(frame, unique, lines)
    if 0 in kept[:-1] and not names[0] and any(names) and _is_index(values[:, 0]):
        kept.remove(0)
        notices.append("The unnamed first column of row numbers is left out. Name it to keep it.")
    while empty and empty[-1] == width - 1 and not names[empty[-1]]:  # a delimiter ends each line
        width = empty.pop()
    words = {unique[j]: frame.iloc[:, j].astype("string").fillna("").str.strip() for j in texts}
    truth = [j for j in kept if _is_truth(frame.iloc[:, j])]
    if truth:
        notices.append(f"True and false are read as 1 and 0: {named([unique[j] for j in truth])}.")
    if texts:
        notices.append(texts_notice([unique[j] for j in texts]))
    if empty:
        notices.append(f"Empty columns left out: {named([unique[j] for j in empty])}.")
    if not kept:
        seen = f' (line {lines[0]}, column 1 is "{shown(str(frame.iat[0, 0]))}")' if texts else ""
        raise ValueError(f"there is no column of numbers{seen}: give one point per line.")
    notices += _doubts(values[:, kept], lines, names, words)
    if 0 in kept[:-1] and n > 2 and _identifies(names[0], values[:, 0]):  # last, see notice_of
        notices.append(identifier_notice(unique[0]))
    return Table(
        np.ascontiguousarray(values[:, kept]),
        tuple(unique[j] for j in kept),
        lines,
        "",
        "",
        " ".join(notices),
        {name: tuple(column) for name, column in words.items()},
    )


def _doubts(
    values: np.ndarray, lines: np.ndarray, names: Sequence[str], words: dict[str, Any]
) -> list[str]:
    """Return notices about marked numbers, a row of totals, and a second header row."""
    notices = []
    marked = [name for name in words if all(map(_MARKED.fullmatch, filter(None, words[name])))]
    if marked:
        field = next(filter(None, words[marked[0]]))
        notices.append(
            f'Remove the signs from numbers such as "{shown(field)}" to read {named(marked)}.'
        )
    if len(values) > 3 and _is_total(values):
        notices.append(
            f"The last row (line {lines[-1]}) has the sums or means of the rows above. Remove it "
            "if it is a total."
        )
    if twice := [name for name, times in Counter(names).items() if name and times > 1]:
        notices.append(f"Repeated column names are numbered: {named(twice)}. Keep one header row.")
    return notices


def texts_notice(names: Sequence[str]) -> str:
    """Return the notice that columns of texts are left out."""
    return f"Text columns left out: {named(names)}."


def identifier_notice(name: str) -> str:
    """Return the warning that the first column may not be a coordinate."""
    return f'Column "{name}" looks like an identifier. Leave it out if it is one.'


def notice_of(table: Table, columns: Sequence[str]) -> str:
    """Return a table's notice, without warnings about columns that the user has not chosen."""
    notice = table.notice
    if table.columns[0] not in columns:
        notice = notice.removesuffix(identifier_notice(table.columns[0]))
    return notice.replace(texts_notice([*table.texts]), "").strip().replace("  ", " ")


def _columns(
    frame: Any, names: Sequence[str], lines: np.ndarray
) -> tuple[np.ndarray, list[int], list[int], list[int]]:
    """Return all values, and the indices of columns of numbers, text columns, and empty columns."""
    n, width = frame.shape
    values, slips = np.empty((n, width)), []
    kept: list[int] = []
    texts: list[int] = []
    empty: list[int] = []
    for j in range(width):
        values[:, j], text = _numbers(frame.iloc[:, j])
        numbers, first = n - int(np.isnan(values[:, j]).sum()), int(text.argmax())
        if text.any() and (text.sum() <= numbers or notation(str(frame.iat[first, j]))):
            slips.append((_odd(frame.iloc[:, j]), j))
        else:
            (texts if text.any() else kept if numbers else empty).append(j)
    if slips:
        row, j = min(slips)
        raise ValueError(f"{where(lines[row], names[j])}: {_fault(str(frame.iat[row, j]))}")
    return values, kept, texts, empty


def _numbers(column: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of a column, NaN elsewhere, and the positions of texts."""
    import pandas as pd

    if column.dtype.kind in "biuf":
        return column.to_numpy(np.float64, na_value=np.nan), np.zeros(len(column), bool)
    fields = column.astype("string").str.strip().str.lower()
    given = ~(fields.isna() | fields.isin(MISSING)).to_numpy(bool)
    if given.any() and fields[given].isin(["true", "false"]).all():
        fields = fields.map({"true": "1", "false": "0"})
    values = pd.to_numeric(fields, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    return values, given & np.isnan(values)


def _odd(column: Any) -> int:
    """Return the index of the first field that is no number, or else has the rarest format."""
    fields = column.astype("string").fillna("")
    forms = fields.map(lambda field: "1" if field.lower() in MISSING else notation(field))
    times = Counter(forms[forms != "1"])
    rarest = min(times, key=lambda form: (form != "", times[form]))
    return int((forms == rarest).to_numpy().argmax())


def _fault(field: str) -> str:
    if notation(field):
        return (
            f'"{shown(field)}" has a different format than the numbers above. Pass decimal= and '
            "thousands=, or use one format for all numbers."
        )
    return (
        f'"{shown(field)}" is not a number. Correct it, or leave the field empty if the value is '
        "missing."
    )


def _identifies(name: str, column: np.ndarray) -> bool:
    """Return True if a column counts the rows, or has the name and the values of an identifier."""
    if column[0] in (0, 1) and (column == column[0] + np.arange(len(column))).all():
        return True
    whole = bool((column == np.rint(column)).all())
    return whole and len(np.unique(column)) == len(column) and bool(_IDENTIFIER.search(name))


def _is_truth(column: Any) -> bool:
    """Return True if the values of a column are true, false or missing."""
    if column.dtype.kind in "iuf":
        return False
    given = column.dropna().astype("string").str.strip().str.lower()
    return bool(given[~given.isin(MISSING)].isin(["true", "false"]).all())


def _is_total(values: np.ndarray) -> bool:
    """Return True if the last row has the sums or the means of the rows above."""
    above, last = values[:-1], values[-1]
    with np.errstate(all="ignore"):  # infinite values are reported later
        sums = above.sum(axis=0)
        alike = [np.allclose(last, each, atol=0.0) for each in (sums, sums / len(above))]
    return any(alike) and not bool((above == above[0]).all())


def _is_index(column: np.ndarray) -> bool:
    """Return True for distinct whole numbers, which pandas and R use to number rows."""
    return bool((column == np.round(column)).all()) and len(np.unique(column)) == len(column)
