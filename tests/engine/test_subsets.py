"""The sub-set heuristics choose the right number of variables, and the right new places."""

import math
from collections import defaultdict
from functools import cache

import numpy as np
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.kmeans import plain_kmeans

import prviz
from prviz.engine import kernels
from prviz.engine.dispatch import arrays_of
from prviz.engine.schedule import Schedule
from prviz.engine.subsets import ANYWHERE, Redraw, heuristic_number
from prviz.problems import PROBLEMS
from prviz.problems.hmm.states.subsets import NO_BOND
from prviz.problems.kmeans.subsets import CENTERS, POINTS
from prviz.search.traced_search import TracedSearch
from prviz.testing import copied

CASES = {
    f"{entry.id}, {case}": problem
    for entry in PROBLEMS.values()
    for case, problem in entry.cases().items()
}
#: Names of the cases by problem, type and heuristic.
HEURISTICS = defaultdict(list)
for name, problem in CASES.items():
    for subset in kernels.subsets(problem):
        HEURISTICS[f"{name.split(',')[0]}, {type(problem).__name__}, {subset}"].append(name)


def found(problem, seed):
    """Return a state at a local optimum."""
    search = TracedSearch(problem, Schedule.two_level(1, 2, kernels.n_variables(problem)), seed)
    search.step(calls=2)
    return search.search.state


@cache
def optimum_of(case, seed):
    """Return the state of :func:`found` for a case. Copy it before changing it."""
    return found(CASES[case], seed)


def drawn(problem, state, redraw, rng):
    order = np.arange(kernels.n_variables(problem))
    return order[: kernels.select(problem, state, redraw, rng, order)]


@cases("heuristic", HEURISTICS)
@settings(max_examples=15)
@given(st.data())
def test_heuristic_redraws_k_variables_reproducibly(heuristic, data):
    case, subset = data.draw(st.sampled_from(HEURISTICS[heuristic])), heuristic.split(", ")[-1]
    problem, seed = CASES[case], data.draw(st.integers(0, 4))
    size = data.draw(st.integers(1, kernels.n_variables(problem)))
    alike = []
    for _ in range(2):
        state, rng = copied(optimum_of(case, seed)), np.random.default_rng(seed)
        chosen = drawn(problem, state, Redraw(size, math.nan, heuristic_number(subset)), rng)
        assert len(chosen) == len(set(chosen.tolist())) == size
        kernels.reinitialise(problem, state, chosen, 0.0, rng)
        alike.append((chosen.tolist(), *(array.tobytes() for array in arrays_of(state))))
    assert alike[0] == alike[1]


@cases("heuristic", [each for each in HEURISTICS if not each.endswith("random")])
def test_probability_gives_a_binomial_number_of_variables(heuristic):
    problem, subset = CASES[HEURISTICS[heuristic][-1]], heuristic.split(", ")[-1]
    state, rng = found(problem, 0), np.random.default_rng(0)
    N, draws = kernels.n_variables(problem), 1000
    p = min(0.3, 3 / N)
    sizes = []
    for _ in range(draws):
        chosen = drawn(problem, state, Redraw(1, p, heuristic_number(subset)), rng)
        assert len(set(chosen.tolist())) == len(chosen)
        kernels.reinitialise(problem, state, chosen, 1.0, rng)  # α = 1 keeps x if α applies
        sizes.append(len(chosen))
    # Number of variables chosen together: the weights and the bias of a hidden unit.
    together = problem.examples.shape[1] + 1 if subset == "unit" else 1
    assert abs(np.mean(sizes) - p * N) < 5 * math.sqrt(p * (1 - p) * N * together / draws)
    assert 0 in sizes  # a sub-set is empty with probability (1 − 3/N)ᴺ ≥ 1 %


def assert_shares(counts, chances):
    """Check that counts of independent draws agree with their probabilities within five σ."""
    counts, chances = np.asarray(counts), np.asarray(chances)
    total = counts.sum()
    spread = np.sqrt(total * chances * (1 - chances))
    assert (np.abs(counts - total * chances) <= 5 * spread + 1e-9).all(), counts


# ---- k-means -----------------------------------------------------------------------------------


def settled(points, centers):
    """Return k-means of points on a line, and a state with these centres and their labels."""
    problem = prviz.kmeans(np.asarray(points, float)[:, None], len(centers))
    state = kernels.allocate(problem)
    state.centers[:, 0] = centers
    kernels.cost(problem, state)
    return problem, state


def test_neighbours_heuristic_chooses_a_random_centre_and_the_nearest_to_it():
    problem, state = settled(range(8), [0.0, 7.0, 1.0, 3.0])
    rng, pairs, times = np.random.default_rng(0), {}, 2000
    for _ in range(times):
        pair = drawn(problem, state, Redraw(2, math.nan, heuristic_number("neighbours")), rng)
        pairs[tuple(pair.tolist())] = pairs.get(tuple(pair.tolist()), 0) + 1
        assert (state.destinations == ANYWHERE).all()
    expected = {(0, 2), (1, 3), (2, 0), (3, 2)}  # positions: (0, 1), (7, 3), (1, 0), (3, 1)
    assert pairs.keys() == expected
    assert_shares([*pairs.values()], 4 * [1 / 4])
    for _ in range(20):
        three = drawn(
            problem, state, Redraw(3, math.nan, heuristic_number("neighbours")), rng
        ).tolist()
        assert three in ([0, 2, 3], [1, 3, 2], [2, 0, 3], [3, 2, 0])


# Ten points at each of four centres. Removing a centre adds 10·10/20 times the squared distance to
# the nearest other centre: 5, 5, 405 and 500.
FOUR = [0.0, 1.0, 10.0, 20.0]


def test_tournament_removes_the_cheapest_of_a_few_centres():
    problem, state = settled(np.repeat(FOUR, 10), FOUR)
    rng, times = np.random.default_rng(0), 4000
    removed = np.zeros((4, 4))
    for _ in range(times):
        chosen = drawn(problem, state, Redraw(2, math.nan, heuristic_number("tournament")), rng)
        removed[chosen[0], chosen[1]] += 1
    # probability that all drawn centres come after this one in the order of their costs
    dearer = np.array([3 / 4, 1 / 2, 1 / 4, 0]) ** CENTERS
    chances = -np.diff(dearer, prepend=1)  # 0 and 1 cost the same: the first drawn wins
    first = removed.sum(axis=1)
    assert_shares([first[:2].sum(), *first[2:]], [chances[:2].sum(), *chances[2:]])
    assert_shares(first[:2], [1 / 2, 1 / 2])
    # without the centre at 0, removing 1 or 10 costs 405, and removing 20 costs 500
    dearest = (1 / 3) ** CENTERS
    assert_shares(removed[0, 1:], [(1 - dearest) / 2, (1 - dearest) / 2, dearest])


def test_an_empty_cluster_is_the_cheapest_to_remove():
    problem, state = settled([0.0, 0.1, 5.0, 5.1, 9.0, 9.2], [0.05, 5.05, 9.1, 40.0])
    rng = np.random.default_rng(0)
    removed = [
        drawn(problem, state, Redraw(1, math.nan, heuristic_number("tournament")), rng)[0]
        for _ in range(500)
    ]
    chance = 1 - (3 / 4) ** CENTERS
    assert_shares([500 - removed.count(3), removed.count(3)], [1 - chance, chance])


def test_tournament_moves_a_centre_to_the_worst_represented_of_a_few_points():
    # the points are at distances 0, 1, 3, 7, 0, 2, 11 from their centre
    points = [0.0, 1.0, 3.0, 7.0, 107.0, 109.0, 118.0]
    problem, state = settled(points, [0.0, 107.0])
    rng, times = np.random.default_rng(0), 3000
    visits = np.zeros(len(points))
    for _ in range(times):
        chosen = drawn(problem, state, Redraw(1, math.nan, heuristic_number("tournament")), rng)
        destination = state.destinations[chosen[0]]
        kernels.reinitialise(problem, state, chosen, 0.0, rng)
        assert state.centers[chosen[0], 0] == points[destination]
        assert (state.destinations == ANYWHERE).all()
        visits[destination] += 1
        state.centers[:, 0] = [0.0, 107.0]
        kernels.cost(problem, state)
    rank = np.array([2, 3, 5, 6, 2, 4, 7])  # number of points at the same or a smaller distance
    below = (rank / 7) ** POINTS
    merged = [0, 4]  # both are at distance 0: the one drawn first wins
    chances = np.diff(np.sort(np.unique(below)), prepend=0)
    by_rank = [visits[rank == r].sum() for r in (2, 3, 4, 5, 6, 7)]
    assert_shares(by_rank, chances)
    assert_shares(visits[merged], [1 / 2, 1 / 2])


def test_alpha_mixes_the_old_place_and_the_destination():
    problem, state = settled([0.0, 8.0, 100.0], [4.0, 100.0])
    state.destinations[0] = 1
    kernels.reinitialise(problem, state, np.array([0]), 0.75, np.random.default_rng(0))
    assert state.centers[:, 0].tolist() == [5.0, 100.0]


@given(st.integers(0, 99), st.sampled_from(["neighbours", "tournament"]), st.integers(2, 12))
def test_incremental_and_plain_lloyd_choose_the_same_centres(seed, subset, k):
    """Compare the chosen centres and their destinations after each call of a search."""
    points = np.random.default_rng(seed).integers(0, 10_000, size=(200, 2)).astype(float)
    problems = [kmeans(points, k) for kmeans in (prviz.kmeans, plain_kmeans)]
    redraw = Redraw(1 + k // 3, math.nan, heuristic_number(subset))
    search = TracedSearch(problems[0], Schedule.two_level(1, 4, k, subset=subset), seed)
    for _ in range(8):
        search.step(calls=1)
        alike = []
        for problem in problems:
            state, rng = kernels.allocate(problem), np.random.default_rng(search.calls)
            if problem is problems[0]:
                kernels.copy_state(problem, state, search.search.state)
            state.centers[...] = search.search.state.centers
            kernels.cost(problem, state)
            alike.append([drawn(problem, state, redraw, rng).tolist(), state.destinations.tolist()])
        assert alike[0] == alike[1]


def test_tournament_solves_a3_more_often_than_random(data_dir):
    """Compare after the same number of calls; ``benchmarks/subsets.py`` measures the gain."""
    data = prviz.datasets.a3()
    problem = prviz.kmeans(data.points, 50)
    solved = [
        sum(
            prviz.run(problem, m1=1000, subset=subset, seed=seed, calls=100).best_cost
            <= data.best_known * (1 + 1e-5)
            for seed in range(10)
        )
        for subset in ("random", "tournament")
    ]
    assert solved[1] >= solved[0] + 5


# ---- hidden Markov models ----------------------------------------------------------------------

#: Strong links 0 → 1 → 2, a weak link 3 → 0, and 5 → 4, too weak to count. Each row sums to 1.
CHAIN = np.zeros((6, 6))
CHAIN[0, 1], CHAIN[1, 2], CHAIN[3, 0], CHAIN[5, 4] = 0.9, 0.8, 0.3, NO_BOND / 2
CHAIN += np.diag(1 - CHAIN.sum(axis=1))

EITHER = cases("baum_welch", ["sparse", "plain"])


def chained(baum_welch):
    problem = prviz.hmm("010011", 6, baum_welch=baum_welch)
    state = kernels.allocate(problem)
    state.transition[...] = CHAIN
    return problem, state


@EITHER
def test_linked_states_are_chosen_together(baum_welch):
    problem, state = chained(baum_welch)
    rng, times = np.random.default_rng(0), 3000
    first, pairs = np.zeros(6), np.zeros((6, 6))
    for _ in range(times):
        a, b = drawn(problem, state, Redraw(2, math.nan, heuristic_number("together")), rng)
        first[a] += 1
        pairs[a, b] += 1
    assert_shares(first, 6 * [1 / 6])
    strongest = {0: 1, 1: 0, 2: 1, 3: 0}  # the strongest links of 0 (0.9) and 2 (0.8) lead to 1
    for a, b in strongest.items():
        assert pairs[a, b] == first[a]
    for lone in (4, 5):  # the link 5 → 4 is too weak to count
        assert_shares(np.delete(pairs[lone], lone), 5 * [1 / 5])


@EITHER
def test_choice_follows_the_links_of_all_chosen_states(baum_welch):
    problem, state = chained(baum_welch)
    found_together = set()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        chosen = drawn(
            problem, state, Redraw(4, math.nan, heuristic_number("together")), rng
        ).tolist()
        if chosen[0] < 4:
            found_together.add(tuple(chosen))
    assert found_together == {(0, 1, 2, 3), (1, 0, 2, 3), (2, 1, 0, 3), (3, 0, 1, 2)}


# ---- Boltzmann machines ------------------------------------------------------------------------

MACHINE = prviz.rbm(np.eye(3), 2, epochs=5)
#: Three visible and two hidden units. The parameters are the weights (0 to 5), the visible biases
#: (6, 7, 8) and the hidden biases (9, 10).
UNITS = ({0, 2, 4, 9}, {1, 3, 5, 10})
VISIBLE = {6, 7, 8}


# a part of a unit; one unit; one and a part; two; two and two visible biases
@cases("size", [1, 4, 7, 8, 10])
def test_unit_heuristic_chooses_whole_units_then_random_parameters(size):
    problem = MACHINE
    state, rng = found(problem, 0), np.random.default_rng(0)
    times, draws = np.zeros(11), 1000
    for _ in range(draws):
        chosen = drawn(problem, state, Redraw(size, math.nan, heuristic_number("unit")), rng)
        times[chosen] += 1
        held = sorted(len(unit & {*chosen.tolist()}) for unit in UNITS)
        biases = len(VISIBLE & {*chosen.tolist()})
        assert (held, biases) == (
            ([max(0, min(4, size - 4)), min(4, size)]), max(0, size - 8)
        )  # fmt: skip
    hidden = np.delete(times, [*VISIBLE])
    spread = 5 * math.sqrt(draws) / 2  # at least five standard deviations of a count
    assert (np.abs(hidden - draws * min(size, 8) / 8) <= spread).all()
    assert (np.abs(times[[*VISIBLE]] - draws * max(0, size - 8) / 3) <= spread).all()


def test_probability_applies_to_units_and_visible_biases_separately():
    problem = MACHINE
    state, rng = found(problem, 0), np.random.default_rng(0)
    times, draws = np.zeros(11), 2000
    for _ in range(draws):
        chosen = {*drawn(problem, state, Redraw(1, 0.2, heuristic_number("unit")), rng).tolist()}
        assert all(len(unit & chosen) in (0, 4) for unit in UNITS)
        times[[*chosen]] += 1
    assert (np.abs(times - 0.2 * draws) <= 5 * math.sqrt(draws * 0.2 * 0.8)).all()
