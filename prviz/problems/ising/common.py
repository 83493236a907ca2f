"""Counts of tabu search: its patience, and how long a spin rests."""

from __future__ import annotations

from ...engine.dispatch import helper

#: It ends after a step for each spin without a lower energy, and at least after so many.
LEAST_PATIENCE = 50
#: A spin rests for so many steps, one more for so many spins, and up to SPREAD − 1 beside.
REST, SPINS_A_REST, SPREAD = 7, 100, 11


@helper
def patience(n) -> int:
    return max(LEAST_PATIENCE, n)


@helper
def rest(n, step) -> int:
    """How long a spin rests that is turned over at a step, in no short rhythm."""
    return REST + n // SPINS_A_REST + (step * 7) % SPREAD
