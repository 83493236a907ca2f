"""Measure CPU seconds of the running thread, cheaply enough for a compiled kernel.

On many systems, reading a thread's CPU time is a system call of 0.5 µs, as long as the shortest
call of an optimiser. Reading the wall time is 20 times as fast. A *watch* reads the CPU time
only if enough wall time has elapsed. Otherwise it adds the elapsed wall time to its last value.
"""

from __future__ import annotations

import ctypes
import time

import numpy as np
from numba import objmode, types
from numba.extending import overload

from .dispatch import OPTIONS, helper

#: Up to this many seconds, wall time counts as CPU time. In a longer time the thread might pause.
BELIEVED = 50e-6

# Fields of a watch: CPU time and wall time at the last system call, and the last returned CPU time.
THREAD, DAY, SHOWN = range(3)


def thread_seconds() -> float:
    """Return CPU seconds of the calling thread (with an arbitrary origin)."""
    return time.thread_time()


def day_seconds() -> float:
    """Return seconds of a monotonic clock (with an arbitrary origin)."""
    return time.perf_counter()


def _in_kernels(function, clock: str) -> None:
    """Make kernels read a clock of the C library when they call ``function``."""
    number = np.int32(getattr(time, clock))

    @overload(function, jit_options=OPTIONS)
    def _function():
        def read():
            timespec = np.empty(2, np.int64)
            _clock_gettime(number, timespec.ctypes)
            return timespec[0] + 1e-9 * timespec[1]

        return read


if hasattr(time, "CLOCK_THREAD_CPUTIME_ID") and hasattr(ctypes.CDLL(None), "clock_gettime"):
    # ``clock_gettime`` is called by name, because machine code with an address cannot be cached.
    _clock_gettime = types.ExternalFunction(
        "clock_gettime", types.int32(types.int32, types.CPointer(types.int64))
    )
    _in_kernels(thread_seconds, "CLOCK_THREAD_CPUTIME_ID")
    _in_kernels(day_seconds, "CLOCK_MONOTONIC")

else:  # this C library has no such function: use the interpreter, which is slower

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
    """Return CPU seconds of the thread, too high by at most ``BELIEVED``. They never decrease."""
    day = day_seconds()
    if not day - watch[DAY] < BELIEVED:
        watch[THREAD], watch[DAY] = thread_seconds(), day
    watch[SHOWN] = max(watch[SHOWN], watch[THREAD] + (day - watch[DAY]))
    return watch[SHOWN]
