"""Parquet files: their columns of numbers, read by pyarrow once their size is known."""

from __future__ import annotations

import io
from typing import Any, NamedTuple

import numpy as np

from prviz.datasets.fields import count, shown

PARQUET = b"PAR1"
MOST_BYTES = 400_000_000  # of a file, unpacked, as its footer has it
#: Of what the footer may hold.
LIMITS = {"thrift_string_size_limit": 10_000_000, "thrift_container_size_limit": 1_000_000}


class Numbers(NamedTuple):
    """The columns of numbers, (n,) float64 each, NaN where a value is missing; and the others."""

    names: list[str]
    columns: list[np.ndarray]
    others: list[str]
    rows: int


def parse_parquet(content: bytes, most: int) -> Numbers:
    """
    The columns of a parquet file.

    Parameters
    ----------
    content : bytes
    most : int
        Take so many numbers at most.

    Raises
    ------
    ValueError
        It is damaged, too large, or pyarrow is not installed: one sentence.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ValueError(
            "a parquet file needs pyarrow to be read: install it (pip install pyarrow), or save "
            "the table as CSV."
        ) from None
    try:
        with parquet.ParquetFile(io.BytesIO(content), **LIMITS) as file:
            kept, others = _by_kind(file.schema_arrow)
            _check_size(file.metadata, len(kept), most)
            read = file.read(columns=kept, use_threads=False)
            return Numbers(read.column_names, [_floats(x) for x in read.columns], others, len(read))
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise ValueError(
            f"the parquet file is damaged or cut off ({_said(error)}): copy or save it again."
        ) from None


def _by_kind(schema: Any) -> tuple[list[str], list[str]]:
    """Names of the columns that hold numbers, and of the others."""
    from pyarrow import types

    kinds = (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal)
    kept, others = [], []
    for field in schema:
        (kept if any(kind(field.type) for kind in kinds) else others).append(field.name)
    return kept, others


def _check_size(metadata: Any, columns: int, most: int) -> None:
    """By what the footer promises, before memory is set aside."""
    if metadata.num_rows * columns > most:
        raise ValueError(
            f"the parquet file has {metadata.num_rows} rows of {count(columns, 'number')}, and up "
            f"to {most // 10**6} million numbers can be taken: give a sample of it."
        )
    size = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    if size > MOST_BYTES:
        raise ValueError(
            f"the parquet file has more than {MOST_BYTES // 10**6} MB, unpacked: give a sample."
        )


def _floats(column: Any) -> np.ndarray:
    values = column.to_numpy()
    if values.dtype == object:  # decimals, and booleans of which some are missing
        values = [np.nan if each is None else float(each) for each in values]
    return np.asarray(values, np.float64)


def _said(error: BaseException) -> str:
    """The beginning of what pyarrow says, as it goes on for lines."""
    return shown(" ".join(str(error).split()).partition(". ")[0].rstrip("."), 80)
