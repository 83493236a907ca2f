"""The problem of ``prviz.minimize``: each call uses the arm with the highest expected gain."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...engine import kernels
from ..wrap import Wrapped, over
from .arms import (
    ALL,
    ARM,
    CALLS,
    COST,
    DONE,
    EVOLVE,
    FINE,
    LIFT,
    LINE,
    PENDING,
    POLISH,
    POLISHED,
    ROUGH,
    SINCE,
    SLID,
    SLIDE,
    SLIDES,
    SOME,
    START,
    AdaptiveState,
    Arm,
    arms_of,
    best_arm,
    reward,
    share_work,
)
from .descents import along, descend_along
from .evaluations import Evaluations, Spent
from .evolution import RUNS, SIZE, ended, generation, new_evolution, open_run
from .watch import Watch

#: First and shortest step along a line, as shares of the domain.
FIRST_STEP, LEAST_STEP = 0.01, 1e-9


@dataclasses.dataclass(frozen=True, eq=False)
class Adaptive(Wrapped):
    """A function of real numbers, and the arms of its search."""

    evaluations: Any = None
    watch: Any = None
    first: np.ndarray | None = None  # where the first call begins
    arms: tuple[Arm, ...] = ()
    chooses = True  # the select kernel chooses the size of each redraw

    def rows(self, variables: Sequence[int]) -> np.ndarray:
        """Return the rows of x that belong to these variables."""
        if self.groups is None:
            return np.asarray(variables, np.int64)
        return np.concatenate([self.groups[i] for i in variables])


def adaptive(
    wrapped: Any, evaluations: Evaluations, watch: Watch, first: np.ndarray | None
) -> Adaptive:
    """Return the :class:`Adaptive` problem of a wrapped function."""
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
    return math.inf if state.rejected[0] else problem.evaluations.cost(state.values)


@kernels.select.register_python(Adaptive)
def _select(problem, state, redraw, rng, order):
    """Choose an arm, and the variables that it redraws."""
    numbers = state.numbers
    if numbers[CALLS] == 0:
        if numbers[PENDING]:  # the level above has redrawn all variables
            return 0
        numbers[PENDING] = 1
        numbers[COST], numbers[LIFT] = math.inf, math.inf
        state.work[:] = [arm.work for arm in problem.arms]
        state.shifts[:] = rng.random(len(state.shifts))
        state.steps[:] = FIRST_STEP
        return len(order)
    number = best_arm(problem, state)
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


@kernels.reinitialise.register_python(Adaptive)
def _reinitialise(problem, state, chosen, alpha, rng):
    """Apply equation (1) with the arm's α. A LINE arm spreads its draws of a variable evenly."""
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
            reward(state, gain)
        share_work(state, arm, used, gain, len(state.values))
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


def _spend(problem: Adaptive, state: Any, arm: Arm | None, rng: Any) -> None:
    """Run the local optimiser of an arm."""
    f, held = problem.evaluations, state.numbers[COST]
    u = f.domain.u(state.values)
    every = np.arange(len(u))
    if arm is None:
        state.numbers[POLISHED] = FINE if descend_along(f, u, every) else ROUGH
    elif arm.kind == LINE:
        along(f, u, int(np.argmax(state.moved)), FIRST_STEP, held)
    elif arm.kind == SOME:
        _some(f, state, u, held)
    elif arm.kind == ALL:
        descend_along(f, u, every, goal=held)
    elif arm.kind == SLIDE:
        _slide(problem, state, u)
    elif arm.kind == POLISH:
        _polish(f, state, u)
    else:
        _evolve(f, state, u, rng)


def _slide(problem: Adaptive, state: Any, u: np.ndarray) -> None:
    """Descend along the next variable. The first step is as long as the variable's last move."""
    turn = state.turns[SLIDES]
    i = int(np.argmin(turn))
    turn[i] += 1
    for row in problem.rows([i]).tolist():
        step = float(state.steps[row])
        t = along(problem.evaluations, u, row, step, math.inf, 1e-3)
        moved = abs(t - float(u[row]))
        u[row] = t
        state.steps[row] = min(max(moved, 0.1 * step, LEAST_STEP), 4.0 * FIRST_STEP)


def _some(f: Evaluations, state: Any, u: np.ndarray, held: float) -> None:
    """Descend along the redrawn coordinates, then along all if the result is promising."""
    numbers = state.numbers
    descend_along(f, u, np.flatnonzero(state.moved), 20)
    reached = f.best
    if reached - numbers[LIFT] > held:
        return
    descend_along(f, f.domain.u(f.best_x), np.arange(len(u)), goal=held)
    lift = reached - f.best
    numbers[LIFT] = lift if numbers[LIFT] == math.inf else max(lift, 0.9 * numbers[LIFT])


def _polish(f: Evaluations, state: Any, u: np.ndarray) -> None:
    """Descend along all coordinates, by central differences if forward differences converged."""
    numbers = state.numbers
    fine = numbers[POLISHED] == FINE or f.sloped
    if descend_along(f, u, np.arange(len(u)), central=fine) or not f.best < numbers[COST]:
        numbers[POLISHED] = DONE if fine else FINE


def _evolve(f: Evaluations, state: Any, u: np.ndarray, rng: Any) -> None:
    evolution, domain = state.evolution, f.domain
    if ended(evolution):
        fresh = evolution.numbers[RUNS] > 0
        open_run(evolution, _drawn(domain, rng) if fresh else u, rng)
    for _ in range(max(1, round(5 * len(u) / evolution.numbers[SIZE]))):
        generation(evolution, lambda u: f(domain.fold(u)), rng)
        if ended(evolution):
            break
