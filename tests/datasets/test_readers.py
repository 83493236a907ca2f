"""All readers take a path as a string or a Path, bytes, an open file and a text."""

import numpy as np
import pytest
from cases import cases

from prviz import datasets

TABLE = "x,y\n1.5,2\n2.5,4\n3.5,7\n"
MATRIX = "0,1,2\n1,0,3\n2,3,0\n"
READERS = {
    "read_table": (TABLE, "values"),
    "read_points": (TABLE, "points"),
    "read_series": (TABLE, "values"),
    "read_examples": ("011\n100\n", "examples"),
    "read_dissimilarity": (MATRIX, "matrix"),
    "read_matrix_or_points": (MATRIX, "matrix"),
    "matrix_or_table": (MATRIX, "matrix"),
    "read_glass": ("2 1\n1 2 -3\n", "weights"),
    "read_corpus": ("abc\nba\n", "sequence"),
    "read_text": ("abc\nba\n", "sequence"),
}
ONE_LINE = {"read_table": "1 2 4", "read_examples": "0 1 1", "read_corpus": "ab", "read_text": "ab"}

pytestmark = pytest.mark.filterwarnings("ignore::prviz.datasets.DataWarning")


def file_of(folder, text, name="mine.txt"):
    path = folder / name
    path.write_text(text)
    return path


@cases("reader", list(READERS))
def test_readers_take_every_kind_of_source(tmp_path, monkeypatch, reader):
    monkeypatch.chdir(tmp_path)
    text, values = READERS[reader]
    path, bare = file_of(tmp_path, text), file_of(tmp_path, text, "mine")
    read = getattr(datasets, reader)
    expected = getattr(read(text.encode()), values)
    for origin in (path, str(path), path.name, bare.name, f"./{bare.name}", text):
        np.testing.assert_array_equal(getattr(read(origin), values), expected)
    with path.open("rb") as file:
        np.testing.assert_array_equal(getattr(read(file), values), expected)
    for name in (path, str(path), path.name):
        assert read(name).name == "mine.txt"


@cases("reader", [*READERS, "columns_of_text", "read_pictures"])
@cases("name", ["none.csv", "My Data.TXT", "none.txt.gz"])
def test_readers_name_a_missing_file(reader, name):
    with pytest.raises(FileNotFoundError, match=f"there is no file {name}: check the path"):
        getattr(datasets, reader)(name)


@cases("reader", list(READERS))
def test_missing_path_is_an_error_except_for_readers_of_text(reader):
    read = getattr(datasets, reader)
    for name in ("data/none", "data\\none"):
        if reader in ("read_corpus", "read_text"):
            assert len(read(name).sequence) == 9
        else:
            with pytest.raises(FileNotFoundError, match="there is no file"):
                read(name)


@cases("reader", list(READERS))
def test_line_without_a_file_suffix_is_read_as_text_if_possible(reader):
    line = ONE_LINE.get(reader)
    if line:
        assert getattr(datasets, reader)(line).source
    elif reader != "read_series":
        with pytest.raises(FileNotFoundError, match="there is no file 1 2"):
            getattr(datasets, reader)("1 2")


@cases("reader", [*READERS, "columns_of_text"])
def test_a_file_name_with_a_line_break_is_a_text(reader):
    try:
        getattr(datasets, reader)("none.csv\n")
    except FileNotFoundError:
        pytest.fail("a text was taken for a path")
    except ValueError:
        pass


def test_readers_accept_the_keyword_content(tmp_path):
    path = str(file_of(tmp_path, TABLE))
    assert datasets.read_table(content=path).name == "mine.txt"
    assert datasets.columns_of_text(content=path) == ("x", "y")


def test_read_text_reads_a_file_with_its_name(tmp_path):
    read = datasets.read_text(str(file_of(tmp_path, "abab\n", "story.txt")))
    assert (read.name, read.source) == ("story.txt", "read from story.txt")
    assert read.sequence.tolist() == [0, 1, 0, 1]
    assert datasets.read_text(b"abab").source == "read from your text"
    with pytest.raises(TypeError, match="content must be text or a file, got NoneType"):
        datasets.read_text(None)
