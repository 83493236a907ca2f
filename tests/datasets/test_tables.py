"""Tables with text and gaps are read in many formats, and points are chosen from them."""

import gzip
import io
import math
import sys

import numpy as np
import pandas as pd
import pytest
from cases import cases
from sklearn.preprocessing import RobustScaler, StandardScaler

from prviz.datasets import check, points_of
from prviz.datasets.readers import tables
from prviz.datasets.readers.tables import read_table

nan = math.nan
FLOWERS = pd.DataFrame(
    {
        "petal": [1.5, nan, 4.25],
        "species": ["setosa", "virginica, old", None],
        "leaves": pd.array([3, 5, None], "Int64"),
        "wild": [True, False, True],
    }
)


def packed(frame, kind):
    file = io.BytesIO()
    if kind == "parquet":
        frame.to_parquet(file)
    else:
        np.save(file, frame)
    return file.getvalue()


WRITERS = {
    "comma": lambda frame: frame.to_csv(index=False).encode(),
    "tab": lambda frame: frame.to_csv(index=False, sep="\t", na_rep="NA").encode(),
    "Excel": lambda frame: frame.to_csv(index=False, sep=";", decimal=",").encode("utf-8-sig"),
    "Windows": lambda frame: frame.to_csv(index=False, lineterminator="\r\n").encode("utf-16"),
    "gzip": lambda frame: gzip.compress(frame.to_csv(index=False, na_rep="?").encode()),
    "rows counted": lambda frame: frame.to_csv().encode(),
    "parquet": lambda frame: packed(frame, "parquet"),
    "frame": lambda frame: frame,
}


@cases("writer", WRITERS)
def test_all_formats_give_the_same_table(writer):
    frame = FLOWERS.astype({"wild": int})
    read = read_table(WRITERS[writer](frame), "flowers")
    assert read.columns == ("petal", "leaves", "wild")
    np.testing.assert_array_equal(read.values, [[1.5, 3, 1], [nan, 5, 0], [4.25, nan, 1]])
    first = 1 if writer in ("parquet", "frame") else 2
    assert read.lines.tolist() == [first, first + 1, first + 2]
    assert read.missing() == [(first + 1, "petal"), (first + 2, "leaves")]
    assert 'Text columns left out: "species".' in read.notice
    assert ("Decimal commas" in read.notice) == (writer == "Excel")
    assert ("row numbers is left out" in read.notice) == (writer == "rows counted")
    assert read.name == "flowers"


@cases("kind", ["npy", "array", "masked", "fortran"])
def test_array_is_read_as_a_table(kind):
    array = np.array([[1, nan], [3, 4]])
    given = {
        "npy": packed(array, "npy"),
        "array": array,
        "masked": np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]]),
        "fortran": np.asfortranarray(array),
    }[kind]
    read = read_table(given)
    np.testing.assert_array_equal(read.values, array)
    assert read.values.flags.c_contiguous
    assert read.columns == ("column 1", "column 2")
    assert read.missing() == [(1, "column 2")]


@cases("word", ["", "NA", "n/a", "NaN", "nan", "-nan", "NULL", "null", "None", "?"])
def test_missing_values_are_recognised(word):
    read = read_table(f"x,y\n1,{word}\n 3 , 4 \n")
    np.testing.assert_array_equal(read.values, [[1, nan], [3, 4]])
    assert read.missing() == [(2, "y")]


@cases(
    ("text", "columns", "rows"),
    [
        ("x,x,,x\n1,2,3,4", ("x", "x (2)", "column 3", "x (3)"), [[1, 2, 3, 4]]),
        ("x,y\n1,2,\n3,4,\n", ("x", "y"), [[1, 2], [3, 4]]),
        ("x,y,\n1,2\n", ("x", "y"), [[1, 2]]),
        ("x y\nr1 1 2\nr2 3 4", ("x", "y"), [[1, 2], [3, 4]]),  # R writes row names like this
        ("x;y\n1;2\n;\n;;;\n3;4", ("x", "y"), [[1, 2], [3, 4]]),  # spreadsheets end files like this
        ("# made by hand\nx\ty\n\n\t2\n1\t\n", ("x", "y"), [[nan, 2], [1, nan]]),
        ("1  2\n 3 4", ("column 1", "column 2"), [[1, 2], [3, 4]]),
        ('x,y\n"1,5",2\n"2,5",3', ("x", "y"), [[1.5, 2], [2.5, 3]]),
        ("x;y\n1.234,5;2", ("x", "y"), [[1234.5, 2]]),
        ("x;y\n1 234;2", ("x", "y"), [[1234, 2]]),
        ('x,y\n"1,000",2.5\n"12,500",3', ("x", "y"), [[1000, 2.5], [12500, 3]]),
        ("2015,2016\n1.5,2.5\n3.5,4.5", ("2015", "2016"), [[1.5, 2.5], [3.5, 4.5]]),
        ("land,2015\nA,1.5\nB,2.5", ("2015",), [[1.5], [2.5]]),
        (",0,1\n0,5,6\n1,7,8", ("0", "1"), [[5, 6], [7, 8]]),
        ("0,1\n0.5,1.5\n2.5,3.5", ("0", "1"), [[0.5, 1.5], [2.5, 3.5]]),
        ("#,x\n1,5\n9,6", ("#", "x"), [[1, 5], [9, 6]]),
        ("# x y\n1 5\n9 6", ("x", "y"), [[1, 5], [9, 6]]),
        ("x,y\n#N/A,5\n9,6", ("x", "y"), [[nan, 5], [9, 6]]),
        ('x,kind\n1,"a\nb"\n2,c', ("x",), [[1], [2]]),
        ("x,ok\n1,True\n2,False", ("x", "ok"), [[1, 1], [2, 0]]),
        ("1,5 2\n3 -4,25e1", ("column 1", "column 2"), [[1.5, 2], [3, -42.5]]),
        ("name\tx\nUlm, old town\t5", ("x",), [[5]]),
        ('name;x\n"a; b";5,5', ("x",), [[5.5]]),
        # most values are text, so the column is left out
        ("v,x\n1.2,1\n1.2.3,2\nbeta,3", ("x",), [[1], [2], [3]]),
        ("x,y\n1,\n2,", ("x",), [[1], [2]]),
        ("user_1,x\na_1,1\na_2,2", ("x",), [[1], [2]]),
        ("sep=;\r\nx;y\r\n1,5;2\r\n", ("x", "y"), [[1.5, 2]]),
        ("day;x\n01.02.2020;1,5\n02.02.2020;2,5", ("x",), [[1.5], [2.5]]),
        ("day;town;x\nMo;Ulm;1,5\nDi;Bonn;2,5", ("x",), [[1.5], [2.5]]),
        ("x,y\n5 kg,2\n6 kg,3", ("y",), [[2], [3]]),
        ("x,y\n−1.5,2\n−3,4\n−2,−7", ("x", "y"), [[-1.5, 2], [-3, 4], [-2, -7]]),
        ("# x,y\n1,5\n9,6", ("x", "y"), [[1, 5], [9, 6]]),
        (
            ",7,9,12\n7,0,1,2\n9,1,0,3\n12,2,3,0",
            ("7", "9", "12"),
            [[0, 1, 2], [1, 0, 3], [2, 3, 0]],
        ),
    ],
)
def test_column_names_and_missing_values_and_numbers_are_recognised(text, columns, rows):
    read = read_table(text)
    assert read.columns == columns
    np.testing.assert_array_equal(read.values, rows)


@cases(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("x,y\n", "no rows of values"),
        ("x,y\n1,2\n3,fuor\n5,6", 'line 3, column "y": "fuor" is not a number'),
        ("1,2\n3,fuor\n5,6", 'line 2, column 2: "fuor" is not a number'),
        ("x,y\n1,a\n2,3\n", 'line 2, column "y": "a" is not a number'),  # half of y is text
        ("x,y\n1,a\nb,3\n4,5", 'line 2, column "y": "a"'),
        ("x,y\na,b\nc,d", 'there is no column of numbers (line 2, column 1 is "a")'),
        ("x,y\n?,?", "no rows of values from line 2 on"),
        ("x,y\n1,2\n3,4,5\n", "line 3 has 3 columns but the lines above have 2"),
        ("x,y,z\n1,2", "line 1 has 3 names but the rows have 2 columns"),
        ("1,000\n12,500", '"1,000" can mean 1000 or 1.000'),
        (">one\nACGT", "a FASTA file"),
        ("%%MatrixMarket matrix", "a MatrixMarket file"),
        ('{"x": 1}', "a JSON file"),
        ("[1, 2, 3]", "a JSON file"),
        ("X = [1 2; 3 4];", "a line of a program"),
        (
            "x;y\n" + "1,5;2\n" * 70 + "1.234;2",
            'line 72, column "x": "1.234" has a different format',
        ),
        ("x,y\n1,inf\n", 'line 2, column "y" is inf'),
        ("x,y\n1,2\n1e300,2\n", 'line 3, column "x" is 1e+300, too large'),
        ("x;y\n1,5;2\n1.5;2", 'column 1: "1.5" has a decimal point, but "1,5" a decimal comma'),
        ("1_0,2\n3,4\n5,6", 'line 1, column 1: "1_0" is not a number'),
        ("a\0b", "neither text nor npy"),
    ],
)
def test_error_of_an_invalid_table_names_line_and_column(text, said):
    with pytest.raises(ValueError) as caught:
        read_table(text)
    assert said in str(caught.value)
    assert str(caught.value).endswith(".")


@cases(
    ("text", "said"),
    [
        ("x,y\n10%,2\n20%,3", 'Remove the signs from numbers such as "10%" to read "x".'),
        ("x,y\n$1.50,2\n$2,3", 'such as "$1.50" to read "x"'),
        ("x,y\n'1,2\n'3,3", 'such as "\'1"'),
        ("n,x,y\na,1,2\nb,3,4\nc,5,6\nsum,9,12", "last row (line 5) has the sums or means"),
        ("x,y\nTRUE,1\n,2\nFALSE,3", 'True and false are read as 1 and 0: "x"'),
        ("a,a\n2019,2020\n1,2\n3,4", 'Repeated column names are numbered: "a"'),
    ],
)
def test_read_table_reports_what_it_left_out_or_changed(text, said):
    assert said in read_table(text).notice


@cases("text", ["day,x\n1.2.2020,1\n3.2.2020,2", "x\n1\n1\n1\n1", "x,y\n1,2\n3,4\n5,6\n7,8"])
def test_read_table_reports_no_signs_or_totals_in_plain_data(text):
    assert read_table(text).notice in ("", 'Text columns left out: "day".')


def test_read_table_accepts_decimal_and_thousands_for_numbers_in_two_formats():
    text = "x;y\n1,5;2\n1.234,5;2\n1.234;3"
    read = read_table(text, decimal=",", thousands=".")
    assert read.values.tolist() == [[1.5, 2], [1234.5, 2], [1234, 3]]


def test_read_table_keeps_the_row_below_a_header_without_names():
    read = read_table(",\n1,2\n3,4", header=True)
    assert (read.values.tolist(), read.lines.tolist()) == ([[1, 2], [3, 4]], [2, 3])


def test_read_table_opens_a_path_but_not_a_string(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("x,y\n1,2\n")
    assert read_table(path)[3:5] == (
        "mine.csv",
        "read from mine.csv (separated by commas, with a header row)",
    )
    with pytest.raises(ValueError, match="no rows of values"):
        read_table(str(path))


# Limits


def test_too_many_numbers_are_rejected_before_they_are_read(monkeypatch):
    monkeypatch.setattr(tables, "MOST_NUMBERS", 10)
    with pytest.raises(ValueError, match="6 lines of 2 columns; at most 0 million numbers"):
        read_table("1 2\n" * 6)
    for kind in ("npy", "parquet"):
        content = packed(pd.DataFrame(np.zeros((6, 2)), columns=["x", "y"]), kind)
        with pytest.raises(ValueError, match="sample"):
            read_table(content)


def test_parquet_without_pyarrow_raises_a_clear_error(monkeypatch):
    content = packed(FLOWERS, "parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ValueError, match="needs pyarrow"):
        read_table(content)


def test_a_parquet_file_that_is_damaged_raises_a_clear_error():
    content = packed(FLOWERS, "parquet")
    for damaged in (
        content[:-1],
        content[: len(content) // 2],
        content[:4],
        content[:-8] + b"\xff" * 8,
    ):
        with pytest.raises(ValueError, match="parquet file is damaged"):
            read_table(damaged)


# Points chosen from a table


def table(rows, columns="xyz"):
    return read_table(pd.DataFrame(rows, columns=[*columns]))


def test_columns_keep_the_requested_order():
    made = points_of(table([[1, 2, 3], [4, 5, 6]]), ["z", "x"])
    assert made.points.tolist() == [[3, 1], [6, 4]]
    assert made.columns == ("z", "x")
    assert made.to_frame().columns.tolist() == ["z", "x"]
    assert check.check_points(made.points).shape == (2, 2)


def test_missing_values_in_other_columns_are_ignored():
    gaps = table([[1, nan, 3], [4, 5, nan], [7, 8, 9]])
    assert points_of(gaps, ["x"]).points.tolist() == [[1], [4], [7]]
    assert points_of(gaps, ["x", "y"], missing="drop").points.tolist() == [[4, 5], [7, 8]]
    dropped = points_of(gaps, missing="drop")
    assert dropped.points.tolist() == [[7, 8, 9]]
    assert "2 of 3 rows (lines 1, 2)" in dropped.notice
    with pytest.raises(ValueError, match='line 1, column "y" has no value, and 1 more is missing'):
        points_of(gaps)
    with pytest.raises(ValueError, match='line 2, column "z" has no value: fill in'):
        points_of(gaps, ["x", "z"])
    with pytest.raises(ValueError, match="every row has a missing value, from line 1 on"):
        points_of(table([[1, nan, 3], [nan, 1, 2]]), missing="drop")


@cases(("scale", "peer"), [("standard", StandardScaler()), ("robust", RobustScaler())])
def test_scaled_columns_equal_those_of_scikit_learn(scale, peer):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(101, 3)) * [1, 1e6, 1e-6] + [0, 1e3, -5]
    made = points_of(table(values), scale=scale)
    np.testing.assert_allclose(made.points, peer.fit_transform(values), rtol=1e-6, atol=1e-9)
    assert made.notice == ""
    assert "each column minus its" in made.source


def test_scales_of_extreme_numbers_stay_finite():
    for size in (1e150, 1e-200, 5e-324):
        made = points_of(table([[-size, 0, 1], [size, 1, 2], [0, 2, 4]]), scale="standard")
        np.testing.assert_allclose(made.points[:, 0], [-(1.5**0.5), 1.5**0.5, 0], atol=1e-9)


@cases("scale", ["none", "standard", "robust"])
def test_unscaled_points_have_the_values_of_the_file(scale):
    rows = [
        [1.71, 6.4e9, 5.0, 3e-7, 1e140],
        [1.8, 6.5e9, 5.0, 1e-7, -1e140],
        [0.1, 0, 5.0, 2e-7, 0],
    ]
    points = points_of(read_table(rows), scale=scale)
    np.testing.assert_allclose(points.unscaled(points.points), rows, rtol=1e-13, atol=1e-20)
    assert points.unscaled(points.points)[0, 0] == 1.71
    with pytest.raises(ValueError, match=r"rows must have the shape \(m, 5\), got \(2,\)"):
        points.unscaled([1, 2])


def test_constant_column_is_not_scaled():
    flat = table([[0.1, 0, 1], [0.1, 0, 2], [0.1, 0, 3], [0.1, 0, 4], [0.1, 7, 5]])
    standard = points_of(flat, scale="standard")
    assert not standard.points[:, 0].any()
    assert 'Column "x" is constant' in standard.notice
    robust = points_of(flat, scale="robust")
    assert robust.points[:, 1].tolist() == [0, 0, 0, 0, 7]
    assert robust.points[:, 2].tolist() == [-1, -0.5, 0, 0.5, 1]
    assert 'Columns "x", "y": each has an interquartile range of 0' in robust.notice


@cases(
    ("wanted", "said"),
    [
        ({"columns": ["w"]}, 'there is no column "w": the columns are "x", "y", "z".'),
        ({"columns": []}, "choose at least one column"),
        ({"columns": ["x", "x"]}, 'column "x" is chosen twice'),
        ({"scale": "log"}, "scale must be one of"),
        ({"missing": "mean"}, 'missing must be "stop" or "drop"'),
    ],
)
def test_invalid_choices_are_rejected(wanted, said):
    with pytest.raises(ValueError, match=said):
        points_of(table([[1, 2, 3]]), **wanted)


def test_points_of_does_not_report_the_columns_that_the_user_left_out():
    read = read_table(b"id,x,kind,y\n1,5,a,true\n2,7,b,false\n3,6,a,true\n")
    assert 'Text columns left out: "kind".' in points_of(read).notice
    assert points_of(read, ["x", "y"]).notice == 'True and false are read as 1 and 0: "y".'
    assert 'Column "id" looks like an identifier.' in points_of(read, ["id", "x"]).notice


def test_unused_column_of_row_numbers_is_not_reported_if_the_last_row_is_a_total():
    read = read_table("n,x,x\n1,1,2\n2,3,4\n3,5,6\n4,9,12")
    assert "identifier" not in points_of(read, ["x", "x (2)"]).notice


@cases(
    ("name", "values", "reported"),
    [
        ("id", (40123, 17, 905), True),
        ("customer_id", (40123, 17, 905), True),
        ("orderId", (40123, 17, 905), True),
        ("id", (1, 1, 2), False),
        ("id", (0.5, 1.5, 2.25), False),
        ("paid", (40123, 17, 905), False),
        ("GRID", (40123, 17, 905), False),
        ("n", (1, 2, 3), True),
        ("n", (1, 2, 4), False),
    ],
)
def test_first_column_that_looks_like_an_identifier_is_reported(name, values, reported):
    rows = "".join(f"{value},{value % 7}\n" for value in values)
    notice = read_table(f"{name},x\n{rows}".encode(), "points.csv").notice
    assert (f'Column "{name}" looks like an identifier.' in notice) == reported


def test_a_column_that_counts_the_rows_is_reported_once():
    rows = "".join(f"{i},{i * i % 7},{i % 3}\n" for i in range(1, 13))
    table = read_table(b"id,x,y\n" + rows.encode(), "points.csv")
    assert points_of(table).notice.count('Column "id" looks like an identifier.') == 1
    assert points_of(table, ["id", "x"]).notice == points_of(table).notice == table.notice
    assert points_of(table, ["x", "y"]).notice == ""
