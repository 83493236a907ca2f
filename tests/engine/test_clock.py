"""The clock inside kernels: CPU time of the thread, read without the interpreter."""

import sys
import time

import numba
import pytest

from prviz.engine.clock import thread_seconds
from prviz.engine.dispatch import OPTIONS


def test_it_runs_with_the_thread_and_not_while_it_sleeps():
    began, python = thread_seconds(), time.thread_time()
    time.sleep(0.2)
    assert thread_seconds() - began < 0.1
    while time.thread_time() - python < 0.05:
        pass
    assert thread_seconds() - began >= 0.04


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
@pytest.mark.skipif(sys.platform != "linux", reason="other systems may need the interpreter")
def test_compiled_code_reads_it_by_itself():
    """Numba warns, and so fails this test, where code goes through the interpreter."""

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
