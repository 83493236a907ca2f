"""Test the parts that only the Boltzmann machine page has, without a browser."""

import gzip
import io

import numpy as np
import pytest
from cases import cases
from visits import Visit, checked, order, player, press, run_of, unchanged, values

import prviz
from prviz.ui.benchmarks import rbm

VISIT = Visit("rbm")
opened, put, widget = VISIT.opened, VISIT.put, VISIT.widget

pytestmark = pytest.mark.usefixtures("quiet_engine")


def problem_of(page):
    return run_of(page)._film.problem


def levels_of(page):
    return run_of(page)._search.schedule.levels()


def npy(array):
    content = io.BytesIO()
    np.save(content, array)
    return content.getvalue()


def with_text(text):
    page = put(opened(), "selectbox", "data-choice", "text")
    return put(page, "text_area", "text-text", text)


def test_page_opens_on_its_defaults():
    page = opened()
    assert values(page) == unchanged(rbm.TABLE)
    assert player(page)["page"] == "/rbm"
    assert run_of(page).state == "ready"
    assert page.main.markdown[0].value == "# Boltzmann machine of 100 examples of four patterns"
    assert page.get("button_group")[0].value == "quick look"
    assert not page.error
    assert not page.warning
    problem = problem_of(page)
    assert (problem.examples.shape, problem.n_hidden, problem.epochs) == ((100, 8), 10, 1000)
    assert levels_of(page) == [prviz.Level(None, 100, probability=0.1), prviz.Level(98)]


def test_presets_have_the_papers_settings():
    page = opened()
    for preset, decay in [("paper", 0.0), ("paper, weight decay", 0.01)]:
        checked(page.get("button_group")[0].set_value(preset).run())
        made = problem_of(page)
        assert (made.learning_rate, made.epochs, made.weight_decay) == (0.01, 100_000, decay)
        assert levels_of(page)[0] == prviz.Level(None, 10_000, probability=0.1)


#: Kind, key and new value of each control; name and text of its parameter in the link.
CHANGES = [
    ("slider", "p-slider", 0.25, "p", "0.25"),
    ("number_input", "n_hidden-exact", 12, "n_hidden", "12"),
    ("number_input", "rate-exact", 0.5, "rate", "0.5"),
    ("number_input", "epochs-exact", 50, "epochs", "50"),
    ("number_input", "decay-exact", 0.1, "decay", "0.1"),
    ("number_input", "batch-exact", 100, "batch", "100"),
    ("number_input", "sigma-exact", 1.0, "sigma", "1.0"),
    ("number_input", "draw-exact", 3, "draw", "3"),
    ("selectbox", "optimiser-choice", "exact", "optimiser", "exact"),
    ("selectbox", "subset-choice", "unit", "subset", "unit"),
]


def test_quick_look_and_no_gain_presets_differ_only_in_epochs():
    changed = rbm.PRESETS["where it gains nothing"].items() - rbm.PRESETS["quick look"].items()
    assert dict(changed) == {"epochs": 10_000}


def test_each_changed_control_gives_a_new_run_and_link():
    page = opened()
    for kind, key, value, name, written in CHANGES:
        before = player(page)["run"]
        put(page, kind, key, value)
        assert values(page)[name] == written
        assert player(page)["run"] != before, key
    again = opened(**values(page))
    assert values(again) == values(page)
    assert not again.warning


def test_switch_selects_p_or_a_number():
    page = opened()
    by = next(group for group in page.get("button_group") if group.key == "rbm-by-unit")
    checked(by.set_value("k1").run())
    assert levels_of(page)[0] == prviz.Level(10, 100)
    put(page, "number_input", "k1-exact", 98)
    assert levels_of(page) == [prviz.Level(98)]
    assert widget(page, "select_slider", "m1-slider").disabled


def test_probability_1_means_full_restarts():
    page = opened(p="1.0")
    assert levels_of(page) == [prviz.Level(98)]
    assert widget(page, "select_slider", "m1-slider").disabled


def test_machine_is_trained_on_own_examples():
    page = with_text("1100\n0011\n1100")
    assert problem_of(page).examples.tolist() == [[1, 1, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0]]
    assert levels_of(page)[-1] == prviz.Level(4 * 10 + 14)
    assert page.main.markdown[0].value == "# Boltzmann machine of your examples"


@cases(
    ("text", "said"),
    [
        ("1 0\n1 2", "line 2, column 2 is 2: every entry must be 0 or 1"),
        ("10\n1", "line 2 has 1 entries but line 1 has 2"),
        ("# nothing", "the file has no rows of values"),
        ("0" * 65, "this page accepts up to 2000 examples of 64"),
    ],
)
def test_invalid_examples_are_reported(text, said):
    page = with_text(text)
    assert [said in error.value for error in page.error] == [True]
    assert order(page, "error", "slider")[:2] == ["error", "slider"]


def with_file(name, content):
    page = put(with_text("1100\n0011"), "selectbox", "data-choice", "own")
    file = (name, content, "application/vector-stream")
    return checked(page.file_uploader[0].set_value(file).run())


def test_too_long_input_is_reported_without_a_line_number():
    page = with_file("long.csv", "\n".join(["0000", "1111"] * 1500).encode())
    (error,) = page.error
    assert error.value.startswith("Got 3\u202f000 examples of 4 bits; this page accepts up to 2000")
    assert problem_of(page).examples.tolist() == [[1, 1, 0, 0], [0, 0, 1, 1]]
    put(page, "selectbox", "data-choice", "text")
    put(page, "text_area", "text-text", "\n".join(["0" * 64, "1" * 64] * 1200))
    (error,) = page.error
    assert error.value.startswith("The text is too long: this page reads up to 150\u202f000 char")


def test_preset_keeps_the_examples_of_the_user():
    page = put(with_text("1100\n0011"), "number_input", "epochs-exact", 7)
    checked(page.get("button_group")[0].set_value("quick look").run())
    assert (values(page)["data"], values(page)["text"]) == ("text", "1100\n0011")
    assert values(page)["epochs"] == "1000"
    assert page.get("button_group")[0].value == "quick look"
    put(page, "selectbox", "data-choice", "patterns")
    checked(page.get("button_group")[0].set_value("quick look").run())
    assert values(page)["draw"] == "0"


def test_hidden_units_are_limited_by_enumeration():
    page = put(opened(), "number_input", "n_hidden-exact", 60)
    assert values(page)["n_hidden"] == "60"  # eight visible units are the smaller layer
    put(page, "selectbox", "data-choice", "text")
    put(page, "text_area", "text-text", "\n".join(["0" * 20, "1" * 20]))
    assert values(page)["n_hidden"] == "12"
    assert not page.error


def test_link_with_invalid_examples_opens_the_page_with_patterns():
    page = opened(data="text", text="012")
    assert values(page)["data"] == "patterns"
    assert len(page.error) == 1 and "every entry must be 0 or 1" in page.error[0].value


def test_machine_is_trained_on_an_uploaded_array():
    page = with_file("mine.npy", npy(np.eye(2)))
    assert problem_of(page).examples.tolist() == [[1, 0], [0, 1]]


@cases(
    ("content", "why"),
    [
        (npy(np.array([[1, 0], [0, 1j]])), "the npy file holds complex128, not real numbers"),
        (gzip.compress(b"0 1\n" * 1_000_000, mtime=0), "mine.npy: the file has more than 2 MB"),
    ],
)
def test_unsuitable_file_is_rejected(content, why):
    (error,) = with_file("mine.npy", content).error
    assert error.value.startswith(why)


def test_link_describes_the_run_if_controls_are_invalid():
    page = with_text("1100\n0011")
    run = player(page)["run"]
    put(page, "text_area", "text-text", "11\n1x")
    assert len(page.error) == 1
    assert player(page)["run"] == run
    assert values(page)["text"] == "1100\n0011"


def test_notice_leaves_out_dependent_controls():
    page = press(with_text("1100\n0011"), "Run")
    put(page, "selectbox", "data-choice", "patterns")
    assert player(page)["notice"] == "Examples is now Four patterns: new run"
