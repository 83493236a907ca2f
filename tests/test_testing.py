"""check_problem accepts a valid problem, and names each violation of the contract."""

from typing import NamedTuple

import numba
import numpy as np
import pytest
from cases import cases

from prviz import testing
from prviz.engine import kernels
from prviz.engine.dispatch import driver, plain_python

FAULTS = (
    *("", "too many", "too few", "not declared", "upwards", "too soon", "another cost"),
    "no revert",
)
TOO_MANY, TOO_FEW, NOT_DECLARED, UPWARDS, TOO_SOON, ANOTHER_COST, NO_REVERT = range(1, 8)


class Coins(NamedTuple):
    """Coins with sides 1 and −1. The cost is their weighted sum, which may be negative."""

    weights: np.ndarray
    fault: int


class CoinsState(NamedTuple):
    VARIABLES = ("sides",)
    CACHES = ("seen",)

    sides: np.ndarray
    seen: np.ndarray
    other: np.ndarray


@kernels.allocate.register
def _allocate(problem: Coins) -> CoinsState:
    n = len(problem.weights)
    return CoinsState(np.ones(n, np.int64), np.zeros(1), np.zeros(1))


@kernels.n_variables.register
def _n_variables(problem: Coins) -> int:
    return len(problem.weights)


@kernels.cost.register(Coins)
def _cost(problem, state):
    total = 0.0
    for i in range(len(problem.weights)):
        total += state.sides[i] * problem.weights[i]
    return total


@kernels.reinitialise.register(Coins)
def _reinitialise(problem, state, chosen, alpha, rng):
    for i in chosen:
        state.sides[i] = 1 if rng.random() < 0.5 else -1
    state.seen[0] += 1.0
    if problem.fault == TOO_MANY:
        state.sides[2] *= -1
    if problem.fault == TOO_FEW:
        state.sides[chosen[0]] = 1
    if problem.fault == NOT_DECLARED:
        state.other[0] = rng.random()


@kernels.iterate.register(Coins)
def _iterate(problem, state, rng):
    if problem.fault == UPWARDS:
        state.sides[:] = 1
        return True
    for i in range(len(problem.weights)):
        if state.sides[i] * problem.weights[i] > 0.0:
            state.sides[i] *= -1
            return problem.fault == TOO_SOON
    return True


@kernels.optimise.register(Coins)
def _optimise(problem, state, rng, stop=None):
    iterations = 1
    while not kernels.iterate(problem, state, rng):
        iterations += 1
    off = 1.0 if problem.fault == ANOTHER_COST else 0.0
    return kernels.cost(problem, state) + off, iterations


@kernels.copy_state.register(Coins)
def _copy_state(problem, target, source):
    target.seen[:] = source.seen
    target.other[:] = source.other
    if problem.fault != NO_REVERT:
        target.sides[:] = source.sides


def coins(fault=""):
    return Coins(np.array([3.0, -1.0, 4.0, 1.0, -5.0, 9.0]), FAULTS.index(fault))


def test_valid_problem_with_negative_costs_passes():
    with plain_python():
        testing.check_problem(coins())


@cases(
    ("fault", "words"),
    [
        ("too many", "rows of 'sides' of other variables"),
        ("too few", "reinitialise must redraw every variable in `chosen`"),
        ("not declared", "it changed 'other': add it to CACHES"),
        ("upwards", "optimise raised the cost"),
        ("too soon", "iterate returned True before it had reached a local optimum"),
        ("another cost", "but the cost of its result is"),
        ("no revert", "The best state was lost"),
    ],
)
def test_check_names_the_violated_rule(fault, words):
    with plain_python(), pytest.raises(AssertionError) as told:
        testing._check_all(coins(fault))
    assert words in str(told.value)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_plain_python_blocks_can_be_nested():
    @driver
    def doubled(x):
        return 2 * x

    def runs_as_written():
        return doubled(2**62) == 2**63  # compiled, it overflows to −2^63

    with plain_python():
        with plain_python():
            assert runs_as_written()
        assert runs_as_written()
    assert not runs_as_written()


class Named(NamedTuple):
    weights: np.ndarray
    name: str


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_unreadable_field_is_reported():
    kernels.cost.register(Named)(lambda problem, state: 0.0)
    with pytest.raises(TypeError, match="Field 'name' of Named is a str: kernels"):
        kernels.cost(Named(np.ones(3), "three"), coins())
