"""Read sequences from files: one per line, FASTA, or a column of a table."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..types.strings import FASTA, Corpus, Symbols, alphabet_of, certain, check_format
from ..types.strings import read_text as symbols_of
from .content import content_of
from .text import NUMBER, Layout, decode, frame_of, layout_of
from .wording import column_names, named, where

LARGEST_TEXT = 20_000_000  # bytes, unpacked
MOST_SYMBOLS = 1000  # symbols in an alphabet
MOST_NUMBERS = 100  # symbols in an alphabet of numbers
FEWEST_LINES = 10  # fewer lines do not look like a series
NUMERIC = (
    "The file looks like a series of numbers, but each character is read as a symbol. For numbers, "
    'choose emissions="gaussian" (in a shell: --emissions gaussian).'
)
SERIES = (
    'For a series of numbers, choose emissions="gaussian" (in a shell: --emissions gaussian). '
    "Otherwise, round the numbers or group them into classes."
)
_DELIMITER = re.compile(r"[,;\t]")


def read_corpus(
    content: Any, name: str | None = None, column: str | None = None, by: str | None = None
) -> Corpus:
    """
    Read several sequences: one per line, FASTA records, or a column of a table.

    Without ``column``, each non-blank line is a sequence of characters. In a FASTA file, each
    record is a sequence, without its heading. With ``column``, the values of this column are the
    symbols of one sequence. With ``by`` as well, the rows with the same value in the column ``by``
    are one sequence.

    Parameters
    ----------
    content : str, Path, bytes or binary file
        A path, a text, the content of a file, or an open file; files may be gzipped.
    name : str, optional
        Name of the corpus; the file's name by default.
    column, by : str, optional
        Names of columns from the header row; "column 1" and so on if there is no header row. See
        :func:`columns_of_text`.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    TypeError, ValueError
        The content has no sequences, or too many different symbols.

    Examples
    --------
    >>> from prviz import datasets
    >>> datasets.read_corpus(">one\\nACGT\\nAC\\n>two\\nGT\\n").lengths.tolist()
    [6, 2]
    """
    text, name, notices = text_of(content, name)
    sequences: Sequence[Sequence[str]]
    if column is None:
        if by is not None:
            raise ValueError(
                "`by` needs `column`: `by` groups the rows, and `column` has the symbols."
            )
        check_format(text)
        if FASTA.match(text):
            sequences = _fasta(text)
            notices.append(f"Read as FASTA: headings are left out ({len(sequences)} sequences).")
        else:
            sequences = _characters(text)
            notices += [NUMERIC] * _is_numeric(sequences)
    else:
        sequences = _values(text, column, by)
    symbols = list(itertools.chain.from_iterable(sequences))
    if not symbols:
        raise ValueError("the file has no symbols: give one sequence per line.")
    alphabet = _alphabet(symbols, column)
    values = Counter(map(float, alphabet)) if all(map(_is_finite, alphabet)) else Counter()
    if equal := [symbol for symbol in alphabet if values and values[float(symbol)] > 1]:
        notices.append(f"Equal numbers are different symbols: {named(equal)}.")
    numbers = {symbol: number for number, symbol in enumerate(alphabet)}
    name = name or "your sequences"
    return Corpus(
        np.array([numbers[symbol] for symbol in symbols], np.int64),
        np.array([*map(len, sequences)], np.int64),
        alphabet,
        name,
        f"read from {name}",
        " ".join(filter(None, [*notices, certain(symbols)])),
    )


def read_text(content: Any, name: str | None = None) -> Symbols:
    """
    Read one string: bits, or any text, one symbol per character.

    The alphabet is the sorted set of characters. In a string of bits, "0" and "1" are always 0
    and 1, even if only one of them occurs. Line breaks are ignored, and so are blanks around the
    text and between bits.

    Parameters
    ----------
    content : str, Path, bytes or binary file
        A path, a text, the content of a file, or an open file; files may be gzipped.
    name : str, optional
        Name of the string; the file's name by default.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    TypeError, ValueError
        The content is not a text, or has no symbols.

    Examples
    --------
    >>> from prviz import datasets
    >>> datasets.read_text("0110").sequence.tolist()
    [0, 1, 1, 0]
    """
    if isinstance(content, str):
        return symbols_of(content, name or "your text")
    text, name, notices = text_of(content, name)
    read = symbols_of(text, name or "your text")
    notices += [NUMERIC] * _is_numeric([line for line in text.splitlines() if line.strip()])
    notice = " ".join(filter(None, [*notices, read.notice]))
    return read._replace(source=f"read from {read.name}", notice=notice)


def columns_of_text(content: Any) -> tuple[str, ...]:
    """
    Return the names of columns for :func:`read_corpus`, or "column 1" and so on.

    Parameters
    ----------
    content : str, Path, bytes or binary file
        As in :func:`read_corpus`.

    Returns
    -------
    tuple of str
        Empty if no delimiter separates columns.
    """
    text, _, _ = text_of(content, None)
    if FASTA.match(text):
        return ()
    layout = layout_of(text)
    return () if layout.delimiter is None else _columns(layout)


def _columns(layout: Layout) -> tuple[str, ...]:
    names = layout.names or []
    return column_names(names + [""] * (layout.width - len(names)))


def text_of(content: Any, name: str | None) -> tuple[str, str | None, list[str]]:
    """Return the text of a file, its name, and notices."""
    held, name = content_of(content, name, LARGEST_TEXT)
    if held is None:
        raise TypeError(f"content must be text or a file, got {type(content).__name__}.")
    text, notices = decode(held)
    return text, name, notices


def _fasta(text: str) -> list[str]:
    """Return the sequence of each record, without headings, blanks and line breaks."""
    records = re.split(r"(?m)^\s*>[^\n]*$", re.sub(r"(?m)^;.*$", "", text))
    return [each for each in ("".join(record.split()) for record in records) if each]


def _characters(text: str) -> list[str]:
    """Return the lines that are not blank; if they are bits, without the spaces."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    compact = ["".join(line.split()) for line in lines]
    return compact if set().union(*compact) <= {"0", "1"} else lines


def _is_numeric(lines: list[str]) -> bool:
    """Return True if, of enough lines, 80 % end with a number that is not a string of bits."""
    cells = (_DELIMITER.split(line)[-1].strip() for line in lines)
    others = (cell for cell in cells if not NUMBER.fullmatch(cell) or set(cell) <= {"0", "1"})
    most = len(lines) // 5  # counting stops one above this, because files may be large
    return len(lines) >= FEWEST_LINES and len([*itertools.islice(others, most + 1)]) <= most


def _values(text: str, column: str, by: str | None) -> list[list[str]]:
    """Return the values of a column, grouped by the values of another column."""
    wanted = [each for each in (column, by) if each is not None]
    layout = layout_of(text)
    if layout.names is not None and not {*wanted} <= {*_columns(layout)}:
        layout = layout_of(text, header=False)  # columns without names are numbered
    if layout.names is None and not {*wanted} <= {*_columns(layout)}:
        layout = layout_of(text, header=True)
    names = _columns(layout)
    if missing := [each for each in wanted if each not in names]:
        raise ValueError(f'there is no column "{missing[0]}" in the header row: {named(names)}.')
    frame, lines = frame_of(text, layout, LARGEST_TEXT, dtype=str, keep_default_na=False)
    groups: dict[str, list[str]] = {}
    blank = (frame.isna() | (frame == "")).all(axis=1).to_numpy()
    at = [names.index(each) for each in wanted]
    for row, fields in enumerate(
        frame.fillna("").reindex(columns=at, fill_value="").itertuples(index=False)
    ):
        if blank[row]:
            continue
        fields = [str(field).strip() for field in fields]
        if "" in fields:
            place = where(lines[row], wanted[fields.index("")])
            raise ValueError(f"{place} is empty: fill it, or remove the line.")
        groups.setdefault("".join(fields[1:]), []).append(fields[0])
    if not groups:
        raise ValueError(f"there is no row below line {layout.line - 1}, the header row: add rows.")
    return [*groups.values()]


def _alphabet(symbols: Sequence[str], column: str | None) -> tuple[str, ...]:
    """Return the alphabet, sorted (numbers by value); raise an error if it is too large."""
    alphabet = alphabet_of(symbols)
    where = "the text" if column is None else f'column "{column}"'
    kind, most, advice = "symbols", MOST_SYMBOLS, "Group them into classes first."
    if column is not None and all(map(_is_finite, alphabet)):
        kind, most, advice = "numbers", MOST_NUMBERS, SERIES
        alphabet = tuple(sorted(alphabet, key=float))
    if len(alphabet) > most:
        raise ValueError(
            f"{where} has {len(alphabet)} different {kind}; at most {most} are supported. {advice}"
        )
    return alphabet


def _is_finite(symbol: str) -> bool:
    return bool(NUMBER.fullmatch(symbol)) and math.isfinite(float(symbol))
