"""Read points and matrices that somebody else wrote: text, CSV, npy, gzipped or not, arrays."""

import contextlib
import csv
import gzip
import io
import itertools
import math
import re
import zlib
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from prviz.datasets.check import check_points, first_fault
from prviz.datasets.matrices import Dissimilarities, dissimilarity, sound_dissimilarity
from prviz.datasets.points import Points

LARGEST_FILE = 200_000_000  # bytes, unpacked
LONGEST_LINE = 10_000_000  # characters

AS_POINTS = "These are points, a row each: their squared distances are the matrix."

NPY, GZIP = b"\x93NUMPY", b"\x1f\x8b"
_NPY_HEADER = {
    "descr": r"(?:'([^']*)'|\[)",  # a list is a structured type
    "fortran_order": "(True|False)",
    "shape": r"\(([\d,\s]*)\)",
}
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+(e[+-]?\d+)?", re.IGNORECASE)


def read_points(path_or_bytes: Any, name: str | None = None) -> Points:
    """
    Read points from a file, from its content, or from an array.

    The format is told from the content: SIPU text (numbers between blanks), CSV (comma, semicolon
    or tab, with or without a header line), npy, and gzip of any of these. Blank lines and lines
    that start with `#` are passed over. Every column counts as a coordinate; only an unnamed first
    column that numbers the rows, as pandas writes it, is left out, and `notice` says so.

    Parameters
    ----------
    path_or_bytes : str, Path, bytes, binary file, array_like or pandas.DataFrame
        A path, the content of a file, an open file, or the points themselves.
    name : str, optional
        What to call the set; else the name of the file.

    Returns
    -------
    Points
        Of shape (n, d), n ≥ 1 and d ≥ 1.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    TypeError, ValueError
        If these are not points; one sentence with the line and column of the first fault.
    """
    content, name = _content(path_or_bytes, name)
    if content is None:
        return Points(check_points(path_or_bytes), name or "your points", "given as an array")
    notice = ""
    if content.startswith(NPY):
        points = check_points(_parse_npy(content))
    else:
        points, notice = _parse_points(content)
    name = name or "your points"
    return Points(points, name, f"read from {name}", notice=notice)


def read_dissimilarity(
    path_or_bytes: Any, name: str | None = None, most: int | None = None
) -> Dissimilarities:
    """
    Read a matrix of dissimilarities from a file, from its content, or from an array.

    The formats are those of :func:`read_points`. A header line names the points, and a first
    column of names, or one that numbers the rows, is left out. A diagonal that is not zero is made
    so, and `notice` says it.

    Parameters
    ----------
    path_or_bytes : str, Path, bytes, binary file, array_like or pandas.DataFrame
        A path, the content of a file, an open file, or the matrix itself.
    name : str, optional
        What to call the set; else the name of the file.
    most : int, optional
        Take so many points at the most; a table is not read any further than it takes to see that.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    TypeError, ValueError
        If this is no matrix of dissimilarities; one sentence that says what is wrong.
    """
    content, name = _content(path_or_bytes, name)
    labels: tuple[str, ...] = ()
    if content is None:
        matrix, source = path_or_bytes, "given as an array"
    else:
        source = f"read from {name or 'your matrix'}"
        if content.startswith(NPY):
            matrix = _parse_npy(content)
        else:
            matrix, labels = _parse_matrix(content, most)
    if most is not None and max(np.shape(matrix), default=0) > most:
        raise ValueError(f"the matrix has more than {most} points, which is all that can be taken.")
    matrix, notice = sound_dissimilarity(matrix)
    return Dissimilarities(matrix, name or "your matrix", source, labels, notice)


def read_matrix_or_points(content: Any, name: str | None = None, most: int | None = None):
    """
    Read a matrix of dissimilarities; or points, whose squared distances are the matrix.

    What is no matrix counts as points where it has more rows than columns.

    Parameters
    ----------
    content, name, most
        As :func:`read_dissimilarity` has them.

    Returns
    -------
    Dissimilarities
        Its `notice` begins with ``AS_POINTS`` where the content was points.

    Raises
    ------
    FileNotFoundError, TypeError, ValueError
        As :func:`read_dissimilarity`.
    """
    try:
        return read_dissimilarity(content, name, most)
    except ValueError as error:
        fault = error
    try:
        points = read_points(content, name)
    except (ValueError, TypeError):
        raise fault from None
    n, d = points.points.shape
    if n <= d:
        raise fault
    if most is not None and n > most:
        raise ValueError(f"the file has {n} points, and up to {most} can be taken.")
    notice = " ".join(filter(None, [AS_POINTS, points.notice]))
    return Dissimilarities(dissimilarity(points.points), points.name, points.source, notice=notice)


def _content(origin: Any, name: str | None) -> tuple[bytes | None, str | None]:
    """What a file holds, unpacked, and what to call it; None where there is no file."""
    if isinstance(origin, str | Path):
        content = _read_file(Path(origin))
        name = name or Path(origin).name
    elif isinstance(origin, bytes | bytearray | memoryview):
        content = bytes(origin)
    elif hasattr(origin, "read"):
        content = origin.read(LARGEST_FILE + 1)
        if not isinstance(content, bytes):
            raise TypeError('the file is open as text: open it with mode "rb".')
        name = name or str(getattr(origin, "name", "")) or None
    else:
        return None, name
    return unpack(content, LARGEST_FILE), name


def _read_file(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise FileNotFoundError(
            f"there is no file {path}: check the path, or give the content as bytes."
        ) from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}.") from None


def unpack(content: bytes, largest: int) -> bytes:
    """What a file holds, gzipped or not, if that is at most so many bytes."""
    if content.startswith(GZIP) and len(content) <= largest:
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
                content = packed.read(largest + 1)
        except EOFError:
            raise ValueError("the gzip file is cut off: copy or download it again.") from None
        except (gzip.BadGzipFile, zlib.error):
            raise ValueError("the gzip file is damaged: copy or download it again.") from None
    if len(content) > largest:
        raise ValueError(f"the file has more than {largest // 10**6} MB: give a sample of it.")
    if not content.strip():
        raise ValueError("the file is empty: give at least one line of numbers.")
    return content


def _parse_npy(content: bytes) -> np.ndarray:
    """
    Read an array by its header, which is checked before any memory is set aside for it.

    numpy's own reader sets memory aside first, and warns or fails in many ways on a bad header.
    """
    width = 2 if content[6:7] == b"\x01" else 4  # bytes that tell the length, by version
    start = 8 + width + int.from_bytes(content[8 : 8 + width], "little")
    header = content[8 + width : start].decode("latin-1")
    found = [re.search(rf"'{key}':\s*{value}", header) for key, value in _NPY_HEADER.items()]
    if start > len(content) or not all(found):
        raise ValueError("the npy file has a damaged header: save the array again.")
    kind, by_columns, lengths = (match[1] or "records" for match in found)
    if not re.fullmatch(r"[<>|=]?[biuf]\d+", kind):
        raise TypeError(f"the npy file holds {kind}, not real numbers: save an array of floats.")
    try:
        dtype = np.dtype(kind)
        shape = [int(length) for length in re.findall(r"\d+", lengths)]
        count = math.prod(shape)
        missing = count * dtype.itemsize - (len(content) - start)
        if missing <= 0 < count:
            values = np.frombuffer(content, dtype, count, start)
            return values.reshape(shape, order="F" if by_columns == "True" else "C")
    except (TypeError, ValueError):
        raise ValueError("the npy file has a damaged header: save the array again.") from None
    if missing > 0:
        raise ValueError(f"the npy file is cut off ({missing} bytes are missing): copy it again.")
    raise ValueError("the npy file holds an empty array: give at least one point.")


def _encoding(content: bytes) -> str:
    if content.startswith(b"PK\x03\x04"):
        raise ValueError("this is a zip, npz or Excel file: save the points as CSV or npy.")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    if b"\0" in content:
        raise ValueError("the file is neither text nor npy: save the points as CSV or npy.")
    try:
        content.decode()
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8-sig"


def _parse_points(content: bytes) -> tuple[np.ndarray, str]:
    """Points, shape (n, d), and a notice, from lines of numbers."""
    points, lines, header = _parse_table(content)
    fault = first_fault(points)
    if fault is not None:
        row_index, column, what = fault
        raise ValueError(f"line {lines[row_index]}, column {column + 1} is {what}.")
    if header and not header[0].strip() and points.shape[1] > 1 and _numbers_rows(points[:, 0]):
        return points[:, 1:].copy(), "The unnamed first column, which counts rows, is left out."
    return points, ""


def _parse_matrix(content: bytes, most: int | None) -> tuple[np.ndarray, tuple[str, ...]]:
    """A matrix and the names of its columns, from lines of numbers with or without names."""
    widest = LONGEST_LINE if most is None else most + 1
    table, _, header = _parse_table(content, named=True, widest=widest)
    n = len(table)
    if table.shape == (n, n + 1) and header and _numbers_rows(table[:, 0]):
        table = table[:, 1:]
    elif table.shape == (n, n - 1) and not header and _numbers_rows(table[0]):
        table = table[1:]  # a line of numbers in place of names
    names = tuple(field.strip() for field in (header or [])[-table.shape[1] :])
    numbers = tuple(map(str, range(len(names))))
    return table, names if len(set(names)) == table.shape[1] and names != numbers else ()


class _Table(NamedTuple):
    values: np.ndarray  # shape (rows, columns)
    lines: array  # on which line each row stands
    header: list[str] | None


def _parse_table(content: bytes, named: bool = False, widest: int = LONGEST_LINE) -> _Table:
    """Equally many numbers a line, after a header or not; ``named``: and after a name a line.

    Where the first line has more numbers than ``widest``, there it ends; with names, also after
    more lines than that.
    """
    encoding = _encoding(content)
    delimiter = _delimiter(content, encoding)
    values, lines = array("d"), array("q")
    columns, header = 0, None
    for number, line in _lines(content, encoding):
        fields = _split(line, delimiter)
        if named and header is None and not lines and _numbers_columns(fields):
            header = fields
            continue
        if named and header is not None and len(fields) > 1 and not _is_number(fields[0]):
            fields = fields[1:]
        try:
            row = _numbers(fields)
        except ValueError:
            if header is None and not lines and _is_header(fields):
                header = fields
                continue
            raise ValueError(_text_fault(fields, number)) from None
        if lines and len(row) != columns:
            raise ValueError(
                f"line {number} has {_count(len(row), 'column')} but line {lines[0]} has "
                f"{columns}: give every line equally many."
            )
        columns = len(row)
        values.extend(row)
        lines.append(number)
        if columns > widest or (named and len(lines) > widest):
            break
    if not lines:
        raise ValueError("the file has no line of numbers: give one point a line.")
    return _Table(np.array(values).reshape(-1, columns), lines, header)


def _lines(content: bytes, encoding: str) -> Iterator[tuple[int, str]]:
    """Number and content of the lines that hold something."""
    with io.TextIOWrapper(io.BytesIO(content), encoding, errors="replace") as stream:
        for number in itertools.count(1):
            line = stream.readline(LONGEST_LINE)
            if not line:
                return
            if len(line) == LONGEST_LINE:
                raise ValueError(
                    f"line {number} has more than {LONGEST_LINE // 10**6} million characters: "
                    "give one point a line."
                )
            line = line.strip()
            if line and not line.startswith("#"):
                yield number, line


def _delimiter(content: bytes, encoding: str) -> str | None:
    """Semicolon, comma, or None for blanks and tabs, by the second line, which is no header."""
    *_, (_, sample) = [(0, ""), *itertools.islice(_lines(content, encoding), 2)]
    if ";" in sample:
        return ";"
    words = sample.split()
    decimal_commas = len(words) > 1 and all(
        _is_number(word) or _DECIMAL_COMMA.fullmatch(word) for word in words
    )
    return "," if "," in sample and not decimal_commas else None


def _split(line: str, delimiter: str | None) -> list[str]:
    if delimiter is None:
        return line.replace('"', "").split() or [""]
    if '"' in line:
        with contextlib.suppress(csv.Error):
            return next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))
    return line.split(delimiter)


def _numbers(fields: list[str]) -> list[float]:
    if any("_" in field for field in fields):  # float() reads 1_000; nobody else does
        raise ValueError
    return [float(field) for field in fields]


def _is_number(field: str) -> bool:
    try:
        _numbers([field])
    except ValueError:
        return False
    return True


def _is_header(fields: list[str]) -> bool:
    """Names, then: no number, no decimal comma, and something in it."""
    return any(field.strip() for field in fields) and not any(
        _is_number(field) or _DECIMAL_COMMA.fullmatch(field.strip()) for field in fields
    )


def _numbers_columns(fields: list[str]) -> bool:
    """A header as pandas writes it for columns without names: blank, then 0, 1, 2 …"""
    return len(fields) > 1 and fields == ["", *map(str, range(len(fields) - 1))]


def _text_fault(fields: list[str], number: int) -> str:
    column = next(i for i, field in enumerate(fields) if not _is_number(field))
    field = "".join(c if c.isprintable() else "\ufffd" for c in fields[column].strip())
    where = f"line {number}, column {column + 1}"
    if not field:
        return f"{where} is empty: fill it or drop that line."
    shown = field if len(field) <= 40 else field[:39] + "…"
    if _DECIMAL_COMMA.fullmatch(field):
        return f'{where}: "{shown}" looks like a decimal comma: write decimal points.'
    return f'{where}: "{shown}" is not a number: mend it, or drop that column or line.'


def _numbers_rows(column: np.ndarray) -> bool:
    counting = np.arange(len(column))
    return bool((column == counting).all() or (column == counting + 1).all())


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
