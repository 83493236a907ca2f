"""With many centres in a plane, the grid finds the same centres as a scan of all centres."""

import numba
import numpy as np
import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.kmeans import plain_kmeans

import prviz
from prviz.engine.schedule import Level, Schedule
from prviz.problems.kmeans.grid import (
    MANY,
    Grid,
    cells_at_origin,
    grid_over,
    put,
    sort,
    within,
)
from prviz.search.traced_search import TracedSearch

#: A grid of two by two cells of side 1, over the square from 0 to 2.
SMALL = Grid(2, 0.0, 0.0, 1.0, 1.0, 1e-9)


def lists(cells):
    """Return the centres of each cell; check that both directions of the lists agree."""
    found = []
    for cell, first in enumerate(cells.first):
        here, before, j = [], -1, first
        while j >= 0:
            assert cells.cell[j] == cell and cells.before[j] == before
            here.append(int(j))
            before, j = j, cells.after[j]
        found.append(sorted(here))
    return found


def all_of(cells):
    return sorted(j for cell in lists(cells) for j in cell)


def test_moved_centre_changes_its_cell():
    cells = cells_at_origin(SMALL, 3)
    assert lists(cells) == [[0, 1, 2], [], [], []]
    put(SMALL, cells, 1, 1.5, 0.5)  # centre 1 leaves the middle of its list
    put(SMALL, cells, 2, 1.5, 1.5)  # centre 2 leaves the head of its list
    assert lists(cells) == [[0], [1], [], [2]]
    put(SMALL, cells, 0, 7.0, -3.0)  # centre 0 moves beyond the corner
    assert lists(cells) == [[], [0, 1], [], [2]]


def test_grid_scans_all_centres_if_the_range_is_wide():
    cells = cells_at_origin(SMALL, 3)
    found = np.zeros(3, np.int64)
    assert within(SMALL, cells, 0.5, 0.5, 0.1, found) == 3
    assert within(SMALL, cells, 1.0, 1.0, np.inf, found) == -1


def test_grid_requires_many_centres_and_two_dimensions():
    points = np.random.default_rng(0).normal(size=(MANY, 3))
    for few in (grid_over(points, MANY), grid_over(points[:, :2], MANY - 1)):
        assert few.side == 0 and [array.size for array in cells_at_origin(few, MANY)] == [0] * 4


@settings(max_examples=20)
@given(
    k=st.integers(MANY, 600),
    scale=st.sampled_from([1e-8, 1.0, 1e8]),
    flat=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_grid_finds_every_near_centre(k, scale, flat, seed):
    rng = np.random.default_rng(seed)
    points = scale * rng.normal(size=(k, 2)) * [1.0, 0.0 if flat else 1.0]
    grid = grid_over(points, k)
    cells = cells_at_origin(grid, k)
    places = np.zeros((k, 2))
    for _ in range(3):
        moved = rng.choice(k, k // 2, replace=False)
        places[moved] = points[rng.integers(0, k, len(moved))] * rng.uniform(0.5, 1.5)
        for j in moved:
            put(grid, cells, j, *places[j])
    assert all_of(cells) == list(range(k))
    found = np.zeros(k, np.int64)
    for x, y in places[rng.integers(0, k, 20)]:
        reach = scale * rng.exponential(0.2)
        n_found = within(grid, cells, x, y, reach, found)
        if n_found < 0:
            continue
        sort(found, n_found)
        assert (np.diff(found[:n_found]) > 0).all()
        near = np.hypot(*(places - [x, y]).T) <= reach
        assert set(np.flatnonzero(near)) <= set(found[:n_found].tolist())


@pytest.mark.parametrize(("lattice", "weighted"), [(False, True), (True, False)])
def test_search_with_many_centres_equals_plain_lloyd(lattice, weighted):
    """Redraw one or many centres, keep, revert and restart. On lattices, there are ties."""
    rng = np.random.default_rng(3)
    n, calls = (600, 3) if numba.config.DISABLE_JIT else (1500, 80)
    points = rng.integers(0, 40, (n, 2)) * 1.0 if lattice else rng.normal(size=(n, 2))
    weights = rng.uniform(0.5, 2.0, n) if weighted else None
    k, levels = 300, [Level(1, 12), Level(40, 3), Level(300)]
    fast, plain = (
        TracedSearch(
            kmeans(points, k, weights=weights),
            Schedule.from_levels(levels, k),
            1,
        )
        for kmeans in (prviz.kmeans, plain_kmeans)
    )
    for _ in range(calls):
        fast.step(calls=1)
        plain.step(calls=1)
        assert fast.search.costs[0] == pytest.approx(plain.search.costs[0], rel=1e-9)
        same = np.array_equal(fast.search.state.labels, plain.search.state.labels)
        if not same:
            assert lattice  # rounding may choose either of two equally close centres
            return
        assert all_of(fast.search.state.settled.cells) == list(range(k))


@cases("scale", [1e-150, 1e140])
def test_search_terminates_for_tiny_and_huge_coordinates(scale):
    """If squares nearly underflow or overflow, no bound and no cell is valid at the start."""
    points = scale * np.random.default_rng(0).normal(size=(300, 2))
    run = prviz.run(prviz.kmeans(points, MANY), k1=1, m1=5, calls=3)
    assert np.isfinite(run.best_cost) and len(run.trace) == 3
