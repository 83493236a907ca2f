"""k-means++ restarts and random swap agree with hand calculations and scikit-learn."""

import numpy as np
import pytest
from cases import cases
from contending import POINTS, caller, calls
from sklearn.cluster import KMeans

import prviz
from prviz.baselines import KMeansPlusPlus, RandomSwap, ScikitLearnKMeans
from prviz.baselines.seeding import spread_out
from prviz.search.traced_search import generator

RANDOM = np.random.default_rng(8).normal(size=(25, 2))


def nearest(points, centers):
    """Return the squared distance of each point to the nearest centre, and its index."""
    away = ((points[:, None] - centers) ** 2).sum(axis=2)
    return away.min(axis=1), away.argmin(axis=1)


def moved(points, centers):
    """Run one iteration of Lloyd: assign all points, then move all centres."""
    _, labels = nearest(points, centers)
    means = [points[labels == j].mean(axis=0) if j in labels else c for j, c in enumerate(centers)]
    return np.array(means)


def lloyd(points, centers):
    """Return the final cost and the number of iterations, including the last one without moves."""
    iterations, before = 0, None
    while before is None or not np.allclose(before, centers, rtol=0, atol=1e-12):
        before, centers = centers, moved(points, centers)
        iterations += 1
    return nearest(points, centers)[0].sum(), iterations


def test_initial_centers_are_drawn_by_squared_distance():
    """Draw two of 0, 1 and 3: the second by its squared distance from the first."""
    columns, rng, n = np.array([[0.0, 1.0, 3.0]]), np.random.default_rng(0), 20_000
    pairs, counts = np.unique(
        [spread_out(columns, 2, rng) for _ in range(n)], axis=0, return_counts=True
    )
    expected = {(0, 1): 1, (0, 2): 9, (1, 0): 1, (1, 2): 4, (2, 0): 9, (2, 1): 4}
    totals = {0: 10, 1: 5, 2: 13}
    assert [*map(tuple, pairs.tolist())] == sorted(expected)
    for pair, count in zip(map(tuple, pairs.tolist()), counts, strict=True):
        p = expected[pair] / totals[pair[0]] / 3
        assert abs(count - n * p) < 5 * np.sqrt(n * p * (1 - p))


def test_initial_centres_are_distinct_points():
    """Initial centres are distinct even if rounding pushes a draw past the last possible point."""

    class Last:
        def integers(self, low, high):
            return high - 1

        def random(self):
            return 1.0

    with prviz.plain_python():
        assert spread_out(np.array([[0.0, 1.0, 5.0, 5.0]]), 2, Last()).tolist() == [3, 1]
    columns = np.repeat([[0.0, 1.0, 5.0]], 4, axis=1)
    for seed in range(50):
        chosen = spread_out(columns, 3, np.random.default_rng(seed))
        assert sorted(columns[0, chosen]) == [0, 1, 5]


def test_restart_of_kmeans_plus_plus_equals_seeding_then_lloyd():
    problem = prviz.kmeans(
        RANDOM, 5, init="k-means++"
    )  # the problem's own seeding draws other points
    made = calls(caller(problem, KMeansPlusPlus(), 4), 1)
    seeds = spread_out(np.ascontiguousarray(RANDOM.T), 5, generator(4))
    cost, iterations = lloyd(RANDOM, RANDOM[seeds])
    assert made == [(pytest.approx(cost, rel=1e-12), 1 + iterations)]


def test_greedy_restarts_are_full_restarts_from_greedy_seeds():
    """Compare with a search with greedy seeds, whose iterations do not include the seeding."""
    ours = prviz.run(prviz.kmeans(RANDOM, 8, init="k-means++"), k1=8, seed=2, calls=5).trace
    made = calls(caller(prviz.kmeans(RANDOM, 8), KMeansPlusPlus(greedy=True), 2), 5)
    # the seeding counts as 2 + ⌊ln 8⌋ iterations
    assert made == [*zip(ours.cost, ours.iterations + 4, strict=True)]


def test_restarts_equal_those_of_scikit_learn():
    rng = generator(6)
    for cost, iterations in calls(caller(prviz.kmeans(RANDOM, 8), ScikitLearnKMeans(), 6), 4):
        seed = int(rng.integers(2**32))
        theirs = KMeans(8, n_init=1, tol=0, random_state=seed).fit(RANDOM)
        assert cost == pytest.approx(theirs.inertia_, rel=1e-12)
        assert iterations == theirs.n_iter_ + 4  # the seeding counts as 2 + ⌊ln 8⌋ iterations


def after_swap(points, centers, j, i):
    """Run random swap as in the paper: move centre j to point i, assign, run two iterations."""
    swapped = centers.copy()
    swapped[j] = points[i]
    for _ in range(2):
        swapped = moved(points, swapped)
    return swapped, nearest(points, swapped)[0].sum()


@pytest.mark.parametrize("k", [1, 4])
def test_each_call_of_random_swap_equals_a_swap_and_two_iterations(k):
    walk = caller(prviz.kmeans(RANDOM, k), RandomSwap(), 2)
    ((cost, _),) = calls(walk, 1)
    swaps, kept = set(), 0
    for _ in range(30):
        before, held = walk.x.centers.copy(), cost
        ((reached, iterations),) = calls(walk, 1)
        ways = {
            (j, i): after_swap(RANDOM, before, j, i) for j in range(k) for i in range(len(RANDOM))
        }
        (swap,) = [way for way, (_, c) in ways.items() if abs(c - reached) < 1e-9][:1]
        swaps.add(swap)
        assert iterations <= 2
        if reached < held:
            np.testing.assert_allclose(np.sort(walk.x.centers, 0), np.sort(ways[swap][0], 0))
            cost, kept = reached, kept + 1
        else:
            np.testing.assert_array_equal(walk.x.centers, before)
    assert k == 1 or (len(swaps) > 20 and kept > 1)  # with k = 1, a swap changes nothing


def test_swap_without_gain_is_reverted():
    """With centres on both points, 0 and 2, no swap lowers the cost."""
    walk = caller(prviz.kmeans([[0.0], [2.0]], 2), RandomSwap(), 0)
    ((cost, _),) = calls(walk, 1)
    before = walk.x.centers.copy()
    assert cost == 0.0
    for _ in range(20):
        assert calls(walk, 1)[0][0] >= 0.0
        np.testing.assert_array_equal(walk.x.centers, before)


@cases("contender", [KMeansPlusPlus(), RandomSwap(), ScikitLearnKMeans()])
def test_weighted_points_are_rejected(contender):
    heavy = prviz.kmeans(POINTS, 2, weights=np.arange(1, len(POINTS) + 1))
    with pytest.raises(ValueError, match="has no weights: each weight must be 1"):
        contender.begin(heavy, 0)
