"""Rows of numbers from a text, all equally long, with the line on which each stands."""

import itertools
from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from prviz.datasets.fields import count, is_blank, is_header, is_number, numbers, text_fault
from prviz.datasets.lines import LONGEST_LINE, Refused, Text

BATCH = 4096  # lines
BATCH_LENGTH = 1 << 20  # characters, after which a batch ends with the line


class Grid(NamedTuple):
    """Numbers, and where they stand."""

    values: np.ndarray  # shape (rows, columns)
    lines: array  # on which line each row stands
    header: list[str] | None


class Reading(Protocol):
    """What is made of fields that are not all numbers.

    Attributes
    ----------
    comma
        Not None where a decimal comma has been read.
    """

    comma: object

    def row(self, line: int, fields: Sequence[str]) -> Sequence[float] | None:
        """The numbers of a line; None to pass it over."""

    def column(self, lines: Sequence[int], column: int, fields: Sequence[str]) -> list[float]:
        """The numbers of a part of a column, the same as of each line by itself."""


class Strict:
    """The first field that is no number is an error."""

    comma = None

    def row(self, line: int, fields: Sequence[str]) -> None:
        raise ValueError(text_fault(fields, line))

    def column(self, lines: Sequence[int], column: int, fields: Sequence[str]) -> list[float]:
        return plain_column(fields)


def plain_column(fields: Sequence[str]) -> list[float]:
    """All fields as numbers, or a ValueError."""
    if "_" in "".join(fields):
        raise ValueError
    return list(map(float, fields))


def grid_of(text: Text, reading: Reading | None = None, most: int | None = None) -> Grid:
    """
    Equally many numbers a line, after a line of names or not.

    Many lines are read at a time: by NumPy where all is numbers, else column by column. Where that
    fails too, they are taken one by one, as :func:`plain_grid` does, which names the fault.

    Parameters
    ----------
    text : Text
    reading : Reading, optional
        By default every field must be a number.
    most : int, optional
        Take so many numbers at most.

    Raises
    ------
    ValueError
        One sentence with the line and column of the first fault.
    """
    if most is not None:
        _check_size(text, most)
    rows = _Rows(reading or Strict())
    for lines, batch in _batches(text):
        if rows.add_numbers(lines, batch, text.delimiter):
            continue
        fields = text.fields_of(lines, batch)
        if not rows.add_columns(lines, fields):
            for line, each in zip(lines, fields, strict=True):
                rows.add(line, each)
    return rows.grid()


def plain_grid(
    text: Text, reading: Reading | None = None, named: bool = False, widest: int = LONGEST_LINE
) -> Grid:
    """As :func:`grid_of`, one line after the other; ``named``: and after a name a line.

    Where the first line has more numbers than ``widest``, there it ends; with names, also after
    more lines than that.
    """
    rows = _Rows(reading or Strict(), named)
    for line, content in text.lines():
        rows.add(line, text.fields(line, content))
        if rows.columns > widest or (named and len(rows.lines) > widest):
            break
    return rows.grid()


class _Rows:
    """Rows as they come."""

    def __init__(self, reading: Reading, named: bool = False):
        self._reading, self._named = reading, named
        self._values, self.lines = array("d"), array("q")
        self.columns = self._names_on = 0
        self._header: list[str] | None = None

    def add(self, line: int, fields: list[str]) -> None:
        """Take one line."""
        first = self._header is None and not self.lines
        if self._named and first and _numbers_columns(fields):
            self._header, self._names_on = fields, line
            return
        if self._named and self._header is not None and len(fields) > 1:
            fields = fields if is_number(fields[0]) else fields[1:]
        try:
            row: Sequence[float] | None = numbers(fields)
        except ValueError:
            if first and is_header(fields):
                self._header, self._names_on = fields, line
                return
            row = self._reading.row(line, fields)
            if row is None:
                return
        if self.lines and len(row) != self.columns:
            raise ValueError(
                f"line {line} has {count(len(row), 'column')} but line {self.lines[0]} has "
                f"{self.columns}: give every line equally many."
            )
        self.columns = len(row)
        self._values.extend(row)
        self.lines.append(line)

    def add_numbers(self, lines: list[int], batch: list[str], delimiter: str | None) -> bool:
        """Take many lines of numbers alone; False, with nothing taken, if they are others."""
        if not self.lines:
            return False
        if self._reading.comma is not None:
            batch = [line.replace(",", ".") for line in batch]
        try:
            values = np.loadtxt(batch, delimiter=delimiter, comments=None, ndmin=2)
        except ValueError:
            return False
        return values.shape == (len(lines), self.columns) and self._take(lines, values)

    def add_columns(self, lines: list[int], batch: list[list[str]]) -> bool:
        """Take the fields of many lines; False, with nothing taken, where that may be wrong."""
        if not self.lines or any(len(fields) != self.columns for fields in batch):
            return False
        try:
            columns = [
                self._reading.column(lines, column, fields)
                for column, fields in enumerate(zip(*batch, strict=True))
            ]
        except ValueError:
            return False
        values = np.array(columns).T
        kept = ~np.isnan(values).all(axis=1)
        kept[~kept] = [not is_blank(batch[i]) for i in np.flatnonzero(~kept)]
        return self._take(np.array(lines)[kept], values[kept])

    def _take(self, lines: Sequence[int], values: np.ndarray) -> bool:
        self._values.frombytes(values.tobytes())
        self.lines.extend(lines)
        return True

    def grid(self) -> Grid:
        if not self.lines:
            where = f"below line {self._names_on}" if self._header else "from line 1 on"
            raise ValueError(f"the file has no line of numbers {where}: give one point a line.")
        return Grid(np.frombuffer(self._values).reshape(-1, self.columns), self.lines, self._header)


def _batches(text: Text) -> Iterator[tuple[list[int], list[str]]]:
    """Lines and their numbers, the first by themselves, as one of them may have names."""
    lines: list[int] = []
    batch: list[str] = []
    length = 0
    for taken, (line, content) in enumerate(text.lines()):
        lines.append(line)
        batch.append(content)
        length += len(content)
        if taken < 2 or len(lines) == BATCH or length > BATCH_LENGTH:
            yield lines, batch
            lines, batch, length = [], [], 0
    if lines:
        yield lines, batch


def _check_size(text: Text, most: int) -> None:
    """Refuse what must have more numbers by its lines, before it is read."""
    line, content = next(itertools.islice(text.lines(), 1, None), (0, ""))
    ends = max(text.content.count(b"\n"), text.content.count(b"\r"))
    columns = len(text.fields(line, content))
    if ends * columns > most:
        raise Refused(
            f"the file has {ends} lines, of {count(columns, 'column')} on line {line}, and up to "
            f"{most // 10**6} million numbers can be taken: give a sample of it."
        )


def _numbers_columns(fields: list[str]) -> bool:
    """A header as pandas writes it for columns without names: blank, then 0, 1, 2 …"""
    return len(fields) > 1 and fields == ["", *map(str, range(len(fields) - 1))]


def counts_rows(column: np.ndarray) -> bool:
    """Whether a column only says which row this is, from 0 or from 1."""
    counting = np.arange(len(column))
    return bool((column == counting).all() or (column == counting + 1).all())
