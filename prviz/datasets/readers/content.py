"""Return the unpacked content of a path, bytes or an open file, within a size limit."""

import functools
import gzip
import inspect
import io
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
Data = TypeVar("Data")

LARGEST_FILE = 150_000_000  # bytes, unpacked
GZIP = b"\x1f\x8b"
#: Suffixes of data files: a string of one line that ends with one of them is a path.
SUFFIXES = (
    *(".csv", ".tsv", ".tab", ".txt", ".text", ".dat", ".data", ".asc", ".md", ".json"),
    *(".npy", ".npz", ".parquet", ".pq", ".xls", ".xlsx", ".ods", ".mat", ".h5"),
    *(".gz", ".zip", ".bz2", ".xz", ".fasta", ".fa", ".fna", ".faa", ".ffn", ".phy", ".dist"),
    *(".mtx", ".mc", ".qubo", ".gph", ".graph", ".col", ".sparse", ".dimacs"),
)


def takes_paths(
    read: Callable[P, Data], line: str = "path", separators: str = "/\\"
) -> Callable[P, Data]:
    """
    Let a reader take a string as the path of a file, not only as the text itself.

    Only the public functions of :mod:`prviz.datasets` take such paths. The app calls the readers
    directly, so a text that a visitor typed never opens a file of the server.

    Parameters
    ----------
    read : callable
    line : {"path", "text"}
        The meaning of a string without line breaks that does not look like a path.
    separators : str
        A string of one line is a path if it contains one of these characters.
    """
    first = next(iter(inspect.signature(read).parameters))

    @functools.wraps(read)
    def reader(*args: P.args, **kwargs: P.kwargs) -> Data:
        given: Any = [*args]
        if given:
            given[0] = path_or_text(given[0], line, separators)
        elif first in kwargs:
            kwargs[first] = path_or_text(kwargs[first], line, separators)
        return read(*given, **kwargs)

    return reader


def path_or_text(origin: Any, line: str = "path", separators: str = "/\\") -> Any:
    """
    Return a Path for a string that is a path; return everything else unchanged.

    A string is a path if it names a file. A string of one line is also a path if its suffix is in
    ``SUFFIXES``, if it contains one of ``separators``, or if `line` is "path".
    """
    if not isinstance(origin, str):
        return origin
    if os.path.isfile(origin):  # False for a string that cannot be a path
        return Path(origin)
    if not origin or "\n" in origin or "\r" in origin:
        return origin
    known = os.path.splitext(origin.lower())[1] in SUFFIXES
    named = known or any(sign in origin for sign in separators)
    return Path(origin) if named or line == "path" else origin


def content_of(
    origin: Any, name: str | None, largest: int | None = None
) -> tuple[bytes | None, str | None]:
    """
    Return the unpacked content of a file and its name; None if there is no file.

    Parameters
    ----------
    origin : Path, bytes, str (the text itself), binary file, or anything else
    name : str or None
        The name to return; the file's own name if None.
    largest : int, optional
        Size limit in bytes, unpacked; ``LARGEST_FILE`` by default.

    Raises
    ------
    FileNotFoundError, TypeError, ValueError
        The file cannot be read, or is too large.
    """
    largest = largest or LARGEST_FILE
    if isinstance(origin, Path):
        content, name = _read(origin, largest), name or origin.name
    elif isinstance(origin, bytes | bytearray | memoryview):
        content = bytes(origin)
    elif isinstance(origin, str):
        content = origin.encode(errors="replace")
    elif hasattr(origin, "read"):
        content = origin.read(largest + 1)
        if not isinstance(content, bytes):
            raise TypeError('the file is open as text: open it with mode "rb".')
        name = name or str(getattr(origin, "name", "")) or None
    else:
        return None, name
    return unpack(content, largest), name


def _read(path: Path, largest: int) -> bytes:
    """Return the bytes of a file; a file that is too large is not opened."""
    try:
        if path.stat().st_size > largest:
            raise _too_large(largest)
        with path.open("rb") as file:
            return file.read(largest + 1)
    except FileNotFoundError:
        raise FileNotFoundError(
            f"there is no file {path}: check the path, or give the content as bytes."
        ) from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}.") from None


def unpack(content: bytes, largest: int) -> bytes:
    """Return the unpacked content of a file, gzipped or not; raise an error if it is too large."""
    if content.startswith(GZIP) and len(content) <= largest:
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
                size = packed.seek(largest + 1)  # unlike a read, a seek needs no memory
                if size > largest:
                    raise _too_large(largest)
                packed.rewind()
                content = packed.read(size)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            fault = "cut off" if isinstance(error, EOFError) else "damaged"
            raise ValueError(f"the gzip file is {fault}: copy or download it again.") from None
    if len(content) > largest:
        raise _too_large(largest)
    if not content or content.isspace():
        raise ValueError("the file is empty: give at least one line of numbers.")
    return content


def _too_large(largest: int) -> ValueError:
    return ValueError(f"the file has more than {largest // 10**6} MB: use a sample.")
