"""Enable Ctrl-C in tests, even if they run in the background."""

import contextlib
import signal


@contextlib.contextmanager
def heard():
    """Handle SIGINT here and in child processes, even if this process runs in the background."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, former)
