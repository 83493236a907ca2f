"""k1="all", k1="auto" and m1=math.inf mean the same everywhere; k1=None means 1 if M₁ is given."""

import math

import pytest
from cases import cases

import prviz
from prviz.code.settings import contender_code
from prviz.commands.searching import settings as commands
from prviz.compare import _contender
from prviz.estimators import PartialHMM, PartialKMeans, PartialKMedoids, PartialRBM
from prviz.experiments.runs.contender import Reinitialisation
from prviz.search.settings import make_schedule
from prviz.tune import cells_of, grid

N = 4
POINTS = [[0.0, 0.0], [2.0, 0.0], [10.0, 0.0], [11.0, 0.0], [20.0, 0.0], [23.0, 0.0]]
PROBLEM = prviz.kmeans(POINTS, N)
WRAPPED = prviz.wrap(lambda x: float(abs(x).sum()), lambda rng: rng.random(N), lambda x: x)


def played(k1):
    theatre = prviz.play(PROBLEM, k1=k1, calls=2)
    settings = {name: value for name, value in theatre.settings.items() if name != "seed"}
    theatre.close()
    return make_schedule(PROBLEM, **settings).levels()


def played_again(k1):
    theatre = prviz.run(PROBLEM, k1=k1, calls=2).play()
    settings = {name: value for name, value in theatre.settings.items() if name != "seed"}
    theatre.close()
    return make_schedule(PROBLEM, **settings).levels()


def compared(k1):
    found = prviz.compare(PROBLEM, {"one": {"k1": k1}}, seeds=1, calls=2)
    return found.contenders["one"].schedule.levels()


def usual(k1):
    cells, at, _ = cells_of(PROBLEM, grid(PROBLEM), {"k1": k1})
    return make_schedule(PROBLEM, **cells[at].settings).levels()


def exported(k1):
    code = contender_code(Reinitialisation(make_schedule(PROBLEM, k1)))
    return _contender(PROBLEM, "one", eval(code)).schedule.levels()


def minimized(k1):
    bounds = [(-1, 1)] * N
    return prviz.minimize(lambda x: float(x @ x), bounds=bounds, k1=k1, calls=2).run.levels


ENTRIES = {
    "run": lambda k1: prviz.run(PROBLEM, k1=k1, calls=2).levels,
    "run of a wrapped problem": lambda k1: prviz.run(WRAPPED, k1=k1, calls=2).levels,
    "workers": lambda k1: prviz.run(PROBLEM, k1=k1, calls=4, workers=2).levels,
    "make_schedule": lambda k1: make_schedule(PROBLEM, k1).levels(),
    "compare": compared,
    "tune": usual,
    "play": played,
    "run.play": played_again,
    "exported code": exported,
    "minimize": minimized,
    "PartialKMeans": lambda k1: PartialKMeans(k1=k1)._search(PROBLEM).levels,
    "PartialKMedoids": lambda k1: PartialKMedoids(k1=k1)._search(PROBLEM).levels,
    "PartialHMM": lambda k1: PartialHMM(k1=k1)._search(PROBLEM).levels,
    "PartialRBM": lambda k1: PartialRBM(k1=k1, probability=None)._search(PROBLEM).levels,
}


#: Entry points that have sliders, or whose default M₁ is a number.
FIXED = {"play", "PartialKMeans", "PartialKMedoids", "PartialRBM"}


@cases("name", sorted(FIXED))
def test_k1_none_means_1_if_m1_is_a_number(name):
    assert ENTRIES[name](None) == [prviz.Level(1, 100), prviz.Level(N)]


@cases("name", sorted(ENTRIES.keys() - FIXED))
def test_k1_none_means_auto(name):
    assert ENTRIES[name](None) == [prviz.Level("auto")]


@cases("entry", ENTRIES.values())
def test_k1_all_means_full_restarts(entry):
    assert entry("all") == [prviz.Level(N)]


@cases("name", sorted(ENTRIES.keys() - {"play"}))
def test_k1_auto_means_one_level_of_size_auto(name):
    assert ENTRIES[name]("auto") == [prviz.Level("auto")]


@cases("entry", ENTRIES.values())
@cases("k1", ["x", N + 1])
def test_k1_error_lists_the_allowed_values(entry, k1):
    said = f'^(contenders.*: )?k1 must be an integer from 1 to {N}, "all" or "auto", got {k1!r}\\.$'
    with pytest.raises((TypeError, ValueError), match=said):
        entry(k1)


TAKERS = {
    "run": lambda **given: prviz.run(PROBLEM, calls=2, **given),
    "compare": lambda **given: prviz.compare(PROBLEM, {"one": given}, seeds=1, calls=2),
    "tune": lambda **given: cells_of(PROBLEM, grid(PROBLEM), given),
    "play": lambda **given: prviz.play(PROBLEM, **given),
}
CONFLICTS = {
    "alpha": (0.5, 'Give either k1="all", which restarts from scratch, or alpha and subset'),
    "subset": ("tournament", 'Give either k1="all", .* or alpha and subset, not both'),
    "probability": (0.5, "Give either k1 or probability, not both"),
    "levels": ([prviz.Level(N)], "Give either levels or the other settings .*, not both"),
}


@cases("take", TAKERS.values())
@cases("name", CONFLICTS)
def test_k1_all_excludes_other_settings(take, name):
    value, said = CONFLICTS[name]
    with pytest.raises(ValueError, match=said):
        take(k1="all", **{name: value})


@cases("m1", [None, 1, 100])
def test_k1_all_ignores_m1(m1):
    assert make_schedule(PROBLEM, "all", m1).levels() == [prviz.Level(N)]


@pytest.mark.usefixtures("kernels")
def test_infinite_m1_never_restarts():
    levels = [prviz.Level(1, math.inf), prviz.Level(N)]
    run = prviz.run(PROBLEM, m1=math.inf, calls=150)
    assert run.trace.hash() == prviz.run(PROBLEM, m1=10**6, calls=150).trace.hash()
    assert prviz.run(PROBLEM, levels=levels, calls=150).trace.hash() == run.trace.hash()
    models = [PartialKMeans(N, m1=m1, max_calls=9, random_state=0) for m1 in (math.inf, 10**6)]
    assert len({model.fit(POINTS).inertia_ for model in models}) == 1
    both = {"a": {"m1": math.inf}, "b": {"m1": 10**6}}
    found = prviz.compare(PROBLEM, both, seeds=2, calls=150)
    assert found.curve("a").median.tolist() == found.curve("b").median.tolist()
    theatre = prviz.play(PROBLEM, m1=math.inf, calls=2)
    theatre.close()
    assert theatre.settings["m1"] == run.levels[0].repeats


def test_infinite_m1_is_an_option_of_every_command():
    assert commands.level_words(commands.level("1xinf@0.5")) == "1xinf@0.5"
    assert commands.whole_or_inf("inf") == math.inf
