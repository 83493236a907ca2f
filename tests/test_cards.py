"""Results and data sets are shown as cards in a notebook."""

import base64
import functools
import re
import sys
import xml.etree.ElementTree as ET

import numpy as np
from cases import cases

import prviz
from prviz import datasets
from prviz.figures.comparison.tuning_settings import plot_settings, settings_info

PROBLEM = prviz.kmeans([[0.0], [2.0], [10.0], [11.0]], 2)
LARGEST = 250_000  # bytes of a card


def picture_of(html: str) -> ET.Element:
    (packed,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
    return ET.fromstring(base64.b64decode(packed))


def cells_of(html: str) -> list[list[str]]:
    rows = re.findall(r"<tr>(.*?)</tr>", html)
    return [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in rows]


def check_card(shown, *words):
    html = shown._repr_html_()
    assert len(html) < LARGEST and "<script" not in html
    picture_of(html)
    for word in words:
        assert word in html
    assert shown.figure().data
    return html


def test_run_and_trace_have_cards():
    run = prviz.run(PROBLEM, m1=2, calls=9)
    levels = "level 1: k = 1, M = 2; restarts: all 2"
    check_card(run, "KMeans: best cost 2.5", "9 in", run.trace.hash(), levels)
    html = check_card(run.trace, "Trace of 9 calls on 2 levels")
    level_1, level_2 = cells_of(html)[1:]
    decided = run.trace.kept[:, 0] != -1
    assert level_1[:2] == ["1", f"{decided.sum()}"] and level_2[0] == "2"


def test_run_without_calls_has_no_picture():
    trace = prviz.run(PROBLEM, calls=1).trace
    nothing = prviz.Trace(type(trace.rows)(*(column[:0] for column in trace.rows)), 2)
    assert "<img" not in nothing._repr_html_()


def test_comparison_card_lists_methods():
    found = prviz.compare(
        PROBLEM, {"partial": {"k1": 1}, "<b>": {"k1": "all"}}, seeds=8, calls=5, target=2.5
    )
    html = check_card(found, "n = 8 runs each, up to")
    head, partial, escaped = cells_of(html)
    assert head[1:] == ["best, median [95 %]", "solved", "calls to the target [95 %]"]
    hits = found.hits("partial").successes
    assert partial[0] == "partial" and partial[2] == f"{hits} of 8"
    assert escaped[0] == "&lt;b&gt;"


@functools.cache
def tuned(**more):
    return prviz.tune(PROBLEM, {"k1": [1], "m1": [2, 5]}, work=20, check=10, store=None, **more)


def test_card_of_a_tuning_lists_its_settings():
    found = tuned()
    check_card(found, found.words.split(",")[0], "k1 = ")
    info = settings_info(found)
    assert [row.name for row in info.rows] == [found.cells[cell].name for cell in found.ranking()]
    assert info.rows[0].name == found.cells[found.leader].name
    assert {row.kind for row in info.rows} >= {"full", "usual"} and info.axis is None
    for row, cell in zip(info.rows, found.ranking(), strict=True):
        costs = sorted(run.best.min() for run in found.runs[cell].values())
        assert row.n == len(costs) and row.value == costs[(len(costs) - 1) // 2]
        assert row.low <= row.value <= row.high


def test_long_tuning_card_keeps_the_baselines():
    found = tuned()
    info = settings_info(found, most=1)
    assert {row.kind for row in info.rows} >= {"full", "usual"}
    assert len(info.rows) + info.hidden == len(found.cells)


def test_plot_of_a_tuning_to_a_target_shows_the_work():
    found = tuned(target=2.5)
    info = settings_info(found)
    assert info.axis == "iterations"
    for row, cell in zip(info.rows, found.ranking(), strict=True):
        assert row.value == found.ert(cell).work
    figure = plot_settings(info)
    assert figure.layout.xaxis.type == "log"
    assert next(iter(figure.layout.yaxis.ticktext)).startswith(info.rows[0].name)


def test_unsolved_setting_has_an_open_marker():
    info = settings_info(tuned(target=2.5))
    never = info.rows[0]._replace(value=np.inf, low=5.0, high=np.inf)
    figure = plot_settings(info._replace(rows=[*info.rows, never]))
    assert figure.data[-1].marker.symbol == "circle-open"
    assert np.isfinite([figure.data[-1].x[0], figure.data[-1].error_x.array[0]]).all()


def test_probe_card_lists_sizes():
    stuck = prviz.run(PROBLEM, k1=2, calls=1, seed=1)
    found = prviz.probe(PROBLEM, stuck.best_state, sizes=[0, 1, 2], repeats=50)
    html = check_card(found, "Redraws from an optimum of cost")
    rows = cells_of(html)[1:]
    assert [row[:2] for row in rows] == [
        [f"{k}", f"{hits} of 50"] for k, hits in zip(found.sizes, found.improved, strict=True)
    ]
    frame = found.to_frame()
    assert np.allclose(frame["epsilon"], found.improved / 50)
    assert frame["k"].tolist() == [0, 1, 2]


SETS = {
    "points": datasets.a3_like(),
    "line": datasets.Points(np.arange(6.0)[:, None], "six", "me"),
    "string": datasets.read_text("abracadabra"),
    "examples": datasets.patterns(),
    "pictures": datasets.digits900(),
    "matrix": datasets.Dissimilarities(
        datasets.dissimilarity(np.arange(5.0)[:, None]), "five", "me", tuple("abcde")
    ),
}


@cases("name", SETS)
def test_data_set_card_has_its_name_and_source(name):
    data = SETS[name]
    check_card(data, data.name, data.source, *(["stand-in"] if name == "pictures" else []))
    frame = data.to_frame()
    expected = [*"abracadabra"] if name == "string" else data[0]
    assert (frame.to_numpy().squeeze() == np.squeeze(expected)).all()
    if name == "matrix":
        assert frame.columns.tolist() == frame.index.tolist() == [*"abcde"]


def test_card_without_matplotlib_has_no_picture(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    html = prviz.run(PROBLEM, calls=3)._repr_html_()
    assert "best cost" in html and "<img" not in html
