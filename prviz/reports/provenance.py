"""Provenance of a report: problem and settings, machine and date."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from ..engine.schedule import levels_in_words
from ..experiments.runs.contender import Contender, Reinitialisation
from ..experiments.runs.identity import ENGINE, hash_of_problem
from ..experiments.runs.store import processor


def machine(problem: Any = None) -> dict[str, str]:
    """Return versions, processor and date as text."""
    made = {
        "prviz": f"{sys.modules['prviz'].__version__}, engine {ENGINE}",
        "Processor": f"{processor()}, {os.cpu_count()} cores",
        "System": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "numba, NumPy": f"{version('numba')}, {version('numpy')}",
        "Date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    }
    if problem is None:
        return made
    try:
        return {"Problem": f"{type(problem).__name__}, {hash_of_problem(problem)[:16]}", **made}
    # the problem cannot be hashed, but the report still has the hash of its runs
    except (TypeError, ValueError):
        return {"Problem": type(problem).__name__, **made}


def seeds_in_words(seeds: Iterable[int]) -> str:
    """Format seeds, such as "0–99, 200"."""
    return ", ".join(f"{a}" if a == b else f"{a}–{b}" for a, b in _stretches(sorted(seeds)))


def _stretches(numbers: list[int]) -> Iterator[tuple[int, int]]:
    starts = [i for i, n in enumerate(numbers) if not i or n != numbers[i - 1] + 1]
    for start, end in zip(starts, [*starts[1:], len(numbers)], strict=True):
        yield numbers[start], numbers[end - 1]


def settings_in_words(contender: Contender) -> str:
    """Return a contender's levels, level 1 first, or its other settings."""
    if isinstance(contender, Reinitialisation):
        return levels_in_words(contender.schedule.levels())
    return ", ".join(f"{name} {_short(value)}" for name, value in contender.settings.items())


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_short(each)}" for name, each in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)
