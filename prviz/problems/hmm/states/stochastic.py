"""Redraw and check hidden states: random stochastic rows, mixed with the old ones (equation 1).

A row that is uniform on the simplex, Dirichlet(1, …, 1), is N exponential variates divided by
their sum. For k of its entries, draw k of these variates; the sum of the other N − k is a gamma
variate.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....engine.dispatch import borrowing, helper
from ....engine.simd.sums import sum_of
from ....engine.simd.variates import exponentials, gamma


@borrowing
def scale(row) -> None:
    """Divide a row by its sum."""
    factor = 1.0 / sum_of(row, 0, len(row))
    for i in range(len(row)):
        row[i] *= factor


@helper
def mix_row(row, alpha, rng) -> None:
    """Set row ← α row + (1 − α) ξ, with ξ uniform on the simplex; the sum stays one."""
    fresh = exponentials(rng, len(row))
    scale(fresh)
    for i in range(len(row)):
        row[i] = fresh[i] if alpha == 0.0 else alpha * row[i] + (1.0 - alpha) * fresh[i]
    scale(row)


@helper
def mix_entries(row, chosen, alpha, rng) -> None:
    """Mix the ``chosen`` entries with entries of a new row, then divide the row by its sum.

    The other entries keep their ratios.
    """
    draws = exponentials(rng, len(chosen))
    total = gamma(rng, len(row) - len(chosen)) + sum_of(draws, 0, len(draws))
    for i in range(len(chosen)):
        row[chosen[i]] = alpha * row[chosen[i]] + (1.0 - alpha) * draws[i] / total
    scale(row)


@helper
def redraw_states(transition, emission, start, chosen, alpha, rng) -> None:
    """Redraw each chosen state: its row and column of A, its row of B, its entry of π.

    In π and in the other rows of A, only the chosen entries are redrawn. Each row is then divided
    by its sum.

    Parameters
    ----------
    transition : (N, N), emission : (N, K), start : (N,)
    chosen : (k,) int64
    alpha : float
        Equation (1): the share of the old entries.
    """
    N = len(start)
    redrawn = np.zeros(N, np.bool_)
    for i in chosen:
        redrawn[i] = True
    for i in range(N):
        if redrawn[i]:
            mix_row(transition[i], alpha, rng)
            mix_row(emission[i], alpha, rng)
        else:
            mix_entries(transition[i], chosen, alpha, rng)
    if len(chosen) == N:
        mix_row(start, alpha, rng)
    else:
        mix_entries(start, chosen, alpha, rng)


def fault_of_model(state: Any) -> str:
    """Return a description of probabilities that do not sum to 1, or "".

    Parameters
    ----------
    state
        State of a hidden Markov model of any type.
    """
    for name in ("transition", "start", "emission", "weights"):
        rows = getattr(state, name, np.empty(0))
        if rows.size and ((rows < 0).any() or not np.allclose(rows.sum(-1), 1, atol=1e-6)):
            return f"{name} probabilities that are negative or do not sum to 1"
    return ""
