"""Several strings of symbols that somebody else wrote: lines of a text, or a column of a table."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from prviz.datasets.content import content_of
from prviz.datasets.fields import is_header, is_number, shown
from prviz.datasets.lines import Text, text_of
from prviz.datasets.strings import Corpus, alphabet_of, certain
from prviz.datasets.tables import LONGEST_NAME, apart, named, number_of

LARGEST_TEXT = 20_000_000  # bytes, unpacked
MOST_SYMBOLS = 1000  # in an alphabet
MOST_NUMBERS = 100  # in an alphabet of numbers


def read_corpus(
    content: Any, name: str | None = None, column: str | None = None, by: str | None = None
) -> Corpus:
    """
    Read several sequences: one a line of a text, or the values of a column of a table.

    Without a column each line that is not blank is a sequence, and each of its characters a
    symbol, as :func:`read_text` has it for one. With a column its values are the symbols, one a
    row, as they are written; they are one sequence, or with ``by`` as many as that column has
    values: rows of equal value, in their order, wherever they stand.

    Parameters
    ----------
    content : str, bytes, Path or binary file
        The text itself, a file's content, a path, or an open file; files may be gzipped.
    name : str, optional
        What to call the corpus; else the name of the file.
    column, by : str, optional
        Names of columns, as the first line has them; "column 1" and so on where it has none. See
        :func:`columns_of_text`.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    TypeError, ValueError
        If these are no sequences, or of too many different symbols: one sentence with the line
        and the column of the first fault.
    """
    held, name = _held(content, name)
    text = text_of(held, tabs=True)
    if column is None:
        if by is not None:
            raise ValueError("by groups the rows of a column: name that column too.")
        sequences = _characters(text)
    else:
        sequences = _values(text, column, by)
    symbols = list(itertools.chain.from_iterable(sequences))
    if not symbols:
        raise ValueError("there is no symbol from line 1 on: give one string a line.")
    alphabet = _alphabet(symbols, column)
    numbers = {symbol: number for number, symbol in enumerate(alphabet)}
    name = name or "your sequences"
    return Corpus(
        np.array([numbers[symbol] for symbol in symbols], np.int64),
        np.array([*map(len, sequences)], np.int64),
        alphabet,
        name,
        f"read from {name}",
        certain(symbols),
    )


def columns_of_text(content: Any) -> tuple[str, ...]:
    """
    The columns that :func:`read_corpus` can read: their names, or "column 1" and so on.

    Parameters
    ----------
    content : str, bytes, Path or binary file

    Returns
    -------
    tuple of str
        Empty where nothing parts the lines into columns.
    """
    held, _ = _held(content, None)
    text = text_of(held, tabs=True)
    first = next(text.lines(), None)
    if first is None or text.delimiter is None:
        return ()
    fields = text.fields(*first)
    return _names(fields) if is_header(fields) else _numbered(fields)


def _held(content: Any, name: str | None) -> tuple[bytes, str | None]:
    if isinstance(content, str):
        content = content.encode(errors="replace")
    held, name = content_of(content, name, LARGEST_TEXT)
    if held is None:
        raise TypeError(f"content must be text or a file, not {type(content).__name__}.")
    return held, name


def _characters(text: Text) -> list[str]:
    """The lines of a text; of bits, without the blanks between them."""
    lines = text.content.decode(text.encoding, errors="replace").splitlines()
    lines = [line.strip() for line in lines if not line.isspace() and line]
    compact = ["".join(line.split()) for line in lines]
    return compact if set().union(*compact) <= {"0", "1"} else lines


def _values(text: Text, column: str, by: str | None) -> list[list[str]]:
    """What a column has, a list for each value of another."""
    rows = text.lines()
    first = next(rows, (0, ""))
    fields = text.fields(*first)
    names, numbered = _names(fields), _numbered(fields)
    wanted = [each for each in (column, by) if each is not None]
    if all(each in names for each in wanted):
        names_of = names
    elif all(each in numbered for each in wanted):
        names_of, rows = numbered, itertools.chain([first], rows)
    else:
        missing = next(each for each in wanted if each not in names)
        raise ValueError(f'there is no column "{missing}" on line {first[0]}: {named(names)}.')
    at = [names_of.index(each) for each in wanted]
    groups: dict[str, list[str]] = {}
    for line, content in rows:
        fields = text.fields(line, content)
        for each, where in zip(wanted, at, strict=True):
            if where >= len(fields) or not fields[where].strip():
                raise ValueError(
                    f'line {line}, column "{each}" is empty: fill it, or drop that line.'
                )
        symbol, *group = (fields[where].strip() for where in at)
        groups.setdefault("".join(group), []).append(symbol)
    if not groups:
        raise ValueError(f"there is no line below line {first[0]}, which has names: give some.")
    return [*groups.values()]


def _names(fields: Sequence[str]) -> tuple[str, ...]:
    names = [shown(field, LONGEST_NAME) or number_of(j) for j, field in enumerate(fields)]
    return tuple(apart(names))


def _numbered(fields: Sequence[str]) -> tuple[str, ...]:
    return tuple(number_of(j) for j in range(len(fields)))


def _alphabet(symbols: Sequence[str], column: str | None) -> tuple[str, ...]:
    """The symbols that occur, those of a column of numbers by their size; or too many."""
    alphabet = alphabet_of(symbols)
    where = "the text" if column is None else f'column "{column}"'
    kind, most = "symbols", MOST_SYMBOLS
    if column is not None and all(map(_is_finite, alphabet)):
        kind, most = "numbers", MOST_NUMBERS
        alphabet = tuple(sorted(alphabet, key=float))
    if len(alphabet) > most:
        raise ValueError(
            f"{where} has {len(alphabet)} different {kind}, and up to {most} can be told apart: "
            "round them or put them into classes first."
        )
    return alphabet


def _is_finite(symbol: str) -> bool:
    return is_number(symbol) and math.isfinite(float(symbol))
