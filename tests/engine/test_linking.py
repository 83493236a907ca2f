"""Large callees are compiled once, and loaded when a caller is loaded from the cache."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

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
    return first(values) + middle(values) + large(values)

VALUES = np.linspace(0.0, 1.0, 7)
"""

#: Compile a caller; print which functions each caller links to instead of inlining.
FIRST = """
names = {}
value = first(VALUES)
for dispatcher in (first, middle, large, small):
    (result,) = dispatcher.compiled.overloads.values()
    names[dispatcher] = result.fndesc.llvm_func_name
def declared(caller, callee):
    (result,) = caller.compiled.overloads.values()
    functions = result.library._final_module.functions
    return [bool(f.is_declaration) for f in functions if f.name == names[callee]]
told = declared(first, middle), declared(middle, large), declared(middle, small)
show(value, *told)
"""
#: Load the caller from the cache, then compile a second caller that uses its callees.
SECOND = """
def hits(driver):
    return sum(driver.compiled.stats.cache_hits.values())
show(first(VALUES), second(VALUES), large(VALUES), hits(first), hits(second))
"""
SHOW = """
import json, prviz
def show(*values):
    print(json.dumps(values))
"""


def python(folder: Path, code: str) -> list:
    """Return the output of a new interpreter that imports `sums` from a folder with a cache."""
    path = os.pathsep.join([str(folder), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", f"from sums import *\n{SHOW}\n{code}"],
        env={**os.environ, "PRVIZ_CACHE_DIR": str(folder), "PYTHONPATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """Compile a caller in one process, and load it in another."""
    folder = tmp_path_factory.mktemp("cached")
    (folder / "sums.py").write_text(KERNELS)
    first, *declared = python(folder, FIRST)
    return SimpleNamespace(first=first, declared=declared, later=python(folder, SECOND))


def test_a_caller_links_large_callees_and_inlines_small_ones(shown):
    assert shown.declared == [[True], [True], []]


def test_loading_a_caller_loads_its_callees(shown):
    first, _, _, hits, _ = shown.later
    assert (first, hits) == (shown.first, 1)


def test_a_caller_compiled_later_uses_the_loaded_functions(shown):
    first, second, large, _, hits = shown.later  # Python runs helpers as written
    assert second == pytest.approx(2 * first + large, rel=1e-12) and hits == 0


def test_numba_version_is_that_of_the_measurements():
    """For a new version, repeat docs/decisions/0031-each-kernel-compiled-once.md's measurements."""
    assert numba.__version__.startswith("0.68.")


def test_unknown_numba_internals_disable_linking(shown, tmp_path):
    (tmp_path / "sums.py").write_text(
        f"import sys; sys.modules['prviz.engine.linking'] = None\n{KERNELS}"
    )
    code = "show(first(VALUES), prviz.engine.dispatch.LINKING)"
    assert python(tmp_path, code) == [shown.first, {}]
