"""Test the parts that only the hidden Markov model page has, without a browser."""

import pytest
from visits import Visit, checked, order, player, press, run_of, turned_to, unchanged, values

from prviz.player.live import LiveRun
from prviz.ui.benchmarks import hmm
from prviz.ui.state.links import LONGEST_TEXT

VISIT = Visit("hmm")
opened, put, widget = VISIT.opened, VISIT.put, VISIT.widget
DEFAULTS = {control.name: control.default for control in hmm.TABLE}

pytestmark = pytest.mark.usefixtures("quiet_engine")


def title(page):
    return page.main.markdown[0].value


def written(page):
    return " ".join(markdown.value for markdown in page.main.markdown)


def with_text(text):
    page = put(opened(), "selectbox", "data-choice", "text")
    return put(page, "text_area", "text-text", text)


def problem_of(page):
    return run_of(page)._film.problem


def test_page_opens_on_its_defaults():
    page = opened()
    assert values(page) == unchanged(hmm.TABLE)
    assert player(page)["page"] == "/hmm"
    assert player(page)["autoplay"] is False
    assert run_of(page).state == "ready"
    assert title(page) == "# Hidden Markov model of 64 random bits"
    assert page.get("button_group")[0].value == "quick look"
    assert not page.error
    assert not page.warning
    problem = problem_of(page)
    assert (len(problem.sequence), problem.n_states, problem.n_symbols) == (64, 64, 2)


def test_a_recorded_run_has_its_own_title(monkeypatch):
    monkeypatch.setattr(LiveRun, "kernels_ready", lambda run: False)
    page = opened(length="100", n_states="40")
    assert player(page)["run"] == "recorded-hmm"
    assert title(page) == "# Hidden Markov model of 64 random bits"
    assert values(page)["length"] == "100"


#: Controls of this page and of the search: type, key, new value, and name and value in a link.
CHANGES = [
    ("slider", "k1-slider", 4, "k1", "4"),
    ("number_input", "n_states-exact", 40, "n_states", "40"),
    ("number_input", "length-exact", 100, "length", "100"),
    ("number_input", "string-exact", 3, "string", "3"),
    ("number_input", "tolerance-exact", 0.001, "tolerance", "0.001"),
    ("number_input", "cap-exact", 50, "cap", "50"),
    ("selectbox", "subset-choice", "together", "subset", "together"),
]


def test_every_control_starts_a_new_run():
    VISIT.check_fresh_runs(CHANGES)


def test_advanced_controls_set_the_parameters_of_the_problem():
    problem = problem_of(opened(tolerance="0.01", cap="7", n_states="5", length="20"))
    assert (problem.tolerance, problem.max_iterations) == (0.01, 7)
    assert (problem.n_states, len(problem.sequence)) == (5, 20)


def test_paper_preset_sets_its_values():
    page = opened()
    checked(page.get("button_group")[0].set_value("paper").run())
    assert title(page) == "# Hidden Markov model of 128 random bits"
    assert problem_of(page).n_states == 128
    assert [level["size"] for level in run_of(page).layout()["levels"]] == [8, 128]
    assert run_of(page).layout()["levels"][0]["repeats"] == 8000
    press(page, "Reset")
    assert values(page) == unchanged(hmm.TABLE)


def test_own_text_is_read_and_its_symbols_are_listed():
    page = with_text("abba cab")
    assert title(page) == "# Hidden Markov model of your text"
    assert problem_of(page).sequence.tolist() == [1, 2, 2, 1, 0, 3, 1, 2]
    assert "0 = blank, 1 = `a`, 2 = `b`, 3 = `c`" in written(page)
    assert values(page)["text"] == "abba cab"
    put(page, "text_area", "text-text", "*_`|*_`|")
    assert "0 = `*`, 1 = `_`, 2 = `` ` ``, 3 = `|`" in written(page)  # symbols of Markdown


def test_single_character_is_reported_as_trivial():
    page = with_text("aaaaaaaa")
    assert "single state predicts the text" in page.sidebar.info[0].value
    assert problem_of(page).n_symbols == 1
    assert not page.error


def test_invalid_text_is_reported_and_the_run_is_kept():
    page = put(opened(), "selectbox", "data-choice", "text")
    for text, sentence in [
        ("", "The text is empty: type bits, such as 0110, or any other characters."),
        ("abc", "The text has 3 symbols; this page needs 8 to 2000. Use a longer text."),
        (
            "ab" * 1001,
            "The text is too long: this page accepts 8 to 2000 symbols. Shorten the text, or call "
            "prviz.hmm in Python, which has no limit.",
        ),
        (
            "".join(map(chr, range(0x4E00, 0x4E00 + 101))),
            "The text has 101 different characters; this page accepts up to 100. Call prviz.hmm in "
            "Python, which has no limit.",
        ),
    ]:
        before = player(page)["run"]
        put(page, "text_area", "text-text", text)
        assert [error.value for error in page.error] == [sentence]
        assert order(page, "text_area", "error", "slider")[:3] == ["text_area", "error", "slider"]
        assert player(page)["run"] == before
        assert title(page) == "# Hidden Markov model of your text"
        assert player(page)["hindered"] == sentence
        put(page, "text_area", "text-text", "abcabcabc")
        assert not page.error and not player(page)["hindered"]
    put(page, "text_area", "text-text", "ab" * 1000)
    assert not page.error and len(problem_of(page).sequence) == 2000


def test_a_text_of_ten_megabytes_is_rejected():
    page = with_text("ab" * 5_000_000)
    assert len(page.error) == 1
    assert "8 to 2000 symbols" in page.error[0].value
    assert len(widget(page, "text_area", "text-text").value) == hmm.KEPT


def test_a_link_restores_every_value_including_the_text():
    text = "Zwölf Boxkämpfer & 1 = 100 %?"
    page = with_text(text)
    put(page, "slider", "k1-slider", 5)
    link = player(page)["params"]
    assert link["text"] == text
    again = opened(**link)
    assert player(again)["params"] == link
    assert problem_of(again).sequence.tolist() == problem_of(page).sequence.tolist()
    assert not again.warning


def test_a_text_that_is_too_long_for_a_link_is_reported():
    page = with_text("abc" * 200)
    said = [caption.value for caption in page.sidebar.caption]
    assert any(f"A link can contain at most {LONGEST_TEXT} characters" in text for text in said)
    link = player(page)["params"]
    assert "text" not in link
    again = opened(**link)
    said = "`text` exceeds the 500 characters of a link: paste it again. A sample"
    assert said in again.warning[0].value
    assert values(again)["text"] == DEFAULTS["text"]
    put(page, "selectbox", "data-choice", "bits")  # bits do not use the text
    link = player(page)["params"]
    assert link["text"] == DEFAULTS["text"] and not opened(**link).warning


def test_link_with_an_invalid_text_opens_the_page_with_bits():
    page = opened(data="text", text="abc")
    assert [error.value for error in page.error] == [
        "The text has 3 symbols; this page needs 8 to 2000. Use a longer text."
    ]
    assert title(page) == "# Hidden Markov model of 64 random bits"


def test_unchanged_text_starts_no_run():
    page = put(opened(), "selectbox", "data-choice", "text")
    before = player(page)
    put(page, "text_area", "text-text", before["params"]["text"])
    assert player(page)["run"] == before["run"]
    put(page, "selectbox", "data-choice", "bits")
    put(page, "number_input", "length-exact", 64)
    put(page, "selectbox", "data-choice", "text")
    put(page, "text_area", "text-text", "a new text")
    assert player(page)["notice"] == "Text is now “a new text”: new run"


def test_zero_cost_is_mentioned_only_if_reachable():
    assert "a state for every symbol" in written(opened())
    assert "a state for every symbol" not in written(opened(n_states="8"))


def test_starting_a_run_stops_the_run_of_another_page():
    page = press(opened(), "Run")
    markov = run_of(page)
    assert markov.state == "running"
    turned_to(page, "kmeans")
    assert run_of(page) is not markov
    assert markov.state == "running"
    Visit("kmeans").put(page, "slider", "k1-slider", 3)
    assert markov.state == "stopped"
    turned_to(page, "hmm")
    assert run_of(page) is markov


def test_page_and_code_never_open_a_text_that_looks_like_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "story.txt").write_text("0110")
    given = {**DEFAULTS, "data": "text", "text": "story.txt"}
    assert len(hmm.string(given).sequence) == 9
    made = {}
    exec("import prviz\n" + hmm.code(given), made)
    assert made["string"].alphabet == hmm.string(given).alphabet
