"""Read npy files with NumPy and parquet files with pandas, after a check of their sizes."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np

from .wording import named, shown

NPY, PARQUET = b"\x93NUMPY", b"PAR1"
MOST_BYTES = 400_000_000  # limit of the size of a parquet file's uncompressed content


def read_npy(content: bytes, most: float = math.inf) -> np.ndarray:
    """Read an array of at most ``most`` real numbers from the content of an npy file.

    Raises
    ------
    TypeError, ValueError
        The array is too large, or its entries are not real numbers, or the file is damaged,
        truncated or empty.
    """
    file = io.BytesIO(content)
    try:
        first = np.lib.format.read_magic(file) == (1, 0)
        form = np.lib.format
        read = form.read_array_header_1_0 if first else form.read_array_header_2_0
        shape, by_columns, dtype = read(file)
    except Exception:  # NumPy evaluates the header, which can raise many exceptions
        raise ValueError("the npy file has a damaged header: save the array again.") from None
    if dtype.kind not in "biuf":
        raise TypeError(f"the npy file holds {dtype}, not real numbers: save an array of floats.")
    size = math.prod(shape)
    if size == 0:
        raise ValueError("the npy file holds an empty array: give at least one point.")
    missing = size * dtype.itemsize - (len(content) - file.tell())
    if missing > 0:
        raise ValueError(f"the npy file is cut off ({missing} bytes are missing): copy it again.")
    if size > most:
        raise ValueError(
            f"the npy file has {size} numbers; at most {most // 10**6} million can be read: "
            "use a sample."
        )
    values = np.frombuffer(content, dtype, size, file.tell())
    return values.reshape(shape, order="F" if by_columns else "C")


def read_parquet(content: bytes, most: int) -> tuple[Any, list[str]]:
    """Read a parquet file of at most ``most`` values; return a DataFrame and notices.

    Raises
    ------
    ValueError
        The file is damaged or too large, or pyarrow is not installed.
    """
    import pandas as pd

    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ValueError(
            "reading parquet needs pyarrow: run pip install pyarrow, or save the table as CSV."
        ) from None
    try:
        footer = parquet.read_metadata(io.BytesIO(content))
        size = sum(footer.row_group(i).total_byte_size for i in range(footer.num_row_groups))
        if footer.num_rows * footer.num_columns > most or size > MOST_BYTES:
            raise ValueError(
                f"the parquet file has {footer.num_rows} rows and {footer.num_columns} columns; "
                f"the limits are {most // 10**6} million values and {MOST_BYTES // 10**6} MB: use "
                f"a sample."
            )
        frame = pd.read_parquet(io.BytesIO(content), engine="pyarrow")
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError, KeyError, TypeError) as error:
        reason = shown(" ".join(str(error).split()), 80).rstrip(".")
        raise ValueError(
            f"the parquet file is damaged or cut off ({reason}): copy or save it again."
        ) from None
    index = frame.index
    if index.name is None and index.equals(pd.RangeIndex(len(index))):
        return frame, []
    name = named([*map(str, filter(None, index.names))]) or "of the rows"
    return frame, [f"The index {name} is left out."]
