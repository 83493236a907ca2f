"""Matrices of dissimilarities from files: tables, PHYLIP and npy."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from ..types.matrices import Dissimilarities, dissimilarity, sound_dissimilarity
from .binary import NPY, read_npy
from .content import content_of
from .points import points_of
from .tables import Table, read_table
from .text import NUMBER, decode

AS_POINTS = "The rows are read as points; the matrix has their squared Euclidean distances."
_PHYLIP = re.compile(r"\s*(\d+)\s*(lower|square)?\s*\n", re.I)


def read_dissimilarity(
    path_or_bytes: Any, name: str | None = None, most: int | None = None, **options: Any
) -> Dissimilarities:
    """
    Read a matrix of dissimilarities from a file, from its content, or from an array.

    A table is read as by :func:`prviz.datasets.read_table`: a header row names the points, and
    columns of texts and row numbers are left out. PHYLIP matrices, square or lower triangular, are
    read as well. Of a table with one empty triangle, the other is mirrored.

    Parameters
    ----------
    path_or_bytes : str, Path, bytes, binary file, array_like or pandas.DataFrame
        A path, the content of a file, an open file, or the matrix itself.
    name : str, optional
        What to call the set; else the name of the file.
    most : int, optional
        Refuse more points than this.
    **options
        ``header``, ``delimiter``, ``decimal`` and ``thousands`` of a text.

    Returns
    -------
    Dissimilarities

    Raises
    ------
    FileNotFoundError
        There is no such file.
    TypeError, ValueError
        This is no matrix of dissimilarities; one sentence that says what is wrong.

    Examples
    --------
    >>> from prviz import datasets
    >>> datasets.read_dissimilarity(b"A,B\\n0,3\\n3,0").labels
    ('A', 'B')
    """
    held, name = _content(path_or_bytes, name)
    if held is None:
        return _sound(path_or_bytes, name or "your matrix", "given as an array", (), "", most)
    name = name or "your matrix"
    if held.startswith(NPY):
        return _sound(read_npy(held), name, f"read from {name}", (), "", most)
    if phylip := _phylip(held, most):
        return _sound(phylip[0], name, f"read from {name} (PHYLIP)", *phylip[1:], most)
    table = _square(held, name, options)
    return _of_table(table, most)


def read_matrix_or_points(
    content: Any, name: str | None = None, most: int | None = None, **options: Any
) -> Dissimilarities:
    """
    Read a matrix of dissimilarities; or points, whose squared distances are the matrix.

    Parameters
    ----------
    content, name, most, **options
        As :func:`read_dissimilarity` takes them; ``columns``, ``scale`` and ``missing`` of
        :func:`prviz.datasets.points_of` apply to points.

    Returns
    -------
    Dissimilarities
        Its `notice` begins with ``AS_POINTS`` if the content was points.

    Raises
    ------
    FileNotFoundError, TypeError, ValueError
        As :func:`read_dissimilarity`.
    """
    chosen = {key: options.pop(key) for key in ("columns", "scale", "missing") if key in options}
    read = matrix_or_table(content, name, most, **options)
    if isinstance(read, Dissimilarities):
        return read
    points = points_of(read, **chosen)
    notice = " ".join(filter(None, [AS_POINTS, points.notice]))
    matrix = dissimilarity(points.points, "sqeuclidean")
    return Dissimilarities(matrix, points.name, points.source, notice=notice)


def matrix_or_table(
    content: Any, name: str | None = None, most: int | None = None, **options: Any
) -> Dissimilarities | Table:
    """
    Read a matrix of dissimilarities; or a table of points, to choose and scale columns of.

    A square table is a matrix if it is symmetric, has a diagonal of zeros, or has an empty
    triangle; every other table has points if it has more rows than columns.
    """
    held, name = _content(content, name)
    if held is None or held.startswith(NPY) or _phylip(held, most):
        array = content if held is None else held
        try:
            return read_dissimilarity(array, name, most)
        except ValueError:
            table = read_table(array, name)
            if len(set(table.values.shape)) == 1:
                raise
    else:
        table = _square(held, name or "your matrix", options)
    n, d = table.values.shape
    if n == d > 1 and _is_matrix(table.values):
        return _of_table(table, most)
    if n < d:
        raise ValueError(
            f"dissimilarity must be square, a row and a column for each point, not {n} × {d}; for "
            "points, give more rows than columns."
        )
    if most is not None and n > most:
        raise ValueError(f"the file has {n} points, and up to {most} can be read.")
    return table


def _content(origin: Any, name: str | None) -> tuple[bytes | None, str | None]:
    return content_of(Path(origin) if isinstance(origin, str) else origin, name)


def _square(content: bytes, name: str, options: dict[str, Any]) -> Table:
    """Return a table; a first row of counting numbers that makes it square has names."""
    table = read_table(content, name, **options)
    n, d = table.values.shape
    first = table.values[0]
    if n == d + 1 and "header" not in options and (first == first[0] + np.arange(d)).all():
        return read_table(content, name, **{**options, "header": True})
    return table


def _is_matrix(values: np.ndarray) -> bool:
    gaps = np.isnan(values)
    lower = np.tri(len(values), k=-1, dtype=bool)
    if gaps.any():
        return bool((gaps == lower).all() or (gaps == lower.T).all())
    return bool((values == values.T).all() or not np.diagonal(values).any())


def _of_table(table: Table, most: int | None) -> Dissimilarities:
    """Return the matrix of a table, whose columns or texts name the points."""
    values, notice = table.values, table.notice
    n, d = values.shape
    labels = table.columns if not table.columns[0].startswith("column ") else ()
    if labels == tuple(map(str, range(d))):
        labels = ()
    if labels and (same := [t for t, words in table.texts.items() if words == labels]):
        notice = notice.replace(f'Columns left out as texts: "{same[0]}".', "").strip()
    if np.isnan(values).any() and not (n == d and _is_matrix(values)):
        line, column = table.missing()[0]
        raise ValueError(f'line {line}, column "{column}" has no value: fill it in.')
    return _sound(values, table.name, table.source, labels, notice, most)


def _sound(
    matrix: Any, name: str, source: str, labels: Any, notice: str, most: int | None
) -> Dissimilarities:
    if most is not None and max(np.shape(matrix), default=0) > most:
        raise ValueError(f"the matrix has more than {most} points, the most that can be read.")
    matrix, changed = sound_dissimilarity(matrix)
    notice = " ".join(filter(None, [notice, changed]))
    return Dissimilarities(matrix, name, source, tuple(labels), notice)


def _phylip(content: bytes, most: int | None) -> tuple[np.ndarray, tuple[str, ...], str] | None:
    """Return a PHYLIP matrix with names and a notice; None if the text has none."""
    if not content[:100].lstrip()[:1].isdigit():
        return None
    text, _ = decode(content)
    head = _PHYLIP.match(text)
    rows = [line.split() for line in text[head.end() :].split("\n") if line.split()] if head else []
    n = int(head[1]) if head else 0
    if n < 2 or len(rows) != n or NUMBER.fullmatch(rows[0][0]):
        return None
    triangle = [len(row) - 1 for row in rows] == [*range(n)]
    if not triangle and any(len(row) != n + 1 for row in rows):
        return None
    if most is not None and n > most:
        raise ValueError(f"the matrix has more than {most} points, the most that can be read.")
    matrix = np.zeros((n, n))
    for i, (name, *fields) in enumerate(rows):
        if wrong := [field for field in fields if not NUMBER.fullmatch(field)]:
            raise ValueError(f'row "{name}": "{wrong[0][:40]}" is not a number. Correct it.')
        matrix[i, : len(fields)] = [float(field) for field in fields]
    if not triangle:
        return matrix, tuple(row[0] for row in rows), ""
    names = tuple(row[0] for row in rows)
    return matrix + matrix.T, names, "The lower triangle is mirrored."
