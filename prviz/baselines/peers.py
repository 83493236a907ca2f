"""Import other libraries, run them on one thread, and suppress their output."""

from __future__ import annotations

import contextlib
import functools
import logging
import threading
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any


def needed(package: str, who: str, name: str = "") -> Any:
    """Import an optional package; an ImportError names the method ``who`` that needs it.

    ``name`` is the package's name on PyPI, if it differs.
    """
    try:
        return import_module(package)
    except ImportError:
        name = name or package.partition(".")[0]
        raise ImportError(f"{who} needs the package {name}: pip install {name}.") from None


class Shared:
    """A process-wide setting that applies while any thread is in its ``with`` block.

    If each thread saved and restored the setting itself, another thread's value could remain.
    """

    def __init__(self, make: Callable[[], contextlib.AbstractContextManager[Any]]):
        self._make, self._lock, self._inside = make, threading.Lock(), 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._held = self._make()
                self._held.__enter__()
            self._inside += 1

    def __exit__(self, *error: Any) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._held.__exit__(*error)


@functools.cache
def _pools() -> Any:
    import sklearn.cluster  # noqa: F401  (loads the libraries whose threads are limited)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Suppress warnings, and limit BLAS to one thread. Both settings apply to the process."""
    log = logging.getLogger("hmmlearn")
    level = log.level
    with _pools().limit(limits=1, user_api="blas"), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        log.setLevel(logging.ERROR)
        try:
            yield
        finally:
            log.setLevel(level)


_quiet_for_all = Shared(_quiet)


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Run other libraries on one thread and without output in this block."""
    # OpenMP's limit applies only to the calling thread
    with _quiet_for_all, _pools().limit(limits=1, user_api="openmp"):
        yield
