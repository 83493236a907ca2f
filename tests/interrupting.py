"""Ctrl-C in tests, wherever they were started."""

import contextlib
import signal


@contextlib.contextmanager
def heard():
    """Ctrl-C is heard, here and by what is started: a process in the background ignores it."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, former)
