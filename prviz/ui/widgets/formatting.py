"""Format numbers: amounts, indices, times."""

from __future__ import annotations

import re

from prviz.figures.style import ten_to

YEAR, DAY, HOUR, MINUTE = 365.25 * 86_400, 86_400.0, 3600.0, 60.0  # in seconds

_SMALL = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def sub(n: int) -> str:
    """Format a number as a subscript: 12 → ₁₂."""
    return str(n).translate(_SMALL)


def counted(n: float, noun: str) -> str:
    """Format a count: "1 call", "3 calls"."""
    words = digits(n)
    return f"{words} {noun}" if words == "1" else f"{words} {noun}s"


def digits(x: float) -> str:
    """Format a number ≥ 0: exactly if it is a short integer, else with two significant digits.

    Thousands are separated by a thin space. Integers of at least 10⁹ and other numbers of at least
    ten million are formatted with a power of ten.
    """
    if isinstance(x, int) and x < 10**9:
        return f"{x:,}".replace(",", "\u202f")
    if x >= 1e7:
        front, exponent = f"{float(x):.1e}".split("e+")
        return times_ten_to(float(front), int(exponent))
    rounded = float(f"{x:.2g}")
    return f"{rounded:,.0f}".replace(",", "\u202f") if rounded >= 10 else f"{rounded:g}"


def uniform(text: str) -> str:
    """Format the numbers in a text: "−0.5", "1.8 %", "74 378.3", with thin spaces."""
    text = re.sub(r"(?<![\w.])-(?=\d)", "−", text)
    text = re.sub(r"(?<=\d) ?%", "\u202f%", text)
    return re.sub(r"(?<![\w.])\d{4,}", lambda n: f"{int(n[0]):,}".replace(",", "\u202f"), text)


def times_ten_to(front: float, power: int) -> str:
    """Format a multiple of a power of ten: "2.3·10⁻⁹", or "10⁹"."""
    return ten_to(power) if front == 1 else f"{front:g}·{ten_to(power)}"


def six_digits(x: float) -> str:
    """Format a cost with six digits, thousands separated by a thin space."""
    places = max(0, 6 - len(f"{x:.0f}"))
    return f"{x:,.{places}f}".replace(",", "\u202f")


def about(seconds: float) -> str:
    """Format an estimated time in words."""
    return f"about {duration(seconds)}" if seconds >= 0.01 else "less than 0.01 s"


def duration(seconds: float) -> str:
    """Format a time in the largest unit that gives a number of at least two."""
    for name, length in (("year", YEAR), ("day", DAY), ("hour", HOUR), ("minute", MINUTE)):
        if seconds >= 2 * length:
            return counted(seconds / length, name)
    return f"{digits(float(seconds))} s"
