"""A baseline's results do not depend on how a run is split; only comparable work is compared."""

import json
import math
import pickle
import sys
import threading
import warnings

import numpy as np
import pytest
from cases import cases
from contending import CASES, GLASS, HMM, KMEANS, KMEDOIDS, LANDSCAPE, SPREAD, caller, calls

import prviz
from prviz import baselines
from prviz.baselines.calls import Baseline, Caller
from prviz.baselines.peers import Shared
from prviz.experiments.runs.contender import RunLimit
from prviz.problems import entry_of

CALLS = 12


def columns(run):
    """Return all columns of a run except the seconds."""
    return [run.calls.tolist(), run.iterations.tolist(), run.best.tolist(), *run[4:6], run.over]


@pytest.mark.parametrize("name", CASES)
def test_run_is_the_same_in_any_number_of_steps(name):
    problem, contender = CASES[name]
    begun = contender.begin(problem, 5)
    whole = begun.further(problem, RunLimit("calls", CALLS))
    cut = begun
    for until, calls_more in ((1, math.inf), (5, 3), (CALLS, 2), (CALLS, math.inf)):
        cut = pickle.loads(pickle.dumps(cut))
        cut = cut if cut.done else cut.further(problem, RunLimit("calls", until, calls_more))
    assert columns(cut.improvements) == columns(whole.improvements)
    assert columns(begun.further(problem, RunLimit("calls", CALLS)).improvements) == columns(
        cut.improvements
    )
    assert whole.improvements.end_calls == (
        CALLS if not whole.done else whole.improvements.end_calls
    )
    assert len(begun.improvements.best) == 0 and whole.improvements.end_seconds > 0

    by_hand = calls(caller(problem, contender, 5), whole.improvements.end_calls)
    costs, iterations = zip(*by_hand, strict=True)
    assert whole.improvements.end_iterations == sum(iterations) and min(iterations) >= 1
    best = np.minimum.accumulate(costs)
    np.testing.assert_array_equal(whole.improvements.best, best[whole.improvements.calls - 1])


@cases("name", ["RandomSwap", "AffinityPropagation", "HMMLearn"])
def test_workers_do_not_change_the_result(name):
    problem, contender = CASES[name]
    alone, together = (
        prviz.compare(problem, {name: contender}, seeds=3, calls=5, workers=workers)
        for workers in (1, 2)
    )
    assert [*map(columns, together.runs[name])] == [*map(columns, alone.runs[name])]
    assert len({str(columns(run)) for run in alone.runs[name]}) > 1 or alone.runs[name][0].over


@cases("name", ["RandomSwap", "AffinityPropagation"])
def test_contender_ends_after_the_call_that_reaches_its_budget_or_target(name):
    problem, contender = CASES[name]
    run = contender.begin(problem, 1).further(problem, RunLimit("iterations", 60))
    made = np.cumsum(
        [n for _, n in calls(caller(problem, contender, 1), run.improvements.end_calls)]
    )
    assert made[-1] == run.improvements.end_iterations
    assert run.improvements.over or made[-1] >= 60 > made[:-1].max(initial=0)

    whole = contender.begin(problem, 1).further(problem, RunLimit("calls", CALLS)).improvements
    best = float(whole.best[-1])
    ended = contender.begin(problem, 1).further(problem, RunLimit("calls", 500, target=best))
    assert ended.done and ended.nbytes == 0 and ended.held is None
    assert ended.improvements.end_calls == whole.calls[-1]


def test_budget_may_be_in_seconds():
    slow, problem = baselines.Annealing(moves=500), LANDSCAPE
    run = slow.begin(problem, 0).further(problem, RunLimit("seconds", 0.02))
    assert run.improvements.end_seconds >= 0.02 and run.improvements.end_calls < 100


@cases("name", CASES)
def test_settings_are_json_types(name):
    contender = CASES[name][1]
    settings = json.loads(json.dumps(contender.settings))
    assert settings.pop("baseline") == name
    assert type(contender)(**settings) == contender


@cases("name", CASES)
def test_unsupported_problem_is_rejected(name):
    contender = CASES[name][1]
    wrong = [
        each
        for each in (KMEANS, KMEDOIDS, HMM, LANDSCAPE, GLASS)
        if type(each) not in contender.problems
    ]
    for problem in wrong:
        with pytest.raises(
            ValueError, match=rf"^{name} is for problems that {contender.made_by} m"
        ):
            prviz.compare(problem, {name: contender}, seeds=1, calls=5)
    assert len(wrong) == 4 and type(CASES[name][0]) in contender.problems
    assert contender.made_by == f"prviz.{entry_of(CASES[name][0]).id}"


@cases(
    ("name", "package", "module"),
    [
        ("FasterPAM", "kmedoids", "kmedoids"),
        ("HMMLearn", "hmmlearn", "hmmlearn"),
        ("DWaveAnnealing", "dwave-samplers", "dwave"),
    ],
)
def test_error_names_a_missing_package(monkeypatch, name, package, module):
    for loaded in [key for key in sys.modules if key.partition(".")[0] == module]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, module, None)
    problem, contender = CASES[name]
    with pytest.raises(ImportError, match=f"^{name} needs the package {package}: pip install"):
        prviz.compare(problem, {name: contender}, seeds=1, calls=5)


@cases(
    ("make", "error", "says"),
    [
        (lambda: baselines.AffinityPropagation(damping=0.2), ValueError, "damping must be"),
        (lambda: baselines.BasinHopping(step=0), ValueError, "step must be positive"),
        (lambda: baselines.BasinHopping(temperature=math.nan), ValueError, "temperature must be"),
        (lambda: baselines.Annealing(hottest=1, coldest=1), ValueError, "above coldest, 1, got 1"),
        (
            lambda: baselines.Annealing(temperatures=1),
            ValueError,
            "temperatures must be at least 2",
        ),
        (lambda: baselines.DWaveAnnealing(sweeps=0), ValueError, "sweeps must be at least 1"),
        (lambda: baselines.Annealing(moves=1.5), TypeError, "moves must be a whole number"),
    ],
)
def test_contenders_reject_invalid_settings(make, error, says):
    with pytest.raises(error, match=says):
        make()


@cases("wrong", [baselines.RandomSwap, 7, "k-means++"])
def test_invalid_contender_is_rejected(wrong):
    with pytest.raises(TypeError, match=r"or a method such as prviz.baselines.KMeansPlusPlus\(\)"):
        prviz.compare(KMEANS, {"it": wrong}, calls=5)


def test_methods_with_different_iterations_need_a_budget_in_seconds():
    both = {"partial": {"k1": 1}, "FasterPAM": baselines.FasterPAM()}
    says = (
        "Use seconds, because an iteration differs between the contenders: 'partial' iterations "
        "of the local optimiser, 'FasterPAM' passes over all points."
    )
    for budget in ({"calls": 5}, {"work": 100}):
        with pytest.raises(ValueError) as caught:
            prviz.compare(KMEDOIDS, both, seeds=2, **budget)
        assert str(caught.value) == says
    found = prviz.compare(KMEDOIDS, both, seeds=2, seconds=0.02, workers=1)
    assert found.frontier() >= 0.02 and found.curve("FasterPAM").n == 2
    for axis in ("calls", "iterations"):
        with pytest.raises(ValueError, match=r"^Use seconds"):
            found.curve("partial", axis=axis)
    alike = {"one": baselines.FasterPAM(), "other": baselines.FasterPAM()}
    assert prviz.compare(KMEDOIDS, alike, seeds=2, calls=5).frontier("iterations") >= 5


def test_missing_costs_do_not_cause_ties():
    """A cost of +∞, before there are k clusters, does not enlarge the rounding error."""
    both = {"partial": {"k1": 1}, "messages": baselines.AffinityPropagation()}
    found = prviz.compare(SPREAD, both, seeds=2, seconds=0.01, workers=1)
    assert found.runs["messages"][0].best[0] == math.inf
    assert 0 < found._rounding() < 1e-6


def test_method_without_a_result_ends_at_its_budget():
    class Nothing(Caller):
        def call(self):
            return math.inf, 1

    class Idle(Baseline):
        problems = (type(KMEANS),)

        def caller(self, problem, rng, held):
            return Nothing()

    run = Idle().begin(KMEANS, 0).further(KMEANS, RunLimit("iterations", 3))
    assert columns(run.improvements) == [[1], [1], [math.inf], 3, 3, False] and not run.done


def test_shared_setting_lasts_until_the_last_thread_has_left():
    """The first thread leaves first; the setting lasts until the second thread has left."""

    def ignoring():
        return warnings.catch_warnings(action="ignore")

    shared, inside, left = Shared(ignoring), threading.Event(), threading.Event()

    def other():
        with shared:
            inside.set()
            left.wait()
            warnings.warn("which would be an error", UserWarning, stacklevel=1)
            heard.append("nothing")

    heard: list[str] = []
    before = warnings.filters[:]
    thread = threading.Thread(target=other)
    with shared:
        thread.start()
        inside.wait()
    left.set()
    thread.join()
    assert heard == ["nothing"] and warnings.filters == before
