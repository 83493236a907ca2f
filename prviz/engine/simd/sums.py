"""Sums in a written order: the same on every machine, and quick.

A running sum waits for each addition to end before the next. Here sixteen of them run side by
side, in two vectors, and are then added two by two; a compiler that was free to do the like would
do it by the width of the machine's registers, and the last bits with it.
"""

from __future__ import annotations

from ..dispatch import borrowing
from .simd8 import WIDTH, load, spread, total


@borrowing
def sum_of(values, start, count) -> float:
    """Sum of ``count`` numbers of a contiguous array, from number ``start`` on."""
    even = odd = spread(0.0)
    at, end = start, start + count
    while at + 2 * WIDTH <= end:
        even = even + load(values, at)
        odd = odd + load(values, at + WIDTH)
        at += 2 * WIDTH
    if at + WIDTH <= end:
        even = even + load(values, at)
        at += WIDTH
    result = total(even + odd)
    while at < end:
        result += values[at]
        at += 1
    return result
