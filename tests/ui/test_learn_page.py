"""The Learn page without a browser: bets, answers, controls, links and your own lessons."""

import gc
import json

import pytest
import streamlit as st
from visits import Visit, checked, press

from prviz.lessons import load, names, pinned, reading
from prviz.player.live import LiveRun
from prviz.player.recording import RecordedRun
from prviz.player.resources.store import RUNS
from prviz.ui.views import learn

VISIT = Visit("learn")
opened = VISIT.opened

pytestmark = pytest.mark.usefixtures("quiet_engine")


def given(page, name):
    """Return the data of the first component whose data have this entry, or None."""
    found = [json.loads(each.proto.json)[0] for each in page.get("bidi_component")]
    return next((each for each in found if name in each), None)


def run_of(page):
    return RUNS[given(page, "run")["run"]]


def said(page):
    return " ".join(markdown.value for markdown in page.main.markdown)


def downloads(page):
    return [button.proto.label for button in page.get("download_button")]


def bet(page, value):
    """Bet a number or a word, and show the answer of the lesson."""
    return press(placed(page, value), "Show the answer")


def placed(page, value):
    """Return the page after a bet, while the run continues."""
    labels = {f"{control.label}, exact" for control in learn.table_of(lesson_of(page))}
    fields = [*page.radio, *page.number_input]
    (field,) = [each for each in fields if each.label not in labels]
    field.set_value(value)  # a form sends its value on submit
    return press(page, "Bet")


def lesson_of(page):
    return load(page.session_state["learn"].lesson)


def control(page, name):
    lesson = page.session_state["learn"].lesson
    return page.number_input(key=f"learn-{lesson}-{name}-exact")


def test_page_opens_on_the_first_lesson_and_asks_for_a_bet():
    page = opened()
    lesson = load(1)
    assert page.main.markdown[0].value == f"# {lesson.title}"
    assert lesson.text in [markdown.value for markdown in page.main.markdown]
    assert lesson.question.words in said(page)
    assert lesson.after not in said(page)
    run = run_of(page)
    assert isinstance(run, RecordedRun)
    assert run.progress(0)[0]["calls"] == lesson.seen
    assert given(page, "run")["autoplay"] is False
    assert not page.get("plotly_chart")
    page = press(page, "Bet")
    assert "A guess is fine" in page.warning[0].value
    assert page.session_state["learn"].bets == {}


def test_run_continues_after_the_bet_and_then_the_answer_is_shown():
    page = opened(lesson="3")
    seen = run_of(page)
    assert downloads(page) == ["Handout (A4)"]
    page = placed(page, "kept")
    lesson, answers = load(3), pinned.load(load(3)).answers
    assert given(page, "run")["onward"] == {"from": lesson.seen, "until": answers.call}
    assert "You: kept. Watch the run continue." in said(page)
    assert answers.found() not in said(page) and not page.get("plotly_chart")
    page = press(page, "Show the answer")
    assert downloads(page) == ["Handout (A4)", "Handout with the answer"]
    assert answers.compared("kept") in said(page) and page.get("plotly_chart")
    assert "n = 100" in " ".join(caption.value for caption in page.caption)
    assert lesson.after in said(page)
    whole = run_of(page)
    assert whole is not seen and whole.progress(0)[0]["calls"] == lesson.settings.calls
    assert given(page, "run")["autoplay"] is True
    assert given(page, "run")["onward"] is None


def test_learn_page_does_not_replay_a_bet_of_an_earlier_visit():
    page = opened(lesson="3")
    page.session_state["learn"].bets = {"3-redraw-one": "kept"}
    page = checked(page.run())
    assert load(3).after in said(page) and given(page, "run")["onward"] is None


@pytest.fixture
def led(monkeypatch):
    """Open lesson 3 as the projector of a class; the visitor has bet on it before."""
    monkeypatch.setattr(learn.st, "query_params", {})
    page = learn._Page.__new__(learn._Page)
    page.lessons, page.at = [load(name) for name in names()], 2
    page.lesson = page.lessons[page.at]
    page.state = learn.State(bets={page.lesson.name: "kept"})
    return page


def test_bet_of_the_class_replaces_the_bet_of_the_visitor(led):
    led._follow_class({})
    assert led.bet is None  # the question is open: no answer is shown
    led._follow_class({"bet": "neither"})
    assert led.bet is None and not led.state.revealing
    led._follow_class({"bet": "reverted"})
    assert (led.bet, led._who, led.state.revealing) == ("reverted", "The class", True)
    assert led.state.bets == {led.lesson.name: "kept"}


@pytest.mark.parametrize(("asked", "lesson"), [("8", "8"), ("", "4")])
def test_page_follows_the_class_to_the_planned_or_the_next_lesson(led, asked, lesson):
    led._follow_class({"next": asked})
    assert learn.st.query_params == {"lesson": lesson}


def test_run_of_the_previous_lesson_stays_available():
    page = bet(opened(lesson="3"), "kept")
    page = checked(control(page, "k1").set_value(50).run())
    former = given(page, "run")["run"]
    page.query_params["lesson"] = "2"
    page = checked(page.run())
    gc.collect()
    assert given(page, "run")["run"] != former and former in RUNS


@pytest.mark.parametrize("name", ["9-one-or-all", "12-a-plateau"])
def test_lesson_on_another_problem_shows_the_answer_and_searches_again(name):
    lesson = load(name)
    page = opened(lesson=name)
    kind = learn.KINDS[lesson.question.kind].bets
    page = bet(page, 7.0 if kind == "number" else page.radio[0].options[0])
    assert pinned.load(lesson).answers.found() in said(page)
    page = checked(control(page, "seed").set_value(9).run())
    assert run_of(page).problem_id == lesson.entry.id


@pytest.mark.parametrize("step", [1, 2, 8])  # bets on a number, a curve and a word
def test_each_lesson_enables_one_more_control(step):
    page = opened(lesson=str(step))
    lessons = [load(name) for name in names()]
    numbers = [c.name for c in learn.TABLE if c.kind != "choice"]
    assert all(control(page, name).disabled for name in numbers)
    bets = {
        "word": lambda: page.radio[0].options[0] if page.radio else None,
        "number": lambda: 7.0,
        "curve": lambda: [50.0] * 4,
    }
    kind = learn.KINDS[lessons[step - 1].question.kind].bets
    page.session_state["learn"].bets[lessons[step - 1].name] = bets[kind]()
    page = checked(page.run())
    unlocked = {each.unlocks for each in lessons[:step]}
    assert {name for name in numbers if not control(page, name).disabled} == unlocked - {"init"}


def test_moved_control_starts_a_live_run():
    page = bet(opened(), 50)
    page = checked(control(page, "seed").set_value(9).run())
    run = run_of(page)
    assert isinstance(run, LiveRun) and run.seed == 9 and run.state == "running"
    assert given(page, "run")["notice"] == "Seed is now 9"
    page = checked(control(page, "seed").set_value(8).run())
    assert run.state == "stopped" and run_of(page).seed == 8


def test_recording_stays_while_kernels_compile(monkeypatch):
    page = bet(opened(), 50)
    whole = run_of(page)
    monkeypatch.setattr(LiveRun, "kernels_ready", lambda run, timeout=0.0: False)
    page = checked(control(page, "seed").set_value(9).run())
    assert run_of(page) is whole


def test_link_opens_its_lesson():
    page = opened(lesson="crossover")
    assert page.main.markdown[0].value == f"# {load(7).title}"


def test_link_to_an_unknown_lesson_shows_the_first():
    page = opened(lesson="ten<b>")
    assert "There is no lesson 'ten<b>'" in page.warning[0].value
    assert page.main.markdown[0].value == f"# {load(1).title}"


def test_stored_bet_of_the_browser_is_validated():
    page = opened(lesson="3")
    told = {"bets": {}, "heard": False, "forget": False, "page": "/learn", "lesson": "3"}
    assert given(page, "heard") == told
    page.session_state["learn"].bets = {"3-redraw-one": "reverted", "1-stuck": {"x": 1}}
    page = checked(page.run())
    assert load(3).after in said(page)
    page.query_params["lesson"] = "1"
    page = checked(page.run())
    assert load(1).after not in said(page)  # an invalid bet does not show the answer
    page = press(page, "Forget my bets")
    assert page.session_state["learn"].bets == {}


def test_last_lesson_links_to_own_data():
    page = opened(lesson="14")
    assert given(page, "run") is None and not page.radio
    upload = page.file_uploader[0].upload("bad.csv", b"x,y\n1,oops\n", "text/csv")
    assert "bad.csv: it has 1 point;" in checked(upload.run()).error[0].value
    rows = "\n".join(f"{i % 5},{i // 5}" for i in range(25))
    page = checked(page.file_uploader[0].upload("grid.csv", rows.encode(), "text/csv").run())
    values = page.session_state["kmedoids"].values
    assert (values["data"], values["n_clusters"], bool(values["matrix"])) == ("own", 5, True)
    assert page.main.markdown[0].value == "# k-medoids on grid.csv"


def test_own_lessons_are_shown_with_their_errors(own_folder):
    page = opened()
    assert "broken.toml, line 1" in page.error[0].value
    assert page.main.markdown[0].value == "# Mine"
    assert "are missing: make them with `prviz lessons make mine.toml`" in page.error[1].value


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    (tmp_path / "points.csv").write_text("0,0\n0,1\n1,0\n9,9\n9,8\n8,9\n")
    (tmp_path / "broken.toml").write_text("title")
    (tmp_path / "mine.toml").write_text(
        'title = "Mine"\ntext = "Two heaps."\n'
        '[run]\ndata = "points.csv"\nsize = 2\ncalls = 10\n'
        '[ask]\nquestion = "Kept?"\nkind = "kept"\ncall = 4\n'
    )
    monkeypatch.setenv(reading.FOLDER, str(tmp_path))
    yield tmp_path
    st.cache_resource.clear()
