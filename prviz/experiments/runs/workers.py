"""Workers: the number of parallel runs, and whether their seconds are comparable."""

from __future__ import annotations

import pickle
from typing import Any, NamedTuple

from ...custom.callables import of_functions

#: joblib's local backends; any other backend is a cluster.
LOCAL = "ThreadingBackend", "LokyBackend", "MultiprocessingBackend", "SequentialBackend"


class Workers(NamedTuple):
    """The backend: threads, processes or a cluster, from ``joblib.parallel_config``.

    Attributes
    ----------
    number : int
        Number of parallel runs.
    local : bool
        True if runs use this machine.
    timed : bool
        True if each run has a core to itself, so that CPU seconds are comparable. False on a
        cluster, whose machines may differ or have other load.
    """

    number: int
    local: bool
    timed: bool


def workers_of(wanted: int | None) -> Workers:
    """Return the number of workers: as requested, or the number of available cores.

    On a cluster, its joblib backend determines the number.
    """
    from joblib import cpu_count, parallel

    backend, _ = parallel.get_active_backend(prefer="threads")
    if not isinstance(backend, tuple(getattr(parallel, name) for name in LOCAL)):
        return Workers(backend.effective_n_jobs(wanted or -1), False, False)
    cores = cpu_count()
    number = wanted or cores
    return Workers(number, True, number <= cores)


def check_sendable(problem: Any) -> None:
    """Raise a TypeError if a problem of wrapped functions cannot be sent to processes."""
    from joblib import parallel
    from joblib.externals.loky import cloudpickle_wrapper

    backend, _ = parallel.get_active_backend(prefer="threads")
    if not of_functions(problem) or getattr(backend, "uses_threads", False):
        return
    pickler = (
        pickle if isinstance(backend, parallel.MultiprocessingBackend) else cloudpickle_wrapper
    )
    try:
        pickler.dumps(problem)
    except Exception as error:
        raise TypeError(
            f"This problem cannot be sent to other processes ({error}): define its functions at "
            "the top of a module that can be imported, or use threads, the default."
        ) from None
