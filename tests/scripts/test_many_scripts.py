"""Exported scripts of races, tunings and the paper's figures repeat the results."""

import math

import pytest
from again import altered

import prviz
from prviz.code.figures import figure_script
from prviz.code.many import race_script, ran_out, tuning_script
from prviz.experiments.runs.runner import Budget
from prviz.paper.results import computed, judged
from prviz.paper.studies import study

ORIGIN = (
    "import numpy as np\n\npoints = np.random.default_rng(5).normal(size=(60, 2))\n"
    "problem = prviz.kmeans(points, 12)"
)
exec(ORIGIN, made := {"prviz": prviz})
PROBLEM = made["problem"]
LEVELS = [prviz.Level(1, 5, 0.5), prviz.Level(3, 2), prviz.Level(12)]
CONTENDERS = {"partial": {"k1": 1, "m1": 20}, "full": {"k1": "all"}, "three": {"levels": LEVELS}}
OTHERS = {"k-means++": prviz.baselines.KMeansPlusPlus()}
BEST = prviz.run(PROBLEM, seed=0, calls=600).best_cost
GIVEN = {"k1": [1, 4], "m1": [5, 50]}
SECONDS = 0.005  # seconds of each run of a race


def run_here(script):
    """Run a script in this process; return its results."""
    exec(script.python(), found := {})
    return found


@pytest.mark.parametrize(
    ("others", "target"), [({}, BEST * (1 + 1e-9)), (OTHERS, -math.inf)], ids=["solved", "others"]
)
def test_race_script_repeats_the_work_that_all_runs_reached(others, target, capsys):
    goal = None if math.isinf(target) else target
    contenders = {**CONTENDERS, **others}
    raced = prviz.compare(PROBLEM, contenders, seeds=3, seconds=SECONDS, target=goal)
    budget = Budget("seconds", SECONDS, target)
    script = race_script("sixty points", ORIGIN, raced, budget, BEST)
    found = run_here(script)
    searches = prviz.compare(PROBLEM, CONTENDERS, seeds=3, work=found["found"].frontier())
    assert list(found["found"].runs) == list(CONTENDERS)
    assert math.isfinite(target) or found["found"].hash() == searches.hash()
    assert found["timed"].runs.keys() == contenders.keys()
    assert found["timed"].axis == "seconds" and found["timed"].target == goal
    assert "n = 3 each" in capsys.readouterr().out
    assert script.drawn == f"timed.figure(best_known={BEST!r})"
    with pytest.raises(AssertionError):
        run_here(altered(script))


def test_script_of_a_race_without_runs_is_rejected():
    none = prviz.Comparison({}, "seconds", None)
    with pytest.raises(ValueError, match="nothing to repeat"):
        race_script("", ORIGIN, none, Budget("seconds", 1.0), None)


def tuned(**more):
    return prviz.tune(PROBLEM, GIVEN, work=60, rungs=(5, 8), check=6, store=None, **more)


def opened(found):
    script = tuning_script("sixty points", ORIGIN, found, GIVEN, 30.0)
    code = script.python().replace("work=60", "work=60, rungs=(5, 8), check=6")
    exec(code.replace("**found.best", "**found.best, calls=3"), again := {})
    return script, again


def test_script_of_a_finished_tuning_repeats_its_leader_and_check():
    found = tuned()
    assert ran_out(found)
    script, again = opened(found)
    assert again["found"].best == found.best and again["found"].checked == found.checked
    assert "seconds=" not in script.python()
    with pytest.raises(AssertionError):
        opened_of = altered(script).python().replace("work=60", "work=60, rungs=(5, 8), check=6")
        exec(opened_of, {})


def test_script_of_a_stopped_tuning_repeats_the_first_seeds():
    found = tuned(callback=lambda so_far: all(len(runs) >= 5 for runs in so_far.runs))
    assert found.interrupted and not ran_out(found)
    script, again = opened(found)
    assert "found.hash(5)" in script.python() and "seconds=30.0" in script.python()
    assert again["found"].hash(5) == found.hash(5)


def test_script_of_a_barely_started_tuning_repeats_one_run():
    found = tuned(callback=lambda so_far: True)
    script, again = opened(found)
    assert "one.best_cost" in script.python()
    run = found.runs[found.leader][found.median_seed(found.leader)]
    assert again["one"].calls == run.end_calls and again["one"].best_cost == run.best[-1]


def test_settings_of_full_restarts_give_the_levels_of_full_restarts():
    found = tuned()
    best = found.cells[found.full].settings
    again = prviz.run(PROBLEM, **best, calls=5)
    assert again.levels == found.cells[found.full].contender.schedule.levels()


@pytest.mark.parametrize(("name", "scale"), [("3", 1e-3), ("5", 1e-4)])
def test_script_of_a_paper_figure_repeats_its_hash(name, scale, data_dir):
    figure = study(name)
    found, known = computed(figure, seeds=2, scale=scale)
    result = judged(figure, found, known, scale)
    script = figure_script(figure, "Figure", result)
    again = run_here(script)
    timed = "seconds" in figure.budget
    assert ("assert" in script.python()) != timed
    assert timed or again["result"]["made"]["hash"] == result["made"]["hash"]
    assert len(again["found"].seeds) == 2


def test_hash_covers_the_work_that_all_runs_reached():
    short = prviz.compare(PROBLEM, CONTENDERS, seeds=3, work=40)
    longer = prviz.compare(PROBLEM, CONTENDERS, seeds=3, work=400)
    assert (
        short.hash()
        != longer.hash()
        != prviz.compare(PROBLEM, CONTENDERS, seeds=2, work=400).hash()
    )
    for runs in longer.runs.values():  # as if these runs had stopped after 40 iterations
        runs[:] = [run._replace(end_iterations=40) for run in runs]
    assert longer.frontier() == 40 and short.frontier() >= 40
    until = [run._replace(end_iterations=40) for run in short.runs["full"]]
    short.runs["full"] = until
    assert longer.hash() == short.hash()
