"""Check that a data set belongs to a problem, or name a data set that has no name."""

from __future__ import annotations

from typing import Any

import numpy as np

SOURCE = "in memory"


def counted(rows: Any, noun: str) -> str:
    """Return a name for an unnamed data set, such as "1 point" or "5 points"."""
    return f"{len(rows)} {noun}{'s' if len(rows) != 1 else ''}"


def check_type(data: Any, *kinds: type) -> Any:
    """Return ``data``; raise a TypeError unless it is None or has one of these types."""
    if data is not None and not isinstance(data, kinds):
        wanted = " or ".join(f"prviz.datasets.{kind.__name__}" for kind in kinds)
        raise TypeError(f"data must be a {wanted}, got {type(data).__name__}.")
    return data


def check_same(data: np.ndarray, problem: np.ndarray) -> None:
    """Raise a ValueError if the problem was made from another array."""
    if not np.array_equal(data, problem):
        raise ValueError("data must be the data set of the problem, got another one.")
