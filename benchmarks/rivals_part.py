"""Define a part of ``rivals.py``: one problem, its data sets, contenders and CPU time."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from common import HERE


class Part(NamedTuple):
    """Describe the contenders of a problem.

    A contender gets a case, a seed and CPU seconds. It returns the lowest cost that it found, and
    the CPU seconds that it used.
    """

    title: str
    what: str
    cases: Mapping[str, float]  # CPU seconds per run
    contenders: Mapping[str, Callable[[str, int, float], tuple[float, float]]]
    ours: Sequence[str]
    packages: Mapping[str, str]  # packages of the contenders on PyPI
    best_known: Callable[[str], float | None] = lambda case: None
    best_note: str = ""
    applies: Callable[[str, str], bool] = lambda name, case: True
    absolute: bool = False  # whether gaps are differences; otherwise they are in per cent
    unit: str = ""
    rounding: float = 1e-6  # gaps up to this are ties
    groups: Mapping[str, Sequence[str]] = {}  # data sets whose runs are also counted together
    counts_hits: bool = False  # whether to list how many runs reached the best known cost


def restarted(
    once: Callable[[int], Any], cost: Callable[[Any], float], seed: int, seconds: float
) -> tuple[float, float]:
    """Restart a method from new seeds until the time is over; computing costs is not timed."""
    rng, best, used = np.random.default_rng(seed), np.inf, 0.0
    while used < seconds:
        drawn = int(rng.integers(2**31))
        began = time.process_time()
        found = once(drawn)
        used += time.process_time() - began
        best = min(best, cost(found))
    return best, used


def package(name: str) -> ModuleType:
    """Import a package that a module of this folder would hide."""
    kept = sys.path[:]
    sys.path[:] = [path for path in kept if path not in {str(HERE), ""}]
    try:
        return importlib.import_module(name)
    finally:
        sys.path[:] = kept


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppress the output of a library."""
    sys.stdout.flush()
    kept, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(null)
