"""Runs on the workers of a Dask scheduler."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

SECONDS = 30  # timeout for a scheduler's answer, and for its first worker


@contextlib.contextmanager
def on_scheduler(address: str | None) -> Iterator[None]:
    """Run comparisons and tunings in this block on a Dask cluster; without an address, locally.

    Raises
    ------
    ImportError
        The package distributed is not installed.
    ConnectionError
        No scheduler answers, or it has no workers.
    ValueError
        The address is invalid.
    """
    if address is None:
        yield
        return
    try:
        from distributed import Client
    except ImportError:
        raise ImportError(
            "A Dask scheduler needs the package distributed: pip install distributed."
        ) from None
    from joblib import parallel_config

    try:
        client = Client(address, timeout=SECONDS)  # type: ignore[no-untyped-call]
    except OSError:
        raise ConnectionError(
            f"No Dask scheduler answers at {address}. Start one with: dask scheduler"
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=SECONDS)
        except TimeoutError:
            raise ConnectionError(
                f"The Dask scheduler at {address} has no workers. Start one with: "
                f"dask worker {address}"
            ) from None
        with parallel_config(backend="dask"):
            yield
