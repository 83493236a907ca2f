"""Which of two contenders came further, pair by pair, and how many such differences are chance."""

from __future__ import annotations

from collections.abc import Sequence

from scipy.stats import binomtest

#: Of all that is called a difference, the share that may be none.
ERROR = 0.05
CHANCE = f"of all that is called a win or a loss at most {ERROR:.0%} should be chance."


def sign_test(ours: Sequence[float], theirs: Sequence[float]) -> tuple[int, int, float]:
    """Pairs that the first wins by the lower rank, and loses; p, two-sided, without ties."""
    pairs = list(zip(ours, theirs, strict=False))
    won, lost = sum(a < b for a, b in pairs), sum(a > b for a, b in pairs)
    return won, lost, binomtest(won, won + lost).pvalue if won + lost else 1.0


def judged(tests: Sequence[tuple[int, int, float]]) -> list[str]:
    """Which of many differences are called such: at most ERROR of those by chance.

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
