"""The output of a command: text or one JSON document, and the exit status."""

from __future__ import annotations

import argparse
import json
import math
import sys
from typing import Any, TypeAlias

import numpy as np

DONE, FAILED, USAGE = 0, 1, 2
INTERRUPTED, CLOSED = 130, 141  # 128 + SIGINT and 128 + SIGPIPE, as in shells


#: The type of the object to which each command adds its parser.
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


class Failure(Exception):
    """The command failed although its arguments were valid; the message says why."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--json``."""
    parser.add_argument(
        "--json",
        action="store_true",
        help="write only one JSON document to standard output",
    )


def tell(given: argparse.Namespace, found: dict[str, Any], words: str) -> None:
    """Print the results, as text or as JSON."""
    text = document(found) if given.json else words
    if given.json and not _can_show(text):
        text = document(found, ascii_only=True)
    try:
        print(text, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Failure(f"Cannot write to standard output ({error.strerror}).") from None


def _can_show(text: str) -> bool:
    """Return True if standard output can encode all characters of a text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def status(interrupted: bool, failure: str = "") -> int:
    """Return the exit status of a finished job."""
    return INTERRUPTED if interrupted else FAILED if failure else DONE


def document(found: dict[str, Any], ascii_only: bool = False) -> str:
    """Return results as JSON, with null for numbers that are not finite."""
    return json.dumps(_plain(found), ensure_ascii=ascii_only, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
