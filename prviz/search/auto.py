"""Choose how many variables to redraw, and when to restart, while a search runs (``k1="auto"``).

Possible sizes are 1, 4, 16, … and N. Each call uses the size with the highest (improvements + 1) /
work. Work is counted in iterations, and older calls count less. So the work on a size is
proportional to its recent improvements plus one. While nothing improves, all sizes get equal work.
The size N is a full restart.

If α is 0, half of the partial redraws use α = ½ instead; gains do not change this. Sub-sets are
random unless a heuristic is given, because no heuristic was better on all data of its problem.

A restart starts a new chain of redraws. The chain ends when it has not improved for u times the
work of an average restart and for u times min(N, 50) calls. The numbers u are the sequence of Luby,
Sinclair and Zuckerman (1993): 1, 1, 2, 1, 1, 2, 4, …. Before the next restart,
the search redraws the best configuration of all chains, for as much work as the ended chain took.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..engine.algorithm import Limits, Search, checkpoint_and_redraw, keep_or_revert
from ..engine.clock import look
from ..engine.dispatch import driver, helper
from ..engine.kernels import asked_to, blends, n_variables, optimise
from ..engine.references import by_reference
from ..engine.schedule import ENDLESS, Schedule
from ..engine.trace import KEPT, REVERTED, UNDECIDED, Rows, Trace

#: Each improvement multiplies the weight of older improvements by this: about the last 20 count.
FADE = 0.95
#: Relative decreases of the cost up to this do not count as improvements, because optimisers stop
#: shortly before an optimum.
LEAST = 1e-9
MOST_CALLS = 50  # a larger number would delay restarts on large graphs too long
HALF = 0.5  # the α of half of the partial redraws, if the given α is 0
#: Fields of ``Policy.chain``.
COST, IDLE, SPENT, LEFT, RESTARTS, RESTART_WORK, STAGE, CALLS = range(8)
#: Stages: before the first call of a chain; redraws of the chain; redraws of the
#: best of all chains.
NEW, CHAIN, BEST = range(3)


@by_reference
class Policy(NamedTuple):
    """The statistics that determine the next size, and when to restart.

    Attributes
    ----------
    sizes : (n,) int64
        Possible numbers of variables to redraw.
    improvements, work : (n,) float64
        Improvements and iterations of each size. Older calls count less.
    chain : (8,) float64
        Cost of the present chain; its iterations since the last improvement and in total; the
        iterations left for the best of all chains; the number of restarts and their iterations; the
        stage; and the calls since the last improvement.
    alphas : (2,) float64
        Two values of α for redraws of fewer than N variables, each used in half of the calls.
    subset : (1,) int64
        The number of the sub-set heuristic of these redraws.
    """

    sizes: np.ndarray
    improvements: np.ndarray
    work: np.ndarray
    chain: np.ndarray
    alphas: np.ndarray
    subset: np.ndarray


def policy_of(schedule: Schedule, problem: Any) -> Policy:
    """Return the policy of a schedule before the first call."""
    N = n_variables(problem)
    sizes = np.array([*(1 << np.arange(0, (N - 1).bit_length(), 2)), N], np.int64)
    learned = np.zeros(len(sizes)), np.ones(len(sizes)), np.zeros(8)
    return Policy(sizes, *learned, alphas_of(schedule, problem), schedule.subsets[:1].copy())


def alphas_of(schedule: Schedule, problem: Any) -> np.ndarray:
    """Return two values of α, each for half of the calls.

    Both are the schedule's α, except that the second is ½ if α is 0 and values can be blended.
    """
    fixed = float(schedule.alphas[0])
    return np.array([fixed, fixed or (HALF if blends(problem) else 0.0)])


def copy_policy(policy: Policy) -> Policy:
    """Return an independent copy."""
    return Policy(*(array.copy() for array in policy))


def working(schedule: Schedule) -> Schedule:
    """Return a copy of the schedule, to which :func:`advance_auto` writes its choices."""
    made = Schedule(*(column.copy() for column in schedule))
    # use the largest size, so that rows get enough space
    made.sizes[0], made.repeats[0] = made.sizes[-1], ENDLESS
    return made


def schedule_of_call(schedule: Schedule, problem: Any, trace: Trace, call: int) -> Schedule:
    """Return a schedule that repeats one call (counted from 1) of a trace."""
    made = working(schedule)
    made.sizes[0] = trace.counts[call - 1, 0]
    made.alphas[0] = alphas_of(schedule, problem)[turn(call - 1)]
    if made.sizes[0] == made.sizes[1] > 1:
        made.alphas[0], made.subsets[0] = 0.0, 0
    if trace.kept[call - 1, 1] != UNDECIDED:
        made.repeats[0] = 1
    return made


@helper
def luby(i: int) -> int:
    """Return term i of 1, 1, 2, 1, 1, 2, 4, …, counted from 1."""
    while True:
        power = 1
        while 2 * power <= i:
            power *= 2
        if i == 2 * power - 1:
            return power
        i -= power - 1


@helper
def choose(policy: Policy) -> int:
    """Return the index of the highest (improvements + 1) / work; the smallest size wins a tie."""
    found, highest = 0, -1.0
    for size in range(len(policy.sizes)):
        rate = (policy.improvements[size] + 1.0) / policy.work[size]
        if rate > highest:
            found, highest = size, rate
    return found


@helper
def learn(policy: Policy, size: int, cost: float, iterations: int) -> bool:
    """Record a call; return True if the present chain, or the redraws of the best, should end."""
    chain = policy.chain
    if chain[STAGE] == NEW:
        chain[RESTARTS] += 1
        chain[RESTART_WORK] += iterations
        chain[COST], chain[IDLE], chain[SPENT], chain[STAGE] = cost, 0.0, iterations, CHAIN
        chain[CALLS] = 0.0
        return False
    policy.work[size] += iterations
    chain[SPENT] += iterations
    chain[IDLE] += iterations
    chain[CALLS] += 1.0
    if cost < chain[COST]:
        if chain[COST] - cost > LEAST * abs(cost):
            for each in range(len(policy.sizes)):
                policy.improvements[each] *= FADE
                policy.work[each] *= FADE
            policy.improvements[size] += 1.0
            chain[IDLE] = chain[CALLS] = 0.0
        chain[COST] = cost
    if chain[STAGE] == BEST:
        chain[LEFT] -= iterations
        return chain[LEFT] <= 0
    mean, times = chain[RESTART_WORK] / chain[RESTARTS], luby(int(chain[RESTARTS]))
    calls = min(policy.sizes[-1], MOST_CALLS)
    return chain[IDLE] >= times * mean and chain[CALLS] >= times * calls


@helper
def go_on(policy: Policy, cost: float) -> int:
    """Return the next level: 1 to redraw from the best of all chains, 2 to restart."""
    chain = policy.chain
    if chain[STAGE] == BEST:
        chain[STAGE] = NEW
        return 2
    chain[STAGE], chain[COST], chain[LEFT] = BEST, cost, chain[SPENT]
    return 1


@helper
def turn(call: int) -> int:
    """Return 0 for half of the calls and 1 for the others, in an order independent of the sizes."""
    return 1 if call * 618 % 1000 < 500 else 0


@helper
def open_call(schedule: Schedule, policy: Policy, call: int) -> int:
    """Write the size of the next redraw to the schedule; return the index of the size."""
    size = choose(policy)
    every = size == len(policy.sizes) - 1 and size > 0  # a full restart ignores α and heuristic
    schedule.sizes[0] = policy.sizes[size]
    schedule.alphas[0] = 0.0 if every else policy.alphas[turn(call)]
    schedule.subsets[0] = 0 if every else policy.subset[0]
    return size


@helper
def redraw(
    problem: Any,
    schedule: Schedule,
    search: Search,
    rng: np.random.Generator,
    rows: Rows,
    row: int,
    listed: int,
) -> int:
    """Redraw from the next level down to level 1; return the length of the list in ``rows``."""
    rows.kept[row, :] = UNDECIDED
    rows.counts[row, :] = 0
    rows.level[row] = search.next_level[0]
    for level in range(search.next_level[0], 0, -1):
        size = checkpoint_and_redraw(problem, schedule, search, rng, level)
        rows.counts[row, level - 1] = size
        if size < len(search.order):
            for i in range(size):
                rows.redrawn[listed + i] = search.order[i]
            listed += size
    return listed


@helper
def close(
    problem: Any,
    schedule: Schedule,
    search: Search,
    rows: Rows,
    row: int,
    policy: Policy,
    number: int,
) -> None:
    """Keep or revert a call, learn from it, and set the next level."""
    ends = learn(policy, number, rows.cost[row], rows.iterations[row])
    for level in range(1, 3 if ends else 2):
        kept = keep_or_revert(problem, schedule, search, level)
        rows.kept[row, level - 1] = KEPT if kept else REVERTED
    search.next_level[0] = 1
    if ends:
        search.counters[1] = 0
        search.next_level[0] = go_on(policy, search.costs[0])


@driver
def advance_auto(
    problem: Any,
    schedule: Schedule,
    search: Search,
    rng: np.random.Generator,
    rows: Rows,
    limits: Limits,
    policy: Policy,
) -> int:
    """Continue the search like :func:`~prviz.engine.algorithm.advance`, with chosen sizes.

    Parameters
    ----------
    problem, schedule, search, rng, rows, limits
        See that function. The schedule must come from :func:`working`.
    policy : Policy
        The policy of this search, changed in place.

    Returns
    -------
    int
        Number of rows written.
    """
    costs = search.costs
    iterations_before, seconds_before = search.totals
    watch = np.full(3, -np.inf)
    began = look(watch)
    # int64, because Numba would compile the helpers again for literals
    n_rows, n_redrawn = np.int64(0), np.int64(0)
    while n_rows < limits.calls:
        number = open_call(schedule, policy, search.counters[0])
        n_redrawn = redraw(problem, schedule, search, rng, rows, n_rows, n_redrawn)
        costs[0], iterations = optimise(problem, search.state, rng, search.stop)
        if asked_to(search.stop):
            costs[0] = np.inf
            break
        rows.cost[n_rows] = costs[0]
        rows.best[n_rows] = costs.min()
        rows.iterations[n_rows] = iterations

        close(problem, schedule, search, rows, n_rows, policy, number)
        search.counters[0] += 1
        search.totals[0] += iterations
        seconds = look(watch) - began
        search.totals[1] = seconds_before + seconds
        rows.seconds[n_rows] = search.totals[1]
        n_rows += 1
        if seconds >= limits.seconds or rows.best[n_rows - 1] <= limits.target:
            break
        if search.totals[0] - iterations_before >= limits.iterations:
            break
    return int(n_rows)
