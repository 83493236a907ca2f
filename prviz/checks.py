"""Checks of arguments: return the converted value, or raise an error with the argument's name."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np


def whole_number(value: Any, name: str) -> int:
    """Return ``value`` as an int, or raise a TypeError."""
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be a whole number, got {value!r}.")
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {value!r}.") from None


def real_number(value: Any, name: str) -> float:
    """Return ``value``, which may be NaN, as a float, or raise a TypeError."""
    if isinstance(value, str | bytes | bool | np.bool_):
        raise TypeError(f"{name} must be a number, got {value!r}.")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, got {value!r}.") from None
    except OverflowError:
        raise ValueError(f"{name} is too large for a float.") from None


def seed_number(value: Any) -> int:
    """Return a seed as an int ≥ 0, or raise an error."""
    seed = whole_number(value, "seed")
    if seed < 0:
        raise ValueError(f"seed must be 0 or more, got {seed}.")
    return seed


def within(value: int, low: int, high: int, name: str) -> int:
    """Return ``value`` if it is from ``low`` to ``high``, or raise a ValueError."""
    if not low <= value <= high:
        raise ValueError(f"{name} must be between {low} and {high}, got {value}.")
    return value


def unit(value: Any, name: str) -> float:
    """Return ``value`` as a float from 0 to 1, or raise an error."""
    number = real_number(value, name)
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"{name} must be between 0 and 1, got {value!r}.")
    return number
