"""Use a grid to find the centres near a position in the plane, without visiting all centres.

Each cell has a doubly linked list of its centres, so moving a centre to another cell takes constant
time. The lists are unsorted, so callers sort the centres that they find. With few centres there is
no grid, because visiting all centres is faster.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...engine.dispatch import borrowing, inlined

#: Fewest centres for a grid, and centres per cell.
MANY, A_CELL = 256, 2.0
#: A range is widened by this share of the largest coordinate or extent, to allow for rounding.
MARGIN = 1e-9


class Grid(NamedTuple):
    """``side`` × ``side`` cells over the data; no grid if ``side`` is 0."""

    side: int
    left: float  # corner of the first cell
    bottom: float
    across: float  # cells per unit of length
    up: float
    margin: float  # a length larger than any rounding error


class Cells(NamedTuple):
    """The centres of each cell, as linked lists; −1 ends a list. Empty without a grid."""

    first: np.ndarray  # (side²,) int64: the first centre in the list of each cell
    cell: np.ndarray  # (k,) int64: the cell of each centre
    after: np.ndarray  # (k,) int64: next and previous centre in the list
    before: np.ndarray


def grid_over(points: np.ndarray, k: int) -> Grid:
    """Return the grid for k centres of points (n, d)."""
    if points.shape[1] != 2 or k < MANY:
        return Grid(0, 0.0, 0.0, 0.0, 0.0, 0.0)
    side = math.isqrt(int(k / A_CELL))
    (left, bottom), (right, top) = points.min(axis=0), points.max(axis=0)
    extents = right - left, top - bottom
    across, up = (side / extent if extent > 0.0 else 0.0 for extent in extents)
    largest = max(abs(left), abs(bottom), abs(right), abs(top), *extents)
    return Grid(side, left, bottom, across, up, MARGIN * largest)


def cells_at_origin(grid: Grid, k: int) -> Cells:
    """Return the cells of k centres that are all at (0, 0)."""
    n_links = k if grid.side else 0
    cells = Cells(np.full(grid.side**2, -1), *np.full((3, n_links), -1))
    for j in range(n_links):
        put(grid, cells, j, 0.0, 0.0)
    return cells


@inlined
def _column(grid, x) -> int:
    return int(min(max((x - grid.left) * grid.across, 0.0), grid.side - 1.0))


@inlined
def _row(grid, y) -> int:
    return int(min(max((y - grid.bottom) * grid.up, 0.0), grid.side - 1.0))


@borrowing
def put(grid, cells, j, x, y) -> None:
    """Move centre j to (x, y)."""
    new, old = _row(grid, y) * grid.side + _column(grid, x), cells.cell[j]
    if new == old:
        return
    after, before = cells.after[j], cells.before[j]
    if after >= 0:
        cells.before[after] = before
    if before >= 0:
        cells.after[before] = after
    elif old >= 0:
        cells.first[old] = after
    first = cells.first[new]
    cells.cell[j], cells.after[j], cells.before[j] = new, first, -1
    if first >= 0:
        cells.before[first] = j
    cells.first[new] = j


@borrowing
def within(grid, cells, x, y, reach, found) -> int:
    """List the centres in all cells within ``reach`` of (x, y).

    Parameters
    ----------
    found : (k,) or longer
        Output: the centres, unsorted.

    Returns
    -------
    int
        Number of centres; −1 if there are so many cells that visiting all centres is faster.
    """
    reach += grid.margin
    first, last = _column(grid, x - reach), _column(grid, x + reach)
    bottom, top = _row(grid, y - reach), _row(grid, y + reach)
    if 4 * (last - first + 1) * (top - bottom + 1) > len(cells.first):
        return -1
    n_found = 0
    for row in range(bottom, top + 1):
        for cell in range(row * grid.side + first, row * grid.side + last + 1):
            j = cells.first[cell]
            while j >= 0:
                found[n_found] = j
                n_found += 1
                j = cells.after[j]
    return n_found


@borrowing
def sort(found, n_found) -> None:
    """Sort a few centres by number."""
    for i in range(1, n_found):
        j, at = found[i], i
        while at > 0 and found[at - 1] > j:
            found[at] = found[at - 1]
            at -= 1
        found[at] = j
