"""The summary of a race as text, with its uncertainty."""

from __future__ import annotations

import itertools
import math
from typing import Any

from ...experiments.statistics.crossover import Crossover
from ...experiments.statistics.wording import amount, between, inverse
from .race import Lane, RaceInfo


def verdict(info: RaceInfo, iteration: str = "iteration") -> str:
    """Say which method leads, after how much work, and how much sooner it reaches the target."""
    if len(info.lanes) < 2 or info.crossover is None:
        return ""
    a, b = info.lanes[:2]
    said = [_ahead(a, b, info, info.crossover, iteration), _sooner(a, b, info)]
    numbers = "\u00a0+\u00a0".join(f"{len(lane.costs)}" for lane in (a, b))
    return f"{'; '.join(filter(None, said))}; n\u00a0=\u00a0{numbers}."


def verdicts(found: Any, info: RaceInfo, iteration: str = "iteration") -> list[str]:
    """Return the verdict of each pair of contenders, in the order of the contenders.

    Parameters
    ----------
    found : Comparison
    info : RaceInfo
        The data of this comparison.
    iteration : str
        Name of an iteration.
    """
    said = []
    for a, b in itertools.combinations(info.lanes, 2):
        pair = a.name, b.name
        ratio = None if found.target is None else found.ert_ratio(*pair, axis=info.axis)
        crossing = found.crossover(*pair, axis=info.axis)
        of_two = info._replace(lanes=[a, b], crossover=crossing, ratio=ratio)
        said.append(verdict(of_two, iteration))
    return said


def _ahead(a: Lane, b: Lane, info: RaceInfo, crossing: Crossover, iteration: str) -> str:
    last = crossing.frontier
    unit = {"iterations": f"{iteration}s", "calls": "calls", "seconds": "CPU seconds"}[info.axis]
    scale = 1.0
    if info.axis == "seconds" and last < 1:
        unit, scale = "CPU milliseconds", 1000.0
    ends = float(a.curve.median[-1]), float(b.curve.median[-1])
    if not math.isfinite(min(ends)):
        return "Most runs are in their first call"
    if crossing.work is None:
        how = "level with" if ends[0] <= ends[1] else "behind"
        after = f"after {amount(scale * last)} {unit}, by the medians"
        return f"{_capital(a.name)} is {how} {b.name} {after}"
    if crossing.work <= a.curve.work[0]:
        begun = "from the start"
    else:
        sure = between(scale * crossing.low, scale * crossing.high)
        begun = f"from {amount(scale * crossing.work)} {unit} on {sure}"
    rare = f", in {1 - crossing.none:.0%} of resamples" if crossing.none > 0.025 else ""
    return f"{_capital(a.name)} is ahead of {b.name} {begun}{rare}"


def _sooner(a: Lane, b: Lane, info: RaceInfo) -> str:
    ratio = info.ratio
    if ratio is None:
        return ""
    counts = [f"{n} of {of}" for n, of in (
        (ratio.successes_a, ratio.n_a), (ratio.successes_b, ratio.n_b))]  # fmt: skip
    if not ratio.successes_a and not ratio.successes_b:
        return "no run has reached the target yet"
    if not ratio.successes_a or not ratio.successes_b:
        one, its, other, their = (a, counts[0], b, counts[1])
        if not ratio.successes_a:
            one, its, other, their = b, counts[1], a, counts[0]
        return f"only {one.name} reaches the target, in {its} runs, {other.name} in {their}"
    times, low, high = 1 / ratio.ratio, inverse(ratio.high), inverse(ratio.low)
    if times >= 1:
        return f"{a.name} reaches the target {amount(times)}× sooner {between(low, high)}"
    sooner = between(ratio.low, ratio.high)
    return f"{b.name} reaches the target {amount(ratio.ratio)}× sooner {sooner}"


def _capital(name: str) -> str:
    """Capitalise a name, except for symbols: k₁ is not K₁."""
    return name if name.startswith("k₁") else name[:1].upper() + name[1:]
