"""How much memory runs may take, and giving back to the system what they took."""

from __future__ import annotations

import ctypes
import math
import os
import sys
from pathlib import Path

from ...datasets.memory import machine_memory

MEGABYTE = 1_000_000
VARIABLE = "PRVIZ_MEMORY_MB"
SHARE = 4  # the default bound is this part of what there is
LEAST_SHARE = 4  # and at least this part of the bound is for the runs, whatever else there is
CGROUPS = Path("/sys/fs/cgroup")
OF_THIS_PROCESS = Path("/proc/self/cgroup")
RESIDENT = Path("/proc/self/statm")
M_ARENA_MAX, ARENAS = -8, 2  # glibc's name of the setting, and the number of arenas


def bound() -> int:
    """Bytes that the process should stay within: what PRVIZ_MEMORY_MB says, or the default.

    Raises
    ------
    ValueError
        It says no number of megabytes.
    """
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        there = min(machine_memory(), container())
        return int(there / SHARE) if math.isfinite(there) else sys.maxsize
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ValueError(f"{VARIABLE} must be a whole number of megabytes, 1 or more, got {text}.")
    return int(text) * MEGABYTE


def room(within: int, held: int) -> int:
    """Bytes for all runs within a bound, beside what else the process takes.

    Parameters
    ----------
    within : int
        The bound.
    held : int
        Bytes that runs hold now.
    """
    beside = max(0, resident() - held)
    return max(within - beside, within // LEAST_SHARE)


def resident() -> int:
    """Bytes of this process that lie in memory; 0 where the system doesn't say."""
    try:
        return int(RESIDENT.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError, IndexError):
        return 0


def container() -> float:
    """Bytes that the container may take, by cgroups of either version; infinitely many if any."""
    try:
        lines = OF_THIS_PROCESS.read_text().splitlines()
    except OSError:
        return math.inf
    limits = [math.inf]
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            root, file = CGROUPS, "memory.max"
        elif "memory" in controllers.split(","):
            root, file = CGROUPS / "memory", "memory.limit_in_bytes"
        else:
            continue
        groups = (Path(path), *Path(path).parents)  # a container may know but the last, its own
        limits += [_limit(root / str(group).lstrip("/") / file) for group in groups]
    return min(limits)


def _limit(file: Path) -> float:
    try:
        told = file.read_text().strip()
    except OSError:
        return math.inf
    return float(told) if told.isdigit() else math.inf  # "max"


def few_arenas() -> None:
    """Let all threads share few heaps: what one has freed, another can take (glibc only)."""
    if mallopt := getattr(_libc(), "mallopt", None):
        mallopt(M_ARENA_MAX, ARENAS)


def give_back() -> None:
    """Return freed memory to the system (glibc only; others do so by themselves)."""
    if trim := getattr(_libc(), "malloc_trim", None):
        trim(0)


def _libc() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    return ctypes.CDLL(None)
