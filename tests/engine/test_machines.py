"""The same seed and calls give the same trace on every machine, byte for byte.

Kernels are compiled for this processor, for a processor without AVX-512, and for the oldest x86-64.
For each of them, the C library, NumPy and BLAS also use their code for that processor. ``make
machines`` runs these tests; compiling takes minutes.
"""

import hashlib
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from prviz.experiments.runs.identity import ENGINE

ROOT = Path(__file__).parents[2]
X86 = platform.machine().lower() in ("x86_64", "amd64")
HIDDEN = {
    "haswell": ("AVX512F",),
    "x86-64": ("AVX512F", "AVX2", "AVX", "FMA", "FMA4", "SSE4_1", "SSE4_2"),
}
BLAS = {"haswell": "Haswell", "x86-64": "Nehalem"}


#: For each engine version, a hash of the traces of ``machines.py``.
GOLDEN = ["427ba3bf475827ba"]
#: Hashes of the problems that were added after ``GOLDEN`` was recorded.
GOLDEN_LATER = {
    "HMM, series": "81828e31a8345b1b",
    "HMM, series, full": "a64096e781df8796",
    "spin glass, annealing": "3c6a017f0dc5a39d",
}


def pretending(processor):
    """Return the environment variables that select a processor type."""
    if processor == "host":
        return {}
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    hidden = HIDDEN[processor]
    return {
        "NUMBA_CPU_NAME": processor,
        "NUMBA_CPU_FEATURES": "",  # none besides those of NUMBA_CPU_NAME
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=" + ",".join(f"-{feature}" for feature in hidden),
        "OPENBLAS_CORETYPE": BLAS[processor],
        "NPY_DISABLE_CPU_FEATURES": " ".join(
            name for name in found if processor == "x86-64" or "512" in name or name == "X86_V4"
        ),
    }


def hashes(processor, cache):
    environment = {
        **os.environ,
        **pretending(processor),
        "PRVIZ_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
    }
    ran = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "engine" / "machines.py")],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(ran.stdout)


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """Return the hashes of the runs in this process."""
    from machines import hashes

    return hashes()


@pytest.mark.machines
@pytest.mark.timeout(1200)
@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
@pytest.mark.skipif(not X86, reason="processors of another kind can't be compared here")
@pytest.mark.parametrize("processor", ["haswell", "x86-64"])
def test_other_x86_processors_give_the_same_traces(processor, here, tmp_path):
    assert hashes(processor, tmp_path) == here


def test_changed_traces_require_a_new_engine_number(here):
    """With the old number, runs of the old engine would be reused (``prviz/experiments/runs``).

    If a change keeps all of these hashes but alters another run, raise the number as well.
    """
    first = {name: trace for name, trace in here.items() if name not in GOLDEN_LATER}
    now = hashlib.sha256(json.dumps(first, sort_keys=True).encode()).hexdigest()[:16]
    assert now == GOLDEN[-1], (
        f"Equal seeds give other runs than before. If this is intended, append {now!r} to GOLDEN "
        "and raise ENGINE in prviz/experiments/runs/identity.py by one; else find out why."
    )
    assert len(GOLDEN) == ENGINE and len({*GOLDEN}) == ENGINE
    assert {name: here[name] for name in GOLDEN_LATER} == GOLDEN_LATER
