"""Whether arrays fit into memory, said before any is made."""

import os

import numpy as np


def check_memory(n_numbers: int, what: str, instead: str) -> None:
    """
    Say that so many float64 numbers do not fit into this machine's memory.

    Parameters
    ----------
    n_numbers : int
    what : str
        What they are, in the plural.
    instead : str
        What to do about it.

    Raises
    ------
    MemoryError
        One sentence with both amounts.
    """
    needed, there = 8 * n_numbers, machine_memory()
    if needed > there:
        raise MemoryError(
            f"{what} need {needed / 1e9:.3g} GB, and this machine has {there / 1e9:.3g} GB: "
            f"{instead}."
        )


def machine_memory() -> float:
    """Bytes of memory of this machine; infinitely many where it doesn't say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return np.inf
