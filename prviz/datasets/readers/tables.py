"""Tables that other programs wrote: columns of numbers, with names, texts and missing values."""

from __future__ import annotations

import io
import re
from typing import Any, NamedTuple

import numpy as np

from ..check import first_fault, numbers_of
from .binary import NPY, PARQUET, read_npy, read_parquet
from .content import content_of
from .text import MISSING, NUMBER, Layout, Refused, decode, is_number, layout_of
from .wording import apart, count, named, number_of, shown, where

MOST_NUMBERS = 25_000_000  # of a file: 200 MB
LONGEST_NAME = 60  # characters
TRUTH = {"true": 1.0, "false": 0.0}
_WORDS = [*{w for word in MISSING if word for w in (word, word.upper(), word.title())}]


class Table(NamedTuple):
    """
    Columns of numbers, with gaps, saying where they came from.

    Parameters
    ----------
    values : ndarray of float64, shape (n, d)
        Finite, or NaN where a value is missing.
    columns : tuple of str
        Unique names; "column 1" and so on where the file has none.
    lines : ndarray of int64, shape (n,)
        The line of the text on which each row stands; else the number of the row, from 1.
    name : str
        What to call the table on a page.
    source : str
        Whom to credit, and how the file was read.
    notice : str
        What was left out or changed, and should be shown; may be empty.
    texts : dict of str to tuple of str
        The columns of texts, which are not among the values.
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

    The format is recognised from the content: text, read by pandas; npy; parquet; gzip of these.
    Lines above the table that begin with `#` are comments. Columns of texts and an unnamed first
    column of row numbers are left out, and `notice` names them. A text in a column of numbers is
    an error, and so are numbers that can be read in two ways ("1,234").

    Parameters
    ----------
    content : str, bytes, Path, binary file, array_like or pandas.DataFrame
        The text itself, a file's content, a path, an open file, or the numbers.
    name : str, optional
        What to call the table; else the name of the file.
    header : bool, optional
        Whether the first row has names. Recognised if None.
    delimiter : str, optional
        One character, " " for any blanks. Recognised if None.
    decimal, thousands : str, optional
        The decimal sign ("." or ",") and the sign between groups of digits. Recognised if None.

    Returns
    -------
    Table

    Raises
    ------
    FileNotFoundError
        There is no such file.
    TypeError, ValueError
        There is no table of numbers; one sentence with line and column of the first fault.

    Examples
    --------
    >>> from prviz import datasets
    >>> datasets.read_table("x;y\\n1,5;2\\n2,5;4").values.tolist()
    [[1.5, 2.0], [2.5, 4.0]]
    """
    if isinstance(content, str):
        content = content.encode(errors="replace")
    held, name = content_of(content, name)
    name = name or "your points"
    if held is None:
        source = "given as an array"
        read = _of_frame(content) if hasattr(content, "columns") else _of_array(content)
    elif held.startswith(NPY):
        source, read = f"read from {name}", _of_array(_checked_size(read_npy(held)))
    elif held.startswith(PARQUET):
        source, read = f"read from {name}", _of_frame(read_parquet(held, MOST_NUMBERS), True)
    else:
        text, notices = decode(held)
        layout = layout_of(text, header, delimiter, decimal, thousands)
        layout.notices[:0] = notices
        source = f"read from {name} ({layout.words})"
        read = _of_text(text, layout)
    fault = first_fault(np.where(np.isnan(read.values), 0.0, read.values))
    if fault is not None:
        row, column, what = fault
        raise ValueError(f"{where(read.lines[row], read.columns[column])} is {what}.")
    return read._replace(name=name, source=source)


def frame_of(text: str, layout: Layout, **options: Any) -> Any:
    """Read the rows of a text as a pandas DataFrame, blank lines as rows without values."""
    import pandas as pd

    lines = text.count("\n", layout.start)
    if lines * layout.width > MOST_NUMBERS:
        raise Refused(
            f"the file has {lines} lines of {layout.width} columns, and up to "
            f"{MOST_NUMBERS // 10**6} million numbers can be read: give a sample of it."
        )
    stream = io.StringIO(text)
    stream.seek(layout.start)
    try:
        return pd.read_csv(
            stream,
            sep=r"\s+" if layout.delimiter is None else layout.delimiter,
            header=None,
            names=range(layout.width),
            decimal=layout.decimal,
            thousands=layout.thousands,
            na_values=_WORDS,
            skip_blank_lines=False,
            skipinitialspace=True,
            low_memory=False,
            **options,
        )
    except (ValueError, OverflowError) as error:
        raise ValueError(_parsing(str(error), layout)) from None


def lines_of(frame: Any, text: str, layout: Layout) -> np.ndarray:
    """Return the line on which each row of :func:`frame_of` begins."""
    lines = layout.line + np.arange(len(frame), dtype=np.int64)
    if '"' in text:  # a quoted field may span lines
        for column in frame.select_dtypes(exclude=["number", "bool"]):
            breaks = frame[column].astype("string").str.count("\n").fillna(0).to_numpy(np.int64)
            lines[1:] += breaks.cumsum()[:-1]
    return lines


def _parsing(error: str, layout: Layout) -> str:
    """Return the message of pandas' parser, with the line of the file."""
    if found := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", error):
        wanted, line, saw = map(int, found.groups())
        return (
            f"line {layout.line + line - 1} has {count(saw, 'column')} but the lines above have "
            f"{wanted}: give every line equally many."
        )
    if found := re.search(r"EOF inside string starting at row (\d+)", error):
        return f"line {layout.line + int(found[1])}: a quotation mark is never closed."
    return f"the table cannot be read ({shown(error, 80).rstrip('.')})."


def _of_text(text: str, layout: Layout) -> Table:
    """Return the columns of a text."""
    frame = frame_of(text, layout)
    lines = lines_of(frame, text, layout)
    blank = frame.isna().all(axis=1).to_numpy()
    notices = [*layout.notices]
    empty = int(blank.sum()) - len(re.findall(r"(?m)^[ \t;,|]*$", text[layout.start :]))
    if empty > 0:
        notices.append(f"Rows without any value are left out ({empty}).")
    if blank.all():
        raise ValueError(
            f"the file has no row of values from line {layout.line} on: give one point a line."
        )
    frame = frame[~blank]
    return _table(frame, _names(layout, frame), lines[~blank], notices)


def _numbers(column: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of a column, NaN elsewhere; and where it has texts."""
    if column.dtype.kind in "biuf":
        return column.to_numpy(dtype=np.float64, na_value=np.nan), np.zeros(len(column), bool)
    fields = column.astype("string").str.strip()
    sound = fields.str.fullmatch(NUMBER).to_numpy(bool, na_value=False)
    values = np.full(len(fields), np.nan)
    values[sound] = fields[sound].astype("float64")
    gaps = (fields.isna() | fields.str.lower().isin(MISSING)).to_numpy(bool)
    texts = ~(sound | gaps)
    truth = fields.str.lower().map(TRUTH).to_numpy(np.float64, na_value=np.nan)
    if texts.any() and not sound.any() and not np.isnan(truth[texts]).any():
        return truth, np.zeros(len(fields), bool)
    return values, texts


def _names(layout: Layout, frame: Any) -> list[str]:
    """Return a name for each column, some of them empty."""
    names = [shown(name, LONGEST_NAME) for name in layout.names or ()]
    width = frame.shape[1]
    if names and len(names) == width - 1:  # R's names of rows, or a delimiter that ends each line
        names = [*names, ""] if frame.iloc[:, -1].isna().all() else ["", *names]
    while len(names) > width and not names[-1]:
        names.pop()
    if len(names) > width:
        raise ValueError(
            f"line {layout.line - 1} has {len(names)} names but the rows have {width} columns: "
            "give every column one name."
        )
    return names + [""] * (width - len(names))


def _of_frame(frame: Any, of_file: bool = False) -> Table:
    """Return a DataFrame; of a file, its index is no column of it."""
    notices = []
    index = frame.index
    if of_file and (
        index.name is not None
        or index.dtype.kind not in "iu"
        or not (index == np.arange(len(index))).all()
    ):
        notices.append(f'The index "{index.name or "of the rows"}" is left out.')
    names = [shown(str(name), LONGEST_NAME) for name in frame.columns]
    frame = frame.set_axis(range(frame.shape[1]), axis=1)
    return _table(frame, names, np.arange(1, len(frame) + 1), notices)


def _of_array(array: Any) -> Table:
    values = numbers_of(array)
    mask = np.ma.getmask(array)
    if mask is not np.ma.nomask:
        values[mask] = np.nan
    columns = tuple(map(number_of, range(values.shape[1])))
    return Table(values, columns, np.arange(1, len(values) + 1), "", "")


def _table(frame: Any, names: list[str], lines: np.ndarray, said: list[str]) -> Table:
    """Return the columns that have numbers, under unique names."""
    n, width = frame.shape
    unique = apart([name or number_of(j) for j, name in enumerate(names)])
    values, texts, slips, empty = np.empty((n, width)), [], [], []
    for j in range(width):
        values[:, j], text = _numbers(frame.iloc[:, j])
        numbers = n - int(np.isnan(values[:, j]).sum())
        first = str(frame.iat[int(text.argmax()), j])
        if text.any() and (text.sum() <= numbers or is_number(first)):
            slips.append((int(text.argmax()), j))
        elif text.any():
            texts.append(j)
        elif not numbers:
            empty.append(j)
    if slips:
        row, j = min(slips)
        raise ValueError(f"{where(lines[row], unique[j])}: {_fault(str(frame.iat[row, j]))}")
    truth = [j for j in range(width) if frame.dtypes.iloc[j].kind == "b" and j not in texts]
    if truth:
        said = [*said, f"True and false are read as 1 and 0: {named([unique[j] for j in truth])}."]
    kept = [j for j in range(width) if j not in texts and j not in empty]
    if len(kept) > 1 and not names[0] and any(names) and kept[0] == 0 and _is_index(values[:, 0]):
        kept.remove(0)
        said = [*said, "The unnamed first column of row numbers is left out. Name it to keep it."]
    while empty and empty[-1] == width - 1 and not names[empty[-1]]:  # a delimiter ends each line
        width = empty.pop()
    for left, why in ((texts, "as texts"), (empty, "as they have no values")):
        if left:
            said = [*said, f"Columns left out {why}: {named([unique[j] for j in left])}."]
    if not kept:
        seen = f' (line {lines[0]}, column 1 is "{shown(str(frame.iat[0, 0]))}")' if texts else ""
        raise ValueError(f"there is no column of numbers{seen}: give one point a line.")
    if len(kept) > 1 and n > 2 and kept[0] == 0 and _counts_rows(values[:, 0]):
        counting = f'Column "{unique[0]}" counts the rows. Leave it out if it is an identifier.'
        said = [*said, counting]
    return Table(
        np.ascontiguousarray(values[:, kept]),
        tuple(unique[j] for j in kept),
        lines,
        "",
        "",
        " ".join(said),
        {unique[j]: tuple(frame.iloc[:, j].astype("string").fillna("").str.strip()) for j in texts},
    )


def _fault(field: str) -> str:
    if is_number(field):
        return (
            f'"{shown(field)}" is written in another way than the numbers above. Pass decimal= and '
            "thousands=, or write all numbers in one way."
        )
    return (
        f'"{shown(field)}" is not a number. Correct it, or leave the field empty if the value is '
        "missing."
    )


def _counts_rows(column: np.ndarray) -> bool:
    return bool((column == column[0] + np.arange(len(column))).all()) and column[0] in (0, 1)


def _is_index(column: np.ndarray) -> bool:
    """Return True for distinct whole numbers, as pandas and R number rows."""
    whole = bool((column == np.round(column)).all())
    return whole and len(np.unique(column)) == len(column)


def _checked_size(array: np.ndarray) -> np.ndarray:
    if array.size > MOST_NUMBERS:
        raise ValueError(
            f"the npy file has {array.size} numbers, and up to {MOST_NUMBERS // 10**6} million "
            "can be read: give a sample of it."
        )
    return array
