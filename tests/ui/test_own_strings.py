"""Pages read the user's own strings and examples."""

import numpy as np
import pytest
from visits import Visit, checked, player, press, run_of, values

from prviz.ui.benchmarks import hmm
from prviz.ui.own_data import samples

HMM, RBM = Visit("hmm"), Visit("rbm")
WEATHER = b"month,weather\n1,sun\n1,rain\n1,sun\n2,rain\n2,rain\n1,sun\n2,sun\n2,fog\n"

pytestmark = pytest.mark.usefixtures("quiet_engine")


def own(visit):
    return visit.put(visit.opened(), "selectbox", "data-choice", "own")


def upload(page, name, content):
    file = (name, content, "application/vector-stream")
    return checked(page.file_uploader[0].set_value(file).run())


def captions(page):
    return [caption.value for caption in page.sidebar.caption]


def test_values_of_a_second_column_split_symbols_into_strings():
    page = upload(own(HMM), "days.csv", WEATHER)
    assert page.main.markdown[0].value == "# Hidden Markov model of days.csv"
    problem = run_of(page).problem
    assert problem.sequence.tolist() == [2, 1, 2, 1, 1, 2, 2, 0]  # 0 is fog, 1 rain, 2 sun
    assert "**days.csv**: 1 string, 8 symbols, 3 different." in captions(page)
    assert values(page)["n_states"] == "6"
    HMM.put(page, "selectbox", "group-one", 1)
    problem = run_of(page).problem
    assert problem.lengths.tolist() == [4, 4]
    assert problem.sequence.tolist() == [2, 1, 2, 2, 1, 1, 2, 0]
    assert run_of(page).layout()["shown"].startswith("2 concatenated strings")
    link = player(page)["params"]
    assert (link["column"], link["group"], link["data"]) == ("2", "1", "own")
    again = HMM.opened(**link)
    assert [error.value for error in again.error] == [hmm.DATA_INPUT.elsewhere]


def test_months_of_the_sample_and_lines_of_a_text_are_strings():
    page = press(own(HMM), "Try a sample")
    HMM.put(page, "selectbox", "group-one", 1)
    assert len(run_of(page).problem.lengths) == samples.MONTHS
    upload(page, "lines.txt", b"abab\nbaba\nabba\n")
    assert run_of(page).problem.lengths.tolist() == [4, 4, 4]


def test_a_column_of_too_many_symbols_is_reported():
    numbers = "\n".join(f"{i},{i % 2}" for i in range(200)).encode()
    page = upload(own(HMM), "many.csv", b"day,parity\n" + numbers)
    assert not page.error
    HMM.put(page, "selectbox", "column-one", 1)
    (said,) = [error.value for error in page.error]
    assert "200" in said or "different" in said


def test_threshold_for_grey_values_is_suggested():
    page = press(own(RBM), "Try a sample")
    (said,) = [error.value for error in page.error]
    assert "threshold" in said
    assert player(page)["hindered"]
    checked(RBM.widget(page, "text_input", "threshold-typed").set_value("8").run())
    assert not page.error
    examples = run_of(page).problem.examples
    assert examples.shape == (samples.DIGITS, 64) and set(np.unique(examples)) == {0, 1}
    assert values(page)["threshold"] == "8" and values(page)["n_hidden"] == "10"
    checked(RBM.widget(page, "text_input", "threshold-typed").set_value("eight").run())
    assert any("'eight' is not a number" in error.value for error in page.error)


def test_zeros_and_ones_need_no_threshold():
    page = upload(own(RBM), "four.txt", b"0110\n1100\n0011\n")
    assert run_of(page).problem.examples.shape == (3, 4)
    assert "**four.txt**: 3 examples of 4 bits." in captions(page)
    assert run_of(page).layout()["variables"] == 4 * 10 + 4 + 10
