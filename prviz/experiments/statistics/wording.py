"""Numbers, ranges and units as text."""

from __future__ import annotations

import math

UNITS = {"iterations": "iterations", "calls": "calls", "seconds": "CPU seconds"}


def amount(value: float) -> str:
    """Return a number as text with two or three digits: "4 100", "0.31"."""
    if not math.isfinite(value):
        return "∞"
    if value == 0:
        return "0"
    digits = 2 if abs(value) < 10 else 3
    rounded = float(f"{value:.{digits}g}")
    if abs(rounded) >= 10:
        return f"{rounded:,.0f}".replace(",", "\u202f")
    return f"{rounded:.3g}"


def between(low: float, high: float) -> str:
    """Return an interval as text: "[3–4]"."""
    end = "∞" if not math.isfinite(high) else amount(high)
    return f"[{amount(low)}–{end}]"


def signed(value: float) -> str:
    """Return a number as text with six digits and a typographic minus sign."""
    return f"{value:z.6g}".replace("-", "−", 1) if value < 0 else f"{value:z.6g}"


def span(low: str, high: str) -> str:
    """Return a range as text: "3–4", but "−4 to −3", because a dash may look like a minus sign."""
    return f"{low} to {high}" if {low[0], high[0]} & {*"-−"} else f"{low}–{high}"


def inverse(value: float) -> float:
    """Return 1 / value, infinite for 0."""
    return 1 / value if value > 0 else math.inf
