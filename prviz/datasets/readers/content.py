"""Return the unpacked content of a path, bytes or an open file, within a size limit."""

import gzip
import io
import zlib
from pathlib import Path
from typing import Any

LARGEST_FILE = 150_000_000  # bytes, unpacked
GZIP = b"\x1f\x8b"


def content_of(
    origin: Any, name: str | None, largest: int | None = None
) -> tuple[bytes | None, str | None]:
    """
    Return the unpacked content of a file and its name; None if there is no file.

    Parameters
    ----------
    origin : Path, bytes, binary file, or anything else
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
