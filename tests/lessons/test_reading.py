"""Lessons are read from files, and invalid files give errors."""

import re

import pytest
from cases import cases
from serving import ROOT

from prviz.engine.schedule import Level
from prviz.lessons import load, names, read
from prviz.lessons.reading import MOST_WORDS
from prviz.problems import PROBLEMS

SOUND = '''title = "Mine"
text = """
Two heaps.
"""
[run]
data = "points.csv"
size = 2
k1 = 1
calls = 10

[ask]
question = "Kept?"
kind = "kept"
call = 4
'''


def wrong(path):
    with pytest.raises(ValueError) as said:
        read(path)
    return str(said.value).splitlines()


def test_lesson_with_own_data_is_read(own):
    lesson = read(own(SOUND))
    assert (lesson.name, lesson.title, lesson.text) == ("mine", "Mine", "Two heaps.")
    assert lesson.dataset.points.shape == (6, 2)
    assert (lesson.settings.size, lesson.question.call, lesson.seen) == (2, 4, 1)


@cases(
    ("part", "instead", "said"),
    [
        ("calls = 10", "cals = 10", "line 9: [run] has no key cals: did you mean calls?"),
        (
            "calls = 10",
            "calls = 2",
            "line 11: question is about call 4, but the run ends at call 2.",
        ),
        ("calls = 10", 'calls = "ten"', "line 9: calls must be a whole number, got 'ten'."),
        ("calls = 10", "calls = 0", "line 9: calls must be from 1 to 5000, got 0."),
        ("k1 = 1", "k1 = 3", "line 8: k1 is 3, but there are 2 variables."),
        ("size = 2", "size = 7", "line 5: "),
        ("size = 2\n", "", "line 5: [run] needs a size, the number of centres."),
        ("size = 2", 'size = 2\nproblem = "go"', "line 8: problem must be one of landscape,"),
        ("k1 = 1", 'k1 = "most"', "line 8: k1 must be a whole number, got 'most'."),
        ("k1 = 1", "k1 = 1\noptions = 3", "line 9: options must be a table"),
        ("k1 = 1", "k1 = 1\noptions = { speed = 3 }", "line 5: "),
        ('"points.csv"', '"none.csv"', "line 6: none.csv is neither a file in the lesson's"),
        ('kind = "kept"', 'kind = "guess"', "line 13: kind must be one of gap, lowest,"),
        ("call = 4", "", 'line 13: a question of kind "kept" needs the key "call".'),
        (
            'kind = "kept"',
            'kind = "winner"\nwork = 9',
            'line 13: a question of kind "winner" needs',
        ),
        ("call = 4", "call = 4\nmarks = [3, 1]", "line 15: marks must be ascending whole numbers"),
        ("Two heaps.", "word " * (MOST_WORDS + 1), "line 2: text and question have"),
        ('title = "Mine"', "title = Mine", "line 1: this is not TOML: invalid value."),
        ('title = "Mine"', "", "line 1: the file needs a title."),
        ("[ask]", "[asks]", "line 11: the file has no key asks"),
    ],
)
def test_errors_are_reported_with_their_line(own, part, instead, said):
    assert part in SOUND
    told = wrong(own(SOUND.replace(part, instead)))
    assert any(line.startswith(f"mine.toml, {said}") or said in line for line in told), told


def test_percent_sign_stays_on_the_line_of_its_number(own):
    lesson = read(
        own(SOUND.replace("Two heaps.", "Redrawing 10\n% of them helps in 7.5 % of calls."))
    )
    assert "10\u202f% of them helps in 7.5\u202f% of calls" in lesson.text


def test_all_errors_are_reported_at_once(own):
    told = wrong(own(SOUND.replace("k1 = 1", "k1 = 0").replace("call = 4", "call = 44")))
    assert len(told) == 2


def test_key_inside_a_text_is_not_read_as_a_key(own):
    source = SOUND.replace("Two heaps.", "calls = 3\n[run]").replace("calls = 10", "calls = 0")
    assert wrong(own(source))[0].startswith("mine.toml, line 10: calls must be from")


@cases("entry", PROBLEMS.values())
def test_lesson_can_use_any_problem(own, entry):
    data, example = next(iter(entry.source.examples.items()))
    source = SOUND.replace("size = 2", f'problem = "{entry.id}"\nsize = {example.size}')
    lesson = read(own(source.replace("points.csv", data).replace("k1 = 1", 'k1 = "all"')))
    assert isinstance(lesson.problem(lesson.settings), entry.type)
    assert lesson.levels(lesson.settings) == [Level(lesson.n(lesson.settings))]


def test_lesson_rejects_an_alpha_without_effect(own):
    source = SOUND.replace("size = 2", 'size = 2\nproblem = "kmedoids"\nalpha = 0.5')
    assert wrong(own(source)) == ["mine.toml, line 9: alpha has no effect on k-medoids."]


def test_invalid_text_is_rejected(tmp_path):
    path = tmp_path / "x.toml"
    path.write_bytes(b"\xff\xfe\x00")
    assert wrong(path)[0].startswith("x.toml cannot be read")


def test_lessons_are_numbered_and_the_last_has_no_question():
    assert [name.partition("-")[0] for name in names()] == [*map(str, range(1, 15))]
    lessons = [load(name) for name in names()]
    assert [lesson.question is None for lesson in lessons] == [False] * 13 + [True]
    unlocked = [lesson.unlocks for lesson in lessons[:8]]
    assert len({*unlocked}) == 8 and "" not in unlocked


def test_every_problem_has_a_lesson():
    assert {load(name).entry.id for name in names()} == {*PROBLEMS}


def test_a_lesson_is_found_by_name_or_number():
    assert load("crossover").name == load(7).name == load("7-crossover").name == "7-crossover"
    with pytest.raises(ValueError, match="Unknown lesson 'nine'"):
        load("nine")


def test_lesson_in_the_docs_is_valid(own):
    text = (ROOT / "docs" / "write-a-lesson.md").read_text("utf-8")
    source = text.split("```toml\n")[1].split("```")[0]
    assert read(own(source)).title


def test_lessons_that_mention_lanes_or_dots_name_the_lab():
    needing = [one for one in map(load, names()) if re.search("lanes|dots? above", one.text)]
    assert len(needing) == 2 and all("*Lab*" in one.text for one in needing)
