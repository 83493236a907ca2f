"""The summary of a tuning as text, with its uncertainty."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...experiments.statistics.fixed_target import ERT
from ...experiments.statistics.wording import amount, between, inverse

FULL = "full restarts"


def verdict(tuning: Any) -> str:
    """Return whether the leader beats the usual setting, as a text with the numbers of runs.

    Parameters
    ----------
    tuning : prviz.experiments.tuning.tuner.Tuner
    """
    if tuning.leader is None:
        return ""
    name = tuning.cells[tuning.leader].name
    if not tuning.done:
        left = len(tuning.living)
        guess = _guess(name, tuning, " so far")
        return f"{guess}; {left} of {len(tuning.cells)} settings are left."
    if tuning.leader == tuning.usual:
        usual = f"{tuning.whose} itself, {name}, leads"
        return f"{_none_solved(tuning)}No setting is significantly better: {usual}."
    if tuning.checked is None:
        return f"{_guess(name, tuning)}; not yet checked on fresh seeds."
    said = f"{_sooner(name, tuning)}, on {tuning.checked.n} fresh seeds."
    if tuning.better:
        return f"F{said[1:]}" if said.startswith(FULL) else said  # k₁ is never capitalised
    return f"No setting is significantly better than {tuning.whose}. The leader: {said}"


def _guess(name: str, tuning: Any, when: str = "") -> str:
    """Name the leader; only a setting that has reached the target is called the best guess."""
    runs = tuning.runs[tuning.leader]
    if not math.isfinite(tuning.budget.target) or _solved(tuning, tuning.leader):
        return f"Best guess{when}: {name}"
    if unsolved := _none_solved(tuning):
        median = np.median([run.best.min(initial=np.inf) for run in runs.values()])
        return f"{unsolved}Lowest costs{when}: {name}, with a median of {median:.6g}"
    numbers = f"none of its {len(runs)} runs has reached the target"
    return f"Best mean rank{when}: {name}, but {numbers}"


def _none_solved(tuning: Any) -> str:
    """Say that no run has reached the target; empty if one has, or if there is no target."""
    cells = range(len(tuning.cells))
    if not math.isfinite(tuning.budget.target) or any(_solved(tuning, cell) for cell in cells):
        return ""
    return f"None of {sum(map(len, tuning.runs))} runs has reached the target. "


def _solved(tuning: Any, cell: int) -> int:
    """Return how many runs of a cell have reached the target."""
    costs = [run.best.min(initial=np.inf) for run in tuning.runs[cell].values()]
    return int(np.sum(np.array(costs) <= tuning.budget.target))


def _sooner(name: str, tuning: Any) -> str:
    ratio, chance, whose = tuning.checked.ratio, tuning.checked.chance, tuning.whose
    plural, reach = ("", "reach") if name == FULL else ("s", "reaches")
    if ratio is None:
        lower = f"{name} end{plural} lower than {whose} in {chance.share} of pairs of runs"
        unsolved = math.isfinite(tuning.budget.target)
        return f"{lower}, but neither reaches the target" if unsolved else lower
    ours, theirs = f"{ratio.successes_a} of {ratio.n_a}", f"{ratio.successes_b} of {ratio.n_b}"
    counts = f"in {ours} runs, {whose} in {theirs}"
    if not (ratio.successes_a and ratio.successes_b):
        return f"{name} {reach} the target {counts}"
    if ratio.ratio > 1:
        times = f"{amount(ratio.ratio)}× {between(ratio.low, ratio.high)}"
        return f"{name} take{plural} {times} as long as {whose}"
    times = f"{amount(1 / ratio.ratio)}× {between(inverse(ratio.high), inverse(ratio.low))}"
    return f"{name} {reach} the target {times} sooner than {whose}"


class CellInfo(NamedTuple):
    """The result of a setting, for a map and a table.

    Attributes
    ----------
    n : int
        Number of runs of the setting.
    hits : int or None
        Number of runs that reached the target; None without a target.
    score : float or None
        Value for colours, lower is better: log₁₀ of the expected work, or the median cost; None if
        unknown.
    says : str
        The result as text.
    dropped : int or None
        Rung after which the setting was dropped.
    """

    n: int
    hits: int | None
    score: float | None
    says: str
    dropped: int | None


def cell_info(tuning: Any, number: int, ert: Callable[[int], ERT] | None = None) -> CellInfo:
    """Return the result of a cell.

    Parameters
    ----------
    tuning : prviz.experiments.tuning.tuner.Tuner
    number : int
    ert : callable, optional
        Returns the expected work of a cell, for example from a cache.
    """
    runs, dropped = tuning.runs[number], tuning.dropped.get(number)
    if not runs:
        return CellInfo(0, None, None, "–", dropped)
    if math.isfinite(tuning.budget.target):
        found = (ert or tuning.ert)(number)
        if not found.successes:
            return CellInfo(len(runs), 0, None, f"> {amount(found.low)}", dropped)
        says = f"{amount(found.work)} {between(found.low, found.high)}"
        return CellInfo(len(runs), found.successes, math.log10(found.work), says, dropped)
    middle = float(np.median([run.best.min(initial=np.inf) for run in runs.values()]))
    known = math.isfinite(middle)
    return CellInfo(
        len(runs), None, middle if known else None, f"{middle:.6g}" if known else "–", dropped
    )
