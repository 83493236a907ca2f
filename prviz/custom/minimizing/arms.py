"""Choose the next step of a search, as a bandit with several arms.

Each call uses one of these *arms*:

- redraw k variables (within the domain, or around their old values), and descend along them alone;
  then descend along all variables if the result is promising;
- redraw all variables and descend: a full restart;
- descend along one variable, or along all variables, without a redraw;
- run a few generations of an evolution strategy, which learns how variables depend on each other.

A call uses the arm with the highest (gains + prior) / work. Work is counted in evaluations. A gain
is divided by recent gains of all arms, and older gains count less. So arms that improve nothing
share the work in proportion to their priors. Restarts and the evolution strategy often improve
late, so each of them gets a fixed share of the work. After a large gain of another arm, these
shares are smaller for a while.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .evolution import Evolution

#: Kinds of arms. Without a redraw, SLIDE descends along one variable and POLISH along all.
LINE, SOME, ALL, SLIDE, POLISH, EVOLVE = range(6)
#: State of descents from x along all coordinates: not converged (ROUGH), converged with forward
#: differences (FINE), or converged with central differences or a gradient (DONE).
ROUGH, FINE, DONE = range(3)
#: Indices of ``AdaptiveState.numbers``.
CALLS, PENDING, ARM, COST, GAIN, POLISHED, LIFT, DUE_ALL, DUE, START, SINCE, BY, SLID = range(13)
#: The row of ``turns`` that counts slides.
SLIDES = 2
FADE = 0.95
MOST_REWARD = 5.0
#: α of redraws around old values.
NEAR = 0.75
#: Pairs (share of the work for restarts, share for the evolution strategy). The first is the
#: default; the others apply after a large gain of another arm, of a restart, and of the strategy.
SHARES = ((0.25, 0.4), (0.1, 0.2), (0.5, 0.25), (0.05, 0.85))
#: A gain is large if it exceeds LARGE_GAIN times the total gain so far. Then another pair of
#: ``SHARES`` applies for RECENT evaluations per coordinate.
LARGE_GAIN, RECENT = 0.01, 10


class Arm(NamedTuple):
    """A kind of step that a call can make."""

    kind: int
    size: int
    alpha: float
    work: float  # expected number of evaluations
    prior: float


class AdaptiveState(NamedTuple):
    """The configuration x, and what the search has learned.

    Reverting restores only ``values`` and ``rejected``.

    Attributes
    ----------
    values : (n,) float64
    rejected : (1,) bool
        True if the cost of x counts as +∞.
    gains, work : (arms,) float64
    numbers : (13,) float64
        In this order: number of calls; 1 if the first call has begun; present arm; lowest cost;
        logarithm of typical gains; ROUGH, FINE or DONE; gain of a descent along all variables after
        a descent along some; evaluations that restarts should get next; the same for
        the evolution strategy; first cost; evaluations since the last large gain; row of SHARES of
        the arm that made it; number of slides without a gain.
    moved : (n,) bool
        True for the rows of x that the present call has redrawn.
    turns : (3, N) float64
        For each variable: numbers of draws within the domain, of draws around its old value, and of
        slides.
    shifts, steps : (n,) float64
        For each row: offset of its sequence of draws, and length of its step along a line.
    evolution : Evolution
    """

    values: np.ndarray
    rejected: np.ndarray
    gains: np.ndarray
    work: np.ndarray
    numbers: np.ndarray
    moved: np.ndarray
    turns: np.ndarray
    shifts: np.ndarray
    steps: np.ndarray
    evolution: Evolution

    @property
    def x(self) -> np.ndarray:
        """Return the configuration."""
        return self.values


def arms_of(N: int, n: int, single: bool) -> tuple[Arm, ...]:
    """Return the arms for N variables and n coordinates; ``single`` means one per variable."""
    arms = []
    for size in (1 << i for i in range(max(1, (N - 1).bit_length()))):
        if size > 1 and 2 * size > N:
            break
        kind = LINE if size == 1 and single else SOME
        share = n / N * size
        work, prior = (10.0, 2.0) if kind == LINE else (10.0 * (share + n), 0.5)
        arms += [Arm(kind, size, alpha, work, prior) for alpha in (0.0, NEAR)]
    arms.append(Arm(SLIDE, 1, 1.0, 5.0, 1.0))
    arms.append(Arm(POLISH, 0, 1.0, 10.0 * (n + 1), 5.0))
    # These two arms do not compete by gain: SHARES determines their work.
    arms.append(Arm(ALL, N, 0.0, 10.0 * (n + 1), 0.0))
    arms.append(Arm(EVOLVE, N, 0.0, 10.0 * (n + 1), 0.0))
    return tuple(arms)


def best_arm(problem: Any, state: Any) -> int:
    """Return the index of the arm for the next call.

    This is an arm whose fixed share of the work is due (restarts or the evolution strategy), or
    else the arm with the highest expected gain per evaluation.
    """
    due = state.numbers[[DUE_ALL, DUE]]
    if due.max() > 0:
        return len(problem.arms) - 2 + int(due.argmax())
    found, highest = 0, -1.0
    for number, arm in enumerate(problem.arms):
        if arm.kind in (ALL, EVOLVE) or (arm.kind == POLISH and state.numbers[POLISHED] == DONE):
            continue
        if arm.kind == SLIDE and state.numbers[SLID] >= problem.n_variables:
            continue
        rate = (state.gains[number] + arm.prior) / state.work[number]
        if rate > highest:
            found, highest = number, rate
    return found


def share_work(state: Any, arm: Arm, used: int, gain: float, n: int) -> None:
    """Share the work between restarts, the evolution strategy and the other arms."""
    numbers = state.numbers
    by = {ALL: 2, EVOLVE: 3}.get(arm.kind, 1)
    numbers[SINCE] += used
    if gain and gain > LARGE_GAIN * (numbers[START] - numbers[COST] + gain):
        numbers[SINCE], numbers[BY] = 0, by
    shares = SHARES[int(numbers[BY]) if numbers[SINCE] < RECENT * n else 0]
    numbers[DUE_ALL] += used * (shares[0] - (by == 2))
    numbers[DUE] += used * (shares[1] - (by == 3))


def reward(state: Any, gain: float) -> None:
    """Fade all gains and work, and give the present arm a gain, divided by the typical gain."""
    numbers = state.numbers
    size = math.log(gain)
    if not state.gains.any():
        numbers[GAIN] = size
    state.gains[:] *= FADE
    state.work[:] *= FADE
    state.gains[int(numbers[ARM])] += min(MOST_REWARD, math.exp(min(size - numbers[GAIN], 5.0)))
    numbers[GAIN] += 0.2 * (size - numbers[GAIN])
