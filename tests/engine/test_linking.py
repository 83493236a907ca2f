"""Large callees are compiled once, and found again when a caller is loaded from the cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")

KERNELS = """
import numpy as np
from prviz.engine.dispatch import driver, helper

@helper
def large(values):
    total = 0.0
    for i in range(1, len(values)):
        if values[i] > values[i - 1]:
            total += np.log(values[i] - values[i - 1])
        else:
            total -= np.exp(values[i]) * np.sin(values[i - 1])
        for j in range(i):
            total += values[j] % (1.0 + values[i] * values[i])
    return total

@helper
def small(x):
    return 2.0 * x

@helper
def middle(values):
    total = small(large(values))
    for i in range(len(values)):
        total += np.sqrt(values[i]) if values[i] > 0.5 else large(values[i:])
    return total + np.cos(total) * np.sinh(values[0]) / (1.0 + np.tanh(values[1]))

@driver
def first(values):
    return middle(values)

@driver
def second(values):
    return large(values) + middle(values[1:])

@driver
def third(values):
    return first(values) + second(values) + middle(values)

VALUES = np.linspace(0.0, 1.0, 7)
"""

HITS = """
def hits(*drivers):
    return [sum(driver.stats.cache_hits.values()) for driver in drivers]
"""


@pytest.fixture
def python(tmp_path):
    """What fresh interpreters print that share a module of kernels and a cache."""
    (tmp_path / "sums.py").write_text(KERNELS)
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    environment = {**os.environ, "PRVIZ_CACHE_DIR": str(tmp_path), "PYTHONPATH": path}

    def run(code: str) -> list[str]:
        command = [sys.executable, "-c", f"from sums import *\nimport prviz\n{HITS}\n{code}"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    return run


def test_a_caller_declares_large_callees_and_copies_small_ones(python):
    told = python(
        "first(VALUES); names = {}\n"
        "for dispatcher in (first, middle, large, small):\n"
        "    (result,) = dispatcher.overloads.values()\n"
        "    names[dispatcher] = result.fndesc.llvm_func_name\n"
        "def declared(caller, callee):\n"
        "    (result,) = caller.overloads.values()\n"
        "    functions = result.library._final_module.functions\n"
        "    return [bool(f.is_declaration) for f in functions if f.name == names[callee]]\n"
        "print(declared(first, middle), declared(middle, large), declared(middle, small))"
    )
    assert told == ["[True]", "[True]", "[]"]


def test_what_is_loaded_brings_along_what_it_calls(python):
    code = "print(first(VALUES), second(VALUES), *hits(first, second))"
    compiled = python(code)
    assert compiled[2:] == ["0", "0"]
    assert python(code) == [*compiled[:2], "1", "1"]


def test_what_is_compiled_later_calls_what_was_loaded(python):
    (alone,) = python("print(second(VALUES))")
    python("first(VALUES)")
    # loads `first` with its parts, then `middle` and `large` again, to compile another caller
    told = python(
        "a = first(VALUES); total = third(VALUES)\n"
        "print(total == a + second(VALUES) + a, second(VALUES), *hits(first, second, third))"
    )
    assert told == ["True", alone, "1", "1", "0"]


def test_a_numba_with_other_insides_compiles_as_it_does_by_itself(python, tmp_path):
    answer = python("print(first(VALUES), second(VALUES))")
    (tmp_path / "sums.py").write_text(
        f"import sys; sys.modules['prviz.engine.linking'] = None\n{KERNELS}"
    )
    told = python(
        "print(first(VALUES), second(VALUES)); print('LINKING', prviz.engine.dispatch.LINKING)"
    )
    assert told == [*answer, "LINKING", "{}"]
