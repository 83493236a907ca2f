"""k-medoids equals hand calculations, brute force, the `kmedoids` package and plain search."""

import itertools
import math

import numba
import numpy as np
import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import best_medoids_cost, total_dissimilarity
from oracles.kmedoids import plain_kmedoids
from scipy.sparse import csr_array

import prviz
from prviz.datasets import memory
from prviz.engine import kernels
from prviz.engine.algorithm import start
from prviz.engine.schedule import Level, Schedule
from prviz.engine.subsets import Redraw
from prviz.problems.kmedoids.gains import BOUND, FLOOR, NOW, WIN
from prviz.problems.kmedoids.members import FIRST, NEXT, PLACE, PREVIOUS, SECOND, STALE
from prviz.problems.kmedoids.nearest import sums_are_exact
from prviz.problems.kmedoids.neighbours import nearest_neighbours
from prviz.problems.kmedoids.subsets import LOCAL, SUBSETS
from prviz.search.traced_search import TracedSearch
from prviz.testing import copied

LINE = np.abs(np.subtract.outer([0.0, 1.0, 5.0, 6.0, 20.0], [0.0, 1.0, 5.0, 6.0, 20.0]))
BOTH = [prviz.kmedoids, plain_kmedoids]
OPTIMISERS = ["alternate", "swap"]
JIT_OFF = numba.config.DISABLE_JIT


def placed(problem, medoids):
    """Return a search with given medoids, before any iteration."""
    search = start(problem, Schedule.from_levels([Level(problem.k)], problem.k), None)
    search.state.medoids[...] = medoids
    return search


def optimised(problem, medoids):
    search = placed(problem, medoids)
    cost, iterations = kernels.optimise(problem, search.state, np.random.default_rng(0))
    return search.state, cost, iterations


@cases("kmedoids", BOTH)
def test_alternating_equals_a_hand_calculation(kmedoids):
    # Medoids 0 and 1 have the clusters {0} and {1 5 6 20}. In the second, 5 and 6 cost 20 each
    # (4 + 0 + 1 + 15 and 5 + 1 + 0 + 14); 5 comes first and wins.
    # Medoids 0 and 5 have {0 1} and {5 6 20}. In the second cluster, 6 is best: it costs 1 + 14,
    # and 5 costs 1 + 15. Medoids 0 and 6 have the same clusters, so the search ends.
    problem = kmedoids(LINE, 2, "alternate")
    walk, seen = placed(problem, [0, 1]), []
    while not kernels.iterate(problem, walk.state, np.random.default_rng(0)):
        seen.append((walk.state.medoids.tolist(), kernels.cost(problem, walk.state)))
    assert seen == [([0, 2], 1 + 1 + 15), ([0, 3], 1 + 1 + 14)]
    assert walk.state.labels.tolist() == [0, 0, 1, 1, 1]
    assert walk.state.distances.tolist() == [0, 1, 1, 0, 14]


@cases("kmedoids", BOTH)
def test_swapping_equals_a_hand_calculation(kmedoids):
    # Medoids 0 and 1 cost 4 + 5 + 19. Points are tried in order, from the one after 1:
    # 5 replaces 0 (cost 1 + 1 + 15), 6 replaces 5 (1 + 1 + 14), 20 replaces 6 (1 + 4 + 5).
    # No exchange lowers this cost, 10: replacing 1 by 0 or 6 gives 12, and by 5 gives 10.
    problem = kmedoids(LINE, 2, "swap")
    walk, seen = placed(problem, [0, 1]), []
    while not kernels.iterate(problem, walk.state, np.random.default_rng(0)):
        seen.append((walk.state.medoids.tolist(), kernels.cost(problem, walk.state)))
    assert seen == [([2, 1], 17.0), ([3, 1], 16.0), ([4, 1], 10.0)]


@cases("kmedoids", BOTH)
def test_first_medoid_wins_ties_except_for_points_that_are_medoids(kmedoids):
    same = np.zeros((4, 4))
    state, cost, _ = optimised(kmedoids(same, 3), [3, 1, 2])
    assert (state.medoids.tolist(), state.labels.tolist(), cost) == ([3, 1, 2], [0, 1, 2, 0], 0)


@st.composite
def matrices(draw):
    """Generate asymmetric and symmetric matrices: small integers (many ties), or points."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n = draw(st.integers(2, 12 if JIT_OFF else 30) | st.integers(2, 12 if JIT_OFF else 150))
    kind = draw(st.sampled_from(["ties", "zeros", "uneven", "plane", "lattice"]))
    if kind in ("plane", "lattice"):
        points = rng.normal(size=(n, 2)) if kind == "plane" else rng.integers(0, 4, size=(n, 2))
        matrix = np.square(points[:, None] - points[None]).sum(axis=2)
        # integers: sums are exact, so two points of a cluster can tie
        matrix = np.round(10_000 * matrix)
    else:
        matrix = rng.integers(0, {"ties": 4, "zeros": 2, "uneven": 10**6}[kind], (n, n))
    matrix = matrix.astype(draw(st.sampled_from([np.float32, np.float64])))
    np.fill_diagonal(matrix, 0)
    if (
        np.tril(matrix).any() != np.triu(matrix).any()
    ):  # a matrix with an empty triangle would be read as symmetric
        matrix += matrix.T
    return matrix, draw(st.integers(1, min(n - 1, 25)))


def hierarchy(k, subset="random"):
    """Return levels that redraw few, several and all medoids."""
    sizes = sorted({1, k // 3, k // 2, k} - {0})
    below = [Level(size, 3, subset=subset) for size in sizes[:-1]]
    return Schedule.from_levels([*below, Level(k)], k)


@settings(max_examples=30)
@given(matrices(), st.sampled_from(OPTIMISERS), st.sampled_from(SUBSETS), st.integers(0, 99))
def test_incremental_search_equals_the_plain_search(made, optimiser, subset, seed):
    matrix, k = made
    traces, states = [], []
    # the plain search always gets float64, so its kernels are compiled for one type only
    for kmedoids, numbers in zip(BOTH, (matrix, matrix.astype(float)), strict=True):
        problem = kmedoids(numbers, k, optimiser)
        walk = TracedSearch(problem, hierarchy(k, subset), seed)
        walk.step(calls=25)
        traces.append(walk.trace())
        states.append(walk.search.state)
    fast, plain = traces
    np.testing.assert_array_equal(fast.iterations, plain.iterations)
    np.testing.assert_array_equal(fast.kept, plain.kept)
    np.testing.assert_allclose(fast.cost, plain.cost, rtol=1e-9)
    for field in ("medoids", "labels", "distances"):
        np.testing.assert_array_equal(getattr(states[0], field), getattr(states[1], field))


@settings(max_examples=20)
@given(matrices(), st.sampled_from(OPTIMISERS), st.integers(0, 99))
def test_caches_have_their_documented_values(made, optimiser, seed):
    matrix, k = made
    problem = prviz.kmedoids(matrix, k, optimiser)
    walk = TracedSearch(problem, hierarchy(k), seed)
    rng = np.random.default_rng(seed)
    for _ in range(10):
        walk.step(calls=2)
        state = walk.search.state
        assert_caches(matrix, state, optimiser)
        resumed, _ = walk.snapshot().resume()
        kernels.reinitialise(problem, resumed.state, rng.permutation(k)[: 1 + k // 5], 0.0, rng)
        kernels.cost(problem, resumed.state)
        assert_caches(matrix, resumed.state, optimiser)


def assert_caches(matrix, state, optimiser):
    n, k = len(matrix), len(state.medoids)
    matrix, points = matrix.astype(float), np.arange(len(matrix))
    assert len(set(state.medoids.tolist())) == k
    keys = matrix[:, state.medoids]
    keys[state.medoids, np.arange(k)] = -1  # a medoid belongs to itself
    order = np.argsort(keys, axis=1, kind="stable")
    np.testing.assert_array_equal(state.labels, order[:, 0])
    nearest = matrix[points, state.medoids[order[:, 0]]]
    np.testing.assert_array_equal(state.distances, nearest)
    assert [members(state, j) for j in range(k)] == [
        set(np.flatnonzero(state.labels == j).tolist()) for j in range(k)
    ]
    np.testing.assert_allclose(state.total, nearest.sum(), rtol=1e-12)
    places = np.full(n, -1)
    places[state.medoids] = np.arange(k)
    np.testing.assert_array_equal(state.point_numbers[PLACE], places)
    if optimiser == "alternate" or k == 1:
        return
    second = matrix[points, state.medoids[order[:, 1]]]
    np.testing.assert_array_equal(state.point_numbers[SECOND], order[:, 1])
    np.testing.assert_array_equal(state.second_distances, second)
    rounding = {"rtol": 1e-12, "atol": 1e-12 * (nearest.sum() + second.sum())}
    wins = np.maximum(nearest[:, None] - matrix, 0).sum(axis=0)
    np.testing.assert_allclose(state.gains[WIN], wins, **rounding)
    fresh = state.cluster_numbers[STALE] == 0
    for j in np.flatnonzero(fresh):
        own = state.labels == j
        d_1, d_2, d = nearest[own, None], second[own, None], matrix[own]
        paid = (np.clip(d, d_1, d_2) - d_1).sum(axis=0)
        np.testing.assert_allclose(state.losses[NOW, j], (d_2 - d_1).sum(), **rounding)
        lowest = np.minimum(state.gains[BOUND], state.losses[FLOOR, j])
        assert (lowest <= paid + rounding["atol"]).all()


def members(state, j):
    """Return the members of cluster j; check that its list agrees in both directions."""
    listed, i, before = [], state.cluster_numbers[FIRST, j], -1
    while i >= 0:
        listed.append(int(i))
        assert state.point_numbers[PREVIOUS, i] == before
        before, i = i, state.point_numbers[NEXT, i]
    assert len(listed) == len(set(listed))
    return set(listed)


@settings(max_examples=20)
@given(matrices(), st.integers(0, 99))
def test_swap_ends_if_no_single_exchange_lowers_the_cost(made, seed):
    matrix, k = made
    first = np.random.default_rng(seed).permutation(len(matrix))[:k]
    state, cost, _ = optimised(prviz.kmedoids(matrix, k, "swap"), first)
    assert cost == pytest.approx(total_dissimilarity(matrix, state.medoids))
    for j, point in itertools.product(range(k), range(len(matrix))):
        medoids = state.medoids.copy()
        medoids[j] = point
        assert total_dissimilarity(matrix, medoids) >= cost * (1 - 1e-9)


@cases("optimiser", OPTIMISERS)
@cases("seed", range(3))
def test_long_search_finds_the_brute_force_optimum(optimiser, seed):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 9, size=(8, 8)) * (1.0 - np.eye(8))
    for k in range(1, 8):
        run = prviz.run(prviz.kmedoids(matrix, k, optimiser), k1=1, m1=10, seed=seed, calls=300)
        assert run.best_cost == best_medoids_cost(matrix, k)
        assert run.best_cost == total_dissimilarity(matrix, run.best_state.medoids)


@cases("dtype", [np.float32, np.float64])
@cases("optimiser", OPTIMISERS)
def test_the_kmedoids_package_ends_at_the_same_medoids(optimiser, dtype):
    import kmedoids

    matrix = prviz.dissimilarity(np.random.default_rng(0).normal(size=(200, 3)))
    # use integers, because with rounding errors the package makes useless exchanges
    matrix = np.round(1000 * matrix).astype(dtype)
    for seed in range(10):
        first = np.random.default_rng(seed).permutation(200)[:15]
        state, cost, _ = optimised(prviz.kmedoids(matrix, 15, optimiser), first)
        if optimiser == "swap":
            theirs = kmedoids.fasterpam(matrix, first.astype(np.uint64), 10_000, n_cpu=1)
        else:
            theirs = kmedoids.alternating(matrix, first.astype(np.uint64), 10_000)
        assert sorted(state.medoids.tolist()) == sorted(theirs.medoids.tolist())
        assert cost == theirs.loss


def test_restart_draws_all_medoids_uniformly():
    problem = prviz.kmedoids(LINE, 3)
    drawn = []
    for past in ([0, 1, 2], [4, 3, 2]):
        rng, state = np.random.default_rng(0), placed(problem, past).state
        drawn.append([])
        for _ in range(3000):
            kernels.reinitialise(problem, state, np.arange(3), 0.0, rng)
            drawn[-1].append(tuple(state.medoids.tolist()))
    assert drawn[0] == drawn[1]
    counts = [drawn[0].count(order) for order in itertools.permutations(range(5), 3)]
    assert sum(counts) == 3000
    assert max(abs(count - 50) for count in counts) < 5 * math.sqrt(50)


def test_redrawn_medoid_becomes_a_non_medoid():
    problem = prviz.kmedoids(LINE, 3)
    counts = dict.fromkeys(range(5), 0)
    for seed in range(400):
        state = placed(problem, [0, 1, 2]).state
        kernels.reinitialise(problem, state, np.array([1]), 0.9, np.random.default_rng(seed))
        assert state.medoids[[0, 2]].tolist() == [0, 2]
        counts[int(state.medoids[1])] += 1
    assert counts[0] == counts[1] == counts[2] == 0
    assert abs(counts[3] - 200) < 50  # five standard deviations


def test_local_heuristic_moves_a_medoid_to_a_point_near_a_medoid():
    # 40 points on a line with increasing gaps, and medoids at 0, 10, 20, 30. Near the medoid at 0
    # are 0 … 9, a quarter of all, which is less than 2 n/k = 20.
    x = np.arange(40.0) + 0.01 * np.arange(40.0) ** 2
    line = np.abs(np.subtract.outer(x, x))
    problem = prviz.kmedoids(line, 4)
    rng, counts = np.random.default_rng(0), np.zeros(40)
    begun = placed(problem, [0, 10, 20, 30]).state
    for _ in range(2000):
        state, order = copied(begun), np.arange(4)
        assert kernels.select(problem, state, Redraw(1, math.nan, LOCAL), rng, order) == 1
        kernels.reinitialise(problem, state, order[:1], 0.0, rng)
        assert (np.delete(state.medoids, order[0]) == np.delete([0, 10, 20, 30], order[0])).all()
        if order[0] == 0:
            counts[state.medoids[0]] += 1
    assert counts[[0, 10, 20, 30]].tolist() == [0, 0, 0, 0]
    # the medoid at 0 moves near 0 with probability 5/8, and near 10, 20 and 30 with 1/8 each
    free = np.delete(np.arange(40), [0, 10, 20, 30])
    chance = np.zeros(40)
    for home, weight in zip([0, 10, 20, 30], [5 / 8, 1 / 8, 1 / 8, 1 / 8], strict=True):
        near = np.intersect1d(np.argsort(line[home], kind="stable")[:10], free)
        chance[near] += weight / len(near)
    expected = counts.sum() * chance[free]
    assert (np.abs(counts[free] - expected) <= 5 * np.sqrt(expected)).all()


def test_local_heuristic_chooses_any_free_point_if_none_is_near():
    problem = prviz.kmedoids(np.repeat(LINE, 4, 0).repeat(4, 1), 15)
    state, order = placed(problem, np.arange(15)).state, np.arange(15)
    rng = np.random.default_rng(0)
    kernels.select(problem, state, Redraw(1, math.nan, LOCAL), rng, order)
    kernels.reinitialise(problem, state, order[:1], 0.0, rng)
    assert state.medoids[order[0]] >= 15
    drawn = []
    for destination in (-1, 3):
        state.destinations[:] = destination
        kernels.reinitialise(problem, state, np.arange(15), 0.0, np.random.default_rng(1))
        drawn.append(state.medoids.tolist())
    assert drawn[0] == drawn[1]
    assert (state.destinations == -1).all()


def test_unknown_subset_is_rejected():
    kmeans = prviz.kmeans(np.arange(10.0)[:, None], 3)
    for arguments in ({"subset": "local"}, {"levels": [Level(1, 2, subset="local"), Level(3)]}):
        with pytest.raises(ValueError, match="has no sub-sets 'local'; it has: random"):
            prviz.run(kmeans, **arguments)
    with pytest.raises(ValueError, match="no sub-sets 'nearby'; it has: random, local"):
        prviz.run(prviz.kmedoids(LINE, 2), subset="nearby")
    run = prviz.run(prviz.kmedoids(LINE, 2), subset="local", calls=5)
    assert run.levels[0].subset == "local"


def test_kmedoids_accepts_a_data_frame_and_a_float32_matrix():
    import pandas as pd

    assert prviz.kmedoids(pd.DataFrame(LINE), 2).by_point.tolist() == LINE.tolist()
    assert prviz.kmedoids(LINE.astype(np.float32), 2).by_point.dtype == np.float32
    assert prviz.kmedoids(LINE.astype(int), 2).by_point.dtype == np.float64


def test_symmetric_matrix_is_stored_as_one_copy():
    mine = LINE.copy()
    problem = prviz.kmedoids(mine, 2)
    mine[0, 1] = 99
    assert problem.by_point is problem.by_medoid
    assert problem.by_point[0, 1] == 1
    assert prviz.kmedoids(mine, 2).by_medoid[1, 0] == 99


@cases("empty", [0.0, math.nan])
@cases("triangle", ["lower", "upper"])
def test_kmedoids_fills_an_empty_triangle_from_the_other_with_a_warning(triangle, empty):
    given = np.tri(5, k=-1, dtype=bool) == (triangle == "upper")
    np.fill_diagonal(given, True)
    half = np.where(given, LINE, empty)
    with pytest.warns(prviz.datasets.DataWarning, match=f"The {triangle} triangle .* is empty"):
        problem = prviz.kmedoids(half, 2)
    assert problem.by_point.tolist() == LINE.tolist()


def test_kmedoids_accepts_a_missing_triangle_and_diagonal():
    with pytest.warns(prviz.datasets.DataWarning, match="upper triangle"):
        problem = prviz.kmedoids(np.where(np.tri(5, k=-1), LINE, math.nan), 2)
    assert problem.by_point.tolist() == LINE.tolist()


def test_kmedoids_does_not_mirror_a_matrix_with_an_entry_below_the_diagonal():
    matrix = np.triu(LINE)
    matrix[4, 0] = 1.0
    assert prviz.kmedoids(matrix, 2).by_point.tolist() == matrix.tolist()


def test_kmedoids_clears_rounding_errors_on_the_diagonal():
    assert prviz.kmedoids(LINE + 1e-9 * np.eye(5), 2).by_point.tolist() == LINE.tolist()


def wrong(value):
    matrix = LINE.copy()
    matrix[1, 2] = value
    return matrix


@cases(
    ("arguments", "kind", "said"),
    [
        ((LINE, 0), ValueError, r"at least 1 and below the number of points \(5\), got 0"),
        ((LINE, 5), ValueError, r"below the number of points \(5\), got 5"),
        ((LINE, 2.5), TypeError, "n_clusters must be a whole number, got 2.5"),
        ((LINE, 2, "pam"), ValueError, "optimiser must be 'alternate' or 'swap', got 'pam'"),
        ((LINE[:3], 2), ValueError, r"must be square.*got shape \(3, 5\)"),
        ((np.zeros(4), 2), ValueError, "must be square"),
        (([[0, 1], [1]], 1), ValueError, "must be square"),
        (([], 1), ValueError, "empty"),
        ((LINE + 2 * np.eye(5), 2), ValueError, r"\[0, 0\] is 2: the diagonal must be 0"),
        ((20 - LINE, 2), ValueError, r"like a matrix of similarities. .* matrix.max\(\) - matrix"),
        ((np.eye(5), 2), ValueError, "like a matrix of similarities"),
        (([[3.0]], 1), ValueError, "the diagonal must be 0"),
        ((wrong(math.nan), 2), ValueError, r"dissimilarity\[1, 2\] is nan"),
        ((wrong(math.inf), 2), ValueError, r"dissimilarity\[1, 2\] is inf"),
        ((wrong(math.inf).astype(np.float32), 2), ValueError, r"dissimilarity\[1, 2\] is inf"),
        ((wrong(-1), 2), ValueError, r"dissimilarity\[1, 2\] is -1: it must be at least 0"),
        ((wrong(1e300), 2), ValueError, r"dissimilarity\[1, 2\] is 1e\+300: it is too large"),
        (([["a", "b"], ["c", "d"]], 1), TypeError, "must hold real numbers"),
        ((LINE * 1j, 2), TypeError, "must hold real numbers"),
        ((np.ma.masked_equal(LINE, 5), 2), ValueError, "masked"),
        ((csr_array(LINE), 2), TypeError, "dissimilarity must be an array, got csr_array"),
    ],
)
def test_invalid_input_is_rejected(arguments, kind, said):
    with pytest.raises(kind, match=said) as caught:
        prviz.kmedoids(*arguments)
    assert "\n" not in str(caught.value)


def test_dissimilarity_equals_scikit_learn():
    points = np.array([[0.0, 0.0], [3.0, 4.0]])
    assert prviz.dissimilarity(points).tolist() == [[0, 25], [25, 0]]
    assert prviz.dissimilarity(points, "euclidean").tolist() == [[0, 5], [5, 0]]
    assert prviz.dissimilarity(points, "manhattan").tolist() == [[0, 7], [7, 0]]
    for metric in ("nearby", None, 3):
        with pytest.raises((ValueError, TypeError), match="metric must be one of") as caught:
            prviz.dissimilarity(points, metric)
        assert "\n" not in str(caught.value)


def test_too_large_matrix_is_rejected_before_allocation(monkeypatch):
    monkeypatch.setattr(memory, "machine_memory", lambda: 1e6)
    prviz.dissimilarity(np.zeros((200, 1)))
    with pytest.raises(MemoryError, match=r"300 points.*need 0\.00216 GB.* has 0\.001 GB"):
        prviz.dissimilarity(np.zeros((300, 1)))


def test_huge_and_tiny_dissimilarities_give_finite_costs():
    for scale in (1e-150, 1e145):
        run = prviz.run(prviz.kmedoids(LINE * scale, 2, "swap"), seed=0, calls=20)
        assert run.best_cost == pytest.approx(10 * scale)


def test_partial_alternate_beats_restarts_on_faces(data_dir):
    faces = prviz.datasets.faces900()
    problem = prviz.kmedoids(prviz.dissimilarity(faces.points), faces.n_clusters, "alternate")
    partial = prviz.run(problem, k1=1, m1=10**6, seed=0, calls=3000)
    full = prviz.run(problem, k1=faces.n_clusters, seed=0, calls=100)
    assert faces.best_known <= partial.best_cost < 0.95 * full.best_cost
    assert partial.best_cost == pytest.approx(
        total_dissimilarity(problem.by_point, partial.best_state.medoids)
    )


@cases("dtype", [np.float32, np.float64])
def test_equally_near_neighbours_are_sorted_by_number(dtype):
    rng = np.random.default_rng(0)
    matrix = rng.integers(0, 4, (60, 60)).astype(dtype)
    neighbours, reaches = nearest_neighbours(matrix, 10)
    order = np.argsort(matrix, axis=1, kind="stable")[:, : neighbours.shape[1]]
    np.testing.assert_array_equal(neighbours, order)
    np.testing.assert_array_equal(reaches, np.take_along_axis(matrix, order, axis=1))


@cases(
    ("entries", "exact"),
    [
        ([0.0, 1.0, 2.0**52], False),  # the sum of three such numbers needs more than 53 bits
        ([0.0, 1.0, 2.0**50], True),
        ([0.0, 0.5, 0.75], True),
        ([0.0, 0.1, 0.2], False),
        (np.float32([0.0, 0.1, 0.2]), True),  # exact sums: 24 bits each, similar exponents
        (np.float32([0.0, 1e-30, 1.0]), False),
        ([0.0, 5e-324, 1e-320], True),
        ([0.0, 0.0, 0.0], True),
    ],
)
def test_sums_are_exact_if_float64_suffices(entries, exact):
    matrix = np.array([entries, entries, entries])
    assert sums_are_exact(matrix) == exact


def test_cluster_cache_does_not_change_the_search():
    points = np.random.default_rng(0).normal(size=(60, 2))
    walk = TracedSearch(
        prviz.kmedoids(prviz.dissimilarity(points), 6, "alternate"), hierarchy(6), 0
    )
    walk.step(calls=300)
    resumed, _ = walk.snapshot().resume()  # the resumed search has an empty cache
    assert np.count_nonzero(walk.search.state.known[:, 0]) > 100
    assert not resumed.state.known.any()
    fresh = kernels.optimise(walk.problem, resumed.state, np.random.default_rng(0))
    knowing = kernels.optimise(walk.problem, walk.search.state, np.random.default_rng(0))
    assert fresh == knowing
    assert resumed.state.medoids.tolist() == walk.search.state.medoids.tolist()
