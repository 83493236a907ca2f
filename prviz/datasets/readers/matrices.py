"""Read matrices of dissimilarities from files: tables, PHYLIP and npy."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..types.matrices import Dissimilarities, dissimilarity, sound_dissimilarity
from .binary import NPY, read_npy
from .content import content_of
from .points import points_of
from .tables import Table, identifier_notice, read_table, texts_notice
from .text import NUMBER, decode
from .wording import shown

AS_POINTS = "The rows are read as points; the matrix has their squared Euclidean distances."
ROUNDING = 1e-8  # largest rounding error, as a share of the largest entry
_PHYLIP = re.compile(r"\s*(\d{1,9})\s*(lower|square)?\s*\n", re.I)


def read_dissimilarity(
    path_or_bytes: Any, name: str | None = None, most: int | None = None, **options: Any
) -> Dissimilarities:
    """
    Read a matrix of dissimilarities from a file, from its content, or from an array.

    A table is read by :func:`prviz.datasets.read_table`: a header row names the points, and text
    columns and columns of row numbers are left out. Square or lower triangular PHYLIP matrices are
    read as well. If one triangle is empty, the other triangle is mirrored.

    Parameters
    ----------
    path_or_bytes : str, Path, bytes, binary file, array_like or pandas.DataFrame
        A path, a text with line breaks, the content of a file, an open file, or the matrix.
    name : str, optional
        Name of the set; the file's name by default.
    most : int, optional
        Largest number of points.
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
        The content is not a matrix of dissimilarities.

    Examples
    --------
    >>> from prviz import datasets
    >>> datasets.read_dissimilarity(b"A,B\\n0,3\\n3,0").labels
    ('A', 'B')
    """
    read = _read(path_or_bytes, name, most, options)
    return _of_table(read, most) if isinstance(read, Table) else _sound(read, most)


def read_matrix_or_points(
    content: Any, name: str | None = None, most: int | None = None, **options: Any
) -> Dissimilarities:
    """
    Read a matrix of dissimilarities, or read points and compute their squared distances.

    Parameters
    ----------
    content, name, most, **options
        As in :func:`read_dissimilarity`. For points, ``columns``, ``scale`` and ``missing`` are
        options as well, as in :func:`prviz.datasets.points_of`.

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
    Read a matrix of dissimilarities, or a table of points whose columns can be chosen and scaled.

    A square table is a matrix if it is symmetric, has a diagonal of zeros, or has an empty
    triangle. In any other table, rows are points; it must have at least as many rows as columns.
    """
    table = _read(content, name, most, options)
    if isinstance(table, Dissimilarities):
        try:
            return _sound(table, most)
        except ValueError:
            table = read_table(table.matrix, table.name)._replace(source=table.source)
            if len(set(table.values.shape)) == 1:
                raise
    n, d = table.values.shape
    if n == d > 1 and _is_matrix(table.values):
        return _of_table(table, most)
    if n < d:
        raise ValueError(
            f"dissimilarity must be square, with a row and a column for each point, got {n} × "
            f"{d}; for points, give more rows than columns."
        )
    if most is not None and n > most:
        raise ValueError(f"the file has {n} points; at most {most} can be read.")
    return table


def _read(
    origin: Any, name: str | None, most: int | None, options: dict[str, Any]
) -> Dissimilarities | Table:
    """Return a table, or an unchecked matrix if the input is an array, npy or PHYLIP."""
    held, name = content_of(origin, name)
    name = name or "your matrix"
    if held is None:
        return Dissimilarities(origin, name, "given as an array")
    if held.startswith(NPY):
        return Dissimilarities(read_npy(held), name, f"read from {name}")
    if phylip := _phylip(held, most):
        return Dissimilarities(phylip[0], name, f"read from {name} (PHYLIP)", phylip[1])
    table = read_table(held, name, **options)
    n, d = table.values.shape
    first = table.values[0]
    counts = n == d + 1 and bool((first == first[0] + np.arange(d)).all())
    if counts and "header" not in options and _is_matrix(table.values[1:]):
        # a header row of numbers above a square matrix
        return read_table(held, name, **{**options, "header": True})
    if (n, *table.columns[1:]) == (d - 1, *map(_label, table.values[:, 0])):
        # the first column has the names of the rows, which are numbers
        return table._replace(values=table.values[:, 1:], columns=table.columns[1:])
    return table


def _label(number: float) -> str:
    return f"{number:.0f}"


def _is_matrix(values: np.ndarray) -> bool:
    gaps = np.isnan(values) & ~np.eye(len(values), dtype=bool)
    lower = np.tri(len(values), k=-1, dtype=bool)
    if np.isnan(values).any():
        return bool((gaps == lower).all() or (gaps == lower.T).all())
    rounding = ROUNDING * float(np.abs(values).max())
    symmetric = np.abs(values - values.T).max() <= rounding
    return bool(symmetric or np.abs(np.diagonal(values)).max() <= rounding)


def _of_table(table: Table, most: int | None) -> Dissimilarities:
    """Return the matrix of a table; its columns or texts name the points."""
    values = table.values
    notice = table.notice.replace(identifier_notice(table.columns[0]), "").strip()
    n, d = values.shape
    labels = table.columns
    if labels[0].startswith("column ") or labels == tuple(map(str, range(d))):
        labels = ()
    if labels and (same := [t for t, words in table.texts.items() if words == labels]):
        notice = notice.replace(texts_notice(same[:1]), "").strip()
    for name, words in table.texts.items():
        if words != labels and sorted(words) == sorted(labels):
            raise ValueError(
                f'column "{name}" has the names of the columns in another order: give rows and '
                "columns the same order."
            )
    if np.isnan(values).any() and not (n == d and _is_matrix(values)):
        line, column = table.missing()[0]
        raise ValueError(f'line {line}, column "{column}" is empty: fill in a value.')
    return _sound(Dissimilarities(values, table.name, table.source, labels, notice), most)


def _sound(read: Dissimilarities, most: int | None) -> Dissimilarities:
    _check_size(max(np.shape(read.matrix), default=0), most)
    matrix, changed = sound_dissimilarity(read.matrix)
    notice = " ".join(filter(None, [read.notice, changed]))
    return read._replace(matrix=matrix, labels=tuple(read.labels), notice=notice)


def _check_size(n: int, most: int | None) -> None:
    if most is not None and n > most:
        raise ValueError(f"the matrix has more than {most} points, the limit.")


def _phylip(content: bytes, most: int | None) -> tuple[np.ndarray, tuple[str, ...]] | None:
    """Return a PHYLIP matrix (one triangle possibly 0) and the names, or None."""
    if not content[:100].lstrip()[:1].isdigit():
        return None
    text, _ = decode(content)
    head = _PHYLIP.match(text)
    rows = [line.split() for line in text[head.end() :].split("\n") if line.split()] if head else []
    n, widths = len(rows), [len(row) - 1 for row in rows]
    if (
        not head
        or n < 2
        or int(head[1]) != n
        or widths
        not in (
            [n] * n,
            [*range(n)],
            [*range(1, n + 1)],
            [*range(n - 1, -1, -1)],
        )
    ):
        return None
    if NUMBER.fullmatch(rows[0][0]):
        return None
    _check_size(n, most)
    matrix = np.zeros((n, n))
    for i, (name, *fields) in enumerate(rows):
        if wrong := [field for field in fields if not NUMBER.fullmatch(field)]:
            raise ValueError(f'row "{name}": "{shown(wrong[0])}" is not a number. Correct it.')
        start = n - len(fields) if widths[0] == n - 1 else 0  # an upper triangle
        matrix[i, start : start + len(fields)] = fields
    return matrix, tuple(row[0] for row in rows)
