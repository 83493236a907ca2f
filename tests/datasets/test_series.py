"""Series of numbers are generated, and read from tables."""

import numpy as np
import pytest
from cases import cases

from prviz import datasets
from prviz.datasets.readers.series import read_series

STATIONS = "year,place,rain,temp\n1990,b,1.5,2\n1991,a,0.5,3\n1992,b,2,4\n1993,b,7,8\n"


def test_read_series_leaves_out_a_column_that_counts_the_rows():
    series = read_series(STATIONS, "stations")
    assert series.values.tolist() == [[1.5, 2], [0.5, 3], [2, 4], [7, 8]]
    assert (series.columns, series.lengths.tolist()) == (("rain", "temp"), [4])
    assert series.notice == (
        'Text columns left out: "place". Columns left out because they count the rows: "year". '
        'Read 4 steps: "rain", "temp".'
    )


def test_read_series_separates_series_by_a_column():
    series = read_series(STATIONS, columns=["rain"], by="place")
    assert series.values[:, 0].tolist() == [1.5, 2, 7, 0.5]
    assert series.lengths.tolist() == [3, 1]
    assert 'Read 4 steps in 2 series: "rain".' in series.notice


def test_read_series_does_not_report_the_columns_that_the_user_chose():
    series = read_series(STATIONS, columns=["rain"], by="place")
    assert series.notice == 'Read 4 steps in 2 series: "rain".'
    text = STATIONS.replace("\n", ",x\n").replace("temp,x", "temp,wind")
    series = read_series(text, columns=["rain"], by="place")
    assert series.notice == 'Read 4 steps in 2 series: "rain".'
    series = read_series(text, by="place")
    assert series.notice.startswith('Text columns left out: "wind". ')
    counted = "n,rain\n1,0.5\n2,1.5\n3,0\n"
    assert read_series(counted, columns=["rain"]).notice == 'Read 3 steps: "rain".'
    assert (
        'Column "n" looks like an identifier.' in read_series(counted, columns=["n", "rain"]).notice
    )


def test_read_series_drops_rows_with_missing_values():
    text = "value,part\n1,x\n,x\n3,y\n5,x\n"
    with pytest.raises(ValueError, match='line 3, column "value" has no value'):
        read_series(text)
    series = read_series(text, by="part", missing="drop")
    assert (series.values.ravel().tolist(), series.lengths.tolist()) == ([1, 5, 3], [2, 1])
    assert "Rows dropped because of missing values: 1 of 4 rows (line 3)" in series.notice


def test_read_series_lists_all_columns_if_a_name_is_unknown():
    with pytest.raises(ValueError, match='no column "town": the columns are "year", "rain"'):
        read_series(STATIONS, by="town")


@cases(
    ("text", "by", "said"),
    [
        ("year;rain\n1990;1,5\n1991;0,5\n1992;2", None, "Decimal commas"),
        ("year,rain\n1990,1.5\n1991,0.5\n1994,2", None, 'Column "year" rises or falls in every'),
        ("t,x\n0,1\n0.1,3\n0.2,2\n0.0,1\n0.1,5", None, ""),
        ("m,x,g\n1,5,a\n2,3,a\n4,6,a\n1,5,b\n2,3,b", "g", 'Column "m" rises or falls in every'),
        ("day,x\n2020-01-03,1\n2020-01-01,2", None, 'Column "day" is not ascending'),
        ("day,x\n2020-01-01,1\n2020-01-01,2", None, 'Column "day" is not ascending'),
        ("day;x\n03.01.2020;1\n01.02.2020;2", None, ""),
        ("day;x\n01.02.2020;1\n03.01.2020;2", None, 'Column "day" is not ascending'),
        ("x\n1\n5\n\n7\n2", None, "The blank line below line 3 does not separate series"),
    ],
)
def test_read_series_reports_how_it_read_times_and_blank_lines(text, by, said):
    notice = read_series(text.encode(), by=by).notice
    assert said in notice if said else 'Column "' not in notice


@cases("label", ["", "NA"])
def test_read_series_rejects_a_row_without_a_label(label):
    for other in ("a", "7"):
        with pytest.raises(ValueError, match=r'line 3, column "g" is empty'):
            read_series(f"x,g\n1.5,{other}\n2.5,{label}\n3.5,{other}".encode(), by="g")


def test_regimes_have_their_means_and_deviations():
    series = datasets.regimes(20_000, seed=3)
    for state, (mean, deviation) in enumerate([(0, 0.4), (1.5, 0.4), (0.7, 1.2)]):
        values = series.values[series.states == state, 0]
        assert (values.mean(), values.std()) == pytest.approx((mean, deviation), abs=0.05)
    assert np.array_equal(datasets.regimes(50, 1).values, datasets.regimes(50, 1).values)


def test_series_has_a_data_frame_and_a_figure():
    series = read_series(STATIONS, by="place")
    assert series.to_frame().columns.tolist() == ["rain", "temp"]
    assert [line.name for line in series.figure().data] == ["rain", "temp"]
    assert np.isnan(series.figure().data[0].y[3])  # a gap between the series
