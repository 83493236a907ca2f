"""SciPy's minimize around which variables are redrawn."""

import numpy as np
import pytest
from scipy import optimize

import prviz


def rastrigin(x):
    return float(np.sum(x**2 + 10 * (1 - np.cos(2 * np.pi * x))))


BOX = [(-5.12, 5.12)] * 3


def test_rastrigin_comes_down_to_its_lowest_hollow():
    found = prviz.minimize(rastrigin, bounds=BOX, calls=400, m1=400)
    assert found.success and found.fun == pytest.approx(0, abs=1e-8)
    assert found.x == pytest.approx(np.zeros(3), abs=1e-5)
    assert found.fun == found.run.best_cost == rastrigin(found.x)
    assert found.message == "The best of 400 calls of the local optimiser."
    assert isinstance(found, optimize.OptimizeResult)


def test_it_counts_every_evaluation():
    seen = []

    def counted(x):
        seen.append(x)
        return rastrigin(x)

    found = prviz.minimize(counted, bounds=BOX, calls=5)
    assert found.nfev == len(seen)
    assert found.nit > found.run.calls == 5


def test_one_call_is_scipys_from_the_same_start():
    found = prviz.minimize(rastrigin, k1=3, bounds=BOX, calls=1, seed=3)
    start = np.random.default_rng(3).uniform(*np.array(BOX).T)
    alone = optimize.minimize(rastrigin, start, method="L-BFGS-B", bounds=BOX)
    assert found.x.tolist() == alone.x.tolist()
    assert (found.fun, found.nit) == (alone.fun, alone.nit)


@pytest.mark.parametrize("method", ["Nelder-Mead", "Powell", "BFGS"])
def test_other_methods_around_x0(method):
    found = prviz.minimize(lambda x: rastrigin(x - 7), [7.3, 6.8], method=method, calls=40)
    assert found.fun == pytest.approx(0, abs=1e-6)


def test_gradients_arguments_and_bounds_are_scipys():
    def both(x, centre):
        return float(np.sum((x - centre) ** 2)), 2 * (x - centre)

    bounds = optimize.Bounds([0, 0], [1, np.inf])
    found = prviz.minimize(both, [0.5, 0.5], bounds, jac=True, args=(3.0,), calls=3)
    assert found.x == pytest.approx([1, 3])


def test_it_repeats_and_hierarchies_are_taken():
    levels = [prviz.Level(1, 3), prviz.Level(2, 5, alpha=0.5), prviz.Level(3)]
    first, second = (
        prviz.minimize(rastrigin, bounds=BOX, levels=levels, calls=20, seed=1) for _ in range(2)
    )
    assert first.run.trace.hash() == second.run.trace.hash()
    assert first.x.tobytes() == second.x.tobytes()


def test_a_function_that_fails_is_told_of():
    def fails(x):
        if x[0] > 0:
            raise ZeroDivisionError("no")
        return rastrigin(x)

    with pytest.warns(RuntimeWarning, match="The search stopped"):
        found = prviz.minimize(fails, bounds=BOX, calls=50)
    assert not found.success and "ZeroDivisionError: no" in found.message
    assert "test_minimize.py" in found.message and "in fails" in found.message


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({}, ValueError, "Give x0, about where to look, or bounds"),
        ({"bounds": [(0, np.inf)]}, ValueError, "bounds must be finite without an x0"),
        ({"bounds": [(1, 0)]}, ValueError, "low no more than high"),
        ({"bounds": 3}, TypeError, r"pairs \(low, high\)"),
        ({"x0": "here"}, TypeError, "x0 must be an array of numbers"),
        ({"x0": [[1.0]]}, ValueError, "x0 must be one array of finite numbers"),
        ({"x0": [1.0, 2.0], "bounds": [(0, 1)]}, ValueError, "x0 has 2 numbers, but bounds 1"),
        ({"x0": [1.0], "spread": 0}, ValueError, "spread must be positive"),
    ],
)
def test_bad_arguments_get_a_sentence(arguments, error, words):
    with pytest.raises(error, match=words):
        prviz.minimize(rastrigin, **arguments, calls=1)
