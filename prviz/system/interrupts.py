"""Delay Ctrl-C while a kernel runs.

A kernel that gets a ``numpy.random.Generator`` calls ``ctypes.cast`` first. If Ctrl-C raises a
KeyboardInterrupt there, Numba 0.68 reads an attribute of NULL, and the process crashes.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def delayed_interrupt(unless: bool = False) -> Iterator[None]:
    """Call the handler of SIGINT at the end of the block instead of inside it.

    Only the main thread handles signals. In other threads, and if ``unless`` is true, this does
    nothing. Set ``unless`` if the block runs Python functions or may compile kernels, because
    Ctrl-C should stop them at once.

    >>> with delayed_interrupt():
    ...     done = "also after Ctrl-C"
    """
    former = signal.getsignal(signal.SIGINT)
    here = threading.current_thread() is threading.main_thread()
    if unless or not here or not callable(former):
        yield
        return
    caught: list[tuple[int, Any]] = []
    signal.signal(signal.SIGINT, lambda number, frame: caught.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, former)
        if caught:
            former(*caught[0])
