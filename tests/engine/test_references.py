"""NamedTuples of arrays are read, copied and stacked in compiled code as in plain Python."""

from __future__ import annotations

import sys
from typing import NamedTuple

import numba
import numpy as np
import pytest

from prviz.engine import kernels
from prviz.engine.dispatch import arrays_of, copy_arrays, driver, helper, row, stack
from prviz.engine.errors import KernelError
from prviz.engine.references import Reference, by_reference

CELL = np.dtype([("count", np.int64), ("mean", np.float64)], align=True)


class Inner(NamedTuple):
    bits: np.ndarray
    cells: np.ndarray


class State(NamedTuple):
    WORKSPACE = ("room",)

    grid: np.ndarray
    inner: Inner
    room: np.ndarray


class Problem(NamedTuple):
    weights: np.ndarray
    factor: float
    size: int
    mirrored: bool


@by_reference
class Whole(NamedTuple):
    before: np.ndarray
    state: State
    problem: Problem
    stacked: State


for kind in (State, Problem):
    by_reference(kind)


def state(seed: int = 0) -> State:
    rng = np.random.default_rng(seed)
    cells = np.zeros(3, CELL)
    cells["count"], cells["mean"] = rng.integers(0, 9, 3), rng.random(3)
    return State(rng.random((2, 3, 4)), Inner(rng.random(5) < 0.5, cells), rng.random(2))


def whole() -> Whole:
    made = state()
    return Whole(np.arange(3.0), made, Problem(np.arange(4.0), 2.5, 7, True), stack(made, 3))


@helper
def amount(problem, state):
    total = problem.factor * problem.size + problem.weights[2] * state.grid[1, 2, 3]
    if problem.mirrored:
        total -= state.inner.cells[1]["mean"] * state.inner.cells[1]["count"] + state.inner.bits[0]
    return total + len(state.room) + state.grid.size


@driver
def read(whole):
    return amount(whole.problem, whole.state) + whole.before[2]


@driver
def exchange(whole, index):
    """Copy a state to a row, change the state, and copy the row back."""
    copy_arrays(row(whole.stacked, index), whole.state)
    whole.state.grid[0, 0, 0] += 1.0
    changed = whole.state.grid[0, 0, 0]
    copy_arrays(whole.state, row(whole.stacked, index))
    return changed, amount(whole.problem, row(whole.stacked, index))


@driver
def sums(stacked):
    """Return, for every row, the sum of its grid plus the first number of row 0."""
    total = np.zeros(len(stacked.grid))
    for i in range(len(stacked.grid)):
        total[i] = row(stacked, i).grid.sum() + row(stacked, 0).grid[0, 0, 0]
    return total


def test_fields_are_read_as_in_python():
    given = whole()
    expected = 2.5 * 7 + 2.0 * given.state.grid[1, 2, 3] + 2.0 + 2 + 24 - given.state.inner.bits[0]
    cell = given.state.inner.cells[1]
    assert read(given) == pytest.approx(expected - cell["mean"] * cell["count"], rel=1e-14)
    other = given._replace(problem=given.problem._replace(mirrored=False))
    assert read(other) == pytest.approx(expected + given.state.inner.bits[0], rel=1e-14)


def test_copying_a_row_skips_the_workspace():
    given, former = whole(), state()
    before = given.state.grid[0, 0, 0]
    changed, there = exchange(given, 2)
    assert changed == before + 1.0
    assert there == pytest.approx(read(given) - 2.0, rel=1e-14)
    for rows, now, then in zip(
        *map(arrays_of, (given.stacked[:2], given.state[:2], former[:2])), strict=True
    ):
        np.testing.assert_array_equal(rows[2], then)
        np.testing.assert_array_equal(rows[:2], np.zeros_like(rows[:2]))
        np.testing.assert_array_equal(now, then)
    assert not given.stacked.room.any()


def test_each_index_returns_its_row():
    stacked = stack(state(), 4)
    for i in range(4):
        stacked.grid[i] = i + 1
    np.testing.assert_array_equal(sums(stacked), [24.0 * (i + 1) + 1.0 for i in range(4)])


def test_call_leaks_no_references():
    given = whole()
    arrays = [*arrays_of((given.state, given.before, given.stacked))]
    held = [sys.getrefcount(array) for array in arrays]
    for _ in range(10):
        exchange(given, 1)
        read(given)
    assert [sys.getrefcount(array) for array in arrays] == held


def test_an_allocate_function_without_a_return_type_is_rejected():
    with pytest.raises(TypeError, match="Annotate the return type"):

        @kernels.allocate.register
        def _allocate(problem: Problem):
            raise NotImplementedError


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
class TestCompiled:
    def test_state_is_passed_as_one_pointer(self):
        read(whole())
        (signature,) = read.compiled.signatures
        assert isinstance(signature[0], Reference) and len(str(signature[0])) < 80
        given, compiled = whole(), numba.njit(amount)  # compile without the cache
        compiled(given.problem, given.state)
        (result,) = compiled.overloads.values()
        function = result.library.get_function(result.fndesc.llvm_func_name)
        assert len(list(function.arguments)) == 4  # result, exception, problem, state

    def test_types_of_different_states_differ(self):
        assert numba.typeof(whole()) == numba.typeof(whole())
        given = whole()
        single = given.state._replace(grid=given.state.grid.astype(np.float32))
        assert numba.typeof(given._replace(state=single)) != numba.typeof(given)
        assert numba.typeof(given.state) != numba.typeof(given.stacked)

    def test_noncontiguous_arrays_are_rejected(self):
        given = whole()
        gaps = given.state._replace(grid=np.zeros((2, 3, 8))[:, :, ::2])
        with pytest.raises(KernelError, match="copy_arrays"):
            exchange(given._replace(state=gaps), 1)

    def test_unknown_field_is_reported(self):
        @numba.njit
        def wrong(state):
            return state.grids

        with pytest.raises(numba.TypingError, match="grids"):
            wrong(state())
