"""CPU seconds of the running thread, readable inside a compiled kernel for a fraction of a µs."""

from __future__ import annotations

import ctypes
import time

import numpy as np
from numba import objmode, types
from numba.extending import overload

from .dispatch import OPTIONS


def thread_seconds() -> float:
    """CPU seconds used so far by the calling thread (its origin means nothing)."""
    return time.thread_time()


if hasattr(time, "CLOCK_THREAD_CPUTIME_ID") and hasattr(ctypes.CDLL(None), "clock_gettime"):
    _CLOCK = np.int32(time.CLOCK_THREAD_CPUTIME_ID)
    # Named, not an address: machine code that holds an address could not be cached.
    _clock_gettime = types.ExternalFunction(
        "clock_gettime", types.int32(types.int32, types.CPointer(types.int64))
    )

    @overload(thread_seconds, jit_options=OPTIONS)
    def _thread_seconds():
        def read():
            timespec = np.empty(2, np.int64)
            _clock_gettime(_CLOCK, timespec.ctypes)
            return timespec[0] + 1e-9 * timespec[1]

        return read

else:  # no such call in this C library: slower, and through the interpreter

    @overload(thread_seconds, jit_options=OPTIONS)
    def _thread_seconds():
        def read():
            with objmode(seconds="float64"):
                seconds = time.thread_time()
            return seconds

        return read
