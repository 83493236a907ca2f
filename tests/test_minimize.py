"""prviz.minimize finds optima, accepts SciPy's arguments and constraints, and reports errors."""

import numpy as np
import pytest
from cases import cases
from scipy import optimize

import prviz


def rastrigin(x):
    return float(np.sum(x**2 + 10 * (1 - np.cos(2 * np.pi * x))))


BOX = [(-5.12, 5.12)] * 3


def test_minimize_finds_the_optimum_of_rastrigin():
    found = prviz.minimize(rastrigin, bounds=BOX[:2], calls=100)
    assert found.success and found.status == 0 and found.fun == pytest.approx(0, abs=1e-8)
    assert found.x == pytest.approx(np.zeros(2), abs=1e-5)
    assert found.fun == found.run.best_cost == rastrigin(found.x)
    assert found.nit == found.run.calls == 100
    assert found.message == "This is the best of 100 calls of the local optimiser."
    assert isinstance(found, optimize.OptimizeResult)


def turned(x):
    """Return Rosenbrock's function of rotated coordinates, with its optimum inside the box."""
    y = np.array([x[0] - x[1], x[0] + x[1], *x[2:]]) / 2
    return float(np.sum(100 * (y[1:] - y[:-1] ** 2) ** 2 + (1 - y[:-1]) ** 2))


def ridge(x):
    """Return a sharp ridge, on which gradients are of little use."""
    return float(abs(x[0] - 1) + 100 * np.sqrt(np.sum((x[1:] - 0.5) ** 2)))


@pytest.mark.parametrize(
    ("fun", "below"),
    [(rastrigin, 1e-8), (turned, 1e-8), (ridge, 1e-4)],
    ids=["separable", "turned", "sharp"],
)
def test_minimize_solves_separable_turned_and_sharp_functions(fun, below):
    found = prviz.minimize(fun, bounds=[(-5, 5)] * 5, maxfev=6000)
    assert found.fun < below


@cases("method", [None, "L-BFGS-B"])
def test_minimize_makes_exactly_maxfev_evaluations(method):
    seen = []
    found = prviz.minimize(
        lambda x: seen.append(x) or rastrigin(x), bounds=BOX, method=method, maxfev=200
    )
    assert found.nfev == len(seen) == 200
    best = min(map(rastrigin, seen))  # the lowest may be from a finite difference
    assert found.success and found.fun == pytest.approx(best, rel=1e-12)
    assert "maxfev is used up" in found.message


def test_minimize_evaluates_only_within_bounds():
    bounds = optimize.Bounds([-1, -np.inf, 0], [1, 2, 0])
    seen = []
    prviz.minimize(
        lambda x: seen.append(x) or rastrigin(x - 3), [5.0, 5.0, 5.0], bounds, maxfev=1500
    )
    seen = np.array(seen)
    assert (seen >= bounds.lb).all() and (seen <= bounds.ub).all()
    assert seen[1].tolist() == [1, 2, 0]  # x0, moved to the bounds; seen[0] is a trial call


def test_minimize_calls_a_given_gradient():
    counts = {"fun": 0, "jac": 0}

    def fun(x):
        counts["fun"] += 1
        return square(x - 0.3)

    def jac(x):
        counts["jac"] += 1
        return 2 * (x - 0.3)

    found = prviz.minimize(fun, bounds=BOX, jac=jac, calls=1)
    assert found.x == pytest.approx(np.full(3, 0.3))
    assert found.nfev < 10 and (found.nfev, found.njev) == (counts["fun"], counts["jac"] - 1)


@cases("method", [None, "L-BFGS-B"])
def test_minimize_runs_the_callback_after_every_call_and_ends_at_stop_iteration(method):
    seen = []

    def callback(intermediate_result):
        seen.append(intermediate_result.fun)
        if len(seen) == 5:
            raise StopIteration

    found = prviz.minimize(rastrigin, bounds=BOX, method=method, calls=50, callback=callback)
    assert found.run.calls == len(seen) == 5 and seen[-1] == found.fun
    assert found.success and found.message.startswith("The callback ended the search.")
    points = []
    prviz.minimize(rastrigin, bounds=BOX, method=method, calls=3, callback=points.append)
    assert [point.shape for point in points] == [(3,)] * 3


def test_minimize_continues_a_search_in_memory_or_from_a_file(tmp_path):
    short = prviz.minimize(rastrigin, bounds=BOX, calls=30, seed=4).run
    whole = prviz.minimize(rastrigin, bounds=BOX, calls=70, seed=4).run
    assert short.more(calls=40).trace.hash() == whole.trace.hash()
    short.save(tmp_path / "run.npz")
    loaded = prviz.Run.load(tmp_path / "run.npz", short.problem)
    assert loaded.more(calls=40).trace.hash() == whole.trace.hash()


def test_one_call_equals_one_run_of_scipy():
    found = prviz.minimize(rastrigin, k1=3, bounds=BOX, calls=1, seed=3)
    start = np.random.default_rng(3).uniform(*np.array(BOX).T)
    alone = optimize.minimize(rastrigin, start, method="L-BFGS-B", bounds=BOX)
    assert found.x.tolist() == alone.x.tolist()
    assert (found.fun, found.nit) == (alone.fun, alone.nit)


def test_minimize_accepts_x0_without_bounds_and_another_method():
    found = prviz.minimize(lambda x: rastrigin(x - 7), [7.3, 6.8], method="Nelder-Mead", calls=40)
    assert found.fun == pytest.approx(0, abs=1e-6)


def test_minimize_takes_gradient_and_arguments_and_bounds_of_scipy():
    def both(x, centre):
        return float(np.sum((x - centre) ** 2)), 2 * (x - centre)

    bounds = optimize.Bounds([0, 0], [1, np.inf])
    found = prviz.minimize(both, [0.5, 0.5], bounds, jac=True, args=(3.0,), calls=3)
    assert found.x == pytest.approx([1, 3])


def square(x):
    return float(x @ x)


#: Constraints on two numbers. The least x·x that each allows is 2, at (1, 1).
CONSTRAINTS = {
    "ineq": {"type": "ineq", "fun": lambda x: x[0] + x[1] - 2},
    "eq": {"type": "eq", "fun": lambda x, total: x[0] + x[1] - total, "args": (2.0,)},
    "linear": optimize.LinearConstraint([[1, 1]], 2, np.inf),
    "nonlinear": optimize.NonlinearConstraint(lambda x: x[0] * x[1], 1, np.inf),
    "several": [optimize.LinearConstraint([[1, 1]], 2, 2), {"type": "ineq", "fun": lambda x: x}],
}


@cases(
    ("method", "kind"),
    [*((None, kind) for kind in CONSTRAINTS), ("COBYLA", "ineq"), ("COBYQA", "linear")],
)
def test_minimize_finds_the_constrained_optimum(method, kind):
    given = {"method": method, "constraints": CONSTRAINTS[kind]}
    found = prviz.minimize(square, [1.5, 1.0], **given, k1=2, spread=0.5, calls=4)
    assert found.success and found.x == pytest.approx([1, 1], abs=2e-3)
    assert found.maxcv <= 1e-6


def test_minimize_never_keeps_an_infeasible_result():
    """f has a minimum of 0.7 near -2.8, which violates f >= 50. From -4 to -3.85, f falls to 50."""

    def f(x):
        return float((x[0] ** 2 - 8) ** 2 + (x[0] + 2) ** 2)

    constraint = {"type": "ineq", "fun": lambda x: f(x) - 50}
    found = prviz.minimize(f, [-4.0], constraints=constraint, calls=20)
    assert found.success and found.fun == pytest.approx(50) and found.maxcv <= 1e-6


@cases(
    ("limits", "words"),
    [
        ({"bounds": [(1, 2), (1, 2)]}, "bounds"),
        ({"bounds": optimize.Bounds(1, 2)}, "bounds"),
        ({"constraints": CONSTRAINTS["ineq"]}, "constraints"),
    ],
)
def test_minimize_checks_limits_that_the_method_ignores(limits, words):
    """BFGS ends at (0, 0), which violates each of these limits."""
    with pytest.warns(RuntimeWarning, match=f"BFGS cannot handle {words}"):
        found = prviz.minimize(square, [1.5, 1.5], method="BFGS", calls=3, **limits)
    assert not found.success and found.status == 1
    assert found.x == pytest.approx([0, 0], abs=1e-6)
    assert "All 3 calls of the local optimiser failed" in found.message
    assert f"x violates {words}" in found.message
    assert found.run.best_cost == np.inf


def test_minimize_never_keeps_a_call_that_scipy_reports_as_failed():
    def method(fun, x0, args, **settings):
        """Return the optimum 0 with a failure if x0 > 0; else return x0 - 1 with success."""
        failed = x0[0] > 0
        x = x0 * 0 if failed else x0 - 1
        return optimize.OptimizeResult(x=x, fun=fun(x), success=not failed, message="Lost.")

    found = prviz.minimize(square, [0.0], method=method, calls=30)
    assert found.success and found.x[0] < -1 and found.fun == square(found.x)
    failed = int(np.count_nonzero(np.isinf(found.run.trace.cost)))
    assert 0 < failed < 30
    assert found.message.endswith(f" {failed} failed, for example: Lost.")


def test_minimize_returns_the_best_failed_call_if_none_succeeds():
    with_two = prviz.minimize(rastrigin, bounds=BOX, options={"maxiter": 1}, calls=10)
    assert not with_two.success and with_two.status == 1
    assert with_two.fun == rastrigin(with_two.x)
    assert "ITERATIONS REACHED LIMIT" in with_two.message


@pytest.mark.filterwarnings("ignore:invalid value encountered in subtract")  # ∞ − ∞ in SciPy
@cases("bad", [np.nan, np.inf])
def test_minimize_never_keeps_a_nonfinite_cost(bad):
    def half(x):
        return square(x - 1) if x[0] > 0 else bad

    found = prviz.minimize(half, [0.0], calls=20)
    assert found.success and found.x == pytest.approx([1])
    assert f"fun is {bad}" in found.message
    nowhere = prviz.minimize(lambda x: bad, [0.0], calls=2)
    assert not nowhere.success and str(nowhere.fun) == str(bad)


@cases(
    ("fun", "x0"),
    [
        (lambda x: (x - 3) ** 2, [0.0]),
        (lambda x: (x - 3) ** 2, 0),
        (lambda x: np.array(square(x - 3)), [0, 0]),
        (lambda x: [[square(x - 3)]], (0.0, 0.0)),
    ],
)
def test_minimize_accepts_the_same_types_of_cost_and_x0_as_scipy(fun, x0):
    found = prviz.minimize(fun, x0, calls=2)
    assert found.success and isinstance(found.fun, float)
    assert found.x == pytest.approx(np.full(np.size(x0), 3.0))


@cases(
    "bounds",
    [
        [(1, None), (None, 3)],
        optimize.Bounds([1, -np.inf], [np.inf, 3]),
        zip([1, -4], [4, 3], strict=True),
        np.array([[1, 4], [-4, 3]]),
    ],
)
def test_minimize_takes_bounds_that_scipy_takes(bounds):
    found = prviz.minimize(lambda x: square(x - [0, 5]), [9.0, 9.0], bounds, calls=2)
    assert found.success and found.x.tolist() == [1, 3]


def test_minimize_warns_like_scipy_about_unused_settings():
    with pytest.warns(RuntimeWarning, match="does not use gradient information"):
        found = prviz.minimize(
            lambda x: (square(x), 2 * x), [1.0], method="Powell", jac=True, calls=2
        )
    assert found.success


def test_minimize_is_reproducible_and_accepts_hierarchies():
    levels = [prviz.Level(1, 3), prviz.Level(2, 5, alpha=0.5), prviz.Level(3)]
    first, second = (
        prviz.minimize(rastrigin, bounds=BOX, levels=levels, calls=8, seed=1) for _ in range(2)
    )
    assert first.run.trace.hash() == second.run.trace.hash()
    assert first.x.tobytes() == second.x.tobytes()


def test_a_function_that_fails_is_reported():
    def fails(x):
        if x[0] > 0:
            raise ZeroDivisionError("no")
        return rastrigin(x)

    with pytest.warns(RuntimeWarning, match="The search stopped"):
        found = prviz.minimize(fails, bounds=BOX, calls=50)
    assert not found.success and "ZeroDivisionError: no" in found.message
    assert "test_minimize.py" in found.message and "in fails" in found.message


WRONG = [
    ({}, ValueError, "Pass x0, bounds, or both"),
    ({"bounds": [(0, np.inf)]}, ValueError, "bounds must be finite if x0 is not given"),
    ({"bounds": [(1, 0)]}, ValueError, "with low <= high"),
    ({"bounds": [(-1.7e308, 1.7e308)]}, ValueError, "bounds are too far apart"),
    ({"bounds": 3}, TypeError, r"pairs \(low, high\)"),
    ({"x0": "here"}, TypeError, "x0 must be an array of numbers"),
    ({"x0": [1j]}, TypeError, "x0 must be an array of numbers"),
    ({"x0": [[1.0]]}, ValueError, "x0 must be a one-dimensional array"),
    ({"x0": [1.0, 2.0], "bounds": [(0, 1)]}, ValueError, "x0 has 2 numbers, but bounds has 1"),
    ({"spread": 0}, ValueError, "spread must be positive"),
    ({"second": 3}, TypeError, "unknown keyword 'second'. Did you mean seconds"),
    ({"niter": 3}, TypeError, "unknown keyword 'niter'. Pass calls"),
    ({"method": "bogus"}, ValueError, "rejects the call: Unknown solver bogus"),
    ({"method": 3}, TypeError, "method must be a name or a function, got 3"),
    (
        {"method": lambda fun, x0: None},
        TypeError,
        "method must accept the arguments that SciPy passes",
    ),
    ({"method": "Newton-CG"}, ValueError, "rejects the call: Jacobian is required"),
    ({"options": {"maxit": 3}}, ValueError, "'L-BFGS-B' does not know these options: maxit"),
    ({"options": {"maxiter": "3"}}, TypeError, "scipy.optimize.minimize rejects the call"),
    ({"options": 3}, TypeError, "options must be a dict, got 3"),
    ({"tol": "small"}, TypeError, "tol must be a number"),
    ({"tol": -1}, ValueError, "tol must be 0 or more, got -1"),
    ({"callback": 3}, TypeError, "callback must be a function, got 3"),
    ({"jac": "bogus"}, ValueError, "jac must be a function, a bool or one of '2-point'"),
    ({"k1": 3}, ValueError, "k1 must be an integer from 1 to 2"),
    ({"seed": -1}, ValueError, "seed must be 0 or more"),
    ({"calls": 0}, ValueError, "calls must be at least 1"),
    ({"constraints": 3}, TypeError, "constraints must be dicts"),
    ({"constraints": [3]}, TypeError, r"constraints\[0\] must be a dict"),
    ({"constraints": {"fun": square}}, ValueError, "type must be 'eq' or 'ineq', got None"),
    ({"constraints": {"type": "eq"}}, TypeError, "fun must be a function, got None"),
    ({"constraints": {"type": "eq", "fun": square, "arg": 1}}, ValueError, "unknown key 'arg'"),
    ({"constraints": optimize.LinearConstraint([1.0], 0, 1)}, ValueError, "A must have 2 columns"),
]


@cases(("arguments", "error", "words"), WRONG)
def test_minimize_rejects_invalid_arguments(arguments, error, words):
    """Nothing is evaluated before the error, except with ``options``, which SciPy checks later."""
    costs = []
    given = {"x0": [1.0, 2.0], "calls": 1} if arguments and "bounds" not in arguments else {}
    with pytest.raises(error, match=words):
        prviz.minimize(lambda x: costs.append(x) or square(x), **{**given, **arguments})
    assert not costs or "options" in arguments


@cases(
    ("fun", "settings", "error", "words"),
    [
        (lambda x: x, {}, TypeError, r"one real number, got an array of shape \(2,\)"),
        (lambda x: 1 + 2j, {}, TypeError, r"one real number, got \(1\+2j\)"),
        (lambda x: np.complex128(1), {}, TypeError, "one real number"),
        (lambda x: None, {}, TypeError, "one real number, got None"),
        (lambda x: "1", {}, TypeError, "one real number, got '1'"),
        (square, {"jac": True}, TypeError, r"fun must return \(value, gradient\), got 5.0"),
        (square, {"jac": lambda x: x[:1]}, ValueError, "jac must return 2 numbers, got 1"),
        (
            square,
            {"constraints": {"type": "eq", "fun": lambda x: "a"}},
            TypeError,
            r"constraints\[0\]: fun must return real numbers, got 'a'",
        ),
        (
            square,
            {"constraints": optimize.NonlinearConstraint(lambda x: x, [0, 0, 0], 1)},
            ValueError,
            r"fun returns an array of shape \(2,\), but its limits have shape \(3,\)",
        ),
    ],
)
def test_minimize_rejects_functions_with_invalid_return_values(fun, settings, error, words):
    bounds = [(1, 1), (2, 2)]  # all draws are (1, 2)
    with pytest.raises(error, match=words):
        prviz.minimize(fun, bounds=bounds, calls=1, **settings)
