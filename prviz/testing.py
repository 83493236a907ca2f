"""Check that a problem fulfils the contract of the search: :func:`check_problem`.

This is like scikit-learn's ``check_estimator``, for your own problems. Every check raises an
AssertionError that names the violated rule. Each check runs first in plain Python, so that errors
have line numbers, and then compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numba
import numpy as np

from .engine import kernels
from .engine.dispatch import arrays_of, interpreted, map_arrays, plain_python, row, stack
from .engine.kernels import Problem
from .engine.schedule import Level, Schedule
from .search.traced_search import TracedSearch

CALLS = 15
SEEDS = 3
CHUNKS = (1, 2, 3, 9)
#: After this many redraws a variable has almost surely changed, even with only two values.
REDRAWS = 25
#: Relative rounding error of a cost.
ROUNDING = 1e-12


class Fields(NamedTuple):
    """The fields of a state, by their role.

    Attributes
    ----------
    variables
        The configuration: fields in ``VARIABLES`` of the state's type; by default all that are
        neither caches nor working space.
    renormalised
        Fields in ``RENORMALISED``: matrices with one column per variable, or vectors with one entry
        per variable. A redraw changes the columns or entries of the redrawn variables. In the rows
        of other variables, it may multiply the remaining entries by one factor per row.
    caches
        Other fields that a redraw may change: those in ``CACHES`` and in ``WORKSPACE``.
    """

    variables: tuple[str, ...]
    renormalised: tuple[str, ...]
    caches: tuple[str, ...]

    @classmethod
    def of(cls, state: Any) -> Fields:
        kind = type(state)
        caches = (*getattr(kind, "CACHES", ()), *getattr(kind, "WORKSPACE", ()))
        rest = tuple(field for field in kind._fields if field not in caches)
        return cls(getattr(kind, "VARIABLES", rest), getattr(kind, "RENORMALISED", ()), caches)


def check_problem(problem: Problem) -> None:
    """Check that a problem fulfils the contract of the search.

    Parameters
    ----------
    problem
        A small problem, because it is searched about a hundred times, first in plain Python.

    Raises
    ------
    AssertionError
        The violated rule.
    """
    with plain_python():
        _check_all(problem)
    if numba.config.DISABLE_JIT or interpreted(problem):  # type: ignore[attr-defined]
        return  # nothing is compiled
    _check_all(problem)
    for subset in kernels.subsets(problem):
        check_compiled(problem, subset, seed=2)


def _check_all(problem: Any) -> None:
    for subset in kernels.subsets(problem):
        for check in CHECKS:
            for seed in range(SEEDS):
                check(problem, subset, seed)


def made(problem: Any, subset: str = "random", calls: int = 0, seed: int = 0) -> TracedSearch:
    """Return a search on up to three levels that has made some calls."""
    N = kernels.n_variables(problem)
    below = [Level(k, m, subset=subset) for k, m in ((1, 4), (3, 2)) if k < N]
    search = TracedSearch(problem, Schedule.from_levels([*below, Level(N)], N), seed)
    if calls:
        search.step(calls=calls)
    return search


def optimum(problem: Any, subset: str, seed: int) -> tuple[Any, np.random.Generator]:
    """Return a state at a local optimum, and a random generator."""
    state, rng = made(problem, subset, 3, seed).search.state, np.random.default_rng(seed)
    kernels.optimise(problem, state, rng)
    return state, rng


def copied(state: Any) -> Any:
    """Return a copy of a state with its own arrays."""
    return map_arrays(np.copy, state)


def configuration(problem: Any, state: Any) -> list[bytes]:
    """Return the configuration of a state, as bytes."""
    if (variables := kernels.variables(problem, state)) is not None:
        return variables
    return [getattr(state, field).tobytes() for field in Fields.of(state).variables]


def check_optimise(problem: Any, subset: str, seed: int) -> None:
    """Check that ``optimise`` returns the true cost, never raises it, and ends at an optimum."""
    state, rng = optimum(problem, subset, seed)
    some = np.arange(0, kernels.n_variables(problem), 2)
    kernels.reinitialise(problem, state, some, 0.0, rng)
    before = kernels.cost(problem, state)
    cost, iterations = kernels.optimise(problem, state, rng)
    true = kernels.cost(problem, state)
    assert iterations >= 1, "optimise must return the number of iterations, at least 1."
    assert np.isclose(cost, true, rtol=1e-9, atol=1e-12), (
        f"optimise returned {cost!r}, but the cost of its result is {true!r}."
    )
    if kernels.stochastic(problem):
        return
    assert cost <= before + ROUNDING * abs(before), (
        f"optimise raised the cost from {before!r} to {cost!r}: an iteration must never do so, "
        f"unless kernels.stochastic declares the optimiser stochastic."
    )
    again, _ = kernels.optimise(problem, state, rng)
    assert np.isclose(again, cost, rtol=ROUNDING, atol=ROUNDING), (
        f"optimise ended at {cost!r}, and when called again at {again!r}: iterate returned True "
        "before it had reached a local optimum."
    )


def check_redraw(problem: Any, subset: str, seed: int) -> None:
    """Check that ``reinitialise`` changes only the chosen variables and declared caches."""
    before, _ = optimum(problem, subset, seed)
    for alpha in (0.0, 0.3) if kernels.blends(problem) else (0.0,):
        _check_redraw(problem, before, alpha)


def _check_redraw(problem: Any, before: Any, alpha: float) -> None:
    N = kernels.n_variables(problem)
    chosen = np.array([i for i in (1, 4) if i < N] or [0])
    others = np.setdiff1d(np.arange(N), chosen)
    changed: set[str] = set()
    for redraw in range(REDRAWS):
        state = copied(before)
        kernels.reinitialise(problem, state, chosen, alpha, np.random.default_rng(redraw))
        changed |= set(_changed(problem, state, before, chosen, others))
    assert changed == set(_parts(problem, before, chosen)), (
        f"After {REDRAWS} redraws some of the chosen variables are unchanged: reinitialise must "
        f"redraw every variable in `chosen`."
    )


def _parts(problem: Any, state: Any, chosen: np.ndarray) -> list[str]:
    """Return names of the parts that redraws must change: chosen variables, fields of N rows."""
    if kernels.variables(problem, state) is not None:
        return [*map(str, chosen)]
    fields, N = Fields.of(state).variables, kernels.n_variables(problem)
    if _scalar(state, fields, N):
        return [*map(str, chosen)]
    return [*map(str, chosen), *(field for field in fields if getattr(state, field).size)]


def _scalar(state: Any, fields: tuple[str, ...], N: int) -> bool:
    """Return True if each variable is one number, because a field does not have N rows."""
    return any(len(getattr(state, field)) != N for field in fields)


def _changed(
    problem: Any, state: Any, before: Any, chosen: np.ndarray, others: np.ndarray
) -> Iterator[str]:
    """Yield the changes of a redraw; raise an AssertionError for a forbidden one."""
    told, N = kernels.variables(problem, state), kernels.n_variables(problem)
    beyond = "reinitialise must change the variables in `chosen` and nothing else, but it changed"
    were = kernels.variables(problem, before)
    if told is not None and were is not None:
        assert all(told[i] == were[i] for i in others), f"{beyond} other variables."
        yield from (str(i) for i in chosen if told[i] != were[i])
        return
    variables, renormalised, caches = Fields.of(state)
    if scalar := _scalar(state, variables, N):
        now, then = (
            np.concatenate([getattr(which, field).ravel() for field in variables])
            for which in (state, before)
        )
        assert now[others].tobytes() == then[others].tobytes(), f"{beyond} other numbers."
        yield from (str(i) for i in chosen if now[i] != then[i])
    for field in state._fields:
        if field in variables and scalar:
            continue
        now, then = getattr(state, field), getattr(before, field)
        if field in renormalised:
            columns = np.ix_(*[others] * now.ndim)
            _check_same_up_to_a_factor(now[columns], then[columns], field)
        elif field in variables:
            same = now[others].tobytes() == then[others].tobytes()
            assert same, f"{beyond} rows of {field!r} of other variables."
        elif field not in caches:
            same = [a.tobytes() for a in arrays_of(now)] == [a.tobytes() for a in arrays_of(then)]
            assert same, (
                f"{beyond} {field!r}: add it to CACHES of the state's type if this is intended."
            )
        if field in variables:
            moved = [str(i) for i in chosen if now[i].tobytes() != then[i].tobytes()]
            yield from (field, *moved) if moved else ()


def _check_same_up_to_a_factor(now: np.ndarray, then: np.ndarray, field: str) -> None:
    sums = [rows.sum(axis=-1, keepdims=True) for rows in (now, then)]
    assert np.allclose(now * sums[1], then * sums[0], rtol=ROUNDING, atol=0), (
        f"A redraw must not change the ratios of the other entries in a row of {field!r}."
    )


def check_revert(problem: Any, subset: str, seed: int) -> None:
    """Check that after a revert the search continues as if the redraw had not happened."""
    state, _ = optimum(problem, subset, seed)
    untouched = copied(state)
    saved = row(stack(state, 2), 1)
    kernels.copy_state(problem, saved, state)
    before, cost = configuration(problem, state), kernels.cost(problem, state)
    N = kernels.n_variables(problem)
    for redraw in range(6):
        rng = np.random.default_rng(redraw)
        chosen = rng.permutation(N)[: 1 + redraw % 3]
        kernels.reinitialise(problem, state, chosen, 0.0, rng)
        kernels.optimise(problem, state, rng)
        kernels.copy_state(problem, state, saved)
        assert configuration(problem, state) == before, "copy_state must restore the configuration."
        assert kernels.cost(problem, state) == cost, "copy_state must restore the cost."
    ends = []
    for which in (state, untouched):
        kernels.reinitialise(problem, which, np.array([0]), 0.0, np.random.default_rng(99))
        ended = kernels.optimise(problem, which, np.random.default_rng(1))
        ends.append((ended, configuration(problem, which)))
    assert ends[0] == ends[1], (
        "After a revert the search continued differently than without the redraw: a cache was "
        "not restored."
    )


def check_iterate(problem: Any, subset: str, seed: int) -> None:
    """Check that iterating to the end equals optimising, and that ``cost`` changes nothing."""
    snapshot = made(problem, subset, 5, seed).snapshot()
    some = np.arange(kernels.n_variables(problem))[2:4]
    ends = []
    for _ in range(2):
        resumed, rng = snapshot.resume()
        kernels.reinitialise(problem, resumed.state, some, 0.0, rng)
        ends.append((resumed.state, rng))
    cost, iterations = kernels.optimise(problem, *ends[0])
    steps = 1
    while not kernels.iterate(problem, *ends[1]) and steps < kernels.MOST_ITERATIONS:
        kernels.cost(problem, ends[1][0])
        steps += 1
    found = steps, kernels.cost(problem, ends[1][0])
    assert found == (iterations, cost), (
        f"optimise made {iterations} iterations and reached cost {cost!r}, but calls of iterate "
        f"made {found[0]} and reached {found[1]!r}: they must take the same steps."
    )


def check_chunks(problem: Any, subset: str, seed: int) -> None:
    """Check that a run in one piece and a run in several pieces have the same trace."""
    whole, pieces = made(problem, subset, sum(CHUNKS), seed), made(problem, subset, 0, seed)
    for calls in CHUNKS:
        pieces.step(calls=calls)
    assert pieces.trace().hash() == whole.trace().hash(), (
        "A run in several pieces gave a different trace. Take all randomness from `rng`, and "
        "keep no data outside the state."
    )
    hashes = {made(problem, subset, 4, other).trace().hash() for other in range(seed, seed + 4)}
    assert len(hashes) > 1, "Four seeds gave the same trace: redraws must use `rng`."


def check_interrupt(problem: Any, subset: str, seed: int) -> None:
    """Check that an interrupted call adds no row, and keeps the result so far."""
    search = made(problem, subset, 6, seed)
    calls, before, best = search.calls, search.trace().hash(), search.search.best_cost
    search.interrupt()
    assert len(search.step(calls=10).cost) == 0, "An interrupted call must not add a row."
    assert (search.calls, search.trace().hash()) == (calls, before)
    assert search.search.best_cost == best
    cost = kernels.cost(problem, search.best_state())
    assert np.isclose(cost, best, rtol=ROUNDING, atol=ROUNDING), "The best state was lost."


def check_compiled(problem: Any, subset: str, seed: int) -> None:
    """Check that compiled and plain Python give the same trace, byte for byte."""
    compiled = made(problem, subset, CALLS, seed).trace()
    with plain_python():
        plain = made(problem, subset, CALLS, seed).trace()
    for column in ("kept", "redrawn", "iterations", "cost"):
        same = np.array_equal(getattr(plain, column), getattr(compiled, column))
        assert same, (
            f"Compiled and plain Python differ in {column!r}. Use engine/simd/sums.py for sums of "
            "many numbers, and engine/simd/functions.py for exp, ln, sine and cosine. NumPy's "
            "results differ between machines."
        )
    assert plain.hash() == compiled.hash()


CHECKS = (
    *(check_optimise, check_redraw, check_revert, check_iterate, check_chunks),
    check_interrupt,
)
