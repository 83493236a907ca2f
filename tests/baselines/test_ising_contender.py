"""Annealing by dwave-samplers: its energies equal ours, and it finds known optima."""

import itertools

import numpy as np
import pytest
from contending import caller, calls
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import prviz
from prviz.baselines import DWaveAnnealing
from prviz.search.traced_search import generator

WEIGHT = st.integers(-3, 3).map(float)


@settings(max_examples=25)
@given(st.lists(WEIGHT, min_size=10, max_size=10), st.lists(WEIGHT, min_size=5, max_size=5))
def test_annealing_finds_the_ground_state(weights, fields):
    """Search five spins with fields, an offset and missing couplings."""
    assume(any(weights) or any(fields))
    J = np.zeros((5, 5))
    J[np.triu_indices(5, 1)] = weights
    problem = prviz.ising(J, fields)._replace(offset=0.5)
    lowest = min(
        0.5 - np.array(s) @ J @ s - np.dot(fields, s) for s in itertools.product((-1, 1), repeat=5)
    )
    [(cost, sweeps)] = calls(caller(problem, DWaveAnnealing(100, 20)), 1)
    assert cost == pytest.approx(lowest, abs=1e-12) and sweeps == 2000


def test_a_call_equals_a_direct_call_of_the_library():
    import dimod
    from dwave.samplers import SimulatedAnnealingSampler

    Q = np.random.default_rng(0).integers(-50, 51, size=(40, 40))
    model, rng = dimod.BinaryQuadraticModel(Q, "BINARY"), generator(3)
    for cost, sweeps in calls(caller(prviz.qubo(Q), DWaveAnnealing(20, 3), 3), 4):
        seed = int(rng.integers(2**31))
        spins = model.change_vartype("SPIN", inplace=False)
        theirs = SimulatedAnnealingSampler().sample(spins, num_reads=3, num_sweeps=20, seed=seed)
        assert cost == pytest.approx(theirs.first.energy) and sweeps == 60
