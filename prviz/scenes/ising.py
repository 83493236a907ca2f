"""Spin glasses for the player: kept and redrawn spins, frustrated bonds highlighted.

Two-dimensional lattices are drawn directly, three-dimensional lattices as slices side by side, and
long lattices in bands. A bond across the boundary or to the next band is drawn as a stub at both
ends. A bond to the next slice is drawn as a stroke to the upper right. Spins of other graphs are
placed by the two slowest modes of the graph's Laplacian.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..datasets.sets.lattices import shape_of
from ..datasets.types.couplings import Couplings
from ..player.pictures.frames import encode_positions
from .data import SOURCE, check_same, check_type, counted

MARGIN = 0.75  # margin around the lattice, in cells
WORDS = 0.05  # share of the picture for text above it
APART = 2.0  # gap between slices and bands, in cells
LONG = 3  # lattices with a larger aspect ratio are drawn in bands
STUB, TICK = 0.5, 0.42  # lengths in cells: bonds across the boundary; bonds to the next slice
MOST_BONDS = 4000  # if there are more bonds than this, none are drawn
# with more spins than this, `spread` sorts them by number, not by modes of the Laplacian
MOST_SPECTRAL = 2500
#: Columns of a segment: its two spins; 1 if J > 0, otherwise 0; and x and y of its two ends.
SEGMENT = 7


class IsingScene:
    """The picture of a spin glass's search.

    Parameters
    ----------
    data : Couplings
    problem : Ising
        A problem from :func:`prviz.ising` on these couplings.
    """

    noun = ("spin", "spins")
    solved_within = 1e-12
    tables = {"spins": "Spins"}  # noqa: RUF012

    def __init__(self, data: Couplings, problem: Any):
        n = len(problem.fields)
        self.title = f"Spin glass: {data.name}"
        self.cost = "energy"
        annealing = len(problem.betas) > 0
        self.optimiser = "Annealing" if annealing else "Tabu search" if problem.tabu else "Descent"
        self.iteration = "sweep" if annealing else None
        self.best_known = data.best_known
        places, segments = drawing(data)
        low, high = places.min(axis=0) - MARGIN, places.max(axis=0) + MARGIN
        high[1] += WORDS * (high - low).max()
        self.world = {"x": [float(low[0]), float(high[0])], "y": [float(low[1]), float(high[1])]}
        self._assets = {"places": encode_positions(places, self.world).tobytes()}
        each = {"channel": "spins", "cell": 1 / float(high[0] - low[0])}
        self.layers = [{"kind": "cells", "asset": "places", "cell": each["cell"]}]
        if 0 < len(segments) <= MOST_BONDS:
            self._assets["bonds"] = self._encoded(segments).tobytes()
            self.layers.append({"kind": "bonds", "asset": "bonds", **each})
        said = {"energy": "energy", "frustrated": "frustrated"}
        self.layers.append({"kind": "lattice", "asset": "places", **each, **said})
        self.channels = [("spins", "u1", n), ("frustrated", "f4", 1), ("energy", "f8", 1)]
        self.pairs, self.weights, self._problem = data.pairs, data.weights, problem

    def _encoded(self, segments: np.ndarray) -> np.ndarray:
        ends = [encode_positions(segments[:, at : at + 2], self.world) for at in (3, 5)]
        return np.hstack([segments[:, :3].astype("<u2"), *ends]).astype("<u2")

    def asset(self, name: str) -> bytes:
        """Return the positions of the spins, two u16 each, or the bonds, ``SEGMENT`` u16 each."""
        return self._assets[name]

    def draw(self, frame: np.void, state: Any) -> None:
        """Fill the channels of a frame from a state."""
        spins = state.spins.astype(float)
        frame["spins"] = state.spins > 0
        along = self.weights * spins[self.pairs[:, 0]] * spins[self.pairs[:, 1]]
        frame["frustrated"] = (along < 0).mean() if len(along) else 0.0
        frame["energy"] = self._problem.offset - along.sum() - self._problem.fields @ spins

    def table(self, name: str, state: Any) -> dict[str, np.ndarray]:
        """Return one row per spin, numbered from 0."""
        return {"spin": np.arange(len(state.spins)), "value": state.spins.astype(int)}


def scene(problem: Any, data: Couplings | None = None) -> IsingScene:
    """Return the scene of a problem, with names from its data set if ``data`` is given."""
    spins = np.repeat(np.arange(len(problem.fields)), np.diff(problem.starts))
    pairs = np.column_stack([spins, problem.neighbours])
    once = pairs[:, 0] < pairs[:, 1]  # each bond is stored at both of its ends
    weights, name = problem.doubled[once] / 2, counted(problem.fields, "spin")
    shape = shape_of(len(problem.fields), pairs[once])
    made = Couplings(pairs[once], weights, problem.fields, name, SOURCE, shape=shape)
    dataset = check_type(data, Couplings) or made
    check_same(dataset.fields, problem.fields)
    return IsingScene(dataset, problem)


def drawing(data: Couplings) -> tuple[np.ndarray, np.ndarray]:
    """Return positions (n, 2) in cells, and a row per segment: i, j, J > 0, x_i, y_i, x_j, y_j."""
    if data.shape:
        return _lattice(data)
    places = spread(data) if data.places is None else data.places
    i, j = data.pairs.T
    return places, np.column_stack([data.pairs, data.weights > 0, places[i], places[j]])


def _lattice(data: Couplings) -> tuple[np.ndarray, np.ndarray]:
    """Place spins at (column, −row) of their slice or band."""
    at = np.array(np.unravel_index(np.arange(len(data.fields)), data.shape))
    if len(data.shape) == 3:
        slices, rows, columns = at
        tall, wide = data.shape[1:]
        places = _tiled(slices, rows, columns, data.shape[0], tall, wide)
    else:
        rows, columns = at if len(at) == 2 else np.vstack([np.zeros_like(at[0]), at[0]])
        tall, wide = data.shape if len(at) == 2 else (1, data.shape[0])
        if tall > wide:  # the long side is horizontal
            rows, columns, tall, wide = columns, rows, wide, tall
        band = wide
        if wide > LONG * tall:
            band = math.ceil(wide / math.ceil(math.sqrt(wide / (LONG * tall / 2))))
        places = np.column_stack(
            [columns % band, -(rows + columns // band * (tall + APART))]
        ).astype(float)
    i, j = data.pairs.T
    # one component is not zero: it is 1, or above 1 for a bond across the boundary
    steps = (at[:, j] - at[:, i]).T
    axis = np.abs(steps).argmax(axis=1)
    around = np.abs(steps).max(axis=1) > 1
    first, second = np.where(around, j, i), np.where(around, i, j)  # second = first + 1
    return places, _segments(data, places, axis, first, second)


def _tiled(
    slices: np.ndarray, rows: np.ndarray, columns: np.ndarray, n: int, tall: int, wide: int
) -> np.ndarray:
    """Place slices side by side, approximately in a square."""
    across = max(1, min(n, math.ceil(math.sqrt(1.2 * n))))
    return np.column_stack(
        [
            columns + slices % across * (wide + APART),
            -(rows + slices // across * (tall + APART)),
        ]
    ).astype(float)


def _segments(
    data: Couplings, places: np.ndarray, axis: np.ndarray, first: np.ndarray, second: np.ndarray
) -> np.ndarray:
    """Draw bonds of length 1 as one segment, and other bonds as two stubs or one tick."""
    positive = data.weights > 0
    whole = np.abs(places[first] - places[second]).sum(axis=1) == 1
    through = axis == 0 if len(data.shape) == 3 else np.zeros(len(axis), bool)
    rows = [_rows(whole, first, second, positive, places[first], places[second])]
    tick = places + TICK
    rows.append(_rows(through, first, second, positive, places[first], tick[first]))
    broken = ~whole & ~through
    lies = np.ptp(places[first] - places[second], axis=0).argmax() if broken.any() else 0
    for which in np.unique(axis[broken]):
        mine = broken & (axis == which)
        like = whole & (axis == which)
        step = (places[second] - places[first])[like]
        way = step[0] if len(step) else np.eye(2)[lies]
        for spin, sign in ((first, 1), (second, -1)):
            ends = places[spin] + sign * STUB * way
            rows.append(_rows(mine, first, second, positive, places[spin], ends))
    return np.concatenate(rows)


def _rows(chosen: np.ndarray, *columns: np.ndarray) -> np.ndarray:
    return np.column_stack(columns)[chosen]


def spread(data: Couplings) -> np.ndarray:
    """Place the spins of a graph on a square grid, with neighbours near each other.

    Spins are sorted by the two slowest modes of the graph's Laplacian (Hall 1970): the first mode
    selects the column, the second the cell in the column.
    """
    n = len(data.fields)
    side = math.ceil(math.sqrt(n))
    x = y = np.arange(n, dtype=float)
    if 3 < n <= MOST_SPECTRAL:
        from scipy.linalg import eigh

        laplacian = np.zeros((n, n))
        i, j = data.pairs.T
        laplacian[i, j] = laplacian[j, i] = -1.0
        laplacian -= np.diag(laplacian.sum(axis=1))
        _, modes = eigh(laplacian, subset_by_index=[1, 2])
        x, y = np.round(modes.T, 9)  # equal values tie in spite of rounding errors
    column = np.empty(n, int)
    column[np.argsort(x, kind="stable")] = np.arange(n) // side  # equal x: spins stay in order
    places = np.empty((n, 2))
    for c in range(column.max() + 1):
        mine = np.flatnonzero(column == c)
        places[mine[np.argsort(y[mine], kind="stable")]] = [(c, -r) for r in range(len(mine))]
    return places
