"""Describe where partial reinitialisation loses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..experiments.runs.contender import Contender, Reinitialisation
from ..experiments.runs.improvements import rounding
from ..experiments.statistics.pairwise import Chance
from ..experiments.statistics.wording import amount
from ..figures.comparison.race import RaceInfo

UNITS = {"iterations": "iterations", "calls": "calls", "seconds": "CPU seconds"}


class Behind(NamedTuple):
    """A range of work in which one median is above another.

    Attributes
    ----------
    start, end : float
        Ends of the range, as work; ``end`` itself is included only if ``last``.
    last : bool
        True if the range extends to the end of the comparison.
    """

    start: float
    end: float
    last: bool


def partial(contender: Contender) -> bool:
    """Return True if a contender redraws only some of the variables."""
    return isinstance(contender, Reinitialisation) and len(contender.schedule.levels()) > 1


def behind(work: np.ndarray, a: np.ndarray, b: np.ndarray, alike: float = 0.0) -> list[Behind]:
    """Return the ranges in which A's costs are above B's by more than rounding.

    Parameters
    ----------
    work : (w,) float64
    a, b : (w,) float64
        Medians; +∞ while most runs are in their first call.
    alike : float
    """
    with np.errstate(invalid="ignore"):
        above = (a > b) & ~(a - b <= alike)  # ∞ − ∞ counts as no difference
    edges = np.flatnonzero(np.diff(above, prepend=False, append=False))
    return [
        Behind(float(work[start]), float(work[min(end, len(work) - 1)]), bool(end == len(work)))
        for start, end in zip(edges[::2], edges[1::2], strict=True)
    ]


def losses_in_words(found: Any, info: RaceInfo, iteration: str = "iteration") -> list[str]:
    """Return a sentence for each pair of partial reinitialisation and another method.

    Parameters
    ----------
    found : Comparison
    info : RaceInfo
        Medians of the contenders, along the axis of work that the sentences use.
    iteration : str
    """
    lanes = {lane.name: lane for lane in info.lanes}
    alike = rounding(run for runs in found.runs.values() for run in runs)
    fair = found.axis in found.axes  # whether all methods count the same work
    sentences = []
    for a, b in _pairs(found.contenders):
        of_a, of_b = lanes[a].curve, lanes[b].curve
        stretches = behind(of_a.work, of_a.median, of_b.median, alike)
        chance = found.chance(a, b) if fair and min(of_a.n, of_b.n) > 1 else None
        sentences.append(_sentence(a, b, stretches, chance, info, iteration))
    return sentences


def _pairs(contenders: dict[str, Contender]) -> Iterator[tuple[str, str]]:
    for a, one in contenders.items():
        for b, other in contenders.items():
            if partial(one) and not partial(other):
                yield a, b


def _sentence(
    a: str, b: str, found: list[Behind], chance: Chance | None, info: RaceInfo, iteration: str
) -> str:
    unit = f"{iteration}s" if info.axis == "iterations" else UNITS[info.axis]
    if not found:
        words = f"{a}: its median is never above that of {b}, up to {amount(info.frontier)} {unit}"
    else:
        where = ", ".join(
            f"from {amount(each.start)} {'to the end' if each.last else f'to {amount(each.end)}'}"
            for each in found
        )
        words = f"{a}: its median is above that of {b} {where} ({unit})"
    if chance is None:
        return f"{words}."
    return f"{words}; at the end, its cost is lower in {chance.share} of pairs of runs."
