"""Binary examples are read from files and arrays."""

import gzip
import io

import numpy as np
import pytest
from cases import cases

from prviz.datasets import check_examples, patterns
from prviz.datasets.readers.examples import read_examples

TWO = [[0, 1, 1], [1, 0, 0]]


@cases(
    "text",
    [
        "0,1,1\n1,0,0\n",
        "011\n100",
        "0 1 1\r\n1 0 0\r\n",
        "# a remark\n0;1;1\n\n1;0;0",
        "a,b,c\n0,1,1\n1,0,0",
        "0.0, 1.0, 1\n1, 0, 0,",
        '"a","b","c"\n"0","1","1"\n"1","0","0"',
        "\ufeff0\t1\t1\n1\t0\t0",
    ],
)
def test_equivalent_texts_give_the_same_examples(text):
    for origin in (text, text.encode(), io.BytesIO(text.encode())):
        found = read_examples(origin)
        assert found.examples.tolist() == TWO
        assert found.examples.dtype == np.uint8
        assert found.patterns is None


def test_read_examples_reports_a_column_of_labels():
    read = read_examples("label,a,b\n5,0,255\n3,255,0", threshold=100)
    assert read.examples.tolist() == [[0, 0, 1], [0, 1, 0]]
    assert 'Column "label" is read as part of each example.' in read.notice


def test_read_examples_reads_files(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("0,1,1\n1,0,0\n")
    assert read_examples(path).name == "mine.csv"
    content = io.BytesIO()
    np.save(content, np.array(TWO))
    for made in (content.getvalue(), gzip.compress(b"0,1,1\n1,0,0\n")):
        path.write_bytes(made)
        assert read_examples(path).examples.tolist() == TWO
    with pytest.raises(FileNotFoundError, match="there is no file"):
        read_examples(tmp_path / "none.csv")


def test_patterns_without_flips_are_halves_and_alternating_bits():
    made = patterns(4, flip=0.0)
    four = ["".join(map(str, row)) for row in made.patterns.tolist()]
    assert four == ["11110000", "10101010", "00001111", "01010101"]
    assert sorted(made.examples.tolist()) == sorted(made.patterns.tolist())


def test_arrays_and_examples_are_accepted():
    made = patterns(8)
    assert (check_examples(made) == made.examples).all()
    assert check_examples(np.array(TWO, bool)).tolist() == TWO
    assert read_examples(TWO).examples.tolist() == TWO
    copy = check_examples(made)
    copy[0, 0] ^= 1
    assert copy[0, 0] != made.examples[0, 0]


@cases(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("# nothing", "no rows of values"),
        ("a,b\nc,d", 'line 2, column 1 is "c"'),
        ("0,1\n0,2", "line 2, column 2 is 2: every entry must be 0 or 1"),
        ("0,1\n0", "line 2 has 1 entries but line 1 has 2"),
        ("01\n0x", 'line 2, column 1: "0x" is not a number'),
        ("0.5 1", "line 1, column 1 is 0.5"),
        ("1,,0\n,1,0\n0,1,", "line 1, column 2 is empty: every entry must be 0 or 1"),
        ('"1","2"', "line 1, column 2 is 2"),
    ],
)
def test_errors_are_reported_with_their_position(text, said):
    with pytest.raises(ValueError, match=said):
        read_examples(text)


GREY = "0,10,255\n200,10,0\n"


@cases("content", [GREY, GREY.encode(), "a;b;c\n0;10;255\n200;10;0", [[0, 10, 255], [200, 10, 0]]])
def test_grey_values_become_bits_by_a_threshold(content):
    found = read_examples(content, threshold=10)
    assert found.examples.tolist() == [[0, 0, 1], [1, 0, 0]]
    assert found.examples.dtype == np.uint8
    assert found.source.endswith("; values above 10 are 1, the others 0")
    with pytest.raises(ValueError, match=r"such as their median 10 or 127.5, halfway"):
        read_examples(content)


def test_threshold_does_not_change_binary_data():
    for text in ("011\n100", "0,1,1\n1,0,0"):
        found = read_examples(text, threshold=5)
        assert found.examples.tolist() == TWO
        assert found.notice == ""


def test_npy_file_of_grey_values_becomes_bits():
    file = io.BytesIO()
    np.save(file, np.array([[0.25, 0.75], [0.5, 0.5]]))
    assert read_examples(file.getvalue(), threshold=0.5).examples.tolist() == [[0, 1], [0, 0]]


@cases(
    ("content", "threshold", "said"),
    [
        ("0.5 1 0.7\n0 1 x", 0.5, 'line 2, column 3: "x" is not a number'),
        ("0.5 1 0.7\n0 1 1", None, "line 1, column 1 is 0.5: every entry must be 0 or 1"),
        ("0.5 1\n0", 0.5, "line 2, column 2 is empty"),
        ("2 2\n2 2", None, "All values are 2, so no threshold separates them"),
        ("1 2\n2 2", None, "such as 1.5, halfway"),
        ("0 1", np.nan, "threshold must be finite"),
    ],
)
def test_unusable_values_and_thresholds_are_rejected(content, threshold, said):
    with pytest.raises(ValueError, match=said) as caught:
        read_examples(content, threshold=threshold)
    assert str(caught.value).endswith(".")
