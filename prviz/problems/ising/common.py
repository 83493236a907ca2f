"""Constants of tabu search: its patience, and the tabu tenure of a spin."""

from __future__ import annotations

from ...engine.dispatch import helper

#: A search ends after N steps without a lower energy, or after this many steps if N is smaller.
LEAST_PATIENCE = 50
#: After a flip, a spin is tabu for REST + N / SPINS_A_REST steps, plus 0 to SPREAD − 1 steps.
REST, SPINS_A_REST, SPREAD = 7, 100, 11


@helper
def patience(n) -> int:
    return max(LEAST_PATIENCE, n)


@helper
def rest(n, step) -> int:
    """Return for how many steps a flipped spin is tabu; the number varies to avoid short cycles."""
    return REST + n // SPINS_A_REST + (step * 7) % SPREAD
