"""Lines of a table in which not every field is a number: gaps, decimal commas, slips, texts."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Collection, Sequence

import numpy as np

from prviz.datasets.fields import (
    DECIMAL_COMMA,
    THOUSANDS,
    is_blank,
    is_missing,
    is_number,
    numbers,
    shown,
)
from prviz.datasets.grid import plain_column
from prviz.datasets.lines import Text


class Mixed:
    """
    Reads such lines for `grid_of`, and keeps where texts stood.

    Parameters
    ----------
    commas : bool
        A comma in a number is a decimal one.

    Attributes
    ----------
    comma : tuple (line, field), or None
        The first decimal comma.
    first : dict
        Of a column with texts, the line of the first one and what it is.
    """

    def __init__(self, commas: bool):
        self._commas = commas
        self._counts: dict[int, int] = {}
        self.first: dict[int, tuple[int, str]] = {}
        self.comma: tuple[int, str] | None = None

    def row(self, line: int, fields: Sequence[str]) -> list[float] | None:
        if is_blank(fields):  # as spreadsheets end
            return None
        return [self.number(line, column, field) for column, field in enumerate(fields)]

    def column(self, lines: Sequence[int], column: int, fields: Sequence[str]) -> list[float]:
        with contextlib.suppress(ValueError):
            return plain_column(fields)
        if self._commas and self.comma is not None:
            with contextlib.suppress(ValueError):
                return plain_column([field.replace(",", ".") for field in fields])
        known: dict[str, tuple[float, bool]] = {}
        values = []
        for line, field in zip(lines, fields, strict=True):
            found = known.get(field)
            if found is None:
                found = known[field] = self._read(line, column, field)
            value, is_text = found
            if is_text:
                self._note(line, column, field)
            values.append(value)
        return values

    def number(self, line: int, column: int, field: str) -> float:
        """What a field says, NaN for a gap or a text."""
        value, is_text = self._read(line, column, field)
        if is_text:
            self._note(line, column, field)
        return value

    def _note(self, line: int, column: int, field: str) -> None:
        self._counts[column] = self._counts.get(column, 0) + 1
        if column not in self.first:
            self.first[column] = line, shown(field)

    def _read(self, line: int, column: int, field: str) -> tuple[float, bool]:
        """What a field says, and whether it is a text."""
        try:
            return numbers([field])[0], False
        except ValueError:
            pass
        if is_missing(field):
            return math.nan, False
        bare = field.strip()
        if self._commas and bare.count(",") == 1 and is_number(bare.replace(",", ".")):
            self.comma = self.comma or (line, bare)
            return float(bare.replace(",", ".")), False
        _check_style(line, column, bare)
        return math.nan, True

    def texts(self, values: np.ndarray) -> tuple[list[int], list[int]]:
        """Columns of texts, and columns of numbers in which there are slips.

        Texts are more than half of what a column has.
        """
        columns: tuple[list[int], list[int]] = [], []
        for column, texts in sorted(self._counts.items()):
            numbers = len(values) - np.count_nonzero(np.isnan(values[:, column]))
            columns[0 if texts > numbers else 1].append(column)
        return columns


def _check_style(line: int, column: int, field: str) -> None:
    """Refuse numbers that are written in a way that can be read in two."""
    comma = DECIMAL_COMMA.fullmatch(field)
    if not comma and not THOUSANDS.fullmatch(field):
        return
    where = f'line {line}, column {column + 1}: "{shown(field)}"'
    if comma:
        raise ValueError(
            f"{where} looks like a decimal comma: write decimal points, or semicolons between the "
            "columns."
        )
    raise ValueError(f"{where} has its thousands set apart: write its digits together.")


def check_decimals(text: Text, comma: tuple[int, str], columns: Collection[int]) -> None:
    """Refuse decimal points beside decimal commas: one of them may part thousands."""
    for line, content in text.lines():
        for column, field in enumerate(text.fields(line, content)):
            if "." in field and column in columns and is_number(field):
                raise ValueError(
                    f'line {line}, column {column + 1}: "{shown(field)}" has a decimal point, but '
                    f'"{shown(comma[1])}" on line {comma[0]} a decimal comma: write all in one way.'
                )
