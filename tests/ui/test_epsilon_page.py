"""The probe of ε on pages, without a browser: sizes, words, and what goes to the sliders."""

import numpy as np
import pytest
from visits import Visit, checked, press, run_of, values

import prviz
from prviz.datasets import Points
from prviz.engine.schedule import Level
from prviz.figures.epsilon import epsilon_info
from prviz.player.job import ProbeJob
from prviz.ui.benchmarks import hierarchy, kmeans
from prviz.ui.levels import sliders
from prviz.ui.levels.sliders import SLIDERS
from prviz.ui.sections import epsilon
from prviz.ui.sections.epsilon import read_sizes, sizes, table, verdict

KMEANS, BOLTZMANN = Visit("kmeans"), Visit("rbm")


@pytest.mark.parametrize(
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
def test_sizes_to_begin_with(n, listed):
    assert sizes(n) == listed


def test_sizes_that_are_typed():
    assert read_sizes("5, 1;3 3\n", 9, "centres") == [1, 3, 5]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "There is no k to try: write numbers from 1 to 9"),
        (" , ;", "There is no k to try"),
        ("1, x", "“x” is no number of centres: write 1 to 9"),
        ("0", "“0” is no number of centres"),
        ("10", "“10” is no number of centres"),
        ("-1", "“-1” is no number of centres"),
        ("1.5", "“1.5” is no number of centres"),
        ("9" * 50, "“999999999999…” is no number"),
    ],
)
def test_sizes_that_are_wrong(text, said):
    with pytest.raises(ValueError, match=said):
        read_sizes(text, 9, "centres")


def test_more_sizes_than_a_probe_takes():
    with pytest.raises(ValueError, match="25 sizes are more than the 24"):
        read_sizes(" ".join(map(str, range(1, 26))), 30, "centres")


def found(improved, repeats):
    sizes = np.array([0, 1, 3, 8])
    return prviz.Probe(sizes, np.array(repeats), np.array(improved), 5.0, 2 * np.array(repeats))


def rows(probe, delta=0.05):
    lines = table(probe, epsilon_info(probe), delta).splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_table_says_what_each_size_did():
    probe = found([0, 40, 0, 10], [200, 200, 200, 100])
    control, one, three, all_ = rows(probe)
    assert one == ["**1**", "40 of 200", "20 %", "14", "15 % – 26.1 %", "2"]
    assert all_ == ["8", "10 of 100", "10 %", "29", "5.52 % – 17.4 %", "2"]
    assert control == ["0", "0 of 200", "< 1.88 %", "", "0 – 1.88 %", "2"]
    # for ε below 0.0188 the redraws needed are more than ln 0.05 / ln(1 − 0.0188) = 157.4
    assert three[2:5] == ["< 1.88 %", "> 158", "0 – 1.88 %"]


def words(*probe):
    probe = found(*probe)
    return " ".join(verdict(probe, epsilon_info(probe), 0.05))


def test_the_verdict_says_how_sure_it_is():
    sure = words([0, 40, 0, 10], [200, 200, 200, 200])
    assert sure.startswith("**k = 1** improved most often: M = 14 redraws")
    assert "it takes 19" in sure  # ln 0.05 / ln(1 − 0.150)
    assert "don't tell" not in sure and "Without any redraw" not in sure
    assert "don't tell it from k = 3, 8" in words([0, 5, 4, 3], [20, 20, 20, 20])


def test_the_verdict_without_an_improvement():
    assert words([0, 0, 0, 0], [20, 20, 20, 0]).startswith("No redraw has improved. That doesn't")
    assert words([0, 0, 0, 0], [20, 0, 0, 0]) == ""


def test_an_optimiser_that_improves_by_itself_is_told():
    said = words([7, 9, 0, 0], [20, 20, 20, 20])
    assert said.startswith("**Without any redraw, the optimiser alone improved 7 times of 20**")
    assert "don't tell it from the control, so that no redraw is shown to help" in said
    far = words([7, 90, 80, 0], [200, 200, 200, 200])
    assert "don't tell it from k = 3: intervals" in far and "shown to help" not in far


@pytest.mark.parametrize(
    ("values", "k", "m", "after", "said"),
    [
        ({"m2": 7}, 3, 44, {"k1": 3, "m1": 44, "m2": 7}, "k₁ is now 3 and M₁ 44."),
        ({}, 3, 10**6, {"k1": 3, "m1": 10_000}, "M₁ = 1\u202f000\u202f000 is more than this page"),
        ({"by": "p", "p": 0.1}, 3, 4, {"k1": 3, "by": "k1"}, "Redraws are by k₁ instead of p."),
        ({"k2": 3}, 3, 4, {"k1": 3, "k2": 0}, "1 level with no more than 3 left out."),
        ({"k2": 3, "k3": 5, "m3": 6}, 3, 4, {"k2": 5, "m2": 6, "k3": 0}, "1 level with no more"),
        ({"k2": 4, "m2": 2}, 3, 4, {"k1": 3, "k2": 4}, "k₁ is now 3 and M₁ 4."),
        ({}, 9, 4, {"k1": 9}, "That is the standard method"),
    ],
)
def test_what_goes_to_the_sliders(values, k, m, after, said):
    levels = {"k2": 0, "m2": 1, "k3": 0, "m3": 1}
    values = {"k1": 1, "m1": 100, "alpha": 0.0, **levels, **values}
    table = sliders.controls("centres", 9, (1, 1), (100, 100), "It is fresh.")
    assert said in SLIDERS.adopt(values, 9, k, m, table)
    assert values.items() >= after.items()
    SLIDERS.schedule(values, 9)  # which breaks no rule


@pytest.mark.parametrize(
    ("before", "k", "after", "said"),
    [
        ("1x5,10", 3, "3x44,10", "k₁ is now 3 and M₁ 44."),
        ("1x5a0.5,2x7,4x9,10", 3, "3x44a0.5,4x9,10", "1 level with no more than 3 left out."),
        ("10", 3, "3x44,10", "k₁ is now 3"),
        ("1x5,10x3", 10, "10x3", "k = 10 are all: restarts only"),
        ("1x5a0.5,10", 10, "10x44a0.5,10", "k₁ is now 10"),
    ],
)
def test_what_goes_to_level_1(before, k, after, said):
    values = {**hierarchy_values(), "levels": before}
    assert said in hierarchy.EDITOR.adopt(values, 10, k, 44, ())
    assert values["levels"] == after


def hierarchy_values():
    return {control.name: control.default for control in hierarchy.TABLE}


@pytest.fixture
def tiny(monkeypatch):
    """Sixty points in place of A3-like, and as many clusters as S1 has."""
    points = np.random.default_rng(3).normal(size=(60, 2))
    monkeypatch.setitem(kmeans.SETS, "s1", lambda: Points(points, "Sixty", "made by hand"))
    kmeans.data.clear()


@pytest.fixture
def jobs(monkeypatch):
    """Every probe that a page starts."""
    started = []

    def start(*args):
        started.append(ProbeJob(*args))
        return started[-1]

    monkeypatch.setattr(epsilon, "ProbeJob", start)
    yield started
    for job in started:
        job.stop()
        job.join()


def opened_probe(visit, **query):
    page = visit.opened(**query)
    page.session_state[f"{visit.name}-epsilon"] = True
    return checked(page.run())


def probed(page, jobs):
    """After a probe has ended, and the page has looked."""
    press(page, "Probe")
    jobs[-1].join()
    return checked(page.run()), jobs[-1]


def said(page):
    return " ".join(markdown.value for markdown in page.main.markdown)


@pytest.mark.usefixtures("quiet_engine", "tiny")
class TestOnAPage:
    SMALL: dict[str, str] = {"data": "s1", "n_clusters": "8"}  # noqa: RUF012

    def test_nothing_is_there_before_it_is_opened(self):
        page = KMEANS.opened(**self.SMALL)
        assert not [button for button in page.button if button.label == "Probe"]

    def test_from_the_optimum_to_the_sliders(self, jobs):
        page, job = probed(opened_probe(KMEANS, **self.SMALL), jobs)
        assert job.state == "found" and job.sizes == [0, 1, 2, 5, 8]
        assert f"From WCSS {job.found.cost:.6g}"[:13] in said(page)
        assert len(page.get("plotly_chart")) == 1
        best = job.found.best_size
        needed = job.found.calls_needed(0.05)[job.sizes.index(best)]
        (button,) = [b for b in page.button if b.label.startswith("Use")]
        assert button.label == f"Use k₁ = {best}, M₁ = {needed}"
        page = checked(button.click().run())
        assert (values(page)["k1"], values(page)["m1"]) == (str(best), str(needed))
        assert run_of(page).schedule.levels()[0] in (Level(best, needed), Level(8))
        assert f"k₁ is now {best} and M₁ {needed}." in page.info[0].value
        assert len(page.get("plotly_chart")) == 1  # another schedule, the same problem

    def test_another_delta_asks_for_another_m(self, jobs):
        page, job = probed(opened_probe(KMEANS, **self.SMALL), jobs)
        page = KMEANS.put(page, "number_input", "epsilon-delta", 1e-6)
        share = job.found.epsilon.max()
        needed = epsilon.digits(prviz.calls_needed(1e-6, share))
        assert [button for button in page.button if button.label.endswith(f"M₁ = {needed}")]

    def test_the_calculator_takes_it_over(self, jobs):
        page, job = probed(opened_probe(KMEANS, **self.SMALL), jobs)
        page = press(page, "Show in the calculator")
        entry = KMEANS.widget(page, "number_input", "calculator-epsilon")
        assert entry.value == job.found.epsilon.max()

    @pytest.mark.parametrize(
        ("kind", "key", "value"),
        [("number_input", "n_clusters-exact", 7), ("slider", "alpha-slider", 0.5)],
    )
    def test_another_problem_or_way_discards_it_and_says_so(self, jobs, kind, key, value):
        page, _ = probed(opened_probe(KMEANS, **self.SMALL), jobs)
        page = KMEANS.put(page, kind, key, value)
        assert "what the former probe found is discarded" in page.info[0].value
        assert not page.get("plotly_chart")
        page, _ = probed(page, jobs)
        assert not page.info and page.get("plotly_chart")

    def test_wrong_sizes_are_said(self, jobs):
        page = opened_probe(KMEANS, **self.SMALL)
        page = KMEANS.put(page, "text_input", "epsilon-sizes-8", "1, 9")
        page = press(page, "Probe")
        assert page.error[0].value.startswith("“9” is no number of centres: write 1 to 8")
        assert not jobs

    def test_stop_keeps_what_was_found(self, jobs):
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

    @pytest.mark.parametrize("optimiser", ["cd1", "exact"])
    def test_an_optimiser_that_draws_at_random_is_named(self, optimiser):
        page = opened_probe(BOLTZMANN, optimiser=optimiser, epochs="3", n_hidden="2")
        assert ("CD-1 draws at random itself" in said(page)) is (optimiser == "cd1")

    def test_on_the_hierarchy_page_it_goes_to_level_1(self, jobs):
        visit = Visit("hierarchy")
        page = opened_probe(visit, benchmark="landscape", dimensions="4", levels="1x5,3x2,4")
        page, job = probed(page, jobs)
        best = job.found.best_size
        page = checked(next(b for b in page.button if b.label.startswith("Use")).click().run())
        needed = job.found.calls_needed(0.05)[job.sizes.index(best)]
        expected = [f"{best}x{needed}"] * (best < 4) + ["3x2"] * (best < 3) + ["4"]
        assert values(page)["levels"] == ",".join(expected)
        assert not page.error
        assert len(page.get("plotly_chart")) == 1

    def test_where_p_rules_k_takes_over(self, jobs):
        page = opened_probe(BOLTZMANN, optimiser="exact", epochs="3", n_hidden="2")
        page, job = probed(page, jobs)
        assert job.state == "found", job.trouble
        assert "**Without any redraw, the optimiser alone improved" in said(page)
        (button,) = [b for b in page.button if b.label.startswith("Use")]
        page = checked(button.click().run())
        assert values(page)["by"] == "k1"
        assert "Redraws are by k₁ instead of p." in page.info[0].value
