"""What a command says at its end: words or one JSON document, and the exit status."""

from __future__ import annotations

import argparse
import json
import math
from typing import Any

import numpy as np

DONE, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130  # 128 + SIGINT, as shells have it


class Failure(Exception):
    """The job failed through no fault of the command line: a sentence says why."""


def add(parser: argparse.ArgumentParser) -> None:
    """The option that all commands have."""
    parser.add_argument(
        "--json", action="store_true", help="one JSON document on standard output, nothing else"
    )


def tell(given: argparse.Namespace, found: dict[str, Any], words: str) -> None:
    """Print what was found, as the command line asks for it."""
    print(document(found) if given.json else words, flush=True)


def status(interrupted: bool, failure: str = "") -> int:
    """The exit status of a job that came to an end."""
    return INTERRUPTED if interrupted else FAILED if failure else DONE


def document(found: dict[str, Any]) -> str:
    """JSON; what is not finite, which JSON has no word for, is null."""
    return json.dumps(_plain(found), ensure_ascii=False, allow_nan=False)


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
