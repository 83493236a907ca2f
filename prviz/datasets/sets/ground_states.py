"""Compute exact ground energies of small square lattices by transfer matrices (Kaufman 1949)."""

from __future__ import annotations

import numpy as np

from ..types.couplings import Couplings

MOST_COLUMNS = 10  # time and memory grow fourfold with each column


def provable(glass: Couplings) -> bool:
    """Return True if :func:`ground_energy` can solve these couplings in less than a second."""
    sides = glass.shape
    small = len(sides) == 2 and min(sides) >= 3 and sides[1] <= MOST_COLUMNS
    return small and not glass.fields.any()


def ground_energy(glass: Couplings) -> float:
    """
    Return the lowest energy of a two-dimensional torus without fields.

    Spins are added one by one, row after row. ``energy[a, b]`` is the lowest energy of the rows so
    far if their first row is ``a`` and their last row is ``b`` (one bit per spin).

    Parameters
    ----------
    glass : Couplings
        From :func:`prviz.datasets.torus`, with at most ``MOST_COLUMNS`` columns.

    Raises
    ------
    ValueError
        The couplings are not such a torus.
    """
    if not provable(glass):
        raise ValueError(
            f"couplings must be a torus of two dimensions without fields and have at most "
            f"{MOST_COLUMNS} columns, got shape {glass.shape}."
        )
    rows, columns = glass.shape
    states, half = 2**columns, 2 ** (columns - 1)  # E(s) = E(−s): fix one spin of row 0
    J = dict(zip(map(tuple, glass.pairs.tolist()), glass.weights.tolist(), strict=True))
    spins = 1.0 - 2.0 * ((np.arange(states)[:, None] >> np.arange(columns)) & 1)

    def coupling(i: int, j: int) -> float:
        return J[min(i, j), max(i, j)]

    def within(row: int) -> np.ndarray:
        first = row * columns
        bonds = [coupling(first + c, first + (c + 1) % columns) for c in range(columns)]
        return -(spins * np.roll(spins, -1, axis=1)) @ np.array(bonds)

    energy = np.where(np.eye(half, states, dtype=bool), within(0), np.inf)
    for row in range(1, rows):
        for c in range(columns):
            bond = coupling((row - 1) * columns + c, row * columns + c)
            by_spin = energy.reshape(half, states >> (c + 1), 2, 1 << c)
            energy = np.minimum(by_spin - bond, by_spin[:, :, ::-1] + bond).reshape(half, states)
        energy += within(row)
    last = np.array([coupling(c, (rows - 1) * columns + c) for c in range(columns)])
    return float((glass.offset + energy - (spins[:half] * last) @ spins.T).min())
