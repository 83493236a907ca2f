"""Advice from a probe of ε as text: the cheapest k, its uncertainty, and M.

Advice needs sufficient evidence: a starting point near the best cost and at a local optimum, and
full redraws that need significantly more work per improvement than the best k.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from prviz.engine.schedule import calls_needed
from prviz.figures.epsilon import EpsilonInfo
from prviz.search.checkpoint import NEAR
from prviz.ui.levels.sliders import Usual
from prviz.ui.sections.calculator import percent
from prviz.ui.widgets.formatting import digits


class Asked(NamedTuple):
    """The settings of a probe, and its starting point.

    Attributes
    ----------
    n : int
        N.
    usual : Usual
        The baseline setting.
    gap : float
        Gap of the starting point to the best cost.
    delta : float
        Accepted probability of missing all improvements.
    """

    n: int
    usual: Usual
    gap: float
    delta: float


class Advice(NamedTuple):
    """The conclusions as paragraphs, and the advised k and M, if any."""

    said: list[str]
    k: int | None = None
    m: int = 0


def table(info: EpsilonInfo, delta: float) -> str:
    """Return a Markdown table, one row per size, with soft hyphens for phones."""
    head = (
        "k",
        "im\u00adproved",
        "ε̂",
        "M",
        "95 % interval",
        "itera\u00adtions",
        "an im\u00adprove\u00adment",
    )
    lines = [f"| {' | '.join(head)} |", "|--:" * len(head) + "|"]
    for size, made, hits, share, low, high, work in _rows(info):
        estimate = _share(share) if hits else f"< {_share(high)}"
        calls = "" if size == 0 else digits(calls_needed(delta, share)) if hits else "?"
        if size and not hits:
            calls = f"> {digits(calls_needed(delta, high))}"
        cells = (
            f"**{size}**" if size == info.best else f"{size}",
            f"{hits} of {made}",
            estimate,
            calls,
            f"{_share(low)} – {_share(high)}",
            digits(work[1] * high),  # per redraw
            digits(work[0]) if hits else f"> {digits(work[1])}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _rows(info: EpsilonInfo) -> Any:
    return zip(*(column.tolist() for column in (*info[:6], info.work)), strict=True)


def advise(found: Any, info: EpsilonInfo, asked: Asked) -> Advice:
    """Return the conclusions with their uncertainty, and the advice if there is any."""
    if control := int(info.improved[info.sizes == 0].sum()):
        of = int(info.repeats[info.sizes == 0][0])
        return Advice([ALONE.format(control=control, of=of)])
    if info.best is None:
        return Advice([NONE] if (info.sizes > 0).any() else [])
    best, low, high = (digits(x) for x in info.work[info.sizes == info.best][0])
    paragraphs = [
        f"**k = {info.best}** needs the least work: {best} iterations per improvement (95 % CI "
        f"{low} to {high}). As the best of several estimates, this number is usually too low."
    ]
    if others := [k for k in info.rivals if k != asked.n]:
        paragraphs.append(
            f"This k is not significantly better than k = {_listed(others)}: the intervals overlap."
        )
    if asked.gap > NEAR:
        return Advice([*paragraphs, FAR.format(**asked.usual._asdict())])
    if info.best == asked.n or asked.n in info.rivals:
        return Advice([*paragraphs, RESTARTS.format(n=asked.n)])
    if missing := {asked.n, asked.usual.k} - set(info.sizes.tolist()):
        return Advice([*paragraphs, f"No advice yet: first probe k = {_listed(sorted(missing))}."])
    k, compared = _compared(found, info.best, asked.usual)
    m, why = _enough(info, k, asked)
    return Advice([*paragraphs, compared, why], k, m)


def _compared(found: Any, best: int, usual: Usual) -> tuple[int, str]:
    """Return the advised k, and its advantage over the usual k."""
    name = f"{usual.whose} k₁ = {usual.k}"
    if best == usual.k:
        return best, f"This k is {name}: no better k was found."
    ratio, low, high = found.saving(best, usual.k)
    if math.isinf(ratio):
        worth = f"at least {low:.2g} times"
    else:
        worth = f"{ratio:.2g} times (95 % CI {low:.2g} to {high:.2g})"
    if low <= 1:
        return usual.k, (
            f"**{name[0].upper()}{name[1:]} is not significantly worse than k = {best}**: "
            f"it needs {worth} the work per improvement. Keep it."
        )
    return best, f"Compared with k = {best}, {name} needs **{worth}** the work per improvement."


def _enough(info: EpsilonInfo, k: int, asked: Asked) -> tuple[int, str]:
    """Return M for this k, with the reason."""
    low = float(info.low[info.sizes == k][0])
    needed = calls_needed(asked.delta, low) if low > 0 else asked.usual.m
    sentence = (
        f"If ε is at the lower end of its interval, M = {digits(needed)} redraws all miss with "
        f"probability {asked.delta:g} at most. ε falls as the cost falls, so"
    )
    if needed >= asked.usual.m:
        return int(needed), f"{sentence} do not choose a smaller M."
    return asked.usual.m, f"{sentence} choose at least {asked.usual.m}, the page's default."


def _share(p: float) -> str:
    return percent(math.log10(p)).replace(" ", "\u00a0") if p > 0 else "0"


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


ALONE = (
    "**Without any redraw, the optimiser alone improved in {control} of {of} runs**: it is "
    "stochastic, or stops before an optimum. Every ε here includes that effect, so there is no "
    "advice."
)
NONE = (
    "No redraw improved. This does not prove that no redraw can. The triangles are upper bounds of "
    "ε. M must be larger than the numbers of redraws in the table."
)
FAR = (
    "**No advice follows**: far above the best cost nearly every redraw improves, and large "
    "redraws gain most. Near the best cost, neither holds. Run the search longer, or "
    "begin with {whose} k₁ = {k} and M₁ = {m}."
)
RESTARTS = (
    "**No advice follows**: this k is not significantly better than redrawing all {n}, as "
    "restarts do. Try more redraws of each size."
)
