"""`read_points` reads every format, and rejects other files with a clear message."""

import gzip
import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from prviz import datasets
from prviz.datasets.readers import content as contents
from prviz.datasets.readers import text as texts
from prviz.datasets.readers.matrices import matrix_or_table, read_dissimilarity
from prviz.datasets.readers.points import read_points


def npy(array, **options):
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


def lines(points, separator, before=""):
    return before + "\n".join(before + separator.join(map(repr, row)) for row in points.tolist())


WRITERS = {
    "sipu": lambda points: lines(points, "   ", before="    ").encode(),
    "tab": lambda points: lines(points, "\t").encode(),
    "comma": lambda points: lines(points, ",").encode(),
    "semicolon": lambda points: lines(points, " ; ").encode(),
    "windows": lambda points: lines(points, ",").replace("\n", "\r\n").encode("utf-8-sig"),
    "utf-16": lambda points: lines(points, "\t").encode("utf-16"),
    "header": lambda p: ",".join(f"x{j}" for j in range(p.shape[1])).encode() + b"\n"
    + lines(p, ",").encode(),
    "savetxt": lambda points: b"# x y\n\n" + lines(points, " ").encode() + b"\n\n",
    "npy": npy,
    "npy by columns": lambda points: npy(np.asfortranarray(points)),
    "pandas": lambda points: pd.DataFrame(points).to_csv(header=[f"x{j}" for j in
        range(points.shape[1])]).encode(),
}  # fmt: skip

some_points = arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(1, 4)),
    elements=st.floats(-1e150, 1e150),
)


@settings(max_examples=25)
@given(points=some_points, packed=st.booleans())
def test_saved_data_can_be_read(points, packed):
    for form, written in WRITERS.items():
        content = written(points)
        read = read_points(gzip.compress(content) if packed else content).points
        assert read.dtype == np.float64 and read.flags.c_contiguous, form
        assert np.array_equal(read, points), form


@given(st.binary(max_size=60))
def test_random_bytes_are_read_or_rejected(content):
    try:
        assert np.isfinite(read_points(content).points).all()
    except (TypeError, ValueError) as error:
        assert str(error).endswith(".")


@given(some_points, st.data())
def test_a_damaged_npy_is_read_or_rejected(points, data):
    content = bytearray(npy(points))
    content[data.draw(st.integers(0, 127))] = data.draw(st.integers(0, 255))
    try:
        assert np.isfinite(read_points(content).points).all()
    except (TypeError, ValueError) as error:
        assert str(error).endswith(".")


def test_array_and_frame_give_points_with_a_name():
    for origin in ([[1, 2], [3, 4]], pd.DataFrame({"x": [1, 3], "y": [2, 4]})):
        read = datasets.read_points(origin, name="Mine")
        assert (read.points.tolist(), read.name) == ([[1, 2], [3, 4]], "Mine")
    assert read_points(b"1 2").name == "your points"


def test_read_points_accepts_quotes_and_blank_lines_and_a_single_point():
    assert read_points(b'"x, m";"y"\n\n"1";"2"\n').points.tolist() == [[1, 2]]
    assert read_points(b'"x, m","y"\n"1", "2"\n').points.tolist() == [[1, 2]]
    assert read_points(b'"x y" z\n"1" 2\n').points.tolist() == [[1, 2]]
    assert read_points(b"5").points.tolist() == [[5]]
    assert read_points("Länge;Höhe\n1;2".encode("latin-1")).points.tolist() == [[1, 2]]


def test_read_points_leaves_out_an_unnamed_index():
    for index in ("0,1", "3,1"):  # the index of a complete and a filtered DataFrame
        first, second = index.split(",")
        counted = read_points(f",x,y\n{first},5,6\n{second},7,8\n".encode())
        assert counted.points.tolist() == [[5, 6], [7, 8]]
        assert "row numbers is left out" in counted.notice
    other = read_points(b",x,y\n3.5,5,6\n1,7,8\n")
    assert other.points.tolist() == [[3.5, 5, 6], [1, 7, 8]]


def test_public_readers_warn_about_omitted_columns():
    with pytest.warns(datasets.DataWarning, match='Text columns left out: "kind"'):
        assert datasets.read_points(b"x,kind\n1,a\n2,b\n").points.tolist() == [[1], [2]]


PACKED = gzip.compress(b"1 2\n3 4\n" * 100, mtime=0)
BAD_CHECKSUM = PACKED[:-8] + bytes(8)


@cases(
    ("content", "kind", "words"),
    [
        (b"", ValueError, "the file is empty"),
        (b" \n\n", ValueError, "the file is empty"),
        (gzip.compress(b"", mtime=0), ValueError, "the file is empty"),
        (b'"', ValueError, "quotation mark is never closed"),
        (b"x,y\n\n1,2\n3\n", ValueError, 'line 4, column "y" has no value'),
        (b"1 2\n3 nan\n", ValueError, "line 2, column 2 has no value"),
        (b"x,y\n\n1,-inf\n", ValueError, 'line 3, column "y" is -inf, not a finite number'),
        (b"1,2\nx,y\n", ValueError, 'line 2, column 1: "x" is not a number'),
        (b"x,y\nu,v\n1,2\n", ValueError, 'line 2, column "x": "u" is not a number'),
        (b"1,2\n3," + b"z" * 99, ValueError, '"' + "z" * 39 + '…" is not a number'),
        (b"1,2\n3,\n", ValueError, "line 2, column 2 has no value"),
        (b"1;2\n;3\n", ValueError, "line 2, column 1 has no value"),
        (b'1,2\n"3,4\n', ValueError, "line 2: a quotation mark is never closed"),
        (PACKED[:-20], ValueError, "the gzip file is cut off"),
        (BAD_CHECKSUM, ValueError, "the gzip file is damaged"),
        (b"\x1f\x8b not gzip", ValueError, "the gzip file is damaged"),
        (b"PK\x03\x04 a workbook", ValueError, "a zip or Excel file"),
        (b"\x89PNG\r\n\x1a\n\0\0", ValueError, "neither text nor npy"),
        (npy(np.eye(3))[:-1], ValueError, "cut off (1 bytes are missing)"),
        (npy(np.eye(3))[:50], ValueError, "damaged header"),
        (b"\x93NUMPY\x09\x00", ValueError, "damaged header"),
        (npy(np.eye(3)).replace(b"<f8", b"<f7"), ValueError, "damaged header"),
        (npy(np.eye(2) * 1j), TypeError, "the npy file holds complex128"),
        (npy(np.zeros(2, "f8,f8")), TypeError, "the npy file holds [("),
        (npy(np.array([[None]]), allow_pickle=True), TypeError, "the npy file holds object"),
        (npy(np.zeros((2, 2, 2))), ValueError, "got 3 (shape (2, 2, 2))"),
        (npy(np.zeros(3)), ValueError, "reshape(-1, 1)"),
        (npy(np.zeros((0, 2))), ValueError, "the npy file holds an empty array"),
        (npy(np.array([[0, np.nan]])), ValueError, "line 1, column 2 has no value"),
        (np.zeros((2, 2), complex), TypeError, "real numbers, got complex128"),
        (np.zeros((2, 2), object), TypeError, "real numbers, got object"),
        (io.StringIO("1 2"), TypeError, 'mode "rb"'),
        (None, ValueError, "got 0 (shape ())"),
        (pd.DataFrame({"x": []}), ValueError, "the table has no row"),
    ],
)
def test_invalid_set_of_points_is_rejected(content, kind, words):
    with pytest.raises(kind) as caught:
        read_points(content)
    message = str(caught.value)
    assert words in message
    assert message.endswith(".")
    assert "\n" not in message


def test_npy_with_a_false_size_allocates_no_memory():
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, 99), }"
    content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    with pytest.raises(ValueError, match="bytes are missing"):
        read_points(content)


def test_a_file_or_line_beyond_the_limit_is_rejected(monkeypatch):
    monkeypatch.setattr(contents, "LARGEST_FILE", 2 * 10**6)
    monkeypatch.setattr(texts, "LONGEST_LINE", 10**5)
    large = b"1 2\n" * 500_001
    for content in (large, gzip.compress(large), io.BytesIO(large)):
        with pytest.raises(ValueError, match="the file has more than 2 MB"):
            read_points(content)
    with pytest.raises(ValueError, match="line 2 has more than 100,000 characters"):
        read_points(b"1\n" + b"1" * 1_990_000)


def test_unpacking_stops_at_the_limit(monkeypatch):
    monkeypatch.setattr(gzip.GzipFile, "read", None)  # reading would fail
    bomb = gzip.compress(b"1 2\n" * 100_000) + b"damaged, if it is read that far"
    with pytest.raises(ValueError, match="more than 0 MB"):
        contents.unpack(bomb, 10_000)


def test_a_file_that_is_too_large_is_not_opened(monkeypatch, tmp_path):
    monkeypatch.setattr(contents, "LARGEST_FILE", 10)
    (tmp_path / "large.csv").write_bytes(b"1 2\n" * 3)
    monkeypatch.setattr(Path, "open", None)  # opening would fail
    with pytest.raises(ValueError, match="more than 0 MB"):
        read_points(tmp_path / "large.csv")


def test_read_points_rejects_a_line_of_too_many_fields(monkeypatch):
    monkeypatch.setattr(texts, "MOST_FIELDS", 5)
    assert read_points(b"1 2 3 4\n1 2 3 5\n").points.shape == (2, 4)
    for line in (b"1,2,3,4,5,6", b"1 2 3 4 5 6", b'"1",2,3,4,5,6'):
        with pytest.raises(ValueError, match="a line has more than 5 fields"):
            read_points(b"# x\n" + line)


def test_a_folder_is_rejected(tmp_path):
    with pytest.raises(ValueError, match="cannot be read"):
        read_points(tmp_path)


MATRIX = np.array([[0.0, 2.5, 4.0], [3.0, 0.0, 5.0], [4.5, 6.0, 0.0]])
NAMES = ["Ulm", "Bonn, old", "Zug"]
MATRIX_WRITERS = {
    "npy": lambda frame: npy(frame.to_numpy()),
    "numbers alone": lambda frame: frame.to_csv(index=False, header=False).encode(),
    "names": lambda frame: frame.to_csv().encode(),
    "names above": lambda frame: frame.to_csv(index=False).encode(),
    "semicolons": lambda frame: frame.to_csv(sep=";").encode(),
    "numbered rows": lambda frame: frame.reset_index(drop=True).to_csv().encode(),
    "packed": lambda frame: gzip.compress(frame.to_csv().encode()),
}


@cases("writer", MATRIX_WRITERS)
@cases("names", [NAMES, [0, 1, 2]])
def test_written_matrix_is_read_in_every_format(writer, names):
    frame = pd.DataFrame(MATRIX, index=names, columns=names)
    read = read_dissimilarity(MATRIX_WRITERS[writer](frame), "towns")
    np.testing.assert_array_equal(read.matrix, MATRIX)
    named = names is NAMES and writer not in ("npy", "numbers alone")
    assert read.labels == (tuple(NAMES) if named else ())
    assert read.name == "towns" and read.source.startswith("read from towns")
    decided = names is not NAMES or writer == "numbered rows"
    assert ("row" in read.notice or "names" in read.notice) == (
        decided and writer not in ("npy", "numbers alone")
    )


def test_matrix_array_keeps_its_dtype():
    read = read_dissimilarity(MATRIX.astype(np.float32))
    assert read.matrix.dtype == np.float32
    assert (read.name, read.source) == ("your matrix", "given as an array")


def test_read_dissimilarity_reports_a_mirrored_triangle_in_its_notice():
    read = read_dissimilarity(np.array([[0.0, 2, 3], [0, 0, 4], [0, 0, 0]]))
    assert read.matrix.tolist() == [[0, 2, 3], [2, 0, 4], [3, 4, 0]]
    assert read.notice.startswith("The lower triangle of dissimilarity is empty")


@cases(
    ("content", "sentence"),
    [
        (b"a,b\n0,1\n1,x", 'line 3, column "b": "x" is not a number'),
        (b"0,3\n3,0\n2,2", "must be square"),
        (b"x y\na 0\nb", "line 3"),
        (npy(MATRIX - 3), "must be at least 0"),
        (npy(MATRIX + np.eye(3)), "the diagonal must be 0"),
    ],
)
def test_invalid_matrix_is_rejected(content, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_dissimilarity(content)


def test_read_dissimilarity_rejects_too_many_points():
    for content in (b"0,1,2\n1,0,3\n2,3,0\n", npy(np.zeros((4, 4)))):
        with pytest.raises(ValueError, match="the matrix has more than 2 points"):
            read_dissimilarity(content, most=2)
    named = pd.DataFrame(MATRIX, NAMES, NAMES).to_csv().encode()
    assert len(read_dissimilarity(named, most=3).matrix) == 3


@cases(
    "text",
    [
        b"3\nA 0 1 9\nB 1 0 8\nC 9 8 0\n",  # PHYLIP, square
        b"3\nA\nB 1\nC 9 8\n",  # PHYLIP, lower triangular
        b"3\nA 0\nB 1 0\nC 9 8 0\n",  # with a diagonal
        b"3\nA 1 9\nB 8\nC\n",  # upper triangular
        b"name,A,B,C\nA,0,1,9\nB,1,0,8\nC,9,8,0\n",
        b"region,pop,A,B,C\nAFR,A,0,1,9\nAFR,B,1,0,8\nEUR,C,9,8,0\n",
        b"A,B,C\n0,,\n1,0,\n9,8,0\n",
    ],
)
def test_read_dissimilarity_reads_phylip_and_tables_with_names(text):
    read = read_dissimilarity(text)
    assert read.matrix.tolist() == [[0, 1, 9], [1, 0, 8], [9, 8, 0]]
    assert read.labels == ("A", "B", "C")


@cases(
    "text",
    [
        b"1e-17,1.0000000000000002,2\n1,0,3\n2,3,0\n",  # rounding errors
        b",7,9,12\n7,0,1,2\n9,1,0,3\n12,2,3,0\n",  # as pandas writes row labels that are numbers
        b"id,7,9,12\n7,0,1,2\n9,1,0,3\n12,2,3,0\n",
        b"name,a,b,c\na,0,1,2\nb,,0,3\nc,,,\n",
    ],
)
def test_matrix_or_table_recognises_a_matrix(text):
    read = matrix_or_table(text)
    np.testing.assert_allclose(read.matrix, [[0, 1, 2], [1, 0, 3], [2, 3, 0]], rtol=1e-15)


def test_matrix_or_table_reads_an_ascending_first_row_as_a_point():
    assert matrix_or_table(b"1,2\n2,1.5\n3,4\n").values.tolist() == [[1, 2], [2, 1.5], [3, 4]]


def test_names_of_rows_must_have_the_order_of_the_columns():
    text = b"name,a,b,c\na,0,0,2\nc,0,0,2\nb,2,2,0\n"
    for read in (read_dissimilarity, matrix_or_table):
        with pytest.raises(ValueError, match=r'column "name" has the names .* another order'):
            read(text)


def test_matrix_or_table_reads_a_square_table_of_points():
    square = b"5.1,3.5,1.4\n4.9,3.0,1.5\n6.3,3.3,6.0\n"
    assert matrix_or_table(square).values.shape == (3, 3)
    with pytest.raises(ValueError, match="like a matrix of similarities"):
        matrix_or_table(b"1,0.9,0.1\n0.9,1,0.2\n0.1,0.2,1\n")
