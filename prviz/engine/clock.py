"""CPU seconds of the running thread, readable inside a compiled kernel for a fraction of a µs.

Many systems are asked for a thread's time by a call of the system, half a µs, which is as long as
the shortest calls of an optimiser; the time of day costs a twentieth of that. A *watch* asks for
the one when the other says that time has passed, and adds what has passed since.
"""

from __future__ import annotations

import ctypes
import time

import numpy as np
from numba import objmode, types
from numba.extending import overload

from .dispatch import OPTIONS, helper

#: A watch believes the time of day for so many seconds: longer, and the thread may have waited.
BELIEVED = 50e-6

# What a watch holds: seconds of the thread and of the day when the thread's were last asked for,
# and those that it last showed.
THREAD, DAY, SHOWN = range(3)


def thread_seconds() -> float:
    """CPU seconds used so far by the calling thread (its origin means nothing)."""
    return time.thread_time()


def day_seconds() -> float:
    """Seconds on a clock that runs whether the thread does or not (its origin means nothing)."""
    return time.perf_counter()


def _in_kernels(function, clock: str) -> None:
    """Let kernels read one of the clocks of the C library by calling ``function``."""
    number = np.int32(getattr(time, clock))

    @overload(function, jit_options=OPTIONS)
    def _function():
        def read():
            timespec = np.empty(2, np.int64)
            _clock_gettime(number, timespec.ctypes)
            return timespec[0] + 1e-9 * timespec[1]

        return read


if hasattr(time, "CLOCK_THREAD_CPUTIME_ID") and hasattr(ctypes.CDLL(None), "clock_gettime"):
    # Named, not an address: machine code that holds an address could not be cached.
    _clock_gettime = types.ExternalFunction(
        "clock_gettime", types.int32(types.int32, types.CPointer(types.int64))
    )
    _in_kernels(thread_seconds, "CLOCK_THREAD_CPUTIME_ID")
    _in_kernels(day_seconds, "CLOCK_MONOTONIC")

else:  # no such call in this C library: slower, and through the interpreter

    @overload(thread_seconds, jit_options=OPTIONS)
    def _thread_seconds():
        def read():
            with objmode(seconds="float64"):
                seconds = time.thread_time()
            return seconds

        return read

    @overload(day_seconds, jit_options=OPTIONS)
    def _day_seconds():
        def read():
            with objmode(seconds="float64"):
                seconds = time.perf_counter()
            return seconds

        return read


@helper
def look(watch) -> float:
    """CPU seconds of the thread, at most ``BELIEVED`` too many, and never fewer than before."""
    day = day_seconds()
    if not day - watch[DAY] < BELIEVED:
        watch[THREAD], watch[DAY] = thread_seconds(), day
    watch[SHOWN] = max(watch[SHOWN], watch[THREAD] + (day - watch[DAY]))
    return watch[SHOWN]
