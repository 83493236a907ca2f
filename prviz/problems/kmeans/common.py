"""What plain and incremental k-means share."""

from __future__ import annotations

from ...engine.dispatch import borrowing


@borrowing
def squared_distance(a, i, b, j) -> float:
    """Between row i of one array and row j of another."""
    total = 0.0
    for axis in range(a.shape[1]):
        difference = a[i, axis] - b[j, axis]
        total += difference * difference
    return total
