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
        Options of :class:`subprocess.Popen`, which is returned.
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
    Thread(target=_wait_and_end, args=(_input_closed,), name="watch-parent", daemon=True).start()


def end_with_pool() -> None:
    """End this process, a worker of a pool, when its parent ends."""
    Thread(target=_wait_and_end, args=(_pool_ended,), name="watch-parent", daemon=True).start()


def _input_closed() -> None:
    while os.read(0, 1):  # unbuffered: the buffer must not be locked at exit
        pass


def _pool_ended() -> None:
    import multiprocessing.connection

    parent = multiprocessing.parent_process()
    assert parent is not None  # this is a worker of a pool
    multiprocessing.connection.wait([parent.sentinel])


def _wait_and_end(wait: Any) -> None:
    wait()
    os._exit(1)
