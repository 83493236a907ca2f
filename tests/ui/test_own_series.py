"""The page of hidden Markov models reads series of numbers."""

import pytest
from visits import Visit, checked, player, run_of, values

from prviz.datasets import regimes
from prviz.ui.benchmarks.hmm import BENCHMARK as HMM_BENCHMARK

HMM = Visit("hmm")
STEPS = "\n".join(f"{2000 + t},{x[0]}" for t, x in enumerate(regimes(40).values)).encode()

pytestmark = pytest.mark.usefixtures("quiet_engine")


def test_random_series_opens_with_three_states():
    page = HMM.put(HMM.opened(), "selectbox", "data-choice", "regimes")
    assert page.main.markdown[0].value == "# Hidden Markov model of 300 steps in 3 regimes"
    assert run_of(page).problem.series.shape == (300, 1)
    assert (values(page)["n_states"], values(page)["k1"]) == ("3", "1")
    link = player(page)["params"]
    HMM.put(page, "selectbox", "covariance-choice", "full")
    again = HMM.opened(**link)
    assert run_of(again).problem.series.tolist() == run_of(page).problem.series.tolist()
    HMM.put(page, "selectbox", "data-choice", "bits")
    assert (values(page)["n_states"], values(page)["k1"]) == ("64", "8")


def test_sliders_have_marks_only_for_data_of_the_paper():
    def marks(page):
        found = [html.body for html in page.sidebar.get("html")]
        return [body for body in found if "paper" in body]

    page = HMM.opened()
    assert len(marks(page)) == 3
    page = HMM.put(page, "selectbox", "data-choice", "regimes")
    assert marks(page) == []
    series = page.session_state["hmm"].values
    assert HMM_BENCHMARK.usual(series) == (1, 50, "the page's first")
    assert HMM_BENCHMARK.paper(series) == {"k1": 1, "m1": 50}


def test_two_components_per_state_make_a_mixture():
    page = HMM.put(HMM.opened(), "selectbox", "data-choice", "regimes")
    assert "n_mix=" not in HMM_BENCHMARK.code(page.session_state["hmm"].values)
    page = HMM.put(page, "number_input", "n_mix-exact", 2)
    run = run_of(page)
    assert run.problem.n_mix == 2 and values(page)["n_mix"] == "2"
    again = HMM.opened(**player(page)["params"])
    assert run_of(again).problem.n_mix == 2
    page_values = page.session_state["hmm"].values
    made = {}
    exec("import prviz\n" + HMM_BENCHMARK.code(page_values), made)
    assert made["problem"].n_mix == 2
    assert not HMM_BENCHMARK.rivals(page_values)
    page = HMM.put(page, "number_input", "n_mix-exact", 1)
    assert list(HMM_BENCHMARK.rivals(page.session_state["hmm"].values)) == ["hmmlearn"]
    page = HMM.put(page, "selectbox", "data-choice", "bits")
    assert "Components per state" not in {each.label for each in page.number_input}


def test_file_of_numbers_is_read_as_a_series():
    page = HMM.put(HMM.opened(), "selectbox", "data-choice", "own")
    file = ("rain.csv", b"year,rain\n" + STEPS, "text/csv")
    page = checked(page.file_uploader[0].set_value(file).run())
    assert values(page)["emissions"] == "gaussian"
    assert run_of(page).problem.series.shape == (40, 1)
    said = [caption.value for caption in page.sidebar.caption]
    assert "**rain.csv**: 1 series, 40 steps of 1 column." in said
    assert any('count the rows: "year"' in info.value for info in page.sidebar.info)
