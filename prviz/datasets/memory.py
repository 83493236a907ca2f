"""Check that arrays fit in memory before they are allocated."""

import os

import numpy as np


def check_memory(n_numbers: int, what: str, instead: str) -> None:
    """
    Raise an error if ``n_numbers`` float64 values do not fit in this machine's memory.

    Parameters
    ----------
    n_numbers : int
    what : str
        Name of the arrays, in the plural.
    instead : str
        Advice to the user, as part of a sentence.

    Raises
    ------
    MemoryError
        The message has the needed and the available memory.
    """
    needed, there = 8 * n_numbers, machine_memory()
    if needed > there:
        raise MemoryError(
            f"{what} need {needed / 1e9:.3g} GB, and this machine has {there / 1e9:.3g} GB: "
            f"{instead}."
        )


def machine_memory() -> float:
    """Return this machine's memory in bytes; infinite if unknown."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return np.inf
