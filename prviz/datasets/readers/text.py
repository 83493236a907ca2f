"""Read texts as DataFrames: detect encoding, comments, delimiter, header row and notation."""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..types.strings import FASTA
from .wording import count, named, shown

SAMPLE = 60  # lines from which delimiter and header are detected
LONGEST_LINE = 10_000_000  # characters
MOST_FIELDS = 100_000  # fields of a line
MISSING = ("", "?", "na", "n/a", "#n/a", "#na", "<na>", "nan", "-nan", "none", "null", "#div/0!")

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.A | re.I)
#: Number formats: an example and a pattern of each. The first match counts.
NOTATIONS = {
    "1.5": re.compile(r"[+-]?(\d+\.\d*|\.\d+)(e[+-]?\d+)?", re.A | re.I),
    "1": NUMBER,
    "1,234": re.compile(r"[+-]?[1-9]\d{0,2},\d{3}", re.A),
    "1,234.5": re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?", re.A),
    "1.234,5": re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?", re.A),
    "1 234": re.compile(r"[+-]?[1-9]\d{0,2}([ '’\u00a0\u202f]\d{3})+([.,]\d*)?", re.A),
    "1,5": re.compile(r"[+-]?\d+,\d+(e[+-]?\d+)?", re.A | re.I),
}
DELIMITERS = {";": "semicolons", "\t": "tabs", "|": "vertical bars", ",": "commas"}
BINARY = {
    b"PK\x03\x04": "a zip or Excel file",
    b"\xd0\xcf\x11\xe0": "an Excel file",
    b"%PDF": "a PDF file",
    b"\x89HDF": "an HDF5 file",
    b"ARROW1": "a Feather file",
    b"SQLite format 3": "a SQLite database",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ": "an xz file",
    b"MATLAB 5.0": "a MATLAB file",
    b"\x80\x04\x95": "a Python pickle",
}
FORMATS = {
    "a MatrixMarket file": re.compile(r"%%MatrixMarket", re.I),
    "a FASTA file of sequences": FASTA,
    "a DIMACS file": re.compile(r"(c( [^\n]*)?\n)*p (edge|col|cnf|max|sp) "),
    "a qbsolv QUBO file": re.compile(r"(c( [^\n]*)?\n)*p qubo ", re.I),
    "a line of a program": re.compile(r"\s*[A-Za-z]\w*\s*=\s*[\w.]*\(?[\[{(]"),
    "an ARFF file": re.compile(r"\s*@relation", re.I),
    "a JSON file": re.compile(r"\s*(\{|\[\s*[\[{]|\[[^]]*\]\s*\Z)"),
    "an HTML or XML file": re.compile(r"\s*<(!|\?|html|table|svg|xml)", re.I),
}
_COMMENTS = re.compile(r"(?:[^\S\n]*+(?:#[^\n]*+)?(?:\n|\Z))*+")  # comment lines and blank lines
_SEPARATOR = re.compile(r'"?sep=(.)"?,*\n', re.I)  # the first line of some files for Excel
_LINES = re.compile(r"(?m)^(?=.*\S).*$")


class Layout(NamedTuple):
    """The detected format of a text, and notices about uncertain guesses."""

    delimiter: str | None  # None: blanks separate the fields
    start: int  # offset of the first row
    line: int  # line number of the first row, from 1
    names: list[str] | None  # names of columns in the header row
    width: int  # number of fields in the longest row
    decimal: str
    thousands: str | None
    notices: list[str]


def decode(content: bytes) -> tuple[str, list[str]]:
    """Return a text with "\\n" as line ending, and notices; raise ValueError for a binary file."""
    for magic, form in BINARY.items():
        if content.startswith(magic):
            raise ValueError(f"this is {form}, not text: save the data as CSV or npy.")
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not wide and (zero := content.find(b"\0")) >= 0:
        line = content.count(b"\n", 0, zero) + 1
        raise ValueError(
            f"the file is neither text nor npy (line {line} has a zero byte): save the data as CSV "
            "or npy."
        )
    notices = []
    try:
        text = content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("utf-16" if wide else "cp1252", "replace")
        notices += [] if wide else ["The text is not UTF-8 and is read as Windows-1252."]
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
        notices.append("Combining accents are joined with their letters.")
    # A line of 2 × LONGEST_LINE characters contains at least one whole block of LONGEST_LINE.
    for start in range(0, len(text) - LONGEST_LINE, LONGEST_LINE):
        if text.find("\n", start, start + LONGEST_LINE) < 0:
            line = text.count("\n", 0, start) + 1
            raise ValueError(
                f"line {line} has more than {LONGEST_LINE:,} characters: give one point per line."
            )
    return text, notices


def layout_of(
    text: str,
    header: bool | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
) -> Layout:
    """Detect comments, delimiter, header row and number format of a table.

    The options are those of :func:`prviz.datasets.read_table`.

    Raises
    ------
    ValueError
        The text is of another format, or its numbers can be read in two ways.
    """
    _check_format(text)
    if delimiter is not None and len(delimiter) != 1:
        raise ValueError(f"delimiter must be one character, got {delimiter!r}.")
    first = _SEPARATOR.match(text)
    if first:
        text, delimiter = "\n".rjust(first.end()) + text[first.end() :], delimiter or first[1]
    above = next(_COMMENTS.finditer(text))[0]
    start, line = len(above), above.count("\n") + 1
    comments = [(i, each.strip()) for i, each in enumerate(above.split("\n"), 1) if each.strip()]
    sample = [found[0] for found in itertools.islice(_LINES.finditer(text, start), SAMPLE)]
    blanks = delimiter is not None and delimiter.isspace() and delimiter != "\t"
    delimiter = None if blanks else delimiter or _delimiter(sample)
    rows = fields_of(sample, delimiter)
    if max(map(len, rows), default=0) > MOST_FIELDS:
        raise ValueError(f"a line has more than {MOST_FIELDS:,} fields: give one point per line.")
    notices: list[str] = []
    names = _commented_names(comments, rows, delimiter) if header is None else None
    if comments and names is None:
        lines = f"line {comments[0][0]}" if len(comments) == 1 else f"{len(comments)} lines"
        notices.append(f"Comments above the table are skipped ({lines}).")
    if names is None:
        names, said = _header_row(rows, header, delimiter, line)
        notices += said
        if names is not None:
            rows = rows[1:]
            start, line = _below_first_row(text, start, line, delimiter)
    if not rows:
        below = "from line 1 on" if names is None else f"below line {line - 1}"
        raise ValueError(f"the file has no rows of values {below}: give one point per line.")
    width = len(rows[0])
    if not any(any(row[width:]) for row in rows):  # otherwise pandas reports surplus fields
        width = max(map(len, rows))
    decimal, thousands = _signs(rows, delimiter, decimal, thousands)
    if decimal == ",":
        notices.append("Decimal commas are read as decimal points.")
    if thousands:
        notices.append(f'"{thousands}" inside numbers is read as a thousands separator.')
    return Layout(delimiter, start, line, names, width, decimal, thousands, notices)


def _check_format(text: str) -> None:
    """Raise a ValueError for a text of a known format that is not a table."""
    for form, beginning in FORMATS.items():
        if beginning.match(text[:10_000]):
            raise ValueError(f"this is {form}, not a table: convert it to CSV first.")


def _header_row(
    rows: list[list[str]], header: bool | None, delimiter: str | None, line: int
) -> tuple[list[str] | None, list[str]]:
    """Return the first row if it has names, and a notice if this decision is uncertain."""
    if rows and (header or (header is None and is_header(rows, delimiter))):
        if header or not any(map(notation, rows[0])):
            return rows[0], []
        return rows[0], [
            f"Line {line} is read as column names ({named(rows[0])}). To read it as values, pass "
            "header=False."
        ]
    if header is None and len(rows) > 1 and _is_count(rows[0]):
        some = ", ".join(rows[0][:3]) + (", …" if len(rows[0]) > 3 else "")
        return None, [
            f"Line {line} ({some}) is read as values. If it has column names, pass header=True."
        ]
    return None, []


def fields_of(lines: Sequence[str], delimiter: str | None) -> list[list[str]]:
    """Split lines into fields; a quoted field may span lines."""
    if delimiter is None:
        lines = [" ".join(line.split()) for line in lines]
    try:
        read = csv.reader(lines, delimiter=delimiter or " ", skipinitialspace=True)
        return [[field.strip() for field in row] for row in read if row]
    except csv.Error as error:
        raise ValueError(f"the text cannot be split into fields ({error}).") from None


def notation(field: str) -> str:
    """Return an example of a number's format, as in ``NOTATIONS``; empty for a text."""
    return next((each for each, form in NOTATIONS.items() if form.fullmatch(field.strip())), "")


def is_header(rows: list[list[str]], delimiter: str | None) -> bool:
    """Return True if the first row has names of columns rather than values.

    A row of texts without numbers has names. Ascending numbers are names if the values below them
    have another format: years above decimals, or the 0, 1, 2 … of pandas.
    """
    first, below = rows[0], rows[1:]
    numbers = [j for j, field in enumerate(first) if notation(field)]
    texts = [j for j in range(len(first)) if j not in numbers and first[j].lower() not in MISSING]
    if not numbers:
        return bool(texts)
    if not below or not all(re.fullmatch(r"\d+", first[j], re.A) for j in numbers):
        return False
    columns = [
        [row[j] for row in below if j < len(row) and notation(row[j])] for j in range(len(first))
    ]
    values = [int(first[j]) for j in numbers]
    steps = {b - a for a, b in itertools.pairwise(values)}
    if 0 not in numbers and first[1:SAMPLE] == [row[0] for row in below][: len(first) - 1]:
        return True  # a matrix whose rows and columns are labelled with the same numbers
    if any(columns[j] for j in texts):
        return values[0] >= 1000 or steps == {1}
    if not first[0] and len(numbers) == len(first) - 1 and (steps == {1} or values in ([0], [1])):
        return True  # an index, as pandas and R write it
    if len(steps) > 1 or min(steps, default=1) < 1 or not all(columns[j] for j in numbers):
        return False
    years = 1000 <= values[0] < 3000 and (len(values) > 1 or bool(texts))
    if all(re.search("[.,eE]", field) for j in numbers for field in columns[j]):
        several = values[0] == 0 or len(values) > 2 or len(below) > 5
        return years or (len(values) > 1 and several)
    for value, j in zip(values, numbers, strict=True):
        plain = [float(field) for field in columns[j] if NUMBER.fullmatch(field)] or [0.0]
        if min(plain) <= value <= max(plain):
            return False
    return (years and bool(texts)) or (_is_count(first, 0) and delimiter is not None)


def _is_count(first: list[str], *starts: int) -> bool:
    """Return True if the first row is 0, 1, 2 … or 1, 2, 3 …: these may be column names."""
    n = len(first)
    return n > 2 and any(first == [*map(str, range(i, i + n))] for i in starts or (0, 1))


def _commented_names(
    comments: list[tuple[int, str]], rows: list[list[str]], delimiter: str | None
) -> list[str] | None:
    """Return the names in the last comment, if it names each column: "# x y", "#,x,y"."""
    width = max(map(len, rows), default=0)
    last = comments[-1][1] if comments else ""
    for content in (last.lstrip("#").strip(), last):
        (names,) = fields_of([content], delimiter) or [[]]
        if len(names) == width > 1 and all(names) and not any(map(notation, names)):
            return names
    return None


def _below_first_row(text: str, start: int, line: int, delimiter: str | None) -> tuple[int, int]:
    """Return the offset and the line below the first row, whose names may span lines."""
    stream = io.StringIO(text)
    stream.seek(start)
    read = csv.reader(stream, delimiter=delimiter or " ", skipinitialspace=True)
    next(read)
    return stream.tell(), line + read.line_num


def _delimiter(lines: list[str]) -> str | None:
    """Return the delimiter that gives equally many fields per line, and most numeric fields."""
    best, most = None, (False, -1.0, 0)
    for delimiter in (*DELIMITERS, None):
        if delimiter == "," and any(",0" in line for line in lines):
            forms = NOTATIONS["1,234"], NOTATIONS["1,234.5"]
            if all(any(form.fullmatch(line.strip()) for form in forms) for line in lines):
                continue  # the comma of 1,000 and 12,500 separates thousands, not columns
        try:
            rows = fields_of(lines, delimiter)
        except ValueError:
            continue
        ((width, alike),) = Counter(map(len, rows)).most_common(1) or [(1, 0)]
        if width == 1 and (delimiter is not None or best is not None):
            continue
        fields = [field for row in rows for field in row if field]
        numbers = sum(bool(notation(f)) and not (delimiter == "," and "," in f) for f in fields)
        # "date;x" above "1.2.2020;1,5" has a semicolon in each line, but no comma
        equal = alike >= 0.9 * len(rows) and 1 < len([*rows, []][0]) in (width - 1, width)
        regular = numbers > 0 and (equal or numbers == len(fields))
        score = regular, numbers / max(1, len(fields)), alike if delimiter else 0
        if score > most:
            best, most = delimiter, score
    return best


def _signs(
    rows: list[list[str]], delimiter: str | None, decimal: str | None, thousands: str | None
) -> tuple[str, str | None]:
    """Return the decimal sign and the thousands separator of the first rows."""
    found: dict[str, tuple[str, int]] = {}  # the first field of each format, and its column
    for row in rows:
        for j, field in enumerate(row, 1):
            found.setdefault(notation(field), (field, j))
    commas = [found[each][0] for each in ("1,5", "1.234,5") if each in found]
    points = [found[each] for each in ("1.5", "1,234.5") if each in found]
    if commas and points and decimal is None:
        field, j = points[0]
        raise ValueError(
            f'column {j}: "{field}" has a decimal point, but "{commas[0]}" a decimal comma. Write '
            "all numbers in one format, or pass decimal= and thousands=."
        )
    grouped, j = found.get("1,234", ("", 0))
    if grouped and decimal is thousands is None and not commas + points and delimiter != ",":
        either = f"{grouped.replace(',', '')} or {grouped.replace(',', '.')}"
        raise ValueError(
            f'column {j}: "{grouped}" can mean {either}. Pass thousands="," or decimal=",".'
        )
    decimal = decimal or ("," if commas else ".")
    if thousands is None:
        if decimal == "." and found.keys() & {"1,234", "1,234.5"}:
            thousands = ","
        elif decimal == "," and "1.234,5" in found:
            thousands = "."
        elif "1 234" in found:
            thousands = next(c for c in found["1 234"][0] if not (c.isdigit() or c in "+-"))
    return decimal, thousands


def frame_of(text: str, layout: Layout, most: int, **options: Any) -> tuple[Any, np.ndarray]:
    """Return the rows of a text as a DataFrame, and their line numbers; blank lines are kept."""
    import pandas as pd

    n = text.count("\n", layout.start)
    if n * layout.width > most:
        raise ValueError(
            f"the file has {n} lines of {layout.width} columns; at most {most // 10**6} million "
            "numbers can be read: use a sample."
        )
    stream = io.StringIO(text)
    stream.seek(layout.start)
    try:
        frame = pd.read_csv(
            stream,
            sep=r"\s+" if layout.delimiter is None else layout.delimiter,
            header=None,
            names=range(layout.width),
            decimal=layout.decimal,
            thousands=layout.thousands,
            na_values=[form for word in MISSING for form in (word, word.upper(), word.title())],
            skip_blank_lines=False,
            skipinitialspace=True,
            low_memory=False,
            **options,
        )
    except (ValueError, OverflowError) as error:
        raise ValueError(_parsing(str(error), layout.line)) from None
    lines = layout.line + np.arange(len(frame), dtype=np.int64)
    if '"' in text:  # a quoted field may span lines
        for column in frame.select_dtypes(exclude=["number", "bool"]):
            breaks = frame[column].astype("string").str.count("\n").fillna(0).to_numpy(np.int64)
            lines[1:] += breaks.cumsum()[:-1]
    return frame, lines


def _parsing(error: str, first: int) -> str:
    """Return a message for an error of pandas' parser, with the line in the file."""
    if found := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", error):
        wanted, line, saw = map(int, found.groups())
        return (
            f"line {first + line - 1} has {count(saw, 'column')} but the lines above have "
            f"{wanted}: give every line the same number of columns."
        )
    if found := re.search(r"EOF inside string starting at row (\d+)", error):
        return f"line {first + int(found[1])}: a quotation mark is never closed."
    return f"the table cannot be read ({shown(error, 80).rstrip('.')})."
