"""Energies equal hand calculations and brute force; the fast search equals the plain one."""

import itertools
import math

import numba
import numpy as np
import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.ising import plain_ising

import prviz
from prviz.datasets import glass, torus
from prviz.engine import kernels
from prviz.engine.schedule import Level, Schedule
from prviz.engine.subsets import Redraw, heuristic_number
from prviz.problems.ising.annealing import COLDEST, HOTTEST, SKIPPED, SWEEPS, first_sweep
from prviz.problems.ising.descent import BITS, lowest_bit, settle
from prviz.problems.ising.problem import OPTIMISERS
from prviz.problems.ising.subsets import DRAWN, SUBSETS
from prviz.search.traced_search import TracedSearch

JIT_OFF = numba.config.DISABLE_JIT
TRIANGLE = {(0, 1): 1, (1, 2): 1, (0, 2): -1}
BOTH = [prviz.ising, plain_ising]


def placed(problem, spins):
    state = kernels.allocate(problem)
    state.spins[...] = spins
    return state


def energy(J, h, spins):
    """Return E = −Σ_{i<j} J_ij s_i s_j − Σ h_i s_i of a dense symmetric J."""
    spins = np.asarray(spins, float)
    return -0.5 * spins @ J @ spins - h @ spins


def of_all(n):
    return np.array(list(itertools.product((-1, 1), repeat=n)))


def ground_energy_by_rows(couplings):
    """Compute row by row the lowest energy of all 2^(L²) configurations of an L × L torus."""
    side = couplings.shape[0]
    rows = of_all(side)
    within, between = np.zeros((side, len(rows)), int), np.zeros((side, *2 * [len(rows)]), int)
    for (i, j), weight in zip(couplings.pairs.tolist(), couplings.weights.tolist(), strict=True):
        (a, b), (c, d) = divmod(i, side), divmod(j, side)
        if a == c:
            within[a] -= int(weight) * rows[:, b] * rows[:, d]
        else:
            # the last spin has the first as neighbour
            upper, this, that = (a, b, d) if c == a + 1 else (c, d, b)
            between[upper] -= int(weight) * np.outer(rows[:, this], rows[:, that])
    # energy of each row and of its bonds to the next row
    steps = (within[:, :, None] + between).astype(np.int8)
    lowest = 0
    for first in range(len(rows) // 2):  # flipping all spins gives the other half
        total = steps[0][first]  # energy of row 0 and its bonds, for each state of row 1
        for row in range(1, side - 1):
            total = total[..., None] + steps[row]
        total = total + steps[side - 1][:, first]
        lowest = min(lowest, int(total.min()))
    return lowest


@cases("ising", BOTH)
def test_a_triangle_is_frustrated(ising):
    problem = ising(TRIANGLE)
    found = prviz.run(problem, calls=20)
    assert found.best_cost == -1.0  # one of its three bonds cannot be satisfied
    s = found.best_state.spins.tolist()
    assert [s[0] * s[1], s[1] * s[2], -s[0] * s[2]].count(1) == 2


@cases("ising", BOTH)
def test_descent_equals_a_hand_calculation(ising):
    # A ferromagnetic chain + − + −: flipping 0 or 3 gains 2, flipping 1 or 2 gains 4. The
    # descent starts at spin 0: it flips spin 0 (− − + −), then spin 2 (− − − −).
    problem = ising({(0, 1): 1, (1, 2): 1, (2, 3): 1}, optimiser="descent")
    state, rng, seen = placed(problem, [1, -1, 1, -1]), np.random.default_rng(0), []
    while not kernels.iterate(problem, state, rng):
        seen.append((state.spins.tolist(), kernels.cost(problem, state)))
    assert seen == [([-1, -1, 1, -1], 3 - 2), ([-1, -1, -1, -1], -3)]


@cases("ising", BOTH)
def test_energy_includes_fields(ising):
    rng = np.random.default_rng(1)
    J = np.triu(rng.integers(-3, 4, size=(6, 6)), 1)
    h = rng.integers(-2, 3, size=6) / 4
    problem = ising(J + J.T, h)
    for spins in of_all(6):
        state = placed(problem, spins)
        if ising is prviz.ising:
            settle(problem, state)
        assert kernels.cost(problem, state) == energy(J + J.T, h, spins)


@pytest.mark.parametrize("side", [4, 5])
def test_ground_state_is_found(side):
    couplings = torus(side, seed=side)
    lowest = ground_energy_by_rows(couplings)
    if side == 4:
        J = np.zeros((16, 16))
        J[tuple(couplings.pairs.T)] = couplings.weights
        spins = of_all(16).astype(float)
        assert lowest == (-np.einsum("ni,ij,nj->n", spins, J, spins, optimize=True)).min()
    problem = prviz.ising(couplings)
    for subset in SUBSETS:
        found = prviz.run(problem, k1=4, m1=50, subset=subset, calls=3000, target=lowest)
        assert found.best_cost == lowest, subset


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.integers(1, 9))
def test_qubo_optimum_equals_brute_force(seed, n):
    Q = np.random.default_rng(seed).integers(-9, 10, size=(n, n))
    problem = prviz.qubo(Q)
    costs = []
    for spins in of_all(n):
        state = placed(problem, spins)
        settle(problem, state)
        x = (1 + spins) // 2
        assert kernels.cost(problem, state) == x @ Q @ x
        costs.append(x @ Q @ x)
    assert prviz.run(problem, k1=max(1, n // 3), calls=400).best_cost == min(costs)


@cases("ising", BOTH)
def test_tabu_search_escapes_a_local_optimum(ising):
    # Two ferromagnetic rings of four spins with weak antiferromagnetic coupling. With one ring up
    # and one ring down, each spin is stable, and flipping a ring needs an uphill path.
    ring = {(0, 1): 2, (1, 2): 2, (2, 3): 2, (0, 3): 2}
    both = ring | {(i + 4, j + 4): J for (i, j), J in ring.items()} | {(0, 4): 1}
    stuck, rng = [1, 1, 1, 1, -1, -1, -1, -1], np.random.default_rng(0)
    held = ising(both, optimiser="descent")
    assert kernels.optimise(held, placed(held, stuck), rng) == (-16 + 1, 1)
    free = ising(both, optimiser="tabu")
    state = placed(free, stuck)
    # the last iteration finds no lower energy
    assert kernels.optimise(free, state, rng) == (-16 - 1, 2)
    assert abs(state.spins.sum()) == 8


def test_annealing_cools_in_equal_steps_relative_to_the_local_fields():
    # a ring: Σ_j J_ij² + h_i² = 2 · 4² + 2² = 36, so a local field is typically 6
    betas = prviz.ising({(0, 1): 4, (1, 2): -4, (0, 2): 4}, [2, 2, -2]).betas
    assert len(betas) == SWEEPS
    assert betas * 6 == pytest.approx(np.linspace(HOTTEST, COLDEST, SWEEPS))


def test_annealing_begins_later_if_fewer_spins_are_redrawn():
    glass = prviz.ising(prviz.datasets.torus((10, 10)))
    first = [first_sweep(glass, k) for k in (100, 10, 1, 0)]
    assert first == [0, SWEEPS * SKIPPED / 2, SWEEPS * SKIPPED, SWEEPS]  # log₁₀₀ 10 = 1/2


def test_sweep_accepts_flips_with_the_probability_of_metropolis():
    # free spins, all along a field of 1: each flips with probability e^(−2β)
    n, beta = 20_000, 0.5
    glass = prviz.ising({(0, n - 1): 0}, [1.0] * n)._replace(betas=np.array([beta, beta]))
    state = placed(glass, [1] * n)
    state.sweep[0] = 0
    assert not kernels.iterate(glass, state, np.random.default_rng(0))
    assert np.mean(state.spins < 0) == pytest.approx(np.exp(-2 * beta), abs=0.015)
    assert state.energy[0] == -state.spins.sum()
    assert kernels.iterate(glass, state, np.random.default_rng(0))  # descent after the last sweep
    assert (state.spins == 1).all()


LEVELS = (Level(1, 3), Level(4, 4), Level(9, 2))


def made(seed, whole):
    """Draw couplings: sparse or dense, with or without fields, some with more than 64 spins."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 80))
    J = np.triu(rng.normal(size=(n, n)) * (rng.random((n, n)) < rng.choice([0.05, 0.3, 1.0])), 1)
    return (np.rint(3 * J) if whole else J), (rng.normal(size=n) if seed % 2 else None)


@pytest.mark.parametrize("optimiser", OPTIMISERS)
@settings(max_examples=25)
@given(st.integers(0, 10_000), st.booleans(), st.sampled_from(SUBSETS))
def test_fast_search_equals_plain_search(optimiser, seed, whole, subset):
    J, h = made(seed, whole)
    calls = 60 if optimiser == "descent" else 2 if JIT_OFF else 12  # annealing, tabu: slow
    levels = [level._replace(subset=subset) for level in LEVELS] + [Level(len(J))]
    fast, plain = (
        prviz.run(ising(J, h, optimiser), levels=levels, seed=seed, calls=calls) for ising in BOTH
    )
    assert fast.trace.hash() == plain.trace.hash()
    assert fast.best_state.spins.tolist() == plain.best_state.spins.tolist()


@pytest.mark.parametrize("optimiser", ["annealing", "descent"])
@given(st.integers(0, 10_000), st.sampled_from(SUBSETS))
def test_updated_caches_equal_recomputed_ones(optimiser, seed, subset):
    J, h = made(seed, False)
    levels = [level._replace(subset=subset) for level in LEVELS] + [Level(len(J))]
    problem = prviz.ising(J, h, optimiser)
    search = TracedSearch(problem, Schedule.from_levels(levels, len(J)), seed)
    for calls in (1, 2, 40):
        search.step(calls=calls)
        state = search.search.state
        afresh = placed(problem, state.spins)
        settle(problem, afresh)
        for field in ("gains", "unstable", "energy"):
            assert getattr(state, field).tolist() == getattr(afresh, field).tolist()
        J2, h2 = J + J.T, np.zeros(len(J)) if h is None else h
        assert state.energy[0] == pytest.approx(energy(J2, h2, state.spins), rel=1e-12, abs=1e-12)
        best = search.best_state()  # the best state may be a checkpoint, whose gains are not stored
        assert kernels.optimise(problem, best, search.rng)[0] <= search.search.best_cost


def test_work_of_call_and_revert_is_proportional_to_flips():
    n = 3000
    ring = {(i, (i + 1) % n): 1.0 for i in range(n)}
    search = TracedSearch(
        prviz.ising(ring, optimiser="descent"), Schedule.two_level(2, 10**6, n), seed=0
    )
    search.step(calls=1)
    journal = search.search.state.journal
    before = int(journal[n])
    rows = search.step(calls=200)
    turned = int(journal[n]) - before
    assert (rows.kept[:200, 0] != 0).any()
    assert turned <= 200 * 20 < n * 200  # spins flipped by calls, and flipped back by reverts


def test_scan_for_unstable_spins_wraps_around():
    n = 3 * BITS + 5
    problem = prviz.ising({(i, i + 1): 1.0 for i in range(n - 1)}, np.zeros(n))
    for down in (0, BITS - 1, BITS, 2 * BITS + 3, n - 1):
        spins = np.ones(n)
        spins[down] = -1
        state = placed(problem, spins)
        state.cursor[0] = (down + 1) % n
        # only `down` is unstable: a spin beside it agrees with one of its two neighbours
        while not kernels.iterate(problem, state, np.random.default_rng(0)):
            pass
        assert kernels.cost(problem, state) <= -(n - 3)
        assert state.unstable.sum() == 0


@given(st.integers(1, 2**32 - 1))
def test_position_of_the_lowest_bit_is_returned(word):
    assert format(word, "b")[::-1].index("1") == lowest_bit(np.int64(word))


def test_couplings_are_rounded_to_multiples_of_one_unit():
    problem = prviz.ising({(0, 1): 0.1, (1, 2): 1 / 3, (0, 2): 1e-30}, [math.pi, 0, 0])
    J = 0.5 * problem.doubled[problem.starts[1] : problem.starts[2]]
    np.testing.assert_allclose(J, [0.1, 1 / 3], rtol=0, atol=2.0**-50 * (math.pi + 1))
    assert len(problem.neighbours) == 4  # 1e-30 is far below the last bit of any energy
    whole = prviz.ising({(0, 1): 10**9, (1, 2): 1})
    assert (0.5 * whole.doubled).tolist() == [10**9, 10**9, 1, 1]


# ---- sub-sets ----------------------------------------------------------------------------------


def chosen(problem, state, size, subset, seed):
    order = np.arange(kernels.n_variables(problem))
    how = Redraw(size, math.nan, heuristic_number(subset))
    count = kernels.select(problem, state, how, np.random.default_rng(seed), order)
    assert sorted(order.tolist()) == list(range(len(order)))
    return order[:count].tolist()


@cases("size", [1, 5, 13])
def test_a_patch_is_a_ball_around_a_spin(size):
    problem = prviz.ising(torus((9, 9)))
    state = placed(problem, np.ones(81))
    seeds = set()
    for seed in range(50):
        patch = chosen(problem, state, size, "patch", seed)
        seeds.add(patch[0])
        away = [
            sum(min(d, 9 - d) for d in (abs(a - b) for a, b in zip(*place, strict=True)))
            for place in ((divmod(spin, 9), divmod(patch[0], 9)) for spin in patch)
        ]
        assert away == sorted(away)
        assert away == ([0] + 4 * [1] + 8 * [2])[:size]  # by distance: 1, 4 and 8 spins
    assert len(seeds) > 25


def test_patch_continues_elsewhere_if_no_neighbour_is_free():
    problem = prviz.ising({(0, 1): 1, (2, 3): 1, (4, 5): 1})
    for seed in range(20):
        patch = chosen(problem, placed(problem, np.ones(6)), 4, "patch", seed)
        assert {*patch[:2]} in ({0, 1}, {2, 3}, {4, 5})
        assert {*patch[2:]} in ({0, 1}, {2, 3}, {4, 5})


def test_weak_heuristic_chooses_the_smallest_of_a_few_local_fields():
    # spin i has local field i + 1
    problem = prviz.ising({(0, 1): 0.0, (0, 7): 1e-9}, np.arange(1.0, 9.0))
    state, times = placed(problem, np.ones(8)), 3000
    settle(problem, state)
    counts = np.bincount(
        [chosen(problem, state, 1, "weak", seed)[0] for seed in range(times)], minlength=8
    )
    # probability that all drawn spins have this local field or a larger one
    at_least = ((8 - np.arange(9)) / 8) ** DRAWN
    chances = -np.diff(at_least)
    assert (np.abs(counts - times * chances) <= 5 * np.sqrt(times * chances) + 1).all()


# ---- known optima ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["t3g5", "bqp50-1"])
def test_the_proven_optimum_of_a_benchmark_is_reached(data_dir, name):
    data = glass(name)
    make = prviz.qubo if name.startswith("bqp") else prviz.ising
    found = prviz.run(make(data), k1=10, subset="patch", calls=20_000, target=data.best_known)
    assert found.best_cost == data.best_known


# ---- invalid input -----------------------------------------------------------------------------


@cases(
    ("couplings", "fields", "error", "words"),
    [
        ([[0, 1], [2, 0]], None, ValueError, r"differ at \[0, 1\] and \[1, 0\]"),
        ([[0, 1, 0], [0, 0, 0], [1, 0, 0]], None, ValueError, "neither symmetric nor triangular"),
        ([[1, 1], [1, 0]], None, ValueError, "no spin is coupled to itself"),
        ([[0, 1]], None, ValueError, "square matrix"),
        ([[0, math.nan], [0, 0]], None, ValueError, r"\[0, 1\] is not a finite number"),
        ([["a"]], None, TypeError, "real numbers"),
        ({}, None, ValueError, "at least one pair"),
        ({(0, 1): 1, (1, 0): 1}, None, ValueError, "pair of 0 and 1 twice"),
        ({(0.5, 1): 1}, None, TypeError, "whole numbers from 0"),
        ({"ab": 1, "c": 2}, None, TypeError, "a dictionary of pairs of numbers"),
        (TRIANGLE, [1, 2], ValueError, "3 numbers, one per spin"),
        ({(0, 1): 1e308, (1, 2): 1e308}, None, ValueError, "too large"),
    ],
)
def test_invalid_spin_glass_is_rejected(couplings, fields, error, words):
    with pytest.raises(error, match=words):
        prviz.ising(couplings, fields)


def test_unknown_optimiser_and_flat_qubo_are_rejected():
    with pytest.raises(ValueError, match="'annealing', 'descent' or 'tabu'"):
        prviz.ising(TRIANGLE, optimiser="quick")
    with pytest.raises(ValueError, match="square matrix"):
        prviz.qubo([1, 2])


def test_sparse_matrix_is_accepted():
    sparse = pytest.importorskip("scipy.sparse")
    J = np.zeros((5, 5))
    J[0, 1], J[1, 4] = 2.0, -1.0
    for matrix in (J, J + J.T, sparse.csr_matrix(J), sparse.coo_array(J + J.T)):
        made = prviz.ising(matrix)
        assert made.starts.tolist() == [0, 1, 3, 3, 3, 4]
        assert made.neighbours.tolist() == [1, 0, 4, 1]
        assert (made.doubled / 2).tolist() == [2, 2, -1, -1]


@cases("subset", SUBSETS)
def test_spins_without_couplings_follow_their_fields(subset):
    """A zero matrix of couplings is valid, for example as a part of a larger problem."""
    problem = prviz.ising(np.zeros((4, 4)), [1.0, -2.0, 0.5, 0.0])
    run = prviz.run(problem, k1=2, subset=subset, calls=9)
    assert run.best_cost == -3.5
    assert run.best_state.spins[:3].tolist() == [1, -1, 1]


def test_patch_continues_with_each_neighbour_equally_often():
    """Each of a spin's six neighbours must be the second spin in a sixth of all patches."""
    problem, times = prviz.ising(torus((5, 5, 5))), 6000
    state, rng, order = placed(problem, np.ones(125)), np.random.default_rng(0), np.arange(125)
    how, firsts = Redraw(9, math.nan, heuristic_number("patch")), np.zeros(6)
    for _ in range(times):
        order[:] = np.arange(125)
        kernels.select(problem, state, how, rng, order)
        around = problem.neighbours[6 * order[0] : 6 * order[0] + 6].tolist()
        firsts[around.index(order[1])] += 1
    assert (np.abs(firsts - times / 6) < 5 * np.sqrt(times / 6)).all()


def test_masked_couplings_and_fields_are_rejected():
    couplings = np.array([[0.0, 1.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match="couplings must not have masked entries"):
        prviz.ising(np.ma.masked_equal(couplings, 1))
    with pytest.raises(ValueError, match="fields must not have masked entries"):
        prviz.ising(couplings, np.ma.masked_equal([1.0, 2.0], 2))
