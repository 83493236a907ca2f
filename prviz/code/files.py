"""Python code that reads the user's data from a file and checks them."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from .script import literal

LONGEST_TYPED = 2000  #: Longest text that a script contains, in characters.

FILE = """from hashlib import sha256
from pathlib import Path

file = Path({name})  # the uploaded file, in the current folder
found = sha256(file.read_bytes()).hexdigest()
assert found.startswith("{begins}"), f"{{file}} is not the file that was uploaded."
"""
ARRAY = """from hashlib import sha256
from pathlib import Path

file = Path({name})  # the page's data, in the current folder
{variable} = {read}
found = sha256({variable}.tobytes()).hexdigest()
assert found.startswith("{begins}"), f"{{file}} has different data."
"""


def file_code(name: str, begins: str) -> str:
    """Return Python code that defines ``file``, and checks that it is the uploaded file.

    Parameters
    ----------
    name : str
    begins : str
        The first hexadecimal digits of the SHA-256 of the file's content.
    """
    return FILE.format(name=literal(name), begins=begins)


def array_code(name: str, variable: str, read: str, array: np.ndarray) -> str:
    """Return Python code that reads and checks data that were not uploaded, such as typed text.

    Parameters
    ----------
    name : str
        Name of the file for the data.
    variable, read : str
        Name of the array, and Python code that reads it from ``file``.
    array : ndarray
        The expected array.
    """
    begins = sha256(array.tobytes()).hexdigest()[:12]
    return ARRAY.format(name=literal(name), variable=variable, read=read, begins=begins)
