"""Waiting for the kernels of a problem, by whoever computes in a thread."""

from __future__ import annotations

import threading
from typing import Any

COMPILING = "Compiling the kernels. This happens once per version and takes one to two minutes."
PATIENCE = 0.1  # seconds between two looks at whether to go on waiting


def waited_for(run: Any, stop: threading.Event) -> bool:
    """Wait until a run's kernels load quickly, its message saying so; False if it is to stop."""
    if not run.kernels_ready():
        run.message = COMPILING
        while not run.kernels_ready(PATIENCE):
            if stop.is_set():
                run.message = ""
                return False
        run.message = ""
    return True
