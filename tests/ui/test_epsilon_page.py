"""The probe of ε on pages has the right sizes, texts and sliders (tested without a browser)."""

import numpy as np
import pytest
from cases import cases
from visits import Visit, checked, press, run_of, turned_to, values

import prviz
from prviz.datasets import Points
from prviz.engine.schedule import Level, Schedule
from prviz.figures.epsilon import epsilon_info
from prviz.search import checkpoint
from prviz.ui.benchmarks import hierarchy, kmeans
from prviz.ui.benchmarks.hmm import BENCHMARK as HMM
from prviz.ui.benchmarks.rbm import BENCHMARK as RBM
from prviz.ui.levels import sliders
from prviz.ui.levels.sliders import SLIDERS, Usual
from prviz.ui.sections import epsilon
from prviz.ui.sections.advice import Advice, Asked, advise, table
from prviz.ui.sections.epsilon import read_sizes, sizes
from prviz.ui.sections.probing import Probing, Start

KMEANS, BOLTZMANN = Visit("kmeans"), Visit("rbm")


@cases(
    ("n", "listed"),
    [
        (1, [1]),
        (2, [1, 2]),
        (3, [1, 2, 3]),
        (50, [1, 2, 5, 10, 20, 50]),
        (98, [1, 2, 5, 10, 20, 50, 98]),
        (121, [1, 2, 5, 10, 20, 50, 100, 121]),
    ],
)
def test_default_sizes_depend_on_n(n, listed):
    assert sizes(n) == listed


def test_typed_sizes_are_read():
    assert read_sizes("5, 1;3 3\n", 9, "centres") == [1, 3, 5]


@cases(
    ("text", "said"),
    [
        ("", "Enter at least one k from 1 to 9"),
        (" , ;", "Enter at least one k"),
        ("1, x", "“x” is not a number of centres: write 1 to 9"),
        ("0", "“0” is not a number of centres"),
        ("10", "“10” is not a number of centres"),
        ("-1", "“-1” is not a number of centres"),
        ("1.5", "“1.5” is not a number of centres"),
        ("9" * 50, "“999999999999…” is not a number"),
    ],
)
def test_invalid_sizes_are_rejected(text, said):
    with pytest.raises(ValueError, match=said):
        read_sizes(text, 9, "centres")


def test_too_many_sizes_are_rejected():
    with pytest.raises(ValueError, match="25 sizes exceed the limit of 24"):
        read_sizes(" ".join(map(str, range(1, 26))), 30, "centres")


def found(improved, repeats):
    sizes = np.array([0, 1, 3, 8])
    return prviz.Probe(sizes, np.array(repeats), np.array(improved), 5.0, 2 * np.array(repeats))


def rows(probe, delta=0.05):
    lines = table(epsilon_info(probe), delta).splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    # no line may begin with a % sign
    assert not any(" %" in cell for row in cells for cell in row)
    return [[cell.replace("\u00a0", " ") for cell in row] for row in cells]


def test_table_has_a_row_per_size():
    probe = found([0, 40, 0, 10], [200, 200, 200, 100])
    control, one, three, all_ = rows(probe)
    assert one == ["**1**", "40 of 200", "20 %", "14", "15 % – 26.1 %", "2", "10"]
    assert all_ == ["8", "10 of 100", "10 %", "29", "5.52 % – 17.4 %", "2", "20"]
    assert control == ["0", "0 of 200", "< 1.88 %", "", "0 – 1.88 %", "2", "> 110"]
    # for ε < 0.0188, the redraws needed exceed ln 0.05 / ln(1 − 0.0188) = 157.4
    assert three[2:5] == ["< 1.88 %", "> 158", "0 – 1.88 %"]


PAPER = Usual(1, 100, "the paper's")


def advised(improved, repeats, usual=PAPER, gap=0.05):
    probe = found(improved, repeats)
    return advise(probe, epsilon_info(probe), Asked(8, usual, gap, 0.05))


def words(*args, **others):
    return " ".join(advised(*args, **others).said)


def test_paper_setting_is_confirmed_with_at_least_the_default_m():
    advice = advised([0, 40, 2, 0], [200] * 4)
    assert (advice.k, advice.m) == (1, 100)
    said = " ".join(advice.said)
    assert said.startswith(
        "**k = 1** needs the least work: 10 iterations per improvement (95 % CI 7.7 to 13)"
    )
    assert "This k is the paper's k₁ = 1: no better k was found." in said
    assert "M = 19 redraws all miss with probability 0.05" in said  # ln 0.05 / ln(1 − 0.150)
    assert "at least 100, the page's default" in said
    rare = advised([0, 12, 0, 0], [2000] * 4)
    low = found([0, 12, 0, 0], [2000] * 4).intervals()[1, 0]
    assert (rare.k, rare.m) == (1, prviz.calls_needed(0.05, low))


def test_another_k_is_advised_if_it_saves_work():
    advice = advised([0, 10, 60, 0], [400] * 4)
    assert advice.k == 3
    assert "the paper's k₁ = 1 needs **6 times (95 % CI 3.2 to 11)** the work" in (
        " ".join(advice.said)
    )
    never = words([0, 0, 60, 0], [400] * 4)
    assert "the paper's k₁ = 1 needs **at least 12 times** the work" in never


def test_paper_setting_is_kept_if_differences_are_unclear():
    advice = advised([0, 40, 48, 0], [200] * 4)
    assert advice.k == 1
    assert "**The paper's k₁ = 1 is not significantly worse than k = 3**" in (" ".join(advice.said))
    assert "not significantly better than k = 1: the intervals overlap" in " ".join(advice.said)


@cases(
    ("improved", "gap", "why"),
    [
        (
            [0, 150, 160, 140],
            0.05,
            "this k is not significantly better than redrawing all 8, as restarts do",
        ),
        (
            [0, 1, 3, 0],
            0.05,
            ("this k is not significantly better than redrawing all 8, as restarts do"),
        ),
        ([0, 40, 2, 0], 0.4, "far above the best cost nearly every redraw improves"),
        ([7, 90, 2, 0], 0.05, "the optimiser alone improved in 7 of 200 runs"),
        ([0, 0, 0, 0], 0.05, "No redraw improved. This does not prove that no redraw can"),
    ],
)
def test_missing_advice_has_a_reason(improved, gap, why):
    advice = advised(improved, [200] * 4, gap=gap)
    assert advice.k is None
    assert why in " ".join(advice.said)


def test_no_advice_before_all_sizes_were_tried():
    assert advised([0, 0, 0, 0], [20, 0, 0, 0]) == ([], None, 0)
    assert "first probe k = 8" in words([0, 40, 1, 0], [200, 200, 200, 0])


@cases(
    ("values", "k", "m", "after", "said"),
    [
        ({"m2": 7}, 3, 44, {"k1": 3, "m1": 44, "m2": 7}, "k₁ is now 3 and M₁ 44."),
        ({}, 3, 10**6, {"k1": 3, "m1": 10_000}, "M₁ = 1\u202f000\u202f000 is above this page's"),
        ({"by": "p", "p": 0.1}, 3, 4, {"k1": 3, "by": "k1"}, "Redraws now use k₁ instead of p."),
        ({"k2": 3}, 3, 4, {"k1": 3, "k2": 0}, "1 level of size 3 or less removed."),
        ({"k2": 3, "k3": 5, "m3": 6}, 3, 4, {"k2": 5, "m2": 6, "k3": 0}, "1 level of size"),
        ({"k2": 4, "m2": 2}, 3, 4, {"k1": 3, "k2": 4}, "k₁ is now 3 and M₁ 4."),
        ({}, 9, 4, {"k1": 9}, "Every redraw is now a full restart"),
    ],
)
def test_advice_sets_the_sliders(values, k, m, after, said):
    levels = {"k2": 0, "m2": 1, "k3": 0, "m3": 1}
    values = {"k1": 1, "m1": 100, "alpha": 0.0, **levels, **values}
    table = sliders.controls("centres", 9, (1, 1), (100, 100), "It is fresh.")
    assert said in SLIDERS.adopt(values, 9, k, m, table)
    assert values.items() >= after.items()
    SLIDERS.schedule(values, 9)  # raises no error


def test_baseline_of_the_comparison_is_the_papers_setting():
    usual = kmeans.BENCHMARK.usual
    assert usual(kmeans.DEFAULTS) == (1, 100, "the paper's")
    assert HMM.usual(HMM.defaults | {"n_states": 4}) == (4, 500, "the paper's")
    assert RBM.usual(RBM.defaults) == (10, 100, "the paper's")  # p = 0.1 of 98 parameters
    page = hierarchy.BENCHMARK
    assert page.usual(page.defaults | {"benchmark": "kmedoids"})[:2] == (1, 50_000)


class Held:
    """A run with a given cost and best known cost."""

    def __init__(self, cost, best_known):
        self.problem = prviz.kmeans(np.random.default_rng(3).normal(size=(200, 2)), 12)
        self.schedule = Schedule.two_level(1, 50, 12)
        self.id, self.seed = "held", 2
        self.cost, self.best_known = cost, best_known

    def layout(self):
        return {"best_known": self.best_known, "cost": "WCSS"}

    def head(self):
        return {"best": self.cost}

    def best(self):
        return 77, "as it is"


@cases("gap", [0.01, 0.1])
def test_probe_starts_at_the_best_of_the_run_if_it_is_near_the_best_known_cost(gap):
    start = Start(Held(100 * (1 + gap) - 1e-9 if gap > 0.05 else 101.001, 100.0))
    assert start.best() == (77, "as it is")
    assert start.gap == pytest.approx(gap, rel=0.01)
    assert start.words.endswith("above the best known: the run above reached it after 77 calls.")


@cases("cost", [None, 100.0, 100.9, 150.0])
def test_probe_searches_for_a_start_if_the_run_has_none_near_the_best_cost(cost, monkeypatch):
    monkeypatch.setattr(checkpoint, "MOST_CALLS", 200)
    held = Held(cost, None)
    start = Start(held)
    calls, state = start.best()
    assert prviz.engine.kernels.cost(held.problem, state) > 0
    assert f"a search with the same values reached it after {calls} call" in start.words
    assert "the best cost found" in start.words or "above the best that" in start.words


@cases(
    ("before", "k", "after", "said"),
    [
        ("1x5,10", 3, "3x44,10", "k₁ is now 3 and M₁ 44."),
        ("1x5a0.5,2x7,4x9,10", 3, "3x44a0.5,4x9,10", "1 level of size 3 or less removed."),
        ("10", 3, "3x44,10", "k₁ is now 3"),
        ("1x5,10x3", 10, "10x3", "k = 10 redraws all variables: full restarts only"),
        ("1x5a0.5,10", 10, "10x44a0.5,10", "k₁ is now 10"),
    ],
)
def test_advice_sets_level_1(before, k, after, said):
    values = {**hierarchy_values(), "levels": before}
    assert said in hierarchy.EDITOR.adopt(values, 10, k, 44, ())
    assert values["levels"] == after


def hierarchy_values():
    return {control.name: control.default for control in hierarchy.TABLE}


@pytest.fixture
def tiny(monkeypatch):
    """Use sixty points instead of those of S1."""
    points = np.random.default_rng(3).normal(size=(60, 2))
    monkeypatch.setitem(kmeans.SETS, "s1", lambda: Points(points, "Sixty", "made by hand"))
    kmeans.named.clear()


@pytest.fixture
def jobs(monkeypatch):
    """Record every probe that a page starts, and shorten the search before it."""
    monkeypatch.setattr(checkpoint, "MOST_CALLS", 100)
    monkeypatch.setattr(epsilon, "REPEATS", 100)
    started = []

    def start(*args):
        started.append(Probing(*args))
        return started[-1]

    monkeypatch.setattr(epsilon, "Probing", start)
    yield started
    for job in started:
        job.stop()
        job.join()


@pytest.fixture
def two(monkeypatch):
    """Let every probe advise k = 2."""
    monkeypatch.setattr(epsilon, "advise", lambda *about: Advice(["So."], 2, 44))


def opened_probe(visit, **query):
    page = visit.opened(**query)
    page.session_state[f"{visit.name}-epsilon"] = True
    return checked(page.run())


def probed(page, jobs):
    """Press Probe and wait for its end; return the page and the job."""
    press(page, "Probe")
    jobs[-1].join()
    return checked(page.run()), jobs[-1]


def said(page):
    return " ".join(markdown.value for markdown in page.main.markdown)


@pytest.mark.usefixtures("quiet_engine", "tiny")
class TestOnAPage:
    SMALL: dict[str, str] = {"data": "s1", "n_clusters": "8"}  # noqa: RUF012

    @pytest.mark.usefixtures("two")
    def test_probe_result_is_applied_to_the_sliders(self, jobs):
        page = KMEANS.opened(**self.SMALL)
        assert "Probe" not in [button.label for button in page.button]  # the section is closed
        page.session_state["kmeans-epsilon"] = True
        page, job = probed(checked(page.run()), jobs)
        assert job.state == "found" and job.sizes == [0, 1, 2, 5, 8]
        assert job.start.words in said(page)
        assert job.start.words.startswith("The probe starts from WCSS ")
        assert len(page.get("plotly_chart")) == 1
        (button,) = [b for b in page.button if b.label.startswith("Use")]
        assert button.label == "Use k₁ = 2, M₁ = 44"
        assert button.proto.type == "secondary"
        page = checked(button.click().run())
        assert (values(page)["k1"], values(page)["m1"]) == ("2", "44")
        assert run_of(page).schedule.levels()[0] == Level(2, 44)
        assert "k₁ is now 2 and M₁ 44." in page.info[0].value
        # the result stays: the schedule changed, but not the problem
        assert len(page.get("plotly_chart")) == 1

    def test_advice_follows_delta_and_has_no_button_without_a_k(self, jobs, monkeypatch):
        asked, nothing = [], Advice(["Nothing follows."])
        monkeypatch.setattr(epsilon, "advise", lambda *about: asked.append(about[2]) or nothing)
        page, job = probed(opened_probe(KMEANS, **self.SMALL), jobs)
        assert "Nothing follows." in said(page)
        assert not [b for b in page.button if b.label.startswith("Use")]
        KMEANS.put(page, "number_input", "epsilon-delta", 1e-6)
        assert [each.delta for each in asked[-2:]] == [0.05, 1e-6]
        assert asked[-1] == (8, PAPER, job.start.gap, 1e-6)

    def test_calculator_uses_the_result_of_the_probe(self, jobs):
        page, job = probed(opened_probe(KMEANS, **self.SMALL), jobs)
        turned_to(page, "hmm")
        page = turned_to(page, "kmeans")
        assert page.get("plotly_chart")  # the section stays open between visits
        page = press(page, "Show in the calculator")
        entry = KMEANS.widget(page, "number_input", "calculator-epsilon")
        best = job.found.cheapest_size
        assert entry.value == job.found.epsilon[job.sizes.index(best)]

    def test_change_of_problem_discards_the_result(self, jobs):
        page, _ = probed(opened_probe(KMEANS, **self.SMALL), jobs)
        for kind, key, value in [
            ("number_input", "n_clusters-exact", 7),
            ("slider", "alpha-slider", 0.5),
        ]:
            page = KMEANS.put(page, kind, key, value)
            assert "the previous probe was discarded" in page.info[0].value
            assert not page.get("plotly_chart")
            page, _ = probed(page, jobs)
            assert not page.info and page.get("plotly_chart")

    def test_typed_sizes_are_tried_and_wrong_ones_reported(self, jobs):
        page = opened_probe(KMEANS, **self.SMALL)
        page = KMEANS.put(page, "text_input", "epsilon-sizes-8", "1, 9")
        page = press(page, "Probe")
        assert page.error[0].value.startswith("“9” is not a number of centres: write 1 to 8")
        assert not jobs
        page = KMEANS.put(page, "text_input", "epsilon-sizes-8", "3")
        _, job = probed(page, jobs)
        assert job.sizes == [0, 1, 3, 8]  # full restarts and the paper's k are always tried

    def test_out_of_range_number_is_clipped_and_reported(self):
        page = opened_probe(KMEANS, **self.SMALL)
        page = KMEANS.put(page, "number_input", "epsilon-repeats", 0)
        assert KMEANS.widget(page, "number_input", "epsilon-repeats").value == 1
        words = "Redraws of each must be from 1 to 100000: 0 was changed to 1."
        assert words in " ".join(caption.value for caption in page.main.caption)
        page = KMEANS.put(page, "number_input", "epsilon-repeats", 30)
        assert "was changed" not in " ".join(caption.value for caption in page.main.caption)

    def test_stop_keeps_the_result(self, jobs):
        page = opened_probe(KMEANS, **self.SMALL)
        page = KMEANS.put(page, "number_input", "epsilon-repeats", 100_000)
        press(page, "Probe")
        (job,) = jobs
        while job.found is None:
            pass
        page = checked(page.run())
        assert "of 500\u202f000 in all" in page.get("progress")[0].proto.text
        (stop,) = [button for button in page.button if button.key == "kmeans-epsilon-stop"]
        checked(stop.click().run())
        job.join()
        page = checked(page.run())
        assert job.state == "stopped"
        assert not page.get("progress") and page.get("plotly_chart")

    def test_page_says_that_cd_1_is_stochastic(self):
        page = opened_probe(BOLTZMANN, optimiser="cd1", epochs="3", n_hidden="2")
        assert "CD-1 is stochastic" in said(page)

    @pytest.mark.usefixtures("two")
    def test_hierarchy_page_applies_advice_to_level_1(self, jobs):
        visit = Visit("hierarchy")
        page = opened_probe(visit, benchmark="landscape", dimensions="4", levels="1x5,3x2,4")
        page, _ = probed(page, jobs)
        page = checked(next(b for b in page.button if b.label.startswith("Use")).click().run())
        assert values(page)["levels"] == "2x44,3x2,4"
        assert not page.error
        assert len(page.get("plotly_chart")) == 1

    def test_advice_replaces_p_by_k(self, jobs, monkeypatch):
        page = opened_probe(BOLTZMANN, optimiser="exact", epochs="3", n_hidden="2")
        page, job = probed(page, jobs)
        assert job.state == "found", job.trouble
        assert "CD-1 is stochastic" not in said(page)
        assert "**Without any redraw, the optimiser alone improved" in said(page)
        assert not [b for b in page.button if b.label.startswith("Use")]
        monkeypatch.setattr(epsilon, "advise", lambda *about: Advice(["So."], 2, 44))
        page = checked(page.run())
        (button,) = [b for b in page.button if b.label.startswith("Use")]
        page = checked(button.click().run())
        assert values(page)["by"] == "k1"
        assert "Redraws now use k₁ instead of p." in page.info[0].value
