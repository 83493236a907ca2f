"""Test each step of prviz.minimize alone."""

import math

import numpy as np
import pytest

from prviz.custom.minimizing.evaluations import Domain
from prviz.custom.minimizing.evolution import cholesky, ended, generation, new_evolution, open_run
from prviz.custom.minimizing.line import descend


def test_descent_finds_the_minimum_along_a_line_in_few_evaluations():
    seen = []
    found = descend(lambda t: seen.append(t) or (t - 0.3) ** 2, 0.25, 0.0, 1.0, 0.01)
    assert found == pytest.approx(0.3, abs=1e-6) and len(seen) < 12


def test_descent_ends_at_a_bound():
    assert descend(lambda t: -t, 0.2, 0.0, 1.0, 0.01) == 1.0


def test_descent_gives_up_far_above_its_goal():
    seen = []
    descend(lambda t: seen.append(t) or 5 + t * t, 0.25, -1.0, 1.0, 0.01, goal=0.0)
    assert len(seen) < 9


def test_evolution_learns_a_turned_ellipsoid():
    rng = np.random.default_rng(0)
    turn = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    scales = 10.0 ** np.arange(4)
    evolution, best = new_evolution(4), [math.inf]

    def f(u):
        value = float(np.sum(scales * (turn @ (u - 0.3)) ** 2))
        best[0] = min(best[0], value)
        return value

    open_run(evolution, np.full(4, 0.8), rng)
    while not ended(evolution):
        generation(evolution, f, rng)
    assert best[0] < 1e-10 and evolution.numbers[5] < 3000


def test_evolution_doubles_its_population_or_takes_a_small_one():
    rng, sizes = np.random.default_rng(0), []
    evolution = new_evolution(2)
    for _ in range(5):
        open_run(evolution, rng.random(2), rng)
        sizes.append(int(evolution.numbers[1]))
        while not ended(evolution):
            generation(evolution, lambda u: float(u @ u), rng)
    assert sizes[0] == 6 and set(sizes) == {6, 12}


def test_cholesky_equals_numpy():
    a = np.random.default_rng(0).normal(size=(5, 5))
    assert cholesky(a @ a.T) == pytest.approx(np.linalg.cholesky(a @ a.T))
    assert cholesky(-np.eye(2)) is None


def test_domain_mirrors_points_at_their_bounds():
    low, high = np.array([0.0, -np.inf, 1.0]), np.array([2.0, 3.0, 1.0])
    domain = Domain(np.zeros(3), low, high, 1.0)
    assert domain.fold(np.array([2.5, 4.0, 7.0])).tolist() == [1.5, 2.0, 1.0]
    assert domain.fold(np.array([-4.5, -9.0, 0.0])).tolist() == [0.5, -9.0, 1.0]
