"""Memory limits for runs, and returning freed memory to the system."""

from __future__ import annotations

import ctypes
import math
import os
import sys
from pathlib import Path

from ...datasets.memory import machine_memory

MEGABYTE = 1_000_000
VARIABLE = "PRVIZ_MEMORY_MB"
SHARE = 4  # the default limit is a quarter of the system's memory
LEAST_SHARE = 4  # runs get at least a quarter of the limit, even if other data leave less
CGROUPS = Path("/sys/fs/cgroup")
OF_THIS_PROCESS = Path("/proc/self/cgroup")
RESIDENT = Path("/proc/self/statm")
M_ARENA_MAX, ARENAS = -8, 2  # glibc's code of the option, and the number of arenas


def bound() -> int:
    """Return the process's memory limit: PRVIZ_MEMORY_MB, or the default.

    Raises
    ------
    ValueError
        The variable is not a number of megabytes.
    """
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        there = min(machine_memory(), container())
        return int(there / SHARE) if math.isfinite(there) else sys.maxsize
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ValueError(f"{VARIABLE} must be a whole number of megabytes, 1 or more, got {text}.")
    return int(text) * MEGABYTE


def room(within: int, held: int) -> int:
    """Return the bytes that all runs may use, so that the process stays within a limit.

    Parameters
    ----------
    within : int
        The limit.
    held : int
        Bytes that runs use now.
    """
    beside = max(0, resident() - held)
    return max(within - beside, within // LEAST_SHARE)


def resident() -> int:
    """Return the process's resident memory; 0 if unknown."""
    try:
        return int(RESIDENT.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError, IndexError):
        return 0


def container() -> float:
    """Return the container's memory limit from cgroups v1 or v2; infinite without a limit."""
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
        # in a container, the first parts of the path may not exist
        groups = (Path(path), *Path(path).parents)
        limits += [_limit(root / str(group).lstrip("/") / file) for group in groups]
    return min(limits)


def _limit(file: Path) -> float:
    try:
        told = file.read_text().strip()
    except OSError:
        return math.inf
    return float(told) if told.isdigit() else math.inf  # "max" means no limit


def few_arenas() -> None:
    """Let all threads share a few heaps, so that freed memory can be reused (glibc only)."""
    if mallopt := getattr(_libc(), "mallopt", None):
        mallopt(M_ARENA_MAX, ARENAS)


def give_back() -> None:
    """Return freed memory to the system (glibc only)."""
    if trim := getattr(_libc(), "malloc_trim", None):
        trim(0)


def _libc() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    return ctypes.CDLL(None)
