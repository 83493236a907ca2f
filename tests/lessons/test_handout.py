"""The printed sheet of a lesson contains the question and a link, without the answer."""

import re

from cases import cases

from prviz.lessons import load, names
from prviz.lessons.handout import code, handout
from prviz.lessons.pinned import load as kept

LINK = "http://localhost:8501/learn?lesson=3"


@cases("name", names())
def test_sheet_has_the_question_without_the_answer(name):
    lesson = load(name)
    sheet = handout(lesson, LINK)
    assert f"<h1>{lesson.title}</h1>" in sheet and LINK in sheet and code(LINK) in sheet
    assert not re.search(r'(?:src|href)="(?!data:)', sheet)  # nothing is downloaded
    assert "size: A4" in sheet
    if lesson.question is None:
        return
    answers = kept(lesson).answers
    assert lesson.question.words in sheet
    assert answers.found() not in sheet and lesson.after not in sheet
    if lesson.entry.id == "kmeans":
        assert len(re.findall("<circle", sheet)) == lesson.settings.size
        assert "They stand in for" in sheet
    else:
        assert "Best cost so far over" in sheet
    told = handout(lesson, LINK, answers=True)
    assert answers.found() in told and "<h2>Answer</h2>" in told


def test_sheet_without_an_address_has_no_qr_code():
    assert "<footer>" not in handout(load(3))
