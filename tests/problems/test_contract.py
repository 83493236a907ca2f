"""Every registered problem passes the checks of ``prviz.testing``."""

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


@pytest.mark.parametrize(("i", "case"), [*enumerate(PROBLEM_CASES)])
def test_problem_passes_all_checks(i, case):
    """Heuristics and seeds take turns, so that over the cases each check uses all heuristics."""
    problem = PROBLEM_CASES[case]
    subsets = kernels.subsets(problem)
    for j, check in enumerate(testing.CHECKS):
        subset, seed = subsets[(i + j) % len(subsets)], (i // len(subsets) + j) % testing.SEEDS
        try:
            check(problem, subset, seed)
        except Exception as error:
            error.add_note(f"{check.__name__}, {subset}, seed {seed}")
            raise


@pytest.mark.parametrize("entry", PROBLEMS.values(), ids=PROBLEMS)
def test_alpha_changes_a_search_only_if_the_entry_of_the_problem_says_so(entry):
    afresh, kept = (
        prviz.run(entry.tiny(), k1=1, m1=9, alpha=alpha, calls=40).trace for alpha in (0.0, 0.5)
    )
    assert (afresh.cost.tolist() != kept.cost.tolist()) == entry.alpha


def compiled_cases():
    """Pair the first case of each problem with every heuristic, and other cases with one each."""
    seen = set()
    for i, (case, problem) in enumerate(PROBLEM_CASES.items()):
        subsets, name = kernels.subsets(problem), case.partition(",")[0]
        if name in seen:
            subsets = [subsets[i % len(subsets)]]
        seen.add(name)
        # with more, plain Python would take seconds
        few = {"max_iterations": 12 if "gaussian" in case else 20, "epochs": 3}
        problem = problem._replace(
            **{name: n for name, n in few.items() if name in problem._fields}
        )
        for subset in subsets:
            yield pytest.param(problem, subset, id=f"{case}, {subset}")


@pytest.mark.skipif(JIT_OFF, reason="compiling is disabled")
@pytest.mark.parametrize(("problem", "subset"), [*compiled_cases()])
def test_compiled_and_plain_python_give_the_same_trace(problem, subset):
    testing.check_compiled(problem, subset, seed=2)
