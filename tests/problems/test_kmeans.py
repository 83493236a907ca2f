"""k-means equals hand calculations, brute force, scikit-learn, and plain Lloyd."""

import math

import numba
import numpy as np
import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import best_wcss, wcss
from oracles.kmeans import plain_kmeans

import prviz
from prviz.engine import kernels
from prviz.engine.algorithm import iterate_on, start
from prviz.engine.schedule import Level, Schedule
from prviz.problems.kmeans import estimates
from prviz.problems.kmeans.state import Settled
from prviz.search.traced_search import TracedSearch

JIT_OFF = numba.config.DISABLE_JIT
LINE = np.array([[0.0], [1.0], [5.0], [6.0], [20.0]])


def settled(problem, centers):
    """Return a search with given centres, before any iteration."""
    search = start(problem, Schedule.from_levels([Level(problem.k)], problem.k), None)
    search.state.centers[...] = centers
    return search


def optimised(problem, centers):
    search = settled(problem, centers)
    cost, iterations = kernels.optimise(problem, search.state, np.random.default_rng(0))
    return search.state, cost, iterations


@cases("kmeans", [prviz.kmeans, plain_kmeans])
def test_lloyd_equals_a_hand_calculation(kmeans):
    # Centres 0 and 1 have the clusters {0} and {1 5 6 20}. The next centres 0 and 8 have {0 1} and
    # {5 6 20}; 0.5 and 31/3 have {0 1 5} and {6 20}; 2 and 13 have {0 1 5 6} and {20}, because 6 is
    # nearer to 2 than to 13. With 3 and 20, no label changes.
    problem = kmeans(LINE, 2)
    state, cost, iterations = optimised(problem, [[0.0], [1.0]])
    assert state.labels.tolist() == [0, 0, 0, 0, 1]
    assert (cost, iterations) == (9 + 4 + 4 + 9, 5)
    search = settled(problem, [[0.0], [1.0]])
    seen = []
    while not iterate_on(problem, search, np.random.default_rng(0), 1)[1]:
        seen.append(search.state.centers.ravel().tolist())
    assert seen == [[0.0, 8.0], [0.5, 31 / 3], [2.0, 13.0], [3.0, 20.0]]


@cases("kmeans", [prviz.kmeans, plain_kmeans])
def test_an_empty_centre_stays_where_it_is(kmeans):
    state, cost, _ = optimised(kmeans(LINE, 3), [[0.0], [10.0], [1000.0]])
    assert state.centers[2, 0] == 1000.0
    assert 2 not in state.labels
    assert cost == wcss(LINE, state.centers)


@cases("kmeans", [prviz.kmeans, plain_kmeans])
def test_ties_between_equal_centres_go_to_the_lower_number(kmeans):
    problem = kmeans(LINE, 2)
    state = settled(problem, [[5.0], [5.0]]).state
    assert not kernels.iterate(problem, state, np.random.default_rng(0))
    assert state.labels.tolist() == [0] * 5
    # the empty centre stays; the next assignment gives it four points
    assert state.centers.ravel().tolist() == [6.4, 5.0]
    kernels.optimise(problem, state, np.random.default_rng(0))
    assert state.labels.tolist() == [1, 1, 1, 1, 0]


@cases("kmeans", [prviz.kmeans, plain_kmeans])
def test_means_are_updated_even_if_no_label_changes(kmeans):
    problem = kmeans(LINE, 2)
    state, _, _ = optimised(problem, [[3.0], [20.0]])
    kernels.reinitialise(problem, state, np.array([1]), 0.0, _draws(19))
    state.centers[1] = 19.0
    kernels.optimise(problem, state, np.random.default_rng(0))
    assert state.centers.ravel().tolist() == [3.0, 20.0]


def _draws(seed):
    return np.random.default_rng(seed)


small_points = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=7
).map(lambda rows: np.array(rows, float))


@settings(max_examples=20)
@given(small_points, st.integers(1, 3), st.integers(0, 99))
def test_long_search_finds_the_brute_force_optimum(points, k, seed):
    k = min(k, len(np.unique(points, axis=0)))
    run = prviz.run(prviz.kmeans(points, k), k1=1, m1=10, seed=seed, calls=200)
    best = best_wcss(points, k)
    assert run.best_cost >= best - 1e-9
    assert run.best_cost == pytest.approx(wcss(points, run.best_state.centers), abs=1e-9)
    assert run.best_cost == pytest.approx(best, abs=1e-9)


@st.composite
def clouds(draw):
    """Generate points in 1 to 4 dimensions: lattices with ties, clusters, lines, duplicates."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, d = draw(st.integers(1, 80)), draw(st.integers(1, 4))
    kind = draw(st.sampled_from(["lattice", "normal", "clusters", "line", "far"]))
    points = rng.normal(size=(n, d))
    if kind == "lattice":
        points = rng.integers(0, 4, size=(n, d)).astype(float)
    elif kind == "clusters":
        points = rng.normal(size=(n, d)) * 0.01 + rng.integers(0, 3, size=(n, 1)) * 10
    elif kind == "line":
        points = np.arange(n, dtype=float)[:, None] * np.ones(d)
    elif kind == "far":
        points = rng.integers(0, 50, size=(n, d)) + 1e6
    return points, kind


@given(clouds(), st.integers(1, 12), st.integers(0, 99), st.sampled_from(["forgy", "k-means++"]))
def test_incremental_lloyd_equals_plain_lloyd(cloud, k, seed, init):
    """Compare call by call from one configuration: labels, iterations and costs."""
    points, kind = cloud
    k = min(k, len(np.unique(points, axis=0)))
    fast, plain = (kmeans(points, k, init) for kmeans in (prviz.kmeans, plain_kmeans))
    state = kernels.allocate(fast)
    rng = np.random.default_rng(seed)
    order = np.arange(k)
    for call in range(12):
        size = k if call % 6 == 0 else int(rng.integers(1, k + 1))
        rng.shuffle(order)
        kernels.reinitialise(fast, state, order[:size], 0.0 if call % 6 == 0 else 0.5, rng)
        oracle = kernels.allocate(plain)
        oracle.centers[...] = state.centers
        before = kernels.cost(fast, state)
        assert before == pytest.approx(kernels.cost(plain, oracle), rel=1e-9, abs=1e-9)
        cost, iterations = kernels.optimise(fast, state, rng)
        plain_cost, plain_iterations = kernels.optimise(plain, oracle, rng)
        # with integers, sums are exact and both implementations break ties equally
        if kind in ("lattice", "line", "far"):
            np.testing.assert_array_equal(state.labels, oracle.labels)
            assert iterations == plain_iterations
        if np.array_equal(state.labels, oracle.labels):
            np.testing.assert_allclose(state.centers, oracle.centers, rtol=1e-9, atol=1e-9)
            assert cost == pytest.approx(plain_cost, rel=1e-9, abs=1e-9)
        else:  # rounding broke a tie differently, so the fits differ; both must end in optima
            assert _is_lloyd_optimum(points, state)


def _is_lloyd_optimum(points, state) -> bool:
    distances = ((points[:, None] - state.centers[None]) ** 2).sum(axis=2)
    own = distances[np.arange(len(points)), state.labels]
    return bool((own <= distances.min(axis=1) * (1 + 1e-9) + 1e-12).all())


@given(
    st.integers(1, 64),
    st.integers(30, 120),
    st.integers(2, 20),
    st.booleans(),
    st.sampled_from(["lattice", "clusters", "duplicates"]),
    st.integers(0, 10**6),
)
def test_search_equals_the_plain_search_in_any_dimension(d, n, k, weighted, kind, seed):
    """Compare calls, redraws and reverts on integers, where ties are broken equally."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 5, size=(n, d)).astype(float)
    if kind == "clusters":
        points += 40 * rng.integers(0, 2, size=(n, 1))
    elif kind == "duplicates":
        points = points[rng.integers(0, n // 3, size=n)]
    k = min(k, len(np.unique(points, axis=0)))
    weights = rng.integers(1, 4, size=n) if weighted else None
    schedule = Schedule.from_levels([Level(1, 6), Level(k)], k)
    fast, plain = (
        TracedSearch(kmeans(points, k, weights=weights), schedule, seed)
        for kmeans in (prviz.kmeans, plain_kmeans)
    )
    for _ in range(13):
        fast.step(calls=1)
        plain.step(calls=1)
        if not np.array_equal(fast.search.state.labels, plain.search.state.labels):
            # by rounding, only one of the two searches kept a configuration of equal cost
            assert _is_lloyd_optimum(points, fast.search.state)
            return
        assert fast.search.costs[0] == pytest.approx(plain.search.costs[0], rel=1e-9, abs=1e-9)


def test_long_jump_updates_all_bounds():
    """In 16 dimensions, every cluster is near every other. Labels stay correct after long jumps."""
    rng = np.random.default_rng(5)
    points = rng.normal(size=(400, 16))
    fast, plain = (kmeans(points, 20) for kmeans in (prviz.kmeans, plain_kmeans))
    state, oracle = settled(fast, points[:20]).state, kernels.allocate(plain)
    for _ in range(12 if JIT_OFF else 200):
        kernels.cost(fast, state)
        leaper = rng.integers(20)
        state.centers[leaper] = points[rng.integers(400)] + 0.1 * rng.normal(size=16)
        state.centers[(leaper + 1) % 20] += 0.01 * rng.normal(size=16)
        oracle.centers[...] = state.centers
        assert kernels.cost(fast, state) == pytest.approx(kernels.cost(plain, oracle), rel=1e-12)
        np.testing.assert_array_equal(state.labels, oracle.labels)


@given(st.integers(3, 70), st.integers(2, 90), st.integers(1, 9), st.integers(0, 10**6))
def test_scores_are_squared_distances_within_their_error(d, n, k, seed):
    rng = np.random.default_rng(seed)
    scale, shift = 10.0 ** rng.integers(-140, 130), rng.normal(size=d)
    points = scale * (rng.normal(size=(n, d)) * 10.0 ** rng.integers(-4, 1) + shift)
    scaled = estimates.scaled_by(points)
    unit = scaled.unit
    centers = points[rng.integers(n, size=k)] + unit * rng.normal(size=(k, d)) * 0.1
    members = kernels.allocate(prviz.kmeans(points, 1)).members
    settled = Settled(None, None, None, *estimates.scores_at_zero(scaled, k))
    for j in range(k):
        estimates.note_centre(scaled, centers, j, settled, j)
    position, scores = np.arange(n + estimates.PAIR), estimates.empty_scores(n, d)
    estimates.gather(d, members, 0, position, n, scores)
    chosen = np.arange(k)
    estimates.two_least_scores(scores, n, settled, chosen, k)
    length, least, second, label = scores.length, scores.least, scores.next, scores.nearest
    error = estimates.error_of_scores(scaled, settled)
    distances = np.sort((((points[:, None] - centers[None]) / unit) ** 2).sum(axis=2), axis=1)
    assert (np.abs(length[:n] + least[:n] - distances[:, 0]) <= error).all()
    if k > 1:
        assert (np.abs(length[:n] + second[:n] - distances[:, 1]) <= error).all()
        clear = distances[:, 1] - distances[:, 0] > 2 * error
        nearest = ((points[:, None] - centers[None]) ** 2 / unit**2).sum(axis=2).argmin(axis=1)
        assert (label[:n] == nearest)[clear].all()
    estimates.least_scores(scores.batch, n, settled, chosen, k, scores.own)
    np.testing.assert_array_equal(scores.own[:n], least[:n])
    upper, margin = np.zeros((2, n))
    estimates.bounds(length, least, second, n, error, unit, upper, margin)
    near = unit * np.sqrt(distances[:, 0])
    assert (upper[:n] >= near).all()
    if k > 1:
        assert (margin[:n] <= unit * np.sqrt(distances[:, 1]) - near).all()


@cases("kmeans", [prviz.kmeans, plain_kmeans])
def test_weights_equal_repeated_points_in_a_hand_calculation(kmeans):
    # Centres 0 and 1 have the clusters {0} and {1 5 6 20}. The next centres are 0 and (1 + 5 + 6 +
    # 60)/6 = 12, with {0 1 5 6} and {20}, because 6 is equally far from both and the first centre
    # wins. With 3 and 20, no label changes.
    problem = kmeans(LINE, 2, weights=[1, 1, 1, 1, 3])
    state, cost, iterations = optimised(problem, [[0.0], [1.0]])
    assert state.centers.ravel().tolist() == [3.0, 20.0]
    assert (cost, iterations) == (9 + 4 + 4 + 9, 3)
    search = settled(problem, [[0.0], [19.0]])
    assert kernels.cost(problem, search.state) == 0 + 1 + 25 + 36 + 3 * 1


@given(clouds(), st.integers(1, 6), st.integers(0, 99))
def test_weighted_lloyd_equals_lloyd_on_repeated_rows(cloud, k, seed):
    """Compare plain and incremental Lloyd from one start, with weights and with repeated rows."""
    points, kind = cloud
    points = np.unique(points, axis=0)
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 5, len(points))
    k = min(k, len(points))
    start = points[rng.choice(len(points), k, replace=False)]
    ends = [
        optimised(kmeans(rows, k, weights=heavy), start)
        for rows, heavy in ((points, weights), (points.repeat(weights, axis=0), None))
        for kmeans in (prviz.kmeans, plain_kmeans)
    ]
    first, cost, iterations = ends[0]
    for state, other_cost, other_iterations in ends[1:]:
        if kind in ("lattice", "line", "far"):  # with integers, sums are exact
            assert state.centers.tolist() == first.centers.tolist()
            assert other_iterations == iterations
        # if the centres differ, rounding broke a tie differently
        if np.allclose(state.centers, first.centers):
            assert other_cost == pytest.approx(cost, rel=1e-9, abs=1e-9)
        else:
            assert kind in ("normal", "clusters")


@cases("init", ["forgy", "k-means++"])
def test_points_are_drawn_in_proportion_to_weight(init):
    points, weights = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([1.0, 2.0, 3.0, 6.0])
    problem = prviz.kmeans(points, 2, init, weights=weights)
    state, rng = kernels.allocate(problem), np.random.default_rng(0)
    drawn = []
    for _ in range(6000):
        kernels.reinitialise(problem, state, np.arange(2), 0.0, rng)
        drawn.append(state.centers.ravel().astype(int).copy())
    first, second = np.array(drawn).T
    assert (first != second).all()  # points are drawn without replacement
    often = np.bincount(first, minlength=4) / len(first)
    np.testing.assert_allclose(often, weights / 12, rtol=0, atol=4 * np.sqrt(0.25 / 6000))


def test_tournament_uses_weights():
    """Use two heavy points among light ones: their centres are never the cheapest to remove."""
    points = np.array([[0.0], [1.0], [10.0], [11.0], [20.0], [21.0]])
    weights = np.array([1e6, 1e6, 1, 1, 1, 1])
    runs = [
        prviz.run(kmeans(points, 3, weights=weights), 1, subset="tournament", calls=60)
        for kmeans in (prviz.kmeans, plain_kmeans)
    ]
    assert runs[0].trace.hash() == runs[1].trace.hash()
    assert sorted(runs[0].best_state.centers.ravel()) == [0.0, 1.0, 15.5]


@cases(
    ("weights", "complaint"),
    [
        ([1, 2, 3], r"shape \(5,\), got \(3,\)"),
        ([1, 1, 0, 1, 1], r"weights\[2\] is 0: weights must be above 0"),
        ([1, 1, np.nan, 1, 1], r"weights\[2\] is nan"),
        (["a"] * 5, "real numbers"),
        ([[1], [1, 2]], "one-dimensional"),
    ],
)
def test_invalid_weights_are_rejected(weights, complaint):
    with pytest.raises((TypeError, ValueError), match=complaint):
        prviz.kmeans(LINE, 2, weights=weights)


def test_weights_of_1_count_like_no_weights():
    assert len(prviz.kmeans(LINE, 2, weights=np.ones(5)).weights) == 0


def test_whole_search_equals_the_plain_search():
    points = np.random.default_rng(3).integers(0, 10_000, size=(600, 2)).astype(float)
    schedule = Schedule.from_levels([Level(1, 20), Level(5, 3), Level(12)], 12)
    traces, calls = [], 20 if JIT_OFF else 150
    for kmeans in (prviz.kmeans, plain_kmeans):
        search = TracedSearch(kmeans(points, 12), schedule, 7)
        while search.calls < calls:
            search.step(calls=calls - search.calls)
        traces.append(search.trace())
    fast, plain = traces
    np.testing.assert_array_equal(fast.iterations, plain.iterations)
    np.testing.assert_array_equal(fast.kept, plain.kept)
    np.testing.assert_allclose(fast.cost, plain.cost, rtol=1e-9)


def test_blocks_contain_every_point_once():
    """Clusters grow and shrink, so blocks move and are rebuilt; no point may be lost."""
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.normal(size=(300, 2)), rng.normal(size=(10, 2)) + 50])
    problem = prviz.kmeans(points, 8)
    search = TracedSearch(problem, Schedule.two_level(3, 4, 8), 0)
    for _ in range(6 if JIT_OFF else 60):
        search.step(calls=3)
        state = search.search.state
        members = []
        for j, (begin, count) in enumerate(zip(*state.clusters[:2], strict=True)):
            numbers = state.members.point[begin : begin + count]
            members.extend(numbers.tolist())
            columns = state.members.columns[:, begin : begin + count]
            np.testing.assert_array_equal(columns.T, points[numbers])
            assert (state.labels[numbers] == j).all()
        assert sorted(members) == list(range(len(points)))


@cases("name", ["a3", "s1", "s2"])
def test_lloyd_equals_scikit_learn(name, data_dir):
    from sklearn.cluster import KMeans

    data = getattr(prviz.datasets, name)()
    k = {"a3": 50}.get(name, 15)
    problem = prviz.kmeans(data.points, k)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        initial = data.points[rng.choice(len(data.points), k, replace=False)]
        theirs = KMeans(k, init=initial, n_init=1, tol=0, max_iter=10_000, algorithm="lloyd")
        theirs.fit(data.points)
        state, cost, _ = optimised(problem, initial)
        np.testing.assert_array_equal(state.labels, theirs.labels_)
        assert cost == pytest.approx(theirs.inertia_, rel=1e-9)


def test_forgy_puts_centres_on_points_without_replacement():
    points = np.arange(40.0).reshape(20, 2)
    problem = prviz.kmeans(points, 20)
    state = kernels.allocate(problem)
    kernels.reinitialise(problem, state, np.arange(20), 0.0, np.random.default_rng(0))
    assert sorted(state.centers.tolist()) == points.tolist()


def test_alpha_moves_a_centre_part_of_the_way():
    points = np.array([[0.0, 0.0], [8.0, 8.0]])
    problem = prviz.kmeans(points, 2)
    for seed in range(5):
        state = kernels.allocate(problem)
        state.centers[...] = [[4.0, 0.0], [1.0, 1.0]]
        kernels.reinitialise(problem, state, np.array([0]), 0.75, np.random.default_rng(seed))
        # equation (1): 0.75 (4, 0) + 0.25 ξ with ξ one of the two points
        assert state.centers[0].tolist() in ([3.0, 0.0], [5.0, 2.0])
        assert state.centers[1].tolist() == [1.0, 1.0]


def test_alpha_one_changes_nothing():
    run = prviz.run(prviz.kmeans(LINE, 2), k1=1, m1=5, alpha=1.0, seed=0, calls=20)
    trace = run.trace
    partial = trace.level == 1
    assert (trace.cost[partial] == trace.cost[np.flatnonzero(partial) - 1]).all()


def test_k_means_plus_plus_starts_at_a_lower_cost_than_forgy():
    points = np.random.default_rng(0).normal(size=(500, 2)) + 20 * np.random.default_rng(
        1
    ).integers(0, 5, size=(500, 1))
    costs = {}
    for init in ("forgy", "k-means++"):
        problem = prviz.kmeans(points, 15, init)
        starts = []
        for seed in range(30):
            state = kernels.allocate(problem)
            kernels.reinitialise(problem, state, np.arange(15), 0.0, np.random.default_rng(seed))
            assert (points[:, None] == state.centers[None]).all(axis=2).any(axis=0).all()
            starts.append(kernels.cost(problem, state))
        costs[init] = np.median(starts)
    assert costs["k-means++"] < 0.7 * costs["forgy"]


def test_search_reaches_the_best_known_cost_of_a3(data_dir):
    data = prviz.datasets.a3()
    run = prviz.run(prviz.kmeans(data.points, 50), k1=1, m1=100, seed=0, calls=3000)
    assert run.best_cost <= 28937415099.69 * (1 + 1e-5)
    full = prviz.run(prviz.kmeans(data.points, 50), k1=50, seed=0, calls=200)
    assert full.best_cost > 28937415099.69 * 1.05


@cases("scale", [1e-150, 1e140])
def test_tiny_and_huge_coordinates_give_finite_costs(scale):
    points = np.random.default_rng(0).normal(size=(30, 2)) * scale
    run = prviz.run(prviz.kmeans(points, 3), seed=0, calls=20)
    assert math.isfinite(run.best_cost) and run.best_cost >= 0


def test_degenerate_data_are_searched():
    assert prviz.run(prviz.kmeans([[3.0, 4.0]], 1), calls=3).best_cost == 0
    assert prviz.run(prviz.kmeans(np.zeros((9, 2)), 1), calls=3).best_cost == 0
    points = np.arange(10.0).reshape(5, 2)
    assert prviz.run(prviz.kmeans(points, 5), calls=5).best_cost == 0  # k = n
    doubled = np.repeat(points, 4, axis=0)
    assert prviz.run(prviz.kmeans(doubled, 5), calls=400).best_cost == 0


@cases(
    ("arguments", "kind", "said"),
    [
        ((LINE, 0), ValueError, "between 1 and the number of points, 5, got 0"),
        ((LINE, 6), ValueError, "between 1 and the number of points, 5, got 6"),
        ((LINE, 2.5), TypeError, "n_clusters must be a whole number, got 2.5"),
        ((np.zeros((5, 2)), 2), ValueError, "more than the 1 distinct points: choose at most 1"),
        ((LINE, 2, "best"), ValueError, "init must be 'forgy' or 'k-means"),
        (([], 1), ValueError, "empty"),
        (([[1.0, math.nan]], 1), ValueError, "is nan"),
        (([[1.0, math.inf]], 1), ValueError, "inf"),
        (([[1.0, 2.0], [1e300, 2.0]], 1), ValueError, "1e"),
        (([["a", "b"]], 1), (TypeError, ValueError), "number"),
        (([[1.0, 2.0], [3.0]], 1), ValueError, "points"),
    ],
)
def test_invalid_input_is_rejected(arguments, kind, said):
    with pytest.raises(kind, match=said) as caught:
        prviz.kmeans(*arguments)
    assert "\n" not in str(caught.value)


def test_infinite_sums_of_squares_are_rejected():
    with pytest.raises(ValueError, match="sum of squared distances is infinite"):
        prviz.kmeans([[0.0], [1e149]], 1, weights=[1e150, 1e150])
