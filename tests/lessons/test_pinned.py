"""With the current engine, runs of the shipped lessons equal the stored runs."""

import json
import math

import numpy as np
import pytest
from cases import cases
from test_reading import SOUND

import prviz
from prviz.lessons import load, names, pinned, read
from prviz.lessons.asking import KINDS
from prviz.player.pictures.frames import LAST, frame_dtype
from prviz.player.recording import RecordedRun

ASKING = [name for name in names() if load(name).question]


@pytest.fixture(scope="module", autouse=True)
def compiled(kernels):
    """Compile kernels first, so that no test waits."""


@pytest.mark.parametrize("name", ASKING)
def test_stored_run_and_answers_equal_those_computed_from_their_seeds(name):
    lesson = load(name)
    kept = pinned.load(lesson)
    assert lesson.run.trace.hash() == kept.trace
    assert lesson.run.calls == lesson.settings.calls
    assert kept.answers.n == 100
    curves = kept.answers.curves
    assert [*(curves.gaps if curves else [])] == [*lesson.rivals]
    for seed, told in ((lesson.settings.seed, kept.answers.this), (7, kept.answers.all[7])):
        found = pinned.answer(lesson, kept.known, lesson.searches(seed))
        if KINDS[lesson.question.kind].bets == "word":
            assert found == told
        else:
            assert found == pytest.approx(told, rel=1e-3)


@cases("name", ASKING)
def test_only_the_first_calls_are_visible_before_the_bet(name):
    lesson, files = load(name), pinned.files(load(name))
    seen, whole = (RecordedRun(path, f"lesson-{path}", "") for path in files[:2])
    head, outcomes = seen.progress(0)
    assert head["calls"] == len(outcomes) == lesson.seen
    frames = np.frombuffer(seen.frames(1, 1000), frame_dtype(seen.layout()))
    assert frames["call"].max() == lesson.seen
    assert (frames["flags"] & LAST > 0).sum() == lesson.seen
    all_, told = whole.progress(0)
    assert told[: lesson.seen] == outcomes
    assert all_["calls"] == min(lesson.settings.calls, pinned.MOST_FILM) > lesson.seen
    if all_["calls"] == lesson.settings.calls:
        assert all_["hash"] == pinned.load(lesson).trace
    with np.load(files.seen) as file:  # the best cost of later calls is not stored either
        assert json.loads(str(file["head"]))["progress"]["best"] == head["best"] >= all_["best"]


@cases("name", ASKING)
def test_recordings_of_a_lesson_have_the_current_picture(name):
    lesson, kept = load(name), pinned.load(load(name))
    drawn = "layers", "fields", "frame_bytes", "world"
    live = pinned.live_run(lesson, lesson.settings, kept.known, 1)
    today = live.layout()
    for path in pinned.files(lesson)[:2]:
        recorded = RecordedRun(path, f"lesson-{path}", "")
        assert [recorded.layout()[part] for part in drawn] == [today[part] for part in drawn]
    live.close()


def test_own_lessons_are_stored_in_the_folder_of_their_file(own):
    lesson = read(own(SOUND))
    with pytest.raises(ValueError, match=r"are missing: make them with `prviz lessons make mine"):
        pinned.load(lesson)
    made = pinned.make(lesson)
    assert pinned.files(lesson).answers.parent == lesson.path.parent / "made"
    assert made.trace == prviz.run(
        lesson.problem(lesson.settings), k1=1, m1=100, seed=0, calls=10
    ).trace.hash()  # fmt: skip
    assert made.known == pytest.approx(8 / 3)  # each of two clusters of three points costs 4/3
    assert made.gap(4.0) == pytest.approx(50.0)
    seen = RecordedRun(pinned.files(lesson).seen, "lesson-own", "")
    assert seen.layout()["best_known"] == made.known
    with pytest.raises(ValueError, match="for other settings"):
        pinned.load(read(own(SOUND.replace("call = 4", "call = 5"))))
    pinned.files(lesson).answers.write_text("{")
    with pytest.raises(ValueError, match="damaged"):
        pinned.load(lesson)


def test_infinite_answers_are_stored(own):
    asked = SOUND.replace('kind = "kept"', 'kind = "until_improved"')
    made = pinned.make(read(own(asked)))
    assert math.inf in made.answers.all  # if call 1 finds both clusters, no later call improves


def test_lesson_in_a_notebook_shows_the_answer_after_the_bet():
    lesson = prviz.lessons.load("redraw-one")
    html = lesson._repr_html_()
    assert lesson.question.words in html and "reverted (" not in html
    assert lesson.after not in html
    assert len(lesson.figure().data) == 1
    with pytest.raises(ValueError, match="has only text"):
        load("your-data").figure()
    assert [bar.y[0] for bar in lesson.figure(bet="kept").data] == ["reverted", "kept"]
