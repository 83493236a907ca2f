"""How hidden states are redrawn: random stochastic rows, mixed into the old ones (equation 1).

A row that is uniform on the simplex, Dirichlet(1, …, 1), is N exponential variates divided by
their sum. Some of its entries alone take as many variates, and one gamma variate for the others.
"""

from __future__ import annotations

import numpy as np

from ..dispatch import helper, vectorised


@vectorised
def scale(row) -> None:
    """Divide a row by its sum."""
    total = 0.0
    for i in range(len(row)):
        total += row[i]
    factor = 1.0 / total
    for i in range(len(row)):
        row[i] *= factor


@helper
def mix_row(row, alpha, rng) -> None:
    """row ← α row + (1 − α) ξ, with ξ uniform on the simplex; it keeps summing to one."""
    if alpha == 0.0:
        for i in range(len(row)):
            row[i] = rng.standard_exponential()
    else:
        fresh = rng.standard_exponential(len(row))
        scale(fresh)
        for i in range(len(row)):
            row[i] = alpha * row[i] + (1.0 - alpha) * fresh[i]
    scale(row)


@helper
def mix_entries(row, chosen, alpha, draws, rng) -> None:
    """Mix the ``chosen`` entries with those of a fresh row, then divide the row by its sum.

    The other entries keep their ratios to one another. ``draws`` (k,) is room.
    """
    total = rng.standard_gamma(len(row) - len(chosen))
    for i in range(len(chosen)):
        draws[i] = rng.standard_exponential()
        total += draws[i]
    for i in range(len(chosen)):
        row[chosen[i]] = alpha * row[chosen[i]] + (1.0 - alpha) * draws[i] / total
    scale(row)


@helper
def redraw_states(transition, emission, start, chosen, alpha, rng) -> None:
    """Redraw each chosen state: its row and column of A, its row of B, its entry of π.

    In the rows of the other states only the chosen columns are fresh, and the row is divided by
    its sum; so it is with π.

    Parameters
    ----------
    transition : (N, N), emission : (N, K), start : (N,)
    chosen : (k,) int64
    alpha : float
        Equation (1): the share of the old entries.
    """
    N = len(start)
    redrawn, draws = np.zeros(N, np.bool_), np.empty(len(chosen))
    for i in chosen:
        redrawn[i] = True
    for i in range(N):
        if redrawn[i]:
            mix_row(transition[i], alpha, rng)
            mix_row(emission[i], alpha, rng)
        else:
            mix_entries(transition[i], chosen, alpha, draws, rng)
    if len(chosen) == N:
        mix_row(start, alpha, rng)
    else:
        mix_entries(start, chosen, alpha, draws, rng)
