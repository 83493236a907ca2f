"""The hierarchy of Algorithm 1: how many variables each level redraws, and how often.

On level l, ``repeats`` (M_l) sub-sets of ``size`` (k_l) variables are reinitialised for every
reinitialisation on the level above. The top level redraws all N variables: it restarts the search.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from ..checks import real_number, unit, whole_number, within
from .subsets import heuristic_name, heuristic_number, heuristics

MAX_LEVELS = 8
#: Tolerance for rounding errors in :func:`calls_needed`. δ = 0.3 and ε = 0.7 need 1 call.
ROUNDING = 1e-12
NO_LIMIT = 0
BY_SEARCH: Literal["auto"] = "auto"  # size of a single level if the search chooses k_1
AUTO = 0  # "auto" in a schedule's array
ENDLESS = 10**12  # more redraws than any run makes


class Level(NamedTuple):
    """One level of the hierarchy.

    Attributes
    ----------
    size : int, "auto" or None
        k_l, the number of variables to redraw; None if ``probability`` is given. A single level of
        size "auto" has the effect of ``k1="auto"``: the search chooses k_1 and when to restart.
    repeats : int
        M_l, the number of redraws on this level per redraw on the level above. On the top level, 0
        means that only a budget ends the run.
    alpha : float
        α of equation (1): share of the old value that a redrawn variable keeps.
    subset : str
        How the variables are chosen: "random", or a heuristic of the problem.
    probability : float or None
        Redraw each variable independently with this probability, instead of ``size`` variables.
    """

    size: int | Literal["auto"] | None
    repeats: int = NO_LIMIT
    alpha: float = 0.0
    subset: str = "random"
    probability: float | None = None


class Schedule(NamedTuple):
    """Levels 1 … m as arrays of length m, checked against the number of variables.

    Attributes
    ----------
    sizes, repeats, subsets : (m,) int64
    alphas, probabilities : (m,) float64
        ``probabilities`` is NaN on a level that redraws a fixed number of variables.
    """

    sizes: np.ndarray
    repeats: np.ndarray
    alphas: np.ndarray
    subsets: np.ndarray
    probabilities: np.ndarray

    @property
    def n_levels(self) -> int:
        return len(self.sizes)

    @property
    def automatic(self) -> bool:
        """Return True if the search chooses k_1 and when to restart."""
        return bool(self.sizes[0] == AUTO)

    def levels(self) -> list[Level]:
        """Return the schedule as a list of :class:`Level`, level 1 first."""
        return self.rows()[:1] if self.automatic else self.rows()

    def rows(self) -> list[Level]:
        """Return one level for each level in the trace, even if the search chooses k_1."""
        rows = zip(*(column.tolist() for column in self), strict=True)
        return [
            Level(k if k != AUTO else BY_SEARCH, m, a, heuristic_name(s))
            if math.isnan(p)
            else Level(None, m, a, heuristic_name(s), probability=p)
            for k, m, a, s, p in rows
        ]

    @classmethod
    def two_level(
        cls,
        k_1: int | None,
        M_1: int,
        N: int,
        alpha: float = 0.0,
        probability: float | None = None,
        subset: str = "random",
    ) -> Schedule:
        """Return the paper's schedule: M_1 redraws of k_1 variables per full restart.

        >>> Schedule.two_level(1, 100, 50).levels()[0]
        Level(size=1, repeats=100, alpha=0.0, subset='random', probability=None)

        With a ``probability``, each variable is redrawn independently and k_1 is None. With k_1 = N
        (or probability 1) and α = 0 every call is a full restart, and M_1 is unused.
        """
        if probability is None:
            k_1 = within(whole_number(k_1, "k_1"), 1, N, "k_1")
        else:
            probability = unit(probability, "probability")
        M_1 = min(whole_number(M_1, "M_1"), ENDLESS)
        if M_1 < 1:
            raise ValueError(f"M_1 must be at least 1, got {M_1}.")
        alpha = unit(alpha, "alpha")
        if (k_1 == N or probability == 1) and alpha == 0:
            return cls.from_levels([Level(N)], N)
        first = Level(k_1, M_1, alpha, subset, probability)
        return cls.from_levels([first, Level(N)], N)

    @classmethod
    def from_levels(cls, levels: Sequence[Level], N: int) -> Schedule:
        """Check the rules of the hierarchy and make a schedule.

        Parameters
        ----------
        levels : sequence of Level
            Level 1 first, with 1 ≤ k_1 < … < k_m = N; or a single level of size "auto".
        N : int
            Number of variables of the problem.

        Raises
        ------
        TypeError, ValueError
            A level breaks a rule.
        """
        levels = listed(levels)
        if not 1 <= len(levels) <= MAX_LEVELS:
            raise ValueError(f"A schedule has 1 to {MAX_LEVELS} levels, got {len(levels)}.")
        below = 0
        rows = []
        for number, level in enumerate(levels, start=1):
            if not isinstance(level, Level):
                raise TypeError(f"Level {number} must be a prviz.Level, got {level!r}.")
            if isinstance(level.size, str) and level.size == BY_SEARCH:
                rows = [_chosen(level, len(levels)), (N, NO_LIMIT, 0.0, 0, math.nan)]
                break
            row = _checked(level, number, len(levels), N, below)
            below = row[0]
            rows.append(row)
        sizes, repeats, alphas, subsets, probabilities = zip(*rows, strict=True)
        return cls(
            np.array(sizes, np.int64),
            np.array(repeats, np.int64),
            np.array(alphas, np.float64),
            np.array(subsets, np.int64),
            np.array(probabilities, np.float64),
        )


def listed(levels: Any) -> list[Any]:
    """Return levels as a list, or raise a TypeError."""
    if isinstance(levels, str | Level) or not isinstance(levels, Iterable):
        raise TypeError(f"levels must be a list of prviz.Level, got {levels!r}.")
    return list(levels)


def _checked(level: Level, number: int, m: int, N: int, below: int) -> tuple:
    top = number == m
    alpha = unit(level.alpha, f"alpha on level {number}")
    endless = level.repeats == math.inf
    repeats = ENDLESS if endless else min(whole_number(level.repeats, f"M_{number}"), ENDLESS)
    if repeats < 1 and not (top and repeats == NO_LIMIT):
        raise ValueError(f"M_{number} must be at least 1, got {repeats}.")
    subset = _subset(level, number)
    if level.probability is not None:
        if level.size is not None:
            raise ValueError(f"Level {number} has both a size and a probability: give one.")
        probability = unit(level.probability, f"probability on level {number}")
        if top:
            raise ValueError("The top level redraws every variable: give it size N.")
        # If a level has a probability, its expected size determines the order of levels.
        return min(max(1, round(probability * N)), N), repeats, alpha, subset, probability

    size = within(whole_number(level.size, f"k_{number}"), 1, N, f"k_{number}")
    if top and size != N:
        raise ValueError(f"The top level must redraw all N = {N} variables, got {size}.")
    if top and alpha != 0:
        raise ValueError("alpha on the top level must be 0: a restart keeps nothing.")
    if not top and size == N and alpha == 0:
        raise ValueError(
            f"k_{number} = N = {N} below the top level needs alpha > 0; with alpha = 0 it is a "
            "full restart, which only the top level makes."
        )
    if size < below or (size == below and not top):
        raise ValueError(
            f"Sizes must grow from level to level: k_{number} = {size} follows {below}."
        )
    return size, repeats, alpha, subset, math.nan


def _chosen(level: Level, m: int) -> tuple:
    if m != 1 or level.repeats != NO_LIMIT or level.probability is not None:
        raise ValueError(
            'A level of size "auto" must be the only level, without repeats and probability.'
        )
    return AUTO, NO_LIMIT, unit(level.alpha, "alpha"), _subset(level, 1), math.nan


def _subset(level: Level, number: int) -> int:
    if level.subset not in heuristics():
        known = ", ".join(heuristics())
        raise ValueError(
            f"Level {number}: unknown sub-sets {level.subset!r}. Choose from: {known}."
        )
    return heuristic_number(level.subset)


def total_calls(levels: Sequence[Level]) -> int | None:
    """Return ∏ M_l, the calls of a whole run; None if the top level has no limit."""
    repeats = [level.repeats for level in levels]
    return None if NO_LIMIT in repeats else math.prod(repeats)


def levels_in_words(levels: Sequence[Level]) -> str:
    """Describe levels, innermost first.

    >>> levels_in_words([Level(1, 100), Level(50)])
    'level 1: k = 1, M = 100; restarts: all 50'
    """
    *inner, outermost = levels
    if outermost.size == BY_SEARCH:
        return ", ".join(["k, M and restarts chosen by the search", *_more(outermost)])
    words = [_level(number, level) for number, level in enumerate(inner, 1)]
    return "; ".join([*words, f"restarts: all {outermost.size}"])


def _level(number: int, level: Level) -> str:
    drawn = f"k = {level.size}" if level.size is not None else f"p = {level.probability:g}"
    finite = NO_LIMIT < level.repeats < ENDLESS
    parts = [drawn, f"M = {level.repeats}" if finite else "M without end"]
    return f"level {number}: {', '.join(parts + _more(level))}"


def _more(level: Level) -> list[str]:
    parts = [f"α = {level.alpha:g}"] if level.alpha else []
    return parts + ([f"sub-sets {level.subset}"] if level.subset != "random" else [])


def calls_needed(delta: float, epsilon: float) -> float:
    """Return the smallest number of redraws that all miss with probability at most δ.

    >>> calls_needed(0.05, 0.1)
    29

    Parameters
    ----------
    delta : float
        Accepted probability of missing every improvement, 0 < δ < 1.
    epsilon : float
        Probability that one reinitialisation improves, 0 ≤ ε ≤ 1.

    Returns
    -------
    float
        ⌈ln δ / ln(1 − ε)⌉; infinite for ε = 0, 1 for ε = 1.
    """
    delta = real_number(delta, "delta")
    epsilon = unit(epsilon, "epsilon")
    if not 0.0 < delta < 1.0:
        raise ValueError(f"delta must lie strictly between 0 and 1, got {delta!r}.")
    if epsilon == 0.0:
        return math.inf
    if epsilon == 1.0:
        return 1
    calls = math.log(delta) / math.log1p(-epsilon)
    return max(1, math.ceil(calls * (1.0 - ROUNDING)))


def miss_probability(calls: int, epsilon: float) -> float:
    """Return the probability that none of the redraws improves.

    This is the inverse of :func:`calls_needed`: δ = (1 − ε)^M (section 2.1 of the paper).

    >>> round(miss_probability(29, 0.1), 4)
    0.0471

    Parameters
    ----------
    calls : int
        M, at least 0.
    epsilon : float
        Probability that one reinitialisation improves, 0 ≤ ε ≤ 1.
    """
    if (calls := whole_number(calls, "calls")) < 0:
        raise ValueError(f"calls must be 0 or more, got {calls}.")
    epsilon = unit(epsilon, "epsilon")
    if epsilon == 1.0:
        return 0.0 if calls else 1.0
    return math.exp(calls * math.log1p(-epsilon))
