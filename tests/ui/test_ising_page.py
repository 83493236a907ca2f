"""Test the parts that only the spin glass page has, without a browser."""

import sys
from importlib import util
from types import ModuleType

import numpy as np
import pytest
from cases import cases
from visits import Visit, checked, player, run_of, values

import prviz
from prviz import baselines
from prviz.datasets import DataUnavailable, torus
from prviz.ui.benchmark import peer
from prviz.ui.benchmarks import ising

VISIT = Visit("ising")
opened, put, widget = VISIT.opened, VISIT.put, VISIT.widget
SQUARE = b"4 4\n1 2 1\n2 3 1\n3 4 1\n1 4 -2\n"

pytestmark = pytest.mark.usefixtures("quiet_engine")


def problem_of(page):
    return run_of(page)._film.problem


def upload(page, name, content):
    return checked(page.file_uploader[0].set_value((name, content, "text/plain")).run())


def written(page):
    return " ".join(markdown.value for markdown in page.main.markdown)


def test_page_opens_on_a_torus_searched_by_patches():
    page = opened()
    assert page.main.markdown[0].value == "# Spin glass: 10 × 10 torus, ±1 couplings"
    told = {
        name: str(value) for name, value in ising.DEFAULTS.items() if name not in ("file", "how")
    }
    assert values(page) == told
    assert page.get("button_group")[0].value == "quick look"
    assert run_of(page)._search.schedule.levels()[0].subset == "patch"
    assert not page.error and not page.warning


@cases(("data", "n", "side"), [("gauss3", 343, "7"), ("chimera", 200, "5"), ("signs3", 343, "7")])
def test_new_lattice_sets_and_limits_its_side(data, n, side):
    page = put(opened(), "selectbox", "data-choice", data)
    assert len(problem_of(page).fields) == n and values(page)["side"] == side
    put(page, "number_input", "side-exact", 60)
    assert int(values(page)["side"]) == (16 if data == "chimera" else 15)


def test_controls_set_the_parameters_of_the_problem():
    page = opened(data="gauss2", side="6", draw="3", optimiser="tabu", k1="4")
    problem = problem_of(page)
    assert problem.tabu and len(problem.fields) == 36
    weights = torus((6, 6), "gaussian", 3).weights
    assert np.abs(problem.doubled).sum() == pytest.approx(4 * np.abs(weights).sum())


def test_small_square_shows_its_proven_energy():
    page = opened()
    assert "Lowest energy proven by transfer matrices: -130." in written(page)
    assert run_of(page).layout()["best_known"] == -130
    assert run_of(put(page, "number_input", "side-exact", 11)).layout()["best_known"] is None


def test_three_levels_preset_has_three_levels():
    page = opened()
    checked(page.get("button_group")[0].set_value("three levels").run())
    sizes = [level.size for level in run_of(page)._search.schedule.levels()]
    assert sizes == [10, 60, 343]


def test_a_benchmark_that_is_unavailable_is_reported(monkeypatch):
    def missing(name):
        raise DataUnavailable("G14 is not on this machine: do this.")

    monkeypatch.setattr(ising.datasets, "glass", missing)
    ising._fetched.clear()
    page = opened()
    before = player(page)
    put(page, "selectbox", "data-choice", "G14")
    assert [error.value for error in page.error] == ["G14 is not on this machine: do this."]
    assert values(page)["data"] == "signs2" and player(page)["run"] == before["run"]
    ising._fetched.clear()


def test_benchmark_shows_its_cut(data_dir):
    page = opened(data="G11")
    assert "a cut of 564" in written(page)
    assert run_of(page).layout()["best_known"] == ising.data({**ising.DEFAULTS, "data": "G11"})[7]


def test_own_file_is_searched_as_a_cut_or_a_qubo():
    page = put(opened(), "selectbox", "data-choice", "own")
    assert ising.DATA_INPUT.none_yet in [info.value for info in page.info]
    checked(widget(page, "button", "own-sample").click().run())
    assert page.main.markdown[0].value == "# Spin glass: torus.txt"
    assert len(problem_of(page).fields) == 64
    upload(page, "square.txt", SQUARE)
    assert not page.error
    assert page.main.markdown[0].value == "# Spin glass: square.txt"
    assert "**square.txt**: 4 spins, 4 couplings." in [c.value for c in page.sidebar.caption]
    assert sorted(problem_of(page).doubled.tolist()) == sorted([-2.0] * 6 + [4.0] * 2)
    assert (values(page)["optimiser"], values(page)["how"]) == ("annealing", "auto")
    put(page, "selectbox", "kind-choice", "qubo")
    assert problem_of(page).fields.any()
    params = player(page)["params"]
    put(page, "selectbox", "data-choice", "gauss3")
    assert problem_of(page).betas.size == 0 and "how" not in values(page)
    fresh = opened(**params)
    assert ising.DATA_INPUT.elsewhere in [said.value for said in (*fresh.error, *fresh.warning)]
    assert values(fresh)["data"] == "signs2"


def test_invalid_file_is_reported():
    page = put(opened(), "selectbox", "data-choice", "own")
    for content, words in [
        (b"4 1\n1 9 1\n", "bad.txt: line 2 names a spin outside 1 to 4"),
        (b"one two\n", "bad.txt: line 1 must have the numbers of spins and pairs"),
        (b"9000 1\n1 2 1\n", "9000 spins and 1 couplings; this page accepts 2 to 4000 spins"),
    ]:
        upload(page, "bad.txt", content)
        assert words in page.sidebar.error[0].value


@cases("data", ["gauss3", "chimera", "signs2"])
def test_the_code_of_the_page_builds_its_problem(data):
    chosen = {**ising.DEFAULTS, "data": data, "side": 4, "optimiser": "tabu"}
    made = {"prviz": prviz}
    exec(ising.code(chosen), made)
    problem, _ = ising.problem(chosen)
    assert all(np.array_equal(a, b) for a, b in zip(made["problem"], problem, strict=True))


def test_three_levels_win_in_the_documented_example():
    chosen = {**ising.DEFAULTS, **ising.PRESETS["three levels"]}
    problem, _ = ising.problem(chosen)
    levels = ising.BENCHMARK.schedule(chosen).levels()
    assert "Without level 2 the search stays about one percent or more" in ising.PRESETS_HELP
    lowest = -563.5326  # the lowest cost of about a hundred runs of 1 s
    both, alone = (
        prviz.run(problem, levels=given, seed=2, iterations=1_000_000).best_cost
        for given in (levels, [levels[0], levels[-1]])
    )
    assert lowest - 1e-4 < both < 0.997 * lowest < 0.99 * lowest < alone


def test_annealing_wins_in_the_documented_example(data_dir):
    chosen = {**ising.DEFAULTS, **ising.PRESETS["where it loses"]}
    problem, scene = ising.problem(chosen)
    assert ising.data(chosen).cut(scene.best_known) == 11624
    assert (
        "one to four percent above the energy of its best cut, whose weight is 11624"
        in ising.PRESETS_HELP
    )
    levels = ising.BENCHMARK.schedule(chosen).levels()
    patches = prviz.run(problem, levels=levels, seed=0, calls=100_000).best_cost
    assert 0.96 * scene.best_known > patches > scene.best_known
    annealing = baselines.DWaveAnnealing().caller(problem, np.random.default_rng(0), None)
    assert annealing.call()[0] == scene.best_known


def copy_of_the_page():
    """Import the page's module again, with the packages that are importable now."""
    spec = util.spec_from_file_location("copied", ising.__file__)
    made = util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made.BENCHMARK


def test_annealing_without_its_package_is_a_hint_to_install_it(monkeypatch):
    assert [*copy_of_the_page().rivals({})] == ["annealing"]
    for loaded in [name for name in sys.modules if name.partition(".")[0] == "dwave"]:
        monkeypatch.delitem(sys.modules, loaded)
    without = ModuleType("dwave")  # the namespace may exist without the package
    without.__path__ = []
    monkeypatch.setitem(sys.modules, "dwave", without)
    there = copy_of_the_page()
    words = "Annealing can race here too. Install the package dwave-samplers to use it."
    assert (there.rivals({}), there.absent) == ({}, words)


def test_method_without_its_package_is_listed_as_absent():
    made = peer("it", "no-such-package", baselines.DWaveAnnealing, "no_such_package.samplers")
    assert [*made] == ["absent"]


def test_scene_names_the_running_optimiser():
    names = ("descent", "tabu", "annealing")
    scenes = [ising.problem({**ising.DEFAULTS, "optimiser": name})[1] for name in names]
    assert [scene.optimiser for scene in scenes] == ["Descent", "Tabu search", "Annealing"]
