"""Those who make the runs: how many at once, and whether their seconds can be compared."""

from __future__ import annotations

import pickle
from typing import Any, NamedTuple

from ...custom.callables import of_functions

#: What joblib has for this machine; any other backend is a cluster's.
LOCAL = "ThreadingBackend", "LokyBackend", "MultiprocessingBackend", "SequentialBackend"


class Workers(NamedTuple):
    """Threads, processes or machines, as ``joblib.parallel_config`` says.

    Attributes
    ----------
    number : int
        Runs that go on at once.
    local : bool
        They do so on this machine.
    timed : bool
        And each has a core of it to itself, so that CPU seconds can be compared. Of a cluster
        nobody knows: its machines may differ, and have others to serve.
    """

    number: int
    local: bool
    timed: bool


def workers_of(wanted: int | None) -> Workers:
    """As many as are wanted, or as there are cores that this process may use.

    A cluster has its own number, whatever is wanted.
    """
    from joblib import cpu_count, parallel

    backend, _ = parallel.get_active_backend(prefer="threads")
    if not isinstance(backend, tuple(getattr(parallel, name) for name in LOCAL)):
        return Workers(backend.effective_n_jobs(wanted or -1), False, False)
    cores = cpu_count()
    number = wanted or cores
    return Workers(number, True, number <= cores)


def check_sendable(problem: Any) -> None:
    """Raise a TypeError if a problem of wrapped functions is to go to processes, and can't."""
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
