"""Text files as rows of fields: encoding, comments, delimiter and header row."""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from .wording import named

SAMPLE = 60  # lines by which delimiter and header are recognised
LONGEST_LINE = 10_000_000  # characters
MOST_FIELDS = 100_000  # a line
MISSING = ("", "?", "na", "n/a", "#n/a", "#na", "<na>", "nan", "-nan", "none", "null", "#div/0!")

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.A | re.I)
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?", re.A)
#: Digits in groups of three: by commas, by dots, by spaces or apostrophes.
BY_COMMAS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?", re.A)
BY_DOTS = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?", re.A)
BY_SPACES = re.compile(r"[+-]?[1-9]\d{0,2}([ '’\u00a0\u202f]\d{3})+([.,]\d*)?", re.A)

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
FORMATS = (
    (re.compile(r"%%MatrixMarket", re.I), "a MatrixMarket file"),
    (re.compile(r">[^\n]*\n\s*[A-Za-z*-]"), "a FASTA file of sequences"),
    (re.compile(r"(c( [^\n]*)?\n)*p (edge|col|cnf|max|sp) "), "a DIMACS file"),
    (re.compile(r"(c( [^\n]*)?\n)*p qubo ", re.I), "a qbsolv QUBO file"),
    (re.compile(r"\s*@relation", re.I), "an ARFF file"),
    (re.compile(r"\s*(\{|\[\s*[\[{])"), "a JSON file"),
    (re.compile(r"\s*<(!|\?|html|table|svg|xml)", re.I), "an HTML or XML file"),
)


class Refused(ValueError):
    """The file is too large, whichever way it is read."""


class Layout(NamedTuple):
    """How a text is laid out.

    Attributes
    ----------
    delimiter : str or None
        None for blanks.
    start, line : int
        Where the rows begin: the offset in the text, and the number of that line.
    names : list of str or None
        The header row.
    rows : list of list of str
        The first rows, to look at.
    width : int
        Fields of the longest of these.
    decimal, thousands : str, str or None
        The decimal sign, and the sign between groups of digits.
    notices : list of str
        What was decided about the file and is not obvious.
    """

    delimiter: str | None
    start: int
    line: int
    names: list[str] | None
    rows: list[list[str]]
    width: int
    decimal: str
    thousands: str | None
    notices: list[str]

    @property
    def words(self) -> str:
        """The decisions about every file, in words: comma-separated, names on line 1."""
        by = "separated by " + DELIMITERS.get(self.delimiter or "", "blanks")
        return f"{by}, {'with' if self.names is not None else 'without'} a header row"


def decode(content: bytes) -> tuple[str, list[str]]:
    """Decode a text file, with "\\n" as line ending.

    Returns
    -------
    text : str
    notices : list of str

    Raises
    ------
    ValueError
        The content is binary, or a line is too long.
    """
    for magic, kind in BINARY.items():
        if content.startswith(magic):
            raise ValueError(f"this is {kind}, not a text: save the data as CSV or npy.")
    encoding, notices = "utf-8-sig", []
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif (zero := content.find(b"\0")) >= 0:
        line = content.count(b"\n", 0, zero) + 1
        raise ValueError(
            f"the file is neither text nor npy (line {line} has a zero byte): save the data as CSV "
            "or npy."
        )
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        text = content.decode("utf-16" if encoding == "utf-16" else "cp1252", "replace")
        if encoding != "utf-16":
            notices.append("The text is not UTF-8 and is read as Windows-1252.")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    # A line of twice this length spans a whole block.
    for start in range(0, len(text) - LONGEST_LINE, LONGEST_LINE):
        if text.find("\n", start, start + LONGEST_LINE) < 0:
            line = text.count("\n", 0, start) + 1
            raise Refused(
                f"line {line} has more than {LONGEST_LINE:,} characters: give one point a line."
            )
    return text, notices


def format_of(text: str) -> str:
    """Name the file format that a text begins like; empty for a plain table."""
    return next((name for pattern, name in FORMATS if pattern.match(text[:10_000])), "")


def layout_of(
    text: str,
    header: bool | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
) -> Layout:
    """Recognise comments, delimiter, header row and notation of a table.

    Parameters
    ----------
    text : str
        As :func:`decode` returns it.
    header : bool, optional
        Whether the first row has names; recognised without.
    delimiter : str, optional
        One character, " " for any blanks; recognised without.
    decimal, thousands : str, optional
        The decimal sign, and the sign between groups of digits; recognised without.

    Raises
    ------
    ValueError
        The text is of another format, or its numbers can be read in two ways.
    """
    if other := format_of(text):
        raise ValueError(f"this is {other}, not a table: convert it to CSV first.")
    if delimiter is not None and len(delimiter) != 1:
        raise ValueError(f"delimiter must be one character, got {delimiter!r}.")
    notices: list[str] = []
    start, line, comments = _comments(text)
    sample = [each for each in _lines(text, start) if each.strip()][:SAMPLE]
    if delimiter is None:
        delimiter = _delimiter(sample)
    elif delimiter.isspace() and delimiter != "\t":
        delimiter = None
    rows = fields_of(sample, delimiter)
    if max(map(len, rows), default=0) > MOST_FIELDS:
        raise Refused(f"a line has more than {MOST_FIELDS:,} fields: give one point a line.")
    names: list[str] | None = None
    if comments and header is None and rows:
        names = _commented_names(comments, rows, delimiter)
    if comments and names is None:
        lines = f"line {comments[0][0]}" if len(comments) == 1 else f"{len(comments)} lines"
        notices.append(f"Comments above the table are skipped ({lines}).")
    if names is None:
        names, said = _header_row(rows, header, delimiter, line)
        notices += said
        if names is not None:
            rows = rows[1:]
            start, line = _after_first_row(text, start, line, delimiter)
    if not rows:
        below = "from line 1 on" if names is None else f"below line {line - 1}"
        raise ValueError(f"the file has no row of values {below}: give one point a line.")
    width = max(map(len, rows))
    if any(any(row[len(rows[0]) :]) for row in rows):  # the parser names the line
        width = len(rows[0])
    decimal, thousands = _notation(rows, delimiter, decimal, thousands)
    if decimal == ",":
        notices.append("Decimal commas are read as decimal points.")
    if thousands:
        notices.append(f'"{thousands}" inside numbers is read as a thousands separator.')
    return Layout(delimiter, start, line, names, rows, width, decimal, thousands, notices)


def _header_row(
    rows: list[list[str]], header: bool | None, delimiter: str | None, line: int
) -> tuple[list[str] | None, list[str]]:
    """Return the first row if it has names, and a notice where that isn't obvious."""
    if not rows or header is False:
        return None, []
    first = rows[0]
    if header or is_header(rows, delimiter):
        if header or not any(map(is_number, first)):
            return first, []
        return first, [
            f"Line {line} is read as column names ({named(first)}). To read it as values, pass "
            "header=False."
        ]
    if len(rows) > 1 and _is_count(first):
        shortened = ", ".join(first[:3]) + (", …" if len(first) > 3 else "")
        return None, [
            f"Line {line} ({shortened}) is read as values. If it has column names, pass "
            "header=True."
        ]
    return None, []


def _notation(
    rows: list[list[str]], delimiter: str | None, decimal: str | None, thousands: str | None
) -> tuple[str, str | None]:
    """Return the decimal sign and the thousands separator of the first rows."""
    found: dict[str, str] = {}  # an example of each notation
    place: dict[str, int] = {}
    for j, field in itertools.chain.from_iterable(map(enumerate, rows)):
        place.setdefault(field, j + 1)
        found.setdefault(_kind(field), field)
    if decimal is None:
        decimal = "," if found.keys() & {"1,5", "1.234,5"} else "."
        if decimal == "." and "1,234" in found and thousands is None:
            if delimiter != "," and not found.keys() & {"1.5", "1,234.5"}:
                field = found["1,234"]
                either = f"{field.replace(',', '')} or {field.replace(',', '.')}"
                raise ValueError(
                    f'column {place[field]}: "{field}" can mean {either}. Pass thousands="," or '
                    'decimal=",".'
                )
            thousands = ","
    if thousands is None and decimal == "." and "1,234.5" in found:
        thousands = ","
    if thousands is None and decimal == "," and "1.234,5" in found:
        thousands = "."
    if thousands is None and "1 234" in found:
        thousands = next(c for c in found["1 234"] if not (c.isdigit() or c in "+-"))
    mixed = {"1,5", "1.5"} <= found.keys() or (decimal == "," and "1,234.5" in found)
    if mixed:
        other = found.get("1.5") or found["1,234.5"]
        raise ValueError(
            f'column {place[other]}: "{other}" has a decimal point, but "{found.get("1,5", "")}" a '
            "decimal comma. Write all numbers in one way."
        )
    return decimal, thousands


def _kind(field: str) -> str:
    """Return an example of the notation of a number; "" for whole numbers and texts."""
    if BY_SPACES.fullmatch(field):
        return "1 234"
    if BY_COMMAS.fullmatch(field):
        return "1,234.5" if "." in field or field.count(",") > 1 else "1,234"
    if BY_DOTS.fullmatch(field) and (field.count(".") > 1 or "," in field):
        return "1.234,5"
    if DECIMAL_COMMA.fullmatch(field):
        return "1,5"
    return "1.5" if NUMBER.fullmatch(field) and "." in field else ""


def fields_of(lines: Sequence[str], delimiter: str | None) -> list[list[str]]:
    """Split lines into fields; a quoted field may span lines."""
    if delimiter is None:
        lines = [" ".join(line.split()) for line in lines]
    try:
        read = csv.reader(lines, delimiter=delimiter or " ", skipinitialspace=True)
        return [[field.strip() for field in row] for row in read if row]
    except csv.Error as error:
        raise ValueError(f"the text cannot be split into fields ({error}).") from None


def is_number(field: str) -> bool:
    """Return True if a field is a number, in any notation."""
    patterns = (NUMBER, DECIMAL_COMMA, BY_COMMAS, BY_DOTS, BY_SPACES)
    return any(pattern.fullmatch(field.strip()) for pattern in patterns)


def is_missing(field: str) -> bool:
    """Return True if a field says that there is no value."""
    return field.strip().lower() in MISSING


def is_header(rows: list[list[str]], delimiter: str | None) -> bool:
    """Return True if the first row has names of columns rather than values.

    Names are texts above numbers, or texts alone. Numbers are names where they count and the
    values below are written in another way: years above decimals, or the 0, 1, 2 … of pandas.
    """
    first, below = rows[0], rows[1:]
    texts = [j for j, f in enumerate(first) if not is_number(f) and not is_missing(f)]
    numbers = [j for j, f in enumerate(first) if is_number(f)]
    columns = {
        j: [row[j] for row in below if j < len(row) and is_number(row[j])]
        for j in range(len(first))
    }
    if not numbers:
        return bool(texts)
    if not all(re.fullmatch(r"\d+", first[j], re.A) for j in numbers) or not below:
        return False
    values = [int(first[j]) for j in numbers]
    steps = {b - a for a, b in itertools.pairwise(values)}
    counts = values in ([*range(len(values))], [*range(1, len(values) + 1)])
    blank = not first[0] and len(numbers) == len(first) - 1
    if any(columns[j] for j in texts):
        return values[0] >= 1000 or steps == {1}
    if blank and (counts or steps == {1}):
        return True  # an index, as pandas and R write it
    if len(steps) > 1 or min(steps, default=1) < 1 or not all(columns[j] for j in numbers):
        return False
    decimal = all("." in f or "," in f or "e" in f.lower() for j in numbers for f in columns[j])
    years = 1000 <= values[0] < 3000 and (len(values) > 1 or bool(texts))
    if decimal and (years or values[0] == 0 or len(values) > 2 or len(below) > 5):
        return years or len(values) > 1
    outside = all(
        not low <= value <= high
        for value, j in zip(values, numbers, strict=True)
        for low, high in [_range(columns[j])]
    )
    pandas_own = values[0] == 0 and counts and len(values) > 2 and delimiter is not None
    return outside and ((years and bool(texts)) or pandas_own)


def _range(fields: list[str]) -> tuple[float, float]:
    plain = [float(f) for f in fields if NUMBER.fullmatch(f)] or [0.0]
    return min(plain), max(plain)


def _is_count(first: list[str]) -> bool:
    """Return True for 0, 1, 2 … or 1, 2, 3 …, which may be names."""
    n = len(first)
    return n > 2 and first in ([*map(str, range(n))], [*map(str, range(1, n + 1))])


def _lines(text: str, start: int) -> list[str]:
    """Return the first lines, of which some may be blank."""
    end = start
    for _ in range(4 * SAMPLE):
        end = text.find("\n", end) + 1
        if not end:
            return text[start:].split("\n")
    return text[start : end - 1].split("\n")


def _comments(text: str) -> tuple[int, int, list[tuple[int, str]]]:
    """Where the table begins, below lines that begin with "#"; and these lines."""
    start, line, comments = 0, 1, []
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        content = text[start:end].strip()
        if content and not content.startswith("#"):
            break
        if content:
            comments.append((line, content))
        start, line = end + 1, line + 1
    return min(start, len(text)), line, comments


def _commented_names(
    comments: list[tuple[int, str]], rows: list[list[str]], delimiter: str | None
) -> list[str] | None:
    """Return the names in the last comment, if it names each column: "# x y", "#,x,y"."""
    last = comments[-1][1]
    width = max(map(len, rows))
    for content in (last, last.lstrip("#").strip()):
        (names,) = fields_of([content], delimiter) or [[]]
        if len(names) == width and width > 1 and not any(map(is_number, names)):
            return names
    return None


def _after_first_row(text: str, start: int, line: int, delimiter: str | None) -> tuple[int, int]:
    """Return the offset and line below the first row that is not blank."""
    stream = io.StringIO(text)
    stream.seek(start)
    read = csv.reader(stream, delimiter=delimiter or " ", skipinitialspace=True)
    next(row for row in read if any(field.strip() for field in row))
    return stream.tell(), line + read.line_num


def _delimiter(lines: list[str]) -> str | None:
    """Return the delimiter that makes most fields numbers, and most lines alike."""
    best, most = None, (-1.0, 0)
    for delimiter in (*DELIMITERS, None):
        grouped = delimiter == "," and all(BY_COMMAS.fullmatch(line.strip()) for line in lines)
        if grouped and any(",0" in line for line in lines):
            continue  # 1,000 and 12,500: a column of numbers, not columns
        try:
            rows = fields_of(lines, delimiter)
        except ValueError:
            continue
        widths = Counter(map(len, rows))
        width, alike = widths.most_common(1)[0] if widths else (1, 0)
        if width == 1 and (delimiter is not None or best is not None):
            continue
        fields = [field for row in rows for field in row if field]
        numbers = sum(is_number(f) and not (delimiter == "," and "," in f) for f in fields)
        score = numbers / max(1, len(fields)), alike if delimiter else 0
        if score > most:
            best, most = delimiter, score
    return best
