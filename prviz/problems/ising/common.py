"""Constants of tabu search: its patience, and the resting time of a spin."""

from __future__ import annotations

from ...engine.dispatch import helper

#: A search ends after N steps without a lower energy, but takes at least this many steps.
LEAST_PATIENCE = 50
#: A spin is tabu for this many steps, plus one per this many spins, plus a varying 0 to SPREAD − 1.
REST, SPINS_A_REST, SPREAD = 7, 100, 11


@helper
def patience(n) -> int:
    return max(LEAST_PATIENCE, n)


@helper
def rest(n, step) -> int:
    """Return the steps that a spin rests after a flip; they vary, to avoid short cycles."""
    return REST + n // SPINS_A_REST + (step * 7) % SPREAD
