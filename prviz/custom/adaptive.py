"""Choose, while a search runs, what to redraw and how to descend from there.

Each call takes one of these *arms*:

- redraw k variables (within the domain, or around their old values), and descend along them alone;
  the other variables follow if the result is promising;
- redraw all variables and descend: a full restart;
- descend along one variable, or along all of them, without a redraw;
- a few generations of an evolution strategy, which learns how variables depend on each other.

A call takes the arm with the highest (gains + prior) / work. Work is counted in evaluations. A gain
is divided by recent gains of all arms, and older ones count less. So arms that do not improve
anything share the work in proportion to their priors. Restarts and the evolution strategy gain
late, so they have shares of the work of their own, which are smaller while others make large gains.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..engine import kernels
from .evaluations import Evaluations, Spent
from .evolution import RUNS, SIZE, Evolution, ended, generation, new_evolution, open_run
from .line import descend
from .watch import Watch
from .wrap import Wrapped, over

#: The row of ``turns`` that counts slides.
SLIDES = 2
#: Kinds of arms.
LINE, SOME, ALL, SLIDE, POLISH, EVOLVE = range(6)
#: Descents along all numbers at x: none has converged, one has, one with exact differences has.
ROUGH, FINE, DONE = range(3)
#: What ``AdaptiveState.numbers`` holds.
CALLS, PENDING, ARM, COST, GAIN, POLISHED, LIFT, DUE_ALL, DUE, START, SINCE, BY, SLID = range(13)
FADE = 0.95
MOST_REWARD = 5.0
#: α of redraws around old values.
NEAR = 0.75
#: A share of the domain: first steps along a line.
FIRST_STEP, LEAST_STEP = 0.01, 1e-9
#: Above this number of variables L-BFGS-B replaces SLSQP, which takes n³ operations per step.
DENSE = 100
#: First steps of a descent, and of differences on one side and on both.
FIRST_MOVE, FORWARD, CENTRAL = 0.1, 1e-9, 1e-6
#: A descent goes on if so many times the gain of so many iterations would reach its goal.
HOPE, PATIENCE = 20.0, 5
#: It ends if so many iterations gain less than this share of all its gains.
STALL, LEAST_SHARE = 10, 1e-5
#: Shares of the work for restarts and for the evolution strategy, which gain late: usually, and
#: after a large gain of another arm, of a restart and of the strategy. A gain is large above this
#: share of all, for so many evaluations per number.
SHARES = ((0.25, 0.4), (0.1, 0.2), (0.5, 0.25), (0.05, 0.85))
LARGE_GAIN, RECENT = 0.01, 10


class _GivenUp(Exception):
    """Raised to end a descent."""


class Arm(NamedTuple):
    """A way to spend a call."""

    kind: int
    size: int
    alpha: float
    work: float  # evaluations expected
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
        Calls, whether the first call has begun, the present arm, the lowest cost, the logarithm of
        typical gains, whether a descent has converged at x, how much a descent along all variables
        gains after one along some, evaluations due to restarts and to the evolution strategy, the
        first cost, evaluations since the last large gain, who made it, and slides in vain since a
        gain.
    moved : (n,) bool
        The rows of x that the present call has redrawn.
    turns : (3, N) float64
        Of each variable: draws within the domain, draws around its old value, and slides.
    shifts, steps : (n,) float64
        Of each row: where its sequence of draws began, and its step along a line.
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


@dataclasses.dataclass(frozen=True, eq=False)
class Adaptive(Wrapped):
    """A function of real numbers, and the arms of its search."""

    evaluations: Any = None
    watch: Any = None
    first: np.ndarray | None = None  # where the first call begins
    arms: tuple[Arm, ...] = ()
    chooses = True  # its select kernel chooses the size of each redraw

    def rows(self, variables: Sequence[int]) -> np.ndarray:
        """Return the rows of x that belong to these variables."""
        if self.groups is None:
            return np.asarray(variables, np.int64)
        return np.concatenate([self.groups[i] for i in variables])


def arms_of(N: int, n: int, single: bool) -> tuple[Arm, ...]:
    """Return the arms for N variables of n numbers; ``single`` if each is one number."""
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
    # These two have shares of their own.
    arms.append(Arm(ALL, N, 0.0, 10.0 * (n + 1), 0.0))
    arms.append(Arm(EVOLVE, N, 0.0, 10.0 * (n + 1), 0.0))
    return tuple(arms)


def adaptive(
    wrapped: Any, evaluations: Evaluations, watch: Watch, first: np.ndarray | None
) -> Adaptive:
    """Return the problem of a function whose draws and groups have been checked."""
    given = {name: getattr(wrapped, name) for name in wrapped._fields}
    single = wrapped.groups is None or all(len(group) == 1 for group in wrapped.groups)
    arms = arms_of(wrapped.n_variables, len(wrapped.model.values), single)
    return Adaptive(**given, evaluations=evaluations, watch=watch, first=first, arms=arms)


@kernels.allocate.register
def _allocate(problem: Adaptive) -> AdaptiveState:
    n, arms = len(problem.model.values), problem.arms
    return AdaptiveState(
        np.zeros(n),
        np.zeros(1, bool),
        np.zeros(len(arms)),
        np.zeros(len(arms)),
        np.zeros(13),
        np.zeros(n, bool),
        np.zeros((3, problem.n_variables)),
        np.zeros(n),
        np.zeros(n),
        new_evolution(n),
    )


@kernels.copy_state.register_python(Adaptive)
def _copy_state(problem, target, source):
    target.values[...] = source.values
    target.rejected[...] = source.rejected


@kernels.cost.register_python(Adaptive)
def _cost(problem, state):
    """Return the cost of x, which the last call evaluated."""
    return math.inf if state.rejected[0] else problem.evaluations.cost(state.values)


@kernels.select.register_python(Adaptive)
def _select(problem, state, redraw, rng, order):
    """Choose an arm, and the variables that it redraws."""
    numbers = state.numbers
    if numbers[CALLS] == 0:
        if numbers[PENDING]:  # the level above has redrawn all
            return 0
        numbers[PENDING] = 1
        numbers[COST], numbers[LIFT] = math.inf, math.inf
        state.work[:] = [arm.work for arm in problem.arms]
        state.shifts[:] = rng.random(len(state.shifts))
        state.steps[:] = FIRST_STEP
        return len(order)
    number = _best_arm(problem, state)
    arm = problem.arms[number]
    numbers[ARM] = number
    if arm.kind in (SLIDE, POLISH):
        return 0
    if arm.kind == LINE:
        i = int(np.argmin(state.turns[_sequence(arm)]))
        order[0], order[i] = order[i], order[0]
    elif arm.size < len(order):
        for i in range(arm.size):
            j = i + int(rng.integers(len(order) - i))
            order[i], order[j] = order[j], order[i]
    return arm.size


def _sequence(arm: Arm) -> int:
    """Return the row of ``turns`` that counts the draws of an arm."""
    return int(arm.alpha > 0)


def _best_arm(problem: Adaptive, state: Any) -> int:
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


@kernels.reinitialise.register_python(Adaptive)
def _reinitialise(problem, state, chosen, alpha, rng):
    """Apply equation (1) with the arm's α. The draws of one variable are spread evenly."""
    if not len(chosen):
        return
    state.rejected[0] = True
    domain = problem.evaluations.domain
    if state.numbers[CALLS] == 0:
        first = problem.first
        state.values[...] = domain.x(_drawn(domain, rng)) if first is None else first
        return
    arm = problem.arms[int(state.numbers[ARM])]
    if arm.kind == EVOLVE:
        return
    rows = problem.rows(chosen)
    state.moved[:] = False
    state.moved[rows] = True
    if arm.kind == LINE:
        turn = state.turns[_sequence(arm)]
        share = radical_inverse(int(turn[chosen[0]])) + state.shifts[rows[0]]
        turn[chosen[0]] += 1
        fresh = domain.quantiles(np.full(len(domain), share % 1.0))
    else:
        fresh = _drawn(domain, rng)
    u = domain.u(state.values)
    u[rows] = arm.alpha * u[rows] + (1.0 - arm.alpha) * fresh[rows]
    state.values[rows] = domain.x(u)[rows]


def _drawn(domain: Any, rng: Any) -> np.ndarray:
    return domain.quantiles(rng.random(len(domain)))


def radical_inverse(i: int) -> float:
    """Return term i of van der Corput's sequence: 0, 1/2, 1/4, 3/4, 1/8, ….

    >>> [radical_inverse(i) for i in range(5)]
    [0.0, 0.5, 0.25, 0.75, 0.125]
    """
    found, share = 0.0, 0.5
    while i:
        found += share * (i & 1)
        i >>= 1
        share /= 2
    return found


@kernels.optimise.register_python(Adaptive)
def _optimise(problem, state, rng, stop=None):
    evaluations, numbers = problem.evaluations, state.numbers
    if stop is not None and over(problem):
        stop[0] = 1
        return math.inf, 1
    evaluations.begin()
    arm = problem.arms[int(numbers[ARM])] if numbers[CALLS] else None
    held = numbers[COST]
    try:
        _spend(problem, state, arm, rng)
    except Spent:
        problem.watch.over = True
    used, cost = max(1, evaluations.used), evaluations.best
    if math.isfinite(cost):
        state.values[...] = evaluations.best_x
    state.rejected[0] = not math.isfinite(cost)
    numbers[CALLS] += 1
    if arm is not None:
        gain = held - cost if cost < held < math.inf else 0.0
        state.work[int(numbers[ARM])] += used
        if gain:
            _reward(state, gain)
        _share(state, arm, used, gain, len(state.values))
    if held == math.inf:
        numbers[START] = cost
    if cost < held:
        numbers[COST] = cost
        numbers[SLID] = 0
        if arm is not None and arm.kind != POLISH:
            numbers[POLISHED] = min(numbers[POLISHED], FINE) if numbers[SINCE] else ROUGH
    elif arm is not None and arm.kind == SLIDE:
        numbers[SLID] += 1
    problem.watch.report(state.values, cost, evaluations.cost.nfev)
    return cost, used


def _share(state: Any, arm: Arm, used: int, gain: float, n: int) -> None:
    """Share the work between restarts, the evolution strategy and the other arms."""
    numbers = state.numbers
    by = {ALL: 2, EVOLVE: 3}.get(arm.kind, 1)
    numbers[SINCE] += used
    if gain and gain > LARGE_GAIN * (numbers[START] - numbers[COST] + gain):
        numbers[SINCE], numbers[BY] = 0, by
    shares = SHARES[int(numbers[BY]) if numbers[SINCE] < RECENT * n else 0]
    numbers[DUE_ALL] += used * (shares[0] - (by == 2))
    numbers[DUE] += used * (shares[1] - (by == 3))


def _reward(state: Any, gain: float) -> None:
    """Take note of a gain, in units of typical gains."""
    numbers = state.numbers
    size = math.log(gain)
    if not state.gains.any():
        numbers[GAIN] = size
    state.gains[:] *= FADE
    state.work[:] *= FADE
    state.gains[int(numbers[ARM])] += min(MOST_REWARD, math.exp(min(size - numbers[GAIN], 5.0)))
    numbers[GAIN] += 0.2 * (size - numbers[GAIN])


def _spend(problem: Adaptive, state: Any, arm: Arm | None, rng: Any) -> None:
    """Spend a call."""
    f, held = problem.evaluations, state.numbers[COST]
    u = f.domain.u(state.values)
    every = np.arange(len(u))
    if arm is None:
        state.numbers[POLISHED] = FINE if _descend(f, u, every) else ROUGH
    elif arm.kind == LINE:
        _along(f, u, int(np.argmax(state.moved)), FIRST_STEP, held)
    elif arm.kind == SOME:
        _some(f, state, u, held)
    elif arm.kind == ALL:
        _descend(f, u, every, goal=held)
    elif arm.kind == SLIDE:
        _slide(problem, state, u)
    elif arm.kind == POLISH:
        _polish(f, state, u)
    else:
        _evolve(f, state, u, rng)


def _along(
    f: Evaluations, u: np.ndarray, row: int, step: float, goal: float, precision: float = 1e-2
) -> float:
    """Descend along one number; return where it ends."""
    place = u.copy()

    def value(t: float) -> float:
        place[row] = t
        return f(place)

    low, high = float(f.domain.low[row]), float(f.domain.high[row])
    return descend(value, float(u[row]), low, high, step, goal, precision)


def _slide(problem: Adaptive, state: Any, u: np.ndarray) -> None:
    """Descend along the next variable from where it is, with steps as long as it moved before."""
    turn = state.turns[SLIDES]
    i = int(np.argmin(turn))
    turn[i] += 1
    for row in problem.rows([i]).tolist():
        step = float(state.steps[row])
        t = _along(problem.evaluations, u, row, step, math.inf, 1e-3)
        moved = abs(t - float(u[row]))
        u[row] = t
        state.steps[row] = min(max(moved, 0.1 * step, LEAST_STEP), 4.0 * FIRST_STEP)


def _some(f: Evaluations, state: Any, u: np.ndarray, held: float) -> None:
    """Descend along the numbers that were redrawn, and along all if that is promising."""
    numbers = state.numbers
    _descend(f, u, np.flatnonzero(state.moved), 20)
    reached = f.best
    if reached - numbers[LIFT] > held:
        return
    _descend(f, f.domain.u(f.best_x), np.arange(len(u)), goal=held)
    lift = reached - f.best
    numbers[LIFT] = lift if numbers[LIFT] == math.inf else max(lift, 0.9 * numbers[LIFT])


def _polish(f: Evaluations, state: Any, u: np.ndarray) -> None:
    """Descend along all numbers from x, with more exact differences if that converged before."""
    numbers = state.numbers
    fine = numbers[POLISHED] == FINE or f.sloped
    if _descend(f, u, np.arange(len(u)), central=fine) or not f.best < numbers[COST]:
        numbers[POLISHED] = DONE if fine else FINE


def _evolve(f: Evaluations, state: Any, u: np.ndarray, rng: Any) -> None:
    """Run some generations of the evolution strategy."""
    evolution, domain = state.evolution, f.domain
    if ended(evolution):
        fresh = evolution.numbers[RUNS] > 0
        open_run(evolution, _drawn(domain, rng) if fresh else u, rng)
    for _ in range(max(1, round(5 * len(u) / evolution.numbers[SIZE]))):
        generation(evolution, lambda u: f(domain.fold(u)), rng)
        if ended(evolution):
            break


def _descend(
    f: Evaluations,
    u: np.ndarray,
    rows: np.ndarray,
    most: int = 200,
    central: bool = False,
    goal: float = math.inf,
) -> bool:
    """Descend along some numbers by SciPy; return True if it converged.

    It gives up once it hardly gains, or is unlikely to reach the goal.
    """
    place = u.copy()
    low, high = f.domain.low[rows], f.domain.high[rows]

    def both(part: np.ndarray) -> tuple[float, np.ndarray]:
        place[rows] = part
        if f.sloped:
            found, slope = f.both(place)
            return found, slope[rows]
        return slope_at(f, place, rows, central)

    begin = np.minimum(np.maximum(u[rows], low), high)
    value, slope = both(begin)
    steepest = float(np.abs(slope).max())
    unit = FIRST_MOVE / steepest if steepest > 0.0 else 1.0
    known = {begin.tobytes(): (value * unit, slope * unit)}

    recent: list[float] = []

    def give_up(part: np.ndarray) -> None:
        recent.append(f.best)
        if len(recent) > STALL and recent[-1 - STALL] - f.best <= LEAST_SHARE * (
            recent[0] - f.best
        ):
            raise _GivenUp
        if len(recent) > PATIENCE and f.best - HOPE * (recent[-1 - PATIENCE] - f.best) > goal:
            raise _GivenUp

    def scaled(part: np.ndarray) -> tuple[float, np.ndarray]:
        if (key := part.tobytes()) in known:
            return known[key]
        found, slope = both(part)
        return found * unit, slope * unit

    return _by_scipy(scaled, begin, low, high, most, give_up)


def _by_scipy(
    function: Any, begin: np.ndarray, low: np.ndarray, high: np.ndarray, most: int, callback: Any
) -> bool:
    """Descend with gradients by one of SciPy's methods; return True if it converged."""
    from scipy import optimize

    bounded = bool(np.isfinite(low).any() or np.isfinite(high).any())
    options: dict[str, Any] = {"maxiter": most}
    if dense := len(begin) <= DENSE:
        options["ftol"] = 1e-14
    try:
        found = optimize.minimize(
            function,
            begin,
            jac=True,
            method="SLSQP" if dense else "L-BFGS-B",
            bounds=optimize.Bounds(low, high) if bounded else None,
            options=options,
            callback=callback,
        )
    except _GivenUp:
        return False
    return bool(found.success)


def slope_at(
    f: Evaluations, u: np.ndarray, rows: np.ndarray, central: bool
) -> tuple[float, np.ndarray]:
    """Return the value and its slope along some numbers, by differences."""
    value, slope, place = f(u), np.zeros(len(rows)), u.copy()
    for i, row in enumerate(rows.tolist()):
        t = float(u[row])
        step = (CENTRAL if central else FORWARD) * max(1.0, abs(t))
        ahead, behind = t + step, t - step if central else t
        if ahead > f.domain.high[row]:
            ahead, behind = (t, t - step)
        elif behind < f.domain.low[row]:
            behind = t
        if ahead == behind:
            continue
        place[row] = ahead
        above = value if ahead == t else f(place)
        place[row] = behind
        below = value if behind == t else f(place)
        place[row] = t
        slope[i] = (above - below) / (ahead - behind)
    return value, slope
