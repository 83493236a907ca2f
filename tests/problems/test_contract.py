"""Every registered problem passes the checks of ``prviz.testing``."""

from itertools import product

import numba
import pytest

import prviz
from prviz import testing
from prviz.engine import kernels
from prviz.problems import PROBLEMS

JIT_OFF = numba.config.DISABLE_JIT
PROBLEM_CASES = {
    f"{entry.id}, {case}": problem
    for entry in PROBLEMS.values()
    for case, problem in entry.cases().items()
}


def checks():
    """Pair every problem with every check. Each pair has one heuristic and one seed.

    Heuristics and seeds take turns. So over the cases, every check meets every heuristic of a
    problem, and every seed.
    """
    numbered = product(enumerate(PROBLEM_CASES.items()), enumerate(testing.CHECKS))
    for (i, (case, problem)), (j, check) in numbered:
        subsets = kernels.subsets(problem)
        subset, seed = subsets[(i + j) % len(subsets)], (i // len(subsets) + j) % testing.SEEDS
        yield pytest.param(check, problem, subset, seed, id=f"{case}, {subset}, {check.__name__}")


@pytest.mark.parametrize(("check", "problem", "subset", "seed"), [*checks()])
def test_problem_passes_check(check, problem, subset, seed):
    check(problem, subset, seed)


@pytest.mark.parametrize("entry", PROBLEMS.values(), ids=PROBLEMS)
def test_alpha_changes_a_search_only_if_the_entry_of_the_problem_says_so(entry):
    afresh, kept = (
        prviz.run(entry.tiny(), k1=1, m1=9, alpha=alpha, calls=40).trace for alpha in (0.0, 0.5)
    )
    assert (afresh.cost.tolist() != kept.cost.tolist()) == entry.alpha


def compiled_cases():
    """Pair the first case of each class with every heuristic, and other cases with one each."""
    seen = set()
    for i, (case, problem) in enumerate(PROBLEM_CASES.items()):
        subsets = kernels.subsets(problem)
        if type(problem) in seen:
            subsets = [subsets[i % len(subsets)]]
        seen.add(type(problem))
        few = {"max_iterations": 40, "epochs": 6}  # with more, plain Python would take seconds
        problem = problem._replace(
            **{name: n for name, n in few.items() if name in problem._fields}
        )
        for subset in subsets:
            yield pytest.param(problem, subset, id=f"{case}, {subset}")


@pytest.mark.skipif(JIT_OFF, reason="compiling is disabled")
@pytest.mark.parametrize(("problem", "subset"), [*compiled_cases()])
def test_compiled_and_plain_python_give_the_same_trace(problem, subset):
    testing.check_compiled(problem, subset, seed=2)
