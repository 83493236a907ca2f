"""Compare two contenders pair by pair, with a limit on the false discovery rate."""

from __future__ import annotations

from collections.abc import Sequence

from scipy.stats import binomtest

#: False discovery rate of all differences that are reported.
ERROR = 0.05
CHANCE = f"the false discovery rate of wins and losses is {100 * ERROR:g} %."


def sign_test(ours: Sequence[float], theirs: Sequence[float]) -> tuple[int, int, float]:
    """Return how many pairs ``ours`` wins (the lower value wins), how many it loses, and p.

    p is two-sided; ties are left out.
    """
    pairs = list(zip(ours, theirs, strict=False))
    won, lost = sum(a < b for a, b in pairs), sum(a > b for a, b in pairs)
    return won, lost, binomtest(won, won + lost).pvalue if won + lost else 1.0


def judged(tests: Sequence[tuple[int, int, float]]) -> list[str]:
    """Return a verdict for each test, at the false discovery rate ERROR.

    Benjamini and Hochberg 1995, J. R. Stat. Soc. B 57, 289.
    """
    ordered = sorted(p for _, _, p in tests)
    below = [p for i, p in enumerate(ordered, 1) if p <= ERROR * i / len(tests)]
    limit = max(below, default=-1.0)
    return [
        f"{'no difference shown' if p > limit else 'wins' if won > lost else 'loses'}, "
        f"{won} : {lost}"
        for won, lost, p in tests
    ]
