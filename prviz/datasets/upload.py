"""Points and matrices that somebody else wrote, of which every field must be a number."""

from pathlib import Path
from typing import Any

import numpy as np

from prviz.datasets.check import check_points, first_fault
from prviz.datasets.content import content_of
from prviz.datasets.grid import counts_rows, grid_of, plain_grid
from prviz.datasets.lines import LONGEST_LINE, text_of
from prviz.datasets.matrices import Dissimilarities, dissimilarity, sound_dissimilarity
from prviz.datasets.npy import NPY, parse_npy
from prviz.datasets.points import Points
from prviz.datasets.tables import COUNTED, Table, points_of, read_table

AS_POINTS = "These are points, a row each: their squared distances are the matrix."


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
        points = check_points(parse_npy(content))
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
            matrix = parse_npy(content)
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
    read = matrix_or_table(content, name, most)
    if isinstance(read, Dissimilarities):
        return read
    points = points_of(read)
    notice = " ".join(filter(None, [AS_POINTS, points.notice]))
    return Dissimilarities(
        dissimilarity(points.points, "sqeuclidean"), points.name, points.source, notice=notice
    )


def matrix_or_table(
    content: Any, name: str | None = None, most: int | None = None
) -> Dissimilarities | Table:
    """
    Read a matrix of dissimilarities; or a table of points, to choose and scale columns of.

    Parameters, what counts as points, and errors are those of :func:`read_matrix_or_points`.
    """
    held, name = _content(content, name)
    given = content if held is None else held
    try:
        return read_dissimilarity(given, name, most)
    except ValueError as error:
        fault = error
    try:
        table = read_table(given, name)
    except (ValueError, TypeError):
        raise fault from None
    n, d = table.values.shape
    if n <= d:
        raise fault
    if most is not None and n > most:
        raise ValueError(f"the file has {n} points, and up to {most} can be taken.")
    return table


def _content(origin: Any, name: str | None) -> tuple[bytes | None, str | None]:
    return content_of(Path(origin) if isinstance(origin, str) else origin, name)


def _parse_points(content: bytes) -> tuple[np.ndarray, str]:
    """Points, shape (n, d), and a notice, from lines of numbers."""
    points, lines, header = grid_of(text_of(content))
    fault = first_fault(points)
    if fault is not None:
        row_index, column, what = fault
        raise ValueError(f"line {lines[row_index]}, column {column + 1} is {what}.")
    if header and not header[0].strip() and points.shape[1] > 1 and counts_rows(points[:, 0]):
        return points[:, 1:].copy(), COUNTED
    return points, ""


def _parse_matrix(content: bytes, most: int | None) -> tuple[np.ndarray, tuple[str, ...]]:
    """A matrix and the names of its columns, from lines of numbers with or without names."""
    widest = LONGEST_LINE if most is None else most + 1
    table, _, header = plain_grid(text_of(content), named=True, widest=widest)
    n = len(table)
    if table.shape == (n, n + 1) and header and counts_rows(table[:, 0]):
        table = table[:, 1:]
    elif table.shape == (n, n - 1) and not header and counts_rows(table[0]):
        table = table[1:]  # a line of numbers in place of names
    names = tuple(field.strip() for field in (header or [])[-table.shape[1] :])
    numbers = tuple(map(str, range(len(names))))
    return table, names if len(set(names)) == table.shape[1] and names != numbers else ()
