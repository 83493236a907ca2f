"""``prviz lessons`` as teachers use it."""

import json

import pytest

from prviz.__main__ import main

LESSON = """title = "Mine"
text = "Two heaps."
[run]
data = "points.csv"
size = 2
calls = 10
[ask]
question = "Kept?"
kind = "kept"
call = 4
"""


@pytest.fixture
def mine(tmp_path, kernels):
    (tmp_path / "points.csv").write_text("0,0\n0,1\n1,0\n9,9\n9,8\n8,9\n")
    path = tmp_path / "mine.toml"
    path.write_text(LESSON)
    return path


def test_lesson_is_checked_built_and_checked_again(mine, capsys):
    assert main(["lessons", "check", str(mine)]) == 1
    assert "are missing: make them with `prviz lessons make mine.toml`" in capsys.readouterr().out
    assert main(["lessons", "make", str(mine)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("mine: made. This seed: kept; seeds per answer (n = 100): kept (")
    assert {path.name for path in (mine.parent / "made").iterdir()} == {
        "mine.json", "mine.npz", "mine.seen.npz",
    }  # fmt: skip
    assert main(["lessons", "check", str(mine)]) == 0
    assert capsys.readouterr().out == said.replace("made.", "valid.")


def test_output_files_are_checked_before_a_lesson_is_made(mine, capsys, monkeypatch):
    monkeypatch.setattr("prviz.lessons.pinned.make", lambda *_: pytest.fail("tried too late"))
    (mine.parent / "made" / "mine.json").mkdir(parents=True)
    assert main(["lessons", "make", str(mine)]) == 1
    assert "mine.json cannot be written (Is a directory)." in capsys.readouterr().out


def test_errors_are_reported_for_each_file(mine, tmp_path, capsys):
    other = tmp_path / "other.toml"
    other.write_text(LESSON.replace("calls = 10", "calls = 1"))
    assert main(["lessons", "check", "--json", str(other), str(tmp_path / "none.toml")]) == 1
    wrong, missing = json.loads(capsys.readouterr().out)["lessons"]
    assert (
        wrong["said"] == "other.toml, line 7: question is about call 4, but the run ends at call 1."
    )
    assert missing["failed"] and "none.toml cannot be read" in missing["said"]
