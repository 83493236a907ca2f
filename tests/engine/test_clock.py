"""Kernels read the CPU time of their thread without the interpreter."""

import sys
import time

import numba
import numpy as np
import pytest

from prviz.engine.clock import BELIEVED, look, thread_seconds
from prviz.engine.dispatch import OPTIONS


def test_clock_stops_while_the_thread_sleeps():
    began, python = thread_seconds(), time.thread_time()
    time.sleep(0.2)
    assert thread_seconds() - began < 0.1
    while time.thread_time() - python < 0.05:
        pass
    assert thread_seconds() - began >= 0.04


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
@pytest.mark.skipif(sys.platform != "linux", reason="other systems may need the interpreter")
def test_compiled_code_reads_the_clock_without_the_interpreter():
    """Numba warns if compiled code needs the interpreter; then this test fails."""

    @numba.njit(**OPTIONS)
    def passed(n):
        began, total = thread_seconds(), 0.0
        for i in range(n):
            total += i % 7
        return thread_seconds() - began, total

    before = time.thread_time()
    passed(1)
    seconds, _ = passed(10_000_000)
    assert 0 < seconds <= time.thread_time() - before


def test_clock_is_monotonic_and_close_to_thread_time():
    watch, shown, behind = np.full(3, -np.inf), -np.inf, thread_seconds()
    for turn in range(2000):
        if turn % 500 == 0:
            time.sleep(0.01)
        now = look(watch)
        assert now >= max(shown, behind)
        assert now <= thread_seconds() + BELIEVED
        shown, behind = now, thread_seconds() - BELIEVED
