"""NumPy's own files, read by a header that is checked before any memory is set aside for it."""

import math
import re

import numpy as np

from prviz.datasets.fields import shown

NPY = b"\x93NUMPY"
LONGEST_HEADER = 100_000  # bytes
_HEADER = {
    "descr": r"(?:'([^']*)'|\[)",  # a list is a structured type
    "fortran_order": "(True|False)",
    "shape": r"\(([\d,\s]*)\)",
}


def parse_npy(content: bytes) -> np.ndarray:
    """
    Read an array of real numbers; numpy's own reader sets memory aside first, and warns or fails
    in many ways on a bad header.
    """
    width = 2 if content[6:7] == b"\x01" else 4  # bytes that tell the length, by version
    start = 8 + width + int.from_bytes(content[8 : 8 + width], "little")
    header = content[8 + width : min(start, LONGEST_HEADER)].decode("latin-1")
    found = [re.search(rf"'{key}':\s*{value}", header) for key, value in _HEADER.items()]
    if start > len(content) or not all(found):
        raise ValueError("the npy file has a damaged header: save the array again.")
    kind, by_columns, lengths = (match[1] or "records" for match in found)
    if not re.fullmatch(r"[<>|=]?[biuf]\d+", kind):
        raise TypeError(
            f"the npy file holds {shown(kind)}, not real numbers: save an array of floats."
        )
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
