"""Each step of basin hopping and annealing equals a hand calculation."""

import math

import numpy as np
import pytest
from contending import caller, calls

import prviz
from prviz.baselines import Annealing, BasinHopping
from prviz.engine import kernels
from prviz.problems.landscape import REACH, heights
from prviz.search.traced_search import generator

PROBLEM = prviz.landscape(3, seed=2)


def descended(position):
    """Return the end of the problem's own descent, the height there, and the number of steps."""
    state = kernels.allocate(PROBLEM)
    state.position[:] = position
    cost, iterations = kernels.optimise(PROBLEM, state, generator(0))
    return state.position, cost, iterations


def test_basin_hopping_equals_a_hand_calculation():
    rng, made = generator(5), calls(caller(PROBLEM, BasinHopping(0.8, 2.0), 5), 40)
    here, height, accepted = np.zeros(3), math.inf, 0
    for call, (cost, iterations) in enumerate(made):
        step = rng.uniform(-0.8, 0.8, 3)
        to, reached, steps = descended(here + step if call else rng.uniform(-REACH, REACH, 3))
        assert (cost, iterations) == (reached, steps)
        if reached <= height or rng.random() < math.exp((height - reached) / 2.0):
            accepted += reached > height
            here, height = to, reached
    assert accepted > 3


def test_annealing_equals_a_hand_calculation():
    contender = Annealing(hottest=30.0, coldest=0.3, temperatures=3, moves=15)
    rng, made = generator(1), calls(caller(PROBLEM, contender, 1), 7)
    here, height = np.zeros(3), math.inf
    for call, (cost, iterations) in enumerate(made):
        temperature, lowest = (30.0, 3.0, 0.3)[call % 3], math.inf
        if call % 3 == 0:
            here = rng.uniform(-REACH, REACH, 3)
            lowest = height = float(heights(PROBLEM, here))
        for _ in range(15):
            length = math.sqrt(temperature) * rng.standard_cauchy()
            to, j = here.copy(), rng.integers(3)
            to[j] = (to[j] + length + REACH) % (2 * REACH) - REACH
            reached = float(heights(PROBLEM, to))
            lowest = min(lowest, reached)
            if reached <= height or rng.random() < math.exp((height - reached) / temperature):
                here, height = to, reached
        assert cost == pytest.approx(lowest, abs=2e-9)  # heights are multiples of 1e-9
        assert iterations == (16 if call % 3 == 0 else 15)


def test_annealing_repeats_its_temperature_schedule():
    contender = Annealing(hottest=8.0, coldest=0.5, temperatures=5)
    found = [contender.temperature(call) for call in range(6)]
    np.testing.assert_allclose(found, [8, 4, 2, 1, 0.5, 8])
