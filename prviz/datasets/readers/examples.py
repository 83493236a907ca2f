"""Read binary examples: one per line, each a row of 0 and 1."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from ...checks import real_number
from ..check import check_points
from ..types.examples import Examples, check_examples
from .binary import NPY, read_npy
from .content import content_of
from .tables import read_table
from .text import decode
from .wording import where

LARGEST_FILE = 20_000_000  # bytes
LABELS = ("label", "labels", "class", "target", "digit", "id")
_BITS = re.compile(r"[01\s,;]*[01][01\s,;]*")
_EMPTY = re.compile(r"(?m)[,;][ \t]*[,;]|^[ \t]*[,;]")  # a field without a value


def read_examples(
    path_or_content: Any,
    name: str | None = None,
    largest: int = LARGEST_FILE,
    threshold: float | None = None,
) -> Examples:
    """
    Read binary examples: one example per line, a row of 0 and 1.

    Zeros and ones may be adjacent, or separated by blanks, commas or semicolons. Files of any other
    format are read by :func:`prviz.datasets.read_table`.

    Parameters
    ----------
    path_or_content : str, Path, bytes, binary file, or array_like
        A path, a text, the content of a file, an open file, or the examples. The file may also be
        an `npy` file, and it may be gzipped.
    name : str, optional
        Name of the set; the file's name by default.
    largest : int
        Largest size of a file in bytes, unpacked.
    threshold : float, optional
        If the file has other numbers than 0 and 1, such as grey values, numbers above the threshold
        become 1 and all others 0.

    Raises
    ------
    FileNotFoundError, TypeError, ValueError
        The content is invalid. The message has the line and column, and may suggest thresholds.
    """
    if threshold is not None and not math.isfinite(real_number(threshold, "threshold")):
        raise ValueError(f"threshold must be finite, got {threshold}.")
    held, name = content_of(path_or_content, name, largest)
    source = "given as an array" if held is None else f"read from {name or 'your examples'}"
    notice = ""
    if held is None or held.startswith(NPY):
        values = path_or_content if held is None else read_npy(held)
    elif _BITS.fullmatch(text := decode(held)[0]) and not _EMPTY.search(text):
        values = _bits(text)
    else:
        table = read_table(held, name)
        if missing := table.missing():
            line, column = missing[0]
            raise ValueError(f"{where(line, column)} is empty: every entry must be 0 or 1.")
        values, notice = table.values, table.notice
        if table.columns[0].lower() in LABELS:
            label = f'Column "{table.columns[0]}" is read as part of each example.'
            notice = f"{notice} {label} Remove it if it is a label.".strip()
        wrong = ~((values == 0) | (values == 1))
        if threshold is None and wrong.any():
            row, j = (int(i) for i in np.unravel_index(np.argmax(wrong), values.shape))
            raise ValueError(
                f"{where(table.lines[row], table.columns[j])} is {values[row, j]:g}: every entry "
                f"must be 0 or 1. {_suggested(values)}"
            )
    try:
        examples = check_examples(values)
    except ValueError as error:
        try:
            grey = check_points(values)
        except (ValueError, TypeError):
            raise error from None
        if threshold is None:
            raise ValueError(f"{error} {_suggested(grey)}") from None
        examples = (grey > threshold).astype(np.uint8)
        source = f"{source}; values above {threshold:g} are 1, the others 0"
    return Examples(examples, name or "your examples", source, notice=notice)


def _bits(text: str) -> list[list[int]]:
    """Parse rows of zeros and ones, with or without separators."""
    lines = {n: re.sub(r"[\s,;]", "", line) for n, line in enumerate(text.split("\n"), 1)}
    rows = {n: [*map(int, line)] for n, line in lines.items() if line}
    (first, row), *others = rows.items()
    for n, other in others:
        if len(other) != len(row):
            raise ValueError(
                f"line {n} has {len(other)} entries but line {first} has {len(row)}: give every "
                "line the same number of entries."
            )
    return [*rows.values()]


def _suggested(grey: np.ndarray) -> str:
    """Return a text that suggests two thresholds: the median, and the centre of the range."""
    low, middle, high = float(grey.min()), float(np.median(grey)), float(grey.max())
    if low == high:
        return f"All values are {low:g}, so no threshold separates them."
    centre = f"{low / 2 + high / 2:.6g}, halfway between the smallest and the largest value"
    if middle == high or middle == low / 2 + high / 2:
        return f"For grey values pass a threshold, such as {centre}."
    return f"For grey values pass a threshold, such as their median {middle:.6g} or {centre}."
