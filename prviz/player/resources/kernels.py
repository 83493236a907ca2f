"""Wait, in the thread of a run, until the kernels of its problem are compiled."""

from __future__ import annotations

import threading
from typing import Any

COMPILING = "Compiling the kernels. This happens once per version and takes one to two minutes."
PATIENCE = 0.1  # seconds between checks while waiting


def waited_for(run: Any, stop: threading.Event) -> bool:
    """Wait, with a message, until a run's kernels are compiled; return False after a stop."""
    if not run.kernels_ready():
        run.message = COMPILING
        while not run.kernels_ready(PATIENCE):
            if stop.is_set():
                run.message = ""
                return False
        run.message = ""
    return True
