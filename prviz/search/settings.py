"""Turn the arguments of a search into a schedule and a budget."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ..checks import real_number, unit, whole_number
from ..engine.kernels import check_subset, n_variables
from ..engine.schedule import BY_SEARCH, ENDLESS, Level, Schedule, listed

DEFAULT_SECONDS = 2.0
K1, M1 = 1, 100  # the paper's values, used if only one of k1 and m1 is given
#: Names of the arguments that determine the schedule.
SETTINGS = ("k1", "m1", "alpha", "probability", "subset", "levels")
ALL = "all"  # k1="all": redraw all variables, which is a full restart


def size_of(k1: int | Literal["all", "auto"] | None, N: int) -> int | Literal["auto"]:
    """Return k_1 as a number: None becomes 1, and "all" becomes N. "auto" is returned as it is.

    >>> size_of(None, 50), size_of("all", 50), size_of(3, 50)
    (1, 50, 3)
    """
    if k1 is None:
        return K1
    if isinstance(k1, str) and k1 == ALL:
        return N
    if isinstance(k1, str) and k1 == BY_SEARCH:
        return BY_SEARCH
    wrong = f'k1 must be an integer from 1 to {N}, "all" or "auto", got {k1!r}.'
    if isinstance(k1, str):
        raise ValueError(wrong)
    try:
        size = whole_number(k1, "k1")
    except TypeError:
        raise TypeError(wrong) from None
    if not 1 <= size <= N:
        raise ValueError(wrong)
    return size


def redraws_of(m1: float | None) -> int:
    """Return M_1 as an integer: None becomes 100, and ``math.inf`` becomes a very large number.

    >>> redraws_of(None), redraws_of(7), redraws_of(math.inf)
    (100, 7, 1000000000000)
    """
    if m1 is None:
        return M1
    if isinstance(m1, float) and m1 == math.inf:
        return ENDLESS
    if (repeats := whole_number(m1, "m1")) < 1:
        raise ValueError(f"m1 must be at least 1, got {repeats}.")
    return repeats


def make_schedule(
    problem: Any,
    k1: int | Literal["all", "auto"] | None = None,
    m1: float | None = None,
    alpha: float = 0.0,
    levels: Sequence[Level] | None = None,
    probability: float | None = None,
    subset: str = "random",
) -> Schedule:
    """Return the schedule for these arguments of :func:`prviz.run`.

    If k1, m1, levels and probability are not given, the search chooses as with k1="auto".
    """
    N = n_variables(problem)
    levels = None if levels is None else listed(levels)
    for name in [subset] + [level.subset for level in levels or () if isinstance(level, Level)]:
        check_subset(problem, name)
    moved = subset != "random" or real_number(alpha, "alpha") != 0
    if levels is None:
        if k1 is not None and probability is not None:
            raise ValueError("Give either k1 or probability, not both.")
        size = size_of(k1, N) if probability is None else None
        if k1 is None and m1 is None and probability is None:
            size = BY_SEARCH
        if size == BY_SEARCH:
            chosen = Level(BY_SEARCH, alpha=unit(alpha, "alpha"), subset=subset)
            return Schedule.from_levels([chosen], N)
        if isinstance(k1, str) and moved:
            raise ValueError(
                'Give either k1="all", which restarts from scratch, or alpha and subset, not both.'
            )
        return Schedule.two_level(size, redraws_of(m1), N, alpha, probability, subset)
    given = (k1, m1, probability)
    if moved or any(value is not None for value in given):
        raise ValueError(
            "Give either levels or the other settings (k1, probability, m1, alpha, subset), "
            "not both."
        )
    return Schedule.from_levels(levels, N)


def check_names(settings: Mapping[str, Any], name: str) -> None:
    """Raise a TypeError if ``settings``, the argument ``name``, has an unknown setting."""
    for key in settings:
        if key not in SETTINGS:
            near = difflib.get_close_matches(str(key), SETTINGS, 1)
            hint = f" Did you mean {near[0]!r}?" if near else f" Use {', '.join(SETTINGS)}."
            raise TypeError(f"{name}: unknown setting {key!r}.{hint}")


def check_sliders(schedule: Schedule) -> None:
    """Raise a ValueError if the sliders of a player cannot show this schedule."""
    if schedule.automatic:
        raise ValueError('The sliders have no k1="auto". Give a number for k1.')


def budget(seconds: Any, calls: Any, endless: bool) -> tuple[float, float]:
    """Check a budget; return calls and seconds, infinite if unlimited."""
    if seconds is None and calls is None and endless:
        seconds = DEFAULT_SECONDS
    calls = positive_or_infinite(calls, "calls")
    if seconds is not None and not 0 < (seconds := real_number(seconds, "seconds")) < math.inf:
        raise ValueError(f"seconds must be positive and finite, got {seconds}.")
    return calls, math.inf if seconds is None else seconds


def target_cost(target: Any) -> float:
    """Return a target as a float; −∞ for None."""
    goal = -math.inf if target is None else real_number(target, "target")
    if not goal < math.inf:
        raise ValueError(f"target must be a cost, got {goal}.")
    return goal


def positive_or_infinite(value: Any, name: str) -> float:
    """Return a whole number of at least 1; infinite for None."""
    if value is not None and (value := whole_number(value, name)) < 1:
        raise ValueError(f"{name} must be at least 1, got {value}.")
    return math.inf if value is None else value
