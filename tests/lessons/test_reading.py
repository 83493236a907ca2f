"""Lessons as files: what is read, and what is said of a file that is wrong."""

import pytest
from serving import ROOT

from prviz.lessons import load, names, read
from prviz.lessons.reading import MOST_WORDS

SOUND = '''title = "Mine"
text = """
Two heaps.
"""
[run]
data = "points.csv"
clusters = 2
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


def test_a_lesson_of_own_data_is_read(own):
    lesson = read(own(SOUND))
    assert (lesson.name, lesson.title, lesson.text) == ("mine", "Mine", "Two heaps.")
    assert lesson.points.points.shape == (6, 2)
    assert (lesson.settings.clusters, lesson.question.call, lesson.seen) == (2, 4, 1)


@pytest.mark.parametrize(
    ("part", "instead", "said"),
    [
        ("calls = 10", "cals = 10", "line 9: [run] has no key cals: did you mean calls?"),
        ("calls = 10", "calls = 2", "line 11: call 4 is asked about, and the run has 2."),
        ("calls = 10", 'calls = "ten"', "line 9: calls is a whole number, not 'ten'."),
        ("calls = 10", "calls = 0", "line 9: calls is 0: it goes from 1 to 5000."),
        ("k1 = 1", "k1 = 3", "line 8: k1 is 3, of 2 clusters."),
        ("clusters = 2", "clusters = 7", "line 7: clusters is more than the 6 points."),
        ("clusters = 2\n", "", "line 5: [run] needs a clusters."),
        ('"points.csv"', '"none.csv"', "line 6: there is no file"),
        ('kind = "kept"', 'kind = "guess"', "line 13: kind is one of gap, lowest,"),
        ("call = 4", "", "line 13: a question of kind kept needs a call."),
        ('kind = "kept"', 'kind = "winner"\nwork = 9', "line 13: a question of kind winner needs"),
        ("call = 4", "call = 4\nmarks = [3, 1]", "line 15: marks are calls, whole numbers that"),
        ("Two heaps.", "word " * (MOST_WORDS + 1), "line 2: text and question have"),
        ('title = "Mine"', "title = Mine", "line 1: this is no TOML: invalid value."),
        ('title = "Mine"', "", "line 1: the file needs a title."),
        ("[ask]", "[asks]", "line 11: the file has no key asks"),
    ],
)
def test_what_is_wrong_is_said_by_its_line(own, part, instead, said):
    assert part in SOUND
    told = wrong(own(SOUND.replace(part, instead)))
    assert any(line.startswith(f"mine.toml, {said}") or said in line for line in told), told


def test_all_that_is_wrong_is_said_at_once(own):
    told = wrong(own(SOUND.replace("k1 = 1", "k1 = 9").replace("call = 4", "call = 44")))
    assert len(told) == 2


def test_a_key_in_a_text_is_not_taken_for_one(own):
    source = SOUND.replace("Two heaps.", "calls = 3\n[run]").replace("calls = 10", "calls = 0")
    assert wrong(own(source))[0].startswith("mine.toml, line 10: calls is 0")


def test_what_is_no_text_is_said(tmp_path):
    path = tmp_path / "x.toml"
    path.write_bytes(b"\xff\xfe\x00")
    assert wrong(path)[0].startswith("x.toml cannot be read")


def test_there_are_nine_in_the_order_in_which_they_are_learnt():
    assert [name.partition("-")[0] for name in names()] == list("123456789")
    lessons = [load(name) for name in names()]
    assert [lesson.question is None for lesson in lessons] == [False] * 8 + [True]
    unlocked = [lesson.unlocks for lesson in lessons[:8]]
    assert len({*unlocked}) == 8 and "" not in unlocked


def test_a_lesson_is_found_by_name_or_number():
    assert load("crossover").name == load(7).name == load("7-crossover").name == "7-crossover"
    with pytest.raises(ValueError, match="There is no lesson 'nine'"):
        load("nine")


def test_the_lesson_in_the_docs_is_sound(own):
    text = (ROOT / "docs" / "write-a-lesson.md").read_text("utf-8")
    source = text.split("```toml\n")[1].split("```")[0]
    assert read(own(source)).title
