"""The paper's claims by figure, and the rules that decide them from data.

Every rule judges one :class:`prviz.Comparison`, with 95 % intervals. A claim has one or more parts.
It is *reproduced* if all parts hold, *partly* if some parts hold, and *not* otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..experiments.statistics.fixed_budget import costs_at
from ..experiments.statistics.intervals import share_of
from ..experiments.statistics.pairwise import chance_below
from ..experiments.statistics.resampling import percentiles

SURE = 0.975  # fraction of resamples in which a crossover must exist
# numbers of partial and of full resets that reach the same cost according to the paper
RESETS, MANY = 58, 1000
CLOSE = 5e-4  # the paper's "about 0.01 %", plus the uncertainty of the mean of a few runs
RESAMPLED = 2000


class Finding(NamedTuple):
    """The result of a rule.

    Attributes
    ----------
    holds : bool
    shown : str
        The numbers behind the decision, as text.
    """

    holds: bool
    shown: str


class Part(NamedTuple):
    """A part of a claim.

    Attributes
    ----------
    says : str
        The paper's statement, in our words.
    rule : str
        The rule, as a sentence.
    decide : function of Comparison
        The function that applies the rule and returns a :class:`Finding`.
    """

    says: str
    rule: str
    decide: Callable[[Any], Finding]


def verdict(findings: list[Finding]) -> str:
    """Return "reproduced" if all parts hold, "partly" if some hold, and "not" otherwise."""
    held = sum(finding.holds for finding in findings)
    return "reproduced" if held == len(findings) else "partly" if held else "not"


def ahead_at_the_end(found: Any, least: float = 0.5) -> Finding:
    """The interval of P(partial < full) + ½ P(equal) is above ½ at the end."""
    chance = found.chance("partial", "full")
    return Finding(chance.low > least, _chance(chance.chance, chance.low, chance.high))


def clearly_ahead_at_the_end(found: Any) -> Finding:
    """The interval of P(partial < full) + ½ P(equal) is above 0.9 at the end."""
    return ahead_at_the_end(found, 0.9)


def in_a_third_of_the_work(found: Any) -> Finding:
    """Partial's median reaches full's final median after at most a third of the work."""
    full, partial = found.curve("full"), found.curve("partial")
    last = full.work[-1]
    there = partial.work[partial.median <= full.median[-1]]
    if not len(there):
        return Finding(False, "partial never reaches full's final median")
    share = float(there[0] / last)
    return Finding(share <= 1 / 3, f"reached after {share:.1%} of the work")


def behind_at_first(found: Any) -> Finding:
    """The interval of P(partial < full) + ½ P(equal) is below ½ at half the crossover's work."""
    crossing = found.crossover("partial", "full")
    if crossing.work is None:
        return Finding(False, "there is no crossover")
    begun = max(found.curve(name).work[0] for name in ("partial", "full"))
    chance = _chance_at(found, max(begun, crossing.work / 2))
    return Finding(chance.high < 0.5, _chance(chance.chance, chance.low, chance.high))


def a_crossover(found: Any) -> Finding:
    """Partial's median stays below full's from some budget on in at least 97.5 % of resamples."""
    crossing = found.crossover("partial", "full")
    if crossing.work is None:
        return Finding(False, "partial's median is not below full's in the end")
    words = f"from {crossing.work:.4g} on, [{crossing.low:.4g}–{crossing.high:.4g}]"
    return Finding(1 - crossing.none >= SURE, f"{words}, in {1 - crossing.none:.1%} of resamples")


def affinity_is_quick(found: Any) -> Finding:
    """The interval of P(affinity < full) + ½ P(equal) is above ½ after affinity's last run."""
    ends = [run.end(found.axis) for run in found.runs["affinity propagation"]]
    at = min(max(ends), found.frontier())
    chance = _chance_at(found, at, "affinity propagation", "full")
    words = _chance(chance.chance, chance.low, chance.high)
    return Finding(chance.low > 0.5, f"{words}, after {at:.3g} CPU seconds")


def partial_passes_affinity(found: Any) -> Finding:
    """Wilson's interval of the share of partial's runs below affinity's median is above ½."""
    level = float(
        np.median([run.best.min(initial=np.inf) for run in found.runs["affinity propagation"]])
    )
    costs = _at_the_end(found, "partial")
    share = share_of(int((costs < level).sum()), len(costs))
    words = f"{share.hits} of {share.n} runs below {level:.6g}, [{share.low:.0%}–{share.high:.0%}]"
    return Finding(share.low > 0.5, words)


def partial_goes_on(found: Any) -> Finding:
    """Partial's median is lower at the end than at half the time."""
    curve = found.curve("partial", [found.frontier() / 2, found.frontier()])
    half, whole = (float(value) for value in curve.median)
    return Finding(whole < half, f"{half:.6g} at half the time, {whole:.6g} at the end")


def few_suffice(found: Any) -> Finding:
    """Against 10, 25 and all, the interval of P(one centre ends lower) + ½ P(equal) is above ½."""
    return _below_all(found, ("k₁ = 10", "k₁ = 25", "full"))


def some_more_are_no_better(found: Any) -> Finding:
    """The interval of P(one centre < five) + ½ P(equal) is above ½ at the end."""
    return _below_all(found, ("k₁ = 5",))


def better_than_as_many(found: Any) -> Finding:
    """The interval of P(partial < full) + ½ P(equal) is above ½ after 58 resets each."""
    return ahead_at_the_end(found)


def as_good_as_many(found: Any) -> Finding:
    """The interval of (mean of 58 partial − expected best of 1000 full) is at or below 0."""
    value, low, high = difference(found)
    return Finding(high <= 0, f"{value:+.4g} [{low:+.4g}–{high:+.4g}]")


def close_to_many(found: Any) -> Finding:
    """The mean of 58 partial and the expected best of 1000 full differ by at most 0.05 %."""
    value, low, high = difference(found)
    scale = abs(float(np.mean(_at_the_end(found, "full"))))
    shown = f"{value / scale:+z.3%} [{low / scale:+z.3%}–{high / scale:+z.3%}]"
    return Finding(abs(value) / scale <= CLOSE, shown)


def difference(found: Any, seed: int = 0) -> tuple[float, float, float]:
    """Return partial's mean best cost minus the mean best of 1000 resets, with its interval.

    Full resets are independent. So the best of 1000 resets is the lowest cost of several runs,
    drawn with replacement, that have 1000 resets in total.
    """
    partial, full = _at_the_end(found, "partial"), _at_the_end(found, "full")
    n, rng = len(full), np.random.default_rng(seed)
    resets = np.mean([run.end_calls for run in found.runs["full"]])
    together = max(1, round(MANY / resets))
    best = np.sort(full)
    # entry i: probability that the lowest of `together` drawn costs is `best[i]` or a later entry
    chance = (1 - np.arange(n + 1) / n) ** together
    expected = float(best @ -np.diff(chance))
    again = np.empty(RESAMPLED)
    for i in range(RESAMPLED):
        drawn = np.sort(rng.choice(full, n))
        again[i] = rng.choice(partial, len(partial)).mean() - drawn @ -np.diff(chance)
    low, high = percentiles(again, 0.95)
    return float(partial.mean()) - expected, low, high


def _below_all(found: Any, others: Sequence[str]) -> Finding:
    chances = [found.chance("partial", other) for other in others]
    words = [
        f"{other}: {_chance(each.chance, each.low, each.high)}"
        for other, each in zip(others, chances, strict=True)
    ]
    return Finding(all(each.low > 0.5 for each in chances), "; ".join(words))


def _at_the_end(found: Any, name: str) -> np.ndarray:
    return costs_at(found.runs[name], found.frontier(), found.axis)[:, 0]


def _chance_at(found: Any, work: float, a: str = "partial", b: str = "full") -> Any:
    first, second = (costs_at(found.runs[name], work, found.axis)[:, 0] for name in (a, b))
    return chance_below(first, second)


def _chance(value: float, low: float, high: float) -> str:
    return f"P = {value:.3f} [{low:.3f}–{high:.3f}]"
