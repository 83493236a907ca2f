"""A hierarchy as one text value of a page: format, rules and cost.

In a link the levels are a text such as ``1x100,4x10a0.5:patch,50``, level 1 first. A level is
``k``, ``xM``, ``aα`` and ``:subset``; the last two are optional. The top level has k = N; it may
omit M, and then has no limit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from prviz.engine.schedule import MAX_LEVELS, NO_LIMIT, Level, total_calls
from prviz.ui.widgets.formatting import DAY, about, counted, digits, duration, sub

LARGEST = 10**12  # limit of k and M
ADDED_REPEATS = 10  # M of an inserted level
KEPT = 0.5  # α of a level that redraws everything without being a restart
QUICKEST = 1e7  # upper bound of the calls per second of any problem

_REAL = r"-?(?:[0-9]{1,17}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:e-?[0-9]{1,3})?"
_LEVEL = re.compile(
    rf"(-?[0-9]{{1,13}})(?:x(-?[0-9]{{1,13}}))?(?:a({_REAL}))?(?::([a-z-]{{1,20}}))?"
)


def size_of(level: Level) -> int:
    """Return k of a level, which in rows is always a number."""
    assert isinstance(level.size, int)
    return level.size


# Text


def write(levels: Sequence[Level]) -> str:
    """Return levels, even invalid ones, as text for :func:`read`."""
    return ",".join(
        f"{level.size}"
        + ("" if i == len(levels) and level.repeats == NO_LIMIT else f"x{level.repeats}")
        + (f"a{level.alpha}" if level.alpha else "")
        + (f":{level.subset}" if level.subset != "random" else "")
        for i, level in enumerate(levels, start=1)
    )


def read(text: str) -> list[Level]:
    """Parse a text without checking the rules; raise a ValueError if its format is wrong."""
    parts = text.split(",")
    if len(parts) > MAX_LEVELS:
        raise ValueError(f"there are {len(parts)} levels, but at most {MAX_LEVELS} are allowed")
    return [_level(part, i, len(parts)) for i, part in enumerate(parts, start=1)]


def levels_text(text: str) -> str:
    """Return a description of the levels, from level 1 up."""
    return "; ".join(_level_in_words(level, sub(i)) for i, level in enumerate(read(text), start=1))


def _level_in_words(level: Level, i: str) -> str:
    words = [f"k{i} = {level.size}"]
    if level.repeats != NO_LIMIT:
        words.append(f"M{i} = {digits(level.repeats)}")
    if level.alpha:
        words.append(f"α{i} = {level.alpha:g}")
    if level.subset != "random":
        words.append(f"sub-sets “{level.subset}”")
    return ", ".join(words)


def _level(part: str, number: int, m: int) -> Level:
    found = _LEVEL.fullmatch(part)
    if not found:
        raise ValueError(f"level {number} must be written like 4x10a0.5, with k, M and α")
    size, repeats, alpha, subset = found.groups()
    if repeats is None and number < m:
        raise ValueError(f"level {number} has no M: write it after an x, as in 4x10")
    return Level(int(size), int(repeats or NO_LIMIT), float(alpha or 0), subset or "random")


# Rules


def broken(
    levels: Sequence[Level], n: int, many: str, subsets: Collection[str] = ("random",)
) -> dict[int, str]:
    """Return an error message for each invalid level.

    Parameters
    ----------
    levels : sequence of Level
        Level 1 first, all with sizes.
    n : int
        N, the number of variables.
    many : str
        Name of the variables.
    subsets : collection of str
        The problem's sub-set heuristics.
    """
    found = {}
    below = 0
    for number, level in enumerate(levels, start=1):
        if rule := _rule(level, number, len(levels), n, below, many, subsets):
            found[number] = rule
        below = size_of(level)
    return found


def _rule(
    level: Level,
    number: int,
    m: int,
    n: int,
    below: int,
    many: str,
    subsets: Collection[str],
) -> str:
    i, top, size = sub(number), number == m, size_of(level)
    if top and size != n:
        return f"k{i} = {size}: the top level redraws all {n} {many}; make it {n}."
    if size < 1:
        return f"k{i} = {size}: redraw at least 1 of the {many}."
    if size > n:
        return f"k{i} = {size} exceeds N = {n}, the number of {many}: choose less."
    if not top and size == n and level.alpha == 0:
        return (
            f"k{i} = N = {n} with α = 0 is a restart, as on the top level: choose a smaller k, "
            f"or an α above 0."
        )
    if not top and size <= below:
        return (
            f"k{i} = {size} is not above k{sub(number - 1)} = {below}: sizes must grow from "
            f"level to level. Choose a larger k, or remove a level."
        )
    if level.repeats < 1 and not (top and level.repeats == NO_LIMIT):
        return f"M{i} = {level.repeats}: choose 1 or more, or remove the level."
    if max(size, level.repeats) > LARGEST:
        return f"M{i} is too large: choose up to 10¹²."
    if not 0.0 <= level.alpha <= 1.0:
        return f"α{i} = {level.alpha:g}: choose a number from 0 to 1."
    if top and level.alpha:
        return f"α{i} = {level.alpha:g}: a restart keeps nothing; make it 0."
    if level.subset not in subsets:
        return (
            f"Level {number} asks for sub-sets “{level.subset}”, which this problem does not have: "
            f"choose {' or '.join(subsets)}."
        )
    return ""


# Inserting levels


def added(levels: Sequence[Level], n: int) -> list[Level] | None:
    """Insert a level in the middle of the widest gap; return None if there is no space.

    Gaps are ratios of sizes. If no size below N is free, a level of size N is inserted once, with
    α > 0.
    """
    if len(levels) >= MAX_LEVELS:
        return None
    sizes = [0, *map(size_of, levels)]
    gaps = [
        (high / max(low, 1), i) for i, (low, high) in enumerate(pairwise(sizes)) if high - low > 1
    ]
    if len(levels) > 1:  # use the gap below level 1 only if there is no space above it
        gaps = [gap for gap in gaps if gap[1] > 0] or gaps
    if gaps:
        at = max(gaps)[1]
        low, high = sizes[at], sizes[at + 1]
        size = 1 if len(levels) == 1 else round(math.sqrt(max(low, 1) * high))
        size = min(max(size, low + 1), high - 1)
        return [*levels[:at], Level(size, ADDED_REPEATS), *levels[at:]]
    if all(size_of(level) < n for level in levels[:-1]):
        return [*levels[:-1], Level(n, ADDED_REPEATS, KEPT), levels[-1]]
    return None


# Cost


def cost(
    levels: Sequence[Level], rate: float | None, seconds: float | None, calls: int | None
) -> str:
    """Return the expected time of a run, in a few sentences.

    Parameters
    ----------
    levels : sequence of Level
        A valid hierarchy.
    rate : float or None
        Calls of the local optimiser per second on this machine, if known.
    seconds, calls
        The budget; one of the two is None.
    """
    restart, m = math.prod(level.repeats for level in levels[:-1]), len(levels)
    words = f"{counted(restart, 'call')} per restart"
    if m > 2:
        words += f" ({' × '.join(digits(level.repeats) for level in levels[:-1])})"
    if m == 1:
        words = "Every call is a restart, the standard method"
    elif rate:
        words += f", {about(restart / rate)} here"
    words += ". "
    if (total := total_calls(levels)) is not None:
        lasts = f", {about(total / rate)}" if rate else ""
        words += f"M{sub(m)} requires {digits(total)} calls in all{lasts}. "
    return words + _budget(restart, rate, seconds, calls)


def _budget(restart: int, rate: float | None, seconds: float | None, calls: int | None) -> str:
    if calls is not None:
        lasts = f", {about(calls / rate)} here" if rate else ""
        return f"The budget ends the run after {counted(calls, 'call')}{lasts}."
    assert seconds is not None
    if rate is None:
        return f"The number of calls in {seconds:g} s is unknown before a first run."
    held = rate * seconds
    words = f"{seconds:g} s allow about {counted(held, 'call')}"
    if restart > 1:
        part = held / restart
        words += f": {counted(part, 'restart') if part >= 1 else 'less than one restart'}"
    return f"{words}."


def endless(levels: Sequence[Level], rate: float | None) -> str:
    """Return an error if the restarts would take more than a day, or else "".

    Levels with unlimited restarts can always run, because the budget ends the run.
    """
    total = total_calls(levels)
    if total is None or total / (rate or QUICKEST) <= DAY:
        return ""
    i, lasts = sub(len(levels)), "about" if rate else "at least"
    return (
        f"M{i} = {digits(levels[-1].repeats)} asks for {counted(total, 'call')}, {lasts} "
        f"{duration(total / (rate or QUICKEST))} here. Runs of more than a day are not started: "
        f"choose a smaller M, or leave M{i} empty, so that the budget ends the run."
    )
