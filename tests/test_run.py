"""prviz.run: budgets, progress, interrupts, and the kernel cache."""

import math
import os
import shutil
import subprocess
import sys
from inspect import getsource
from pathlib import Path

import numpy as np
import pytest
from cases import cases

import prviz
from prviz.engine import cache
from prviz.engine.algorithm import advance

ROOT = Path(__file__).parents[1]
POINTS = np.random.default_rng(0).normal(size=(80, 2))
PROBLEM = prviz.kmeans(POINTS, 6)
MEDOIDS = prviz.kmedoids(prviz.dissimilarity(POINTS), 2)
GLASS = prviz.ising({(0, 1): 1, (1, 2): 1, (0, 2): -1})
HMM = prviz.hmm("0101101110", 2)
SERIES = prviz.hmm(POINTS[:, 0], 2, emissions="gaussian")


def test_run_has_the_settings_that_repeat_it():
    run = prviz.run(PROBLEM, k1=2, m1=10, seed=3, calls=45)
    assert run.calls == len(run.trace) == 45
    assert run.levels == [prviz.Level(2, 10), prviz.Level(6)]
    assert run.best_cost == run.trace.cost.min()
    assert run.best_state.centers.shape == (6, 2)
    assert not run.interrupted
    again = prviz.run(PROBLEM, levels=run.levels, seed=3, calls=run.calls)
    assert again.trace.hash() == run.trace.hash()
    assert "45 calls" in repr(run)


def test_run_limited_by_seconds_can_be_repeated_by_calls():
    run = prviz.run(PROBLEM, seed=1, seconds=0.02)
    assert run.calls > 0
    assert run.seconds >= 0.02
    assert prviz.run(PROBLEM, seed=1, calls=run.calls).trace.hash() == run.trace.hash()


def test_finite_schedule_needs_no_budget():
    levels = [prviz.Level(1, 3), prviz.Level(6, 4)]
    assert prviz.run(PROBLEM, levels=levels).calls == 12
    assert prviz.run(PROBLEM, levels=levels, calls=7).calls == 7
    assert prviz.run(PROBLEM, levels=levels, calls=70).calls == 12


def test_run_ends_with_the_call_that_uses_up_its_iterations():
    run = prviz.run(PROBLEM, seed=2, iterations=50)
    assert run.trace.iterations.sum() >= 50 > run.trace.iterations[:-1].sum()
    assert prviz.run(PROBLEM, seed=2, calls=run.calls).trace.hash() == run.trace.hash()
    assert prviz.run(PROBLEM, seed=2, calls=3, iterations=10**6).calls == 3


def test_run_ends_when_it_meets_its_target():
    best = prviz.run(PROBLEM, seed=4, calls=200).trace.best
    run = prviz.run(PROBLEM, seed=4, calls=200, target=best[99])
    assert run.calls == np.flatnonzero(best <= best[99])[0] + 1
    assert prviz.run(PROBLEM, calls=20, target=0.0).calls == 20  # never reached


def test_a_continued_run_has_the_trace_of_one_longer_run():
    whole = prviz.run(PROBLEM, m1=5, seed=3, calls=30)
    short = prviz.run(PROBLEM, m1=5, seed=3, calls=12)
    assert short.more(calls=18).trace.hash() == whole.trace.hash()
    assert short.calls == 12
    longer = short.more(seconds=0.02)
    assert longer.calls > 12 and longer.seconds >= short.seconds + 0.02
    again = prviz.run(PROBLEM, m1=5, seed=3, calls=longer.calls)
    assert longer.trace.hash() == again.trace.hash()
    with pytest.raises(ValueError, match="2 workers"):
        prviz.run(PROBLEM, calls=4, workers=2).more(calls=2)


def test_a_loaded_run_has_its_trace_and_problem(tmp_path):
    run = prviz.run(PROBLEM, m1=5, seed=3, calls=12)
    run.save(tmp_path / "run.npz")
    loaded = prviz.Run.load(tmp_path / "run.npz", PROBLEM)
    assert repr(loaded) == repr(run)
    assert (loaded.best_state.centers == run.best_state.centers).all()
    assert loaded.more(calls=9).trace.hash() == run.more(calls=9).trace.hash()
    with pytest.raises(ValueError, match="another problem"):
        prviz.Run.load(tmp_path / "run.npz", prviz.kmeans(POINTS[:40], 6))
    with pytest.raises(ValueError, match="run on other data"):
        prviz.Run.load(tmp_path / "run.npz", prviz.kmeans(POINTS[::-1], 6))


def test_a_run_of_several_workers_cannot_be_loaded(tmp_path):
    prviz.run(PROBLEM, calls=4, workers=2).save(tmp_path / "run.npz")
    with pytest.raises(ValueError, match=r"a run of 2 workers.*prviz\.load_trace"):
        prviz.Run.load(tmp_path / "run.npz", PROBLEM)


def test_run_with_start_begins_at_the_best_state():
    best = prviz.run(PROBLEM, seed=3, calls=30)
    run = prviz.run(PROBLEM, seed=4, calls=5, start=best)
    assert run.trace.cost[0] == best.best_cost
    assert (
        prviz.run(PROBLEM, seed=4, calls=5, start=best.best_state).trace.hash() == run.trace.hash()
    )
    with pytest.raises(ValueError, match="start must be a run of this problem"):
        prviz.run(PROBLEM, calls=5, start=prviz.run(prviz.kmeans(POINTS, 5), calls=2))
    with pytest.raises(TypeError, match=r"start must be a run .* or a state of it, got int"):
        prviz.run(PROBLEM, calls=5, start=3)


def test_patience_ends_a_run_without_improvement():
    run = prviz.run(PROBLEM, 1, seed=2, patience=60)
    work = np.cumsum(run.trace.iterations)
    last = np.flatnonzero(run.trace.best < np.append(np.inf, run.trace.best[:-1]))[-1]
    assert work[-1] >= work[last] + 60 > work[-2]
    assert prviz.run(PROBLEM, 1, seed=2, patience=60, tol=0.5).calls < run.calls
    assert (
        prviz.run(PROBLEM, 1, seed=2, calls=20).more(patience=60).trace.hash() == run.trace.hash()
    )
    with pytest.raises(ValueError, match="tol needs patience"):
        prviz.run(PROBLEM, tol=0.5)


def test_callback_gets_progress_and_can_stop():
    heard = []
    run = prviz.run(PROBLEM, calls=10_000, callback=lambda p: heard.append(p) or len(heard) == 2)
    assert run.calls == heard[-1].calls
    assert len(heard) == 2
    assert heard[1].best_cost <= heard[0].best_cost
    assert heard[1].seconds > heard[0].seconds


def test_ctrl_c_keeps_the_result():
    def interrupt(progress):
        raise KeyboardInterrupt

    run = prviz.run(PROBLEM, seed=5, calls=100_000, callback=interrupt)
    assert run.interrupted and run.calls > 0
    assert prviz.run(PROBLEM, seed=5, calls=run.calls).trace.hash() == run.trace.hash()


def test_probability_applies_to_each_variable_independently():
    run = prviz.run(PROBLEM, probability=0.5, m1=10, seed=1, calls=400)
    assert run.levels == [prviz.Level(None, 10, probability=0.5), prviz.Level(6)]
    partial = run.trace.counts[run.trace.level == 1, 0]
    # binomial with n = 6 and p = 1/2: mean 3, variance 1.5; within four standard errors
    assert partial.mean() == pytest.approx(3.0, abs=4 * np.sqrt(1.5 / len(partial)))
    assert set(partial) >= {0, 1, 2, 3, 4, 5, 6}


def test_probability_1_gives_full_restarts():
    run = prviz.run(PROBLEM, probability=1.0, calls=5)
    assert run.levels == [prviz.Level(6)]
    assert run.trace.hash() == prviz.run(PROBLEM, k1=6, calls=5).trace.hash()


@cases(
    ("arguments", "kind", "said"),
    [
        ({"k1": 0}, ValueError, 'k1 must be an integer from 1 to 6, "all" or "auto", got 0'),
        ({"k1": 7}, ValueError, 'k1 must be an integer from 1 to 6, "all" or "auto", got 7'),
        ({"k1": 1.5}, TypeError, 'k1 must be an integer from 1 to 6, "all" or "auto", got 1.5'),
        ({"k1": True}, TypeError, 'k1 must be an integer from 1 to 6, "all" or "auto", got True'),
        (
            {"k1": "ALL"},
            ValueError,
            'k1 must be an integer from 1 to 6, "all" or "auto", got \'ALL\'',
        ),
        ({"m1": 0}, ValueError, "m1 must be at least 1, got 0"),
        ({"m1": "many"}, TypeError, "m1 must be a whole number"),
        ({"alpha": 1.01}, ValueError, "alpha must be between 0 and 1, got 1.01"),
        ({"alpha": -0.1}, ValueError, "alpha must be between 0 and 1"),
        ({"alpha": math.nan}, ValueError, "alpha must be between 0 and 1, got nan"),
        ({"alpha": "half"}, TypeError, "alpha must be a number"),
        ({"seed": -1}, ValueError, "seed must be 0 or more"),
        ({"seed": 0.5}, TypeError, "seed must be a whole number"),
        ({"calls": 0}, ValueError, "calls must be at least 1"),
        ({"calls": 2.0}, TypeError, "calls must be a whole number"),
        ({"iterations": 0}, ValueError, "iterations must be at least 1"),
        ({"target": math.nan}, ValueError, "target must be a cost, got nan"),
        ({"seconds": 0}, ValueError, "seconds must be positive and finite"),
        ({"seconds": math.inf}, ValueError, "seconds must be positive and finite"),
        ({"k1": 1, "levels": [prviz.Level(6)]}, ValueError, "levels or the other .*, not both"),
        ({"k1": 1, "probability": 0.1}, ValueError, "Give either k1 or probability, not both"),
        (
            {"probability": 0.1, "levels": [prviz.Level(6)]},
            ValueError,
            "levels or the other .*, not both",
        ),
        ({"probability": -0.1}, ValueError, "probability must be between 0 and 1, got -0.1"),
        ({"probability": 1.5}, ValueError, "probability must be between 0 and 1"),
        ({"probability": "often"}, TypeError, "probability must be a number"),
        ({"target": math.inf}, ValueError, "target must be a cost, got inf"),
        ({"seconds": 10**400}, ValueError, "seconds is too large"),
        ({"alpha": 10**400}, ValueError, "alpha is too large"),
        ({"workers": 10**9}, ValueError, "workers must be at most 1024"),
        ({"callback": 5}, TypeError, "callback must be a function, got 5"),
    ],
)
def test_invalid_arguments_are_rejected(arguments, kind, said):
    with pytest.raises(kind, match=said):
        prviz.run(PROBLEM, **{"calls": 1} | arguments)


def test_an_object_that_is_not_a_problem_is_rejected():
    with pytest.raises(TypeError, match="list is not a prviz problem"):
        prviz.run([[1.0, 2.0]], calls=1)


def edit(root, file, before, after):
    """Replace text that a source contains exactly once."""
    path = root / "prviz" / file
    source = path.read_text()
    assert source.count(before) == 1
    path.write_text(source.replace(before, after))


#: Print a cost, whether its kernel was cached, and the cache folder of this engine.
SCRIPT = """
import prviz
from prviz.engine import cache, kernels
problem = prviz.landscape(1)
state = kernels.allocate(problem)
state.position[:] = 1.5
cost = kernels.cost(problem, state)
hits = prviz.problems.landscape._cost.compiled.stats.cache_hits
print(cost, sum(hits.values()), cache.folder().name)
"""


def told(folder, cache, *edited):
    """Run the script with a package that is edited after its import; return the output."""
    edits = f"import prviz\nfrom pathlib import Path\n{getsource(edit)}\nedit(Path(), *{edited})\n"
    done = subprocess.run(
        [sys.executable, "-c", (edits if edited else "") + SCRIPT],
        cwd=folder, env={**os.environ, "PRVIZ_CACHE_DIR": str(cache)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    cost, hits, engine = done.stdout.split()
    return float(cost), int(hits), engine


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
@pytest.mark.long
def test_edited_kernel_is_compiled_again_unless_only_reformatted(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    shutil.copytree(ROOT / "prviz", first / "prviz", ignore=shutil.ignore_patterns("ui", "static"))

    kept = tmp_path / "cache"
    doubled = ("problems/landscape.py", "return FINEST *", "return 2 * FINEST *")
    cost, _, engine = told(first, kept, *doubled)  # compiled from the imported source
    # the cache has no kernel for the edited source
    assert told(first, kept) == (2 * cost, 0, engine)
    shutil.copytree(first, second, copy_function=shutil.copyfile)  # new timestamps, as in a clone
    edit(second, doubled[0], "longest < SHORTEST\n", "longest < SHORTEST  # one\n\n")
    edit(second, doubled[0], '"""Return the height at', '"""Return the height of')
    edit(second, "problems/hmm/trellis.py", "NODES_A_STEP = ", "ODD = NODES_A_STEP = ")
    other = ("engine/algorithm.py", "    n_rows = 0\n", "    n_rows = 0 + 0\n")
    assert told(second, kept, *other) == (2 * cost, 1, engine)
    assert cache.engine_hash(second / "prviz") != cache.engine_hash(first / "prviz")


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_driver_is_cached_with_its_problem():
    prviz.run(PROBLEM, calls=1)
    compiled = advance.compiled.overloads.items()
    (path,) = [
        advance.compiled._cache._path(signature, result.library.codegen)
        for signature, result in compiled
        if "KMeans" in str(signature)
    ]
    assert path.parent.name == cache.unit_of("prviz.problems.kmeans")


def test_functions_compile_without_a_writable_cache(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setattr(cache, "_candidates", lambda: iter([tmp_path / "file"]))
    cache.folder.cache_clear()
    assert cache.folder() is None
    assert cache.cached_njit()(lambda x: x + 1)(2) == 3
    cache.folder.cache_clear()


@pytest.mark.parametrize(
    "make",
    [
        lambda points: prviz.kmeans(points, 4),
        lambda points: prviz.kmedoids(prviz.dissimilarity(points), 4),
        lambda points: prviz.hmm(points, 2, emissions="gaussian"),
        lambda points: prviz.ising(np.triu(np.sign(points[:20] @ points[20:40].T), 1)),
    ],
    ids=["kmeans", "kmedoids", "hmm", "ising"],
)
def test_run_with_start_computes_costs_on_its_own_data(make):
    rng = np.random.default_rng(1)
    earlier, problem = make(POINTS), make(rng.normal(size=(80, 2)) * 3)
    run = prviz.run(problem, calls=1, start=prviz.run(earlier, calls=20))
    state = run.best_state
    cost = {
        "centers": lambda: np.square(problem.points - state.centers[state.labels]).sum(),
        "medoids": lambda: problem.by_point[:, state.medoids].min(axis=1).sum(),
        "means": lambda: prviz.run(problem, calls=1, start=state).best_cost,
        "spins": lambda: (
            -sum(
                problem.doubled[problem.starts[i] : problem.starts[i + 1]]
                @ state.spins[problem.neighbours[problem.starts[i] : problem.starts[i + 1]]]
                * state.spins[i]
                for i in range(20)
            )
            / 4
        ),
    }
    (own,) = (each for name, each in cost.items() if name in state._fields)
    assert run.best_cost == pytest.approx(own(), rel=1e-6)


@cases(
    ("problem", "name", "values", "said"),
    [
        (PROBLEM, "centers", np.full((6, 2), np.nan), "centers that are not finite"),
        (MEDOIDS, "medoids", np.array([0, 80]), "medoids that are not distinct indices"),
        (MEDOIDS, "medoids", np.array([-1, 3]), "medoids that are not distinct indices"),
        (MEDOIDS, "medoids", np.array([5, 5]), "medoids that are not distinct indices"),
        (GLASS, "spins", np.array([0, 1, 1], np.int8), "spins that are not -1 or 1"),
        (HMM, "transition", np.ones((2, 2)), "transition probabilities that are negative or"),
        (HMM, "start", np.array([-1.0, 2.0]), "start probabilities that are negative or"),
        (SERIES, "covars", np.zeros((2, 1, 1)), "covars that are not positive definite"),
    ],
)
def test_run_rejects_a_start_that_is_not_valid(problem, name, values, said):
    state = prviz.run(problem, calls=1).best_state
    prviz.run(problem, calls=1, start=state)
    wrong = state._replace(**{name: values})
    with pytest.raises(ValueError, match=f"start has {said}"):
        prviz.run(problem, calls=1, start=wrong)


def test_target_that_is_met_adds_no_calls():
    run = prviz.run(PROBLEM, calls=3)
    assert run.more(target=run.best_cost).calls == 3


def test_numpy_integer_is_a_seed_that_can_be_saved(tmp_path):
    run = prviz.run(PROBLEM, calls=3, seed=np.int64(2))
    run.save(tmp_path / "run.npz")
    assert prviz.Run.load(tmp_path / "run.npz", PROBLEM).seed == 2


@cases(
    "settings",
    [
        {"m1": 10**30},
        {"levels": [prviz.Level(1, 10**30), prviz.Level(6, 10**30)]},
    ],
)
def test_huge_numbers_of_redraws_mean_no_restart(settings):
    assert prviz.run(PROBLEM, calls=3, **settings).calls == 3
