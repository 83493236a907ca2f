"""Child processes that always end with the process that started them.

A child's standard input is a pipe that the parent keeps open. When the parent ends, even by a kill,
the system closes the pipe, and the child ends at once.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import Any


def child(
    module: str, *arguments: str, environment: dict[str, str] | None = None, **options: Any
) -> subprocess.Popen[Any]:
    """Start ``python -m module``, which must call :func:`end_with_parent`.

    Parameters
    ----------
    module, arguments : str
    environment : dict, optional
        Environment variables, in addition to those of this process.
    options
        Options of :class:`subprocess.Popen`.
    """
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        env={**os.environ, "PYTHONPATH": path, **(environment or {})},
        stdin=subprocess.PIPE,
        **options,
    )


def end_with_parent() -> None:
    """End this process when its standard input closes."""
    Thread(target=_wait_and_end, name="watch-parent", daemon=True).start()


def _wait_and_end() -> None:
    while os.read(0, 1):  # unbuffered, because Python fails if a buffer is locked at exit
        pass
    os._exit(1)
