"""Several strings are read from lines of a text or columns of a table, for one model."""

import gzip

import numpy as np
import pandas as pd
import pytest
from cases import cases

import prviz
from prviz.datasets import columns_of_text
from prviz.datasets.readers import corpora
from prviz.datasets.readers.corpora import read_corpus
from prviz.problems import hmm

VISITS = "page,user,x\nhome,ann,1\nbuy,bob,2\nbuy,ann,1\nhome,bob,3\nhome,ann,2\n"


def strings(corpus):
    """Return the strings of a corpus as lists of symbols."""
    symbols = [corpus.alphabet[number] for number in corpus.sequence]
    ends = np.cumsum(corpus.lengths)
    return [symbols[end - length : end] for end, length in zip(ends, corpus.lengths, strict=True)]


@cases(
    ("text", "alphabet", "expected"),
    [
        ("abc\n\n cab \r\n", "abc", ["abc", "cab"]),
        ("0 1 1\n1 0", "01", ["011", "10"]),
        ("000", "01", ["000"]),
        ("0 1\na b", " 01ab", ["0 1", "a b"]),
        ("#ab\nb#", "#ab", ["#ab", "b#"]),  # in a text, # is a symbol
    ],
)
def test_read_corpus_reads_one_string_per_line(text, alphabet, expected):
    for content in (text, text.encode(), gzip.compress(text.encode()), text.encode("utf-16")):
        read = read_corpus(content)
        assert read.alphabet == tuple(alphabet)
        assert strings(read) == [[*line] for line in expected]


def test_read_corpus_leaves_out_fasta_headings():
    text = ">seq1 Homo sapiens\nACGTACGTAC\nGTACGTTTGA\n>seq2 Mus\nACGTTTGACA\n"
    read = read_corpus(text)
    assert strings(read) == [[*"ACGTACGTACGTACGTTTGA"], [*"ACGTTTGACA"]]
    assert read.alphabet == tuple("ACGT")
    assert "FASTA" in read.notice and columns_of_text(text) == ()


@cases("text", [";made by hand\n>a\nACGT\n\n>b\nGT", ">none\n>a\nACGT\n>b\nGT\n>none"])
def test_read_corpus_recognises_fasta_with_comments_and_empty_records(text):
    assert strings(read_corpus(text)) == [[*"ACGT"], [*"GT"]]


@cases(
    ("text", "said"),
    [
        ("@r1\nACGT\n+\nIIII\n", "this is a FASTQ file"),
        ("LOCUS  X 4 bp\nORIGIN\n  1 acgt\n//", "this is a GenBank file"),
        ("CLUSTAL W (1.8)\n\na ACGT\n", "this is a CLUSTAL file"),
        ("@HD\tVN:1.6\nr1\t0\tchr", "this is a SAM file"),
    ],
)
def test_headings_of_sequences_are_not_read_as_symbols(text, said):
    for read in (prviz.datasets.read_text, read_corpus, hmm.read):
        with pytest.raises(ValueError, match=said):
            read(text.encode(), "name")
    with pytest.raises(ValueError, match="this is a FASTA file"):
        prviz.datasets.read_text(">a\nACGT\n")


def test_accents_are_joined_with_their_letters():
    read = read_corpus("e\u0301a\n\u00e9")
    assert (strings(read), read.alphabet) == ([["é", "a"], ["é"]], ("a", "é"))
    assert "Combining accents" in read.notice


def test_equal_numbers_that_are_different_symbols_are_reported():
    read = read_corpus("s\n1\n1.0\n2", column="s")
    assert read.notice == 'Equal numbers are different symbols: "1", "1.0".'


def test_command_reads_a_packed_text_and_reports_ignored_line_breaks():
    read = hmm.read(gzip.compress(b"abc\nab"), "text.gz")
    assert read.sequence.tolist() == [0, 1, 2, 0, 1]
    assert read.notice == "Line breaks are ignored."
    with pytest.raises(ValueError, match="`by` needs `column`"):
        hmm.read(VISITS.encode(), "visits", by="user")
    with pytest.raises(ValueError, match="one column of symbols"):
        hmm.read(VISITS.encode(), "visits", columns=["page", "x"])


@cases("read", [prviz.datasets.read_text, prviz.datasets.read_corpus])
def test_file_of_numbers_is_read_as_text_with_a_warning(read):
    days = "\n".join(f"2026-01-{day:02},{day / 7:.2f}" for day in range(1, 29))
    with pytest.warns(prviz.datasets.DataWarning, match="like a series of numbers.*gaussian"):
        read(f"day,temperature\n{days}\n".encode())
    for text in (b"0110\n" * 20, b"gattaca\n" * 20, b"3.5\n4.25\n"):
        assert "series" not in read(text).notice


def test_read_corpus_groups_rows_in_any_order():
    assert strings(read_corpus(VISITS, column="page")) == [["home", "buy", "buy", "home", "home"]]
    read = read_corpus(VISITS, "visits", column="page", by="user")
    assert strings(read) == [["home", "buy", "home"], ["buy", "home"]]
    assert read.alphabet == ("buy", "home")
    assert read.lengths.tolist() == [3, 2]
    frame = pd.read_csv(pd.io.common.StringIO(VISITS))
    groups = [rows["page"].tolist() for _, rows in frame.groupby("user", sort=False)]
    assert strings(read) == groups
    assert read.to_frame()["string"].tolist() == [0, 0, 0, 1, 1]
    assert (read.name, read.source) == ("visits", "read from visits")


def test_numbers_are_sorted_by_size():
    assert read_corpus("x;y\n10;a\n9;b\n10;c", column="x").alphabet == ("9", "10")


def test_columns_without_names_are_numbered():
    plain = "a,1\nb,2\na,1\n"
    assert columns_of_text(plain) == ("column 1", "column 2")
    assert strings(read_corpus(plain, column="column 1")) == [["a", "b", "a"]]
    assert columns_of_text(VISITS) == ("page", "user", "x")
    assert columns_of_text("x,x\na,b") == ("x", "x (2)")
    assert columns_of_text("no columns here\nnor here") == ()
    assert read_corpus("weather\nsun\nrain", column="weather").alphabet == ("rain", "sun")


@cases(
    ("content", "wanted", "said"),
    [
        ("", {}, "the file is empty"),
        (VISITS, {"column": "colour"}, 'no column "colour" in the header row: "page", "user", "x"'),
        (VISITS, {"by": "user"}, "`by` needs `column`"),
        ("a,b\n1,2\n,3", {"column": "a"}, 'line 3, column "a" is empty'),
        ("a,b\n1,2\n3", {"column": "a", "by": "b"}, 'line 3, column "b" is empty'),
        ("a,b\n", {"column": "a"}, "no rows of values below line 1"),
        (
            "t\n" + "\n".join(str(i / 7) for i in range(101)),
            {"column": "t"},
            'column "t" has 101 different numbers; at most 100 .* choose emissions="gaussian"',
        ),
        ("".join(map(chr, range(0x4E00, 0x5200))), {}, "the text has 1024 different symbols"),
        (b"PK\x03\x04", {}, "zip"),
    ],
)
def test_invalid_corpus_is_rejected(content, wanted, said):
    with pytest.raises(ValueError, match=said) as caught:
        read_corpus(content, **wanted)
    assert str(caught.value).endswith(".")


def test_wrong_types_and_too_long_texts_are_rejected(monkeypatch):
    with pytest.raises(TypeError, match="text or a file, got list"):
        read_corpus([[0, 1]])
    monkeypatch.setattr(corpora, "LARGEST_TEXT", 10**6)
    with pytest.raises(ValueError, match="more than 1 MB"):
        read_corpus("a" * (10**6 + 1))


def test_cost_is_the_sum_over_all_strings():
    read = read_corpus("0101\n01\n0001")
    problem = prviz.hmm(read, 2)
    assert problem.lengths.tolist() == [4, 2, 4]
    run = prviz.run(problem, m1=2, calls=3)
    A, B, start = run.best_state.transition, run.best_state.emission, run.best_state.start
    cost = 0.0
    for line in ("0101", "01", "0001"):
        chance = start
        for t, symbol in enumerate(line):
            chance = (chance @ A if t else chance) * B[:, int(symbol)]
        cost -= np.log(chance.sum())
    assert run.best_cost == pytest.approx(cost)
    again = prviz.run(prviz.hmm(read.sequence, 2, 2, lengths=read.lengths), m1=2, calls=3)
    assert run.best_cost == again.best_cost


def test_a_corpus_has_a_picture():
    drawn = read_corpus("abc\nb\ncab").figure().data[0].z
    np.testing.assert_array_equal(drawn, [[0, 1, 2], [1, np.nan, np.nan], [2, 0, 1]])
