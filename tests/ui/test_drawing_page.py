"""The k-means page searches drawn points (tested without a browser)."""

import json
import threading
from hashlib import sha256

import numpy as np
import pytest
from cases import cases
from visits import Visit, player, press, run_of, turned_to, values

import prviz
from prviz.datasets.sets.drawn import MOST, SIDE, STARTER, decode, encode, read_drawing
from prviz.player import answers
from prviz.player.resources import store
from prviz.player.resources.store import RUNS
from prviz.ui.benchmarks import kmeans

VISIT = Visit("kmeans")
opened, put = VISIT.opened, VISIT.put
RNG = np.random.default_rng(3)
FEW, OTHER = (encode(RNG.integers(0, SIDE, (n, 2))) for n in (40, 30))
MANY = encode(RNG.integers(0, SIDE, (700, 2)))

pytestmark = pytest.mark.usefixtures("quiet_engine")


def drawn_on(run, text):
    """Send a stroke to a run; return the answer's status, message and new run."""
    answer = answers.answer(answers.OF_RUN, run, "POST", "redraw", {"body": text})
    about = json.loads(answer.content.split(b"\n")[0])
    return answer.status, about


def captions(page):
    return " ".join(caption.value for caption in page.sidebar.caption)


def points_of(run):
    return run.problem.points[np.lexsort(run.problem.points.T)]


def same_points(run, text):
    wanted = decode(text).astype(float)
    return np.array_equal(points_of(run), wanted[np.lexsort(wanted.T)])


def test_page_opens_with_three_blobs_and_a_hint():
    page = opened(data="draw")
    assert page.main.markdown[0].value == "# k-means on drawn points"
    layout = run_of(page).layout()
    assert layout["drawn"] == STARTER
    assert layout["told"] == read_drawing(STARTER).notice
    assert layout["world"] == {"x": [0.0, 1023.0], "y": [0.0, 1023.0]}
    assert run_of(page).problem.k == 5
    assert kmeans.STAYS in captions(page)
    assert kmeans.STAYS == (
        "The points stay in this tab, are never written to disk, and are deleted with the tab."
    )
    assert not page.error
    assert not page.warning


def test_stroke_starts_one_run_and_is_answered_with_its_points():
    page = opened(data="draw", seed="7", k1="2")
    first = run_of(page)
    answer = answers.answer(answers.OF_RUN, first, "POST", "redraw", {"body": FEW})
    about = json.loads(answer.content.split(b"\n")[0])
    assert answer.status == 200
    assert about["along"] == {"points": 4 * 40}
    sent = np.frombuffer(answer.content[-160:], "<u2").reshape(-1, 2)
    np.testing.assert_array_equal(sent, np.rint(decode(FEW) / 1023 * 65535))
    assert about["layout"]["drawn"] == FEW
    assert about["layout"]["told"].startswith("40 points drawn, in ")
    made = first.successor(0)
    assert (about["run"], made.state, first.state) == (made.id, "running", "stopped")
    assert (made.seed, made.schedule.levels()[0].size) == (7, 2)
    assert same_points(made, FEW)
    page.run()
    assert run_of(page) is made
    assert values(page)["drawn"] == FEW
    assert player(page)["address"]["drawn"] == FEW
    assert player(page)["notice"] == ""


def test_stroke_sent_to_a_replaced_run_is_kept():
    page = opened(data="draw")
    first = run_of(page)
    drawn_on(first, FEW)
    drawn_on(first.successor(0), OTHER)
    drawn_on(first, MANY)  # sent by a browser that has not received the newer runs
    page.run()
    assert run_of(page).layout()["drawn"] == MANY


def test_drawing_and_other_controls_are_independent():
    page = opened(data="draw")
    drawn_on(run_of(page), FEW)
    put(page, "slider", "k1-slider", 3)
    assert values(page)["k1"] == "3"
    assert same_points(run_of(page), FEW)
    drawn_on(run_of(page), OTHER)
    page.run()
    assert (values(page)["k1"], values(page)["drawn"]) == ("3", OTHER)
    assert run_of(page).schedule.levels()[0].size == 3


@cases(
    ("text", "said"),
    [
        ("", "Nothing drawn yet. Spray points into the picture."),
        ("AH_x", "The text is not a complete drawing: its end is missing."),
        (encode(np.zeros((MOST + 1, 2))), "The text has 5001 points; the limit is"),
        (encode([(1, 1), (2, 2)] * 9), "5 centres need 5 different points, got 2"),
    ],
)
def test_invalid_drawing_is_rejected_and_changes_nothing(text, said):
    page = opened(data="draw")
    run = run_of(page)
    status, about = drawn_on(run, text)
    assert status == 400
    assert about["message"].startswith(said)
    page.run()
    assert run_of(page) is run
    assert "drawn" not in values(page)


def test_latest_of_queued_strokes_is_used(monkeypatch):
    page = opened(data="draw")
    run, go_on, begun = run_of(page), threading.Event(), threading.Event()
    make, told = type(kmeans.BENCHMARK).live_run, {}

    def slowly(benchmark, made_of, schedule=None):
        begun.set()
        go_on.wait(10)
        return make(benchmark, made_of, schedule)

    monkeypatch.setattr(type(kmeans.BENCHMARK), "live_run", slowly)
    strokes = run.drawing.redraw.__self__
    waiting = []
    for text in (FEW, OTHER, MANY):
        before = strokes._latest
        waiting.append(
            threading.Thread(target=lambda text=text: told.update({text: drawn_on(run, text)}))
        )
        waiting[-1].start()
        assert begun.wait(10)
        while strokes._latest == before:
            pass
    go_on.set()
    for each in waiting:
        each.join()
    assert [told[text][0] for text in (FEW, OTHER, MANY)] == [200, 409, 200]
    page.run()
    assert run_of(page).layout()["drawn"] == MANY


def test_link_restores_the_drawing():
    page = opened(data="draw")
    drawn_on(run_of(page), FEW)
    page.run()
    link = player(page)["params"]
    again = opened(**link)
    assert player(again)["params"] == link
    assert same_points(run_of(again), FEW)
    assert not again.warning


def test_link_to_a_long_drawing_asks_for_its_file():
    page = opened(data="draw")
    drawn_on(run_of(page), MANY)
    page.run()
    assert same_points(run_of(page), MANY)
    assert kmeans.LONG in captions(page)
    link = player(page)["params"]
    assert link["drawn"] == f"~{sha256(MANY.encode()).hexdigest()[:12]}"
    again = opened(**link)
    assert "open its file, or draw it again" in again.warning[0].value
    assert run_of(again).layout()["drawn"] == STARTER


def test_drawing_is_dropped_with_its_tab():
    run = run_of(opened(data="draw"))
    drawn_on(run, FEW)
    made, tab = run.successor(0), run.drawing.redraw.__self__._tab
    tab.leave()
    assert (tab.runs, tab.strokes) == ({}, {})
    store.drop(made.id)
    assert made.id not in store.RUNS


def test_k_is_limited_by_the_number_of_points():
    three = encode([(100, 100), (200, 300), (600, 700)])
    page = opened(data="draw", drawn=three, n_clusters="8")
    assert run_of(page).problem.k == 3
    assert (
        page.sidebar.error[0].value
        == "The drawing has 3 different points, so the number of clusters is now 3."
    )
    one = opened(data="draw", drawn=encode([(5, 5), (5, 5)]))
    assert run_of(one).layout()["drawn"] == STARTER
    assert "needs at least two points" in one.sidebar.error[0].value


def test_drawing_survives_a_visit_to_another_data_set():
    page = opened(data="draw")
    drawn_on(run_of(page), FEW)
    page.run()
    put(page, "selectbox", "data-choice", "a3-like")
    assert "drawn" not in values(page) and "drawn" not in run_of(page).layout()
    assert drawn_on(run_of(page), FEW) == (400, {"message": "This run has no drawn points."})
    put(page, "selectbox", "data-choice", "draw")
    assert values(page)["drawn"] == FEW


@cases("text", [FEW, MANY])
def test_code_of_a_drawing_makes_the_drawn_points(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    grid = decode(text)
    rows = "\n".join(f"{x},{y}" for x, y in grid.tolist())
    (tmp_path / kmeans.FILE).write_text(f"x,y\n{rows}\n")  # in the player's format
    made = {"prviz": prviz}
    exec(kmeans.code({**kmeans.DEFAULTS, "data": "draw", "drawn": text, "n_clusters": 7}), made)
    np.testing.assert_array_equal(made["points"], grid)
    assert made["problem"].k == 7


def test_drawn_points_can_be_raced():
    page = opened(data="draw")
    drawn_on(run_of(page), FEW)
    page.run()
    press(page, "Race this")
    race = turned_to(page, "race")
    assert race.main.markdown[0].value == "# Race: k-means on drawn points"
    board = json.loads(race.get("bidi_component")[0].proto.json)[0]
    assert board["params"]["drawn"] == FEW
    assert same_points(RUNS[board["many"]], FEW)


def test_home_link_to_draw_keeps_an_existing_drawing():
    page = Visit("home").opened()
    press(page, "Draw your own points")
    page = turned_to(page, "kmeans")
    assert run_of(page).layout()["drawn"] == STARTER
    assert run_of(page).problem.k == 5
    drawn_on(run_of(page), FEW)
    put(page, "number_input", "n_clusters-exact", 7)
    page = turned_to(page, "home")
    press(page, "Draw your own points")
    page = turned_to(page, "kmeans")
    assert (run_of(page).layout()["drawn"], run_of(page).problem.k) == (FEW, 7)
