"""What every problem must do: the checks of ``prviz.testing`` on all that are registered."""

import numba
import pytest

from prviz import testing
from prviz.engine import kernels
from prviz.problems import PROBLEMS

JIT_OFF = numba.config.DISABLE_JIT
SEEDS = range(1 if JIT_OFF else 3)  # plain Python is slow, and gives the same traces
CASES = {
    f"{entry.id}, {case}, {subset}": (problem, subset)
    for entry in PROBLEMS.values()
    for case, problem in entry.cases().items()
    for subset in kernels.subsets(problem)
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("check", testing.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("case", CASES)
def test_it_keeps_its_promises(case, check, seed):
    problem, subset = CASES[case]
    check(problem, subset, seed)


@pytest.mark.skipif(JIT_OFF, reason="there is nothing compiled to compare with")
@pytest.mark.parametrize("case", CASES)
def test_compiled_and_plain_python_give_the_same_trace(case):
    testing.check_compiled(*CASES[case], seed=2)
