"""Reliable output: paths are checked before a job, and streams accept any text."""

from __future__ import annotations

import argparse
import codecs
import contextlib
import io
import os
import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .answer import Failure, tell

#: ASCII texts for characters that Unicode does not decompose into ASCII.
PLAIN = {"α": "alpha", "–": "-", "−": "-", "×": "x", "’": "'", "≤": "<=", "≥": ">=", "∞": "inf"}


# Files


def path_with(*suffixes: str) -> Callable[[str], Path]:
    """Return an argparse type: a path that ends in one of these suffixes, or a device."""

    def path_of(text: str) -> Path:
        path = Path(text)
        if path.suffix.lower() not in suffixes and not _is_device(path):
            raise argparse.ArgumentTypeError(
                f"the file name must end in {' or '.join(suffixes)}, got {text!r}"
            )
        return path

    return path_of


def check_file(path: Path) -> None:
    """Raise a Failure if a file cannot be written; make the folder if it is missing.

    Commands call this function before a long computation.
    """
    make_folder(path.parent)
    with saving(path):
        new = not path.exists()
        if path.is_fifo():  # opening a FIFO would wait for a reader
            return
        with open(path, "ab"):
            pass
        if new:
            path.unlink()


def make_folder(path: Path) -> None:
    """Make a folder if it is missing; raise a Failure if that is not possible."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(
            f"{path} cannot be used as a folder ({error.strerror}). Name another folder."
        ) from None


def _is_device(path: Path) -> bool:
    """Return True for a device or a pipe, such as /dev/stdout."""
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


@contextlib.contextmanager
def saving(path: Path) -> Iterator[None]:
    """Turn an OSError into a Failure that names the file."""
    try:
        yield
    except OSError as error:
        raise Failure(
            f"{path} cannot be written ({error.strerror or error}). Name a file on a disk with "
            "free space, in a folder that you can write to."
        ) from None


def tell_and_save(
    given: argparse.Namespace,
    facts: dict[str, Any],
    words: str,
    path: Path | None,
    save: Callable[[Path], Any],
) -> None:
    """Print the results, then save them, even if standard output is closed."""
    try:
        tell(given, facts, words)
    finally:
        if path:
            with saving(path):
                save(path)


# Streams


def adapt_streams() -> None:
    """Let stdout and stderr accept any text, even if they cannot encode it or are closed."""
    codecs.register_error("prviz", _replace)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the shell: 2>&-
            setattr(sys, name, io.StringIO())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="prviz")


def flush_stdout() -> None:
    """Flush stdout; if its reader is gone or its disk is full, drop the rest of the text."""
    try:
        sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError):  # stdout may have no file descriptor
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _replace(error: UnicodeError) -> tuple[str, int]:
    """Return "k1" for "k₁", "..." for "…", and "?" for a character without an ASCII form."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(character: str) -> str:
    decomposed = unicodedata.normalize("NFKD", character)
    return PLAIN.get(character) or decomposed.encode("ascii", "ignore").decode() or "?"
