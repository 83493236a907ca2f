"""The summary of a race as text, with its uncertainty."""

from __future__ import annotations

import itertools
import math
from typing import Any

from ...experiments.statistics.crossover import Crossover
from ...experiments.statistics.pairwise import Chance
from ...experiments.statistics.wording import amount, between, inverse
from .race import Lane, RaceInfo


def verdict(info: RaceInfo, iteration: str = "iteration") -> str:
    """Say which method leads, after how much work, and how much sooner it reaches the target."""
    said = _verdict(info, iteration)
    return said if said.startswith("k₁") else said[:1].upper() + said[1:]  # k₁ is never capitalised


def _verdict(info: RaceInfo, iteration: str, surely: str = "") -> str:
    if len(info.lanes) < 2 or info.crossover is None:
        return ""
    a, b = info.lanes[:2]
    said = [_ahead(a, b, info, info.crossover, iteration) + surely, _sooner(a, b, info)]
    numbers = "\u00a0+\u00a0".join(f"{len(lane.costs)}" for lane in (a, b))
    return f"{'; '.join(filter(None, said))}; n\u00a0=\u00a0{numbers}."


def verdicts(found: Any, info: RaceInfo, iteration: str = "iteration") -> list[str]:
    """Return the verdict on each pair of contenders, with the chance that the first ends lower.

    The names of contenders are not capitalised.

    Parameters
    ----------
    found : Comparison
    info : RaceInfo
        The data of this comparison.
    iteration : str
        Singular noun for an iteration, such as "sweep".
    """
    said, chances = [], {each.names: each for each in chances_of(found, info)}
    for a, b in itertools.combinations(info.lanes, 2):
        pair = a.name, b.name
        ratio = None if found.target is None else found.ert_ratio(*pair, axis=info.axis)
        crossing = found.crossover(*pair, axis=info.axis)
        of_two = info._replace(lanes=[a, b], crossover=crossing, ratio=ratio)
        said.append(_verdict(of_two, iteration, _surely(a, b, chances.get(pair))))
    return said


def chances_of(found: Any, info: RaceInfo) -> list[Chance]:
    """Return the chance of each pair of contenders; empty if there are fewer than two seeds."""
    if len(found.seeds) < 2:
        return []
    pairs = itertools.combinations((lane.name for lane in info.lanes), 2)
    return [found.chance(*pair, axis=info.axis) for pair in pairs]


def _surely(a: Lane, b: Lane, chance: Chance | None) -> str:
    """Return the chance that A ends lower, in brackets; empty during the first call."""
    if not math.isfinite(min(float(lane.curve.median[-1]) for lane in (a, b))):
        return ""
    if chance is None:
        return " (one run per contender cannot show a difference)"
    unclear = "" if chance.clear else ", so the runs show no clear difference"
    return f" (chance that {a.name} ends lower: {chance.share}{unclear})"


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
        return f"{a.name} is {how} {b.name} {after}"
    if crossing.work <= a.curve.work[0]:
        begun = "from the start"
    else:
        sure = between(scale * crossing.low, scale * crossing.high)
        begun = f"from {amount(scale * crossing.work)} {unit} on {sure}"
    rare = f", in {1 - crossing.none:.0%} of resamples" if crossing.none > 0.025 else ""
    return f"{a.name} is ahead of {b.name} {begun}{rare}"


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
