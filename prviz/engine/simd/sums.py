"""Fast sums in a fixed order, with the same bits on every machine.

In a running sum, each addition waits for the previous addition. Here sixteen partial sums run in
parallel, in two vectors, and are added pairwise at the end. If the compiler could change the order,
the last bits would depend on the register width.
"""

from __future__ import annotations

from ..dispatch import borrowing
from .simd8 import WIDTH, load, spread, total


@borrowing
def sum_of(values, start, count) -> float:
    """Return the sum of ``count`` numbers of a contiguous array, from ``start`` on."""
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
