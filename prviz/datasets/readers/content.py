"""What a file holds, unpacked: from a path, bytes or an open file, within limits."""

import gzip
import io
import zlib
from pathlib import Path
from typing import Any

LARGEST_FILE = 150_000_000  # bytes, unpacked
PIECE = 1 << 20  # bytes, of what is unpacked only to be counted

GZIP = b"\x1f\x8b"


def content_of(
    origin: Any, name: str | None, largest: int | None = None
) -> tuple[bytes | None, str | None]:
    """
    Return the unpacked content and the name of a file; None if there is none.

    Parameters
    ----------
    origin : Path, bytes, binary file, or anything else
    name : str or None
        What it is to be called, if that is said; else it is the file's name.
    largest : int, optional
        Bytes that it may have, unpacked; by default ``LARGEST_FILE``.

    Raises
    ------
    FileNotFoundError, TypeError, ValueError
        The file can't be had, or is too large: one sentence.
    """
    largest = largest or LARGEST_FILE
    if isinstance(origin, Path):
        content = read_file(origin, largest)
        name = name or origin.name
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


def read_file(path: Path, largest: int) -> bytes:
    """All bytes of a file; of one that is too large, none."""
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
    """Return the content of a file, gzipped or not, if it has at most so many bytes."""
    if content.startswith(GZIP) and len(content) <= largest:
        try:
            content = _gunzip(content, largest)
        except EOFError:
            raise ValueError("the gzip file is cut off: copy or download it again.") from None
        except (gzip.BadGzipFile, zlib.error):
            raise ValueError("the gzip file is damaged: copy or download it again.") from None
    if len(content) > largest:
        raise _too_large(largest)
    if not content or content.isspace():
        raise ValueError("the file is empty: give at least one line of numbers.")
    return content


def _gunzip(content: bytes, largest: int) -> bytes:
    """Unpacked twice, as only what has been counted is kept: a bomb takes time, but no memory."""
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
        size = 0
        while piece := packed.read(PIECE):
            size += len(piece)
            if size > largest:
                raise _too_large(largest)
        packed.rewind()
        return packed.read(size)


def _too_large(largest: int) -> ValueError:
    return ValueError(f"the file has more than {largest // 10**6} MB: give a sample of it.")
